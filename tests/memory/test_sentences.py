"""Sentences: what a line break ends, and what it only wraps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.sentences import Sentence, glue, split_sentences


def texts(block: str) -> list[str]:
    return [one.text for one in split_sentences(block.split("\n"))]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("Decided on Hugo for the blog\nDentist at three on Thursday\ntomatoes are watered", 3),
        ("decided on hugo for the blog\ndentist at three", 2),
        ("决定用 Hugo\n下午看牙医\n番茄浇水了", 3),
        ("We use Hugo.\nThe dentist is on Thursday.", 2),
        ("We use Hugo. The dentist is on Thursday.", 2),
        ("我们用 Hugo。周四看牙医。", 2),
        ("Hosting: Vercel\nComments: Giscus", 2),
        ("user: let us use the\nassistant: good.", 2),
        ("状态：开发中，\n下一步：上线。", 2),
        ("We met Dr. Lovelace, e.g. on Monday at the lab", 1),
        ("It needs v1.2 or 3.5 GB of room", 1),
        ("Is it Hugo? Yes! “It is quick.” So be it.", 4),
        ("他说：“用 Hugo。”然后走了。", 2),
    ],
)
def test_lines_and_sentences_are_kept_apart(block: str, said: int) -> None:
    found = texts(block)
    assert len(found) == said, found


@pytest.mark.parametrize(
    ("block", "joined"),
    [
        ("我们决定博客使用静态网站生\n成器，因为很快。", "我们决定博客使用静态网站生成器，因为很快。"),
        ("我们决定，\nAstro 更快", "我们决定，Astro 更快"),
        ("我们决定使用\nAstro 更快。", "我们决定使用 Astro 更快。"),
        ("We decided that the blog\nuses Hugo.", "We decided that the blog uses Hugo."),
        ("We decided to use the\nHugo generator", "We decided to use the Hugo generator"),
        ("블로그는\n휴고를 쓴다.", "블로그는 휴고를 쓴다."),
        (
            "After the long talk of last week we have decided that the blog shall use\nHugo, which is quick.",
            "After the long talk of last week we have decided that the blog shall use Hugo, which is quick.",
        ),
        (
            "after the long talk of last week we have decided that the whole blog uses\nhugo from now on",
            "after the long talk of last week we have decided that the whole blog uses hugo from now on",
        ),
    ],
)
def test_a_wrapped_sentence_is_one(block: str, joined: str) -> None:
    assert texts(block) == [joined]


def test_a_hard_break_ends_a_line() -> None:
    lines = ["We decided that the blog", "uses Hugo."]
    assert [one.text for one in split_sentences(lines, [True, False])] == lines


def test_each_sentence_knows_its_lines() -> None:
    block = "One is\nwrapped. Two is not. 三是\n换行的。\nFour"
    assert list(split_sentences(block.split("\n"))) == [
        Sentence("One is wrapped.", 0, 1, follows=False),
        Sentence("Two is not.", 1, 1, follows=True, gap=" "),
        Sentence("三是换行的。", 1, 2, follows=True, gap=" "),
        Sentence("Four", 3, 3, follows=False),
    ]


def test_quotes_that_all_scripts_share_take_the_space_of_their_script() -> None:
    assert glue("he said “yes”", "“no”") == " "
    assert glue("他说“是”", "“不”") == ""


WORDS = st.lists(
    st.sampled_from(["We", "use", "Hugo.", "决定", "。", "so", "it", "is?", "“", "e.g.", "", "，"]), max_size=8
)


@given(st.lists(WORDS.map(" ".join) | st.text(max_size=20).map(lambda text: " ".join(text.split())), max_size=6))
def test_no_character_is_lost_and_each_sentence_stands_on_its_lines(lines: list[str]) -> None:
    found = list(split_sentences(lines))
    assert "".join("".join(one.text for one in found).split()) == "".join("".join(lines).split())
    for one in found:
        assert "".join(one.text.split()) in "".join("".join(lines[one.first : one.last + 1]).split())
