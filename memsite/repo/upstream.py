"""The branch of another repository that this one follows: found, fetched, pushed to."""

from __future__ import annotations

import os

from memsite.errors import GitError, RefusedError
from memsite.repo.gitcmd import run_git, try_git
from memsite.repo.hook_places import hooks_folder
from memsite.repo.workspace import Repository
from memsite.values import dataclass

NETWORK_TIMEOUT = 600.0
"""Seconds for one transfer."""
_OTHERS_PUSHED = ("fetch first", "non-fast-forward", "stale info", "cannot lock ref", "failed to update ref", "locked")


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where a branch is fetched from and pushed to. Refs are whole: `refs/heads/main`."""

    remote: str
    ref: str
    """As the remote names it."""
    tracking: str
    """Where this repository keeps what it knows of it."""

    @property
    def shown(self) -> str:
        """`origin/main`."""
        return f"{self.remote}/{self.ref.removeprefix('refs/heads/')}"


def find_upstream(repository: Repository, remote: str | None) -> Upstream:
    """What HEAD's branch follows, or the branch of its name on `remote`. Raises RefusedError where there is none."""
    remotes = run_git(["remote"], cwd=repository.root).decode("utf-8", "surrogateescape").split("\n")[:-1]
    if not remotes:
        hint = "git remote add origin URL, then git push -u origin HEAD"
        raise RefusedError("there is no remote to sync with", where=repository.root, hint=hint)
    branch = os.fsdecode(run_git(["symbolic-ref", "-q", "HEAD"], cwd=repository.root)).removesuffix("\n")
    if remote is not None:
        if remote not in remotes:
            raise RefusedError(f"there is no remote {remote!r}", where=repository.root, hint="see `git remote -v`")
        return Upstream(remote, branch, f"refs/remotes/{remote}/{branch.removeprefix('refs/heads/')}")
    return _configured(repository, branch)


def _configured(repository: Repository, branch: str) -> Upstream:
    form = "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)"
    answer = os.fsdecode(run_git(["for-each-ref", form, "--", branch], cwd=repository.root)).removesuffix("\n")
    remote, ref, tracking = (answer.split("\n")[0] + "\0\0").split("\0")[:3]
    if not (remote and ref and tracking) or remote == ".":
        name = branch.removeprefix("refs/heads/")
        hint = f"git push -u origin {name}, or name one: memsite sync --remote origin"
        raise RefusedError(f"the branch {name!r} follows no branch of a remote", where=repository.root, hint=hint)
    return Upstream(remote, ref, tracking)


def fetch(repository: Repository, upstream: Upstream) -> str | None:
    """Bring what the remote has; the id of its branch, None when it has no such branch yet. Raises GitError."""
    refspec = f"+{upstream.ref}:{upstream.tracking}"
    options = ["--quiet", "--no-tags", "--no-prune", "--no-recurse-submodules", "--no-write-fetch-head"]
    try:
        command = ["fetch", *options, "--end-of-options", upstream.remote, refspec]
        run_git(command, cwd=repository.root, timeout=NETWORK_TIMEOUT, asks=True)
    except GitError as error:
        if "couldn't find remote ref" not in error.problem:
            raise
        return None
    return run_git(["rev-parse", "--verify", "-q", upstream.tracking], cwd=repository.root).decode().strip()


def push(repository: Repository, upstream: Upstream, commit: str) -> bool:
    """Push a commit; False when another has pushed since the fetch. The user's own pre-push hook runs.

    Raises RefusedError where the remote or a hook will not have it, GitError.
    """
    return _push(repository, upstream, commit, ["-c", f"core.hooksPath={hooks_folder(repository)}"], [])


def replace_branch(repository: Repository, upstream: Upstream, commit: str, known: str | None) -> bool:
    """Put a commit in the place of what the remote had at the fetch, `known`; False when it has another by now.

    No hook runs: what they look at are memories. Raises as `push`.
    """
    return _push(repository, upstream, commit, [], [f"--force-with-lease={upstream.ref}:{known or ''}"])


def _push(repository: Repository, upstream: Upstream, commit: str, settings: list[str], options: list[str]) -> bool:
    command = [*settings, "push", "--porcelain", "--no-signed", *options]
    command += ["--end-of-options", upstream.remote, f"{commit}:{upstream.ref}"]
    done = try_git(command, cwd=repository.root, timeout=NETWORK_TIMEOUT, asks=True)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    said = _said(done.stderr.decode("utf-8", "replace"))
    if done.returncode not in (0, 1):
        raise GitError(said or "git push failed", where=repository.root)
    refusal = next((line.split("\t")[-1] for line in lines if line.startswith("!")), "")
    if not refusal and "Done" in lines:
        return True
    if any(sign in refusal for sign in _OTHERS_PUSHED):
        return False
    hook = f"a pre-push hook refused it: {said}" if said else "a pre-push hook refused it"
    raise RefusedError(
        f"nothing was pushed: {refusal.strip('[] ') or hook}", where=upstream.shown, hint="`git push` tells more"
    )


def _said(stderr: str) -> str:
    """The first line that git or a hook wrote which is more than a warning."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    told = [line for line in lines if "failed to push some refs" not in line]
    grave = [line for line in told if not line.removeprefix("memsite: ").lower().startswith("warning")]
    return next(iter(grave or told), "").removeprefix("fatal: ").removeprefix("error: ")
