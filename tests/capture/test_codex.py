"""Every kind of line that Codex writes."""

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


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": TIME, "type": kind, "payload": payload}


CODEX_HEADER = codex("session_meta", id="x1", cwd="/home/ada/blog", timestamp=TIME, cli_version="0.46.0", source="cli")


def told(messages: Any) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in messages]


def item(role: str, words: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return codex("response_item", type="message", role=role, content=[{"type": kind, "text": words}])


def event(role: str, words: str) -> dict[str, Any]:
    return codex("event_msg", type="user_message" if role == "user" else "agent_message", message=words)


@pytest.mark.parametrize(
    "records",
    [
        [item("user", PROMPT), event("user", PROMPT), event("assistant", REPLY), item("assistant", REPLY)],
        [event("user", PROMPT), item("user", PROMPT), item("assistant", REPLY), event("assistant", REPLY)],
        [item("user", PROMPT), item("assistant", REPLY)],
        [event("user", PROMPT), event("assistant", REPLY)],
        [
            item("user", PROMPT),
            codex("event_msg", type="token_count"),
            event("user", f"{PROMPT}\n"),
            item("assistant", REPLY),
        ],
    ],
)
def test_a_message_of_codex_that_appears_twice_counts_once(records: list[Any], jsonl: Jsonl) -> None:
    assert told(read_transcript(jsonl(CODEX_HEADER, *records))) == [("user", PROMPT), ("assistant", REPLY)]


def test_a_person_who_says_the_same_again_is_counted_again(jsonl: Jsonl) -> None:
    again = [item("user", "continue"), event("user", "continue")]
    assert told(read_transcript(jsonl(CODEX_HEADER, *again, *again, *again))) == [("user", "continue")] * 3


CODEX_OTHERS = [
    codex("turn_context", cwd="/home/ada/blog", model="m1"),
    codex("event_msg", type="token_count", info=None),
    codex("event_msg", type="agent_reasoning", text="hm"),
    codex("response_item", type="reasoning", summary=[], encrypted_content="AAAA"),
    codex("response_item", type="function_call", name="shell", arguments="{}", call_id="1"),
    {"timestamp": TIME, "type": "invented-tomorrow", "payload": {}},
]


@pytest.mark.parametrize("other", CODEX_OTHERS, ids=range(len(CODEX_OTHERS)))
def test_other_lines_of_codex_are_passed_over_without_a_warning(other: dict[str, Any], jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl(CODEX_HEADER, item("user", PROMPT), other))
    assert (told(transcript), transcript.skipped) == ([("user", PROMPT)], 0)


@pytest.mark.parametrize(
    ("record", "role"),
    [
        (item("user", "<environment_context>\n<cwd>/home/ada</cwd>"), "system"),
        (item("user", "<user_instructions>Be brief.</user_instructions>"), "system"),
        (item("developer", "<permissions instructions>"), "system"),
        (codex("compacted", message="so far", replacement_history=[]), "system"),
        (codex("response_item", type="function_call_output", call_id="1", output="a.md"), "tool"),
        (codex("response_item", type="custom_tool_call_output", call_id="1", output={"content": "a.md"}), "tool"),
    ],
)
def test_lines_of_codex_that_are_no_prompts(
    record: dict[str, Any], role: str, summarize: Summarize, jsonl: Jsonl
) -> None:
    assert [str(message.role) for message in read_transcript(jsonl(CODEX_HEADER, record))] == [role]
    assert summarize(CODEX_HEADER, record, item("user", PROMPT)).entry.user_messages == 1


def test_a_subagents_rollout_is_noise(summarize: Summarize) -> None:
    header = codex("session_meta", id="x1", source={"subagent": "review"})
    assert summarize(header, item("user", PROMPT)).noise == "subagent"


def test_a_line_of_codex_without_a_payload_is_counted(jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl(CODEX_HEADER, {"type": "response_item", "payload": None}))
    assert (told(transcript), transcript.skipped) == ([], 1)
