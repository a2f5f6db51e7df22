"""All days: by year, by month, the latest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from memsite.site.pages.addresses import DAYS, month_uri, year_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.calendars import MonthGrid, level_of, month_grid
from memsite.site.pages.cards import DayRow, day_row, days_so_far
from memsite.site.pages.dates import MONTHS, month_name
from memsite.site.pages.days import SECTION
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass

LATEST = 14


@dataclass(frozen=True, slots=True)
class MonthCell:
    """A month in the table of years."""

    title: str
    link: Link | None
    days: int
    level: int


@dataclass(frozen=True, slots=True)
class YearRow:
    """A year in the table of years."""

    year: int
    link: Link
    days: int
    months: tuple[MonthCell, ...]


@dataclass(frozen=True, slots=True)
class DaysView:
    """`daily/`, a year or a month: exactly one of the three is filled."""

    years: tuple[YearRow, ...] = ()
    grids: tuple[MonthGrid, ...] = ()
    title: str = ""
    rows: tuple[DayRow, ...] = ()
    rows_title: str = ""
    previous: Link | None = None
    following: Link | None = None
    month_links: tuple[Link, ...] = ()
    """Of a year: its months' pages, in the order of `grids`."""


def calendar_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """`daily/`, then each year with its months."""
    place = Place(DAYS, PageKind.DAYS, "Days", in_nav=True)
    yield make_page(atlas, place, partial(_overview, atlas))
    years = sorted({day.year for day in atlas.days})
    for position, year in enumerate(years):
        near = (years[position - 1] if position else None, years[position + 1] if position + 1 < len(years) else None)
        yield _year_page(atlas, year, near)
    months = sorted({(day.year, day.month) for day in atlas.days})
    for position, month in enumerate(months):
        before = months[position - 1] if position else None
        after = months[position + 1] if position + 1 < len(months) else None
        yield _month_page(atlas, month, (before, after))


def _overview(atlas: Atlas) -> DaysView:
    counts = Counter((day.year, day.month) for day in atlas.days)
    years = sorted({day.year for day in atlas.days}, reverse=True)
    rows = tuple(day_row(atlas, day) for day in reversed(days_so_far(atlas, atlas.days)[-LATEST:]))
    return DaysView(tuple(_year_row(counts, year) for year in years), rows=rows, rows_title="Latest days")


def _year_row(counts: Counter[tuple[int, int]], year: int) -> YearRow:
    cells = []
    for month, name in enumerate(MONTHS, start=1):
        days = counts[year, month]
        link = Link(f"{name} {year}", month_uri(year, month)) if days else None
        cells.append(MonthCell(name[:3], link, days, level_of((days + 2) // 3)))
    return YearRow(year, Link(f"{year:04d}", year_uri(year)), sum(cell.days for cell in cells), tuple(cells))


def _year_page(atlas: Atlas, year: int, near: tuple[int | None, int | None]) -> PageSpec:
    before, after = (PageLink(f"{number:04d}", year_uri(number)) if number is not None else None for number in near)
    place = Place(year_uri(year), PageKind.DAYS, f"{year:04d}", (SECTION,), before, after, in_nav=True)
    return make_page(atlas, place, partial(_year, atlas, place, year))


def _year(atlas: Atlas, place: Place, year: int) -> DaysView:
    months = sorted({day.month for day in atlas.days_in[f"{year:04d}"]})
    return DaysView(
        grids=tuple(month_grid(atlas, year, month) for month in months),
        title=place.title,
        previous=_link(place.previous),
        following=_link(place.following),
        month_links=tuple(Link(month_name(month), month_uri(year, month)) for month in months),
    )


Month = tuple[int, int]


def _month_page(atlas: Atlas, month: Month, near: tuple[Month | None, Month | None]) -> PageSpec:
    before, after = (PageLink(_month_title(found), month_uri(*found)) if found else None for found in near)
    crumbs = (SECTION, PageLink(f"{month[0]:04d}", year_uri(month[0])))
    place = Place(month_uri(*month), PageKind.DAYS, _month_title(month), crumbs, before, after, in_nav=True)
    return make_page(atlas, place, partial(_month, atlas, place, month))


def _month(atlas: Atlas, place: Place, month: Month) -> DaysView:
    days = atlas.days_in[f"{month[0]:04d}-{month[1]:02d}"]
    return DaysView(
        grids=(month_grid(atlas, *month),),
        title=place.title,
        rows=tuple(day_row(atlas, day) for day in days),
        rows_title="Day by day",
        previous=_link(place.previous),
        following=_link(place.following),
    )


def _month_title(month: Month) -> str:
    return f"{month_name(month[1])} {month[0]}"


def _link(page: PageLink | None) -> Link | None:
    return Link(page.title, page.uri) if page else None
