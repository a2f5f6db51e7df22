"""`index`: the topics that INDEX.md keeps."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from datetime import date

from memsite.cli.commits import report
from memsite.cli.context import Context, parse_past_day
from memsite.counting import counted
from memsite.errors import FormatError, RefusedError
from memsite.memory import index_edit
from memsite.memory.changeset import Changeset, Write
from memsite.memory.index import no_topic_error, parse_index, require_readable
from memsite.memory.mentions import find_last_day
from memsite.memory.model import Index, Status, TopicEntry
from memsite.memory.names import parse_slug
from memsite.memory.snapshot import Blob
from memsite.repo.hidden import read_current_file
from memsite.repo.transaction import Reader

Edit = Callable[[bytes | None], bytes]


def index_parser(parser: argparse.ArgumentParser) -> None:
    """`index list|show|add|touch|status|check`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="all topics")
    listing.add_argument("--category", metavar="C", help="only this category")
    show = actions.add_parser("show", help="one topic")
    add = actions.add_parser("add", help="a topic that is worth keeping")
    touch = actions.add_parser("touch", help="add dates (default: today)")
    status = actions.add_parser("status", help="mark a topic; entries are never removed")
    check = actions.add_parser("check", help="what is wrong with INDEX.md")
    for action in (show, add, touch, status):
        action.add_argument("slug", metavar="SLUG", help="the topic's name: letters and digits with '-' between")
    add.add_argument("--category", metavar="C", required=True, help="the heading it belongs under")
    add.add_argument(
        "--date",
        metavar="D",
        action="append",
        default=[],
        help="default: the last day whose note names it, else today; may be given again",
    )
    add.add_argument("--alias", metavar="A", action="append", default=[], help="another name; may be given again")
    add.add_argument("--description", metavar="T", default="", help="one line")
    touch.add_argument("dates", metavar="DATE", nargs="*", help="days on which the topic came up")
    status.add_argument("status", metavar="STATUS", choices=[one.value for one in Status], help=" | ".join(Status))
    for action in (listing, show, add, touch, status, check):
        action.add_argument("--json", action="store_true", help="answer as JSON")


def index(context: Context, arguments: argparse.Namespace) -> None:
    """Dispatch to the action."""
    actions: dict[str, Callable[[Context, argparse.Namespace], None]] = {
        "list": _list,
        "show": _show,
        "add": _add,
        "touch": _touch,
        "status": _status,
        "check": _check,
    }
    actions[arguments.action](context, arguments)


def _read(context: Context) -> Index:
    path = context.workspace.config.index_path
    data = read_current_file(context.workspace, path)
    return parse_index(None if data is None else Blob("", data), path, context.workspace.config)


def _read_whole(context: Context) -> Index:
    read = _read(context)
    require_readable(read)
    return read


def _list(context: Context, arguments: argparse.Namespace) -> None:
    read = _read_whole(context)
    entries = [one for one in read.entries if arguments.category in (None, one.category)]
    if read.left_out:
        context.output.warn(f"{counted(read.left_out, 'topic')} cannot be read; `memsite index check` names the lines")
    context.output.json([_as_json(entry) for entry in entries])
    if not entries:
        where = f" under {arguments.category!r}" if arguments.category else " yet"
        context.output.line(f"no topics{where}; `memsite index add SLUG --category C` makes one")
    elif not context.output.as_json:
        context.output.table([_row(entry) for entry in entries])


def _row(entry: TopicEntry) -> tuple[str, ...]:
    last = entry.dates[-1].isoformat() if entry.dates else "-"
    generation = f"gen{entry.consolidations[-1].number}" if entry.consolidations else "-"
    return entry.slug, entry.category, entry.status.value, last, generation, ", ".join(entry.aliases)


def _show(context: Context, arguments: argparse.Namespace) -> None:
    read = _read_whole(context)
    entry = next((one for one in read.entries if one.slug == arguments.slug), None)
    if entry is None or read.blob is None:
        raise no_topic_error(read, arguments.slug, context.workspace.config, "`memsite index list` shows all")
    context.output.json(_as_json(entry))
    context.output.line("\n".join(read.blob.text.splitlines()[entry.first_line - 1 : entry.last_line]))


def _add(context: Context, arguments: argparse.Namespace) -> None:
    slug = parse_slug(arguments.slug)
    config = context.workspace.config
    description = context.redact(" ".join(arguments.description.split()))
    category = context.redact(arguments.category)
    aliases = [context.redact(alias) for alias in arguments.alias]
    days = _typed_days(context, arguments.date) or [
        find_last_day(context.memory(), slug, aliases, context.today) or context.today
    ]

    def edit(data: bytes | None) -> bytes:
        return index_edit.add_topic(data, slug, category, days, config=config, description=description, aliases=aliases)

    _edit(context, edit, f"index: add {slug}")


def _touch(context: Context, arguments: argparse.Namespace) -> None:
    days = _typed_days(context, arguments.dates) or [context.today]
    config = context.workspace.config
    named = ", ".join(day.isoformat() for day in days)
    _edit(
        context,
        lambda data: index_edit.touch_topic(_existing(data), arguments.slug, days, config=config),
        f"index: {arguments.slug} on {named}",
    )


def _typed_days(context: Context, texts: Iterable[str]) -> list[date]:
    """Typed days in order, each once. Raises RefusedError for one that is still to come."""
    hint = "a topic has the days on which it came up, and they are never removed"
    return sorted({parse_past_day(text, context.today, hint) for text in texts})


def _status(context: Context, arguments: argparse.Namespace) -> None:
    config = context.workspace.config
    _edit(
        context,
        lambda data: index_edit.set_status(_existing(data), arguments.slug, Status(arguments.status), config=config),
        f"index: {arguments.slug} is {arguments.status}",
    )


def _existing(data: bytes | None) -> bytes:
    if data is None:
        raise RefusedError("there is no INDEX.md yet", hint="`memsite index add` makes it")
    return data


def _edit(context: Context, edit: Edit, message: str) -> None:
    path = context.workspace.config.index_path

    def plan(reader: Reader) -> Iterator[Changeset]:
        old = reader.read(path)
        edited = edit(old)
        if edited != old:
            yield Changeset((Write(path, old, edited),), message)

    commits = context.transact(plan)
    if not commits:
        context.output.line("nothing to change")
    report(context, commits)
    context.output.json({"commits": [one.commit for one in commits]})


def _check(context: Context, _arguments: argparse.Namespace) -> None:
    problems = _read(context).problems
    lines = [f"{one.path}:{one.line or 1}: {one.message}{f'; {one.hint}' if one.hint else ''}" for one in problems]
    context.output.json([{"path": one.path, "line": one.line, "message": one.message} for one in problems])
    context.output.line("\n".join(lines) if lines else "INDEX.md is in order")
    if problems:
        raise FormatError(f"{counted(len(problems), 'problem')} in INDEX.md")


def _as_json(entry: TopicEntry) -> dict[str, object]:
    return {
        "slug": entry.slug,
        "category": entry.category,
        "status": entry.status.value,
        "dates": list(entry.dates),
        "generations": [{"number": one.number, "date": one.day, "path": one.path} for one in entry.consolidations],
        "current": entry.current,
        "aliases": list(entry.aliases),
        "description": entry.description,
        "line": entry.first_line,
    }
