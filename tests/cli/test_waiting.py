"""What waits for a generation (its index entry, its markers) is committed with it, whatever is written meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_writing import BODY
from tests.conftest import Git, Run

FILE = "consolidated/blog-gen1-2025-03-20.md"
MARKER = f"<!-- ARCHIVED: consolidated into {FILE} -->"
CONFLICT = "<<<<<<< one\nWe\n=======\nThey\n>>>>>>> two\n"
NOW = "2025-03-21T11:00"
COMMANDS = [
    ("index", "touch", "blog", "2025-03-19"),
    ("review", "2025-03-20"),
    ("flush",),
    ("note", "More.", "--date", "2025-03-20"),
    ("consolidate", "shop", "--auto"),
]


@pytest.fixture
def waiting(memsite: Run, workspace: Path) -> Path:
    """An agent has marked a note and entered a generation whose body it has not finished yet."""
    for slug in ("blog", "shop"):
        memsite("index", "add", slug, "--category", "Projects", "--date", "2025-03-18")
    memsite("note", "We decided that the shop sells tea.", "--date", "2025-03-18")
    memsite("note", "The blog is live.", "--date", "2025-03-20")
    memory = workspace / "memory"
    (memory / "consolidated").mkdir()
    (memory / FILE).write_text("# Blog - Generation 1 Consolidation\n", encoding="utf-8")
    with (memory / "2025-03-20.md").open("a", encoding="utf-8") as note:
        note.write(f"\n{MARKER}\n")
    entry = f"  - Consolidations:\n    - gen1 (2025-03-20): {FILE}\n  - Current: {FILE}\n"
    index = (memory / "INDEX.md").read_text(encoding="utf-8")
    (memory / "INDEX.md").write_text(index.replace("  - Status", f"{entry}  - Status", 1), encoding="utf-8")
    return memory


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_waits_for_a_generation_is_in_no_other_commit(
    memsite: Run, waiting: Path, git: Git, command: tuple[str, ...]
) -> None:
    head = git("rev-parse", "HEAD", cwd=waiting)
    done = memsite(*command, now=NOW)
    assert done.code == 0, done.err
    assert git("rev-parse", "HEAD", cwd=waiting) != head
    committed = [git("show", f"HEAD:./{name}", cwd=waiting) for name in ("INDEX.md", "2025-03-20.md")]
    assert FILE not in "".join(committed)
    written = [(waiting / name).read_text(encoding="utf-8") for name in ("INDEX.md", "2025-03-20.md")]
    assert [text.count(FILE) for text in written] == [2, 1]
    # All else of the work tree is committed, and the rest comes with the generation.
    rest = [line.strip() for text in written for line in text.splitlines() if FILE not in line]
    assert set(rest) - {"- Consolidations:"} <= {line.strip() for text in committed for line in text.splitlines()}
    (waiting / FILE).write_text(f"# Blog - Generation 1 Consolidation\n{BODY}", encoding="utf-8")
    assert memsite("commit", now=NOW).out.splitlines()[-1][11:] == "consolidate(blog): gen1"
    assert git("status", "--porcelain", cwd=waiting) == ""
    assert written == [git("show", f"HEAD:./{name}", cwd=waiting) for name in ("INDEX.md", "2025-03-20.md")]


MENTIONS = {
    "field-twice": f"  - Consolidations:\n    - gen1 (2025-03-20): {FILE}\n  - Consolidations: none\n",
    "prose": f"  See {FILE}.\n",
    "prose-of-no-spaces": f"  参见{FILE.removeprefix('consolidated/')}。\n",
    "comment": f"<!-- {FILE} -->\n",
}


@pytest.mark.parametrize("command", [("index", "touch", "shop", "2025-03-19"), COMMANDS[4]], ids=" ".join)
@pytest.mark.parametrize("mention", MENTIONS.values(), ids=MENTIONS.keys())
def test_a_generation_waits_wherever_the_index_names_it(
    memsite: Run, waiting: Path, git: Git, mention: str, command: tuple[str, ...]
) -> None:
    index = waiting / "INDEX.md"
    kept = [line for line in index.read_text(encoding="utf-8").splitlines(keepends=True) if FILE not in line]
    text = "".join(line for line in kept if "Consolidations" not in line)
    index.write_text(text.replace("  - Status", f"{mention}  - Status", 1), encoding="utf-8")
    assert "names the generation" in memsite("commit", now=NOW).err
    assert memsite(*command, now=NOW).code == 0
    name = FILE.removeprefix("consolidated/")
    assert name not in git("show", "HEAD:./INDEX.md", cwd=waiting)
    assert name in index.read_text(encoding="utf-8")
    (waiting / FILE).write_text(f"# Blog - Generation 1 Consolidation\n{BODY}", encoding="utf-8")
    assert memsite("commit", now=NOW).code == 0
    assert name in git("show", "HEAD:./INDEX.md", cwd=waiting)


def test_an_index_that_is_in_no_commit_yet_waits_as_well(memsite: Run, waiting: Path, git: Git) -> None:
    git("rm", "-q", "--cached", "INDEX.md", cwd=waiting)
    git("commit", "-qm", "no index", cwd=waiting)
    written = (waiting / "INDEX.md").read_text(encoding="utf-8")
    assert memsite("index", "touch", "blog", "2025-03-19", now=NOW).code == 0
    assert FILE not in git("show", "HEAD:./INDEX.md", cwd=waiting)
    assert "[2025-03-18, 2025-03-19]" in git("show", "HEAD:./INDEX.md", cwd=waiting)
    assert (waiting / "INDEX.md").read_text(encoding="utf-8") == written.replace("18]", "18, 2025-03-19]", 1)


@pytest.mark.parametrize(
    ("file", "old", "new", "command"),
    [
        ("2025-03-18.md", "We decided", f"{CONFLICT}decided", ("note", "--date", "2025-03-18", "x")),
        ("INDEX.md", "- **shop**\n  - Dates: [2025-03-18]\n", "", ("index", "touch", "blog", "2025-03-19")),
    ],
)
def test_what_breaks_a_rule_is_in_no_other_commit(
    memsite: Run, workspace: Path, git: Git, file: str, old: str, new: str, command: tuple[str, ...]
) -> None:
    for slug in ("shop", "blog"):
        memsite("index", "add", slug, "--category", "Projects", "--date", "2025-03-18")
    memsite("note", "We decided that the shop sells tea.", "--date", "2025-03-18")
    path = workspace / "memory" / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert memsite("commit").out == "nothing to commit\n"
    broken = path.read_bytes()
    assert memsite(*command).code == 0
    committed = git("show", f"HEAD:./{file}", cwd=path.parent)
    assert old in committed
    assert not new or new not in committed
    assert path.read_bytes() not in (broken, committed.encode())
    assert not new or path.read_bytes().startswith(broken)
    assert f"memory/{file}" in memsite("check").err + memsite("check").out


def test_a_command_that_puts_back_what_was_lost_commits_the_file(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("index", "add", "blog", "--category", "Projects", "--date", "2025-03-18", "--date", "2025-03-19")
    index = workspace / "memory/INDEX.md"
    index.write_text(index.read_text(encoding="utf-8").replace(", 2025-03-19", "") + "\nMine.\n", encoding="utf-8")
    assert "put them back: memsite index touch blog 2025-03-19" in memsite("commit").err
    assert memsite("index", "touch", "blog", "2025-03-19").code == 0
    assert git("status", "--porcelain", cwd=workspace) == ""
