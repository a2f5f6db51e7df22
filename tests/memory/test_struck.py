"""Struck text: what is taken out, and that lines keep their numbers."""

from __future__ import annotations

import pytest

from memsite.memory.struck import without_struck, without_struck_sentences


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("~~Use Hugo.~~", " "),
        ("- done ~~Use Hugo~~", "- done ~~Use Hugo~~"),
        ("~~Use Hugo. It is quick.~~ Use Astro.", "  Use Astro."),
        ("Use ~~Hugo~~ Astro.", "Use ~~Hugo~~ Astro."),
        ("Use Astro. ~~Use\nHugo.~~ No.", "Use Astro. \n No."),
        ("a ~~~ b ~~~", "a ~~~ b ~~~"),
    ],
)
def test_sentences_that_are_struck_out_are_no_longer_said(text: str, left: str) -> None:
    assert without_struck_sentences(text) == left


def test_all_that_is_struck_out() -> None:
    assert without_struck("Use ~~Hugo~~ Astro. ~~a\nb~~") == "Use   Astro. \n"
