"""No control sequence of anybody reaches the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.safety.terminal import escape_terminal
from tests.corpora import naughty_strings

BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def controls_in(text: str, *, allowed: str) -> list[str]:
    return [
        character
        for character in text
        if (unicodedata.category(character) in {"Cc", "Cs"} and character not in allowed)
        or unicodedata.bidirectional(character) in BIDI
        or character in "\u200e\u200f\u061c"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b31m", "\\u{9b}31m"),
        ("a\x7f", "a␡"),
        ("over\rwrite", "over␍write"),
        ("dos\r\nline", "dos\nline"),
        ("a\u202eb\u2066c\u200f", "a\\u{202e}b\\u{2066}c\\u{200f}"),
        ("name-\udcff", "name-\\u{dcff}"),
        ("今天 👩‍💻 café", "今天 👩‍💻 café"),
    ],
)
def test_controls_are_shown(text: str, expected: str) -> None:
    assert escape_terminal(text) == expected


def test_a_line_stays_on_its_line() -> None:
    shown = escape_terminal("one\ntwo\r\nthree\tfour\u2028five", keep_newlines=False)
    assert shown == "one␊two␍␊three␉four\\u{2028}five"


@given(st.text(alphabet=st.characters()))
def test_nothing_but_newline_and_tab_is_left_and_twice_equals_once(text: str) -> None:
    shown = escape_terminal(text)
    assert controls_in(shown, allowed="\n\t") == []
    assert escape_terminal(shown) == shown
    assert controls_in(escape_terminal(text, keep_newlines=False), allowed="") == []


def test_the_naughty_strings_are_tame() -> None:
    for text in naughty_strings():
        assert controls_in(escape_terminal(text), allowed="\n\t") == []
