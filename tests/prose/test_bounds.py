"""Texts that are built to be hard to compare: bounded in time and memory, and the answer is still a right one."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.prose import sequences, spans
from memsite.prose.blame import split_sentences
from memsite.prose.diff import MAX_LINES, TOO_LARGE, BlockKind, Op, TooLargeError, diff_lines, diff_texts
from memsite.prose.sequences import common_ends, iter_runs
from memsite.prose.spans import Span, diff_spans, is_too_large, mirrored
from tests.limits import LONG, run_module

items = st.lists(st.sampled_from("abcdefgh"), max_size=40)


def test_hostile_texts_are_compared_in_bounded_time_and_memory() -> None:
    arguments = ("100000",) if LONG else ("50000", "3")
    said = run_module("tests.hostile.pairs", *arguments, seconds=120 if LONG else 30, megabytes=350)
    found = dict(line.split(":") for line in said.splitlines())
    assert found["signs"] == " words"
    assert "blocks" in found["items"]


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that little texts are past."""
    monkeypatch.setattr(sequences, "MAX_CELLS", 30)
    monkeypatch.setattr(spans, "MAX_CELLS", 30)


@pytest.mark.usefixtures("tight")
def test_runs_past_the_bound_are_both_sequences_with_nothing_left_out() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        old, new = (rng.choices("abcdefghijklmnop", k=rng.randint(0, 40)) for _ in range(2))
        runs = list(iter_runs(old, new))
        assert [at for run in runs for at in range(run.a, run.b)] == list(range(len(old)))
        assert [at for run in runs for at in range(run.c, run.d)] == list(range(len(new)))
        assert all(old[run.a : run.b] == new[run.c : run.d] for run in runs if run.equal)
        assert all(run.a < run.b or run.c < run.d for run in runs)


@pytest.mark.usefixtures("tight")
def test_past_the_bound_what_is_in_both_once_still_holds_them_together() -> None:
    old, new = list("xxxxxxApppBqqqqqCzzz"), list("yyyyyyApppBrrrrrCzzz")
    kept = "".join(item for run in iter_runs(old, new) if run.equal for item in old[run.a : run.b])
    assert kept == "ApppBCzzz"


@pytest.mark.usefixtures("tight")
@given(st.text(alphabet="ab c.部\n", max_size=40), st.text(alphabet="ab c.部\n", max_size=40))
def test_spans_past_the_bound_are_both_texts_to_the_character(old: str, new: str) -> None:
    found = diff_spans(old, new)
    assert "".join(span.text for span in found if span.op is not Op.INSERT) == old
    assert "".join(span.text for span in found if span.op is not Op.DELETE) == new
    assert mirrored(found) == diff_spans(new, old)
    assert all(one.op is not other.op for one, other in pairwise(found))


@pytest.mark.usefixtures("tight")
def test_words_past_the_bound_are_exchanged_between_those_that_both_begin_and_end_with() -> None:
    old, new = "begin one two three four end", "begin five six seven end"
    assert is_too_large(old, new)
    assert diff_spans(old, new) == (
        Span(Op.EQUAL, "begin "),
        Span(Op.DELETE, "one two three four "),
        Span(Op.INSERT, "five six seven "),
        Span(Op.EQUAL, "end"),
    )
    (block,) = diff_texts(old, new).blocks
    assert block.notes == (TOO_LARGE,)


def test_ends_that_sequences_share_do_not_overlap() -> None:
    assert common_ends("aaa", "aaaaa") == (3, 0)
    assert common_ends("abcab", "abxab") == (2, 2)
    assert common_ends("", "a") == (0, 0)


def test_a_text_of_too_many_lines_is_compared_by_lines_alone() -> None:
    old = "".join(f"- {number}\n" for number in range(MAX_LINES))
    new = old.replace("- 0\n", "- changed\n", 1)
    with pytest.raises(TooLargeError):
        diff_texts(old, new)
    changed = [block for block in diff_lines(old, new).blocks if block.kind is not BlockKind.EQUAL]
    assert [(one.kind.value, one.old_line, one.new_line) for one in changed] == [
        ("delete", 1, None),
        ("insert", None, 1),
    ]


def test_emphasis_that_ends_with_a_sentence_is_closed_there_however_many_there_are() -> None:
    sentences = [f"**第{number}句。**" for number in range(50)]
    assert [one for one, _ in split_sentences(" ".join(sentences))] == sentences
