"""What search knows of a page, and the text of a page's HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from html import unescape

from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """One page as search sees it."""

    uri: str
    """Relative to the site's root, not percent-encoded: `topics/personal-blog/`; empty for home."""
    title: str
    """Plain text."""
    kind: str
    """A `PageKind` value; results are grouped by it."""
    day: date | None
    """The day the page is about: for recency and the filter by time."""
    text: str
    """Plain text, one block a line, as `plain_text` makes it."""
    names: tuple[str, ...] = ()
    """What it is called beside its title, found as a title is: a topic's aliases."""
    superseded: bool = False
    """Whether another page says what holds now: an earlier generation, a deleted note."""


# A quoted attribute may hold ">". What is not closed reaches to the end, as in a browser; so no place is read twice.
_ELEMENT = re.compile(
    r"""((?:[^<]++|<(?!/?[a-zA-Z]|[!?]))*+)"""
    r"""(?:<(?:!--.*?(?:-->|\Z)"""
    r"""|(/?)([a-zA-Z][^\s/>"']*+)((?:[^>"']++|"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))*+)(?:>|\Z)"""
    r"""|[!?][^>]*(?:>|\Z))"""
    r"""|\Z)""",
    re.DOTALL,
)
"""Text, and the markup behind it: of a tag whether it closes, its name, and all else in it."""
_AT_ONCE = 500_000
"""Characters of HTML whose markup is found in one go, which is faster and takes some 100 bytes a tag."""
_ALT = re.compile(r"""\balt=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_UNREAD = frozenset({"script", "style", "svg", "template", "button", "label", "noscript"})
_UNREAD_CLASSES = (
    ("a", "headerlink"),
    ("a", "memsite-said-by"),
    ("pre", "memsite-past"),
    ("p", "memsite-past-head memsite-fine"),
    ("fieldset", "memsite-narrow"),
    ("nav", "memsite-pager"),
    ("div", "memsite-said-legend"),
    ("span", "memsite-folded-line"),
    ("ul", "memsite-facts"),
    ("ul", "memsite-log"),
    ("ol", "memsite-days"),
    ("details", "memsite-since"),
    ("p", "memsite-article-head"),
    ("table", "memsite-data memsite-stacked memsite-generations"),
    ("p", "memsite-older"),
    ("p", "memsite-labels"),
    ("p", "memsite-onward"),
    ("span", "memsite-sources"),
    ("details", "memsite-revisions"),
    ("p", "memsite-revisions memsite-fine"),
)
"""What stands beside the words and says nothing itself, what other pages say, and texts of the past."""
_UNREAD_BY_NAME = {
    tag: re.compile("|".join(f'class="{one}"' for name, one in _UNREAD_CLASSES if name == tag))
    for tag, _ in _UNREAD_CLASSES
}
_INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark"}
    | {"q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"}
)
_ALWAYS_READ = _INLINE - _UNREAD_BY_NAME.keys() | {""}
_NOT_IN_UTF8 = re.compile("[\ud800-\udfff\0]")


def plain_text(html: str) -> str:
    """The words of a page's HTML: one block a line, entities resolved; no markup, scripts, buttons, old texts.

    Text of inline elements joins what stands beside it: `<b>部</b>署` is one word.
    """
    text = unescape("".join(_read(html.replace("\n", " "))))
    return encodable("\n".join(" ".join(words) for line in text.split("\n") if (words := line.split())))


def _read(html: str) -> Iterator[str]:
    """Text between the markup, a line feed for each block's edge; inside an unread element, nothing."""
    unread, depth = "", 0
    is_short = len(html) <= _AT_ONCE
    elements = _ELEMENT.findall(html) if is_short else (found.groups("") for found in _ELEMENT.finditer(html))
    for text, closes, name, rest in elements:
        if unread:
            if name.lower() == unread:
                depth += -1 if closes else 1
                unread = unread if depth else ""
            continue
        if text:
            yield text
        if name in _ALWAYS_READ:
            continue
        name = name.lower()
        if not closes and _is_unread(name, rest):
            unread, depth = name, 1
        elif name not in _INLINE:
            yield _instead_of(name, rest)


def _is_unread(name: str, rest: str) -> bool:
    if name in _UNREAD:
        return True
    return rest != "" and name in _UNREAD_BY_NAME and _UNREAD_BY_NAME[name].search(rest) is not None


def _instead_of(name: str, rest: str) -> str:
    """What an element that is not inline stands for."""
    if name == "img":
        alt = _ALT.search(rest)
        return f" {alt[1] or alt[2] or ''} " if alt else " "
    return "\n"


def encodable(text: str) -> str:
    """The text without what UTF-8 cannot carry (halves of surrogate pairs, from undecodable names) and without NUL."""
    return _NOT_IN_UTF8.sub("\ufffd", text)
