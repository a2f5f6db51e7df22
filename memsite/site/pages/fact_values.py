"""What the facts are that pages are made of: a short name for each, which changes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from memsite.memory.model import DailyNote
from memsite.repo.history import Commit, Revision
from memsite.site.facts import ALL, Fact, name_of
from memsite.site.pages.day_notes import names_of, read_key, tell_notes, what_is_cited, what_is_said
from memsite.site.pages.lookups import GenerationItem, Lineage, LogItem, Lookups, NoteItem, PageItem

_WHOLES = frozenset(
    {
        *("today", "shallow", "days", "links", "index_commits", "history", "index"),
        *("lineages", "segments", "pages", "unreadable"),
    }
)
"""Kinds that have no parts."""


class FactValues:
    """The values of facts in one source. `state` names all of it, `mentions` are those of topics, `headline` is a
    note's."""

    def __init__(
        self,
        lookups: Lookups,
        state: str,
        mentions: Callable[[], Mapping[str, Any]],
        headline: Callable[[DailyNote], str],
    ) -> None:
        self._all = lookups
        self._state = state
        self._mentions = mentions
        self._headline = headline
        self._names: dict[str, Mapping[str, Any]] = {}
        self._wholes: dict[str, str] = {}

    def __call__(self, fact: Fact) -> str:
        """A name for what the fact is now."""
        kind, key = fact
        match kind:
            case "everything":
                return self._state
            case "told" | "names" | "cited" | "said":
                return name_of(self._of_day(kind, key))
            case "today_among":
                first, _, following = key.partition(" ")
                today = str(self._all.today)
                return str(first <= today and (not following or today < following))
            case kind if kind in _WHOLES:
                return self._whole(kind)
            case "has_day":
                return str(key in self._known("has_day"))
            case "address":
                return str(self._all.resolver.addresses.get(PurePosixPath(key)))
            case "link":
                folder, _, href = key.partition("\0")
                return str(self._all.resolver.find(PurePosixPath(folder, "x"), href))
            case "near":
                commit, _, path = key.partition("\0")
                near = self._all.files.neighbours(commit, PurePosixPath(path))
                return name_of(_states(one for one in (near.older, near.newer, near.monthly)))
            case "text_before":
                commit, _, path = key.partition("\0")
                by = self._commits.get(commit)
                before = self._all.files.text_before(PurePosixPath(path), by) if by else None
                return name_of(before and (before.commit.id, str(before.path), before.blob))
            case "is_last":
                blob, _, path = key.partition("\0")
                last = self._all.last_blobs.get(PurePosixPath(path))
                return str(last is not None and last.id == blob)
            case "revisions":
                states = self._all.files.revisions(PurePosixPath(key))
                return name_of(" ".join([f"{state.commit.id} {state.path}" for state in states]))
        return self._whole(kind) if key == ALL else name_of(_VALUES[kind](self._known(kind).get(key)))

    def _of_day(self, kind: str, key: str) -> object:
        """What is said of the notes of a day."""
        about, _, day = key.partition("\0")
        items = self._known("notes").get(day, ())
        match kind:
            case "told":
                return tell_notes(items, self._headline)
            case "names":
                return [(str(path), name) for path, name in names_of(items).items()]
            case "cited":
                return what_is_cited(items, read_key(key))
        return what_is_said(items, about)

    @cached_property
    def _commits(self) -> Mapping[str, Commit]:
        return {commit.id: commit for commit in self._all.source.history.commits}

    def _known(self, kind: str) -> Mapping[str, Any]:
        """The values of a mapping by the names of their keys."""
        if kind not in self._names:
            self._names[kind] = {str(key): value for key, value in self._values(kind).items()}
        return self._names[kind]

    def _values(self, kind: str) -> Mapping[Any, Any]:
        match kind:
            case "has_day":
                return dict.fromkeys(self._all.day_set)
            case "mentions":
                return self._mentions()
        values: Mapping[Any, Any] = getattr(self._all, kind)
        return values

    def _whole(self, kind: str) -> str:
        if kind not in self._wholes:
            self._wholes[kind] = self._name_whole(kind)
        return self._wholes[kind]

    def _name_whole(self, kind: str) -> str:
        match kind:
            case "today":
                return name_of(self._all.today)
            case "shallow":
                return name_of(self._all.source.history.shallow)
            case "days":
                return name_of(self._all.days)
            case "links":
                return name_of(self._what_links_mean())
            case "index_commits":
                return name_of(_ids(self._all.index_commits))
            case "history":
                history = self._all.source.history
                return name_of((_ids(history.commits), history.shallow))
            case "index":
                return name_of(self._what_index_is())
            case "mentions":
                return name_of(self._what_mentions_are_of())
            case "lineages":
                return name_of([lineage_name(line) for line in self._all.lineages])
            case "segments":
                return name_of(self._all.segments.order)
            case "pages":
                return name_of([item_name(item) for item in self._all.pages])
            case "unreadable":
                return name_of([(str(path), uri) for path, uri in self._all.unreadable.items()])
        return name_of([(key, _VALUES[kind](value)) for key, value in self._known(kind).items()])

    def _what_index_is(self) -> object:
        index = self._all.memory.index
        return index.blob and index.blob.id, index.unreadable

    def _what_mentions_are_of(self) -> object:
        memory = self._all.memory
        names = [(topic.slug, topic.aliases) for topic in memory.topics]
        return names, [(str(note.path), note.blob.id) for note in memory.notes]

    def _what_links_mean(self) -> object:
        memory = self._all.memory
        topics = [(topic.slug, topic.aliases) for topic in memory.topics]
        pages = [(str(page.site_path), page.title) for page in memory.pages]
        return ([(str(path), uri) for path, uri in self._all.resolver.addresses.items()], topics, pages)


def item_name(item: NoteItem | LogItem | GenerationItem | PageItem) -> object:
    """What an item is: its file, its text, where it stands, whether it is deleted. All else follows from these."""
    match item:
        case NoteItem(note, deletion):
            return (str(note.path), note.blob.id, deletion)
        case LogItem(log, deletion):
            return (str(log.path), log.blob.id, deletion)
        case PageItem(page, uri, deletion):
            return (str(page.path), page.blob.id, uri, deletion)
        case GenerationItem(generation, segment, uri, deletion):
            return (str(generation.path), generation.blob.id, segment, uri, deletion, generation.indexed)


def lineage_name(line: Lineage) -> object:
    """What a lineage is, but for the lines of INDEX.md that its entry stands on."""
    topic = line.topic
    said = (topic.slug, topic.category, topic.status, topic.dates, topic.aliases, topic.description)
    return (said, topic.entry is None, [item_name(item) for item in line.items], line.missing)


def _items(items: Iterable[NoteItem | LogItem | GenerationItem] | None) -> object:
    return None if items is None else [item_name(item) for item in items]


def _days_of_commits(days: Mapping[date, Iterable[Commit]] | None) -> object:
    return days and [(day, _ids(commits)) for day, commits in days.items()]


def _states(states: Iterable[Revision | None]) -> object:
    return [one and (one.commit.id, str(one.path)) for one in states]


def _ids(commits: Iterable[Commit] | None) -> object:
    return None if commits is None else [commit.id for commit in commits]


_VALUES: Mapping[str, Callable[[Any], object]] = {
    "notes": _items,
    "logs": lambda item: item and item_name(item),
    "commits": _ids,
    "days_in": lambda days: days,
    "logs_in": _items,
    "commits_in": _days_of_commits,
    "topics_on": lambda slugs: slugs,
    "generations_on": _items,
    "problems": lambda problems: problems,
    "day_problems": lambda problems: problems,
    "last_blobs": lambda blob: blob and blob.id,
    "mentions": lambda notes: notes and [(str(note.path), lines) for note, lines in notes],
}
"""By kind: what of a value tells it from all others."""
