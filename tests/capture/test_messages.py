"""Bare messages: a JSON list, or one a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memsite.capture.message import Message, Role
from memsite.capture.readers import read_transcript

Jsonl = Callable[..., list[bytes]]
TIME = "2026-04-09T06:48:00.000Z"
MOMENT = datetime(2026, 4, 9, 6, 48, tzinfo=UTC)
PROMPT = "Which framework for the blog?"
REPLY = "Next.js, for its static export."


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def told(messages: Any) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in messages]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_list_of_messages(indent: int | None) -> None:
    messages = [{"role": "user", "content": PROMPT}, {"role": "assistant", "content": REPLY, "created_at": TIME}]
    data = json.dumps(messages, indent=indent).encode()
    for lines in (
        [data],
        data.splitlines(keepends=True),
        data.splitlines(),
        [data[at : at + 7] for at in range(0, len(data), 7)],
    ):
        got = list(read_transcript(lines))
        assert got == [Message(Role.USER, PROMPT, is_prompt=True), Message(Role.ASSISTANT, REPLY, MOMENT)]


@pytest.mark.parametrize(
    ("record", "messages", "skipped"),
    [
        ({"role": "system", "content": "Be brief."}, [("system", "Be brief.")], 0),
        ({"role": "developer", "content": "Be brief."}, [("system", "Be brief.")], 0),
        ({"role": "tool", "content": "a.md"}, [("tool", "a.md")], 0),
        ({"role": "toolResult", "content": text("a.md")}, [("tool", "a.md")], 0),
        ({"role": "human", "content": "hi"}, [("user", "hi")], 0),
        ({"role": "assistant", "content": None, "tool_calls": []}, [("assistant", "")], 0),
        ({"role": "user", "content": None}, [], 1),
        ({"role": "user", "content": 7}, [], 1),
        (
            {"role": "user", "content": [None, 7, {"type": "text"}, {"type": "text", "text": "a"}, "b"]},
            [("user", "a\nb")],
            0,
        ),
        ({"role": "user", "content": []}, [], 0),
        ({"role": "critic", "content": "hm"}, [], 0),
        ({"role": None, "content": "hm"}, [], 0),
        ({"role": {"a": 1}, "content": "hm"}, [], 0),
        ({"type": "system", "content": None}, [], 0),
    ],
)
def test_a_bare_message(record: Any, messages: list[tuple[str, str]], skipped: int, jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl(record), "messages")
    assert (told(transcript), transcript.skipped) == (messages, skipped)


def test_elements_that_are_no_messages_are_counted() -> None:
    transcript = read_transcript([b'[null, 3, {"role": "user", "content": "hello"}, "x", {"role"'])
    assert told(transcript) == [("user", "hello")]
    assert transcript.skipped == 4


def test_a_single_message_laid_out_over_lines() -> None:
    assert told(read_transcript(b'{\n "role": "user",\n "content": "hello"\n}\n'.splitlines())) == [("user", "hello")]


def test_a_turn_with_tool_results_and_text_is_both(jsonl: Jsonl) -> None:
    content = [
        {"type": "tool_result", "tool_use_id": "t", "content": text("a.md")},
        *text("and the second one, please"),
    ]
    messages = list(read_transcript(jsonl({"role": "user", "content": content})))
    assert [(message.role, message.text, message.is_prompt) for message in messages] == [
        (Role.TOOL, "a.md", False),
        (Role.USER, "and the second one, please", True),
    ]


def test_a_picture_alone_is_a_prompt(jsonl: Jsonl) -> None:
    content = [{"type": "image", "source": {"type": "base64", "data": "AAAA"}}]
    (message,) = read_transcript(jsonl({"role": "user", "content": content}))
    assert (message.is_prompt, message.text) == (True, "")
