"""Ids in rendered Markdown: of headings, with their permalinks, and of source lines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from markdown_it.token import Token

from memsite.site.markdown_callouts import CALLOUT
from memsite.site.slugs import Anchors, slugify_heading
from memsite.site.spec import Heading

LEAVES = {"paragraph_open", "heading_open", "fence", "code_block", "hr", "table_open", CALLOUT}
"""Blocks that hold text and no other block: before them a line's anchor may stand."""
_BOXES = {"table_open", CALLOUT}
"""Blocks with others in them, which have anchors of their own; before them stand those of the lines above, and of a box
that may be folded that of its title."""
LAST_LEVEL = 6


def add_headings(tokens: list[Token], anchors: Anchors, offset: int = 0) -> tuple[Heading, ...]:
    """Give every heading its id and its permalink; move levels down by `offset`. Returns the table of contents."""
    found = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            title = plain_text(inline)
            anchor = anchors.unique(slugify_heading(title))
            level = min(int(token.tag[1:]) + offset, LAST_LEVEL)
            token.attrSet("id", anchor)
            token.tag = f"h{level}"
            inline.children = [*(inline.children or ()), *_permalink(anchor)]
            found.append(Heading(level, anchor, title))
        elif token.type == "inline" and inline.type == "heading_close":
            inline.tag = f"h{min(int(inline.tag[1:]) + offset, LAST_LEVEL)}"
    return tuple(found)


def plain_text(inline: Token) -> str:
    """The words of an inline token: no mark-up, images by their text, white space folded."""
    parts = []
    for child in inline.children or ():
        parts.append(" " if child.type in ("softbreak", "hardbreak") else _words(child))
    return " ".join("".join(parts).split())


def _words(child: Token) -> str:
    return plain_text(child) if child.type == "image" else child.content if child.type != "html_inline" else ""


def _permalink(anchor: str) -> tuple[Token, Token, Token]:
    opening = Token("link_open", "a", 1, attrs={"class": "headerlink", "href": f"#{anchor}", "title": f"#{anchor}"})
    return opening, Token("text", "", 0, content="¶"), Token("link_close", "a", -1)


def add_line_anchors(tokens: list[Token], anchors: Anchors, first_line: int = 1) -> list[Token]:
    """Anchors `L<n>` for every source line, each where the block that holds the line begins; in tables by row.

    Lines between two blocks belong to the second, so that a reference to a range finds its start.
    The first line of the tokens' text has the number `first_line`.
    """
    result: list[Token] = []
    done = 0
    row_end = 0
    in_table = False
    for token in tokens:
        if token.type == "tr_open" and token.map:
            row_end = token.map[0] + 1
        elif token.type == "inline" and row_end > done:
            token.children = [
                *_line_marks(range(done + first_line, row_end + first_line), anchors),
                *(token.children or ()),
            ]
            done = row_end
        elif token.type in LEAVES and token.map and not in_table:
            end = token.map[0] + (token.type == CALLOUT) if token.type in _BOXES else token.map[1]
            result += _line_marks(range(done + first_line, end + first_line), anchors)
            done = max(end, done)
        in_table = token.type != "table_close" and (in_table or token.type == "table_open")
        result.append(token)
    return result


SPLIT = "memsite_split"
"""Type of the token that stands where a text is to be parted."""


def mark_split(tokens: list[Token], line: int) -> None:
    """Put a SPLIT token before the first block that begins at or after `line` (0-based), or at the end."""
    tops = (at for at, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0)
    place = next((at for at in tops if not (map_ := tokens[at].map) or map_[0] >= line), len(tokens))
    tokens.insert(place, Token(SPLIT, "", 0))


def split_tokens(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """The tokens before and after the SPLIT token; without one, all of them are after."""
    place = next((at for at, token in enumerate(tokens) if token.type == SPLIT), None)
    return ([], tokens) if place is None else (tokens[:place], tokens[place + 1 :])


def _line_marks(lines: Iterable[int], anchors: Anchors) -> list[Token]:
    marks = []
    for line in lines:
        attrs: dict[str, str | int | float] = {"class": "memsite-line", "id": anchors.unique(f"L{line}")}
        marks += [Token("span_open", "span", 1, attrs=attrs), Token("span_close", "span", -1)]
    return marks
