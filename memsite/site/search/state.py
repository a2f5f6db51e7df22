"""What is known of an index beside its files: enough to change some of them and leave the others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import blake2b
from math import log2
from typing import NamedTuple

from memsite.site.search.packing import pack_digits, pack_id
from memsite.site.search.pieces import DocumentPiece
from memsite.site.search.shards import ShardPlan
from memsite.values import dataclass

DAY_ZERO = 600_000
"""Days are counted from this ordinal (year 1643), so that three characters last beyond the year 3700."""
TEXT_LIMIT = 4_500
"""Average bytes of a file of texts."""


class Row(NamedTuple):
    """What the manifest needs of a document."""

    number: int
    """Its id."""
    kind: str
    superseded: bool
    day: int
    """As of a piece."""
    rest: str
    """What its record ends with: day 3 (0 for none), length 1 (8 x log2), positions of the title 1."""
    size: int
    """Bytes of its text, title and address."""


def row_of(number: int, piece: DocumentPiece) -> Row:
    """The row of a document that has got an id."""
    day = max(piece.day - DAY_ZERO, 1) if piece.day else 0
    rest = pack_digits(day, 3) + pack_digits(round(8 * log2(piece.length + 1)), 1) + pack_digits(piece.title_length, 1)
    size = len(piece.text.encode()) + len(piece.title.encode()) + len(piece.uri)
    return Row(number, piece.kind, piece.superseded, piece.day, rest, size)


@dataclass(frozen=True, slots=True)
class IndexState:
    """An index without what stands in its files."""

    rows: Mapping[str, Row]
    """The documents by URI, by ascending id."""
    sizes: Mapping[str, int]
    """Each term with the length of its postings."""
    plan: ShardPlan
    files: Mapping[str, str]
    """The digest of each file but the manifest, by its name without `.js`."""

    @property
    def order(self) -> list[str]:
        """The packed ids, ascending."""
        return [pack_id(row.number) for row in self.rows.values()]

    def as_text(self) -> str:
        """The state as JSON, for `read_state`."""
        plan = self.plan
        table = [
            [[uri, *row] for uri, row in self.rows.items()],
            "\t".join(self.sizes),
            list(self.sizes.values()),
            [plan.nodes, plan.heavy, plan.summaries],
            self.files,
        ]
        return json.dumps(table, ensure_ascii=False, separators=(",", ":"))


def read_state(text: str) -> IndexState | None:
    """What `as_text` wrote; None for anything else."""
    try:
        rows, terms, sizes, (nodes, heavy, summaries), files = json.loads(text)
        return IndexState(
            {uri: Row(*row) for uri, *row in rows},
            dict(zip(terms.split("\t") if terms else (), sizes, strict=True)),
            ShardPlan(nodes, heavy, summaries),
            files,
        )
    except (ValueError, TypeError):
        return None


def text_files(rows: Iterable[Row]) -> int:
    """How many files hold the texts; grows in steps of a half, so that few builds move every text to another file."""
    total = sum(row.size for row in rows)
    files = 1
    while files * TEXT_LIMIT < total:
        files += max(1, files // 2)
    return files


def manifest(state: IndexState, today: date) -> dict[str, object]:
    """What a browser must know before it loads any other file."""
    rows = state.rows.values()
    kinds = sorted({row.kind for row in rows})
    marks = {
        (kind, superseded): pack_digits(2 * at + superseded, 1)
        for at, kind in enumerate(kinds)
        for superseded in (False, True)
    }
    order = state.order
    records = (f"{name}{marks[row.kind, row.superseded]}{row.rest}" for name, row in zip(order, rows, strict=True))
    version = blake2b("".join(f"{name}\0{state.files[name]}\0" for name in sorted(state.files)).encode(), digest_size=6)
    return {
        "documents": "".join(records),
        "kinds": kinds,
        "nodes": dict(sorted(state.plan.nodes.items())),
        "heavy": dict(sorted(state.plan.heavy.items())),
        "summaries": sorted(state.plan.summaries),
        "newest": max((row.day for row in rows if row.day <= today.toordinal()), default=0),
        "texts": text_files(rows),
        "order": fingerprint(order),
        "version": version.hexdigest(),
    }


def fingerprint(order: Iterable[str]) -> str:
    """A name for the documents and their order. A file of counts begins with it: one of another build counts others."""
    return blake2b("".join(order).encode(), digest_size=4).hexdigest()


def digest_of(script: bytes) -> str:
    """A name for what is in a file."""
    return blake2b(script, digest_size=12).hexdigest()


def make_script(name: str, data: object) -> bytes:
    """A file: one call."""
    return wrap_script(name, pack_json(data))


def wrap_script(name: str, packed: bytes) -> bytes:
    """The same of what is JSON already."""
    return b"%b%b);\n" % (_head(name).encode(), packed)


def pack_json(data: object) -> bytes:
    """JSON as it stands in the files."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def read_script(name: str, script: bytes) -> object:
    """What a file passes on. Raises ValueError for any other file."""
    text = script.decode()
    if not (text.startswith(_head(name)) and text.endswith(");\n")):
        raise ValueError(name)
    return json.loads(text[len(_head(name)) : -3])


def _head(name: str) -> str:
    return f"memsiteSearch({json.dumps(name)},"
