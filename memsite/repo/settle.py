"""Generations that two machines made under one number: ours, not pushed yet, is committed again under the next.

A committed generation never changes, so no commit is added that renames one. The commits that no remote has are made
again, as a rebase would, with the same authors, times and messages, from the first that has such a generation.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.index import parse_index
from memsite.memory.names import GenerationName, format_generation_name, parse_generation_name
from memsite.memory.renumbering import Renumbered, plan_renumbering, renumber_generation, renumber_mentions
from memsite.memory.snapshot import Blob
from memsite.repo.filters import Filters, find_filters
from memsite.repo.gitcmd import run_git
from memsite.repo.membership import membership
from memsite.repo.objects import ObjectReader, TreeEntry, object_reader
from memsite.repo.snapshots import parse_listing
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass, field

_NOTES = frozenset({".md", ".markdown"})
Tree = Mapping[PurePosixPath, TreeEntry]
Added = Mapping[str, frozenset[GenerationName]]
"""By commit: the generations that it added."""


@dataclass(frozen=True, slots=True)
class Settled:
    """HEAD's commits as they are to be merged."""

    tip: str
    """HEAD itself, or what it was made again as."""
    renumbered: tuple[Renumbered, ...] = ()


def settle_generations(workspace: Workspace, head: str, upstream: str) -> Settled:
    """Give unpushed generations of `head` other numbers where `upstream` has theirs. Stores commits, moves nothing.

    A generation that any remote has keeps its number; `check` reports the two. Raises RefusedError when signed commits
    would have to be made again, GitError.
    """
    repository, config = workspace.require_repository(), workspace.config
    added = _added_generations(repository, config, head, upstream)
    if not added:
        return Settled(head)
    with object_reader(repository.root) as reader:
        trees = [_memory_tree(repository, config, commit) for commit in (head, upstream)]
        contents = _Contents(reader, find_filters(repository, {*trees[0], *trees[1]}))
        renumbered = tuple(_plan(contents, config, added, trees[0], trees[1]))
        if not renumbered:
            return Settled(head)
        previous = {topic: _newest(names) for topic, names in _lineages(config, trees[1]).items()}
        by_file = {one.old_file: one for one in renumbered}
        rewriter = _Rewriter(repository, config, reader, contents, added, by_file, previous)
        return Settled(rewriter.rewrite(head, upstream), renumbered)


@dataclass(frozen=True, slots=True)
class _Contents:
    """What is in the memory's files, also in those that git has in another form."""

    reader: ObjectReader
    filters: Filters

    def read(self, path: PurePosixPath, blob: str) -> bytes:
        return self.filters.smudge(path, blob) if path in self.filters.names else self.reader.read(blob).data

    def store(self, path: PurePosixPath, data: bytes) -> str:
        if path in self.filters.names:
            return self.filters.clean(path, data)
        command = ["hash-object", "-w", "--no-filters", "--stdin"]
        return run_git(command, cwd=self.filters.repository.root, stdin=data).decode().strip()


def _added_generations(repository: Repository, config: Config, head: str, upstream: str) -> Added:
    folder = os.fsdecode(repository.to_git(config.consolidated_path))
    command = ["log", "--no-merges", "--format=%x00%H%x00", "--name-only", "--diff-filter=A", "-z", "--no-renames"]
    answer = run_git([*command, head, "--not", "--remotes", upstream, "--", folder], cwd=repository.root)
    found: dict[str, set[GenerationName]] = defaultdict(set)
    commit = ""
    for part in (part.strip(b"\n") for part in answer.split(b"\0")):
        path = repository.from_git(part) if part else None
        name = parse_generation_name(path.name) if path and path.parent == config.consolidated_path else None
        if name:
            found[commit].add(name)
        elif part:
            commit = part.decode("ascii", "replace")
    return {one: frozenset(names) for one, names in found.items()}


def _memory_tree(repository: Repository, config: Config, commit: str) -> Tree:
    members = membership(config)
    command = ["ls-tree", "-r", "-z", "--full-tree", commit, "--", *members.pathspecs(repository)]
    return parse_listing(repository, members, run_git(command, cwd=repository.root))


def _lineages(config: Config, tree: Tree) -> dict[str, set[GenerationName]]:
    found: dict[str, set[GenerationName]] = defaultdict(set)
    for path in tree:
        if path.parent == config.consolidated_path and (name := parse_generation_name(path.name)):
            found[name.topic].add(name)
    return found


def _newest(names: set[GenerationName]) -> GenerationName:
    return max(names, key=lambda name: (name.number, name.day))


def _plan(contents: _Contents, config: Config, added: Added, mine: Tree, theirs: Tree) -> Iterator[Renumbered]:
    """The renumberings that two trees ask for. What both have with the same bytes is no second generation."""
    own = {name for names in added.values() for name in names}
    lineages, taken = _lineages(config, mine), _lineages(config, theirs)
    for topic in sorted({name.topic for name in own} & taken.keys()):
        same = {name for name in own if _entry(config, mine, name) == _entry(config, theirs, name)}
        unpushed = {name for name in own - same if name.topic == topic} & lineages[topic]
        known = {name.number for name in lineages[topic] - unpushed} | _listed(contents, config, theirs, topic)
        yield from plan_renumbering(unpushed, taken[topic], known)


def _entry(config: Config, tree: Tree, name: GenerationName) -> TreeEntry | None:
    return tree.get(config.consolidated_path / format_generation_name(name))


def _listed(contents: _Contents, config: Config, tree: Tree, topic: str) -> set[int]:
    """The numbers that INDEX.md has for a topic."""
    entry = tree.get(config.index_path)
    if entry is None:
        return set()
    data = contents.read(config.index_path, entry.id)
    index = parse_index(Blob(entry.id, data), config.index_path, config)
    return {ref.number for one in index.entries if one.slug == topic for ref in one.consolidations}


@dataclass(slots=True)
class _Rewriter:
    """Makes commits again with other numbers in them."""

    repository: Repository
    config: Config
    reader: ObjectReader
    contents: _Contents
    added: Added
    renumbered: Mapping[str, Renumbered]
    """By old file name."""
    before: Mapping[str, GenerationName]
    """By topic: the remote's newest generation, which the first of ours now follows."""
    _blobs: dict[tuple[PurePosixPath, str], str] = field(default_factory=dict)

    def rewrite(self, head: str, upstream: str) -> str:
        """The commit that takes the place of `head`."""
        command = ["rev-list", "--topo-order", "--reverse", "--parents", head, "--not", "--remotes", upstream]
        made: dict[str, str] = {}
        for line in run_git(command, cwd=self.repository.root).decode().splitlines():
            commit, *parents = line.split()
            if any(parent in made for parent in parents) or self._touched(commit):
                made[commit] = self._commit(commit, [made.get(parent, parent) for parent in parents])
        return made[head]

    def _touched(self, commit: str) -> list[Renumbered]:
        names = (format_generation_name(name) for name in self.added.get(commit, ()))
        return [self.renumbered[name] for name in names if name in self.renumbered]

    def _commit(self, commit: str, parents: list[str]) -> str:
        headers, _, message = self.reader.read(commit).data.partition(b"\n\n")
        lines = headers.split(b"\n")
        if any(line.startswith((b"gpgsig ", b"gpgsig-sha256 ")) for line in lines):
            hint = "push what you have first, or merge by hand and renumber it"
            message_ = "a signed commit has, or follows, a generation whose number the remote has taken"
            raise RefusedError(message_, where=commit[:10], hint=hint)
        rest = [line for line in lines if not line.startswith((b"tree ", b"parent "))]
        begin = [f"tree {self._tree(commit)}".encode(), *(f"parent {parent}".encode() for parent in parents)]
        for one in self._touched(commit):
            subject = f"consolidate({one.old.topic}): gen"
            old, new = f"{subject}{one.old.number}".encode(), f"{subject}{one.new.number}".encode()
            message = new + message[len(old) :] if message.startswith(old + b"\n") or message == old else message
        data = b"\n".join([*begin, *rest]) + b"\n\n" + message
        command = ["hash-object", "-t", "commit", "-w", "--stdin"]
        return run_git(command, cwd=self.repository.root, stdin=data).decode().strip()

    def _tree(self, commit: str) -> str:
        """The commit's tree with every renumbered generation under its new name, and mentioned by it."""
        edits: dict[PurePosixPath, TreeEntry | None] = {}
        for path, entry in _memory_tree(self.repository, self.config, commit).items():
            if path.suffix not in _NOTES:
                continue
            one = self.renumbered.get(path.name) if path.parent == self.config.consolidated_path else None
            target = path.with_name(one.new_file) if one else path
            blob = self._blob(path, entry.id, one)
            if (target, blob) != (path, entry.id):
                edits.setdefault(path, None)
                edits[target] = TreeEntry(entry.mode, blob)
        return self._write_tree(commit, edits)

    def _blob(self, path: PurePosixPath, blob: str, one: Renumbered | None) -> str:
        is_own = one or path in self.contents.filters.names
        key = (path if is_own else PurePosixPath(), blob)
        if key not in self._blobs:
            data = self.contents.read(path, blob)
            if one:
                new = renumber_generation(data, one, self.renumbered, self._previous(one))
            else:
                new = renumber_mentions(data, self.renumbered)
            self._blobs[key] = blob if new == data else self.contents.store(path, new)
        return self._blobs[key]

    def _previous(self, one: Renumbered) -> PurePosixPath | None:
        """What the first renumbered generation of a topic follows now; later ones name it already."""
        siblings = [other for other in self.renumbered.values() if other.old.topic == one.old.topic]
        if one is not min(siblings, key=lambda other: other.new.number):
            return None
        return self.config.consolidated_dir / format_generation_name(self.before[one.old.topic])

    def _write_tree(self, commit: str, edits: Mapping[PurePosixPath, TreeEntry | None]) -> str:
        zero = "0" * len(commit)
        about = {path: f"{edit.mode} {edit.id}" if edit else f"0 {zero}" for path, edit in edits.items()}
        lines = [text.encode() + b"\t" + self.repository.to_git(path) + b"\0" for path, text in about.items()]
        index = self.repository.git_dir / "memsite.settle"
        environment = {"GIT_INDEX_FILE": str(index)}
        try:
            run_git(["read-tree", commit], cwd=self.repository.root, env=environment)
            update = ["update-index", "-z", "--index-info"]
            run_git(update, cwd=self.repository.root, env=environment, stdin=b"".join(lines))
            return run_git(["write-tree"], cwd=self.repository.root, env=environment).decode().strip()
        finally:
            Path(index).unlink(missing_ok=True)
