"""The rooms of ARCHITECTURE.md: who may import whom, who alone may touch git, MkDocs, the clock, the terminal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "memsite"
SHARED = {"config", "errors", "shipped", "values", "patterns", "digests", "plain_toml", "counting", "__init__"}
ARROWS = {
    "memory": set(),
    "capture": {"memory"},
    "prose": set(),
    "safety": set(),
    "repo": {"memory", "safety"},
    "site": {"memory", "capture", "prose", "safety", "repo"},
    "agents": {"memory", "capture", "safety", "repo"},
    "cli": {"memory", "capture", "prose", "safety", "repo", "site", "agents"},
    "__main__": {"cli"},
}
ALONE = {"git": "repo", "subprocess": "repo", "mkdocs": "site", "material": "site"}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def imports_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


def forbidden(room: str, name: str) -> str | None:
    top, *rest = name.split(".")
    if top in ALONE and room != ALONE[top]:
        return f"only {ALONE[top]}/ imports {top}"
    if top != "memsite" or not rest or rest[0] in SHARED or rest[0].startswith("__"):
        return None
    if room in SHARED:
        return None if rest[0] in SHARED else f"{room} is shared by every room and imports none"
    return None if rest[0] == room or rest[0] in ARROWS[room] else f"{room}/ may not import {rest[0]}/"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_follow_the_rooms(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wrong = [reason for name in imports_of(tree) if (reason := forbidden(room_of(path), name))]
    assert wrong == []


@pytest.mark.parametrize(
    ("room", "name"),
    [
        ("memory", "memsite.repo.commit"),
        ("prose", "memsite.memory.model"),
        ("site", "memsite.cli.main"),
        ("cli", "subprocess"),
        ("memory", "git"),
        ("repo", "mkdocs.config"),
        ("errors", "memsite.memory"),
    ],
)
def test_the_check_sees_a_forbidden_arrow(room: str, name: str) -> None:
    assert forbidden(room, name)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_line_prints_exits_and_reads_the_clock(path: Path) -> None:
    if room_of(path) == "cli":
        return
    calls = {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    banned = {
        "print",
        "sys.exit",
        "exit",
        "datetime.now",
        "date.today",
        "time.time",
        "datetime.datetime.now",
        "datetime.utcnow",
    }
    assert calls & banned == set()


def test_no_module_is_a_drawer() -> None:
    names = {path.name for path in SOURCES}
    assert names & {"utils.py", "util.py", "helpers.py", "common.py", "misc.py", "site.py", "git.py"} == set()
