"""`review`: index maintenance of one day."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from datetime import date

from memsite.agents.kept_review import keep_review
from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context, UsageError, parse_day
from memsite.counting import counted
from memsite.errors import MemsiteError
from memsite.memory.changeset import Changeset
from memsite.memory.first_index import propose_first_topics
from memsite.memory.index import require_readable
from memsite.memory.lineage import load_memory
from memsite.memory.mentions import Passage
from memsite.memory.reviewing import Review, plan_review, review_day
from memsite.repo.transaction import Committed, Reader
from memsite.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a review did, and what is left to ask."""

    review: Review
    commits: tuple[Committed, ...]
    refused: tuple[MemsiteError, ...]
    why_none: str = ""
    """Why the whole folder proposes nothing, if that was asked."""


def review_parser(parser: argparse.ArgumentParser) -> None:
    """`review [DATE | --all] [--accept SLUG…]`."""
    parser.add_argument("date", nargs="?", metavar="DATE", help="the day (default: today)")
    parser.add_argument("--all", action="store_true", help="propose topics from the whole folder, for a first index")
    parser.add_argument("--accept", metavar="SLUG", nargs="+", default=[], help="take these proposals")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def review(context: Context, arguments: argparse.Namespace) -> None:
    """Add the day to the topics that it mentions, and say what else could be done."""
    if arguments.all and arguments.date:
        raise UsageError("--all looks at every day", hint="leave the date out")
    day = parse_day(arguments.date) if arguments.date else context.today
    # What an agent has written goes into commits of its own first, so that this one holds the review alone.
    report(context, commit_pending_work(context))
    if arguments.all:
        done = _review_all(context, arguments.accept)
    else:
        done = review_and_keep(context, day, accepted=arguments.accept)
    report(context, done.commits)
    for error in done.refused:
        context.output.warn(str(error))
    _describe(context, done, frozenset(arguments.accept), "--all" if arguments.all else str(day))
    context.output.json(_as_json(done))


def review_and_keep(context: Context, day: date, *, accepted: Sequence[str] = ()) -> Reviewed:
    """Review a day, commit the dates that it adds, and keep its proposals for the agent's next session."""
    config = context.workspace.config
    found: list[Reviewed] = []

    def plan(reader: Reader) -> Iterator[Changeset]:
        snapshot = reader.snapshot()
        memory = load_memory(snapshot, config)
        require_readable(memory.index)
        reviewed = review_day(memory, day, context.today, config)
        index = memory.index.blob.data if memory.index.blob else None
        planned = plan_review(index, reviewed, config, accepted=accepted)
        found[:] = [Reviewed(reviewed, (), planned.refused)]
        yield planned.changeset

    commits = context.transact(plan)
    keep_review(context.workspace.require_repository(), found[0].review)
    return replace(found[0], commits=commits)


def _review_all(context: Context, accepted: Sequence[str]) -> Reviewed:
    """What the whole folder proposes; nothing is dated or made unasked."""
    config = context.workspace.config
    found: list[Reviewed] = []

    def plan(reader: Reader) -> Iterator[Changeset]:
        memory = load_memory(reader.snapshot(), config)
        require_readable(memory.index)
        there = frozenset(topic.slug for topic in memory.topics if topic.entry)
        first = propose_first_topics(memory, config)
        reviewed = Review(context.today, proposals=first.proposals, settled=there)
        planned = plan_review(
            memory.index.blob.data if memory.index.blob else None, reviewed, config, accepted=accepted
        )
        found[:] = [Reviewed(reviewed, (), planned.refused, first.why_none)]
        yield planned.changeset

    commits = context.transact(plan)
    return replace(found[0], commits=commits)


def _describe(context: Context, done: Reviewed, accepted: frozenset[str], asked: str) -> None:
    review, line = done.review, context.output.line
    for mention in review.mentioned:
        line(f"mentioned: {mention.slug} ({_place(mention.passage)})")
    for likely in review.likely:
        if likely.slug not in accepted:
            line(f"likely: {likely.slug}? {_place(likely.passage)}: {_excerpt(likely.passage)}")
    for new in review.proposals:
        if new.slug not in accepted:
            days = f", {counted(len(new.dates), 'day')}" if len(new.dates) > 1 else ""
            line(f"new: {new.slug} ({new.category}{days})? {_place(new.passage)}: {_excerpt(new.passage)}")
    for wanted in review.wanted:
        dates = counted(len(wanted.dates), "date")
        line(f"{wanted.grade.value}: consolidate {wanted.slug} ({dates} since the last time)")
    if set(review.proposed_slugs) - accepted:
        line(f"`memsite review {asked} --accept SLUG` takes a proposal", style="dim")
    if not (review.mentioned or review.proposed_slugs or review.wanted):
        line(f"nothing to do for {asked}" if asked != "--all" else f"the folder suggests no new topic: {done.why_none}")


def _place(passage: Passage) -> str:
    return f"{passage.path}:{passage.line}"


def _excerpt(passage: Passage) -> str:
    text = " ".join(passage.text.split())
    return text if len(text) <= 100 else text[:99] + "…"


def _as_json(done: Reviewed) -> dict[str, object]:
    review = done.review

    def place(passage: Passage) -> dict[str, object]:
        return {"path": passage.path, "line": passage.line, "text": passage.text}

    return {
        "date": review.day,
        "mentioned": [{"slug": one.slug, **place(one.passage)} for one in review.mentioned],
        "likely": [{"slug": one.slug, **place(one.passage)} for one in review.likely],
        "new": [
            {"slug": one.slug, "category": one.category, "dates": list(one.dates), **place(one.passage)}
            for one in review.proposals
        ],
        "consolidations": [
            {"slug": one.slug, "grade": one.grade.value, "dates": list(one.dates)} for one in review.wanted
        ],
        "refused": [str(error) for error in done.refused],
        "commits": [one.commit for one in done.commits],
    }
