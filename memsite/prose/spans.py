"""Which words of one text are not in another: equal, deleted and inserted runs of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from memsite.prose.sequences import MAX_CELLS, common_ends, iter_runs
from memsite.prose.tokens import AROUND, is_loose, is_wide, is_word, tokenize
from memsite.values import dataclass, field, replace


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
    loose: bool = field(default=False, compare=False)
    """It is white space beside Chinese or Japanese (`is_loose`) that came or went: no reader calls that a change."""


@dataclass(slots=True)
class _Piece:
    """Text that stayed, then the change behind it, each in parts; and how many words are in each."""

    equal: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    inserted: list[str] = field(default_factory=list)
    stayed: int = 0
    went: int = 0
    came: int = 0

    @property
    def changed(self) -> bool:
        """Whether there is a change behind the text that stayed."""
        return bool(self.deleted or self.inserted)


_CROWDED = 3
"""Words on both sides of a single common word from which on that word is taken for chance."""
_SMALL = 2
"""Characters on both sides of a single common Han or kana character up to which they are one word with it."""
_PARTICLES = frozenset("はがをにのでともへやか了在和是的与或")
"""Characters that are words of their own: changes on both sides of them are two."""
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|[。！？．｡]")


def diff_spans(old: str, new: str) -> tuple[Span, ...]:
    """The spans from `old` to `new`, word by word; of texts that are too large for that (`is_too_large`) with all that
    stands between the words that both begin and end with in one change.

    Without the insertions they are `old`, without the deletions `new`, to the character. `diff_spans(new, old)` is
    the same with insertions and deletions exchanged.
    """
    if old == new:
        return (Span(Op.EQUAL, new),) if new else ()
    if old > new:
        # Always compared in one direction: of several shortest differences the same one is found both ways.
        return mirrored(diff_spans(new, old))
    if is_too_large(old, new):
        return _replaced(tokenize(old), tokenize(new))
    head, tail, olds, news = _apart(old, new)
    found = _as_spans(_calmed(_settled(_pieces(olds, news))))
    if not head and not tail:
        return found
    return join_spans((Span(Op.EQUAL, new[:head]), *found, Span(Op.EQUAL, new[len(new) - tail :])))


def _apart(old: str, new: str) -> tuple[int, int, list[str], list[str]]:
    """How many characters of whole words both begin with, how many both end with, and the tokens between: those of a
    long line that has grown by a word are few.

    What is found between them is what would be found in the whole: a search for the longest common subsequence leaves
    first what both begin with, then what both end with.
    """
    head, tail = common_ends(old, new)
    head = old.rfind(" ", 0, max(head - 1, 0)) + 1
    tail = len(old) - (old.find(" ", len(old) - tail) + 1 or len(old))
    head = head if head and _begins_word(old, head) else 0
    tail = tail if tail and _begins_word(old, len(old) - tail) else 0
    olds, news = (tokenize(text[head : len(text) - tail]) for text in (old, new))
    if tail and _goes_on(olds, news, old[len(old) - tail :].split(maxsplit=1)[0]):
        tail = 0
        olds, news = (tokenize(text[head:]) for text in (old, new))
    return head, tail, olds, news


def _begins_word(text: str, at: int) -> bool:
    """Whether a token begins behind a space, at a character that joins no other."""
    return not text[at].isspace() and text[at] < "\u0300"


def _goes_on(olds: Sequence[str], news: Sequence[str], following: str) -> bool:
    """Whether the tokens of one text begin with all of the other's, and may go on as those do: with the `following`
    word.
    """
    short, long = sorted((olds, news), key=len)
    if len(short) == len(long) or not following.startswith((long[len(short)].split() or [" "])[0]):
        return False
    return all(one.rstrip() == other.rstrip() for one, other in zip(short, long, strict=False))


def is_too_large(old: str, new: str) -> bool:
    """Whether what two texts do not begin and end with alike is too large to be compared word by word."""
    if len(old) * len(new) <= MAX_CELLS:
        return False
    head, tail = common_ends(old, new)
    return (len(old) - head - tail) * (len(new) - head - tail) > MAX_CELLS


def mirrored(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans of the opposite direction."""
    turned = {Op.EQUAL: Op.EQUAL, Op.DELETE: Op.INSERT, Op.INSERT: Op.DELETE}
    return join_spans(Span(turned[span.op], span.text) for span in spans)


def join_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same spans, those beside each other in one, empty ones left out, what went before what came."""
    pieces = [_Piece()]
    for span in spans:
        if not span.text:
            continue
        match span.op:
            case Op.EQUAL:
                pieces.append(_Piece([span.text]))
            case Op.DELETE:
                pieces[-1].deleted.append(span.text)
            case Op.INSERT:
                pieces[-1].inserted.append(span.text)
    return _as_spans(pieces)


def mark_loose(spans: Sequence[Span], old: str, new: str) -> tuple[Span, ...]:
    """The spans from `old` to `new`, those marked that are loose white space and nothing else in their place."""
    return tuple(_with_loose(spans, old, new)) if any(map(_is_space, spans)) else tuple(spans)


def _with_loose(spans: Sequence[Span], old: str, new: str) -> Iterator[Span]:
    before, after = 0, 0
    for number, span in enumerate(spans):
        text, at = (old, before) if span.op is Op.DELETE else (new, after)
        beside = spans[max(number - 1, 0) : number + 2]
        alone = all(one.op is Op.EQUAL or _is_space(one) for one in beside)
        if alone and _is_space(span) and _is_loose_at(text, at, at + len(span.text)):
            span = replace(span, loose=True)
        yield span
        before += 0 if span.op is Op.INSERT else len(span.text)
        after += 0 if span.op is Op.DELETE else len(span.text)


def _is_loose_at(text: str, start: int, end: int) -> bool:
    return is_loose(text[max(start - AROUND, 0) : start], text[end : end + AROUND])


def _is_space(span: Span) -> bool:
    return span.op is not Op.EQUAL and span.text.isspace()


def is_same(spans: Iterable[Span]) -> bool:
    """Whether no word of both texts differs."""
    return all(span.op is Op.EQUAL or span.loose for span in spans)


def shown_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans for who shows both texts in one: loose white space as the new text has it, and no change."""
    kept = (span for span in spans if not (span.loose and span.op is Op.DELETE))
    return join_spans(Span(Op.EQUAL, span.text) if span.loose else span for span in kept)


def _replaced(old: Sequence[str], new: Sequence[str]) -> tuple[Span, ...]:
    head, tail = common_ends(old, new)
    i, j = len(old) - tail, len(new) - tail
    return _as_spans([_Piece(list(old[:head]), list(old[head:i]), list(new[head:j])), _Piece(list(old[i:]))])


def _pieces(old: Sequence[str], new: Sequence[str]) -> list[_Piece]:
    """Tokens that agree but for the white space behind them count as equal; the space itself is then a change."""
    pieces = [_Piece()]
    for run in iter_runs([token.rstrip() for token in old], [token.rstrip() for token in new]):
        if run.equal:
            for one, other in zip(old[run.a : run.b], new[run.c : run.d], strict=True):
                _append_equal(pieces, one, other)
        else:
            last = pieces[-1]
            last.deleted += old[run.a : run.b]
            last.inserted += new[run.c : run.d]
            last.went += sum(map(is_word, old[run.a : run.b]))
            last.came += sum(map(is_word, new[run.c : run.d]))
    return pieces


def _append_equal(pieces: list[_Piece], one: str, other: str) -> None:
    word = one.rstrip()
    same = one if one == other else word
    if pieces[-1].changed:
        pieces.append(_Piece())
    if same:
        pieces[-1].equal.append(same)
    pieces[-1].stayed += is_word(word)
    if one != other:
        pieces[-1].deleted += filter(None, [one[len(word) :]])
        pieces[-1].inserted += filter(None, [other[len(word) :]])


def _settled(pieces: list[_Piece]) -> list[_Piece]:
    """White space at which both sides of a change begin or end is no part of the change."""
    carried = ""
    settled = []
    for piece in pieces:
        deleted, inserted = "".join(piece.deleted), "".join(piece.inserted)
        front = _common_space(deleted, inserted)
        equal = [carried, *piece.equal, deleted[:front]]
        deleted, inserted = deleted[front:], inserted[front:]
        back = _common_space(deleted[::-1], inserted[::-1])
        carried = deleted[len(deleted) - back :]
        went, came = (_texts(text[: len(text) - back]) for text in (deleted, inserted))
        settled.append(_Piece(_texts(*equal), went, came, piece.stayed, piece.went, piece.came))
    return [*settled, _Piece(_texts(carried))]


def _texts(*parts: str) -> list[str]:
    """One text from parts, as a list of parts itself; of an empty one nothing."""
    text = "".join(parts)
    return [text] if text else []


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
        elif not piece.equal or not last.changed:
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
    return after.stayed <= 1 and min(around) >= _CROWDED and not any(map(_SENTENCE_END.search, after.equal))


def _is_within_word(before: _Piece, after: _Piece) -> bool:
    """Whether one character of Chinese or Japanese stayed amid one word: `たい` to `ている`, `四十` to `五十五`."""
    equal = "".join(after.equal)
    if len(equal) != 1 or not is_wide(equal) or not is_word(equal) or equal in _PARTICLES:
        return False
    around = (before.deleted, before.inserted, after.deleted, after.inserted)
    wide = all(_is_small(parts) and all(is_wide(char) for text in parts for char in text) for parts in around)
    return wide and not all(around) and before.changed and after.changed


def _is_small(parts: Sequence[str]) -> bool:
    """Whether the text is short; its parts are none of them empty, and may be many."""
    return len(parts) <= _SMALL and sum(map(len, parts)) <= _SMALL


def _as_spans(pieces: Iterable[_Piece]) -> tuple[Span, ...]:
    found: list[tuple[Op, list[str]]] = []
    for piece in pieces:
        for op, parts in ((Op.EQUAL, piece.equal), (Op.DELETE, piece.deleted), (Op.INSERT, piece.inserted)):
            if parts and found and found[-1][0] is op:
                found[-1][1].extend(parts)
            elif parts:
                found.append((op, list(parts)))
    return tuple(Span(op, "".join(parts)) for op, parts in found)
