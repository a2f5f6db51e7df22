"""Comparisons of code: line by line, and both texts always in them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memsite.prose.code import diff_code
from memsite.prose.spans import Op, mirrored

lines = st.sampled_from(["", "a", "a b", "  x", "x = 1", "  x = 2", "\t", "if x:", "e\u0301", "\u0301", "return y"])
codes = st.lists(lines, max_size=7).map("\n".join)


@given(codes, codes)
def test_spans_of_code_are_both_texts_to_the_character(old: str, new: str) -> None:
    spans = diff_code(old, new)
    assert "".join(span.text for span in spans if span.op is not Op.INSERT) == old
    assert "".join(span.text for span in spans if span.op is not Op.DELETE) == new
    assert mirrored(diff_code(new, old)) == spans
    ops = [span.op for span in spans]
    assert all(one is not other for one, other in pairwise(ops))
    assert (Op.INSERT, Op.DELETE) not in pairwise(ops)


def test_a_line_that_came_is_whole() -> None:
    spans = diff_code("runs: a\nsteps: b", "runs: a\ntimeout: 10\nsteps: c")
    assert [(span.op.value, span.text) for span in spans] == [
        ("equal", "runs: a"),
        ("insert", "\ntimeout: 10"),
        ("equal", "\nsteps: "),
        ("delete", "b"),
        ("insert", "c"),
    ]


def test_lines_before_all_others_end_where_those_begin() -> None:
    assert [(span.op.value, span.text) for span in diff_code("b\nc", "a\nb\nc")] == [
        ("insert", "a\n"),
        ("equal", "b\nc"),
    ]
