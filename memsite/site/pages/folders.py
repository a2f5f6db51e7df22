"""The folders that notes stand in, as they are nested."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from memsite.site.pages.addresses import NOTES, printable
from memsite.site.slugs import Anchors, slugify_heading
from memsite.site.spec import PageLink
from memsite.values import dataclass

TOP = PurePosixPath()


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with notes."""

    path: PurePosixPath
    title: str
    """Its path below `above`; empty for the workspace itself."""
    anchor: str
    """Of its section on the page of all notes."""
    above: tuple[PurePosixPath, ...]
    """The folders with notes that it stands in, the outermost first; the memory folder and what holds it left out."""

    @property
    def depth(self) -> int:
        """How many folders it stands in."""
        return len(self.above)


def find_folders(paths: Iterable[PurePosixPath], memory: PurePosixPath) -> dict[PurePosixPath, Folder]:
    """The folders of notes by their path, each behind the one that it stands in."""
    found: dict[PurePosixPath, Folder] = {}
    anchors = Anchors()
    for path in sorted({path.parent for path in paths}, key=lambda path: path.parts):
        above = tuple(
            one for one in reversed(path.parents) if one in found and one not in (TOP, *memory.parents, memory)
        )
        inner = path.relative_to(above[-1]) if above else path
        anchor = anchors.unique(f"folder-{slugify_heading(' '.join(path.parts))}")
        found[path] = Folder(path, "" if path == TOP else f"{printable(inner)}/", anchor, above)
    return found


def folder_crumbs(folder: Folder, folders: dict[PurePosixPath, Folder], memory: PurePosixPath) -> tuple[PageLink, ...]:
    """The way from the page of all notes down to a folder."""
    steps = [folders[path] for path in (*folder.above, folder.path) if path not in (TOP, memory)]
    return tuple(PageLink(_below(step, memory), f"{NOTES}#on.{step.anchor}") for step in steps)


def _below(folder: Folder, memory: PurePosixPath) -> str:
    """A folder's title without the memory folder, in which nearly all stand."""
    return folder.title if folder.above else folder.title.removeprefix(f"{memory}/")
