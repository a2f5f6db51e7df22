"""The common home of several agents' sites: who they are, what each works on, what was noted of late."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memsite.memory.model import Index, Memory, Status
from memsite.repo.history import History
from memsite.site.pages.addresses import HOME
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.cards import DayRow, day_row, topic_link
from memsite.site.pages.home import Totals, totals
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link
from memsite.site.spec import PageKind, PageSpec, SiteSource
from memsite.values import dataclass, replace

MOST_TOPICS = 8
LATEST_DAYS = 12
"""Of all agents together."""


@dataclass(frozen=True, slots=True)
class AgentCard:
    """One agent."""

    link: Link
    totals: Totals
    topics: tuple[Link, ...]
    """What it works on, in the order of its index."""
    more: int


@dataclass(frozen=True, slots=True)
class AgentDay:
    """What one agent noted on a day."""

    agent: Link
    row: DayRow


@dataclass(frozen=True, slots=True)
class AgentsView:
    """The common home."""

    today: date
    shown_at: str
    agents: tuple[AgentCard, ...]
    days: tuple[AgentDay, ...]


def agents_page(sources: Mapping[str, SiteSource]) -> PageSpec:
    """The home of a site whose parts stand in folders named as in `sources`."""
    place = Place(HOME, PageKind.AGENTS, "Agents", in_nav=True)
    first = next(iter(sources.values()))
    empty = replace(first, memory=Memory(Index(first.memory.index.path, None)), history=History())
    return make_page(Atlas(empty), place, lambda: _view(sources))


def _view(sources: Mapping[str, SiteSource]) -> AgentsView:
    atlases = {name: Atlas(source) for name, source in sources.items()}
    days = [one for name, atlas in atlases.items() for one in _days(name, atlas)]
    days.sort(key=lambda one: one.row.day, reverse=True)
    return AgentsView(
        max(source.today for source in sources.values()),
        next((source.shown_at for source in sources.values() if source.shown_at), ""),
        tuple(_card(name, atlas) for name, atlas in atlases.items()),
        tuple(days[:LATEST_DAYS]),
    )


def _card(name: str, atlas: Atlas) -> AgentCard:
    active = [line.topic for line in atlas.lineages if line.topic.status is Status.ACTIVE]
    shown = tuple(_below(name, topic_link(topic.slug)) for topic in active[:MOST_TOPICS])
    return AgentCard(Link(name, f"{name}/"), totals(atlas), shown, len(active) - len(shown))


def _days(name: str, atlas: Atlas) -> list[AgentDay]:
    rows = (day_row(atlas, day) for day in atlas.days[-LATEST_DAYS:])
    return [AgentDay(Link(name, f"{name}/"), _row_below(name, row)) for row in rows]


def _row_below(name: str, row: DayRow) -> DayRow:
    topics, generations = ([_below(name, link) for link in links] for links in (row.topics, row.generations))
    return replace(row, link=_below(name, row.link), topics=tuple(topics), generations=tuple(generations))


def _below(name: str, link: Link) -> Link:
    """A link of an agent's own site as the common home has it."""
    return replace(link, uri=f"{name}/{link.uri}")
