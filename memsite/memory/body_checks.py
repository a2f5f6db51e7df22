"""Why a written body cannot become a generation: cut off, not filled in, not merged, or without the seed's form.

Form alone is judged here; whether the sources exist is for the planner to say (`planning`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from memsite.memory import conflicts
from memsite.memory.code_spans import without_code_spans
from memsite.memory.generation import (
    DECISIONS,
    KEY_POINTS,
    SECTIONS,
    SOURCES,
    Section,
)
from memsite.memory.generation_body import Body, parse_body
from memsite.memory.lines import Kind, Line, encode_text, split_lines
from memsite.memory.names import parse_date, plain_form
from memsite.memory.outline import plain_text
from memsite.memory.placeholders import has_gap, is_placeholder
from memsite.memory.source_refs import parse_source_refs, without_source_refs
from memsite.patterns import late

_LISTS = frozenset({KEY_POINTS, DECISIONS, SOURCES})
"""Sections in which every statement is a point of its own."""
NOTHING = frozenset({"", "-", "–", "—", "none", "n/a", "无", "没有"})
"""What a section may say that has nothing to say, without regard to case."""
_TEXT = frozenset({Kind.TEXT, Kind.HTML})
_CONTROL = late("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_CONFLICT = late(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_DAY_FORM = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DATED = late(r"(?<!\[)\[([0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[^\[\]]*)\](?![(:\]])")
_CUT = late(
    rf"(?<![\[\w])\[(?:{_DAY_FORM}[^\[\]]*(?=\[)|{_DAY_FORM}(?:[-#][^\s\[\]]*|[,;][^\[\]]*)?$"
    r"|[0-9]{1,4}(?:-[0-9]{0,2}(?:-[0-9]?)?)?$|$)"
)
"""A reference that is never closed: before another one, or where the line ends in the middle of it."""
_BRACKETS = str.maketrans("［］＃", "[]#")
_SEPARATOR = late(r"[,;]")
_DAY = late(r"(?<![\w-])(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}(?![\w-])")
_TAG = late(r"</?[A-Za-z][^<>]*>")
_DEFINITION = late(r""" {0,3}\[[^\[\]]+\]:\s*\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*""")
_BOX = late(r"\[[ xX]\](?:\s+|$)")
_INVISIBLE = late("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\\s]+")


class Fault(NamedTuple):
    """What is wrong with a line of a body. Faults sort by line."""

    line: int
    """1-based, in the body as it was given."""
    message: str
    hint: str


def check_body(text: str) -> tuple[Fault, ...]:
    """Everything that is wrong with a body, in the order of its lines; nothing for one that is whole.

    The seed's sections must all be there and say something, except Source References, which memsite writes itself when
    they are missing.
    """
    body = parse_body(text)
    if not body.sections and not body.preamble:
        return (Fault(1, "the body is empty", _ALL),)
    lines = split_lines(body.text.encode("utf-8", "surrogatepass"))
    found = [*_check_preamble(body), *_check_sections(body, lines), *_check_lists(body, lines), *_check_lines(lines)]
    return tuple(sorted(found))


def statement_fault(text: str) -> tuple[str, str] | None:
    """What makes a statement unfit for a generation, whoever wrote it, and what to do; None for a good one."""
    return _line_fault(text) or _gap_fault(text)


def _line_fault(text: str) -> tuple[str, str] | None:
    if control := _CONTROL.search(text):
        return f"there is a control character in it, U+{ord(control[0]):04X}", "take it out"
    if _CONFLICT.match(text):
        return conflicts.MESSAGE, conflicts.HINT
    bare = without_code_spans(text)
    for match in _DATED.finditer(bare):
        if not all(parse_source_refs(f"[{part.strip()}]") for part in _SEPARATOR.split(match[1])):
            return f"{match[0]} is no source", "write [2025-03-22] or [2025-03-22#L10-L14]"
    if cut := _CUT.search(bare.rstrip()):
        return f"{cut[0].rstrip()} is cut off", "write [2025-03-22] or [2025-03-22#L10-L14]"
    if parse_source_refs(plain_form(bare).translate(_BRACKETS)) != parse_source_refs(bare):
        return "a reference in it only looks like one", "type it anew: [2025-03-22]"
    for match in _DAY.finditer(bare):
        if parse_date(match[0]) is None:
            return f"{match[0]} is no date", "write the day that is meant"
    return None


def _gap_fault(text: str) -> tuple[str, str] | None:
    """`text` is a whole statement: a line of one may be all brackets and still no gap."""
    if is_placeholder(text):
        return f"{text.strip()[:60]!r} is a placeholder", "write what it stands for"
    return (f"a placeholder is in {text.strip()[:60]!r}", "fill it in") if has_gap(text) else None


_ALL = "it needs " + ", ".join(f"'## {name}'" for name in SECTIONS)


def _check_preamble(body: Body) -> Iterator[Fault]:
    for line, text in body.preamble[:1]:
        shown = repr(text.strip()[:60])
        if text.lstrip().startswith("# "):
            yield Fault(line, f"the title {shown} would be lost", "memsite writes the title; leave it out")
        else:
            yield Fault(line, f"text before the first section: {shown}", "begin with '## Summary'")


def _check_sections(body: Body, lines: Sequence[Line]) -> Iterator[Fault]:
    names = [section.name for section in body.sections]
    for name in SECTIONS:
        if name != SOURCES and name not in names:
            yield Fault(body.last_line, f"there is no section '## {name}'", "is the body cut off? write the section")
    for section, inside in _with_lines(body, lines):
        if section.name in names[: body.sections.index(section)]:
            yield Fault(section.line, f"a second section '## {section.name}'", "write it once")
        elif section.name != SOURCES and not any(map(_says_something, inside)):
            yield Fault(section.line, f"section '## {section.name}' is empty", "write it, or '—' if there is nothing")


def _check_lists(body: Body, lines: Sequence[Line]) -> Iterator[Fault]:
    for section, inside in _with_lines(body, lines):
        yield from _check_list(section.name, inside) if section.name in _LISTS else ()


def _check_list(name: str, inside: Sequence[Line]) -> Iterator[Fault]:
    filled = (line for line in inside if line.kind is not Kind.BLANK)
    holders = {number for line in filled for number in (line.item, line.parent) if number != line.number}
    for line in inside:
        text = line.text[line.content :]
        if line.opens and line.number not in holders and not _said(without_source_refs(text)):
            yield Fault(line.number, "a point that says nothing", "write it, or take it out")
        elif _begins_prose(line) and _said(text).casefold().rstrip(".。") not in NOTHING:
            message = f"under '## {name}' stands text that is no point: {text.strip()[:60]!r}"
            yield Fault(line.number, message, "begin each point with '- ', or write '—' if there is none")


def _begins_prose(line: Line) -> bool:
    return line.kind in _TEXT and not line.item and line.block == line.number


def _check_lines(lines: Sequence[Line]) -> Iterator[Fault]:
    for at, line in enumerate(lines):
        if conflicts.separates_sides(lines, at):
            yield Fault(line.number, conflicts.MESSAGE, "write one text of the two around =======")
        is_read = line.kind not in {Kind.CODE, Kind.COMMENT}
        if (fault := _line_fault(line.text)) and (is_read or _CONTROL.search(line.text)):
            yield Fault(line.number, *fault)
    for number, group in groupby((line for line in lines if line.kind in _TEXT), key=lambda line: line.block):
        block = list(group)
        text = " ".join(line.text[line.content :].strip() for line in block)
        if gap := _gap_fault(_BOX.sub("", text, count=1)):
            yield Fault(next((line.number for line in block if has_gap(line.text)), number), *gap)
    if lines and lines[-1].unclosed and not _ends_before_heading(lines):
        yield Fault(lines[-1].block, "what opens here is never closed", "is the body cut off? close it")


def _ends_before_heading(lines: Sequence[Line]) -> bool:
    """Whether a section that follows the last line would be one: some raw HTML ends at a blank line."""
    text = "\n".join([*(line.text for line in lines), "", "## Next"])
    return split_lines(encode_text(text))[-1].kind is Kind.HEADING


def _with_lines(body: Body, lines: Sequence[Line]) -> Iterator[tuple[Section, Sequence[Line]]]:
    """Each section with the lines below its heading."""
    ends = [section.line - 1 for section in body.sections[1:]] + [len(lines)]
    for section, end in zip(body.sections, ends, strict=False):
        yield section, lines[section.line : end]


def _says_something(line: Line) -> bool:
    if line.kind in {Kind.BLANK, Kind.HEADING, Kind.RULE} or _DEFINITION.fullmatch(line.text):
        return False
    if line.kind is Kind.COMMENT:
        return bool(_said(line.text.rpartition("-->")[2])) and "-->" in line.text
    if line.kind is Kind.CODE:
        return bool(line.text.strip(" \t`~"))
    return bool(_said(line.text[line.content :]))


def _said(text: str) -> str:
    """What a reader sees of a line: no marks, tags, comments, and nothing that is invisible."""
    return _INVISIBLE.sub(" ", _TAG.sub("", plain_text(_BOX.sub("", text, count=1)))).strip(" >|-*+#=")
