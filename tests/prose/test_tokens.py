"""Tokens join to the text again and never split what a reader sees as one character."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.prose.tokens import count_words, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("Use Next.js now.", ["Use ", "Next.js ", "now", "."]),
        ("  indented", ["  ", "indented"]),
        ("don't well-known snake_case", ["don't ", "well-known ", "snake_case"]),
        ("2025-03-20, 1,000 v1.2.0", ["2025-03-20", ", ", "1,000 ", "v1.2.0"]),
        ("**bold** `x`...", ["**", "bold", "** ", "`", "x", "`", "..."]),
        ("今天讨论。", ["今", "天", "讨", "论", "。"]),
        ("使用 Next.js，好", ["使", "用 ", "Next.js", "，", "好"]),
        ("カタカナとひらがな", list("カタカナとひらがな")),
        ("サーバー", list("サーバー")),
        ("ｶﾞｷﾞ", ["ｶﾞ", "ｷﾞ"]),
        ("か\u3099き", ["か\u3099", "き"]),
        ("한국어 문장입니다.", ["한국어 ", "문장입니다", "."]),
        ("cafe\u0301 au lait", ["cafe\u0301 ", "au ", "lait"]),
        ("👩‍💻 👍🏽 🇩🇪", ["👩‍💻 ", "👍🏽 ", "🇩🇪"]),
        ("नमस्ते दुनिया", ["नमस्ते ", "दुनिया"]),
        ("\U00020000\U0002a6df", ["\U00020000", "\U0002a6df"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),
        ("one\r\n\ttwo", ["one\r\n\t", "two"]),
    ],
)
def test_a_text_is_cut_where_a_reader_would(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@given(st.text())
def test_the_tokens_are_the_text(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(tokens) == text
    assert all(tokens)


@given(st.text(alphabet=st.sampled_from("aé\u0301か\u3099。.👩\u200d💻🏽\ufe0f \n葛\U000e0100한\u1161")))
def test_no_token_begins_inside_of_a_character(text: str) -> None:
    for token, following in zip(tokenize(text), tokenize(text)[1:], strict=False):
        assert category(following[0])[0] != "M"
        assert following[0] not in "\u200d🏽"
        assert not token.endswith("\u200d")


@pytest.mark.parametrize(
    ("text", "words"), [("The blog, live.", 3), ("今天讨论。", 4), ("한국어 문장", 2), ("** -- ,", 0), ("v1.2 好", 2)]
)
def test_words_are_counted_and_signs_are_not(text: str, words: int) -> None:
    assert count_words(text) == words
