"""What builds a site: the versions of the packages, and the bytes of this one."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from memsite.site.search.pieces import PIECE_VERSION

PACKAGE = Path(__file__).parents[1]
BUILDERS = (
    "mkdocs",
    "mkdocs-material",
    "markdown-it-py",
    "mdurl",
    "mdit-py-plugins",
    "nh3",
    "jinja2",
    "markupsafe",
    "rapidfuzz",
    "PyYAML",
    "tzdata",
)
"""Packages that have a part in a page's bytes."""


def digest(*parts: object) -> str:
    """A name for values by their `repr`, which for texts, numbers, dates and tuples of them is the value itself."""
    return sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()


@cache
def program_key() -> str:
    """The versions of what builds pages, and the bytes of this package: its code, templates, style sheets."""
    state = sha256()
    for name in sorted(_files(PACKAGE)):
        data = Path(name).read_bytes()
        state.update(f"{name[len(str(PACKAGE)) :]}\0{len(data)}\0".encode("utf-8", "backslashreplace"))
        state.update(data)
    python = (sys.version_info[:2], unicodedata.unidata_version)
    return digest(state.hexdigest(), PIECE_VERSION, python, [_version(name) for name in BUILDERS])


def _files(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (f"{parent}/{name}" for name in names)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
