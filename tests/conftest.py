"""What all tests share: properties are judged by what they find, not by how fast a shared machine is, and a
test that lacks its tool is skipped, but never in CI."""

import os
import signal
from collections.abc import Callable
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")
# Whoever started the tests may ignore these (nohup does, and a shell that starts them in the background), and
# what they start would inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def lacking() -> Callable[[str], NoReturn]:
    """Ends a test that cannot run here, for this reason: skipped, and where CI=true failed."""
    return pytest.fail if os.environ.get("CI") == "true" else pytest.skip
