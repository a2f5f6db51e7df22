"""Edits of INDEX.md: the entry's own lines change, nothing else does, and twice is once."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.config import Config
from memsite.errors import FormatError, MemsiteError, RefusedError
from memsite.memory.index import parse_index, read_index_kept
from memsite.memory.index_edit import (
    add_aliases,
    add_generation,
    add_topic,
    set_description,
    set_status,
    touch_topic,
)
from memsite.memory.model import Dialect, Index, Status, TopicEntry
from memsite.memory.names import GenerationName
from memsite.memory.snapshot import Blob, blob_id
from tests.conftest import cpu_seconds
from tests.memory.conftest import EXAMPLES
from tests.memory.test_index import HALF

CONFIG = Config()
PATH = PurePosixPath("memory/INDEX.md")
SLUGS = ("blog", "博客项目", "проект-2")

SEED = b"""# Memory Index

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

## Decisions
- **decision-slug**: [2025-03-10, 2025-03-12]
  - Consolidations:
    - gen1 (2025-03-12): consolidated/decision-slug-gen1-2025-03-12.md
  - Current: consolidated/decision-slug-gen1-2025-03-12.md
"""

PROSE = (
    "", "", "words", "## Projects", "## Decisions",
    "## 自定义 category ##", "### below", "# Title", "Notes", "---", "===",
    "- a bullet", "- **bold** words", "  nested words", "1. one", "> quote", "> - **quoted**: [2025-01-01]", "```",
    "```\n- **code**: [2025-01-01]\n```", "<!--\n- **gone**: [2025-01-01]\n-->", "<!-- open", "<div>",
    "| a | b |\n|---|---|",
    "    - **indented**: [2025-01-01]", "- [link](a.md): [2025-01-01](x.md)", "<br>", "- **odd**: [2025-13-01]",
    "* **one**: []", "bytes \udcff\udcfe", "\u2028", "- - **twice**: [2025-01-01]", "- [ ] task", "***", "\ttab",
)  # fmt: skip
DAY = date(2025, 5, 1)
Edit = Callable[[bytes], bytes]
days = st.dates(date(2020, 1, 1), date(2026, 12, 31))


@st.composite
def written_entries(draw: st.DrawFn, slug: str) -> str:
    """One topic in one of the ways in which it may be written."""
    bullet = draw(st.sampled_from(["- ", "* ", "+ ", "-   ", "- "]))
    below = draw(st.sampled_from(["  - ", "    - ", "\t- ", "  * "])) if len(bullet) == 2 else "    - "
    dates = ", ".join(day.isoformat() for day in draw(st.lists(days, max_size=4)))
    fields = [f"dates： [{dates}]" if draw(st.booleans()) else f"Dates: {dates}"]
    head, inline = f"**{slug}**", draw(st.booleans())
    if inline:
        head, fields = f"**{slug}**: [{dates}] {draw(st.sampled_from(['', '<!-- x -->', 'words']))}", []
    more = ("Status: Paused <!-- why -->", "STATUS: active | completed", "Aliases: [x, y]",
            "**Description:** some words", "Current: none", "a bullet of its own", "Consolidations:",
            "Owner: Ada")  # fmt: skip
    fields += draw(st.lists(st.sampled_from(more), max_size=3, unique_by=lambda text: text[:4].lower()))
    gap = draw(st.sampled_from(["", "", "\n"]))
    return "\n".join([bullet + head, *(gap + below + text for text in fields)])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """Any mixture of prose and topics, with any line ends, with or without a byte-order mark and a last line end."""
    slugs = draw(st.permutations(SLUGS))[: draw(st.integers(1, 3))] + draw(st.sampled_from([[], [], [], ["blog"]]))
    parts = [draw(written_entries(slug)) for slug in slugs]
    parts += draw(st.lists(st.sampled_from(PROSE), max_size=8))
    lines = "\n".join(draw(st.permutations(parts))).split("\n")
    endings = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]]))
    text = "".join(line + draw(st.sampled_from(endings)) for line in lines)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return (mark + text).encode("utf-8", "surrogateescape")


def parse(data: bytes | str) -> Index:
    data = data.encode() if isinstance(data, str) else data
    return parse_index(Blob(blob_id(data), data), PATH, CONFIG)


def entry_of(data: bytes | str, slug: str) -> TopicEntry:
    return next(entry for entry in parse(data).entries if entry.slug == slug)


def cut(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", data)


def edits_of(slug: str) -> list[Edit]:
    ref = GenerationName(slug, 2, DAY)
    path = PurePosixPath(f"consolidated/{slug}-gen2-2025-05-01.md")
    return [
        lambda data: touch_topic(data, slug, [DAY, date(2019, 1, 2)], config=CONFIG),
        lambda data: set_status(data, slug, Status.COMPLETED, config=CONFIG),
        lambda data: set_status(data, slug, Status.ACTIVE, config=CONFIG),
        lambda data: set_description(data, slug, "new *words*: [x]", config=CONFIG),
        lambda data: add_aliases(data, slug, ["Y", "другой", "a b"], config=CONFIG),
        lambda data: add_generation(data, slug, ref, path, config=CONFIG),
    ]


def without_places(entry: TopicEntry) -> tuple[object, ...]:
    refs = [(ref.number, ref.day, ref.path) for ref in entry.consolidations]
    return (
        entry.slug,
        entry.category,
        entry.dates,
        entry.status,
        refs,
        entry.current,
        entry.aliases,
        entry.description,
    )


@settings(max_examples=EXAMPLES)
@given(documents(), st.sampled_from(SLUGS), st.integers(0, 5))
def test_an_edit_changes_its_entry_alone(data: bytes, slug: str, number: int) -> None:
    edit, before = edits_of(slug)[number], parse(data)
    entry = next((entry for entry in before.entries if entry.slug == slug), None)
    try:
        after = edit(data)
    except MemsiteError as error:
        assert entry is None or isinstance(error, FormatError)
        return
    assert entry
    old, new = cut(data), cut(after)
    behind = len(old) - entry.last_line
    assert new[: entry.first_line - 1] == old[: entry.first_line - 1]
    assert new[len(new) - behind :] == old[entry.last_line :]
    others = [without_places(other) for other in before.entries if other.slug != slug]
    assert [without_places(other) for other in parse(after).entries if other.slug != slug] == others
    assert edit(after) == after


@settings(max_examples=EXAMPLES)
@given(documents(), st.sampled_from(SLUGS), st.sampled_from(["Projects", "decisions", "自定义 category", "New one"]))
def test_adding_keeps_every_line_that_was_there(data: bytes, slug: str, category: str) -> None:
    before = parse(data)
    try:
        after = add_topic(data, slug, category, [DAY], config=CONFIG, description="words", aliases=["Y"])
    except MemsiteError:
        return
    entry = entry_of(after, slug)
    assert entry.category.lower() == category.lower()
    assert DAY in entry.dates and "Y" in {alias.upper() for alias in entry.aliases} and entry.description
    rest = iter(cut(after.removeprefix(BOM_UTF8)))
    old = cut(data.removeprefix(BOM_UTF8))
    if slug not in {held.slug for held in before.entries}:
        assert all(any(line in (other, other.rstrip(b"\r\n")) for other in rest) for line in old)
        others = [without_places(other) for other in before.entries]
        assert [without_places(other) for other in parse(after).entries if other.slug != slug] == others
    assert add_topic(after, slug, category, [DAY], config=CONFIG, description="words", aliases=["Y"]) == after


@given(st.lists(days, max_size=5), st.lists(days, max_size=5))
def test_dates_are_sorted_and_unique_in_any_order(first: list[date], second: list[date]) -> None:
    data = add_topic(None, "a", "Projects", first, config=CONFIG)
    data = touch_topic(data, "a", second, config=CONFIG)
    assert entry_of(data, "a").dates == tuple(sorted({*first, *second}))
    assert data == add_topic(None, "a", "Projects", [*second, *first], config=CONFIG)


def test_a_new_file_is_the_seeds() -> None:
    data = add_topic(None, "personal-blog", "Projects", [date(2025, 3, 20)], config=CONFIG)
    assert data == (
        b"# Memory Index\n\n## Projects\n- **personal-blog**\n  - Dates: [2025-03-20]\n  - Status: active\n"
    )
    data = add_topic(data, "launch", "Major Events", [DAY], config=CONFIG, description="It is out")
    assert data.endswith(b"active\n\n## Major Events\n- **launch**: [2025-05-01]\n  - Description: It is out\n")


def test_the_seeds_story_gives_the_seeds_file() -> None:
    data = add_topic(None, "project-slug", "Projects", [date(2025, 3, 20)], config=CONFIG)
    for day in ("2025-03-22", "2025-03-25", "2025-04-01"):
        data = touch_topic(data, "project-slug", [date.fromisoformat(day)], config=CONFIG)
    name = GenerationName("project-slug", 1, date(2025, 3, 25))
    path = PurePosixPath("consolidated/project-slug-gen1-2025-03-25.md")
    data = add_generation(data, "project-slug", name, path, config=CONFIG)
    assert data == SEED.split(b"\n\n## Major")[0].replace(b"active | completed | paused | abandoned", b"active\n")


def test_a_second_generation_follows_the_first_and_an_older_one_does_not_become_current() -> None:
    paths = {n: PurePosixPath(f"consolidated/event-slug-gen{n}-2025-05-0{n}.md") for n in (1, 2)}
    names = {n: GenerationName("event-slug", n, date(2025, 5, n)) for n in (1, 2)}
    data = add_generation(SEED, "event-slug", names[2], paths[2], config=CONFIG)
    data = add_generation(data, "event-slug", names[1], paths[1], config=CONFIG)
    entry = entry_of(data, "event-slug")
    assert entry.current == paths[2]
    assert {ref.number: ref.path for ref in entry.consolidations} == paths
    assert (
        b"""- **event-slug**: [2025-03-15]
  - Description: Brief description
  - Consolidations:
    - gen2 (2025-05-02): consolidated/event-slug-gen2-2025-05-02.md
    - gen1 (2025-05-01): consolidated/event-slug-gen1-2025-05-01.md
  - Current: consolidated/event-slug-gen2-2025-05-02.md
"""
        in data
    )


def test_a_generation_number_is_given_once() -> None:
    other = PurePosixPath("consolidated/project-slug-gen1-2025-05-01.md")
    with pytest.raises(RefusedError, match=r"INDEX\.md:7: .*generation 1 already"):
        add_generation(SEED, "project-slug", GenerationName("project-slug", 1, DAY), other, config=CONFIG)
    with pytest.raises(FormatError, match="no generation of"):
        add_generation(SEED, "event-slug", GenerationName("project-slug", 2, DAY), other, config=CONFIG)
    with pytest.raises(FormatError, match="no generation of"):
        add_generation(
            SEED, "event-slug", GenerationName("event-slug", 2, DAY), PurePosixPath("../x.md"), config=CONFIG
        )


def test_a_topic_keeps_its_dialect_and_its_style() -> None:
    text = "## Projects\r\n* **a**\r\n\t* Dates: [2025-01-01]\r\n"
    data = add_topic(text.encode(), "b", "projects", [DAY], config=CONFIG)
    assert data.decode() == text + "* **b**\r\n\t* Dates: [2025-05-01]\r\n\t* Status: active\r\n"
    data = add_topic(SEED, "b", "Major Events", [DAY], config=CONFIG)
    assert b"  - Description: Brief description\n- **b**: [2025-05-01]\n\n## Decisions" in data
    assert entry_of(data, "b").dialect is Dialect.INLINE


def test_topics_kept_apart_by_blank_lines_stay_apart() -> None:
    text = b"## Decisions\n\n- **a**: [2025-01-01]\n\n- **b**: [2025-01-02]\n\n## Projects\n"
    data = add_topic(text, "c", "Decisions", [DAY], config=CONFIG)
    assert b"- **b**: [2025-01-02]\n\n- **c**: [2025-05-01]\n\n## Projects\n" in data


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("", "# Memory Index\n\n## New\n- **n**\n"),
        ("\ufeff", "\ufeff# Memory Index\n\n## New\n- **n**\n"),
        ("words", "words\n\n## New\n- **n**\n"),
        ("words\r\n\r\nmore", "more\r\n\r\n## New\r\n- **n**\r\n"),
        ("| a |\n|---|\n| b |\n\n", "| b |\n\n## New\n- **n**\n"),
        ("## New\nwords\n", "## New\nwords\n\n- **n**\n"),
        ("## New\n- words\n", "## New\n- words\n- **n**\n"),
        ("## New\n\n## Next\n", "## New\n- **n**\n"),
        ("New\n---\n", "New\n---\n- **n**\n"),
        ("<div>\nwords", "words\n\n## New\n- **n**\n"),
    ],
)
def test_a_topic_is_added_to_a_free_form_file(text: str, end: str) -> None:
    data = add_topic(text.encode(), "n", "New", [DAY], config=CONFIG)
    assert end in data.decode()
    assert entry_of(data, "n").category == "New"


def test_no_last_line_end_stays_none() -> None:
    assert set_status(b"- **a**: [2025-01-01]", "a", Status.PAUSED, config=CONFIG) == (
        b"- **a**: [2025-01-01]\n  - Status: paused"
    )


def test_a_status_keeps_its_remark_and_the_template_goes() -> None:
    text = b"- **a**: []\n  - status: **Paused** until May <!-- why -->\n"
    data = set_status(text, "a", Status.ABANDONED, config=CONFIG)
    assert b"  - status: **abandoned** until May <!-- why -->\n" in data
    assert b"  - Status: active\n" in set_status(SEED, "project-slug", Status.ACTIVE, config=CONFIG)
    assert set_status(SEED, "event-slug", Status.ACTIVE, config=CONFIG) == SEED


def test_lists_keep_their_form() -> None:
    text = b"- **a**\n  - Dates: 2025-01-02\n  - Aliases: x, y\n- **b**\n  - Dates:\n  - Aliases: ['x', ] words\n"
    for slug in ("a", "b"):
        text = touch_topic(text, slug, [date(2025, 1, 1)], config=CONFIG)
        text = add_aliases(text, slug, ["z", "X"], config=CONFIG)
    assert text.decode().splitlines() == [
        "- **a**", "  - Dates: 2025-01-01, 2025-01-02", "  - Aliases: x, y, z",
        "- **b**", "  - Dates: [2025-01-01]", "  - Aliases: ['x', z ] words",
    ]  # fmt: skip


def test_a_list_over_several_lines_is_one_list() -> None:
    text = b"- **a**\n  - Dates: [2025-01-02,\n    2025-01-03]\n  - Status: active\n"
    assert entry_of(text, "a").dates == (date(2025, 1, 2), date(2025, 1, 3))
    data = touch_topic(text, "a", [DAY], config=CONFIG)
    assert data == b"- **a**\n  - Dates: [2025-01-02, 2025-01-03, 2025-05-01]\n  - Status: active\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("- **a**: [2025-01-01]\n\n- **a**: [2025-01-02]\n", r"memory/INDEX\.md:3: .*twice"),
        ("- **a**: [2025-02-30]\n", r"memory/INDEX\.md:1: '2025-02-30' is no date"),
        ("- **a**\n  - Dates: [soon]\n", r"memory/INDEX\.md:2: 'soon' is no date"),
        ("- **a**: []\n  - Current: ../../etc/passwd\n", r"memory/INDEX\.md:2: '\.\./\.\./etc/passwd' is no path"),
        ("- **a**: []\n  - Status: active\n  - Status: paused\n", r"memory/INDEX\.md:3: .*'Status' twice"),
        ("- **a**: [2025-01-01]\n  - Dates: [2025-01-02]\n", r"memory/INDEX\.md:2: .*'Dates' twice"),
        ("- **a**: []\n  - Consolidations:\n    - gen1 (May): x.md\n", r"memory/INDEX\.md:3: 'May' is no date"),
        ("x" * 5_000_000, r"memory/INDEX\.md: is too large"),
        ("\n" * 60_000, r"memory/INDEX\.md: is too large"),
        ("\udcff\udcfe-\0", r"memory/INDEX\.md:1: is UTF-16; save it as UTF-8"),
    ],
    ids=range(10),
)
def test_what_is_ambiguous_is_refused_with_its_place(text: str, place: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    for edit in edits_of("a"):
        with pytest.raises(FormatError, match=place):
            edit(data)
    with pytest.raises(FormatError, match=place):
        add_topic(data, "a", "Projects", [DAY], config=CONFIG)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        *[(text, rf"memory/INDEX\.md:{line}: the topic 'semi' is half-written") for text, line, _ in HALF],
        ("- **semi**\n\n- **b**: [2025-01-01]\n", r"INDEX\.md:1: the topic 'semi' is half-written: it has no dates"),
        ("- **semi**\n- Dates: [2025-01-01]\n", r"INDEX\.md:1: the topic 'semi' is half-written: it has no dates"),
        ("x\n- semi: [2025-01-01]\n", r"INDEX\.md:2: 'semi' is no topic without bold marks; see `memsite migrate`"),
        ("- `Semi`\n  - Dates: [2025-01-01]\n", r"INDEX\.md:1: 'Semi' is no topic without bold marks"),
        ("- **Semi**: [2025-01-01]\n", r"INDEX\.md:1: 'Semi' is no topic name; write 'semi'"),
        ("- **se\u200bmi**: [2025-01-01]\n", r"INDEX\.md:1: 'se\\u200bmi' is no topic name; write 'semi'"),
        ("-\u00a0**semi**: [2025-01-01]\n", r"INDEX\.md:1: 'semi' is no topic, for no bullet begins its line"),
        ("- **[Semi](x.md)**: [2025-01-01]\n", r"INDEX\.md:1: '\[Semi\]\(x\.md\)' is no topic name; write 'semi'"),
        ("- **semi**: [red, green]\n", r"INDEX\.md:1: the topic 'semi' is half-written: it has no dates"),
        (
            "- semi\n  - Dates:\n    - 2025-01-01\n",
            r"INDEX\.md:1: 'semi' is no topic without bold marks; write '- \*\*semi",
        ),
        (
            "- semi\n  - 2025-01-01\n  - 2025-01-02\n",
            r"INDEX\.md:1: 'semi' is no topic without bold marks; write '- \*\*semi",
        ),
        ("1. **semi**: [2025-01-01]\n", r"INDEX\.md:1: 'semi' is no topic, for no bullet begins its line"),
        ("x\n\n**semi**: [2025-01-01]\n", r"INDEX\.md:3: 'semi' is no topic, for no bullet begins its line"),
    ],
)
def test_a_half_written_topic_is_never_doubled(text: str, place: str) -> None:
    for edit in edits_of("semi"):
        with pytest.raises(FormatError, match=place):
            edit(text.encode())
    with pytest.raises(FormatError, match=place):
        add_topic(text.encode(), "semi", "Projects", [DAY], config=CONFIG)
    assert add_topic(text.encode(), "other", "Projects", [DAY], config=CONFIG).startswith(text.encode())


def test_brackets_with_nothing_in_them_take_dates() -> None:
    assert touch_topic(b"- **a**: [ ]\n", "a", [DAY], config=CONFIG) == f"- **a**: [{DAY}]\n".encode()


def test_prose_about_a_topic_does_not_forbid_it() -> None:
    text = b"- **semi**: a word about it\n- semi\n- semi: 2025-01-01\n> - **semi**: [2025-01-01]\n"
    assert entry_of(add_topic(text, "semi", "Projects", [DAY], config=CONFIG), "semi").dates == (DAY,)


def test_a_bad_entry_does_not_stop_the_others() -> None:
    text = b"- **a**: [2025-02-30]\n- **b**: [2025-01-01]\n"
    assert touch_topic(text, "b", [DAY], config=CONFIG) == b"- **a**: [2025-02-30]\n- **b**: [2025-01-01, 2025-05-01]\n"


@pytest.mark.parametrize("slug", ["../x", "-x", "a/b", "A", "", "x" * 201, "a b", "a\u0301", "**"])
def test_a_bad_slug_is_refused(slug: str) -> None:
    with pytest.raises(FormatError, match="no topic name"):
        add_topic(SEED, slug, "Projects", [DAY], config=CONFIG)


@pytest.mark.parametrize("text", ["## Projects\n```\ncode\n", "<!-- never closed\n\n## Projects\n"])
def test_a_topic_is_not_written_into_code_or_comments(text: str) -> None:
    with pytest.raises(FormatError, match=r"INDEX\.md:[12]: the (code block|comment) that begins here is never closed"):
        add_topic(text.encode(), "a", "Projects", [DAY], config=CONFIG)


def test_an_underlined_heading_is_not_pulled_into_the_list() -> None:
    text = b"## Projects\nDecisions\n---------\n- **d**: [2025-01-01]\n"
    with pytest.raises(FormatError, match=r"INDEX\.md:1: 'a' cannot be written here"):
        add_topic(text, "a", "Projects", [DAY], config=CONFIG)


@pytest.mark.parametrize("name", ["C#", "F#", "R&D", "C++", ".NET", "a_b", "Q: what?", "其他", "1. Home"])
def test_a_category_is_called_what_its_heading_says(name: str) -> None:
    text = f"## {name}\n- **a**: [2025-01-01]\n\n## Z\n".encode()
    added = add_topic(text, "b", name, [DAY], config=CONFIG)
    assert added.decode().count("## ") == 2
    assert [entry_of(data, "b").category for data in (added, add_topic(b"", "b", name, [DAY], config=CONFIG))] == [
        name
    ] * 2


def test_a_heading_that_is_there_is_a_category_whatever_it_says() -> None:
    text = "## [`Code`](x.md)\n\n## 📁\n"
    for name in ("[`Code`](x.md)", "📁"):
        assert entry_of(add_topic(text.encode(), "b", name, [DAY], config=CONFIG), "b").category == name


@pytest.mark.parametrize(
    "name", ["", "## x", "# x", "x ##", "`x`", "`", "=====", "---", "**x**", "[x](y.md)", "<b>x</b>", "***", "#"]
)
def test_what_is_no_heading_is_no_category(name: str) -> None:
    with pytest.raises(FormatError, match="is no name for a category"):
        add_topic(SEED, "new", name, [DAY], config=CONFIG)


def test_a_topic_is_in_one_category() -> None:
    with pytest.raises(RefusedError, match=r"INDEX\.md:12: the topic 'event-slug' is already there under 'Major"):
        add_topic(SEED, "event-slug", "Projects", [DAY], config=CONFIG)
    with pytest.raises(RefusedError, match="no topic 'none'"):
        touch_topic(None, "none", [DAY], config=CONFIG)


@pytest.mark.parametrize("text", ["a\x1b[0m", "a <!-- b", "\x00"])
def test_text_that_is_not_only_text_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        set_description(SEED, "event-slug", text, config=CONFIG)
    with pytest.raises(FormatError):
        add_aliases(SEED, "event-slug", [text], config=CONFIG)
    with pytest.raises(FormatError):
        add_topic(SEED, "new", text, [DAY], config=CONFIG)


@pytest.mark.parametrize("alias", ["a,b", "[a]", "", "''", " 、"])
def test_an_alias_that_a_list_cannot_hold_is_refused(alias: str) -> None:
    with pytest.raises(FormatError):
        add_aliases(SEED, "event-slug", [alias], config=CONFIG)


@given(st.text(max_size=40))
def test_a_description_cannot_forge_anything(text: str) -> None:
    try:
        data = set_description(SEED, "event-slug", text, config=CONFIG)
    except FormatError:
        return
    assert entry_of(data, "event-slug").description == " ".join(text.split())
    assert len(cut(data)) == len(cut(SEED))


def test_five_hundred_topics_with_five_thousand_dates_are_edited() -> None:
    first = date(2020, 1, 1)
    entries = "".join(
        f"- **topic-{n}**\n  - Dates: [{', '.join((first + timedelta(n + 30 * k)).isoformat() for k in range(10))}]\n"
        f"  - Consolidations:\n    - gen1 (2025-03-25): consolidated/topic-{n}-gen1-2025-03-25.md\n"
        f"  - Current: consolidated/topic-{n}-gen1-2025-03-25.md\n  - Status: active\n"
        for n in range(500)
    )
    data = f"# Memory Index\n\n## Projects\n{entries}".encode()
    edits: list[Edit] = edits_of("topic-250")
    edits.append(lambda data: add_topic(data, "new", "Projects", [DAY], config=CONFIG))
    for edit in edits:
        read_index_kept.cache_clear()
        with cpu_seconds(20):
            assert b"topic-499" in edit(data)
