"""What is about to be committed or pushed, held against the rules of the memory: the work of the git hooks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.model import Problem
from memsite.memory.names import parse_generation_name
from memsite.memory.rules import check_content, is_generation_path, is_markdown
from memsite.repo.beside_refs import find_beside
from memsite.repo.blob_findings import BlobFindings
from memsite.repo.changes import RawChange, RawCommit, range_ends, read_commits, read_difference, read_staged
from memsite.repo.filters import Texts
from memsite.repo.gitcmd import run_git
from memsite.repo.immutable import Immutable
from memsite.repo.membership import membership
from memsite.repo.messages import find_in_messages, find_in_refs
from memsite.repo.objects import ObjectReader, object_reader
from memsite.repo.past import SETTINGS, Past
from memsite.repo.settled import Settled
from memsite.repo.state import merged_heads
from memsite.repo.workspace import Repository, Workspace
from memsite.safety.allowing import allows
from memsite.safety.secrets import Finding as Secret
from memsite.safety.secrets import redact
from memsite.values import dataclass, field, replace

_SCANNED_TOO = {SETTINGS, PurePosixPath("mkdocs.yml")}
"""No memory, but committed with it: secrets alone are looked for."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that must not be committed or pushed."""

    path: PurePosixPath
    line: int | None
    message: str
    hint: str
    commit: str = ""
    warning: bool = False
    """Only worth a word: a rule that is often wrong."""
    secret: bool = False
    """Something that a publication hides."""
    immutable: bool = False
    """It is about what must stay as it was."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        where = f"{self.commit[:10]} {place}" if self.commit else place
        return f"{where}: {self.message}" + (f"; {self.hint}" if self.hint else "")


def check_staged(workspace: Workspace, index_file: str = "") -> tuple[Violation, ...]:
    """What is wrong with the stage.

    `index_file` is git's GIT_INDEX_FILE: under `commit -a` or `commit PATH` the stage is a temporary file, and the real
    one says something else.
    """
    repository = workspace.require_repository()
    head = _head_tree(repository)
    staged = read_staged(repository, head.strip() or _empty_tree(repository), index_file)
    with object_reader(repository.root) as reader:
        parents = ("HEAD", *merged_heads(repository)) if head else ()
        found = _check(workspace, reader, (staged,), Past(workspace, reader, parents, parents))
        pasts = (Past(workspace, reader, parents, parents, side) for side in parents[1:])
        merged = [one for past in pasts for one in _dropped(past, read_staged(repository, past.base, index_file))]
    told = {one.path for one in found}
    return (*found, *dict.fromkeys(one for one in merged if one.path not in told))


def _dropped(past: Past, staged: RawCommit) -> Iterator[Violation]:
    """Generations of a side that is merged in, `past.base`, which the stage has otherwise or no more."""
    changes = (one for one in staged.changes if one.path == SETTINGS or parse_generation_name(one.path.name))
    immutable = Immutable(past, Texts(past.repository, past.reader))
    immutable.look_at(replace(staged, changes=tuple(changes)))
    yield from (_violation(problem, "") for problem, _ in immutable.found())


def check_commits(
    workspace: Workspace,
    revisions: Sequence[str],
    *,
    walk: bool = True,
    without: Collection[str] = (),
    keeps_all: bool = False,
) -> tuple[Violation, ...]:
    """What is wrong with commits, named as `git rev-list` takes them (`main..topic`, `^origin/main`, ids).

    A merge is held against each of its parents. Without `walk` only the commits that are named are looked at; `without`
    are ids of commits that are passed over. `keeps_all` is for all of HEAD's history. Raises GitError for what git
    knows not.
    """
    repository = workspace.require_repository()
    commits = [one for one in read_commits(repository, revisions, walk=walk) if one.id not in without]
    tips, known = range_ends(repository, revisions)
    with object_reader(repository.root) as reader:
        before = known if walk else tuple(f"{tip}^@" for tip in tips)
        past = Past(workspace, reader, tips, before)
        found = _check(workspace, reader, commits, past, keeps_all=keeps_all)
    return (*found, *_in_messages(workspace, repository, commits))


def _in_messages(workspace: Workspace, repository: Repository, commits: Iterable[RawCommit]) -> Iterator[Violation]:
    permitted = allows(workspace.config.allow)
    ids = tuple(dict.fromkeys(commit.id for commit in commits))
    for commit, place, secret in find_in_messages(repository, ids, permitted):
        if secret.certain:
            message = f"looks like it has a secret ({secret.rule})"
            yield Violation(place, None, message, "reword the commit, and rotate it", commit, secret=True)


def check_refs(workspace: Workspace, refs: Sequence[tuple[str, str]], known: Sequence[str] = ()) -> Iterator[Violation]:
    """Secrets in names of refs, in the tags that they are at, and in what they bring along beside commits of files.

    `refs` are names and ids, `known` the commits that are there already. Raises GitError.
    """
    repository, permitted = workspace.require_repository(), workspace.config.allow
    with BlobFindings(repository, permitted) as findings:
        for name, path, secret in find_beside(repository, refs, known, findings):
            message, hint = f"looks like a secret ({secret.rule}) in {name}", "take it out there, and rotate it"
            yield Violation(path, secret.line, message, hint, secret=True)
    found = find_in_refs(repository, refs, allows(permitted))
    for tip, place, secret in found:
        if secret.certain:
            message = f"looks like it has a secret ({secret.rule})"
            yield Violation(place, None, message, "make it again under another name or message", tip, secret=True)


def check_history(workspace: Workspace) -> tuple[Violation, ...]:
    """What is wrong with the commits that HEAD is made of; nothing where there is none.

    A generation that was changed and is what it was again is worth a word, no more, and so are entries and dates of the
    index that were removed and are back, and unfinished merges that were settled: nothing can be done about it.
    """
    if not _head_tree(workspace.require_repository()):
        return ()
    found = check_commits(workspace, ["HEAD"], keeps_all=True)
    suspects = {one.path for one in found if one.immutable and parse_generation_name(one.path.name)}
    repaired = {path for path in suspects if _is_first(workspace.require_repository(), path)}
    return tuple(
        replace(one, warning=True, hint="it is what it was again") if one.immutable and one.path in repaired else one
        for one in found
    )


def _is_first(repository: Repository, path: PurePosixPath) -> bool:
    """Whether HEAD has a file as the commit that brought it had it."""
    name = repository.to_git(path)
    command: list[str | bytes] = ["rev-list", "--topo-order", "--full-history", "HEAD", "--", name]
    first = run_git(command, cwd=repository.root).decode().split()[-1:]
    entries = [run_git(["ls-tree", "--full-tree", one, "--", name], cwd=repository.root) for one in ("HEAD", *first)]
    return entries[0] == entries[-1] != b""


def check_replaced(workspace: Workspace, old: str, new: str) -> tuple[Violation, ...]:
    """What a branch loses that must never be lost when it goes from `old` to `new`, which does not contain it."""
    repository = workspace.require_repository()
    with object_reader(repository.root) as reader:
        past = Past(workspace, reader, (old,), (old,), base=old)
        immutable = Immutable(past, Texts(repository, reader), past.config_at(new))
        immutable.look_at(read_difference(repository, old, new))
        return tuple(_violation(problem, new) for problem, _ in immutable.found())


def generations_alone(workspace: Workspace, commit: str, others: Sequence[str]) -> tuple[PurePosixPath, ...]:
    """The generations of a commit that go with it where `others` (commits) are what is left.

    None where one of them contains it, or has all of them as they are.
    """
    repository = workspace.require_repository()
    if not run_git(["rev-list", "-1", commit, *(f"^{one}" for one in others)], cwd=repository.root).strip():
        return ()
    with object_reader(repository.root) as reader:
        config = Past(workspace, reader, (commit,), (commit,), base=commit).config_at(commit)
    alone: set[PurePosixPath] | None = None
    for other in (_empty_tree(repository), *others):
        changes = read_difference(repository, other, commit).changes
        lacking = {one.path for one in changes if one.new and is_generation_path(one.path, config)}
        alone = lacking if alone is None else alone & lacking
    return tuple(sorted(alone or ()))


def check_pending(workspace: Workspace, changes: Sequence[RawChange], new: Mapping[str, bytes]) -> Iterator[Problem]:
    """What changes on top of HEAD would lose that must never be lost. `new`: contents that git does not have yet."""
    repository = workspace.require_repository()
    with object_reader(repository.root) as reader:
        past = Past(workspace, reader, ("HEAD",), ("HEAD",))
        immutable = Immutable(past, Texts(repository, reader, new), workspace.config)
        immutable.look_at(RawCommit("", (), tuple(changes)))
        yield from (problem for problem, _ in immutable.found())


def _head_tree(repository: Repository) -> str:
    return run_git(["rev-parse", "--verify", "-q", "HEAD^{tree}"], cwd=repository.root, accept=(0, 1)).decode()


def _empty_tree(repository: Repository) -> str:
    return run_git(["hash-object", "-t", "tree", "--stdin"], cwd=repository.root).decode().strip()


def _check(
    workspace: Workspace, reader: ObjectReader, commits: Iterable[RawCommit], past: Past, *, keeps_all: bool = False
) -> tuple[Violation, ...]:
    """Hold commits, newest first, against the rules."""
    with BlobFindings(workspace.require_repository(), workspace.config.allow, keeps_all=keeps_all) as findings:
        settled = Settled(findings if keeps_all else None)
        texts = Texts(workspace.require_repository(), reader)
        immutable = Immutable(past, texts, settled=settled, forgives=keeps_all)
        contents = _Contents(past, reader, workspace.config, findings, settled, forgives=keeps_all)
        for commit in commits:
            immutable.look_at(commit)
            contents.look_at(commit)
    kept = (replace(_violation(problem, commit), immutable=True) for problem, commit in immutable.found())
    return tuple(dict.fromkeys((*kept, *contents.violations)))


def _violation(one: Problem, commit: str) -> Violation:
    return Violation(one.path, one.line, one.message, one.hint, commit, warning=one.warning)


@dataclass(slots=True)
class _Contents:
    """What is wrong with contents by themselves, whatever was before."""

    past: Past
    reader: ObjectReader
    config: Config
    findings: BlobFindings
    settled: Settled
    forgives: bool = False
    """A merge that HEAD has settled is no error for ever."""
    violations: list[Violation] = field(default_factory=list)
    _seen: set[tuple[PurePosixPath, str | None, str | None]] = field(default_factory=set)
    _names: dict[PurePosixPath, tuple[Secret, ...]] = field(default_factory=dict)

    def look_at(self, commit: RawCommit) -> None:
        """The changes of one commit, or of the stage."""
        members = membership(self.config)
        for change in commit.changes:
            key = (change.path, change.old, change.new)
            if change.new and key not in self._seen and (members.has(change.path) or change.path in _SCANNED_TOO):
                self._seen.add(key)
                self._look_at(change, change.new, commit.id, is_memory=members.has(change.path))

    def _look_at(self, change: RawChange, blob: str, commit: str, *, is_memory: bool) -> None:
        self.violations += self._in_name(change.path, commit)
        key = f"content {blob} {is_markdown(change.path)} {self.config.max_file_bytes}"
        if self.settled.has(key):
            return
        new = self.reader.read(blob).data
        problems = tuple(check_content(change.path, new, self.config)) if is_memory else ()
        if problems and self.forgives and len(new) <= self.config.max_file_bytes and self._is_in_order(change.path):
            problems = tuple(replace(one, warning=True, hint="it was settled since") for one in problems)
        violations = [*(_violation(problem, commit) for problem in problems), *self._secrets(change, blob, commit, new)]
        if is_memory and not violations and self.findings.is_plain(blob, new):
            self.settled.add(key)
        self.violations += violations

    def _is_in_order(self, path: PurePosixPath) -> bool:
        blob = self.past.content("HEAD", path)
        return blob is None or not any(check_content(path, self.reader.read(blob).data, self.config))

    def _in_name(self, path: PurePosixPath, commit: str) -> Iterator[Violation]:
        if path not in self._names:
            self._names[path] = redact(str(path), allows(self.config.allow, path)).findings
        for secret in self._names[path]:
            if secret.certain:
                message = f"its name looks like it has a secret ({secret.rule})"
                yield Violation(path, None, message, "rename it, and rotate it", commit, secret=True)

    def _secrets(self, change: RawChange, blob: str, commit: str, new: bytes) -> Iterator[Violation]:
        path = change.path
        found = self.findings.findings(blob, new, path) if len(new) <= self.config.max_file_bytes else ()
        if not found:
            return
        old = self.reader.read(change.old).data if change.old else b""
        if b"\0" in new:  # whatever the name says: it has no lines
            kept = (one for one in found if one.value.encode() not in old)
            yield from (replace(_secret(path, commit, one), line=None) for one in kept)
            return
        # Lines as the scanner counts them: at `\n` alone.
        known = set(old.split(b"\n"))
        lines = new.split(b"\n")
        for secret in found:
            if secret.line > len(lines) or lines[secret.line - 1] not in known:
                yield _secret(path, commit, secret)


def _secret(path: PurePosixPath, commit: str, secret: Secret) -> Violation:
    hint = "take it out and rotate it; it is not shown here" if secret.certain else ""
    message = f"looks like a secret ({secret.rule})"
    return Violation(path, secret.line, message, hint, commit, warning=not secret.certain, secret=True)
