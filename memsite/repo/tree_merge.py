"""Two commits merged in the object store by git, the memory's files by the merge driver; no work tree is touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from memsite.errors import GitError
from memsite.repo.files import write_atomic
from memsite.repo.gitcmd import failure, run_git, try_git
from memsite.repo.merge import DRIVER, attribute_lines, driver_command
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass

_ATTRIBUTES = "attributes"
_MOST_SHOWN = 3
_STAND_IN = "merging-"
"""Begins the name of the folder in which git merges files."""


@dataclass(frozen=True, slots=True)
class TreeMerge:
    """A merged tree."""

    tree: str
    """Its id."""
    conflicts: tuple[PurePosixPath, ...]
    """Files that a person must merge, relative to the top of the work tree; empty: the tree is whole."""


def merge_trees(workspace: Workspace, ours: str, theirs: str, program: Path | None) -> TreeMerge:
    """Merge two commits as `git merge` would.

    With `program`, the `memsite` command, the memory is merged by it whatever the clone's configuration and
    `.gitattributes` say; what the attributes say themselves about a file counts more. Raises GitError.
    """
    repository = workspace.require_repository()
    settings = _settings(workspace, repository, program) if program else []
    command = [*settings, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs]
    with _stand_in(repository) as place:
        return _merge(repository, command, place)


def _merge(repository: Repository, command: list[str], place: Path) -> TreeMerge:
    environment = {"GIT_DIR": str(repository.git_dir), "GIT_WORK_TREE": str(place)}
    done = try_git(command, cwd=place, env=environment)
    if b"usage" in done.stderr:
        raise GitError("this git cannot sync", where=repository.root, hint="install git 2.38 or newer")
    if done.returncode == 1 and (conflicts := _conflicts(done.stdout)):
        return TreeMerge("", conflicts)
    if done.returncode:
        raise failure(command, done, repository.root)
    return TreeMerge(done.stdout.split(b"\0")[0].decode().strip(), ())


@contextmanager
def _stand_in(repository: Repository) -> Iterator[Path]:
    """A folder that git takes for the work tree: the files that it merges through lie there, also when it is killed.

    It has the attributes of the real one: a copy of the topmost file and links to the folders with the others. What
    killed runs left of it is removed.
    """
    repository.own_dir.mkdir(exist_ok=True)
    for left in repository.own_dir.glob(f"{_STAND_IN}*"):
        if not _lives(left.name.removeprefix(_STAND_IN).partition("-")[0]):
            shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=f"{_STAND_IN}{os.getpid()}-", dir=repository.own_dir) as name:
        place = Path(name)
        for entry in os.scandir(repository.root):
            if entry.name == ".gitattributes" and entry.is_file(follow_symlinks=False):
                shutil.copyfile(entry.path, place / entry.name)
            elif entry.name != ".git" and entry.is_dir(follow_symlinks=False):
                (place / entry.name).symlink_to(entry.path)
        yield place


def _lives(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True


def shown_conflicts(paths: tuple[PurePosixPath, ...]) -> str:
    """Conflicting files in a message."""
    shown = ", ".join(map(str, paths[:_MOST_SHOWN]))
    more = len(paths) - _MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _conflicts(answer: bytes) -> tuple[PurePosixPath, ...]:
    names = [os.fsdecode(name) for name in answer.split(b"\0")[1:] if name]
    return tuple(PurePosixPath(name) for name in dict.fromkeys(names))


def _settings(workspace: Workspace, repository: Repository, program: Path) -> list[str]:
    """The driver and its attributes for one command. What the user's own attributes file says comes with it."""
    question = ["config", "--type=path", "--default", "~/.config/git/attributes", "--get", "core.attributesFile"]
    users = Path(os.fsdecode(run_git(question, cwd=repository.root)).removesuffix("\n"))
    lines = attribute_lines(workspace.config, repository.prefix)
    text = (users.read_bytes() if users.is_file() else b"") + b"\n" + os.fsencode("\n".join(lines)) + b"\n"
    write_atomic(repository.own_dir, _ATTRIBUTES, text)
    file = repository.own_dir / _ATTRIBUTES
    driver = driver_command(workspace, program, workspace.root)
    return ["-c", f"core.attributesFile={file}", "-c", f"merge.{DRIVER}.driver={driver}"]
