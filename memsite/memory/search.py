"""Ranked search of a memory's texts: BM25 over words (by their beginning) and pairs of CJK characters.

No index is built: a query has few terms, and counting them in every text of a large memory takes a fraction of the time
that splitting all texts into words would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import log
from pathlib import PurePosixPath

from memsite.memory.daily import archived_until
from memsite.memory.model import DailyNote, Memory
from memsite.memory.outline import plain_text
from memsite.memory.query import Query, is_cjk
from memsite.values import dataclass

Term = tuple[str, ...]
Shown = Callable[[DailyNote], str]
"""What of a note is not archived."""

_K1, _B = 1.2, 0.75
"""BM25's usual constants: how soon repetition stops to count, and how much length does."""
_TITLE_WEIGHT = 3
_EXCERPT = 160
_BEFORE = 40
"""Characters of a long line that the excerpt shows before the first term."""


@dataclass(frozen=True, slots=True)
class Match:
    """One file that a search found."""

    path: PurePosixPath
    title: str
    line: int
    """1-based: the line that says most of what was asked for."""
    excerpt: str
    """From that line, as plain text, at most about 160 characters."""
    score: float
    """BM25, comparable within one search only."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text to search."""

    path: PurePosixPath
    title: str
    text: str


def search_memory(memory: Memory, query: Query, limit: int, shown: Shown | None = None) -> tuple[Match, ...]:
    """The best `limit` of all notes, session logs, generations and pages; best first. Archived text is searched, too,
    unless `shown` leaves it out."""
    patterns = [term_pattern(term) for term in query.terms]
    return search(_documents(memory, patterns, shown), query, limit)


def _documents(memory: Memory, patterns: Sequence[re.Pattern[str]], shown: Shown | None) -> tuple[Document, ...]:
    """Every text of a memory, by path; of archived notes what `shown` leaves.

    Of an archived note that has nothing of what is looked for, nothing is read.
    """

    def text_of(note: DailyNote) -> str:
        if shown is None or not archived_until(note):
            return note.blob.text
        return shown(note) if _has_any(note.blob.text.lower(), patterns) else ""

    generations = (one for topic in memory.topics for one in topic.generations)
    documents = (
        *(Document(one.path, one.title, text_of(one)) for one in memory.notes),
        *(Document(one.path, one.title, one.blob.text) for one in memory.pages),
        *(Document(one.path, one.title, one.blob.text) for one in generations),
        *(Document(log.path, f"Session Log — {log.day}", log.blob.text) for log in memory.session_logs),
    )
    return tuple(sorted(documents, key=lambda document: document.path))


def count_archived(memory: Memory, query: Query, shown: Shown) -> int:
    """How many notes have what was asked for in their archived text alone, `shown` being what is not archived."""
    patterns = [term_pattern(term) for term in query.terms]
    archived = (note for note in memory.notes if archived_until(note))
    having = (note for note in archived if _has_any(note.blob.text.lower(), patterns))
    return sum(1 for note in having if not _has_any(shown(note).lower(), patterns))


def _has_any(text: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def search(documents: Sequence[Document], query: Query, limit: int) -> tuple[Match, ...]:
    """Rank documents by a query; those without any of its terms are left out."""
    patterns = [term_pattern(term) for term in query.terms]
    lowered = [document.text.lower() for document in documents]
    counts = [
        [count(text, term, pattern) for text in lowered] for term, pattern in zip(query.terms, patterns, strict=True)
    ]
    titles = [document.title.lower() if document.text.strip() else "" for document in documents]
    scores = _bm25(counts, [len(text) for text in lowered], titles, patterns)
    best = sorted((-score, position) for position, score in enumerate(scores) if score > 0)[:limit]
    return tuple(_match(documents[position], patterns, -score) for score, position in best)


def term_pattern(term: Term) -> re.Pattern[str]:
    """Finds a term in lower-case text: a word by its beginning (`blog` in `blogs`), CJK characters anywhere."""
    return re.compile("|".join(re.escape(word) if is_cjk(word) else rf"(?<![^\W_]){re.escape(word)}" for word in term))


def count(text: str, term: Term, pattern: re.Pattern[str]) -> int:
    """How often a lower-case text has a term. Most texts have none, which `in` knows fastest."""
    return len(pattern.findall(text)) if any(word in text for word in term) else 0


def _bm25(
    counts: Iterable[Sequence[int]], lengths: Sequence[int], titles: Sequence[str], patterns: Iterable[re.Pattern[str]]
) -> list[float]:
    """The score of each document from the counts of each term in each document."""
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    scores = [0.0] * len(lengths)
    for found, pattern in zip(counts, patterns, strict=True):
        weighted = [
            number + _TITLE_WEIGHT * bool(pattern.search(title)) for number, title in zip(found, titles, strict=True)
        ]
        rarity = inverse_frequency(len(lengths), sum(1 for number in weighted if number))
        for position, number in enumerate(weighted):
            if number:
                length = 1 - _B + _B * lengths[position] / average
                scores[position] += rarity * number * (_K1 + 1) / (number + _K1 * length)
    return scores


def inverse_frequency(documents: int, having: int) -> float:
    """How much a term tells that `having` of all documents have. Always above 0."""
    return log(1 + (documents - having + 0.5) / (having + 0.5))


def _match(document: Document, patterns: Sequence[re.Pattern[str]], score: float) -> Match:
    lines = document.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lowered = [line.lower() for line in lines]
    worth = [sum(1 for pattern in patterns if pattern.search(line)) for line in lowered]
    best = max(range(len(lines)), key=lambda index: (worth[index], -index))
    starts = [found.start() for pattern in patterns if (found := pattern.search(lowered[best]))]
    return Match(
        document.path, document.title, best + 1, _excerpt(lines[best], min(starts, default=0)), round(score, 3)
    )


def _excerpt(line: str, start: int) -> str:
    """The part of a line around the first term, as plain text."""
    if len(line) <= _EXCERPT:
        return plain_text(re.sub(r"^[\s>#*+-]+", "", line))
    begin = max(0, start - _BEFORE)
    cut = line[begin : begin + _EXCERPT]
    return ("…" if begin else "") + plain_text(cut) + ("…" if begin + _EXCERPT < len(line) else "")
