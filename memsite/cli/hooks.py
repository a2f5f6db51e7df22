"""`hooks`: git hooks of the memory's repository, and what they run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

from memsite.cli.background_build import build_in_background, build_in_turn
from memsite.cli.commits import commit_pending_work
from memsite.cli.context import Context
from memsite.cli.program import program_path as program_path
from memsite.cli.several import find_household
from memsite.errors import MemsiteError, PendingError, RefusedError, WorkspaceError
from memsite.patterns import late
from memsite.repo.git_hooks import HookStatus, hook_statuses, install_hooks, uninstall_hooks
from memsite.repo.gitcmd import run_git
from memsite.repo.guard import Violation, check_commits, check_refs, check_replaced, check_staged, generations_alone
from memsite.repo.workspace import Repository, Workspace, gone_workspace, open_workspace, workspace_at
from memsite.shipped import read_shipped
from memsite.values import replace

_ID = late(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def hooks_parser(parser: argparse.ArgumentParser) -> None:
    """`hooks install|uninstall|status`; `run` is what the installed hooks call."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("install", help="beside the hooks that are there")
    actions.add_parser("uninstall", help="take them out; what was there before is as it was")
    status = actions.add_parser("status", help="which hooks are installed, and why one is not")
    status.add_argument("--json", action="store_true", help="answer as JSON")
    run = actions.add_parser("run", help="what an installed hook calls, and the build that it starts")
    run.add_argument("hook", metavar="HOOK", choices=list(_RUN), help="its name")
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="what git gives it")


def hooks(context: Context, arguments: argparse.Namespace) -> None:
    """Dispatch to the action."""
    if arguments.action == "run":
        _run(context, arguments.hook, arguments.arguments)
        return
    workspace = context.opened or open_workspace(context.directory)  # of one agent, or of the folder above several
    if arguments.action == "install":
        _show(context, install(workspace))
    elif arguments.action == "uninstall":
        _show(context, uninstall_hooks(workspace))
    else:
        _show(context, hook_statuses(workspace))


def _run(context: Context, hook: str, arguments: Sequence[str]) -> None:
    workspace = _workspace(context)
    if workspace is None:
        # This branch has no memory. What is committed or pushed may still take one away.
        if hook not in _CHECKS:
            return
        is_there = context.directory.is_dir()
        workspace = workspace_at(context.directory) if is_there else gone_workspace(context.directory)
    if not workspace.config.agents:
        _RUN[hook](replace(context, opened=context.with_zone(workspace)), arguments)
        return
    stdin = context.stdin.read() if hook == "pre-push" else b""
    household = find_household(workspace)
    errors: list[MemsiteError] = []
    for _, one in household.contexts(context) if household else ():
        try:
            _RUN[hook](replace(one, stdin=BytesIO(stdin)), arguments)
        except MemsiteError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _workspace(context: Context) -> Workspace | None:
    """The one that the hook is for: where its folder is gone, a workspace above it is another one."""
    try:
        # A git hook never stops for a wrong setting; `check` reports it.
        return open_workspace(context.directory, strict=False) if context.directory.is_dir() else None
    except WorkspaceError:
        return None


def install(workspace: Workspace) -> tuple[HookStatus, ...]:
    """Install the hooks for this `memsite`. For `init`, too."""
    return install_hooks(workspace, program_path(), read_shipped("hooks/memsite-hook"))


def _show(context: Context, statuses: Sequence[HookStatus]) -> None:
    context.output.json(
        [
            {"hook": one.name, "state": one.state.value, "reason": one.reason, "add": one.line, "to": one.own}
            for one in statuses
        ]
    )
    if context.output.as_json:
        return
    context.output.table([(one.name, one.state.value, one.reason) for one in statuses])
    for one in statuses:
        if one.own:
            _show_line(context, one.own, one.line)
    if any(one.own for one in statuses):
        context.output.line("such a line looks for memsite on PATH, and does nothing where there is none")


def _show_line(context: Context, own: Path, line: str) -> None:
    """What the person adds to a hook that memsite does not write into."""
    root = context.workspace.require_repository().root
    shown = own.relative_to(root) if own.is_relative_to(root) else own
    how = "below its first line" if own.exists() else "a file to be made, executable, that begins with #!/bin/sh"
    context.output.line(f"to have it, add to {shown}, {how}:")
    context.output.line("\n".join(f"    {part}" for part in line.split("\n")))


def _pre_commit(context: Context, _arguments: Sequence[str]) -> None:
    violations = check_staged(context.workspace, context.environ.get("GIT_INDEX_FILE", ""))
    _refuse(context, violations, "nothing was committed", "`git commit --no-verify` overrides this, and `check` tells")


def _pre_push(context: Context, arguments: Sequence[str]) -> None:
    repository = context.workspace.require_repository()
    remote = arguments[0] if arguments else ""
    lines = [line.split(" ") for line in context.stdin.read().decode("utf-8", errors="replace").splitlines()]
    _refuse_unknown(repository, lines, remote)
    _refuse_last(context.workspace, lines, remote)
    revisions = [one for fields in lines for one in _pushed(repository, fields, remote)]
    violations = list(check_commits(context.workspace, revisions) if revisions else ())
    known = [fields[3] for fields in lines if len(fields) == 4 and _exists(repository, fields[3])]
    violations += check_refs(context.workspace, list(_named(lines)), known)
    for old, new in _replaced(repository, lines):
        violations += check_replaced(context.workspace, old, new)
    _refuse(context, violations, "nothing was pushed", "rewrite the commits, or override with `git push --no-verify`")


def _pushed(repository: Repository, fields: list[str], remote: str) -> Iterable[str]:
    """The commits that one line of git's announces: `<local ref> <local id> <remote ref> <remote id>`."""
    if len(fields) != 4 or not _ID.fullmatch(fields[1]) or not fields[1].strip("0"):
        return
    yield fields[1]
    if _ID.fullmatch(fields[3]) and _exists(repository, fields[3]):
        yield f"^{fields[3]}"
    known = run_git(["for-each-ref", "--format=^%(objectname)", f"refs/remotes/{remote}/"], cwd=repository.root)
    yield from known.decode().split()


def _named(lines: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """The refs that a push makes or moves there, each with the object that it is at."""
    for fields in lines:
        if len(fields) == 4 and _ID.fullmatch(fields[1]) and fields[1].strip("0"):
            yield fields[2], fields[1]


def _replaced(repository: Repository, lines: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """Commits that a forced push takes a branch of the remote from, and to."""
    for fields in lines:
        old, new = (fields[3], fields[1]) if len(fields) == 4 else ("", "")
        if all(_ID.fullmatch(one) and _exists(repository, one) for one in (old, new)):
            missing = run_git(["rev-list", "-1", old, f"^{new}"], cwd=repository.root)
            yield from [(old, new)] if missing.strip() else []


def _refuse_unknown(repository: Repository, lines: Iterable[list[str]], remote: str) -> None:
    """Stop what takes a branch of the remote from a commit that is not here: nobody can tell what would be lost."""
    for branch, old, _new in _branches(lines):
        if old.strip("0") and not _exists(repository, old):
            message = f"nothing was pushed: {branch} of {remote} has commits that are not here"
            raise RefusedError(message, hint=f"`git fetch {remote}` first; `git push --no-verify` overrides this")


def _refuse_last(workspace: Workspace, lines: Sequence[list[str]], remote: str) -> None:
    """Stop the deletion of a branch of the remote that no other one there makes up for."""
    gone = {branch: old for branch, old, new in _branches(lines) if not new.strip("0") and old.strip("0")}
    kept = _kept_tips(workspace.require_repository(), lines, remote) if gone else []
    for branch, old in gone.items():
        if alone := generations_alone(workspace, old, kept):
            more = f" and {len(alone) - 1} more" if alone[1:] else ""
            message = f"nothing was pushed: {branch} of {remote} alone has {alone[0]}{more}; generations are immutable"
            raise RefusedError(message, hint="push it to another branch there first; `--no-verify` overrides this")


def _kept_tips(repository: Repository, lines: Sequence[list[str]], remote: str) -> list[str]:
    """The commits that branches of the remote are at after a push, as far as it is known here."""
    folder = f"refs/remotes/{remote}/"
    listing = run_git(["for-each-ref", "--format=%(objectname) %(symref) %(refname)", folder], cwd=repository.root)
    tracked = (one.split(" ") for one in listing.decode("utf-8", "replace").splitlines())
    pushed = {branch: new for branch, _old, new in _branches(lines)}
    tips = [tip for tip, link, name in tracked if not link and name.removeprefix(folder) not in pushed]
    return [*tips, *(new for new in pushed.values() if new.strip("0"))]


def _branches(lines: Iterable[list[str]]) -> Iterator[tuple[str, str, str]]:
    """Each branch of the remote that is pushed to: its name, the commit it is at, and the one it goes to."""
    for fields in lines:
        if len(fields) == 4 and fields[2].startswith("refs/heads/") and all(map(_ID.fullmatch, fields[1::2])):
            yield fields[2].removeprefix("refs/heads/"), fields[3], fields[1]


def _exists(repository: Repository, commit: str) -> bool:
    kind = run_git(["cat-file", "-t", commit], cwd=repository.root, accept=(0, 1, 128))
    return kind.strip() == b"commit"


def _refuse(context: Context, violations: Sequence[Violation], outcome: str, hint: str) -> None:
    for violation in violations:
        context.output.warn(f"{'warning: ' if violation.warning else ''}{violation}")
    if any(not violation.warning for violation in violations):
        raise RefusedError(outcome, hint=hint)


def _post_commit(context: Context, _arguments: Sequence[str]) -> None:
    repository = context.workspace.require_repository()
    action = run_git(["reflog", "-1", "--format=%gs"], cwd=repository.root, accept=(0, 128)).decode("utf-8", "replace")
    # After an amend a commit of ours would be what the user amends next; without a reflog nobody can tell.
    # Of several agents, what is pending of one was committed just now for the same commit of the user's.
    if action.startswith(("commit", "memsite: ")) and not action.startswith("commit (amend)"):
        _commit_pending(context)
    build_in_background(context)


def _post_merge(context: Context, arguments: Sequence[str]) -> None:
    if arguments[:1] == ["1"]:
        return  # `git merge --squash`: HEAD has not moved, and what is staged is the user's to commit
    _commit_pending(context)
    build_in_background(context)


def _post_checkout(context: Context, _arguments: Sequence[str]) -> None:
    build_in_background(context)


def _build(context: Context, _arguments: Sequence[str]) -> None:
    build_in_turn(context)


def _commit_pending(context: Context) -> None:
    if not context.workspace.config.commit_on_hook:
        return
    try:
        commits = commit_pending_work(context)
    except PendingError:
        return  # a rebase or a merge is under way, or this branch has no memory: a commit after it delivers
    for commit in commits:
        context.output.warn(f"committed {commit.message.splitlines()[0]}")


_CHECKS = {"pre-commit", "pre-push"}
_RUN: dict[str, Callable[[Context, Sequence[str]], None]] = {
    "pre-commit": _pre_commit,
    "post-commit": _post_commit,
    "post-merge": _post_merge,
    "post-checkout": _post_checkout,
    "pre-push": _pre_push,
    "build": _build,
}
