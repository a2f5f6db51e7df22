"""Index maintenance: what a day means for the topics (seed, "Index Maintenance"; FORMATS, "Daily flush").

A topic that the day's notes name gets the date. All else is proposed: topics that the day seems to speak of, new ones,
consolidations that are suggested or due. Nothing is created unasked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from memsite.config import Config
from memsite.errors import FormatError, MemsiteError, RefusedError
from memsite.memory.changeset import Changeset, Write
from memsite.memory.index_edit import add_topic, touch_topic
from memsite.memory.mentions import Passage, find_likely, find_mentions, find_naming, read_passages, session_passages
from memsite.memory.model import Grade, Memory, Status, Topic
from memsite.memory.planning import consolidation_grade, dates_since
from memsite.memory.proposing import Proposal, propose_topics
from memsite.values import dataclass, replace

_AT_REST = frozenset({Status.DEPRECATED, Status.ABANDONED})
"""Topics that nobody wants to hear of again, unless a note names them."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An indexed topic that the day speaks of, and the first line that does."""

    slug: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Wanted:
    """A topic that wants consolidation."""

    slug: str
    grade: Grade
    """Suggested or due."""
    dates: tuple[date, ...]
    """Those since its last generation, the reviewed day's among them."""


@dataclass(frozen=True, slots=True)
class Review:
    """What the review of one day comes to."""

    day: date
    mentioned: tuple[Mention, ...] = ()
    """By name or alias, in a note of the day: these get the date."""
    likely: tuple[Mention, ...] = ()
    """By likeness, or in a session alone: proposed."""
    proposals: tuple[Proposal, ...] = ()
    wanted: tuple[Wanted, ...] = ()
    """Due ones first."""
    settled: frozenset[str] = frozenset()
    """Indexed topics that have the day, or get it: accepting one again does nothing."""

    @property
    def proposed_slugs(self) -> tuple[str, ...]:
        """What `--accept` may name."""
        return (*(one.slug for one in self.likely), *(one.slug for one in self.proposals))


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """What a review changes, and the entries of INDEX.md that cannot be changed without guessing."""

    changeset: Changeset
    refused: tuple[MemsiteError, ...] = ()


def review_day(memory: Memory, day: date, today: date, config: Config) -> Review:
    """Review one day; `today` is the day that consolidations are graded for. New topics are proposed only with
    `auto_propose_index`."""
    notes = [passage for note in memory.notes_on(day) for passage in read_passages(note)]
    log = memory.session_log(day)
    sessions = list(session_passages(log)) if log else []
    indexed = replace(memory, topics=tuple(topic for topic in memory.topics if topic.entry))
    named = find_mentions(indexed, notes)
    alive = replace(indexed, topics=tuple(topic for topic in indexed.topics if topic.status not in _AT_REST))
    likely = _likely(alive, day, [*notes, *sessions], sessions, named)
    taken = [*find_naming(indexed, [*notes, *sessions]), *(one.passage for one in likely)]
    proposals = propose_topics(memory, day, [*notes, *sessions], taken, config) if config.auto_propose_index else ()
    mentioned = tuple(Mention(topic.slug, named[topic.slug]) for topic in indexed.topics if topic.slug in named)
    wanted = find_wanted(memory, today, config, dated=(day, frozenset(named)))
    settled = {*named, *(topic.slug for topic in indexed.topics if day in topic.dates)}
    return Review(day, mentioned, likely, proposals, wanted, frozenset(settled))


def _likely(
    memory: Memory, day: date, passages: Sequence[Passage], sessions: Sequence[Passage], named: Iterable[str]
) -> tuple[Mention, ...]:
    """Topics that have the day already, or get it, need no proposal."""
    settled = {*named, *(topic.slug for topic in memory.topics if day in topic.dates)}
    said = {slug: one for slug, one in find_mentions(memory, sessions).items() if slug not in settled}
    found = {**find_likely(memory, passages, {*settled, *said}), **said}
    return tuple(Mention(topic.slug, found[topic.slug]) for topic in memory.topics if topic.slug in found)


def find_wanted(
    memory: Memory, today: date, config: Config, *, dated: tuple[date, frozenset[str]] | None = None
) -> tuple[Wanted, ...]:
    """The topics that want consolidation, due ones first; `dated` are a day and the topics that are about to get it."""
    found: list[Wanted] = []
    for topic in memory.topics:
        if topic.entry is None or topic.status in _AT_REST:
            continue
        as_dated = _with_date(topic, dated)
        grade = consolidation_grade(as_dated, today, config.consolidation_threshold)
        if grade is not Grade.NONE:
            found.append(Wanted(topic.slug, grade, dates_since(as_dated, today)))
    return tuple(sorted(found, key=lambda one: one.grade is not Grade.DUE))


def _with_date(topic: Topic, dated: tuple[date, frozenset[str]] | None) -> Topic:
    return replace(topic, dates=(*topic.dates, dated[0])) if dated and topic.slug in dated[1] else topic


def plan_review(index: bytes | None, review: Review, config: Config, *, accepted: Iterable[str] = ()) -> ReviewPlan:
    """INDEX.md with the day added to the topics that it names, and with the accepted proposals.

    An entry that cannot be edited without guessing is refused, that entry alone. Raises RefusedError for an accepted
    slug that was not proposed, FormatError for an accepted one that cannot be written.
    """
    wanted = tuple(dict.fromkeys(accepted))
    _check_proposed(wanted, review)
    data, refused = index, []
    dated: list[str] = []
    for slug in (*(one.slug for one in review.mentioned), *(one.slug for one in review.likely if one.slug in wanted)):
        try:
            edited = touch_topic(data, slug, [review.day], config=config)
        except (FormatError, RefusedError) as error:
            refused.append(error)
            continue
        dated += [slug] if edited != data else []
        data = edited
    added = [one for one in review.proposals if one.slug in wanted]
    for one in added:
        data = add_topic(data, one.slug, one.category, one.dates, config=config)
    changes = (Write(config.index_path, index, data),) if data is not None and data != index else ()
    return ReviewPlan(Changeset(changes, _message(review.day, [one.slug for one in added], dated)), tuple(refused))


def _check_proposed(accepted: Iterable[str], review: Review) -> None:
    for slug in accepted:
        if slug not in review.proposed_slugs and slug not in review.settled:
            known = ", ".join(review.proposed_slugs) or "nothing"
            raise RefusedError(
                f"{slug!r} is not proposed for {review.day.isoformat()}",
                hint=f"proposed: {known}; `memsite index add` takes any topic",
            )


def _message(day: date, added: Sequence[str], dated: Sequence[str]) -> str:
    parts = [
        f"{verb} {', '.join(slugs[:4])}{f' and {len(slugs) - 4} more' if len(slugs) > 4 else ''}"
        for verb, slugs in (("add", added), ("dates of", dated))
        if slugs
    ]
    return f"index: {'; '.join(parts) or 'review'}\n\nday: {day.isoformat()}\n"
