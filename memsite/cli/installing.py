"""What `init --agent` does to an agent, and `init --timer` to the machine."""

from __future__ import annotations

import argparse
from pathlib import Path

from memsite.agents import claude_code, openclaw
from memsite.agents.installing import Installation, Target, apply, joined
from memsite.agents.timers import KINDS, Places, plan_timer
from memsite.cli.context import Context, UsageError
from memsite.cli.program import program_path
from memsite.errors import RefusedError
from memsite.repo.workspace import Workspace

AGENTS = (claude_code.AGENT, openclaw.AGENT)


def add_agent_arguments(parser: argparse.ArgumentParser) -> None:
    """`--agent claude-code|openclaw [--user] [--uninstall]`."""
    parser.add_argument("--agent", choices=AGENTS, help="install the hooks and the skill of this agent")
    parser.add_argument("--user", action="store_true", help="with --agent: for all projects of this user")
    parser.add_argument(
        "--uninstall", action="store_true", help="with --agent: take them out again, and do nothing else"
    )


def add_timer_arguments(parser: argparse.ArgumentParser) -> None:
    """`--timer systemd|launchd|cron [--replace-timer]`."""
    parser.add_argument(
        "--timer", choices=KINDS, help="write the files of a timer for the daily flush; enables nothing"
    )
    parser.add_argument("--replace-timer", action="store_true", help="put a timer aside that does the same already")


def plan_installation(context: Context, workspace: Workspace, arguments: argparse.Namespace) -> Installation:
    """What is to be done outside of the workspace. Raises RefusedError, FormatError before anything is done."""
    if (arguments.agent or arguments.timer) and not arguments.uninstall:
        _refuse_bytes(workspace.root)
    agent = plan_agent(context, workspace, arguments)
    if not arguments.timer or arguments.uninstall:
        return agent
    target = Target(program_path(), workspace.root, workspace.config)
    places = Places.of(context.environ)
    return joined(agent, plan_timer(arguments.timer, places, target, replace=arguments.replace_timer))


def _refuse_bytes(root: Path) -> None:
    try:
        str(root).encode()
    except UnicodeEncodeError as error:
        problem = "its name is not UTF-8, and the settings of an agent or of a timer could not name it"
        raise RefusedError(problem, where=root, hint="rename the folder, or leave --agent and --timer out") from error


def plan_agent(context: Context, workspace: Workspace, arguments: argparse.Namespace) -> Installation:
    """What is to be done to the agent; nothing without `--agent`. Raises FormatError for settings that are no JSON."""
    if not arguments.agent:
        if arguments.user or arguments.uninstall:
            raise UsageError("--user and --uninstall need --agent", hint="say which: --agent claude-code")
        return Installation()
    target = Target(program_path(), workspace.root, workspace.config)
    if arguments.agent == openclaw.AGENT:
        folder = _home(context, "OPENCLAW_STATE_DIR", ".openclaw") if arguments.user else workspace.root
        return openclaw.plan_uninstall(folder) if arguments.uninstall else openclaw.plan_install(folder, target)
    folder = _home(context, "CLAUDE_CONFIG_DIR", ".claude") if arguments.user else workspace.root / ".claude"
    plan = claude_code.plan_uninstall if arguments.uninstall else claude_code.plan_install
    return plan(folder, target, user=arguments.user)


def install_agent(context: Context, installation: Installation, *, dry_run: bool = False) -> None:
    """Do it, and say it."""
    for change in installation.changes:
        verb = "writes" if change.new is not None else "removes"
        context.output.line(f"{'would ' + verb.rstrip('s') if dry_run else verb} {change.path}")
    for path in installation.left_alone:
        context.output.line(f"{path} is yours and was left alone")
    for step in installation.steps:
        context.output.line(step)
    if not dry_run:
        apply(installation.changes)


def _home(context: Context, variable: str, name: str) -> Path:
    folder = context.environ.get(variable)
    return Path(folder) if folder else Path(context.environ.get("HOME", "") or "~").expanduser() / name
