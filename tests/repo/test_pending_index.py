"""INDEX.md is committed with the generations that it names, and never before them."""

from __future__ import annotations

from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOW, Show, write_files
from tests.repo.test_pending import BLOG_1, GENERATION, log

INNER = BLOG_1.removeprefix("memory/")
BARE = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n  - Status: active\n"
INDEX_OF_BLOG = BARE.replace(
    "  - Status", f"  - Consolidations:\n    - gen1 (2025-03-25): {INNER}\n  - Current: {INNER}\n  - Status"
)


def test_an_index_that_names_a_generation_held_back_waits_for_it(ws: Workspace, git: Git, show: Show) -> None:
    write_files(ws.root, {"memory/INDEX.md": BARE})
    commit_pending(ws, now=NOW)
    write_files(ws.root, {"memory/INDEX.md": INDEX_OF_BLOG, BLOG_1: "# Blog\n", "memory/2025-03-20.md": "x\n"})
    commit_pending(ws, now=NOW)
    assert [message for message, _ in log(git, ws.root)] == ["index: add blog", "note: 2025-03-20"]
    assert show("memory/INDEX.md") == BARE
    held = {str(one.path): one for one in uncommitted(ws).held_back}
    assert set(held) == {BLOG_1, "memory/INDEX.md"}
    assert (held["memory/INDEX.md"].line, "is not committed" in held["memory/INDEX.md"].message) == (7, True)
    write_files(ws.root, {BLOG_1: GENERATION})
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[2:] == [("consolidate(blog): gen1", ["memory/INDEX.md", BLOG_1])]
    assert uncommitted(ws).held_back == ()


def test_another_generation_has_its_entry_while_the_index_waits(ws: Workspace, git: Git, show: Show) -> None:
    shop = BLOG_1.replace("blog", "shop")
    both = INDEX_OF_BLOG + INDEX_OF_BLOG.replace("blog", "shop").partition("## Projects\n")[2]
    write_files(ws.root, {"memory/INDEX.md": BARE.replace("blog", "shop")})
    commit_pending(ws, now=NOW)
    write_files(ws.root, {"memory/INDEX.md": both, BLOG_1: "# Blog\n", shop: GENERATION})
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[1:] == [("consolidate(shop): gen1", ["memory/INDEX.md", shop])]
    kept = show("memory/INDEX.md")
    assert "shop-gen1" in kept
    assert "blog" not in kept


def test_an_index_that_named_the_generation_before_does_not_wait(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/INDEX.md": INDEX_OF_BLOG})
    commit_pending(ws, now=NOW)
    write_files(ws.root, {BLOG_1: "", "memory/INDEX.md": INDEX_OF_BLOG.replace("active", "paused")})
    commit_pending(ws, now=NOW)
    assert [message for message, _ in log(git, ws.root)] == ["index: add blog", "index: change blog"]
