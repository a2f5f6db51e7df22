"""The page of a topic: what is new to its current generation."""

from __future__ import annotations

import re
from typing import Any

import pytest

GENERATION = "# Blog - Generation 1 Consolidation\n\n## Key Points\n- Hosted on Vercel\n"
INDEX = "# Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-01, 2025-03-02]\n"
MARKER = "<!-- ARCHIVED: consolidated into consolidated/blog-gen1-2025-03-03.md -->\n"
OTHER_MARKER = "<!-- ARCHIVED: consolidated into consolidated/trip-gen1-2025-03-03.md -->\n"


def since(make_source: Any, render: Any, *notes: str) -> str:
    """What the page lists as new, where the days' notes are these."""
    files = {f"memory/2025-03-{day:02d}.md": text for day, text in enumerate(notes, start=1)}
    files |= {"memory/INDEX.md": INDEX, "memory/consolidated/blog-gen1-2025-03-03.md": GENERATION}
    html = render(make_source(files), "topics/blog/").html
    match = re.search(r'<details class="memsite-since".*?</details>', html, re.DOTALL)
    return match[0] if match else ""


OLD = "# 2025-03-01\n\n- blog: the old horse\n"


@pytest.mark.parametrize(
    ("added", "line"),
    [
        ("\n- Added: the zebra decision.\n", 6),
        ("\n## Later\n\n- Added: the zebra decision.\n", 8),
        ("\n> the zebra decision\n", 6),
        ("\n```\nthe zebra decision\n```\n", 7),
        ("\n## The zebra decision\n", 6),
        (OTHER_MARKER + "- Added: the zebra decision.\n", 6),
        ("- Added: the zebra decision.\n" + OTHER_MARKER, 5),
    ],
)
def test_only_what_stands_below_the_topics_own_marker_is_new(
    make_source: Any, render: Any, added: str, line: int
) -> None:
    shown = since(make_source, render, OLD + MARKER + added)
    assert "1 day" in shown
    assert "old horse" not in shown
    assert "zebra decision" in shown
    assert f"#L{line}" in shown


def test_a_note_that_another_topic_alone_archived_is_new_in_full(make_source: Any, render: Any) -> None:
    assert "old horse" in since(make_source, render, OLD + MARKER, OLD + OTHER_MARKER)


def test_a_note_with_nothing_below_the_topics_marker_is_not_new(make_source: Any, render: Any) -> None:
    assert since(make_source, render, OLD + MARKER, OLD + MARKER + "<!-- no words -->\n") == ""


@pytest.mark.parametrize(
    ("field", "said", "unsaid"),
    [
        ("", "No generation yet.", "No generation is left."),
        (
            "  - Consolidations:\n    - gen1 (2025-03-03): consolidated/blog-gen1-2025-03-03.md\n",
            "No generation is left.",
            "yet",
        ),
    ],
)
def test_a_topic_without_a_generation_says_whether_there_ever_was_one(
    make_source: Any, render: Any, field: str, said: str, unsaid: str
) -> None:
    html = render(make_source({"memory/INDEX.md": INDEX + field}), "topics/blog/").html
    assert said in html
    assert unsaid not in html
