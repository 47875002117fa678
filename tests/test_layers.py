"""The order of the packages, and that the game knows nothing but itself: read from every import there is."""

import ast
from pathlib import Path

import pytest

import arena

ROOT = Path(arena.__file__).parent
LAYERS = [
    {"arena.cheat"},
    {"arena.ratings"},
    {"arena.protocol"},
    {"arena.referee"},
    {"arena.roster"},
    {"arena.tournament"},
    {"arena.check"},
    {"arena.ladder"},
    {"arena.web", "arena.rl"},
    {"arena.cli"},
]
"""Each imports itself and those above it; two in one row know nothing of each other."""
FOR_ALL = {"arena", "arena.errors", "arena.toml", "arena.textfile"}
OUTSIDE = {"arena.__main__": {"arena.cli"}, "arena.bot": set()}
"""Files beside the packages, with what they may import."""
NOT_IN_THE_GAME = {
    *(
        "time",
        "datetime",
        "os",
        "io",
        "pathlib",
        "tempfile",
        "shutil",
        "sqlite3",
        "socket",
        "select",
        "selectors",
    ),
    *("subprocess", "multiprocessing", "threading", "concurrent", "signal", "asyncio", "trio", "json"),
    *("random", "secrets", "logging"),
}
"""Clocks, input and output, processes, chance."""
MAX_LINES = 400
FILES = sorted(path for path in ROOT.rglob("*.py") if not path.is_relative_to(ROOT / "templates"))
"""The templates are no part of arena: they are bots of other people to be."""


def module_of(path: Path) -> str:
    parts = ["arena", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str:
    """`arena.cheat` for everything in it; a file beside the packages is itself."""
    return ".".join(module.split(".")[:2])


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, in functions and under TYPE_CHECKING too."""
    found = set()
    module = module_of(path)
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
            start = inside[: len(inside) - node.level + 1] if node.level else []
            origin = ".".join([*start, *([node.module] if node.module else [])])
            # `from arena import cheat` may name a package or a value of arena itself.
            names = [name.name for name in node.names] if origin == "arena" else []
            parts = [name for name in names if (ROOT / name).is_dir() or (ROOT / f"{name}.py").exists()]
            found |= {f"arena.{name}" for name in parts} or {origin}
    return found


def allowed(package: str) -> set[str]:
    above: set[str] = set()
    for row in LAYERS:
        if package in row:
            return above | {package} | FOR_ALL
        above |= row
    return {package} | OUTSIDE.get(package, FOR_ALL)


def ours(names: set[str]) -> set[str]:
    return {package_of(name) for name in names if name.split(".")[0] == "arena"}


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_package_imports_only_itself_and_those_above_it(path):
    package = package_of(module_of(path))
    assert ours(imports_of(path)) - allowed(package) == set()


def test_every_package_has_its_place_in_the_order():
    packages = {package_of(module_of(path)) for path in FILES} - FOR_ALL - set(OUTSIDE)
    assert packages <= set().union(*LAYERS)


@pytest.mark.parametrize("path", sorted((ROOT / "cheat").glob("*.py")), ids=module_of)
def test_the_game_imports_no_clock_no_input_or_output_no_process_and_no_chance(path):
    imported = imports_of(path)
    assert {name.split(".")[0] for name in imported} & NOT_IN_THE_GAME == set()
    assert "arena.textfile" not in imported


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_file_has_at_most_400_lines(path):
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES


def test_the_reader_of_imports_sees_every_kind_of_them(tmp_path, monkeypatch):
    source = (
        "import arena.web.pages\nfrom arena.cli import main\nfrom . import sibling\n"
        "from ..roster import words\nfrom arena import errors, __version__\n"
        "if TYPE_CHECKING:\n    import time\ndef late():\n    import socket.inner\n"
    )
    monkeypatch.setattr("test_layers.ROOT", tmp_path)
    (tmp_path / "errors.py").touch()
    path = tmp_path / "cheat" / "deal.py"
    path.parent.mkdir()
    path.write_text(source)
    ours = {"arena.web.pages", "arena.cli", "arena.cheat", "arena.roster", "arena.errors"}
    assert imports_of(path) == ours | {"time", "socket.inner"}
