"""An extraction from notes as people and agents write them in haste: what is decided, and where things stand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.memory.model import Generation
from tests.memory.test_extracting import LINES, LONG, Files, check_sourced, consolidate, index

MESSY: Files = {
    "memory/2025-03-01.md": "# 2025-03-01\n\nStarted the blog today with Ada. We did not choose a framework yet\n"
    "Dentist at 3 pm\ncall mom about the garden\n\nGrace suggested moving the blog to Netlify, but Ada wants to\n"
    "keep things simple.\n",
    "memory/2025-03-03.md": "# 2025-03-03\n\nWe decided that the blog uses Hugo. It builds in two seconds.\n\n"
    "blog hosting: we will go with Vercel\nwe did not choose Netlify for the blog\nthe theme is not decided\n"
    "garden: tomatoes watered\n",
    "memory/2025-03-05.md": "# 2025-03-05\n\n博客首页已经完成，登录正在开\n发。\n我们没有选择 Giscus\n"
    "评论功能还没有最终决定\n~~决定：博客加上广告。~~\n\n"
    "- ~~Comments: Giscus~~\n- Comments: none. Readers write e-mail.\n",
}


def test_of_messy_notes_what_is_decided_and_where_things_stand_is_told_apart() -> None:
    days = ("2025-03-01", "2025-03-03", "2025-03-05")
    written, made = consolidate({**MESSY, "memory/INDEX.md": index(days)}, "2025-03-06")
    check_sourced(made, written)
    assert [point.text for point in made.decisions] == [
        "We decided that the blog uses Hugo. It builds in two seconds.",
        "blog hosting: we will go with Vercel",
        "Comments: none. Readers write e-mail.",
    ]
    status = [line.partition(" [")[0] for line in made.current_status.split("\n")]
    assert status == ["- 博客首页已经完成，登录正在开发。", "- the theme is not decided", "- 评论功能还没有最终决定"]
    assert not set(status) & {f"- {point.text}" for point in made.decisions}
    points = [point.text for point in made.key_points]
    assert "we did not choose Netlify for the blog" in points
    assert "我们没有选择 Giscus" in points
    assert "Grace suggested moving the blog to Netlify, but Ada wants to keep things simple." in points
    for absent in ("Dentist", "mom", "tomatoes", "广告", "Comments: Giscus", "开 发"):
        assert absent not in made.blob.text


def test_the_topics_own_name_in_front_chooses_nothing_and_stray_lines_do_not_say_how_things_stand() -> None:
    written: Files = {
        "memory/2025-03-01.md": "Blog: Grace draws the logo.\nBlog: moved from Hugo to Astro.\nDentist at three\n",
        "memory/INDEX.md": index(["2025-03-01"]),
    }
    _, made = consolidate(written, "2025-03-06")
    assert [point.text for point in made.decisions] == ["Blog: moved from Hugo to Astro."]
    assert made.current_status == "- Blog: Grace draws the logo. [2025-03-01#L1]"


CONVERSATION = """# Session: 2025-03-20 10:30:00 UTC

- **Session Key**: agent:main:main
- **Session ID**: 0f1e2d3c
- **Source**: telegram

## Conversation Summary

user: For the blog, let's use Next.js
assistant: Decided: the blog uses Next.js. Reason: you know React. Shall I set up the repository?
user: yes please
assistant: Done. The repository is live.
user: what's the weather tomorrow?
assistant: Sunny, 21 degrees.
"""


def test_of_a_conversation_only_what_was_decided_and_done_is_taken() -> None:
    written: Files = {"memory/2025-03-20-1030.md": CONVERSATION, "memory/INDEX.md": index(["2025-03-20"])}
    _, made = consolidate(written, "2025-03-21")
    assert [point.text for point in made.decisions] == [
        "For the blog, let's use Next.js",
        "Decided: the blog uses Next.js. Reason: you know React.",
    ]
    assert made.current_status == "- The repository is live. [2025-03-20-1030#L12]"
    assert made.key_points == ()


def test_what_a_later_decision_leaves_is_no_longer_how_things_stand() -> None:
    written: Files = {
        "memory/2025-03-01.md": "## Blog\n\n- Hosting stays on Vercel.\n- The first post is live.\n",
        "memory/2025-03-05.md": "## Blog\n\n- Decision: from Vercel to Cloudflare.\n",
        "memory/INDEX.md": index(["2025-03-01", "2025-03-05"]),
    }
    _, made = consolidate(written, "2025-03-06")
    assert made.current_status == "- The first post is live. [2025-03-01#L4]"
    assert "stays on Vercel" not in made.blob.text.partition("## Source References")[0]


def test_a_decision_answers_the_only_question_that_was_open_and_no_other() -> None:
    written: Files = {
        "memory/2025-03-01.md": "## Blog\n\n- Which framework?\n",
        "memory/2025-03-02.md": "## Blog\n\n- Decision: Hugo.\n- Which theme?\n- Which colours?\n",
        "memory/2025-03-03.md": "## Blog\n\n- Decision: Vercel.\n",
        "memory/INDEX.md": index(["2025-03-01", "2025-03-02", "2025-03-03"]),
    }
    _, made = consolidate(written, "2025-03-06")
    assert "framework" not in made.blob.text.partition("## Source References")[0]
    assert made.current_status == "- Which theme? [2025-03-02#L4]\n- Which colours? [2025-03-02#L5]"


def test_where_there_are_decisions_alone_the_last_one_is_how_things_stand() -> None:
    written: Files = {
        "memory/2025-03-01.md": "## Blog\n\n- Decision: Hugo.\n- Decision: Vercel.\n",
        "memory/INDEX.md": index(["2025-03-01"]),
    }
    _, made = consolidate(written, "2025-03-06")
    assert made.current_status == "- Decision: Vercel. [2025-03-01#L4]"


def auto_of(*said: str) -> Generation:
    """What is made of a blog's notes, one a day."""
    days = [f"2025-03-{number + 1:02}" for number in range(len(said))]
    notes: Files = {f"memory/{day}.md": f"## Blog\n\n- {text}\n" for day, text in zip(days, said, strict=True)}
    return consolidate({**notes, "memory/INDEX.md": index(days)}, "2025-03-20")[1]


@pytest.mark.parametrize(
    ("question", "later"),
    [
        ("Open question: does the blog need a cookie banner?", "The blog has 300 visitors a day."),
        ("待定:博客需要评论功能吗?", "博客今天有 300 个访客。"),
        ("Blocked: Grace has not sent the logo yet.", "We fixed the logo margin."),
        ("Open question: which newsletter tool?", "Decision: logo colour is red."),
    ],
)
def test_a_question_stays_open_until_it_is_answered(question: str, later: str) -> None:
    assert question in auto_of(question, later).current_status


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (
            "Decision: Next.js on Vercel, posts in Markdown, MIT licence.",
            "The blog moved from Vercel to Netlify, decided.",
        ),
        ("决定：博客用 Hugo，主题用蓝色。", "决定：从 Hugo 换到 Astro。"),
    ],
)
def test_a_decision_of_which_a_part_changed_stands_beside_the_later_one(first: str, later: str) -> None:
    assert [point.text for point in auto_of(first, later).decisions] == [first, later]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("决定用 Giscus 做评论。", "决定不用 Giscus 了,改用 Utterances。"),
        ("We decided on Giscus.", "We decided to drop Giscus."),
        ("We decided on Tailwind for the blog.", "Decided: no Tailwind"),
    ],
)
def test_a_decision_that_was_revoked_is_gone(first: str, later: str) -> None:
    assert [point.text for point in auto_of(first, later).decisions] == [later]


def test_a_decision_all_of_whose_parts_changed_is_gone() -> None:
    made = auto_of(
        "Decision: Next.js on Vercel.", "Decided: from Next.js to Astro.", "Decided: from Vercel to Netlify."
    )
    assert [point.text for point in made.decisions] == [
        "Decided: from Next.js to Astro.",
        "Decided: from Vercel to Netlify.",
    ]


HAND_WRITTEN = """# Personal Blog - Generation 1 Consolidation

**Covers**: 2025-03-01 to 2025-03-02

## Summary
A blog.

## Key Points
- Fonts were compared. [2025-03-01#L3]
  - sub point about fonts
  - another one

  | font | reads |
  |------|-------|
  | Song | best  |
- The posts are short,
  one page each.

## Decisions Made
- The blog uses Hugo.
  - its theme is blue

## Current Status
{status}

## Source References
- 2025-03-01: it begins
"""


def after_hand_written(status: str, said: str) -> Generation:
    written: Files = {
        "memory/2025-03-01.md": "## Blog\n\n- Fonts were compared.\n",
        "memory/2025-03-05.md": f"## Blog\n\n- {said}\n",
        "memory/consolidated/personal-blog-gen1-2025-03-02.md": HAND_WRITTEN.format(status=status),
        "memory/INDEX.md": index(["2025-03-01", "2025-03-05"]),
    }
    return consolidate(written, "2025-03-20")[1]


@pytest.mark.parametrize(
    "status",
    [
        "Grace draws the logo.",
        "- Grace draws the logo.\n- The newsletter waits for May.",
        "- 标志由 Grace 画。",
        "The framework is decided. The logo is next.",
        "- Which newsletter tool?",
    ],
)
@pytest.mark.parametrize("said", ["The posts have pictures.", "The first post is published."])
def test_how_things_stand_in_a_hand_written_generation_stands_until_something_new_is_said_of_it(
    status: str, said: str
) -> None:
    made = after_hand_written(status, said)
    for line in status.split("\n"):
        assert line.removeprefix("- ") in made.current_status
    if "published" in said:
        assert said in made.current_status


def test_a_status_of_which_something_new_is_said_is_outdated() -> None:
    made = after_hand_written("- Writing the first post is next.\n- Grace draws the logo.", "First post published.")
    assert made.current_status == "- Grace draws the logo.\n- First post published. [2025-03-05#L3]"


def test_nested_lines_and_tables_of_a_hand_written_point_stay_as_they_are() -> None:
    text = after_hand_written("Active.", "The posts have pictures.").blob.text
    kept = "  - sub point about fonts\n  - another one\n\n  | font | reads |\n  |------|-------|\n  | Song | best  |\n"
    assert f"- Fonts were compared. [2025-03-01#L3]\n{kept}" in text
    assert "- The posts are short, one page each.\n" in text
    assert "- The blog uses Hugo.\n  - its theme is blue\n" in text
    assert "Active." in text


def test_a_decision_with_more_below_it_is_not_ended_by_a_part() -> None:
    text = after_hand_written("Active.", "Decision: from Hugo to Astro.").blob.text
    assert "- The blog uses Hugo.\n  - its theme is blue\n" in text


def test_a_line_that_has_only_the_topics_name_supports_no_point() -> None:
    made = after_hand_written("Active.", "The posts have pictures.")
    assert [point.sources for point in made.decisions] == [()]


@settings(max_examples=2_000 if LONG else 100, deadline=None)
@given(*([st.lists(LINES | LINES.map("- {}".format) | LINES.map("  - {}".format), max_size=8)] * 3))
def test_whatever_a_hand_written_generation_says_the_next_one_can_be_made(
    points: list[str], decisions: list[str], status: list[str]
) -> None:
    """`consolidate` refuses a body that is not whole."""
    sections = zip(("Key Points", "Decisions Made", "Current Status"), (points, decisions, status), strict=True)
    text = "".join("\n".join([f"## {name}", *lines, "", ""]) for name, lines in sections)
    head = "**Covers**: 2025-03-01 to 2025-03-02\n\n## Summary\nA blog.\n\n"
    written: Files = {
        "memory/2025-03-05.md": "## Blog\n\n- The posts have pictures.\n",
        "memory/consolidated/personal-blog-gen1-2025-03-02.md": (head + text).encode("utf-8", "replace"),
        "memory/INDEX.md": index(["2025-03-01", "2025-03-05"]),
    }
    _, made = consolidate(written, "2025-03-20")
    assert "The posts have pictures." in made.blob.text
