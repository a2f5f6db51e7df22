"""What was purged: values and files that must not be rendered any more, named without naming them.

The list stands in the repository, so that every clone and every CI job knows it, and therefore must not hold a value.
A line has a salt, the length of the folded value, a few bits of its beginning (so that the slow digest need be tried on
hardly any place of a text) and a slow, salted digest of it. Whoever can guess a value can still prove the guess: a
purged secret is to be changed, not only hidden.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from hashlib import blake2b, pbkdf2_hmac
from zlib import crc32

from memsite.safety.suppression import SHORTEST, folds, forms
from memsite.values import dataclass

HEADER = (
    "# What `memsite purge` keeps out of everything that is rendered. Salted digests: no value is in here.\n"
    "# Remove a line when the history no longer has what it is about.\n"
)
PLACEHOLDER = "[redacted:purged]"
_ROUNDS = 20_000
_HINT_BITS = 14
_LINE = re.compile(
    r"(?P<kind>value|file) (?P<day>\d{4}-\d\d-\d\d) (?P<salt>[0-9a-f]{32})"
    r"(?: (?P<length>\d{1,6}) (?P<hint>[0-9a-f]{4}))? (?P<digest>[0-9a-f]{64})"
)
_KNOWN = 1_000_000
"""Beginnings whose bits are kept at most."""


@dataclass(frozen=True, slots=True)
class Purge:
    """One line of the list."""

    day: str
    salt: bytes
    digest: bytes
    length: int = 0
    """Folded bytes of the value; 0 for a file."""
    hint: int = 0
    """Bits of its beginning."""

    def __str__(self) -> str:
        about = f" {self.length} {self.hint:04x}" if self.length else ""
        kind = "value" if self.length else "file"
        return f"{kind} {self.day} {self.salt.hex()}{about} {self.digest.hex()}"


def purge_value(value: str, salt: bytes, day: date) -> tuple[Purge, ...]:
    """What the list says of a value: one line for each form that it may have in a text; none if it is too short."""
    pieces = dict.fromkeys(forms(value))
    return tuple(Purge(day.isoformat(), salt, _slow(one, salt), len(one), _hint(one, salt)) for one in pieces)


def purge_file(path: str, salt: bytes, day: date) -> Purge:
    """What the list says of a file, by its path in the workspace."""
    return Purge(day.isoformat(), salt, _quick(path, salt))


def parse_purges(text: str) -> tuple[tuple[Purge, ...], tuple[int, ...]]:
    """The lines of a list, and the numbers of those that say nothing."""
    purges: list[Purge] = []
    wrong: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.fullmatch(line.strip())
        if match and (match["kind"] == "file") == (match["length"] is None):
            salt, digest = bytes.fromhex(match["salt"]), bytes.fromhex(match["digest"])
            purges.append(Purge(match["day"], salt, digest, int(match["length"] or 0), int(match["hint"] or "0", 16)))
        elif line.strip() and not line.startswith("#"):
            wrong.append(number)
    return tuple(dict.fromkeys(purges)), tuple(wrong)


Place = tuple[int, int, int]
"""Where a purged value stands: in which of a text's `folds`, from where, how long."""


class PurgeFinder:
    """Looks for what a list names."""

    def __init__(self, purges: Iterable[Purge]) -> None:
        self._values: dict[bytes, dict[int, list[Purge]]] = defaultdict(lambda: defaultdict(list))
        self._files: dict[bytes, set[bytes]] = defaultdict(set)
        self._hints: dict[bytes, dict[bytes, int]] = defaultdict(dict)
        for one in purges:
            if one.length >= SHORTEST:
                self._values[one.salt][one.hint].append(one)
            elif not one.length:
                self._files[one.salt].add(one.digest)

    def has_file(self, path: str) -> bool:
        """Whether a path of the workspace is named."""
        return any(_quick(path, salt) in digests for salt, digests in self._files.items())

    def places(self, text: str) -> tuple[Place, ...]:
        """Where the values that are named stand in a text."""
        return tuple(
            (number, start, length)
            for number, folded in enumerate(folds(text) if self._values else ())
            for salt, wanted in self._values.items()
            for start, length in self._places(folded, salt, wanted)
        )

    def _places(self, folded: bytes, salt: bytes, wanted: dict[int, list[Purge]]) -> Iterator[tuple[int, int]]:
        known = self._hints[salt]
        if len(known) > _KNOWN:
            known.clear()
        grams = {folded[at : at + SHORTEST] for at in range(len(folded) - SHORTEST + 1)}
        known.update((gram, _hint(gram, salt)) for gram in grams.difference(known))
        for gram in sorted(gram for gram in grams if known[gram] in wanted):
            for at in _occurrences(folded, gram):
                for one in wanted[known[gram]]:
                    piece = folded[at : at + one.length]
                    if len(piece) == one.length and _slow(piece, salt) == one.digest:
                        yield at, one.length


def purged_values(text: str, places: Iterable[Place]) -> tuple[str, ...]:
    """The values at places of a text, folded."""
    kept = tuple(places)
    found = folds(text) if kept else ()
    return tuple(found[number][start : start + length].decode("utf-8", "replace") for number, start, length in kept)


def _occurrences(text: bytes, piece: bytes) -> Iterator[int]:
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)


def _hint(folded: bytes, salt: bytes) -> int:
    # Not secret-keeping, only quick: fourteen bits of a value are given away.
    return crc32(folded[:SHORTEST], crc32(salt)) & ((1 << _HINT_BITS) - 1)


@lru_cache(maxsize=50_000)
def _slow(folded: bytes, salt: bytes) -> bytes:
    return pbkdf2_hmac("sha256", folded, salt, _ROUNDS)


def _quick(path: str, salt: bytes) -> bytes:
    # A path is no secret, and every path of the history is tried.
    return blake2b(path.encode("utf-8", "surrogateescape"), key=salt, digest_size=32).digest()
