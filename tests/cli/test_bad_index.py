"""An INDEX.md that cannot be edited without guessing: refused with file and line, and nothing changes."""

from __future__ import annotations

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
    (FULL, ": is too large for an index (4.8 MB, 3 lines"),
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
    for command in (("touch", "a", "2099-01-01"), ("add", "b", "--category", "P", "--date", "2025-03-22")):
        done = memsite("index", *command)
        assert done.code == 1
        assert "is still to come; today is 2025-03-20" in done.err
    assert state(git, index) == before
    assert memsite("index", "touch", "a", "2025-03-21").code == 0
