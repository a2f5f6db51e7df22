"""`recall`: what is known about a topic, fit to be pasted into a prompt."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from datetime import date

from memsite.cli.context import Context, UsageError, parse_day
from memsite.cli.restoring import find_kept
from memsite.counting import counted
from memsite.memory.generation import parse_generation
from memsite.memory.index import obstacle_error
from memsite.memory.lost import lost_error, lost_path
from memsite.memory.model import DailyNote, Generation, MarkerKind
from memsite.memory.names import parse_date, parse_day_name
from memsite.memory.recall import Recall, recall_day
from memsite.memory.recall import recall as find
from memsite.memory.snapshot import Blob, blob_id
from memsite.values import dataclass, replace

MATCHES = 10
"""What a search shows without `--limit`."""
_MOST_SHOWN = 60
"""Characters of a query that an answer repeats."""


def recall_parser(parser: argparse.ArgumentParser) -> None:
    """`recall [QUERY] [--deep] [--date D] [--limit N]`."""
    parser.add_argument("query", metavar="QUERY", nargs="*", help="a topic, in your own words and language")
    parser.add_argument("--deep", action="store_true", help="archived text too, as it was written")
    parser.add_argument("--date", metavar="D", help="only the notes of this day")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        help="so many matches or notes, the newest ones (default: 10 matches, all notes)",
    )
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def recall(context: Context, arguments: argparse.Namespace) -> None:
    """The matching topic's current generation, today's note and what came since; else a ranked search of all notes."""
    query = " ".join(arguments.query).strip()
    limit: int | None = arguments.limit
    if not query and not arguments.date:
        raise UsageError("there is nothing to recall", hint='say what: memsite recall "the blog project"')
    if limit is not None and limit < 1:
        raise UsageError("--limit takes a whole number, 1 or more")
    if not arguments.date and parse_date(query):
        arguments.date, query = query, ""  # a day is asked for, not a word
    memory, config, most = context.memory(), context.workspace.config, MATCHES if limit is None else limit
    if error := obstacle_error(memory.index):
        context.output.warn(f"no topic can be recalled: {error}")
    if arguments.date:
        day = parse_day(arguments.date)
        found = recall_day(memory, day, config, query, deep=arguments.deep, limit=most)
    else:
        day = None
        found = find(memory, query, context.today, config, deep=arguments.deep, limit=most)
    if lost := _read_lost(context, found):
        found = replace(found, generation=lost.generation or found.generation)
    kept = found.since_notes if limit is None else found.since_notes[-limit:]
    context.output.json(_as_json(found, kept, lost))
    if day and (not query or (kept and found.topic is None)):
        _print_day(context, found, day, kept, query)
    elif found.topic is None:
        _print_matches(context, found, day, query)
    else:
        _print_topic(context, found, day, kept, lost)


@dataclass(frozen=True, slots=True)
class _Lost:
    """The current generation of a topic, whose file is gone."""

    said: str
    """That it is, and what to do."""
    generation: Generation | None
    """As git has it, if it does."""


def _read_lost(context: Context, found: Recall) -> _Lost | None:
    if found.lost is None or found.topic is None:
        return None
    config = context.workspace.config
    path = lost_path(found.lost, config)
    kept = find_kept(context, path, line=found.lost.line)
    said = str(lost_error(found.topic, found.lost, config, kept.hint))
    blob = Blob(blob_id(kept.data), kept.data) if kept.data is not None else None
    return _Lost(said, parse_generation(path, blob) if blob else None)


def _print_topic(
    context: Context, found: Recall, day: date | None, kept: Sequence[DailyNote], lost: _Lost | None
) -> None:
    topic, line = found.topic, context.output.line
    if topic is None:
        return
    line(f"# {topic.slug} ({topic.category or 'not in INDEX.md'}, {topic.status.value})")
    if topic.description:
        line(f"\n{topic.description}")
    if lost:
        line(f"\n({lost.said})")
    origin = ", from git" if lost and lost.generation else ""
    if found.generation:
        line(f"\n## Generation {found.generation.number} ({found.generation.day}{origin})\n")
        line(found.generation.blob.text.strip())
        _print_cut(context, found.generation)
    heading = "Note" if found.deep or day else "Since then"
    if len(kept) < len(found.since_notes):
        line(f"\n(--limit leaves out {counted(len(found.since_notes) - len(kept), 'earlier note')})")
    _print_notes(context, found, heading, kept)
    _print_notes(context, found, "Today", found.today_notes)
    _print_archived(context, found)
    if day and not kept:
        line(f"\nThere is no note of {day.isoformat()}.")


def _print_day(context: Context, found: Recall, day: date, kept: Sequence[DailyNote], query: str) -> None:
    context.output.line(f"# {day.isoformat()}")
    if query:
        context.output.line(f"\nNothing of this day matches {_short(query)}; this is all of it.")
        _print_archived(context, found)
    _print_notes(context, found, "Note", kept)
    if not kept:
        context.output.line(f"\nThere is no note of {day.isoformat()}.")


def _print_notes(context: Context, found: Recall, heading: str, notes: Sequence[DailyNote]) -> None:
    for one in notes:
        context.output.line(f"\n## {heading}: {one.path}\n")
        text = found.text_of(one)
        if text:
            context.output.line(text)
            _print_cut(context, one)
        if not found.deep and not text and any(marker.kind is MarkerKind.ARCHIVED for marker in one.markers):
            context.output.line("(archived; --deep shows it)")


def _print_cut(context: Context, shown: DailyNote | Generation) -> None:
    if cut := shown.blob.cut:
        context.output.line(f"\n(only the beginning of {shown.path}, which has {cut.words})")


def _print_matches(context: Context, found: Recall, day: date | None, query: str) -> None:
    line = context.output.line
    where = f"the notes of {day.isoformat()}" if day else "the whole memory"
    if found.matches:
        line(f"No topic matches {_short(query)}; this is a search of {where} instead, best first:")
    else:
        what = "nothing that is not archived" if found.archived else f"nothing in {where}"
        line(f"No topic matches {_short(query)}, and {what} has its words.")
    for match in found.matches:
        line(f"\n{match.path}:{match.line} ({match.score:.2f})", style="bold")
        line(f"  {match.excerpt}")
    _print_archived(context, found)
    if found.proposed and context.workspace.config.auto_propose_index:
        line(f"\nWorth keeping? {_proposal(context, found)}", style="dim")


def _short(query: str) -> str:
    flat = " ".join(query.split())
    return f'"{flat if len(flat) <= _MOST_SHOWN else flat[: _MOST_SHOWN - 1] + "…"}"'


def _print_archived(context: Context, found: Recall) -> None:
    if found.archived:
        notes = counted(found.archived, "archived note has", "archived notes have")
        too = " too" if found.matches else ""
        context.output.line(f"\n{notes} it{too}: --deep searches what is archived")


def _proposal(context: Context, found: Recall) -> str:
    """The command that would make a topic of what was asked for, with the days of the notes that were found."""
    names = (parse_day_name(match.path.name) for match in found.matches)
    days = sorted({name[0] for name in names if name})
    categories = context.workspace.config.categories
    words = ["memsite", "index", "add", found.proposed, "--category", categories[0] if categories else "Projects"]
    return shlex.join([*words, *(word for day in days for word in ("--date", day.isoformat()))])


def _as_json(found: Recall, kept: Sequence[DailyNote], lost: _Lost | None) -> dict[str, object]:
    def texts(notes: Sequence[DailyNote]) -> list[dict[str, object]]:
        return [{"path": one.path, "date": one.day, "text": found.text_of(one)} for one in notes]

    generation = found.generation
    return {
        "topic": found.topic.slug if found.topic else None,
        "score": found.score,
        "generation": generation
        and {"path": generation.path, "number": generation.number, "text": generation.blob.text},
        "missing": lost.said if lost else None,
        "since": texts(kept),
        "today": texts(found.today_notes),
        "matches": [
            {"path": one.path, "line": one.line, "score": one.score, "excerpt": one.excerpt} for one in found.matches
        ],
        "archived": found.archived,
        "proposed": found.proposed or None,
    }
