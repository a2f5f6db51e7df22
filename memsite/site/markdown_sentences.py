"""The sentences of rendered Markdown as a reader sees them, and a mark behind each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token

from memsite.prose.blame import sentence_spans
from memsite.prose.emphasis import with_strikes
from memsite.prose.tokens import is_wide
from memsite.site.markdown_callouts import CALLOUT_KIND
from memsite.values import dataclass

MARK = "memsite-said-by"
"""Class of the link behind a sentence."""
_CODE = {"fence", "code_block"}
_BREAKS = {"softbreak", "hardbreak"}
_TITLES = {"heading_open", CALLOUT_KIND}
"""What stands behind these says nothing itself."""
_CELL_GAP = " | "

Span = tuple[int, int]
"""Where a sentence begins and ends in the words of its block."""


@dataclass(frozen=True, slots=True)
class SentenceMark:
    """What stands behind a sentence, and how the sentence itself is told from others."""

    text: str
    href: str
    title: str
    age: int
    """0 for the newest; in a class `memsite-said-<age>` of the sentence's words."""


@dataclass(frozen=True, slots=True)
class _Block:
    """What no sentence goes beyond: a paragraph, the row of a table, a block of code."""

    words: str
    spans: Sequence[Span]
    inlines: Sequence[Token] = ()
    """None of them: it is code."""


def read_sentences(tokens: Sequence[Token]) -> list[str]:
    """The sentences of parsed Markdown in their order, headings left out; a row and a block of code are one each.

    What is struck out stands between `~~`: it says the opposite.
    """
    return [sentence for _, block in _blocks(tokens) for sentence in _sentences(block)]


def _sentences(block: _Block) -> Iterator[str]:
    struck = bytearray(len(block.words))
    at = depth = 0
    for inline in block.inlines:
        for token, text in _words(inline):
            depth += {"s_open": 1, "s_close": -1}.get(token.type, 0)
            if depth:
                struck[at : at + len(text)] = b"\1" * len(text)
            at += len(text)
        at += len(_CELL_GAP)
    for start, end in block.spans:
        yield "".join(with_strikes(block.words[start:end], struck[start:end]))


def mark_sentences(tokens: Sequence[Token], marks: Sequence[SentenceMark]) -> list[Token]:
    """The tokens with the marks in them, one for each of `read_sentences`. Raises ValueError for another number."""
    behind: dict[int, list[Token]] = {}
    left = list(reversed(marks))
    for at, block in _blocks(tokens):
        found = [left.pop() for _ in block.spans if left]
        if len(found) != len(block.spans):
            raise ValueError("fewer marks than sentences")
        if block.inlines:
            _mark_words(block, found)
        else:
            behind[at] = [token for mark in found for token in _line(mark)]
    if left:
        raise ValueError("more marks than sentences")
    return [one for at, token in enumerate(tokens) for one in (token, *behind.get(at, ()))]


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[int, _Block]]:
    """The blocks, each with the index of the token that it ends with."""
    cells: list[Token] | None = None
    for at, (before, token) in enumerate(pairwise([Token("", "", 0), *tokens])):
        if token.type == "tr_open":
            cells = []
        elif token.type == "tr_close" and cells is not None:
            yield at, _whole(_CELL_GAP.join("".join(text for _, text in _words(cell)) for cell in cells), cells)
            cells = None
        elif token.type in _CODE:
            yield at, _whole(token.content)
        elif token.type == "inline" and cells is not None:
            cells.append(token)
        elif token.type == "inline" and before.type not in _TITLES:
            children = _words(token)
            words = "".join(text for _, text in children)
            yield at, _Block(words, sentence_spans(words, lines=_line_starts(children)), (token,))


def _whole(words: str, inlines: Sequence[Token] = ()) -> _Block:
    bare = words.strip(" |\n")
    start = words.index(bare)
    return _Block(words, [(start, start + len(bare))] if bare else [], inlines)


def _words(inline: Token) -> list[tuple[Token, str]]:
    """The children of an inline token with what a reader sees of each: no image, no mark-up."""
    found: list[tuple[Token, str]] = []
    last, broken = "", -1
    for child in inline.children or ():
        text = child.content if child.type in ("text", "code_inline") else ""
        if text:
            if broken >= 0 and last and not (is_wide(last) and is_wide(text[0])):
                found[broken] = (found[broken][0], " ")
            last, broken = text[-1], -1
        elif child.type in _BREAKS:
            broken = len(found)
        found.append((child, text))
    return found


def _line_starts(words: Iterable[tuple[Token, str]]) -> list[int]:
    starts, at = [0], 0
    for token, text in words:
        at += len(text)
        starts += [at] * (token.type in _BREAKS)
    return starts


def _mark_words(block: _Block, marks: Sequence[SentenceMark]) -> None:
    at = 0
    for inline in block.inlines:
        words = _words(inline)
        inline.children = list(_marked(words, at, block.spans, marks))
        at += sum(len(text) for _, text in words) + len(_CELL_GAP)


def _marked(
    words: Iterable[tuple[Token, str]], at: int, spans: Sequence[Span], marks: Sequence[SentenceMark]
) -> Iterator[Token]:
    """Every word in a span of its sentence's age; the mark behind the last one, and behind a link that it stands in."""
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    due: list[SentenceMark] = []
    links = 0
    for token, start, end in _cut(words, at, sorted({*starts, *ends})):
        if (start < end or token.type in _BREAKS) and not links:
            yield from (one for mark in due for one in _link(mark))
            due = []
        links += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        number = bisect_right(starts, start) - 1
        inside = start < end and number >= 0 and start < ends[number] and token.type not in _BREAKS
        yield from _aged(token, marks[number].age) if inside else (token,)
        due += marks[bisect_right(ends, start) : bisect_right(ends, end)]
    yield from (one for mark in due for one in _link(mark))


def _cut(words: Iterable[tuple[Token, str]], at: int, edges: Sequence[int]) -> Iterator[tuple[Token, int, int]]:
    """The tokens with their place in the words, texts cut where sentences begin and end."""
    for token, text in words:
        end = at + len(text)
        if token.type == "text":
            inner = edges[bisect_right(edges, at) : bisect_right(edges, end - 1)]
            for start, stop in pairwise([at, *inner, end]):
                yield Token("text", "", 0, content=text[start - at : stop - at]), start, stop
        else:
            yield token, at, end
        at = end


def _aged(token: Token, age: int) -> tuple[Token, ...]:
    attrs: dict[str, str | int | float] = {"class": f"memsite-said-{age}"}
    return Token("span_open", "span", 1, attrs=attrs), token, Token("span_close", "span", -1)


def _link(mark: SentenceMark) -> tuple[Token, ...]:
    attrs: dict[str, str | int | float] = {"class": MARK, "href": mark.href, "title": mark.title}
    text = Token("text", "", 0, content=mark.text)
    return Token("said_open", "a", 1, attrs=attrs), text, Token("said_close", "a", -1)


def _line(mark: SentenceMark) -> tuple[Token, ...]:
    """A mark that stands alone, behind code."""
    opening = Token("paragraph_open", "p", 1, attrs={"class": "memsite-said-code"})
    return opening, Token("inline", "", 0, children=list(_link(mark))), Token("paragraph_close", "p", -1)
