"""Properties of comparisons, their figures and their form on a terminal."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.prose.blocks import split_blocks
from memsite.prose.diff import (
    Block,
    BlockKind,
    Op,
    ProseDiff,
    Span,
    Stats,
    describe_stats,
    diff_texts,
    format_diff_lines,
)
from memsite.prose.spans import diff_spans, mirrored

WORDS = [
    "blog",
    "Next.js",
    "the",
    "a",
    "deploy",
    "2025-03-20",
    "部署",
    "方案。",
    "カナ",
    "한국어",
    "café",
    "**bold**",
    "x,",
]
MIRROR = {BlockKind.INSERT: BlockKind.DELETE, BlockKind.DELETE: BlockKind.INSERT}

phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
markdown_lines = st.one_of(
    phrases,
    phrases.map("- {}".format),
    phrases.map("  - {}".format),
    phrases.map("## {}".format),
    phrases.map("> {}".format),
    phrases.map("| {} | 1 |".format),
    phrases.map("```\n{}\n```".format),
    st.just(""),
)
documents = st.lists(markdown_lines, max_size=14).map("\n".join)


def side(diff: ProseDiff, dropped: Op, line: Callable[[Block], int | None]) -> list[str]:
    """The texts of one side's blocks, in its own order."""
    blocks = sorted((block for block in diff.blocks if line(block) is not None), key=lambda block: line(block) or 0)
    return ["".join(span.text for span in block.spans if span.op is not dropped) for block in blocks]


def check_sides(old: str, new: str) -> None:
    diff = diff_texts(old, new)
    assert side(diff, Op.INSERT, lambda block: block.old_line) == [block.text for block in split_blocks(old)]
    assert side(diff, Op.DELETE, lambda block: block.new_line) == [block.text for block in split_blocks(new)]


@given(documents, documents)
def test_each_side_is_in_the_comparison(old: str, new: str) -> None:
    check_sides(old, new)


@given(st.text(), st.text())
def test_each_side_of_any_text_is_in_the_comparison(old: str, new: str) -> None:
    check_sides(old, new)


@given(documents, st.randoms(use_true_random=False))
def test_each_side_of_a_shuffled_text_is_in_the_comparison(text: str, rng: random.Random) -> None:
    lines = text.split("\n")
    check_sides(text, "\n".join(rng.sample(lines, len(lines))))


@given(st.text())
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    diff = diff_texts(text, text)
    assert not diff.changed
    assert diff.stats == Stats()
    assert format_diff_lines(diff) == ()


def shape(diff: ProseDiff) -> list[tuple[object, ...]]:
    return sorted(
        ((block.kind.value, block.spans, block.old_line or 0, block.new_line or 0) for block in diff.blocks),
        key=repr,
    )


@given(documents, documents)
def test_the_other_way_round_it_is_the_mirror_image(old: str, new: str) -> None:
    forth, back = diff_texts(old, new), diff_texts(new, old)
    turned = [
        Block(MIRROR.get(block.kind, block.kind), mirrored(block.spans), block.new_line, block.old_line)
        for block in back.blocks
    ]
    assert shape(forth) == shape(ProseDiff(tuple(turned), back.stats))
    assert (forth.stats.words_added, forth.stats.blocks_moved) == (back.stats.words_removed, back.stats.blocks_moved)


@given(st.text(), st.text())
def test_spans_are_both_texts_to_the_character(old: str, new: str) -> None:
    spans = diff_spans(old, new)
    assert "".join(span.text for span in spans if span.op is not Op.INSERT) == old
    assert "".join(span.text for span in spans if span.op is not Op.DELETE) == new
    assert all(span.text for span in spans)
    assert mirrored(spans) == diff_spans(new, old)
    ops = [span.op for span in spans]
    assert all(one is not other for one, other in pairwise(ops))
    assert (Op.INSERT, Op.DELETE) not in pairwise(ops)


def rewrap(text: str, rng: random.Random) -> str:
    """Break a paragraph at other spaces."""
    return "".join(character if character != " " else rng.choice(" \n") for character in text)


@given(st.lists(st.lists(st.sampled_from(["blog", "the", "deploy", "café", "한국어"]), min_size=1).map(" ".join)),
       st.randoms(use_true_random=False))  # fmt: skip
def test_wrapping_and_line_ends_are_no_change(paragraphs: list[str], rng: random.Random) -> None:
    old = "\n\n".join(paragraphs)
    new = "\r\n\r\n".join(rewrap(paragraph, rng).replace("\n", "\r\n") for paragraph in paragraphs)
    assert not diff_texts(old, new).changed


def test_lines_are_those_of_each_text() -> None:
    blocks = diff_texts("# A\n\nOne here.\n\nGone away entirely.\n", "New words first.\n\n# A\n\nOne there.\n").blocks
    assert [(block.kind.value, block.old_line, block.new_line) for block in blocks] == [
        ("insert", None, 1),
        ("equal", 1, 3),
        ("change", 3, 5),
        ("delete", 5, None),
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("a", "a", "no change"),
        ("We use Next.js.", "We use Astro here.", "2 words added, 1 removed, in 1 block"),
        ("今天讨论。", "今天讨论了部署。", "3 words added, 0 removed, in 1 block"),
        ("One\n\nTwo", "One", "0 words added, 1 removed, in 1 block"),
        ("## Plan", "### Plan", "0 words added, 0 removed, in 1 block"),
        (
            "The first paragraph is here.\n\nSecond one.\n\nThird one.",
            "Second one.\n\nThird one.\n\nThe first paragraph is here.",
            "1 block moved",
        ),
        (
            "The first paragraph is here.\n\nSecond one.\n\nThird one.",
            "Second one.\n\nThird two.\n\nThe first paragraph was here.",
            "2 words added, 2 removed, in 1 block; 1 block moved",
        ),
    ],
)
def test_figures_in_words(old: str, new: str, words: str) -> None:
    assert describe_stats(diff_texts(old, new).stats) == words


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("## Plan", "### Plan", "heading level changed"),
        ("## Plan\n\nUse it.", "### Plan\n\n- Use it.", "heading level changed, now a list item"),
        ("```\nif x:\n  a\n```", "```\nif x:\na\n```", "white space changed"),
        ("## Plan\n\nUse it", "### Plan\n\nUse it.", "0 words added, 0 removed, in 2 blocks"),
        ("## Plan\n\nUse it", "### Plan\n\nUse this", "1 word added, 1 removed, in 2 blocks"),
    ],
)
def test_what_changed_without_a_word_is_said(old: str, new: str, words: str) -> None:
    assert diff_texts(old, new).summary == words


def test_colours_are_written_only_when_asked_for_and_text_is_escaped_first() -> None:
    diff = diff_texts("We use \x1b[31mNext.js now.", "We use Astro now.")
    plain = format_diff_lines(diff, escape=lambda text: text.replace("\x1b", "␛"))
    assert plain == ("~ We use [-␛[31mNext.js-]{+Astro+} now.",)
    (coloured,) = format_diff_lines(diff, coloured=True, escape=lambda text: text.replace("\x1b", "␛"))
    assert coloured == "~ We use \x1b[31m[-␛[31mNext.js-]\x1b[0m\x1b[32m{+Astro+}\x1b[0m now."


def test_colours_do_not_run_over_the_end_of_a_line() -> None:
    diff = diff_texts("```\nfirst()\n```", "```\nfirst()\nsecond()\nthird()\n```")
    lines = format_diff_lines(diff, coloured=True)
    assert len(lines) == 4
    assert [line.endswith("\x1b[0m") for line in lines[2:]] == [True, True]


def test_rows_of_few_words_are_paired_with_their_opposites() -> None:
    diff = diff_texts("- a b c d\n" * 300, "- a b c e\n" * 300)
    assert {block.kind for block in diff.blocks} == {BlockKind.CHANGE}


def prose(rng: random.Random, size: int) -> list[str]:
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(3_000)]
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < size:
        paragraphs.append(" ".join(rng.choices(words, k=rng.randint(8, 60))) + ".")
    return paragraphs


def edited(paragraphs: list[str], rng: random.Random) -> list[str]:
    kept = [paragraph for paragraph in paragraphs if rng.random() > 0.05]
    return [paragraph.replace(" ", " so ", 1) if rng.random() < 0.3 else paragraph for paragraph in kept]


@pytest.mark.parametrize("glue", ["\n\n", " "], ids=["paragraphs", "one paragraph"])
@pytest.mark.parametrize("kind", ["edited", "rewritten", "shuffled"])
def test_forty_kilobytes_compare_in_no_time(kind: str, glue: str) -> None:
    rng = random.Random(1)
    old = prose(rng, 40_000)
    new = {"edited": edited(old, rng), "rewritten": prose(rng, 40_000), "shuffled": rng.sample(old, len(old))}[kind]
    times = []
    for _ in range(3):
        start = time.process_time()
        diff_texts(glue.join(old), glue.join(new))
        times.append(time.process_time() - start)
    assert min(times) < 0.3


def test_a_span_is_a_plain_value() -> None:
    assert diff_spans("a", "b") == (Span(Op.DELETE, "a"), Span(Op.INSERT, "b"))
    assert Op.EQUAL.value == "equal"
