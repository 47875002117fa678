"""Needs four fifths of the start limit, as a virtual machine may, and is fine afterwards."""

import time

from decent import serve

time.sleep(0.8)
serve()
