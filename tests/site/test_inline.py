from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.site.inline import MAX_READ, Inline, Run, read_inline


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("plain", [("plain", ())]),
        ("**Created**: a", [("Created", ("strong",)), (": a", ())]),
        ("in `posts/`, _so_", [("in ", ()), ("posts/", ("code",)), (", ", ()), ("so", ("em",))]),
        ("***both*** ~~gone~~", [("both", ("em", "strong")), (" ", ()), ("gone", ("s",))]),
        ("**a `b`**", [("a ", ("strong",)), ("b", ("strong", "code"))]),
        ("[the *note*](x.md)", [("the ", ("link",)), ("note", ("link", "em"))]),
        ("[[garden|the garden]]", [("the garden", ("link",))]),
        (r"2 \* 3 &amp; 4", [("2 * 3 & 4", ())]),
        ("snake_case_name and 2*3*4", [("snake_case_name and 2", ()), ("3", ("em",)), ("4", ())]),
        ("<b>x</b> <!-- DAILY_FLUSH -->", [("<b>x</b> <!-- DAILY_FLUSH -->", ())]),
        ("**", [("**", ())]),
        ("", []),
    ],
)
def test_read_inline_of_known_lines(text: str, runs: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(run.text, run.marks) for run in read_inline(text).runs] == runs


def test_read_inline_keeps_where_links_lead() -> None:
    assert read_inline("[a](x.md) ![b](y.png) [[c]]").targets == ("x.md", "y.png", "[[c]]")


def test_read_inline_leaves_a_long_line_as_it_is() -> None:
    text = "**a** " * MAX_READ
    assert read_inline(text) == Inline((Run(text),))


@given(st.text(alphabet="ab 中*_`~[]()!<>\\&;|#", max_size=60))
def test_parts_of_a_line_are_the_line(text: str) -> None:
    line = read_inline(text)
    for cut in range(len(line.text) + 1):
        both = [*line.part(0, cut), *line.part(cut, len(line.text))]
        assert "".join(run.text for run in both) == line.text
        assert all(run.text and len(set(run.marks)) == len(run.marks) for run in both)
