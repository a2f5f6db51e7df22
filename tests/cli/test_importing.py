"""`import`: the sessions that this machine already has, each once, in its own day; `tail`; trying out a pattern."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.conftest import Git, Run


def claude_transcript(session: str, day: str, turns: int = 1, cwd: str = "/home/ada/blog") -> str:
    lines: list[dict[str, Any]] = []
    for turn in range(turns):
        common = {"sessionId": session, "cwd": cwd, "timestamp": f"{day}T10:{turn:02}:00Z"}
        ask = {"role": "user", "content": f"Question {turn} of {session}?"}
        reply = {"role": "assistant", "id": f"m{turn}", "content": [{"type": "text", "text": "An answer."}]}
        lines += [{"type": "user", "message": ask, **common}, {"type": "assistant", "message": reply, **common}]
    return "".join(json.dumps(line) + "\n" for line in lines)


def openclaw_lines(session: str, day: str, text: str = "Which framework for the blog?") -> list[dict[str, Any]]:
    def message(number: int, role: str, said: str) -> dict[str, Any]:
        body = {"role": role, "content": [{"type": "text", "text": said}]}
        return {"type": "message", "id": f"m{number}", "timestamp": f"{day}T12:00:00Z", "message": body}

    header = {"type": "session", "version": 3, "id": session, "timestamp": f"{day}T12:00:00Z", "cwd": "/home/ada/w"}
    return [header, message(1, "user", text), message(2, "assistant", "Next.js.")]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    return write(path, "".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def machine(sealed_environment: Path) -> Path:
    """A HOME with the transcripts of three agents."""
    home = sealed_environment
    projects = home / ".claude/projects/-home-ada-blog"
    write(projects / "c1.jsonl", claude_transcript("c1", "2025-03-18", 3))
    write(projects / "c2.jsonl", claude_transcript("c2", "2025-03-18"))
    write(projects / "c1/subagents/agent-1.jsonl", claude_transcript("x", "2025-03-18"))
    write(projects / "empty.jsonl", "")
    sessions = home / ".openclaw/agents/main/sessions"
    write_lines(sessions / "o1.jsonl", openclaw_lines("o1", "2025-03-19"))
    write_lines(sessions / "o2.jsonl.reset.2025-03-17T10-00-00", openclaw_lines("o2", "2025-03-17"))
    write_lines(sessions / "o3.jsonl.deleted.2025-03-17T10-00-00", openclaw_lines("o3", "2025-03-17"))
    write_lines(sessions / "o1-topic-7.jsonl", openclaw_lines("o1", "2025-03-19", "What about the topic of gardens?"))
    write_lines(sessions / "o4.jsonl", openclaw_lines("o4", "2025-03-19", "[cron:1 report] Write the report"))
    write_lines(sessions / "o5.jsonl", openclaw_lines("o5", "2025-03-19"))
    write(sessions / "o1.jsonl.lock", "{}")
    (sessions / "cold").mkdir()
    packed = "".join(json.dumps(line) + "\n" for line in openclaw_lines("o7", "2025-03-17")).encode()
    (sessions / "cold" / f"{'a' * 64}.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(packed))
    write(sessions / "sessions.json", json.dumps({"agent:main:cron:9": {"sessionId": "o5"}, "x": 1}))
    database = home / ".openclaw/agents/main/agent/openclaw-agent.sqlite"
    database.parent.mkdir(parents=True)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE transcript_events (session_id TEXT, seq INT, event_json TEXT, created_at INT)")
        rows = [(s, n, json.dumps(e), 0) for s in ("o1", "o6") for n, e in enumerate(openclaw_lines(s, "2025-03-19"))]
        connection.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    codex = [
        {"timestamp": "2025-03-16T10:00:00Z", "type": "session_meta", "payload": {"id": "x1", "cwd": "/home/ada/api"}},
        {
            "timestamp": "2025-03-16T10:01:00Z",
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Fix the failing test, please"}],
            },
        },
    ]
    write_lines(home / ".codex/sessions/2025/03/16/rollout-2025-03-16-x1.jsonl", codex)
    return home


def logs(workspace: Path) -> dict[str, list[str]]:
    """Day -> the ids logged in it, in their order."""
    found: dict[str, list[str]] = {}
    for file in sorted((workspace / "memory/sessions").glob("*.md")):
        lines = file.read_text(encoding="utf-8").splitlines()
        found[file.stem] = [
            line.split("id=")[1].split()[0] for line in lines if line.startswith("<!-- memsite:session")
        ]
    return found


ALL = {
    "2025-03-16": ["x1"],
    "2025-03-17": ["o2", "o3", "o7"],
    "2025-03-18": ["c1", "c2"],
    "2025-03-19": ["o1", "o1-topic-7", "o6"],
}


def test_every_session_of_the_machine_is_logged_once_in_its_day(
    memsite: Run, workspace: Path, machine: Path, git: Git
) -> None:
    done = memsite("import", now="2025-03-20")
    assert done.code == 0, done.err
    assert logs(workspace) == ALL
    assert done.out.splitlines()[0] == "13 transcripts: 9 sessions, 4 commits"
    assert "left out: 2 cron, 1 empty" in done.out
    assert git("status", "--porcelain", cwd=workspace) == ""
    subjects = git("log", "-4", "--format=%s", "--reverse", cwd=workspace).splitlines()
    assert subjects[0] == "session: Fix the failing test, please"
    assert subjects[1:] == [f"session: {n} sessions of 2025-03-{day}" for n, day in ((3, 17), (2, 18), (3, 19))]
    text = (workspace / "memory/sessions/2025-03-18.md").read_text(encoding="utf-8")
    assert "- **Topic:** Question 0 of c1?\n- **Project:** blog\n- **Messages:** 3 user / 3 assistant\n" in text


def test_a_second_import_changes_nothing(memsite: Run, workspace: Path, machine: Path, git: Git) -> None:
    memsite("import", now="2025-03-20")
    head = git("rev-parse", "HEAD", cwd=workspace)
    assert "9 sessions, 0 commits" in memsite("import", now="2025-03-21").out
    assert git("rev-parse", "HEAD", cwd=workspace) == head


def test_a_session_that_a_hook_has_logged_stays_in_its_day(memsite: Run, workspace: Path, machine: Path) -> None:
    log = "# Session Log — 2025-03-15\n\n### 23:59\n<!-- memsite:session id=c2 agent=claude-code -->\n- **Topic:** x\n"
    write(workspace / "memory/sessions/2025-03-15.md", log)
    memsite("import", now="2025-03-20")
    assert logs(workspace) == {**ALL, "2025-03-15": ["c2"], "2025-03-18": ["c1"]}


@pytest.mark.parametrize(
    ("arguments", "days"),
    [
        (["--since", "2025-03-18"], ["2025-03-18", "2025-03-19"]),
        (["--agent", "claude-code"], ["2025-03-18"]),
        (["--agent", "codex", "--agent", "openclaw", "--since", "2025-03-17"], ["2025-03-17", "2025-03-19"]),
    ],
)
def test_only_what_was_asked_for(
    memsite: Run, workspace: Path, machine: Path, arguments: list[str], days: list[str]
) -> None:
    assert memsite("import", *arguments, now="2025-03-20").code == 0
    assert list(logs(workspace)) == days


def test_a_file_that_is_older_than_since_is_not_even_read(memsite: Run, workspace: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", claude_transcript("c9", "2025-03-18"))
    os.utime(path, (1_700_000_000, 1_700_000_000))
    answer = json.loads(memsite("import", str(path), "--since", "2025-01-01", "--json", now="2025-03-20").out)
    assert answer["transcripts"] == 0


def test_named_files_and_folders(memsite: Run, workspace: Path, machine: Path, tmp_path: Path) -> None:
    single = write(tmp_path / "any.txt", json.dumps([{"role": "user", "content": "Remember the milk, please"}]))
    os.utime(single, (1742292000, 1742292000))
    folder = machine / ".openclaw/agents/main"
    assert memsite("import", str(single), str(folder), now="2025-03-20").code == 0
    found = logs(workspace)
    assert list(found) == ["2025-03-17", "2025-03-18", "2025-03-19"]
    assert memsite("import", "nowhere").code == 1


@pytest.mark.parametrize("by_path", [False, True])
def test_a_resumed_session_has_the_id_that_its_hooks_gave_it(
    memsite: Run, workspace: Path, machine: Path, tmp_path: Path, by_path: bool
) -> None:
    name = "6f1c0d5e-0b1a-4c55-9d1e-2f6a7b8c9d0e"
    file = write(machine / f".claude/projects/-home-ada-blog/{name}.jsonl", claude_transcript("c1", "2025-03-18"))
    other = write(machine / ".claude/projects/-x/resumed.jsonl", claude_transcript("c1", "2025-03-18"))
    copy = write(tmp_path / "a copy.jsonl", claude_transcript("c1", "2025-03-18", 3))
    if by_path:
        assert memsite("import", str(file), str(other), str(copy), now="2025-03-20").code == 0
        assert sorted(logs(workspace)["2025-03-18"]) == [name, "c1", "resumed"]
    assert memsite("import", "--agent", "claude-code", now="2025-03-20").code == 0
    assert sorted(logs(workspace)["2025-03-18"]) == [name, "c1", "c2", "resumed"]


def test_a_user_that_does_not_exist_has_no_transcripts(memsite: Run, workspace: Path) -> None:
    done = memsite("import", "~nobody-here/x")
    assert (done.code, "there is no such file or folder" in done.err) == (1, True)


def test_one_bad_transcript_costs_only_itself(memsite: Run, workspace: Path, machine: Path) -> None:
    bad = write(machine / ".claude/projects/-x/bad.jsonl", "")
    bad.unlink()
    bad.mkdir()
    done = memsite("import", now="2025-03-20")
    assert logs(workspace) == ALL
    assert done.code == 1
    assert "bad.jsonl: Is a directory" in done.err


def test_secrets_stay_out_of_imported_entries(memsite: Run, workspace: Path, tmp_path: Path, git: Git) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    text = claude_transcript("c1", "2025-03-18").replace("Question 0 of c1?", f"deploy with {token} please")
    memsite("import", str(write(tmp_path / "t.jsonl", text)), now="2025-03-20")
    assert token not in git("log", "-p", cwd=workspace)
    assert "deploy with [redacted:" in git("log", "-p", cwd=workspace)


def test_import_needs_session_logging(memsite: Run, workspace: Path) -> None:
    (workspace / "memsite.toml").write_text("session_logging = false\n", encoding="utf-8")
    assert memsite("import").code == 1


def test_a_thousand_transcripts_are_logged_once_each(
    memsite: Run, workspace: Path, sealed_environment: Path, git: Git
) -> None:
    for number in range(1000):
        day = f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}"
        path = sealed_environment / f".claude/projects/-p{number % 10}/s{number}.jsonl"
        write(path, claude_transcript(f"s{number}", day, 20))
    assert memsite("import", now="2025-03-20").code == 0
    assert sum(map(len, logs(workspace).values())) == 1000
    assert git("status", "--porcelain", cwd=workspace) == ""


# tail


def test_tail_prints_the_protected_exchanges_as_the_seed_does(memsite: Run, workspace: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", claude_transcript("c1", "2025-03-18", 5))
    assert memsite("tail", str(path), "--count", "1").out == (
        "=== RECENT EXCHANGE (protected) ===\nUser: Question 4 of c1?\nAssistant: An answer.\n---\n"
        "=== END RECENT EXCHANGE ===\n"
    )
    assert memsite("tail", "-", stdin=path.read_text(encoding="utf-8")).out.count("User: ") == 3
    (workspace / "memsite.toml").write_text("tail_protect_count = 2\n", encoding="utf-8")
    assert json.loads(memsite("tail", str(path), "--json").out)["tail"].count("User: ") == 2
    assert memsite("tail", "-", stdin="").out == ""
    assert memsite("tail", "nowhere").code == 1


def test_tail_says_what_it_could_not_read_as_log_does(memsite: Run, workspace: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", "{broken\n" + claude_transcript("c1", "2025-03-18", 1))
    done = memsite("tail", str(path))
    assert "1 line of the transcript could not be read, and left out" in done.err
    assert (done.code, done.out.count("User: ")) == (0, 1)
    unreadable = memsite("tail", "-", stdin="{broken\n")
    assert (unreadable.code, "no message could be read" in unreadable.err) == (1, True)


# log --ignore


def test_a_pattern_can_be_tried_out_without_logging(memsite: Run, workspace: Path, tmp_path: Path) -> None:
    path = str(write(tmp_path / "t.jsonl", claude_transcript("c1", "2025-03-18")))
    assert "it would be ignored" in memsite("log", path, "--ignore", "^QUESTION").out
    assert memsite("log", path, "--ignore", "answer").out == "not ignored by it\n"
    assert json.loads(memsite("log", path, "--ignore", "x", "--ignore", "c1", "--json").out)["ignored"] is True
    refused = memsite("log", path, "--ignore", "(")
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert not (workspace / "memory/sessions").exists()
