"""`purge`: a leaked value or file is rendered no more, and how to get it out of the history is said."""

from __future__ import annotations

import argparse
import secrets
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memsite.cli.commits import SHORT
from memsite.cli.context import Context
from memsite.cli.purge_advice import Places, advice
from memsite.cli.purge_steps import WAYS, Subject
from memsite.counting import counted
from memsite.errors import RefusedError
from memsite.repo.audience import PURGES, read_purges
from memsite.safety.suppression import SHORTEST

if TYPE_CHECKING:
    from memsite.memory.snapshot import Snapshot
    from memsite.repo.history import History
    from memsite.repo.purging import Remains

_MOST = 20
"""Places and commits that are listed."""


def purge_parser(parser: argparse.ArgumentParser) -> None:
    """`purge VALUE|PATH|-`."""
    parser.add_argument(
        "leaked", metavar="VALUE|PATH", help="the value, or a file of the memory; `-` reads a value from standard input"
    )
    parser.add_argument("--value", action="store_true", help="it is a value, even if a file is called so")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def purge(context: Context, arguments: argparse.Namespace) -> None:
    """Put it on the list of what is not rendered, and say where it still is and what only the user can do."""
    from memsite.repo.history import read_history
    from memsite.repo.leaked_refs import remotes_to_rewrite
    from memsite.repo.purging import find_file, find_value, forget_caches
    from memsite.repo.snapshots import read_current
    from memsite.site.cache import cache_folder, forget_contents

    workspace = context.workspace
    repository = workspace.require_repository()
    current, history = read_current(workspace), read_history(workspace)
    given, path = _what(context, arguments, current, history)
    is_new = _record(context, given, path)
    forget_caches(repository)
    if kept := cache_folder(workspace):
        forget_contents(kept)
    if path is not None:
        found = find_file(workspace, path, current, history)
    else:
        branch, remote = workspace.config.branch, workspace.config.remote
        branches = (f"heads/{branch}", f"remotes/{remote}/{branch}")
        found = find_value(workspace, given, current, history, branches)
    subject = Subject(str(repository.prefix / path) if path else "", repository.is_shallow)
    config = workspace.config
    places = Places(remotes_to_rewrite(repository, found.remotes, config.remote), config.remote, config.branch)
    _say(context, found, subject, places, is_new=is_new)
    context.output.json(_as_json(found, subject, places, is_new=is_new))


def _what(
    context: Context, arguments: argparse.Namespace, current: Snapshot, history: History
) -> tuple[str, PurePosixPath | None]:
    """The value, and the file's workspace path if it is a file."""
    from memsite.repo.purging import is_known_file

    memory = context.workspace.config.memory
    if arguments.leaked == "-":
        return context.stdin.read().decode("utf-8", "replace").strip("\r\n"), None
    given: str = arguments.leaked
    if arguments.value:
        return given, None
    places = (PurePosixPath(given), memory / given)
    path = next((one for one in places if is_known_file(one, current, history)), None)
    if path is None and (given.endswith(".md") or given.startswith(f"{memory}/")):
        raise RefusedError("the memory has no such file, and never had", where=given, hint="is it a value? --value")
    return given, path


def _record(context: Context, given: str, path: PurePosixPath | None) -> bool:
    """Put it on the list and commit that; whether it was not on it yet. Raises RefusedError for what is too short."""
    from memsite.repo.purging import make_purges, plan_purge

    known, _ = read_purges(context.workspace.root)
    salt = next((one.salt for one in known), secrets.token_bytes(16))
    purges = make_purges(given, path, known, salt, context.today)
    if purges is None:
        problem = f"too short to be told from other words: it takes {SHORTEST} letters or digits"
        raise RefusedError(problem, where="the value", hint="purge the file, or more of the text around it")
    if purges:
        context.transact(lambda _: [plan_purge(purges, "a file" if path else "a value")])
    return bool(purges)


def _say(context: Context, found: Remains, subject: Subject, places: Places, *, is_new: bool) -> None:
    say = context.output.line
    if not is_new:
        say("It was purged before.")
    elif found.is_anywhere:
        say(f"Nothing shows it any more, as soon as it is built again; {PURGES} says so.")
    else:
        say("No file of the memory and no commit has it: is it spelled right?")
        say(f"{PURGES} says all the same that it is not shown.")
    for path, line in found.work_tree[:_MOST]:
        say(f"It is still in {path}{f':{line}' if line else ''}: take it out there.")
    if found.commits:
        shown = ", ".join(commit[:SHORT] for commit in found.commits[:_MOST])
        shown += " …" if len(found.commits) > _MOST else ""
        say(f"It is in {counted(len(found.commits), 'commit')}: {shown}")
    if found.messages:
        say(f"It is in {len(found.messages)} of their messages.")
    if found.refs:
        say(f"These lead to it: {', '.join(found.refs[:_MOST])}{' …' if len(found.refs) > _MOST else ''}")
    for copy in found.copies:
        say(f"What it had was in {copy}, too: purge that as well, if it must go.")
    for branch in found.branches:
        say(f"The site on {branch} shows it until you publish again.")
    for one in advice(subject, found, places):
        say(one)


def _as_json(found: Remains, subject: Subject, places: Places, *, is_new: bool) -> dict[str, object]:
    return {
        "new": is_new,
        "file": subject.file or None,
        "work_tree": [{"path": path, "line": line} for path, line in found.work_tree],
        "commits": list(found.commits),
        "messages": list(found.messages),
        "branches": list(found.branches),
        "remotes": list(found.remotes),
        "refs": list(found.refs),
        "copies": [str(path) for path in found.copies],
        "steps": {way: list(subject.steps(way, places.remotes)) for way in WAYS},
    }
