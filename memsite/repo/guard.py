"""What is about to be committed or pushed, held against the rules of the memory: the work of the git hooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.rules import MEGABYTE, check_change
from memsite.repo.gitcmd import run_git
from memsite.repo.objects import MODULE_MODE, ObjectReader, object_reader
from memsite.repo.workspace import Repository, Workspace
from memsite.safety.secrets import Finding as Secret
from memsite.safety.secrets import scan

_NULL = "0" * 6


@dataclass(frozen=True, slots=True)
class RawChange:
    """One path that a commit, or the stage, changes."""

    path: PurePosixPath
    old: str | None
    """Blob id; None: there was no file."""
    new: str | None
    mode_changed: bool
    commit: str = ""
    """Empty for what is staged."""


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
    base = _head_tree(repository) or run_git(["hash-object", "-t", "tree", "--stdin"], cwd=repository.root).decode()
    environment = {"GIT_INDEX_FILE": index_file} if index_file else None
    command = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", base.strip()]
    changes = _parse_raw(repository, run_git(command, cwd=repository.root, env=environment))
    return _check(workspace, changes)


def check_commits(workspace: Workspace, revisions: Sequence[str], *, walk: bool = True) -> tuple[Violation, ...]:
    """What is wrong with commits, named as `git rev-list` takes them (`main..topic`, `^origin/main`, ids).

    A merge is held against each of its parents. Without `walk` only the commits that are named are looked at. Raises
    GitError for what git does not know.
    """
    repository = workspace.require_repository()
    walking = [] if walk else ["--no-walk"]
    command = [
        "-c",
        "log.showRoot=true",
        "log",
        "--format=%x00%H",
        "--raw",
        "-z",
        "-m",
        "--no-renames",
        "--no-abbrev",
        "--no-ext-diff",
    ]
    output = run_git([*command, *walking, "--stdin"], cwd=repository.root, stdin=("\n".join(revisions) + "\n").encode())
    return _check(workspace, _parse_raw(repository, output))


def check_history(workspace: Workspace) -> tuple[Violation, ...]:
    """What is wrong with the commits that HEAD is made of; nothing where there is none."""
    return check_commits(workspace, ["HEAD"]) if _head_tree(workspace.require_repository()) else ()


def _head_tree(repository: Repository) -> str:
    return run_git(["rev-parse", "--verify", "-q", "HEAD^{tree}"], cwd=repository.root, accept=(0, 1)).decode()


def _parse_raw(repository: Repository, output: bytes) -> Iterator[RawChange]:
    commit = ""
    fields = iter(output.split(b"\0"))
    for field in fields:
        head = field.strip(b"\n")
        if not head.startswith(b":"):
            commit = head.decode() or commit
            continue
        old_mode, new_mode, old, new, _status = head[1:].decode().split(" ")
        path = repository.from_git(next(fields))
        if path is None or MODULE_MODE in (old_mode, new_mode):
            continue
        yield RawChange(
            path,
            old if old_mode != _NULL else None,
            new if new_mode != _NULL else None,
            old_mode != new_mode and _NULL not in (old_mode, new_mode),
            commit,
        )


def _check(workspace: Workspace, changes: Iterable[RawChange]) -> tuple[Violation, ...]:
    config = workspace.config
    seen: dict[tuple[PurePosixPath, str | None, str | None], None] = {}
    violations: list[Violation] = []
    with object_reader(workspace.require_repository().root) as reader:
        for change in changes:
            key = (change.path, change.old, change.new)
            if not _belongs(change.path, config) or key in seen:
                continue
            seen[key] = None
            violations += _check_one(change, reader, config)
    return tuple(violations)


def _check_one(change: RawChange, reader: ObjectReader, config: Config) -> Iterator[Violation]:
    old = reader.read(change.old).data if change.old else None
    new = reader.read(change.new).data if change.new else None
    if change.mode_changed and old == new:
        # A link or a program with the same bytes is another thing all the same.
        new = (new or b"") + b"\0"
    for problem in check_change(change.path, old, new, config):
        yield Violation(problem.path, problem.line, problem.message, problem.hint, change.commit)
    if new is not None and len(new) <= config.max_file_mb * MEGABYTE and change.path.suffix in _TEXTS:
        yield from _secrets(change, old, new)


_TEXTS = {".md", ".txt", ".json", ".jsonl", ".yml", ".yaml", ".toml", ".csv", ""}


def _secrets(change: RawChange, old: bytes | None, new: bytes) -> Iterator[Violation]:
    known = set((old or b"").splitlines())
    lines = new.splitlines()
    for secret in scan(new.decode("utf-8", errors="replace")):
        if secret.line <= len(lines) and lines[secret.line - 1] in known:
            continue
        yield _secret(change, secret)


def _secret(change: RawChange, secret: Secret) -> Violation:
    hint = "take it out and rotate it; it is not shown here" if secret.certain else ""
    message = f"looks like a secret ({secret.rule})"
    return Violation(change.path, secret.line, message, hint, change.commit, warning=not secret.certain)


def _belongs(path: PurePosixPath, config: Config) -> bool:
    return path.is_relative_to(config.memory) or str(path) in config.include
