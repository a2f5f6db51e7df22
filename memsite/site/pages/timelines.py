"""A lineage drawn to scale in time: where each date, generation and tick stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from memsite.memory.model import Status
from memsite.site.links import day_uri
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.calendars import Mark
from memsite.site.pages.dates import counted, long_date
from memsite.site.pages.views import Link

WIDTH = 740.0
MARGIN = 32.0
LABEL_WIDTH = 52.0
"""Room of a generation's label; nearer ones go into the next row."""
MAX_ROWS = 5
ROW_HEIGHT = 22.0
TICK_ROOM = 90.0
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
    label: str
    link: Link
    current: bool
    deleted: bool
    cover: tuple[float, float] | None
    """From where to where its sources reach."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The drawing; y grows downwards, `axis` is the line on which the dates stand."""

    pins: tuple[Pin, ...]
    dots: tuple[Dot, ...]
    ticks: tuple[Mark, ...]
    now: float | None
    """Where the day shown stands; None for a topic that has ended."""
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
    going = line.topic.status is Status.ACTIVE and days[-1] <= atlas.today
    last = atlas.today if going else days[-1]
    missing = max(MIN_DAYS - (last - days[0]).days, 0)
    scale = _Scale(date.fromordinal(max(days[0].toordinal() - missing, 1)), last)
    pins = _pins(line, scale)
    rows = max((pin.y for pin in pins), default=0.0)
    axis = rows + (ROW_HEIGHT + 26.0 if pins else 16.0)
    ticks = tuple(_thinned(scale))
    now = scale.x(atlas.today) if going else None
    return Timeline(pins, _dots(atlas, line, scale), ticks, now, axis, axis + 38.0, scale.first, scale.last)


def _pins(line: Lineage, scale: _Scale) -> tuple[Pin, ...]:
    ends: list[float] = []
    pins = []
    for item in sorted(line.items, key=lambda item: (item.generation.day, item.generation.number)):
        x = scale.x(item.generation.day)
        row = next((row for row, end in enumerate(ends) if end <= x - LABEL_WIDTH / 2), len(ends))
        row = min(row, MAX_ROWS - 1)
        if row == len(ends):
            ends.append(0.0)
        ends[row] = x + LABEL_WIDTH / 2
        pins.append(_pin(line, item, scale, row))
    return tuple(pins)


def _pin(line: Lineage, item: GenerationItem, scale: _Scale, row: int) -> Pin:
    generation = item.generation
    cover = generation.covers
    return Pin(
        scale.x(generation.day),
        row * ROW_HEIGHT,
        f"gen {generation.number}",
        f"Generation {generation.number}, {long_date(generation.day)}",
        Link(f"Generation {generation.number}", item.uri),
        item is line.current,
        item.deletion is not None,
        (scale.x(cover[0]), scale.x(cover[1])) if cover else None,
    )


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
