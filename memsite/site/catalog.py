"""All pages of a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from memsite.site.facts import Kept
from memsite.site.machines.files import machine_files
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.calendar_pages import calendar_pages
from memsite.site.pages.compare import compare_pages
from memsite.site.pages.compare_any import compare_any_pages
from memsite.site.pages.days import day_pages
from memsite.site.pages.generations import generation_pages
from memsite.site.pages.history import history_pages
from memsite.site.pages.history_days import history_day_pages
from memsite.site.pages.home import home_pages
from memsite.site.pages.index import index_pages
from memsite.site.pages.notes import note_pages, notes_pages
from memsite.site.pages.session_tables import sessions_pages
from memsite.site.pages.sessions import session_day_pages
from memsite.site.pages.topics import topic_pages, topics_pages
from memsite.site.spec import MachineFiles, PageSpec, SiteIdentity, SiteSource

MakeMachineFiles = Callable[[SiteIdentity], MachineFiles]
_SECTIONS = (
    home_pages,
    topics_pages,
    topic_pages,
    generation_pages,
    compare_pages,
    compare_any_pages,
    calendar_pages,
    day_pages,
    sessions_pages,
    session_day_pages,
    history_pages,
    history_day_pages,
    notes_pages,
    note_pages,
    index_pages,
)


def all_pages(source: SiteSource) -> tuple[PageSpec, ...]:
    """Every page that the memory and its history have, each address once, in a fixed order.

    Making this list renders nothing: each page's `content` does that when it is called.
    """
    return tuple(_each_once(Atlas(source)))


def all_files(
    source: SiteSource, kept: Kept | None = None, state: str = ""
) -> tuple[tuple[PageSpec, ...], MakeMachineFiles, Atlas]:
    """`all_pages`, what makes the files for other programs once the site has a name, and what keeps the keys of both
    for the next build. `state` names all of the source.
    """
    atlas = Atlas(source, kept, state)
    return tuple(_each_once(atlas)), partial(machine_files, atlas), atlas


def _each_once(atlas: Atlas) -> Iterator[PageSpec]:
    seen: set[str] = set()
    for section in _SECTIONS:
        for page in section(atlas):
            if page.uri.casefold() not in seen:
                seen.add(page.uri.casefold())
                yield page
