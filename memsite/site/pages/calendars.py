"""Calendars: a year of activity as weeks of cells, a month as a grid, a half-year as a row of bars."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date

from memsite.site.links import day_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.dates import MONTHS, counted, long_date
from memsite.site.pages.views import Bar, Link
from memsite.values import dataclass

WEEKS = 53
STEP = 14
"""From one cell to the next; a cell is 11 wide."""
LEFT, TOP = 30, 18
LEVELS = (1, 2, 4, 7)
"""Events of a day from which a cell takes its next shade."""
SPARK_WEEKS = 26
SPARK_HEIGHT = 22


@dataclass(frozen=True, slots=True)
class Cell:
    """One day of the activity calendar."""

    x: int
    y: int
    level: int
    """0 (nothing) to 4."""
    label: str
    link: Link | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A word at a place of a drawing."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class YearCalendar:
    """The year that ends with the day shown."""

    first: date
    last: date
    cells: tuple[Cell, ...]
    months: tuple[Mark, ...]
    active_days: int
    width: int = LEFT + WEEKS * STEP
    height: int = TOP + 7 * STEP


@dataclass(frozen=True, slots=True)
class MonthDay:
    """One day in a month's grid; `day` is None before the first and after the last."""

    day: date | None
    link: Link | None = None
    label: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class MonthGrid:
    """A month, week by week from Monday."""

    year: int
    month: int
    weeks: tuple[tuple[MonthDay, ...], ...]
    days: int
    """How many of its days have a page."""


def day_events(atlas: Atlas, day: date) -> tuple[int, str]:
    """How much happened on a day, and in words."""
    notes = atlas.told(day).count
    sessions = len(atlas.logs[day].log.entries) if day in atlas.logs else 0
    generations = len(atlas.generations_on.get(day, ()))
    parts = [(notes, "note"), (sessions, "session"), (generations, "consolidation")]
    words = ", ".join(counted(number, noun) for number, noun in parts if number)
    return notes + sessions + generations, words or "nothing recorded"


def level_of(events: int) -> int:
    """The shade of that many events: 0 to 4."""
    return sum(events >= bound for bound in LEVELS)


def year_calendar(atlas: Atlas) -> YearCalendar:
    """Notes, sessions and consolidations per day over the year before the day shown."""
    last = atlas.today
    monday = last.toordinal() - last.weekday() - 7 * (WEEKS - 1)
    days = [date.fromordinal(number) for number in range(max(monday, 1), last.toordinal() + 1)]
    offset = max(monday, 1) - monday
    cells = tuple(_cell(atlas, day, index + offset) for index, day in enumerate(days))
    months = [
        Mark(LEFT + (index + offset) // 7 * STEP, MONTHS[day.month - 1][:3])
        for index, day in enumerate(days)
        if day.day == 1 and (index + offset) // 7 < WEEKS - 1
    ]
    return YearCalendar(days[0], last, cells, tuple(months), sum(cell.level > 0 for cell in cells))


def _cell(atlas: Atlas, day: date, index: int) -> Cell:
    events, words = day_events(atlas, day)
    link = Link(day.isoformat(), day_uri(day)) if atlas.has_day(day) else None
    x, y = LEFT + index // 7 * STEP, TOP + index % 7 * STEP
    return Cell(x, y, level_of(events), f"{long_date(day)}: {words}", link)


def month_grid(atlas: Atlas, year: int, month: int) -> MonthGrid:
    """One month with the days that have a page."""
    offset, length = monthrange(year, month)
    days = [MonthDay(None)] * offset + [_month_day(atlas, date(year, month, day)) for day in range(1, length + 1)]
    days += [MonthDay(None)] * (-len(days) % 7)
    weeks = tuple(tuple(days[start : start + 7]) for start in range(0, len(days), 7))
    return MonthGrid(year, month, weeks, sum(day.link is not None for day in days))


def _month_day(atlas: Atlas, day: date) -> MonthDay:
    events, words = day_events(atlas, day)
    link = Link(day.isoformat(), day_uri(day)) if atlas.has_day(day) else None
    return MonthDay(day, link, f"{long_date(day)}: {words}", level_of(events))


def spark_bars(days: Iterable[date], last: date) -> tuple[Bar, ...]:
    """A bar for each week of the half-year up to `last` that has days, as high as it has days, five at most."""
    weeks = Counter((last.toordinal() - day.toordinal()) // 7 for day in days if day <= last)
    bars = []
    for week in range(SPARK_WEEKS - 1, -1, -1):
        height = SPARK_HEIGHT * (min(weeks[week], 5) + 0.5) / 5.5
        if weeks[week]:
            bars.append(Bar((SPARK_WEEKS - 1 - week) * 4.0, height, SPARK_HEIGHT - height))
    return tuple(bars)


def spark_turns(days: Iterable[date], last: date) -> Iterator[date]:
    """The days on which these bars become others, as of `Atlas.today_among`."""
    for day in days:
        weeks = min(max((last.toordinal() - day.toordinal()) // 7, -1), SPARK_WEEKS)
        for week in (max(weeks, 0), min(weeks + 1, SPARK_WEEKS)):
            yield date.fromordinal(min(day.toordinal() + 7 * week, date.max.toordinal()))
