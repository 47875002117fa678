"""What all tests share: properties are judged by what they find, not by how fast a shared machine is."""

from hypothesis import HealthCheck, settings

settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")
