"""The seed's "Example Session", step by step, with the index as it is after each day."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Git, Run

ENTRY = """# Memory Index

## Projects
- **personal-blog**
  - Dates: [{dates}]
{more}  - Status: active
"""
GENERATION = "consolidated/personal-blog-gen1-2025-03-25.md"
BODY = """
## Summary

The personal blog started on 20 March. Next.js was chosen on 22 March, hosting on Vercel on 25 March.

## Key Points

- The project is a personal blog. [2025-03-20#L3]

## Decisions Made

- The blog uses Next.js. [2025-03-22#L3]
- The blog is hosted on Vercel. [2025-03-25#L3]

## Current Status

Active.
"""


def test_the_example_session(memsite: Run, workspace: Path, git: Git) -> None:
    memory = workspace / "memory"

    def index() -> str:
        return (memory / "INDEX.md").read_text(encoding="utf-8")

    def agent_writes(day: str, text: str) -> None:
        (memory / f"{day}.md").write_text(f"# {day}\n\n- {text}\n", encoding="utf-8")

    # Day 1: the agent writes its note and asks; the user says yes.
    agent_writes("2025-03-20", "New project: building a personal blog")
    asked = memsite("review", now="2025-03-20T18:00")
    assert "new: personal-blog (Projects)?" in asked.out
    assert not (memory / "INDEX.md").exists()
    assert memsite("review", "--accept", "personal-blog", now="2025-03-20T18:01").code == 0
    assert index() == ENTRY.format(dates="2025-03-20", more="")

    # Day 2: the review adds the date by itself, and so does the flush of the next morning, which finds it done.
    agent_writes("2025-03-22", "For the personal blog, let's use Next.js")
    assert "mentioned: personal-blog" in memsite("review", now="2025-03-22T18:00").out
    assert index() == ENTRY.format(dates="2025-03-20, 2025-03-22", more="")
    assert memsite("flush", now="2025-03-23T11:00").code == 0
    assert index() == ENTRY.format(dates="2025-03-20, 2025-03-22", more="")
    assert (memory / "2025-03-22.md").read_text(encoding="utf-8").endswith("<!-- NATIVE_FLUSH -->\n")

    # Day 3: the third date proposes a consolidation; the user says: go ahead.
    agent_writes("2025-03-25", "Personal blog hosting should be Vercel")
    proposed = memsite("review", now="2025-03-25T18:00")
    assert "suggested: consolidate personal-blog (3 dates since the last time)" in proposed.out
    assert index() == ENTRY.format(dates="2025-03-20, 2025-03-22, 2025-03-25", more="")
    brief = memsite("consolidate", "personal-blog", "--brief", now="2025-03-25T18:05")
    for day, words in (("20", "New project"), ("22", "let's use Next.js"), ("25", "Vercel")):
        assert f"[2025-03-{day}#L3]" in brief.out
        assert words in brief.out
    done = memsite("consolidate", "personal-blog", "--from", "-", stdin=BODY, now="2025-03-25T18:10")
    assert done.code == 0, done.err
    assert index() == ENTRY.format(
        dates="2025-03-20, 2025-03-22, 2025-03-25",
        more=f"  - Consolidations:\n    - gen1 (2025-03-25): {GENERATION}\n  - Current: {GENERATION}\n",
    )
    for day in ("2025-03-20", "2025-03-22", "2025-03-25"):
        assert f"<!-- ARCHIVED: consolidated into {GENERATION} -->\n" in (memory / f"{day}.md").read_text("utf-8")
    generation = (memory / GENERATION).read_text(encoding="utf-8")
    assert generation.startswith(
        "# Personal Blog - Generation 1 Consolidation\n\n"
        "**Created**: 2025-03-25\n**Covers**: 2025-03-20 to 2025-03-25\n"
    )
    assert "suggested" not in memsite("review", now="2025-03-25T19:00").out

    # 5 April: 回忆一下博客项目.
    recalled = memsite("recall", "回忆一下博客项目", now="2025-04-05T19:00")
    assert recalled.out.startswith("# personal-blog (Projects, active)\n")
    for words in ("started on 20 March", "Next.js", "Vercel"):
        assert words in recalled.out
    assert "let's use Next.js" not in recalled.out

    # "Check the original March 20th file."
    original = memsite("recall", "--deep", "--date", "2025-03-20", now="2025-04-05T19:05")
    assert "- New project: building a personal blog" in original.out

    assert memsite("check", now="2025-04-05T19:10").out == "no errors\n"
    assert git("status", "--porcelain", cwd=workspace) == ""
    kinds = [line.partition(":")[0] for line in git("log", "--reverse", "--format=%s", cwd=workspace).splitlines()]
    assert kinds == [
        "first", "note", "index", "note", "index", "flush", "note", "index", "consolidate(personal-blog)",
    ]  # fmt: skip
