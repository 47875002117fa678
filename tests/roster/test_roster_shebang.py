"""The #! line: what is run is what the kernel would run, on the user's PATH of now, at its real place."""

import os
import subprocess
import sys
import venv

import pytest

from arena.errors import BadInput
from arena.roster.entrant import SitsOut
from arena.roster.launch import launch_file
from arena.roster.programs import Programs, real_program
from arena.roster.shebang import read_shebang, resolve_shebang


def resolved(line, path=None):
    shebang = read_shebang(line.encode() + b"\n", "bot")
    assert shebang is not None
    return resolve_shebang(shebang, "bot", Programs(path))


def test_the_rest_of_the_line_is_one_argument_as_in_the_kernel():
    shell, *rest = resolved("#! /bin/sh \t-eu -x ")
    assert os.path.samefile(shell, "/bin/sh")
    assert rest == ["-eu -x"]
    assert resolved("#!/bin/sh")[1:] == ()


def test_env_looks_on_path_now_and_gives_a_real_absolute_path(programs_only, tmp_path, write):
    path = programs_only("perl")
    (program,) = resolved("#!/usr/bin/env perl", path)
    assert os.path.isabs(program)
    assert not program.startswith(str(tmp_path))
    assert not os.path.islink(program)


def test_env_with_split_takes_options_and_settings(programs_only):
    path = programs_only("sh", "env")
    sh, env = Programs(path).find("sh"), Programs(path).find("env")
    assert resolved("#!/usr/bin/env -S sh -e -u", path) == (sh, "-e", "-u")
    assert resolved("#!/usr/bin/env -Ssh -e", path) == (sh, "-e")
    assert resolved("#!/usr/bin/env --split-string=sh 'a b'", path) == (sh, "a b")
    assert resolved("#!/usr/bin/env -S A=1 B=2 sh -e", path) == (env, "A=1", "B=2", sh, "-e")


def test_what_a_split_line_starts_really_starts(here, write):
    script = write("bot", "#!/usr/bin/env -S GREETING='hello there' sh -e\necho $GREETING\n", 0o755)
    argv = launch_file(script, "bot", "bot", Programs())
    assert subprocess.run(argv, capture_output=True, check=True).stdout == b"hello there\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("#!", "names no program"),
        ("#!   ", "names no program"),
        ("#!python3", "write #!/usr/bin/env python3"),
        ("#!bin/python3 -u", "write #!/usr/bin/env python3"),
        ("#!/usr/bin/env", "names no program after env"),
        ("#!/usr/bin/env sh -e", "write #!/usr/bin/env -S sh -e"),
        ("#!/usr/bin/env A=1", "write #!/usr/bin/env -S A=1"),
        ("#!/usr/bin/env -S", "names no program after env"),
        ("#!/usr/bin/env -S A=1", "names no program after env -S"),
        ("#!/usr/bin/env -S 'sh", "cannot be split into words"),
        ("#!/usr/bin/env -S -i sh", "the option -i"),
        ("#!/usr/bin/env ./sh", "neither a name nor an absolute path"),
        ("#!/usr", "which is not a program"),
        ("#!/etc/passwd", "which is not a program"),
        ("#!/bin/sh\r", "save it with Unix line ends"),
        ("#!/bin/s\0h", "NUL"),
        ("#!/bin/" + "s" * 300, "longer than the 255 bytes"),
    ],
)
def test_a_line_that_could_run_nowhere_is_an_error_with_its_mend(line, said):
    with pytest.raises(BadInput, match="bot") as error:
        resolved(line)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "line", ["#!/usr/bin/env nosuch", "#!/nowhere/nosuch", "#!/usr/bin/env -S nosuch -u"]
)
def test_a_program_that_is_not_installed_sits_out(line):
    with pytest.raises(SitsOut, match="nosuch, which its #! line names, is not installed"):
        resolved(line)


def test_a_misspelt_interpreter_names_the_one_that_may_be_meant():
    with pytest.raises(SitsOut, match="did you mean python3"):
        resolved("#!/usr/bin/env pyhton3")


def test_a_python_file_with_a_shebang_uses_the_shebang_and_needs_no_execute_bit(here, write, programs_only):
    path = programs_only("sh")
    script = write("bot.py", "#!/usr/bin/env sh\ncat\n")
    assert launch_file(script, "bot.py", "bot.py", Programs(path)) == (Programs(path).find("sh"), "bot.py")


def test_the_python_of_a_virtual_environment_keeps_its_environment(tmp_path):
    venv.create(tmp_path / "own", symlinks=True)
    python = str(tmp_path / "own/bin/python3")
    assert real_program(python) == python
    assert resolved("#!/usr/bin/env python3", str(tmp_path / "own/bin")) == (python,)
    assert resolved(f"#!{python} -u") == (python, "-u")
    prefix = subprocess.run(
        [*resolved(f"#!{python}"), "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True
    ).stdout
    assert prefix == f"{tmp_path}/own\n"


def test_a_script_that_stands_for_an_interpreter_is_asked_where_it_lies(monkeypatch, programs_only):
    real = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    # Like the proxies of version managers: it needs a setting that a bot's environment lacks.
    proxy = f'#!/bin/sh\n[ -n "$PROXY_HOME" ] || exit 127\nexec {real} "$@"\n'
    path = programs_only(python3=proxy)
    assert Programs(path).find("python3") is None
    monkeypatch.setenv("PROXY_HOME", "/somewhere")
    assert Programs(path).find("python3") == real


def test_a_link_to_a_program_of_many_names_keeps_its_name(tmp_path, write):
    write(str(tmp_path / "box"), '#!/bin/sh\necho "${0##*/}"\n', 0o755)
    os.symlink("box", tmp_path / "applet")
    found = Programs(str(tmp_path)).find("applet")
    assert subprocess.run([found], capture_output=True, text=True).stdout == "applet\n"
