"""What builds a site: the versions of the packages, and the bytes of this one."""

from __future__ import annotations

import sys
import unicodedata
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
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            state.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode("utf-8", "backslashreplace"))
            state.update(path.read_bytes())
    python = (sys.version_info[:2], unicodedata.unidata_version)
    return digest(state.hexdigest(), PIECE_VERSION, python, [_version(name) for name in BUILDERS])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
