"""Puts the checkout on the path: the benchmarks are part of it, but not of what is installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
