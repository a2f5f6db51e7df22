"""The daily flush: a day that is over is closed, and the next one begun (seed, "Daily Flush"; FORMATS).

A note with a NATIVE_FLUSH marker is flushed; so the notes themselves say which days were missed, on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date, time, timedelta

from memsite.config import Config
from memsite.errors import MemsiteError
from memsite.memory.changeset import Change, Changeset, Write
from memsite.memory.daily import DAILY_FLUSH, NATIVE_FLUSH, marker_append, note_header
from memsite.memory.index import obstacle_error
from memsite.memory.model import DailyNote, MarkerKind, Memory
from memsite.memory.names import day_path, parse_date
from memsite.memory.reviewing import Review, plan_review, review_day
from memsite.values import dataclass

LOOK_BACK = timedelta(days=31)
"""So far back a missed day gets a note of its own; older ones are closed only where somebody has written."""
_ONE_DAY = timedelta(days=1)
_BEGIN = "flush: begin "
"""The subject of a flush that closed no day begins with it."""


@dataclass(frozen=True, slots=True)
class FlushedDay:
    """What the flush of one day comes to."""

    day: date
    created: bool
    """It had no note."""
    review: Review
    refused: tuple[MemsiteError, ...]
    """Entries of INDEX.md that cannot be dated without guessing."""

    @property
    def is_closed(self) -> bool:
        """Whether the day gets its marker: not while INDEX.md refuses its topics, so that the next flush takes it."""
        return not self.refused


@dataclass(frozen=True, slots=True)
class FlushPlan:
    """The commits of a flush: one for each day."""

    changesets: tuple[Changeset, ...]
    days: tuple[FlushedDay, ...]
    begun: bool
    """Today gets its note."""
    left_out: tuple[date, ...] = ()
    """See `left_out_days`; none where the days were asked for."""


def missed_days(memory: Memory, today: date, begun: date | None = None) -> tuple[date, ...]:
    """The days that a flush has to close, in order: yesterday, and since the first flush those that were missed.

    An empty day counts for `LOOK_BACK`, one that somebody has written in for ever. `begun` is the day of the first
    flush that closed none (`begun_day` of its commit): the memory was not older.
    """
    yesterday = today - _ONE_DAY
    flushed = _flushed_days(memory, today)
    since = min(*(flushed or {yesterday}), begun or today)
    recent = _days_between(max(since, yesterday - LOOK_BACK), yesterday)
    written = {note.day for note in memory.notes if since <= note.day < today}
    return tuple(sorted({*recent, *written} - flushed))


def begun_day(subject: str) -> date | None:
    """The day that a flush began without closing another, by the subject of its commit."""
    return parse_date(subject.removeprefix(_BEGIN)) if subject.startswith(_BEGIN) else None


def first_day(memory: Memory, committed: date | None) -> date | None:
    """The day on which a memory begins: of its earliest note, session or commit (`committed`); None: it has none."""
    days = [*(note.day for note in memory.notes), *(log.day for log in memory.session_logs)]
    return min((*days, *((committed,) if committed else ())), default=None)


def left_out_days(memory: Memory, today: date, begun: date | None = None) -> tuple[date, ...]:
    """The empty days since the last flush that are too old for a note of their own; none once this flush is done.

    `begun`: see `missed_days`.
    """
    flushed = _flushed_days(memory, today) | ({begun - _ONE_DAY} if begun else set())
    if not flushed:
        return ()
    written = {note.day for note in memory.notes}
    days = _days_between(max(flushed) + _ONE_DAY, today - _ONE_DAY - LOOK_BACK - _ONE_DAY)
    return tuple(day for day in days if day not in written)


def _flushed_days(memory: Memory, today: date) -> set[date]:
    return {note.day for note in memory.notes if _is_flushed(note) and note.day < today}


def _days_between(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def plan_flush(
    memory: Memory,
    days: Iterable[date],
    today: date,
    at: time,
    config: Config,
    *,
    begin_today: bool = True,
    blocked: Collection[date] = (),
    begun: date | None = None,
) -> FlushPlan:
    """Close `days`, each in one commit: its note, with markers, and INDEX.md with the date of the topics that it names;
    the last one begins today's note. What is closed already is left out, so that a second flush changes nothing. A day
    whose topics INDEX.md refuses stays as it is; so do those that are `blocked`, whose note is no file to write to.
    `begun`: see `missed_days`.
    """
    notes = {note.day: note for note in memory.notes if not note.label}
    open_days = [day for day in days if day < today and day not in blocked and not _is_done(notes.get(day))]
    begins = begin_today and today not in notes and today not in blocked
    index = memory.index.blob.data if memory.index.blob else None
    found: list[FlushedDay] = []
    obstacle = obstacle_error(memory.index)
    closing: list[tuple[list[Change], str]] = []
    for day in open_days:
        review = review_day(memory, day, today, config)
        planned = plan_review(index, review, config)
        refused = (obstacle,) if obstacle and memory.notes_on(day) else planned.refused
        found.append(FlushedDay(day, day not in notes, review, refused))
        if found[-1].is_closed:
            index = next((one.data for one in planned.changeset.changes if isinstance(one, Write)), index)
            changes = [_close(notes.get(day), day, config), *planned.changeset.changes]
            closing.append((changes, _message(day, at, review)))
    if begins:
        closing = closing or [([], f"{_BEGIN}{today.isoformat()}\n\nat: {at:%H:%M}\n")]
        closing[-1][0].append(_begin(today, config))
    done = tuple(Changeset(tuple(changes), text) for changes, text in closing)
    return FlushPlan(done, tuple(found), begins, left_out_days(memory, today, begun) if begin_today else ())


def _is_flushed(note: DailyNote) -> bool:
    return not note.label and any(marker.kind is MarkerKind.NATIVE_FLUSH for marker in note.markers)


def _is_done(note: DailyNote | None) -> bool:
    return note is not None and _is_flushed(note)


def _close(note: DailyNote | None, day: date, config: Config) -> Change:
    if note is not None:
        return marker_append(note, NATIVE_FLUSH)
    text = f"{DAILY_FLUSH}\n{NATIVE_FLUSH}\n".encode()
    return Write(day_path(config.memory, day), None, note_header(day) + text)


def _begin(today: date, config: Config) -> Change:
    return Write(day_path(config.memory, today), None, note_header(today).rstrip(b"\n") + b"\n")


def _message(day: date, at: time, review: Review) -> str:
    return "\n".join([f"flush: {day.isoformat()}", "", f"at: {at:%H:%M}", *_lines(review), ""])


def _lines(review: Review) -> Iterator[str]:
    named = ", ".join(mention.slug for mention in review.mentioned)
    if named:
        yield f"topics: {named}"
