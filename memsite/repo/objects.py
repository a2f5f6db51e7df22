"""Git objects: read through one `cat-file` child, made in memory, stored by git from one pack."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from memsite.digests import digest
from memsite.errors import GitError
from memsite.repo.gitcmd import Conversation, RunningGit, git_child, start_git
from memsite.values import dataclass

FILE_MODE = "100644"
PROGRAM_MODE = "100755"
TREE_MODE = "40000"
LINK_MODE = "120000"
MODULE_MODE = "160000"

_PACK_TYPES = {"commit": 1, "tree": 2, "blob": 3}
_PIECE = 1024 * 1024
_LOOSE_LIMIT = 200
"""From so many objects on they stay one pack, as git's own `fetch.unpackLimit` has it."""


@dataclass(frozen=True, slots=True)
class GitObject:
    """Type (`blob`, `tree`, `commit`) and content of an object."""

    id: str
    kind: str
    data: bytes
    left_out: int = 0
    """Bytes that were not wanted: of an object that is larger than who reads it can use, all of them."""

    @property
    def size(self) -> int:
        """Bytes of the whole object."""
        return len(self.data) + self.left_out


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """What a tree says about one name."""

    mode: str
    """As git writes it: `100644`, `40000`, `120000`, `160000`."""
    id: str


def object_id(kind: str, data: bytes, object_format: str) -> str:
    """Git's name for an object, hexadecimal. `object_format` is `sha1` or `sha256`."""
    return digest(object_format, _with_header(kind, data)).hex()


def _with_header(kind: str, data: bytes) -> bytes:
    return b"%s %d\0" % (kind.encode(), len(data)) + data


def parse_tree(data: bytes, object_format: str) -> dict[bytes, TreeEntry]:
    """The entries of a tree object by name. Raises GitError when the last one is cut off."""
    size = 20 if object_format == "sha1" else 32
    entries: dict[bytes, TreeEntry] = {}
    at = 0
    while at < len(data):
        space, nul = data.index(b" ", at), data.index(b"\0", at)
        at, start = nul + 1 + size, at
        if at > len(data):
            raise GitError("a tree object is cut off", hint="run `git fsck`")
        entries[data[space + 1 : nul]] = TreeEntry(data[start:space].decode(), data[nul + 1 : at].hex())
    return entries


def format_tree(entries: Mapping[bytes, TreeEntry]) -> bytes:
    """A tree object's content. Git sorts a folder as if its name ended in `/`."""

    def order(item: tuple[bytes, TreeEntry]) -> bytes:
        return item[0] + (b"/" if item[1].mode == TREE_MODE else b"")

    return b"".join(
        b"%s %s\0%s" % (entry.mode.encode(), name, bytes.fromhex(entry.id))
        for name, entry in sorted(entries.items(), key=order)
    )


class ObjectReader:
    """Objects by name, one after the other, from a `git cat-file --batch`."""

    def __init__(self, git: Conversation) -> None:
        self._git = git

    def find(self, name: str, *, most: int | None = None) -> GitObject | None:
        """The object that a revision or an id names, or None. The name must hold no line break.

        One of more than `most` bytes comes without its content.
        """
        try:
            self._git.say(name.encode("utf-8", "surrogateescape") + b"\n")
        except BrokenPipeError as error:
            raise GitError("git stopped while objects were read") from error
        header = self._git.read_line().decode("utf-8", "replace").split()
        if len(header) != 3 or not header[2].isdecimal():
            if not header:
                raise GitError("git stopped while objects were read")
            return None  # `NAME missing`, and the name may hold blanks
        size = int(header[2])
        if most is not None and size > most:
            self._pass_over(size + 1)
            return GitObject(header[0], header[1], b"", size)
        return GitObject(header[0], header[1], self._take(size + 1)[:-1])

    def _pass_over(self, size: int) -> None:
        while size:
            size -= len(self._take(min(size, _PIECE)))

    def _take(self, size: int) -> bytes:
        data = self._git.read(size)
        if len(data) != size:
            # A child killed in the middle of its answer: half a tree would be a commit that drops files.
            raise GitError("git stopped while objects were read")
        return data

    def read(self, name: str, *, most: int | None = None) -> GitObject:
        """As `find`. Raises GitError when there is no such object."""
        found = self.find(name, most=most)
        if found is None:
            raise GitError(f"has no object {name}", hint="run `git fsck`")
        return found


@contextmanager
def object_reader(root: Path) -> Iterator[ObjectReader]:
    """An ObjectReader on the repository of a work tree."""
    with git_child(["cat-file", "--batch"], cwd=root) as git:
        yield ObjectReader(git)


def store_objects(root: Path, folder: Path, objects: Iterable[GitObject], object_format: str) -> None:
    """Write objects into the repository, synced to disk. `folder` is its `objects`.

    Git checks the pack, not that all they name exists (`--strict` would look up every file of every folder): who makes
    them answers for that. Raises GitError; objects stored before the fault are unreachable and do no harm.
    """
    with ExitStack() as started:
        store = Store(root, folder, object_format, started)
        store.give(objects)
        store.finish()


class Store:
    """A git that is ready to store objects, so that it need not be started when they are there."""

    def __init__(self, root: Path, folder: Path, object_format: str, started: ExitStack) -> None:
        self._root, self._folder, self._object_format, self._started = root, folder, object_format, started
        self._given: tuple[GitObject, ...] = ()
        started.callback(self._tidy)  # first, so that it comes when git has ended
        self._git = self._start(["unpack-objects", "-q"])

    def give(self, objects: Iterable[GitObject]) -> None:
        """What it is to store, once; it does so meanwhile."""
        kept = tuple(objects)
        if len(kept) >= _LOOSE_LIMIT:
            self._git = self._start(["index-pack", "--stdin"])
        if kept:
            self._given = kept
            self._git.tell(_format_pack(kept, self._object_format))

    def finish(self) -> None:
        """Wait until all is stored. Raises GitError."""
        if self._given:
            self._git.answer()
            self._given = ()

    def _tidy(self) -> None:
        """Where not all was stored, remove what git was writing."""
        if self._given:
            from memsite.repo.half_objects import remove_half_objects  # what hardly ever happens costs nothing

            wholes = {one.id: _with_header(one.kind, one.data) for one in self._given}
            remove_half_objects(self._folder, wholes, _format_pack(self._given, self._object_format))

    def _start(self, command: list[str]) -> RunningGit:
        return self._started.enter_context(start_git(command, cwd=self._root, is_told=False))


def _format_pack(objects: tuple[GitObject, ...], object_format: str) -> bytes:
    body = [b"PACK" + (2).to_bytes(4) + len(objects).to_bytes(4)]
    for one in objects:
        body += (_pack_header(_PACK_TYPES[one.kind], len(one.data)), zlib.compress(one.data, 1))
    whole = b"".join(body)
    return whole + digest(object_format, whole)


def _pack_header(kind: int, size: int) -> bytes:
    # Type in bits 4-6 and the size, four bits first, then seven at a time, lowest first; bit 7: more follows.
    current, size = kind << 4 | size & 0x0F, size >> 4
    header = bytearray()
    while size:
        header.append(current | 0x80)
        current, size = size & 0x7F, size >> 7
    header.append(current)
    return bytes(header)
