"""Daily notes of two machines: what both appended stays, once, in the same order on both."""

from __future__ import annotations

import os
from collections import Counter
from datetime import date, time
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.memory.changeset import Append
from memsite.memory.daily import NATIVE_FLUSH, archived_line, parse_daily_note, plan_note, shown_text
from memsite.memory.merging import Merged, merge_daily_note
from memsite.memory.snapshot import Blob
from memsite.repo.merge import merge_text

FACTOR = 20 if os.environ.get("MEMSITE_TEST_LONG") else 1
DAY = date(2025, 3, 20)
PATH = PurePosixPath("memory/2025-03-20.md")
HEADER = b"# 2025-03-20\n\n"
BLOG_1 = archived_line("consolidated/blog-gen1-2025-03-25.md").encode() + b"\n"
SHOP_1 = archived_line("consolidated/shop-gen1-2025-03-25.md").encode() + b"\n"


def merge(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    return merge_daily_note(base, ours, theirs, merge_text=merge_text)


def noted(data: bytes | None, *texts: str) -> bytes:
    """The note after `memsite note` of each text."""
    for text in texts:
        change = plan_note(data, PATH, DAY, text, time(9)).changes[0]
        assert isinstance(change, Append)
        data = (data if data is not None else change.header) + change.data
    return data or b""


def both(base: bytes, ours: bytes, theirs: bytes) -> str:
    """The merge, held against the one on the other machine and the merge with each side again."""
    merged = merge(base, ours, theirs)
    assert not merged.conflict
    assert merge(base, theirs, ours) == merged
    for side in (ours, theirs):
        assert merge(base, merged.data, side) == merge(base, side, merged.data) == merged
        assert merge(side, merged.data, side) == merged
    return merged.data.decode()


def test_what_both_machines_noted_is_there() -> None:
    base = noted(None, "We use Next.js.")
    text = both(base, noted(base, "Zebra"), noted(base, "Apple", "Pear"))
    assert text == "# 2025-03-20\n\nWe use Next.js.\n\nApple\n\nPear\n\nZebra\n"


def test_both_machines_began_the_note() -> None:
    assert both(b"", noted(None, "Zebra"), noted(None, "Apple")) == "# 2025-03-20\n\nApple\n\nZebra\n"


def test_the_same_block_and_the_same_marker_are_there_once() -> None:
    base = noted(None, "We use Next.js.")
    flushed = NATIVE_FLUSH.encode() + b"\n"
    text = both(base, noted(base, "Same", "Mine") + flushed, noted(base, "Same", "Yours") + flushed)
    words = ["#", "2025-03-20", "We", "use", "Next.js.", "Same", "Mine", "Yours", *NATIVE_FLUSH.split()]
    assert Counter(text.split()) == Counter(words)


def test_what_was_noted_elsewhere_is_below_a_marker_that_does_not_cover_it() -> None:
    base = noted(None, "Blog begun")
    text = both(base, base + BLOG_1, noted(base, "A word about the blog"))
    note = parse_daily_note(PATH, DAY, "", Blob("", text.encode()))
    assert shown_text(note, "blog") == "A word about the blog"


def test_markers_of_two_consolidations_stay_both() -> None:
    base = noted(None, "Begun")
    text = both(base, base + BLOG_1, base + SHOP_1)
    assert text == base.decode() + (BLOG_1 + SHOP_1).decode()


def test_list_items_are_one_list() -> None:
    base = b"# 2025-03-20\n\n## Blog\n- a\n"
    assert both(base, base + b"- b\n- c\n", base + b"- b\n- d\n") == "# 2025-03-20\n\n## Blog\n- a\n- b\n- c\n- d\n"


def test_text_without_a_heading_does_not_come_under_the_other_machines_heading() -> None:
    base = b"# 2025-03-20\n\n## Blog\n- a\n"
    ours, theirs = base + b"\n## Shop\nopened\n", base + b"- b\n"
    assert both(base, ours, theirs) == "# 2025-03-20\n\n## Blog\n- a\n- b\n\n## Shop\nopened\n"


def test_equal_lines_under_different_headings_stay_both() -> None:
    base = HEADER
    text = both(base, base + b"## Morning\n- done\n", base + b"## Evening\n- done\n")
    assert text.count("- done") == 2


def test_an_edit_above_and_an_append_go_together() -> None:
    base = noted(None, "We use Nxt.js.", "Second", "Third")
    ours = noted(base.replace(b"Nxt", b"Next"), "Mine")
    text = both(base, ours, base + BLOG_1)
    assert text == "# 2025-03-20\n\nWe use Next.js.\n\nSecond\n\nThird\n" + BLOG_1.decode() + "\nMine\n"


def test_an_edit_of_the_same_line_is_a_conflict_that_shows_ours_first() -> None:
    base = noted(None, "one", "two", "three")
    ours, theirs = base.replace(b"two", b"zwei"), base.replace(b"two", b"deux")
    merged = merge(base, ours, theirs)
    assert merged.conflict
    assert merged.data.index(b"zwei") < merged.data.index(b"deux")
    assert merge(base, theirs, ours).conflict


def test_an_unfinished_last_line_does_not_run_into_the_other_machines_text() -> None:
    text = both(b"# d\n\nopen", b"# d\n\nopen\n\nmine", b"# d\n\nopen\n\nyours\n")
    assert text == "# d\n\nopen\n\nmine\n\nyours\n"


def test_an_open_fence_swallows_nothing_of_the_other_machine() -> None:
    base = HEADER
    text = both(base, base + b"```\nleft open\n", base + b"Plain words\n")
    assert text.index("Plain words") < text.index("```")
    merged = merge(base, base + b"```\nleft open\n", base + b"~~~\nopen too\n")
    assert merged.conflict


def test_line_ends_of_windows_stay() -> None:
    base = b"# d\r\n\r\nold\r\n"
    text = both(base, base + b"\r\nmine\r\n", base + b"\r\nyours\r\n")
    assert text == "# d\r\n\r\nold\r\n\r\nmine\r\n\r\nyours\r\n"


TEXTS = st.sampled_from(
    [
        "Apple",
        "Pear\nand plum",
        "- item",
        "- item\n- item 2\n  more",
        "## Head\ntext",
        "## Head",
        "# Title",
        "1. one",
        "```\ncode\n\n# no heading\n```",
        "> quote",
        "| a |\n|---|\n| b |",
        "---\n\nafter a rule",
        "    indented",
        "<div>\nx",
        "記憶",
        "a\n===",
        "<!-- a comment -->",
        "***",
    ]
)
MARKERS = st.sampled_from([b"", BLOG_1, SHOP_1, NATIVE_FLUSH.encode() + b"\n", BLOG_1 + SHOP_1])


@st.composite
def histories(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    base = noted(None, *draw(st.lists(TEXTS, min_size=1, max_size=3))) + draw(MARKERS) if draw(st.booleans()) else b""
    sides = [noted(base or None, *draw(st.lists(TEXTS, max_size=3))) + draw(MARKERS) for _ in range(2)]
    return base, sides[0], sides[1]


def lines(data: bytes) -> set[bytes]:
    return {line.strip() for line in data.splitlines() if line.strip()}


@settings(max_examples=80 * FACTOR)
@given(histories())
def test_any_two_notes_merge_alike_and_lose_nothing(history: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = history
    merged, swapped = merge(base, ours, theirs), merge(base, theirs, ours)
    assert merged.conflict == swapped.conflict
    assert lines(merged.data) >= lines(ours) | lines(theirs)
    if not merged.conflict:
        assert swapped == merged
        for side in (ours, theirs):
            assert merge(base, merged.data, side) == merge(base, side, merged.data) == merged
            assert merge(side, merged.data, side) == merged


@pytest.mark.parametrize("text", [b"\n", b"\xff\xfe", b"\xef\xbb\xbf# x\n", b"a\x00b", b"---\na: b\n---\n"])
def test_any_bytes_merge_without_failing(text: bytes) -> None:
    assert merge(b"", text, noted(None, "x")).data
    assert merge(text, text + b"\ny\n", text + b"\nz\n").data
