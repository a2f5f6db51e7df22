"""INDEX.md as it is read: both dialects, what people write beside them, and what is wrong with its line."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.index import parse_index
from memsite.memory.model import Dialect, GenerationRef, Index, Status, TopicEntry
from memsite.memory.snapshot import Blob, blob_id
from tests.memory.conftest import EXAMPLES

PATH = PurePosixPath("memory/INDEX.md")

SEED = """# Memory Index

## Projects
- **project-slug**
  - Dates: [2025-03-20, 2025-03-22, 2025-03-25, 2025-04-01]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/project-slug-gen1-2025-03-25.md
  - Current: consolidated/project-slug-gen1-2025-03-25.md
  - Status: active | completed | paused | abandoned

## Major Events
- **event-slug**: [2025-03-15]
  - Description: Brief description
"""


def parse(text: str | bytes) -> Index:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return parse_index(Blob(blob_id(data), data), PATH, Config())


def only(text: str) -> TopicEntry:
    (entry,) = parse(text).entries
    return entry


def slugs(text: str) -> list[str]:
    return [entry.slug for entry in parse(text).entries]


def test_the_seeds_two_dialects() -> None:
    index = parse(SEED)
    assert index.categories == ("Projects", "Major Events")
    assert index.problems == ()
    path = PurePosixPath("consolidated/project-slug-gen1-2025-03-25.md")
    assert index.entries == (
        TopicEntry(
            "project-slug",
            "Projects",
            Dialect.NESTED,
            4,
            9,
            tuple(date.fromisoformat(day) for day in ("2025-03-20", "2025-03-22", "2025-03-25", "2025-04-01")),
            Status.ACTIVE,
            (GenerationRef(1, date(2025, 3, 25), path, 7),),
            path,
        ),
        TopicEntry(
            "event-slug",
            "Major Events",
            Dialect.INLINE,
            12,
            13,
            (date(2025, 3, 15),),
            description="Brief description",
        ),
    )


def test_no_file_and_an_empty_one_are_empty_indexes() -> None:
    assert parse_index(None, PATH, Config()) == Index(PATH, None)
    assert parse("").entries == ()


@pytest.mark.parametrize(
    "text",
    [
        "* **a**\n\t* dates: [2025-01-02]\n\t* STATUS: Paused\n",
        "+ **a**\n    + Dates： 2025-01-02\n    + Status：paused\n",
        "-   __a__\n    - **Dates**: [2025-01-02]\n    - **Status:** paused (until May)\n",
        "- **a**:\n\n  - Dates: [2025-01-02,]\n\n  - Status: paused <!-- why -->\n",
        "- **a:** [2025-01-02]\n  - Status: `paused`\n",
        "- **a**：[2025-01-02，2025-01-02] words\n  - Status: paused\n",
        "\ufeff- **a** of words\r\n  - Dates: [2025-01-02]\r\n  - Status: paused\r\n",
        "- a group\n  - **a**: [2025-01-02]\n    - Status: paused\n",
    ],
)
def test_what_people_write_is_read(text: str) -> None:
    entry = only(text)
    assert (entry.slug, set(entry.dates), entry.status) == ("a", {date(2025, 1, 2)}, Status.PAUSED)
    assert parse(text).problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "- **a** words\n",
        "- **a**: words\n",
        "- **a**: [a link](b.md)\n",
        "- **a**: [2025-01-01](2025-01-01.md)\n",
        "- **a**: [[2025-01-01]]\n",
        "- **a**: [red, green]\n",
        "- a: [2025-01-01]\n",
        "1. **a**: [2025-01-01]\n",
        "**a**: [2025-01-01]\n",
        "> - **a**: [2025-01-01]\n",
        "```\n- **a**: [2025-01-01]\n```\n",
        "~~~ md\n- **a**: [2025-01-01]\n",
        "<!--\n- **a**: [2025-01-01]\n-->\n",
        "<div>\n- **a**: [2025-01-01]\n</div>\n",
        "    - **a**: [2025-01-01]\n",
        "-     **a**: [2025-01-01]\n",
        "- # **a**: [2025-01-01]\n",
        "| **a** | [2025-01-01] |\n",
        "---\ntopics:\n- **a**: [2025-01-01]\n---\n",
    ],
)
def test_prose_stays_prose(text: str) -> None:
    assert parse(text).entries == ()
    assert parse(text).problems == ()


HALF = [
    ("- **semi**\n  - Dates: [2025-03-20\n", 2, "'[2025-03-20' is no list of dates"),
    ("- **semi**\n  - Dates: to be announced\n", 2, "'to be announced' is no list of dates"),
    ("- **semi**\n  - Dates: 2025-01-01 to 2025-01-05\n", 2, "is no list of dates"),
    ("- **semi**\n  - Dates: [2025-01-01](2025-01-01.md)\n", 2, "is no list of dates"),
    ("- **semi**\n  - Status: active\n  - Dates:\n    - 2025-03-20\n", 3, "its dates are bullets of their own"),
    ("* **semi**: 2025-03-20\n", 1, "'2025-03-20' is no list of dates"),
    ("- **semi:** 2025-03-20, 2025-03-22 <!-- two -->\n", 1, "'2025-03-20, 2025-03-22' is no list of dates"),
    ("- **semi**: [2025-03-20\n", 1, "'[2025-03-20' is no list of dates"),
    ("- **semi** [2025-03-20]\n", 1, "'[2025-03-20]' is no list of dates"),
    ("- **semi**：（2025/3/20；2025/3/22）\n", 1, "is no list of dates"),
    ("- **semi**\n  - Status: active\n", 1, "it has no dates"),
    ("- **semi**: words\n  - Current: consolidated/semi-gen1-2025-03-20.md\n", 1, "it has no dates"),
    ("- a group\n  - __semi__\n    - Dates: [2025-03-20\n", 3, "'[2025-03-20' is no list of dates"),
    ("- **semi**\n\u00a0\u00a0- Dates: [2025-03-20]\n", 1, "its dates are no bullet of their own"),
    ("- **semi**\n  Dates: [2025-03-20]\n", 1, "its dates are no bullet of their own"),
    ("- \u200b**semi**: 2025–03–20\n", 1, "'2025-03-20' is no list of dates"),
    ("- ***semi***: [2025-03-20]\n", 1, "its name is not between"),
    ("- **semi**: 2025-03-20 (kickoff), 2025-03-22 （第二天）\n", 1, "is no list of dates"),
    ("- **semi** - [2025-03-20]\n", 1, "'[2025-03-20]' is no list of dates"),
    ("- **semi** – 2025-03-20\n", 1, "'2025-03-20' is no list of dates"),
    ("- **semi: [2025-03-20]\n", 1, "its name is not between"),
    ("- __semi: [2025-03-20\n", 1, "its name is not between"),
    ("- *semi*: [2025-03-20]\n", 1, "its name is not between"),
    ("- _semi_ [2025-03-20, 2025-03-22]\n", 1, "its name is not between"),
    ("- ~~**semi**~~: [2025-03-20]\n", 1, "its name is not between"),
    ("- [ ] **semi**: [2025-03-20]\n", 1, "'[2025-03-20]' is no list of dates"),
    ("- [x] *semi*: [2025-03-20]\n", 1, "its name is not between"),
    ("- **semi**: [20 March 2025]\n", 1, "'[20 March 2025]' is no list of dates"),
    ("- **semi**: [today]\n", 1, "'[today]' is no list of dates"),
    ("- **semi**: [TODO]\n", 1, "'[TODO]' is no list of dates"),
    ("- **semi**: [YYYY-MM-DD]\n", 1, "'[YYYY-MM-DD]' is no list of dates"),
    ("- **semi**: [3月20日]\n", 1, "'[3月20日]' is no list of dates"),
    ("- **semi**\n  - 2025-03-20\n  - [2025-03-22] (done)\n", 1, "its dates are bullets of their own"),
    ("- **se\u00admi**: ٢٠٢٥-٠٣-٢٠\n", 1, "'2025-03-20' is no list of dates"),
]


@pytest.mark.parametrize(("text", "line", "message"), HALF)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_half_written_topic_is_seen(text: str, line: int, message: str, end: str) -> None:
    index = parse(text.replace("\n", end))
    assert (index.entries, index.left_out) == ((), 1)
    (problem,) = index.problems
    assert (problem.path, problem.line) == (PATH, line)
    assert problem.message.startswith("the topic 'semi' is half-written: ")
    assert message in problem.message


def test_brackets_with_nothing_in_them_are_an_empty_list() -> None:
    index = parse("- **a**: [ ]\n")
    assert ([(entry.slug, entry.dates) for entry in index.entries], index.problems) == ([("a", ())], ())


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("- semi\n  - 2025-03-20\n  - 2025-03-22\n", "write '- **semi**: [2025-03-20]', with its dates in one line"),
        ("* `semi`:\n    * 2025/3/20 (kickoff)\n", "write '- **semi**: [2025-03-20]', with its dates in one line"),
        ("- semi\n  - Dates:\n    - 2025-03-20\n  - Status: active\n", "with its dates in one line"),
        ("- semi\n  - Dates: [2025-03-20]\n", "see `memsite migrate`"),
        ("- a group\n  - semi\n    - 2025-03-20\n", "with its dates in one line"),
    ],
)
def test_a_topic_without_bold_marks_is_seen_by_its_dates(text: str, hint: str) -> None:
    index = parse(text)
    assert (index.entries, index.left_out) == ((), 1)
    (problem,) = index.problems
    line = text[: text.index("semi")].count("\n") + 1
    assert (problem.line, problem.message) == (line, "'semi' is no topic without bold marks")
    assert (hint in problem.hint, problem.warning) == (True, True)


@pytest.mark.parametrize("start", ["-\u00a0", "• ", "-\u200b", "*", "-\u3000"])
def test_a_line_that_only_looks_like_a_topic_is_seen(start: str) -> None:
    index = parse(f"words\n\n{start}**semi**: [2025-03-20]\n")
    assert (index.entries, index.left_out) == ((), 1)
    (problem,) = index.problems
    assert (problem.line, problem.message) == (3, "'semi' is no topic, for no bullet begins its line")


@pytest.mark.parametrize(
    "day", ["2025–03–20", "2025/3/20", "20.03.2025", "2025年3月20日", "٢٠٢٥-٠٣-٢٠", "2025-\u200b03-20"]
)
def test_a_date_that_is_written_in_another_way_is_a_fault_of_its_topic(day: str) -> None:
    index = parse(f"- **a**: [{day}]\n")
    assert [entry.slug for entry in index.entries] == ["a"]
    assert [problem.message for problem in index.problems] == [f"{day!r} is no date"]


def test_a_name_is_the_same_in_both_unicode_forms() -> None:
    index = parse("- **cafe\u0301**: [2025-03-20]\n")
    assert ([entry.slug for entry in index.entries], index.problems) == (["café"], ())
    twice = parse("- **cafe\u0301**: [2025-03-20]\n- **café**: []\n")
    assert [(problem.line, problem.message) for problem in twice.problems] == [
        (2, "the topic 'café' is there twice; the other is on line 1")
    ]


def test_an_unfinished_merge_is_named() -> None:
    index = parse("- **a**: []\n<<<<<<< HEAD\n- **b**: []\n=======\n- **c**: []\n>>>>>>> side\n")
    assert [(problem.line, problem.message) for problem in index.problems] == [(2, "an unfinished merge is in it")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf_16_is_not_read(encoding: str) -> None:
    mark = b"\xfe\xff" if encoding.endswith("be") else b""
    index = parse(mark + "- **a**: [2025-03-20]\n".encode(encoding))
    assert index.entries == ()
    assert [(problem.line, problem.message) for problem in index.problems] == [(1, "is UTF-16")]


def test_dates_that_belong_to_no_topic_are_seen() -> None:
    (problem,) = parse("- **semi**\n- Dates: [2025-03-20]\n").problems
    assert (problem.line, problem.message) == (2, "these dates belong to no topic")


@pytest.mark.parametrize(
    "text",
    [
        "- **Launch day**: 2025-03-20\n",
        "- **launch**: 2025-03-20 it went live\n",
        "- **My Blog**\n  - Status: active\n",
        "- **blog**\n  - about the blog\n",
        "- **blog**: [2025-03-20](2025-03-20.md)\n",
        "- dates: see below\n",
        "- *launch*: 2025-03-20\n",
        "- *Launch*: [2025-03-20]\n",
        "- [ ] *launch*: [the date](x.md)\n",
        "- [ ] **launch** on 2025-03-20\n",
        "- **launch** - it went live on 2025-03-20\n",
        "- **may**\n  - 2025-03-20 it went live\n",
        "- **launch**: [march of the penguins]\n",
        "- Launch days\n  - 2025-03-20\n",
        "- launch\n  - 2025-03-20 it went live\n",
        "- launch\n  - 2025-03-20\n  - and what came then\n",
        "- launch: [2025-03-20]\n",
        "- 2025-03\n  - 2025-03-20\n",
        "- **topic**: [2025-03-20]\n  - **inner**: 2025-03-20\n",
        "> - **semi**: 2025-03-20\n",
        "```\n- **semi**: 2025-03-20\n```\n",
    ],
)
def test_prose_is_not_called_half_written(text: str) -> None:
    assert parse(text).problems == ()


def test_every_heading_of_the_second_level_is_a_category() -> None:
    index = parse(
        "## Projects ##\n## **C#** <!-- x -->\n### below\n自定义\n---\n> ## quoted\n\n- ## in a list\n\n# Top\n"
    )
    assert index.categories == ("Projects", "C#", "自定义")


def test_topics_belong_to_the_heading_above_them() -> None:
    text = "- **a**: []\n\n## P ##\n- **b**: []\n### x\n- **c**: []\n\n# T\n- **d**: []\nQ\n"
    assert [entry.category for entry in parse(text).entries] == ["", "P", "P", ""]


@pytest.mark.parametrize("slug", ["博客项目", "überblick", "проект-2", "ブログ", "블로그", "हिन्दी", "x1-2-3"])
def test_a_slug_may_be_of_any_script(slug: str) -> None:
    assert slugs(f"- **{slug}**: [2025-01-01]\n") == [slug]


def test_fields_that_recall_uses() -> None:
    entry = only("- **a**: []\n  - Aliases: [Blog, 'my site'，博客, Blog]\n  - Description: One\n    line \udcff\n")
    assert entry.aliases == ("Blog", "my site", "博客")
    assert entry.description == "One line \ufffd"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("active | completed | paused", Status.ACTIVE),
        ("", Status.ACTIVE),
        ("Completed", Status.COMPLETED),
        ("deprecated, see b", Status.DEPRECATED),
        ("**abandoned**", Status.ABANDONED),
    ],
)
def test_status(text: str, status: Status) -> None:
    index = parse(f"- **a**: []\n  - Status: {text}\n")
    assert (index.entries[0].status, index.problems) == (status, ())


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("- **../../x**: [2025-01-01]\n", 1, "'../../x' is no topic name"),
        ("\n- **-x**: [2025-01-01]\n", 2, "'-x' is no topic name"),
        ("- **Personal Blog**: [2025-01-01]\n", 1, "'Personal Blog' is no topic name"),
        (f"- **{'x' * 201}**: [2025-01-01]\n", 1, "is no topic name"),
        ("- **a**: [2025-01-01]\n- **a**: []\n", 2, "the topic 'a' is there twice; the other is on line 1"),
        ("- **a**: [2025-02-30]\n", 1, "'2025-02-30' is no date"),
        ("- **a**\n  - Dates: [2025-01-01, May]\n", 2, "'May' is no date"),
        ("- **a**: []\n  - Current: ../../etc/passwd\n", 2, "'../../etc/passwd' is no path below the memory folder"),
        ("- **a**: []\n  - Current: /etc/passwd\n", 2, "is no path below the memory folder"),
        ("- **a**: []\n  - Current: C:\\x\n", 2, "is no path below the memory folder"),
        ("- **a**: []\n  - Current: https://example.org/x\n", 2, "is no path below the memory folder"),
        ("- **a**: []\n  - Current: notes/x.md\n", 2, "'notes/x.md' is not below consolidated/"),
        ("- **a**: []\n  - Consolidations:\n    - gen1: ../x.md\n", 3, "is no path below the memory folder"),
        (
            "- **a**: []\n  - Consolidations:\n    - gen1 (2025-13-01): consolidated/x.md\n",
            3,
            "'2025-13-01' is no date",
        ),
        ("- **a**: []\n  - Status: nearly done\n", 2, "'nearly done' is no status"),
        ("- **a**: []\n  - Description: x\n  - description: y\n", 3, "the topic 'a' has 'Description' twice"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, message: str) -> None:
    (problem,) = parse(text).problems
    assert (problem.path, problem.line) == (PATH, line)
    assert message in problem.message
    assert problem.hint


def test_what_is_wrong_is_left_out_and_nothing_else() -> None:
    index = parse("- **a**: [2025-01-01, 2025-02-30]\n  - Current: ../x\n- **b**: []\n- **a**: [2025-03-03]\n")
    assert [(entry.slug, entry.dates, entry.current) for entry in index.entries] == [
        ("a", (date(2025, 1, 1),), None),
        ("b", (), None),
    ]


@pytest.mark.parametrize(
    "data", [b"x" * 5_000_000, b"\n" * 60_000, b"\r" * 60_000], ids=["bytes", "lines", "old lines"]
)
def test_a_file_too_large_to_be_an_index_is_not_read(data: bytes) -> None:
    index = parse(data)
    assert index.entries == ()
    assert "too large" in index.problems[0].message


@pytest.mark.parametrize(
    "text",
    [
        "- **a**: [" + "2025-01-01," * 50_000 + "]\n",
        "- **" + "a" * 500_000,
        "- **a**: " + " " * 500_000 + "x\n",
        "- **a**: []\n  - Status: " + "<!--" * 100_000 + "\n",
        "## " + "# " * 100_000 + "<!--" * 50_000 + "\n",
        "<a " + "b=" * 100_000 + "\n" + "<a" + " b" * 100_000 + "\n",
        "> " * 100_000 + "\n" * 5000,
        "`" * 100_000 + "a`\n" + "- " * 100_000 + "x\n" * 1000,
        "- **a**\n" + "".join(f"{'  ' * depth}- x\n" for depth in range(1, 700)),
    ],
    ids=range(9),
)
def test_hostile_text_does_not_hang_the_reader(text: str) -> None:
    parse(text)


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=300) | st.text(alphabet="-*+ [](){}:#`<>!|2025-01gen\n\r\t\\_~aA，：", max_size=200))
def test_reading_never_fails(data: bytes | str) -> None:
    index = parse(data)
    for entry in index.entries:
        assert 1 <= entry.first_line <= entry.last_line
        str(entry).encode()
    for problem in index.problems:
        problem.message.encode()
