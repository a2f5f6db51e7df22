"""`flush`: a day is closed once, missed days are caught up, sessions that were never logged are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_importing import claude_transcript, write
from tests.conftest import Git, Run

NOW = "2025-03-21T11:00"


def test_a_flush_closes_yesterday_and_begins_today(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("index", "add", "personal-blog", "--category", "Projects", "--date", "2025-03-18")
    (workspace / "memory/2025-03-20.md").write_text("# 2025-03-20\n\nThe personal blog is live.\n", encoding="utf-8")
    done = memsite("flush", now=NOW)
    assert done.code == 0, done.err
    assert [line[11:] for line in done.out.splitlines()[:2]] == ["note: 2025-03-20", "flush: 2025-03-20"]
    assert "flushed 2025-03-20: closed; topics: personal-blog" in done.out
    assert "began the note of 2025-03-21" in done.out
    assert (workspace / "memory/2025-03-20.md").read_text(encoding="utf-8").endswith("<!-- NATIVE_FLUSH -->\n")
    assert "2025-03-18, 2025-03-20" in (workspace / "memory/INDEX.md").read_text(encoding="utf-8")
    assert (workspace / "memory/2025-03-21.md").read_text(encoding="utf-8") == "# 2025-03-21\n"
    assert git("status", "--porcelain", cwd=workspace) == ""
    head = git("rev-parse", "HEAD", cwd=workspace)
    again = memsite("flush", now=NOW)
    assert (again.code, again.out) == (0, "nothing to flush\n")
    assert git("rev-parse", "HEAD", cwd=workspace) == head


def test_missed_days_are_caught_up_a_commit_each(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("flush", now="2025-03-18T11:00")
    memsite("note", "Something.", now="2025-03-19T10:00")
    told = json.loads(memsite("flush", "--json", now=NOW).out)
    assert [(one["date"], one["created"]) for one in told["days"]] == [
        ("2025-03-18", False), ("2025-03-19", False), ("2025-03-20", True),
    ]  # fmt: skip
    subjects = git("log", "-3", "--format=%s", cwd=workspace).split("\n")
    assert subjects[:3] == ["flush: 2025-03-20", "flush: 2025-03-19", "flush: 2025-03-18"]
    assert len(told["commits"]) == 3


def test_no_day_before_the_memory_began_is_closed(memsite: Run, workspace: Path, git: Git) -> None:
    assert memsite("note", "The first one.", now="2025-03-21T09:00").code == 0
    assert memsite("flush", now=NOW).out == "nothing to flush\n"
    assert [file.name for file in (workspace / "memory").iterdir()] == ["2025-03-21.md"]
    assert "flushed 2025-03-21: closed" in memsite("flush", now="2025-03-22T11:00").out


def test_a_memory_without_anything_begins_with_the_day_of_its_first_flush(
    memsite: Run, tmp_path: Path, git: Git
) -> None:
    root = tmp_path / "adopted"
    (root / "memory").mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    git("-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "code", cwd=root)
    assert "nothing to flush\nbegan the note of 2025-03-18" in memsite("flush", cwd=root, now="2025-03-18T11:00").out
    assert [file.name for file in (root / "memory").iterdir()] == ["2025-03-18.md"]
    assert "flushed 2025-03-18: closed" in memsite("flush", cwd=root, now="2025-03-19T11:00").out


def test_days_missed_after_a_flush_on_the_memorys_first_day_are_caught_up(memsite: Run, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    assert memsite("init", str(fresh), now="2025-03-18T09:00").code == 0
    done = memsite("flush", cwd=fresh, now="2025-03-18T11:00")
    assert done.out.splitlines()[-2:] == ["nothing to flush", "began the note of 2025-03-18"]
    told = json.loads(memsite("flush", "--json", cwd=fresh, now=NOW).out)
    assert [one["date"] for one in told["days"]] == ["2025-03-18", "2025-03-19", "2025-03-20"]


def test_a_day_before_the_memory_began_is_closed_where_it_has_a_session(
    memsite: Run, workspace: Path, sealed_environment: Path
) -> None:
    text = claude_transcript("c1", "2025-03-20", cwd=str(workspace))
    write(sealed_environment / ".claude/projects/x/c1.jsonl", text)
    assert memsite("note", "The first one.", now="2025-03-21T09:00").code == 0
    done = memsite("flush", now=NOW)
    assert "brought up to date" in done.out
    assert "flushed 2025-03-20: a note was made" in done.out


def test_one_day_on_request(memsite: Run, workspace: Path) -> None:
    assert memsite("flush", "--date", "2025-03-10", now=NOW).code == 0
    assert [file.name for file in (workspace / "memory").iterdir()] == ["2025-03-10.md"]
    today = memsite("flush", "--date", "2025-03-21", now=NOW)
    assert today.code == 1
    assert "is not over" in today.err


def test_what_is_due_is_reported(memsite: Run, workspace: Path) -> None:
    dates = [word for day in (17, 18, 19, 20) for word in ("--date", f"2025-03-{day}")]
    memsite("index", "add", "blog", "--category", "Projects", *dates)
    assert "due: consolidate blog (4 dates since the last time)" in memsite("flush", now=NOW).out


def test_sessions_that_never_reached_memsite_are_logged(
    memsite: Run, workspace: Path, sealed_environment: Path
) -> None:
    projects = sealed_environment / ".claude/projects"
    write(projects / "a/inside.jsonl", claude_transcript("inside", "2025-03-20", cwd=str(workspace / "src")))
    write(projects / "b/other.jsonl", claude_transcript("other", "2025-03-20", cwd="/home/ada/secret"))
    write(projects / "a/older.jsonl", claude_transcript("older", "2025-03-01", cwd=str(workspace)))
    done = memsite("flush", now=NOW)
    assert done.code == 0, done.err
    log = (workspace / "memory/sessions/2025-03-20.md").read_text(encoding="utf-8")
    assert log.count("### ") == 1
    assert "id=inside" in log
    assert not (workspace / "memory/sessions/2025-03-01.md").exists()


def test_a_session_that_went_on_after_its_last_hook_is_brought_up_to_date(
    memsite: Run, workspace: Path, sealed_environment: Path
) -> None:
    text = claude_transcript("s1", "2025-03-20", 1, cwd="/home/ada/elsewhere")
    memsite("log", "--session", "s1", stdin=text)
    longer = claude_transcript("s1", "2025-03-20", 4, cwd="/home/ada/elsewhere")
    write(sealed_environment / ".claude/projects/e/s1.jsonl", longer)
    assert memsite("flush", now=NOW).code == 0
    log = (workspace / "memory/sessions/2025-03-20.md").read_text(encoding="utf-8")
    assert "- **Messages:** 4 user / 4 assistant" in log


def test_a_transcript_that_cannot_be_read_does_not_stop_the_flush(
    memsite: Run, workspace: Path, sealed_environment: Path
) -> None:
    memsite("note", "The first one.", now="2025-03-19T09:00")
    bad = sealed_environment / ".claude/projects/e/bad.jsonl"
    write(bad, "{}\n").chmod(0)
    done = memsite("flush", now=NOW)
    assert done.code == 0
    assert (workspace / "memory/2025-03-20.md").exists()


def test_what_git_cannot_take_is_kept(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("note", "The first one.", now="2025-03-19T09:00")
    git("checkout", "-q", "--detach", cwd=workspace)
    assert memsite("flush", now=NOW).code == 3
    assert memsite("flush", now=NOW).code == 3
    git("checkout", "-q", "main", cwd=workspace)
    assert memsite("flush", now=NOW).code == 0
    assert git("log", "--format=%s", "--grep=^flush", cwd=workspace) == "flush: 2025-03-20\n"
    assert git("status", "--porcelain", cwd=workspace) == ""


def test_a_day_that_the_index_refuses_is_not_closed_and_said(memsite: Run, workspace: Path) -> None:
    index = workspace / "memory/INDEX.md"
    memsite("index", "add", "personal-blog", "--category", "Projects", "--date", "2025-03-18")
    good = index.read_text(encoding="utf-8")
    index.write_text(good.replace("2025-03-18", "2025-02-30"), encoding="utf-8")
    note = workspace / "memory/2025-03-20.md"
    note.write_text("# 2025-03-20\n\nThe personal blog is live.\n", encoding="utf-8")
    done = memsite("flush", now=NOW)
    assert done.code == 1
    assert "'2025-02-30' is no date" in done.err
    assert "2025-03-20 stays open" in done.err
    assert "then: memsite flush --date 2025-03-20 (the first flush takes yesterday alone" in done.err
    assert "NATIVE_FLUSH" not in note.read_text(encoding="utf-8")
    index.write_text(good, encoding="utf-8")
    assert memsite("flush", now=NOW).code == 0
    assert "2025-03-18, 2025-03-20" in index.read_text(encoding="utf-8")


def test_a_refused_day_that_the_next_flush_takes_is_said_to_be_one(memsite: Run, workspace: Path) -> None:
    memsite("flush", now="2025-03-20T11:00")
    index = workspace / "memory/INDEX.md"
    index.write_text("## Projects\n- **blog**\n  - Dates: [2025-02-30]\n", encoding="utf-8")
    (workspace / "memory/2025-03-20.md").write_text("The blog is live.\n", encoding="utf-8")
    done = memsite("flush", now=NOW)
    assert done.code == 1
    assert "the next flush takes it, or now: memsite flush --date 2025-03-20" in done.err
    index.write_text("## Projects\n- **blog**\n  - Dates: [2025-03-01]\n", encoding="utf-8")
    assert "flushed 2025-03-20" in memsite("flush", now="2025-03-22T11:00").out


@pytest.mark.parametrize("kind", ["folder", "link", "link to a note", "session link"])
def test_a_bad_file_among_the_notes_costs_its_own_day_alone(memsite: Run, workspace: Path, kind: str) -> None:
    memory = workspace / "memory"
    memsite("flush", now="2025-03-18T11:00")
    bad = memory / "2025-03-19.md"
    if kind == "folder":
        bad.mkdir()
    elif kind == "session link":
        bad = memory / "sessions" / "2025-03-19.md"
        bad.parent.mkdir()
        bad.symlink_to("/nowhere.md")
    else:
        (memory / "other.md").write_text("words\n", encoding="utf-8")
        bad.symlink_to("other.md" if kind == "link to a note" else "/nowhere.md")
    done = memsite("flush", now=NOW)
    assert done.code == 0, done.err
    assert "NATIVE_FLUSH" in (memory / "2025-03-20.md").read_text(encoding="utf-8")
    assert (memory / "2025-03-21.md").exists()
    if kind != "session link":
        assert "2025-03-19 is skipped" in done.err
        assert not done.out.count("flushed 2025-03-19")


def test_todays_note_that_is_a_folder_does_not_stop_the_flush(memsite: Run, workspace: Path) -> None:
    memsite("note", "The first one.", now="2025-03-19T09:00")
    (workspace / "memory/2025-03-21.md").mkdir(parents=True)
    done = memsite("flush", now=NOW)
    assert done.code == 0, done.err
    assert "2025-03-21 is skipped" in done.err
    assert (workspace / "memory/2025-03-20.md").exists()
    assert memsite("flush", "--date", "2025-03-17", now=NOW).code == 0
    (workspace / "memory/2025-03-18.md").mkdir()
    assert memsite("flush", "--date", "2025-03-18", now=NOW).code == 1


def test_a_log_that_is_a_link_does_not_stop_the_flush(memsite: Run, workspace: Path, sealed_environment: Path) -> None:
    text = claude_transcript("inside", "2025-03-20", cwd=str(workspace))
    write(sealed_environment / ".claude/projects/a/inside.jsonl", text)
    memsite("note", "The first one.", now="2025-03-19T09:00")
    (workspace / "memory/sessions").mkdir(parents=True)
    (workspace / "memory/sessions/2025-03-20.md").symlink_to("/nowhere.md")
    done = memsite("flush", now=NOW)
    assert done.code == 0, done.err
    assert "sessions were not brought up to date" in done.err
    assert (workspace / "memory/2025-03-20.md").exists()


def test_older_empty_days_that_are_left_out_are_said(memsite: Run) -> None:
    memsite("flush", now="2025-01-02T11:00")
    done = memsite("flush", now=NOW)
    assert done.code == 0
    assert "left out: 45 empty days from 2025-01-03 to 2025-02-16" in done.out
    assert "left out" not in memsite("flush", now="2025-03-22T11:00").out
