"""`blame` and `diff` on a terminal: which generation each sentence came from, which two are compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

HEAD = "# Blog - Generation {} Consolidation\n\n**Created**: 2025-03-2{}\n\n## Key Points\n"
FIRST = "- The blog is bilingual. [2025-03-20]\n- It uses Next.js. [2025-03-20#L3]\n- 博客用中文写。[2025-03-20]\n"
SECOND = "- It uses Astro. [2025-03-22]\n- The blog is bilingual. [2025-03-22#L4-L5]\n- 博客用中文写。[2025-03-22]\n"


@pytest.fixture
def lineage(workspace: Path) -> Path:
    """A topic of two generations."""
    folder = workspace / "memory/consolidated"
    folder.mkdir()
    for number, points in enumerate((FIRST, SECOND), start=1):
        path = folder / f"blog-gen{number}-2025-03-2{number}.md"
        path.write_text(HEAD.format(number, number) + points, encoding="utf-8")
    return workspace


def test_blame_credits_words_not_the_sources_named_beside_them(memsite: Run, lineage: Path) -> None:
    found = json.loads(memsite("blame", "blog", "--json").out)
    points = [(one["text"], one["generation"], one["line"]) for one in found if one["line"] > 5]
    assert points == [("It uses Astro.", 2, 6), ("The blog is bilingual.", 1, 7), ("博客用中文写。", 1, 8)]


def test_blame_of_an_earlier_generation_knows_nothing_of_later_ones(memsite: Run, lineage: Path) -> None:
    found = json.loads(memsite("blame", "blog", "gen1", "--json").out)
    assert {one["generation"] for one in found} == {1}
    assert "gen1  7  It uses Next.js." in memsite("blame", "blog", "1").out


def test_diff_of_the_newest_generation_alone_is_refused(memsite: Run, lineage: Path) -> None:
    """It would be compared with itself."""
    done = memsite("diff", "blog", "2")
    assert (done.code, done.out) == (1, "")
    assert "gen2 is the newest of blog: `memsite diff blog` compares it with the one before" in done.err
    assert memsite("diff", "blog", "1").code == 0
