"""What a writer supplies for the next generation: its sections, as text and as parts.

A writer is a person, an agent or a summariser command. It gives either a whole generation or its sections alone; the
title and the fields below it are memsite's to state, so those of a whole document are left out. `body_checks` says
what is wrong with a body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memsite.errors import RefusedError
from memsite.memory.generation import SECTIONS, Section, document_lines, split_sections
from memsite.memory.lines import BOM
from memsite.values import dataclass, replace

MAX_BODY_BYTES = 1_000_000
"""A longer text is no consolidation."""

_WRAPPER = re.compile(r"```+(?:markdown|md)?\s*", re.IGNORECASE)
_TITLE = re.compile(r" {0,3}#[ \t]+\S.*[ \t][-–—][ \t]+Generation[ \t]+[0-9]+[ \t]+Consolidation[ \t#]*", re.IGNORECASE)
_FIELD = re.compile(r"\s*(?:[-*+] )?\*{0,2}(?:Created|Covers|Previous)\*{0,2}\s*:", re.IGNORECASE)
_LINE_END = re.compile(rb"\r\n|\r|\n")

NumberedLine = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Body:
    """A body as its parts."""

    text: str
    """As it will be written: without an outer fence; its lines have the numbers that they had."""
    head: tuple[NumberedLine, ...]
    """A generation's title and fields before the first section: memsite states its own in their place."""
    preamble: tuple[NumberedLine, ...]
    """All else before the first section."""
    sections: tuple[Section, ...]
    last_line: int
    """The number of its last line that is not blank; 1 for an empty body."""

    def text_of(self, name: str) -> str:
        """The text of a section; empty without it."""
        return next((section.text for section in self.sections if section.name == name), "")


def decode_body(data: bytes, where: str) -> str:
    """What a writer gave, as text. Raises RefusedError, with the line in `where`, for what is no UTF-8 or too long."""
    if len(data) > MAX_BODY_BYTES:
        hint = "a consolidation is a few pages"
        raise RefusedError(f"the body is longer than {MAX_BODY_BYTES} bytes", where=where, hint=hint)
    try:
        return data.decode().removeprefix(BOM)
    except UnicodeDecodeError as error:
        line = len(_LINE_END.findall(data[: error.start])) + 1
        message = f"byte 0x{data[error.start]:02x} is no UTF-8"
        raise RefusedError(message, where=where, line=line, hint="save it as UTF-8") from error


def parse_body(text: str) -> Body:
    """The parts of a body. One code fence around all of it, as language models like to write, is taken away."""
    lines = _unwrap(document_lines(text))
    sections = split_sections("\n".join(lines))
    before = [(number, line) for number, line in _filled(lines) if not sections or number < sections[0].line]
    head = tuple((number, line) for number, line in before if _TITLE.fullmatch(line) or _FIELD.match(line))
    last = max((number for number, _ in _filled(lines)), default=1)
    return Body("\n".join(lines), head, tuple(one for one in before if one not in head), sections, last)


def _filled(lines: Iterable[str]) -> list[NumberedLine]:
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _unwrap(lines: list[str]) -> list[str]:
    """The lines without a fence around them all; blank lines in its place keep the numbers of the others."""
    written = [number - 1 for number, _ in _filled(lines)]
    if len(written) < 2 or not _WRAPPER.fullmatch(lines[written[0]]) or lines[written[-1]].strip(" ").strip("`"):
        return lines
    outer = {written[0], written[-1]}
    return ["" if index in outer else line for index, line in enumerate(lines)]


def ordered_sections(sections: Iterable[Section], references: str) -> tuple[Section, ...]:
    """The sections as a generation has them: the seed's in its order, others before the references.

    `references` is the text of Source References.
    """
    known = {section.name: section for section in sections if section.name in SECTIONS}
    foreign = [section for section in sections if section.name not in SECTIONS]
    own = [known.get(name, Section(name, name, 0, "")) for name in SECTIONS]
    return (*own[:-1], *foreign, replace(own[-1], text=references))
