"""Daily notes: what their markers archive, and how a note is added to a day (FORMATS, "A generation").

A marker is an HTML comment in one line, outside code and quotes, on a line of its own or, where a file did not end with
a line end, right behind its last character; within a sentence it is only spoken of. An ARCHIVED marker archives the
text above it for the topic of the generation it names; the same note may serve other topics, and text below the marker
is new.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator
from datetime import date, time
from pathlib import PurePosixPath

from memsite.errors import RefusedError
from memsite.memory.appending import appended_block, completed, encode, line_end
from memsite.memory.changeset import Append, Changeset
from memsite.memory.code_spans import without_code_spans
from memsite.memory.later import read_later
from memsite.memory.lines import decode_text, encode_text, split_lines
from memsite.memory.model import DailyNote, Marker, MarkerKind
from memsite.memory.names import parse_generation_name
from memsite.memory.outline import find_title, iter_lines
from memsite.memory.snapshot import Blob
from memsite.patterns import late
from memsite.values import replace

DAILY_FLUSH = "<!-- DAILY_FLUSH -->"
"""The seed's marker of a note that the daily flush created."""
NATIVE_FLUSH = "<!-- NATIVE_FLUSH -->"
"""The seed's marker of a note whose day the daily flush closed."""

_MARKER = late(
    r"<!--\s*(?:ARCHIVED:\s*(?:consolidated into\s+)?(?P<target>(?:(?!-->|<!--).)*?)"
    r"|(?P<flush>DAILY_FLUSH|NATIVE_FLUSH))\s*-->"
)
_MARKER_LINE = late(r"(?! {4}| {0,3}\t).*<!--\s*(?:ARCHIVED:|DAILY_FLUSH|NATIVE_FLUSH)")
_COMMENT = late(r"<!--(?:(?!-->).)*-->")
_BULLET = late(r"^\s*[-*+]\s+$")
_OWN_COMMENT = late(r"<(\\*)!--(?=\s*(?:ARCHIVED|DAILY_FLUSH|NATIVE_FLUSH|memsite:))")
_OPENER = late(r"[ \t>*+0-9.)-]*(?:(?P<fence>`{3,}|~{3,})|<(?P<tag>[A-Za-z]+))")
_LINE = late(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def parse_daily_note(path: PurePosixPath, day: date, label: str, blob: Blob) -> DailyNote:
    """A note of a day; `label` is what follows the date in its name, the title falls back to the file's stem.

    The markers at the end of a text that is cut are on lines below those that are read.
    """
    known = {"day": day, "path": path, "blob": blob, "label": label}
    return read_later(
        DailyNote, known, lambda: {"title": find_title(blob.data, path.stem), "markers": _find_markers(blob)}
    )


def _find_markers(blob: Blob) -> tuple[Marker, ...]:
    markers = tuple(_iter_markers(blob.data))
    if blob.cut:
        above = len(_LINE.findall(decode_text(blob.data)))
        markers += tuple(replace(marker, line=marker.line + above) for marker in _iter_markers(blob.cut.tail))
    return markers


def archived_line(file: PurePosixPath | str) -> str:
    """The marker that a consolidation appends; `file` is the generation, relative to the memory folder."""
    return f"<!-- ARCHIVED: consolidated into {file} -->"


def archived_topic(marker: Marker) -> str | None:
    """The topic that an ARCHIVED marker archives for; None for other markers and for targets that are no generation."""
    name = parse_generation_name(PurePosixPath(marker.target).name) if marker.kind is MarkerKind.ARCHIVED else None
    return name.topic if name else None


def shown_text(note: DailyNote, topic_slug: str) -> str:
    """What the note has below the topic's last ARCHIVED marker; without markers and outer blank lines."""
    return text_without(note, range(1, archived_until(note, topic_slug) + 1))


def text_without(note: DailyNote, left_out: Container[int]) -> str:
    """The note without some of its lines, its markers and outer blank lines."""
    if not note.markers:
        return note.blob.text.strip()
    marked = {marker.line for marker in note.markers}
    kept = ((number, line) for number, line in numbered_lines(note) if number not in left_out)
    return "".join(_MARKER.sub("", line) if number in marked else line for number, line in kept).strip()


def numbered_lines(note: DailyNote) -> Iterator[tuple[int, str]]:
    """Each line of the note with its end."""
    return enumerate(_LINE.findall(note.blob.text), start=1)


def note_length(note: DailyNote) -> int:
    """How many lines a note has, a text that is cut as well; empty ones at its end do not count."""
    return note.blob.cut.lines if note.blob.cut else len(_LINE.findall(note.blob.text.rstrip("\r\n"))) or 1


def fresh_text(note: DailyNote, topic_slug: str) -> str:
    """`shown_text` of a topic: empty when nothing of the note is new for it.

    The heading with which memsite begins a note says nothing yet.
    """
    text = shown_text(note, topic_slug)
    return "" if text == f"# {note.day.isoformat()}" else text


def archived_until(note: DailyNote, topic_slug: str | None = None) -> int:
    """The line of the last ARCHIVED marker, of one topic or of any; 0 without."""
    archived = (marker for marker in note.markers if marker.kind is MarkerKind.ARCHIVED)
    return max((one.line for one in archived if topic_slug in {None, archived_topic(one)}), default=0)


def archived_names(data: bytes) -> frozenset[str]:
    """The file names of the generations into which a note's markers archive it."""
    archived = (marker for marker in _iter_markers(data) if marker.kind is MarkerKind.ARCHIVED)
    return frozenset(PurePosixPath(marker.target).name for marker in archived)


def without_archived(data: bytes, names: Collection[str]) -> bytes:
    """A note without its ARCHIVED markers of the generations with these file names; every other byte stays."""

    def without(match: re.Match[str]) -> str:
        return "" if PurePosixPath(match["target"] or "").name in names else match[0]

    lines = _LINE.findall(decode_text(data))
    for number in {marker.line for marker in _iter_markers(data)} if names else ():
        rest = _MARKER.sub(without, lines[number - 1])
        lines[number - 1] = rest if rest.strip() else ""
    return encode_text("".join(lines))


def plan_note(existing: bytes | None, path: PurePosixPath, day: date, text: str, at: time) -> Changeset:
    """Append what a user wants remembered to the day's note, as it was written, after a blank line.

    A fence, a comment or raw HTML that the file leaves open would swallow it: it is closed first. A file begins
    with the heading `# YYYY-MM-DD`. Markers are memsite's to write: `<!-- ARCHIVED …` in the text becomes
    `<\\!-- ARCHIVED …`, which Markdown shows as it was typed. `at` is when it was said; the message keeps it, since a
    spooled note is committed later.
    """
    if not text.strip():
        raise RefusedError("there is nothing to note", where=path, hint="give the text that is to be remembered")
    note = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    block = _OWN_COMMENT.sub(r"<\1\\!--", note) + "\n"
    message = f"note: {day.isoformat()}\n\nat: {at:%H:%M}\n"
    return Changeset((Append(path, _apart(existing, block), header=note_header(day)),), message)


def note_header(day: date) -> bytes:
    """How a daily note that memsite creates begins."""
    return f"# {day.isoformat()}\n\n".encode()


def archive_append(note: DailyNote, generation: PurePosixPath) -> Append:
    """The Append that archives a note into a generation (its path relative to the memory folder)."""
    return marker_append(note, archived_line(generation))


def marker_append(note: DailyNote, text: str) -> Append:
    """The Append that puts a marker at the end of a note.

    A fence, a comment or raw HTML that the note never closes would swallow the marker: it is closed first. Of a text
    that is cut, the last lines alone are looked at, as when it is read.
    """
    data = completed(note.blob.cut.tail if note.blob.cut else note.blob.data)
    marker = encode(text) + line_end(data)
    closer = next((closer for closer in _iter_closers(data) if _is_read(data, closer + marker)), b"")
    return Append(note.path, closer + marker)


def _iter_markers(data: bytes) -> Iterator[Marker]:
    if b"ARCHIVED:" not in data and b"_FLUSH" not in data:
        return
    for number, line in iter_lines(data, _MARKER_LINE):
        bare = without_code_spans(line)
        for match in _MARKER.finditer(bare):
            if _stands_alone(bare, match):
                kind = MarkerKind[match["flush"]] if match["flush"] else MarkerKind.ARCHIVED
                yield Marker(kind, number, match["target"] or "")


def _stands_alone(line: str, marker: re.Match[str]) -> bool:
    """Whether there is nothing else on the line, but comments or what was appended to without a line end."""
    before = _BULLET.sub("", _COMMENT.sub("", line[: marker.start()]))
    after = _COMMENT.sub("", line[marker.end() :])
    return not after.strip() and (not before.strip() or not before[-1].isspace())


def _is_read(data: bytes, addition: bytes) -> bool:
    """Whether the marker at the end of `addition` is read as one when it follows `data`."""
    whole = data + addition
    last = len(_LINE.findall(decode_text(whole)))
    return any(marker.line == last for marker in _iter_markers(whole))


def _apart(existing: bytes | None, block: str) -> bytes:
    """`appended_block`, behind what closes the fence or the HTML that the file leaves open."""
    data = completed(existing or b"")
    lines, first = split_lines(data), block.partition("\n")[0]
    closers = _iter_closers(data) if lines and lines[-1].unclosed else iter(())
    closer = next((one for one in closers if _begins_a_block(data + one, first)), b"")
    return closer + appended_block(data + closer, block)


def _begins_a_block(data: bytes, line: str) -> bool:
    """Whether a line that is appended after a blank one belongs to nothing before it."""
    last = split_lines(data + appended_block(data, line))[-1]
    return last.block == last.number


def _iter_closers(data: bytes) -> Iterator[bytes]:
    """What may close the block that is still open where a note ends, the likeliest first."""
    newline = line_end(data)
    yield b""
    yield newline
    lines = split_lines(data)
    opener = _OPENER.match(lines[lines[-1].block - 1].text) if lines else None
    inside = " " * lines[lines[-1].block - 1].content if lines else ""
    closers = (opener["fence"], inside + (opener["fence"] or ""), f"</{opener['tag']}>") if opener else ()
    for closer in (*closers, "-->", "?>", "]]>", ">"):
        if closer:
            yield encode(closer) + newline
