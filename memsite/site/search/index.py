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
    split_postings,
    summarize,
)
from memsite.site.search.state import (
    IndexState,
    Row,
    digest_of,
    fingerprint,
    make_script,
    manifest,
    pack_json,
    row_of,
    text_files,
    wrap_script,
)
from memsite.values import dataclass

FOLDER = "search/"
"""Where the files stand, relative to the site's root."""
TOGETHER = 256
"""Documents whose postings are joined at once: millions of small texts for all of them would take more room than the
whole index does.
"""


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
    pieces: dict[str, DocumentPiece] = {}
    for piece in map(index_document, documents):
        if piece.uri in pieces:
            raise RefusedError("two pages have this address", where=piece.uri or "/", hint="rename one of them")
        pieces[piece.uri] = piece
    return assemble(pieces, today).files


def assemble(pieces: Mapping[str, DocumentPiece], today: date = date.max) -> Assembled:
    """The index of kept pieces by URI; the same bytes in whatever order the pieces come. Each is asked for once.

    How recent a document is counts from the newest day up to `today`: one slip in a date must not make all else old.
    """
    rows: dict[str, Row] = {}
    texts: dict[int, bytes] = {}

    def numbered() -> Iterator[tuple[int, DocumentPiece]]:
        for uri, number in number_uris(set(pieces)).items():
            piece = pieces[uri]
            rows[uri] = row_of(number, piece)
            texts[number] = pack_json([piece.uri, piece.title, piece.text])
            yield number, piece

    postings = _merge(numbered())
    sizes = {term: len(packed) for term, packed in postings.items()}
    plan = plan_shards(sizes)
    order = [pack_id(row.number) for row in rows.values()]
    scripts = dict(chain(_term_scripts(plan, postings, order), _text_scripts(texts, text_files(rows.values()))))
    return finish(
        scripts, IndexState(rows, sizes, plan, {name: digest_of(made) for name, made in scripts.items()}), today
    )


def finish(scripts: Mapping[str, bytes], state: IndexState, today: date) -> Assembled:
    """An index of which all files are made but the manifest."""
    made = {**scripts, "manifest": make_script("manifest", manifest(state, today))}
    return Assembled({script_path(name): script for name, script in sorted(made.items())}, state)


def _merge(numbered: Iterable[tuple[int, DocumentPiece]]) -> dict[str, str]:
    """Term -> its packed postings, by ascending id."""
    merged: dict[str, str] = {}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for count, (number, piece) in enumerate(numbered, start=1):
        packed = pack_id(number)
        for term, positions in piece.postings():
            found[term].append(packed + positions)
        if count % TOGETHER == 0:
            _add(merged, found)
    _add(merged, found)
    return merged


def _add(merged: dict[str, str], found: dict[str, list[str]]) -> None:
    for term, parts in found.items():
        merged[term] = merged.get(term, "") + "".join(parts)
    found.clear()


def _term_scripts(plan: ShardPlan, postings: Mapping[str, str], order: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    known, places = fingerprint(order), {name: at for at, name in enumerate(order)}
    for name, terms in plan.files.items():
        yield name, make_script(name, {term: postings[term] for term in terms})
    for term, files in plan.heavy.items():
        name = shard_name("x", term)
        by_document = split_postings(postings[term])
        yield name, make_script(name, known + pack_counts(count_positions(by_document, places)))
        for file, part in enumerate(divide_postings(by_document, files)):
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


def _text_scripts(texts: dict[int, bytes], files: int) -> Iterator[tuple[str, bytes]]:
    """`texts` have the JSON of what is shown of documents by their ids, ascending; none of it is left there."""
    contents: defaultdict[int, list[int]] = defaultdict(list)
    for number in texts:
        contents[number % files].append(number)
    for file, numbers in contents.items():
        members = (b'"%b":%b' % (pack_id(number).encode(), texts.pop(number)) for number in numbers)
        yield text_name(file), wrap_script(text_name(file), b"{%b}" % b",".join(members))


def text_name(file: int) -> str:
    """The name of a file of texts."""
    return f"d-{file:x}"
