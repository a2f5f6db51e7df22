"""Strings of others that break software. They are never copied into this repository; without them a test is skipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
"""Beside the checkout."""


def corpus_path(name: str) -> Path:
    """A corpus; skips the test where it is not there."""
    path = CORPORA / name
    if not path.is_file():
        pytest.skip(f"!! {path} IS MISSING: this test reads a corpus of others that is not copied here")
    return path


def corpus_lines(name: str) -> list[str]:
    """The lines of a corpus that are not blank, each once."""
    lines = corpus_path(name).read_text(encoding="utf-8", errors="replace").split("\n")
    return list(dict.fromkeys(line for line in lines if line.strip()))


def naughty_strings() -> list[str]:
    """The 515 strings, two of them blank."""
    strings: list[str] = json.loads(corpus_path("naughty-strings.json").read_text(encoding="utf-8"))
    return strings
