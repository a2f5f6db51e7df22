"""The blocks of what was appended to a daily note: what two machines may both have, and what must stay together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from enum import Enum
from pathlib import PurePosixPath

from memsite.memory.daily import parse_daily_note
from memsite.memory.lines import Kind, Line, decode_text, split_lines
from memsite.memory.snapshot import Blob
from memsite.values import dataclass


class BlockKind(Enum):
    """What a block is."""

    TITLE = "a heading of the first level"
    SECTION = "another heading with all that is under it"
    PLAIN = "a paragraph, an outermost list item, a table … under no heading of its own"
    MARKER = "a marker on a line of its own"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a note."""

    kind: BlockKind
    text: str
    """As it is, with the blank lines after it."""

    @property
    def name(self) -> str:
        """What makes two blocks the same."""
        return self.text.replace("\r\n", "\n").rstrip()


def read_blocks(head: bytes, tail: bytes) -> tuple[str, tuple[Block, ...]]:
    """The blank lines before the first block of `tail`, and its blocks. `head` is what precedes it in the file."""
    data = head + tail
    text, start = decode_text(data), len(decode_text(head))
    cuts = list(_iter_cuts(data, start))
    ends = [at for at, _ in cuts[1:]] + [len(text)]
    blocks = tuple(Block(kind, text[at:end]) for (at, kind), end in zip(cuts, ends, strict=bool(cuts)))
    return text[start : cuts[0][0] if cuts else len(text)], blocks


def is_open(data: bytes) -> bool:
    """Whether a fence, a comment or raw HTML is open at the end, so that it would take in what is appended."""
    lines = split_lines(data + b"\n\n")
    return lines[-1].unclosed


def follows_directly(before: str, block: Block) -> bool:
    """Whether a block may follow text without a blank line between."""
    lines = before.split("\n")
    ends_blank = not before.strip() or (len(lines) > 1 and not lines[-1] and not lines[-2].strip())
    last = next((line for line in reversed(lines) if line.strip()), "")
    return ends_blank or block.kind is BlockKind.MARKER or bool(_BULLET.match(last) and _BULLET.match(block.text))


_BULLET = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]")


def _iter_cuts(data: bytes, start: int) -> Iterator[tuple[int, BlockKind]]:
    """Where each block begins. What follows a rule belongs to it; what follows a marker begins anew."""
    lines = [line for line in split_lines(data) if line.start >= start and line.kind is not Kind.BLANK]
    levels = {line.block: line.level for line in lines if line.level and not line.item}
    markers = _marker_lines(data)
    in_section, fresh, ruled = False, True, False
    for line in lines:
        kind = _kind(line, levels, markers)
        in_section = kind is BlockKind.SECTION or (in_section and kind is None)
        if kind or fresh or (not in_section and not ruled and _begins(line)):
            yield line.start, kind or BlockKind.PLAIN
        fresh, ruled = kind is BlockKind.MARKER, line.kind is Kind.RULE


def _kind(line: Line, levels: dict[int, int], markers: frozenset[int]) -> BlockKind | None:
    """The kind of the block that a line must begin; None where it need not."""
    if line.number in markers:
        return BlockKind.MARKER
    if line.number in levels:
        return BlockKind.TITLE if levels[line.number] == 1 else BlockKind.SECTION
    return None


def _marker_lines(data: bytes) -> frozenset[int]:
    note = parse_daily_note(PurePosixPath(), date.min, "", Blob("", data))
    lines = re.split(r"\r\n|\r|\n", note.blob.text) if note.markers else []
    alone = (marker.line for marker in note.markers if _is_comment(lines[marker.line - 1].strip()))
    return frozenset(alone)


def _is_comment(text: str) -> bool:
    return text.startswith("<!--") and text.find("-->") == len(text) - 3


def _begins(line: Line) -> bool:
    """Whether a block of Markdown begins here, other than inside a list item."""
    return line.block == line.number and (line.item == 0 or (line.opens > 0 and line.parent == 0))
