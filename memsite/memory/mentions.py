"""Which indexed topics a text speaks of: by name, which is certain, and by likeness, which a person must confirm.

Code blocks and quotes do not count (seed, "Index Maintenance"): what is quoted or pasted is somebody else's words.
Callouts do (`quotes`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath

from memsite.memory.lines import Kind, split_lines
from memsite.memory.model import DailyNote, Memory, SessionLog, Topic
from memsite.memory.query import CJK, fold, is_cjk, name_words, parse_query
from memsite.memory.quotes import own_lines
from memsite.memory.search import Term, term_pattern
from memsite.memory.tables import table_rows
from memsite.patterns import late
from memsite.values import dataclass, replace

_COMMENT = late(r"<!--.*?-->")
_SKIPPED = frozenset({Kind.BLANK, Kind.CODE, Kind.COMMENT, Kind.RULE})
_LETTER = rf"[^\W_{CJK}]"
"""A letter or digit of a script that puts spaces between its words."""
_WORD = late(rf"{_LETTER}+")
_JOINED = late(rf"{_LETTER}-?\Z")
"""What must not stand before a name: `weblog` and `my-blog` do not name `blog`."""
_GAP = r"(?:[\s_-]+(?:[&+/][ ]?)?|['’&./+])"
_LONG_WORD = 5
_LIKENESS = 86.0
"""From here on, of 100, a word is taken for a slip of the pen in another one (`persnal` for `personal`: 93)."""
_SHARE = 0.5
"""At least this part of a topic's telling words must be in one line."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One line that counts."""

    path: PurePosixPath
    line: int
    text: str
    level: int = 0
    """Of a heading, 1 to 6; 0 for other text."""
    is_note: bool = True
    """False for what a session log says: a date without a note has nothing to recall."""
    is_row: bool = False
    """Whether it is a row of a table."""


def read_passages(note: DailyNote) -> Iterator[Passage]:
    """The lines of a note without its code, quotes, comments and markers."""
    lines = own_lines(split_lines(note.blob.data))
    rows = table_rows(lines) if "|" in note.blob.text else frozenset()
    for line in lines:
        if line.kind in _SKIPPED:
            continue
        text = _COMMENT.sub(" ", line.text).strip()
        if text:
            yield Passage(note.path, line.number, text, line.level, is_row=line.number in rows)


def session_passages(log: SessionLog) -> Iterator[Passage]:
    """The topics of a day's sessions."""
    for entry in log.entries:
        yield Passage(log.path, entry.first_line, entry.topic, is_note=False)


def find_mentions(memory: Memory, passages: Sequence[Passage]) -> dict[str, Passage]:
    """The topics that passages name, by their slug or an alias, each with the first line that does.

    `personal blog` names `personal-blog`; it does not name a topic `blog` besides, since the longer name is meant.
    """
    found: dict[str, Passage] = {}
    for slug, passage, _ in TopicNames(memory.topics).iter_mentions(passages):
        found.setdefault(slug, passage)
    return found


def find_heading_topics(memory: Memory, heading: str, likely: Iterable[Topic]) -> frozenset[str]:
    """Whom a heading names; where it names no topic, those of `likely` that it seems to mean."""
    passages = [Passage(PurePosixPath(), 1, heading, 1)]
    if found := find_mentions(memory, passages):
        return frozenset(found)
    alone = (replace(memory, topics=(topic,)) for topic in likely)
    return frozenset(slug for one in alone for slug in find_likely(one, passages, ()))


def find_last_day(memory: Memory, slug: str, aliases: Iterable[str], today: date) -> date | None:
    """The last day up to `today` whose note names what is to be a topic, or on which a generation of it was made."""
    names = TopicNames((*memory.topics, Topic(slug, "", aliases=tuple(aliases))))
    made = (one.day for topic in memory.topics if topic.slug == slug for one in topic.generations)
    last = max((day for day in made if day <= today), default=None)
    for note in sorted(memory.notes, key=lambda note: note.day, reverse=True):
        if last and note.day <= last:
            break
        if note.day <= today and _is_named_in(note, slug, names):
            return note.day
    return last


def _is_named_in(note: DailyNote, slug: str, names: TopicNames) -> bool:
    occurring = names.occurring_in(note.blob.text)
    passages = tuple(read_passages(note)) if occurring else ()
    return any(named == slug for named, _, _ in names.iter_mentions(passages, occurring))


def find_naming(memory: Memory, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Every passage that names a topic, not only the first one of each."""
    return tuple(dict.fromkeys(passage for _, passage, _ in TopicNames(memory.topics).iter_mentions(passages)))


Name = tuple[str, ...]
"""The folded words of a slug or an alias."""


class TopicNames:
    """What topics are called: slugs and aliases, as words. A single letter is no name."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._slugs: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._meant: dict[str, list[str]] = defaultdict(list)
        for topic in topics:
            for words in dict.fromkeys(map(name_words, (topic.slug, *topic.aliases))):
                if sum(map(len, words)) > 1:
                    self._slugs[words].append(topic.slug)
                    self._meant[_spelling(words)].append(topic.slug)

    def occurring_in(self, text: str) -> Sequence[Name]:
        """The names all words of which are in a text: where there are none it names no topic, which is quickly said of
        a long one.
        """
        return self._names_in(fold(text))

    def iter_mentions(
        self, passages: Sequence[Passage], occurring: Sequence[Name] | None = None
    ) -> Iterator[tuple[str, Passage, int]]:
        """Every place that names a topic: its slug, the passage, and the character of the folded text.

        Only names that are `occurring` in the passages are looked for; without them, which these are.
        """
        texts = [fold(passage.text) for passage in passages]
        found = self._names_in("\n".join(texts)) if occurring is None else occurring
        names = sorted(found, key=lambda words: -sum(map(len, words)))  # of those that begin at one place the longest
        for passage, text in zip(passages, texts, strict=True):
            end = 0
            for match in sorted(_iter_names(names, text), key=re.Match.start):
                if match.start() >= end:
                    end = match.end()
                    for slug in self._meant[_spelling(name_words(match[0]))]:
                        yield slug, passage, match.start()

    def _names_in(self, folded: str) -> list[Name]:
        found = (words for words in self._slugs if words[0] in folded)  # of hundreds of names a few
        return [words for words in found if all(word in folded for word in words)]


def _iter_names(names: Iterable[tuple[str, ...]], text: str) -> Iterator[re.Match[str]]:
    """Where each name stands in a folded text, alone or within a longer one."""
    for words in names:
        pattern, at = _name_pattern(words), text.find(words[0])
        while at >= 0 and (match := pattern.search(text, at)):
            at = match.start() + 1
            if is_cjk(words[0]) or not _JOINED.search(text[max(match.start() - 2, 0) : match.start()]):
                at = match.end()
                yield match


def _spelling(words: Iterable[str]) -> str:
    """`personalblog`: the same for `personal-blog`, `personal blog` and `Personal Blog`."""
    return "".join(words)


@lru_cache(maxsize=4096)
def _name_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """A name with its end; it begins with plain letters, which is what makes looking for it quick."""
    joined = re.escape(words[0])
    for before, word in pairwise(words):
        gap = r"[\s_-]*" if is_cjk(before) or is_cjk(word) else _GAP
        joined += gap + re.escape(word)
    return re.compile(joined + ("" if is_cjk(words[-1]) else rf"(?!-?{_LETTER})"))


def find_likely(memory: Memory, passages: Sequence[Passage], known: Iterable[str]) -> dict[str, Passage]:
    """Topics other than `known` that passages seem to speak of, each with the line that says most of its name.

    A line is taken for a topic when it has half of the telling words of its name (or another language's for them, or
    one with a slip of the pen), one of them in no other topic's name.
    """
    texts = [fold(passage.text) for passage in passages]
    whole = "\n".join(texts)
    slips = _find_slips(memory, whole)
    terms = {topic.slug: [parse_query(name).terms for name in (topic.slug, *topic.aliases)] for topic in memory.topics}
    shared = Counter(word for names in terms.values() for word in {term[0] for name in names for term in name})
    found: dict[str, Passage] = {}
    for slug in terms.keys() - set(known):
        best = max((_best_line(name, texts, whole, shared, slips) for name in terms[slug]), default=None)
        if best and best[0] >= _SHARE:
            found[slug] = passages[-best[1]]
    return {topic.slug: found[topic.slug] for topic in memory.topics if topic.slug in found}


def _best_line(
    terms: Sequence[Term], texts: Sequence[str], whole: str, shared: Mapping[str, int], slips: Mapping[str, str]
) -> tuple[float, int]:
    """How much of a name the best line says, 0 to 1, and that line's negative position, so that the first one wins."""
    widened = [(*term, slips[term[0]]) if term[0] in slips else term for term in terms if len(term[0]) > 1]
    said = [(term, term_pattern(term)) for term in widened if any(word in whole for word in term)]
    if not terms or len(said) < _SHARE * len(terms) or all(shared[term[0]] > 1 for term, _ in said):
        return 0.0, 0
    best = (0.0, 0)
    for position, text in enumerate(texts):
        having = [term for term, pattern in said if pattern.search(text)]
        if any(shared[term[0]] == 1 for term in having):
            best = max(best, (len(having) / len(terms), -position))
    return best


def _find_slips(memory: Memory, whole: str) -> dict[str, str]:
    """Words of names that the text has only with a slip of the pen, and how it writes them."""
    from rapidfuzz import fuzz, process  # here: reviewing is no hot path, importing the memory room is

    written = sorted({word for word in _WORD.findall(whole) if len(word) >= _LONG_WORD})
    names = (name for topic in memory.topics for name in (topic.slug, *topic.aliases))
    words = {word for name in names for word in name_words(name) if len(word) >= _LONG_WORD and not is_cjk(word)}
    found: dict[str, str] = {}
    for word in sorted(words - set(written)):
        best = process.extractOne(word, written, scorer=fuzz.ratio, score_cutoff=_LIKENESS)
        if best is not None:
            found[word] = best[0]
    return found
