from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.site.pages.differences import MIN_FOLD, changed_part, compare_texts

lines = st.sampled_from(["", "one", "two words", "- item", "## Head", "```", "中文。"])
texts = st.lists(lines, max_size=12).map("\n".join)


def test_compare_texts_folds_what_is_far_from_a_change() -> None:
    old = "# T\n\n" + "".join(f"Paragraph {number}.\n\n" for number in range(10))
    found = compare_texts(old, old + "New.\n")
    assert [stretch.folded for stretch in found.stretches] == [False, True, False]
    assert [row.kind for row in found.stretches[-1].rows] == ["equal", "insert"]
    assert found.summary == "1 word added, 0 removed, in 1 block"


def test_compare_texts_keeps_the_heading_that_a_change_stands_under() -> None:
    old = "## Far\n\n" + "a\n\n" * 6 + "## Near\n\n" + "b\n\n" * 6 + "old\n"
    found = compare_texts(old, old.replace("old", "new"))
    shown = [row.words[0].text for stretch in found.stretches if not stretch.folded for row in stretch.rows]
    assert "Near" in shown
    assert "Far" not in shown


@given(old=texts, new=texts)
def test_compare_texts_shows_every_row_once_and_folds_only_unchanged_ones(old: str, new: str) -> None:
    found = compare_texts(old, new)
    folded = [row for stretch in found.stretches if stretch.folded for row in stretch.rows]
    assert all(row.kind == "equal" for row in folded)
    assert all(len(stretch.rows) >= MIN_FOLD for stretch in found.stretches if stretch.folded)
    assert found.changed == any(row.kind != "equal" for stretch in found.stretches for row in stretch.rows)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("a\n\nb\n", "a\n\nb\n\nc\n", ("", "c")),
        ("a\n\nb\n\nc\n", "a\n\nB\n\nc\n", ("b", "B")),
        ("a\r\n", "a\n", ("", "")),
        ("", "new", ("", "new")),
    ],
)
def test_changed_part_of_known_texts(old: str, new: str, part: tuple[str, str]) -> None:
    assert tuple(text.strip() for text in changed_part(old, new)) == part


@given(old=texts, new=texts)
def test_changed_part_leaves_the_same_around_both(old: str, new: str) -> None:
    before, after = changed_part(old, new)
    assert before in old
    assert after in new
    assert (before == after == "") or old != new or before == after
