"""A memory that grows: after each commit the site that was brought up to date is the one that a clean build makes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.site.test_site import contents, write

GENERATION = (
    "# Blog - Generation {n} Consolidation\n\n**Covers**: 2025-03-20 to 2025-03-2{n}\n\n## Key Points\n{points}\n"
)
INDEX = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [{dates}]\n"
STEPS: tuple[dict[str, str | None], ...] = (
    {"memory/2025-03-20.md": "# 2025-03-20\n\n开始写博客。\n", "memory/INDEX.md": INDEX.format(dates="2025-03-20")},
    {"memory/2025-03-20.md": "# 2025-03-20\n\n开始写博客。\n\nIt uses Next.js, see [the plan](plan.md).\n"},
    {"memory/plan.md": "# Plan\n\nOne.\n", "memory/INDEX.md": INDEX.format(dates="2025-03-20, 2025-03-21")},
    {
        "memory/consolidated/blog-gen1-2025-03-25.md": GENERATION.format(
            n=1, points="- It uses Next.js. [2025-03-20#L5]"
        )
    },
    {"memory/plan.md": "# Plan\n\nOne.\n\nTwo.\n", "memory/people/ada.md": "# Ada\n"},
    {
        "memory/consolidated/blog-gen2-2025-04-01.md": GENERATION.format(
            n=2, points="- It uses Next.js. [2025-03-20]\n- 博客用中文写。"
        )
    },
    {"memory/plan.md": None, "memory/people/ada.md": "# Ada\n\nReads.\n"},
    {"memory/consolidated/blog-gen1-2025-03-25.md": None},
)
COMPARED = range(len(STEPS)) if "MEMSITE_TEST_LONG" in os.environ else (3, 5, 7)
"""Steps after which a clean build is made."""


def test_each_commit_brings_the_site_up_to_date_as_a_clean_build_would(
    workspace: Path, git: Callable[..., str], tmp_path: Path
) -> None:
    for number, files in enumerate(STEPS):
        for name, text in files.items():
            (workspace / name).unlink() if text is None else write(workspace, name, text)
        git("add", "-A", "memory", cwd=workspace)
        stamp = f"2025-04-{number + 1:02d}T10:00:00+00:00"
        git("commit", "-qm", f"note: {number}", cwd=workspace, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp)
        result = build_site(open_workspace(workspace))
        assert number == 0 or result.rendered < result.pages
        if number not in COMPARED:
            continue
        build_site(open_workspace(workspace), destination=tmp_path / str(number), clean=True)
        one, other = contents(workspace / "site"), contents(tmp_path / str(number))
        assert one.keys() == other.keys()
        assert [name for name in one if one[name] != other[name]] == [], number
