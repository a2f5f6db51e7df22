r"""Numbers and postings as printable ASCII without `"` and `\`, so that a shard is plain JSON and easily read.

The 92 characters fall into three classes, from which a reader sees where everything ends: `!`..`?` end a number,
`@`..`^` continue one, `_`..`~` begin a document id.
"""

from __future__ import annotations

import re
from functools import lru_cache
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


@lru_cache(maxsize=1 << 16)
def unpack_id(packed: str) -> int:
    """The number of an id."""
    number = _HEAD.index(packed[0])
    for digit in packed[1:]:
        number = number * _DIGITS + _VALUES[digit]
    return number


MOST_COUNTED = len(_LAST)
"""What a count can say; more become this."""
_COUNTS = bytes([0, *map(ord, _LAST), *[ord(_LAST[-1])] * (255 - len(_LAST))])
_COUNTED = {ord(sign): bytes([count]) for count, sign in enumerate(_LAST, start=1)}
_SKIPPED = {ord(sign): bytes(most) for most, sign in enumerate(_HEAD, start=1)}
_UNPACKED = tuple({**_COUNTED, **_SKIPPED}.get(code, b"\0") for code in range(256))
"""What each character says of documents: how often the next one has it, or how many do not."""
_NONE = re.compile(b"(\0+)")


def pack_counts(counts: bytes | bytearray) -> str:
    """How often each document has something, by its place in an order that a reader must have, too: a character for
    each that has, another for up to 32 between them.
    """
    parts = _NONE.split(counts.rstrip(b"\0").translate(_COUNTS))
    parts[1::2] = [_skip(len(none)) for none in parts[1::2]]
    return b"".join(parts).decode()


@lru_cache(maxsize=1 << 12)
def _skip(documents: int) -> bytes:
    most, rest = divmod(documents, len(_HEAD))
    return (_HEAD[-1] * most + (_HEAD[rest - 1] if rest else "")).encode()


def unpack_counts(packed: str, length: int) -> bytearray:
    """The counts of `length` documents that `pack_counts` packed."""
    return bytearray(b"".join([_UNPACKED[code] for code in packed.encode()]).ljust(length, b"\0"))


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
