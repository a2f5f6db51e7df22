"""Who brought a sentence: cases by hand, and lineages made up so that the answer is known."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.prose.blame import BlamedSentence, blame_lineage, split_sentences, trace_origins, trace_words
from tests.prose.lineages import SECTIONS, make_lineage


def blamed(*texts: str) -> list[tuple[str, int]]:
    return [(one.text, one.generation) for one in blame_lineage(list(enumerate(texts, start=1)))]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("It uses v1.2 of Next.js. Fine.", ["It uses v1.2 of Next.js.", "Fine."]),
        ("Dr. Lovelace, e.g. Ada, wrote it. So it is.", ["Dr. Lovelace, e.g. Ada, wrote it.", "So it is."]),
        ("A. Lovelace came. B followed.", ["A. Lovelace came.", "B followed."]),
        ("It runs on AWS. Then it moved.", ["It runs on AWS.", "Then it moved."]),
        ('"Is it live?" Ada asked. "Yes."', ['"Is it live?"', "Ada asked.", '"Yes."']),
        ("今天讨论了部署。决定用 Vercel！好吗？好", ["今天讨论了部署。", "决定用 Vercel！", "好吗？", "好"]),
        ("他说：「好。」然后走了。", ["他说：「好。」", "然后走了。"]),
        ("**今天讨论。**决定部署。", ["**今天讨论。**", "决定部署。"]),
        ("今天讨论。**决定部署。**", ["今天讨论。", "**决定部署。**"]),
        ("本を読む。プログラミングを学ぶ。", ["本を読む。", "プログラミングを学ぶ。"]),
        ("# Title\n\n- one\n- two. Three.\n\n| a | b |\n", ["Title", "one", "two.", "Three.", "a | b"]),
        ("```\nx = 1\n\ny = 2\n```", ["x = 1", "y = 2"]),
        ("A sentence that is\nwrapped. And another\none.", ["A sentence that is wrapped.", "And another one."]),
        ("用Next.js部署\n缓存放Redis", ["用Next.js部署", "缓存放Redis"]),
        ("- 用Next.js部署\n  缓存放Redis", ["用Next.js部署", "缓存放Redis"]),
        ("今天讨论了部署。决定\n周五上线", ["今天讨论了部署。", "决定", "周五上线"]),
        ("今天讨论了部署\n方案。", ["今天讨论了部署方案。"]),
        ("今天讨论了：\n部署方案", ["今天讨论了：部署方案"]),
        (f"{'很长' * 17}\n的一行", [f"{'很长' * 17}的一行"]),
        ("One line\nand another", ["One line and another"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, sentences: list[str]) -> None:
    assert [sentence for sentence, _ in split_sentences(text)] == sentences


def test_sentences_know_their_lines() -> None:
    text = "# Blog\n\nOne is\nlong. Two\nbegins above.\nThree.\n\n```\na\nb\n```\n"
    assert [line for _, line in split_sentences(text)] == [1, 3, 4, 6, 9, 10]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["One. Two."], [("One.", 1), ("Two.", 1)]),
        (["One. Two.", "One. Three. Two."], [("One.", 1), ("Three.", 2), ("Two.", 1)]),
        (["It uses Next.js.", "It uses Astro."], [("It uses Astro.", 2)]),
        (["One. Two. Three.", "Three. One. Two."], [("Three.", 1), ("One.", 1), ("Two.", 1)]),
        (["One.", "Two.", "One."], [("One.", 3)]),
        (["One.", "One. Two.", "Two. One."], [("Two.", 2), ("One.", 1)]),
        (["Same.", "Same. Same."], [("Same.", 1), ("Same.", 2)]),
        (["It is\nlive now.", "It is live\nnow."], [("It is live now.", 1)]),
        (["The blog is live.", "The **blog** is live."], [("The **blog** is live.", 1)]),
        (["- one\n- two", "* two\n* one\n* three"], [("two", 1), ("one", 1), ("three", 2)]),
        (["今天讨论。决定部署。", "今天讨论。决定等待。"], [("今天讨论。", 1), ("决定等待。", 2)]),
        (["A paragraph.", "- A paragraph."], [("A paragraph.", 1)]),
        (
            ["博客使用Hugo。“好的。”然后走。", "博客使用\nHugo。\n“好的。”\n然后走。"],
            [("博客使用 Hugo。", 1), ("“好的。”", 1), ("然后走。", 1)],
        ),
        (["它用Hugo.然后好。", "它用Hugo.\n然后好。"], [("它用Hugo.", 1), ("然后好。", 1)]),
        (["[博客](x.md)Hugo上线。", "[博客](x.md)\nHugo上线。"], [("[博客](x.md) Hugo上线。", 1)]),
        (["The back up runs.", "The backup runs."], [("The backup runs.", 2)]),
        (["It costs ~5 EUR.", "It costs 5 EUR."], [("It costs 5 EUR.", 2)]),
        (["The result is 2*3 now.", "The result is 23 now."], [("The result is 23 now.", 2)]),
        (["Set max_file_mb here.", "Set maxfilemb here."], [("Set maxfilemb here.", 2)]),
        (["Salt &amp; pepper.", "Salt & pepper."], [("Salt & pepper.", 1)]),
        (["```\na &amp; b\n```", "```\na & b\n```"], [("a & b", 2)]),
        (["    if x:\n        a\n        b", "    if x:\n        a\n    b"], [("if x:", 1), ("a", 1), ("b", 2)]),
        (["- a\n\n      x = 1", "```\nx = 1\n```"], [("x = 1", 1)]),
        (["See 2*3, *this*.", "See 2*3, this."], [("See 2*3, this.", 1)]),
        (["One. Two.", "**One. Two.**"], [("**One.", 1), ("Two.**", 1)]),
        (["Two \\* three.", "Two * three."], [("Two * three.", 1)]),
        (["```\na *b* c\n```", "```\na b c\n```"], [("a b c", 2)]),
        (["~~Use Redis.~~ dropped", "Use Redis. dropped"], [("Use Redis. dropped", 2)]),
        (
            ["One. ~~Two. Three. Four.~~", "One. Two. Three. Four."],
            [("One.", 1), ("Two.", 2), ("Three.", 2), ("Four.", 2)],
        ),
        (["~~Gone.~~", "~~**Gone.**~~"], [("~~**Gone.**~~", 1)]),
        (["", "One."], [("One.", 2)]),
        (["One.", ""], []),
    ],
)
def test_a_sentence_belongs_to_whom_it_came_from(texts: list[str], expected: list[tuple[str, int]]) -> None:
    assert blamed(*texts) == expected


def test_numbers_are_those_that_were_given() -> None:
    assert blame_lineage([(3, "One."), (7, "One. Two.")]) == (
        BlamedSentence("One.", 1, 3),
        BlamedSentence("Two.", 1, 7),
    )
    assert blame_lineage([]) == ()


def test_a_line_that_nobody_punctuated_is_whose_it_was() -> None:
    assert blamed("用Next.js部署\n", "用Next.js部署\n缓存放Redis\n") == [("用Next.js部署", 1), ("缓存放Redis", 2)]


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_a_lineage_of_known_origin_is_told(seed: int, generations: int) -> None:
    """Sentences that never repeat are kept, dropped, added and moved; each remembers who made it."""
    rng = random.Random(seed)
    current: list[tuple[str, int]] = []
    texts = []
    for number in range(1, generations + 1):
        kept = [one for one in current if rng.random() < 0.7]
        added = [
            (f"Sentence {number}-{k}{' 说明' * rng.randint(0, 2)} ends.", number) for k in range(rng.randint(0, 5))
        ]
        current = rng.sample(kept + added, len(kept) + len(added))
        texts.append((number, rng.choice([" ", "\n", "\n\n", "\n- "]).join(text for text, _ in current)))
    assert [(one.text, one.generation) for one in blame_lineage(texts)] == current


def without_headings(sentences: tuple[BlamedSentence, ...]) -> list[BlamedSentence]:
    return [one for one in sentences if one.text not in SECTIONS and " - Generation " not in one.text]


@pytest.mark.parametrize("seed", range(0, 400 if "MEMSITE_TEST_LONG" in os.environ else 40, 10))
def test_99_of_100_sentences_are_credited_to_whom_they_came_from(seed: int) -> None:
    """Generations in three scripts: sentences kept, reworded, moved, re-wrapped, emphasised, dropped, said twice."""
    right, told, reworded = 0, 0, 0
    for lineage in range(seed, seed + 10):
        texts, sentences = make_lineage(lineage, 6)
        for number in range(1, len(texts) + 1):
            found = without_headings(blame_lineage(list(enumerate(texts[:number], start=1))))
            for one, truth in zip(found, sentences[number - 1], strict=True):
                assert "".join(one.text.replace("*", "").split()) == "".join(truth.text.split())
                told += 1
                right += one.generation == truth.generation
                if truth.reworded and truth.generation == number:
                    reworded += 1
                    assert one.generation == number, one
    assert told > 2000
    assert reworded > 200
    assert right >= 0.99 * told, f"{right} of {told}"


def test_texts_of_sentences_alone_are_traced_in_the_same_way() -> None:
    assert trace_origins([["One.", "Two."], ["Two.", "**One.**", "Three."], ["Three.", "One."]]) == [1, 0]
    assert trace_origins([]) == []


def test_blocks_of_code_are_traced_with_their_lines_and_indentation() -> None:
    assert trace_words([["a = 1\nb = 2"], ["a = 1\nb = 2"]]) == [0]
    assert trace_words([["a = 1\nb = 2"], ["a = 1\n  b = 2"]]) == [1]
    assert trace_words([["a = 1\nb = 2"], ["a = 1 b = 2"]]) == [1]
