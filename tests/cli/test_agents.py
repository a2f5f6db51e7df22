"""`agent`: what Claude Code's and OpenClaw's hooks call, with events as they send them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Done, Git, Run

LOG = "memory/sessions/2025-03-20.md"
NOW = "2025-03-20T11:00"


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would go on in a process of its own; the tests run it when they want it."""
    commands: list[list[str]] = []
    monkeypatch.setattr("memsite.repo.background.start_detached", lambda command, **_: commands.append(list(command)))
    return commands


@pytest.fixture(autouse=True)
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transcript that never comes does not hold up the tests."""
    monkeypatch.setattr("memsite.cli.claude_code_events.TRANSCRIPT_WAIT", 0.02)


def claude_line(role: str, text: str, minute: int, session: str = "s1", cwd: str = "/home/ada/blog") -> dict[str, Any]:
    message: dict[str, Any] = {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]}
    if role == "assistant":
        message["id"] = f"m{minute}"
    at = f"2025-03-20T10:{minute:02}:00Z"
    return {"type": role, "uuid": f"u{minute}", "sessionId": session, "cwd": cwd, "timestamp": at, "message": message}


def write_transcript(path: Path, turns: int, **more: str) -> Path:
    lines = []
    for turn in range(turns):
        lines += [claude_line("user", f"Question {turn} about the blog?", 2 * turn, **more)]
        lines += [claude_line("assistant", f"This is the answer to {turn}.", 2 * turn + 1, **more)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


Hook = Callable[..., Done]


@pytest.fixture
def claude(memsite: Run, tmp_path: Path) -> Hook:
    """`claude("stop", session_id="x")`: the event's usual fields are filled in."""

    def run(event: str, **fields: object) -> Done:
        names = {
            "session-start": "SessionStart",
            "stop": "Stop",
            "session-end": "SessionEnd",
            "pre-compact": "PreCompact",
        }
        known = {
            "session_id": "s1",
            "transcript_path": str(tmp_path / "t.jsonl"),
            "cwd": "/home/ada/blog",
            "hook_event_name": names[event],
        }
        done = memsite("agent", "claude-code", event, stdin=json.dumps({**known, **fields}), now=NOW)
        assert done.code == 0
        return done

    return run


def read(workspace: Path, name: str = LOG) -> str:
    return (workspace / name).read_text(encoding="utf-8")


def test_the_end_of_a_session_is_in_a_commit_when_the_hook_returns(
    claude: Hook, workspace: Path, tmp_path: Path, git: Git, started: list[list[str]]
) -> None:
    write_transcript(tmp_path / "t.jsonl", 2)
    done = claude("session-end", reason="exit")
    assert (done.out, done.err) == ("", "")
    assert git("show", f"HEAD:{LOG}", cwd=workspace) == (
        "# Session Log — 2025-03-20\n\n### 10:00\n<!-- memsite:session id=s1 agent=claude-code -->\n"
        "- **Topic:** Question 0 about the blog?\n- **Project:** blog\n- **Messages:** 2 user / 2 assistant\n"
        "- **Est. tokens:** ~25\n\n"
    )
    assert git("status", "--porcelain", cwd=workspace) == ""
    assert [command[-3:] for command in started] == [["agent", "claude-code", "settle"]]


def test_each_turn_brings_the_one_entry_up_to_date(claude: Hook, workspace: Path, tmp_path: Path, git: Git) -> None:
    for turns in range(1, 6):
        write_transcript(tmp_path / "t.jsonl", turns)
        claude("stop", last_assistant_message=f"This is the answer to {turns - 1}.")
    claude("pre-compact", trigger="auto")
    claude("session-end", reason="exit")
    assert read(workspace).count("### ") == 1
    assert "- **Messages:** 5 user / 5 assistant\n" in read(workspace)
    assert len(git("log", "--format=%s", "--", LOG, cwd=workspace).splitlines()) == 5


def test_a_reply_that_the_transcript_has_not_got_yet_counts(claude: Hook, workspace: Path, tmp_path: Path) -> None:
    path = write_transcript(tmp_path / "t.jsonl", 2)
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    claude("stop", last_assistant_message="This is the answer to 1.")
    assert "- **Messages:** 2 user / 2 assistant\n" in read(workspace)


def test_a_session_in_the_workspace_itself_names_no_project(claude: Hook, workspace: Path, tmp_path: Path) -> None:
    write_transcript(tmp_path / "t.jsonl", 1, cwd=str(workspace / "src"))
    claude("stop", cwd=str(workspace / "src"))
    assert "Project" not in read(workspace)


def test_noise_and_sessions_without_a_transcript_are_not_logged(claude: Hook, workspace: Path, tmp_path: Path) -> None:
    claude("session-end", reason="clear")
    side = {**claude_line("user", "Explore the folder please", 0), "isSidechain": True}
    (tmp_path / "t.jsonl").write_text(json.dumps(side), encoding="utf-8")
    claude("session-end")
    assert not (workspace / LOG).exists()
    assert not (workspace / ".git/memsite/agents.log").exists()


def test_session_logging_can_be_off(claude: Hook, workspace: Path, tmp_path: Path, started: list[list[str]]) -> None:
    (workspace / "memsite.toml").write_text("session_logging = false\n", encoding="utf-8")
    write_transcript(tmp_path / "t.jsonl", 1)
    claude("session-end")
    assert not (workspace / LOG).exists()
    assert started


def test_two_sessions_in_the_same_minute_are_two(claude: Hook, workspace: Path, tmp_path: Path) -> None:
    write_transcript(tmp_path / "t.jsonl", 1)
    claude("stop", session_id="s1")
    claude("stop", session_id="s2")
    assert read(workspace).count("### 10:00") == 2


def test_a_compaction_is_followed_by_state_and_the_protected_exchanges(
    claude: Hook, workspace: Path, tmp_path: Path
) -> None:
    write_transcript(tmp_path / "t.jsonl", 5)
    (workspace / "memory/CURRENT_STATE.md").write_text("# State\n\nThe blog is half built.\n", encoding="utf-8")
    done = claude("session-start", source="compact")
    assert done.out == (
        "=== CURRENT STATE (memory/CURRENT_STATE.md) ===\n# State\n\nThe blog is half built.\n"
        "=== END CURRENT STATE ===\n\n"
        "=== RECENT EXCHANGE (protected) ===\n"
        + "".join(
            f"User: Question {turn} about the blog?\nAssistant: This is the answer to {turn}.\n---\n"
            for turn in (2, 3, 4)
        )
        + "=== END RECENT EXCHANGE ===\n"
    )


def test_a_state_that_is_a_link_is_not_followed(claude: Hook, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("not the memory's\n", encoding="utf-8")
    (workspace / "memory/CURRENT_STATE.md").symlink_to(tmp_path / "secret.md")
    assert claude("session-start", source="compact").out == ""


def settle(memsite: Run, now: str = NOW) -> None:
    assert memsite("agent", "claude-code", "settle", now=now).code == 0


def test_what_follows_a_session_commits_notes_and_adds_the_day_to_mentioned_topics(
    memsite: Run, workspace: Path, git: Git
) -> None:
    memsite("index", "add", "personal-blog", "--category", "Projects", "--date", "2025-03-18")
    (workspace / "memory/2025-03-20.md").write_text(
        "# 2025-03-20\n\nThe personal blog gets a domain.\n", encoding="utf-8"
    )
    settle(memsite)
    assert "Dates: [2025-03-18, 2025-03-20]" in read(workspace, "memory/INDEX.md")
    subjects = git("log", "-2", "--format=%s", cwd=workspace).splitlines()
    assert subjects == ["index: dates of personal-blog", "note: 2025-03-20"]
    assert git("status", "--porcelain", cwd=workspace) == ""
    settle(memsite)
    assert git("log", "-2", "--format=%s", cwd=workspace).splitlines() == subjects


def test_the_next_session_is_told_what_is_proposed_and_nothing_was_created(
    memsite: Run, claude: Hook, workspace: Path
) -> None:
    for day in ("2025-03-16", "2025-03-17", "2025-03-18"):
        memsite("index", "add", "personal-blog", "--category", "Projects", "--date", day)
    (workspace / "memory/2025-03-20.md").write_text(
        "# 2025-03-20\n\nThe personal blog.\n\nNew project called Orion.\n", encoding="utf-8"
    )
    settle(memsite)
    assert "orion" not in read(workspace, "memory/INDEX.md")
    told = claude("session-start", source="startup").out.splitlines()
    assert len(told) == 3
    assert told[0].startswith("memsite reviewed the memory of 2025-03-20. Ask the user")
    assert told[1] == "- the topic personal-blog has 4 dates since its last consolidation: one is suggested"
    assert told[2].startswith('- a new topic orion (Projects)? "New project called Orion."; yes: ')
    assert told[2].endswith(f" -C {workspace} review 2025-03-20 --accept orion")
    assert memsite("review", "2025-03-20", "--accept", "orion", now=NOW).code == 0
    assert len(claude("session-start", source="resume").out.splitlines()) == 2


def test_at_most_ten_lines_are_told(memsite: Run, claude: Hook, workspace: Path) -> None:
    lines = "\n\n".join(f"New project called planet{number}." for number in range(10))
    note = f"# 2025-03-20\n\n{lines}\n"
    (workspace / "memory/2025-03-20.md").write_text(note, encoding="utf-8")
    for number in range(4):
        memsite("index", "add", f"kitchen{number}-renovation", "--category", "Projects", "--date", "2025-03-01")
    with (workspace / "memory/2025-03-20.md").open("a", encoding="utf-8") as stream:
        stream.write("\nkitchen0 kitchen1 kitchen2 kitchen3\n")
    settle(memsite)
    told = claude("session-start", source="startup").out.splitlines()
    assert len(told) == 10
    assert told[-1].startswith("- and 6 more: ")


def test_nothing_is_told_when_nothing_is_proposed(memsite: Run, claude: Hook) -> None:
    assert claude("session-start", source="startup").out == ""
    settle(memsite)
    assert claude("session-start", source="startup").out == ""


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"version":1}', '{"version":2,"day":"2025-03-20","items":[]}'])
def test_a_kept_review_that_cannot_be_read_says_nothing(claude: Hook, workspace: Path, kept: str) -> None:
    (workspace / ".git/memsite").mkdir(exist_ok=True)
    (workspace / ".git/memsite/review.json").write_text(kept, encoding="utf-8")
    assert claude("session-start", source="startup").out == ""


# Nothing stops an agent


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["claude-code"],
        ["claude-code", "unknown"],
        ["gemini", "stop"],
        ["claude-code", "-h"],
        ["claude-code", "stop", "--more"],
        ["openclaw", "agent_end"],
    ],
)
def test_whatever_is_asked_the_agent_goes_on(memsite: Run, workspace: Path, words: list[str]) -> None:
    assert memsite("agent", *words, stdin="no json").code == 0


def faults(workspace: Path) -> str:
    path = workspace / ".git/memsite/agents.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["--unknown"], ["claude-code", "session-end"]),
        (["--unknown=1"], ["claude-code", "session-end"]),
        ([], ["--unknown", "claude-code", "session-end"]),
        ([], ["claude-code", "--unknown", "session-end", "-x"]),
    ],
)
def test_options_that_memsite_does_not_know_are_in_no_hooks_way(
    memsite: Run, workspace: Path, tmp_path: Path, before: list[str], after: list[str]
) -> None:
    event = {"session_id": "s1", "transcript_path": str(write_transcript(tmp_path / "t.jsonl", 1))}
    assert memsite(*before, "agent", *after, stdin=json.dumps(event), now=NOW).code == 0
    assert "id=s1" in read(workspace)


@pytest.mark.parametrize(
    "before", [["--unknown", "value"], ["--now"], ["--now", "never"], ["--now", "1066-01-01"]], ids=str
)
def test_what_cannot_be_understood_is_written_down(memsite: Run, workspace: Path, before: list[str]) -> None:
    event = '{"transcript_path": "/gone", "hook_event_name": "Stop"}'
    assert memsite(*before, "agent", "claude-code", "stop", stdin=event, now="").code == 0
    assert faults(workspace).count("\n") == 1


def run_hook(shell: str, workspace: Path, stdin: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The installed program, called by a shell: `$@` is the command."""
    program = Path(sys.executable).with_name("memsite")
    command = [str(program), "-C", str(workspace), "--now", NOW, "agent", "claude-code", "session-end"]
    return subprocess.run(["sh", "-c", shell, "sh", *command], input=stdin, capture_output=True, text=True, cwd=cwd)


@pytest.mark.parametrize(
    "shell",
    [
        'rmdir "$PWD" && exec "$@"',
        'exec "$@" >&-',
        'exec "$@" >&- 2>&-',
        'exec "$@" >/dev/full 2>/dev/full',
    ],
)
def test_a_hook_in_an_odd_place_still_logs(workspace: Path, tmp_path: Path, shell: str) -> None:
    event = {"session_id": "s1", "transcript_path": str(write_transcript(tmp_path / "t.jsonl", 1))}
    (tmp_path / "gone").mkdir()
    done = run_hook(shell, workspace, json.dumps(event), cwd=tmp_path / "gone")
    assert done.returncode == 0, done.stderr
    assert "id=s1" in read(workspace)


@pytest.mark.parametrize("shell", ['exec "$@" <&-', 'exec "$@" <&- >&- 2>&-', 'exec "$@" <&- 2>/dev/full'])
def test_a_hook_that_is_told_nothing_writes_that_down(workspace: Path, shell: str) -> None:
    assert run_hook(shell, workspace, "").returncode == 0
    assert "the agent's event is no JSON" in faults(workspace)


@pytest.mark.parametrize("event", ["session-start", "stop", "session-end", "pre-compact"])
@pytest.mark.parametrize(
    "stdin", ["", "null", "[]", "{", '{"transcript_path": 7}', '{"transcript_path": "\\u0000"}', "[" * 100_000]
)
def test_events_that_are_none_never_fail(memsite: Run, workspace: Path, event: str, stdin: str) -> None:
    assert memsite("agent", "claude-code", event, stdin=stdin, now=NOW).code == 0


def test_outside_of_a_workspace_the_agent_goes_on(memsite: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = memsite("agent", "claude-code", "stop", stdin="{}", cwd=tmp_path / "empty", now="")
    assert (done.code, done.out) == (0, "")
    assert memsite("agent", "claude-code", "stop", stdin="{}", cwd=tmp_path / "gone", now="").code == 0


def test_a_transcript_that_the_agent_writes_while_the_hook_runs_is_awaited(
    claude: Hook, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def writes_at_the_third(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            write_transcript(tmp_path / "t.jsonl", 1)

    monkeypatch.setattr("memsite.cli.claude_code_events.sleep", writes_at_the_third)
    monkeypatch.setattr("memsite.cli.claude_code_events.TRANSCRIPT_WAIT", 60)
    assert claude("stop").err == ""
    assert read(workspace).count("### ") == 1
    assert not (workspace / ".git/memsite/agents.log").exists()


def test_only_the_first_turn_of_a_session_waits_for_its_transcript(
    claude: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_seconds: float) -> None:
        raise AssertionError("waited")

    monkeypatch.setattr("memsite.cli.claude_code_events.sleep", never)
    assert claude("session-end").err == claude("pre-compact").err == ""


def test_what_went_wrong_is_what_check_reports(claude: Hook, memsite: Run, workspace: Path) -> None:
    for _ in range(3):
        done = claude("stop", transcript_path="/gone/t.jsonl")
        assert "there is no such transcript" in done.err
    report = memsite("check", now="2025-03-21")
    assert report.code == 0
    assert (
        "warning: .git/memsite/agents.log: claude-code stop failed, 3 times, last on 2025-03-20 11:00: " in report.out
    )
    assert "/gone/t.jsonl: there is no such transcript" in report.out
    assert "agents.log" not in memsite("check", now="2025-05-01").out


def test_a_wrong_setting_stops_no_hook_and_is_reported(
    claude: Hook, memsite: Run, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "memsite.toml").write_text('nonsense = 1\nignore_patterns = ["(", "^x"]\n', encoding="utf-8")
    write_transcript(tmp_path / "t.jsonl", 1)
    claude("session-end")
    assert read(workspace).count("### ") == 1
    report = memsite("check", now=NOW)
    assert "unknown key" in report.out
    assert "'(' is no pattern" in report.out


def test_a_fault_in_memsite_is_written_down(
    claude: Hook, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_transcript(tmp_path / "t.jsonl", 1)

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops\nmore")

    monkeypatch.setattr("memsite.cli.claude_code_events.summarize_session", broken)
    done = claude("stop")
    assert done.err == "memsite: ZeroDivisionError: oops\n"
    (line,) = (workspace / ".git/memsite/agents.log").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["problem"] == "ZeroDivisionError: oops\nmore"


def test_the_log_of_faults_stays_small(memsite: Run, workspace: Path) -> None:
    path = workspace / ".git/memsite/agents.log"
    path.parent.mkdir(exist_ok=True)
    path.write_text("x" * 100 + "\n" * 70_000, encoding="utf-8")
    memsite("agent", "claude-code", "unknown", now=NOW)
    assert path.stat().st_size < 40_000
    assert "no event 'unknown'" in memsite("check", now=NOW).out


def test_a_long_path_is_cut_in_the_log_of_faults(claude: Hook, workspace: Path) -> None:
    claude("stop", transcript_path=f"/gone/{'x' * 10_000}")
    (line,) = (workspace / ".git/memsite/agents.log").read_text(encoding="utf-8").splitlines()
    problem = json.loads(line)["problem"]
    assert len(problem) <= 200
    assert "/gone/xxx" in problem


def test_the_home_of_nobody_is_a_transcript_that_is_not_there(claude: Hook) -> None:
    done = claude("stop", transcript_path="~nobody-here/x.jsonl")
    assert done.err == "memsite: ~nobody-here/x.jsonl: there is no such transcript\n"


def test_while_git_is_busy_the_entry_is_kept_and_delivered_later(
    claude: Hook, memsite: Run, workspace: Path, tmp_path: Path, git: Git
) -> None:
    write_transcript(tmp_path / "t.jsonl", 1)
    git("checkout", "-q", "--detach", cwd=workspace)
    claude("session-end")
    assert not (workspace / ".git/memsite/agents.log").exists()
    git("checkout", "-q", "main", cwd=workspace)
    settle(memsite)
    assert "id=s1" in git("show", f"HEAD:{LOG}", cwd=workspace)


# OpenClaw


def turn(role: str, text: str, minute: int) -> dict[str, object]:
    stamp = 1742464800000 + minute * 60_000  # 2025-03-20T10:00Z
    return {"role": role, "content": [{"type": "text", "text": text}], "timestamp": stamp}


def conversation(turns: int, start: int = 0) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for number in range(start, turns):
        found.append(turn("user", f"Question {number} about the blog?", 2 * number))
        found.append(turn("assistant", f"This is the answer to {number}.", 2 * number + 1))
    return found


@pytest.fixture
def openclaw(memsite: Run, workspace: Path) -> Hook:
    """`openclaw("agent_end", messages)`: as the plugin hands it over."""

    def run(event: str, messages: list[dict[str, object]] | None = None, **more: object) -> Done:
        ctx = {"agentId": "main", "sessionKey": "agent:main:main", "sessionId": "o1", "workspaceDir": str(workspace)}
        payload = {"event": {"messages": messages or [], "success": True}, "ctx": {**ctx, "trigger": "user"}, **more}
        done = memsite("agent", "openclaw", event, stdin=json.dumps(payload), now=NOW)
        assert done.code == 0
        return done

    return run


def test_agent_end_twenty_times_is_one_entry(openclaw: Hook, workspace: Path) -> None:
    for turns in range(1, 21):
        openclaw("agent_end", conversation(turns))
    assert read(workspace).count("### ") == 1
    assert "id=o1 agent=openclaw" in read(workspace)
    assert "- **Messages:** 20 user / 20 assistant\n" in read(workspace)


@pytest.mark.parametrize(
    ("field", "value"),
    [("sessionKey", "agent:main:cron:1"), ("sessionKey", "agent:main:subagent:2"), ("trigger", "heartbeat")],
)
def test_openclaws_own_fields_tell_noise(memsite: Run, workspace: Path, field: str, value: str) -> None:
    payload = {"event": {"messages": conversation(1)}, "ctx": {"sessionId": "o1", "trigger": "user", field: value}}
    memsite("agent", "openclaw", "agent_end", stdin=json.dumps(payload), now=NOW)
    assert not (workspace / LOG).exists()


SUMMARY: dict[str, object] = {
    "role": "compactionSummary",
    "summary": "They spoke of a blog.",
    "timestamp": 1742466000000,
}


def test_a_compacted_session_keeps_what_its_entry_has(openclaw: Hook, workspace: Path) -> None:
    openclaw("agent_end", conversation(10))
    openclaw("agent_end", [SUMMARY, *conversation(12, start=9)])
    assert read(workspace).count("### ") == 1
    assert "- **Topic:** Question 0 about the blog?\n- **Messages:** 10 user / 10 assistant\n" in read(workspace)


def store(home: Path, turns: int) -> Path:
    """The session as OpenClaw keeps it, all turns of it."""
    path = home / "agents/main/sessions/o1.jsonl"
    path.parent.mkdir(parents=True)
    lines: list[dict[str, object]] = [
        {"type": "session", "version": 3, "id": "o1", "timestamp": "2025-03-20T10:00:00Z"}
    ]
    lines += [{"type": "message", "id": str(at), "message": one} for at, one in enumerate(conversation(turns))]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return home


def test_after_a_compaction_the_counts_come_from_openclaws_own_store(
    openclaw: Hook, workspace: Path, tmp_path: Path
) -> None:
    openclaw("agent_end", [SUMMARY, *conversation(12, start=9)], stateDir=str(store(tmp_path / "state", 12)))
    assert "- **Messages:** 12 user / 12 assistant\n" in read(workspace)
    assert "- **Topic:** Question 0 about the blog?\n" in read(workspace)


def test_the_first_prompt_after_a_compaction_gets_state_and_tail(
    openclaw: Hook, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "CURRENT_STATE.md").write_text("Half built.\n", encoding="utf-8")
    state = str(store(tmp_path / "state", 12))
    done = openclaw("before_prompt_build", [SUMMARY], stateDir=state, config={"tailProtectCount": 1})
    text = json.loads(done.out)["prependContext"]
    assert text == (
        "=== CURRENT STATE (CURRENT_STATE.md) ===\nHalf built.\n=== END CURRENT STATE ===\n\n"
        "=== RECENT EXCHANGE (protected) ===\nUser: Question 11 about the blog?\n"
        "Assistant: This is the answer to 11.\n---\n=== END RECENT EXCHANGE ==="
    )


def test_more_exchanges_than_there_can_be_are_all_of_them(openclaw: Hook, workspace: Path) -> None:
    more = {"config": {"tailProtectCount": 10**30}}
    done = openclaw("before_prompt_build", [SUMMARY, *conversation(3)], stateDir="/gone", **more)
    assert json.loads(done.out)["prependContext"].count("User: ") == 3


def test_without_a_store_the_tail_is_that_of_the_event(openclaw: Hook) -> None:
    done = openclaw("before_prompt_build", [SUMMARY, *conversation(12, start=9)], stateDir="/gone")
    assert "Question 9" in json.loads(done.out)["prependContext"]
    assert openclaw("before_prompt_build", [], stateDir="/gone").out == ""


@pytest.mark.parametrize("name", ["../../etc", "", "a/b", ".", "x\0y"])
def test_ids_of_events_lead_to_no_other_file(memsite: Run, tmp_path: Path, name: str) -> None:
    payload = {"event": {"messages": [SUMMARY]}, "ctx": {"agentId": name, "sessionId": name}, "stateDir": str(tmp_path)}
    done = memsite("agent", "openclaw", "before_prompt_build", stdin=json.dumps(payload), now=NOW)
    assert (done.code, done.out) == (0, "")


def test_the_plugins_settings_count(openclaw: Hook, workspace: Path) -> None:
    openclaw("agent_end", conversation(1), config={"sessionLogging": False})
    openclaw("agent_end", conversation(1), config={"ignorePatterns": ["^question 0"]})
    assert not (workspace / LOG).exists()
    openclaw("agent_end", conversation(1), config={"ignorePatterns": "x", "tailProtectCount": -1, "maxArchiveCount": 7})
    assert (workspace / LOG).exists()


def test_mc_sessions_answers_as_the_command_does(openclaw: Hook) -> None:
    openclaw("agent_end", conversation(1))
    assert "2025-03-20  1 session\n" in openclaw("sessions").out
    assert "### 10:00" in openclaw("sessions", args=" 2025-03-20 ").out
    assert "no session log for 2025-03-19" in openclaw("sessions", args="2025-03-19").out


def test_the_end_of_an_openclaw_session_settles(openclaw: Hook, started: list[list[str]]) -> None:
    openclaw("session_end")
    assert [command[-3:] for command in started] == [["agent", "openclaw", "settle"]]


# One session is one entry


def test_a_session_stays_where_it_is_when_the_time_zone_moves_west(
    claude: Hook, workspace: Path, tmp_path: Path
) -> None:
    write_transcript(tmp_path / "t.jsonl", 1)
    (workspace / "memsite.toml").write_text('timezone = "Pacific/Kiritimati"\n', encoding="utf-8")
    claude("stop")
    (workspace / "memsite.toml").write_text('timezone = "Pacific/Honolulu"\n', encoding="utf-8")
    write_transcript(tmp_path / "t.jsonl", 2)
    claude("stop")
    assert [file.name for file in (workspace / "memory/sessions").iterdir()] == ["2025-03-21.md"]
    text = read(workspace, "memory/sessions/2025-03-21.md")
    assert text.count("### ") == 1
    assert "- **Messages:** 2 user / 2 assistant\n" in text


def test_an_earlier_first_message_that_becomes_known_makes_no_second_entry(
    claude: Hook, workspace: Path, tmp_path: Path
) -> None:
    path = write_transcript(tmp_path / "t.jsonl", 2)
    claude("stop")
    earlier = {
        **claude_line("user", "How did this begin, please?", 0),
        "uuid": "u",
        "timestamp": "2025-03-19T23:50:00Z",
    }
    path.write_text(json.dumps(earlier) + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    claude("stop")
    assert [file.name for file in (workspace / "memory/sessions").iterdir()] == [LOG.rpartition("/")[2]]
    assert "- **Messages:** 3 user / 2 assistant\n" in read(workspace)


def test_a_session_of_weeks_is_one_entry_when_its_beginning_is_lost(openclaw: Hook, workspace: Path) -> None:
    old = workspace / "memory/sessions/2025-02-01.md"
    old.parent.mkdir()
    (old.parent / "2025-02-02.md").symlink_to(old)
    entry = "### 09:00\n<!-- memsite:session id=o1 agent=openclaw -->\n- **Topic:** The garden\n"
    old.write_text(f"# Session Log — 2025-02-01\n\n{entry}- **Messages:** 1 user / 1 assistant\n", encoding="utf-8")
    openclaw("agent_end", [SUMMARY, *conversation(12, start=9)])
    assert not (workspace / LOG).exists()
    text = old.read_text(encoding="utf-8")
    assert "- **Topic:** The garden\n- **Messages:** 3 user / 3 assistant\n" in text
    assert text.count("### ") == 1


@pytest.mark.parametrize("again", ["stop", "pre-compact"])
def test_a_transcript_that_has_shrunk_takes_nothing_from_the_entry(
    claude: Hook, memsite: Run, workspace: Path, tmp_path: Path, again: str
) -> None:
    path = write_transcript(tmp_path / "t.jsonl", 5)
    claude("stop")
    whole = read(workspace)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[6:]), encoding="utf-8")
    claude(again)
    assert read(workspace) == whole
    assert memsite("import", str(path), now=NOW).code == 0
    assert read(workspace) == whole
    assert memsite("log", str(path), now=NOW).code == 0, "by hand it is what the transcript says"
    assert "- **Messages:** 2 user / 2 assistant\n" in read(workspace)


def test_hooks_really_go_on_in_a_process_of_their_own(workspace: Path, tmp_path: Path, git: Git) -> None:
    """The installed program, with nothing replaced: many hooks at once, then all is in git."""
    (workspace / "memory/2025-03-20.md").write_text("# 2025-03-20\n\nA note.\n", encoding="utf-8")
    program = Path(sys.executable).with_name("memsite")
    path = write_transcript(tmp_path / "t.jsonl", 2)
    hooks = []
    for number in range(4):
        event = {"session_id": f"s{number}", "transcript_path": str(path), "cwd": "/x", "hook_event_name": "Stop"}
        command = [str(program), "-C", str(workspace), "--now", NOW, "agent", "claude-code", "stop"]
        hook = subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ)
        assert hook.stdin is not None
        with hook.stdin:
            hook.stdin.write(json.dumps(event).encode())
        hooks.append(hook)
    assert [hook.wait() for hook in hooks] == [0] * 4
    assert read(workspace).count("### ") == 4
    deadline = time.monotonic() + 60
    while "note: 2025-03-20" not in git("log", "--format=%s", cwd=workspace) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert git("log", "--format=%s", cwd=workspace).count("session: ") == 4
    assert "note: 2025-03-20" in git("log", "--format=%s", cwd=workspace)
    assert not (workspace / ".git/memsite/agents.log").exists()


def test_the_hook_loads_nothing_slow(workspace: Path, tmp_path: Path) -> None:
    """Median 0.3 s: `bench/agent_hook.py` tells. What is slow to load belongs to the process that follows."""
    path = write_transcript(tmp_path / "t.jsonl", 1)
    event = {"session_id": "s1", "transcript_path": str(path), "cwd": "/x", "hook_event_name": "SessionEnd"}
    program = (
        "import sys\n"
        "from memsite.cli.main import main\n"
        f"code = main(['-C', {str(workspace)!r}, 'agent', 'claude-code', 'session-end'])\n"
        "slow = {'git', 'mkdocs', 'markdown_it', 'click', 'nh3', 'betterleaks', 'rapidfuzz', 'yaml', 'jinja2',"
        " 'asyncio', 're2', 'sqlite3', 'zstandard', 'tempfile', 'shutil', 'memsite.memory.model',"
        " 'memsite.repo.guard'}\n"
        "print(code, sorted(slow & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(event), capture_output=True, text=True, check=True
    )
    assert done.stdout == "0 []\n"
    assert (workspace / LOG).exists()


def test_a_log_loads_nothing_that_takes_longer_than_git(workspace: Path) -> None:
    """Whoever adds one of these to what every command loads makes each turn of an agent slower."""
    program = (
        "import sys\n"
        "from memsite.cli.main import main\n"
        f"code = main(['-C', {str(workspace)!r}, 'log', '-', '--format', 'messages', '--session', 's1'])\n"
        "slow = {'argparse', 'dataclasses', 'gettext', 'hashlib', 'inspect', 'locale', 'shlex', 'signal', 'subprocess',"
        " 'threading', 'tomllib', 'typing', 'memsite.capture.codex', 'memsite.repo.adopt', 'memsite.repo.hidden'}\n"
        "print(code, sorted(slow & set(sys.modules)), file=sys.stderr)\n"
    )
    words = [{"role": "user", "content": "Where is the blog hosted?"}, {"role": "assistant", "content": "At home."}]
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=json.dumps(words), capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"


@pytest.mark.parametrize("by_hand_first", [True, False])
def test_a_resumed_session_logged_by_hand_and_by_its_hook_is_one_entry(
    memsite: Run, workspace: Path, tmp_path: Path, claude: Hook, git: Git, by_hand_first: bool
) -> None:
    name = "6f1c0d5e-0b1a-4c55-9d1e-2f6a7b8c9d0e"
    path = write_transcript(tmp_path / f"{name}.jsonl", 2, session="the-former-id")
    for by_hand in (by_hand_first, not by_hand_first):
        if by_hand:
            assert memsite("log", str(path), now=NOW).code == 0
        else:
            claude("stop", session_id=name, transcript_path=str(path), cwd="/home/ada/blog")
    text = (workspace / LOG).read_text(encoding="utf-8")
    assert text.count("### ") == 1
    assert f"id={name} agent=claude-code" in text
    assert git("log", "--format=%s", "--", LOG, cwd=workspace).count("\n") == 1


def test_a_transcript_under_another_name_keeps_the_id_of_its_lines(
    memsite: Run, workspace: Path, tmp_path: Path
) -> None:
    path = write_transcript(tmp_path / "a copy.jsonl", 1, session="s7")
    for more, wanted in (((), "s7"), (("--session", "mine"), "mine")):
        assert memsite("log", str(path), *more, now=NOW).code == 0
        assert f"id={wanted} " in (workspace / LOG).read_text(encoding="utf-8")
