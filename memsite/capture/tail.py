"""The recent exchanges that must survive a compaction, as the seed prints them (short-term memory layer, task 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from memsite.capture.message import Message, Role
from memsite.capture.noise import clean_prompt, clean_reply, is_silent_reply
from memsite.capture.tokens import truncate_tokens, utf16_length

TOKENS_PER_MESSAGE = 150
MOST_EXCHANGES = 1_000
"""A greater count is taken for this one: what is given back must fit into a conversation that was too long."""
_TRIVIAL_PROMPT = 10
_TRIVIAL_REPLY = 20


def extract_tail(messages: Iterable[Message], count: int) -> str | None:
    """The last `count` exchanges, oldest first; None when there is none. One pass, holding `count` exchanges.

    An exchange is a person's prompt and the last thing the assistant said before the next. It is trivial, and passed
    over, when the prompt has fewer than 10 and the reply fewer than 20 UTF-16 units. Each text is cut to 150 tokens.
    Unlike in the seed, a reply that is only a tool call does not hide the words before it, and automatic turns
    (heartbeats, system events) and metadata are left out.
    """
    recent: deque[tuple[str, str]] = deque(maxlen=min(max(count, 0), MOST_EXCHANGES))
    recent.extend(pair for pair in _exchanges(messages) if not _is_trivial(*pair))
    if not recent:
        return None
    lines = ["=== RECENT EXCHANGE (protected) ==="]
    for prompt, reply in recent:
        lines += [f"User: {_shorten(prompt)}", f"Assistant: {_shorten(reply)}", "---"]
    return "\n".join([*lines, "=== END RECENT EXCHANGE ==="])


def _exchanges(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    prompt: str | None = None
    reply: str | None = None
    reply_id = ""
    for message in messages:
        if message.role is Role.USER:
            if prompt is not None and reply is not None:
                yield prompt, reply
            prompt = clean_prompt(message.text) if message.is_prompt else None
            reply, reply_id = None, ""
        elif message.role is Role.ASSISTANT and not is_silent_reply(message.text):
            text = clean_reply(message.text)
            if text and reply and message.id and message.id == reply_id:
                reply = f"{reply}\n{text}"  # another part of the same message
            else:
                reply = text or reply or ""
            reply_id = message.id
    if prompt is not None and reply is not None:
        yield prompt, reply


def _is_trivial(prompt: str, reply: str) -> bool:
    return utf16_length(prompt) < _TRIVIAL_PROMPT and utf16_length(reply) < _TRIVIAL_REPLY


def _shorten(text: str) -> str:
    kept = truncate_tokens(text, TOKENS_PER_MESSAGE)
    return text if kept == text else f"{kept}..."
