"""Daily notes of two machines: what both appended stays, in an order that is the same on both.

A note is what the base became, and what was appended to it. The first parts are merged as text. Of the second parts one
is kept as it is, and the blocks of the other that it lacks are added. The result is read again: if any block did not
come out as it went in (an open fence swallows what follows), git's text merge decides instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memsite.memory.appending import completed, line_end
from memsite.memory.lines import decode_text, encode_text
from memsite.memory.merged import Merged, MergeText, settled
from memsite.memory.note_blocks import Block, BlockKind, follows_directly, is_open, read_blocks


def merge_notes(base: bytes, one: bytes, other: bytes, merge_text: MergeText) -> Merged:
    """Merge two versions of a note; see `merging.merge_daily_note`."""
    merged = _merge_appended(base, one, other, merge_text)
    return Merged(*merge_text(base, one, other)) if merged is None else Merged(merged, conflict=False)


def _merge_appended(base: bytes, one: bytes, other: bytes, merge_text: MergeText) -> bytes | None:
    """The merged note; None where the parts cannot be told apart, contradict each other or do not fit together."""
    heads = [_head(base, side) for side in (one, other)]
    if heads[0] is None or heads[1] is None:
        return None
    kept = base.rstrip(b"\r\n")
    plain = settled(kept, heads[0], heads[1])
    head, conflict = (plain[0], False) if plain else merge_text(kept, heads[0], heads[1])
    tails = [side[len(start) :] for side, start in zip((one, other), (heads[0], heads[1]), strict=True)]
    return None if conflict else _join_tails(head, tails[0], tails[1])


def _head(base: bytes, side: bytes) -> bytes | None:
    """What a side has made of the base: all up to the base's last line, without its end. None when that is gone."""
    kept = base.rstrip(b"\r\n")
    if not kept or (side.startswith(kept) and side[len(kept) : len(kept) + 1] in {b"", b"\r", b"\n"}):
        return kept
    before, lines = kept.split(b"\n"), side.split(b"\n")
    last = before[-1].rstrip(b"\r")
    ends = [number for number, line in enumerate(lines) if line.rstrip(b"\r") == last]
    if not ends:
        return None
    alike = _same_before(before, lines)
    end = max(ends, key=lambda number: (alike[number], -number))
    return b"\n".join(lines[: end + 1]).removesuffix(b"\r")


def _same_before(before: Sequence[bytes], lines: Sequence[bytes]) -> list[int]:
    """For each line, how many lines that end with it are those at the end of the base: the Z-function, backwards."""
    text: list[bytes | None] = [*reversed(before), None, *reversed(lines)]
    lengths = [0] * len(text)
    left = right = 0
    for at in range(1, len(text)):
        length = min(lengths[at - left], right - at) if at < right else 0
        while at + length < len(text) and text[length] == text[at + length]:
            length += 1
        lengths[at] = length
        if at + length > right:
            left, right = at, at + length
    return lengths[: len(before) : -1]


def _join_tails(head: bytes, one: bytes, other: bytes) -> bytes | None:
    blocks = {tail: read_blocks(head, tail)[1] for tail in (one, other)}
    names = {tail: _names(found) for tail, found in blocks.items()}
    holders = [mine for mine, yours in ((one, other), (other, one)) if not names[yours] - names[mine]]
    if holders:
        return head + max(holders, key=lambda tail: (len(tail), tail))
    first, second = sorted((one, other), key=lambda tail: _order(head, tail, blocks[tail]))
    if is_open(head) or is_open(head + first):
        return None
    missing = _missing(blocks[second], names[first])
    joined = _spliced(head, first, missing)
    return joined if _names(read_blocks(head, joined[len(head) :])[1]) == names[first] + _names(missing) else None


def _names(blocks: Sequence[Block]) -> Counter[str]:
    return Counter(block.name for block in blocks)


def _order(head: bytes, tail: bytes, blocks: Sequence[Block]) -> tuple[bool, bool, bytes]:
    """A marker archives the text above it, so what another machine appended goes below it; an open fence goes last."""
    return is_open(head + tail), not any(block.kind is BlockKind.MARKER for block in blocks), tail


def _missing(blocks: Sequence[Block], known: Counter[str]) -> list[Block]:
    left = Counter(known)
    missing: list[Block] = []
    for block in blocks:
        if left[block.name]:
            left[block.name] -= 1
        else:
            missing.append(block)
    return missing


def _spliced(head: bytes, first: bytes, missing: Sequence[Block]) -> bytes:
    """The note with one side's part as it is, and the missing blocks in it."""
    leading, blocks = read_blocks(head, first)
    placed = _placed(blocks, missing)
    newline = line_end(head + first).decode()
    own = {id(block) for block in blocks}
    last = decode_text(completed(head))
    if id(placed[0]) in own or not follows_directly(last, placed[0]):
        last = decode_text(head) + leading
    parts, after_foreign = [last], False
    for block in placed:
        is_foreign = id(block) not in own
        last = parts[-1] = last + ("" if not last or last.endswith("\n") else newline)
        seam = (is_foreign or after_foreign) and not follows_directly(last, block)
        # Each part ends with a block, whose last lines alone decide what may follow it.
        last = (newline if seam else "") + block.text
        parts.append(last)
        after_foreign = is_foreign
    return completed(encode_text("".join(parts)))


def _placed(blocks: Sequence[Block], missing: Sequence[Block]) -> list[Block]:
    """The missing blocks at the end, in the order that they have; but text under no heading goes before the sections
    there, or it would come under one of them.
    """
    before: list[Block] = []
    plain: list[Block] = []
    sections: list[Block] = []
    for block in (*blocks, *missing):
        if block.kind in _ENDS_SECTION:
            before += [*plain, *sections, block]
            plain, sections = [], []
        else:
            (sections if block.kind is BlockKind.SECTION else plain).append(block)
    return [*before, *plain, *sections]


_ENDS_SECTION = frozenset({BlockKind.MARKER, BlockKind.TITLE})
