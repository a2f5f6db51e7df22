"""Every kind of line that Claude Code writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memsite.capture.readers import read_transcript
from memsite.capture.session import SessionSummary

Jsonl = Callable[..., list[bytes]]
Summarize = Callable[..., SessionSummary]
TIME = "2026-04-09T06:48:00.000Z"
PROMPT = "Which framework for the blog?"
REPLY = "Next.js, for its static export."


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def told(messages: Any) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in messages]


def claude(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"role": kind, "content": content}
    if "message_id" in fields:
        body["id"] = fields.pop("message_id")
    common = {"parentUuid": None, "isSidechain": False, "sessionId": "c1", "cwd": "/home/ada/blog", "timestamp": TIME}
    return {**common, "type": kind, "uuid": f"u{id(body)}", "message": body, **fields}


CLAUDE_OTHERS = [
    {"type": "summary", "summary": "Blog framework", "leafUuid": "elsewhere"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
    {"type": "queue-operation", "operation": "dequeue", "sessionId": "c1"},
    {"type": "attachment", "attachment": {"type": "file"}},
    {"type": "last-prompt", "lastPrompt": PROMPT, "sessionId": "c1"},
    {"type": "ai-title", "title": "Blog"},
    {"type": "custom-title", "title": "Blog"},
    {"type": "pr-link", "url": "https://example.org/1"},
    {"type": "system", "content": None, "sessionId": "c1"},
    {"type": "system", "subtype": "local_command", "content": "text", "sessionId": "c1"},
    {"type": "progress", "data": {"message": {"type": "user", "message": {"role": "user", "content": PROMPT}}}},
    {"type": "invented-tomorrow", "message": {"role": "user", "content": PROMPT}},
    {"type": None},
    {"type": ["user"]},
    {},
]


@pytest.mark.parametrize("other", CLAUDE_OTHERS, ids=lambda other: str(other.get("type")))
def test_other_lines_of_claude_code_are_passed_over_without_a_warning(other: dict[str, Any], jsonl: Jsonl) -> None:
    for records in ([other, claude("user", PROMPT)], [claude("user", PROMPT), other]):
        transcript = read_transcript(jsonl(*records))
        assert told(transcript) == [("user", PROMPT)]
        assert (transcript.agent, transcript.skipped) == ("claude-code", 0)


@pytest.mark.parametrize(
    "line",
    [
        claude("user", [{"type": "tool_result", "tool_use_id": "t", "content": "a.md"}]),
        claude("user", [{"type": "tool_result", "tool_use_id": "t", "content": text("a.md")}], toolUseResult={"a": 1}),
        claude("user", [{"type": "tool_result", "tool_use_id": "t", "content": None}]),
        claude("user", "Caveat: written by the program", isMeta=True),
        claude("user", "The conversation so far", isCompactSummary=True),
        claude("user", "The conversation so far", isVisibleInTranscriptOnly=True),
        claude("user", "A task for the subagent", isSidechain=True),
        claude("user", "<command-name>/init</command-name>"),
        claude("user", text("<local-command-stdout></local-command-stdout>")),
        claude("user", text("<system-reminder>Be brief.</system-reminder>")),
        claude("user", "<task-notification>done</task-notification>"),
        claude("user", text("[Request interrupted by user]")),
    ],
)
def test_user_lines_of_claude_code_that_are_no_prompts(line: dict[str, Any], summarize: Summarize) -> None:
    summary = summarize(claude("user", PROMPT), line, claude("assistant", text(REPLY)))
    assert (summary.entry.user_messages, summary.entry.topic) == (1, PROMPT)
    later = summarize(line, claude("user", PROMPT), claude("assistant", text(REPLY)))
    assert (later.entry.user_messages, later.entry.topic, later.noise, later.skipped) == (1, PROMPT, None, 0)


def test_reminders_beside_a_prompt_are_left_out(jsonl: Jsonl) -> None:
    blocks = [
        *text("<ide_opened_file>a.md</ide_opened_file>"),
        *text(PROMPT),
        *text("<system-reminder>x</system-reminder>"),
    ]
    assert told(read_transcript(jsonl(claude("user", blocks)))) == [("user", PROMPT)]


def test_one_message_over_several_lines_counts_once(summarize: Summarize) -> None:
    summary = summarize(
        claude("user", PROMPT),
        claude("assistant", [{"type": "thinking", "thinking": "hm"}], message_id="msg_1"),
        claude("assistant", text("Let me look."), message_id="msg_1"),
        claude("assistant", [{"type": "tool_use", "id": "t", "name": "ls", "input": {}}], message_id="msg_1"),
        claude("user", [{"type": "tool_result", "tool_use_id": "t", "content": "a.md"}]),
        claude("assistant", [{"type": "tool_use", "id": "t2", "name": "ls", "input": {}}], message_id="msg_1"),
        claude("assistant", text(REPLY), message_id="msg_2"),
    )
    assert (summary.entry.user_messages, summary.entry.assistant_messages) == (1, 2)


def test_the_same_line_twice_counts_once(summarize: Summarize) -> None:
    line = claude("user", PROMPT)
    assert summarize(line, line).entry.user_messages == 1


@pytest.mark.parametrize("body", [None, "text", 3, [], {}])
def test_a_line_of_claude_code_without_a_message_is_counted(body: Any, jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl(claude("user", PROMPT), {**claude("user", ""), "message": body}))
    assert told(transcript) == [("user", PROMPT)]
    assert transcript.skipped == 1


def test_messages_that_the_program_wrote_are_no_replies(summarize: Summarize) -> None:
    error = claude("assistant", text("API Error: 529"))
    error["message"]["model"] = "<synthetic>"
    assert summarize(claude("user", PROMPT), error).entry.assistant_messages == 0


def test_a_subagents_file_is_noise(summarize: Summarize) -> None:
    summary = summarize(
        claude("user", "Count the files", isSidechain=True), claude("assistant", text("3"), isSidechain=True)
    )
    assert summary.noise == "subagent"
