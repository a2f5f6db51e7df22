"""The session logs as tables and charts: all years, and each year day by day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from itertools import groupby

from memsite.memory.model import SessionLog
from memsite.site.links import session_day_uri
from memsite.site.pages.addresses import SESSIONS, printable, sessions_year_uri
from memsite.site.pages.atlas import Atlas, LogItem
from memsite.site.pages.charts import Chart, Period, draw_chart
from memsite.site.pages.dates import MONTHS, counted, long_date
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass

SECTION = PageLink("Sessions", SESSIONS)
LATEST = 14
"""Days on the overview, as `memsite sessions` lists them."""
MAX_TOPICS = 3
"""First lines of a day's sessions in the table."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A day in a table."""

    day: date
    anchor: str
    link: Link
    sessions: int
    messages: tuple[int, int] | None
    """Of users and assistants, as far as they are known; None: of no session of the day."""
    tokens: int | None
    topics: tuple[str, ...]
    deleted: bool


@dataclass(frozen=True, slots=True)
class SessionYear:
    """A year in the table of years."""

    link: Link
    days: int
    sessions: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SessionsView:
    """All session logs, or those of one year; latest first."""

    title: str
    days: int
    sessions: int
    tokens: int
    chart: Chart | None
    rows: tuple[SessionRow, ...]
    rows_title: str
    years: tuple[SessionYear, ...] = ()
    previous: Link | None = None
    following: Link | None = None


def sessions_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """The overview, then each year."""
    yield make_page(atlas, Place(SESSIONS, PageKind.SESSIONS, "Sessions", in_nav=True), partial(_overview, atlas))
    years = sorted(atlas.logs_in)
    for position, year in enumerate(years):
        before = year_link(years[position - 1]) if position else None
        after = year_link(years[position + 1]) if position + 1 < len(years) else None
        title = f"{year:04d}"
        place = Place(
            sessions_year_uri(year), PageKind.SESSIONS, title, (SECTION,), before, after, in_nav=len(years) > 1
        )
        yield make_page(atlas, place, partial(_year, atlas, place, year))


def year_link(year: int) -> PageLink:
    """A year's page."""
    return PageLink(f"{year:04d}", sessions_year_uri(year))


def _overview(atlas: Atlas) -> SessionsView:
    newest = _newest(atlas)
    years = groupby(newest, key=lambda item: item.log.day.year)
    periods = tuple(_months(newest))
    title = "Latest days" if len(newest) > LATEST else "Days"
    years_shown = tuple(_year_row(year, list(items)) for year, items in years)
    return _view("Sessions", newest, draw_chart(periods), newest[:LATEST], title, years_shown)


def _year(atlas: Atlas, place: Place, year: int) -> SessionsView:
    items = list(reversed(atlas.logs_in[year]))
    near = [Link(link.title, link.uri) if link else None for link in (place.previous, place.following)]
    chart = draw_chart(tuple(_weeks(year, items)))
    return _view(f"Sessions of {place.title}", items, chart, items, "Days", (), *near)


def _view(
    title: str,
    items: list[LogItem],
    chart: Chart | None,
    shown: list[LogItem],
    rows_title: str,
    years: tuple[SessionYear, ...],
    previous: Link | None = None,
    following: Link | None = None,
) -> SessionsView:
    rows = tuple(_row(item) for item in shown)
    sessions = sum(len(item.log.entries) for item in items)
    tokens = sum(_tokens(item.log) for item in items)
    return SessionsView(title, len(items), sessions, tokens, chart, rows, rows_title, years, previous, following)


def _newest(atlas: Atlas) -> list[LogItem]:
    return sorted(atlas.logs.values(), key=lambda item: item.log.day, reverse=True)


def _year_row(year: int, items: list[LogItem]) -> SessionYear:
    sessions = sum(len(item.log.entries) for item in items)
    link = Link(f"{year:04d}", sessions_year_uri(year))
    return SessionYear(link, len(items), sessions, sum(_tokens(item.log) for item in items))


def _row(item: LogItem) -> SessionRow:
    log = item.log
    return SessionRow(
        log.day,
        day_anchor(log.day),
        Link(log.day.isoformat(), session_day_uri(log.day)),
        len(log.entries),
        _messages(log),
        _tokens(log) if any(entry.has_tokens for entry in log.entries) else None,
        tuple(printable(entry.topic) for entry in log.entries[:MAX_TOPICS]),
        item.deletion is not None,
    )


def day_anchor(day: date) -> str:
    """Where a day's row stands on the page of its year."""
    return f"d{day.isoformat()}"


def _messages(log: SessionLog) -> tuple[int, int] | None:
    known = [entry for entry in log.entries if entry.has_messages]
    return (sum(one.user_messages for one in known), sum(one.assistant_messages for one in known)) if known else None


def _tokens(log: SessionLog) -> int:
    return sum(entry.tokens for entry in log.entries)


def _weeks(year: int, items: Iterable[LogItem]) -> Iterator[Period]:
    """Every week of a year, from Monday; a week that two years share has in each its part."""
    logs: dict[int, list[SessionLog]] = defaultdict(list)
    first = date(year, 1, 1)
    for item in items:
        logs[(item.log.day - first).days + first.weekday()].append(item.log)
    for number in range(54):
        found = [log for day in range(7 * number, 7 * number + 7) for log in logs.get(day, ())]
        days = [day for day in _days(first, 7 * number - first.weekday()) if day.year == year]
        if days:
            name = next((MONTHS[day.month - 1][:3] for day in days if day.day == 1), "")
            yield _period(name, f"Week of {long_date(days[0])}", found, year)


def _days(first: date, offset: int) -> Iterator[date]:
    for number in range(offset, offset + 7):
        ordinal = first.toordinal() + number
        if 1 <= ordinal <= date.max.toordinal():
            yield date.fromordinal(ordinal)


def _months(newest: list[LogItem]) -> Iterator[Period]:
    """Every month from the first log to the last."""
    logs: dict[tuple[int, int], list[SessionLog]] = defaultdict(list)
    for item in newest:
        logs[item.log.day.year, item.log.day.month].append(item.log)
    (first, last) = (min(logs), max(logs)) if logs else ((1, 1), (0, 12))
    for number in range(first[0] * 12 + first[1] - 1, last[0] * 12 + last[1]):
        year, month = number // 12, number % 12 + 1
        name = f"{year:04d}" if month == 1 or (year, month) == first else ""
        yield _period(name, f"{MONTHS[month - 1]} {year}", logs.get((year, month), []), year)


def _period(name: str, label: str, logs: list[SessionLog], year: int) -> Period:
    sessions = sum(len(log.entries) for log in logs)
    tokens = sum(_tokens(log) for log in logs)
    said = f"{counted(sessions, 'session')}, ~{counted(tokens, 'token')}" if logs else "no session"
    newest = max((log.day for log in logs), default=None)
    link = Link(label, sessions_year_uri(year), day_anchor(newest)) if newest else None
    return Period(name, f"{label}: {said}", tokens, link)
