"""Every line type of every agent, and every way in which a line can be broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.capture.message import Role
from memsite.capture.readers import FORMATS, read_transcript
from memsite.capture.session import SessionSummary
from memsite.errors import FormatError

Jsonl = Callable[..., list[bytes]]
Summarize = Callable[..., SessionSummary]
TIME = "2026-04-09T06:48:00.000Z"


def claude(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"role": kind, "content": content}
    if "message_id" in fields:
        body["id"] = fields.pop("message_id")
    common = {"parentUuid": None, "isSidechain": False, "sessionId": "c1", "cwd": "/home/ada/blog", "timestamp": TIME}
    return {**common, "type": kind, "uuid": f"u{id(body)}", "message": body, **fields}


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def claw(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    body = {"role": role, "content": content, **fields}
    return {"type": "message", "id": f"m{id(body)}", "parentId": None, "timestamp": TIME, "message": body}


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": TIME, "type": kind, "payload": payload}


CLAW_HEADER = {"type": "session", "version": 3, "id": "o1", "timestamp": TIME, "cwd": "/home/ada/workspace"}
CODEX_HEADER = codex("session_meta", id="x1", cwd="/home/ada/blog", timestamp=TIME, cli_version="0.46.0", source="cli")
PROMPT = "Which framework for the blog?"
REPLY = "Next.js, for its static export."


@pytest.mark.parametrize(
    ("records", "agent", "session_id", "cwd"),
    [
        ([{"role": "user", "content": PROMPT}, {"role": "assistant", "content": REPLY}], "", "", ""),
        ([claude("user", PROMPT), claude("assistant", text(REPLY))], "claude-code", "c1", "/home/ada/blog"),
        ([CLAW_HEADER, claw("user", PROMPT), claw("assistant", text(REPLY))], "openclaw", "o1", "/home/ada/workspace"),
        (
            [
                CODEX_HEADER,
                codex("response_item", type="message", role="user", content=[{"type": "input_text", "text": PROMPT}]),
                codex(
                    "response_item", type="message", role="assistant", content=[{"type": "output_text", "text": REPLY}]
                ),
            ],
            "codex",
            "x1",
            "/home/ada/blog",
        ),
    ],
    ids=["messages", "claude-code", "openclaw", "codex"],
)
def test_format_is_chosen_by_content(
    records: list[dict[str, Any]], agent: str, session_id: str, cwd: str, jsonl: Jsonl
) -> None:
    for format in ("auto", agent or "messages"):
        transcript = read_transcript(jsonl(*records), format)
        told = [(message.role, message.text, message.is_prompt) for message in transcript]
        assert told == [(Role.USER, PROMPT, True), (Role.ASSISTANT, REPLY, False)]
        assert (transcript.agent, transcript.session_id, transcript.cwd) == (agent, session_id, cwd)
        assert transcript.skipped == 0


def test_messages_of_another_program_with_a_session_are_messages(jsonl: Jsonl) -> None:
    record = {"type": "message", "sessionId": "s1", "role": "user", "content": PROMPT}
    transcript = read_transcript(jsonl(record), "auto")
    assert [message.text for message in transcript] == [PROMPT]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(FormatError, match=r"'telegram'.*claude-code"):
        read_transcript([], "telegram")
    assert FORMATS == ("auto", "messages", "claude-code", "openclaw", "codex")


def test_unknown_lines_before_the_first_known_one_do_not_mislead(jsonl: Jsonl) -> None:
    transcript = read_transcript(jsonl({"type": "invented"}, {}, b"{broken\n", claude("user", PROMPT)))
    assert [message.text for message in transcript] == [PROMPT]
    assert (transcript.agent, transcript.skipped) == ("claude-code", 1)


# --- broken lines, in every format ---------------------------------------------------------------------------------

BROKEN_LINES = [
    b'{"type":"user","message":{"role":"us',  # truncated
    b"null\n",
    b"42\n",
    b'["list"]\n',
    b"not json at all\n",
    b"\xff\xfe\xfd\n",
    b"{" * 100_000 + b"\n",
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"\n",
    b'{"n": ' + b"9" * 5000 + b"}\n",
    None,
]


@pytest.mark.parametrize("broken", BROKEN_LINES, ids=range(len(BROKEN_LINES)))
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_broken_line_costs_only_itself(broken: bytes | None, place: int, jsonl: Jsonl) -> None:
    for records in (
        [CLAW_HEADER, claw("user", PROMPT), claw("assistant", text(REPLY))],
        [claude("summary", ""), claude("user", PROMPT), claude("assistant", text(REPLY))],
    ):
        lines: list[bytes | None] = [*jsonl(*records)]
        lines.insert(place, broken)
        transcript = read_transcript(lines)
        assert [message.text for message in transcript] == [PROMPT, REPLY]
        assert transcript.skipped == 1


@pytest.mark.parametrize("blank", [b"\n", b"", b"  \r\n", b"\0\0\0\0\n"])
def test_a_blank_line_is_no_fault(blank: bytes, jsonl: Jsonl) -> None:
    transcript = read_transcript([blank, *jsonl(claude("user", PROMPT)), blank])
    assert [message.text for message in transcript] == [PROMPT]
    assert transcript.skipped == 0


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b'"half \\ud83d here, and more"', "half \ufffd here, and more"),
        (b'"pair \\ud83d\\ude00 here, and more"', "pair 😀 here, and more"),
        (b'"nul \\u0000 here, and more"', "nul \0 here, and more"),
        (b'"raw \0 here, and more"', "raw \0 here, and more"),
        (b'"bad \xff byte, and more"', "bad \ufffd byte, and more"),
    ],
)
def test_text_that_cannot_be_encoded_becomes_text_that_can(raw: bytes, shown: str, summarize: Summarize) -> None:
    line = b'{"role":"user","content":' + raw + b"}\n"
    assert [message.text for message in read_transcript([line])] == [shown]
    summary = summarize(line)
    assert summary.entry.topic.encode()
    assert "\0" not in summary.entry.topic


@settings(deadline=None)
@given(st.sampled_from(FORMATS), st.data())
def test_no_value_anywhere_raises(format: str, data: st.DataObject) -> None:
    odd = st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text("a\ud800\0<[", max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["type", "text", "role", "content", "id"]), inner, max_size=3)
        ),
        max_leaves=6,
    )
    kinds = [
        "user",
        "assistant",
        "system",
        "session",
        "message",
        "event_msg",
        "response_item",
        "session_meta",
        "compacted",
    ]
    keys = [
        "message",
        "payload",
        "content",
        "timestamp",
        "id",
        "role",
        "uuid",
        "sessionId",
        "isMeta",
        "isSidechain",
        "cwd",
    ]
    record = st.dictionaries(st.sampled_from(keys), odd, max_size=6)
    records = data.draw(st.lists(st.tuples(st.sampled_from(kinds), record), max_size=4))
    lines = [json.dumps({"type": kind, **fields}).encode() for kind, fields in records]
    transcript = read_transcript(lines, format)
    for message in transcript:
        message.text.encode()
    transcript.session_id.encode()
