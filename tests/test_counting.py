"""Counts in words: one of a thing is not called several, wherever it is counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memsite
from memsite.counting import counted

_SOURCES = Path(memsite.__file__).parent
_COUNT = re.compile(r"\{(?:len\([^{}]*\)|[a-z_.]*(?:count|skipped\w*))(?: ?[-+][^{}]*)?\} (?:[a-z]+ )?[a-z]+s\b")
_PLURALS = re.compile(r"""\{["']s["'] (?:if|\*)""")
_VERBS = re.compile(r"\} (?:is|was|has|of|more)\b")


@pytest.mark.parametrize(("number", "words"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes"), (1200, "1,200 notes")])
def test_a_count_in_words(number: int, words: str) -> None:
    assert counted(number, "note") == words


def test_a_noun_with_a_plural_of_its_own() -> None:
    assert [counted(number, "entry", "entries") for number in (1, 2)] == ["1 entry", "2 entries"]


def test_nothing_is_counted_by_other_means() -> None:
    found = []
    for path in _SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found += [match[0] for match in _PLURALS.finditer(text)]
        found += [match[0] for match in _COUNT.finditer(text) if not _VERBS.search(match[0])]
    assert found == []
