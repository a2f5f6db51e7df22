"""First proposals from a folder without a usable index."""

from __future__ import annotations

from memsite.config import Config
from memsite.memory.first_index import propose_first_topics
from memsite.memory.lineage import load_memory
from memsite.memory.proposing import Proposal
from memsite.memory.snapshot import make_snapshot

CONFIG = Config()
FREE_FORM = "# Index\n\n## Decisions\n\n- [No tracking](no-tracking.md) is the rule\n- [gone](gone.md)\n\n| a | b |\n"
FILES: dict[str, str | bytes] = {
    "memory/INDEX.md": FREE_FORM,
    "memory/no-tracking.md": "# No tracking\n",
    "memory/README.md": "# Read me\n",
    "memory/projects/solar-roof.md": "---\ntags: [house, energy]\n---\n# Solar\n",
    "memory/2025-03-20.md": "# Day\n\n## Personal blog\n\n- x\n\n## Summary\n\n[[Quiet Hours]], [[2025-03-19]]\n",
    "memory/2025-03-21.md": "---\nproject: Kitchen Renovation\ntags:\n  - house\n---\n\n## Personal blog\n\n## Once\n",
    "memory/2025-03-22.md": "## Summary\n\n> ## Personal blog\n\n```\n## Once\n```\n\n[[quiet hours|them]]\n",
    "memory/2025-03-23-standup.md": "# Stand-up\n",
    "memory/2025-03-24-standup.md": "# Stand-up\n",
    "memory/2025-03-24-1130.md": "# Session\n\n## 博客项目\n",
    "memory/2025-03-25.md": "## 博客项目\n\n### house\n",
}


def proposals(extra: dict[str, str | bytes] | None = None) -> dict[str, Proposal]:
    found = propose_first_topics(load_memory(make_snapshot({**FILES, **(extra or {})}), CONFIG), CONFIG)
    return {one.slug: one for one in found.proposals}


def test_names_that_come_back_or_have_a_file_are_proposed() -> None:
    found = proposals()
    assert set(found) == {
        "personal-blog", "quiet-hours", "standup", "博客项目", "house", "kitchen-renovation", "no-tracking",
        "solar-roof",
    }  # fmt: skip
    assert [day.day for day in found["personal-blog"].dates] == [20, 21]
    assert [day.day for day in found["quiet-hours"].dates] == [20, 22]
    assert [day.day for day in found["standup"].dates] == [23, 24]
    assert [day.day for day in found["house"].dates] == [21, 25]
    assert found["no-tracking"].category == "Decisions"
    assert (str(found["no-tracking"].passage.path), found["no-tracking"].passage.line) == ("memory/INDEX.md", 5)
    assert found["solar-roof"].dates == ()


def test_what_the_index_has_is_not_proposed_again() -> None:
    index = "## Projects\n- **blog**\n  - Dates: [2025-03-20]\n  - Aliases: [Personal blog]\n"
    assert "personal-blog" not in proposals({"memory/INDEX.md": index})


def test_a_heading_of_every_day_is_none() -> None:
    days: dict[str, str | bytes] = {f"memory/2025-05-{day:02}.md": "## Weather\n" for day in range(1, 29)}
    assert "weather" not in proposals(days)
