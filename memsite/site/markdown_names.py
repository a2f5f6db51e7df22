"""Links for what a text only names: INDEX.md writes topics in bold type, files as plain paths and days as dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it.token import Token

from memsite.site.markdown_links import BROKEN, Resolve

_PART = r"[^\s()\[\]<>`'\",;]"
NAMED_FILE = re.compile(rf"(?<!{_PART}){_PART}+\.md\b")
"""A path in running text. It begins where a word does: tried at each character, a long word would take for ever."""
NAMED_DAY = re.compile(r"(?<![\w-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])")
_NAMED = re.compile(rf"(?P<file>{NAMED_FILE.pattern})|{NAMED_DAY.pattern}")
_PLAIN = r"[^*_\\`\[\]<>&\n]{1,200}"
NAMED_TOPIC = re.compile(rf"(?:\*\*|__)(?=({_PLAIN})(?:\*\*|__))")
"""Whatever may be bold words as it stands in the text: with these characters alone, what is rendered is the same."""
_SIMPLE = re.compile(_PLAIN)


def link_names(tokens: list[Token], resolve: Resolve) -> None:
    """Make links of bold words that a wikilink could have, of paths and of days that have a note; in place.

    A path to nothing is marked.
    """
    for token in tokens:
        if token.children:
            token.children = list(_linked(token.children, resolve))


def _linked(children: list[Token], resolve: Resolve) -> Iterator[Token]:
    depth = 0
    for position, child in enumerate(children):
        depth += child.nesting if child.type in {"link_open", "link_close"} else 0
        if depth or child.type not in {"text", "code_inline"}:
            yield child
        elif child.type == "code_inline":
            # Code may well name files of elsewhere: what leads nowhere is no fault there.
            yield from _wrapped(child, resolve(child.content) if NAMED_FILE.fullmatch(child.content) else None)
        elif _is_bold(children, position) and _SIMPLE.fullmatch(child.content):
            yield from _wrapped(child, resolve(f"[[{child.content}]]"))
        else:
            yield from _with_names(child.content, resolve)


def _is_bold(children: list[Token], position: int) -> bool:
    """Whether a text is all that stands between two marks of bold type."""
    around = [one.type for one in children[max(position - 1, 0) : position + 2]]
    return around == ["strong_open", "text", "strong_close"]


def day_file(day: str) -> str:
    """What a link to the note of a `YYYY-MM-DD` in the memory folder says."""
    return f"{day}.md"


def _with_names(text: str, resolve: Resolve) -> Iterator[Token]:
    end = 0
    for match in _NAMED.finditer(text):
        yield _text(text[end : match.start()])
        url = resolve(match["file"] or day_file(match[0]))
        yield from _broken(match[0]) if match["file"] and url is None else _wrapped(_text(match[0]), url)
        end = match.end()
    yield _text(text[end:])


def _wrapped(child: Token, url: str | None) -> Iterator[Token]:
    if url is None:
        yield child
        return
    yield Token("link_open", "a", 1, attrs={"href": url})
    yield child
    yield Token("link_close", "a", -1)


def _broken(path: str) -> Iterator[Token]:
    yield Token("broken_open", "span", 1, attrs={"class": BROKEN, "title": path})
    yield _text(path)
    yield Token("broken_close", "span", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
