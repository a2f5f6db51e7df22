"""The bare format: `{role, content}` objects, as a JSON list or one a line. Other readers use it for their messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from memsite.capture.fields import read_blocks, read_text, read_texts, read_time
from memsite.capture.message import Message, Role, Transcript
from memsite.capture.noise import automatic_reason, clean_prompt, is_harness_text

_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "toolResult": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}


def detects(record: dict[str, object]) -> bool:
    """Whether this is a bare message."""
    return "content" in record and read_role(record) is not None


def read_records(records: Iterable[dict[str, object]], transcript: Transcript) -> Iterator[Message]:
    """The messages of bare records. Their time is `timestamp`, `created_at` or `at`, where there is one."""
    for record in records:
        times = (read_time(record.get(key)) for key in ("timestamp", "created_at", "at"))
        at = next((time for time in times if time), None)
        yield from read_message(record, transcript, at=at, message_id=read_text(record.get("id")))
        del record


def read_role(body: dict[str, object]) -> Role | None:
    """The role of a message body, None for one that is nobody's."""
    return _ROLES.get(read_text(body.get("role")))


def read_message(
    body: dict[str, object], transcript: Transcript, *, at: datetime | None, message_id: str
) -> Iterator[Message]:
    """The messages in one body `{role, content}`: one, or two where a user's turn carries tool results and text.

    A user message whose content is neither a text nor a list is counted as unreadable; an assistant's is a tool call.
    """
    role, content = read_role(body), body.get("content")
    if role is Role.USER and not isinstance(content, str | list):
        transcript.skipped += 1
    elif role is Role.USER:
        yield from _user_messages(content, at, message_id)
    elif role is not None:
        yield Message(role, "\n".join(read_texts(content)), at, message_id)


def _user_messages(content: object, at: datetime | None, message_id: str) -> Iterator[Message]:
    results = read_blocks(content, "tool_result")
    if results:
        text = "\n".join(text for result in results for text in read_texts(result.get("content")))
        yield Message(Role.TOOL, text, at, message_id)
    texts = read_texts(content)
    written = [text for text in texts if not is_harness_text(text)]
    has_picture = bool(read_blocks(content, "image", "input_image", "document", "file"))
    if written or (has_picture and not results):
        yield user_message("\n".join(written), at, message_id, has_picture=has_picture)
    elif texts:
        yield Message(Role.SYSTEM, "\n".join(texts), at, message_id)


def user_message(text: str, at: datetime | None, message_id: str, *, has_picture: bool = False) -> Message:
    """A user-role message that no harness inserted: a person's prompt, or the opening of an automatic turn."""
    is_prompt = automatic_reason(text) is None and (has_picture or bool(clean_prompt(text)))
    return Message(Role.USER, text, at, message_id, is_prompt)
