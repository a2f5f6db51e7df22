"""A note that got another name keeps its history: page, revisions and commits follow, as `git log --follow` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memsite.site.spec import Content, SiteSource

Render = Callable[[SiteSource, str], Content]
START = datetime(2025, 3, 20, 9, 30, tzinfo=UTC)
TEXT = "# Ideas\n\n- one idea that is long enough\n- another idea\n- and a third\n"


@pytest.fixture
def source_of(make_source: Any, commit: Any) -> Callable[..., SiteSource]:
    """A commit a day, each by what it writes and takes away."""

    def make(*steps: Mapping[str, str | None]) -> SiteSource:
        made = [commit(files, START + timedelta(days=number)) for number, files in enumerate(steps)]
        source: SiteSource = make_source(None, made)
        return source

    return make


def place(commit: int, number: int, day: int) -> str:
    return f"history/2025-03-{day}/#{commit:040x}.{number}"


@pytest.mark.parametrize("text", [TEXT, TEXT + "- a fourth, with the new name\n"], ids=["as it was", "edited with it"])
def test_a_renamed_note_keeps_its_revisions(source_of: Callable[..., SiteSource], render: Render, text: str) -> None:
    source = source_of({"memory/a.md": "# Ideas\n"}, {"memory/a.md": TEXT}, {"memory/a.md": None, "memory/b.md": text})
    html = render(source, "notes/b/").html
    assert [place(1, 1, 20) in html, place(2, 1, 21) in html, place(3, 2, 22) in html] == [True] * 3


def test_a_page_that_was_renamed_says_what_it_is_now(source_of: Callable[..., SiteSource], render: Render) -> None:
    source = source_of({"memory/a.md": TEXT}, {"memory/a.md": None, "memory/b.md": TEXT})
    html = render(source, "notes/a/").html
    assert 'Renamed on 2025-03-21; it is now <a href="../b/">memory/b.md</a>' in " ".join(html.split())
    assert "Deleted from the memory" not in html
    assert ">renamed</span>" in render(source, "notes/").html


def test_the_day_of_a_rename_tells_of_it_and_compares_both_texts(
    source_of: Callable[..., SiteSource], render: Render
) -> None:
    source = source_of({"memory/a.md": TEXT}, {"memory/a.md": None, "memory/b.md": TEXT + "- a fourth\n"})
    html = render(source, "history/2025-03-21/").html
    assert 'renamed</span> <a href="../../notes/b/">memory/b.md</a> from memory/a.md' in " ".join(html.split())
    assert "added" in html
    assert "Its first text" not in html


def test_revisions_lead_over_a_rename(source_of: Callable[..., SiteSource], render: Render) -> None:
    source = source_of(
        {"memory/a.md": TEXT}, {"memory/a.md": None, "memory/b.md": TEXT}, {"memory/b.md": TEXT + "- more\n"}
    )
    older, newer = f"#{1:040x}.1", f"#{2:040x}.2"
    assert f'rel="next" aria-keyshortcuts="j" title="newer (j)" href="../2025-03-21/{newer}' in (
        render(source, "history/2025-03-20/").html
    )
    assert f'rel="prev" aria-keyshortcuts="k" title="older (k)" href="../2025-03-20/{older}' in (
        render(source, "history/2025-03-21/").html
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memory/2025-03-19.md", "memory/2025-03-20.md"),
        ("memory/consolidated/blog-gen1-2025-03-19.md", "memory/consolidated/blog-gen2-2025-03-20.md"),
        ("memory/sessions/2025-03-19.md", "memory/2025-03-19-sessions.md"),
        ("memory/INDEX.md", "memory/OLD.md"),
        ("memory/a.txt", "memory/b.md"),
    ],
)
def test_what_has_its_name_from_a_rule_is_never_another_file(
    source_of: Callable[..., SiteSource], pages_of: Any, old: str, new: str
) -> None:
    source = source_of({old: TEXT, "memory/other.md": "x\n"}, {old: None, new: TEXT})
    html = "".join(page.content().html for page in pages_of(source).values())
    assert "Renamed on" not in html
    assert "renamed</span>" not in html


def test_another_label_of_a_day_is_a_rename(source_of: Callable[..., SiteSource], render: Render) -> None:
    old, new = "memory/2025-03-20-x.md", "memory/2025-03-20-y.md"
    source = source_of({old: TEXT}, {old: None, new: TEXT})
    assert "Renamed on 2025-03-21" in render(source, "daily/2025-03-20/").html


def test_unlike_texts_are_two_notes(source_of: Callable[..., SiteSource], render: Render) -> None:
    source = source_of({"memory/a.md": TEXT}, {"memory/a.md": None, "memory/b.md": "# Quite\n\nsomething else\n"})
    assert "Deleted from the memory" in render(source, "notes/a/").html


def test_a_name_that_is_used_again_is_another_file(source_of: Callable[..., SiteSource], render: Render) -> None:
    source = source_of(
        {"memory/a.md": TEXT},
        {"memory/a.md": None, "memory/b.md": TEXT},
        {"memory/a.md": "# Other\n"},
        {"memory/b.md": None, "memory/c.md": TEXT},
    )
    found = render(source, "notes/a/").html
    assert [place(1, 1, 20) in found, place(3, 1, 22) in found, place(4, 2, 23) in found] == [True, True, False]
    found = render(source, "notes/c/").html
    steps = ((1, 1, 20), (2, 2, 21), (3, 1, 22), (4, 2, 23))
    assert [place(number, at, day) in found for number, at, day in steps] == [True, True, False, True]
