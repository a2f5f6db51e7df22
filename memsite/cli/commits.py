"""`commit` and `history`: what is in git, and what is put there."""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from memsite.cli.context import Context, UsageError, parse_day
from memsite.counting import counted
from memsite.repo.workspace import open_workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from memsite.repo.guard import Violation
    from memsite.repo.history import Commit, History
    from memsite.repo.pending import Uncommitted
    from memsite.repo.transaction import Committed
    from memsite.repo.workspace import Workspace

_KEPT = "`memsite commit` delivers it when git is free and the file is as it was then"
SHORT = 10
"""Digits of a commit id that people are shown."""


def report(context: Context, commits: Sequence[Committed]) -> None:
    """Say what was committed: one line each, and what of the user's could not take it."""
    for commit in commits:
        context.output.line(f"{commit.commit[:SHORT]} {commit.message.splitlines()[0]}")
        for path in commit.left_staged:
            context.output.warn(f"{path}: what you have staged was left as it is; `git add` it again before you commit")


def commit_parser(parser: argparse.ArgumentParser) -> None:
    """`commit` has no arguments of its own."""
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def commit(context: Context, _arguments: argparse.Namespace) -> None:
    """Commit what agents and people have written by themselves, one commit each."""
    from memsite.cli.several import find_household, for_each

    household = find_household(open_workspace(context.directory))
    if household:
        for_each(household, context, _commit)
    else:
        _commit(context)


def _commit(context: Context) -> None:
    commits = commit_pending_work(context)
    if not commits:
        context.output.line("nothing to commit")
    report(context, commits)
    context.output.json([{"commit": one.commit, "message": one.message, "paths": list(one.paths)} for one in commits])


def commit_pending_work(context: Context) -> tuple[Committed, ...]:
    """What `commit` does, for the commands that do it first."""
    from memsite.repo.pending import settle_pending  # only these commands need it

    commits, left = settle_pending(context.workspace, now=context.now)
    _warn(context, commits, left)
    return commits


def _warn(context: Context, commits: Sequence[Committed], left: Uncommitted) -> None:
    """Say what `commit` would not commit, what it could not, and which secrets agents have written themselves."""
    from memsite.repo.guard import check_commits  # the rules of a history: what only writes one file does without

    for problem in unsettled(context.workspace, left):
        context.output.warn(str(problem))
    written = [one.commit for one in commits]
    for violation in check_commits(context.workspace, written, walk=False) if written else ():
        context.output.warn(f"warning: {violation}")


def unsettled(workspace: Workspace, left: Uncommitted | None = None) -> tuple[Violation, ...]:
    """Files that break a rule and so are in no commit, and entries that are kept because git could not take them.

    `left` is what `uncommitted` would find, where that is known.
    """
    from memsite.repo.guard import Violation
    from memsite.repo.pending import uncommitted
    from memsite.repo.transaction import pending_operations

    left = uncommitted(workspace) if left is None else left
    held = [Violation(one.path, one.line, f"not committed: {one.message}", one.hint) for one in left.held_back]
    chosen = [
        Violation(one.path, one.line, f"not committed: {one.message}", one.hint, warning=True)
        for one in left.left_to_user
    ]
    kept = [
        Violation(path, None, f"an entry of {operation.at:%Y-%m-%d %H:%M} is recorded but not committed", _KEPT)
        for operation in pending_operations(workspace)
        for path in sorted({path for changeset in operation.changesets for path in changeset.paths})
    ]
    return (*held, *chosen, *kept)


def history_parser(parser: argparse.ArgumentParser) -> None:
    """`history [PATH] [--since D]`."""
    parser.add_argument("path", nargs="?", metavar="PATH", help="only commits that change this file or folder")
    parser.add_argument("--since", metavar="D", help="only commits of this day and later")
    parser.add_argument("--limit", metavar="N", type=int, default=30, help="how many (default: 30; 0: all)")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def history(context: Context, arguments: argparse.Namespace) -> None:
    """List the memory's commits, newest first, each with what it changed."""
    from memsite.repo.history import read_history  # imports GitPython

    if arguments.limit < 0:
        raise UsageError("--limit takes a whole number, 0 or more")
    read = read_history(context.workspace)
    if read.shallow:
        context.output.warn("this is a shallow clone: older commits are missing; `git fetch --unshallow` brings them")
    zone = context.workspace.config.zone()
    named = _under_any_name(context.workspace, read, arguments.path) if arguments.path else frozenset()
    commits = [one for one in read.commits if _wanted(context, one, arguments, named)]
    shown = commits[: arguments.limit or None]
    for one in shown:
        moment = one.at.astimezone(zone)
        context.output.line(f"{one.id[:SHORT]} {moment:%Y-%m-%d %H:%M} {one.subject}", style="bold")
        for change in one.changes:
            context.output.line(f"  {change.status} {change.path}")
    if len(shown) < len(commits):
        earlier = counted(len(commits) - len(shown), "earlier one")
        context.output.line(f"… and {earlier} (--limit 0 shows all)", style="dim")
    if not shown:
        context.output.line("no commit" + (f" changes {arguments.path}" if arguments.path else ""))
    context.output.json([_as_json(one, one.at.astimezone(zone)) for one in shown])


def _wanted(context: Context, one: Commit, arguments: argparse.Namespace, named: Container[str]) -> bool:
    if arguments.since and one.at.astimezone(context.workspace.config.zone()).date() < parse_day(arguments.since):
        return False
    if not arguments.path or one.id in named:
        return True
    names = _asked(context.workspace, arguments.path)
    return any(not names.isdisjoint((change.path, *change.path.parents)) for change in one.changes)


def _asked(workspace: Workspace, path: str) -> frozenset[PurePosixPath]:
    return frozenset({PurePosixPath(path), workspace.config.memory / path})


def _under_any_name(workspace: Workspace, read: History, path: str) -> frozenset[str]:
    """The commits that changed a file, also while it was called otherwise."""
    from memsite.repo.renames import find_renames
    from memsite.repo.snapshots import read_texts

    renames = find_renames(read, workspace.config, partial(read_texts, workspace))
    return frozenset(state.commit.id for name in _asked(workspace, path) for state in renames.revisions(read, name))


def _as_json(one: Commit, moment: datetime) -> dict[str, object]:
    changes = [{"path": str(change.path), "status": change.status} for change in one.changes]
    return {
        "commit": one.id,
        "at": moment.isoformat(),
        "author": one.author,
        "subject": one.subject,
        "changes": changes,
    }
