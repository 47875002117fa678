"""bot.toml: every key, and one clear message for everything that can be wrong with one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.roster.manifest import Manifest, read_manifest


@pytest.fixture
def manifest(tmp_path):
    def read(text):
        (tmp_path / "bot.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_manifest(tmp_path / "bot.toml", "x/bot.toml")

    return read


def test_a_full_manifest(manifest):
    assert manifest(
        'run = ["./bot", "two words"]\nbuild = "cc -o bot \'my bot.c\'"\nname = "N"\n'
        'author = "A"\nversion = "1"\nmemory = "1.5G"\n'
    ) == Manifest(
        run=("./bot", "two words"),
        build=("cc", "-o", "bot", "my bot.c"),
        name="N",
        author="A",
        version="1",
        memory=3 * 2**29,
    )


@pytest.mark.parametrize(
    ("text", "amount"),
    [("67108864", 2**26), ('"64M"', 2**26), ('"64 MiB"', 2**26), ('"1g"', 2**30), ('"1048576"', 2**20)],
)
def test_memory_is_bytes_or_a_size(manifest, text, amount):
    assert manifest(f'run = "b"\nmemory = {text}\n').memory == amount


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no run"),
        ('run = ""', "run is empty"),
        ("run = []", "run is empty"),
        ('run = [""]', "run is empty"),
        ("run = 3", "run is a command: one string, or a list"),
        ('run = ["a", 3]', "run is a command"),
        ('run = "a && b"', "not run by a shell"),
        ('run = "a \'b"', "no closing quotation"),
        ('run = "a"\nbuild = ""', "build is empty"),
        ('run = "a"\nbuild = "make > log"', "write sh -c"),
        ('rum = "a"', "there is no key rum; did you mean run?"),
        ('run = "a"\nauthr = "x"', "did you mean author?"),
        ('run = "a"\ncolour = "x"', "there are run, build, name, author, version, memory"),
        ('run = "a"\nversion = 1.2', 'write it in quotes: "1.2"'),
        ('run = "a"\nname = ["x"]', "name is text"),
        ('run = "a"\nauthor = "' + "x" * 65 + '"', "at most 64 characters"),
        ('run = "a"\nmemory = 64', 'at least "1M"'),
        ('run = "a"\nmemory = true', "is a size"),
        ('run = "a"\nmemory = "lots"', "is a size"),
        ('run = "a"\nmemory = 1.5', "is a size"),
        ('run = "a', "is not a TOML file"),
        (b'run = "\xff"', "is not UTF-8"),
        ('run = "a\\u0000"', "NUL"),
        ("#" * 70000, "longer than 64 KiB"),
        ("x=" + "[" * 60000, "is not a TOML file"),
        (f"memory = {'9' * 5000}", "holds a number of thousands of digits"),
        (f"run = 'a'\nmemory = 0x{'f' * 5000}", "memory is a number too large for TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_mend(manifest, text, said):
    with pytest.raises(BadInput) as error:
        manifest(text)
    assert "x/bot.toml" in str(error.value)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_manifest_or_bad_input(tmp_path_factory, content):
    place = tmp_path_factory.getbasetemp() / "bot.toml"
    place.write_bytes(content)
    with pytest.raises(BadInput, match=r"^x/bot\.toml"):
        read_manifest(place, "x/bot.toml")
