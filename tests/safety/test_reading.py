"""How text reads once it is rendered: what parts a word is gone, and every character knows where it comes from."""

from __future__ import annotations

import random
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.safety.reading import as_read, read_hidden
from memsite.safety.secrets import redact
from tests.secret_kinds import KINDS, pick

GITHUB = next(kind for kind in KINDS if kind.name == "github-classic")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ab**cd**ef", "abcdef"),
        ("ab<b>cd</b>ef", "abcdef"),
        ("ab<!-- x -->cd", "abcd"),
        ("ab`cd`ef", "abcdef"),
        ("ab\\_cd", "ab_cd"),
        ("ab\u200bcd\u00adef", "abcdef"),
        ("&#97;&#x62;&amp;c", "ab&c"),
        ("%61b%2Fc", "ab/c"),
        ("\\u0061b", "ab"),
        ("ab\\\ncd", "abcd"),
        ("> ab  \r\n> cd\\\n> ef\ngh", "> abcdef\ngh"),
        ("snake_case and a * b", "snake_case and a  b"),
    ],
)
def test_a_text_reads_as_a_page_shows_it(written: str, read: str) -> None:
    assert as_read(written) == read


def test_lines_that_read_as_they_are_written_are_no_work() -> None:
    text = "# A title\n\n- a **bold** point, see `code` and [a link](x.md)\n- 100 % of a < b & c\n"
    assert read_hidden(text) is None


@given(st.text(alphabet="ab*`<>&#;%6\\u1!- \n", max_size=60))
def test_every_character_knows_its_place(text: str) -> None:
    if lines := read_hidden(text):
        assert len(lines.text) == len(lines.starts) == len(lines.ends)
        assert all(start < end for start, end in zip(lines.starts, lines.ends, strict=True))
        assert list(lines.starts) == sorted(lines.starts)


def _in_two(value: str, between: str) -> str:
    return value[:12] + between + value[12:]


@pytest.mark.parametrize(
    "disguise",
    [
        lambda value: _in_two(value, "**"),
        lambda value: _in_two(value, "<b>"),
        lambda value: _in_two(value, "<!-- no -->"),
        lambda value: _in_two(value, "\u200b"),
        lambda value: _in_two(value, "\\") if value[12] == "_" else value.replace("_", "\\_"),
        lambda value: "".join(f"&#{ord(character)};" for character in value),
        lambda value: "".join(f"%{ord(character):02X}" for character in value),
        lambda value: quote(value).replace("_", "%5F"),
    ],
)
def test_a_secret_that_only_the_reader_of_a_page_sees_whole_is_found(disguise: object) -> None:
    value = GITHUB.make(random.Random(5))
    hidden = disguise(value)  # type: ignore[operator]  # the parameter is a function
    redaction = redact(f"before {hidden} after")
    assert redaction.text == f"before {redaction.findings[0].placeholder} after"
    assert redaction.findings[0].value == value
    assert redact(redaction.text).text == redaction.text


@pytest.mark.parametrize("line_break", ["\\\n", "  \n", "    \r\n", "  \n> ", "\\\n  "])
def test_a_secret_that_hard_line_breaks_part_is_found(line_break: str) -> None:
    value = GITHUB.make(random.Random(7))
    parts = value[:9], value[9:20], value[20:]
    redaction = redact(f"# Title\n\nbefore {line_break.join(parts)} after\nlast\n")
    assert [part for part in parts if part in redaction.text] == []
    assert [one.line for one in redaction.findings] == [3]
    assert redaction.text.count("\n") == 6
    assert redaction.text.endswith("last\n")
    assert redact(redaction.text).text == redaction.text


def test_lines_with_hard_breaks_are_not_taken_for_one_value() -> None:
    text = "".join(
        f"**Commit:** {number:07x}aB3  \npassword: see aBc{number}\\\nDate: 2025-03-20  \n" for number in range(9)
    )
    assert redact(text).text == text


def test_long_lines_of_marks_stay_cheap() -> None:
    rng = random.Random(6)
    text = "a**" * 200_000 + pick(rng, 10)
    assert redact(text).text == text
