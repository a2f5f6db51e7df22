"""A file of the memory that is gone from the folder: what git has of it, and the command that brings it back."""

from __future__ import annotations

import shlex
from pathlib import PurePosixPath

from memsite.cli.context import Context
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a file that is gone."""

    hint: str
    """What to do."""
    data: bytes | None = None
    """Its last content; None where the history does not have it."""


def find_kept(context: Context, path: PurePosixPath, *, line: int) -> Kept:
    """Look for a file in the history of HEAD; `line` of INDEX.md names it. Changes nothing."""
    from memsite.repo.history import read_history
    from memsite.repo.snapshots import read_blobs

    index = context.workspace.config.index_path
    states = read_history(context.workspace).revisions(path) if context.workspace.git_root else ()
    last = next((state for state in states if state.blob), None)
    if last is None or last.blob is None:
        return Kept(f"fetch the history that has it; if it is lost for good, take it out of {index}, line {line}")
    source = "HEAD --staged" if last is states[0] else last.commit.id[:12]
    command = f"git restore --source={source} --worktree -- {shlex.quote(str(path))}"
    return Kept(f"restore it: {command}", read_blobs(context.workspace, [last.blob]).get(last.blob))
