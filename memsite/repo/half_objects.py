"""Files into which git was writing objects of ours when it failed: git leaves them where they are.

Another git may be writing beside it, even the same object. So what is removed has nothing, or the beginning of one of
our objects, and nobody touches it any more.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

_STILL = 0.5
"""Seconds that a file is watched: a living git writes one in some milliseconds, and gives it its name."""
Look = tuple[int, int, int]


def remove_half_objects(folder: Path, objects: Mapping[str, bytes], pack: bytes) -> None:
    """Remove what a git that has ended left of these objects (id: header and content), or of the pack of them.

    `folder` is the repository's `objects`. What cannot be removed stays: it does no harm.
    """
    before = dict(_ours(folder, objects, pack))
    if not before:
        return
    time.sleep(_STILL)
    for path, look in _ours(folder, objects, pack):
        if before.get(path) == look:
            with suppress(OSError):
                path.unlink()


def _ours(folder: Path, objects: Mapping[str, bytes], pack: bytes) -> Iterator[tuple[Path, Look]]:
    for start in {name[:2] for name in objects}:
        wholes = [data for name, data in objects.items() if name.startswith(start)]
        for path in _files(folder / start, "tmp_obj_*"):
            with suppress(OSError, zlib.error):
                written = zlib.decompressobj().decompress(path.read_bytes())
                if any(whole.startswith(written) for whole in wholes):
                    yield path, _look(path)
    for path in _files(folder / "pack", "tmp_pack_*"):
        with suppress(OSError):
            if pack.startswith(path.read_bytes()):
                yield path, _look(path)


def _files(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def _look(path: Path) -> Look:
    about = path.lstat()
    return about.st_ino, about.st_mtime_ns, about.st_size
