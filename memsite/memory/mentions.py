"""Which indexed topics a text speaks of: by name, which is certain, and by likeness, which a person must confirm.

Code blocks and quotes do not count (seed, "Index Maintenance"): what is quoted or pasted is somebody else's words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from memsite.memory.lines import Kind, Line, split_lines
from memsite.memory.model import DailyNote, Memory, SessionLog, Topic
from memsite.memory.query import CJK, fold, is_cjk, name_words, parse_query
from memsite.memory.search import Term, term_pattern

_COMMENT = re.compile(r"<!--.*?-->")
_SKIPPED = frozenset({Kind.BLANK, Kind.CODE, Kind.COMMENT, Kind.RULE})
_LETTER = rf"[^\W_{CJK}]"
"""A letter or digit of a script that puts spaces between its words."""
_WORD = re.compile(rf"{_LETTER}+")
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


def read_passages(note: DailyNote) -> Iterator[Passage]:
    """The lines of a note without its code, quotes, comments and markers."""
    lines = split_lines(note.blob.data)
    for line in lines:
        if line.kind in _SKIPPED or _is_quote(line) or _is_quote(lines[line.block - 1]):
            continue
        text = _COMMENT.sub(" ", line.text).strip()
        if text:
            yield Passage(note.path, line.number, text, line.level)


def session_passages(log: SessionLog) -> Iterator[Passage]:
    """The topics of a day's sessions."""
    for entry in log.entries:
        yield Passage(log.path, entry.first_line, entry.topic, is_note=False)


def _is_quote(line: Line) -> bool:
    return ">" in line.text[: line.content]


def find_mentions(memory: Memory, passages: Sequence[Passage]) -> dict[str, Passage]:
    """The topics that passages name, by their slug or an alias, each with the first line that does.

    `personal blog` names `personal-blog`; it does not name a topic `blog` besides, since the longer name is meant.
    """
    texts = [fold(passage.text) for passage in passages]
    names = _names_in("\n".join(texts), memory.topics)
    if not names:
        return {}
    pattern = re.compile("|".join(map(_name_pattern, sorted(names, key=lambda words: -sum(map(len, words))))))
    slugs: dict[str, list[str]] = defaultdict(list)
    for words, topics in names.items():
        slugs["".join(words)] += topics
    found: dict[str, Passage] = {}
    for passage, text in zip(passages, texts, strict=True):
        for match in pattern.finditer(text):
            for slug in slugs["".join(name_words(match[0]))]:
                found.setdefault(slug, passage)
    return found


def _names_in(text: str, topics: Iterable[Topic]) -> dict[tuple[str, ...], list[str]]:
    """The names that can occur, as words, with the slugs of their topics. A single letter is no name."""
    names: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for topic in topics:
        for name in dict.fromkeys((topic.slug, *topic.aliases)):
            words = name_words(name)
            if sum(map(len, words)) > 1 and all(word in text for word in words):
                names[words].append(topic.slug)
    return names


def _name_pattern(words: tuple[str, ...]) -> str:
    joined = re.escape(words[0])
    for before, word in pairwise(words):
        gap = r"[\s_-]*" if is_cjk(before) or is_cjk(word) else _GAP
        joined += gap + re.escape(word)
    start = "" if is_cjk(words[0]) else rf"(?<!{_LETTER})(?<!{_LETTER}-)"
    end = "" if is_cjk(words[-1]) else rf"(?!-?{_LETTER})"
    return start + joined + end


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
