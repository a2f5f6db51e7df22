"""Patterns that are compiled late are patterns."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memsite.patterns import late


@pytest.mark.parametrize(
    ("source", "text"), [(r"(?P<word>\w+) ", "one two three"), (rb"(?P<word>\w+) ", b"one two three")]
)
def test_it_does_what_a_compiled_one_does(source: Any, text: Any) -> None:
    compiled, pattern = re.compile(source), late(source)
    empty = text[:0]
    assert [one["word"] for one in pattern.finditer(text)] == [one["word"] for one in compiled.finditer(text)]
    assert pattern.sub(empty, text, count=1) == compiled.sub(empty, text, count=1)
    assert (pattern.split(text), pattern.findall(text)) == (compiled.split(text), compiled.findall(text))
    assert (pattern.pattern, pattern.groups) == (source, 1)
    found = pattern.search(text, 4)
    assert found
    assert found.re is compiled


def test_flags_count_and_what_it_has_not_is_an_error() -> None:
    assert late("a", re.IGNORECASE).fullmatch("A")
    with pytest.raises(AttributeError, match="nothing"):
        getattr(late("a"), "nothing")  # noqa: B009 - it has none


def test_a_wrong_one_fails_when_it_is_used() -> None:
    pattern = late("(")
    with pytest.raises(re.error):
        pattern.match("")
