"""What a writer supplies for the next generation: its sections, checked before they become immutable.

A writer is a person, an agent or a summariser command. It gives either a whole generation or its sections alone; the
title and the fields below it are memsite's to state, so those of a whole document are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from memsite.memory.generation import SECTIONS, SOURCES, Section, document_lines, split_sections
from memsite.memory.lines import Kind, split_lines
from memsite.memory.model import Problem
from memsite.memory.source_refs import parse_source_refs

BODY = PurePosixPath("body")
"""What a problem's `path` is when the body comes from no file."""

_WRAPPER = re.compile(r"```+(?:markdown|md)?\s*", re.IGNORECASE)
_TITLE = re.compile(r" {0,3}#(?:[ \t]|$)")
_FIELD = re.compile(r"\s*(?:[-*+] )?\*{0,2}(?:Created|Covers|Previous)\*{0,2}\s*:", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\s*(?:[-*+]\s+)?(?:\[(?:compiled narrative|where things stand|key info from|what happened)[^\]]*\]"
    r"|(?:point|decision) [0-9]+)\s*",
    re.IGNORECASE,
)
_DATED = re.compile(r"\[[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-[^\[\]#\s`]*)?(?:#[^\[\]\s`]*)?\](?![(:`])")


@dataclass(frozen=True, slots=True)
class Body:
    """A body as its parts."""

    text: str
    """As it will be written: no NUL, no outer fence; its lines have the numbers that they had."""
    preamble: tuple[tuple[int, str], ...]
    """Lines before the first section that are neither title nor field, with their numbers."""
    sections: tuple[Section, ...]
    last_line: int
    """The number of its last line that is not blank; 1 for an empty body."""

    def text_of(self, name: str) -> str:
        """The text of a section; empty without it."""
        return next((section.text for section in self.sections if section.name == name), "")


def parse_body(text: str) -> Body:
    """The parts of a body. One code fence around all of it, as language models like to write, is taken away."""
    lines = _unwrap(_clean(text))
    sections = split_sections("\n".join(lines))
    first = sections[0].line - 1 if sections else len(lines)
    foreign = [
        (number, line)
        for number, line in enumerate(lines[:first], start=1)
        if line.strip() and not _TITLE.match(line) and not _FIELD.match(line)
    ]
    last = max((number for number, line in enumerate(lines, start=1) if line.strip()), default=1)
    return Body("\n".join(lines), tuple(foreign), sections, last)


def check_body(text: str, *, path: PurePosixPath = BODY) -> tuple[Problem, ...]:
    """Why a body cannot become a generation: empty, half-written, ambiguous; in the order of its lines.

    The seed's sections must all be there and say something, except Source References, which memsite writes itself when
    they are missing. Whether sources exist is for the planner to say.
    """
    body = parse_body(text)
    if not body.sections and not body.preamble:
        return (Problem(path, 1, "the body is empty", _HINT),)
    found = [*_check_preamble(body), *_check_sections(body), *_check_lines(body.text)]
    return tuple(Problem(path, line, message, hint) for line, message, hint in sorted(found))


_Finding = tuple[int, str, str]
_HINT = "it needs " + ", ".join(f"'## {name}'" for name in SECTIONS)


def _check_preamble(body: Body) -> Iterator[_Finding]:
    if body.preamble:
        line, text = body.preamble[0]
        yield line, f"text before the first section: {text.strip()[:60]!r}", "begin with '## Summary'"


def _check_sections(body: Body) -> Iterator[_Finding]:
    names = [section.name for section in body.sections]
    for name in SECTIONS:
        if name != SOURCES and name not in names:
            yield body.last_line, f"there is no section '## {name}'", "is the body cut off? write the section"
    for position, section in enumerate(body.sections):
        if section.name in names[:position]:
            yield section.line, f"a second section '## {section.name}'", "write it once"
        elif section.name in SECTIONS and section.name != SOURCES and not _says_something(section.text):
            yield section.line, f"section '## {section.name}' is empty", "write it, or 'None.'"


def _check_lines(text: str) -> Iterator[_Finding]:
    for number, line in enumerate(text.split("\n"), start=1):
        if _PLACEHOLDER.fullmatch(line):
            yield number, f"{line.strip()!r} is a placeholder", "write what it stands for"
        for match in _DATED.finditer(line):
            if not parse_source_refs(match[0]):
                yield number, f"{match[0]} is no source", "write [2025-03-22] or [2025-03-22#L10-L14]"
    scanned = split_lines(text.encode())
    if scanned and scanned[-1].unclosed and scanned[-1].kind in {Kind.CODE, Kind.COMMENT}:
        yield scanned[-1].block, "what opens here is never closed", "is the body cut off? close it"


def _says_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))


def _clean(text: str) -> list[str]:
    """Its lines, without what no text file can hold: NUL and lone surrogates become U+FFFD."""
    return document_lines(re.sub("[\0\ud800-\udfff]", "\ufffd", text))


def _unwrap(lines: list[str]) -> list[str]:
    """The lines without a fence around them all; blank lines in its place keep the numbers of the others."""
    written = [index for index, line in enumerate(lines) if line.strip()]
    if len(written) < 2 or not _WRAPPER.fullmatch(lines[written[0]]) or lines[written[-1]].strip(" ").strip("`"):
        return lines
    outer = {written[0], written[-1]}
    return ["" if index in outer else line for index, line in enumerate(lines)]


def ordered_sections(sections: Iterable[Section], references: str) -> tuple[tuple[str, str], ...]:
    """Name and text of each section as a generation has them: the seed's in its order, others before the references.

    `references` is the text of Source References.
    """
    known = {section.name: section.text for section in sections if section.name in SECTIONS}
    foreign = [(section.name, section.text) for section in sections if section.name not in SECTIONS]
    own = [(name, known.get(name, "")) for name in SECTIONS if name != SOURCES]
    return (*own, *foreign, (SOURCES, references))
