"""`python -m arena` is the command `arena`."""

import sys

from arena.cli.main import main

sys.exit(main())
