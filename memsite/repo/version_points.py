"""The commits that stand for months and tags."""

from __future__ import annotations

import os
from datetime import date, datetime
from pathlib import PurePosixPath

from memsite.repo.gitcmd import run_git, try_git
from memsite.repo.membership import membership
from memsite.repo.workspace import Repository, Workspace


def find_months(workspace: Workspace, today: date) -> list[tuple[str, str]]:
    """`YYYY-MM` and the last commit of HEAD's own line that changed the memory in it, newest first.

    Months without one have none, and neither has the month of `today`, which is not over. Raises GitError.
    """
    repository = workspace.require_repository()
    paths = membership(workspace.config).pathspecs(repository)
    command = ["rev-list", "--first-parent", "--timestamp", "HEAD", "--", *paths]
    found: dict[str, str] = {}
    for line in run_git(command, cwd=repository.root).decode().splitlines():
        seconds, commit = line.split(" ")
        month = f"{datetime.fromtimestamp(int(seconds), workspace.config.zone()):%Y-%m}"
        if month < f"{today:%Y-%m}":
            found.setdefault(month, commit)
    return sorted(found.items(), reverse=True)


def find_tags(repository: Repository) -> list[tuple[str, str]]:
    """Tags of commits that HEAD has in its history, and these commits, newest first. Raises GitError."""
    form = "--format=%(objectname)%00%(*objectname)%00%(refname:strip=2)"
    command = ["for-each-ref", "--merged=HEAD", "--sort=-creatordate", form, "refs/tags"]
    lines = os.fsdecode(run_git(command, cwd=repository.root)).split("\n")
    parts = (line.split("\0") for line in lines if line)
    return [(tag, peeled or commit) for commit, peeled, tag in parts]


def is_past(repository: Repository, commit: str, of: str = "HEAD") -> bool:
    """Whether a commit is in the history of another; False for one that is not here."""
    command = ["merge-base", "--is-ancestor", commit, of]
    return try_git(command, cwd=repository.root).returncode == 0


def read_file(repository: Repository, commit: str, path: PurePosixPath) -> bytes | None:
    """A file of a commit by its path from the top; None where it has none."""
    done = try_git(["cat-file", "blob", f"{commit}:{path}"], cwd=repository.root)
    return done.stdout if done.returncode == 0 else None
