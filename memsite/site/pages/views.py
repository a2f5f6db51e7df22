"""The values that templates show. Frozen, plain, comparable: a page's key is made from the `repr` of its view."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from memsite.memory.model import Grade, Status
from memsite.memory.source_refs import Citation
from memsite.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Link:
    """A place in the site. `uri` is a page's address; the template makes the relative href."""

    title: str
    uri: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know about what is shown."""

    kind: str
    """`warning`, `deleted`, `archived` or `note`: a CSS class and an icon."""
    text: str
    link: Link | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SourceLink:
    """What supports a statement."""

    text: str
    link: Link | None
    missing: bool = False
    """Whether what it names does not exist: a note, a generation, or lines of a note, which is linked all the same."""

    @property
    def classes(self) -> str:
        """Of its mark."""
        return "memsite-source memsite-source-missing" if self.missing else "memsite-source"

    @property
    def title(self) -> str:
        """What is wrong with it; empty where nothing is."""
        if not self.missing:
            return ""
        return "The note has no such line" if self.link else "It does not exist"


@dataclass(frozen=True, slots=True)
class Document:
    """Markdown of the memory, to be rendered when the page is."""

    path: PurePosixPath
    """Where it stands in the workspace: its links are relative to that."""
    blob: str
    text: str = field(repr=False)
    """Line ends as they are."""
    part: tuple[int, int] = (0, 0)
    """The lines of the file that `text` shows: first and last, 1-based; zeros for all of it."""
    targets: tuple[str, ...] = ()
    """Where its links lead, so that the view changes when they do."""
    prefix: str = ""
    """Set before every id, where a page shows several documents or has such ids of its own; ends in `.`."""
    anchored: bool = False
    """Whether its lines are anchors."""
    split: int = 0
    """After how many lines it is parted, for `Sheet.halves`; 0: it is not."""
    cited: tuple[tuple[Citation, SourceLink], ...] = ()
    """The source references of its text that lead somewhere: they are shown as marks."""
    names: bool = False
    """Whether topics and files that it only names lead to their pages."""
    cut: str = ""
    """How long the text is of which this is only the beginning, which is shown as it is; empty for a whole one."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file in a commit."""

    path: str
    """Printable, workspace-relative."""
    verb: str
    """`added`, `changed`, `removed` or `renamed`."""
    link: Link | None
    blobs: tuple[str, str] = ("", "")
    """The texts before and after, where it is Markdown that was changed."""
    before: str = ""
    """Its earlier name, where the commit gave it this one."""
    after: str = ""
    """Its later name, where the commit took this one from it."""


@dataclass(frozen=True, slots=True)
class CommitView:
    """One commit that touched the memory."""

    id: str
    kind: str
    """`session`, `note`, `consolidate`, `index`, `flush` … from the message's prefix; `edit` where there is none."""
    subject: str
    title: str
    """The subject without the prefix that `kind` says."""
    body: str
    author: str
    day: date
    at: str
    """`HH:MM` in the memory's time zone."""
    instant: str
    """ISO 8601 with offset, for `<time datetime>`."""
    changes: tuple[Change, ...]
    link: Link


@dataclass(frozen=True, slots=True)
class TopicBadge:
    """A topic as other pages name it."""

    slug: str
    link: Link
    status: Status
    grade: Grade
    private: bool = False
    """On no published site."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a small activity chart; geometry in the chart's own units."""

    x: float
    height: float
    y: float


@dataclass(frozen=True, slots=True)
class TopicCard:
    """A topic on the home page and in the overview."""

    badge: TopicBadge
    description: str
    aliases: tuple[str, ...]
    first: date | None
    last: date | None
    """Its last indexed date or generation."""
    dates: int
    generations: int
    current: Link | None
    bars: tuple[Bar, ...]
    """Its dates over the half year before the day shown."""
