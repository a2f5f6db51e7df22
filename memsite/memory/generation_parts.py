"""A generation's text in two parts, as comparisons take it: what it says, and what it names as its sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memsite.memory.generation import SOURCES, document_lines, split_sections

FACT = re.compile(r"\*\*(?:Created|Covers|Previous)(?:\*\*:|:\*\*).*", re.IGNORECASE)
"""A line of a generation's head: what it says is no part of the text."""
_NUMBERS = re.compile(r"[0-9]+")


def split_references(text: str) -> tuple[str, str]:
    """The text of a generation without its title and facts, and its source references."""
    lines = document_lines(text)
    starts = [(section.line - 1, section.name) for section in split_sections(text)] + [(len(lines), "")]
    body, references = _without_facts(lines[: starts[0][0]]), list[str]()
    for (start, name), (end, _) in pairwise(starts):
        if name == SOURCES:
            references += lines[start + 1 : end]
        else:
            body += lines[start:end]
    return "\n".join(body), "\n".join(references)


def _without_facts(lines: Sequence[str]) -> list[str]:
    title = next((number for number, line in enumerate(lines) if line.startswith("# ")), -1)
    return [line for number, line in enumerate(lines) if number != title and not FACT.fullmatch(line.strip())]


def bare_title(title: str) -> str:
    """A title without the numbers in it: of two generations of one topic it is the same, unless one was renamed."""
    return _NUMBERS.sub("", title)
