"""Where raw HTML begins and ends in CommonMark (specification 0.31, "HTML blocks"): seven kinds, by start condition."""

from __future__ import annotations

import re

from memsite.patterns import late
from memsite.values import dataclass

_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|"
    "dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|"
    "legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|"
    "tbody|td|tfoot|th|thead|title|tr|track|ul"
)
# Possessive repeats: hostile text must not make them backtrack.
_ATTRIBUTE = r"""\s++[a-zA-Z_:][a-zA-Z0-9:._-]*+(?:\s*+=\s*+(?:[^"'=<>`\x00-\x20]++|'[^']*+'|"[^"]*+"))?+"""
_TAG = rf"(?:<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>|</[A-Za-z][A-Za-z0-9-]*+\s*+>)\s*$"


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """One of the kinds of raw HTML."""

    start: re.Pattern[str]
    end: re.Pattern[str] | None
    """What the last line holds; None: a blank line ends it and is no part of it."""
    interrupts: bool = True
    """Whether it may follow a paragraph without a blank line."""
    is_comment: bool = False

    def ends_on(self, line: str) -> bool:
        """Whether the line is the last of the block."""
        return self.end is not None and self.end.search(line) is not None

    def ends_before(self, line: str) -> bool:
        """Whether the line ends the block without being part of it."""
        return self.end is None and not line


_KINDS = (
    HtmlBlock(
        late(r"<(?:script|pre|style|textarea)(?=\s|>|$)", re.IGNORECASE | re.ASCII),
        late(r"</(?:script|pre|style|textarea)>", re.IGNORECASE | re.ASCII),
    ),
    HtmlBlock(late(r"<!--"), late(r"-->"), is_comment=True),
    HtmlBlock(late(r"<\?"), late(r"\?>")),
    HtmlBlock(late(r"<![A-Za-z]"), late(r">")),
    HtmlBlock(late(r"<!\[CDATA\["), late(r"\]\]>")),
    HtmlBlock(late(rf"</?(?:{_NAMES})(?=\s|/?>|$)", re.IGNORECASE | re.ASCII), None),
    HtmlBlock(late(_TAG), None, interrupts=False),
)


def find_html_block(line: str, *, in_paragraph: bool) -> HtmlBlock | None:
    """The kind of HTML block that begins with the line (its indentation removed), or None."""
    if not line.startswith("<"):
        return None
    kinds = (kind for kind in _KINDS if kind.interrupts or not in_paragraph)
    return next((kind for kind in kinds if kind.start.match(line)), None)
