"""`review`: dates are added, the rest is asked."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Git, Run

NOTE = "# 2025-03-20\n\nThe personal blog gets a domain.\n\n- New project called Orion.\n\nThe kitchen is loud.\n"


def prepare(memsite: Run, workspace: Path) -> None:
    memsite("index", "add", "personal-blog", "--category", "Projects", "--date", "2025-03-18")
    memsite("index", "add", "kitchen-renovation", "--category", "Projects", "--date", "2025-03-18")
    (workspace / "memory/2025-03-20.md").write_text(NOTE, encoding="utf-8")


def test_a_review_commits_the_note_then_the_dates_and_proposes_the_rest(
    memsite: Run, workspace: Path, git: Git
) -> None:
    prepare(memsite, workspace)
    done = memsite("review")
    assert done.code == 0, done.err
    assert [line[11:] for line in done.out.splitlines()[:2]] == ["note: 2025-03-20", "index: dates of personal-blog"]
    assert done.out.splitlines()[2:] == [
        "mentioned: personal-blog (memory/2025-03-20.md:3)",
        "likely: kitchen-renovation? memory/2025-03-20.md:7: The kitchen is loud.",
        "new: orion (Projects)? memory/2025-03-20.md:5: - New project called Orion.",
        "`memsite review 2025-03-20 --accept SLUG` takes a proposal",
    ]
    assert git("status", "--porcelain", cwd=workspace) == ""
    head = git("rev-parse", "HEAD", cwd=workspace)
    assert memsite("review", "2025-03-20").code == 0
    assert git("rev-parse", "HEAD", cwd=workspace) == head


def test_proposals_are_accepted_by_name(memsite: Run, workspace: Path, git: Git) -> None:
    prepare(memsite, workspace)
    for _ in range(2):
        done = memsite("review", "2025-03-20", "--accept", "orion", "kitchen-renovation", now="2025-03-21")
        assert done.code == 0, done.err
    index = (workspace / "memory/INDEX.md").read_text(encoding="utf-8")
    assert "- **orion**\n  - Dates: [2025-03-20]" in index
    assert index.count("Dates: [2025-03-18, 2025-03-20]") == 2
    assert git("log", "-1", "--format=%s", cwd=workspace).strip() == (
        "index: add orion; dates of personal-blog, kitchen-renovation"
    )


def test_accepting_what_is_not_proposed_is_refused(memsite: Run, workspace: Path, git: Git) -> None:
    prepare(memsite, workspace)
    done = memsite("review", "--accept", "orion", "nothing")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "orion" not in (workspace / "memory/INDEX.md").read_text(encoding="utf-8")


def test_json_has_stable_keys(memsite: Run, workspace: Path) -> None:
    prepare(memsite, workspace)
    answer = json.loads(memsite("review", "--json").out)
    assert list(answer) == ["date", "mentioned", "likely", "new", "consolidations", "refused", "commits"]
    assert answer["new"][0] == {
        "slug": "orion",
        "category": "Projects",
        "dates": ["2025-03-20"],
        "path": "memory/2025-03-20.md",
        "line": 5,
        "text": "- New project called Orion.",
    }


def test_an_ambiguous_entry_is_refused_alone_with_its_line(memsite: Run, workspace: Path) -> None:
    prepare(memsite, workspace)
    with (workspace / "memory/INDEX.md").open("a", encoding="utf-8") as stream:
        stream.write("- **orion**: [2025-01-01]\n- **orion**: [2025-01-02]\n")
    done = memsite("review")
    assert done.code == 0
    assert "memory/INDEX.md:" in done.err
    assert "Dates: [2025-03-18, 2025-03-20]" in (workspace / "memory/INDEX.md").read_text(encoding="utf-8")


def test_a_quiet_day(memsite: Run, workspace: Path) -> None:
    assert memsite("review", "2025-01-01").out == "nothing to do for 2025-01-01\n"
    assert memsite("review", "soon").code == 2


def test_a_folder_without_an_index_gets_first_proposals(memsite: Run, workspace: Path, git: Git) -> None:
    for day in ("2025-03-18", "2025-03-19"):
        (workspace / f"memory/{day}.md").write_text(f"# {day}\n\n## Personal blog\n\n- words\n", encoding="utf-8")
    free_form = "# Index\n\n| what | where |\n|---|---|\n| blog | here |\n"
    (workspace / "memory/INDEX.md").write_text(free_form, encoding="utf-8")
    done = memsite("review", "--all")
    assert done.code == 0, done.err
    assert "new: personal-blog (Projects, 2 days)? memory/2025-03-18.md:3: ## Personal blog" in done.out
    assert "`memsite review --all --accept SLUG` takes a proposal" in done.out
    assert (workspace / "memory/INDEX.md").read_text(encoding="utf-8") == free_form
    for _ in range(2):
        assert memsite("review", "--all", "--accept", "personal-blog").code == 0
    index = (workspace / "memory/INDEX.md").read_text(encoding="utf-8")
    assert index.startswith(free_form)
    assert "- **personal-blog**\n  - Dates: [2025-03-18, 2025-03-19]" in index
    assert git("log", "-1", "--format=%s", cwd=workspace).strip() == "index: add personal-blog"
    assert memsite("review", "--all", "2025-03-20").code == 2


def test_a_folder_that_proposes_nothing_says_why(memsite: Run, workspace: Path) -> None:
    for path in (workspace / "memory").glob("2025-*.md"):
        path.unlink()
    index = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-18]\n"
    (workspace / "memory/INDEX.md").write_text(index, encoding="utf-8")
    assert memsite("review", "--all").out.endswith(
        "the folder suggests no new topic: no heading, link, file name or tag names one\n"
    )
    for day in range(10, 17):
        note = f"# 2025-03-{day}\n\n## Blog\n\n## Every day\n\n## Visitor number {day}\n"
        (workspace / f"memory/2025-03-{day}.md").write_text(note, encoding="utf-8")
    assert memsite("review", "--all").out.endswith(
        "the folder suggests no new topic: 1 name is in the index already, 7 names are on one day only,"
        " 1 name is on too many days\n"
    )
