from __future__ import annotations

import pytest

from memsite.site.pages.commits import commit_kind, commit_title


@pytest.mark.parametrize(
    ("subject", "kind", "title"),
    [
        ("note: 2025-03-20", "note", "2025-03-20"),
        ("consolidate(blog): gen2", "consolidate", "blog: gen2"),
        ("session: Fix: the build", "session", "Fix: the build"),
        ("feat: something", "edit", "feat: something"),
        ("Merge branch 'main'", "merge", "Merge branch 'main'"),
        ("note:", "edit", "note:"),
        ("", "edit", ""),
    ],
)
def test_commit_kind_and_title(subject: str, kind: str, title: str) -> None:
    assert (commit_kind(subject), commit_title(subject)) == (kind, title)
