"""The protected tail, beside the seed's own function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.capture.readers import read_transcript
from memsite.capture.tail import extract_tail

Jsonl = Callable[..., list[bytes]]


def tail(lines: list[bytes], count: int = 3) -> str | None:
    return extract_tail(read_transcript(lines), count)


def test_exchanges_as_the_seed_prints_them(jsonl: Jsonl) -> None:
    lines = jsonl(
        {"role": "user", "content": "Which framework for the blog?"},
        {"role": "assistant", "content": "Next.js, because of its static export."},
        {"role": "user", "content": "thanks"},
        {"role": "assistant", "content": "You are welcome"},
        {"role": "user", "content": "And where do we host it?"},
        {"role": "assistant", "content": "On Vercel."},
    )
    assert tail(lines) == (
        "=== RECENT EXCHANGE (protected) ===\n"
        "User: Which framework for the blog?\n"
        "Assistant: Next.js, because of its static export.\n"
        "---\n"
        "User: And where do we host it?\n"
        "Assistant: On Vercel.\n"
        "---\n"
        "=== END RECENT EXCHANGE ==="
    )
    assert tail(lines, 1) == (
        "=== RECENT EXCHANGE (protected) ===\nUser: And where do we host it?\nAssistant: On Vercel.\n---\n"
        "=== END RECENT EXCHANGE ==="
    )


TEXTS = st.sampled_from(
    [
        "thanks",
        "ok",
        "Which framework for the blog?",
        "Next.js, because of its static export",
        "词" * 120,
        "word " * 200,
    ]
) | st.text("ab 你\n", min_size=1, max_size=30).map(lambda text: f"q{text}")
CONVERSATIONS = st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool", "system"]), TEXTS), max_size=12)


def test_tail_equals_the_seeds_on_plain_messages(node: Callable[[str, Any], Any], jsonl: Jsonl) -> None:
    cases: list[tuple[list[dict[str, str]], int]] = []

    @settings(max_examples=300, deadline=None, database=None)
    @given(CONVERSATIONS, st.integers(0, 4))
    def collect(messages: list[tuple[str, str]], count: int) -> None:
        cases.append(([{"role": role, "content": text} for role, text in messages], count))

    collect()
    seeds = node("input.map(([messages, count]) => extractTailMessages(messages, count))", cases)
    assert [tail(jsonl(*messages), count) for messages, count in cases] == seeds


@pytest.mark.parametrize("count", [0, -1])
def test_no_tail_when_none_is_wanted(count: int, jsonl: Jsonl) -> None:
    assert (
        tail(jsonl({"role": "user", "content": "Which framework?"}, {"role": "assistant", "content": "Next"}), count)
        is None
    )


def test_no_tail_without_an_answer(jsonl: Jsonl) -> None:
    assert tail([]) is None
    assert tail(jsonl({"role": "user", "content": "Which framework for the blog?"})) is None


def test_each_text_is_cut_to_150_tokens_between_graphemes(jsonl: Jsonl) -> None:
    family = "👨‍👩‍👧"
    lines = jsonl({"role": "user", "content": family * 200}, {"role": "assistant", "content": "汉" * 200})
    shown = (tail(lines) or "").splitlines()
    assert shown[1] == f"User: {family * 75}..."
    assert shown[2] == f"Assistant: {'汉' * 100}..."


def test_a_tool_call_does_not_hide_the_words_before_it(jsonl: Jsonl) -> None:
    lines = jsonl(
        {"role": "user", "content": "Look into the folder, please"},
        {"role": "assistant", "content": "I shall list the files first."},
        {"role": "assistant", "content": [{"type": "toolCall", "id": "1", "name": "ls", "arguments": {}}]},
        {"role": "toolResult", "content": [{"type": "text", "text": "a.md"}]},
    )
    assert "Assistant: I shall list the files first." in (tail(lines) or "")


def test_parts_of_one_message_are_joined(jsonl: Jsonl) -> None:
    def part(text: str) -> dict[str, Any]:
        body = {"id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": text}]}
        return {"type": "assistant", "sessionId": "s", "message": body}

    prompt = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "Which framework, which host?"}}
    assert "Assistant: Next.js.\nVercel.\n" in (tail(jsonl(prompt, part("Next.js."), part("Vercel."))) or "")


def test_automatic_turns_and_metadata_stay_out(jsonl: Jsonl) -> None:
    lines = jsonl(
        {"role": "user", "content": "[Thu 2026-04-09 14:48 GMT+8] Which framework for the blog?\n[message_id: 7]"},
        {"role": "assistant", "content": "[[reply_to_current]] Next.js"},
        {"role": "user", "content": "<system-reminder>Be brief.</system-reminder>"},
        {"role": "user", "content": "Read HEARTBEAT.md if it exists"},
        {"role": "assistant", "content": "The disk is nearly full, take care of it."},
    )
    shown = tail(lines) or ""
    assert "User: Which framework for the blog?\nAssistant: Next.js\n" in shown
    assert "HEARTBEAT" not in shown
    assert "disk" not in shown
