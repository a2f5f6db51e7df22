from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.model import Topic
from memsite.site.pages.mentions import EXCERPT_LENGTH, excerpt, find_mentions, find_name, topic_names

BLOG = Topic("personal-blog", "Projects", aliases=("博客项目", "b"))
NAMES = {"personal-blog": topic_names(BLOG)}


def test_topic_names_hold_slug_words_and_aliases_without_single_letters() -> None:
    assert topic_names(BLOG) == ("personal blog", "personal-blog", "博客项目")


@pytest.mark.parametrize(
    "text", ["The Personal Blog moved", "see personal-blog.", "今天讨论了博客项目的部署", "- [ ] personal blog: deploy"]
)
def test_find_mentions_by_any_name(text: str) -> None:
    assert [mention.line for mention in find_mentions("# A day\n\n" + text, NAMES)["personal-blog"]] == [3]


def test_find_mentions_leaves_out_markers() -> None:
    assert find_mentions("<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1.md -->", NAMES) == {}


@pytest.mark.parametrize(
    ("line", "start"), [("weblogs and blog", 12), ("weblogs", -1), ("blog2", -1), ("我的blog项目", 2)]
)
def test_find_name_respects_latin_word_edges_only(line: str, start: int) -> None:
    assert find_name(line, "blog") == start


def test_excerpt_drops_the_bullet_and_keeps_the_name_in_sight() -> None:
    line = "- [x] " + "word " * 100 + "personal-blog" + " word" * 100
    shown = excerpt(line, line.index("personal"))
    assert "personal-blog" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= EXCERPT_LENGTH + 2


@given(line=st.text(max_size=500), around=st.integers(0, 500))
def test_excerpt_is_bounded(line: str, around: int) -> None:
    assert len(excerpt(line, around)) <= EXCERPT_LENGTH + 2
