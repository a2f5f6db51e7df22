"""Which words of one text are not in another: equal, deleted and inserted runs of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memsite.prose.sequences import iter_runs
from memsite.prose.tokens import is_wide, is_word, tokenize


class Op(StrEnum):
    """What became of a run of text."""

    EQUAL = "equal"
    INSERT = "insert"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text that stayed, came or went. Of one place, what went stands before what came."""

    op: Op
    text: str


@dataclass(slots=True)
class _Piece:
    """Text that stayed, then the change behind it; and how many words are in each."""

    equal: str = ""
    deleted: str = ""
    inserted: str = ""
    stayed: int = 0
    went: int = 0
    came: int = 0


_CROWDED = 3
"""Words on both sides of a single common word from which on that word is taken for chance."""
_SMALL = 2
"""Characters on both sides of a single common Han or kana character up to which they are one word with it."""
_PARTICLES = frozenset("はがをにのでともへやか了在和是的与或")
"""Characters that are words of their own: changes on both sides of them are two."""
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|[。！？．｡]")


def diff_spans(old: str, new: str) -> tuple[Span, ...]:
    """The spans from `old` to `new`, word by word.

    Without the insertions they are `old`, without the deletions `new`, to the character. `diff_spans(new, old)` is
    the same with insertions and deletions exchanged.
    """
    if old == new:
        return (Span(Op.EQUAL, new),) if new else ()
    if old > new:
        # Always compared in one direction: of several shortest differences the same one is found both ways.
        return mirrored(diff_spans(new, old))
    return _as_spans(_calmed(_settled(_pieces(tokenize(old), tokenize(new)))))


def mirrored(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans of the opposite direction."""
    turned = {Op.EQUAL: Op.EQUAL, Op.DELETE: Op.INSERT, Op.INSERT: Op.DELETE}
    return join_spans(Span(turned[span.op], span.text) for span in spans)


def join_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same spans, those beside each other in one, empty ones left out, what went before what came."""
    pieces = [_Piece()]
    for span in spans:
        match span.op:
            case Op.EQUAL if span.text:
                pieces.append(_Piece(span.text))
            case Op.DELETE:
                pieces[-1].deleted += span.text
            case Op.INSERT:
                pieces[-1].inserted += span.text
    return _as_spans(pieces)


def _pieces(old: Sequence[str], new: Sequence[str]) -> list[_Piece]:
    """Tokens that agree but for the white space behind them count as equal; the space itself is then a change."""
    pieces = [_Piece()]
    for run in iter_runs([token.rstrip() for token in old], [token.rstrip() for token in new]):
        if run.equal:
            for one, other in zip(old[run.a : run.b], new[run.c : run.d], strict=True):
                _append_equal(pieces, one, other)
        else:
            last = pieces[-1]
            last.deleted += "".join(old[run.a : run.b])
            last.inserted += "".join(new[run.c : run.d])
            last.went += sum(map(is_word, old[run.a : run.b]))
            last.came += sum(map(is_word, new[run.c : run.d]))
    return pieces


def _append_equal(pieces: list[_Piece], one: str, other: str) -> None:
    word = one.rstrip()
    same = one if one == other else word
    if not pieces[-1].deleted and not pieces[-1].inserted:
        pieces[-1].equal += same
    else:
        pieces.append(_Piece(same))
    pieces[-1].stayed += is_word(word)
    if one != other:
        pieces[-1].deleted += one[len(word) :]
        pieces[-1].inserted += other[len(word) :]


def _settled(pieces: list[_Piece]) -> list[_Piece]:
    """White space at which both sides of a change begin or end is no part of the change."""
    carried = ""
    for piece in pieces:
        piece.equal = carried + piece.equal
        front = _common_space(piece.deleted, piece.inserted)
        piece.equal += piece.deleted[:front]
        piece.deleted, piece.inserted = piece.deleted[front:], piece.inserted[front:]
        back = _common_space(piece.deleted[::-1], piece.inserted[::-1])
        carried = piece.deleted[len(piece.deleted) - back :]
        piece.deleted = piece.deleted[: len(piece.deleted) - back]
        piece.inserted = piece.inserted[: len(piece.inserted) - back]
    return [*pieces, _Piece(carried)]


def _common_space(one: str, other: str) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length] and one[length].isspace():
        length += 1
    return length


def _calmed(pieces: list[_Piece]) -> list[_Piece]:
    """A chance word between two changes joins them: confetti is harder to read than one replacement."""
    calm = pieces[:1]
    for piece in pieces[1:]:
        last = calm[-1]
        if piece.equal and (_is_chance(last, piece) or _is_within_word(last, piece)):
            last.deleted += piece.equal + piece.deleted
            last.inserted += piece.equal + piece.inserted
            last.went += piece.stayed + piece.went
            last.came += piece.stayed + piece.came
        elif not piece.equal or (not last.deleted and not last.inserted):
            last.equal += piece.equal
            last.deleted += piece.deleted
            last.inserted += piece.inserted
            last.stayed += piece.stayed
            last.went += piece.went
            last.came += piece.came
        else:
            calm.append(piece)
    return calm


def _is_chance(before: _Piece, after: _Piece) -> bool:
    """Whether at most one word stayed between two large changes, and no sentence ends there."""
    around = (before.went, before.came, after.went, after.came)
    return after.stayed <= 1 and min(around) >= _CROWDED and not _SENTENCE_END.search(after.equal)


def _is_within_word(before: _Piece, after: _Piece) -> bool:
    """Whether one character of Chinese or Japanese stayed amid one word: `たい` to `ている`, `四十` to `五十五`."""
    if len(after.equal) != 1 or not is_wide(after.equal) or not is_word(after.equal) or after.equal in _PARTICLES:
        return False
    around = (before.deleted, before.inserted, after.deleted, after.inserted)
    wide = all(len(text) <= _SMALL and all(map(is_wide, text)) for text in around)
    return wide and "" in around and bool(before.deleted + before.inserted) and bool(after.deleted + after.inserted)


def _as_spans(pieces: Iterable[_Piece]) -> tuple[Span, ...]:
    found: list[Span] = []
    for piece in pieces:
        for op, text in ((Op.EQUAL, piece.equal), (Op.DELETE, piece.deleted), (Op.INSERT, piece.inserted)):
            if text and found and found[-1].op is op:
                found[-1] = Span(op, found[-1].text + text)
            elif text:
                found.append(Span(op, text))
    return tuple(found)
