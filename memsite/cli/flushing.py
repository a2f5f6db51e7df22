"""`flush`: the daily flush, by a timer or by hand."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta

from memsite.agents.kept_review import keep_review
from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context, parse_day
from memsite.cli.importing import log_missed_sessions
from memsite.config import Config
from memsite.counting import counted
from memsite.errors import FormatError, MemsiteError, PendingError, RefusedError, UnsafePathError
from memsite.memory.changeset import Changeset
from memsite.memory.flushing import LOOK_BACK, FlushedDay, FlushPlan, begun_day, first_day, missed_days, plan_flush
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory
from memsite.memory.names import day_path
from memsite.memory.reviewing import Wanted, find_wanted
from memsite.repo.transaction import Committed, Reader
from memsite.values import dataclass

_ONE_DAY = timedelta(days=1)


def flush_parser(parser: argparse.ArgumentParser) -> None:
    """`flush [--date D]`."""
    parser.add_argument("--date", metavar="D", help="only this day (default: yesterday and the days that were missed)")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def flush(context: Context, arguments: argparse.Namespace) -> None:
    """Close what is over: sessions, note, markers, topics; begin today's note. Run again, it changes nothing."""
    asked = _asked_day(context, arguments.date)
    with suppress(PendingError):  # git cannot take anything now: the flush itself is written down, and says so
        report(context, commit_pending_work(context))
    past = _read_past(context)
    sessions = _log_sessions(context, asked, past)
    plan, commits, blocked = _flush(context, asked, past)
    report(context, commits)
    memory = context.memory()
    wanted = find_wanted(memory, context.today, context.workspace.config)
    if plan.days:
        keep_review(context.workspace.require_repository(), plan.days[-1].review)
    for day, reason in blocked.items():
        context.output.warn(f"{day.isoformat()} is skipped: {reason}")
    _describe(context, plan, wanted, sessions)
    context.output.json(_as_json(context, plan, wanted, sessions, commits))
    if asked in blocked:
        raise RefusedError(f"{asked} cannot be flushed", hint="put a file in the place of its note")
    if still_open := [one.day for one in plan.days if not one.is_closed]:
        raise _refused(still_open, past.missed(memory, context.today + _ONE_DAY), context.workspace.config)


def _refused(still_open: Sequence[date], missed: Collection[date], config: Config) -> FormatError:
    """`missed` are the days that tomorrow's flush would take: not those before the first one that was ever flushed."""
    stay = "stays" if len(still_open) == 1 else "stay"
    lost = [day.isoformat() for day in still_open if day not in missed]
    commands = " && ".join(f"memsite flush --date {day}" for day in lost)
    return FormatError(
        f"{', '.join(map(str, still_open))} {stay} open, because their topics cannot be dated",
        where=config.index_path,
        hint=f"correct it, then: {commands} (the first flush takes yesterday alone, so tomorrow's leaves it out)"
        if lost
        else f"correct it; the next flush takes it, or now: memsite flush --date {still_open[0]}",
    )


def _asked_day(context: Context, text: str | None) -> date | None:
    day = parse_day(text) if text else None
    if day and day >= context.today:
        last = context.today - _ONE_DAY
        raise RefusedError(f"{day.isoformat()} is not over", hint=f"a day is flushed afterwards; the last is {last}")
    return day


@dataclass(frozen=True, slots=True)
class _Past:
    """What git says of the memory's first days."""

    first: date | None
    """Of its first commit; None where there is none."""
    begun: date | None
    """Of the first flush that closed no day."""

    def missed(self, memory: Memory, today: date) -> tuple[date, ...]:
        """See `missed_days`; a day before the memory's first one among them is no note's, but may be a session's."""
        return missed_days(memory, today, self.begun)

    def to_close(self, memory: Memory, today: date) -> tuple[date, ...]:
        """Those since the memory began: none where it has nothing yet, which begins today."""
        first = first_day(memory, self.first)
        return tuple(day for day in self.missed(memory, today) if first is not None and day >= first)


def _read_past(context: Context) -> _Past:
    from memsite.repo.history import read_history  # imports GitPython

    zone, commits = context.workspace.config.zone(), read_history(context.workspace).commits
    begun = filter(None, (begun_day(one.subject) for one in commits))
    return _Past(min((one.at.astimezone(zone).date() for one in commits), default=None), min(begun, default=None))


def _log_sessions(context: Context, asked: date | None, past: _Past) -> int:
    """As `log_missed_sessions`; a log that is a link or a folder does not keep the notes from being flushed."""
    try:
        days = {asked} if asked else set(past.missed(context.memory(), context.today))
        return log_missed_sessions(context, days)
    except PendingError:
        return 0
    except (UnsafePathError, IsADirectoryError) as error:
        context.output.warn(f"sessions were not brought up to date: {error}")
        return 0


def _flush(
    context: Context, asked: date | None, past: _Past
) -> tuple[FlushPlan, tuple[Committed, ...], dict[date, str]]:
    """What was planned, its commits, and the days that no flush can write to, with the reason."""
    config, found = context.workspace.config, FlushPlan((), (), begun=False)
    blocked: dict[date, str] = {}

    def plan(reader: Reader) -> Iterator[Changeset]:
        nonlocal found, blocked
        memory = load_memory(reader.snapshot(), config)
        days = (asked,) if asked else past.to_close(memory, context.today)
        begins = asked is None
        blocked = dict(_find_blocked(reader, [*days, context.today] if begins else days, config))
        now = context.now.time()
        found = plan_flush(
            memory, days, context.today, now, config, begin_today=begins, blocked=blocked.keys(), begun=past.begun
        )
        yield from found.changesets

    commits = context.transact(plan)
    return found, commits, blocked


def _find_blocked(reader: Reader, days: Iterable[date], config: Config) -> Iterator[tuple[date, str]]:
    """Days whose note is a link, a folder or unreadable: it costs that day alone."""
    for day in days:
        path = day_path(config.memory, day)
        try:
            reader.read(path)
        except MemsiteError as error:
            yield day, str(error)
        except OSError as error:
            yield day, f"{path}: {error.strerror}"


def _describe(context: Context, plan: FlushPlan, wanted: tuple[Wanted, ...], sessions: int) -> None:
    line = context.output.line
    if sessions:
        line(f"sessions that had not been logged: {counted(sessions, 'day')} brought up to date")
    for one in plan.days:
        line(f"{'flushed' if one.is_closed else 'not flushed'} {one.day}: {_what(one)}")
        for error in one.refused:
            context.output.warn(str(error))
        if one.review.proposed_slugs:
            line(f"  proposed: {', '.join(one.review.proposed_slugs)} (`memsite review {one.day}` tells why)")
    if not plan.days:
        line("nothing to flush")
    if old := plan.left_out:
        line(f"left out: {counted(len(old), 'empty day')} from {old[0]} to {old[-1]}; only {LOOK_BACK.days} get notes")
    if plan.begun:
        line(f"began the note of {context.today}")
    for topic in wanted:
        line(f"{topic.grade.value}: consolidate {topic.slug} ({counted(len(topic.dates), 'date')} since the last time)")


def _what(one: FlushedDay) -> str:
    topics = ", ".join(mention.slug for mention in one.review.mentioned)
    done = "stays open" if not one.is_closed else "a note was made" if one.created else "closed"
    return f"{done}; topics: {topics or 'none'}"


def _as_json(
    context: Context, plan: FlushPlan, wanted: tuple[Wanted, ...], sessions: int, commits: tuple[Committed, ...]
) -> dict[str, object]:
    return {
        "days": [
            {
                "date": one.day,
                "created": one.created,
                "closed": one.is_closed,
                "topics": [mention.slug for mention in one.review.mentioned],
                "proposed": list(one.review.proposed_slugs),
                "refused": [str(error) for error in one.refused],
            }
            for one in plan.days
        ],
        "left_out": list(plan.left_out),
        "began": context.today if plan.begun else None,
        "session_commits": sessions,
        "consolidations": [{"slug": one.slug, "grade": one.grade.value, "dates": list(one.dates)} for one in wanted],
        "commits": [one.commit for one in commits],
    }
