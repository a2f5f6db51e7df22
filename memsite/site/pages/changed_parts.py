"""Where two texts differ: the blocks between the ends that both share, and the lines that a reader calls new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from memsite.memory.lines import Kind, encode_text, split_lines
from memsite.memory.snapshot import Blob
from memsite.patterns import late
from memsite.prose.blocks import split_blocks
from memsite.prose.sequences import common_ends, common_pairs, iter_runs
from memsite.site.pages.common_bytes import trimmed_texts
from memsite.values import dataclass

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
_PLAIN_ITEM = late(r"( *)[-*+] (?=[^|]*\w)[^|]*\Z")
"""An item that is one wherever it stands below another one: no rule, no row of a table."""
_UNDERLINED = late(r"\n {0,3}(?:=+|-+)[ \t]*(?:\n|\Z)")
"""A heading whose sign stands below it."""
_INDENTED = late(r"\n[ \t]*\n(?: {4}|[ ]{0,3}\t)")
"""Code, or what else may be one block with the lines above the empty one."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as it is compared here."""

    lines: Sequence[str]
    begins: Begins
    is_simple: bool
    """Whether none of its blocks may have an empty line in it (`_LONG_BLOCK`)."""
    has_signs: bool
    """Whether one of `_SIGNS` may be in it."""


@lru_cache(maxsize=4)
def _read(text: str) -> _Text:
    """A text by its lines. One version of a file is compared with that before it, and then with that after it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines, has_signs = text.split("\n"), _has_signs(text)
    begins = _beginnings(lines) if has_signs else partial(_follows_end, lines)
    return _Text(lines, begins, isinstance(begins, partial), has_signs)


@lru_cache(maxsize=4)
def _read_simple(text: str) -> _Text:
    """A text that is known to be simple, with line feeds for line ends."""
    lines = text.split("\n")
    return _Text(lines, partial(_follows_end, lines), is_simple=True, has_signs=True)


def _has_signs(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


def changed_part_of(old: Blob, new: Blob) -> tuple[str, str]:
    """`changed_part` of the texts of two files. Of most of them only what is near a change is decoded and read."""
    trimmed = trimmed_texts(old, new)
    return _changed(*map(_read_simple, trimmed)) if trimmed else changed_part(old.text, new.text)


def changed_part(old: str, new: str) -> tuple[str, str]:
    """Both texts without the paragraphs, and items of a list, with which both begin and end, and without most of those
    that both have between changes; the headings that changes stand under stay.

    Most commits only add to a long note, or change some entries of a long index.
    """
    return _changed(_read(old), _read(new))


def _changed(before: _Text, after: _Text) -> tuple[str, str]:
    head, tail = _same_ends(before.lines, after.lines, before.begins, after.begins)
    ends = len(before.lines) - tail, len(after.lines) - tail
    if min(ends) - head < _SHORT:
        return "\n".join(before.lines[head : ends[0]]), "\n".join(after.lines[head : ends[1]])
    first, second = list[str](), list[str]()
    at, to = head, head
    for start, other, length in _between(before, after, head, ends):
        apart = [] if before.lines[start].startswith(" ") else [""]
        first += [*before.lines[at:start], *apart]
        second += [*after.lines[to:other], *apart]
        at, to = start + length, other + length
    return "\n".join([*first, *before.lines[at : ends[0]]]), "\n".join([*second, *after.lines[to : ends[1]]])


def _between(before: _Text, after: _Text, head: int, ends: tuple[int, int]) -> Iterator[tuple[int, int, int]]:
    """What can be left out of two texts from line `head` to their `ends`: its first line in each of them, how many
    lines.
    """
    for run in iter_runs(before.lines[head : ends[0]], after.lines[head : ends[1]]):
        at, to, last = head + run.a, head + run.c, (head + run.b, head + run.d) == ends
        lines = before.lines[at : head + run.b]
        if run.equal and len(lines) > _APART and _has_plain_blocks(lines, maybe_signs=before.has_signs):
            starts = _starts(before, at, after, to, len(lines))
            goes_on = _is_in_same_list(before, at, after, to)
            blocks = _blocks(lines, 0 if goes_on else starts[0] if starts else len(lines))
            parts = _whole_parts(lines, starts, blocks)
            if before.is_simple and after.is_simple and len(blocks) > _APART:
                is_first = run.a == run.c == 0 and (goes_on or starts[:1] == [0])
                begin = 0 if is_first else blocks[_APART]
                end = len(lines) if last else blocks[-_APART]
                parts = sorted([*parts, *_nested_parts(lines, goes_on, begin, end, parts)])
            yield from ((at + start, to + start, stop - start) for start, stop in parts)


def _starts(before: _Text, at: int, after: _Text, to: int, length: int) -> list[int]:
    """Where something begins in both texts, by its line in a stretch that both have."""
    if not (before.is_simple and after.is_simple):
        return [step for step in range(length) if before.begins(at + step) and after.begins(to + step)]
    first = [0] if before.begins(at) and after.begins(to) else []
    return first + [step for step in range(1, length) if before.begins(at + step)]  # the lines above are the same, too


def _has_plain_blocks(lines: Sequence[str], *, maybe_signs: bool) -> bool:
    """Whether items, headings with `#` and what stands behind empty lines are all the blocks of a text."""
    text = "\n".join(["", *lines])
    return not ((maybe_signs and _has_signs(text)) or _UNDERLINED.search(text) or _INDENTED.search(text))


def _blocks(lines: Sequence[str], first: int) -> list[int]:
    """Where blocks begin, from line `first` on: those above are nested ones, of a list that changed."""
    return [
        at
        for at, line in enumerate(lines)
        if at >= first and (_ITEM.match(line) or (line and at and not lines[at - 1].strip()))
    ]


def _whole_parts(lines: Sequence[str], starts: Sequence[int], blocks: Sequence[int]) -> list[tuple[int, int]]:
    """The parts of an unchanged stretch, with enough blocks above and below them, that begin and end with a beginning;
    the last heading stays.
    """
    far = range(blocks[_APART], blocks[-_APART] + 1) if len(blocks) > 2 * _APART else range(0)
    inner = [step for step in starts if step in far]
    headings = [place for place, step in enumerate(inner) if _HEADING.match(lines[step])]
    stays = headings[-1] if headings else len(inner)
    return [(part[0], part[-1]) for part in (inner[: stays + 1], inner[stays + 1 :]) if len(part) > 1]


def _is_in_same_list(before: _Text, at: int, after: _Text, to: int) -> bool:
    """Whether what begins at a line of each text stands in the same list, as deep."""
    return bool(above := _items_above(before.lines, at)) and above == _items_above(after.lines, to)


def _items_above(lines: Sequence[str], at: int) -> list[int]:
    """The indents of the items that a line can stand in; none where not all lines up to the outermost are items."""
    indents: list[int] = []
    while at and (item := _PLAIN_ITEM.match(lines[at := at - 1])):
        if not indents or len(item[1]) < indents[-1]:
            indents.append(len(item[1]))
        if not item[1]:
            return indents
    return []


def _nested_parts(
    lines: Sequence[str], goes_on: bool, begin: int, end: int, apart: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The parts of an unchanged stretch from `begin` to `end`, outside of those `apart`, that begin and end with items
    of one list, or end where the text does.
    """
    indents = list(_indents_of_items(lines, goes_on))
    for (_, start), (stop, _) in pairwise([(begin, begin), *apart, (end, end)]):
        step = start
        while step < stop:
            same = step
            for at in range(step + 1, min(stop + 1, len(lines))):
                if indents[at] < indents[step]:
                    break
                same = at if indents[at] == indents[step] else same
            else:
                same = stop if stop == len(lines) and indents[step] >= 0 else same
            if same > step and indents[step] >= 0:
                yield step, same
            step = max(same, step + 1)


def _indents_of_items(lines: Sequence[str], goes_on: bool) -> Iterator[int]:
    """Of each line of a list all of whose lines are items: its indent; of others -1."""
    for line in lines:
        item = _PLAIN_ITEM.match(line)
        goes_on = item is not None and (goes_on or not item[1])
        yield len(item[1]) if item and goes_on else -1


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


def _beginnings(lines: Sequence[str]) -> Begins:
    """Whether what begins at a line (counted from 0) can be read without what stands above it."""
    text = "\n".join(lines)
    if not _has_signs(text) or not _LONG_BLOCK.search(text):
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
