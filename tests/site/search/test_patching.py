"""An index that was brought up to date is the one that all documents give."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

import pytest

from memsite.site.search import packing, shards
from memsite.site.search.documents import SearchDocument
from memsite.site.search.index import Assembled, assemble
from memsite.site.search.packing import pack_counts, unpack_counts
from memsite.site.search.patching import UnsureError, patch
from memsite.site.search.pieces import DocumentPiece, index_document
from memsite.site.search.state import read_state
from tests.site.search.test_index import random_documents

TODAY = date(2020, 2, 20)


class Site:
    """The files of an index, as they lie on a disk."""

    def __init__(self, pieces: Mapping[str, DocumentPiece]) -> None:
        self.pieces = dict(pieces)
        made = assemble(pieces, TODAY)
        self.files, self.state = dict(made.files), made.state

    def read(self, name: str) -> bytes:
        return self.files[f"search/{name}.js"]

    def change(self, come: Mapping[str, DocumentPiece], gone: set[str]) -> Assembled:
        """Bring it up to date, from what was kept as text."""
        state = read_state(self.state.as_text())
        assert state is not None
        before = [self.pieces[uri] for uri in sorted(gone | (come.keys() & self.pieces.keys()))]
        made = patch(state, self.read, before, come.values(), TODAY)
        self.pieces = {uri: piece for uri, piece in self.pieces.items() if uri not in gone} | dict(come)
        self.files = {name: made.files.get(name) or self.files[name] for name in made.names}
        self.state = made.state
        return made


def pieces_of(documents: list[SearchDocument]) -> dict[str, DocumentPiece]:
    return {each.uri: index_document(each) for each in documents}


def changed(chance: random.Random, each: SearchDocument, words: list[str]) -> SearchDocument:
    """A document with words more or less, another title, another kind or another day."""
    text = each.text.split()
    match chance.randrange(5):
        case 0:
            return replace(each, text=" ".join(text[: chance.randrange(len(text) + 1)]))
        case 1:
            return replace(each, title=chance.choice(words), kind=chance.choice(["topic", "index"]))
        case 2:
            return replace(each, superseded=True, day=date(2020, 1, 1) + timedelta(days=chance.randrange(99)))
    return replace(each, text=" ".join([*text, *chance.choices(words, k=chance.choice((1, 4, 200)))]))


@pytest.mark.parametrize(
    ("limit", "summary", "texts"), [(200, 600, 4_500), (10_000, 32_000, 4_500), (60, 100, 300)], ids=str
)
def test_after_any_change_it_is_the_same_as_one_made_anew(
    limit: int, summary: int, texts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "LIMIT", limit)
    monkeypatch.setattr(shards, "SUMMARY_LIMIT", summary)
    monkeypatch.setattr("memsite.site.search.state.TEXT_LIMIT", texts)
    chance = random.Random(limit)
    documents = {each.uri: each for each in random_documents(80)}
    words = " ".join(each.text for each in documents.values()).split()
    spare = [documents.pop(uri) for uri in sorted(documents)[::4]]
    site = Site(pieces_of(list(documents.values())))
    for _ in range(12):
        gone = set(chance.sample(sorted(site.pieces), chance.choice((0, 0, 1, 3))))
        again = chance.sample(sorted(site.pieces.keys() - gone), chance.choice((0, 1, 2)))
        come = [changed(chance, documents[uri], words) for uri in again]
        come += [spare.pop() for _ in range(min(chance.choice((0, 1, 2)), len(spare)))]
        documents |= {each.uri: each for each in come}
        site.change(pieces_of(come), gone)
        clean = assemble(site.pieces, TODAY)
        assert site.files == clean.files
        assert (site.state.rows, site.state.sizes) == (clean.state.rows, clean.state.sizes)
        assert (list(site.state.rows), site.state.files) == (list(clean.state.rows), clean.state.files)


def test_a_small_change_makes_few_files() -> None:
    site = Site(pieces_of(random_documents(60)))
    each = random_documents(60)[7]
    made = site.change(pieces_of([replace(each, text=f"{each.text} zebra")]), set())
    assert len(made.files) <= 4
    assert len(made.names) > 20


def test_from_nothing_to_something_and_back() -> None:
    site = Site({})
    documents = pieces_of(random_documents(3))
    site.change(documents, set())
    assert site.files == assemble(documents, TODAY).files
    site.change({}, set(documents))
    assert site.files == assemble({}, TODAY).files


@pytest.mark.parametrize("damage", ["another text", "gone", "of a document that is unknown", "already there"])
def test_what_is_not_as_it_was_said_to_be_is_not_followed(damage: str) -> None:
    site = Site(pieces_of(random_documents(20)))
    piece = next(iter(site.pieces.values()))
    come, gone = [replace(piece, terms="zebra", positions="!")], [piece]
    if damage == "another text":
        site.files = {name: data.replace(b"a", b"b") for name, data in site.files.items()}
    elif damage == "gone":
        site.files = {}
    elif damage == "already there":
        gone = []
    else:
        gone = [replace(piece, uri="daily/unknown/")]
    with pytest.raises(UnsureError):
        patch(site.state, site.read, gone, come, TODAY)


def test_documents_that_another_one_pushes_aside_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "hash_uri", lambda _uri: 5)
    site = Site(pieces_of(random_documents(3)))
    with pytest.raises(UnsureError):
        site.change(pieces_of([SearchDocument("a/", "A", "day", None, "text")]), set())


@pytest.mark.parametrize("text", ["", "[]", "[1, 2, 3, 4, 5]", '[[["a"]],"a\\tb",[1],[{},{},[]],{}]', "null"])
def test_a_state_that_is_none_is_none(text: str) -> None:
    assert read_state(text) is None


@pytest.mark.parametrize(
    "counts", [b"", b"\0" * 40, b"\1", b"\0" * 70 + b"\2\0\x1e" + b"\0" * 32 + b"\1\0\0", b"\x1e" * 9]
)
def test_counts_are_read_back(counts: bytes) -> None:
    assert unpack_counts(pack_counts(counts), len(counts)) == counts
    assert pack_counts(counts + b"\0") == pack_counts(counts)
