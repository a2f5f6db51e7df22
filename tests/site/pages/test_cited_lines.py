"""A reference to lines leads to the lines that were cited: where the note has changed since, to the note as it was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memsite.site.spec import Content, SiteSource

Render = Callable[[SiteSource, str], Content]
NOTE = "memory/2025-03-20.md"
ONE = "memory/consolidated/blog-gen1-2025-03-25.md"
TWO = "memory/consolidated/blog-gen2-2025-03-28.md"
TEXT = "# 2025-03-20\n\n- Use Next.js\n- and Vercel\n"
MARK = "\n<!-- ARCHIVED: consolidated into consolidated/blog-gen1-2025-03-25.md -->\n"
AS_IT_WAS = "history/2025-03-25/#{commit:040x}.1"


def generation(number: int, point: str) -> str:
    return f"# Blog - Generation {number} Consolidation\n\n**Created**: 2025-03-25\n\n## Key Points\n- {point}\n"


@pytest.fixture
def source_of(make_source: Any, commit: Any) -> Callable[..., SiteSource]:
    """The note, the generation that cites a line of it and marks it, and what comes after."""

    def make(*after: dict[str, str | None], cites: str = "2025-03-20#L3", marked: bool = True) -> SiteSource:
        made = {ONE: generation(1, f"Next.js [{cites}]")} | ({NOTE: TEXT + MARK} if marked else {})
        steps = [{NOTE: TEXT}, made, *after]
        days = [20, 25, 26, 27, 28]
        moments = [datetime(2025, 3, day, 9, 30, tzinfo=UTC) for day in days]
        return make_source(None, [commit(files, at) for files, at in zip(steps, moments, strict=False)])  # type: ignore[no-any-return]

    return make


def test_cited_lines_that_have_changed_are_shown_as_they_were(
    source_of: Callable[..., SiteSource], render: Render
) -> None:
    source = source_of({NOTE: TEXT.replace("Use Next.js", "Use Astro") + MARK})
    for page, up in (("topics/blog/", "../../"), ("topics/blog/gen1/", "../../../")):
        html = render(source, page).html
        assert f'href="{up}{AS_IT_WAS.format(commit=2)}">2025-03-20, line 3 as it was</a>' in html
        assert 'href="../../daily/2025-03-20/#L3"' not in html


def test_cited_lines_that_moved_are_shown_as_they_were(source_of: Callable[..., SiteSource], render: Render) -> None:
    source = source_of({NOTE: TEXT.replace("- Use", "- A line before\n- Use")}, cites="2025-03-20#L3-L4")
    html = render(source, "topics/blog/gen1/").html
    assert f'href="../../../{AS_IT_WAS.format(commit=2)}">2025-03-20, lines 3–4 as they were</a>' in html


def test_cited_lines_that_are_gone_are_shown_as_they_were(source_of: Callable[..., SiteSource], render: Render) -> None:
    for after in ("# 2025-03-20\n", None):
        html = render(source_of({NOTE: "# 2025-03-20\n"}, {NOTE: after}), "topics/blog/gen1/").html
        assert AS_IT_WAS.format(commit=2) in html
        assert "no such line" not in html


def test_a_note_that_no_commit_of_the_generation_touched_is_shown_as_it_was_then(
    source_of: Callable[..., SiteSource], render: Render
) -> None:
    html = render(source_of({NOTE: "# other\n\nlines\n"}, marked=False), "topics/blog/gen1/").html
    assert f"history/2025-03-20/#{1:040x}.1" in html


def test_a_note_that_only_grew_is_shown_as_it_is(source_of: Callable[..., SiteSource], render: Render) -> None:
    html = render(source_of({NOTE: f"{TEXT}{MARK}\nMore.\n"}), "topics/blog/gen1/").html
    assert 'href="../../../daily/2025-03-20/#L3">2025-03-20, line 3</a>' in html


def test_what_is_handed_on_means_the_lines_that_the_first_of_the_generations_cited(
    source_of: Callable[..., SiteSource], render: Render
) -> None:
    changed = TEXT.replace("Use Next.js", "Use Astro") + MARK
    source = source_of({NOTE: changed}, {TWO: generation(2, "Next.js [2025-03-20#L3]")})
    for page in ("topics/blog/", "topics/blog/gen2/", "topics/blog/compare/1..2/"):
        assert AS_IT_WAS.format(commit=2) in render(source, page).html
    source = source_of({NOTE: changed}, {TWO: generation(2, "Astro [2025-03-20#L3-L4]")})
    assert 'daily/2025-03-20/#L3">' in render(source, "topics/blog/gen2/").html
