"""Code spans, as CommonMark sees them within a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memsite.memory.code_spans import without_code_spans


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a `b` c", "a  c"),
        ("``a ` b`` c", " c"),
        ("a ` b", "a ` b"),
        ("``a` b`", "``a"),
        ("`a\nb`", "`a\nb`"),
        ("no ticks", "no ticks"),
    ],
)
def test_what_is_outside_of_code(text: str, bare: str) -> None:
    assert without_code_spans(text) == bare


@given(st.text(alphabet="`ab ", max_size=30))
def test_spans_are_those_of_the_renderer(text: str) -> None:
    line = f"x{text}x"
    (inline,) = (token for token in MarkdownIt().parse(line) if token.type == "inline")
    shown = "".join(child.content for child in inline.children or () if child.type == "text")
    assert without_code_spans(line) == shown


def test_ticks_of_every_length_take_no_time() -> None:
    line = "a".join("`" * length for length in range(1, 2500))
    assert without_code_spans(line) == line
