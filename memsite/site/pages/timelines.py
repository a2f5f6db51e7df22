"""A lineage drawn to scale in time: where each date, generation, gap, change of status and tick stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise

from memsite.memory.model import Status
from memsite.site.links import day_uri
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.calendars import Mark
from memsite.site.pages.dates import counted, day_span, long_date
from memsite.site.pages.statuses import StatusChange, status_changes
from memsite.site.pages.views import Link
from memsite.values import dataclass

WIDTH = 740.0
MARGIN = 32.0
LABEL_WIDTH, NUMBER_WIDTH, DIGIT_WIDTH = 52.0, 27.0, 7.0
"""Room of a generation's label, `gen 7`, and of its number alone; nearer ones go into the next row."""
MOST_WORDS = 12
"""Generations from which on labels are numbers."""
MAX_ROWS = 5
"""Of labels. What finds no room in them has a head without a label."""
ROW_HEIGHT = 22.0
TICK_ROOM = 90.0
GAP_ROOM = 64.0
"""From so far apart, the time between two dates is said."""
MIN_DAYS = 6
"""The shortest span that is drawn."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A date of the topic; several days that fall on one place share it."""

    x: float
    label: str
    link: Link | None
    settled: bool
    """Whether a generation covers it."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A generation."""

    x: float
    y: float
    """Of its label's row."""
    text: str
    """Empty where there is no room for a label."""
    label: str
    link: Link
    current: bool
    deleted: bool
    cover: tuple[float, float] | None
    """From where to where its sources reach."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A change of status."""

    x: float
    status: Status
    label: str
    link: Link


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the axis during which the topic had one status."""

    start: float
    end: float
    status: Status


@dataclass(frozen=True, slots=True)
class Timeline:
    """The drawing; y grows downwards, `axis` is the line on which the dates stand."""

    pins: tuple[Pin, ...]
    dots: tuple[Dot, ...]
    gaps: tuple[Mark, ...]
    flags: tuple[Flag, ...]
    stretches: tuple[Stretch, ...]
    ticks: tuple[Mark, ...]
    now: float | None
    """Where the day shown stands; None for a topic that has ended."""
    label_width: float
    axis: float
    height: float
    first: date
    last: date
    width: float = WIDTH


@dataclass(frozen=True, slots=True)
class _Scale:
    first: date
    last: date

    def x(self, day: date) -> float:
        share = (day - self.first).days / max((self.last - self.first).days, 1)
        return round(MARGIN + min(max(share, 0.0), 1.0) * (WIDTH - 2 * MARGIN), 1)


def draw_timeline(atlas: Atlas, line: Lineage) -> Timeline | None:
    """The lineage of a topic as geometry; None when it has no date at all."""
    days = sorted({*line.topic.dates, *(item.generation.day for item in line.items)})
    if not days:
        return None
    changes = tuple(one for one in status_changes(atlas, line.topic) if one.day >= days[0])
    going = line.topic.status is Status.ACTIVE and days[-1] <= atlas.today
    last = atlas.today if going else max(days[-1], *(one.day for one in changes), days[-1])
    missing = max(MIN_DAYS - (last - days[0]).days, 0)
    scale = _Scale(date.fromordinal(max(days[0].toordinal() - missing, 1)), last)
    pins = _pins(line, scale)
    axis = max((pin.y for pin in pins), default=0.0) + (ROW_HEIGHT + 26.0 if pins else 24.0)
    return Timeline(
        pins,
        _dots(atlas, line, scale),
        tuple(_gaps(days, scale)),
        tuple(_flag(change, scale) for change in changes),
        tuple(_stretches(changes, scale, line.topic.status)),
        tuple(_thinned(scale)),
        scale.x(atlas.today) if going else None,
        _label_width(line),
        axis,
        axis + 38.0,
        scale.first,
        scale.last,
    )


def _label_width(line: Lineage) -> float:
    if len(line.items) <= MOST_WORDS:
        return LABEL_WIDTH
    digits = max(len(str(item.generation.number)) for item in line.items)
    return NUMBER_WIDTH + DIGIT_WIDTH * max(digits - 2, 0)


def _pins(line: Lineage, scale: _Scale) -> tuple[Pin, ...]:
    """Oldest first. Room is given from the newest on: where it is short, the past goes without labels."""
    room = _label_width(line)
    ordered = sorted(line.items, key=lambda item: (item.generation.day, item.generation.number))
    starts: list[float] = []
    rows: list[int | None] = []
    for item in reversed(ordered):
        x = scale.x(item.generation.day)
        row = next((row for row, start in enumerate(starts) if x + room / 2 <= start), len(starts))
        rows.append(row if row < MAX_ROWS else None)
        if row < MAX_ROWS:
            starts[row:] = [x - room / 2, *starts[row + 1 :]]
    lowest = len(starts) - 1
    return tuple(_pin(line, item, scale, row, lowest) for item, row in zip(ordered, reversed(rows), strict=True))


def _pin(line: Lineage, item: GenerationItem, scale: _Scale, row: int | None, lowest: int) -> Pin:
    generation = item.generation
    cover = generation.covers
    text = f"gen {generation.number}" if len(line.items) <= MOST_WORDS else str(generation.number)
    return Pin(
        scale.x(generation.day),
        (lowest if row is None else row) * ROW_HEIGHT,
        "" if row is None else text,
        f"gen {generation.number}, {long_date(generation.day)}",
        Link(f"Generation {generation.number}", item.uri),
        item is line.current,
        item.deletion is not None,
        (scale.x(cover[0]), scale.x(cover[1])) if cover else None,
    )


def _gaps(days: Sequence[date], scale: _Scale) -> Iterator[Mark]:
    for before, after in pairwise(days):
        start, end = scale.x(before), scale.x(after)
        if end - start >= GAP_ROOM and (after - before).days > 1:
            yield Mark(round((start + end) / 2, 1), day_span(before, after))


def _flag(change: StatusChange, scale: _Scale) -> Flag:
    return Flag(scale.x(change.day), change.status, f"{change.status.value} from {long_date(change.day)}", change.link)


def _stretches(changes: Sequence[StatusChange], scale: _Scale, status: Status) -> Iterator[Stretch]:
    """The axis by status. A topic is active until something else is known; without changes it is what it is now."""
    places = [MARGIN - 22, *(scale.x(change.day) for change in changes), WIDTH - MARGIN + 22]
    statuses = [Status.ACTIVE if changes else status, *(change.status for change in changes)]
    for (start, end), one in zip(pairwise(places), statuses, strict=True):
        if end > start:
            yield Stretch(start, end, one)


def _dots(atlas: Atlas, line: Lineage, scale: _Scale) -> tuple[Dot, ...]:
    covered = [item.generation.covers for item in line.items if item.generation.covers]
    until = max((last for _, last in covered), default=None)
    places: dict[float, list[date]] = {}
    for day in line.topic.dates:
        places.setdefault(scale.x(day), []).append(day)
    return tuple(_dot(atlas, x, days, until) for x, days in sorted(places.items()))


def _dot(atlas: Atlas, x: float, days: Sequence[date], until: date | None) -> Dot:
    last = days[-1]
    label = long_date(last) if len(days) == 1 else f"{counted(len(days), 'day')} up to {long_date(last)}"
    link = Link(last.isoformat(), day_uri(last)) if atlas.has_day(last) else None
    return Dot(x, label, link, until is not None and last <= until)


def _thinned(scale: _Scale) -> Iterator[Mark]:
    end = -TICK_ROOM
    for day, text in _ticks(scale.first, scale.last):
        x = scale.x(day)
        if x - end >= TICK_ROOM:
            end = x
            yield Mark(x, text)


def _ticks(first: date, last: date) -> Iterable[tuple[date, str]]:
    """Days, months or years between two dates, each with its label; the finest kind that gives no crowd."""
    span = (last - first).days
    if span <= 70:
        step = max(1, -(-span // 8))
        return [
            (date.fromordinal(number), date.fromordinal(number).isoformat())
            for number in range(first.toordinal(), last.toordinal() + 1, step)
        ]
    months = span // 30
    if months <= 48:
        step = next(step for step in (1, 2, 3, 6) if months / step <= 9 or step == 6)
        return [(day, f"{day.year:04d}-{day.month:02d}") for day in _months(first, last) if (day.month - 1) % step == 0]
    step = max(1, -(-(last.year - first.year) // 9))
    years = range(first.year + 1, last.year + 1, step)
    return [(date(year, 1, 1), f"{year:04d}") for year in years]


def _months(first: date, last: date) -> Iterator[date]:
    for number in range(first.year * 12 + first.month, last.year * 12 + last.month):
        yield date(number // 12, number % 12 + 1, 1)
