"""Links for what a text only names: INDEX.md writes topics in bold type and files as plain paths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it.token import Token

from memsite.site.markdown_links import Resolve

_PART = r"[^\s()\[\]<>`'\",;]"
NAMED_FILE = re.compile(rf"(?<!{_PART}){_PART}+\.md\b")
"""A path in running text. It begins where a word does: tried at each character, a long word would take for ever."""


def link_names(tokens: list[Token], resolve: Resolve) -> None:
    """Make links of bold words that a wikilink could have, and of paths of files that exist; in place."""
    for token in tokens:
        if token.children:
            token.children = list(_linked(token.children, resolve))


def _linked(children: list[Token], resolve: Resolve) -> Iterator[Token]:
    depth = 0
    for position, child in enumerate(children):
        depth += child.nesting if child.type in {"link_open", "link_close"} else 0
        if depth or child.type != "text":
            yield child
        elif position and children[position - 1].type == "strong_open":
            yield from _wrapped(child, resolve(f"[[{child.content}]]"))
        else:
            yield from _with_files(child.content, resolve)


def _with_files(text: str, resolve: Resolve) -> Iterator[Token]:
    end = 0
    for match in NAMED_FILE.finditer(text):
        url = resolve(match[0])
        if url is not None:
            yield _text(text[end : match.start()])
            yield from _wrapped(_text(match[0]), url)
            end = match.end()
    yield _text(text[end:])


def _wrapped(child: Token, url: str | None) -> Iterator[Token]:
    if url is None:
        yield child
        return
    yield Token("link_open", "a", 1, attrs={"href": url})
    yield child
    yield Token("link_close", "a", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
