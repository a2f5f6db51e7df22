"""Pieces of documents to the files of the index: scripts that each make one call, `memsiteSearch(name, data)`."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import blake2b
from itertools import chain
from math import log2

from memsite.errors import RefusedError
from memsite.site.search.documents import SearchDocument
from memsite.site.search.packing import number_uris, pack_counts, pack_digits, pack_id
from memsite.site.search.pieces import DocumentPiece, index_document
from memsite.site.search.shards import (
    ShardPlan,
    count_positions,
    divide_postings,
    plan_shards,
    shard_name,
    summarize,
)

FOLDER = "search/"
"""Where the files stand, relative to the site's root."""
DAY_ZERO = 600_000
"""Days are counted from this ordinal (year 1643), so that three characters last beyond the year 3700."""
TEXT_LIMIT = 4_500
"""Average bytes of a file of texts."""
Numbered = Sequence[tuple[int, DocumentPiece]]
"""Pieces with their ids, ascending."""


def build_search(documents: Iterable[SearchDocument], today: date = date.max) -> dict[str, bytes]:
    """The files of the index, by path relative to the site's root. Raises RefusedError for two documents at one URI."""
    return assemble((index_document(document) for document in documents), today)


def assemble(pieces: Iterable[DocumentPiece], today: date = date.max) -> dict[str, bytes]:
    """The files of the index from kept pieces; the same bytes in whatever order the pieces come.

    How recent a document is counts from the newest day up to `today`: one slip in a date must not make all else old.
    """
    numbered = _number(pieces)
    postings = _merge(numbered)
    plan = plan_shards(postings)
    order = [pack_id(number) for number, _ in numbered]
    scripts = dict(chain(_term_scripts(plan, postings, order), _text_scripts(numbered)))
    version = blake2b(digest_size=6)
    for name in sorted(scripts):
        version.update(scripts[name])
    manifest = {**_manifest(numbered, plan, today), "order": _fingerprint(order), "version": version.hexdigest()}
    scripts["manifest"] = _script("manifest", manifest)
    return {f"{FOLDER}{name}.js": script for name, script in sorted(scripts.items())}


def _number(pieces: Iterable[DocumentPiece]) -> Numbered:
    by_uri: dict[str, DocumentPiece] = {}
    for piece in pieces:
        if piece.uri in by_uri:
            raise RefusedError("two pages have this address", where=piece.uri or "/", hint="rename one of them")
        by_uri[piece.uri] = piece
    return [(number, by_uri[uri]) for uri, number in number_uris(set(by_uri)).items()]


def _merge(numbered: Numbered) -> dict[str, str]:
    """Term -> its packed postings, by ascending id."""
    merged: defaultdict[str, list[str]] = defaultdict(list)
    for number, piece in numbered:
        packed = pack_id(number)
        if piece.terms:
            for term, positions in zip(piece.terms.split("\t"), piece.positions.split("\t"), strict=True):
                merged[term].append(packed + positions)
    return {term: "".join(parts) for term, parts in merged.items()}


def _fingerprint(order: Sequence[str]) -> str:
    """A name for the documents and their order. A file of counts begins with it: one of another build counts others."""
    return blake2b("".join(order).encode(), digest_size=4).hexdigest()


def _term_scripts(plan: ShardPlan, postings: Mapping[str, str], order: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    known = _fingerprint(order)
    for name, terms in plan.files.items():
        yield name, _script(name, {term: postings[term] for term in terms})
    for term, files in plan.heavy.items():
        name = shard_name("x", term)
        yield name, _script(name, known + pack_counts(count_positions(postings[term]), order))
        for file, part in enumerate(divide_postings(postings[term], files)):
            name = shard_name("p", term, file)
            yield name, _script(name, part)
    terms = sorted(postings)
    for prefix in plan.summaries:
        name = shard_name("s", prefix)
        first, last = bisect_left(terms, prefix), bisect_left(terms, prefix + "\U0010ffff")
        counts = summarize(postings[term] for term in terms[first:last])
        yield name, _script(name, known + pack_counts(counts, order))


def _text_files(numbered: Numbered) -> int:
    """How many files hold the texts; grows in steps of a half, so that few builds move every text to another file."""
    total = sum(len(piece.text.encode()) + len(piece.title.encode()) + len(piece.uri) for _, piece in numbered)
    files = 1
    while files * TEXT_LIMIT < total:
        files += max(1, files // 2)
    return files


def _text_scripts(numbered: Numbered) -> Iterator[tuple[str, bytes]]:
    files = _text_files(numbered)
    texts: defaultdict[int, dict[str, list[str]]] = defaultdict(dict)
    for number, piece in numbered:
        texts[number % files][pack_id(number)] = [piece.uri, piece.title, piece.text]
    for file, content in texts.items():
        name = f"d-{file:x}"
        yield name, _script(name, content)


def _manifest(numbered: Numbered, plan: ShardPlan, today: date) -> dict[str, object]:
    kinds = sorted({piece.kind for _, piece in numbered})
    return {
        "documents": "".join(_record(number, piece, kinds) for number, piece in numbered),
        "kinds": kinds,
        "nodes": dict(sorted(plan.nodes.items())),
        "heavy": plan.heavy,
        "summaries": sorted(plan.summaries),
        "newest": max((piece.day for _, piece in numbered if piece.day <= today.toordinal()), default=0),
        "texts": _text_files(numbered),
    }


def _record(number: int, piece: DocumentPiece, kinds: Sequence[str]) -> str:
    """Ten characters: id 4, twice the kind (+ 1 if superseded) 1, day 3 (0 for none), length 1 (8 x log2), positions of
    the title 1.
    """
    day = max(piece.day - DAY_ZERO, 1) if piece.day else 0
    return (
        pack_id(number)
        + pack_digits(2 * kinds.index(piece.kind) + piece.superseded, 1)
        + pack_digits(day, 3)
        + pack_digits(round(8 * log2(piece.length + 1)), 1)
        + pack_digits(piece.title_length, 1)
    )


def _script(name: str, data: object) -> bytes:
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"memsiteSearch({json.dumps(name)},{packed});\n".encode()
