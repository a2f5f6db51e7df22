"""A generation without a writer: what the sources say themselves, chosen and put in order (`consolidate --auto`).

Every statement is one of a source, word for word, with its lines. A later one that goes away from what an earlier
decision chose (`from Next.js to Astro`, `Giscus removed`) ends that decision; one that answers a question closes it.
What is left out stays in the notes and in the generation before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import date

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.cues import (
    Sort,
    asks_for_decision,
    has_name,
    is_explicit,
    is_open_task,
    sort_of,
    telling_words,
    without_box,
)
from memsite.memory.ending import about, holds_more, is_answer, is_bare_choice, names_left
from memsite.memory.generation import DECISIONS, KEY_POINTS, SOURCES, STATUS, SUMMARY
from memsite.memory.handing_on import Item, bare_text, earlier_items, is_fit
from memsite.memory.heeding import find_bases, find_unheeded
from memsite.memory.model import DailyNote, Memory, Topic
from memsite.memory.planning import find_topic, require_sources
from memsite.memory.query import is_cjk, name_words
from memsite.memory.source_refs import format_note_name
from memsite.memory.statements import SPEAKER, Relevance, Statement, find_statements
from memsite.values import replace

MOST_POINTS = 16
MOST_DECISIONS = 16
MOST_STATUS = 4
MOST_TASKS = 16
MOST_IN_SUMMARY = 4
MOST_LETTERS = 500
"""A longer statement is a text of its own, not a point."""
NOTHING = "—"
"""What a section says that has nothing to say: a dash, since no source has a sentence for it."""


def extract_body(memory: Memory, slug: str, today: date, config: Config) -> str:
    """The body of the topic's next generation, for `plan_consolidation`.

    Raises RefusedError for a topic that INDEX.md does not have, and when its notes state nothing new.
    """
    topic = find_topic(memory, slug, config)
    notes = require_sources(memory, topic, today)
    new = [_as_item(one, topic) for one in _choose(find_statements(memory, topic, notes))]
    if not (new or find_unheeded(topic)):
        hint = f"write it from `memsite consolidate {slug} --brief`, and give it with --from"
        raise RefusedError(f"the notes of {slug!r} have no sentence that could be taken over", hint=hint)
    items = _without_ended([*earlier_items(memory, topic), *new], (topic.slug, *topic.aliases))
    return _format(topic, notes, items, new)


def _choose(statements: Sequence[Statement]) -> list[Statement]:
    """Those about the topic; of a note that does not say what it is about, all that are not about another. Where a
    note speaks of other topics too, a fact that nothing ties to this one is left out."""
    mixed = {one.path for one in statements if one.relevance is Relevance.OTHER}
    words = {word for one in statements if one.relevance > Relevance.GENERAL for word in telling_words(one.text)}
    bare = (replace(one, text=bare_text(one.text)) for one in statements if _counts(one))
    fit = (one for one in bare if one.text and len(one.text) <= MOST_LETTERS and is_fit(one.text))
    return [one for one in fit if one.path not in mixed or _is_tied(one, words)]


def _counts(one: Statement) -> bool:
    """Whether it is about the topic; of a conversation, only what is decided or done, or names the topic."""
    if one.relevance is Relevance.OTHER or not one.spoken:
        return one.relevance is not Relevance.OTHER
    said = SPEAKER.sub("", one.text, count=1)
    if " " not in said and not is_cjk(said):
        return False
    sort = sort_of(said)
    return sort in {Sort.DECISION, Sort.PROGRESS} or (one.relevance is Relevance.NAMED and sort is not Sort.OPEN)


def _is_tied(one: Statement, words: Set[str]) -> bool:
    fact = one.relevance is Relevance.GENERAL and sort_of(without_box(one.text)) is Sort.FACT
    return not fact or bool(words & telling_words(one.text))


def _as_item(one: Statement, topic: Topic) -> Item:
    return Item(
        one.text,
        one.reference,
        _sort_for(one.text, topic),
        one.day,
        one.first_line,
        one.label,
        one.relevance,
    )


def _sort_for(text: str, topic: Topic) -> Sort:
    bare = without_box(text)
    return sort_of(text.removesuffix(bare) + _unlabelled(bare, topic))


def _unlabelled(text: str, topic: Topic) -> str:
    """What a statement says of the topic, without its name in front: `Blog: Grace draws the logo.` chooses nothing."""
    label, colon, said = text.replace("：", ":", 1).partition(":")
    names = {name_words(name) for name in (topic.slug, *topic.aliases)}
    return said.strip() if colon and name_words(label) in names else text


def _without_ended(items: Iterable[Item], names: Sequence[str]) -> list[Item]:
    """In the order in which they were said, without what was said twice, undone, or answered later. `names` are the
    topic's own."""
    ordered = _distinct(sorted(items, key=lambda item: item.order))
    kept: list[Item] = []
    ended_line: tuple[date, str, int] | None = None
    for position, item in enumerate(ordered):
        later = ordered[position + 1 :]
        follows = item.sort is Sort.REASON and ended_line == (item.day, item.label, item.line - 1)
        alone = not any(map(_asks, kept)) and not any(_asks_too(one, item) for one in later)
        if follows or _is_undone(item, later, names) or _is_answered(item, later, names, alone=alone):
            ended_line = item.order
        else:
            kept.append(item)
    return kept


def _distinct(items: Iterable[Item]) -> list[Item]:
    """One of each text; of two, the one from the generation before, which says where it comes from."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault("".join(item.text.casefold().split()), item)
    return list(found.values())


def _is_undone(item: Item, later: Iterable[Item], names: Sequence[str]) -> bool:
    """Whether later decisions leave all that an earlier statement chose; what holds more stands beside them."""
    if item.sort not in {Sort.DECISION, Sort.PROGRESS}:
        return False
    decisions = (one for one in later if one.sort is Sort.DECISION and one.day >= item.day)
    gone = {name for one in decisions for name in _left_of(item, one)}
    return bool(gone) and not item.more and not holds_more(without_box(item.text), gone, names)


def _left_of(earlier: Item, later: Item) -> list[str]:
    """What a decision leaves that an earlier one chose; `from A to B` itself is not ended by the next `from A to C`,
    but by leaving B."""
    gone = names_left(earlier.text)
    return [name for name in names_left(later.text) if name not in gone and has_name(earlier.text, name)]


def _is_answered(item: Item, later: Sequence[Item], names: Sequence[str], *, alone: bool) -> bool:
    """Whether a question was answered on a later day, or decided. `alone`: it is the only one that was open, so that a
    bare choice is the answer."""
    if item.sort is not Sort.OPEN:
        return False
    for one in later:
        if is_open_task(item.text) and _is_ticked(item, one):
            return True
        decides = one.sort is Sort.DECISION and is_explicit(one.text) and one.order > item.order
        if (one.day > item.day or decides) and is_answer(item.text, one.text, names):
            return True
        is_next = decides and alone and one.day > item.day
        if is_next and asks_for_decision(item.text) and is_bare_choice(one.text, names):
            return True
    return False


def _is_ticked(task: Item, later: Item) -> bool:
    """Whether a later item is the same task, done."""
    said, done = without_box(task.text), without_box(later.text)
    return done != later.text and not is_open_task(later.text) and done.casefold() == said.casefold()


def _asks(item: Item) -> bool:
    """Whether it is a question: a task waits for work, not for an answer."""
    return item.sort is Sort.OPEN and not is_open_task(item.text)


def _asks_too(other: Item, item: Item) -> bool:
    return _asks(other) and other.day == item.day


def _format(topic: Topic, notes: Sequence[DailyNote], items: Sequence[Item], new: Sequence[Item]) -> str:
    decisions = [item for item in items if item.sort is Sort.DECISION][-MOST_DECISIONS:]
    standing = _standing(items, (topic.slug, *topic.aliases))
    tasks = [item for item in items if is_open_task(item.text)]
    questions = [item for item in items if item.sort is Sort.OPEN and item not in tasks[:-MOST_TASKS]]
    elsewhere = {*decisions, *standing, *questions, *tasks}
    points = _best([item for item in items if item not in elsewhere and _is_point(item)])
    summary = _summarize(items, decisions, standing)
    sections = (
        (SUMMARY, "\n".join(item.written for item in summary)),
        (KEY_POINTS, _bullets(points)),
        (DECISIONS, _bullets(decisions)),
        (STATUS, _bullets([*standing, *(one for one in questions if one not in standing)])),
        (SOURCES, "\n".join(_sources(topic, notes, items, new))),
    )
    return "\n\n".join(f"## {name}\n{text or NOTHING}" for name, text in sections) + "\n"


def _bullets(items: Iterable[Item]) -> str:
    return "\n".join(item.bullet for item in items)


def _best(items: Sequence[Item]) -> list[Item]:
    """The points that are worth most, in the order in which they were said."""
    worth = sorted(items, key=lambda item: (_worth(item), item.order), reverse=True)[:MOST_POINTS]
    return sorted(worth, key=lambda item: item.order)


def _worth(item: Item) -> float:
    figures = any(char.isdigit() for char in item.text)
    return item.relevance + 1.5 * (not item.is_new) + 0.5 * figures + 0.5 * (item.sort is not Sort.FACT)


def _is_point(item: Item) -> bool:
    """A status that nothing supports and that is outdated is no point."""
    return item.sort is not Sort.DECISION and (not item.is_status or bool(item.reference))


def _standing(items: Sequence[Item], names: Sequence[str]) -> list[Item]:
    """What was done last and how things are, in its order; where nothing says so, the last that is no decision, and a
    decision only where there is nothing else. What the generation before says of it stands until something new is said
    of the same."""
    done = [item for item in items if item.sort is Sort.PROGRESS]
    status = [item for item in done if item.is_status]
    new = [item for item in done if item.is_new][-MOST_STATUS:]
    told = [one for one in status if not new or not (one.reference or _is_outdated(one, items, names))]
    if new or told:
        return [*told, *new]
    if done:
        return done[-MOST_STATUS:]
    if any(item.sort is Sort.OPEN for item in items):
        return []
    newest = sorted(items, key=lambda item: (item.is_new, item.order))
    told = [item for item in newest if item.sort is not Sort.DECISION and item.relevance is not Relevance.GENERAL]
    return told[-1:] or newest[-1:]


def _is_outdated(status: Item, items: Sequence[Item], names: Sequence[str]) -> bool:
    words = about(status.text, names)
    return any(words & about(one.text, names) for one in items if one.is_new)


def _summarize(items: Sequence[Item], decisions: Sequence[Item], standing: Sequence[Item]) -> list[Item]:
    """How it began, what holds, and what came last."""
    begin = next((item for item in items if item.sort is not Sort.OPEN), items[0])
    chosen = [begin, *decisions[-MOST_IN_SUMMARY:], *standing[-1:]]
    return sorted(dict.fromkeys(chosen), key=lambda item: item.order)


def _sources(topic: Topic, notes: Sequence[DailyNote], items: Sequence[Item], new: Sequence[Item]) -> Iterator[str]:
    """Of the generation before its last decision that holds, else its last point; of a note what matters most."""
    for base in find_bases(topic):
        from_it = [item for item in items if item.base == base.number]
        held = sorted(from_it, key=lambda item: item.sort is Sort.DECISION)
        yield f"- gen{base.number}: {held[-1].text if held else base.path.name}"
    for note in notes:
        of_note = [item for item in new if (item.day, item.label) == (note.day, note.label)]
        best = max(of_note, key=lambda item: (item.sort is Sort.DECISION, _worth(item)), default=None)
        yield f"- {format_note_name(note.day, note.label)}: {best.text if best else note.path.name}"
