"""Pieces of documents to the files of the index: scripts that each make one call, `memsiteSearch(name, data)`."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import chain

from memsite.errors import RefusedError
from memsite.site.crew import do_all
from memsite.site.search.documents import SearchDocument
from memsite.site.search.packing import number_uris, pack_counts, pack_id
from memsite.site.search.pieces import DocumentPiece, index_document
from memsite.site.search.shards import (
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
"""Documents whose postings are joined at once, by whichever process: millions of small texts for all of them would take
more room than the whole index does.
"""
FEWEST_PARTS = 3
"""So many times that, for which a second process is worth its start."""


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


def assemble(
    pieces: Mapping[str, DocumentPiece],
    today: date = date.max,
    write: Callable[[str, bytes], None] | None = None,
    begin: Callable[[Iterable[str]], None] = lambda _paths: None,
) -> Assembled:
    """The index of kept pieces by URI; the same bytes in whatever order the pieces come.

    How recent a document is counts from the newest day up to `today`: one slip in a date must not make all else old.
    All cores make it: with `write`, which gets each file's path and bytes, whoever makes a file gives it away, and only
    the manifest is among the `files`. `begin` hears of all paths before.
    """
    draft = Draft(pieces)
    begin(map(script_path, draft.names))

    def make(job: int) -> list[tuple[str, str, bytes]]:
        made = [(name, digest_of(script), script) for name, script in draft.make(job)]
        if write is None:
            return made
        for name, _, script in made:
            write(script_path(name), script)
        return [(name, digest, b"") for name, digest, _ in made]

    made = list(chain.from_iterable(do_all(draft.jobs, make)))
    scripts = {} if write else {name: script for name, _, script in made}
    state = IndexState(draft.rows, draft.sizes, draft.plan, {name: digest for name, digest, _ in made})
    return finish(scripts, state, today)


def finish(scripts: Mapping[str, bytes], state: IndexState, today: date) -> Assembled:
    """An index of which all files are made but the manifest."""
    made = {**scripts, "manifest": make_script("manifest", manifest(state, today))}
    return Assembled({script_path(name): script for name, script in sorted(made.items())}, state)


class Draft:
    """An index of which the postings are known and no file is made yet."""

    def __init__(self, pieces: Mapping[str, DocumentPiece]) -> None:
        self._pieces = pieces
        self._uris = list(number_uris(set(pieces)).items())
        self.rows: dict[str, Row] = {}
        """The documents by URI, by ascending id."""
        self._postings = self._merge()
        self.sizes = {term: len(packed) for term, packed in self._postings.items()}
        self.plan = plan_shards(self.sizes)
        order = [pack_id(row.number) for row in self.rows.values()]
        self._known, self._places = fingerprint(order), {name: at for at, name in enumerate(order)}
        self._terms = sorted(self.sizes)
        self._texts = self._divide_texts()
        heavy = sorted(self.plan.heavy, key=lambda term: -self.sizes[term])
        self._jobs: list[Callable[[], Iterator[tuple[str, bytes]]]] = [  # what takes longest is begun first
            *(partial(self._heavy_scripts, term) for term in heavy),
            *(partial(self._summary, prefix) for prefix in self.plan.summaries),
            *(partial(self._light_script, name) for name in self.plan.files),
            *(partial(self._text_script, file) for file in self._texts),
        ]

    @property
    def jobs(self) -> int:
        """How many there are; any process can do any of them."""
        return len(self._jobs)

    def make(self, job: int) -> Iterator[tuple[str, bytes]]:
        """The files of a job, with their names."""
        return self._jobs[job]()

    @property
    def names(self) -> list[str]:
        """The names of all files, that of the manifest too."""
        positions = (shard_name("p", term, file) for term, files in self.plan.heavy.items() for file in range(files))
        counts = (shard_name("x", term) for term in self.plan.heavy)
        summaries = (shard_name("s", prefix) for prefix in self.plan.summaries)
        return [*self.plan.files, *counts, *positions, *summaries, *map(text_name, self._texts), "manifest"]

    def _merge(self) -> dict[str, str]:
        """Term -> its packed postings, by ascending id."""
        merged: dict[str, str] = {}
        parts = do_all(-(-len(self._uris) // TOGETHER), self._merge_some, fewest=FEWEST_PARTS)
        parts.reverse()
        while parts:  # each is let go of when it is read
            rows, terms, postings = parts.pop()
            self.rows.update(rows)
            for term, packed in zip(terms.split("\t"), postings.split("\t"), strict=True) if terms else ():
                merged[term] = merged.get(term, "") + packed
        return merged

    def _merge_some(self, part: int) -> tuple[list[tuple[str, Row]], str, str]:
        """Of the documents of one part: their rows, their terms and the postings of these, separated by tabs."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        rows: list[tuple[str, Row]] = []
        for uri, number in self._uris[part * TOGETHER : (part + 1) * TOGETHER]:
            piece = self._pieces[uri]
            rows.append((uri, row_of(number, piece)))
            packed = pack_id(number)
            for term, positions in piece.postings():
                found[term].append(packed + positions)
        return rows, "\t".join(found), "\t".join(map("".join, found.values()))

    def _divide_texts(self) -> dict[int, list[str]]:
        """The documents whose texts stand together in a file."""
        files = text_files(self.rows.values())
        contents: defaultdict[int, list[str]] = defaultdict(list)
        for uri, row in self.rows.items():
            contents[row.number % files].append(uri)
        return contents

    def _light_script(self, name: str) -> Iterator[tuple[str, bytes]]:
        yield name, make_script(name, {term: self._postings[term] for term in self.plan.files[name]})

    def _heavy_scripts(self, term: str) -> Iterator[tuple[str, bytes]]:
        name = shard_name("x", term)
        by_document = split_postings(self._postings[term])
        yield name, make_script(name, self._known + pack_counts(count_positions(by_document, self._places)))
        for file, part in enumerate(divide_postings(by_document, self.plan.heavy[term])):
            name = shard_name("p", term, file)
            yield name, make_script(name, part)

    def _summary(self, prefix: str) -> Iterator[tuple[str, bytes]]:
        name = shard_name("s", prefix)
        counts = summarize((self._postings[term] for term in below(self._terms, prefix)), self._places)
        yield name, make_script(name, self._known + pack_counts(counts))

    def _text_script(self, file: int) -> Iterator[tuple[str, bytes]]:
        shown = ((self.rows[uri].number, self._pieces[uri]) for uri in self._texts[file])
        texts = (
            b'"%b":%b' % (pack_id(number).encode(), pack_json([piece.uri, piece.title, piece.text]))
            for number, piece in shown
        )
        yield text_name(file), wrap_script(text_name(file), b"{%b}" % b",".join(texts))


def below(terms: Sequence[str], prefix: str) -> Sequence[str]:
    """Of sorted terms those that begin with a prefix."""
    return terms[bisect_left(terms, prefix) : bisect_left(terms, prefix + "\U0010ffff")]


def text_name(file: int) -> str:
    """The name of a file of texts."""
    return f"d-{file:x}"
