r"""Numbers and postings as printable ASCII without `"` and `\`, so that a shard is plain JSON and easily read.

The 92 characters fall into three classes, from which a reader sees where everything ends: `!`..`?` end a number,
`@`..`^` continue one, `_`..`~` begin a document id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

ALPHABET = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\')
_LAST, _MORE, _HEAD = ALPHABET[:30], ALPHABET[30:60], ALPHABET[60:]
_DIGITS = len(ALPHABET)
_VALUES = {character: value for value, character in enumerate(ALPHABET)}
ID_SPACE = len(_HEAD) * _DIGITS**3
"""How many document ids there are: 24.9 million."""
_HEADROOM = 1 << 16
"""Ids that no hash takes, so that moving up from a taken id never leaves the space."""


def pack_number(number: int) -> str:
    """A number of 0 or more in base 30, at least one character."""
    digits = _LAST[number % 30]
    while number := number // 30:
        digits = _MORE[number % 30] + digits
    return digits


PACKED = tuple(pack_number(number) for number in range(4096))
"""`pack_number` of the numbers that nearly all positions are."""


def pack_digits(number: int, width: int) -> str:
    """A number in exactly `width` characters in base 92; one that does not fit becomes the largest that does."""
    number = min(max(number, 0), _DIGITS**width - 1)
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, _DIGITS)
        digits = ALPHABET[digit] + digits
    return digits


def pack_id(number: int) -> str:
    """A document id in four characters; ids sort as their numbers do."""
    return _HEAD[number // _DIGITS**3] + pack_digits(number % _DIGITS**3, 3)


def unpack_id(packed: str) -> int:
    """The number of an id."""
    number = _HEAD.index(packed[0])
    for digit in packed[1:]:
        number = number * _DIGITS + _VALUES[digit]
    return number


def pack_counts(counts: Mapping[str, int], order: Sequence[str]) -> str:
    """How often each document has something: a character for each that has, another for up to 32 between them.

    `order` has all documents; a reader must have them in the same order. Counts past 30 become 30.
    """
    packed: list[str] = []
    skipped = 0
    for number in order:
        count = counts.get(number, 0)
        if not count:
            skipped += 1
            continue
        packed += [_HEAD[-1]] * (skipped // len(_HEAD))
        if skipped % len(_HEAD):
            packed.append(_HEAD[skipped % len(_HEAD) - 1])
        skipped = 0
        packed.append(_LAST[min(count, len(_LAST)) - 1])
    return "".join(packed)


def hash_uri(uri: str) -> int:
    """Where a document wants to stand among the ids: a hash of its URI, so that neighbours do not move it."""
    digest = blake2b(uri.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % (ID_SPACE - _HEADROOM)


def number_uris(uris: set[str]) -> dict[str, int]:
    """An id for each URI, ascending: its hash, or the next free one. Depends on the set alone."""
    numbers: dict[str, int] = {}
    taken = -1
    for wanted, uri in sorted((hash_uri(uri), uri) for uri in uris):
        taken = max(wanted, taken + 1)
        numbers[uri] = taken
    return numbers
