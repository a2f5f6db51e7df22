"""Texts that are too long to be read as a whole, by the commands and on the sites that are built of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memsite.repo.workspace import open_workspace
from memsite.site.publication import build_publication, read_publication
from tests.conftest import Git, Run
from tests.published import find_values, read_site
from tests.secret_kinds import mixed

BODY = "the harbour\n" * 10_001
INDEX = "# Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n  - Status: active\n"


@pytest.fixture
def memory(workspace: Path, git: Git) -> Path:
    """A memory of long texts, one note of it in no commit yet."""
    folder = workspace / "memory"
    (folder / "consolidated").mkdir()
    (folder / "INDEX.md").write_text(INDEX, encoding="utf-8")
    (folder / "2025-03-20.md").write_text(f"# 2025-03-20\n\npersonal blog\n{BODY}the end\n", encoding="utf-8")
    for number, day in ((1, "2025-03-20"), (2, "2025-03-21")):
        text = f"# blog — Generation {number}\n\n{BODY}the end of {number}\n"
        (folder / f"consolidated/blog-gen{number}-{day}.md").write_text(text, encoding="utf-8")
    git("add", "memory", cwd=workspace)
    git("commit", "-q", "--no-verify", "-m", "long texts", cwd=workspace)
    return folder


def test_a_site_has_the_beginning_on_the_page_and_all_of_it_beside(memory: Path, memsite: Run, workspace: Path) -> None:
    (memory / "draft.md").write_text(f"# Draft\n\n{BODY}the end of the draft\n", encoding="utf-8")
    done = memsite("build", "--no-commit", "-d", "../out")
    assert done.code == 0, done.err
    site = workspace.parent / "out"
    raw = sorted(path.read_text(encoding="utf-8") for path in (site / "assets/raw").iterdir())
    assert raw == sorted(path.read_text(encoding="utf-8") for path in memory.rglob("*.md") if path.name != "INDEX.md")
    assert {path.suffix for path in (site / "assets/raw").iterdir()} == {".txt"}
    page = (site / "notes/draft/index.html").read_text(encoding="utf-8")
    assert "harbour" in page
    assert "the end of the draft" not in page


def test_commands_say_that_a_text_is_too_long_and_go_on(memory: Path, memsite: Run) -> None:
    recalled = memsite("recall", "blog")
    assert "only the beginning of memory/consolidated/blog-gen2-2025-03-21.md, which has 121 kB" in recalled.out
    assert "the end of" not in recalled.out
    for command in ("diff", "blame"):
        done = memsite(command, "blog")
        assert (done.code, done.out) == (1, "")
        assert "is too long to be" in done.err
        assert done.err.count("\n") == 1
    checked = memsite("check")
    assert checked.out.count("is too long to be read as a whole (121 kB in 10,0") == 3


def test_a_generation_from_a_part_of_a_note_is_written_with_a_warning(memory: Path, memsite: Run) -> None:
    (memory / "2025-03-22.md").write_text(f"# 2025-03-22\n\nDecision: the blog moves.\n{BODY}", encoding="utf-8")
    assert memsite("index", "touch", "blog", "2025-03-22", now="2025-03-22").code == 0
    done = memsite("consolidate", "blog", "--auto", now="2025-03-22")
    assert done.code == 0, done.err
    assert "memory/2025-03-22.md: only its beginning is taken, it has 121 kB in 10,004 lines" in done.err
    assert memsite("consolidate", "blog", "--auto", now="2025-03-22").code == 1, "its marker is seen"


def test_blame_looks_back_to_the_last_generation_that_can_be_read(memory: Path, memsite: Run) -> None:
    for number in (3, 4):
        text = f"# blog — Generation {number}\n\nThe third said this.\n" + "And the fourth this.\n" * (number == 4)
        (memory / f"consolidated/blog-gen{number}-2025-03-22.md").write_text(text, encoding="utf-8")
    done = memsite("blame", "blog")
    assert [line.split()[0] for line in done.out.splitlines()][-2:] == ["gen3", "gen4"]
    assert "nothing before gen3 is looked at" in done.err


def test_a_day_of_a_long_note_is_closed_once(memory: Path, memsite: Run) -> None:
    for _ in range(2):
        assert memsite("flush", now="2025-03-21T11:00").code == 0
    text = (memory / "2025-03-20.md").read_text(encoding="utf-8")
    assert text.count("NATIVE_FLUSH") == 1
    assert text.endswith("the end\n<!-- NATIVE_FLUSH -->\n")


def test_what_must_not_be_published_of_a_long_text_is_not_in_the_whole_of_it(
    memory: Path, workspace: Path, git: Git
) -> None:
    value = mixed(random.Random(5), 24)
    (memory / "leak.md").write_text(f"# Leak\n\n{BODY}password: {value}\n", encoding="utf-8")
    (memory / "hidden.md").write_text(f"# Hidden\n\n{BODY}nobody shall read of the lighthouse\n", encoding="utf-8")
    (workspace / "memsite.toml").write_text('private = ["hidden.md"]\n', encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "--no-verify", "-m", "more", cwd=workspace)
    opened = open_workspace(workspace)
    files = read_site(build_publication(opened, read_publication(opened)).index.parent)
    raw = [data for name, data in files.items() if name.startswith("assets/raw/")]
    assert sum(b"# Leak" in data for data in raw) == 1
    assert any(b"password: [redacted" in data for data in raw)
    assert find_values(files, [value]) == []
    assert not any(b"lighthouse" in data or b"# Hidden" in data for data in files.values())
