"""Kinds of repositories, settings and environments in which a commit is made."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import (
    PendingError,
)
from memsite.repo.snapshots import read_commit, read_worktree
from memsite.repo.transaction import transact
from memsite.repo.workspace import Workspace, ensure_repository, open_workspace
from tests.conftest import Git, Run
from tests.hostile_git import write_hostile_configuration
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write, write_files

INDEX = PurePosixPath("memory/INDEX.md")


def status(git: Git, root: Path) -> list[str]:
    return git("status", "--porcelain", "-uall", cwd=root).splitlines()


def subjects(git: Git, root: Path) -> list[str]:
    return git("log", "--format=%s", cwd=root).splitlines()


def test_below_a_repository(workspace: Path, git: Git, show: Show) -> None:
    (workspace / "agents" / "a" / "memory").mkdir(parents=True)
    ws = open_workspace(workspace / "agents" / "a")
    assert commit(ws, append(NOTE, "x\n"))[0].paths == (NOTE,)
    assert show(f"agents/a/{NOTE}") == "x\n"
    assert status(git, workspace) == []


def test_in_a_linked_work_tree_on_its_own_branch(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"), cwd=workspace)
    (tmp_path / "linked" / "memory").mkdir()
    commit(open_workspace(tmp_path / "linked"), append(NOTE, "x\n"))
    assert git("show", f"other:{NOTE}", cwd=workspace) == "x\n"
    assert subjects(git, workspace) == ["first"]
    assert status(git, tmp_path / "linked") == status(git, workspace) == []


def test_in_a_submodule_on_a_branch(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(workspace), "sub", cwd=_other(tmp_path, git))
    sub = tmp_path / "super" / "sub"
    (sub / "memory").mkdir()
    ws = open_workspace(sub)
    assert ws.git_root == sub
    commit(ws, append(NOTE, "x\n"))
    assert git("show", f"main:{NOTE}", cwd=sub) == "x\n"


def test_in_a_repository_whose_git_directory_is_elsewhere(tmp_path: Path, git: Git, memsite: Run) -> None:
    root = tmp_path / "separate"
    git("init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "elsewhere.git"), str(root))
    assert memsite("init", cwd=root).code == 0
    assert memsite("note", "x", cwd=root).code == 0
    assert (root / ".git").is_file()
    assert subjects(git, root)[:2] == ["note: 2025-03-20", "init: memsite"]
    assert status(git, root) == []


@pytest.fixture
def dotfiles(tmp_path: Path, git: Git) -> Path:
    """A home whose dotfiles are in a bare repository beside them, with a folder of notes; no `.git` leads there."""
    home = tmp_path / "a home"
    write_files(home, {".profile": "x\n", "notes/memory/2025-03-20.md": "# a day\n"})
    git("init", "-q", "-b", "main", "--bare", str(home / ".dotfiles"))
    bare = [f"--git-dir={home / '.dotfiles'}", f"--work-tree={home}"]
    for words in (
        ["add", ".profile", "notes"],
        ["-c", "user.name=Ada", "-c", "user.email=a@x", "commit", "-qm", "all"],
    ):
        git(*bare, *words, cwd=home)
    return home


@pytest.mark.parametrize(
    ("named", "folder"),
    [
        ("GIT_DIR GIT_WORK_TREE", "notes"),
        ("GIT_DIR GIT_WORK_TREE", "brand-new"),
        ("GIT_DIR", "notes"),
        ("", "notes"),
        ("", "."),
    ],
)
def test_init_makes_no_repository_inside_of_one_that_git_does_not_find(
    dotfiles: Path, git: Git, memsite: Run, monkeypatch: pytest.MonkeyPatch, named: str, folder: str
) -> None:
    monkeypatch.chdir(dotfiles)
    for name in named.split():
        monkeypatch.setenv(name, {"GIT_DIR": ".dotfiles", "GIT_WORK_TREE": str(dotfiles)}[name])
    before = sorted(dotfiles.rglob("*"))
    refused = memsite("init", cwd=dotfiles / folder)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert f"lies in the work tree of {dotfiles / '.dotfiles'}" in refused.err
    assert memsite("init", "--dry-run", cwd=dotfiles / folder).code == 1
    assert sorted(dotfiles.rglob("*")) == before
    steps = refused.err.partition("link it: ")[2].partition("; for a repository of its own: ")
    subprocess.run(["sh", "-ec", steps[0]], check=True)
    begun = memsite("init", cwd=dotfiles / folder)
    assert (begun.code, (dotfiles / folder / ".git").is_dir()) == (0, False), begun.err
    for name in named.split():
        monkeypatch.delenv(name)
    assert memsite("note", "x", cwd=dotfiles / folder).code == 0
    assert subjects(git, dotfiles)[0] == "note: 2025-03-20"


def test_a_repository_of_its_own_is_made_in_another_ones_work_tree_when_it_is_wanted(
    dotfiles: Path, memsite: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(dotfiles)
    monkeypatch.setenv("GIT_DIR", ".dotfiles")
    refused = memsite("init", cwd=dotfiles / "notes")
    subprocess.run(["sh", "-ec", refused.err.partition("for a repository of its own: ")[2]], check=True)
    assert memsite("init", cwd=dotfiles / "notes").code == 0
    assert (dotfiles / "notes" / ".git").is_dir()


def test_what_the_environment_names_elsewhere_is_in_nobodys_way(
    dotfiles: Path, tmp_path: Path, memsite: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(dotfiles / ".dotfiles"))
    monkeypatch.setenv("GIT_WORK_TREE", str(dotfiles))
    assert memsite("init", "new", cwd=tmp_path).code == 0
    assert (tmp_path / "new" / ".git").is_dir()


def _other(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "-b", "main", str(tmp_path / "super"))
    return tmp_path / "super"


def test_sha256(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "r"
    git("init", "-q", "--object-format=sha256", "-b", "main", str(root))
    (root / "memory").mkdir()
    ws = open_workspace(root)
    transact(ws, lambda _: [append(NOTE, "x\n")], now=NOW, allow_unborn=True)
    commit(ws, append(NOTE, "y\n"), write(INDEX, None, "i\n"))
    assert git("show", f"HEAD:{NOTE}", cwd=root) == "x\ny\n"
    assert status(git, root) == []
    git("fsck", "--strict", cwd=root)


def test_without_a_commit_the_entry_waits_unless_a_root_commit_is_wanted(tmp_path: Path, git: Git) -> None:
    ensure_repository(tmp_path)
    (tmp_path / "memory").mkdir()
    ws = open_workspace(tmp_path)
    with pytest.raises(PendingError, match="no commit yet"):
        commit(ws, append(NOTE, "early\n"))
    assert not (tmp_path / NOTE).exists()
    made = transact(ws, lambda _: [write("memsite.toml", None, "")], now=NOW, allow_unborn=True)
    assert [one.message for one in made] == ["note: early", "index: edit"]
    assert git("log", "--format=%P|%s|%an <%ae>", "--reverse", cwd=tmp_path).splitlines()[0] == (
        "|note: early|memsite <memsite@localhost>"
    )
    assert status(git, tmp_path) == []


def test_users_staged_files_survive_the_root_commit(tmp_path: Path, git: Git) -> None:
    ensure_repository(tmp_path)
    write_files(tmp_path, {"memory/x.md": "x\n", "code.py": "1\n"})
    git("add", "code.py", cwd=tmp_path)
    transact(open_workspace(tmp_path), lambda _: [append(NOTE, "x\n")], now=NOW, allow_unborn=True)
    assert git("ls-tree", "-r", "--name-only", "HEAD", cwd=tmp_path).split() == [str(NOTE)]
    assert "A  code.py" in status(git, tmp_path)


def test_hostile_configuration_changes_nothing_but_line_ends(
    ws: Workspace, git: Git, show: Show, sealed_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_hostile_configuration(sealed_environment, autocrlf="true")
    monkeypatch.setenv("GIT_TRACE", "1")
    for name in ("GIT_EDITOR", "GIT_PAGER", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, "/bin/false")
    path = PurePosixPath('memory/记忆 "x".md')
    made = commit(ws, append(path, "日本\nx\r\n"))
    assert made[0].paths == (path,)
    assert git("cat-file", "-p", "HEAD", cwd=ws.root).count("gpgsig") == 0
    assert (ws.root / path).read_bytes() == "日本\nx\r\n".encode()
    assert read_commit(ws, "HEAD").files[path].data == "日本\nx\n".encode()  # as `core.autocrlf` asks for
    commit(ws, append("memory/plain.md", "日本\n"))
    assert (
        read_commit(ws, "HEAD").files[PurePosixPath("memory/plain.md")]
        == read_worktree(ws).files[PurePosixPath("memory/plain.md")]
    )


def test_variables_of_another_repositorys_hook_do_no_harm(
    ws: Workspace, tmp_path: Path, git: Git, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", str(tmp_path / "foreign"))
    foreign = tmp_path / "foreign" / ".git"
    for name, value in {
        "GIT_DIR": str(foreign),
        "GIT_INDEX_FILE": str(foreign / "index"),
        "GIT_WORK_TREE": str(foreign.parent),
        "GIT_OBJECT_DIRECTORY": str(foreign / "objects"),
        "GIT_AUTHOR_NAME": "Somebody Else",
        "GIT_AUTHOR_DATE": "1999-01-01T00:00:00Z",
        "GIT_CONFIG_PARAMETERS": "'user.name=Nobody'",
    }.items():
        monkeypatch.setenv(name, value)
    commit(ws, append(NOTE, "x\n"))
    monkeypatch.undo()
    assert git("log", "-1", "--format=%an %as", cwd=ws.root) == "Ada 2025-03-20\n"
    assert not (foreign / "index").exists()
