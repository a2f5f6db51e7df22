"""`recall`: what is known about a topic, fit to be pasted into a prompt."""

from __future__ import annotations

import argparse

from memsite.cli.context import Context
from memsite.memory.daily import live_text
from memsite.memory.model import DailyNote
from memsite.memory.recall import Recall
from memsite.memory.recall import recall as find


def recall_parser(parser: argparse.ArgumentParser) -> None:
    """`recall QUERY`."""
    parser.add_argument("query", metavar="QUERY", nargs="+", help="a topic, in your own words and language")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def recall(context: Context, arguments: argparse.Namespace) -> None:
    """The matching topic's current generation, today's note and what came since; else a ranked search of all notes."""
    found = find(context.memory(), " ".join(arguments.query), context.today, context.workspace.config)
    context.output.json(_as_json(found))
    if found.topic is None:
        _print_matches(context, found)
        return
    topic = found.topic
    context.output.line(f"# {topic.slug} ({topic.category or 'not in INDEX.md'}, {topic.status.value})")
    if found.generation:
        context.output.line(f"\n## Generation {found.generation.number} ({found.generation.day})\n")
        context.output.line(found.generation.blob.text.strip())
    for heading, notes in (("Since then", found.since_notes), ("Today", found.today_notes)):
        for one in notes:
            context.output.line(f"\n## {heading}: {one.path.name}\n")
            context.output.line(live_text(one, topic.slug).strip())


def _print_matches(context: Context, found: Recall) -> None:
    context.output.line("No topic matches; the notes were searched instead.")
    for match in found.matches:
        context.output.line(f"\n{match.path} ({match.score:.2f})", style="bold")
        context.output.line(f"  {match.excerpt}")
    if found.matches:
        context.output.line("\nWorth keeping? `memsite index add SLUG --category Projects`", style="dim")
    else:
        context.output.line("Nothing was found.")


def _as_json(found: Recall) -> dict[str, object]:
    def texts(notes: tuple[DailyNote, ...]) -> list[dict[str, object]]:
        slug = found.topic.slug if found.topic else ""
        return [{"path": one.path, "date": one.day, "text": live_text(one, slug)} for one in notes]

    generation = found.generation
    return {
        "topic": found.topic.slug if found.topic else None,
        "score": found.score,
        "generation": generation
        and {"path": generation.path, "number": generation.number, "text": generation.blob.text},
        "since": texts(found.since_notes),
        "today": texts(found.today_notes),
        "matches": [{"path": one.path, "score": one.score, "excerpt": one.excerpt} for one in found.matches],
    }
