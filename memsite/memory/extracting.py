"""A generation without a writer: what the sources say themselves, chosen and put in order (`consolidate --auto`).

Every statement is one of a source, word for word, with its lines. A later one that goes away from what an earlier
decision chose (`from Next.js to Astro`, `Giscus removed`) ends that decision; one that answers a question closes it.
What is left out stays in the notes and in the generation before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.body_checks import statement_fault
from memsite.memory.cues import Sort, asks_for_decision, has_name, is_explicit, sort_of, telling_words
from memsite.memory.ending import holds_more, is_answer, is_bare_choice, names_left
from memsite.memory.generation import DECISIONS, KEY_POINTS, SOURCES, STATUS, SUMMARY, document_lines
from memsite.memory.model import DailyNote, Generation, Memory, SourceRef, Topic
from memsite.memory.planning import find_topic, nothing_new, sources_since
from memsite.memory.query import is_cjk, name_words
from memsite.memory.source_refs import find_cited, format_note_name, format_source_ref, parse_source_refs
from memsite.memory.statements import SPEAKER, Relevance, Statement, find_statements

MOST_POINTS = 16
MOST_DECISIONS = 16
MOST_STATUS = 4
MOST_IN_SUMMARY = 4
MOST_LETTERS = 500
"""A longer statement is a text of its own, not a point."""
NOTHING = "—"
"""What a section says that has nothing to say: a dash, since no source has a sentence for it."""

_UNFIT = re.compile(r"^[<`~$#]|<!--|\[[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""What would open a block where it is put, or read as a reference of ours."""
_SUFFIX_REFS = re.compile(r"(?:\s*\[[0-9]{4}-[0-9]{2}-[0-9]{2}[^\[\]]*\])+\s*$")


@dataclass(frozen=True, slots=True)
class _Item:
    """A statement on its way into the generation."""

    text: str
    reference: str
    sort: Sort
    day: date
    line: int
    label: str = ""
    """Of the note that says it."""
    relevance: Relevance = Relevance.SECTION
    is_new: bool = True
    """From the notes; False: the generation before has it."""

    @property
    def order(self) -> tuple[date, str, int]:
        """When it was said."""
        return self.day, self.label, self.line

    @property
    def written(self) -> str:
        """With its source."""
        return f"{self.text} {self.reference}".strip()


def extract_body(memory: Memory, slug: str, today: date, config: Config) -> str:
    """The body of the topic's next generation, for `plan_consolidation`.

    Raises RefusedError for a topic that INDEX.md does not have, and when its notes state nothing new.
    """
    topic = find_topic(memory, slug, config)
    notes = sources_since(memory, topic, today)
    if not notes:
        raise nothing_new(topic, today)
    new = [_as_item(one, topic) for one in _choose(find_statements(memory, topic, notes))]
    if not new:
        hint = f"write it from `memsite consolidate {slug} --brief`, and give it with --from"
        raise RefusedError(f"the notes of {slug!r} have no sentence that could be taken over", hint=hint)
    items = _without_ended([*_earlier(memory, topic.current), *new], (topic.slug, *topic.aliases))
    return _format(topic, notes, items, new)


def _choose(statements: Sequence[Statement]) -> list[Statement]:
    """Those about the topic; of a note that does not say what it is about, all that are not about another. Where a
    note speaks of other topics too, a fact that nothing ties to this one is left out."""
    mixed = {one.path for one in statements if one.relevance is Relevance.OTHER}
    words = {word for one in statements if one.relevance > Relevance.GENERAL for word in telling_words(one.text)}
    bare = (replace(one, text=_bare(one.text)) for one in statements if _counts(one))
    fit = (one for one in bare if one.text and len(one.text) <= MOST_LETTERS and _is_fit(one.text))
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
    fact = one.relevance is Relevance.GENERAL and sort_of(one.text) is Sort.FACT
    return not fact or bool(words & telling_words(one.text))


def _is_fit(text: str) -> bool:
    return not _UNFIT.search(text) and statement_fault(text) is None


def _bare(text: str) -> str:
    return SPEAKER.sub("", _SUFFIX_REFS.sub("", text), count=1) if SPEAKER.match(text) else _SUFFIX_REFS.sub("", text)


def _as_item(one: Statement, topic: Topic) -> _Item:
    return _Item(
        one.text,
        one.reference,
        sort_of(_unlabelled(one.text, topic)),
        one.day,
        one.first_line,
        one.label,
        one.relevance,
    )


def _unlabelled(text: str, topic: Topic) -> str:
    """What a statement says of the topic, without its name in front: `Blog: Grace draws the logo.` chooses nothing."""
    label, colon, said = text.replace("：", ":", 1).partition(":")
    names = {name_words(name) for name in (topic.slug, *topic.aliases)}
    return said.strip() if colon and name_words(label) in names else text


def _earlier(memory: Memory, generation: Generation | None) -> Iterator[_Item]:
    """What the generation before has, with its own references, or with the line of its sources that says the same."""
    if generation is None:
        return
    for sort, points in ((Sort.FACT, generation.key_points), (Sort.DECISION, generation.decisions)):
        for point in points:
            text = " ".join(point.text.split())
            if any(map(str.isalnum, text)) and _is_fit(text):
                said = sort_of(text)
                kept = sort if sort is Sort.DECISION or said is Sort.DECISION else said
                refs = point.sources or find_support(memory, generation, text)
                yield _known(text, refs, kept, generation)
    for line in generation.current_status.split("\n"):
        text, refs = _bare(line.strip().lstrip("-*+ ")), parse_source_refs(line)
        sort = sort_of(text)
        if refs and sort is not Sort.DECISION and _is_fit(text):
            yield _known(text, refs, sort, generation)


def find_support(memory: Memory, generation: Generation, text: str) -> tuple[SourceRef, ...]:
    """The line of a generation's sources that says most of a point, and at least half of its telling words."""
    words = telling_words(text)
    cited = {SourceRef(one.day, label=one.note) for one in generation.sources if one.day}
    named = {note.path: note for ref in cited for note in find_cited(memory.notes, ref)}
    best: tuple[float, SourceRef | None] = (0.5, None)
    for note in sorted(named.values(), key=lambda note: (note.day, note.label)) if words else ():
        for number, line in enumerate(document_lines(note.blob.text), start=1):
            share = len(words & telling_words(line)) / len(words)
            if share > best[0] or (share == best[0] and best[1] is None):
                best = share, SourceRef(note.day, number, number, note.label)
    return (best[1],) if best[1] else ()


def _known(text: str, refs: Sequence[SourceRef], sort: Sort, generation: Generation) -> _Item:
    day = refs[0].day if refs else generation.covers[0] if generation.covers else generation.day
    line, label = (refs[0].first_line or 0, refs[0].label) if refs else (0, "")
    return _Item(text, " ".join(map(format_source_ref, refs)), sort, day, line, label, is_new=False)


def _without_ended(items: Iterable[_Item], names: Sequence[str]) -> list[_Item]:
    """In the order in which they were said, without what was said twice, undone, or answered later. `names` are the
    topic's own."""
    ordered = _distinct(sorted(items, key=lambda item: item.order))
    kept: list[_Item] = []
    ended_line: tuple[date, str, int] | None = None
    for position, item in enumerate(ordered):
        later = ordered[position + 1 :]
        follows = item.sort is Sort.REASON and ended_line == (item.day, item.label, item.line - 1)
        alone = not any(one.sort is Sort.OPEN for one in kept) and not any(_asks_too(one, item) for one in later)
        if follows or _is_undone(item, later, names) or _is_answered(item, later, names, alone=alone):
            ended_line = item.order
        else:
            kept.append(item)
    return kept


def _distinct(items: Iterable[_Item]) -> list[_Item]:
    """One of each text; of two, the one from the generation before, which says where it comes from."""
    found: dict[str, _Item] = {}
    for item in items:
        found.setdefault("".join(item.text.casefold().split()), item)
    return list(found.values())


def _is_undone(item: _Item, later: Iterable[_Item], names: Sequence[str]) -> bool:
    """Whether later decisions leave all that an earlier statement chose; what holds more stands beside them."""
    if item.sort not in {Sort.DECISION, Sort.PROGRESS}:
        return False
    decisions = (one for one in later if one.sort is Sort.DECISION and one.day >= item.day)
    gone = {name for one in decisions for name in _left_of(item, one)}
    return bool(gone) and not holds_more(item.text, gone, names)


def _left_of(earlier: _Item, later: _Item) -> list[str]:
    """What a decision leaves that an earlier one chose; `from A to B` itself is not ended by the next `from A to C`,
    but by leaving B."""
    gone = names_left(earlier.text)
    return [name for name in names_left(later.text) if name not in gone and has_name(earlier.text, name)]


def _is_answered(item: _Item, later: Sequence[_Item], names: Sequence[str], *, alone: bool) -> bool:
    """Whether a question was answered on a later day, or decided. `alone`: it is the only one that was open, so that a
    bare choice is the answer."""
    if item.sort is not Sort.OPEN:
        return False
    for one in later:
        decides = one.sort is Sort.DECISION and is_explicit(one.text) and one.order > item.order
        if (one.day > item.day or decides) and is_answer(item.text, one.text, names):
            return True
        is_next = decides and alone and one.day > item.day
        if is_next and asks_for_decision(item.text) and is_bare_choice(one.text, names):
            return True
    return False


def _asks_too(other: _Item, item: _Item) -> bool:
    return other.sort is Sort.OPEN and other.day == item.day


def _format(topic: Topic, notes: Sequence[DailyNote], items: Sequence[_Item], new: Sequence[_Item]) -> str:
    decisions = [item for item in items if item.sort is Sort.DECISION][-MOST_DECISIONS:]
    standing = _standing(items)
    questions = [item for item in items if item.sort is Sort.OPEN]
    elsewhere = {*decisions, *standing, *questions}
    points = _best([item for item in items if item not in elsewhere and item.sort is not Sort.DECISION])
    summary = _summarize(items, decisions, standing)
    sections = (
        (SUMMARY, "\n".join(item.written for item in summary)),
        (KEY_POINTS, _bullets(points)),
        (DECISIONS, _bullets(decisions)),
        (STATUS, _bullets([*standing, *(one for one in questions if one not in standing)])),
        (SOURCES, "\n".join(_sources(topic, notes, items, new))),
    )
    return "\n\n".join(f"## {name}\n{text or NOTHING}" for name, text in sections) + "\n"


def _bullets(items: Iterable[_Item]) -> str:
    return "\n".join(f"- {item.written}" for item in items)


def _best(items: Sequence[_Item]) -> list[_Item]:
    """The points that are worth most, in the order in which they were said."""
    worth = sorted(items, key=lambda item: (_worth(item), item.order), reverse=True)[:MOST_POINTS]
    return sorted(worth, key=lambda item: item.order)


def _worth(item: _Item) -> float:
    figures = any(char.isdigit() for char in item.text)
    return item.relevance + 1.5 * (not item.is_new) + 0.5 * figures + 0.5 * (item.sort is not Sort.FACT)


def _standing(items: Sequence[_Item]) -> list[_Item]:
    """What was done last and how things are, in its order; where nothing says so, the last that is no decision, and a
    decision only where there is nothing else."""
    for known in (True, False):
        done = [item for item in items if item.sort is Sort.PROGRESS and item.is_new is known]
        if done:
            return done[-MOST_STATUS:]
    if any(item.sort is Sort.OPEN for item in items):
        return []
    newest = sorted(items, key=lambda item: (item.is_new, item.order))
    told = [item for item in newest if item.sort is not Sort.DECISION and item.relevance is not Relevance.GENERAL]
    return told[-1:] or newest[-1:]


def _summarize(items: Sequence[_Item], decisions: Sequence[_Item], standing: Sequence[_Item]) -> list[_Item]:
    """How it began, what holds, and what came last."""
    begin = next((item for item in items if item.sort is not Sort.OPEN), items[0])
    chosen = [begin, *decisions[-MOST_IN_SUMMARY:], *standing[-1:]]
    return sorted(dict.fromkeys(chosen), key=lambda item: item.order)


def _sources(topic: Topic, notes: Sequence[DailyNote], items: Sequence[_Item], new: Sequence[_Item]) -> Iterator[str]:
    """Of the generation before its last decision that holds, else its last point; of a note what matters most."""
    current = topic.current
    if current:
        held = sorted((item for item in items if not item.is_new), key=lambda item: item.sort is Sort.DECISION)
        yield f"- gen{current.number}: {held[-1].text if held else current.path.name}"
    for note in notes:
        of_note = [item for item in new if (item.day, item.label) == (note.day, note.label)]
        best = max(of_note, key=lambda item: (item.sort is Sort.DECISION, _worth(item)), default=None)
        yield f"- {format_note_name(note.day, note.label)}: {best.text if best else note.path.name}"
