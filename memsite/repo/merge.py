"""The merge driver: how git merges the memory's files on this clone, and how it comes to know of it."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memsite.config import Config
from memsite.errors import GitError
from memsite.memory.appending import line_end
from memsite.memory.changeset import Append, Changeset
from memsite.memory.merging import merge_memory_file
from memsite.repo.filters import find_filters
from memsite.repo.gitcmd import run_git, try_git
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass

DRIVER = "memsite"
ATTRIBUTES = PurePosixPath(".gitattributes")
_CONFLICTS = range(128)
"""`git merge-file` ends with 0, with the number of conflicts, at most 127; with 255 when it cannot merge."""
_GLOB = re.compile(r"([*?\[\]\\])")


@dataclass(frozen=True, slots=True)
class DriverStatus:
    """How git merges the memory in this clone."""

    named: bool
    """The attributes name the driver for INDEX.md."""
    command: str
    """What is configured; empty: nothing, and git merges the memory as plain text."""
    problem: str
    """What is wrong and what to do, for `check`; empty when nothing is."""


def merge_file(
    base: Path, ours: Path, theirs: Path, name: str, config: Config, repository: Repository | None = None
) -> bool:
    """Merge three files as git hands them to a driver; the result goes into `ours`. Whether it is without conflict.

    `name` is the workspace-relative path that says what kind of file it is. Where the `repository` has it in another
    form than the work tree, the contents are merged, and a conflict is left to git. Raises OSError, FilterError.
    """
    path = PurePosixPath(name)
    texts = [file.read_bytes() for file in (base, ours, theirs)]
    filters = find_filters(repository, [path]) if repository else None
    if filters is None or path not in filters.names:
        merged = merge_memory_file(path, *texts, merge_text=merge_text, config=config)
        ours.write_bytes(merged.data)
        return not merged.conflict
    merged = merge_memory_file(
        path, *(filters.smudge_bytes(path, text) for text in texts), merge_text=merge_text, config=config
    )
    if not merged.conflict:
        ours.write_bytes(filters.clean_bytes(path, merged.data))
    return not merged.conflict


def merge_as_text(base: Path, ours: Path, theirs: Path) -> bool:
    """As `merge_file`, the way git does it without a driver."""
    text, conflict = merge_text(*(file.read_bytes() for file in (base, ours, theirs)))
    ours.write_bytes(text)
    return not conflict


def merge_text(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, bool]:
    """Git's three-way merge of a text, and whether it has conflict markers. What is no text keeps ours, in conflict."""
    with tempfile.TemporaryDirectory(prefix="memsite-merge-") as folder:
        names = ("ours", "base", "theirs")
        for name, data in zip(names, (ours, base, theirs), strict=True):
            (Path(folder) / name).write_bytes(data)
        try:
            done = try_git(["merge-file", "-p", "-q", *names], cwd=Path(folder))
        except GitError:
            return ours, True
        return (done.stdout, done.returncode != 0) if done.returncode in _CONFLICTS else (ours, True)


def driver_command(workspace: Workspace, program: Path, folder: Path | None = None) -> str:
    """The shell command that git is to run for each file; git puts its own file names in the place of `%O` and so on.

    It names the workspace from the top of the work tree, where git runs it: linked work trees share the setting;
    `folder` names it where git runs elsewhere. When the program is gone, or fails without having merged, git merges as
    text: else git would take ours, as it is, for a conflict that somebody settled.
    """
    name, place = (_quoted(str(word)) for word in (program, folder or workspace.require_repository().prefix))
    merge = f"test -x {name} && {name} -C {place} merge-driver -- %O %A %B %P && exit 0"
    return f"{merge}; grep -q '^<<<<<<< ' %A && exit 1; git merge-file -q %A %O %B || exit 1"


def _quoted(word: str) -> str:
    return shlex.quote(word).replace("%", "%%")


def install_merge_driver(workspace: Workspace, program: Path) -> bool:
    """Tell git in this clone's own configuration how to merge; whether that changed anything.

    `program` is the absolute path of the `memsite` command. Raises GitError where the configuration cannot be written.
    """
    repository = workspace.require_repository()
    command = driver_command(workspace, program)
    if _configured(repository) == command:
        return False
    settings = {"name": "memory files by their entries", "driver": command}
    for key, value in settings.items():
        run_git(["config", "--local", f"merge.{DRIVER}.{key}", value], cwd=repository.root)
    return True


def plan_merge_attributes(existing: bytes | None, config: Config) -> Changeset:
    """Add the lines to `.gitattributes` of the workspace that name the driver; an empty Changeset when they are there.

    The patterns are relative to that file, so a workspace below the top of its repository needs no other ones.
    """
    known = {line.strip() for line in (existing or b"").splitlines()}
    missing = [line for line in attribute_lines(config) if line.encode() not in known]
    end = line_end(existing)
    lines = b"".join(line.encode() + end for line in missing)
    return Changeset((Append(ATTRIBUTES, lines),) if lines else (), "init: merge memory files by their entries")


def attribute_lines(config: Config, prefix: PurePosixPath = PurePosixPath()) -> tuple[str, ...]:
    """The attribute of each kind of file that the driver merges. `prefix` is what precedes the workspace's paths."""
    memory = prefix / config.memory
    patterns = [_pattern(memory / "sessions", "*.md"), _pattern(memory, "*.md")]
    index = prefix / config.index_path
    if index.parent != memory or index.suffix != ".md":
        patterns.append(_pattern(index.parent, _GLOB.sub(r"\\\1", index.name)))
    return tuple(f"{pattern} merge={DRIVER}" for pattern in patterns)


def _pattern(folder: PurePosixPath, name: str) -> str:
    """An anchored pattern; quoted as git reads it where the folder's name has blanks or quotes."""
    pattern = "/" + str(PurePosixPath(_GLOB.sub(r"\\\1", str(folder))) / name)
    if not re.search(r'[\s"]', pattern):
        return pattern
    escaped = pattern.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n")
    return f'"{escaped}"'


def merge_driver_status(workspace: Workspace) -> DriverStatus:
    """Whether git merges this clone's memory entry by entry. Reads only; no repository has no problem."""
    if workspace.git_root is None:
        return DriverStatus(named=False, command="", problem="")
    repository = workspace.require_repository()
    command, named = _configured(repository), _is_named(repository, workspace.config)
    return DriverStatus(named, command, next(_problems(repository, command, named=named), ""))


def _problems(repository: Repository, command: str, *, named: bool) -> Iterator[str]:
    if named and not command:
        yield f"{ATTRIBUTES} names the merge driver, and this clone has none: git would merge the memory as plain text"
    if command and not named:
        yield f"the merge driver is installed, and {ATTRIBUTES} does not name it"
    program = _program(command)
    if program and not os.access(repository.root / program, os.X_OK):
        yield f"the merge driver's program is gone: {program}"


def _program(command: str) -> str:
    try:
        words = shlex.split(command.replace("%%", "%"))
    except ValueError:
        return ""
    return words[2] if words[:2] == ["test", "-x"] and len(words) > 2 else ""


def _configured(repository: Repository) -> str:
    answer = run_git(["config", "--get", f"merge.{DRIVER}.driver"], cwd=repository.root, accept=(0, 1))
    return os.fsdecode(answer).removesuffix("\n")


def _is_named(repository: Repository, config: Config) -> bool:
    path = os.fsdecode(repository.to_git(config.index_path))
    answer = run_git(["check-attr", "-z", "merge", "--", path], cwd=repository.root)
    return answer.split(b"\0")[2:3] == [DRIVER.encode()]
