"""Every other note of the memory: MEMORY.md, CURRENT_STATE.md, nested folders, and files that cannot be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import PurePosixPath

from memsite.site.front_matter import Pairs
from memsite.site.pages.addresses import NOTES, printable
from memsite.site.pages.atlas import Atlas, PageItem
from memsite.site.pages.documents import fold_long, noted_document
from memsite.site.pages.folders import Folder, find_folders, folder_crumbs
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.problems import blob_notices, private_notices, problem_notices
from memsite.site.pages.revisions import Revisions, deletion_notice, revisions_of
from memsite.site.pages.views import Document, Link, Notice
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass

SECTION = PageLink("Notes", NOTES)


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note in the list of all."""

    title: str
    path: str
    link: Link
    changed: date | None
    """The day of its newest commit."""
    gone: str
    """`deleted`, `renamed`, or nothing."""
    unreadable: bool = False
    private: bool = False

    @property
    def name(self) -> str:
        """Of the file, where the title does not say it."""
        name = PurePosixPath(self.path).name
        return "" if self.title in (name, PurePosixPath(name).stem) else name


@dataclass(frozen=True, slots=True)
class FolderView:
    """The notes of one folder."""

    folder: Folder
    notes: tuple[NoteLine, ...]


@dataclass(frozen=True, slots=True)
class NotesView:
    """All notes by folder, each folder behind the one that it stands in."""

    folders: tuple[FolderView, ...]


@dataclass(frozen=True, slots=True)
class NoteView:
    """One note; `document` is None where it cannot be read."""

    title: str
    path: str
    notices: tuple[Notice, ...]
    front_matter: Pairs
    document: Document | None
    """Of a long text the rest is folded."""
    rest: int
    """Lines of that rest."""
    revisions: Revisions


def notes_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """The list of all."""
    place = Place(NOTES, PageKind.NOTES, "Notes", in_nav=True)
    yield make_page(atlas, place, partial(_notes, atlas))


def _notes(atlas: Atlas) -> NotesView:
    return NotesView(tuple(_folder_views(atlas)))


def note_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each note, and a page for each file that has none because it cannot be read."""
    folders = _folders(atlas)
    for item in atlas.pages:
        path = item.note.path
        place = Place(
            item.uri,
            PageKind.NOTE,
            printable(item.note.title),
            _crumbs(atlas, path, folders),
            day=_changed(atlas, path),
            source=path,
            superseded=item.deletion is not None,
        )
        yield make_page(atlas, place, partial(_note, atlas, item))
    for path, uri in atlas.unreadable.items():
        place = Place(uri, PageKind.NOTE, printable(path.name), _crumbs(atlas, path, folders))
        yield make_page(atlas, place, partial(_unreadable, atlas, path))


def _changed(atlas: Atlas, path: PurePosixPath) -> date | None:
    """The day of the newest commit of a file; None where there is none."""
    states = atlas.revisions(path)
    return atlas.commit_day(states[0].commit) if states else None


def _folders(atlas: Atlas) -> dict[PurePosixPath, Folder]:
    paths = (*(item.note.path for item in atlas.pages), *atlas.unreadable)
    return find_folders(paths, atlas.config.memory)


def _crumbs(atlas: Atlas, path: PurePosixPath, folders: dict[PurePosixPath, Folder]) -> tuple[PageLink, ...]:
    return (SECTION, *folder_crumbs(folders[path.parent], folders, atlas.config.memory))


def _folder_views(atlas: Atlas) -> Iterator[FolderView]:
    lines = {item.note.path: _line(atlas, item) for item in atlas.pages}
    lines |= {path: _unreadable_line(path, uri) for path, uri in atlas.unreadable.items()}
    inside: dict[PurePosixPath, list[NoteLine]] = defaultdict(list)
    for path in sorted(lines):
        inside[path.parent].append(lines[path])
    for folder in _folders(atlas).values():
        yield FolderView(folder, tuple(inside[folder.path]))


def _unreadable_line(path: PurePosixPath, uri: str) -> NoteLine:
    shown = printable(path)
    return NoteLine(printable(path.name), shown, Link(shown, uri), None, "", unreadable=True)


def _line(atlas: Atlas, item: PageItem) -> NoteLine:
    return NoteLine(
        printable(item.note.title),
        printable(item.note.path),
        Link(printable(item.note.path), item.uri),
        _changed(atlas, item.note.path),
        item.deletion.word if item.deletion else "",
        private=atlas.privacy.hides_path(item.note.path),
    )


def _note(atlas: Atlas, item: PageItem) -> NoteView:
    note = item.note
    pairs, document = noted_document(atlas.resolver, note.path, note.blob, note.title)
    notices = (
        *((deletion_notice(atlas, item.deletion),) if item.deletion else ()),
        *private_notices(atlas.privacy, note.path),
        *blob_notices(note.blob),
        *problem_notices(atlas.problems.get(note.path, ())),
    )
    shown = tuple((printable(key), printable(value)) for key, value in pairs)
    document, rest = fold_long(document)
    revisions = revisions_of(atlas, note.path)
    return NoteView(printable(note.title), printable(note.path), notices, shown, document, rest, revisions)


def _unreadable(atlas: Atlas, path: PurePosixPath) -> NoteView:
    notices = problem_notices(atlas.problems.get(path, ()))
    return NoteView(printable(path.name), printable(path), notices, (), None, 0, revisions_of(atlas, path))
