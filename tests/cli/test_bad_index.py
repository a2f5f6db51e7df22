"""An INDEX.md that cannot be edited without guessing: refused with file and line, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git, Run

FULL = "x" * 5_000_000
GEN = "consolidated/blog-gen1-2025-03-19.md"
WHOLE = "# Blog\n\n## Summary\nx\n\n## Key Points\n- x\n\n## Decisions Made\n—\n\n## Current Status\nx\n"
BAD = [
    ("- **blog**: [2025-03-19]\n- **blog**: [2025-03-18]\n", ":5: the topic 'blog' is there twice"),
    ("- **blog**: [2025-03-19, 2025-02-30]\n", ":4: '2025-02-30' is no date"),
    ("- **blog**\n  - Dates: [soon]\n", ":5: 'soon' is no date"),
    ("- **blog**: [2025-03-19]\n  - Current: ../../etc/passwd\n", ":5: '../../etc/passwd' is no path below"),
    (f"- **blog**: [2025-03-19]\n  - Consolidations:\n    - gen1 (2025-02-30): {GEN}\n", ":6: '2025-02-30' is no date"),
    ("- **blog**: [2025-03-19]\n  - Status: active\n  - Status: paused\n", ":6: the topic 'blog' has 'Status' twice"),
    ("- **blog**\n  - Dates: [2025-03-19\n", ":5: the topic 'blog' is half-written"),
    ("- **blog**: 2025-03-19\n", ":4: the topic 'blog' is half-written"),
    ("- **blog**: [2025-03-19]\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n", ":5: an unfinished merge is in it"),
    (FULL, ": is too large for an index (4.8 MB, 4 lines"),
]
COMMANDS = [
    ("index", "add", "blog", "--category", "Projects"),
    ("index", "touch", "blog"),
    ("index", "status", "blog", "paused"),
    ("consolidate", "blog", "--auto"),
]


@pytest.fixture
def index(workspace: Path) -> Path:
    """Where INDEX.md is to be, beside a note and a generation."""
    (workspace / "memory/2025-03-19.md").write_text("# 2025-03-19\n\nThe blog begins.\n", encoding="utf-8")
    (workspace / "memory/consolidated").mkdir()
    (workspace / "memory" / GEN).write_text(WHOLE, encoding="utf-8")
    return workspace / "memory/INDEX.md"


def state(git: Git, index: Path) -> tuple[bytes, str, str]:
    root = index.parent.parent
    return index.read_bytes(), git("rev-parse", "HEAD", cwd=root), git("status", "--porcelain", cwd=root)


def test_what_is_ambiguous_is_refused_with_its_line_and_nothing_changes(memsite: Run, index: Path, git: Git) -> None:
    for text, said in BAD:
        index.write_text(f"# Memory Index\n\n## Projects\n{text}", encoding="utf-8")
        before = state(git, index)
        for command in COMMANDS:
            done = memsite(*command)
            assert (done.code, done.out) == (1, ""), (text[:80], command)
            assert done.err.startswith(f"memsite: memory/INDEX.md{said}"), (command, done.err)
            assert done.err.count("\n") == 1
            assert state(git, index) == before


@pytest.mark.parametrize("command", [("diff", "blog"), ("blame", "blog"), ("lineage", "blog"), ("migrate",)])
def test_an_index_that_is_too_large_is_refused_by_readers_of_lineages(
    memsite: Run, index: Path, git: Git, command: tuple[str, ...]
) -> None:
    index.write_text(FULL, encoding="utf-8")
    before = state(git, index)
    done = memsite(*command)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("memsite: memory/INDEX.md: is too large for an index")
    assert state(git, index) == before


@pytest.mark.parametrize("command", [("index", "show", "log"), ("lineage", "log"), ("consolidate", "log", "--brief")])
def test_a_half_written_topic_is_named_by_who_asks_for_it(memsite: Run, index: Path, command: tuple[str, ...]) -> None:
    index.write_text("- **log**\n  - Dates: [2025-03-19\n", encoding="utf-8")
    done = memsite(*command)
    assert done.code == 1
    assert done.err.startswith("memsite: memory/INDEX.md:2: the topic 'log' is half-written")


def test_half_written_topics_are_listed(memsite: Run, index: Path) -> None:
    index.write_text("- **a**: [2025-03-19]\n- **b**: [2025-03-19\n- **C D**: [2025-03-19]\n", encoding="utf-8")
    listed = memsite("index", "list")
    assert listed.code == 0
    assert listed.err == "memsite: 2 topics cannot be read; `memsite index check` names the lines\n"
    checked = memsite("index", "check")
    assert checked.code == 1
    assert "memory/INDEX.md:2: the topic 'b' is half-written" in checked.out
    assert "memory/INDEX.md:3: 'C D' is no topic name; write 'c-d'" in checked.out
    whole = memsite("check")
    assert "memory/INDEX.md:2: the topic 'b' is half-written" in whole.out


def test_a_slug_that_is_none_is_refused(memsite: Run, index: Path, git: Git) -> None:
    index.write_text("- **a**: [2025-03-19]\n", encoding="utf-8")
    before = state(git, index)
    for slug in ("../x", "a/b", "/etc/passwd", "a b", "A", "", "x" * 201, "-x", "--x", "a\u0301", "a\nb", "a\x1bb"):
        for command in (("add", "--category", "Projects"), ("touch",), ("status",)):
            rest = ("paused",) if command[0] == "status" else ()
            for form in ((slug,), ("--", slug)):
                done = memsite("index", *command, *form, *rest)
                assert done.code in (1, 2)
                assert done.err.count("\n") == 1
                assert "\x1b" not in done.err
    assert state(git, index) == before


def test_a_day_that_is_still_to_come_is_refused(memsite: Run, index: Path, git: Git) -> None:
    index.write_text("- **a**: [2025-03-19]\n", encoding="utf-8")
    before = state(git, index)
    commands = (
        ("index", "touch", "a", "2099-01-01"),
        ("index", "add", "b", "--category", "P", "--date", "2025-03-22"),
        ("note", "a word", "--date", "2035-04-01"),
    )
    for command in commands:
        done = memsite(*command)
        assert done.code == 1
        assert "is still to come; today is 2025-03-20" in done.err
    assert state(git, index) == before
    assert memsite("index", "touch", "a", "2025-03-21").code == 0
    assert memsite("note", "a word", "--date", "2025-03-21").code == 0


def test_a_day_that_is_given_twice_is_one(memsite: Run, index: Path, git: Git) -> None:
    index.write_text("- **a**: [2025-03-19]\n", encoding="utf-8")
    assert memsite("index", "touch", "a", "2025-03-18", "2025-03-17", "2025-03-18").code == 0
    assert git("log", "-1", "--format=%s", cwd=index.parent).strip() == "index: a on 2025-03-17, 2025-03-18"


OTHER_KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a link to nothing": (lambda index: index.symlink_to("nowhere"), "is a symbolic link to nothing"),
    "a link out of the memory": (lambda index: index.symlink_to("/etc/hostname"), "is a symbolic link out of the memo"),
    "a folder": (Path.mkdir, "is a folder"),
}


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_an_index_that_is_no_file_closes_no_day_and_is_named_by_all(memsite: Run, index: Path, kind: str) -> None:
    make, said = OTHER_KINDS[kind]
    memsite("index", "add", "blog", "--category", "Projects", "--date", "2025-03-18")
    text = index.read_bytes()
    index.unlink()
    make(index)
    note = index.parent / "2025-03-19.md"
    for command in (("flush",), ("review", "2025-03-19"), ("consolidate", "blog", "--auto"), ("lineage", "blog")):
        done = memsite(*command, now="2025-03-20")
        assert done.code == 1, command
        assert f"memory/INDEX.md: cannot be read: {said}" in done.err, (command, done.err)
    assert "NATIVE_FLUSH" not in note.read_text(encoding="utf-8")
    checked = memsite("check", now="2025-03-20")
    assert (checked.code, checked.out.count(f"memory/INDEX.md: cannot be read: {said}")) == (1, 1)
    assert "no topic can be recalled: memory/INDEX.md" in memsite("recall", "blog", now="2025-03-20").err
    if kind == "a folder":
        index.rmdir()
    else:
        index.unlink()
    index.write_bytes(text)
    assert "flushed 2025-03-19: closed; topics: blog" in memsite("flush", now="2025-03-20").out
    assert "2025-03-19" in index.read_text(encoding="utf-8")
