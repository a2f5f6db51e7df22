"""What was read while something was made, by name: what is made of facts that have not changed is not made again.

A fact is a kind and a key: the notes of a day, where a link leads, the commits of a file. While a view is made, what it
reads is noted. The next build compares what the facts are called, which is cheap, and makes only the views anew
that have read one of those that changed. Nobody has to say on what a page depends, and nobody can forget it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import islice
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
    **{kind: (kind, ALL) for kind in ("notes", "problems", "day_problems", "topics_on", "generations_on")},
}
"""By kind: a fact that holds only while all of that kind do. There are thousands of links; few builds move one."""
OF_FILES: Mapping[str, str] = {"near": "revisions", "is_last": "last_blobs"}
"""By kind of facts that are about something (a commit, a text) in a file, with a NUL between: the kind of what must be
as it was of the file itself, and then they are, too.
"""


def _beyond(fact: Fact) -> Fact | None:
    """A fact of which this one is a part: while that holds, so does this."""
    kind, key = fact
    if kind in OF_FILES:
        return OF_FILES[kind], key.partition("\0")[2]
    whole = WHOLES.get(kind)
    return None if whole == fact else whole


FORMAT = 1


class Facts:
    """Notes what is read."""

    def __init__(self) -> None:
        self._open: list[set[Fact]] = []

    def read(self, kind: str, key: object = ALL) -> None:
        """Note that a fact is read, if anything is being made of facts."""
        if self._open:
            self._open[-1].add((kind, str(key)))

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


@dataclass(frozen=True, slots=True)
class _Row:
    basis: str
    key: str
    facts: Sequence[int]


class Kept:
    """The keys of views as the last build found them, with the facts that they were made of.

    Kept in a file that may be deleted at any time. `name` stands for all that is no fact: the program, the settings.
    """

    def __init__(self, file: Path | None, name: str) -> None:
        self._file = file
        self._name = name
        self._rows: dict[str, _Row] = {}
        self._facts: list[Fact] = []
        self._before: list[str] = []
        self._numbers: dict[Fact, int] = {}
        self._values: dict[int, str] = {}
        self._changed: frozenset[int] | None = None
        self._new: dict[str, _Row] = {}

    def load(self) -> None:
        """Read what the last build has kept; nothing where it was of another name, or is damaged."""
        if self._file is None:
            return
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            table = json.loads(self._file.read_bytes())
            if table["format"] == FORMAT and table["name"] == self._name:
                facts: list[Fact] = [(kind, key) for kind, key, _ in table["facts"]]
                rows = {name: _Row(*row) for name, row in table["rows"].items()}
                if all(0 <= number < len(facts) for row in rows.values() for number in row.facts):
                    self._before = [str(value) for _, _, value in table["facts"]]
                    self._facts, self._rows = facts, rows
                    self._numbers = {fact: number for number, fact in enumerate(facts)}

    def key(self, name: str, basis: str, facts: Facts, value: Callable[[Fact], str], make: Callable[[], str]) -> str:
        """The key of what is called `name`: as kept while `basis` and the facts are as they were, else made.

        `value` gives what a fact is now. Who stands around has read these facts, too.
        """
        row = self._rows.get(name)
        if row is None or row.basis != basis or (row.facts and not self._changes(value).isdisjoint(row.facts)):
            with facts.noted() as read:
                key = make()
            row = _Row(basis, key, sorted(map(self._number, read)))
        self._new[name] = row
        facts.add(self._facts[number] for number in row.facts)
        return row.key

    def legacy(self) -> Legacy:
        """What another process, which is begun now, hands over at its end: the keys that it has found since."""
        known = len(self._new)
        return Legacy(lambda: list(self._found(known)), self._take)

    def _found(self, known: int) -> Iterator[tuple[str, str, str, list[Fact]]]:
        for name, row in islice(self._new.items(), known, None):
            yield name, row.basis, row.key, [self._facts[number] for number in row.facts]

    def _take(self, found: Iterable[tuple[str, str, str, list[Fact]]]) -> None:
        for name, basis, key, facts in found:
            self._new.setdefault(name, _Row(basis, key, sorted(map(self._number, facts))))

    def _number(self, fact: Fact) -> int:
        number = self._numbers.setdefault(fact, len(self._facts))
        if number == len(self._facts):
            self._facts.append(fact)
        return number

    def _changes(self, value: Callable[[Fact], str]) -> frozenset[int]:
        if self._changed is None:
            numbers = range(len(self._before))
            self._changed = frozenset(number for number in numbers if not self._holds(number, value))
        return self._changed

    def _holds(self, number: int, value: Callable[[Fact], str]) -> bool:
        """Whether a fact is as it was; it is looked at only where what it is a part of is not."""
        if number not in self._values:
            fact, before = self._facts[number], self._before[number]
            beyond = self._numbers.get(_beyond(fact) or fact, number)
            held = beyond != number and beyond < len(self._before) and self._holds(beyond, value)
            self._values[number] = before if held else value(fact)
        return self._values[number] == self._before[number]

    def save(self, value: Callable[[Fact], str], lasting: Container[str]) -> None:
        """Keep what this build has found, and of what it did not ask for the `lasting` names.

        Nothing is kept where it cannot be written.
        """
        if self._file is None:
            return
        self._new |= {name: row for name, row in self._rows.items() if name not in self._new and name in lasting}
        used = {number for row in self._new.values() for number in row.facts}
        beyond = {one for number in used if (one := _beyond(self._facts[number])) is not None}
        used.update(map(self._number, sorted(beyond)))
        new = {number: at for at, number in enumerate(sorted(used))}
        facts = [[*self._facts[number], self._values.get(number) or value(self._facts[number])] for number in new]
        rows = {name: [row.basis, row.key, [new[number] for number in row.facts]] for name, row in self._new.items()}
        table = {"format": FORMAT, "name": self._name, "facts": facts, "rows": rows}
        data = json.dumps(table, separators=(",", ":")).encode()
        with suppress(OSError):
            temporary = f"{self._file.name}.{os.getpid()}"
            write_atomic(self._file.parent, self._file.name, data, temporary=temporary, durable=False)


def name_of(value: object) -> str:
    """A short name for a value by its `repr`."""
    return blake2b(repr(value).encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
