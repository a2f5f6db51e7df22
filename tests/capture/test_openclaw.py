"""Every kind of line that OpenClaw writes, and its event."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memsite.capture.readers import read_transcript
from memsite.capture.session import SessionSummary

Jsonl = Callable[..., list[bytes]]
Summarize = Callable[..., SessionSummary]
TIME = "2026-04-09T06:48:00.000Z"
MOMENT = datetime(2026, 4, 9, 6, 48, tzinfo=UTC)
PROMPT = "Which framework for the blog?"
REPLY = "Next.js, for its static export."


CLAW_HEADER = {"type": "session", "version": 3, "id": "o1", "timestamp": TIME, "cwd": "/home/ada/workspace"}


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def told(messages: Any) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in messages]


def claw(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    body = {"role": role, "content": content, **fields}
    return {"type": "message", "id": f"m{id(body)}", "parentId": None, "timestamp": TIME, "message": body}


CLAW_OTHERS = [
    {"type": "model_change", "id": "1", "provider": "mock", "modelId": "m1"},
    {"type": "thinking_level_change", "id": "2", "thinkingLevel": "low"},
    {"type": "custom", "customType": "model-snapshot", "data": {"messages": [{"role": "user", "content": "x"}]}},
    {"type": "compaction", "summary": "so far", "firstKeptEntryId": "1", "tokensBefore": 9000},
    {"type": "invented-tomorrow"},
    claw("assistant", text(REPLY), provider="openclaw", model="delivery-mirror"),
    claw("bashExecution", "ls"),
]


@pytest.mark.parametrize("other", CLAW_OTHERS, ids=range(len(CLAW_OTHERS)))
def test_other_lines_of_openclaw_are_passed_over_without_a_warning(other: dict[str, Any], jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl(CLAW_HEADER, claw("user", PROMPT), claw("assistant", text(REPLY)), other))
    assert told(transcript) == [("user", PROMPT), ("assistant", REPLY)]
    assert transcript.skipped == 0


def test_messages_of_openclaw(jsonl: Jsonl) -> None:
    transcript = read_transcript(
        jsonl(
            CLAW_HEADER,
            claw("user", [*text(PROMPT), {"type": "image", "data": "AAAA", "mimeType": "image/png"}]),
            claw("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "toolCall", "id": "t", "name": "ls"}]),
            claw("toolResult", text("a.md"), toolCallId="t"),
            claw("assistant", text(REPLY), provider="mock", model="m1", stopReason="stop"),
            {"type": "message", "message": None},
        )
    )
    assert told(transcript) == [("user", PROMPT), ("assistant", ""), ("tool", "a.md"), ("assistant", REPLY)]
    assert (transcript.skipped, transcript.started) == (1, MOMENT)


AGENT_END = {
    "messages": [
        {"role": "user", "content": text(PROMPT), "timestamp": MOMENT.timestamp() * 1000},
        {"role": "assistant", "content": text(REPLY), "timestamp": MOMENT.timestamp() * 1000 + 5},
    ],
    "success": True,
    "durationMs": 1200,
    "runId": "r1",
}
CONTEXT = {
    "agentId": "main",
    "sessionKey": "agent:main:main",
    "sessionId": "o1",
    "workspaceDir": "/home/ada/workspace",
    "trigger": "user",
}


@pytest.mark.parametrize(
    "event",
    [
        {**AGENT_END, **CONTEXT},
        {**CONTEXT, **AGENT_END},
        {**AGENT_END, "ctx": CONTEXT},
        {"ctx": CONTEXT, **AGENT_END},
        {"event": AGENT_END, "ctx": CONTEXT},
        {"ctx": CONTEXT, "event": AGENT_END},
        {"event": AGENT_END, "context": CONTEXT},
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_the_agent_end_event(event: dict[str, Any], indent: int | None) -> None:
    for format in ("auto", "openclaw"):
        transcript = read_transcript(json.dumps(event, indent=indent).encode().splitlines(keepends=True), format)
        messages = list(transcript)
        assert told(messages) == [("user", PROMPT), ("assistant", REPLY)]
        assert messages[0].at == MOMENT
        assert (transcript.agent, transcript.session_id, transcript.session_key) == (
            "openclaw",
            "o1",
            "agent:main:main",
        )
        assert (transcript.cwd, transcript.trigger, transcript.skipped) == ("/home/ada/workspace", "user", 0)


def test_an_event_of_a_job_is_a_crons(summarize: Summarize) -> None:
    assert summarize({**AGENT_END, "ctx": {**CONTEXT, "trigger": None, "jobId": "j1"}}).noise == "cron"


def test_an_event_cut_short_gives_the_messages_it_has() -> None:
    data = json.dumps({**AGENT_END, "ctx": CONTEXT}).encode()
    transcript = read_transcript([data[: data.index(b"assistant") + 20]])
    assert told(transcript) == [("user", PROMPT)]
    assert transcript.skipped == 1


def test_a_request_with_messages_is_no_event() -> None:
    transcript = read_transcript([json.dumps({"model": "m1", "messages": AGENT_END["messages"]}).encode()])
    assert told(transcript) == [("user", PROMPT), ("assistant", REPLY)]
    assert transcript.agent == ""
