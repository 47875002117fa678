"""Tries to get at everything a sandbox is to keep from it, says what it got, and waits."""

import ctypes
import errno
import glob
import json
import os
import socket
import sys

asked = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000


def tried(deed, *arguments):
    """ "done", or the name of the error."""
    try:
        deed(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    return "done"


def system_call(call):
    ctypes.set_errno(0)
    return "done" if call() >= 0 else errno.errorcode[ctypes.get_errno()]


def reads(path):
    with open(path, "rb") as file:
        file.read(1)


def connects(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as end:
        end.settimeout(2)
        end.connect(address)


def writes(path):
    with open(path, "w") as file:
        file.write("x")
    os.unlink(path)


def status(*wanted):
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return {key: fields[key].strip() for key in wanted}


def held():
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
    return found


def environments():
    """Everything that can be read of the environments of all processes in sight."""
    found = b""
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                found += file.read()
        except OSError:
            continue
    return found.decode(errors="replace")


def filled(folder):
    """Bytes that go into a folder before there is no room, at most 40 MiB; what was written is removed."""
    size = 0
    names = [f"{folder}/fill-{os.getpid()}-{number}" for number in range(2)]
    try:
        for name in names:
            with open(name, "wb", buffering=0) as file:
                for _ in range(20):
                    size += file.write(bytes(1 << 20))
    except OSError:
        pass
    for name in names:
        if os.path.exists(name):
            os.unlink(name)
    return size


def most_files():
    opened = []
    try:
        while len(opened) < 100_000:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    for descriptor in opened:
        os.close(descriptor)
    return len(opened)


said = {
    "descriptors": held(),
    "environment": dict(os.environ),
    "folder": os.getcwd(),
    "user": [os.getuid(), os.getgid(), os.getgroups()],
    "status": status("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs"),
    "reads": {path: tried(reads, path) for path in asked["files"]},
    "lists": {path: tried(os.listdir, path) for path in asked["folders"]},
    "beside": sorted(os.listdir(os.path.dirname(os.getcwd())))
    if os.access(os.path.dirname(os.getcwd()), os.R_OK)
    else [],
    "organiser": "THE_ORGANISERS_SECRET" in environments(),
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "signals": {str(pid): tried(os.kill, pid, 0) for pid in asked["pids"]},
    "loopback": tried(connects, socket.AF_INET, ("127.0.0.1", asked["port"])),
    "abstract": tried(connects, socket.AF_UNIX, "\0" + asked["abstract"]),
    "writes": {
        path: tried(writes, path)
        for path in (
            "written",
            "/written",
            "/usr/written",
            "/dev/written",
            "/tmp/written",
            "/proc/sys/kernel/hostname",
        )
    },
    "opens_up": tried(os.chmod, ".", 0o777),
    "tmp": filled("/tmp"),
    "shm": filled("/dev/shm"),
    "files": most_files(),
    "devices": sorted(os.listdir("/dev")),
    "user_namespace": system_call(lambda: libc.unshare(CLONE_NEWUSER)),
    "vsock": tried(socket.socket, 40, socket.SOCK_STREAM),
    "crypto": tried(socket.socket, 38, socket.SOCK_SEQPACKET),
    "keyring": system_call(lambda: libc.syscall(250, 0, -3, 0))
    if os.uname().machine == "x86_64"
    else "ENOSYS",
}
print(json.dumps(said), flush=True)
sys.stdin.read()
