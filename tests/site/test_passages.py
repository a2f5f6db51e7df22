"""What a reader of two generations is told: words, not their marks, their head or their sources."""

from __future__ import annotations

import pytest

from memsite.prose.diff import format_diff_lines
from memsite.site.passages import compare_generations

HEAD = "# Blog - Generation 1 Consolidation\n\n**Created**: 2025-03-25\n**Covers**: 2025-03-20 to 2025-03-25\n\n"
TEXT = "## Key Points\n- Posts stand in `posts/`. [2025-03-20#L3]\n\n## Source References\n- 2025-03-20: the idea\n"


@pytest.mark.parametrize(
    ("old", "new", "summary", "lines"),
    [
        ("2025-03-25\n", "2025-04-05\n", "no change that a reader would see", []),
        ("`posts/`", "`notes/`", "1 word added, 1 removed, in 1 block",
         ["  ## Key Points", "~ - Posts stand in [-posts-]{+notes+}/."]),
        ("[2025-03-20#L3]", "[2025-03-20#L3, 2025-03-22]", "sources changed",
         ["  ## Key Points", "~ - Posts stand in posts/. (2025-03-20#L3{+, 2025-03-22+}; sources changed)"]),
        ("\n\n## Source", "\n- New. [2025-03-22#L1-L4]\n\n## Source", "1 word added, 0 removed, in 1 block",
         ["  ## Key Points", "+ - New. (2025-03-22#L1-L4)"]),
        ("the idea", "an idea", "only the source references changed", []),
    ],
)  # fmt: skip
def test_what_counts_as_a_change(old: str, new: str, summary: str, lines: list[str]) -> None:
    found = compare_generations(HEAD + TEXT, (HEAD + TEXT).replace(old, new))
    assert found.summary == summary
    assert list(format_diff_lines(found.text)) == lines


@pytest.mark.parametrize("new", ["    a = 1 b = 2", "    a = 1\n        b = 2", "    a = 1\n\n    b = 2"])
def test_changes_of_indented_code_are_seen(new: str) -> None:
    found = compare_generations(HEAD + "Run:\n\n    a = 1\n    b = 2\n", f"{HEAD}Run:\n\n{new}\n")
    assert found.text.changed


def test_source_references_are_compared_by_themselves() -> None:
    found = compare_generations(HEAD + TEXT, (HEAD + TEXT).replace("the idea", "an idea"))
    assert list(format_diff_lines(found.references)) == ["~ - 2025-03-20: [-the-]{+an+} idea"]
