"""A memory folder as a value: what was in it, read from the work tree or from any commit.

Nothing else in the program can tell which of the two it was; so the site, recall and diff of a date in the
past are the code of today.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from memsite.counting import counted
from memsite.digests import digest
from memsite.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Cut:
    """What is known of a text of which only the beginning is read."""

    size: int
    """Bytes of the whole."""
    lines: int
    """Of the whole."""
    tail: bytes
    """Its last lines, from the beginning of one on."""

    @property
    def words(self) -> str:
        """How much there is, for people: `50.0 MB in 1 line`."""
        size = f"{self.size / 1e6:.1f} MB" if self.size >= 1e6 else f"{self.size // 1000 + 1} kB"
        return f"{size} in {counted(self.lines, 'line')}"


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of one file and git's name for them."""

    id: str
    """Hexadecimal object id of the whole, as git computes it in this repository."""
    data: bytes
    """All of them; of a text that is `cut`, the first ones."""
    cut: Cut | None = None

    @property
    def text(self) -> str:
        """The bytes as UTF-8, line ends as they are; no byte-order mark; undecodable bytes become U+FFFD."""
        return self.data.decode("utf-8", errors="replace").removeprefix("\ufeff")

    @property
    def is_utf8(self) -> bool:
        """Whether every byte belongs to valid UTF-8."""
        try:
            self.data.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A name in the folder whose content cannot be shown, and why, in words for a page."""

    path: PurePosixPath
    reason: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every file that belongs to the memory, by path relative to the workspace (`memory/INDEX.md`, `MEMORY.md`)."""

    files: Mapping[PurePosixPath, Blob] = field(default_factory=lambda: MappingProxyType({}))
    unreadable: tuple[Unreadable, ...] = ()
    unnamed: Mapping[PurePosixPath, Blob] = field(default_factory=lambda: MappingProxyType({}))
    """Files whose name is not UTF-8 (surrogates stand for its bytes): no page can have it; `unreadable` names them."""


def blob_id(data: bytes) -> str:
    """Git's SHA-1 object id of a file's bytes, for snapshots made without a repository."""
    return digest("sha1", b"blob %d\0" % len(data) + data).hex()


def make_snapshot(files: Mapping[str, bytes | str]) -> Snapshot:
    """A snapshot from plain texts, keyed by workspace-relative path. For tests and previews."""
    blobs: dict[PurePosixPath, Blob] = {}
    for path, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        blobs[PurePosixPath(path)] = Blob(blob_id(data), data)
    return Snapshot(MappingProxyType(blobs))
