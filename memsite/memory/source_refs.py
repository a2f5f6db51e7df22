"""Source references: what a point of a generation stands on (FORMATS, "A generation").

`[2025-03-22]` is a day, `[2025-03-22#L10-L14]` are lines of the day's own note, `[2025-03-22-standup#L3]` is a line of
another note of that day, by what follows the date in its file name. What of such a name could not stand in a reference
is percent-encoded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date

from memsite.memory.code_spans import without_code_spans
from memsite.memory.model import DailyNote, SourceRef
from memsite.memory.names import parse_date

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LINES = r"#L[0-9]{1,7}(?:-L?[0-9]{1,7})?"
_REF = rf"{_DATE}(?:-[^\[\]#,;`\s]+)?(?:{_LINES})?"
_SOURCE_REFS = re.compile(rf"\[({_REF}(?:[ \t]*[,;][ \t]*{_REF})*)\](?![(:])")
_ONE_REF = re.compile(rf"({_DATE})(?:-([^\[\]#,;`\s]+))?(?:#L([0-9]+)(?:-L?([0-9]+))?)?")
Citation = SourceRef | str
"""What a point stands on, or what is written there and can be none."""
_STOPS = (".", "。", ";", "；")


def parse_source_refs(text: str) -> tuple[SourceRef, ...]:
    """Every source reference in a text, outside code spans; impossible ones are left out."""
    return tuple(ref for ref in parse_citations(text) if isinstance(ref, SourceRef))


def parse_citations(text: str) -> tuple[Citation, ...]:
    """The same, with the impossible ones as they are written: `2025-02-30`, `2025-03-04#L9-L2`."""
    found = (ref for _, _, refs in find_citations(without_code_spans(text)) for ref in refs)
    return tuple(dict.fromkeys(found))


def find_citations(text: str) -> Iterator[tuple[int, int, tuple[Citation, ...]]]:
    """Where references in brackets begin and end in a text without code spans, and what stands in the brackets."""
    for match in _SOURCE_REFS.finditer(text):
        refs = _ONE_REF.finditer(match[1])
        yield *match.span(), tuple(_parse_ref(*(part or "" for part in ref.groups())) or ref[0] for ref in refs)


def format_source_ref(ref: Citation) -> str:
    """The reference as a point carries it, with its brackets."""
    if isinstance(ref, str):
        return f"[{ref}]"
    lines = f"#L{ref.first_line}" if ref.first_line else ""
    end = f"-L{ref.last_line}" if ref.first_line and ref.last_line and ref.last_line > ref.first_line else ""
    return f"[{format_note_name(ref.day, ref.label)}{lines}{end}]"


def format_note_name(day: date, label: str) -> str:
    """What a reference calls a note: `2025-03-22`, `2025-03-22-standup`."""
    if not label:
        return day.isoformat()
    return f"{day.isoformat()}-{''.join(char if _is_plain(char) else _encoded(char) for char in label)}"


def parse_label(written: str) -> str:
    """A note's label as a reference writes it -> as its file name has it, in NFC."""
    if "%" in written:
        from urllib.parse import unquote  # here: seldom needed, and slow to load

        written = unquote(written, errors="surrogateescape")
    return unicodedata.normalize("NFC", written)


def without_source_refs(line: str) -> str:
    """A line without the source references at its end; a full stop after them stays."""
    rest = line.rstrip()
    stop = rest[-1:] if rest.endswith(_STOPS) else ""
    bare = rest.removesuffix(stop)
    end = _begin_of_refs(bare)
    return line if end == len(bare) else bare[:end] + stop


def _begin_of_refs(text: str) -> int:
    """Where the references at the end of a text begin, and the space before them."""
    end = len(text)
    while end and text[end - 1] == "]":
        begin = text.rfind("[", 0, end)
        if begin < 0 or not _SOURCE_REFS.fullmatch(text, begin, end):
            break
        end = begin
        while end and text[end - 1].isspace():
            end -= 1
    return end


def find_cited(notes: Iterable[DailyNote], ref: SourceRef) -> tuple[DailyNote, ...]:
    """Those of some notes that a reference means: the named one; by day and line the day's own, or where the day has
    none of its own any of them; by day alone, all of them.
    """
    of_day = tuple(note for note in notes if note.day == ref.day)
    named = tuple(note for note in of_day if is_named(note, ref.day, ref.label))
    return named if ref.label or (ref.first_line and named) else of_day


def is_named(note: DailyNote, day: date, label: str) -> bool:
    """Whether a note is that of a day and label, as a reference has them."""
    return note.day == day and unicodedata.normalize("NFC", note.label) == label


def _parse_ref(day: str, label: str, first: str, last: str) -> SourceRef | None:
    parsed = parse_date(day)
    begin = int(first) if first else None
    end = int(last) if last else begin
    if parsed is None or begin == 0 or (begin and end and end < begin):
        return None
    return SourceRef(parsed, begin, end, parse_label(label))


def _is_plain(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char in "-_.+"
    return char.isprintable() and not char.isspace() and char != "："


def _encoded(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))
