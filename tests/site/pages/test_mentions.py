from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.daily import parse_daily_note
from memsite.memory.mentions import TopicNames
from memsite.memory.model import Topic
from memsite.memory.snapshot import Blob
from memsite.site.pages.mentions import EXCERPT_LENGTH, Mention, excerpt, find_mentions

BLOG = Topic("personal-blog", "Projects", aliases=("博客项目", "b"))
NAMES = TopicNames([BLOG])
DAY = date(2025, 3, 20)


def mentions(text: str) -> dict[str, tuple[Mention, ...]]:
    note = parse_daily_note(PurePosixPath("memory/2025-03-20.md"), DAY, "", Blob("", text.encode()))
    return find_mentions(note, NAMES)


@pytest.mark.parametrize(
    "text", ["The Personal Blog moved", "see personal-blog.", "今天讨论了博客项目的部署", "- [ ] personal blog: deploy"]
)
def test_find_mentions_by_any_name(text: str) -> None:
    assert [mention.line for mention in mentions("# A day\n\n" + text)["personal-blog"]] == [3]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1.md -->",
        "> the personal-blog, somebody wrote",
        "```\npersonal-blog\n```",
        "personal-blogs and b",
    ],
)
def test_find_mentions_leaves_out_markers_quotes_code_and_other_words(text: str) -> None:
    assert mentions(text) == {}


def test_find_mentions_has_each_line_once_with_its_first_name() -> None:
    found = mentions("# A day\n\nx\npersonal-blog and 博客项目 and personal blog\n\nof 博客项目\n")["personal-blog"]
    assert [(mention.line, mention.start) for mention in found] == [(4, 0), (6, 3)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("## Personal blog\n\n- moved\n- to Astro\n- and more\n\n## Other\n\n- x\n", [3, 4]),
        ("## Personal blog\n\n```\ncode\n```\n\nMoved.\n", [7]),
        ("## Personal blog\n\n- the personal-blog moved\n- the blog of before\n- personal-blog again\n", [3, 4, 5]),
        ("## Personal blog\n\n## Other\n\n- x\n", [1]),
    ],
)
def test_find_mentions_of_a_heading_are_what_stands_below_it(text: str, lines: list[int]) -> None:
    assert [mention.line for mention in mentions(text)["personal-blog"]] == lines


def test_excerpt_drops_the_bullet_and_keeps_the_name_in_sight() -> None:
    line = "- [x] " + "word " * 100 + "personal-blog" + " word" * 100
    shown = excerpt(line, line.index("personal"))
    assert "personal-blog" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= EXCERPT_LENGTH + 2


def test_excerpt_keeps_words_whole() -> None:
    line = "Considerable wordiness " * 30
    shown = excerpt(line, 400)
    assert set(shown.strip("…").split()) == {"Considerable", "wordiness"}


@given(line=st.text(max_size=500), around=st.integers(0, 500))
def test_excerpt_is_bounded(line: str, around: int) -> None:
    assert len(excerpt(line, around)) <= EXCERPT_LENGTH + 2


def test_an_excerpt_shows_no_mark_of_what_stands_elsewhere() -> None:
    assert excerpt("- See [the plan][plans] and a note[^1], [as it is]") == "See the plan and a note, [as it is]"
