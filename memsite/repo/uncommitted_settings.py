"""Settings as they are on disk, which no commit has: they hold on this machine alone, and CI publishes without them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from memsite.config import CONFIG_NAME
from memsite.repo.gitcmd import run_git
from memsite.repo.guard import Violation
from memsite.repo.workspace import Workspace


def find_uncommitted_settings(workspace: Workspace, folder: str = "") -> Iterator[Violation]:
    """A warning where HEAD has memsite.toml otherwise or not at all, not for one that git ignores.

    `folder` is where the workspace lies below the one that the user is in. Raises GitError.
    """
    if workspace.git_root is None or not (workspace.root / CONFIG_NAME).is_file():
        return
    command = ["status", "--porcelain", "-z", "--untracked-files=normal", "--", CONFIG_NAME]
    if run_git(command, cwd=workspace.root):
        path = PurePosixPath(folder, CONFIG_NAME)
        problem = "is not committed: what it says holds on this machine alone"
        yield Violation(path, None, problem, f"git add {shlex.quote(str(path))} && git commit", warning=True)
