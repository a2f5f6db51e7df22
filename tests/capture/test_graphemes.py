"""Where a text may be cut, beside the segmenter of a browser engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.capture.graphemes import grapheme_floor, is_boundary

PIECES = (
    *"a 1.é你ひ가각",
    *"\r\n\t\0\u2028\u200b\u200c\u200d\u0301\u0308\ufe0f\u20e3\u3099ﾞ",
    *"\u1100\u1161\u11a8\ua960\ud7b0\ud7cb",
    *"🇫🇷👍🏽👨👩❤©\u2194🏴\U000e0067\U000e007f",
    *"कष\u094d\u093fக\u0bcdกำ\u0600",
)


def boundaries(text: str) -> list[int]:
    return [index for index in range(len(text) + 1) if is_boundary(text, index)]


def test_boundaries_equal_those_of_another_implementation(node: Callable[[str, Any], Any]) -> None:
    texts: list[str] = []

    @settings(max_examples=800, deadline=None, database=None)
    @given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join))
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    segments = (
        """input.map(s => [...new Intl.Segmenter("en", {granularity: "grapheme"}).segment(s)].map(g => g.segment))"""
    )
    different = []
    for text, graphemes in zip(texts, node(segments, texts), strict=True):
        ends = [0]
        for grapheme in graphemes:
            ends.append(ends[-1] + len(grapheme))
        if boundaries(text) != ends:
            different.append((ascii(text), boundaries(text), ends))
    assert different == []


@pytest.mark.parametrize("vowel", ["\u0e33", "\u093f"])
def test_a_spacing_vowel_ends_what_is_joined_backwards(vowel: str) -> None:
    for text in (f"©{vowel}\u200d©", f"क{vowel}\u094dष", f"क\u094d{vowel}ष"):
        assert boundaries(text) == [0, 3, 4]


def test_a_non_joiner_keeps_consonants_apart() -> None:
    assert boundaries("क\u094d\u200cष") == [0, 3, 4]


def test_a_spacing_vowel_that_extends_ends_nothing() -> None:
    assert boundaries("©\u09be\u200d©") == [0, 4]


@pytest.mark.parametrize(
    "text",
    [
        "e\u0301",
        "👨‍👩‍👧",
        "👍🏽",
        "🇫🇷",
        "🏴\U000e0067\U000e0062\U000e007f",
        "\u1100\u1161\u11a8",
        "\r\n",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "か\u3099",
        "क\u094dष",
        "\ud83d\ude00",
    ],
)
def test_one_grapheme_is_never_cut(text: str) -> None:
    assert boundaries(text) == [0, len(text)]
    assert {grapheme_floor(f"x{text}", index) for index in range(2, len(text) + 1)} <= {1}


@pytest.mark.parametrize("text", ["ab", "你好", "가나", "🇫🇷🇩🇪", "\n\u0301", "\U0001f600\U0001f600"])
def test_neighbours_may_be_parted(text: str) -> None:
    assert len(boundaries(text)) == 3


def test_floor_keeps_within_the_text() -> None:
    assert grapheme_floor("abc", 9) == 3
    assert grapheme_floor("abc", -1) == 0


def test_a_tower_of_marks_is_cut_below_it_quickly() -> None:
    tower = "a" + "\u0301" * 200_000
    assert grapheme_floor(tower, 150_000) == 0
