"""Session logs of two machines, merged entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from pathlib import PurePosixPath

from memsite.memory.merged import Merged, MergeText, settled
from memsite.memory.model import SessionEntry
from memsite.memory.session_log import is_own_line, parse_session_log
from memsite.memory.snapshot import Blob
from memsite.values import dataclass, replace

Key = tuple[str | bytes, int]
"""A session's id, or an entry's bytes where it has none, and which one of its kind it is."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry with all that follows it up to the next."""

    body: bytes
    """Without blank lines at its end."""
    tail: bytes
    """The line end of its last line and blank lines; empty at the end of a file without one."""
    about: SessionEntry

    @property
    def order(self) -> tuple[object, ...]:
        return self.about.time, self.about.session_id, self.body, self.tail

    @property
    def growth(self) -> tuple[object, ...]:
        """How far the session had gone on when this was written."""
        messages = self.about.user_messages + self.about.assistant_messages
        return messages, self.about.tokens, len(self.body), self.body


@dataclass(frozen=True, slots=True)
class _Log:
    preamble: bytes
    entries: dict[Key, _Entry]


def merge_logs(base: bytes, one: bytes, other: bytes, merge_text: MergeText) -> Merged:
    """Merge two logs; see `merging.merge_session_log`."""
    old, mine, yours = map(_parse, (base, one, other))
    merged = {key: entry for key in old.entries if (entry := _merge_kept(key, old, mine, yours))}
    added = [entry for key in {**mine.entries, **yours.entries} for entry in _merge_added(key, old, mine, yours)]
    preamble, conflict = _merge_preamble(old.preamble, mine.preamble, yours.preamble, merge_text)
    entries = [*merged.values(), *sorted(added, key=lambda entry: entry.order)]
    return Merged(_joined([preamble, *(entry.body + entry.tail for entry in entries)]), conflict)


def _parse(data: bytes) -> _Log:
    about = parse_session_log(PurePosixPath(), date.min, Blob("", data)).entries
    lines = _split(data)
    starts = [entry.first_line - 1 for entry in about]
    blocks = [b"".join(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]
    preamble = b"".join(lines[: starts[0]] if starts else lines)
    return _Log(preamble, dict(_keyed(map(_entry, blocks, about))))


def _split(data: bytes) -> list[bytes]:
    """Lines as the parser counts them: a lone carriage return ends none."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    return [*lines[:-1], lines[-1][:-1]]


def _entry(block: bytes, about: SessionEntry) -> _Entry:
    body = block.rstrip()
    return _Entry(body, block[len(body) :], about)


def _keyed(entries: Iterable[_Entry]) -> Iterator[tuple[Key, _Entry]]:
    seen: Counter[str | bytes] = Counter()
    for entry in entries:
        name = entry.about.session_id or entry.body
        seen[name] += 1
        yield (name, seen[name]), entry


def _merge_kept(key: Key, old: _Log, mine: _Log, yours: _Log) -> _Entry | None:
    """An entry of the base as it is now; None when one side deleted it and the other left it alone."""
    base, one, other = old.entries[key], mine.entries.get(key), yours.entries.get(key)
    if one is None or other is None:
        left = one or other
        return left if left and left.body != base.body else None
    return _merge_entry(base, one, other)


def _merge_added(key: Key, old: _Log, mine: _Log, yours: _Log) -> Iterator[_Entry]:
    """What the sides added: one entry for a session, every one of the entries without an id."""
    if key in old.entries:
        return
    one, other = mine.entries.get(key), yours.entries.get(key)
    if one and other and one.about.session_id:
        yield _merge_entry(None, one, other)
    else:
        yield from (entry for entry in (one, other) if entry)


def _merge_entry(base: _Entry | None, one: _Entry, other: _Entry) -> _Entry:
    body = settled(base.body if base else None, one.body, other.body)
    tail = settled(base.tail if base else None, one.tail, other.tail)
    chosen = one if body == (one.body,) else other if body else _grown(base, one, other)
    longest = max(one.tail, other.tail, key=lambda text: (len(text), text))
    return replace(chosen, tail=tail[0] if tail and tail[0] is not None else longest)


def _grown(base: _Entry | None, one: _Entry, other: _Entry) -> _Entry:
    """The version that has gone on further, with the lines that a person put into the other."""
    behind, ahead = sorted((one, other), key=lambda entry: entry.growth)
    known = {*ahead.body.splitlines(), *(base.body.splitlines() if base else ())}
    notes = [line for line in behind.body.splitlines() if line.strip() and line not in known and not _is_own(line)]
    return replace(ahead, body=b"\n".join([ahead.body, *notes]).rstrip())


def _is_own(line: bytes) -> bool:
    return is_own_line(line.decode("utf-8", "replace"))


def _merge_preamble(base: bytes, one: bytes, other: bytes, merge_text: MergeText) -> tuple[bytes, bool]:
    plain = settled(base, one, other)
    return (plain[0], False) if plain else merge_text(base, one, other)


def _joined(parts: Iterable[bytes]) -> bytes:
    """Parts one after the other, each on a line of its own."""
    joined: list[bytes] = []
    for part in filter(None, parts):
        joined += [b"\n", part] if joined and not joined[-1].endswith(b"\n") else [part]
    return b"".join(joined)
