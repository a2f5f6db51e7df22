"""`consolidate`: the next generation of a topic."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context, UsageError
from memsite.errors import PendingError
from memsite.memory.changeset import Changeset
from memsite.memory.lineage import load_memory
from memsite.memory.names import parse_generation_name, parse_slug
from memsite.memory.planning import plan_consolidation
from memsite.repo.transaction import Reader


def consolidate_parser(parser: argparse.ArgumentParser) -> None:
    """`consolidate SLUG --from FILE|-`."""
    parser.add_argument("slug", metavar="SLUG", help="the topic")
    parser.add_argument("--from", dest="body", metavar="FILE", help="the written body; `-`: standard input")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def consolidate(context: Context, arguments: argparse.Namespace) -> None:
    """Write the generation, mark its sources, update INDEX.md: one commit."""
    slug = parse_slug(arguments.slug)
    if not arguments.body:
        raise UsageError("there is no body for the generation", hint="give it with --from FILE, or --from - to pipe it")
    body = context.redact(_read_body(context, arguments.body))
    config = context.workspace.config
    # What agents have written since goes into commits of its own, so that this one holds the consolidation alone.
    with suppress(PendingError):  # git cannot take anything now: the consolidation itself is written down, and says so
        report(context, commit_pending_work(context))
    known = _numbers_in_history(context, slug)

    def plan(reader: Reader) -> Iterator[Changeset]:
        memory = load_memory(reader.snapshot(), config)
        yield plan_consolidation(memory, slug, body, context.today, config, known_numbers=known)

    commits = context.transact(plan)
    report(context, commits)
    context.output.json([{"commit": one.commit, "message": one.message, "paths": list(one.paths)} for one in commits])


def _read_body(context: Context, name: str) -> str:
    data = context.stdin.read() if name == "-" else (context.directory / Path(name)).read_bytes()
    return data.decode("utf-8", errors="replace").removeprefix("\ufeff")


def _numbers_in_history(context: Context, slug: str) -> set[int]:
    from memsite.repo.history import read_history  # imports GitPython

    changes = (change for commit in read_history(context.workspace).commits for change in commit.changes)
    names = (parse_generation_name(change.path.name) for change in changes)
    return {name.number for name in names if name and name.topic == slug}
