"""How much of the hostile corpora a run takes."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

from tests import corpora

SHORT_SAMPLE = 1_500

ReadLines = Callable[[str], list[str]]


@pytest.fixture(scope="session")
def corpus_lines() -> ReadLines:
    """`corpus_lines("xss-payloads.txt")`: its lines, a seeded sample unless MEMSITE_TEST_LONG is set; else a skip."""

    def read(name: str) -> list[str]:
        lines = corpora.corpus_lines(name)
        if os.environ.get("MEMSITE_TEST_LONG") or len(lines) <= SHORT_SAMPLE:
            return lines
        return random.Random(20250325).sample(lines, SHORT_SAMPLE)

    return read
