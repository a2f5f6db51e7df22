"""One document made ready for the index: pure, and kept per page, so that only changed pages are read again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from memsite.site.search.documents import SearchDocument, encodable
from memsite.site.search.packing import PACKED, pack_number
from memsite.site.search.tokenize import MAX_WORD, tokens
from memsite.values import dataclass

PIECE_VERSION = 3
"""Changes whenever a piece of the same document would differ; belongs into the key under which pieces are kept."""
TITLE = ">"
"""Set before the terms of a title. A separator, so that no term of a text begins with it."""
MAX_EXCERPT = 20_000
"""Characters of a text that are kept for excerpts. All of it is indexed."""


@dataclass(frozen=True, slots=True)
class DocumentPiece:
    """What the index takes from one document. All fields are JSON values."""

    uri: str
    title: str
    kind: str
    day: int
    """Proleptic ordinal of the day, 0 for none."""
    text: str
    """The text, cut to `MAX_EXCERPT`."""
    length: int
    """Positions in the text: one a word, one a character of a run, one after each run."""
    title_length: int
    """Positions in the title alone."""
    superseded: bool
    terms: str
    """The terms, in order of first occurrence, separated by tabs."""
    positions: str
    """For each term its packed positions, separated by tabs."""

    def postings(self) -> Iterator[tuple[str, str]]:
        """Each term with its packed positions."""
        if not self.terms:
            return iter(())
        return zip(self.terms.split("\t"), self.positions.split("\t"), strict=True)

    def as_json(self) -> dict[str, Any]:
        """The piece as a JSON object."""
        return {name: getattr(self, name) for name in self.__match_args__}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> DocumentPiece:
        """The piece that `as_json` wrote. Raises TypeError when fields are missing or unknown."""
        return DocumentPiece(**value)


def index_document(document: SearchDocument) -> DocumentPiece:
    """Read a document into a piece. The same document always gives the same piece."""
    title, text = encodable(document.title), encodable(document.text)
    found: defaultdict[str, list[str]] = defaultdict(list)
    title_length = _add_occurrences(defaultdict(list), title, TITLE)
    _add_occurrences(found, encodable("\n".join((document.title, *document.names))), TITLE)
    length = _add_occurrences(found, text, "")
    return DocumentPiece(
        uri=encodable(document.uri),
        title=title,
        kind=document.kind,
        day=document.day.toordinal() if document.day else 0,
        text=text[:MAX_EXCERPT],
        length=length,
        title_length=title_length,
        superseded=document.superseded,
        terms="\t".join(found),
        positions="\t".join(map("".join, found.values())),
    )


def _add_occurrences(found: defaultdict[str, list[str]], text: str, mark: str) -> int:
    """Append the packed positions of every term of `text` to `found`; returns the number of positions.

    The free position after a run keeps two runs apart that only punctuation separates.
    """
    at = 0
    for run, word in tokens(text):
        if word:
            found[mark + word[:MAX_WORD]].append(PACKED[at] if at < len(PACKED) else pack_number(at))
            at += 1
            continue
        for start in range(len(run)):
            found[mark + run[start : start + 2]].append(PACKED[at] if at < len(PACKED) else pack_number(at))
            at += 1
        at += 1
    return at
