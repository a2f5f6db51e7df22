"""What files are called for others: a name may have a secret, an address or a private name in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

_PLACEHOLDER = re.compile(r"\[redacted:([a-z0-9-]+)\]|\[(private)\]")


def file_name(text: str) -> str:
    """A redacted text as part of a file's name or of a YAML value: `redacted-jwt` for `[redacted:jwt]`."""
    return _PLACEHOLDER.sub(lambda match: match[2] or f"redacted-{match[1]}", text)


def shown_paths(paths: Iterable[PurePosixPath], clean: Callable[[str], str]) -> dict[PurePosixPath, PurePosixPath]:
    """What each path is called for others, no two the same; `paths` in the order in which they choose.

    A path is cleaned as a whole, since a secret may go over a `/`, and kept as it is where nothing is to be cleaned.
    """
    wanted = {path: _cleaned(path, clean) for path in dict.fromkeys(paths)}
    taken = {_folded(path) for path, shown in wanted.items() if path == shown}
    found: dict[PurePosixPath, PurePosixPath] = {}
    for path, shown in wanted.items():
        if path != shown:
            shown = _free(shown, taken)
            taken.add(_folded(shown))
        found[path] = shown
    return found


def _cleaned(path: PurePosixPath, clean: Callable[[str], str]) -> PurePosixPath:
    text = str(path)
    if clean(text) == text:
        return path
    parts = [file_name(clean(part)) for part in path.parts[:-1]]
    # The suffix stays: it says what the file is.
    parts.append(
        file_name(clean(path.name)) if clean(path.stem) == path.stem else file_name(clean(path.stem)) + path.suffix
    )
    whole = "/".join(parts)
    return PurePosixPath(whole if clean(whole) == whole else f"redacted{path.suffix}")


def _free(path: PurePosixPath, taken: set[str]) -> PurePosixPath:
    number, option = 1, path
    while _folded(option) in taken:
        number += 1
        option = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return option


def _folded(path: PurePosixPath) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold())
