"""Builds: once for each content, in a clean environment, within limits, with nothing left running."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
import trio

from arena.errors import BadInput
from arena.referee.launch import Command
from arena.referee.tiers import survey
from arena.roster.cache import open_cache
from arena.roster.confine import as_it_is
from arena.roster.discovery import find_bots
from arena.roster.process import Limits, run_limited
from arena.roster.staging import stage

# Where every tool for testing is promised, a compiler that is missing is a failure and no reason for less.
COMPILER = (
    [["cc", "-O1", "-o", "bot", "bot.c"]] if os.environ.get("CI") == "true" or shutil.which("cc") else []
)


def bot(write, build, name="x", run="./bot", **files):
    words = build if isinstance(build, list) else ["sh", "-c", build]
    quoted = ", ".join("'''" + word + "'''" for word in words)
    write(f"{name}/bot.toml", f'run = "{run}"\nbuild = [{quoted}]\n')
    for file, text in files.items():
        write(f"{name}/{file}", text)
    return find_bots([name])


def output(contestant):
    done = subprocess.run(contestant.argv, cwd=contestant.folder, capture_output=True, text=True)
    return done.stdout or done.stderr


def is_gone(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except OSError:
        return True


def processes(command):
    """Those that run a command which begins so."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline") as file:
            if file.read().replace("\0", " ").startswith(command):
                found.append(pid)
    return found


@pytest.mark.parametrize(
    "build", [["cp", "source", "bot"], ["sh", "-c", "cat source > bot; chmod +x bot"], *COMPILER]
)
def test_a_build_makes_the_bot_that_then_runs(here, write, cache, tmp_path, build):
    write("x/bot.c", '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n')
    write("x/source", "#!/bin/sh\necho built\n", 0o755)
    (contestant,) = stage(bot(write, build), tmp_path / "staged")
    assert output(contestant) == "built\n"
    assert contestant.folder.startswith(f"{cache}/built/")
    assert os.path.isfile(f"{contestant.folder}/bot")


def test_a_content_is_built_once_and_a_changed_one_again(here, write, cache, tmp_path):
    build = "cp source bot; chmod +x bot"
    roster = bot(write, build, source="#!/bin/sh\necho one\n")
    said = []
    (first,) = stage(roster, tmp_path / "staged", tell=said.append)
    (second,) = stage(roster, tmp_path / "again", tell=said.append)
    assert first == second
    assert said == ["building x: sh -c cp source bot; chmod +x bot"]
    changed = bot(write, build, source="#!/bin/sh\necho two\n")
    (third,) = stage(changed, tmp_path / "staged", tell=said.append)
    assert (output(first), output(third)) == ("one\n", "two\n")
    assert len(said) == 2


def test_a_result_that_was_tampered_with_is_built_again(here, write, cache, tmp_path):
    roster = bot(write, "echo 'echo honest' > bot.sh", run="bot.sh")
    (contestant,) = stage(roster, tmp_path / "staged")
    os.chmod(f"{contestant.folder}/bot.sh", 0o644)
    with open(f"{contestant.folder}/bot.sh", "w") as file:
        file.write("echo tampered\n")
    (again,) = stage(roster, tmp_path / "staged")
    assert output(again) == "honest\n"


def test_the_environment_of_a_build_is_clean(here, write, cache, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_USER", "x")
    monkeypatch.setenv("PYTHONPATH", "/x")
    roster = bot(
        write, "env > env.txt; ls -A $HOME $TMPDIR > home.txt; touch $HOME/x; id > bot.sh", run="bot.sh"
    )
    (contestant,) = stage(roster, tmp_path / "staged")
    with open(f"{contestant.folder}/env.txt") as file:
        variables = dict(line.rstrip("\n").split("=", 1) for line in file)
    own = {"PATH", "HOME", "TMPDIR", "LANG", "ARENA_TOKEN"}
    # What the shell itself adds.
    assert own <= set(variables) <= own | {"PWD", "OLDPWD", "SHLVL", "_"}
    assert variables["LANG"] == "C.UTF-8"
    assert not os.path.exists(variables["HOME"])
    with open(f"{contestant.folder}/home.txt") as file:
        assert file.read().split() == [f"{variables['HOME']}:", f"{variables['TMPDIR']}:"]


def test_what_was_built_is_read_only_and_the_source_untouched(here, write, cache, tmp_path):
    roster = bot(
        write, "mkdir -m 700 out; echo cat > out/bot.sh; echo more >> data", run="out/bot.sh", data="1\n"
    )
    (contestant,) = stage(roster, tmp_path / "staged")
    for folder, _, files in os.walk(contestant.folder):
        assert os.stat(folder).st_mode & 0o777 == 0o555
        assert all(os.stat(f"{folder}/{file}").st_mode & 0o777 == 0o444 for file in files)
    assert (here / "x/data").read_text() == "1\n"
    assert sorted(os.listdir("x")) == ["bot.toml", "data"]


def test_a_failing_build_shows_its_last_lines_escaped_and_keeps_nothing(here, write, cache, tmp_path):
    roster = bot(write, r"seq 1000; printf 'bad \033[31mthing\n'; echo no rule >&2; exit 3")
    with pytest.raises(BadInput) as error:
        stage(roster, tmp_path / "staged")
    title, *lines = str(error.value).split("\n")
    assert title.startswith("x/bot.toml: the build failed (exit code 3): sh -c seq 1000;")
    assert [line.strip() for line in lines[-3:]] == ["1000", r"bad \x1b[31mthing", "no rule"]
    assert len(lines) <= 12
    assert os.listdir(cache / "built") == os.listdir(cache / "building") == []


def test_a_build_that_does_not_make_what_run_names_is_an_error(here, write, cache, tmp_path):
    with pytest.raises(BadInput, match=r"x was built, but x/bot.toml: run names ./bot, which is not a file"):
        stage(bot(write, "touch other"), tmp_path / "staged")


def test_a_string_that_wants_a_shell_says_so_when_it_fails(here, write, cache, tmp_path):
    write("x/bot.toml", 'run = "./bot"\nbuild = "cp *.txt bot"\n')
    with pytest.raises(BadInput, match="no shell runs it"):
        stage(find_bots(["x"]), tmp_path / "staged")


def test_a_build_whose_first_program_is_not_installed_sits_out(here, write):
    write("y.py")
    write("x/bot.toml", 'run = "./bot"\nbuild = "nosuchcompiler -o bot"\n')
    write("z/bot.toml", 'run = "nosuchlanguage9 a"\nbuild = "cp a b"\n')
    roster = find_bots(["x", "y.py"])
    assert roster.sitting_out == (("x", "nosuchcompiler, which its build needs, is not installed"),)
    write("x/bot.toml", 'run = "./bot"\nbuild = "./make.sh"\n')
    with pytest.raises(BadInput, match=r"build names \./make\.sh, which is not in the folder"):
        find_bots(["x"])


def test_a_build_that_takes_too_long_is_ended_with_all_it_started(here, write, cache, tmp_path):
    roster = bot(write, f"(setsid sleep 600 & echo $! > {tmp_path}/pid; wait) & sleep 600")
    with pytest.raises(BadInput, match=r"the build failed \(it took longer than 0.5 s\)"):
        stage(roster, tmp_path / "staged", limits=Limits(seconds=0.5), confine=as_it_is)
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_a_daemon_that_a_build_leaves_is_ended_and_does_not_hold_it_up(here, write, cache, tmp_path):
    daemon = (
        f"import os, time\npid = {str(tmp_path / 'pid')!r}\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        open(pid, 'w').write(str(os.getpid()))\n        time.sleep(600)\n    os._exit(0)\n"
        "while not os.path.exists(pid) or not os.path.getsize(pid):\n    time.sleep(0.01)\n"
        "open('bot.sh', 'w').write('echo built')\n"
    )
    roster = bot(write, [sys.executable, "make.py"], run="bot.sh", **{"make.py": daemon})
    (contestant,) = stage(roster, tmp_path / "staged", confine=as_it_is)
    assert output(contestant) == "built\n"
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_what_left_its_group_and_wiped_its_environment_is_ended_by_its_session(here, write, cache, tmp_path):
    script = (
        "import os, time\n"
        "read, write = os.pipe()\nif os.fork() == 0:\n    os.setpgid(0, 0)\n"
        "    os.set_inheritable(write, True)\n"
        f"    command = f'echo $$ > {tmp_path}/pid; echo >&{{write}}; sleep 600'\n"
        "    os.execve('/bin/sh', ['sh', '-c', command], {})\n"
        "os.read(read, 1)\nopen('bot.sh', 'w').write('echo built')\n"
    )
    roster = bot(write, [sys.executable, "make.py"], run="bot.sh", **{"make.py": script})
    stage(roster, tmp_path / "staged", confine=as_it_is)
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_an_arena_that_adopts_orphans_is_left_with_none_of_a_build(
    here, write, cache, tmp_path, importing_arena
):
    script = "(setsid sleep 600 &) ; (sleep 0.01 &) ; sleep 0.1; echo 'echo built' > bot.sh"
    bot(write, script, run="bot.sh")
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom arena.referee import tree\n"
        "from arena.roster.confine import as_it_is\nfrom arena.roster.discovery import find_bots\n"
        "from arena.roster.staging import stage\ntree.become_subreaper()\n"
        "stage(find_bots(['x']), Path(sys.argv[1]), confine=as_it_is)\n"
        "print(list(tree.children_of(os.getpid())))\n"
    )
    arena = [sys.executable, "-c", code, tmp_path / "staged"]
    assert subprocess.run(arena, capture_output=True, text=True, env=importing_arena).stdout == "[]\n"


def test_a_build_that_ignores_signals_and_stops_itself_is_ended(here, write, cache, tmp_path):
    roster = bot(write, "trap '' TERM INT HUP; sh -c 'kill -STOP $$'; sleep 600")
    with pytest.raises(BadInput, match="it took longer than"):
        stage(roster, tmp_path / "staged", limits=Limits(seconds=0.3))


def test_a_build_that_fills_the_disk_is_ended(here, write, cache, tmp_path):
    roster = bot(write, "while :; do head -c 1000000 /dev/zero >> $TMPDIR/big; done")
    with pytest.raises(BadInput, match="it wrote more than 8 MiB"):
        stage(roster, tmp_path / "staged", limits=Limits(disk=8 * 2**20))
    assert os.listdir(cache / "building") == []


def test_no_more_of_the_output_is_kept_than_the_limit(tmp_path):
    words = ("/bin/sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; echo the end")
    command = Command(words, str(tmp_path), "")
    ended = run_limited(command, tmp_path, {"PATH": os.environ["PATH"]}, "no-token", Limits(output=1000))
    assert ended.reason is None
    assert len(ended.output) == 1000
    assert ended.output.endswith(b"xthe end\n")


def test_endless_output_is_bounded_and_only_the_end_is_kept(here, write, cache, tmp_path):
    roster = bot(write, "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 1")
    with pytest.raises(BadInput) as error:
        stage(roster, tmp_path / "staged")
    assert str(error.value).endswith("the end")
    assert len(str(error.value)) < 2000


def test_a_build_has_no_network_where_namespaces_work(here, write, cache, tmp_path):
    probe = ["unshare", "--user", "--map-current-user", "--net", "--pid", "--fork", "--mount-proc", "true"]
    works = shutil.which("unshare") is not None and subprocess.run(probe, capture_output=True).returncode == 0
    script = (
        "import socket; open('bot.sh', 'w').write('echo ' + ','.join(n for _, n in socket.if_nameindex()))\n"
    )
    roster = bot(write, [sys.executable, "make.py"], run="bot.sh", **{"make.py": script})
    (contestant,) = stage(roster, tmp_path / "staged")
    assert (output(contestant) == "lo\n") or not works


ARENA = """
import sys
from pathlib import Path
from arena.roster.discovery import find_bots
from arena.roster.staging import stage
(bot,) = stage(find_bots(["x"]), Path(sys.argv[1]), tell=lambda line: print("building", flush=True))
print(bot.folder)
"""


def test_two_arenas_that_build_one_content_at_once_build_it_once(
    here, write, cache, tmp_path, importing_arena
):
    bot(write, "sleep 0.3; echo 'echo built' > bot.sh", run="bot.sh")
    arenas = [
        subprocess.Popen(
            [sys.executable, "-c", ARENA, tmp_path / f"staged-{number}"],
            stdout=subprocess.PIPE,
            text=True,
            env=importing_arena,
        )
        for number in range(3)
    ]
    said = [line for arena in arenas for line in arena.communicate(timeout=60)[0].splitlines()]
    assert said.count("building") == 1
    (folder,) = set(said) - {"building"}
    assert os.path.isfile(f"{folder}/bot.sh")


def test_a_build_interrupted_with_its_arena_leaves_no_process_and_no_lock(
    here, write, cache, tmp_path, importing_arena
):
    forever = f"sleep {time.time_ns()}"
    roster = bot(write, f"{forever}; true")
    arena = subprocess.Popen(
        [sys.executable, "-c", ARENA, tmp_path / "staged"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=importing_arena,
    )
    while not (started := processes(forever)):
        assert arena.poll() is None
        time.sleep(0.01)
    arena.send_signal(signal.SIGINT)
    assert arena.wait(timeout=60) != 0
    assert all(is_gone(process) for process in started)
    assert processes(forever) == []
    assert os.listdir(cache / "building") == []
    with pytest.raises(BadInput, match="it took longer"):
        stage(roster, tmp_path / "staged", limits=Limits(seconds=0.2))


def test_the_confinement_that_was_asked_for_is_what_the_build_runs_in(here, write, cache, tmp_path):
    seen = []

    def confine(job):
        seen.append(job)
        return Command(("/usr/bin/env", "CONFINED=yes", *job.argv), job.folder, "")

    roster = bot(write, "echo echo $CONFINED > bot.sh", run="bot.sh")
    (contestant,) = stage(roster, tmp_path / "staged", confine=confine)
    assert output(contestant) == "yes\n"
    (job,) = seen
    assert os.path.isabs(job.argv[0])
    assert job.work.startswith(f"{cache}/building/")
    assert job.folder == f"{job.work}/bot"


def test_a_build_never_has_roots_rights(here, write, cache, tmp_path):
    (tmp_path / "roots").mkdir(mode=0o755)
    roster = bot(
        write, f"(id -u; id -G; touch {tmp_path}/roots/x && echo wrote) > ids; cp ids bot.sh", run="bot.sh"
    )
    (contestant,) = stage(roster, tmp_path / "staged")
    with open(f"{contestant.folder}/ids") as file:
        ids = file.read().split()
    if os.geteuid() == 0:
        assert ids == ["65534", "65534"]
    else:
        assert ids[0] == str(os.geteuid())


def test_a_compiler_in_a_closed_home_is_found_and_nothing_else_of_that_home(here, write, cache, tmp_path):
    home = tmp_path / "home"
    compiler = write(
        str(home / ".tools/bin/compile"), "#!/bin/sh\ncat ${0%/bin/*}/lib/prelude > bot.sh\n", 0o755
    )
    write(str(home / ".tools/lib/prelude"), "echo compiled\n")
    write(str(home / "secret"), "echo leaked\n")
    home.chmod(0o700)
    (contestant,) = stage(bot(write, [str(compiler)], run="bot.sh"), tmp_path / "staged")
    assert output(contestant) == "compiled\n"
    steal = f"#!/bin/sh\necho echo honest > bot.sh; cat {home}/secret >> bot.sh; true\n"
    spy = write(str(home / ".tools/bin/spy"), steal, 0o755)
    (contestant,) = stage(bot(write, [str(spy)], name="y", run="bot.sh"), tmp_path / "staged")
    # Root's builds run as nobody, and in a sandbox nobody's see a home.
    walls = os.geteuid() == 0 or any(one.works for one in trio.run(survey) if one.tier != "bare")
    assert output(contestant) == ("honest\n" if walls else "honest\nleaked\n")


def test_a_rustup_proxy_is_passed_over_for_the_compiler_behind_it(
    here, write, cache, tmp_path, programs_only
):
    toolchain = tmp_path / "toolchain/bin"
    write(str(toolchain / "cargo"), "#!/bin/sh\nrustc\n", 0o755)
    write(str(toolchain / "rustc"), "#!/bin/sh\necho 'echo real' > bot.sh\n", 0o755)
    # Like rustup: the proxies are rustup by other names, and the user's environment says where to look.
    rustup = (
        '#!/bin/sh\n[ "$ARENA_TOKEN" ] && exit 1\n[ "$RUSTUP_AUTO_INSTALL" = 0 ] || exit 1\n'
        f'[ "${{0##*/}} $1" = "rustup which" ] && echo {toolchain}/$2\n'
    )
    path = programs_only("sh", rustup=rustup)
    os.symlink("rustup", f"{path}/cargo")
    os.symlink("rustup", f"{path}/rustc")
    write("x/bot.toml", 'run = "bot.sh"\nbuild = "cargo build"\n')
    (contestant,) = stage(find_bots(["x"], path=path), tmp_path / "staged", path=path)
    assert output(contestant) == "real\n"


def test_a_cache_that_others_could_plant_things_in_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    assert open_cache() == tmp_path / "cache"
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o755
    (tmp_path / "cache").chmod(0o777)
    with pytest.raises(BadInput, match=r"others may write to the cache .*/cache; remove it, or name another"):
        open_cache()
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "link"))
    (tmp_path / "link").symlink_to(tmp_path / "cache")
    with pytest.raises(BadInput, match="is not a folder"):
        open_cache()
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(BadInput, match="cannot be made"):
        open_cache()


def test_the_cache_is_by_default_a_folder_of_this_user(monkeypatch):
    monkeypatch.delenv("ARENA_CACHE", raising=False)
    place = open_cache()
    assert str(place) == f"/var/tmp/arena-{os.geteuid()}"
    assert place.stat().st_uid == os.geteuid()
