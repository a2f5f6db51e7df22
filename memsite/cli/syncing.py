"""`sync`, and what git calls when it merges files of the memory."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from memsite.cli.context import Context
from memsite.config import Config
from memsite.errors import MemsiteError, RefusedError
from memsite.repo.workspace import Repository, Workspace, open_workspace, workspace_at

if TYPE_CHECKING:
    from memsite.repo.sync import SyncResult


def sync_parser(parser: argparse.ArgumentParser) -> None:
    """`sync [--remote NAME]`."""
    parser.add_argument("--remote", metavar="NAME", help="another remote than the branch follows")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def sync(context: Context, arguments: argparse.Namespace) -> None:
    """Commit what is pending, fetch, merge what other machines pushed, push."""
    result = _synced(context, arguments.remote)
    for made in result.committed:
        context.output.line(f"committed {made.message.splitlines()[0]}")
    for one in result.renumbered:
        context.output.line(f"{one.old_file} is {one.new_file} now: another machine's has its number")
        context.output.line(
            f"  neither knows the other; bring them together: memsite consolidate {one.new.topic} --brief"
        )
    context.output.line(f"in step with {result.upstream}; commits received: {result.received}, sent: {result.sent}")
    context.output.json(_as_json(result))


def _synced(context: Context, remote: str | None) -> SyncResult:
    """What `sync` did; whatever came of the push, the site follows what was merged."""
    from memsite.cli.background_build import build_in_background
    from memsite.cli.program import program_path
    from memsite.repo.adopt import read_head
    from memsite.repo.sync import sync as run_sync

    repository = context.workspace.require_repository()
    before = read_head(repository)
    try:
        return run_sync(context.workspace, now=context.now, remote=remote, program=program_path())
    finally:
        if read_head(repository) != before:
            build_in_background(context)


def _as_json(result: SyncResult) -> dict[str, object]:
    return {
        "head": result.head,
        "upstream": result.upstream,
        "committed": [{"commit": one.commit, "message": one.message} for one in result.committed],
        "received": result.received,
        "sent": result.sent,
        "renumbered": [{"old": one.old_file, "new": one.new_file} for one in result.renumbered],
    }


def merge_driver_parser(parser: argparse.ArgumentParser) -> None:
    """`merge-driver BASE OURS THEIRS PATH`: git's `%O %A %B %P`."""
    for name, meaning in (
        ("base", "the common version"),
        ("ours", "ours; the result goes there"),
        ("theirs", "theirs"),
    ):
        parser.add_argument(name, metavar=name.upper(), type=Path, help=f"file with {meaning}")
    parser.add_argument("path", metavar="PATH", help="what the file is, from the top of the repository")


def merge_driver(context: Context, arguments: argparse.Namespace) -> None:
    """Merge one file for git: exit 0 merged, 1 with conflict markers in it."""
    from memsite.repo.filters import FilterError
    from memsite.repo.merge import merge_as_text, merge_file

    config, name, repository = _place(context, arguments.path)
    files = arguments.base, arguments.ours, arguments.theirs
    try:
        is_merged = merge_file(*files, name, config, repository)
    except FilterError:
        raise
    except Exception as error:  # a bug: git would take ours, as it is, for the merged file
        context.output.warn(f"merged as plain text: {type(error).__name__}: {error}")
        is_merged = merge_as_text(*files)
    if not is_merged:
        raise RefusedError("both sides changed the same lines", where=arguments.path, hint="settle them by hand")


def _owner(workspace: Workspace, path: str) -> Workspace:
    """The workspace that a file, by its path from the repository's top, is of: one of several agents may have it."""
    inner = workspace.require_repository().from_git(os.fsencode(path))
    folders = (folder for _, folder in workspace.config.agents if inner and inner.is_relative_to(folder))
    return next((workspace_at(workspace.root / folder) for folder in folders), workspace)


def _place(context: Context, path: str) -> tuple[Config, str, Repository | None]:
    """The settings, the file's path in the workspace, and its repository. In the middle of a merge there may be no
    workspace to see.
    """
    try:
        workspace = _owner(open_workspace(context.directory, strict=False), path)
        repository = workspace.require_repository()
    except MemsiteError:
        return Config(), path, None
    inner = repository.from_git(os.fsencode(path))
    return workspace.config, str(inner or path), repository if inner else None
