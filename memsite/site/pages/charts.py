"""Columns over time: a month or a week each, as high as what it counts, each leading to what it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from memsite.site.pages.calendars import Mark
from memsite.site.pages.views import Link
from memsite.values import dataclass

WIDTH, HEIGHT = 740.0, 84.0
WIDEST = 28.0
"""Of a column with the space beside it: three months do not fill a page."""
LEAST = 1.5
"""Height of a column that counts anything at all."""
TICK_ROOM = 44.0


@dataclass(frozen=True, slots=True)
class Period:
    """What a column counts."""

    name: str
    """Below the column; empty for most."""
    label: str
    """What it says when asked."""
    amount: int
    link: Link | None


@dataclass(frozen=True, slots=True)
class Column:
    """One period; y grows downwards."""

    x: float
    y: float
    height: float
    label: str
    link: Link | None


@dataclass(frozen=True, slots=True)
class Chart:
    """The drawing. Columns stand on the line at HEIGHT, names below it."""

    columns: tuple[Column, ...]
    ticks: tuple[Mark, ...]
    column_width: float
    most: int
    """What the highest column counts."""
    width: float
    base: float = HEIGHT
    height: float = HEIGHT + 18


def draw_chart(periods: Sequence[Period]) -> Chart | None:
    """The periods side by side, in their order; None when no two of them count anything.

    The drawing ends with the last that counts anything: one that is wider than its place is shown from its end.
    """
    if sum(period.amount > 0 for period in periods) < 2:
        return None
    step = min(WIDTH / len(periods), WIDEST)
    periods = periods[: max(place for place, period in enumerate(periods, start=1) if period.amount)]
    most = max(period.amount for period in periods)
    columns = []
    for position, period in enumerate(periods):
        height = round(max(HEIGHT * period.amount / most, LEAST if period.amount else 0.0), 1)
        x = round(position * step, 1)
        columns.append(Column(x, round(HEIGHT - height, 1), height, period.label, period.link))
    return Chart(tuple(columns), _ticks(periods, step), round(step * 0.78, 1), most, round(step * len(periods), 1))


def _ticks(periods: Sequence[Period], step: float) -> tuple[Mark, ...]:
    ticks: list[Mark] = []
    for position, period in enumerate(periods):
        x = round(position * step, 1)
        if period.name and (not ticks or x - ticks[-1].x >= TICK_ROOM):
            ticks.append(Mark(x, period.name))
    return tuple(ticks)
