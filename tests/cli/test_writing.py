"""The commands that write: each in one commit of exactly its paths; the same again changes nothing; no secrets."""

from __future__ import annotations

import json
import random
import string
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Git, Run

TRANSCRIPT = [
    {"role": "user", "content": "Let's start a new project: building a personal blog"},
    {"role": "assistant", "content": "I'll track this as the 'personal-blog' project."},
]
BODY = """
## Summary

A blog.

## Key Points

- It is bilingual. [2025-03-20]

## Decisions Made

- The blog uses Next.js. [2025-03-20]

## Current Status

Begun.

## Source References

- 2025-03-20: the project begins
"""


def head_paths(git: Git, workspace: Path) -> list[str]:
    return git("-c", "core.quotePath=false", "show", "--format=", "--name-only", "HEAD", cwd=workspace).splitlines()


def subject(git: Git, workspace: Path) -> str:
    return git("log", "-1", "--format=%s", cwd=workspace).strip()


def made_token(seed: int) -> str:
    """A string of the shape of a forge's access token, made here so that none is in the repository."""
    generator = random.Random(seed)
    return "gh" + "p_" + "".join(generator.choices(string.ascii_letters + string.digits, k=36))


def test_note_appends_and_commits_only_its_file(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / "draft.txt").write_text("the user's own", encoding="utf-8")
    git("add", "draft.txt", cwd=workspace)
    assert memsite("note", "Ada writes in 中文.").code == 0
    assert memsite("note", "Ada writes in 中文.").code == 0
    note = (workspace / "memory" / "2025-03-20.md").read_text(encoding="utf-8")
    assert note.startswith("# 2025-03-20\n")
    assert note.count("Ada writes in 中文.") == 2
    assert head_paths(git, workspace) == ["memory/2025-03-20.md"]
    assert git("status", "--porcelain", cwd=workspace) == "A  draft.txt\n"


@pytest.mark.parametrize("day", ["2100-01-01", "1969-12-31"])
def test_a_day_beyond_all_memory_is_called_so(memsite: Run, workspace: Path, day: str) -> None:
    done = memsite("note", "x", "--date", day)
    assert (done.code, done.err) == (2, f"memsite: {day} is no day of an agent's memory; years are 1970 to 2099\n")


def test_history_of_a_file_goes_on_under_its_earlier_name(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / "memory/a.md").write_text("# Ideas\n\n- one idea\n- and another\n", encoding="utf-8")
    git("add", "memory", cwd=workspace)
    git("commit", "-q", "-m", "begun", cwd=workspace)
    git("mv", "memory/a.md", "memory/b.md", cwd=workspace)
    (workspace / "memory/b.md").write_text("# Ideas\n\n- one idea\n- and another\n- more\n", encoding="utf-8")
    git("add", "memory", cwd=workspace)
    git("commit", "-q", "-m", "called otherwise", cwd=workspace)
    assert "begun" in memsite("history", "b.md").out
    assert "called otherwise" in memsite("history", "memory/a.md").out


def test_history_of_a_folder_is_that_of_the_files_in_it(memsite: Run, workspace: Path) -> None:
    assert memsite("note", "Ada writes.").code == 0
    for folder in ("memory", "memory/", "."):
        assert "note: 2025-03-20" in memsite("history", folder).out
    assert memsite("history", "memory/sessions").out == "no commit changes memory/sessions\n"


def test_log_writes_one_entry_and_the_same_again_changes_nothing(memsite: Run, workspace: Path, git: Git) -> None:
    given = json.dumps(TRANSCRIPT)
    first = memsite("log", "--session", "s1", "--format", "messages", stdin=given)
    assert first.code == 0, first.err
    head = git("rev-parse", "HEAD", cwd=workspace)
    again = memsite("log", "--session", "s1", stdin=given, now="2025-03-20T10:20")
    assert again.code == 0, again.err
    assert git("rev-parse", "HEAD", cwd=workspace) == head
    log = (workspace / "memory" / "sessions" / "2025-03-20.md").read_text(encoding="utf-8")
    assert log.count("### 10:00\n") == 1
    assert "- **Topic:** Let's start a new project: building a personal blog\n" in log
    assert "- **Messages:** 1 user / 1 assistant\n" in log


def test_log_brings_a_growing_session_up_to_date(memsite: Run, workspace: Path) -> None:
    for turns in (1, 2, 3):
        assert memsite("log", "--session", "s1", stdin=json.dumps(TRANSCRIPT * turns)).code == 0
    log = (workspace / "memory" / "sessions" / "2025-03-20.md").read_text(encoding="utf-8")
    assert log.count("### ") == 1
    assert "- **Messages:** 3 user / 3 assistant\n" in log


def test_log_of_a_session_without_timestamps_stays_in_its_day_past_midnight(memsite: Run, workspace: Path) -> None:
    memsite("log", "--session", "s1", stdin=json.dumps(TRANSCRIPT), now="2025-03-20T23:50")
    memsite("log", "--session", "s1", stdin=json.dumps(TRANSCRIPT * 2), now="2025-03-21T00:10")
    (log,) = (workspace / "memory" / "sessions").iterdir()
    assert log.name == "2025-03-20.md"
    assert log.read_text(encoding="utf-8").count("### 23:50\n") == 1
    assert "- **Messages:** 2 user / 2 assistant\n" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("hello\n", ()),
        ('{"a": 1}\n', ()),
        ('[{"a": 1}, {"b": 2}]\n', ()),
        ('{"a": 1}\n{"type": "b"}\n', ()),
        ('{"a": 1}\n', ("--format", "messages")),
        ('{"a": 1}\n', ("--format", "claude-code")),
        ('{"a": 1}\n', ("--format", "openclaw")),
        ('{"type": "summary", "summary": "x"}\n', ("--format", "codex")),
    ],
)
def test_log_of_what_is_no_transcript_says_so(
    memsite: Run, workspace: Path, tmp_path: Path, text: str, options: tuple[str, ...]
) -> None:
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    for command in ("log", "tail"):
        done = memsite(command, str(tmp_path / "bad.json"), *options)
        assert (done.code, done.out) == (1, "")
        assert done.err.count("\n") == 1
        assert "bad.json: no message could be read; " in done.err
        assert "a JSON list of {role, content}" in done.err
    assert not (workspace / "memory" / "sessions").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"messages": []}',
        '{"type": "session", "id": "s1"}\n',
        '{"type": "summary", "summary": "x"}\n',
        '{"type": "permission-mode", "permissionMode": "default", "sessionId": "c1"}\n',
        '{"type": "session_meta", "payload": {"id": "x"}}\n',
        '{"role": "system", "content": "You are helpful."}\n',
    ],
)
def test_log_of_a_transcript_in_which_nothing_was_said(memsite: Run, workspace: Path, text: str) -> None:
    done = memsite("log", stdin=text)
    assert (done.code, done.out, done.err) == (0, "not logged: empty\n", "")


def test_index_add_touch_status(memsite: Run, workspace: Path, git: Git) -> None:
    assert memsite("index", "add", "博客项目", "--category", "Projects", "--alias", "blog").code == 0
    assert memsite("index", "touch", "博客项目", "2025-03-22", "2025-03-21", now="2025-03-22").code == 0
    assert memsite("index", "status", "博客项目", "paused").code == 0
    shown = json.loads(memsite("index", "show", "博客项目", "--json").out)
    assert shown["dates"] == ["2025-03-20", "2025-03-21", "2025-03-22"]
    assert (shown["status"], shown["aliases"], shown["category"]) == ("paused", ["blog"], "Projects")
    assert head_paths(git, workspace) == ["memory/INDEX.md"]
    assert subject(git, workspace) == "index: 博客项目 is paused"


def test_a_topic_that_is_added_has_the_day_of_its_last_note_or_generation(memsite: Run, workspace: Path) -> None:
    def dates(*words: str) -> list[str]:
        assert memsite("index", "add", *words, "--category", "Projects", now="2025-04-01").code == 0
        return list(json.loads(memsite("index", "show", words[0], "--json").out)["dates"])

    memsite("note", "The solar roof is paid; 博客 too.", now="2025-03-20")
    memsite("note", "The solar roof book came, the quiet hours hold.", now="2025-03-21")
    memsite("note", "```\nquiet-hours\n```", now="2025-03-22")
    made = workspace / "memory/consolidated/garden-gen1-2025-03-10.md"
    made.parent.mkdir()
    made.write_text("# Garden - Generation 1 Consolidation\n\n## Key Points\n- x\n", encoding="utf-8")
    assert dates("solar-roof-book") == ["2025-03-21"]
    assert dates("solar-roof") == ["2025-03-20"]
    assert dates("blog", "--alias", "博客") == ["2025-03-20"]
    assert dates("quiet-hours") == ["2025-03-21"]
    assert dates("garden") == ["2025-03-10"]
    assert dates("nothing-yet") == ["2025-04-01"]
    assert dates("typed", "--date", "2025-03-02") == ["2025-03-02"]


@pytest.mark.parametrize("slug", ["../../etc/passwd", "-x", "Personal Blog", "a/b", "", "."])
def test_index_add_refuses_what_is_no_slug(memsite: Run, workspace: Path, slug: str) -> None:
    done = memsite("index", "add", "--category", "Projects", "--", slug)
    assert done.code in (1, 2)
    assert done.err.count("\n") == 1
    assert not (workspace / "memory" / "INDEX.md").exists()


def test_a_consolidation_is_one_commit_of_generation_markers_and_index(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("note", "The blog begins.")
    memsite("index", "add", "personal-blog", "--category", "Projects")
    done = memsite("consolidate", "personal-blog", "--from", "-", stdin=BODY, now="2025-03-25")
    assert done.code == 0, done.err
    assert subject(git, workspace) == "consolidate(personal-blog): gen1"
    assert head_paths(git, workspace) == [
        "memory/2025-03-20.md",
        "memory/INDEX.md",
        "memory/consolidated/personal-blog-gen1-2025-03-25.md",
    ]
    note = (workspace / "memory" / "2025-03-20.md").read_text(encoding="utf-8")
    assert note.endswith("<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->\n")


@pytest.mark.parametrize("body", ["", "## Summary\n\nhalf of it", "just prose"])
def test_a_half_written_body_is_refused_and_nothing_changes(memsite: Run, workspace: Path, git: Git, body: str) -> None:
    memsite("note", "The blog begins.")
    memsite("index", "add", "personal-blog", "--category", "Projects")
    head = git("rev-parse", "HEAD", cwd=workspace)
    done = memsite("consolidate", "personal-blog", "--from", "-", stdin=body, now="2025-03-25")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert git("rev-parse", "HEAD", cwd=workspace) == head
    assert git("status", "--porcelain", cwd=workspace) == ""


def test_consolidating_again_without_a_later_source_is_refused(memsite: Run, workspace: Path) -> None:
    memsite("note", "The blog begins.")
    memsite("index", "add", "personal-blog", "--category", "Projects")
    assert memsite("consolidate", "personal-blog", "--from", "-", stdin=BODY, now="2025-03-25").code == 0
    again = memsite("consolidate", "personal-blog", "--from", "-", stdin=BODY, now="2025-03-26")
    assert again.code == 1
    assert len(list((workspace / "memory" / "consolidated").iterdir())) == 1


def test_no_writing_command_lets_a_secret_into_git(memsite: Run, workspace: Path, git: Git) -> None:
    token = made_token(1)
    transcript = [{"role": "user", "content": f"deploy with {token} to the server please"}, TRANSCRIPT[1]]
    runs = [
        memsite("note", f"the token is {token}"),
        memsite("log", "--session", "s1", stdin=json.dumps(transcript)),
        memsite("index", "add", "blog", "--category", "Projects", "--description", f"uses {token}"),
        memsite("consolidate", "blog", "--from", "-", stdin=BODY.replace("A blog.", token), now="2025-03-25"),
    ]
    assert [(run.code, run.err.count("a secret was left out")) for run in runs] == [(0, 1)] * 4
    everything = git("log", "--all", "-p", cwd=workspace)
    assert token not in everything
    assert everything.count("[redacted:") >= 4
    assert all(token not in run.out + run.err for run in runs)


def test_commit_takes_what_agents_wrote_one_commit_each(memsite: Run, workspace: Path, git: Git) -> None:
    memory = workspace / "memory"
    (memory / "2025-03-20.md").write_text("# 2025-03-20\n\nan agent's note\n", encoding="utf-8")
    (memory / "CURRENT_STATE.md").write_text("# State\n", encoding="utf-8")
    (workspace / "MEMORY.md").write_text("# Long-term\n", encoding="utf-8")
    (workspace / "other.txt").write_text("not memory\n", encoding="utf-8")
    done = memsite("commit", "--json")
    assert done.code == 0, done.err
    committed = [one["paths"] for one in json.loads(done.out)]
    assert sorted(committed) == [["MEMORY.md"], ["memory/2025-03-20.md"], ["memory/CURRENT_STATE.md"]]
    assert git("status", "--porcelain", cwd=workspace) == "?? other.txt\n"
    assert json.loads(memsite("commit", "--json").out) == []


def test_a_consolidation_that_git_cannot_take_now_is_kept_and_delivered_later(
    memsite: Run, workspace: Path, git: Git
) -> None:
    memsite("note", "The blog begins.")
    memsite("index", "add", "blog", "--category", "Projects")
    (workspace / "memory" / "2025-03-21.md").write_text("an agent's note\n", encoding="utf-8")
    git("checkout", "-q", "--detach", cwd=workspace)
    done = memsite("consolidate", "blog", "--from", "-", stdin=BODY, now="2025-03-25")
    assert done.code == 3
    git("checkout", "-q", "main", cwd=workspace)
    assert memsite("commit", now="2025-03-26").code == 0
    committed = git("show", "HEAD:memory/consolidated/blog-gen1-2025-03-25.md", cwd=workspace)
    assert "The blog uses Next.js." in committed


def test_a_changed_generation_is_held_back_and_said(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("note", "The blog begins.")
    memsite("index", "add", "blog", "--category", "Projects")
    memsite("consolidate", "blog", "--from", "-", stdin=BODY, now="2025-03-25")
    generation = workspace / "memory" / "consolidated" / "blog-gen1-2025-03-25.md"
    generation.write_text("another belief\n", encoding="utf-8")
    head = git("rev-parse", "HEAD", cwd=workspace)
    assert "not committed: a committed generation is changed" in memsite("commit").err
    assert "not committed: a committed generation is changed" in memsite("build").err
    checked = memsite("check")
    assert checked.code == 1
    assert "not committed: a committed generation is changed" in checked.out
    assert git("rev-parse", "HEAD", cwd=workspace) == head


def test_an_entry_that_contradicts_the_file_is_never_forgotten_in_silence(
    memsite: Run, workspace: Path, git: Git
) -> None:
    memsite("index", "add", "blog", "--category", "Projects", now="2025-03-20")
    git("checkout", "-q", "--detach", cwd=workspace)
    assert memsite("index", "touch", "blog", "2025-03-21").code == 3
    index = workspace / "memory" / "INDEX.md"
    index.write_text(index.read_text(encoding="utf-8").replace("2025-03-20", "not a date"), encoding="utf-8")
    git("checkout", "-q", "main", cwd=workspace)
    assert "is recorded but not committed" in memsite("commit").err
    assert memsite("check").code == 1


def test_a_secret_that_an_agent_wrote_itself_is_committed_and_flagged(memsite: Run, workspace: Path) -> None:
    token = made_token(2)
    (workspace / "memory" / "2025-03-20.md").write_text(f"# Day\n\nuse {token}\n", encoding="utf-8")
    done = memsite("commit")
    assert done.code == 0
    assert "memory/2025-03-20.md:3: looks like a secret" in done.err
    assert token not in done.out + done.err


def test_check_names_the_memorys_problems_where_there_is_no_repository(memsite: Run, tmp_path: Path) -> None:
    (tmp_path / "plain" / "memory").mkdir(parents=True)
    index = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-02-30]\n"
    (tmp_path / "plain" / "memory" / "INDEX.md").write_text(index, encoding="utf-8")
    done = memsite("check", cwd=tmp_path / "plain")
    assert done.code == 1
    assert "memory/INDEX.md:5" in done.out
    assert "lies in no git repository" in done.out


@pytest.mark.parametrize("command", [["index", "list"], ["sessions", "2025-01-01"], ["recall", "outside"]])
def test_no_reading_command_follows_a_link_out_of_the_folder(memsite: Run, workspace: Path, command: list[str]) -> None:
    outside = workspace.parent / "outside.md"
    outside.write_text(
        "# Session Log\n\n### 10:00\n- **Topic:** outside\n- **outside**: [2025-01-01]\n", encoding="utf-8"
    )
    (workspace / "memory" / "sessions").mkdir()
    (workspace / "memory" / "sessions" / "2025-01-01.md").symlink_to(outside)
    (workspace / "memory" / "INDEX.md").symlink_to(outside)
    done = memsite(*command)
    assert "outside" not in done.out.replace("`outside`", "").replace('"outside"', "")


def test_a_note_that_git_ignores_is_said_to_be_in_no_commit(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / ".gitignore").write_text("memory/*.md\n", encoding="utf-8")
    git("add", ".gitignore", cwd=workspace)
    git("commit", "-qm", "ignore", cwd=workspace)
    (workspace / "memory" / "2025-03-20.md").write_text("a note\n", encoding="utf-8")
    assert "memory/2025-03-20.md: not committed: git ignores it" in memsite("commit").err
    checked = memsite("check")
    assert checked.code == 0
    assert "warning: memory/2025-03-20.md: not committed: git ignores it" in checked.out


def test_a_note_that_is_staged_in_another_state_is_said_to_be_the_users(
    memsite: Run, workspace: Path, git: Git
) -> None:
    note = workspace / "memory" / "2025-03-20.md"
    note.write_text("first\n", encoding="utf-8")
    git("add", "memory", cwd=workspace)
    note.write_text("first\nsecond\n", encoding="utf-8")
    assert "you have staged another version of it" in memsite("commit").err
    assert git("status", "--porcelain", cwd=workspace) == "AM memory/2025-03-20.md\n"


def test_no_topic_is_written_into_an_unfinished_merge(memsite: Run, workspace: Path) -> None:
    index = workspace / "memory" / "INDEX.md"
    index.write_text(
        "<<<<<<< HEAD\n## Projects\n- **a**: [2025-06-01]\n=======\n- **b**: [2025-06-01]\n>>>>>>> x\n",
        encoding="utf-8",
    )
    before = index.read_bytes()
    done = memsite("index", "add", "blog", "--category", "Projects")
    assert done.code == 1
    assert "memory/INDEX.md:1: an unfinished merge is in it" in done.err
    assert index.read_bytes() == before


def test_a_note_that_is_no_utf8_is_refused(workspace: Path) -> None:
    command = [sys.executable, "-m", "memsite", "-C", str(workspace), "note", "-"]
    done = subprocess.run(command, input=b"caf\xe9 x", check=False, capture_output=True)
    assert done.returncode == 1
    assert b"not UTF-8" in done.stderr
    assert list((workspace / "memory").iterdir()) == []


def test_what_a_session_log_does_not_say_is_null(memsite: Run, workspace: Path) -> None:
    folder = workspace / "memory" / "sessions"
    folder.mkdir()
    (folder / "2025-01-01.md").write_text("### 09:30\n- **Topic:** x\n- **Messages:** many\n", encoding="utf-8")
    (entry,) = json.loads(memsite("sessions", "2025-01-01", "--json").out)
    assert (entry["user_messages"], entry["assistant_messages"], entry["tokens"]) == (None, None, None)
