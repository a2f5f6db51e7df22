"""Callouts as Obsidian and GitHub have them: a quotation that begins with `[!warning] Title` is a box with a title.

`[!note]+` and `[!note]-` are boxes that fold, open and closed at first. A title is Markdown of one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from memsite.memory.quotes import CALLOUT_HEAD, QUOTING_KINDS

CALLOUT = "callout_open"
"""Type of the token that begins a box; its first line holds the title."""
CALLOUT_KIND = "callout_kind_open"
"""Type of the token that begins a title which nobody wrote: the box's kind."""
_QUOTED = ("blockquote_open", "paragraph_open", "inline", "paragraph_close")
KINDS = {
    "note": "note",
    **dict.fromkeys(("abstract", "summary", "tldr"), "abstract"),
    **dict.fromkeys(("info", "todo"), "info"),
    **dict.fromkeys(("tip", "hint", "important"), "tip"),
    **dict.fromkeys(("success", "check", "done"), "success"),
    **dict.fromkeys(("question", "help", "faq"), "question"),
    **dict.fromkeys(("warning", "caution", "attention"), "warning"),
    **dict.fromkeys(("failure", "fail", "missing"), "failure"),
    **dict.fromkeys(("danger", "error"), "danger"),
    "bug": "bug",
    "example": "example",
    **dict.fromkeys(QUOTING_KINDS, "quote"),
}
"""What is written -> the theme's box; any other word is a note, as in Obsidian."""


def add_callouts(md: MarkdownIt) -> None:
    """Install the rule into a parser."""
    md.core.ruler.before("inline", "memsite_callouts", _make_callouts)


def _make_callouts(state: StateCore) -> None:
    if "[!" not in state.src:
        return
    tokens: list[Token] = []
    tags: list[str] = []
    """Of the quotations that are open; empty for one that stays a quotation."""
    skipped = 0
    for at, token in enumerate(state.tokens):
        if skipped:
            skipped -= 1
        elif token.type == "blockquote_open" and (head := _head_of(state.tokens[at : at + len(_QUOTED)])):
            box = _box(token, state.tokens[at + 2], head)
            tags.append(box.tag)
            tokens += [box, *_titled(state.tokens[at + 1 : at + len(_QUOTED)], box.tag, head)]
            skipped = len(_QUOTED) - 1
        else:
            if token.type == "blockquote_open":
                tags.append("")
            elif token.type == "blockquote_close" and (tag := tags.pop()):
                token.type, token.tag = "callout_close", tag
            tokens.append(token)
    state.tokens = tokens


def _head_of(tokens: Sequence[Token]) -> re.Match[str] | None:
    is_quoted = tuple(token.type for token in tokens) == _QUOTED
    return CALLOUT_HEAD.match(tokens[2].content) if is_quoted else None


def _box(quotation: Token, words: Token, head: re.Match[str]) -> Token:
    kind = KINDS.get(head[1].lower(), "note")
    tag = "details" if head[2] else "div"
    attrs: dict[str, str | int | float] = {"class": f"admonition {kind}"}
    if head[2] == "+":
        attrs["open"] = "open"
    lines = [words.map[0], quotation.map[1]] if words.map and quotation.map else None
    return Token(CALLOUT, tag, 1, attrs, lines, quotation.level, block=True)


def _titled(paragraph: Sequence[Token], box: str, head: re.Match[str]) -> list[Token]:
    """The title, and what the first paragraph says below it."""
    opening, words, closing = paragraph
    written = (head[3] or "").strip()
    title = written or head[1].replace("-", " ").replace("_", " ").capitalize()
    tag = "summary" if box == "details" else "p"
    attrs: dict[str, str | int | float] = {} if box == "details" else {"class": "admonition-title"}
    line = [words.map[0], words.map[0] + 1] if words.map else None
    shown = [
        Token("callout_title_open" if written else CALLOUT_KIND, tag, 1, attrs, line, opening.level, block=True),
        Token("inline", "", 0, map=line, level=words.level, children=[], content=title, block=True),
        Token("callout_title_close", tag, -1, level=closing.level, block=True),
    ]
    words.content = words.content[head.end() :].strip()
    if words.content:
        opening.map = words.map = [line[1], words.map[1]] if line and words.map else None
        shown += paragraph
    return shown
