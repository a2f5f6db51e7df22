"""Where two texts differ: the blocks between the ends that both share, and the lines that a reader calls new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from memsite.memory.lines import Kind, encode_text, split_lines
from memsite.patterns import late
from memsite.prose.blocks import split_blocks
from memsite.prose.sequences import common_ends, common_pairs, iter_runs

Begins = Callable[[int], bool]
"""Whether what begins at a line of a text can be read without what stands above it."""

_LONG_BLOCK = late(r"(?m)```|~~~|\A\ufeff?---|^ {0,3}<(?!!--[^\n]*-->[ \t]*$)")
"""In a text that has blocks which may have empty lines in them: code, front matter, HTML."""
_SIGNS = ("```", "~~~", "---", "<")
"""What each of its matches has in it: most texts have none, and are looked through for these in a moment."""


CONTEXT = 1
"""Unchanged blocks that stay visible beside a change."""
MIN_FOLD = 3
"""Fewer blocks than this are not worth a fold."""
_APART = CONTEXT + MIN_FOLD + 1
"""Blocks that stay on each side of what is left out between changes: so many that what is shown of them is the same."""
_SHORT = 40
"""Lines of a text in which nothing is left out between changes."""
_HEADING = late(r" {0,3}#")
_ITEM = late(r"[ \t]*[-*+][ \t]")
"""Begins a block wherever it stands, as a number does not."""
_UNDERLINED = late(r"(?m)\S[ \t]*\n {0,3}(?:=+|-+)[ \t]*$")
"""A heading whose sign stands below it."""
_INDENTED = late(r"(?m)^[ \t]*\n(?: {4}|[ ]{0,3}\t)")
"""Code, or what else may be one block with the lines above the empty one."""


def changed_part(old: str, new: str) -> tuple[str, str]:
    """Both texts without the paragraphs, and items of a list, with which both begin and end, and without most of those
    that both have between changes; the headings that changes stand under stay.

    Most commits only add to a long note, or change some entries of a long index.
    """
    before, after = _lines(old), _lines(new)
    begins, begin = _beginnings(before), _beginnings(after)
    head, tail = _same_ends(before, after, begins, begin)
    ends = len(before) - tail, len(after) - tail
    if min(ends) - head < _SHORT:
        return "\n".join(before[head : ends[0]]), "\n".join(after[head : ends[1]])
    first, second = list[str](), list[str]()
    at, to = head, head
    for start, other, length in _between(before[head : ends[0]], after[head : ends[1]], head, begins, begin):
        first += [*before[at:start], ""]
        second += [*after[to:other], ""]
        at, to = start + length, other + length
    return "\n".join([*first, *before[at : ends[0]]]), "\n".join([*second, *after[to : ends[1]]])


def _between(
    before: Sequence[str], after: Sequence[str], head: int, begins: Begins, begin: Begins
) -> Iterator[tuple[int, int, int]]:
    """What can be left out of two texts that begin at line `head`: its first line in each of them, how many lines."""
    for run in iter_runs(before, after):
        lines = before[run.a : run.b]
        if run.equal and len(lines) > 2 * _APART and _has_plain_blocks("\n".join(lines)):
            at, to = head + run.a, head + run.c
            starts = [step for step in range(len(lines)) if begins(at + step) and begin(to + step)]
            far = _far_inside(lines, starts[0] if starts else len(lines))
            inner = [step for step in starts if step in far]
            headings = [place for place, step in enumerate(inner) if _HEADING.match(lines[step])]
            stays = headings[-1] if headings else len(inner)
            for part in (inner[: stays + 1], inner[stays + 1 :]):
                if len(part) > 1:
                    yield at + part[0], to + part[0], part[-1] - part[0]


def _has_plain_blocks(text: str) -> bool:
    """Whether items, headings with `#` and what stands behind empty lines are all the blocks of a text."""
    return not (any(sign in text for sign in _SIGNS) or _UNDERLINED.search(text) or _INDENTED.search(text))


def _far_inside(lines: Sequence[str], first: int) -> range:
    """The lines with enough blocks above and below them. Above line `first` are nested ones, of a list that changed."""
    blocks = [
        at
        for at, line in enumerate(lines)
        if at >= first and (_ITEM.match(line) or (line and at and not lines[at - 1].strip()))
    ]
    return range(blocks[_APART], blocks[-_APART] + 1) if len(blocks) > 2 * _APART else range(0)


def changed_lines(before: Sequence[str], after: Sequence[str]) -> tuple[int, frozenset[int]]:
    """How many lines went, and the indices of those that came. Other line breaks in a block are no change of it."""
    runs = [run for run in iter_runs(before, after) if not run.equal]
    if not runs:
        return 0, frozenset()
    gone, came = _read_alike(before, after)
    removed, added = 0, set[int]()
    for run in runs:
        lost = [at for at in range(run.a, run.b) if at not in gone]
        found = [at for at in range(run.c, run.d) if at not in came]
        removed += len(lost) if any(before[at].strip() for at in lost) else 0
        added.update(found if any(after[at].strip() for at in found) else ())
    return removed, frozenset(added)


def _read_alike(before: Sequence[str], after: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    """The lines, by their indices in each text, of blocks that say the same in both; none of those at both ends."""
    head, tail = _same_ends(before, after, _beginnings(before), _beginnings(after))
    old = split_blocks("\n".join(before[head : len(before) - tail]))
    new = split_blocks("\n".join(after[head : len(after) - tail]))
    pairs = common_pairs([block.key for block in old], [block.key for block in new])
    gone = (line + head - 1 for at, _ in pairs for _, line in old[at].starts)
    came = (line + head - 1 for _, at in pairs for _, line in new[at].starts)
    return frozenset(gone), frozenset(came)


def _same_ends(before: Sequence[str], after: Sequence[str], begins: Begins, begin: Begins) -> tuple[int, int]:
    """How many lines of whole blocks both texts begin with, and how many of the others both end with."""
    head, _ = common_ends(before, after)
    while head and not (begins(head) and begin(head)):
        head -= 1
    _, tail = common_ends(before[head:], after[head:])
    while tail and not (begins(len(before) - tail) and begin(len(after) - tail)):
        tail -= 1
    return head, tail


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _beginnings(lines: Sequence[str]) -> Begins:
    """Whether what begins at a line (counted from 0) can be read without what stands above it."""
    text = "\n".join(lines)
    if not any(sign in text for sign in _SIGNS) or not _LONG_BLOCK.search(text):
        return partial(_follows_end, lines)
    blocks = split_lines(encode_text(text))

    def begins(at: int) -> bool:
        goes_on = at < len(blocks) and blocks[at].kind is Kind.FRONT_MATTER
        open_above = bool(blocks) and blocks[min(at, len(blocks)) - 1].unclosed
        return at == 0 or (not goes_on and not open_above and _follows_end(lines, at))

    return begins


def _follows_end(lines: Sequence[str], at: int) -> bool:
    """The same, where no block has an empty line, a bullet or a `#` at the beginning of a line in it."""
    if at == 0 or at == len(lines):
        return at == 0 or not lines[at - 1].strip()
    if lines[at].startswith((" ", "\t")):
        return False
    return not lines[at - 1].strip() or lines[at].startswith(("- ", "* ", "+ ", "#"))
