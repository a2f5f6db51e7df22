"""Source references within the prose of a generation: marks that lead to what they name, and no words of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from markdown_it.token import Token

from memsite.memory.source_refs import Citation, find_citations
from memsite.values import dataclass

CITATION = "memsite_citation"
"""Type of the token that stands for references in brackets; its content is what was written, with the space before."""
_REFS = "refs"


@dataclass(frozen=True, slots=True)
class CitationMark:
    """What is shown in place of a reference."""

    text: str
    href: str
    classes: str
    title: str
    """Empty for none."""


def take_citations(tokens: Sequence[Token], known: Collection[Citation]) -> frozenset[Citation]:
    """Put a CITATION token in place of references of `known`, in place: not in code, within a link, or where others
    stand in the same brackets. Returns those that were taken somewhere.
    """
    taken = set[Citation]()
    for token in tokens:
        if token.children:
            token.children = list(_taken(token.children, known))
            taken.update(ref for child in token.children if child.type == CITATION for ref in child.meta[_REFS])
    return frozenset(taken)


def _taken(children: Sequence[Token], known: Collection[Citation]) -> Iterator[Token]:
    links = 0
    for child in children:
        links += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type != "text" or links or "[" not in child.content:
            yield child
            continue
        text, end = child.content, 0
        for start, stop, refs in find_citations(text):
            if all(ref in known for ref in refs):
                words = text[end:start].rstrip()
                yield _text(words)
                yield Token(CITATION, "", 0, content=text[end + len(words) : stop], meta={_REFS: refs})
                end = stop
        yield _text(text[end:])


def show_citations(tokens: Sequence[Token], marks: Mapping[Citation, CitationMark]) -> None:
    """Put the marks in place of the CITATION tokens, in place."""
    for token in tokens:
        if any(child.type == CITATION for child in token.children or ()):
            token.children = [one for child in token.children or () for one in _shown(child, marks)]


def _shown(child: Token, marks: Mapping[Citation, CitationMark]) -> Iterator[Token]:
    if child.type != CITATION:
        yield child
        return
    yield Token("sources_open", "span", 1, attrs={"class": "memsite-sources"})
    if child.content[0].isspace():
        yield _text(" ")
    for ref in child.meta[_REFS]:
        mark = marks[ref]
        attrs: dict[str, str | int | float] = {"class": mark.classes, "href": mark.href}
        yield Token("source_open", "a", 1, attrs=attrs | ({"title": mark.title} if mark.title else {}))
        yield _text(mark.text)
        yield Token("source_close", "a", -1)
    yield Token("sources_close", "span", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
