"""What a day means for the index: mentions, likenesses, proposals, consolidations."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import PurePosixPath

import pytest

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.lineage import load_memory
from memsite.memory.model import Grade, Memory
from memsite.memory.reviewing import Review, plan_review, review_day
from memsite.memory.snapshot import make_snapshot
from tests.conftest import cpu_seconds

DAY = date(2025, 3, 25)
INDEX = """# Memory Index

## Projects
- **personal-blog**
  - Dates: [2025-03-20, 2025-03-22]
  - Aliases: [Ada's site]
  - Status: active
- **博客项目**
  - Dates: [2025-01-02]
- **blog**
  - Dates: [2025-01-03]
- **kitchen-renovation**
  - Dates: [2025-01-04]

## Decisions
- **database-choice**: [2025-01-10]
"""


def memory_of(note: str, index: str = INDEX, **more: str) -> Memory:
    files = {"memory/INDEX.md": index, "memory/2025-03-25.md": note}
    files |= {f"memory/{name.replace('_', '-')}.md": text for name, text in more.items()}
    return load_memory(make_snapshot(files), Config())


def review(note: str, index: str = INDEX, config: Config | None = None) -> Review:
    return review_day(memory_of(note, index), DAY, DAY, config or Config())


def mentioned(note: str, index: str = INDEX) -> list[tuple[str, int]]:
    return [(one.slug, one.passage.line) for one in review(note, index).mentioned]


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Worked on personal-blog.", ["personal-blog"]),
        ("Worked on the Personal Blog today", ["personal-blog"]),
        ("PERSONAL_BLOG again", ["personal-blog"]),
        ("Ada's site is slow", ["personal-blog"]),
        ("今天讨论了博客项目的部署", ["博客项目"]),
        ("我的blog很好", ["blog"]),
        ("**blog**: `kitchen-renovation`", ["blog", "kitchen-renovation"]),
        ("# Kitchen renovation\n", ["kitchen-renovation"]),
        ("a bloggy personal-blogger", []),
        ("see personal-blog-gen1 and my-blog", []),
        ("> personal-blog\nand lazily kitchen-renovation", []),
        ("- > personal-blog", []),
        ("```\npersonal-blog\n```", []),
        ("    personal-blog\n", []),
        ("- x\n\n  ~~~\n  personal-blog\n  ~~~", []),
        ("<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->", []),
        ("text <!-- personal-blog --> text", []),
        ("", []),
    ],
)
def test_topics_are_mentioned_by_name_or_alias_outside_code_and_quotes(note: str, expected: list[str]) -> None:
    assert [slug for slug, _ in mentioned(note)] == expected


def test_the_first_line_that_mentions_a_topic_is_told() -> None:
    assert mentioned("# 2025-03-25\n\nnothing\n\nthe blog\nthe blog again") == [("blog", 5)]


def test_the_day_is_added_to_mentioned_topics_and_to_nothing_else() -> None:
    found = review("the personal blog and the kitchen renovation")
    plan = plan_review(INDEX.encode(), found, Config())
    (change,) = plan.changeset.changes
    expected = INDEX.replace("2025-03-22]", "2025-03-22, 2025-03-25]").replace(
        "[2025-01-04]", "[2025-01-04, 2025-03-25]"
    )
    assert change.data.decode() == expected
    assert change.path == PurePosixPath("memory/INDEX.md")
    assert plan.changeset.message == "index: dates of personal-blog, kitchen-renovation\n\nday: 2025-03-25\n"
    assert not plan_review(expected.encode(), found, Config()).changeset


def test_an_entry_that_is_ambiguous_is_refused_alone() -> None:
    doubled = INDEX + "- **blog**: [2025-01-05]\n"
    found = review("the blog, the personal blog", doubled)
    plan = plan_review(doubled.encode(), found, Config())
    assert b"2025-03-22, 2025-03-25]" in plan.changeset.changes[0].data
    assert [error.line is not None for error in plan.refused] == [True]


@pytest.mark.parametrize(
    ("note", "slug"),
    [
        ("The kitchen is a mess", "kitchen-renovation"),
        ("we chose PostgreSQL as our 数据库", "database-choice"),
        ("kichen tiles arrived, renovaton begins", "kitchen-renovation"),
    ],
)
def test_topics_that_a_day_seems_to_speak_of_are_proposed_not_dated(note: str, slug: str) -> None:
    found = review(note)
    assert found.mentioned == ()
    assert slug in [one.slug for one in found.likely]
    assert not plan_review(INDEX.encode(), found, Config()).changeset
    accepted = plan_review(INDEX.encode(), found, Config(), accepted=[slug])
    assert b"2025-03-25" in accepted.changeset.changes[0].data


def test_a_word_of_several_names_is_no_likeness() -> None:
    index = "# Memory Index\n\n## Projects\n- **red-house**: [2025-01-01]\n- **blue-house**: [2025-01-01]\n"
    assert review("the house is old", index).likely == ()


def test_what_only_a_session_says_is_proposed_since_there_is_nothing_to_recall() -> None:
    log = "# Session Log — 2025-03-25\n\n### 10:00\n- **Topic:** Let us go on with personal-blog\n"
    memory = load_memory(make_snapshot({"memory/INDEX.md": INDEX, "memory/sessions/2025-03-25.md": log}), Config())
    found = review_day(memory, DAY, DAY, Config())
    assert found.mentioned == ()
    assert [one.slug for one in found.likely][:1] == ["personal-blog"]


@pytest.mark.parametrize(
    ("line", "slug", "category"),
    [
        ("Let's start a new project: building a weather station", "weather-station", "Projects"),
        ("- Started the garden shed project today", "garden-shed", "Projects"),
        ("New project called Orion.", "orion", "Projects"),
        ("启动了天气站项目", "天气站", "Projects"),
        ("新项目：天气站，用树莓派", "天气站", "Projects"),
        ("**Decision:** PostgreSQL 17 for storage", "postgresql-17", "Decisions"),
        ("We decided to move to Lisbon because of the light", "move-lisbon", "Decisions"),
        ("决定使用Rust", "rust", "Decisions"),
        ("We released version 2 of the reader", "version-2-reader", "Major Events"),
        ("发布了新版阅读器", "新版阅读器", "Major Events"),
        ("Grace prefers short answers", "short-answers", "Preferences"),
        ("偏好：简短的回答", "简短的回答", "Preferences"),
    ],
)
def test_new_topics_are_proposed_with_the_line_that_made_them_so(line: str, slug: str, category: str) -> None:
    (proposal,) = review(f"# 2025-03-25\n\n{line}\n").proposals
    assert (proposal.slug, proposal.category, proposal.passage.line) == (slug, category, 3)
    assert proposal.dates == (DAY,)


@pytest.mark.parametrize(
    "line",
    [
        "We decided to host the personal-blog at home",
        "> We decided to move to Lisbon",
        "```\nnew project: orion\n```",
        "Decision:",
        "We had lunch",
        "new project",
        "Decision: 42",
        "| decided | We decided to move to Lisbon |",
        "who | what\n--- | ---\nAda | We decided to move to Lisbon",
        "~~We decided to move to Lisbon~~",
        "- [x] ~~new project: orion~~",
        "We have not decided to move to Lisbon",
        "没有决定使用Rust",
        "If we decided to move to Lisbon, we would tell",
    ],
)
def test_what_proposes_nothing(line: str) -> None:
    assert review(f"# 2025-03-25\n\n{line}\n").proposals == ()


def test_a_heading_or_wikilink_that_comes_back_is_proposed_and_a_daily_one_is_not() -> None:
    days = {f"2025_03_{day:02}": "# x\n\n## Standup\n" for day in range(10, 20)}
    days["2025_03_12"] += "## Weather station\n\nsee [[Lisbon]]\n"
    today = "# x\n\n## Standup\n\n## Weather station\n\n[[Lisbon]]\n\n## Once\n\n## Notes\n"
    found = review_day(memory_of(today, **days), DAY, DAY, Config())
    assert [(one.slug, one.dates) for one in found.proposals] == [
        ("weather-station", (date(2025, 3, 12), DAY)),
        ("lisbon", (date(2025, 3, 12), DAY)),
    ]


def test_auto_propose_index_turns_new_topics_off_and_nothing_else() -> None:
    found = review("Decision: Rust. the personal blog. The kitchen is done", config=Config(auto_propose_index=False))
    assert found.proposals == ()
    assert found.mentioned
    assert found.likely


def test_an_accepted_new_topic_is_added_to_its_category_and_others_are_not() -> None:
    found = review("New project called Orion.\n\nDecision: Rust for it\n")
    plan = plan_review(None, found, Config(), accepted=["orion"])
    assert plan.changeset.changes[0].data.decode() == (
        "# Memory Index\n\n## Projects\n- **orion**\n  - Dates: [2025-03-25]\n  - Status: active\n"
    )
    assert plan.changeset.message.startswith("index: add orion\n")


def test_accepting_what_is_not_proposed_is_refused() -> None:
    with pytest.raises(RefusedError, match="'x' is not proposed for 2025-03-25; proposed: nothing"):
        plan_review(INDEX.encode(), review("hello"), Config(), accepted=["x"])


def test_consolidations_count_the_date_that_the_review_adds() -> None:
    """The seed's example session: at the third date, today included, it is proposed."""
    found = review("hosting of the personal blog")
    assert [(one.slug, one.grade, len(one.dates)) for one in found.wanted] == [("personal-blog", Grade.SUGGESTED, 3)]


def test_due_consolidations_come_first_and_topics_at_rest_are_left_alone() -> None:
    dates = ", ".join((date(2025, 3, 1) + timedelta(days=number)).isoformat() for number in range(5))
    entry = "- **{}**\n  - Dates: [{}]\n  - Status: {}\n"
    index = "# Memory Index\n\n## Projects\n" + "".join(
        entry.format(slug, days, status)
        for slug, days, status in (
            ("new", "2025-03-01, 2025-03-02, 2025-03-03", "active"),
            ("old", dates, "deprecated"),
            ("gone", dates, "abandoned"),
            ("due", dates, "paused"),
        )
    )
    assert [(one.slug, one.grade) for one in review("-", index).wanted] == [
        ("due", Grade.DUE),
        ("new", Grade.SUGGESTED),
    ]


def test_five_hundred_topics_are_reviewed() -> None:
    entries = "".join(f"- **topic-number-{number}**\n  - Dates: [2025-01-01]\n" for number in range(500))
    memory = memory_of("a line about topic number 77\n" * 500, "# Memory Index\n\n## Projects\n" + entries)
    with cpu_seconds(20):
        assert [one.slug for one in review_day(memory, DAY, DAY, Config()).mentioned] == ["topic-number-77"]


@pytest.mark.parametrize(
    "line",
    [
        "决定：博客项目不用 Giscus 了",
        "We decided on Tailwind for the personal blog.",
        "We agreed to drop comments on the blog",
        "[[tailwind]] for the blog",
    ],
)
def test_no_line_that_names_an_indexed_topic_proposes_a_new_one(line: str) -> None:
    named = "博客项目, the blog and the personal blog.\n\n"
    assert review(f"{named}{line}\n").proposals == ()
    assert review(f"{named}{line}\n\nNew project: greenhouse\n").proposed_slugs == ("greenhouse",)
