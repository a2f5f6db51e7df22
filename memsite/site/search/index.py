"""Pieces of documents to the files of the index: scripts that each make one call, `memsiteSearch(name, data)`."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain

from memsite.errors import RefusedError
from memsite.site.search.documents import SearchDocument
from memsite.site.search.packing import number_uris, pack_counts, pack_id
from memsite.site.search.pieces import DocumentPiece, index_document
from memsite.site.search.shards import (
    ShardPlan,
    count_positions,
    divide_postings,
    plan_shards,
    shard_name,
    summarize,
)
from memsite.site.search.state import IndexState, digest_of, fingerprint, make_script, manifest, row_of, text_files
from memsite.values import dataclass

FOLDER = "search/"
"""Where the files stand, relative to the site's root."""
Numbered = Sequence[tuple[int, DocumentPiece]]
"""Pieces with their ids, ascending."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """An index."""

    files: Mapping[str, bytes]
    """Those that were made, by path relative to the site's root."""
    state: IndexState

    @property
    def names(self) -> list[str]:
        """The paths of all of its files, made or left as they were."""
        return [script_path(name) for name in (*self.state.files, "manifest")]


def script_path(name: str) -> str:
    """Where a file of the index stands."""
    return f"{FOLDER}{name}.js"


def build_search(documents: Iterable[SearchDocument], today: date = date.max) -> Mapping[str, bytes]:
    """The files of the index, by path relative to the site's root. Raises RefusedError for two documents at one URI."""
    return assemble((index_document(document) for document in documents), today).files


def assemble(pieces: Iterable[DocumentPiece], today: date = date.max) -> Assembled:
    """The index of kept pieces; the same bytes in whatever order the pieces come.

    How recent a document is counts from the newest day up to `today`: one slip in a date must not make all else old.
    """
    numbered = _number(pieces)
    postings = _merge(numbered)
    sizes = {term: len(packed) for term, packed in postings.items()}
    plan = plan_shards(sizes)
    rows = {piece.uri: row_of(number, piece) for number, piece in numbered}
    order = [pack_id(number) for number, _ in numbered]
    scripts = dict(chain(_term_scripts(plan, postings, order), _text_scripts(numbered, text_files(rows.values()))))
    return finish(
        scripts, IndexState(rows, sizes, plan, {name: digest_of(made) for name, made in scripts.items()}), today
    )


def finish(scripts: Mapping[str, bytes], state: IndexState, today: date) -> Assembled:
    """An index of which all files are made but the manifest."""
    made = {**scripts, "manifest": make_script("manifest", manifest(state, today))}
    return Assembled({script_path(name): script for name, script in sorted(made.items())}, state)


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
        for term, positions in piece.postings():
            merged[term].append(packed + positions)
    return {term: "".join(parts) for term, parts in merged.items()}


def _term_scripts(plan: ShardPlan, postings: Mapping[str, str], order: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    known, places = fingerprint(order), {name: at for at, name in enumerate(order)}
    for name, terms in plan.files.items():
        yield name, make_script(name, {term: postings[term] for term in terms})
    for term, files in plan.heavy.items():
        name = shard_name("x", term)
        yield name, make_script(name, known + pack_counts(count_positions(postings[term], places)))
        for file, part in enumerate(divide_postings(postings[term], files)):
            name = shard_name("p", term, file)
            yield name, make_script(name, part)
    terms = sorted(postings)
    for prefix in plan.summaries:
        name = shard_name("s", prefix)
        counts = summarize((postings[term] for term in below(terms, prefix)), places)
        yield name, make_script(name, known + pack_counts(counts))


def below(terms: Sequence[str], prefix: str) -> Sequence[str]:
    """Of sorted terms those that begin with a prefix."""
    return terms[bisect_left(terms, prefix) : bisect_left(terms, prefix + "\U0010ffff")]


def _text_scripts(numbered: Numbered, files: int) -> Iterator[tuple[str, bytes]]:
    texts: defaultdict[int, dict[str, list[str]]] = defaultdict(dict)
    for number, piece in numbered:
        texts[number % files][pack_id(number)] = [piece.uri, piece.title, piece.text]
    for file, content in texts.items():
        name = text_name(file)
        yield name, make_script(name, content)


def text_name(file: int) -> str:
    """The name of a file of texts."""
    return f"d-{file:x}"
