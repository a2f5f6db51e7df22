"""An index brought up to date: of what documents have changed, the files that this touches; the same as a new one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from memsite.site.crew import do_all
from memsite.site.search.index import Assembled, below, finish, text_name
from memsite.site.search.packing import MOST_COUNTED, number_uris, pack_counts, pack_id, unpack_counts, unpack_id
from memsite.site.search.pieces import DocumentPiece
from memsite.site.search.shards import (
    count_positions,
    divide_postings,
    plan_shards,
    positions_in,
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
    read_script,
    row_of,
    text_files,
)

Read = Callable[[str], bytes]
"""The bytes of a file of the index as it was, by its name without `.js`. Raises OSError where it is gone."""
Edits = Mapping[str, tuple[str | None, str | None]]
"""Documents that have a term in another way, by packed id: the positions before and now; None for none."""


class UnsureError(Exception):
    """The index is not what it is said to be, or has changed in a way that is not followed: it must be made anew."""


def patch(
    state: IndexState, read: Read, gone: Iterable[DocumentPiece], come: Iterable[DocumentPiece], today: date
) -> Assembled:
    """The index with some documents taken out and others put in; a changed document is both.

    Files that stay as they were are not among those that are made. Raises UnsureError.
    """
    try:
        return _Patch(state, read, gone, come).assembled(today)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise UnsureError(str(error)) from error


class _Old:
    """The files as they were."""

    def __init__(self, state: IndexState, read: Read) -> None:
        self._state = state
        self._read = read
        self._loaded: dict[str, Any] = {}

    def load(self, name: str) -> Any:
        """What a file passes on."""
        if name not in self._loaded:
            script = self._read(name)
            if digest_of(script) != self._state.files[name]:
                raise UnsureError(name)
            self._loaded[name] = read_script(name, script)
        return self._loaded[name]

    def postings(self, term: str) -> str:
        """The postings of a term; empty for one that was not there."""
        plan = self._state.plan
        if term in plan.heavy:
            parts = [self.load(shard_name("p", term, file)) for file in range(plan.heavy[term])]
            return _joined({name: where for part in parts for name, where in split_postings(part).items()})
        if term not in self._state.sizes:
            return ""
        packed: str = self.load(plan.file_of(term))[term]
        return packed

    def counts(self, name: str) -> bytearray:
        """A file of counts, by the places that the documents had."""
        return unpack_counts(self.load(name)[len(fingerprint(())) :], len(self._state.rows))


class _Patch:
    def __init__(
        self, state: IndexState, read: Read, gone: Iterable[DocumentPiece], come: Iterable[DocumentPiece]
    ) -> None:
        self._before = state
        self._old = _Old(state, read)
        self._gone = {piece.uri: piece for piece in gone}
        self._come = {piece.uri: piece for piece in come}
        self._rows = self._number()
        self._edits = self._edit()
        self._sizes = self._measure()
        self._plan = plan_shards(self._sizes)
        order = [pack_id(row.number) for row in self._rows.values()]
        self._known = fingerprint(order)
        self._places = {name: at for at, name in enumerate(order)}
        left, entered = state.rows.keys() - self._rows.keys(), self._rows.keys() - state.rows.keys()
        self._left = [at for at, uri in enumerate(state.rows) if uri in left]
        self._entered = [at for at, uri in enumerate(self._rows) if uri in entered]
        self._files: dict[str, str] = {}
        self._scripts: dict[str, bytes] = {}

    def assembled(self, today: date) -> Assembled:
        """The files that are others now, made by all cores."""
        terms, pieces = sorted(self._sizes), self._terms_of_pieces()
        jobs: list[Callable[[], None]] = [self._add_terms, self._add_texts]
        jobs += [partial(self._add_heavy, term, parts) for term, parts in self._plan.heavy.items()]
        jobs += [partial(self._add_summary, prefix, terms, pieces) for prefix in self._plan.summaries]
        scripts: dict[str, bytes] = {}
        files: dict[str, str] = {}
        for made, digests in do_all(len(jobs), lambda number: self._made_by(jobs[number])):
            scripts |= made
            files |= digests
        return finish(scripts, IndexState(self._rows, self._sizes, self._plan, files), today)

    def _made_by(self, job: Callable[[], None]) -> tuple[Mapping[str, bytes], Mapping[str, str]]:
        """The files that a job makes, and the digests of all that it is asked for."""
        self._scripts, self._files = {}, {}
        job()
        return self._scripts, self._files

    def _number(self) -> Mapping[str, Row]:
        """The rows as they are to be. A document whose id moves because another has come or gone is not followed."""
        before = self._before.rows
        if self._gone.keys() - before.keys() or (self._come.keys() & before.keys()) - self._gone.keys():
            raise UnsureError("other documents")
        numbers = number_uris({*(before.keys() - self._gone.keys()), *self._come})
        if any(numbers.get(uri, row.number) != row.number for uri, row in before.items()):
            raise UnsureError("moved documents")
        come = {uri: row_of(numbers[uri], piece) for uri, piece in self._come.items()}
        return {uri: come.get(uri) or before[uri] for uri in numbers}

    def _edit(self) -> Mapping[str, Edits]:
        """By term: the documents that have it in another way."""
        edits: defaultdict[str, dict[str, tuple[str | None, str | None]]] = defaultdict(dict)
        for uri in {**self._gone, **self._come}:
            name = pack_id((self._rows.get(uri) or self._before.rows[uri]).number)
            old, new = (dict(pieces[uri].postings()) if uri in pieces else {} for pieces in (self._gone, self._come))
            for term in old.keys() | new.keys():
                if old.get(term) != new.get(term):
                    edits[term][name] = (old.get(term), new.get(term))
        return edits

    def _measure(self) -> Mapping[str, int]:
        """The length of each term's postings, as they are to be."""
        sizes = dict(self._before.sizes)
        length = len(pack_id(0))
        for sign, pieces in ((-1, self._gone), (1, self._come)):
            for piece in pieces.values():
                for term, positions in piece.postings():
                    sizes[term] = sizes.get(term, 0) + sign * (length + len(positions))
        for term in self._edits:
            if not sizes[term]:
                del sizes[term]
        return sizes

    def _make(self, name: str, data: object) -> None:
        self._scripts[name] = make_script(name, data)
        self._files[name] = digest_of(self._scripts[name])

    def _leave(self, name: str) -> None:
        self._files[name] = self._before.files[name]

    def _postings(self, term: str) -> str:
        """The postings of a term as they are to be."""
        packed, edits = self._old.postings(term), self._edits.get(term)
        return _edited(packed, edits) if edits else packed

    def _add_terms(self) -> None:
        touched = {self._plan.file_of(term) for term in self._edits if term not in self._plan.heavy}
        old, new = self._before.plan, self._plan
        if (old.nodes, old.heavy) != (new.nodes, new.heavy):
            before = plan_shards(self._before.sizes).files
            touched |= {name for name, terms in new.files.items() if before.get(name) != terms}
        for name, terms in new.files.items():
            if name in touched:
                self._make(name, {term: self._postings(term) for term in terms})
            else:
                self._leave(name)

    def _add_heavy(self, term: str, files: int) -> None:
        counts, edits = shard_name("x", term), self._edits.get(term, {})
        if self._before.plan.heavy.get(term) != files:
            by_document = split_postings(self._postings(term))
            for file, part in enumerate(divide_postings(by_document, files)):
                self._make(shard_name("p", term, file), part)
            self._make(counts, self._known + pack_counts(count_positions(by_document, self._places)))
            return
        divided: defaultdict[int, dict[str, tuple[str | None, str | None]]] = defaultdict(dict)
        for document, edit in edits.items():
            divided[unpack_id(document) % files][document] = edit
        for file in range(files):
            name = shard_name("p", term, file)
            if file in divided:
                self._make(name, _edited(self._old.load(name), divided[file]))
            else:
                self._leave(name)
        self._recount(counts, {document: positions_in(now or "") for document, (_, now) in edits.items()})

    def _add_summary(self, prefix: str, terms: Sequence[str], pieces: tuple[_Terms, _Terms]) -> None:
        name = shard_name("s", prefix)
        if name not in self._before.files:
            packed = (self._postings(term) for term in below(terms, prefix))
            self._make(name, self._known + pack_counts(summarize(packed, self._places)))
            return
        old, new = ({one: len(below(its, prefix)) for one, its in documents.items()} for documents in pieces)
        self._recount(name, {one: new.get(one, 0) for one in old | new if old.get(one, 0) != new.get(one, 0)})

    def _recount(self, name: str, changed: Mapping[str, int]) -> None:
        """A file of counts, some of which are others now."""
        if not (changed or self._left or self._entered):
            self._leave(name)
            return
        counts = self._old.counts(name)
        for place in reversed(self._left):
            del counts[place]
        for place in self._entered:
            counts.insert(place, 0)
        for document, count in changed.items():
            if document in self._places:
                counts[self._places[document]] = min(count, MOST_COUNTED)
        self._make(name, self._known + pack_counts(counts))

    def _terms_of_pieces(self) -> tuple[_Terms, _Terms]:
        """The sorted terms of the documents that go and of those that come, by packed id."""
        gone = {
            pack_id(self._before.rows[uri].number): sorted(piece.terms.split("\t")) for uri, piece in self._gone.items()
        }
        come = {pack_id(self._rows[uri].number): sorted(piece.terms.split("\t")) for uri, piece in self._come.items()}
        return gone, come

    def _add_texts(self) -> None:
        files, before = text_files(self._rows.values()), self._before.rows
        moved = [before[uri].number for uri in self._gone] + [self._rows[uri].number for uri in self._come]
        touched = {number % files for number in moved}
        if files != text_files(before.values()):
            touched = set(range(files))
            names = [name for name in self._before.files if name.startswith(text_name(0)[0])]
        else:
            names = [name for name in map(text_name, touched) if name in self._before.files]
        texts = {one: text for name in names for one, text in self._old.load(name).items()}
        for uri in self._gone:
            del texts[pack_id(before[uri].number)]
        for uri, piece in self._come.items():
            texts[pack_id(self._rows[uri].number)] = [piece.uri, piece.title, piece.text]
        contents: defaultdict[int, dict[str, object]] = defaultdict(dict)
        for one in sorted(texts):
            contents[unpack_id(one) % files][one] = texts[one]
        for file in sorted({row.number % files for row in self._rows.values()}):
            if file in touched:
                self._make(text_name(file), contents[file])
            else:
                self._leave(text_name(file))


_Terms = Mapping[str, list[str]]


def _edited(packed: str, edits: Edits) -> str:
    """Postings of which some documents' are others now."""
    rest: dict[str, str | None] = {}
    edited = packed
    for document, (before, now) in edits.items():
        # The same characters may stand in others, too, across an id and its positions; then it is looked for with care.
        if before is not None and edited.count(document + before) == 1:
            edited = edited.replace(document + before, "" if now is None else document + now)
        else:
            rest[document] = now
    if not rest:
        return edited
    found = {**split_postings(edited), **rest}
    return _joined({document: where for document, where in found.items() if where is not None})


def _joined(postings: Mapping[str, str]) -> str:
    """Postings from positions by document."""
    return "".join(document + postings[document] for document in sorted(postings))
