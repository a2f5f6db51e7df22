"""Whether git can take a commit now, or is in the middle of something of the user's."""

from __future__ import annotations

import os

from memsite.repo.gitcmd import run_git
from memsite.repo.objects import GitObject
from memsite.repo.workspace import Repository

_UNDER_WAY = {
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase or `git am` is under way",
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "sequencer": "a cherry-pick or revert of several commits is under way",
    "BISECT_LOG": "a bisect is under way",
}
ADOPTING = "memsite.adopting"
"""The record of a `sync` that moves to another commit (`adopt`)."""
UNBORN = "the repository has no commit yet"
DETACHED = "HEAD is on no branch"


def blocked_reason(repository: Repository, head: GitObject | None, *, allow_unborn: bool = False) -> str:
    """Why a commit made now could be lost or would disturb the user; empty when nothing stands against it.

    A commit made on a detached HEAD or in a rebase vanishes with the next checkout or `--abort`. `head` is the commit
    of HEAD, None where there is none.
    """
    for name, reason in _UNDER_WAY.items():
        if (repository.git_dir / name).exists() and not (name == "MERGE_HEAD" and _is_merged(repository, head)):
            return reason
    if not _on_branch(repository):
        return DETACHED
    return UNBORN if head is None and not allow_unborn else ""


def is_interrupted(repository: Repository) -> bool:
    """Whether a killed `adopt` left something to finish, or one is at work now."""
    return (repository.git_dir / ADOPTING).exists()


def _is_merged(repository: Repository, head: GitObject | None) -> bool:
    """Whether HEAD is the merge already: git removes MERGE_HEAD only after its post-merge hook."""
    merging = merged_heads(repository)
    header = head.data.partition(b"\n\n")[0].decode("utf-8", "replace") if head else ""
    parents = [line.removeprefix("parent ") for line in header.split("\n") if line.startswith("parent ")]
    return bool(merging) and set(merging) <= set(parents[1:])


def merged_heads(repository: Repository) -> tuple[str, ...]:
    """The commits that a merge under way brings in; none where there is no such merge."""
    try:
        return tuple((repository.git_dir / "MERGE_HEAD").read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return ()


def is_squashing(repository: Repository) -> bool:
    """Whether `git merge --squash` has staged what the user is to commit."""
    return (repository.git_dir / "SQUASH_MSG").exists()


def _on_branch(repository: Repository) -> bool:
    try:
        head = os.fsdecode((repository.git_dir / "HEAD").read_bytes()).strip()
    except FileNotFoundError:
        return False
    if head == "ref: refs/heads/.invalid":
        # The reftable format keeps HEAD elsewhere and leaves this for older programs.
        return bool(run_git(["symbolic-ref", "-q", "HEAD"], cwd=repository.root, accept=(0, 1)))
    return head.startswith("ref: refs/heads/")
