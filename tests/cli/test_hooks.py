"""The installed git hooks, as git itself runs them."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memsite.repo.background import one_at_a_time
from tests.conftest import Git, Run, users_settings
from tests.secret_kinds import KINDS

GENERATION = "memory/consolidated/blog-gen1-2025-03-25.md"


@pytest.fixture
def hooked(workspace: Path, git: Git, memsite: Run) -> Path:
    """A workspace with a committed generation and installed hooks."""
    (workspace / GENERATION).parent.mkdir(parents=True)
    (workspace / GENERATION).write_text("# Blog - Generation 1 Consolidation\n", encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "memory", cwd=workspace)
    assert memsite("hooks", "install").code == 0
    return workspace


def try_git(root: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | users_settings() | environ
    return subprocess.run(["git", *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_a_changed_generation_is_refused_with_what_to_do_and_can_be_overridden(hooked: Path, memsite: Run) -> None:
    (hooked / GENERATION).write_text("another belief\n", encoding="utf-8")
    refused = try_git(hooked, "commit", "-qam", "x")
    assert refused.returncode == 1
    assert f"{GENERATION}: a committed generation is changed" in refused.stderr
    assert "git restore" in refused.stderr
    assert "--no-verify" in refused.stderr
    assert try_git(hooked, "commit", "-qam", "x", "--no-verify").returncode == 0
    reported = memsite("check", "--range", "HEAD~1..HEAD")
    assert reported.code == 1
    assert "a committed generation is changed" in reported.out


def test_a_commit_of_something_else_passes_and_brings_pending_notes_along(hooked: Path, git: Git) -> None:
    (hooked / "README.md").write_text("changed\n", encoding="utf-8")
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    done = try_git(hooked, "commit", "-qam", "mine")
    assert done.returncode == 0, done.stderr
    assert git("log", "-2", "--format=%s", cwd=hooked).splitlines() == ["note: 2025-03-20", "mine"]
    assert git("status", "--porcelain", cwd=hooked) == ""


def test_an_amend_is_not_followed_by_a_commit(hooked: Path, git: Git) -> None:
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    assert try_git(hooked, "commit", "-q", "--amend", "-m", "amended").returncode == 0
    assert git("log", "-1", "--format=%s", cwd=hooked).strip() == "amended"


def test_commit_on_hook_can_be_turned_off(hooked: Path, git: Git) -> None:
    (hooked / "memsite.toml").write_text("commit_on_hook = false\n", encoding="utf-8")
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    git("add", "memsite.toml", cwd=hooked)
    assert try_git(hooked, "commit", "-qm", "mine").returncode == 0
    assert git("log", "-1", "--format=%s", cwd=hooked).strip() == "mine"


def test_a_wrong_setting_never_stops_a_commit(hooked: Path, git: Git) -> None:
    (hooked / "memsite.toml").write_text("nonsense = 1\n", encoding="utf-8")
    git("add", "memsite.toml", cwd=hooked)
    assert try_git(hooked, "commit", "-qm", "mine").returncode == 0


def test_a_merge_is_followed_by_pending_notes(hooked: Path, git: Git) -> None:
    git("checkout", "-qb", "side", cwd=hooked)
    (hooked / "side.txt").write_text("x\n", encoding="utf-8")
    git("add", "side.txt", cwd=hooked)
    git("commit", "-qm", "side", cwd=hooked)
    git("checkout", "-q", "main", cwd=hooked)
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    assert try_git(hooked, "merge", "-q", "side").returncode == 0
    assert git("log", "-1", "--format=%s", cwd=hooked).strip() == "note: 2025-03-20"


def test_what_a_squash_staged_is_the_users_to_commit(hooked: Path, git: Git, memsite: Run) -> None:
    git("checkout", "-qb", "side", cwd=hooked)
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    (hooked / "memory" / "2025-03-21.md").write_text("# another\n", encoding="utf-8")
    git("add", ".", cwd=hooked)
    git("commit", "-qm", "notes", cwd=hooked)
    git("checkout", "-q", "main", cwd=hooked)
    before, staged = git("rev-parse", "HEAD", cwd=hooked), "A  memory/2025-03-20.md\nA  memory/2025-03-21.md\n"
    done = try_git(hooked, "merge", "--squash", "side")
    assert done.returncode == 0, done.stderr
    assert git("rev-parse", "HEAD", cwd=hooked) == before
    assert git("status", "--porcelain", cwd=hooked) == staged
    told = memsite("commit")
    assert git("rev-parse", "HEAD", cwd=hooked) == before
    assert git("status", "--porcelain", cwd=hooked) == staged
    assert "memory/2025-03-20.md: not committed: a squash has staged it" in told.err
    (hooked / "memory" / "2025-03-22.md").write_text("# mine\n", encoding="utf-8")
    memsite("commit")
    assert git("log", "--format=%s", f"{before.strip()}..", cwd=hooked) == "note: 2025-03-22\n"
    assert git("status", "--porcelain", cwd=hooked) == staged
    assert try_git(hooked, "commit", "-qm", "squashed").returncode == 0
    assert git("log", "-1", "--format=%s", "--name-only", cwd=hooked).split("\n")[2:-1] == [
        "memory/2025-03-20.md",
        "memory/2025-03-21.md",
    ]
    assert git("status", "--porcelain", cwd=hooked) == ""


def test_a_deletion_that_a_squash_staged_is_the_users_to_commit(hooked: Path, git: Git, memsite: Run) -> None:
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    git("add", ".", cwd=hooked)
    git("commit", "-qm", "note", cwd=hooked)
    git("checkout", "-qb", "side", cwd=hooked)
    git("rm", "-q", "memory/2025-03-20.md", cwd=hooked)
    git("commit", "-qm", "gone", cwd=hooked)
    git("checkout", "-q", "main", cwd=hooked)
    assert try_git(hooked, "merge", "--squash", "side").returncode == 0
    memsite("commit")
    assert git("log", "-1", "--format=%s", cwd=hooked).strip() == "note"
    assert git("status", "--porcelain", cwd=hooked) == "D  memory/2025-03-20.md\n"


def test_a_rebase_is_left_in_peace(hooked: Path, git: Git) -> None:
    git("checkout", "-qb", "side", cwd=hooked)
    for number in (1, 2):
        (hooked / f"{number}.txt").write_text("x\n", encoding="utf-8")
        git("add", ".", cwd=hooked)
        git("commit", "-qm", f"side {number}", cwd=hooked)
    git("checkout", "-q", "main", cwd=hooked)
    (hooked / "README.md").write_text("main\n", encoding="utf-8")
    git("commit", "-qam", "main", cwd=hooked)
    git("checkout", "-q", "side", cwd=hooked)
    (hooked / "memory" / "2025-03-20.md").write_text("# a note\n", encoding="utf-8")
    done = try_git(hooked, "rebase", "-q", "main")
    assert done.returncode == 0, done.stderr
    assert git("log", "-3", "--format=%s", cwd=hooked).splitlines() == ["side 2", "side 1", "main"]
    assert (hooked / "memory" / "2025-03-20.md").read_text(encoding="utf-8") == "# a note\n"


def test_a_push_of_what_no_verify_let_pass_is_stopped(hooked: Path, git: Git, tmp_path: Path) -> None:
    git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=hooked)
    assert try_git(hooked, "push", "-q", "origin", "main").returncode == 0
    (hooked / GENERATION).write_text("another belief\n", encoding="utf-8")
    git("commit", "-qam", "x", "--no-verify", cwd=hooked)
    stopped = try_git(hooked, "push", "-q", "origin", "main")
    assert stopped.returncode != 0
    assert "nothing was pushed" in stopped.stderr
    assert try_git(hooked, "push", "-q", "--no-verify", "origin", "main").returncode == 0


@pytest.mark.parametrize("way", ["a note", "a tag at a file", "a tag at a folder", "a branch-less ref at a file"])
def test_a_secret_beside_the_commits_is_not_pushed(way: str, hooked: Path, git: Git, tmp_path: Path) -> None:
    """What `git notes` say, and what refs are at that no commit has."""
    git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=hooked)
    token = next(kind for kind in KINDS if kind.name == "gitlab").make(random.Random(72))
    for text, passes in (("Seen by Ada.", True), (f"Seen by Ada.\n\n{token}", False), ("Seen by Bob.", True)):
        (hooked / "text").write_text(f"{text}\n", encoding="utf-8")
        blob = git("hash-object", "-w", "text", cwd=hooked).strip()
        if way == "a note":
            ref = "refs/notes/commits"
            git("update-ref", "-d", ref, cwd=hooked)
            git("notes", "add", "-f", "-C", blob, cwd=hooked)
        elif way == "a tag at a folder":
            git("add", "text", cwd=hooked)
            tree = git("write-tree", cwd=hooked).strip()
            ref = "refs/tags/folder"
            git("tag", "-f", "folder", tree, cwd=hooked)
        else:
            ref = "refs/tags/file" if "tag" in way else "refs/files/text"
            tag = ("tag", "-f", "-a", "-m", "a file", "file", blob) if "tag" in way else ("update-ref", ref, blob)
            git(*tag, cwd=hooked)
        done = try_git(hooked, "push", "-q", "-f", "origin", ref)
        assert (done.returncode == 0) is passes, done.stderr
        assert token not in done.stderr
        assert passes or f":3: looks like a secret (gitlab-token) in {ref}" in done.stderr
    assert token not in git("cat-file", "--batch-all-objects", "--batch", cwd=tmp_path / "remote.git")


def test_a_hook_of_the_users_own_still_runs_and_its_refusal_counts(workspace: Path, git: Git, memsite: Run) -> None:
    hook = workspace / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho mine\n[ ! -e forbidden ]\n", encoding="utf-8")
    hook.chmod(0o755)
    memsite("hooks", "install")
    (workspace / "forbidden").write_text("x", encoding="utf-8")
    git("add", "forbidden", cwd=workspace)
    refused = try_git(workspace, "commit", "-qm", "x")
    assert refused.returncode == 1
    assert "mine" in refused.stdout + refused.stderr
    memsite("hooks", "uninstall")
    assert hook.read_text(encoding="utf-8") == "#!/bin/sh\necho mine\n[ ! -e forbidden ]\n"


def test_a_workspace_below_the_repositorys_root_is_found(tmp_path: Path, git: Git, memsite: Run) -> None:
    root = tmp_path / "with space"
    (root / "agent's" / "memory").mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    git("config", "user.name", "Ada", cwd=root)
    git("config", "user.email", "ada@example.org", cwd=root)
    assert memsite("hooks", "install", cwd=root / "agent's").code == 0
    bad = root / "agent's" / "memory" / "2025-03-20.md"
    bad.write_text("<<<<<<< a\n=======\n>>>>>>> b\n", encoding="utf-8")
    git("add", ".", cwd=root)
    refused = try_git(root, "commit", "-qm", "x")
    assert refused.returncode == 1
    assert "an unfinished merge" in refused.stderr


def test_the_lines_that_are_printed_work_in_hooks_under_version_control(
    hooked: Path, git: Git, memsite: Run, tmp_path: Path
) -> None:
    memsite("hooks", "uninstall")
    git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=hooked)
    folder = hooked / "my hooks"
    folder.mkdir()
    (folder / "pre-push").write_text("#!/bin/sh -e\ncat > .git/heard\n", encoding="utf-8")
    git("config", "core.hooksPath", folder.name, cwd=hooked)
    git("add", folder.name, cwd=hooked)
    done = memsite("hooks", "install")
    assert done.code == 0
    assert [file.name for file in folder.iterdir()] == ["pre-push"]
    assert done.out.count("left alone") == 5
    lines = done.out.split("add to my hooks/")[1:]
    assert len(lines) == 5
    for told in lines:
        head, *added = told.splitlines()
        hook = folder / head.partition(",")[0].rstrip(":")
        own = hook.read_text(encoding="utf-8").partition("\n")[2] if hook.exists() else ""
        text = ["#!/bin/sh -e", *(line.removeprefix("    ") for line in added if line.startswith("    ")), own]
        hook.write_text("\n".join(text), encoding="utf-8")
        hook.chmod(0o755)
    again = memsite("hooks", "status")
    assert "left alone" not in again.out
    assert [line.split()[1] for line in again.out.splitlines()] == ["installed"] * 5
    git("add", folder.name, cwd=hooked)
    assert try_git(hooked, "commit", "-qm", "hooks").returncode == 0
    (hooked / GENERATION).write_text("another belief\n", encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    refused = try_git(hooked, "commit", "-qam", "x", PATH=path)
    assert (refused.returncode, "nothing was committed" in refused.stderr) == (1, True)
    # Somebody else's clone of the same hooks has no memsite: theirs alone run.
    assert try_git(hooked, "push", "-q", "origin", "main").returncode == 0
    assert git("rev-parse", "HEAD", cwd=hooked).strip() in (hooked / ".git" / "heard").read_text(encoding="utf-8")
    git("commit", "-qam", "x", "--no-verify", cwd=hooked)
    (hooked / ".git" / "heard").unlink()
    stopped = try_git(hooked, "push", "-q", "origin", "main", PATH=path)
    assert (stopped.returncode != 0, "nothing was pushed" in stopped.stderr) == (True, True)
    assert not (hooked / ".git" / "heard").exists()


def test_hooks_of_another_workspace_are_not_taken_over_and_told(workspace: Path, memsite: Run) -> None:
    one, other = workspace / "a 'one'", workspace / "b"
    for folder in (one, other):
        (folder / "memory").mkdir(parents=True)
    assert memsite("hooks", "install", cwd=one).code == 0
    hook = workspace / ".git" / "hooks" / "pre-commit"
    before = hook.read_bytes()
    refused = memsite("hooks", "install", cwd=other)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "serve another workspace, a 'one'" in refused.err
    begun = memsite("init", cwd=other)
    assert begun.code == 0, begun.err
    assert "no git hooks: " in begun.err
    assert (other / "memsite.toml").exists()
    assert hook.read_bytes() == before
    assert "of another workspace  serves the workspace a 'one'" in memsite("hooks", "status", cwd=other).out
    assert "installed  serves the workspace a 'one'" in memsite("hooks", "status", cwd=one).out
    assert memsite("hooks", "uninstall", cwd=other).code == 0
    assert memsite("hooks", "install", cwd=other).code == 0
    assert "of another workspace  serves the workspace b" in memsite("hooks", "status", cwd=one).out


def test_a_workspace_that_moved_takes_its_hooks_along(workspace: Path, memsite: Run) -> None:
    (workspace / "here" / "memory").mkdir(parents=True)
    assert memsite("hooks", "install", cwd=workspace / "here").code == 0
    (workspace / "here").rename(workspace / "there")
    assert memsite("hooks", "install", cwd=workspace / "there").code == 0
    assert "serves the workspace there" in memsite("hooks", "status", cwd=workspace / "there").out


@pytest.mark.parametrize("memory_at_the_root", [False, True])
def test_taking_a_workspace_below_the_root_away_is_refused(
    workspace: Path, git: Git, memsite: Run, tmp_path: Path, *, memory_at_the_root: bool
) -> None:
    if not memory_at_the_root:
        git("rm", "-rq", "--ignore-unmatch", "memory", "memsite.toml", cwd=workspace)
        shutil.rmtree(workspace / "memory", ignore_errors=True)
    below = workspace / "agent's" / GENERATION
    below.parent.mkdir(parents=True)
    below.write_text("# Blog - Generation 1 Consolidation\n", encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "memory", cwd=workspace)
    git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    git("push", "-q", str(tmp_path / "remote.git"), "main", cwd=workspace)
    assert memsite("hooks", "install", cwd=workspace / "agent's").code == 0
    git("rm", "-rq", "agent's", cwd=workspace)
    assert not (workspace / "agent's").exists()
    refused = try_git(workspace, "commit", "-qm", "x")
    assert refused.returncode == 1
    assert f"{GENERATION}: a committed generation is " in refused.stderr
    assert try_git(workspace, "commit", "-qm", "x", "--no-verify").returncode == 0
    stopped = try_git(workspace, "push", "-q", str(tmp_path / "remote.git"), "main")
    assert "nothing was pushed" in stopped.stderr
    assert not (workspace / "agent's").exists()


def test_a_branch_without_the_workspace_takes_commits(workspace: Path, git: Git, memsite: Run) -> None:
    (workspace / "agent" / GENERATION).parent.mkdir(parents=True)
    (workspace / "agent" / GENERATION).write_text("# Blog - Generation 1 Consolidation\n", encoding="utf-8")
    git("checkout", "-qb", "other", cwd=workspace)
    git("checkout", "-qb", "with", cwd=workspace)
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "memory", cwd=workspace)
    assert memsite("hooks", "install", cwd=workspace / "agent").code == 0
    git("checkout", "-q", "other", cwd=workspace)
    (workspace / "code.py").write_text("1\n", encoding="utf-8")
    git("add", "code.py", cwd=workspace)
    done = try_git(workspace, "commit", "-qm", "code")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_site_follows_a_commit_in_the_background(hooked: Path, git: Git) -> None:
    (hooked / "memsite.toml").write_text('timezone = "UTC"\nbuild_on_commit = true\n', encoding="utf-8")
    (hooked / ".gitignore").write_text("/site/\n", encoding="utf-8")
    git("add", "memsite.toml", ".gitignore", cwd=hooked)
    assert try_git(hooked, "commit", "-qm", "mine").returncode == 0
    page = hooked / "site" / "topics" / "blog" / "gen1" / "index.html"
    for _ in range(600):
        if page.exists():
            break
        time.sleep(0.1)
    assert "Generation 1" in page.read_text(encoding="utf-8") or "generation 1" in page.read_text(encoding="utf-8")


def test_of_many_builds_in_the_background_one_works_and_one_waits(hooked: Path) -> None:
    command = [sys.executable, "-m", "memsite", "-C", str(hooked), "hooks", "run", "build"]
    with one_at_a_time(hooked / ".git" / "memsite", "build") as is_ours:
        assert is_ours
        both = [subprocess.Popen(command, env=os.environ) for _ in range(2)]
        while (codes := [one.poll() for one in both]) == [None, None]:
            time.sleep(0.01)
        assert sorted(codes, key=str) == [0, None]
        assert not (hooked / "site").exists()
    assert [one.wait() for one in both] == [0, 0]
    assert (hooked / "site" / "index.html").exists()
