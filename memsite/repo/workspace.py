"""Where the memory is: the workspace folder, its settings, and the repository that it lies in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

from memsite.config import CONFIG_NAME, Config, parse_config
from memsite.errors import ConfigError, GitError, UnsafePathError, WorkspaceError
from memsite.repo.gitcmd import RunningGit, run_git, start_git
from memsite.safety.paths import read_settings_file
from memsite.values import dataclass, replace

DEFAULT_MEMORY = "memory"
_QUESTIONS = ("--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-prefix", "--show-object-format")
_MARK = b"\xef\xbb\xbf"
"""What some editors begin UTF-8 with."""
LONGEST_CONFIG = 64 * 1024
"""Bytes of a memsite.toml."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """One workspace. All paths inside it are relative to `root`; git's own are relative to `git_root`."""

    root: Path
    """Absolute, links resolved."""
    git_root: Path | None
    """The work tree that it lies in; None without a repository."""
    prefix: PurePosixPath
    """From `git_root` to `root`; `.` at the top."""
    git_dir: Path | None
    """Of this work tree: a linked one has its own."""
    common_dir: Path | None
    """Shared by all work trees of the repository."""
    config: Config
    config_errors: tuple[ConfigError, ...] = ()
    object_format: str = "sha1"
    """`sha1` or `sha256`."""
    git_problem: GitError | None = None
    """Why the repository that is there cannot be used."""
    beside: tuple[Path, ...] = ()
    """Workspaces of other agents on the same site: a value that was purged in one of them is hidden in all."""

    def require_repository(self) -> Repository:
        """The repository's folders. Raises WorkspaceError where there is none, GitError where git refuses it."""
        if self.git_problem is not None:
            raise self.git_problem
        if self.git_root is None or self.git_dir is None or self.common_dir is None:
            raise WorkspaceError("lies in no git repository", where=self.root, hint="run `memsite init` or `git init`")
        return Repository(self.git_root, self.git_dir, self.common_dir, self.prefix, self.object_format)


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository of a workspace, known to exist."""

    root: Path
    git_dir: Path
    common_dir: Path
    prefix: PurePosixPath
    object_format: str = "sha1"

    @property
    def own_dir(self) -> Path:
        """memsite's folder below git's: lock, spool, caches. Made on first use by those who write."""
        return self.common_dir / "memsite"

    @property
    def objects_dir(self) -> Path:
        """git's folder of objects."""
        return self.common_dir / "objects"

    @property
    def is_shallow(self) -> bool:
        """Whether the history was cut off when it was cloned."""
        return (self.common_dir / "shallow").exists()

    def to_git(self, path: PurePosixPath) -> bytes:
        """A workspace path as git names it, in bytes."""
        return os.fsencode(str(self.prefix / path))

    def from_git(self, path: bytes) -> PurePosixPath | None:
        """A path that git named, relative to the workspace; None outside of it."""
        whole = PurePosixPath(os.fsdecode(path))
        return whole.relative_to(self.prefix) if whole.is_relative_to(self.prefix) else None


def find_workspace(start: Path) -> Path:
    """The nearest folder at or above `start` with `memsite.toml`, else the nearest with `memory/`.

    Raises WorkspaceError, saying how to make one.
    """
    here = Path(os.path.realpath(start))
    above = (here, *here.parents)
    for folder in above:
        if (folder / CONFIG_NAME).is_file():
            return folder
    for folder in above:
        if (folder / DEFAULT_MEMORY).is_dir():
            return folder
    raise WorkspaceError(
        f"no memory here: neither {CONFIG_NAME} nor a {DEFAULT_MEMORY}/ folder in it or above",
        where=start,
        hint="run `memsite init` in the folder that shall have one",
    )


def open_workspace(start: Path, *, strict: bool = True) -> Workspace:
    """The workspace of a folder.

    Raises WorkspaceError as `find_workspace` does. When `memsite.toml` has errors, `strict` raises the first
    (ConfigError, with its line); otherwise they are kept in `config_errors` and their keys have their defaults.
    """
    with ExitStack() as started:
        return begin_workspace(start, started)(strict)


def begin_workspace(start: Path, started: ExitStack) -> Callable[[bool], Workspace]:
    """As `open_workspace`, which is what the function that comes back does: git looks meanwhile, and answers once."""
    root = find_workspace(start)
    found = started.enter_context(ask_repository(root))
    opened: list[Workspace] = []

    def finish(strict: bool) -> Workspace:
        config, errors = read_config(root)
        if strict and errors:
            raise errors[0]
        opened[:] = opened or [_with_repository(root, config, errors, found)]
        return opened[0]

    return finish


def workspace_at(root: Path) -> Workspace:
    """The workspace that `root` itself is or shall become, whatever lies above. Wrong settings keep their defaults."""
    config, errors = read_config(root)
    whole = Path(os.path.realpath(root))
    with ask_repository(whole) as found:
        return _with_repository(whole, config, errors, found)


def gone_workspace(root: Path) -> Workspace:
    """The workspace that was at `root`, a folder that is there no more, in the repository that it was in."""
    whole = Path(os.path.realpath(root))
    above = next(folder for folder in whole.parents if folder.is_dir())
    with ask_repository(above) as answer:
        found = _with_repository(above, Config(), (), answer)
    return replace(found, root=whole, prefix=found.prefix / whole.relative_to(above))


def read_config(root: Path) -> tuple[Config, tuple[ConfigError, ...]]:
    """The settings in `root`; defaults where there is no file."""
    try:
        return parse_config(read_settings_file(root / CONFIG_NAME, LONGEST_CONFIG).removeprefix(_MARK).decode("utf-8"))
    except FileNotFoundError:
        return Config(), ()
    except UnsafePathError as error:
        return Config(), (ConfigError(error.problem, where=CONFIG_NAME, hint=error.hint),)
    except UnicodeDecodeError:
        return Config(), (ConfigError("is not UTF-8", where=CONFIG_NAME, hint="save it as UTF-8"),)
    except OSError as error:
        return Config(), (ConfigError(f"cannot be read: {error.strerror}", where=CONFIG_NAME),)


def _with_repository(
    root: Path, config: Config, errors: tuple[ConfigError, ...], answer: Callable[[], Repository | None]
) -> Workspace:
    lone = Workspace(root, None, PurePosixPath(), None, None, config, errors)
    try:
        found = answer()
    except GitError as error:
        return Workspace(root, None, PurePosixPath(), None, None, config, errors, git_problem=error)
    if found is None:
        return lone
    return Workspace(
        root, found.root, found.prefix, found.git_dir, found.common_dir, config, errors, found.object_format
    )


def find_repository(folder: Path) -> Repository | None:
    """The repository whose work tree `folder` lies in; None without one. Raises GitError when git will not use it."""
    with ask_repository(folder) as found:
        return found()


@contextmanager
def ask_repository(folder: Path) -> Iterator[Callable[[], Repository | None]]:
    """As `find_repository`, which is what the function that comes back answers: git looks meanwhile."""
    with ExitStack() as asked:
        git: RunningGit | GitError
        try:
            git = asked.enter_context(start_git(["rev-parse", *_QUESTIONS], cwd=folder))
        except GitError as error:  # there is no git: that is an answer, too
            git = error
        yield lambda: _read_answer(folder, git)


def _read_answer(folder: Path, git: RunningGit | GitError) -> Repository | None:
    try:
        if isinstance(git, GitError):
            raise git
        answer = git.answer()
    except GitError as error:
        refusal = _refusal(folder, error)
        if refusal is None:
            return None
        raise refusal from error
    lines = os.fsdecode(answer).removesuffix("\n").split("\n")
    if len(lines) != len(_QUESTIONS):
        raise GitError("has a line break in its name", where=ascii(str(folder)), hint="rename the folder")
    top, git_dir, common_dir, prefix, object_format = lines
    if not Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(top)):
        hint = "correct core.worktree: git would read and write there"
        raise GitError(f"the repository here has its work tree elsewhere ({top})", where=folder, hint=hint)
    return Repository(
        Path(top),
        Path(git_dir),
        Path(os.path.normpath(folder / common_dir)),
        PurePosixPath(prefix),
        object_format,
    )


def _refusal(folder: Path, error: GitError) -> GitError | None:
    """What git's complaint means; None: there is no repository."""
    if "not a git repository" in error.problem or "must be run in a work tree" in error.problem:
        return None
    if "dubious ownership" in error.problem:
        return GitError(
            "git does not trust this repository: the folder belongs to another user",
            where=folder,
            hint=f"run as its owner, or allow it: git config --global --add safe.directory {folder}",
        )
    if "cannot use bare repository" in error.problem:
        return GitError("is a bare repository, or lies in git's folder", where=folder, hint="use a clone of it")
    return error


def ensure_repository(root: Path, *, of_its_own: bool = False) -> bool:
    """Make `root` a repository unless it already lies in one; says whether it made one.

    `of_its_own` makes one in any case where `root` is not the top of one: a demo inside a checkout is not part of it.
    Raises GitError when git cannot, or will not use the one that is there.
    """
    found = find_repository(root)
    if found is not None and not (of_its_own and found.root != Path(os.path.realpath(root))):
        return False
    run_git(["init", "-q", "--template=", "-b", "main"], cwd=root)
    return True


def is_untracked(root: Path, name: str) -> bool:
    """Whether git has nothing of a file in a folder, neither committed nor staged, and does not ignore it either.

    So it is where there is no repository yet. Raises GitError.
    """
    if find_repository(root) is None:
        return True
    command = ["ls-files", "--others", "--exclude-standard", "-z", "--", name]
    return bool(run_git(command, cwd=root, env={"GIT_LITERAL_PATHSPECS": "1"}))
