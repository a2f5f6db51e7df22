"""`build` and `serve`: the site."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context, require_one
from memsite.cli.output import Progress
from memsite.cli.several import Household, build_household, find_household
from memsite.cli.trusting import permit, refuse_untrusted
from memsite.counting import counted
from memsite.errors import PendingError
from memsite.repo.executable import Executable
from memsite.repo.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from memsite.site.results import BuildResult

DEFAULT_PORT = 8000


def build_parser(parser: argparse.ArgumentParser) -> None:
    """`build [--at REV|DATE] [--clean] [--strict] [--no-commit] [-d DIR]`."""
    parser.add_argument("--at", metavar="REV|DATE", help="the memory as it was at a commit, or at the end of a day")
    parser.add_argument("--clean", action="store_true", help="build every page again")
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    parser.add_argument("--no-commit", action="store_true", help="show the work tree as it is; commit nothing")
    parser.add_argument("-d", dest="destination", metavar="DIR", type=Path, help="the site's folder")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def build(context: Context, arguments: argparse.Namespace) -> None:
    """Commit what is pending, build the site, print its address."""
    from memsite.site.build import build_site  # the quick commands do without it

    destination = context.directory / arguments.destination if arguments.destination else None
    workspace = _as_it_is(context)
    household = find_household(workspace)
    if household:
        _build_several(household, context, arguments, destination)
        return
    if not (arguments.no_commit or arguments.at):
        _commit_first(context)
    with Progress(context.output) as progress:
        result = build_site(
            workspace,
            at=arguments.at,
            clean=arguments.clean,
            strict=arguments.strict,
            destination=destination,
            now=context.now,
            permit=lambda found: permit(context, found, found.site),
            progress=progress.at,
        )
    for warning in result.warnings:
        context.output.warn(warning.removeprefix("memsite: "))
    context.output.line(_counts(result))
    context.output.line(result.index.resolve().as_uri())
    context.output.json({"index": result.index, "pages": result.pages, "rendered": result.rendered})


def _counts(result: BuildResult) -> str:
    return f"{counted(result.pages, 'page')}, {result.rendered} of them rendered"


def _build_several(
    household: Household, context: Context, arguments: argparse.Namespace, destination: Path | None
) -> None:
    for _, one in household.contexts(context) if not (arguments.no_commit or arguments.at) else ():
        _commit_first(one)
    built = build_household(household, context, arguments, destination)
    for name, result in built.items():
        for warning in result.warnings:
            context.output.warn(f"{name}: {warning.removeprefix('memsite: ')}")
        context.output.line(f"{name or 'home'}: {_counts(result)}")
    context.output.line(built[""].index.resolve().as_uri())
    parts = {name: {"index": one.index, "pages": one.pages, "rendered": one.rendered} for name, one in built.items()}
    context.output.json({**parts.pop(""), "agents": parts})


def _commit_first(context: Context) -> None:
    try:
        report(context, commit_pending_work(context))
    except PendingError as error:
        # The site shows the work tree, so what cannot be committed now is still on it.
        context.output.warn(str(error))


def _as_it_is(context: Context) -> Workspace:
    """The workspace without the zone of this machine: the same commit gives the same site everywhere."""
    return open_workspace(context.directory)


def _port(text: str) -> int:
    """A port that a program may open. Raises ValueError, which argparse reports."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose one from 1 to 65535")
    return int(text)


def serve_parser(parser: argparse.ArgumentParser) -> None:
    """`serve [--port]`."""
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, help=f"on 127.0.0.1 (default: {DEFAULT_PORT})")


def serve(context: Context, arguments: argparse.Namespace) -> None:
    """Serve the site on this machine alone; an edit or a commit is on it at once. Ctrl+C ends it."""
    from memsite.site.serving import serve_site  # imports MkDocs

    asked: list[int] = []

    def stop(number: int, _frame: object) -> None:
        asked.append(number)
        raise KeyboardInterrupt

    def say_address() -> None:
        context.output.line(f"http://127.0.0.1:{arguments.port}/ (Ctrl+C ends it)")
        context.output.stream.flush()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    serve_site(
        require_one(_as_it_is(context)),
        port=arguments.port,
        now=lambda: context.now,
        ready=say_address,
        stopped=lambda: bool(asked),
        say=context.output.warn,
        permit=_permit_once(context),
    )


def _permit_once(context: Context) -> Callable[[Executable], None]:
    """Asked at every rebuild, it says what runs when that is something else than before."""
    said: set[str] = set()

    def ask(found: Executable) -> None:
        (refuse_untrusted if found.hash in said else permit)(context, found, found.site)
        said.add(found.hash)

    return ask
