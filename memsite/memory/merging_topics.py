"""The fields of one topic that two machines changed in INDEX.md, brought to one value.

Fields are handled as the lines that they are, so that what a person wrote around them stays. A field on which the two
sides contradict each other (status, description) is left alone: git's text merge then shows the conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath
from typing import TypeVar

from memsite.memory.index import ReadEntry
from memsite.memory.index_fields import fold, format_dates
from memsite.memory.index_spans import FIELD_ORDER, IndexSpans, Item
from memsite.memory.merged import settled
from memsite.memory.model import GenerationRef, Status, TopicEntry
from memsite.values import dataclass

T = TypeVar("T")

Splice = tuple[int, int, str]
"""Start, end and the new text between them, in offsets of the decoded text."""


@dataclass(frozen=True, slots=True)
class Held:
    """One topic in one version of INDEX.md."""

    spans: IndexSpans
    read: ReadEntry

    @property
    def entry(self) -> TopicEntry:
        """What it says."""
        return self.read.entry

    def lines(self, first: int, last: int) -> str:
        """Lines of the file as they are, with their ends."""
        return self.spans.text[self.start(first) : self.start(last + 1)]

    def start(self, number: int) -> int:
        """Offset of a line's first character; that of the end for the line after the last."""
        lines = self.spans.lines
        return lines[number - 1].start if number <= len(lines) else len(self.spans.text)

    def field(self, name: str) -> str | None:
        """The lines of a field; None without it."""
        part = self.read.span.field(name)
        return self.lines(part.item.line, part.item.last_line) if part else None

    def valued(self, name: str, value: str) -> str:
        """The lines of a field that is there, with another value."""
        part = self.read.span.field(name)
        assert part is not None  # noqa: S101 - asked of a field that was read
        start, end = self.start(part.item.line), self.start(part.item.last_line + 1)
        return self.spans.text[start : part.value.start] + value + self.spans.text[part.value.end : end]


@dataclass(frozen=True, slots=True)
class Trio:
    """One topic in the base, where it has it, and on both sides."""

    base: Held | None
    one: Held
    other: Held

    @property
    def all(self) -> tuple[Held, ...]:
        """Every version that there is."""
        return tuple(held for held in (self.base, self.one, self.other) if held)

    def dates(self) -> tuple[date, ...]:
        """The dates of both sides; one that a side took out of the base's is out."""
        return tuple(sorted(_united(held.entry.dates if held else () for held in (self.base, self.one, self.other))))

    def generations(self) -> tuple[GenerationRef, ...]:
        """The generations that any version lists, each once, oldest first."""
        refs = {_key(ref): ref for held in self.all for ref in held.entry.consolidations}
        return tuple(sorted(refs.values(), key=_age))

    def fields(self) -> Iterator[tuple[str, str | None]]:
        """Name and agreed lines (None: the field is gone) of each field but the dates that the sides can agree on."""
        for name, agree in _AGREE.items():
            lines = [held.field(name) if held else None for held in (self.base, self.one, self.other)]
            agreed = settled(*lines) if name != "consolidations" else _alike(lines[1], lines[2])
            agreed = agreed or agree(self)
            if agreed and any(held.field(name) != agreed[0] for held in self.all):
                yield name, agreed[0]

    def picked(self, name: str) -> Held:
        """The side whose lines of a field are the model for new ones: the same one whichever side merges."""
        return max((self.one, self.other), key=lambda held: (len(held.field(name) or ""), held.field(name) or ""))


def field_splices(trio: Trio, held: Held) -> list[Splice]:
    """What brings one version of a topic to the agreed fields."""
    splices = [*_date_splices(trio, held)]
    for name, lines in trio.fields():
        part = held.read.span.field(name)
        if part:
            splices.append((held.start(part.item.line), held.start(part.item.last_line + 1), lines or ""))
        elif lines:
            at = held.start(_place(held, name) + 1)
            splices.append((at, at, lines))
    return splices


def _date_splices(trio: Trio, held: Held) -> Iterator[Splice]:
    texts = [one.read.span.dates.text for one in (trio.one, trio.other)]
    text = texts[0] if texts[0] == texts[1] else format_dates(trio.dates())
    span = held.read.span.dates
    if span.text != text and all(one.read.span.bracketed for one in trio.all):
        yield span.start, span.end, text


def _place(held: Held, name: str) -> int:
    """The line after which a new field goes: the fields have one order."""
    before = FIELD_ORDER[: FIELD_ORDER.index(name)]
    ends = [part.item.last_line for part in held.read.span.fields if part.name in before]
    return max(ends, default=held.read.span.item.head_last_line)


Agreed = tuple[str | None] | None
"""The lines of a field as both sides can have them; None where they contradict."""


def _alike(one: str | None, other: str | None) -> Agreed:
    return (one,) if one == other else None


def _aliases(trio: Trio) -> Agreed:
    names: dict[str, str] = {}
    for held in trio.all:
        for name in held.entry.aliases:
            names.setdefault(fold(name), name)
    kept = _united(tuple(map(fold, held.entry.aliases)) if held else () for held in (trio.base, trio.one, trio.other))
    before = [fold(name) for name in trio.base.entry.aliases] if trio.base else []
    order = [*(name for name in before if name in kept), *sorted(kept - set(before))]
    return (trio.picked("aliases").valued("aliases", f"[{', '.join(names[name] for name in order)}]"),)


def _description(trio: Trio) -> Agreed:
    before = trio.base.entry.description if trio.base else ""
    return _by_value(trio, "description", before, lambda entry: entry.description)


def _status(trio: Trio) -> Agreed:
    before = trio.base.entry.status if trio.base else Status.ACTIVE
    return _by_value(trio, "status", before, lambda entry: entry.status)


def _by_value(trio: Trio, name: str, before: str, read: Callable[[TopicEntry], str]) -> Agreed:
    """The lines of the side whose value stands, where the lines differ in more than their form."""
    value = settled(before, read(trio.one.entry), read(trio.other.entry))
    lines = [held.field(name) or "" for held in (trio.one, trio.other) if value and read(held.entry) == value[0]]
    return (max(lines, key=lambda text: (len(text), text)) or None,) if lines else None


def _current(trio: Trio) -> Agreed:
    newest = max(trio.generations(), key=_age, default=None)
    sides = [held for held in (trio.one, trio.other) if newest and held.entry.current == newest.path]
    lines = [held.field("current") or "" for held in sides]
    if lines:
        return (max(lines, key=lambda text: (len(text), text)),)
    return (trio.picked("current").valued("current", str(newest.path)),) if newest else None


def _consolidations(trio: Trio) -> Agreed:
    """Every generation that a side lists, by number; what else stands under the heading, after them."""
    model = trio.picked("consolidations")
    part = model.read.span.field("consolidations")
    if part is None:
        return None
    prefix = part.item.children[0].prefix if part.item.children else ""
    base, one, other = (_listed(held, prefix) if held else {} for held in (trio.base, trio.one, trio.other))
    listed: list[str] = []
    for key in _ordered([*base, *one, *other]):
        versions = [side.get(key) for side in (base, one, other)]
        agreed = settled(*versions) or (max(version or "" for version in versions[1:]),)
        kept = agreed[0] or (max(version or "" for version in versions) if key[0] else "")
        listed.append(kept)
    head = model.lines(part.item.line, part.item.children[0].line - 1 if part.item.children else part.item.last_line)
    return (head + "".join(listed),)


_AGREE: dict[str, Callable[[Trio], Agreed]] = {
    "aliases": _aliases,
    "description": _description,
    "consolidations": _consolidations,
    "current": _current,
    "status": _status,
}

_Key = tuple[int, str, str]
"""Number, day and path of a generation; 0, an empty text and the words of any other line."""


def _listed(held: Held, prefix: str) -> dict[_Key, str]:
    """The lines below `Consolidations:`, with one indentation."""
    part = held.read.span.field("consolidations")
    refs = {ref.line: _age(ref) for ref in held.entry.consolidations}
    children = part.item.children if part else []
    return {refs.get(item.line, (0, "", item.head.text)): _prefixed(held, item, prefix) for item in children}


def _prefixed(held: Held, item: Item, prefix: str) -> str:
    text = held.lines(item.line, item.last_line)
    return (prefix or item.prefix) + text[len(item.prefix) :]


def _ordered(keys: Iterable[_Key]) -> list[_Key]:
    return sorted(dict.fromkeys(keys), key=lambda key: (key[0] == 0, *key))


def _age(ref: GenerationRef) -> _Key:
    return ref.number, ref.day.isoformat() if ref.day else "", str(ref.path)


def _key(ref: GenerationRef) -> tuple[int, PurePosixPath]:
    return ref.number, ref.path


def _united(versions: Iterable[Iterable[T]]) -> set[T]:
    base, one, other = map(set, versions)
    return (one | other) - (base - one) - (base - other)
