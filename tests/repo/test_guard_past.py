"""A generation is one for ever: wherever settings of the past had its folder, and after it was deleted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from memsite.repo.guard import Violation, check_commits, check_history, check_staged
from memsite.repo.history import read_history
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.workspace import open_workspace
from tests.conftest import Git
from tests.repo.conftest import NOW, write_files
from tests.repo.test_guard import WAYS, edit, errors, set_gitlink

NAME = "blog-gen1-2025-03-25.md"
GENERATION = f"memory/consolidated/{NAME}"
FIRST = "# Blog - Generation 1 Consolidation\n"
INDEX = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n"
SETTINGS = {
    "memory": 'memory = "notes"\n',
    "consolidated_dir": 'consolidated_dir = "other"\n',
    "both": 'memory = "notes"\nconsolidated_dir = "memory/consolidated"\n',
}


@pytest.fixture
def root(workspace: Path, git: Git) -> Path:
    write_files(workspace, {GENERATION: FIRST, "memory/INDEX.md": INDEX})
    (workspace / "notes").mkdir()
    commit_all(git, workspace, "memory")
    return workspace


def commit_all(git: Git, root: Path, message: str) -> str:
    git("add", "-A", cwd=root)
    git("commit", "-qm", message, "--allow-empty", cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


def set_settings(git: Git, root: Path, text: str) -> str:
    (root / "memsite.toml").write_text(text, encoding="utf-8")
    return commit_all(git, root, "settings")


def staged(root: Path) -> list[Violation]:
    return errors(check_staged(open_workspace(root)))


def in_range(root: Path, revisions: str = "HEAD~1..HEAD") -> list[Violation]:
    return errors(check_commits(open_workspace(root), [revisions]))


def in_history(root: Path) -> list[Violation]:
    return errors(check_history(open_workspace(root)))


def paths(violations: list[Violation]) -> list[str]:
    return [str(one.path) for one in violations]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("way", WAYS)
def test_settings_of_an_earlier_commit_hide_nothing(root: Path, git: Git, setting: str, way: str) -> None:
    set_settings(git, root, SETTINGS[setting])
    WAYS[way](root / GENERATION)
    git("add", "-A", cwd=root)
    assert paths(staged(root)) == [GENERATION]
    commit = commit_all(git, root, "broken")
    for found in (in_range(root), in_history(root)):
        assert [(str(one.path), one.commit) for one in found] == [(GENERATION, commit)]


def test_a_gitlink_at_an_old_place_is_a_deletion(root: Path, git: Git) -> None:
    set_settings(git, root, SETTINGS["memory"])
    set_gitlink(git, root, Path(GENERATION))
    assert paths(staged(root)) == [GENERATION]


def test_settings_that_go_back_and_forth_hide_nothing(root: Path, git: Git) -> None:
    set_settings(git, root, SETTINGS["memory"])
    write_files(root, {f"notes/consolidated/{NAME}": "# Another\n"})
    commit_all(git, root, "a generation there")
    set_settings(git, root, "")
    for path in (GENERATION, f"notes/consolidated/{NAME}"):
        edit(root / path)
    git("add", "-A", cwd=root)
    assert paths(staged(root)) == [GENERATION, f"notes/consolidated/{NAME}"]
    commit_all(git, root, "broken")
    assert paths(in_range(root)) == paths(in_history(root)) == [GENERATION, f"notes/consolidated/{NAME}"]


def test_what_was_changed_before_its_folder_was_the_place_is_no_fault(root: Path, git: Git) -> None:
    path = root / "memory" / "other" / NAME
    write_files(root, {f"memory/other/{NAME}": "a draft\n"})
    commit_all(git, root, "a draft")
    edit(path)
    commit_all(git, root, "the draft goes on")
    set_settings(git, root, SETTINGS["consolidated_dir"])
    assert in_history(root) == []
    edit(path)
    git("add", "-A", cwd=root)
    assert paths(staged(root)) == [f"memory/other/{NAME}"]


def test_what_was_made_in_a_folder_that_is_no_place_any_more_is_no_generation(root: Path, git: Git) -> None:
    set_settings(git, root, SETTINGS["consolidated_dir"])
    path = root / "memory/consolidated/blog-gen2-2025-04-15.md"
    write_files(root, {"memory/consolidated/blog-gen2-2025-04-15.md": "a plain page\n"})
    commit_all(git, root, "a plain page")
    edit(path)
    git("add", "-A", cwd=root)
    assert staged(root) == []
    commit_all(git, root, "edited")
    assert in_history(root) == []


@pytest.mark.parametrize("move", ["git mv", "copy and delete"])
def test_a_memory_that_follows_its_settings_later_is_not_lost(root: Path, git: Git, move: str) -> None:
    (root / "notes").rmdir()
    set_settings(git, root, SETTINGS["memory"])
    if move == "git mv":
        git("mv", "memory", "notes", cwd=root)
    else:
        write_files(root, {f"notes/consolidated/{NAME}": FIRST, "notes/INDEX.md": INDEX})
        commit_all(git, root, "copied")
        git("rm", "-rq", "memory", cwd=root)
    assert staged(root) == []
    commit_all(git, root, "moved")
    assert in_range(root) == in_history(root) == []


def test_a_memory_that_follows_its_settings_changed_is_refused(root: Path, git: Git) -> None:
    (root / "notes").rmdir()
    set_settings(git, root, SETTINGS["memory"])
    git("mv", "memory", "notes", cwd=root)
    edit(root / "notes/consolidated" / NAME)
    git("add", "-A", cwd=root)
    assert paths(staged(root)) == [GENERATION]


def test_the_index_of_earlier_settings_keeps_its_entries(root: Path, git: Git) -> None:
    set_settings(git, root, 'index_file = "TOPICS.md"\n')
    (root / "memory/INDEX.md").write_text("# Memory Index\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    (found,) = staged(root)
    assert "'blog'" in found.message
    commit_all(git, root, "gutted")
    assert paths(in_range(root)) == paths(in_history(root)) == ["memory/INDEX.md"]


@pytest.mark.parametrize("text", [INDEX, INDEX.replace("2025-03-20", "2025-03-21")])
def test_an_index_may_go_when_the_present_one_has_its_entries(root: Path, git: Git, text: str) -> None:
    write_files(root, {"memory/TOPICS.md": text})
    set_settings(git, root, 'index_file = "TOPICS.md"\n')
    git("rm", "-q", "memory/INDEX.md", cwd=root)
    assert paths(staged(root)) == ([] if text == INDEX else ["memory/INDEX.md"])


def test_a_list_that_never_was_the_index_may_lose_entries(root: Path, git: Git) -> None:
    write_files(root, {"memory/list.md": INDEX, "docs/list.md": INDEX})
    set_settings(git, root, SETTINGS["consolidated_dir"])
    write_files(root, {"memory/list.md": "# Memory Index\n", "docs/list.md": ""})
    git("add", "-A", cwd=root)
    assert staged(root) == []


def delete_unverified(git: Git, root: Path) -> None:
    git("rm", "-q", GENERATION, cwd=root)
    git("commit", "-qm", "deleted", cwd=root)
    write_files(root, {"README.md": "something else\n"})
    commit_all(git, root, "something else")


def forget_nothing(_root: Path) -> None:
    """The history is read from git."""


def keep_history(root: Path) -> None:
    read_history(open_workspace(root))


@pytest.mark.parametrize("keep", [forget_nothing, keep_history])
@pytest.mark.parametrize("merged", [False, True], ids=["", "on a merged branch"])
def test_a_generation_that_was_deleted_long_ago_comes_back_as_it_was_or_not_at_all(
    root: Path, git: Git, keep: Callable[[Path], None], merged: bool
) -> None:
    if merged:
        git("checkout", "-q", "--orphan", "before", cwd=root)
        git("rm", "-rqf", ".", cwd=root)
        write_files(root, {GENERATION: "# The first of the other line\n"})
        commit_all(git, root, "another line")
        git("rm", "-q", GENERATION, cwd=root)
        git("commit", "-qm", "deleted there", cwd=root)
        git("checkout", "-q", "main", cwd=root)
    delete_unverified(git, root)
    if merged:
        git("merge", "-q", "--allow-unrelated-histories", "-m", "merged", "before", cwd=root)
    keep(root)
    write_files(root, {"README.md": "and more\n"})
    commit_all(git, root, "after what is kept")
    write_files(root, {GENERATION: "# Forged\n"})
    git("add", "-A", cwd=root)
    (found,) = staged(root)
    assert "other bytes" in found.message
    assert "undo it: git restore --source=" in found.hint
    forged = commit_all(git, root, "forged")
    assert [(str(one.path), one.commit) for one in in_range(root)] == [(GENERATION, forged)]
    git("reset", "-q", "--hard", "HEAD~1", cwd=root)
    write_files(root, {GENERATION: FIRST})
    git("add", "-A", cwd=root)
    assert staged(root) == []
    commit_all(git, root, "put back")
    assert in_range(root) == []


def test_a_generation_of_a_branch_that_is_not_merged_is_another_one(root: Path, git: Git) -> None:
    git("checkout", "-qb", "side", cwd=root)
    write_files(root, {"memory/consolidated/blog-gen2-2025-04-15.md": "# Two\n"})
    commit_all(git, root, "two, there")
    git("rm", "-q", "memory/consolidated/blog-gen2-2025-04-15.md", cwd=root)
    git("commit", "-qm", "and not", cwd=root)
    keep_history(root)
    git("checkout", "-q", "main", cwd=root)
    write_files(root, {"memory/consolidated/blog-gen2-2025-04-15.md": "# Another two\n"})
    git("add", "-A", cwd=root)
    assert staged(root) == []
    commit_all(git, root, "two, here")
    assert errors(check_commits(open_workspace(root), ["side..main"])) == []


def test_a_broken_generation_may_be_mended(root: Path, git: Git) -> None:
    edit(root / GENERATION)
    broken = commit_all(git, root, "broken")
    write_files(root, {GENERATION: FIRST})
    git("add", "-A", cwd=root)
    assert staged(root) == []
    commit_all(git, root, "mended")
    assert in_range(root) == []
    assert in_history(root) == []
    assert [one.commit for one in check_history(open_workspace(root)) if one.immutable] == [broken]
    edit(root / GENERATION)
    git("add", "-A", cwd=root)
    assert paths(staged(root)) == [GENERATION]


def test_a_merge_that_is_being_settled_may_not_change_what_it_brings(root: Path, git: Git) -> None:
    git("checkout", "-qb", "side", cwd=root)
    write_files(root, {"memory/consolidated/blog-gen2-2025-04-15.md": "# Two\n"})
    commit_all(git, root, "two")
    git("checkout", "-q", "main", cwd=root)
    git("merge", "-q", "--no-commit", "--no-ff", "side", cwd=root)
    assert staged(root) == []
    edit(root / "memory/consolidated/blog-gen2-2025-04-15.md")
    git("add", "-A", cwd=root)
    assert paths(staged(root)) == ["memory/consolidated/blog-gen2-2025-04-15.md"]


@pytest.mark.parametrize("setting", ["", SETTINGS["consolidated_dir"]])
def test_memsite_itself_commits_no_generation_that_was_another(root: Path, git: Git, setting: str) -> None:
    """At an old place inside the memory it is a page like any other by now; deleted and new, it is a new one."""
    if setting:
        set_settings(git, root, setting)
        edit(root / GENERATION)
    else:
        delete_unverified(git, root)
        sections = "## Summary\nx\n\n## Key Points\n- x\n\n## Decisions Made\n- x\n\n## Current Status\nx\n\n"
        write_files(root, {GENERATION: f"# Blog\n\n{sections}## Source References\n- 2025-03-20: x\n"})
    ws = open_workspace(root)
    assert commit_pending(ws, now=NOW) == ()
    assert [one.path for one in uncommitted(ws).held_back] == [PurePosixPath(GENERATION)]
    assert "immutable" in uncommitted(ws).held_back[0].message


def test_memsite_itself_commits_no_loss_of_an_old_index(root: Path, git: Git) -> None:
    set_settings(git, root, 'index_file = "TOPICS.md"\n')
    write_files(root, {"memory/INDEX.md": "# Memory Index\n"})
    ws = open_workspace(root)
    assert commit_pending(ws, now=NOW) == ()
    assert [one.path for one in uncommitted(ws).held_back] == [PurePosixPath("memory/INDEX.md")]


def test_a_memory_that_moves_with_settings_not_committed_yet_is_committed(root: Path, git: Git) -> None:
    git("mv", "memory/consolidated", "memory/other", cwd=root)
    git("reset", "-q", cwd=root)
    (root / "memsite.toml").write_text(SETTINGS["consolidated_dir"], encoding="utf-8")
    ws = open_workspace(root)
    commit_pending(ws, now=NOW)
    assert uncommitted(ws).held_back == ()
    assert git("ls-files", "memory", cwd=root).split() == ["memory/INDEX.md", f"memory/other/{NAME}"]
