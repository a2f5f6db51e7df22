"""What pages read of a site's source. Whatever is read here while a view is made is noted as a fact that it is made of.

Who reads something for which there is no finer fact reads everything, and is made again after every change.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Any, TypeVar

from memsite.config import Config
from memsite.memory.mentions import TopicNames
from memsite.memory.model import DailyNote, Index, Problem, SourceRef, Topic
from memsite.memory.names import parse_day_name
from memsite.memory.planning import sources_since, turning_days
from memsite.memory.private import Privacy
from memsite.memory.snapshot import Blob
from memsite.repo.commits import FileChange
from memsite.repo.history import Commit, History, Revision
from memsite.site.facts import EVERYTHING, Fact, Facts, Kept, Legacy, Watched, name_of
from memsite.site.links import LinkResolver, Target
from memsite.site.pages.day_notes import Cited, Told, find_notes, key_of, names_of, tell_notes
from memsite.site.pages.fact_values import FactValues
from memsite.site.pages.file_states import Neighbours
from memsite.site.pages.headlines import headline
from memsite.site.pages.lookups import GenerationItem as GenerationItem
from memsite.site.pages.lookups import Lineage as Lineage
from memsite.site.pages.lookups import LogItem as LogItem
from memsite.site.pages.lookups import Lookups
from memsite.site.pages.lookups import NoteItem as NoteItem
from memsite.site.pages.lookups import PageItem as PageItem
from memsite.site.pages.mentions import Mention, mentions_of, read_mentions
from memsite.site.pages.note_headings import OWN
from memsite.site.pages.permalinks import Segments
from memsite.site.spec import SiteSource

V = TypeVar("V")


class Atlas:
    """The look-ups over one source, watched."""

    def __init__(self, source: SiteSource, kept: Kept | None = None, state: str = "") -> None:
        self._all = Lookups(source)
        self._facts = Facts()
        self._kept = kept
        self.fact = FactValues(self._all, state, lambda: self._mentions, self.headline)
        self._names: dict[date, Mapping[PurePosixPath, str]] = {}
        self._once: dict[tuple[str, str], tuple[Any, frozenset[Fact]]] = {}
        self.config: Config = source.config
        self.zone = source.config.zone()
        self.blobs: Callable[[Iterable[str]], Mapping[str, Blob]] = source.blobs

    @property
    def source(self) -> SiteSource:
        """All of it."""
        return self._everything(self._all.source)

    @property
    def shown_at(self) -> str:
        """As of the source. No fact: of a site of the past nothing is kept."""
        return self._all.source.shown_at

    @property
    def history(self) -> History:
        """All of the history."""
        self._facts.read("history")
        return self._all.source.history

    @property
    def index(self) -> Index:
        """INDEX.md."""
        self._facts.read("index")
        return self._all.memory.index

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """The memory's problems in its order."""
        self._facts.read("problems")
        return self._all.memory.problems

    @property
    def lineages(self) -> tuple[Lineage, ...]:
        """Every topic, in the memory's order, then those of which only deleted generations are left."""
        self._facts.read("lineages")
        return self._all.lineages

    @property
    def segments(self) -> Segments:
        """The addresses of all generations that ever were."""
        self._facts.read("segments")
        return self._all.segments

    @property
    def pages(self) -> tuple[PageItem, ...]:
        """Every other note, by path."""
        self._facts.read("pages")
        return self._all.pages

    @property
    def unreadable(self) -> Mapping[PurePosixPath, str]:
        """Files that the memory reports and that have no page of their own, by path, with their addresses."""
        self._facts.read("unreadable")
        return self._all.unreadable

    @property
    def privacy(self) -> Privacy:
        """What no publication shows: a matter of settings alone."""
        return self._all.privacy

    @property
    def today(self) -> date:
        """The day that is shown."""
        self._facts.read("today")
        return self._all.today

    def today_among(self, moments: Callable[[date], Iterable[date]]) -> date:
        """The day that is shown, for who only asks which of some days have come by then.

        `moments` gives these days, or of those before and after the day that is shown the nearest at least: what is
        made holds until the next of them.
        """
        today = self._all.today
        days = sorted(set(moments(today)))
        at = bisect_right(days, today)
        first, following = (str(*days[place : place + 1]) for place in (max(at - 1, 0), at))
        self._facts.read("today_among", f"{first if at else ''} {following}")
        return today

    @property
    def shallow(self) -> bool:
        """Whether the clone holds only a part of the history."""
        self._facts.read("shallow")
        return self._all.source.history.shallow

    @property
    def days(self) -> tuple[date, ...]:
        """The days that have a page: with a note, a session, a topic's date or a generation; earliest first."""
        self._facts.read("days")
        return self._all.days

    @cached_property
    def days_in(self) -> Mapping[str, tuple[date, ...]]:
        """These days by year and by month: `2025`, `2025-03`."""
        return Watched(self._all.days_in, "days_in", self._facts)

    @cached_property
    def notes(self) -> Mapping[date, tuple[NoteItem, ...]]:
        """The notes of each day, the day's own first."""
        return Watched(self._all.notes, "notes", self._facts)

    @cached_property
    def logs(self) -> Mapping[date, LogItem]:
        """The session log of each day."""
        return Watched(self._all.logs, "logs", self._facts)

    @cached_property
    def logs_in(self) -> Mapping[int, tuple[LogItem, ...]]:
        """The session logs of each year, earliest first."""
        return Watched(self._all.logs_in, "logs_in", self._facts)

    @cached_property
    def commits_in(self) -> Mapping[int, Mapping[date, tuple[Commit, ...]]]:
        """By year: the commits of each of its days, as `commits` has them; latest day first."""
        return Watched(self._all.commits_in, "commits_in", self._facts)

    @cached_property
    def commits(self) -> Mapping[date, tuple[Commit, ...]]:
        """The commits of each day in the memory's zone, newest first."""
        return Watched(self._all.commits, "commits", self._facts)

    @cached_property
    def topics_on(self) -> Mapping[date, tuple[str, ...]]:
        """The slugs of the topics whose entry has a day, or that got a generation on it."""
        return Watched(self._all.topics_on, "topics_on", self._facts)

    @cached_property
    def generations_on(self) -> Mapping[date, tuple[GenerationItem, ...]]:
        """The generations made on each day."""
        return Watched(self._all.generations_on, "generations_on", self._facts)

    @cached_property
    def problems(self) -> Mapping[PurePosixPath, tuple[Problem, ...]]:
        """The memory's problems by file."""
        return Watched(self._all.problems, "problems", self._facts)

    @cached_property
    def day_problems(self) -> Mapping[date, tuple[tuple[PurePosixPath, tuple[Problem, ...]], ...]]:
        """By day: the files that belong to it and have problems."""
        return Watched(self._all.day_problems, "day_problems", self._facts)

    @cached_property
    def last_blobs(self) -> Mapping[PurePosixPath, Blob]:
        """The text that each file's own page shows: as it is, of a deleted file the last one."""
        return Watched(self._all.last_blobs, "last_blobs", self._facts)

    @cached_property
    def resolver(self) -> LinkResolver:
        """What links in memory files mean; deleted files and second generations included."""
        return _WatchedResolver(self._all.resolver, self._facts)

    @cached_property
    def mentions(self) -> Mapping[str, tuple[tuple[DailyNote, tuple[Mention, ...]], ...]]:
        """By slug: the daily notes of the folder that name the topic, latest first, and the lines."""
        return Watched(self._mentions, "mentions", self._facts)

    @cached_property
    def _mentions(self) -> Mapping[str, tuple[tuple[DailyNote, tuple[Mention, ...]], ...]]:
        topics = self._all.memory.topics
        names, named = TopicNames(topics), name_of([(topic.slug, topic.aliases) for topic in topics])
        found: dict[str, list[tuple[DailyNote, tuple[Mention, ...]]]] = {}
        for note in reversed(self._all.memory.notes):
            make = partial(read_mentions, note, names)
            for slug, lines in mentions_of(self.key(f"mentions {note.path}", (named, note.blob.id), make)).items():
                found.setdefault(slug, []).append((note, lines))
        return {slug: tuple(notes) for slug, notes in found.items()}

    def headline(self, note: DailyNote) -> str:
        """What a note is about, in a line; empty where it does not say."""
        return self.key(f"headline {note.path}", note.blob.id, partial(headline, note))

    def told(self, day: date) -> Told:
        """What lists of days say of the notes of a day."""
        self._facts.read("told", f"\0{day}")
        return tell_notes(self._all.notes.get(day, ()), self.headline)

    def name_of_note(self, note: DailyNote) -> str:
        """What a note is called on the page of its day."""
        self._facts.read("names", f"\0{note.day}")
        if note.day not in self._names:
            self._names[note.day] = names_of(self._all.notes.get(note.day, ()))
        return self._names[note.day].get(note.path, OWN)

    def cited(self, ref: SourceRef) -> tuple[Cited, ...]:
        """The notes that a reference means, deleted ones too. Who reads it has read the lines that are cited."""
        self._facts.read("cited", key_of(ref))
        return find_notes(self._all.notes.get(ref.day, ()), ref)

    @property
    def index_commits(self) -> tuple[Commit, ...]:
        """The commits that say that they are of the index, newest first."""
        self._facts.read("index_commits")
        return self._all.index_commits

    def sources_since(self, topic: Topic) -> tuple[DailyNote, ...]:
        """The notes that the topic's next generation would be made from."""
        for day in topic.dates:
            self._facts.read("said", f"{topic.slug}\0{day}")
        return sources_since(self._all.memory, topic, self.today_among(lambda _today: turning_days(topic)))

    def has_day(self, day: date) -> bool:
        """Whether the day has a page."""
        self._facts.read("has_day", day)
        return day in self._all.day_set

    def lineage(self, slug: str) -> Lineage | None:
        """The lineage of a topic, or None."""
        return next((line for line in self.lineages if line.topic.slug == slug), None)

    def uri_of(self, path: PurePosixPath) -> str | None:
        """The address of a memory file, or None."""
        self._facts.read("address", path)
        return self._all.resolver.addresses.get(path)

    def revisions(self, path: PurePosixPath) -> tuple[Revision, ...]:
        """The states of a file, newest first, with those under its earlier names."""
        self._facts.read("revisions", path)
        return self._all.files.revisions(path)

    def first_commit(self, path: PurePosixPath, blob: str) -> Commit | None:
        """The commit that brought a file's text, or None."""
        self._facts.read("revisions", path)
        return self._all.files.first_commit(path, blob)

    def text_before(self, path: PurePosixPath, commit: Commit) -> Revision | None:
        """A file as a commit left it; of one that it did not touch, as the last one by its date had left it."""
        self._facts.read("text_before", f"{commit.id}\0{path}")
        return self._all.files.text_before(path, commit)

    def neighbours(self, commit: Commit, path: PurePosixPath) -> Neighbours:
        """What a revision of a file stands between."""
        self._facts.read("near", f"{commit.id}\0{path}")
        return self._all.files.neighbours(commit.id, path)

    def months(self, path: PurePosixPath) -> Mapping[date, tuple[Revision, int]]:
        """By the first day of each month, latest first: a file's first revision, and how many it has in that month."""
        self._facts.read("revisions", path)
        return self._all.files.months(path)

    def is_last(self, path: PurePosixPath, blob: str) -> bool:
        """Whether a file's own page shows this very text."""
        self._facts.read("is_last", f"{blob}\0{path}")
        last = self._all.last_blobs.get(path)
        return last is not None and last.id == blob

    def renamed_from(self, commit: Commit, path: PurePosixPath) -> FileChange | None:
        """What a commit did to the file of the earlier name, where it gave a file this one. No commit changes that."""
        return self._all.files.renames.sources.get((commit.id, path))

    def renamed_to(self, commit: Commit, path: PurePosixPath) -> PurePosixPath | None:
        """The name that a commit gave to a file of this one."""
        return self._all.files.renames.targets.get((commit.id, path))

    def commit_day(self, commit: Commit) -> date:
        """The day of a commit in the memory's time zone."""
        return self._all.commit_day(commit)

    def once(self, key: tuple[str, str], make: Callable[[], V]) -> V:
        """What `make` makes, made once for its key: a kind of value and the name of what it is about."""
        if key not in self._once:
            with self._facts.noted() as read:
                made = make()
            self._once[key] = (made, frozenset(read))
        found, facts = self._once[key]
        self._facts.add(facts)
        value: V = found
        return value

    def _everything(self, value: V) -> V:
        self._facts.read(*EVERYTHING)
        return value

    def key(self, name: str, basis: object, make: Callable[[], str]) -> str:
        """The key of something that is made of what is read here, and of `basis`; made only if any of that has changed.

        `make` gets no value that is neither a fact nor in the basis.
        """
        if self._kept is None:
            return make()
        return self._kept.key(name, name_of(basis), self._facts, self.fact, make)

    @property
    def is_keeping(self) -> bool:
        """Whether keys are kept from one build to the next."""
        return self._kept is not None

    def find_key(self, name: str, basis: object) -> str | None:
        """The same where it is kept and nothing of that has changed; else None, and nothing is made."""
        return None if self._kept is None else self._kept.find(name, name_of(basis), self.fact)

    def legacy(self) -> Legacy:
        """What a process that is begun now leaves."""
        return Legacy() if self._kept is None else self._kept.legacy()

    def keep(self) -> None:
        """Keep the keys for the next build."""
        if self._kept is not None:
            notes = [item.note.path for items in self._all.notes.values() for item in items]
            lasting = {f"{kind} {path}" for kind in ("headline", "mentions") for path in notes}
            lasting |= {f"grade {topic.slug}" for topic in self._all.memory.topics}
            made = [one.path for topic in self._all.memory.topics for one in topic.generations]
            lasting |= {f"{kind} {path}" for kind in ("pairs key_points", "pairs decisions") for path in made}
            lasting |= {f"listed {item.uri}" for line in self._all.lineages for item in line.items}
            self._kept.save(self.fact, lasting)


class _WatchedResolver(LinkResolver):
    """A resolver whose readers are noted."""

    def __init__(self, resolver: LinkResolver, facts: Facts) -> None:
        self._resolver, self._facts = resolver, facts

    def find(self, source: PurePosixPath, href: str) -> str | None:
        """As of the resolver."""
        self._facts.read("link", f"{source.parent}\0{href}")
        if "#" in href:
            self._read_target(*self._resolver.find_target(source, href))
        return self._resolver.find(source, href)

    def _read_target(self, target: Target | tuple[None, None], fragment: str) -> None:
        """Note the text that has the place behind the `#`, and the notes beside it, which have a say in its name."""
        path = target[1]
        if fragment and path:
            self._facts.read("last_blobs", path)
            if name := parse_day_name(path.name):
                self._facts.read("notes", name[0])
