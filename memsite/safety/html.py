"""The allow-list between memory text and the browser: what is not named here does not reach a page.

The tags are those that CommonMark with tables, strikethrough, task lists, footnotes and callouts can make, no other;
raw HTML is off in the renderer, so nothing a reader is meant to see is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import nh3

BLOCKS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr", "br"}
"""CommonMark's blocks, and the hard line break."""
LISTS = {"ul", "ol", "li", "input", "label"}
"""Lists; a task's box is an `input`, forced to be a checkbox, that the theme draws through a `label`."""
INLINE = {"em", "strong", "code", "a", "img", "s"}
"""CommonMark's inlines and strikethrough."""
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
"""Tables, as the `table` rule makes them."""
NOTES = {"section", "sup"}
"""Footnotes: the section at the end and the number in the text."""
CODE = {"div", "span"}
"""What highlighted code is wrapped in."""
FOLDS = {"details", "summary"}
"""A callout that folds, and its title."""
TAGS = BLOCKS | LISTS | INLINE | TABLES | NOTES | CODE | FOLDS

ATTRIBUTES: Mapping[str, set[str]] = {
    **{tag: {"class", "id"} for tag in TAGS - {"img", "input", "br"}},
    # No `id` on what a script can reach as `document.<id>`: a name there would replace the page's own.
    "img": {"src", "alt", "title"},
    "input": {"class"},
    "br": set(),
    "a": {"class", "id", "href", "title"},
    "ol": {"class", "id", "start"},
}
ATTRIBUTE_VALUES: Mapping[str, Mapping[str, set[str]]] = {
    "input": {"checked": {"", "checked"}, "disabled": {"", "disabled"}},
    "details": {"open": {"", "open"}},
    # Alignment as an attribute, because the Content-Security-Policy forbids `style`.
    "th": {"align": {"left", "center", "right"}},
    "td": {"align": {"left", "center", "right"}},
}
# One value a tag, no more: nh3 writes several in an order that differs from run to run.
FORCED_VALUES: Mapping[str, Mapping[str, str]] = {"input": {"type": "checkbox"}}

LINK_SCHEMES = {"http", "https", "mailto"}
"""Where a link may lead besides the site itself."""
CLASS = re.compile(
    r"language-[\w+#.-]{1,40}|highlight|headerlink"
    r"|contains-task-list|task-list-(?:item|item-checkbox|control|indicator)"
    r"|admonition(?:-title)?|note|abstract|info|tip|success|question|warning|failure|danger|bug|example|quote"
    r"|footnotes|footnotes-(?:sep|list)|footnote-(?:ref|item|backref)"
    r"|memsite-[a-z0-9-]{1,40}"
)
"""Class names that code, heading anchors, task lists, callouts, footnotes and this program's own style sheet need."""
TOKEN_CLASS = re.compile(r"[a-z][a-z0-9]{0,2}")
"""Pygments' short names; on `span` only."""
ID = re.compile(r"(?!__)[^\s\x00-\x1f]{1,250}")
"""Not `__…`: the theme looks up `__config`, `__search` and others by id."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_EDGES = "".join(map(chr, range(0x21)))
_DROPPED = str.maketrans("\\", "/", "\t\n\r")


def _as_a_browser_reads(url: str) -> str:
    """White space and controls at the ends go, tabs and line ends inside too, a backslash is a slash (WHATWG URL)."""
    return url.strip(_EDGES).translate(_DROPPED)


def is_safe_link(url: str) -> bool:
    """Whether a link may lead there: http, https, mailto, or a place on the site itself."""
    address = _as_a_browser_reads(url)
    scheme = _SCHEME.match(address)
    return scheme[1].lower() in LINK_SCHEMES if scheme else not address.startswith("//")


def is_local_image(url: str) -> bool:
    """Whether an image comes from the site, by a relative address. A remote one would tell its server who reads."""
    address = _as_a_browser_reads(url)
    return bool(address) and not _SCHEME.match(address) and not address.startswith(("/", "#", "?"))


def _classes(tag: str, names: str) -> str | None:
    kept = [name for name in names.split() if CLASS.fullmatch(name) or (tag == "span" and TOKEN_CLASS.fullmatch(name))]
    return " ".join(kept) or None


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    match name:
        case "class":
            return _classes(tag, value)
        case "id":
            return value if ID.fullmatch(value) else None
        case "href":
            return value if is_safe_link(value) else None
        case "src":
            return value if is_local_image(value) else None
    return value


@cache
def _cleaner() -> nh3.Cleaner:
    import nh3  # the command line's quick commands import this room and clean nothing

    return nh3.Cleaner(
        tags=TAGS,
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        tag_attribute_values={tag: dict(values) for tag, values in ATTRIBUTE_VALUES.items()},
        set_tag_attribute_values={tag: dict(values) for tag, values in FORCED_VALUES.items()},
        attribute_filter=_filter_attribute,
        url_schemes=LINK_SCHEMES,
        link_rel="noopener noreferrer",
    )


def clean_html(html: str) -> str:
    """The fragment with nothing in it but what the allow-list names; cleaning twice equals cleaning once.

    Images keep only a relative `src` (the renderer shows a remote one as a link), links only http, https, mailto
    and relative ones.
    """
    return _cleaner().clean(html)
