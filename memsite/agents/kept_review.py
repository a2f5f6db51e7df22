"""What the last review proposes, kept for the agent's next session: passive by default, nothing is created unasked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from memsite.counting import counted
from memsite.memory.names import is_slug, parse_date
from memsite.repo.files import write_atomic
from memsite.repo.workspace import Repository
from memsite.values import dataclass

if TYPE_CHECKING:
    from memsite.memory.model import TopicEntry
    from memsite.memory.reviewing import Review

FILE = "review.json"
"""In memsite's folder below git's."""
MOST_LINES = 10
_VERSION = 1
_MOST_QUOTE = 100


@dataclass(frozen=True, slots=True)
class KeptItem:
    """One thing that the agent can ask the user about."""

    kind: str
    """`new`, `likely`, `due` or `suggested`."""
    slug: str
    category: str = ""
    quote: str = ""
    """The line that made it so."""
    count: int = 0
    """For a consolidation: dates since the last one."""
    last: date | None = None
    """For a consolidation: the last of these dates."""


@dataclass(frozen=True, slots=True)
class KeptReview:
    """The proposals of one review."""

    day: date
    items: tuple[KeptItem, ...] = ()


def keep_review(repository: Repository, review: Review) -> None:
    """Keep what a review proposes, in the place of the one before. Raises OSError."""
    items = [
        {"kind": one.grade.value, "slug": one.slug, "count": len(one.dates), "last": one.dates[-1].isoformat()}
        for one in review.wanted
        if one.dates
    ]
    new = [
        {"kind": "new", "slug": one.slug, "category": one.category, "quote": _quote(one.passage.text)}
        for one in review.proposals
    ]
    likely = [{"kind": "likely", "slug": one.slug, "quote": _quote(one.passage.text)} for one in review.likely]
    table = {"version": _VERSION, "day": review.day.isoformat(), "items": [*items, *new, *likely]}
    repository.own_dir.mkdir(parents=True, exist_ok=True)
    write_atomic(repository.own_dir, FILE, json.dumps(table, ensure_ascii=False).encode("utf-8", "replace"))


def read_kept_review(repository: Repository) -> KeptReview | None:
    """What the last review proposes; None where there was none, or where another version kept it."""
    try:
        table = json.loads((repository.own_dir / FILE).read_bytes())
        day = parse_date(str(table["day"]))
        if table["version"] != _VERSION or day is None:
            return None
        return KeptReview(day, tuple(_read_items(table["items"])))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _read_items(items: Iterable[Mapping[str, object]]) -> Iterator[KeptItem]:
    for item in items:
        slug, count = str(item["slug"]), item.get("count", 0)
        if is_slug(slug):
            yield KeptItem(
                str(item["kind"]),
                slug,
                _quote(str(item.get("category", ""))),
                _quote(str(item.get("quote", ""))),
                count if isinstance(count, int) else 0,
                parse_date(str(item.get("last", ""))),
            )


def _quote(text: str) -> str:
    """One short line: it is shown to an agent, and must not look like anything else."""
    flat = " ".join("".join(char if char.isprintable() else " " for char in text).split()).lstrip("#>*-+ ")
    return flat if len(flat) <= _MOST_QUOTE else flat[: _MOST_QUOTE - 1] + "…"


def open_items(kept: KeptReview, entries: Iterable[TopicEntry]) -> tuple[KeptItem, ...]:
    """What of it is still open, now that INDEX.md has `entries`."""
    index = {entry.slug: entry for entry in entries}
    return tuple(item for item in kept.items if _is_open(item, kept.day, index.get(item.slug)))


def _is_open(item: KeptItem, day: date, entry: TopicEntry | None) -> bool:
    if item.kind == "new":
        return entry is None
    if entry is None:
        return False
    if item.kind == "likely":
        return day not in entry.dates
    newest = max((ref.day for ref in entry.consolidations if ref.day), default=date.min)
    return item.last is not None and newest < item.last


def describe(kept: KeptReview, items: tuple[KeptItem, ...], command: str) -> tuple[str, ...]:
    """At most ten lines for an agent; `command` is how it calls memsite for this memory. Nothing open: no line."""
    if not items:
        return ()
    head = f"memsite reviewed the memory of {kept.day}. Ask the user before you act on any of this:"
    room = MOST_LINES - 2
    lines = [_line(kept, item, command) for item in items[:room]]
    more = [f"- and {len(items) - room} more: {command} review {kept.day}"] if len(items) > room else []
    return (head, *lines, *more)


def _line(kept: KeptReview, item: KeptItem, command: str) -> str:
    accept = f"{command} review {kept.day} --accept {item.slug}"
    if item.kind == "new":
        return f'- a new topic {item.slug} ({item.category})? "{item.quote}"; yes: {accept}'
    if item.kind == "likely":
        return f'- is this about {item.slug}? "{item.quote}"; yes: {accept}'
    return f"- the topic {item.slug} has {counted(item.count, 'date')} since its last consolidation: one is {item.kind}"
