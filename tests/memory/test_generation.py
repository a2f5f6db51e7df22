"""Generations: the seed's structure read tolerantly, written exactly, and checked before it becomes immutable."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.memory.generation import (
    SECTIONS,
    find_covers,
    format_generation,
    parse_generation,
    topic_title,
)
from memsite.memory.model import Generation, Point, Source, SourceRef
from memsite.memory.snapshot import Blob, blob_id
from tests.conftest import cpu_seconds

PATH = PurePosixPath("memory/consolidated/personal-blog-gen2-2025-04-15.md")
D20, D22, D25 = date(2025, 3, 20), date(2025, 3, 22), date(2025, 3, 25)

SEED = """# Personal Blog - Generation 2 Consolidation

**Created**: 2025-04-15
**Covers**: 2025-04-01 to 2025-04-15
**Previous**: consolidated/personal-blog-gen1-2025-03-25.md

## Summary
The blog went live.

Then it grew.

## Key Points
- Next.js [2025-03-22]
- Vercel, which
  took a day [2025-03-25#L3-L9].

## Decisions Made
- Keep it simple [2025-03-20, 2025-03-22#L4]

## Current Status
Active.

## Source References
- gen1: how it began
- 2025-04-01: first post: a welcome
- consolidated/personal-blog-gen1-2025-03-25.md: the same
- [2025-04-05](../2025-04-05-standup.md): comments
"""


def parse(text: str | bytes) -> Generation:
    data = text.encode() if isinstance(text, str) else text
    generation = parse_generation(PATH, Blob(blob_id(data), data))
    assert generation
    return generation


def test_the_seeds_structure() -> None:
    generation = parse(SEED)
    assert (generation.topic, generation.number, generation.day) == ("personal-blog", 2, date(2025, 4, 15))
    assert generation.title == "Personal Blog - Generation 2 Consolidation"
    assert generation.created == date(2025, 4, 15)
    assert generation.covers == (date(2025, 4, 1), date(2025, 4, 15))
    assert generation.previous == "consolidated/personal-blog-gen1-2025-03-25.md"
    assert generation.summary == "The blog went live.\n\nThen it grew."
    assert generation.current_status == "Active."
    assert generation.key_points == (
        Point("Next.js", 13, (SourceRef(D22),)),
        Point("Vercel, which\ntook a day.", 14, (SourceRef(D25, 3, 9),)),
    )
    assert generation.decisions == (Point("Keep it simple", 18, (SourceRef(D20), SourceRef(D22, 4, 4))),)
    assert generation.sources == (
        Source("gen1", "how it began", 24, None, 1),
        Source("2025-04-01", "first post: a welcome", 25, date(2025, 4, 1)),
        Source("consolidated/personal-blog-gen1-2025-03-25.md", "the same", 26, None, 1),
        Source("2025-04-05", "comments", 27, date(2025, 4, 5)),
    )
    assert generation.indexed


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    one, other = parse(SEED), parse(b"\xef\xbb\xbf" + SEED.replace("\n", "\r\n").encode())
    assert (one.key_points, one.sources, one.summary) == (other.key_points, other.sources, other.summary)


@pytest.mark.parametrize("name", ["notes.md", "personal-blog-gen0-2025-03-25.md", "personal-blog-gen1.md"])
def test_other_names_are_no_generations(name: str) -> None:
    assert parse_generation(PATH.with_name(name), Blob("", b"# x\n")) is None


@pytest.mark.parametrize("text", ["", "\xff", "# Title\n", "just prose\n", "## Summary", "```\n## Summary\nx\n"])
def test_what_is_missing_is_empty(text: str) -> None:
    generation = parse(text)
    assert (generation.summary, generation.key_points, generation.sources, generation.covers) == ("", (), (), None)
    assert generation.title == ("Title" if "Title" in text else "Summary" if text == "## Summary" else PATH.stem)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2025-04-15 to 2025-03-20", "ends before it begins"),
        ("2025-03-20 to 2025-02-30", "2025-02-30 is no date"),
        ("2025-03-20 to 2099-01-01", "2099-01-01 is later than the generation, which is of 2025-04-15"),
        ("2025-04-17", "2025-04-17 is later than the generation, which is of 2025-04-15"),
        ("2025-03-20 to 2025-04-16", ""),  # tomorrow has begun elsewhere
        ("2025-03-20, 2025-03-22 and 2025-03-25", ""),
        ("2025-03-20", ""),
        ("a while", ""),
    ],
)
def test_impossible_covers_do_not_count_and_are_said(written: str, said: str) -> None:
    generation = parse(f"# T\n**Covers**: {written}\n\n## Summary\nx\n")
    assert find_covers(generation) == (2, said)
    assert (generation.covers is None) == (bool(said) or written == "a while")


def test_hand_edits_are_understood() -> None:
    generation = parse(
        "# T\n**Created:** 2025-04-15 by hand\n- Covers: 2025-04-01 – 2025-04-15\n"
        "**Previous**: [gen 1](consolidated/personal-blog-gen1-2025-03-25.md)\n"
        "## key points:\n### Hosting\n* Vercel\n  - fast [2025-03-22]\n  - cheap [2025-03-25]\n\n"
        "  and loved\n\nprose that is no point\n### Stack\n1. Next.js\n2) React\n- [x] done\n"
        "```\n- code is no point\n```\n## **Decisions**\nNone.\n## Status ##\nOn\n"
        "## Sources\n- 2025-03-22 the day\n- gen1\n"
    )
    assert generation.covers == (date(2025, 4, 1), date(2025, 4, 15))
    assert generation.created == date(2025, 4, 15)
    assert generation.previous == "consolidated/personal-blog-gen1-2025-03-25.md"
    assert [point.text for point in generation.key_points] == [
        "Vercel\n- fast\n- cheap\n\nand loved",
        "Next.js",
        "React",
        "[x] done\n```\n- code is no point\n```",
    ]
    assert [point.line for point in generation.key_points] == [7, 15, 16, 17]
    assert generation.key_points[0].sources == (SourceRef(D22), SourceRef(D25))
    assert (generation.decisions, generation.current_status) == ((), "On")
    assert [(source.label, source.text) for source in generation.sources] == [("2025-03-22", "the day"), ("gen1", "")]


def test_a_reference_within_a_sentence_stays_in_it() -> None:
    (point,) = parse("## Key Points\n- Since [2025-03-22] it is Next.js  [2025-03-25] [2025-03-20]\n").key_points
    assert point.text == "Since [2025-03-22] it is Next.js"
    assert [ref.day for ref in point.sources] == [D22, D25, D20]


@pytest.mark.parametrize(
    "text",
    [
        "- " + " " * 50_000 + "x [",
        "- " + "[2025-03-22] " * 4_000 + "x",
        "- " + "`" * 50_000,
        "- " + "[" * 50_000,
        "- x\n" * 10_000,
        "**Created" + "*" * 50_000,
    ],
    ids=range(6),
)
def test_hostile_lines_take_no_time(text: str) -> None:
    with cpu_seconds(20):
        parse(f"{text}\n## Key Points\n{text}\n## Source References\n{text}\n")


@pytest.mark.parametrize(
    ("slug", "title"),
    [("personal-blog", "Personal Blog"), ("博客项目", "博客项目"), ("api-v2", "Api V2"), ("été-博客-x", "été 博客 X")],
)
def test_the_title_of_a_topic(slug: str, title: str) -> None:
    assert topic_title(slug) == title


def test_format_is_the_seeds() -> None:
    sections = [(name, f"text of {name}") for name in SECTIONS]
    text = format_generation("personal-blog", 1, D25, (D20, D25), None, sections)
    assert text.startswith(
        "# Personal Blog - Generation 1 Consolidation\n"
        "\n"
        "**Created**: 2025-03-25\n"
        "**Covers**: 2025-03-20 to 2025-03-25\n"
        "\n"
        "## Summary\n"
        "text of Summary\n"
        "\n"
        "## Key Points\n"
    )
    later = format_generation("personal-blog", 2, D25, (D20, D25), PurePosixPath("consolidated/x.md"), sections)
    assert "\n**Previous**: consolidated/x.md\n\n## Summary\n" in later


words = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="#`<>[]()-+*_~=\\|:&!.：。;；"),
    min_size=1,
)
dates = st.dates(date(2000, 1, 1), date(2100, 1, 1))
covered = st.dates(date(2000, 1, 1), date(2025, 4, 15))


@given(
    st.integers(1, 999),
    dates,
    st.tuples(covered, covered).map(sorted),
    st.lists(st.tuples(words, dates), min_size=1),
    words,
)
def test_what_is_formatted_is_read_back(
    number: int, created: date, covers: list[date], points: list[tuple[str, date]], prose: str
) -> None:
    bullets = "\n".join(f"- {text} [{day}]" for text, day in points)
    sections = [(SECTIONS[0], prose), (SECTIONS[1], bullets), (SECTIONS[2], bullets), (SECTIONS[3], prose)]
    previous = PurePosixPath("consolidated/x-gen1-2025-03-25.md") if number > 1 else None
    sections.append((SECTIONS[4], "\n".join(f"- {day}: {text}" for text, day in points)))
    generation = parse(format_generation("x", number, created, (covers[0], covers[1]), previous, sections))
    assert (generation.created, generation.covers) == (created, (covers[0], covers[1]))
    assert generation.previous == (str(previous) if previous else "")
    assert generation.summary == generation.current_status == prose
    for part in (generation.key_points, generation.decisions):
        assert [(point.text, [ref.day for ref in point.sources]) for point in part] == [
            (text, [day]) for text, day in points
        ]
    assert [(source.text, source.day) for source in generation.sources] == points
