"""What a page of the site is, before MkDocs hears of it: an address, a key, and how to make its content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from memsite.config import Config
from memsite.memory.model import Memory
from memsite.memory.snapshot import Blob
from memsite.repo.history import History
from memsite.site.links import quote_uri, relative_url
from memsite.values import dataclass, field


class PageKind(StrEnum):
    """The kinds of pages; search groups by them, templates are named after them."""

    HOME = "home"
    TOPICS = "topics"
    TOPIC = "topic"
    GENERATION = "generation"
    COMPARE = "compare"
    COMPARE_ANY = "compare-any"
    DAYS = "days"
    DAY = "day"
    SESSIONS = "sessions"
    SESSION_DAY = "session-day"
    HISTORY = "history"
    HISTORY_DAY = "history-day"
    INDEX = "index"
    NOTES = "notes"
    NOTE = "note"
    SEARCH = "search"
    AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page as a link shows it."""

    title: str
    """Plain text; whoever writes it into HTML escapes it."""
    uri: str
    """Relative to the site's root, percent-encoded nowhere: `topics/personal-blog/gen1/`; empty for home."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of a page's table of contents."""

    level: int
    anchor: str
    title: str
    """Plain text."""


@dataclass(frozen=True, slots=True)
class Content:
    """The article of a page."""

    html: str
    """Safe HTML: made by an autoescaping template, memory Markdown in it cleaned."""
    headings: tuple[Heading, ...] = ()
    anchors: frozenset[str] = frozenset()
    """Every id in `html` that a link may point at."""
    failure: str = ""
    """What of the article could not be made, and why, in a line; `html` then says so to the reader."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """A file that a page loads when it is needed."""

    uri: str
    """Relative to the site's root, percent-encoded nowhere."""
    key: Sequence[str]
    """What `content` is made from, as of a page."""
    content: Callable[[], bytes]
    """Makes the file; called only when it must be written."""


class LateKey(Sequence[str]):
    """A key that is made when somebody wants to know it: a page that is not there must be made whatever its key is."""

    __slots__ = ("_find", "_known", "_make")

    def __init__(
        self, make: Callable[[], tuple[str, ...]], find: Callable[[], tuple[str, ...] | None] | None = None
    ) -> None:
        self._make = make
        self._find = find
        self._known: tuple[str, ...] | None = None

    @property
    def is_held(self) -> bool:
        """Whether it is known from the last build, so that nothing must be made to know it; True where `find`, which
        looks for it there, is not given."""
        if self._known is None and self._find is not None:
            self._known = self._find()
        return self._known is not None or self._find is None

    def _values(self) -> tuple[str, ...]:
        if self._known is None:
            self._known = self._make()
        return self._known

    def __getitem__(self, at: Any) -> Any:
        return self._values()[at]

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        return tuple(other) == self._values() if isinstance(other, tuple | LateKey) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        """As of the tuple: names are made of it."""
        return repr(self._values())


@dataclass(frozen=True, slots=True)
class PageSpec:
    """One page: everything about it that is known without rendering it."""

    uri: str
    """Its directory address relative to the site's root (DESIGN, decision 11); empty for home, else ends in `/`."""
    kind: PageKind
    title: str
    """Plain text, unescaped."""
    key: Sequence[str]
    """What `content` is made from, each input by a name that changes with it: blob ids, commit ids, dates, titles.

    A tuple, or a LateKey of one.
    """
    content: Callable[[], Content]
    """Makes the article; called only when the page must be rendered."""
    crumbs: tuple[PageLink, ...] = ()
    """From the section down to the parent; home and the page itself are not in it."""
    previous: PageLink | None = None
    following: PageLink | None = None
    day: date | None = None
    """The day it is about, for search, feeds and the site map."""
    names: tuple[str, ...] = ()
    """What its subject is called beside the title, for search."""
    superseded: bool = False
    """Whether another page says what holds now, or its file is deleted: search ranks it below the current ones."""
    source: PurePosixPath | None = None
    """The memory file that it shows, workspace-relative."""
    in_nav: bool = False
    """Only index pages are (DESIGN, decision 4)."""
    parts: tuple[PagePart, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteIdentity:
    """What mkdocs.yml calls the site. Plain text."""

    name: str
    url: str = ""
    """Where it will stand, ending in `/`; empty when nobody has said so."""
    description: str = ""

    def address(self, uri: str, seen_from: str = "") -> str:
        """A site URI percent-encoded: absolute where `url` is known, else relative to the file at `seen_from`."""
        return self.url + quote_uri(uri) if self.url else relative_url(uri, seen_from)


@dataclass(frozen=True, slots=True)
class MachineFiles:
    """What stands beside the pages for other programs, and what the pages say of it."""

    parts: tuple[PagePart, ...] = ()
    copies: Mapping[str, str] = field(default_factory=dict)
    """By page: the version of its Markdown. Pages without any are not in it."""
    feeds: Mapping[str, tuple[PageLink, ...]] = field(default_factory=dict)
    """By page: its own feeds; by `*`: those of all pages."""


@dataclass(frozen=True, slots=True)
class SiteSource:
    """Everything that a site is made from. Values only: the same source gives the same site, byte for byte."""

    memory: Memory
    history: History
    config: Config
    today: date
    """The date of the newest commit that changed the memory, up to the commit that is shown.

    A commit of code beside the memory changes no page.
    """
    blobs: Callable[[Iterable[str]], Mapping[str, Blob]]
    """Reads old texts by id, for deleted notes and revisions; long ones are cut."""
    whole: Callable[[str], bytes] = lambda _blob: b""
    """Reads the whole of a text that is cut, by its id."""
    shown_at: str = ""
    """For a site of the past: that newest commit and its date, for a banner; empty for the memory as it is."""
