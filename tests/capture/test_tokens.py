"""The token estimate and the truncation, beside the seed's JavaScript."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memsite
from memsite.capture.graphemes import is_boundary
from memsite.capture.tokens import TokenCounter, count_cjk_letters, estimate_tokens, truncate_tokens, utf16_length

NOT_THE_SEEDS = re.compile(
    "[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\ua960-\ua97f\uac00-\ud7ff"
    "\U0001aff0-\U0001afff\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
"""Kana, Hangul, supplementary ideographs: where the estimate is more than the seed's."""
SAMPLES = (
    st.sampled_from("aé ß你好。，！ＡｂｱﾞЖאا\u200d\u0301\n\0\ud83d\ude00\ud800😀👨𝒳〇㐀豈ㄅ㈱㌔")
    | st.characters(exclude_categories=())  # surrogates too
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("你", 2),
        ("你好", 3),
        ("你好world", 5),
        ("。", 2),
        ("Ａ", 2),
        ("😀", 1),  # two UTF-16 units, as JavaScript counts
        ("😀😀😀", 2),
        ("ひらがな", 6),
        ("カタカナ", 6),
        ("한국어", 5),
        ("\u1100\u1161\u11a8", 5),  # conjoining jamo, one token and a half each
        ("𠀀", 2),
        ("𠮷野家", 5),
        ("\ud83d", 1),
    ],
)
def test_estimate_of_a_text(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_estimate_equals_the_seeds_on_other_text(node: Callable[[str, Any], Any]) -> None:
    texts: list[str] = []

    @settings(max_examples=300, deadline=None, database=None)
    @given(st.text(SAMPLES, max_size=60))
    def collect(text: str) -> None:
        texts.append(NOT_THE_SEEDS.sub("", text))

    collect()
    assert [estimate_tokens(text) for text in texts] == node("input.map(estimateTokens)", texts)


def test_estimate_equals_the_seeds_on_every_character_of_the_first_planes(node: Callable[[str, Any], Any]) -> None:
    seeds = node("Array.from({length: 0x20000}, (_, i) => estimateTokens(String.fromCodePoint(i).repeat(4)))", None)
    ours = [estimate_tokens(chr(code) * 4) for code in range(0x20000)]
    different = [chr(code) for code in range(0x20000) if ours[code] != seeds[code]]
    assert [char for char in different if not NOT_THE_SEEDS.match(char)] == []
    assert {"あ", "ア", "한", "ᄀ"} <= set(different)


@given(st.lists(st.text(SAMPLES, max_size=20)))
def test_counting_parts_equals_counting_the_whole(parts: list[str]) -> None:
    counter = TokenCounter()
    for part in parts:
        counter.add(part)
    assert counter.total == estimate_tokens("".join(parts))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(SAMPLES, max_size=80), st.integers(-1, 40))
def test_truncation_is_the_longest_beginning_within_the_budget(text: str, budget: int) -> None:
    kept = truncate_tokens(text, budget)
    assert text.startswith(kept)
    assert estimate_tokens(kept) <= max(budget, 0)
    assert is_boundary(text, len(kept))
    following = next((end for end in range(len(kept) + 1, len(text) + 1) if is_boundary(text, end)), None)
    assert following is None or estimate_tokens(text[:following]) > budget


@pytest.mark.parametrize(
    ("text", "budget", "kept"),
    [
        ("hello world", 100, "hello world"),
        ("hello world", 2, "hello wo"),
        ("hello", 0, ""),
        ("你好世界", 3, "你好"),
        ("ab👨‍👩‍👧", 2, "ab"),
        ("👨‍👩‍👧", 1, ""),  # not even the first grapheme fits
        ("aaae\u0301", 1, "aaa"),
        ("aaa🇫🇷", 1, "aaa"),
        ("aaa\r\n", 1, "aaa"),
        ("가나다", 3, "가나"),
    ],
)
def test_truncation_of_a_text(text: str, budget: int, kept: str) -> None:
    assert truncate_tokens(text, budget) == kept


def test_truncation_of_plain_text_equals_the_seeds(node: Callable[[str, Any], Any]) -> None:
    texts = [("word " * n) + ("汉字，" * m) for n in range(0, 90, 17) for m in range(0, 60, 13)]
    cut = """input.map(s => {
      if (estimateTokens(s) <= 50) return s;
      let lo = 0, hi = s.length;
      while (lo < hi) {
        const mid = (lo + hi + 1) >> 1;
        if (estimateTokens(s.slice(0, mid)) <= 50) lo = mid; else hi = mid - 1;
      }
      return s.slice(0, lo); })"""
    assert [truncate_tokens(text, 50) for text in texts] == node(cut, texts)


def test_a_huge_text_is_truncated_quickly() -> None:
    assert truncate_tokens("你好 " * 2_000_000, 150) == "你好 " * 46


@pytest.mark.parametrize(("text", "units"), [("", 0), ("abc", 3), ("é😀", 3), ("𠀀", 2)])
def test_utf16_length(text: str, units: int) -> None:
    assert utf16_length(text) == units


@pytest.mark.parametrize(
    ("text", "letters"), [("", 0), ("abc", 0), ("你好！！", 2), ("修复登录页", 5), ("ログイン", 4)]
)
def test_cjk_letters_leave_punctuation_out(text: str, letters: int) -> None:
    assert count_cjk_letters(text) == letters


def test_the_package_offers_both_functions() -> None:
    assert memsite.estimate_tokens("你好") == 3
    assert memsite.truncate_tokens("你好", 2) == "你"
    with pytest.raises(AttributeError, match="nothing"):
        _ = memsite.nothing


def test_the_package_imports_them_only_when_asked() -> None:
    code = "import sys, memsite; assert 'memsite.capture' not in sys.modules; assert memsite.estimate_tokens('ab') == 1"
    subprocess.run([sys.executable, "-c", code], check=True)
