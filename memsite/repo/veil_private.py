"""What of a history is private by today's settings and marks: which files, which lines of which versions, which names.

A private mark means its block, whenever it was set: older versions of the block are followed back and are private too.
A private folder means the files in it: where one of them lay before it was moved there is private as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.index import parse_index
from memsite.memory.lineage import MARKDOWN
from memsite.memory.names import is_session_log, parse_generation_name, slugify
from memsite.memory.outline import find_title
from memsite.memory.private import Privacy, united
from memsite.memory.private_copies import Copies, private_units
from memsite.memory.private_marks import may_have_marks
from memsite.memory.private_names import PrivateNames
from memsite.memory.private_versions import carry_back
from memsite.memory.session_log import session_places
from memsite.memory.snapshot import Snapshot
from memsite.repo.history import History
from memsite.repo.veil_copies import Places, ReadBlobs, find_attached, public_first, public_texts, read_text, without
from memsite.values import dataclass, field

Texts = Mapping[str, str]
"""By blob id."""


@dataclass(frozen=True)
class PrivateParts:
    """What must not be shown."""

    privacy: Privacy
    names: PrivateNames
    copies: Copies
    hidden: Mapping[str, Places] = field(default_factory=dict)
    """By blob: what of its text is private."""
    moved: frozenset[tuple[str, PurePosixPath]] = frozenset()
    """Commit and path: a version of a file before it was moved to where it is private."""
    left: frozenset[tuple[PurePosixPath, str | None]] = frozenset()
    """Path and blob of such versions."""
    attached: frozenset[PurePosixPath] = frozenset()
    """Pictures and other files that private texts alone speak of."""

    def hides(self, path: PurePosixPath, blob: str | None = None) -> bool:
        """Whether a file, or that version of it, is private as a whole."""
        return path in self.attached or (path, blob) in self.left or self.privacy.hides_path(path)

    def places(self, blob: str, text: str, paths: Iterable[PurePosixPath]) -> Places:
        """What of a file is private: blocks, entries of private topics, markers, index lines, sessions naming one."""
        found = [*self.hidden.get(blob, ()), *self.names.markers(text)]
        if self.privacy.config.index_path in paths:
            found += self.names.index_lines(text)
        if self.names and any(is_session_log(path, self.privacy.config.memory) for path in paths):
            found += self._sessions(text)
        return united(found)

    def _sessions(self, text: str) -> Iterator[tuple[int, int]]:
        """Sessions about what is private: their first words or their project name it."""
        for start, end, entry in session_places(text):
            about = f"{entry.topic}\n{entry.project}"
            if self.names.mask(about) != about:
                yield start, end


def find_private(config: Config, current: Snapshot, history: History, read: ReadBlobs) -> PrivateParts:
    """Everything private in the memory as it is (`current`) and as it was."""
    privacy = Privacy(config)
    versions = _versions(current, history)
    private = {path for path in versions if privacy.hides_path(path)}
    followed = _followed(privacy, versions, private, read)
    wanted = dict.fromkeys(blob for path in (*followed, *private) for blob in versions[path])
    notes = set(_notes(versions))
    texts = {blob: read_text(data) for blob, data in read(wanted) if b"\0" not in data or blob in notes}
    hidden: dict[str, Places] = {}
    units: set[str] = set()
    for path in followed:
        units |= _follow(privacy, path, versions[path], texts, hidden)
    parts = [texts[blob] for path in private for blob in versions[path] if blob in texts]
    units.update(unit for part in parts for unit in private_units(part))
    parts += [texts[blob][start:end] for blob, places in hidden.items() for start, end in places]
    public = public_texts(current, private, hidden)
    attached = frozenset(find_attached(versions, private, parts, public.values()))
    copies = Copies(frozenset(units - public_first(units, public, private, hidden, history, read)))
    names = _names(privacy, current, versions, private | attached, texts, public)
    moved = _moved(history, private, texts)
    left = _left(current, history, moved)
    return PrivateParts(privacy, names, copies, hidden, moved, left, attached)


def _followed(
    privacy: Privacy, versions: Mapping[PurePosixPath, tuple[str, ...]], private: set[PurePosixPath], read: ReadBlobs
) -> tuple[PurePosixPath, ...]:
    """The files of which a part is or was private."""
    public = {path: blobs for path, blobs in versions.items() if path not in private}
    notes = set(_notes(public))
    every = dict.fromkeys(blob for blobs in public.values() for blob in blobs)
    marked = {blob for blob, data in read(every) if (b"\0" not in data or blob in notes) and may_have_marks(data)}
    index = privacy.config.index_path if privacy.topics else None
    found = (path for path, blobs in versions.items() if path == index or not marked.isdisjoint(blobs))
    return tuple(path for path in found if path not in private)


def _notes(versions: Mapping[PurePosixPath, tuple[str, ...]]) -> Iterator[str]:
    return (blob for path, blobs in versions.items() if path.suffix.lower() in MARKDOWN for blob in blobs)


def _versions(current: Snapshot, history: History) -> Mapping[PurePosixPath, tuple[str, ...]]:
    """The blobs of every path, newest first."""
    found: dict[PurePosixPath, dict[str, None]] = defaultdict(dict)
    for path, blob in current.files.items():
        found[path][blob.id] = None
    for commit in history.commits:
        for change in commit.changes:
            for one in filter(None, (change.new_blob, change.old_blob)):
                found[change.path].setdefault(one)
    return {path: tuple(blobs) for path, blobs in found.items()}


def _follow(
    privacy: Privacy, path: PurePosixPath, blobs: Iterable[str], texts: Texts, hidden: dict[str, Places]
) -> set[str]:
    """Enter the private parts of each version of a file; the units of them that its newest version does not show."""
    found: set[str] = set()
    public: set[str] | None = None
    newer: list[str] = []
    carried: Places = ()
    for blob in blobs:
        text = texts.get(blob)
        if text is None:
            continue
        lines = text.splitlines(keepends=True)
        own = privacy.hidden(path, text)
        earlier = carry_back(newer, carried, lines) if carried else ()
        places = united([*own, *_offsets(lines, earlier)])
        if places:
            hidden[blob] = united([*hidden.get(blob, ()), *places])
            found.update(unit for start, end in places for unit in private_units(text[start:end]))
        if public is None:
            public = set(private_units(without(text, places)))
        newer, carried = lines, _line_ranges(lines, places)
    return found - (public or set())


def _offsets(lines: list[str], ranges: Places) -> Iterator[tuple[int, int]]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return ((starts[first], starts[last]) for first, last in ranges)


def _line_ranges(lines: list[str], places: Places) -> Places:
    """The lines that private places touch."""
    ranges: list[tuple[int, int]] = []
    offset = 0
    for number, line in enumerate(lines):
        end = offset + len(line)
        if any(start < end and offset < stop for start, stop in places):
            ranges.append((number, number + 1))
        offset = end
    return united(ranges)


def _names(
    privacy: Privacy,
    current: Snapshot,
    versions: Mapping[PurePosixPath, tuple[str, ...]],
    private: set[PurePosixPath],
    texts: Texts,
    notes: Mapping[PurePosixPath, str],
) -> PrivateNames:
    config = privacy.config
    indexes = (texts.get(blob, "") for blob in versions.get(config.index_path, ()))
    aliases = frozenset(name for text in indexes for name in privacy.aliases(text))
    titles = {
        find_title(text.encode("utf-8", "surrogateescape"), "")
        for path in private
        if path.suffix.lower() in MARKDOWN
        for blob in versions[path]
        if (text := texts.get(blob))
    }
    open_titles = (
        {find_title(text.encode("utf-8", "surrogateescape"), "") for text in notes.values()} if titles else set()
    )
    folders = {parent for path in private for parent in path.parents if privacy.hides_path(parent)}
    named = (PurePosixPath(entry.strip("/")) for entry in config.private if "/" in entry)
    folders |= {config.memory / path for path in named} | set(named)
    public = {name for path in versions if (name := _lineage(path)) and name not in privacy.topics}
    index = parse_index(current.files.get(config.index_path), config.index_path, config)
    public |= {name for one in index.entries if one.slug not in privacy.topics for name in (one.slug, *one.aliases)}
    return PrivateNames(
        config,
        privacy.topics | aliases,
        frozenset(public),
        frozenset(private | folders),
        frozenset(title for title in titles - open_titles if not slugify(title).startswith(tuple("0123456789"))),
    )


def _lineage(path: PurePosixPath) -> str:
    name = parse_generation_name(path.name)
    return name.topic if name else ""


def _moved(history: History, private: set[PurePosixPath], texts: Texts) -> frozenset[tuple[str, PurePosixPath]]:
    """Versions of public files that a commit then moved to where they are private."""
    found: set[tuple[str, PurePosixPath]] = set()
    leaving: set[PurePosixPath] = set()
    for commit in history.commits:  # newest first
        arrived = {one.new_blob for one in commit.changes if one.path in private and one.new_blob}
        for change in commit.changes:
            if change.path in private:
                continue
            if change.new_blob is None and change.old_blob in arrived and _tells(texts.get(change.old_blob or "")):
                leaving.add(change.path)
            if change.path in leaving:
                found.add((commit.id, change.path))
                if change.old_blob is None:
                    leaving.discard(change.path)
    return frozenset(found)


def _left(
    current: Snapshot, history: History, moved: frozenset[tuple[str, PurePosixPath]]
) -> frozenset[tuple[PurePosixPath, str | None]]:
    changes = (one for commit in history.commits for one in commit.changes if (commit.id, one.path) in moved)
    found = {(one.path, blob) for one in changes for blob in (one.old_blob, one.new_blob) if blob}
    return frozenset(found - {(path, blob.id) for path, blob in current.files.items()})


def _tells(text: str | None) -> bool:
    """Whether a file says more than one that is made anew every day."""
    return text is not None and any(private_units(text))


def lost_lines(text: str, places: Places) -> frozenset[int]:
    """The lines, 1-based, that a text loses with some of its places, so that what names lines can name others."""
    lost: set[int] = set()
    offset = 0
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if any(start <= offset and offset + len(line) <= end for start, end in places):
            lost.add(number)
        offset += len(line)
    return frozenset(lost)
