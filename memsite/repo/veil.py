"""What others may see of a memory: the one place where blobs, names and commits enter a site.

A site is made from a Snapshot, a History and old blobs. All three pass here first, so that no page, index or feed can
show what must not be shown: it never learns of it. For the owner that is what was purged. For the public it is every
secret that was found anywhere, in any version; addresses of people, by setting; and whatever is private.

What changes gets the blob id of its new bytes: pages are kept by the ids of what they show, and a redacted text is
another one. Two versions that differ only in what is hidden are one version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from memsite.memory.names import parse_day_name
from memsite.memory.private_copies import private_units
from memsite.memory.private_names import PrivateNames
from memsite.memory.snapshot import Blob, Snapshot, Unreadable
from memsite.repo.audience import Audience, purges_of
from memsite.repo.blob_findings import BlobFindings, binary_text
from memsite.repo.history import Commit, FileChange, History
from memsite.repo.objects import object_id
from memsite.repo.snapshots import read_blobs
from memsite.repo.veil_copies import read_text
from memsite.repo.veil_paths import file_name, shown_paths
from memsite.repo.veil_private import PrivateParts, find_private, lost_lines
from memsite.repo.veil_text import TextVeil, is_text
from memsite.repo.veil_values import ValueSearch
from memsite.repo.workspace import Workspace
from memsite.safety.allowing import allows
from memsite.safety.purges import PLACEHOLDER
from memsite.safety.site_settings import NAME as SITE_SETTINGS
from memsite.safety.suppression import Suppressor
from memsite.values import dataclass, replace

WITHHELD = "(message withheld)"
"""What stands for the message of a commit that also changes what others must not see."""
_AT_ONCE = 500
"""Blobs that are in memory together."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A file that others must not see and that cannot be redacted: it is no text."""

    path: PurePosixPath
    rule: str


def draw_veil(workspace: Workspace, audience: Audience, current: Snapshot, history: History) -> Veil:
    """The veil before a memory: `current` is what it is today, `history` all of it, whatever of them will be shown.

    Only where anything may be hidden (`is_veiled`). The files of `current` are whole. Raises GitError; OSError for a
    list of purges that is unreadable.
    """
    purges = purges_of(workspace)
    config = workspace.config
    public = audience is Audience.PUBLIC
    contents = _Contents(workspace, current, history)
    repository = None if workspace.git_root is None else workspace.require_repository()
    with BlobFindings(repository, config.allow, keeps_all=True) as findings:
        permitted = allows(config.allow)
        search = ValueSearch(findings, purges, secrets=public, allows=permitted)
        private = find_private(config, current, history, contents.read) if public else None
        gone = _Gone(search, private, contents)
        suppressor = Suppressor(dict(_values(search, contents, history, _site_settings(workspace))))
        lost = dict(_lost_lines(current, private, config.memory)) if private else {}
        purged = PrivateNames(config, paths=gone.purged, shown=PLACEHOLDER)
        texts = TextVeil(config, suppressor, purged, findings if public else None, private, lost, permitted)
        names = shown_paths(_by_age(history, contents.paths), texts.text)
        return Veil(workspace, contents, gone, texts, names)


class _Contents:
    """The blobs of a memory and its history: where each stands, and its bytes."""

    def __init__(self, workspace: Workspace, current: Snapshot, history: History) -> None:
        self._workspace = workspace
        self._here = {blob.id: blob.data for blob in current.files.values()}
        found: dict[str, dict[PurePosixPath, None]] = defaultdict(dict)
        for path, blob in current.files.items():
            found[blob.id][path] = None
        for commit in history.commits:
            for change in commit.changes:
                for name in filter(None, (change.new_blob, change.old_blob)):
                    found[name][change.path] = None
        self.paths_of: Mapping[str, tuple[PurePosixPath, ...]] = {blob: tuple(paths) for blob, paths in found.items()}

    @property
    def paths(self) -> frozenset[PurePosixPath]:
        """Every path that is or was."""
        return frozenset(path for paths in self.paths_of.values() for path in paths)

    def read(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Blobs with their bytes, not all at once in memory; those that the repository lacks are left out."""
        wanted = list(ids)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            elsewhere = [name for name in some if name not in self._here]
            found = read_blobs(self._workspace, elsewhere) if elsewhere else {}
            yield from ((name, self._here.get(name, found.get(name, b""))) for name in some if self._has(name, found))

    def _has(self, name: str, found: Mapping[str, bytes]) -> bool:
        return name in self._here or name in found


class _Gone:
    """Which files are hidden as a whole, and what of commits goes with them."""

    def __init__(self, search: ValueSearch, private: PrivateParts | None, contents: _Contents) -> None:
        self._private = private
        self._paths = {path for path in contents.paths if search.has_file(path)}
        self.moved = private.moved if private else frozenset()
        purged = [blob for blob, paths in contents.paths_of.items() if not self._paths.isdisjoint(paths)]
        # What the file said is gone under any other name, too; an empty file or a mere heading is not.
        self._blobs = {blob for blob, data in contents.read(purged) if _tells(data)}

    def has(self, path: PurePosixPath, blob: str | None = None) -> bool:
        """Whether a file is hidden, or a blob that was purged with one."""
        return (
            path in self._paths
            or blob in self._blobs
            or (self._private is not None and self._private.hides(path, blob))
        )

    @property
    def purged(self) -> frozenset[PurePosixPath]:
        """Files that are or were there, and were purged."""
        return frozenset(self._paths)


def _tells(data: bytes) -> bool:
    return b"\0" in data or any(private_units(data.decode("utf-8", "replace")))


def _values(search: ValueSearch, contents: _Contents, history: History, settings: str) -> Iterator[tuple[str, str]]:
    """Every value, wherever it was found: in a file, a path, a message, the settings of the site."""
    yield from search.in_text(settings)
    for blob, data in contents.read(contents.paths_of):
        yield from search.in_blob(blob, data, contents.paths_of[blob][0])
    yield from search.in_text("\n".join(sorted(map(str, contents.paths))))
    for commit in history.commits:
        yield from search.in_text(_message(commit))
        yield from search.in_text(commit.author)


def _site_settings(workspace: Workspace) -> str:
    path = workspace.root / SITE_SETTINGS
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _message(commit: Commit) -> str:
    return f"{commit.subject}\n\n{commit.body}"


def _lost_lines(
    current: Snapshot, private: PrivateParts, memory: PurePosixPath
) -> Iterator[tuple[str, frozenset[int]]]:
    """What the days' notes lose of their lines."""
    for path, blob in current.files.items():
        if path.parent == memory and parse_day_name(path.name) and not private.hides(path):
            text = read_text(blob.data)
            if lost := lost_lines(text, private.places(blob.id, text, (path,))):
                yield path.stem, lost


def _by_age(history: History, paths: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """Paths in the order in which they came: who came first keeps a name for ever."""
    came = dict.fromkeys(change.path for commit in reversed(history.commits) for change in commit.changes)
    return [*came, *sorted(path for path in paths if path not in came)]


class Veil:
    """What an audience may see. Its answers are values, the same for the same memory, history and settings."""

    def __init__(
        self,
        workspace: Workspace,
        contents: _Contents,
        gone: _Gone,
        texts: TextVeil,
        names: Mapping[PurePosixPath, PurePosixPath],
    ) -> None:
        self._format = workspace.object_format
        self._contents = contents
        self._gone = gone
        self._texts = texts
        self._names = names
        self._shown: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        self._hidden: dict[str, str] = {}
        """By blob: a name for what of it is private."""
        for blob, data in contents.read(contents.paths_of):
            self._enter(blob, data)

    def _enter(self, blob: str, data: bytes) -> str:
        paths = self._contents.paths_of.get(blob, (PurePosixPath("note.md"),))
        content, self._hidden[blob] = self._texts.content(blob, data, paths)
        self._shown[blob] = blob if content == data else object_id("blob", content, self._format)
        # Two versions may look the same to others; either gives the same bytes.
        self._originals.setdefault(self._shown[blob], blob)
        return self._shown[blob]

    def text(self, text: str) -> str:
        """A text that is no file: a message, a setting."""
        return self._texts.text(text)

    def setting(self, text: str) -> str:
        """A text that is read as YAML, line by line."""
        return "\n".join(file_name(self.text(line)) for line in text.split("\n"))

    def has(self, path: PurePosixPath) -> bool:
        """Whether a file is hidden as a whole."""
        return self._gone.has(path)

    @property
    def values(self) -> Mapping[str, str]:
        """Every value that is taken out wherever it is, with what is shown in its place."""
        return self._texts.suppressor.values

    def values_in(self, text: str) -> tuple[str, ...]:
        """What is shown in the place of each value that a text has, none for a text that may be shown."""
        return tuple(self._texts.suppressor.shown(value) for value in self._texts.suppressor.find(text))

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot without what must not be shown."""
        files = {
            self._name(path): self._blob(path, blob)
            for path, blob in snapshot.files.items()
            if not self._gone.has(path, blob.id)
        }
        unreadable = [
            Unreadable(self._name(one.path), one.reason) for one in snapshot.unreadable if not self.has(one.path)
        ]
        return Snapshot(
            MappingProxyType({path: files[path] for path in sorted(files)}),
            tuple(sorted(unreadable, key=lambda one: one.path)),
        )

    def _name(self, path: PurePosixPath) -> PurePosixPath:
        if path in self._names:
            return self._names[path]
        return shown_paths([path], self.text)[path]

    def _blob(self, path: PurePosixPath, blob: Blob) -> Blob:
        paths = self._contents.paths_of.get(blob.id, (path,))
        content, _ = self._texts.content(blob.id, blob.data, paths)
        return blob if content == blob.data else Blob(object_id("blob", content, self._format), content)

    def history(self, history: History) -> History:
        """A history without what must not be shown: a commit of which nothing is left is not in it."""
        commits = (self._commit(commit) for commit in history.commits)
        return replace(history, commits=tuple(commit for commit in commits if commit.changes))

    def _commit(self, commit: Commit) -> Commit:
        changes = tuple(self._changes(commit))
        if any(self._is_hidden(commit, change) for change in commit.changes):
            subject, body = WITHHELD, ""
        else:
            subject, _, body = self.text(_message(commit)).partition("\n\n")
        ordered = tuple(sorted(changes, key=lambda change: change.path))
        return replace(commit, author=self.text(commit.author), subject=subject, body=body, changes=ordered)

    def _is_hidden(self, commit: Commit, change: FileChange) -> bool:
        """Whether a commit changes something in a file that others do not see."""
        moved = self.hides_in(commit.id, change.path)
        return moved or self.hides_change(change.path, change.old_blob, change.new_blob)

    def hides_in(self, commit: str, path: PurePosixPath) -> bool:
        """Whether others do not see what a commit does to a file."""
        return self._gone.has(path) or (commit, path) in self._gone.moved

    def hides_change(self, path: PurePosixPath, old: str | None, new: str | None) -> bool:
        """Whether others do not see all of what a file is from one blob to another."""
        if self._gone.has(path, new):
            return old != new
        return self._hidden.get(old or "", "") != self._hidden.get(new or "", "")

    def _changes(self, commit: Commit) -> Iterator[FileChange]:
        for change in commit.changes:
            if self.hides_in(commit.id, change.path):
                continue
            old = self._version(change, change.old_blob)
            new = self._version(change, change.new_blob)
            if old != new or change.old_blob == change.new_blob:
                status = "A" if old is None else "D" if new is None else change.status
                yield FileChange(self._name(change.path), status, old, new)

    def _version(self, change: FileChange, blob: str | None) -> str | None:
        if blob is None or self._gone.has(change.path, blob):
            return None
        return self._shown.get(blob, blob)

    def blobs(self, ids: Iterable[str]) -> Mapping[str, bytes]:
        """Contents of blobs, by the ids that snapshot and history give; those of hidden files are left out."""
        wanted = {self._originals.get(name, name): name for name in ids}
        found: dict[str, bytes] = {}
        for blob, data in self._contents.read(blob for blob in wanted if not self._is_gone(blob)):
            paths = self._contents.paths_of.get(blob, (PurePosixPath("note.md"),))
            found[wanted[blob]] = self._texts.content(blob, data, paths)[0]
        return found

    def _is_gone(self, blob: str) -> bool:
        paths = self._contents.paths_of.get(blob, ())
        return bool(paths) and all(self._gone.has(path, blob) for path in paths)

    def leaks(self, snapshot: Snapshot) -> tuple[Leak, ...]:
        """Files of a snapshot, by their own names, that are no text and have what others must not see."""
        found: dict[Leak, None] = {}
        for path, blob in snapshot.files.items():
            if not self._gone.has(path, blob.id) and not is_text(path, blob.data):
                found |= dict.fromkeys(Leak(path, rule) for rule in self._rules_in(path, blob))
        return tuple(found)

    def _rules_in(self, path: PurePosixPath, blob: Blob) -> Iterator[str]:
        if self._texts.findings is not None:
            yield from (one.rule for one in self._texts.findings.findings(blob.id, blob.data, path) if one.certain)
        readable = binary_text(blob.data).decode("ascii", "replace")
        yield from (shown.strip("[]").removeprefix("redacted:") for shown in self.values_in(readable))
