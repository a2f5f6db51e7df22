"""Recall: the topic that a person means, where it stands, and what came since (seed, "Explicit Recall").

A name counts most (the slug, an alias), then a description, then what the topic's own notes and generations talk about:
博客项目 finds `personal-blog` when its notes speak of 博客. Where no topic is meant, all texts are searched.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from memsite.config import Config
from memsite.memory.archived import PlainView
from memsite.memory.daily import fresh_text, shown_text
from memsite.memory.lost import find_lost
from memsite.memory.model import DailyNote, Generation, GenerationRef, Memory, Topic
from memsite.memory.names import slugify
from memsite.memory.planning import sources_since
from memsite.memory.query import Query, fold, is_cjk, name_words, parse_query
from memsite.memory.search import Match, Term, count_archived, search_memory, term_pattern
from memsite.memory.subjects import find_subjects
from memsite.values import dataclass, replace

__all__ = ["Match", "Recall", "recall", "recall_day"]

THRESHOLD = 60.0
"""A topic that scores less, of 100, is not what was meant."""
_LONG_WORD = 5
"""Letters of a name's word from which it may begin a longer word of the request."""
_ENDS = frozenset(["s", "es", "ed", "d", "ing", "er", "ers", "en", "n", "e"])
_MOST_WORDS = 4
"""Of a request, in the slug that is proposed for it."""


@dataclass(frozen=True, slots=True)
class Recall:
    """What is known about what was asked for."""

    topic: Topic | None
    """None: no topic matches, see `matches`."""
    score: float = 0.0
    """How well the topic matches, 0 to 100."""
    generation: Generation | None = None
    """The topic's current one."""
    today_notes: tuple[DailyNote, ...] = ()
    """Of `today`, with something that is not archived for the topic (`daily.fresh_text`)."""
    since_notes: tuple[DailyNote, ...] = ()
    """The topic's notes before today that its generations do not cover; all of its notes in a deep recall."""
    matches: tuple[Match, ...] = ()
    """Where no topic matches: the texts that do, best first."""
    archived: int = 0
    """Where no topic matches: so many notes would be found as well if archived text counted. Where one does and its
    answer has none of the words: so many of its notes have them in what is archived."""
    proposed: str = ""
    """Where no topic matches and something was found: a slug that a new topic could have."""
    deep: bool = False
    """Archived text is part of the answer."""
    lost: GenerationRef | None = None
    """A newer generation than `generation`, which INDEX.md names and the folder has not."""
    view: PlainView | None = None
    """Without a topic: what of a note is not archived; None in a deep recall."""

    def text_of(self, note: DailyNote) -> str:
        """What of a note belongs to the answer; a deep one has it as it was written."""
        if self.topic and not self.deep:
            return shown_text(note, self.topic.slug)
        return self.view.shown_text(note) if self.view else note.blob.text.strip()


def recall(memory: Memory, query: str, today: date, config: Config, *, deep: bool = False, limit: int = 10) -> Recall:
    """Find the topic that a request means, else search everything; `limit` bounds the matches of the search.

    A deep recall gives archived notes as well (seed: "check the original March 20th file").
    """
    asked = parse_query(query, config.recall_triggers)
    topic, score = _find_topic(memory, asked)
    if topic is None:
        searched = _fall_back(memory, asked, replace(_no_topic(memory, deep), score=round(score, 1)), limit)
        topic, score = _named_otherwise(memory, asked), THRESHOLD
        if topic is None or searched.matches:
            return searched
    found = Recall(
        topic,
        round(score, 1),
        topic.current,
        tuple(note for note in memory.notes_on(today) if deep or fresh_text(note, topic.slug)),
        tuple(note for note in _notes_of(memory, topic, today, deep) if note.day != today),
        deep=deep,
        lost=find_lost(topic),
    )
    return (
        found if deep or _has_words(found, topic, asked) else replace(found, archived=_archived(memory, topic, asked))
    )


def _has_words(found: Recall, topic: Topic, query: Query) -> bool:
    """Whether an answer has any word that was asked for, the topic's name included."""
    generation = found.generation.blob.text if found.generation else ""
    notes = (found.text_of(note) for note in (*found.today_notes, *found.since_notes))
    text = "\n".join((topic.slug, *topic.aliases, topic.description, generation, *notes)).lower()
    return any(term_pattern(term).search(text) for term in query.terms)


def _archived(memory: Memory, topic: Topic, query: Query) -> int:
    of_topic = replace(memory, notes=tuple(note for note in memory.notes if note.day in set(topic.dates)))
    return count_archived(of_topic, query, lambda note: shown_text(note, topic.slug))


def recall_day(
    memory: Memory, day: date, config: Config, query: str = "", *, deep: bool = False, limit: int = 10
) -> Recall:
    """The notes of one day; with a query, what they have of the topic that it means, else a search of that day, and
    where that finds nothing all of them."""
    found = _no_topic(memory, deep)
    if not query:
        return replace(found, since_notes=memory.notes_on(day))
    asked = parse_query(query, config.recall_triggers)
    topic, score = _find_topic(memory, asked)
    if topic is None:
        logs = tuple(log for log in memory.session_logs if log.day == day)
        of_day = replace(memory, topics=(), pages=(), notes=memory.notes_on(day), session_logs=logs)
        found = _fall_back(of_day, asked, replace(found, score=round(score, 1)), limit)
        return found if found.matches else replace(found, since_notes=memory.notes_on(day))
    return Recall(topic, round(score, 1), since_notes=memory.notes_on(day), deep=deep)


def _no_topic(memory: Memory, deep: bool) -> Recall:
    return Recall(None, deep=deep, view=None if deep else PlainView(memory))


def _fall_back(memory: Memory, query: Query, found: Recall, limit: int) -> Recall:
    matches = search_memory(memory, query, limit, found.view.text_of if found.view else None)
    hidden = count_archived(memory, query, found.view.text_of) if found.view else 0
    proposed = slugify("-".join(query.text.split()[:_MOST_WORDS])) if matches and query.is_specific else ""
    proposed = proposed if any(char.isalpha() for char in proposed) else ""
    return replace(found, matches=matches, archived=hidden, proposed=proposed)


def _notes_of(memory: Memory, topic: Topic, today: date, deep: bool) -> Iterable[DailyNote]:
    if not deep:
        return sources_since(memory, topic, today)
    return (note for note in memory.notes if note.day in topic.dates and note.day <= today)


def _find_topic(memory: Memory, query: Query) -> tuple[Topic | None, float]:
    """The topic that is meant and its score; of several that score the same, the one that was dated last."""
    if not query.terms:
        return None, 0.0
    scores = {topic.slug: _score_names(topic, query) for topic in memory.topics}
    if query.is_specific and max(scores.values(), default=0.0) < THRESHOLD:
        for slug, share in find_subjects(memory, query):
            scores[slug] = max(scores[slug], THRESHOLD + 20 * share)
    ranked = sorted(memory.topics, key=lambda topic: (scores[topic.slug], max(topic.dates, default=date.min)))
    best = scores[ranked[-1].slug] if ranked else 0.0
    return (ranked[-1], best) if best >= THRESHOLD else (None, best)


def _score_names(topic: Topic, query: Query) -> float:
    names = (topic.slug, *topic.aliases)
    described = 70.0 * _coverage(query.terms, fold(topic.description)) if query.is_specific else 0.0
    return max(*(_score_name(name, query) for name in names), described)


def _score_name(name: str, query: Query) -> float:
    words = name_words(name)
    plain = " ".join(words)
    if not words:
        return 0.0
    if plain.replace(" ", "") in {query.whole.replace(" ", ""), query.text.replace(" ", "")}:
        return 100.0
    if not query.is_specific:
        return 0.0
    answered, used = _compare(words, query.terms)
    said = 80 + 15 * answered if _is_said(words, query.whole) else 0.0
    return max(said, 75 * answered + 15 * used, _score_spelling(plain, query.text))


def _is_said(words: tuple[str, ...], text: str) -> bool:
    """Whether the request contains the whole name, as words or, where it begins or ends with CJK, anywhere."""
    plain = " ".join(words)
    begin, end = ("" if is_cjk(word) else " " for word in (words[0], words[-1]))
    return f"{begin}{plain}{end}" in f" {text} " and (len(plain) > 1 or not is_cjk(plain))


def _named_otherwise(memory: Memory, query: Query) -> Topic | None:
    """The topic dated last each word of whose name is said, some in another language: two characters of Chinese may be
    a part of any word, so that this is only better than nothing.
    """
    if not query.is_specific:
        return None
    found = [
        topic for topic in memory.topics if any(_is_translated(name, query) for name in (topic.slug, *topic.aliases))
    ]
    return max(found, key=lambda topic: max(topic.dates, default=date.min), default=None)


def _is_translated(name: str, query: Query) -> bool:
    words = name_words(name)
    said = [[term[0] for term in query.terms if word in term] for word in words]
    return all(said) and any(is_cjk(word) != is_cjk(one[0]) for word, one in zip(words, said, strict=True))


def _compare(words: tuple[str, ...], terms: tuple[Term, ...]) -> tuple[float, float]:
    """How much of the request the name's words answer, and how much of the name that uses; each 0 to 1."""
    answers = [max(_score_term(term, word) for word in words) for term in terms]
    used = [max(_score_term(term, word) for term in terms) for word in words]
    return sum(answers) / len(answers), sum(used) / len(used)


def _score_term(term: Term, word: str) -> float:
    return max(_score_word(said, word) for said in term)


def _score_word(said: str, word: str) -> float:
    """Likeness of two words, 0 to 1: equal, one the beginning of the other, or a slip of the pen."""
    if said == word:
        return 1.0
    if is_cjk(said) or is_cjk(word):
        return 1.0 if len(said) > 1 and said in word else 0.0
    shorter, longer = sorted((said, word), key=len)
    if len(shorter) > 2 and longer.startswith(shorter) and (shorter == said or _is_ended(longer, shorter)):
        return 0.95 if len(longer) - len(shorter) < 4 else 0.8
    likeness = _ratio(said, word)
    return likeness if len(shorter) > 3 and likeness >= 0.8 else 0.0


def _is_ended(said: str, word: str) -> bool:
    """Whether what is said is a word of a name with an end (`blogs`, `blogging`), and not another one (tea, team)."""
    return len(word) >= _LONG_WORD or said[len(word) :].removeprefix(word[-1]) in _ENDS


def _score_spelling(name: str, text: str) -> float:
    """Likeness of the whole name and the whole request, for slips of the pen; in CJK of their likest parts too."""
    from rapidfuzz import fuzz  # here: recalling is no hot path, importing the memory room is

    whole = fuzz.ratio(name, text) if is_cjk(name) or min(len(name), len(text)) > 3 else 0.0
    part = fuzz.partial_ratio(name, text) if is_cjk(name) and min(len(name), len(text)) > 1 else 0.0
    return max(0.95 * whole if whole >= 80 else 0.0, 0.9 * part if part >= 85 else 0.0)


def _ratio(one: str, other: str) -> float:
    from rapidfuzz import fuzz  # here: recalling is no hot path, importing the memory room is

    return fuzz.ratio(one, other) / 100


def _coverage(terms: Iterable[Term], text: str) -> float:
    found = [bool(term_pattern(term).search(text)) for term in terms]
    return sum(found) / len(found)
