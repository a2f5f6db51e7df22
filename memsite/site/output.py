"""The output folder: only one that memsite made, or an empty one, is ever written to or wiped."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from pathlib import Path

from memsite.errors import RefusedError
from memsite.repo.occupied import find_occupant, tracked_files
from memsite.repo.workspace import Workspace

MARKER = ".memsite-site"
MARKER_TEXT = "This folder is made by memsite. A build replaces what is in it.\n"


def take_folder(site: Path) -> None:
    """Make an output folder ours and fit to be written to: no symbolic link is left in it.

    Raises RefusedError unless it is missing, empty or made by memsite, and no repository lies in it.
    """
    real = Path(os.path.realpath(site))
    links: list[str] = []
    if real.exists():
        if not real.is_dir():
            raise RefusedError("is no folder", where=site, hint="choose another with -d")
        if any(real.iterdir()) and not (real / MARKER).is_file():
            hint = "choose another folder with -d, or empty this one"
            raise RefusedError("has files that memsite did not make", where=site, hint=hint)
        links = _find_links(str(real), site)
    for path in links:  # no build makes one, and what is written would go through it
        Path(path).unlink()
    _mark_own(site)


def _find_links(real: str, site: Path) -> list[str]:
    links: list[str] = []
    waiting = [real]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name == ".git":
                    raise RefusedError("has a git repository in it", where=site, hint="choose another folder with -d")
                if entry.is_symlink():
                    links.append(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return links


def require_unoccupied(workspace: Workspace, site: Path) -> None:
    """Raise RefusedError for a folder that is the memory's or git's, or holds either, whatever marker is in it."""
    if occupant := find_occupant(workspace, site):
        raise RefusedError(occupant, where=site, hint="choose another folder: site_dir in mkdocs.yml, or -d")


def require_untracked(site: Path, made: Container[str]) -> None:
    """Raise RefusedError for a folder in which git keeps files that no build of it has `made`, as far as is known.

    Only a person's own word replaces those. Raises GitError.
    """
    others = sorted(name for name in tracked_files(site) if name not in made and name != MARKER)
    if others:
        hint = "take it out of git, or if it is the site's, say so once: build -d"
        raise RefusedError(f"has a file that git tracks and no build has made ({others[0]})", where=site, hint=hint)


def require_made(site: Path, is_made: Callable[[str, str], bool]) -> None:
    """Raise RefusedError for a folder with the marker of a site and a file in it that no build is known to have made.

    A build replaces what is in there, and who writes the workspace can put the marker anywhere. `is_made` is asked with
    the file's name in the folder and its path. Hidden files at the top are left alone by builds.
    """
    waiting = [str(site)] if (site / MARKER).is_file() else []
    above = len(f"{site}/")
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                if entry.name == ".git":
                    raise RefusedError("has a git repository in it", where=site, hint="choose another folder with -d")
                name = entry.path[above:]
                if name.startswith(".") or entry.name == MARKER:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not is_made(name, entry.path):
                    hint = "take it out of there, or if all in it is the site's, say so once: build -d"
                    problem = f"has a file that no build is known to have made ({name})"
                    raise RefusedError(problem, where=site, hint=hint)


def _mark_own(site: Path) -> None:
    """Say in the folder that it is ours."""
    site.mkdir(parents=True, exist_ok=True)
    marker = site / MARKER
    if not marker.is_file():
        marker.write_text(MARKER_TEXT, encoding="utf-8")


def write_files(site: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files by their address, those with the same bytes left alone."""
    for uri, data in files:
        path = site / uri
        if not _has_bytes(path, data):
            write_file(str(path), data)


def write_file(path: str, data: bytes) -> None:
    """Write a file, and the folders above it that are not there yet.

    A file that is there is written over and then cut: emptied first, as `open` does it, it takes thirty times as long,
    since file systems take care that a file which is replaced so is not lost.
    """
    try:
        file = _open_to_write(path)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - thousands of files: no paths
        file = _open_to_write(path)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        os.ftruncate(file, len(data))
    finally:
        os.close(file)


def _open_to_write(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)


def _has_bytes(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def remove_files(site: Path, uris: Iterable[str]) -> None:
    """Remove files by their address, and the folders that become empty."""
    for uri in uris:
        path = site / uri
        with suppress(OSError):
            path.unlink()
        for folder in path.parents:
            if folder == site or not _removed(folder):
                break


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
