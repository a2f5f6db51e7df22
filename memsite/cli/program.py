"""The `memsite` command itself, for what must call it again: git hooks, agents, detached work."""

from __future__ import annotations

import sys
from pathlib import Path


def program_path() -> Path:
    """The absolute path of the `memsite` command that is running."""
    beside = Path(sys.executable).with_name("memsite")
    return beside if beside.exists() else Path(sys.argv[0]).absolute()
