"""`init`: adopt a workspace, or make one. It says what it found, completes what is missing, overwrites nothing."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from memsite.agents.seed_settings import Imported, differing, find_seed_settings, merged
from memsite.cli.adoption import Found, Machine, find, plan_changes
from memsite.cli.ci_files import PLACES, package_spec, plan_ci
from memsite.cli.commits import report
from memsite.cli.context import Context, machine_language
from memsite.cli.hooks import install
from memsite.cli.installing import add_agent_arguments, add_timer_arguments, install_agent, plan_installation
from memsite.cli.origins import HERE
from memsite.cli.program import program_path
from memsite.config import CONFIG_NAME
from memsite.counting import counted
from memsite.errors import RefusedError, WorkspaceError
from memsite.memory.changeset import Change, Changeset, Write
from memsite.repo.elsewhere import refuse_elsewhere
from memsite.repo.git_hooks import SERVED, HookState
from memsite.repo.home_branch import refuse_empty_checkout
from memsite.repo.merge import install_merge_driver
from memsite.repo.transaction import transact
from memsite.repo.workspace import Workspace, ensure_repository, is_untracked, workspace_at
from memsite.safety.allowing import allows
from memsite.safety.secrets import redact
from memsite.values import replace


def init_parser(parser: argparse.ArgumentParser) -> None:
    """`init [DIR] [--name N] [--ci HOST] [--agent A] [--timer T] [--dry-run]`."""
    parser.add_argument("target", metavar="DIR", nargs="?", default=".", help="the workspace (default: this folder)")
    parser.add_argument("--name", metavar="NAME", help="the site's name")
    parser.add_argument(
        "--ci", choices=list(PLACES), help="write the files by which this host checks pull requests and publishes"
    )
    parser.add_argument(
        "--package",
        metavar="SPEC",
        type=package_spec,
        help="with --ci: what pip installs there (default: this version, from the index)",
    )
    parser.add_argument("--no-hooks", action="store_true", help="install no git hooks")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    add_agent_arguments(parser)
    add_timer_arguments(parser)


def init(context: Context, arguments: argparse.Namespace) -> None:
    """Adopt or make a workspace and commit memsite's own files at once."""
    root = context.directory / arguments.target
    if root.exists() and not root.is_dir():
        raise WorkspaceError("is not a folder", where=arguments.target)
    workspace = context.with_zone(workspace_at(root))
    agent = plan_installation(context, workspace, arguments)
    if arguments.uninstall:
        install_agent(context, agent, dry_run=arguments.dry_run)
        return
    refuse_elsewhere(root, context.environ)
    refuse_empty_checkout(workspace)
    settings = find_seed_settings(root, context.environ)
    found = find(root, merged(settings))
    _describe(context, found)
    imported = {} if found.settings else differing(merged(settings))
    _describe_imported(context, settings, imported, is_new=not found.settings)
    name = context.redact(arguments.name) if arguments.name else _site_name(root)
    changes = plan_changes(found, name, Machine(context.zone_name, machine_language(context.environ), imported))
    ci = plan_ci(root, arguments.ci, found.config, arguments.package)
    changes = (*changes, *ci.changes)
    for change in changes:
        context.output.line(f"{'would write' if arguments.dry_run else 'writes'} {change.path}")
    settings_as_they_are = tuple(_uncommitted_settings(context, root, found))
    for change in settings_as_they_are:
        context.output.line(f"{'would commit' if arguments.dry_run else 'commits'} {change.path}")
    for line in ci.said:
        context.output.line(line)
    if arguments.dry_run:
        install_agent(context, agent, dry_run=True)
        return
    workspace = _apply(context, root, (*changes, *settings_as_they_are))
    _serve(context, arguments, found, workspace)
    install_agent(context, agent)
    context.output.line("`memsite build` makes the site")


def _uncommitted_settings(context: Context, root: Path, found: Found) -> Iterator[Change]:
    """Settings that somebody wrote by hand and git has not: without them a clone would have no memory, or no agents."""
    path = root / CONFIG_NAME
    if not found.settings or path.is_symlink() or not is_untracked(root, CONFIG_NAME):
        return
    data = path.read_bytes()
    secrets = redact(data.decode("utf-8", "replace"), allows(found.config.allow)).findings
    if any(one.certain for one in secrets):
        context.output.warn(f"{CONFIG_NAME} looks like it has a secret and is not committed: take it out and rotate it")
        return
    yield Write(PurePosixPath(CONFIG_NAME), data, data)


def _serve(context: Context, arguments: argparse.Namespace, found: Found, workspace: Workspace) -> None:
    """What git does for a memory, or for all that lie below."""
    if install_merge_driver(workspace, program_path()):
        context.output.line("git merges memory files by their entries in this clone")
    if not arguments.no_hooks:
        _install_hooks(context, workspace)
    if found.site_config is not None and "memsite" not in found.site_config:
        context.output.warn("mkdocs.yml is yours and does not load memsite: add `- memsite` under `plugins:`")


def _apply(context: Context, root: Path, changes: tuple[Change, ...]) -> Workspace:
    root.mkdir(parents=True, exist_ok=True)
    if ensure_repository(root):
        context.output.line("made a git repository")
    workspace = context.with_zone(workspace_at(root))
    if not changes:
        context.output.line("no file was missing")
        return workspace
    plan = (Changeset(changes, "init: memsite"),)
    now = replace(context, opened=workspace).now
    report(context, transact(workspace, lambda _reader: plan, now=now, allow_unborn=True))
    return workspace


def _install_hooks(context: Context, workspace: Workspace) -> None:
    try:
        left = [status for status in install(workspace) if status.state is HookState.LEFT_ALONE]
    except RefusedError as error:
        context.output.warn(f"no git hooks: {error}")
        return
    if left:
        names = ", ".join(status.name for status in left)
        context.output.warn(f"git hooks left alone ({names}): {left[0].reason}; `memsite hooks status` tells")
    if len(left) < len(SERVED):
        context.output.line("git hooks: `memsite hooks status` tells, `memsite hooks uninstall` takes them out")


def _site_name(root: Path) -> str:
    name = os.fsencode(root.resolve().name).decode("utf-8", "replace")  # a name of a file is bytes
    return "Agent memory" if name in {"", "workspace", "memory"} else f"{name}: memory"


def _describe_imported(
    context: Context, settings: tuple[Imported, ...], imported: Collection[str], *, is_new: bool
) -> None:
    for one in settings:
        if not is_new:
            if one.values:
                context.output.line(f"{one.path} has settings too: `memsite migrate` takes over what yours lack")
            continue
        taken = ", ".join(key for key in one.values if key in imported)
        context.output.line(f"takes over the settings of {one.path}: {taken or 'they are the defaults'}")
        for reason in one.left_out:
            context.output.line(f"  left out: {reason}", style="dim")


def _describe(context: Context, found: Found) -> None:
    parts = [
        counted(found.notes, "daily note"),
        counted(found.generations, "generation"),
        "an INDEX.md" if found.has_index else "no INDEX.md",
        *found.agent_files,
    ]
    place = "a git repository" if found.repository else "a folder without git"
    if found.config.agents:
        context.output.line(f"found {place}, and in it several agents: {', '.join(dict(found.config.agents))}")
        return
    looks = f" that looks like {found.origin.name}" if found.origin.name else ""
    context.output.line(
        f"found {place}{looks}; {'memory' if found.has_memory else 'no memory yet'}: {', '.join(parts)}"
    )
    if not found.settings:
        memory = found.config.memory
        where = "this folder itself" if memory == HERE else f"{memory}/"
        context.output.line(f"the memory is {where}" if found.has_memory else f"the memory will be {where}")
        for line in found.origin.advice:
            context.output.line(line)
