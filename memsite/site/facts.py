"""What was read while something was made, by name: what is made of facts that have not changed is not made again.

A fact is a kind and a key: the notes of a day, where a link leads, the commits of a file. While a view is made, what it
reads is noted. The next build compares what the facts are called, which is cheap, and makes only the views anew
that have read one of those that changed. Nobody has to say on what a page depends, and nobody can forget it.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from json.encoder import encode_basestring_ascii as _quoted  # `dumps` takes three times as long to begin with a text
from pathlib import Path
from typing import Any, TypeVar

from memsite.repo.files import write_atomic
from memsite.values import dataclass

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")
Fact = tuple[str, str]
"""A kind, and what it is about; `ALL` for everything of that kind."""
ALL = "*"
EVERYTHING: Fact = ("everything", ALL)
"""Read by who reads what no finer fact stands for: any change of the memory or its history is a change of it."""
WHOLES: Mapping[str, Fact] = {
    "link": ("links", ALL),
    "address": ("links", ALL),
    "has_day": ("days", ALL),
    "days_in": ("days", ALL),
    **{kind: (kind, ALL) for kind in ("notes", "problems", "day_problems", "topics_on", "generations_on", "mentions")},
}
"""By kind: a fact that holds only while all of that kind do. There are thousands of links; few builds move one."""
WITHIN: Mapping[str, str] = {
    "near": "revisions",
    "text_before": "revisions",
    "is_last": "last_blobs",
    **dict.fromkeys(("told", "names", "cited", "said"), "notes"),
}
"""By kind of facts that are about something (a commit, a text, a reference) in a file or on a day, with a NUL between:
the kind of what must be as it was of the file or the day itself, and then they are, too.
"""


def _beyond(fact: Fact) -> Fact | None:
    """A fact of which this one is a part: while that holds, so does this."""
    kind, key = fact
    if kind in WITHIN:
        return WITHIN[kind], key.partition("\0")[2]
    whole = WHOLES.get(kind)
    return None if whole == fact else whole


FORMAT = f"3 {sys.byteorder}"
_NUMBER = "I"
"""How an `array` holds the number of a fact. In the file these are its bytes: there are millions of them."""


class Facts:
    """Notes what is read."""

    def __init__(self) -> None:
        self._open: list[set[Fact]] = []

    def read(self, kind: str, key: object = ALL) -> None:
        """Note that a fact is read, if anything is being made of facts."""
        if self._open:
            self._open[-1].add((kind, str(key)))

    @property
    def is_noting(self) -> bool:
        """Whether anything is being made of facts."""
        return bool(self._open)

    def add(self, facts: Iterable[Fact]) -> None:
        """Note several."""
        if self._open:
            self._open[-1].update(facts)

    @contextmanager
    def noted(self) -> Iterator[set[Fact]]:
        """What is read inside, and not by who stands around it."""
        found: set[Fact] = set()
        self._open.append(found)
        try:
            yield found
        finally:
            self._open.pop()


class Watched(Mapping[K, V]):
    """A mapping whose readers are noted."""

    def __init__(self, values: Mapping[K, V], kind: str, facts: Facts) -> None:
        self._values, self._kind, self._facts = values, kind, facts

    def __getitem__(self, key: K) -> V:
        self._facts.read(self._kind, key)
        return self._values[key]

    def get(self, key: K, default: D = None) -> V | D:  # type: ignore[assignment]  # as of a dict
        """As of a dict."""
        self._facts.read(self._kind, key)
        return self._values.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._facts.read(self._kind, key)
        return key in self._values

    def __iter__(self) -> Iterator[K]:
        self._facts.read(self._kind)
        return iter(self._values)

    def __len__(self) -> int:
        self._facts.read(self._kind)
        return len(self._values)


@dataclass(frozen=True, slots=True)
class Legacy:
    """What one process leaves to another."""

    leave: Callable[[], Any] = lambda: None
    """Makes it, in the process that ends; it is pickled."""
    take: Callable[[Any], None] = lambda _left: None
    """Takes it, in the process that goes on."""


class _Group:
    """A fact and those that are a part of it: while it holds, so do they, and nobody looks at them."""

    __slots__ = ("_numbers", "fact", "number", "parts", "value")

    def __init__(self, number: int, fact: Fact, value: str | None = None, parts: list[list[Any]] | None = None) -> None:
        self.number, self.fact, self.value = number, fact, value
        self.parts = [] if parts is None else parts
        """Of each: number, kind, key, value; values are None until they are asked for."""
        self._numbers: dict[Fact, int] | None = None

    @property
    def numbers(self) -> dict[Fact, int]:
        """The numbers of its parts."""
        if self._numbers is None:
            self._numbers = {(kind, key): number for number, kind, key, _ in self.parts}
        return self._numbers

    def changes(self, value: Callable[[Fact], str]) -> Iterator[int]:
        """The numbers of what is no longer as it was, which is taken over; `value` gives what a fact is now."""
        now = value(self.fact) if self.value is not None else None
        if now == self.value:
            return
        self.value = now
        yield self.number
        for part in self.parts:
            if part[3] is not None and part[3] != (now := value((part[1], part[2]))):
                part[3] = now
                yield part[0]

    def table(self, value: Callable[[Fact], str], used: Container[int]) -> list[Any] | None:
        """What is kept of it: what is `used`; None where nothing is."""
        parts = [part for part in self.parts if part[0] in used]
        if not parts and self.number not in used:
            return None
        for part in parts:
            part[3] = value((part[1], part[2])) if part[3] is None else part[3]
        return [self.number, *self.fact, value(self.fact) if self.value is None else self.value, parts]


Row = tuple[str, str, "array[int]"]
"""Of a view: the basis, the key, the numbers of the facts that it was made of."""


_Found = tuple[list[tuple[str, Row]], list[int], list[str], list[str]]
"""What a process has found: rows by name, and of facts that only it knows the numbers, the kinds and the keys."""


def _read_row(basis: str, key: str, numbers: str) -> Row:
    return basis, key, array(_NUMBER, a2b_base64(numbers, strict_mode=True))


def _as_text(numbers: array[int]) -> str:
    return b2a_base64(numbers, newline=False).decode()


class Kept:
    """The keys of views as the last build found them, with the facts that they were made of.

    Kept in a file that may be deleted at any time. `name` stands for all that is no fact: the program, the settings.
    """

    def __init__(self, file: Path | None, name: str) -> None:
        self._file = file
        self._name = name
        self._rows: Mapping[str, Row] = {}
        self._groups: dict[Fact, _Group] = {}
        self._next = 0
        self._facts: dict[int, Fact] = {}
        self._changed: frozenset[int] | None = None
        self._new: dict[str, Row] = {}

    def load(self) -> None:
        """Read what the last build has kept; nothing where it was of another name, or is damaged."""
        if self._file is None:
            return
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            table = json.loads(self._file.read_bytes())
            if table["format"] != FORMAT or table["name"] != self._name:
                return
            end, rows = int(table["next"]), {name: _read_row(*row) for name, row in table["rows"].items()}
            groups = {
                (kind, key): _Group(number, (kind, key), value, parts)
                for number, kind, key, value, parts in table["facts"]
            }
            if all(not numbers or max(numbers) < end for _, _, numbers in rows.values()):
                self._next, self._rows, self._groups = end, rows, groups

    def key(self, name: str, basis: str, facts: Facts, value: Callable[[Fact], str], make: Callable[[], str]) -> str:
        """The key of what is called `name`: as kept while `basis` and the facts are as they were, else made.

        `value` gives what a fact is now. Who stands around has read these facts, too.
        """
        row = self._held(name, basis, value)
        if row is None:
            with facts.noted() as read:
                key = make()
            row = (basis, key, self._numbers(read))
        self._new[name] = row
        if row[2] and facts.is_noting:
            facts.add(map(self._fact, row[2]))
        return row[1]

    def find(self, name: str, basis: str, value: Callable[[Fact], str]) -> str | None:
        """The same without making it: None where that must be done."""
        row = self._held(name, basis, value)
        if row is None:
            return None
        self._new[name] = row
        return row[1]

    def _held(self, name: str, basis: str, value: Callable[[Fact], str]) -> Row | None:
        row = self._rows.get(name)
        if row is None or row[0] != basis or (row[2] and not self._changes(value).isdisjoint(row[2])):
            return None
        return row

    def legacy(self) -> Legacy:
        """What another process, which is begun now, hands over at its end: the keys that it has found since."""
        rows, numbers = len(self._new), self._next
        return Legacy(lambda: self._found(rows, numbers), self._take)

    def _found(self, known: int, first: int) -> _Found:
        """What is found beyond so many rows, and the facts in it from number `first` on, which nobody else knows."""
        rows = list(islice(self._new.items(), known, None))
        numbers = sorted({number for _, row in rows for number in row[2] if number >= first})
        facts = list(map(self._fact, numbers))
        return rows, numbers, [kind for kind, _ in facts], [key for _, key in facts]

    def _take(self, found: _Found) -> None:
        rows, numbers, kinds, keys = found
        ours = dict(zip(numbers, map(self._number, zip(kinds, keys, strict=True)), strict=True))
        for name, (basis, key, theirs) in rows:
            self._new.setdefault(name, (basis, key, array(_NUMBER, sorted(ours.get(one, one) for one in theirs))))

    def _numbers(self, facts: Iterable[Fact]) -> array[int]:
        return array(_NUMBER, sorted(map(self._number, facts)))

    def _number(self, fact: Fact) -> int:
        beyond = _beyond(fact)
        if beyond is None:
            return self._group(fact).number
        group = self._group(beyond)
        if fact not in group.numbers:
            group.numbers[fact] = self._next
            group.parts.append([self._next, *fact, None])
            self._next += 1
        return group.numbers[fact]

    def _group(self, fact: Fact) -> _Group:
        if fact not in self._groups:
            self._groups[fact] = _Group(self._next, fact)
            self._next += 1
        return self._groups[fact]

    def _fact(self, number: int) -> Fact:
        if number not in self._facts:
            self._facts = {group.number: fact for fact, group in self._groups.items()}
        if number not in self._facts:
            for group in self._groups.values():
                self._facts.update({part: fact for fact, part in group.numbers.items()})
        return self._facts[number]

    def _changes(self, value: Callable[[Fact], str]) -> frozenset[int]:
        if self._changed is None:
            groups = list(self._groups.values())
            self._changed = frozenset(number for group in groups for number in group.changes(value))
        return self._changed

    def save(self, value: Callable[[Fact], str], lasting: Container[str]) -> None:
        """Keep what this build has found, and of what it did not ask for the `lasting` names.

        Nothing is kept where it cannot be written. Nothing is known here any more then: what follows needs room.
        """
        if self._file is not None:
            self._write(self._file, value, lasting)
        self._rows, self._new, self._groups, self._facts = {}, {}, {}, {}

    def _write(self, file: Path, value: Callable[[Fact], str], lasting: Container[str]) -> None:
        changed = self._changes(value)
        for name, kept in self._rows.items():
            if name in lasting and name not in self._new and changed.isdisjoint(kept[2]):
                self._new[name] = kept
        used = {number for row in self._new.values() for number in row[2]}
        facts = [row for group in self._groups.values() if (row := group.table(value, used)) is not None]
        table = {"format": FORMAT, "name": self._name, "next": self._next, "facts": facts}
        data = bytearray(_as_json(table)[:-1] + b',"rows":{')
        comma = b""
        for name, (basis, key, numbers) in self._new.items():  # as a whole they would be held three times over
            line = f"{_quoted(name)}:[{_quoted(basis)},{_quoted(key)},{_quoted(_as_text(numbers))}]"
            data += comma + line.encode()
            comma = b","
        data += b"}}"
        with suppress(OSError):
            write_atomic(file.parent, file.name, data, temporary=f"{file.name}.{os.getpid()}", durable=False)


def _as_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def name_of(value: object) -> str:
    """A short name for a value by its `repr`."""
    return blake2b(repr(value).encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
