"""Heading ids: every script keeps its letters, every id is used once."""

from __future__ import annotations

import re
import unicodedata

_FOOTNOTE = re.compile(r"fn(?:ref)?[0-9]*")
"""Ids that the footnotes of a text have."""
_LINES = re.compile(r"(L[0-9]+)(?:-L?[0-9]+)?")
MAX_LENGTH = 100
"""Characters of a heading's id; percent-encoded, a Chinese one is nine times as long."""


def slugify_heading(text: str) -> str:
    """`What's new, 博客?` -> `whats-new-博客`: letters, marks, digits stay, white space becomes `-`, the rest goes."""
    kept = "".join(_slug_character(char) for char in unicodedata.normalize("NFC", text).lower())
    slug = "-".join(part for part in kept.split("-") if part)[:MAX_LENGTH].strip("-")
    return slug or "section"


def fragment_anchor(fragment: str) -> str:
    """The id that a wikilink means behind its first `#`: of the last heading named, or of the first line, `L3`.

    Empty for a block's `^id`, which no page has: the link leads to the page.
    """
    heading = fragment.rpartition("#")[2]
    if heading.lstrip().startswith("^"):
        return ""
    lines = _LINES.fullmatch(heading)
    return lines[1] if lines else slugify_heading(heading)


def _slug_character(char: str) -> str:
    if char.isspace() or char in "-_":
        return "-"
    return char if unicodedata.category(char)[0] in "LMN" else ""


class Anchors:
    """The ids of one text. Each that is asked for is new: `decisions`, `decisions-1`, `decisions-2`.

    No slug has a `.`: a page that shows several texts, or has ids of its own, tells them apart by prefixes that end in
    one. Nor does any begin with `__`, as the theme's ids and those of our own controls do.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._counts: dict[str, int] = {}
        self._taken: set[str] = set()

    def unique(self, slug: str) -> str:
        """The first free id of that slug, taken from now on."""
        anchor = self._prefix + slug
        while anchor in self._taken or _FOOTNOTE.fullmatch(anchor):
            self._counts[slug] = self._counts.get(slug, 0) + 1
            anchor = f"{self._prefix}{slug}-{self._counts[slug]}"
        self._taken.add(anchor)
        return anchor

    @property
    def taken(self) -> frozenset[str]:
        """Every id given out."""
        return frozenset(self._taken)
