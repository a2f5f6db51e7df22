"""The output folder: only one that memsite made, or an empty one, is ever written to or cleared."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from errno import ELOOP
from pathlib import Path
from stat import S_ISREG

from memsite.errors import RefusedError
from memsite.repo.occupied import find_occupant, tracked_files
from memsite.repo.workspace import Workspace

MARKER = ".memsite-site"
MARKER_TEXT = "This folder is made by memsite. A build replaces what is in it.\n"
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_TRIES = 4
"""Another build of the same folder may take away what was there a moment ago."""


def is_marked(site: Path) -> bool:
    """Whether an output folder says that it is ours."""
    return (site / MARKER).is_file()


def take_folder(site: Path) -> None:
    """Make an output folder ours and fit to be written to: nothing is left in it but files and folders.

    Raises RefusedError unless it is missing, empty or made by memsite, and no repository lies in it.
    """
    real = Path(os.path.realpath(site))
    strangers: list[str] = []
    if real.exists():
        if not real.is_dir():
            raise RefusedError("is no folder", where=site, hint="choose another with -d")
        if any(real.iterdir()) and not is_marked(real):
            hint = "choose another folder with -d, or empty this one"
            raise RefusedError("has files that memsite did not make", where=site, hint=hint)
        strangers = _find_strangers(str(real), site)
    for path in strangers:  # no build makes a link, a pipe or a socket: what is written would go through it
        Path(path).unlink()
    mark_own(site)


def _find_strangers(real: str, site: Path) -> list[str]:
    found: list[str] = []
    waiting = [real]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name == ".git":
                    raise RefusedError("has a git repository in it", where=site, hint="choose another folder with -d")
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file(follow_symlinks=False):
                    found.append(entry.path)
    return found


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
    waiting = [str(site)] if is_marked(site) else []
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


def mark_own(site: Path) -> None:
    """Say in the folder that it is ours; one that is gone is made."""
    site.mkdir(parents=True, exist_ok=True)
    marker = site / MARKER
    if not marker.is_file():
        marker.write_text(MARKER_TEXT, encoding="utf-8")


def write_file(path: str, data: bytes) -> None:
    """Write a file, over what it was, with the folders that it needs. Raises OSError.

    It is not made empty first: file systems write such a file out at once.
    """
    target = _open(path)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(target, rest) :]
        os.ftruncate(target, len(data))
    finally:
        os.close(target)


def _open(path: str) -> int:
    for _ in range(_TRIES):
        try:
            target = os.open(path, _WRITE, 0o666)
        except OSError as error:
            _make_way(Path(path), error)
            continue
        if os.fstat(target).st_nlink == 1:
            return target
        os.close(target)
        Path(path).unlink(missing_ok=True)  # another name of a file that may be anybody's
    return os.open(path, _WRITE, 0o666)


def _make_way(path: Path, error: OSError) -> None:
    """Remove what a file of the site cannot be written over; raises the error again where that is not the reason."""
    if isinstance(error, FileNotFoundError):
        with suppress(FileNotFoundError):  # another build takes empty folders away
            path.parent.mkdir(parents=True, exist_ok=True)
    elif isinstance(error, IsADirectoryError):
        shutil.rmtree(path)
    elif isinstance(error, NotADirectoryError):
        next(folder for folder in path.parents if folder.exists()).unlink()
    elif isinstance(error, PermissionError) or error.errno == ELOOP:
        path.unlink()
    else:
        raise error


def write_files(site: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files by their address, those with the same bytes left alone."""
    for uri, data in files:
        if not has_bytes(f"{site}/{uri}", data):
            write_file(f"{site}/{uri}", data)


def has_bytes(path: str, data: bytes) -> bool:
    """Whether a regular file has exactly these bytes."""
    try:
        found = os.lstat(path)
        if not S_ISREG(found.st_mode) or found.st_size != len(data):
            return False
        return Path(path).read_bytes() == data
    except OSError:
        return False


def clear_way(site: Path, uris: Iterable[str]) -> None:
    """Remove what is in the way of files by these addresses: files in place of folders, folders in place of files."""
    wanted = set(uris)
    folders = {uri[:end] for uri in wanted for end, sign in enumerate(uri) if sign == "/"}
    found = list(_walk(site))
    for name in (name for name, is_folder in found if is_folder and name in wanted):
        shutil.rmtree(site / name)
    remove_files(site, (name for name, is_folder in found if not is_folder and name in folders))


def remove_unfit(site: Path, uris: Iterable[str]) -> None:
    """Remove files that others than `write_file` could not write over, or would write to under another name as well."""
    for uri in uris:
        path = site / uri
        with suppress(OSError):  # it is not there
            if path.lstat().st_nlink > 1 or not os.access(path, os.W_OK):
                path.unlink()


def keep_only(site: Path, made: Container[str]) -> None:
    """Remove every file that was not made, and folders that are empty then; not what is hidden at the top."""
    found = list(_walk(site))
    remove_files(site, [name for name, is_folder in found if not is_folder and name not in made])
    full = {name.rpartition("/")[0] for name, is_folder in found if not is_folder and name in made}
    for name, is_folder in reversed(found):
        if is_folder and (name in full or not _removed(site / name)):
            full.add(name.rpartition("/")[0])


def _walk(site: Path) -> Iterator[tuple[str, bool]]:
    """Each name below the folder and whether it is a folder's, which comes before what is in it."""
    above = len(f"{site}/")
    waiting = [str(site)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                name = entry.path[above:]
                if name.startswith("."):
                    continue
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder:
                    waiting.append(entry.path)
                yield name, is_folder


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
