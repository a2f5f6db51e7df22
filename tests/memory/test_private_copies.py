"""Private sentences are found again however they are wrapped, quoted or marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.private_copies import Copies, private_units

SENTENCE = "The Berlin contract of Zebedee ends in quuxmonth this year."
WRAPPED = [
    SENTENCE,
    f"- {SENTENCE}",
    "> **The Berlin contract of Zebedee ends\n> in quuxmonth** this year.",
    "The Berlin contract\nof Zebedee ends in\nquuxmonth this year.",
    "- The Berlin contract of Zebedee\n  ends in quuxmonth this year.",
    "First of all. The Berlin contract of\nZebedee ends in quuxmonth this year. Then more.",
]
_PIECES = ["wrap", "quux", "the", "plan", "is", "secret.", "-", ">", "#", "|"]
WORDS = st.sampled_from([*_PIECES, "今天", "我们讨论了一个方案。", "\n", "\n\n"])


@pytest.mark.parametrize("private", WRAPPED)
@pytest.mark.parametrize("public", WRAPPED)
def test_a_sentence_is_masked_however_either_side_is_wrapped(private: str, public: str) -> None:
    masked = Copies(frozenset(private_units(private))).mask(f"# Day\n\nBefore.\n\n{public}\n\nAfter.\n")
    assert "Zebedee" not in masked
    assert "quuxmonth" not in masked
    assert masked.count("[private]") >= 1
    assert masked.count("\n") == public.count("\n") + 7
    assert masked.startswith("# Day\n\nBefore.\n")
    assert masked.endswith("\n\nAfter.\n")


@pytest.mark.parametrize(
    "public",
    [
        f"As said on Monday: {SENTENCE}",
        f"He wrote to us, and I quote: “{SENTENCE}”",
        f'Ada said: note this: "{SENTENCE}" More.',
        f"他写道：「{SENTENCE}」",
        f"It is so — {SENTENCE}",
        "As was said on\nMonday: The Berlin contract of\nZebedee ends in quuxmonth this year.",
    ],
)
def test_a_sentence_is_masked_behind_words_that_lead_to_it(public: str) -> None:
    masked = Copies(frozenset(private_units(SENTENCE))).mask(public)
    assert "Zebedee" not in masked
    assert "quuxmonth" not in masked
    assert masked.startswith(public[:4])
    assert "[private]" in masked
    assert masked.count("\n") == public.count("\n")


def test_entries_of_a_list_are_no_one_paragraph() -> None:
    units = frozenset(private_units("- The plan of the two of us\n- is to leave the town soon"))
    assert Copies(units).mask("The plan of the\ntwo of us is to leave the town soon") == (
        "The plan of the\ntwo of us is to leave the town soon"
    )


@given(st.lists(WORDS, max_size=40).map(" ".join), st.lists(WORDS, max_size=40).map(" ".join))
def test_masking_keeps_the_lines_and_twice_equals_once(private: str, public: str) -> None:
    copies = Copies(frozenset(private_units(private)))
    masked = copies.mask(public)
    assert len(masked.splitlines()) == len(public.splitlines())
    assert copies.mask(masked) == masked
    assert Copies(frozenset(private_units(public))).mask("") == ""
