"""Session logs, `sessions/YYYY-MM-DD.md`: one entry per session, one line per fact (FORMATS, "Session log").

An entry begins where the seed's `/mc sessions` counts one, at a line `### HH:MM`. What a session says about itself
(topic, project, id) is made safe on its way in, so that it can never begin a line, a comment or an entry of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time
from itertools import pairwise
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from memsite.memory.appending import appended_block, completed
from memsite.memory.changeset import Append, Changeset, Write
from memsite.memory.later import read_later
from memsite.memory.session_entry import SessionEntry, SessionLog
from memsite.memory.snapshot import Blob
from memsite.patterns import late

NO_TOPIC = "(no topic)"
"""The seed's words for a session without a meaningful user message."""

_HEADING = late(r"### (?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})")
_BOUNDARY = late(r"#{1,3}(?:\s|$)")
_COMMENT = late(r"<!-- memsite:session id=(?P<id>\S+)(?: agent=(?P<agent>\S*))?(?: \S+)* -->\s*")
_FACT = late(r"[-*+] \*\*(?P<name>Topic|Project|Messages|Est\. tokens):\*\*(?P<value>.*)", re.DOTALL)
_MESSAGES = late(r"\s*([0-9]{1,12}) user / ([0-9]{1,12}) assistant")
_TOKENS = late(
    r"\s*~?\s*(?P<whole>[0-9]{1,3}(?:,[0-9]{3}){1,4}(?![0-9])|[0-9]{1,15})(?:\.(?P<part>[0-9]{1,6}))?"
    r"\s?(?:(?P<unit>[kKmM])(?![A-Za-z]))?"
)
"""As memsite writes it, `~9000`, and as a person may: `~9,000`, `~9K`, `~1.2M`."""
_UNITS = {"": 1, "k": 1000, "m": 1_000_000}

_CONTROLS = late(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_SURROGATES = late(r"[\ud800-\udfff]")
_DIRECTION_OVERRIDES = late(r"[\u202a-\u202e\u2066-\u2069]")
_COMMENT_OPENER = late(r"<(\\*)!--", needs=("!--",))
_ESCAPED_OPENER = late(r"<\\(\\*)!--", needs=("!--",))

_SUBJECT_LENGTH = 60


def parse_session_log(path: PurePosixPath, day: date, blob: Blob) -> SessionLog:
    """The entries of a log, those of the seed's plugin (which have no comment line, so no id) included."""
    known = {"day": day, "path": path, "blob": blob}
    return read_later(SessionLog, known, lambda: {"entries": tuple(_iter_entries(blob.text.split("\n")))})


def format_session_entry(entry: SessionEntry) -> str:
    """One entry with the empty line that ends it. Exactly one line of it matches the seed's `^### \\d{2}:\\d{2}`."""
    lines = [f"### {entry.time:%H:%M}", *_format_facts(entry).values()]
    return "\n".join(lines) + "\n\n"


def upsert_session_entry(data: bytes | None, day: date, entry: SessionEntry) -> bytes:
    """The log with the session's entry brought up to date in place, or appended when the log has none of that id.

    `data` None means that there is no file yet. The time in an entry's heading never changes: it is that of the
    session's first message. Every byte outside the lines that change stays. An entry without an id is appended.
    """
    if data is None:
        return _header(day) + format_session_entry(entry).encode()
    updated = _update(data, entry)
    if updated is not None:
        return updated
    return completed(data) + appended_block(data, format_session_entry(entry))


def plan_session_entry(existing: bytes | None, path: PurePosixPath, day: date, entry: SessionEntry) -> Changeset:
    """Log a session. Nothing to do (the same entry again) is an empty Changeset."""
    message = _format_message(day, entry)
    updated = None if existing is None else _update(existing, entry)
    if updated is None:
        block = appended_block(existing, format_session_entry(entry))
        return Changeset((Append(path, block, header=_header(day)),), message)
    if updated == existing:
        return Changeset((), message)
    return Changeset((Write(path, existing, updated),), message)


def session_places(text: str) -> Iterator[tuple[int, int, SessionEntry]]:
    """Where the entries of a log stand in its text, the empty lines below each included."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for entry in _iter_entries(lines):
        last = entry.last_line
        while last < len(lines) and not lines[last].strip():
            last += 1
        yield starts[entry.first_line - 1], min(starts[last], len(text)), entry


def clean_line(text: str) -> str:
    """Foreign text as one harmless line: no control characters, line ends, direction overrides; comments disarmed.

    `<!--` is written `<\\!--`, which Markdown shows as `<!--` and never reads as a comment.
    """
    if text.isprintable() and "  " not in text and "<" not in text:  # as most are
        return text.strip()
    flat = _DIRECTION_OVERRIDES.sub("", _SURROGATES.sub("\ufffd", text))
    flat = _CONTROLS.sub(" ", flat).strip()
    return _COMMENT_OPENER.sub(r"<\1\\!--", flat)


def quote_id(text: str) -> str:
    """An id for use inside a comment: percent-encoded, and no `--` that could end it. `unquote_id` is its inverse."""
    quoted = quote(text, safe="-._~:@/+", errors="surrogatepass")
    while "--" in quoted:
        quoted = quoted.replace("--", "-%2D")
    return quoted


def unquote_id(text: str) -> str:
    """The id that `quote_id` wrote."""
    try:
        return unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return unquote(text)


def is_own_line(line: str) -> bool:
    """Whether a line of an entry is one that memsite writes and brings up to date, none of a person's."""
    return any(pattern.match(line) for pattern in (_HEADING, _COMMENT, _FACT))


def _header(day: date) -> bytes:
    return f"# Session Log — {day.isoformat()}\n\n".encode()


def _format_message(day: date, entry: SessionEntry) -> str:
    subject = (clean_line(entry.topic) or NO_TOPIC)[:_SUBJECT_LENGTH].rstrip()
    body = [f"day: {day.isoformat()}"]
    body += [f"agent: {quote_id(entry.agent)}"] if entry.agent else []
    body += [f"id: {quote_id(entry.session_id)}"] if entry.session_id else []
    return f"session: {subject}\n\n" + "\n".join(body) + "\n"


def _format_facts(entry: SessionEntry) -> dict[str, str]:
    """The lines below the heading, by the name of what they state, in their order."""
    facts: dict[str, str] = {}
    if entry.session_id:
        agent = f" agent={quote_id(entry.agent)}" if entry.agent else ""
        facts["id"] = f"<!-- memsite:session id={quote_id(entry.session_id)}{agent} -->"
    facts["Topic"] = f"- **Topic:** {clean_line(entry.topic) or NO_TOPIC}"
    if project := clean_line(entry.project):
        facts["Project"] = f"- **Project:** {project}"
    facts["Messages"] = f"- **Messages:** {entry.user_messages} user / {entry.assistant_messages} assistant"
    facts["Est. tokens"] = f"- **Est. tokens:** ~{entry.tokens}"
    return facts


def _iter_entries(lines: list[str]) -> Iterator[SessionEntry]:
    starts = [index for index, line in enumerate(lines) if line.startswith("#") and _BOUNDARY.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        at = _parse_time(lines[start])
        if at is None:
            continue
        while not lines[end - 1].strip():
            end -= 1
        yield _parse_entry(at, lines[start:end], start + 1)


def _parse_time(line: str) -> time | None:
    match = _HEADING.match(line)
    if not match or int(match["hour"]) > 23 or int(match["minute"]) > 59:
        return None
    return time(int(match["hour"]), int(match["minute"]))


def _parse_entry(at: time, block: list[str], first_line: int) -> SessionEntry:
    comment = _COMMENT.fullmatch(block[1]) if len(block) > 1 else None
    facts = {name: value for name, value, _ in reversed(list(_iter_facts(block)))}
    messages = _MESSAGES.match(facts.get("Messages", ""))
    tokens = _parse_tokens(facts.get("Est. tokens", ""))
    return SessionEntry(
        time=at,
        topic=_unescape(facts.get("Topic", "")),
        user_messages=int(messages[1]) if messages else 0,
        assistant_messages=int(messages[2]) if messages else 0,
        tokens=tokens or 0,
        session_id=unquote_id(comment["id"]) if comment else "",
        agent=unquote_id(comment["agent"] or "") if comment else "",
        project=_unescape(facts.get("Project", "")),
        has_messages=messages is not None,
        has_tokens=tokens is not None,
        first_line=first_line,
        last_line=first_line + len(block) - 1,
    )


def _parse_tokens(value: str) -> int | None:
    match = _TOKENS.match(value)
    if not match:
        return None
    part = match["part"] or ""
    digits = match["whole"].replace(",", "") + part
    return int(digits) * _UNITS[(match["unit"] or "").lower()] // int("1" + "0" * len(part))


def _iter_facts(block: list[str]) -> Iterator[tuple[str, str, int]]:
    """Name, value and position of each fact line of an entry."""
    for position, line in enumerate(block):
        if match := _FACT.match(line):
            yield match["name"], match["value"], position


def _unescape(text: str) -> str:
    return _ESCAPED_OPENER.sub(r"<\1!--", text).strip()


def _update(data: bytes, entry: SessionEntry) -> bytes | None:
    """The log with that session's entry renewed, or None when it has no such session."""
    if not entry.session_id or not _may_have(data, entry.session_id):
        return None
    # surrogateescape: bytes that are no UTF-8 belong to others and must come back as they were.
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    known = next((old for old in _iter_entries(lines) if old.session_id == entry.session_id), None)
    if known is None:
        return None
    block = slice(known.first_line - 1, known.last_line)
    lines[block] = _renew(lines[block], entry)
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def _may_have(data: bytes, session_id: str) -> bool:
    """Cheaply, whether a log can have a session: by its id as we write it, or in another coding of it."""
    return b"%" in data or any(one.encode("utf-8", "replace") in data for one in (quote_id(session_id), session_id))


def _renew(block: list[str], entry: SessionEntry) -> list[str]:
    """The entry's lines with the facts of `entry`; lines that others added to it, and their order, stay."""
    renewed = list(block)
    wanted = _format_facts(entry)
    comment = wanted.pop("id")
    if entry.agent:
        renewed[1] = _like(renewed[1], comment)
    last = 1
    for name, line in wanted.items():
        found = next((position for fact, _, position in _iter_facts(renewed) if fact == name), None)
        if found is None:
            last += 1
            renewed.insert(last, _like(renewed[0], line))
        else:
            renewed[found] = _like(renewed[found], line)
            last = found
    return renewed


def _like(old: str, new: str) -> str:
    """`new` with the carriage return that the line it replaces had."""
    return new + "\r" if old.endswith("\r") else new
