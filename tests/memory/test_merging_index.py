"""INDEX.md of two machines: topics united, contradictions of meaning left to a person."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.config import Config
from memsite.errors import MemsiteError
from memsite.memory.index import parse_index
from memsite.memory.index_edit import (
    add_aliases,
    add_generation,
    add_topic,
    set_description,
    set_status,
    touch_topic,
)
from memsite.memory.merging import Merged, merge_index
from memsite.memory.model import Index, Status
from memsite.memory.names import GenerationName, format_generation_name
from memsite.memory.snapshot import Blob
from memsite.repo.merge import merge_text

FACTOR = 20 if os.environ.get("MEMSITE_TEST_LONG") else 1
CONFIG = Config()
DAYS = [date(2025, 3, 20) + timedelta(days=number) for number in range(12)]
Edit = Callable[[bytes], bytes]

BASE = b"""# Memory Index

Words of a person.

## Projects
- **blog**
  - Dates: [2025-03-20]
  - Status: active
- **shop**
  - Dates: [2025-03-21]
  - Status: active

## Decisions
- **hosting**: [2025-03-20]

The end.
"""


def merge(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    return merge_index(base, ours, theirs, merge_text=merge_text, config=CONFIG)


def both(base: bytes, ours: bytes, theirs: bytes) -> str:
    """The merge, held against the one on the other machine and the merge with each side again."""
    merged = merge(base, ours, theirs)
    assert not merged.conflict, merged.data.decode()
    assert merge(base, theirs, ours) == merged
    for side in (ours, theirs):
        assert merge(base, merged.data, side) == merge(base, side, merged.data) == merged
        assert merge(side, merged.data, side) == merged
    return merged.data.decode()


def read(data: bytes | str) -> Index:
    blob = Blob("", data.encode() if isinstance(data, str) else data)
    return parse_index(blob, CONFIG.index_path, CONFIG)


def touch(slug: str, *days: int) -> Edit:
    return lambda data: touch_topic(data, slug, [DAYS[day] for day in days], config=CONFIG)


def topic(slug: str, category: str = "Projects", day: int = 3) -> Edit:
    return lambda data: add_topic(data, slug, category, [DAYS[day]], config=CONFIG)


def generation(slug: str, number: int, day: int) -> Edit:
    name = GenerationName(slug, number, DAYS[day])
    path = PurePosixPath("consolidated") / format_generation_name(name)
    return lambda data: add_generation(data, slug, name, path, config=CONFIG)


def status(slug: str, value: Status) -> Edit:
    return lambda data: set_status(data, slug, value, config=CONFIG)


def described(slug: str, words: str) -> Edit:
    return lambda data: set_description(data, slug, words, config=CONFIG)


def aliased(slug: str, *names: str) -> Edit:
    return lambda data: add_aliases(data, slug, names, config=CONFIG)


def edited(data: bytes, *edits: Edit) -> bytes:
    for edit in edits:
        data = edit(data)
    return data


def test_dates_of_both_machines_are_united() -> None:
    text = both(BASE, edited(BASE, touch("blog", 2), touch("hosting", 2)), edited(BASE, touch("blog", 1, 3)))
    assert text == BASE.decode().replace(
        "- Dates: [2025-03-20]", "- Dates: [2025-03-20, 2025-03-21, 2025-03-22, 2025-03-23]"
    ).replace("hosting**: [2025-03-20]", "hosting**: [2025-03-20, 2025-03-22]")


def test_a_date_that_one_side_took_out_stays_out() -> None:
    ours = BASE.replace(b"shop**\n  - Dates: [2025-03-21]", b"shop**\n  - Dates: [2025-03-25]")
    text = both(BASE, ours, edited(BASE, touch("shop", 7)))
    assert "shop**\n  - Dates: [2025-03-25, 2025-03-27]\n" in text


def test_generations_are_united_and_current_is_the_newest() -> None:
    base = edited(BASE, generation("blog", 1, 1))
    text = both(base, edited(base, generation("blog", 2, 4)), edited(base, generation("blog", 3, 3)))
    entry = read(text).entries[0]
    assert [ref.number for ref in entry.consolidations] == [1, 2, 3]
    assert entry.current == PurePosixPath("consolidated/blog-gen3-2025-03-23.md")
    assert text.count("- Current:") == 1


def test_first_generations_of_both_machines_are_both_listed() -> None:
    text = both(BASE, edited(BASE, generation("blog", 1, 4)), edited(BASE, generation("blog", 1, 3)))
    entry = read(text).entries[0]
    assert [(ref.number, ref.day) for ref in entry.consolidations] == [(1, DAYS[3]), (1, DAYS[4])]
    assert entry.current == PurePosixPath("consolidated/blog-gen1-2025-03-24.md")


def test_new_topics_of_both_machines_are_at_the_end_of_their_category() -> None:
    text = both(
        BASE,
        edited(BASE, topic("zoo"), topic("idea", "Preferences")),
        edited(BASE, topic("app"), topic("vim", "Ideas")),
    )
    assert [(one.category, one.slug) for one in read(text).entries] == [
        ("Projects", "blog"),
        ("Projects", "shop"),
        ("Projects", "app"),
        ("Projects", "zoo"),
        ("Decisions", "hosting"),
        ("Preferences", "idea"),
        ("Ideas", "vim"),
    ]
    assert read(text).problems == ()


def test_both_machines_began_the_index() -> None:
    sides = [add_topic(None, slug, "Projects", [DAYS[0]], config=CONFIG) for slug in ("blog", "app")]
    text = both(b"", *sides)
    assert [one.slug for one in read(text).entries] == ["app", "blog"]
    assert text.count("# Memory Index") == text.count("## Projects") == 1


def test_a_topic_that_both_machines_added_is_one() -> None:
    ours = edited(BASE, topic("app", day=3), aliased("app", "Anwendung"))
    theirs = edited(BASE, topic("app", day=4), described("app", "A word"))
    entry = next(one for one in read(both(BASE, ours, theirs)).entries if one.slug == "app")
    assert (entry.dates, entry.aliases, entry.description) == ((DAYS[3], DAYS[4]), ("Anwendung",), "A word")


def test_a_topic_that_both_machines_added_in_different_categories_is_one() -> None:
    text = both(BASE, edited(BASE, topic("app", "Projects", 3)), edited(BASE, topic("app", "Decisions", 4)))
    [entry] = [one for one in read(text).entries if one.slug == "app"]
    assert entry.dates == (DAYS[3], DAYS[4])


def test_aliases_and_one_sided_changes_go_together() -> None:
    base = edited(BASE, aliased("blog", "Weblog"))
    ours = edited(base, aliased("blog", "记忆"), status("blog", Status.PAUSED), described("shop", "Sells things"))
    theirs = edited(base, aliased("blog", "Blogging"), touch("blog", 5), status("shop", Status.COMPLETED))
    entries = {one.slug: one for one in read(both(base, ours, theirs)).entries}
    assert entries["blog"].aliases == ("Weblog", "Blogging", "记忆")
    assert (entries["blog"].status, entries["blog"].dates) == (Status.PAUSED, (DAYS[0], DAYS[5]))
    assert (entries["shop"].status, entries["shop"].description) == (Status.COMPLETED, "Sells things")


def test_a_status_that_both_changed_differently_is_a_conflict_in_that_line_alone() -> None:
    ours = edited(BASE, status("blog", Status.PAUSED), touch("blog", 2), touch("shop", 2))
    theirs = edited(BASE, status("blog", Status.COMPLETED), touch("blog", 3))
    merged = merge(BASE, ours, theirs)
    assert merged.conflict
    assert merge(BASE, theirs, ours).conflict
    text = merged.data.decode()
    assert "<<<<<<< ours\n  - Status: paused\n=======\n  - Status: completed\n>>>>>>> theirs\n" in text
    assert "[2025-03-20, 2025-03-22, 2025-03-23]" in text


def test_a_description_that_both_gave_differently_is_a_conflict() -> None:
    merged = merge(BASE, edited(BASE, described("blog", "one")), edited(BASE, described("blog", "two")))
    assert merged.conflict
    both(BASE, edited(BASE, described("blog", "one")), edited(BASE, described("blog", "one"), touch("shop", 4)))


def test_words_of_people_are_merged_as_text() -> None:
    ours = edited(BASE.replace(b"Words of a person.", b"Other words."), topic("app"))
    theirs = edited(BASE.replace(b"The end.", b"Not the end."), topic("zoo"))
    text = both(BASE, ours, theirs)
    assert "Other words.\n" in text
    assert "Not the end.\n" in text


def test_a_topic_moved_by_one_side_takes_the_others_dates_with_it() -> None:
    lines = b"- **shop**\n  - Dates: [2025-03-21]\n  - Status: active\n"
    ours = BASE.replace(lines, b"").replace(b"\nThe end.", lines + b"\nThe end.")
    [entry] = [one for one in read(both(BASE, ours, edited(BASE, touch("shop", 6)))).entries if one.slug == "shop"]
    assert (entry.category, entry.dates) == ("Decisions", (DAYS[1], DAYS[6]))


def test_lines_of_a_person_in_an_entry_stay() -> None:
    ours = BASE.replace(b"  - Status: active\n- **shop", b"  - Status: active\n  - Ask Ada about it\n- **shop")
    text = both(BASE, ours, edited(BASE, touch("blog", 2), topic("app")))
    assert "  - Status: active\n  - Ask Ada about it\n- **shop**" in text


def test_a_free_form_index_is_merged_as_text() -> None:
    base = b"# Links\n\n- [a](a.md)\n\n| x |\n|---|\n| 1 |\n"
    text = both(base, edited(base, topic("app")), base.replace(b"| 1 |", b"| 2 |"))
    assert "| 2 |" in text
    assert [one.slug for one in read(text).entries] == ["app"]


def test_an_entry_that_cannot_be_read_unambiguously_is_left_to_the_text_merge() -> None:
    base = BASE + b"\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n"
    ours, theirs = edited(base, touch("shop", 2)), edited(base, topic("app", "Decisions"))
    text = both(base, ours, theirs)
    assert text.count("**blog**") == 2
    assert "[2025-03-21, 2025-03-22]" in text


def test_line_ends_and_marks_of_windows_stay() -> None:
    base = b"\xef\xbb\xbf" + BASE.replace(b"\n", b"\r\n")
    ours, theirs = edited(base, touch("blog", 2), topic("zoo")), edited(base, touch("blog", 3), topic("app"))
    text = both(base, ours, theirs)
    assert text.startswith("\ufeff# Memory Index\r\n")
    assert text.count("\n") == text.count("\r\n")


SLUGS = ["blog", "shop", "hosting", "app", "zoo", "记忆"]
EDITS = st.one_of(
    st.builds(touch, st.sampled_from(SLUGS), st.integers(0, 11)),
    st.builds(topic, st.sampled_from(SLUGS), st.sampled_from(["Projects", "Decisions", "Ideas"]), st.integers(0, 11)),
    st.builds(generation, st.sampled_from(SLUGS), st.integers(1, 4), st.integers(0, 11)),
    st.builds(aliased, st.sampled_from(SLUGS), st.sampled_from(["Eins", "zwei", "三"])),
    st.builds(status, st.sampled_from(SLUGS), st.sampled_from(Status)),
    st.builds(described, st.sampled_from(SLUGS), st.sampled_from(["one", "two"])),
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    base = draw(st.sampled_from([BASE, BASE.rstrip(b"\n"), b"# Memory Index\n", b""]))

    def grown(data: bytes) -> bytes:
        for edit in draw(st.lists(EDITS, max_size=6)):
            try:
                data = edit(data)
            except MemsiteError:
                continue
        return data

    base = grown(base)
    return base, grown(base), grown(base)


@settings(max_examples=60 * FACTOR)
@given(histories())
def test_any_two_indexes_merge_alike_and_lose_no_entry(history: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = history
    merged, swapped = merge(base, ours, theirs), merge(base, theirs, ours)
    assert merged.conflict == swapped.conflict
    if merged.conflict:
        return
    assert swapped == merged
    for side in (ours, theirs):
        assert merge(base, merged.data, side) == merge(base, side, merged.data) == merged
    entries = {one.slug: one for one in read(merged.data).entries}
    for side in (ours, theirs):
        for one in read(side).entries:
            assert set(one.dates) <= set(entries[one.slug].dates)
            assert set(one.aliases) <= set(entries[one.slug].aliases)
            paths = {ref.path for ref in entries[one.slug].consolidations}
            assert {ref.path for ref in one.consolidations} <= paths
            assert (entries[one.slug].current is None) == (not paths)


@settings(max_examples=40 * FACTOR)
@given(histories())
def test_sides_that_contradict_nowhere_have_no_conflict(history: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = history
    sides = [{one.slug: one for one in read(data).entries} for data in (base, ours, theirs)]

    def differs(slug: str) -> bool:
        old, mine, yours = (side.get(slug) for side in sides)
        if mine is None or yours is None:
            return False
        before = (old.status, old.description) if old else (Status.ACTIVE, "")
        values = zip(before, (mine.status, mine.description), (yours.status, yours.description), strict=True)
        return any(was not in (a, b) and a != b for was, a, b in values)

    if not any(differs(slug) for slug in SLUGS):
        assert not merge(base, ours, theirs).conflict


@pytest.mark.parametrize(
    "text", [b"\n", b"\xff\xfe", b"\xef\xbb\xbf# x\n", b"a\x00b", b"- **a**: [2025-99-99]\n", b"```\n"]
)
def test_any_bytes_merge_without_failing(text: bytes) -> None:
    assert merge(b"", text, BASE).data
    assert merge(text, text + b"\ny\n", text + b"\nz\n").data
