"""The search index of a build: what the last one made is brought up to date, where that is known to be enough."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from memsite.site.cache import BuildCache, Made, stat_made
from memsite.site.output import write_files
from memsite.site.search.index import Assembled, assemble, script_path
from memsite.site.search.patching import UnsureError, patch
from memsite.site.search.pieces import DocumentPiece
from memsite.site.search.state import read_state

INDEX = "index.html"
"""What stands behind a page's URI in its `dest_uri`."""


class LostPiecesError(Exception):
    """What search took from pages that stay as they are is not known any more."""

    def __init__(self, dests: Sequence[str]) -> None:
        super().__init__(f"{len(dests)} lost")
        self.dests = dests
        """The pages, by `dest_uri`."""


def update_index(
    site: Path,
    cache: BuildCache | None,
    before: Mapping[str, Made],
    new: Mapping[str, bytes],
    searched: Collection[str],
    today: date,
    begin: Callable[[Iterable[str]], None],
) -> Assembled:
    """The index of all pages that are `searched`, by `dest_uri`; its `files` are those that are not written yet.

    `new` are the pieces of those that this build has made; the others' are in the cache, where there is one. What is
    written is told to `begin` before. Raises LostPiecesError where some pieces are lacking: damaged, or held by another
    program.
    """
    if cache is not None:
        try:
            return _patched(site, cache, before, new, frozenset(searched), today)
        except UnsureError:
            pass
    kept = {} if cache is None else cache.pieces(dest for dest in searched if dest not in new)
    if lost := [dest for dest in searched if dest not in new and dest not in kept]:
        raise LostPiecesError(lost)
    pieces = _Pieces({dest.removesuffix(INDEX): new if dest in new else kept for dest in searched})
    return assemble(pieces, today, lambda path, script: write_files(site, [(path, script)]), begin)


class _Pieces(Mapping[str, DocumentPiece]):
    """Pieces by URI, each read when it is asked for: all at once take many times the room of their JSON."""

    def __init__(self, texts: Mapping[str, Mapping[str, bytes]]) -> None:
        self._texts = texts
        """By URI: where its page's piece is found by `dest_uri`."""

    def __getitem__(self, uri: str) -> DocumentPiece:
        return _piece(self._texts[uri][f"{uri}{INDEX}"])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _patched(
    site: Path,
    cache: BuildCache,
    before: Mapping[str, Made],
    new: Mapping[str, bytes],
    searched: frozenset[str],
    today: date,
) -> Assembled:
    state = read_state(cache.index_state())
    if state is None or not all(_is_as_made(site, before, name) for name in (*state.files, "manifest")):
        raise UnsureError
    known = {f"{uri}{INDEX}" for uri in state.rows}
    old = cache.pieces(dest for dest in known if dest in new or dest not in searched)
    if old.keys() != known - (searched - new.keys()) or not searched <= known | new.keys():
        raise UnsureError
    gone = (_piece(piece) for dest, piece in old.items() if new.get(dest) != piece)
    come = (_piece(piece) for dest, piece in new.items() if old.get(dest) != piece)
    return patch(state, lambda name: (site / script_path(name)).read_bytes(), gone, come, today)


def _is_as_made(site: Path, before: Mapping[str, Made], name: str) -> bool:
    path = script_path(name)
    made = before.get(path)
    return made is not None and made == stat_made(f"{site}/{path}")


def _piece(text: bytes) -> DocumentPiece:
    return DocumentPiece.from_json(json.loads(text))
