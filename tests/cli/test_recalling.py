"""`recall`: what it prints, and what it keeps back without `--deep`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Demo, Run


@pytest.fixture
def story(demo: Demo, tmp_path: Path) -> Path:
    """A copy of the demo, to be read and changed."""
    return shutil.copytree(demo.workspace, tmp_path / "story", symlinks=True)


def test_the_original_note_of_a_day_is_a_deep_recall(memsite: Run, story: Path) -> None:
    note = (story / "memory/2025-03-20.md").read_text(encoding="utf-8")
    deep = memsite("recall", "--deep", "--date", "2025-03-20", cwd=story)
    assert deep.code == 0, deep.err
    assert note.strip() in deep.out
    shallow = memsite("recall", "--date", "2025-03-20", cwd=story)
    assert "New project" not in shallow.out
    assert "## Other\n\n- Dentist moved to Friday afternoon.\n" in shallow.out


def test_a_topic_recalls_its_generation_and_what_came_since(memsite: Run, story: Path) -> None:
    done = memsite("recall", "回忆一下博客项目", cwd=story, now="2025-05-14T20:00")
    assert done.out.startswith("# personal-blog (Projects, active)\n")
    assert "## Generation 3 (2025-05-12)" in done.out
    assert "## Today: memory/2025-05-14.md" in done.out
    assert "412 KB" not in done.out
    assert "\x1b" not in done.out


def test_a_deep_recall_of_a_topic_has_its_archived_notes(memsite: Run, story: Path) -> None:
    done = memsite("recall", "博客项目", "--deep", cwd=story, now="2025-05-14T20:00")
    assert "412 KB of script" in done.out
    day = memsite("recall", "personal-blog", "--deep", "--date", "2025-04-08", cwd=story)
    assert "412 KB of script" in day.out
    assert "Generation 3" not in day.out
    assert "Hosting" not in day.out


def test_the_limit_keeps_the_newest_notes(memsite: Run, story: Path) -> None:
    done = memsite("recall", "personal-blog", "--deep", "--limit", "2", "--json", cwd=story, now="2025-05-15")
    assert [one["date"] for one in json.loads(done.out)["since"]] == ["2025-05-11", "2025-05-14"]
    said = memsite("recall", "personal-blog", "--deep", "--limit", "2", cwd=story, now="2025-05-15").out
    assert "--limit leaves out 9 earlier notes" in said


def test_a_search_says_that_it_fell_back_and_proposes_a_topic(memsite: Run, workspace: Path) -> None:
    memsite("note", "Saw a telescope in the window.")
    memsite("note", "The telescope is sold.", "--date", "2025-03-19")
    done = memsite("recall", "remember the telescope?")
    assert done.code == 0
    assert done.out.startswith(
        'No topic matches "remember the telescope?"; this is a search of the whole memory instead, best first:\n'
    )
    assert "memory/2025-03-19.md:3" in done.out
    assert "`" not in done.out
    assert "memsite index add telescope --category Projects --date 2025-03-19 --date 2025-03-20\n" in done.out, done.out
    assert len(json.loads(memsite("recall", "telescope", "--limit", "1", "--json").out)["matches"]) == 1


def test_archived_text_is_searched_on_request_only(memsite: Run, story: Path) -> None:
    note = story / "memory/2025-03-20.md"
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("New project:", "Xylophones have no place."), encoding="utf-8")
    done = memsite("recall", "xylophones", cwd=story)
    assert "Xylophones have" not in done.out
    assert "1 archived note has it: --deep searches what is archived" in done.out
    assert "Xylophones have no place." in memsite("recall", "xylophones", "--deep", cwd=story).out
    assert "Xylophones have" in memsite("recall", "xylophones", "--deep", "--date", "2025-03-20", cwd=story).out
    assert "Xylophones have" not in memsite("recall", "xylophones", "--deep", "--date", "2025-03-21", cwd=story).out


def test_what_a_note_says_beside_the_topic_that_archived_it_is_found(memsite: Run, story: Path) -> None:
    done = memsite("recall", "remember the dentist?", cwd=story)
    assert "\nmemory/2025-03-20.md:12 (" in done.out
    assert "Dentist moved to Friday afternoon." in done.out
    assert "--deep" not in done.out


def test_a_day_is_shown_whole_where_a_query_finds_nothing_in_it(memsite: Run, story: Path) -> None:
    alone = memsite("recall", "--deep", "--date", "2025-03-21", cwd=story).out
    asked = memsite("recall", "--deep", "--date", "2025-03-21", "the pottery class", cwd=story).out
    assert 'Nothing of this day matches "the pottery class"; this is all of it.' in asked
    assert "Compared three fonts" in alone
    assert asked.endswith(alone.partition("\n")[2])
    told = json.loads(memsite("recall", "--date", "2025-03-21", "the pottery class", "--json", cwd=story).out)
    assert [one["path"] for one in told["since"]] == ["memory/2025-03-21.md"]
    assert told["matches"] == []
    note = story / "memory/2025-03-25.md"
    note.write_text(note.read_text(encoding="utf-8").replace("Vercel", "Vercel, xylophones"), encoding="utf-8")
    archived = memsite("recall", "--date", "2025-03-25", "xylophones", cwd=story).out
    assert "1 archived note has it" in archived
    assert "(archived; --deep shows it)" in archived


def test_a_flushed_note_is_archived_all_the_same_and_no_marker_is_shown(memsite: Run, story: Path) -> None:
    note = story / "memory/2025-03-25.md"
    note.write_text(note.read_text(encoding="utf-8") + "<!-- NATIVE_FLUSH -->\n", encoding="utf-8")
    assert "(archived; --deep shows it)" in memsite("recall", "--date", "2025-03-25", cwd=story).out
    with note.open("a", encoding="utf-8") as stream:
        stream.write("Added: <!-- NATIVE_FLUSH --> closes a day.\n")
    told = json.loads(memsite("recall", "--date", "2025-03-25", "--json", cwd=story).out)
    assert [one["text"] for one in told["since"]] == ["Added: <!-- NATIVE_FLUSH --> closes a day."]


def test_a_generation_that_is_gone_is_recalled_from_git_and_said_to_be(memsite: Run, story: Path) -> None:
    gone = story / "memory/consolidated/personal-blog-gen3-2025-05-12.md"
    text = gone.read_text(encoding="utf-8").strip()
    gone.unlink()
    done = memsite("recall", "博客项目", cwd=story, now="2025-05-14T20:00")
    assert done.code == 0, done.err
    assert f"generation 3 of 'personal-blog' is missing: {gone.relative_to(story)} is not in the folder" in done.out
    assert "git restore --source=HEAD --staged --worktree -- memory/consolidated/" in done.out
    assert "## Generation 3 (2025-05-12, from git)" in done.out
    assert text in done.out
    told = json.loads(memsite("recall", "博客项目", "--json", cwd=story, now="2025-05-14T20:00").out)
    assert "is missing" in told["missing"]
    assert told["generation"]["number"] == 3
    assert not gone.exists()


def test_nothing_is_said_plainly(memsite: Run, story: Path) -> None:
    none = 'No topic matches "量子力学", and nothing in the whole memory has its words.\n'
    assert memsite("recall", "量子力学", cwd=story).out == none
    assert "There is no note of 2020-01-01." in memsite("recall", "--date", "2020-01-01", cwd=story).out


@pytest.mark.parametrize("arguments", [[], ["--deep"], ["x", "--limit", "0"], ["--date", "March 20th"]])
def test_wrong_usage(memsite: Run, story: Path, arguments: list[str]) -> None:
    done = memsite("recall", *arguments, cwd=story)
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_a_day_alone_is_recalled_as_that_day(memsite: Run, workspace: Path) -> None:
    memsite("note", "The roof leaks.", now="2025-03-20")
    memsite("note", "The roof is mended.", now="2025-03-22")
    done = memsite("recall", "2025-03-20", now="2025-03-25")
    assert done.out.startswith("# 2025-03-20\n")
    assert "leaks" in done.out
    assert "mended" not in done.out
    assert "index add" not in memsite("recall", "2025 03 20", now="2025-03-25").out
