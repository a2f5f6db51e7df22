"""The pages branch: the published site as one commit without parents, so that no older one is in its history.

Made from git's objects alone: neither the work tree nor the stage is touched, and a branch that memsite did not make
is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from memsite.errors import GitError, RefusedError
from memsite.repo.commit import OWN_IDENTITY, read_identity
from memsite.repo.gitcmd import run_git, try_git
from memsite.repo.objects import (
    FILE_MODE,
    TREE_MODE,
    GitObject,
    TreeEntry,
    format_tree,
    object_id,
    store_objects,
)
from memsite.repo.upstream import NETWORK_TIMEOUT, Upstream, fetch, replace_branch
from memsite.repo.version_points import is_past, read_file
from memsite.repo.workspace import Repository
from memsite.values import dataclass

_NO_JEKYLL = ".nojekyll"
"""Hosts that would take a site for Jekyll's sources leave out what begins with `_`."""
_KEPT = ("CNAME",)
"""Files of a host's own that stay on the branch."""
_SOURCE = "Memory-Commit: "
"""The line of a message that says which commit of the memory is published."""
_SHORT = 10
_ATTEMPTS = 5
_BATCH = 16 << 20
"""Bytes that are stored at once."""


@dataclass(frozen=True, slots=True)
class SiteFile:
    """One file of a site, as git will know it."""

    blob: str
    size: int
    """Bytes."""
    source: Path | None
    """Where it is on the disk; None for one that the branch has already, or whose bytes are in `data`."""
    data: bytes = b""


Site = Mapping[PurePosixPath, SiteFile]


@dataclass(frozen=True, slots=True)
class Change:
    """One file of the branch."""

    path: PurePosixPath
    size: int
    """Bytes that it will have; 0 for one that goes."""
    kind: str
    """`added`, `changed` or `removed`."""


@dataclass(frozen=True, slots=True)
class PagesBranch:
    """A branch of a repository, and its place on a remote."""

    repository: Repository
    name: str
    remote: str
    marker: str
    """The file that every site of memsite's has."""

    @property
    def ref(self) -> str:
        """Its whole name."""
        return f"refs/heads/{self.name}"

    @property
    def upstream(self) -> Upstream:
        """Where it is pushed to."""
        return Upstream(self.remote, self.ref, f"refs/remotes/{self.remote}/{self.name}")

    def tip(self) -> str | None:
        """Its commit here, else the remote's as it is known. Raises RefusedError for one that is not memsite's."""
        return self._own(self.ref) or self._own(self.upstream.tracking)

    def _own(self, ref: str) -> str | None:
        answer = run_git(["rev-parse", "--verify", "-q", f"{ref}^{{commit}}"], cwd=self.repository.root, accept=(0, 1))
        commit = answer.decode().strip() or None
        if commit is not None and PurePosixPath(self.marker) not in self.files(commit):
            raise RefusedError(
                "has files that memsite did not publish",
                where=ref.removeprefix("refs/heads/").removeprefix("refs/remotes/"),
                hint='name another branch in memsite.toml ([publish] branch = "…"), or delete this one',
            )
        return commit

    def files(self, commit: str) -> Mapping[PurePosixPath, str]:
        """The files of a commit of it, with their blobs."""
        listing = run_git(["ls-tree", "-r", "-z", "--full-tree", commit], cwd=self.repository.root)
        records = (record.partition(b"\t") for record in listing.split(b"\0") if record)
        return {PurePosixPath(os.fsdecode(name)): about.decode().split(" ")[2] for about, _, name in records}

    def site(self, folders: Mapping[str, Path], beside: Mapping[str, bytes] | None = None) -> Site:
        """What the branch will have: folders of sites by their place (the root's is empty), files `beside` them, what
        hosts want there, and what the host put there itself.
        """
        found = {PurePosixPath(name): SiteFile(blob, 0, None) for name, blob in self._kept().items()}
        for name, data in ({_NO_JEKYLL: b""} | dict(beside or {})).items():
            found[PurePosixPath(name)] = SiteFile(self._id(data), len(data), None, data)
        for place, folder in folders.items():
            for path in sorted(folder.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    data = path.read_bytes()
                    target = PurePosixPath(place, path.relative_to(folder).as_posix())
                    found[target] = SiteFile(self._id(data), len(data), path)
        return found

    def _kept(self) -> Mapping[str, str]:
        """Files of the host's own with their blobs: the remote's, which the host writes to, go before ours."""
        kept: dict[str, str] = {}
        for ref in (self.ref, self.upstream.tracking):
            files = self.files(commit) if (commit := self._own(ref)) else {}
            kept |= {name: files[PurePosixPath(name)] for name in _KEPT if PurePosixPath(name) in files}
        return kept

    def read(self, name: str) -> bytes | None:
        """A file of the branch as it is; None where it has none."""
        tip = self.tip()
        return read_file(self.repository, tip, PurePosixPath(name)) if tip else None

    def changes(self, site: Site) -> tuple[Change, ...]:
        """What a site changes on the branch, by path."""
        tip = self.tip()
        before = self.files(tip) if tip else {}
        new = (
            Change(path, one.size, "changed" if path in before else "added")
            for path, one in site.items()
            if before.get(path) != one.blob
        )
        gone = (Change(path, 0, "removed") for path in before if path not in site)
        return tuple(sorted((*new, *gone), key=lambda change: change.path))

    def commit(self, site: Site, now: datetime, source: str, *, anonymous: bool) -> str:
        """Put a site of the memory's commit `source` on the branch, as its only commit, and return that.

        The branch as it is, if it has the site. `anonymous` keeps the user's name and address out of it. Raises
        RefusedError when the branch is checked out or another process moves it; GitError.
        """
        tip = self.tip()
        if tip and not self.changes(site):
            self._move(tip)
            return tip
        self._store_blobs(site)
        tree = self._store_trees(site)
        identity = OWN_IDENTITY if anonymous else read_identity(self.repository)
        moment = b"%d +0000" % int(now.timestamp())
        lines = [
            b"tree " + tree.encode(),
            b"author %s %s" % (identity, moment),
            b"committer %s %s" % (identity, moment),
        ]
        message = f"publish: the memory at {source[:_SHORT]}\n\n{_SOURCE}{source}"
        data = b"\n".join([*lines, b"", message.encode(), b""])
        command = ["hash-object", "-t", "commit", "-w", "--stdin"]
        commit = run_git(command, cwd=self.repository.root, stdin=data).decode().strip()
        self._move(commit)
        return commit

    def push(self, commit: str, source: str) -> str | None:
        """Put a commit of the branch where the remote has the branch. `source` is the memory's commit that is in it.

        None when that is done; where a later commit of the memory is published there by now, that one, and nothing is
        pushed. Raises RefusedError without such a remote, for a branch there that is not memsite's, and when the remote
        refuses it; GitError when it cannot be reached.
        """
        for _ in range(_ATTEMPTS):
            known = self.fetch()
            if known and (later := self._later(known, source)):
                return later
            if known == commit or replace_branch(self.repository, self.upstream, commit, known):
                return None
        raise RefusedError("others publish at the same moment", where=self.upstream.shown, hint="run it again")

    def _later(self, published: str, source: str) -> str | None:
        """The memory's commit in a commit of the branch, if `source` is in the history of it."""
        message = run_git(["show", "-s", "--format=%B", published], cwd=self.repository.root).decode("utf-8", "replace")
        lines = (line.removeprefix(_SOURCE) for line in message.splitlines() if line.startswith(_SOURCE))
        other = next((line for line in lines if line.isalnum()), None)
        if other is None or other == source:
            return None
        if not self._is_in_a_branch(other):
            # Published from a machine that has more, or from a history that was taken back or rewritten since.
            options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]
            command = ["fetch", *options, "--end-of-options", self.remote]
            try_git(command, cwd=self.repository.root, timeout=NETWORK_TIMEOUT, asks=True)
        return other if is_past(self.repository, source, other) and self._is_in_a_branch(other) else None

    def _is_in_a_branch(self, commit: str) -> bool:
        """Whether anybody's branch has a commit, as far as is known here."""
        refs = ["refs/heads", f"refs/remotes/{self.remote}"]
        command = ["for-each-ref", "--count=1", "--format=x", f"--contains={commit}", *refs]
        done = try_git(command, cwd=self.repository.root)
        return done.returncode == 0 and bool(done.stdout)

    def fetch(self) -> str | None:
        """The commit that the remote has the branch at. Raises as `push`."""
        remotes = run_git(["remote"], cwd=self.repository.root).decode("utf-8", "surrogateescape").split("\n")
        if self.remote not in remotes:
            hint = f"git remote add {self.remote} URL, or name another: [publish] remote in memsite.toml"
            raise RefusedError(
                f"there is no remote {self.remote!r} to publish to", where=self.repository.root, hint=hint
            )
        known = fetch(self.repository, self.upstream)
        if known is not None:
            self._own(self.upstream.tracking)
        return known

    def _move(self, commit: str) -> None:
        checked_out = run_git(["for-each-ref", "--format=%(worktreepath)", self.ref], cwd=self.repository.root).strip()
        if checked_out:
            raise RefusedError("is checked out", where=self.name, hint="switch to the branch of the memory first")
        # No reflog: it would keep what was published before, and a purge is to hold here, too.
        command = ["-c", "core.logAllRefUpdates=false", "update-ref", "-m", "publish", self.ref, commit]
        run_git(command, cwd=self.repository.root)

    def _id(self, data: bytes) -> str:
        return object_id("blob", data, self.repository.object_format)

    def _store_blobs(self, site: Site) -> None:
        missing = self._missing(sorted({one.blob for one in site.values()}))
        files = {one.blob: one for one in site.values() if one.blob in missing}
        batch: list[GitObject] = []
        for blob, one in files.items():
            data = one.source.read_bytes() if one.source else one.data
            if self._id(data) != blob:
                raise GitError("changed while it was published", where=one.source, hint="publish again")
            batch.append(GitObject(blob, "blob", data))
            if sum(len(one.data) for one in batch) > _BATCH:
                store_objects(self.repository.root, self.repository.objects_dir, batch, self.repository.object_format)
                batch.clear()
        if batch:
            store_objects(self.repository.root, self.repository.objects_dir, batch, self.repository.object_format)

    def _missing(self, blobs: list[str]) -> set[str]:
        """Those that the repository does not have yet."""
        names = "\n".join(blobs).encode() + b"\n"
        answer = run_git(
            ["cat-file", "--batch-check=%(objectname) %(objecttype)"], cwd=self.repository.root, stdin=names
        )
        return {line.split(" ")[0] for line in answer.decode().splitlines() if line.endswith(" missing")}

    def _store_trees(self, site: Site) -> str:
        folders: dict[PurePosixPath, dict[bytes, TreeEntry]] = {PurePosixPath(): {}}
        for path, one in site.items():
            for parent in path.parents:
                folders.setdefault(parent, {})
            folders[path.parent][os.fsencode(path.name)] = TreeEntry(FILE_MODE, one.blob)
        trees: list[GitObject] = []
        for folder in sorted(folders, key=lambda one: -len(one.parts)):
            data = format_tree(folders[folder])
            name = object_id("tree", data, self.repository.object_format)
            trees.append(GitObject(name, "tree", data))
            if folder.parts:
                folders[folder.parent][os.fsencode(folder.name)] = TreeEntry(TREE_MODE, name)
        store_objects(self.repository.root, self.repository.objects_dir, trees, self.repository.object_format)
        return trees[-1].id
