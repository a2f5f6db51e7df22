"""Work that outlives the hook that started it: an agent or a person who commits does not wait for it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from memsite.repo.gitcmd import git_environment


def start_detached(command: Sequence[str], *, cwd: Path, log: Path) -> None:
    """Start a program in a session of its own, its output appended to `log`; do not wait for it.

    Raises OSError when the program cannot be started.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        subprocess.Popen(
            list(command),
            cwd=cwd,
            env=git_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
