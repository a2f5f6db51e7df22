"""`note`: "remember this"."""

from __future__ import annotations

from collections.abc import Iterator

from memsite.cli.commits import report
from memsite.cli.context import Context, parse_past_day
from memsite.errors import FormatError, RefusedError
from memsite.memory.changeset import Changeset
from memsite.memory.daily import plan_note
from memsite.memory.names import day_path
from memsite.repo.transaction import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def note_parser(parser: argparse.ArgumentParser) -> None:
    """`note TEXT [--date D]`."""
    parser.add_argument("text", metavar="TEXT", help="what to remember, Markdown; `-` reads it from standard input")
    parser.add_argument("--date", metavar="D", help="the day it belongs to (default: today)")


def note(context: Context, arguments: argparse.Namespace) -> None:
    """Append to the day's note and commit it; each call appends."""
    text = arguments.text
    if text == "-":
        try:
            text = context.stdin.read().decode("utf-8")
        except UnicodeDecodeError as error:
            hint = "nothing was remembered; convert it first, as with `iconv -t utf-8`"
            raise FormatError("standard input is not UTF-8", hint=hint) from error
    if not text.strip():
        raise RefusedError("there is nothing to remember", hint='give the text: memsite note "…"')
    hint = "a note is of the day on which something came up; name a later one in its text"
    day = parse_past_day(arguments.date, context.today, hint) if arguments.date else context.today
    path = day_path(context.workspace.config.memory, day)
    kept = context.redact(text)

    def plan(reader: Reader) -> Iterator[Changeset]:
        yield plan_note(reader.read(path), path, day, kept, context.now.time())

    report(context, context.transact(plan))
