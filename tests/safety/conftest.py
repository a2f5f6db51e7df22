"""Where the hostile corpora are, which are never copied into this repository, and how much of them a run takes."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
SHORT_SAMPLE = 1_500

ReadLines = Callable[[str], list[str]]


@pytest.fixture(scope="session")
def corpus_lines() -> ReadLines:
    """`corpus_lines("xss-payloads.txt")`: its lines, a seeded sample unless MEMSITE_TEST_LONG is set; else a skip."""

    def read(name: str) -> list[str]:
        path = CORPORA / name
        if not path.is_file():
            pytest.skip(f"{path} is missing: this test reads a corpus of others that is not copied here")
        lines = [line for line in path.read_text(encoding="utf-8", errors="replace").split("\n") if line.strip()]
        if os.environ.get("MEMSITE_TEST_LONG") or len(lines) <= SHORT_SAMPLE:
            return lines
        return random.Random(20250325).sample(lines, SHORT_SAMPLE)

    return read
