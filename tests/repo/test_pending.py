"""`commit`: what agents and people wrote becomes commits that read as a history."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import PendingError
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.hostile_git import write_hostile_configuration
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write_files

INDEX = """# Memory Index

## Projects
- **blog**
  - Dates: [2025-03-20]
"""
SECTIONS = ("Summary", "Key Points", "Decisions Made", "Current Status")
GENERATION = "# Blog - Generation 1 Consolidation\n" + "".join(f"\n## {name}\nx\n" for name in SECTIONS)
BLOG_1 = "memory/consolidated/blog-gen1-2025-03-25.md"
BLOG_2 = "memory/consolidated/blog-gen2-2025-03-25.md"
SHOP_1 = "memory/consolidated/shop-gen1-2025-03-25.md"


def log(git: Git, root: Path) -> list[tuple[str, list[str]]]:
    """Subjects and files of the commits after the first, oldest first."""
    blocks = git("log", "--reverse", "-m", "--first-parent", "--format=%x01%s", "--name-only", cwd=root).split("\1")[2:]
    return [(block.splitlines()[0], block.split("\n")[2:-1]) for block in blocks]


def marker(path: str) -> str:
    return f"<!-- ARCHIVED: consolidated into {path.removeprefix('memory/')} -->\n"


def test_each_kind_is_a_commit_of_its_own_in_a_readable_order(ws: Workspace, git: Git) -> None:
    write_files(
        ws.root,
        {
            "memory/CURRENT_STATE.md": "# State\n![x](pics/a%20b.png)\n",
            "memory/2025-03-21.md": "# 2025-03-21\n",
            "memory/2025-03-20-standup.md": "# Standup\n",
            "memory/2025-03-20.md": "# 2025-03-20\n",
            "memory/sessions/2025-03-20.md": "# Session Log — 2025-03-20\n",
            "memory/INDEX.md": INDEX,
            "memory/pics/a b.png": b"\x89PNG",
            "memory/pics/unused.png": b"\x89PNG",
            "memory/heartbeat.json": "{}",
            "memory/.obsidian/x.json": "{}",
            "MEMORY.md": "# Memory\n",
            "code.py": "1\n",
        },
    )
    made = commit_pending(ws, now=NOW)
    assert log(git, ws.root) == [
        ("session: 2025-03-20", ["memory/sessions/2025-03-20.md"]),
        ("note: 2025-03-20", ["memory/2025-03-20.md"]),
        ("note: 2025-03-20-standup", ["memory/2025-03-20-standup.md"]),
        ("note: 2025-03-21", ["memory/2025-03-21.md"]),
        ("index: add blog", ["memory/INDEX.md"]),
        ("note: MEMORY.md", ["MEMORY.md"]),
        ("note: CURRENT_STATE.md", ["memory/CURRENT_STATE.md"]),
        ("note: pics/a b.png", ["memory/pics/a b.png"]),
    ]
    assert [one.message for one in made] == [subject for subject, _ in log(git, ws.root)]
    assert git("log", "-1", "--format=%aI %an", cwd=ws.root) == "2025-03-20T10:30:00+00:00 Ada\n"
    assert commit_pending(ws, now=NOW) == ()


def test_a_generation_comes_with_its_markers_and_index_entry(ws: Workspace, git: Git, show: Show) -> None:
    write_files(ws.root, {"memory/2025-03-20.md": "# 2025-03-20\n", "memory/INDEX.md": INDEX})
    commit_pending(ws, now=NOW)
    write_files(
        ws.root,
        {
            BLOG_1: GENERATION,
            "memory/2025-03-20.md": f"# 2025-03-20\n{marker(BLOG_1)}",
            "memory/2025-03-21.md": f"# 2025-03-21\nnew\n\n{marker(BLOG_1)}",
            "memory/INDEX.md": INDEX
            + "  - Consolidations:\n    - gen1 (2025-03-25): consolidated/blog-gen1-2025-03-25.md\n",
        },
    )
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[2:] == [
        ("note: 2025-03-21", ["memory/2025-03-21.md"]),
        (
            "consolidate(blog): gen1",
            ["memory/2025-03-20.md", "memory/2025-03-21.md", "memory/INDEX.md", BLOG_1],
        ),
    ]
    assert git("show", "HEAD~1:memory/2025-03-21.md", cwd=ws.root) == "# 2025-03-21\nnew\n\n"
    assert show("memory/2025-03-21.md").endswith(marker(BLOG_1))
    assert git("status", "--porcelain", cwd=ws.root) == ""


def test_two_generations_share_notes_and_the_index(ws: Workspace, git: Git) -> None:
    index = INDEX + "- **shop**\n  - Dates: [2025-03-20]\n"
    write_files(ws.root, {"memory/2025-03-20.md": "# 2025-03-20\n", "memory/INDEX.md": index})
    commit_pending(ws, now=NOW)
    lines = index.splitlines()
    lines.insert(
        5,
        "  - Consolidations:\n    - gen1 (2025-03-25): consolidated/blog-gen1-2025-03-25.md\n"
        "  - Current: consolidated/blog-gen1-2025-03-25.md",
    )
    lines.append(
        "  - Consolidations:\n    - gen1 (2025-03-25): consolidated/shop-gen1-2025-03-25.md\n"
        "  - Current: consolidated/shop-gen1-2025-03-25.md"
    )
    write_files(
        ws.root,
        {
            BLOG_1: GENERATION,
            SHOP_1: GENERATION,
            "memory/2025-03-20.md": f"# 2025-03-20\n{marker(BLOG_1)}{marker(SHOP_1)}",
            "memory/INDEX.md": "\n".join(lines) + "\n",
        },
    )
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[2:] == [
        ("consolidate(blog): gen1", ["memory/2025-03-20.md", "memory/INDEX.md", BLOG_1]),
        ("consolidate(shop): gen1", ["memory/2025-03-20.md", "memory/INDEX.md", SHOP_1]),
    ]
    assert git("show", "HEAD~1:memory/2025-03-20.md", cwd=ws.root) == f"# 2025-03-20\n{marker(BLOG_1)}"
    assert "shop-gen1" not in git("show", "HEAD~1:memory/INDEX.md", cwd=ws.root)
    assert git("status", "--porcelain", cwd=ws.root) == ""


def test_an_index_that_also_changes_otherwise_is_split(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/INDEX.md": INDEX})
    commit_pending(ws, now=NOW)
    entry = (
        "  - Consolidations:\n    - gen1 (2025-03-25): consolidated/blog-gen1-2025-03-25.md\n"
        "  - Current: consolidated/blog-gen1-2025-03-25.md\n"
    )
    write_files(
        ws.root, {BLOG_1: GENERATION, "memory/INDEX.md": INDEX + entry + "- **shop**\n  - Dates: [2025-03-21]\n"}
    )
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[1:] == [
        ("consolidate(blog): gen1", ["memory/INDEX.md", BLOG_1]),
        ("index: add shop", ["memory/INDEX.md"]),
    ]


def test_a_changed_or_deleted_generation_is_not_committed(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {BLOG_1: GENERATION, BLOG_2: GENERATION, "memory/INDEX.md": INDEX})
    commit_pending(ws, now=NOW)
    count = len(log(git, ws.root))
    write_files(ws.root, {BLOG_1: GENERATION + "more\n", "memory/INDEX.md": "# Memory Index\n"})
    (ws.root / BLOG_2).unlink()
    assert commit_pending(ws, now=NOW) == ()
    assert len(log(git, ws.root)) == count
    held = {str(one.path): one.message for one in uncommitted(ws).held_back}
    assert set(held) == {BLOG_1, BLOG_2, "memory/INDEX.md"}
    assert "blog" in held["memory/INDEX.md"]


def test_an_unfinished_merge_and_a_huge_file_are_not_committed(ws: Workspace) -> None:
    conflict = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    (ws.root / "memsite.toml").write_text("[safety]\nmax_file_mb = 1\n", encoding="utf-8")
    there = open_workspace(ws.root)
    write_files(ws.root, {"memory/a.md": conflict, "memory/b.md": "x" * 1_000_001, "memory/c.md": "c\n"})
    assert [one.message for one in commit_pending(there, now=NOW)] == ["note: c.md"]
    assert [str(one.path) for one in uncommitted(there).held_back] == ["memory/a.md", "memory/b.md"]


def test_index_message_says_what_changed(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/INDEX.md": INDEX})
    commit_pending(ws, now=NOW)
    grown = INDEX.replace("20]", "20, 2025-03-21]") + "".join(
        f"- **t{n}**\n  - Dates: [2025-03-21]\n" for n in range(6)
    )
    write_files(ws.root, {"memory/INDEX.md": grown})
    commit_pending(ws, now=NOW)
    write_files(ws.root, {"memory/INDEX.md": grown.replace("# Memory Index\n", "# Memory Index\n\nHello.\n")})
    commit_pending(ws, now=NOW)
    assert [subject for subject, _ in log(git, ws.root)[1:]] == [
        "index: add t0, t1, t2, t3 and 2 more; dates of blog",
        "index: edit",
    ]


def test_deleted_notes_are_commits_too(ws: Workspace, git: Git) -> None:
    commit(ws, append(NOTE, "x\n"))
    write_files(ws.root, {"memory/a.md": "a\n", "memory/b.md": "a\n"})
    commit_pending(ws, now=NOW)
    (ws.root / NOTE).unlink()
    (ws.root / "memory" / "a.md").rename(ws.root / "memory" / "c.md")
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[3:] == [
        ("note: c.md", ["memory/c.md"]),
        ("note: delete 2025-03-20.md", [str(NOTE)]),
        ("note: delete a.md", ["memory/a.md"]),
    ]


def test_what_the_user_has_staged_in_another_state_is_theirs(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/a.md": "a\n", "memory/b.md": "b\n"})
    git("add", "memory", cwd=ws.root)
    write_files(ws.root, {"memory/a.md": "a\nmore\n"})
    made = commit_pending(ws, now=NOW)
    assert [one.message for one in made] == ["note: b.md"]
    assert git("status", "--porcelain", cwd=ws.root) == "AM memory/a.md\n"


def test_ignored_files_are_not_committed(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {".gitignore": "private*\n", "memory/private.md": "x\n", "memory/a.md": "a\n"})
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: a.md"]


def test_a_memory_at_the_root_commits_nothing_of_the_site(workspace: Path, git: Git) -> None:
    write_files(workspace, {"memsite.toml": 'memory = "."\n', "site/x.md": "x", "mkdocs.yml": "x: 1\n", "a.md": "a\n"})
    assert [one.message for one in commit_pending(open_workspace(workspace), now=NOW)] == ["note: a.md"]


@pytest.mark.parametrize("autocrlf", ["true", "input"])
def test_line_ends_that_git_converts_are_no_change(
    ws: Workspace, git: Git, sealed_environment: Path, autocrlf: str
) -> None:
    commit(ws, append("memory/a.md", "a\nb\n"), append("memory/b.md", "a\nb\n"))
    write_hostile_configuration(sealed_environment, autocrlf=autocrlf)
    write_files(ws.root, {"memory/a.md": b"a\r\nb\r\n", "memory/b.md": "a\nb\n", "memory/new.md": b"n\r\n"})
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: new.md"]


def test_odd_names_and_messages(ws: Workspace, git: Git) -> None:
    write_files(
        ws.root, {"memory/a\nb.md": "x\n", "memory/记忆 *?[x].md": "x\n", "memory/-rf.md": "x\n", 'memory/"q".md': "x"}
    )
    made = commit_pending(ws, now=NOW)
    assert sorted(one.message for one in made) == [
        'note: "q".md',
        "note: -rf.md",
        "note: a?b.md",
        "note: 记忆 *?[x].md",
    ]
    assert git("status", "--porcelain", cwd=ws.root) == ""


def test_blocked_git_with_something_to_commit_is_pending(ws: Workspace, git: Git) -> None:
    git("checkout", "-q", "--detach", cwd=ws.root)
    assert commit_pending(ws, now=NOW) == ()
    write_files(ws.root, {"memory/a.md": "a\n"})
    with pytest.raises(PendingError, match="no branch"):
        commit_pending(ws, now=NOW)
    git("checkout", "-q", "main", cwd=ws.root)
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: a.md"]


def test_entries_that_waited_are_delivered(ws: Workspace, git: Git) -> None:
    git("checkout", "-q", "--detach", cwd=ws.root)
    with pytest.raises(PendingError):
        commit(ws, append(NOTE, "x\n"))
    with pytest.raises(PendingError):
        commit_pending(ws, now=NOW)
    git("checkout", "-q", "main", cwd=ws.root)
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: x"]


def test_an_unreadable_folder_is_not_taken_for_deleted(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/deep/a.md": "a\n"})
    commit_pending(ws, now=NOW)
    (ws.root / "memory" / "deep").rename(ws.root / "elsewhere")
    (ws.root / "memory" / "deep").symlink_to(ws.root / "elsewhere")
    assert commit_pending(ws, now=NOW) == ()


def test_many_files_are_a_few_git_children(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {f"memory/n{number}.md": f"{number}\n" for number in range(700)})
    assert len(commit_pending(ws, now=NOW)) == 700
    assert git("status", "--porcelain", cwd=ws.root) == ""
    git("fsck", "--strict", cwd=ws.root)
    assert PurePosixPath("memory/n1.md") in commit_pending_paths(ws, git)


def commit_pending_paths(ws: Workspace, git: Git) -> list[PurePosixPath]:
    return [PurePosixPath(path) for path in git("ls-files", cwd=ws.root).split()]


@pytest.mark.parametrize("staged", [True, False])
def test_a_renamed_generation_is_not_half_taken(ws: Workspace, git: Git, staged: bool) -> None:
    write_files(ws.root, {BLOG_1: GENERATION})
    commit_pending(ws, now=NOW)
    (ws.root / BLOG_1).rename(ws.root / BLOG_2)
    if staged:
        git("add", "-A", cwd=ws.root)
    before = git("rev-parse", "HEAD", cwd=ws.root)
    assert commit_pending(ws, now=NOW) == ()
    assert git("rev-parse", "HEAD", cwd=ws.root) == before
    assert [str(one.path) for one in uncommitted(ws).held_back] == [BLOG_1, BLOG_2]
    assert f"git mv -- {BLOG_2} {BLOG_1}" in uncommitted(ws).held_back[1].hint


@pytest.mark.parametrize("text", ["", "# Blog\n", GENERATION.partition("## Current")[0]])
def test_a_generation_that_is_cut_off_is_held_back_until_it_is_whole(ws: Workspace, git: Git, text: str) -> None:
    written = "# 2025-03-20\nThe blog begins.\n"
    write_files(ws.root, {BLOG_1: text, "memory/2025-03-20.md": written + marker(BLOG_1)})
    commit_pending(ws, now=NOW)
    assert log(git, ws.root) == [("note: 2025-03-20", ["memory/2025-03-20.md"])]
    assert git("show", "HEAD:memory/2025-03-20.md", cwd=ws.root).strip() == written.strip()
    (held,) = uncommitted(ws).held_back
    assert held.message.startswith("is no whole generation: there is no section '## ")
    assert "finish or delete it" in held.hint
    (ws.root / BLOG_1).write_text(GENERATION, encoding="utf-8")
    commit_pending(ws, now=NOW)
    assert log(git, ws.root)[1:] == [("consolidate(blog): gen1", ["memory/2025-03-20.md", BLOG_1])]
    assert uncommitted(ws).held_back == ()
