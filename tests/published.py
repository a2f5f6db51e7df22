"""What stands in published bytes: read as they are, as a browser reads them, as whoever decodes them reads them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

_TAG = re.compile(r"<[^<>]*>")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")


def readings(data: bytes) -> Iterator[tuple[str, str]]:
    """A file's text, each way of reading it by its name."""
    raw = data.decode("utf-8", "replace")
    bare = _TAG.sub("", raw)
    yield "raw", raw
    yield "split by tags", bare
    yield "entities", unescape(raw)
    yield "entities and tags", unescape(bare)
    yield "URL", unquote(raw)
    yield "URL and entities", unquote(unescape(bare))
    yield "words joined", "".join(unescape(bare).split())
    yield "base64", "\n".join(_decoded(raw))


def _decoded(text: str) -> Iterator[str]:
    for run in dict.fromkeys(_BASE64.findall(text)):
        bare = run.rstrip("=").replace("-", "+").replace("_", "/")
        for start in range(4):
            piece = bare[start:]
            piece = piece[: len(piece) // 4 * 4]
            try:
                yield base64.b64decode(piece).decode("utf-8", "replace")
            except (binascii.Error, ValueError):
                continue


def find_values(files: dict[str, bytes], values: Collection[str]) -> list[tuple[str, str, str]]:
    """Where values stand: file, way of reading it, value. File names count."""
    found = []
    for name, data in {**files, "(names)": "\n".join(files).encode()}.items():
        for way, text in readings(data):
            found += [(name, way, value) for value in values if value in text]
    return found


def read_site(folder: Path) -> dict[str, bytes]:
    """The files of a site that are made from a memory, by their address: not the theme's own."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if not name.startswith("assets/javascripts/")}
