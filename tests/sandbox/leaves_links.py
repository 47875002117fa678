"""Leaves in its home what a careless cleaner would follow or stumble over, the longer way round."""

import os
import sys

home = os.environ["HOME"]
os.symlink(sys.argv[1], f"{home}/link")
os.makedirs(f"{home}/deep/deeper")
os.symlink("/", f"{home}/deep/deeper/root")
open(f"{home}/deep/file", "w").close()
os.chmod(f"{home}/deep/deeper", 0o000)
os.mkfifo(f"{home}/pipe")
print(home, flush=True)
