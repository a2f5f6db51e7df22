"""Finding the memory, its settings and the repository that it lies in."""

from __future__ import annotations

import os
from datetime import UTC
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import ConfigError, GitError, WorkspaceError
from memsite.repo.workspace import ensure_repository, find_workspace, open_workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, append, commit


def test_find_workspace_prefers_settings_above_to_a_memory_folder(tmp_path: Path) -> None:
    (tmp_path / "memsite.toml").write_text("", encoding="utf-8")
    (tmp_path / "inner" / "memory").mkdir(parents=True)
    assert find_workspace(tmp_path / "inner" / "memory") == tmp_path


def test_find_workspace_with_only_a_memory_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "memory" / "consolidated").mkdir(parents=True)
    assert find_workspace(tmp_path / "a" / "memory" / "consolidated") == tmp_path / "a"


def test_no_workspace_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="memsite init"):
        find_workspace(tmp_path)


def test_open_workspace_at_the_top_of_a_repository(workspace: Path) -> None:
    ws = open_workspace(workspace)
    assert (ws.root, ws.git_root, ws.prefix) == (workspace, workspace, PurePosixPath())
    assert (ws.git_dir, ws.common_dir) == (workspace / ".git", workspace / ".git")
    assert ws.config.zone() == UTC


def test_open_workspace_below_a_repository(workspace: Path) -> None:
    (workspace / "agents" / "a" / "memory").mkdir(parents=True)
    ws = open_workspace(workspace / "agents" / "a")
    assert ws.git_root == workspace
    assert ws.prefix == PurePosixPath("agents/a")
    assert ws.common_dir == workspace / ".git"


def test_open_workspace_in_a_linked_work_tree(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"), cwd=workspace)
    (tmp_path / "linked" / "memory").mkdir()
    ws = open_workspace(tmp_path / "linked")
    assert ws.git_dir == workspace / ".git" / "worktrees" / "linked"
    assert ws.common_dir == workspace / ".git"


def test_a_link_to_a_workspace_is_resolved(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(workspace)
    assert open_workspace(tmp_path / "link").root == workspace


def test_without_a_repository_reading_works_and_writing_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    ws = open_workspace(tmp_path)
    assert ws.git_root is None
    with pytest.raises(WorkspaceError, match=r"memsite init.*git init"):
        commit(ws, append(NOTE, "x\n"))


def test_inherited_git_variables_name_no_other_repository(
    workspace: Path, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", str(tmp_path / "foreign"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "foreign" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "foreign"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "foreign" / ".git" / "index"))
    assert open_workspace(workspace).git_root == workspace


def test_wrong_settings_raise_with_their_line(workspace: Path) -> None:
    (workspace / "memsite.toml").write_text('memory = "memory"\nthreshold = 3\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"memsite\.toml:2"):
        open_workspace(workspace)


def test_wrong_settings_are_kept_when_nothing_may_stop(workspace: Path) -> None:
    (workspace / "memsite.toml").write_text('timezone = "Mars/Base"\nlanguage = "de"\n', encoding="utf-8")
    ws = open_workspace(workspace, strict=False)
    assert (ws.config.timezone, ws.config.language) == ("", "de")
    assert len(ws.config_errors) == 1


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b'memory = "memory'])
def test_settings_that_are_no_toml_are_a_config_error(workspace: Path, content: bytes) -> None:
    (workspace / "memsite.toml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"memsite\.toml"):
        open_workspace(workspace)
    assert open_workspace(workspace, strict=False).config_errors


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_root_on_the_folder_of_another_gets_the_remedy(workspace: Path) -> None:
    for path in (workspace, workspace / ".git"):
        os.chown(path, 12345, -1)
    ws = open_workspace(workspace)
    assert ws.git_root is None
    for use in (ws.require_repository, lambda: commit(ws, append(NOTE, "x\n"))):
        with pytest.raises(GitError, match=r"another user.*safe\.directory"):
            use()
    assert not (workspace / NOTE).exists()


def test_ensure_repository_makes_one_once(tmp_path: Path) -> None:
    assert ensure_repository(tmp_path)
    assert not ensure_repository(tmp_path)
    assert (tmp_path / ".git" / "HEAD").read_text(encoding="utf-8") == "ref: refs/heads/main\n"
