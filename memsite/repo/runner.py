"""GitPython as the runner of git's reading commands on history and trees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memsite.errors import GitError
from memsite.repo.gitcmd import OVERRIDES, PASSED, git_environment
from memsite.repo.workspace import Repository

if TYPE_CHECKING:
    import git


@contextmanager
def open_repo(repository: Repository) -> Iterator[git.Repo]:
    """A GitPython repository that sees no other repository's `GIT_*`. Its errors come out as GitError.

    Pass it ids and literal paths only, never a text from outside as a keyword, a revision or an option.
    """
    with _without_inherited_names():
        import git  # 0.1-0.2 s: only those who read history pay for it

        try:
            with git.Repo(repository.root) as repo:
                repo.git.update_environment(**_settings())
                repo.git.set_persistent_git_options(c=list(OVERRIDES))
                yield repo
        except git.GitCommandError as error:
            reason = str(error.stderr).strip().removeprefix("stderr: ").strip("'\n ").splitlines()
            raise GitError(reason[0] if reason else "git failed", where=repository.root) from error
        except (git.InvalidGitRepositoryError, git.NoSuchPathError) as error:
            raise GitError("is no repository that git can use", where=repository.root) from error


@contextmanager
def _without_inherited_names() -> Iterator[None]:
    # GitPython reads GIT_DIR and GIT_WORK_TREE itself and gives its children the whole environment of the process.
    removed = {
        name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_") and name not in PASSED
    }
    try:
        yield
    finally:
        os.environ.update(removed)


def _settings() -> dict[str, str]:
    return {name: value for name, value in git_environment().items() if name.startswith(("GIT_", "LC_", "LANG"))}
