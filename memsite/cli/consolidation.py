"""`consolidate`: the next generation of a topic."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from memsite.capture.tokens import estimate_tokens
from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context, UsageError
from memsite.cli.restoring import find_kept
from memsite.errors import PendingError, RefusedError
from memsite.memory.briefing import BUDGET, Brief, make_brief
from memsite.memory.changeset import Changeset
from memsite.memory.extracting import extract_body
from memsite.memory.generation import missing_sections
from memsite.memory.generation_body import MAX_BODY_BYTES, decode_body, parse_body
from memsite.memory.heeding import find_bases
from memsite.memory.index import require_editable, require_readable
from memsite.memory.lineage import load_memory
from memsite.memory.lost import find_lost, lost_error, lost_path
from memsite.memory.model import DailyNote, Generation, Memory
from memsite.memory.names import parse_generation_name, parse_slug
from memsite.memory.planning import find_topic, next_number, plan_consolidation, sources_of_next

SHOWN = 80
"""Characters of a command in a message."""
TIMEOUT = 300.0
"""Seconds for a summariser command."""
Program = Callable[..., bytes]
"""Takes the brief as `given`, answers with a body."""
_SETTINGS = object()
"""`--command` without a command: the one of memsite.toml is meant."""


def consolidate_parser(parser: argparse.ArgumentParser) -> None:
    """`consolidate SLUG --brief | --from FILE|- | --auto | --command [CMD]`."""
    parser.add_argument("slug", metavar="SLUG", help="the topic")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--brief", action="store_true", help="print the material for a writer, and change nothing")
    ways.add_argument("--from", dest="body", metavar="FILE", help="the written body; `-`: standard input")
    ways.add_argument("--auto", action="store_true", help="take what the sources say themselves; no model")
    ways.add_argument(
        "--command", metavar="CMD", nargs="?", const=_SETTINGS, help="a program: brief on stdin, body on stdout"
    )
    parser.add_argument("--budget", metavar="N", type=int, default=BUDGET, help=f"tokens of the brief ({BUDGET})")
    parser.add_argument("--timeout", metavar="S", type=float, default=TIMEOUT, help="seconds for the command (300)")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def consolidate(context: Context, arguments: argparse.Namespace) -> None:
    """Write the generation, mark its sources, update INDEX.md: one commit."""
    slug = parse_slug(arguments.slug)
    _take_in(context, reading=arguments.brief)
    memory = context.memory()
    _require_previous(context, memory, slug)
    _warn_of_cut(context, memory, slug)
    if arguments.brief:
        _print_brief(context, _make_brief(context, memory, slug, arguments.budget))
        return
    program = _program(context, arguments)
    config, known = context.workspace.config, numbers_in_history(context, slug)
    number = next_number(find_topic(memory, slug, config), known)
    where = _origin(arguments)
    body = context.redact(_write_body(context, memory, arguments, program, where))

    def plan_from(memory: Memory) -> Changeset:
        _check_number(next_number(find_topic(memory, slug, config), known), number, slug)
        return plan_consolidation(memory, slug, body, context.today, config, known_numbers=known, where=where)

    planned = plan_from(context.memory() if program else memory)  # refused before anything is written
    _warn_of_head(context, planned, body, where)
    # What agents have written since goes into commits of its own, so that this one holds the consolidation alone.
    with suppress(PendingError):  # git cannot take anything now: the consolidation itself is written down, and says so
        report(context, commit_pending_work(context))
    commits = context.transact(lambda reader: [plan_from(load_memory(reader.snapshot(), config))])
    report(context, commits)
    context.output.json([{"commit": one.commit, "message": one.message, "paths": list(one.paths)} for one in commits])


def _take_in(context: Context, *, reading: bool) -> None:
    """Commit entries that wait for git: they are sources, too. Of those that must go on waiting it is said."""
    from memsite.repo.transaction import pending_operations

    if context.workspace.git_root is None or not pending_operations(context.workspace):
        return
    if not reading:
        with suppress(PendingError):
            report(context, context.transact(lambda _reader: ()))
    for operation in pending_operations(context.workspace):
        for path in sorted({path for changeset in operation.changesets for path in changeset.paths}):
            context.output.warn(
                f"an entry of {operation.at:%Y-%m-%d %H:%M} in {path} is not committed yet, and not in this; "
                "`memsite commit` commits it when git is free"
            )


def _program(context: Context, arguments: argparse.Namespace) -> Program | None:
    """What writes the body, None when it is there already. Raises RefusedError for a summariser that is not trusted."""
    if arguments.command is _SETTINGS:
        from memsite.cli.trusting import trusted_summariser  # reads YAML
        from memsite.repo.program import run_apart

        return partial(run_apart, trusted_summariser(context), timeout=arguments.timeout)
    if arguments.command:
        from memsite.repo.program import run_program, split_command

        words = split_command(arguments.command)
        return partial(run_program, words, cwd=context.workspace.root, timeout=arguments.timeout)
    if not (arguments.body or arguments.auto):
        raise UsageError(
            "there is no body for the generation",
            hint="give it with --from FILE (`-` to pipe it), --command CMD, or take it from the sources with --auto",
        )
    return None


def _require_previous(context: Context, memory: Memory, slug: str) -> None:
    """Refuse to go on without a generation that is gone, or from one that is not finished yet, and say what to do."""
    require_readable(memory.index)
    require_editable(memory.index, slug, context.workspace.config)
    topic = memory.topic(slug)
    if topic and (lost := find_lost(topic)):
        config = context.workspace.config
        kept = find_kept(context, lost_path(lost, config), line=lost.line)
        raise lost_error(topic, lost, config, kept.hint)
    current = topic.current if topic else None
    lacks = missing_sections(current.blob.text) if current and not current.blob.cut else ()
    if current and lacks and current.number not in numbers_in_history(context, slug):
        message = f"the generation before is not whole: there is no section '## {lacks[0]}'"
        raise RefusedError(message, where=current.path, hint="finish it, or delete it and its lines in INDEX.md")


def _warn_of_cut(context: Context, memory: Memory, slug: str) -> None:
    """What a generation is made from, and of which only a part is read."""
    topic = memory.topic(slug)
    sources: list[DailyNote | Generation] = []
    if topic:
        sources += [*sources_of_next(memory, topic, context.today), *find_bases(topic)]
    for one in sources:
        if one.blob.cut:
            context.output.warn(f"{one.path}: only its beginning is taken, it has {one.blob.cut.words}")


def _check_number(number: int, begun: int, slug: str) -> None:
    """Of two who consolidate at once, the second one's body does not know the first one's generation."""
    if number != begun:
        raise RefusedError(
            f"generation {number - 1} of {slug!r} was made meanwhile, so this body was written from an old brief",
            hint=f"nothing was changed; read it, and begin again: memsite consolidate {slug} --brief",
        )


def _origin(arguments: argparse.Namespace) -> str:
    """What the body is called when something is wrong with it."""
    if arguments.command is _SETTINGS:
        return "the output of the summarizer"
    if arguments.command:
        words = " ".join(arguments.command.split())
        return f"the output of {words if len(words) <= SHOWN else words[: SHOWN - 1] + '…'}"
    return "what the sources say" if arguments.auto else "stdin" if arguments.body == "-" else arguments.body


def _write_body(
    context: Context, memory: Memory, arguments: argparse.Namespace, program: Program | None, where: str
) -> str:
    slug = parse_slug(arguments.slug)
    if arguments.auto:
        return extract_body(memory, slug, context.today, context.workspace.config)
    if program is None:
        return decode_body(_read_body(context, arguments.body), where)
    brief = context.redact(_make_brief(context, memory, slug, arguments.budget).text)
    return decode_body(program(given=brief.encode()), where)


def _read_body(context: Context, name: str) -> bytes:
    """A byte more than a body may have shows that it is too long."""
    if name == "-":
        return context.stdin.read(MAX_BODY_BYTES + 1)
    with (context.directory / Path(name)).open("rb") as stream:
        return stream.read(MAX_BODY_BYTES + 1)


def _warn_of_head(context: Context, planned: Changeset, body: str, where: str) -> None:
    """A generation's title and fields are memsite's to state: whoever wrote other ones hears of it."""
    generation = planned.changes[0].data.decode().splitlines()
    for number, line in parse_body(body).head:
        if line.strip() not in generation:
            context.output.warn(
                f"{where}:{number}: {line.strip()!r} is left out: memsite states title and fields itself"
            )


def _make_brief(context: Context, memory: Memory, slug: str, budget: int) -> Brief:
    return make_brief(
        memory,
        slug,
        context.today,
        context.workspace.config,
        known_numbers=numbers_in_history(context, slug),
        measure=estimate_tokens,
        budget=budget,
    )


def _print_brief(context: Context, brief: Brief) -> None:
    text = context.redact(brief.text)
    context.output.line(text.rstrip("\n"))
    context.output.json(
        {
            "topic": brief.slug,
            "generation": brief.number,
            "notes": [one.path for one in brief.notes],
            "left_out": brief.left_out,
            "tokens": estimate_tokens(text),
            "text": text,
        }
    )


def numbers_in_history(context: Context, slug: str) -> set[int]:
    """The numbers of a topic's generations that git has ever had; none without a repository."""
    return all_numbers_in_history(context).get(slug, set())


def all_numbers_in_history(context: Context) -> dict[str, set[int]]:
    """The numbers of all generations that git has ever had, by topic."""
    from memsite.repo.history import read_history  # imports GitPython

    if context.workspace.git_root is None:
        return {}
    numbers: dict[str, set[int]] = defaultdict(set)
    for change in (change for commit in read_history(context.workspace).commits for change in commit.changes):
        if name := parse_generation_name(change.path.name):
            numbers[name.topic].add(name.number)
    return dict(numbers)
