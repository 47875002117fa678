"""What all tests share: properties are judged by what they find, not by how fast a shared machine is."""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")
# Whoever started the tests may ignore these (nohup does, and a shell that starts them in the background), and
# what they start would inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
