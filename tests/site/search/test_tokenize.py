from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.site.search.tokenize import RUN_RANGES, SEPARATOR_RANGES, fold, tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hello, World", [("", "hello"), ("", "world")]),
        ("今天讨论了部署方案。", [("今天讨论了部署方案", "")]),
        ("gen3计划v2", [("", "gen3"), ("计划", ""), ("", "v2")]),
        ("プログラミング・言語", [("プログラミング", ""), ("言語", "")]),
        ("ﾌﾟﾛｸﾞﾗﾑ", [("プログラム", "")]),
        ("\u1112\u116c\u110b\u1174", [("회의", "")]),
        ("회의록 작성", [("회의록", ""), ("작성", "")]),
        ("Straße ΟΔΟΣ", [("", "strasse"), ("", "οδοσ")]),
        ("हिन्दी में", [("", "हिन्दी"), ("", "में")]),
        ("ＡＢＣ１２", [("", "abc12")]),
        ("foo_bar-baz 2025-03-25", [("", word) for word in ("foo", "bar", "baz", "2025", "03", "25")]),
        ("人々〆切", [("人々〆切", "")]),
        ("ok ✅ done 🎉", [("", "ok"), ("✅", ""), ("", "done"), ("🎉", "")]),
        ("> \t… — 「」", []),
    ],
)
def test_tokens_of_a_text(text: str, found: list[tuple[str, str]]) -> None:
    assert tokens(text) == found


def test_the_browser_has_the_same_tables(ask: Any, tmp_path: Path) -> None:
    assert ask(tmp_path, ranges_of_code=True)["ranges_of_code"] == [RUN_RANGES, SEPARATOR_RANGES]


def positioned(text: str) -> list[list[object]]:
    """Tokens as the browser gives them: is a run, text, position."""
    found: list[list[object]] = []
    at = 0
    for run, word in tokens(text):
        found.append([bool(run), run or word, at])
        at += len(run) + 1 if run else 1
    return found


@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=30), min_size=200, max_size=200))
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
        HealthCheck.too_slow,
        HealthCheck.large_base_example,
    ],
)
def test_python_and_the_browser_see_the_same_tokens(ask: Any, tmp_path: Path, texts: list[str]) -> None:
    assert ask(tmp_path, tokens=texts)["tokens"] == [positioned(text) for text in texts]


def test_python_and_the_browser_agree_on_every_letter_of_the_basic_plane(ask: Any, tmp_path: Path) -> None:
    # A letter that only one side's Unicode knows may fold differently: none in the blocks that people type.
    texts = [chr(code) + "x" for code in range(0x20, 0x1C80)] + [chr(code) for code in range(0x1E00, 0xA640)]
    told = ask(tmp_path, tokens=texts)["tokens"]
    assert [text for text, got in zip(texts, told, strict=True) if got != positioned(text)] == []


def test_fold_twice_is_fold_once_for_what_people_type() -> None:
    for text in ("ǅ", "ﬁn", "Ⅻ", "İstanbul", "ẞ", "㍿", "ｶﾞ", "Å"):
        assert fold(fold(text)) == fold(text)
