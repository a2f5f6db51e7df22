"""`check`: the doctor. It reads everything and changes nothing."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from memsite.agents.hook_log import FILE as LOG
from memsite.agents.hook_log import read_hook_errors
from memsite.cli.commits import unsettled
from memsite.cli.consolidation import all_numbers_in_history
from memsite.cli.context import Context
from memsite.cli.several import find_household, for_each
from memsite.cli.trusting import untrusted
from memsite.counting import counted
from memsite.errors import FormatError, MemsiteError
from memsite.memory.doctor import examine
from memsite.repo.changes import commits_in, require_range
from memsite.repo.guard import Violation, check_commits, check_history
from memsite.repo.history import read_history
from memsite.repo.left_behind import find_left_behind
from memsite.repo.merge import merge_driver_status
from memsite.repo.snapshots import identify_current
from memsite.repo.uncommitted_secrets import find_uncommitted_secrets
from memsite.repo.uncommitted_settings import find_uncommitted_settings
from memsite.repo.workspace import Workspace, open_workspace
from memsite.values import replace


def check_parser(parser: argparse.ArgumentParser) -> None:
    """`check [--publish] [--range A..B]`."""
    parser.add_argument(
        "--publish", action="store_true", help="what a publication has to hide: rule, file, line and commit of each"
    )
    parser.add_argument(
        "--range", metavar="A..B", help="only these commits: what hooks refuse and --no-verify let pass"
    )
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def check(context: Context, arguments: argparse.Namespace) -> None:
    """Say what is wrong with the memory, its settings and its commits; exit 1 on any error."""
    workspace = open_workspace(context.directory, strict=False)
    household = None if context.opened else find_household(workspace)
    if household:
        for found in find_uncommitted_settings(workspace):
            context.output.warn(str(found))
        for_each(household, context, lambda one: check(one, arguments))
        return
    lenient = replace(context, opened=context.with_zone(workspace))
    violations = _find(lenient, arguments)
    context.output.json([_as_json(one) for one in violations])
    for one in violations:
        context.output.line(f"{'warning' if one.warning else 'error'}: {one}", style="yellow" if one.warning else "red")
    errors = sum(not one.warning for one in violations)
    if errors:
        raise FormatError(f"{counted(errors, 'error')} found")
    context.output.line("no errors")


def _find(context: Context, arguments: argparse.Namespace) -> tuple[Violation, ...]:
    if arguments.publish:
        from memsite.cli.exposures import exposures, masked_contacts, say_scanner  # imports MkDocs

        say_scanner(context)
        found = exposures(context.workspace)
        if not arguments.range:
            return (*found, *masked_contacts(context.workspace))
        commits = commits_in(context.workspace.require_repository(), arguments.range)
        return tuple(one for one in found if one.commit in commits)
    if not arguments.range:
        return _check_all(context)
    from memsite.repo.ranges import require_full_history  # loads what a check of all does without

    require_range(require_full_history(context.workspace), arguments.range)
    return check_commits(context.workspace, [arguments.range])


def _check_all(context: Context) -> tuple[Violation, ...]:
    settings = [
        Violation(PurePosixPath(str(error.where)), error.line, error.problem, error.hint)
        for error in context.workspace.config_errors
    ]
    memory = context.memory()
    found = (*memory.problems, *examine(memory, context.today, context.workspace.config, _known_numbers(context)))
    problems = [Violation(one.path, one.line, one.message, one.hint, warning=one.warning) for one in found]
    return (*settings, *untrusted(context), *problems, *_repository_problems(context), *_hook_errors(context))


def _known_numbers(context: Context) -> dict[str, set[int]]:
    """The generations that git history has, by topic; none where there is no repository that can be used."""
    try:
        return all_numbers_in_history(context)
    except MemsiteError:
        return {}


def _repository_problems(context: Context) -> Iterator[Violation]:
    """What only git knows; a repository that cannot be used is a problem of its own, not the end of the check."""
    try:
        context.workspace.require_repository()
        # A secret that publishing hides is no error here: it is one where it would be committed or pushed.
        yield from (replace(one, warning=one.warning or one.secret) for one in check_history(context.workspace))
        yield from unsettled(context.workspace)
        yield from find_uncommitted_secrets(context.workspace)
        yield from find_uncommitted_settings(context.workspace)
        yield from find_left_behind(context.workspace)
        yield from _lost_past(context.workspace)
        driver = merge_driver_status(context.workspace)
        # Which files git must name the driver for, settings say that can be read.
        if driver.problem and not context.workspace.config_errors:
            yield Violation(PurePosixPath(".gitattributes"), None, driver.problem, "run `memsite init`", warning=True)
    except MemsiteError as error:
        yield Violation(PurePosixPath(), None, error.problem, error.hint)


def _lost_past(workspace: Workspace) -> Iterator[Violation]:
    """A memory that is gone as a whole, and a history that was cut off."""
    memory = workspace.config.memory
    known = (change.path for commit in read_history(workspace).commits[:1] for change in commit.changes)
    # What a sparse checkout keeps out is not gone.
    is_gone = not (workspace.root / memory).exists() and not identify_current(workspace).blobs
    if is_gone and any(path.is_relative_to(memory) for path in known):
        hint = f"git restore -- {shlex.quote(str(memory))} brings back what was committed"
        yield Violation(memory, None, "the folder of the memory is gone", hint)
    if workspace.require_repository().is_shallow:
        problem = "is a shallow clone: first dates are unknown, and nothing can be published from it"
        yield Violation(PurePosixPath(), None, problem, "git fetch --unshallow", warning=True)


def _hook_errors(context: Context) -> Iterator[Violation]:
    """What the hooks of agents could not do: they never say so themselves."""
    if context.workspace.git_root is None:
        return
    for error in read_hook_errors(context.workspace.require_repository(), context.now):
        times = f", {counted(error.count, 'time')}" if error.count > 1 else ""
        what = f"{error.agent} {error.event} failed{times}, last on {error.at:%Y-%m-%d %H:%M}: {error.problem}"
        yield Violation(
            PurePosixPath(f".git/memsite/{LOG}"), None, what, "remove the file when it is mended", warning=True
        )


def _as_json(one: Violation) -> dict[str, object]:
    return {
        "path": one.path,
        "line": one.line,
        "message": one.message,
        "hint": one.hint,
        "commit": one.commit,
        "severity": "warning" if one.warning else "error",
    }
