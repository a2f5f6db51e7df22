"""The steps that `purge` prints, run as they are printed: what leaked is nowhere left, and nothing else is touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memsite.cli.purge_steps import WAYS
from tests.conftest import Done, Git, Run

VALUE = "blue-Heron 4711 in Example Street"
ZEBRA = "The zebra came today, it said, and it will come again tomorrow at six o'clock."
DIARY = 'memory/the diary/ä "zebra".md'
LEAKS = {"value": VALUE, "file": ZEBRA}
REMOTE = "team"


def commit(git: Git, root: Path, message: str, files: dict[str, str]) -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    git("add", "-A", cwd=root)
    git("commit", "-q", "--no-verify", "-m", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


@pytest.fixture
def remote(git: Git, tmp_path: Path) -> Path:
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    return tmp_path / "remote.git"


@pytest.fixture
def leaked(workspace: Path, git: Git, remote: Path) -> Path:
    """Both leaks wherever git can have one: HEAD, history, messages, tags, notes, branches that only one side has."""
    git("remote", "add", REMOTE, "../remote.git", cwd=workspace)
    commit(git, workspace, "settings", {"memsite.toml": "", "memory/crlf.md": "one\r\ntwo\r\n"})
    commit(git, workspace, f"note: the {VALUE}", {"memory/2025-03-20.md": f"# 2025-03-20\n\nOnly then: {VALUE}.\n"})
    git("tag", "-a", "v1", "-m", f"With {VALUE}", cwd=workspace)
    git("tag", "-a", "v1-again", "-m", f"Again with {VALUE}", "v1", cwd=workspace)
    git("tag", "light", cwd=workspace)
    commit(git, workspace, "note: a", {"memory/2025-03-20.md": "# 2025-03-20\n\nNot any more.\n", DIARY: ZEBRA})
    git("notes", "add", "-m", f"Seen {VALUE}", cwd=workspace)
    git("push", "-q", "--no-verify", "-u", REMOTE, "main", "v1", "v1-again", "light", "refs/notes/*", cwd=workspace)
    git("checkout", "-q", "-b", "gone", cwd=workspace)
    commit(git, workspace, f"gone: {VALUE}", {"src/gone.py": f"x = '{VALUE}'\n", DIARY: f"{ZEBRA}\nMore.\n"})
    git("push", "-q", "--no-verify", REMOTE, "gone", cwd=workspace)
    git("checkout", "-q", "-b", "private", "main", cwd=workspace)
    git("branch", "-q", "-D", "gone", cwd=workspace)
    commit(git, workspace, f"private: {VALUE}", {"memory/private.md": f"{VALUE}\n", DIARY: f"{ZEBRA}\nMine.\n"})
    git("checkout", "-q", "main", cwd=workspace)
    commit(git, workspace, "note: not pushed", {"memory/2025-03-21.md": f"# 2025-03-21\n\nStill: {VALUE}.\n"})
    return workspace


def another_clone_pushes(git: Git, root: Path) -> str:
    """Somebody's commit on the remote's main branch, of which this repository has not heard."""
    git("clone", "-q", str(root.parent / "remote.git"), str(root.parent / "theirs"))
    theirs = root.parent / "theirs"
    git("config", "user.name", "Bob", cwd=theirs)
    git("config", "user.email", "bob@example.org", cwd=theirs)
    commit(git, theirs, "note: of Bob", {"memory/bob.md": "Bob was here.\n"})
    git("push", "-q", "origin", "main", cwd=theirs)
    return "Bob was here."


def printed(done: Done, way: str) -> str:
    """The commands of one way as they are printed: lines that are indented, below the way's own line."""
    blocks: list[list[str]] = [[]]
    for line in done.out.splitlines():
        if line.startswith("     "):
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    return "\n".join(blocks[WAYS.index(way)])


def run_steps(script: str, root: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(["sh", "-c", script], cwd=root, env=environment, capture_output=True, text=True, check=False)


def has(git: Git, root: Path, value: str) -> bool:
    """Whether an object of a repository, reached or not, has it."""
    return value in git("cat-file", "--batch-all-objects", "--batch", cwd=root)


def needs(way: str) -> None:
    if way == "git-filter-repo" and not (Path(sys.executable).parent / way).exists():
        pytest.skip("git-filter-repo is not installed beside this Python: pip install -e '.[dev]'")


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("way", WAYS)
def test_the_printed_steps_take_a_leak_out_of_everything(
    way: str, leak: str, memsite: Run, leaked: Path, git: Git, remote: Path, tmp_path: Path
) -> None:
    needs(way)
    value = LEAKS[leak]
    theirs = another_clone_pushes(git, leaked)
    assert has(git, leaked, value)
    assert has(git, remote, value)
    done = memsite("purge", VALUE if leak == "value" else DIARY)
    (tmp_path / "leaked.txt").write_bytes(f"{VALUE}\r\n}}\r\n".encode())
    kept = git("rev-parse", "main:memory/crlf.md", "main~4", cwd=leaked)
    ran = run_steps(printed(done, way), leaked)
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout.rpartition("finished after")[2].split("\n", 1 if way == "git-filter-repo" else 0)[-1]
    assert said.strip() == ("0" if leak == "value" else "")

    assert not has(git, leaked, value)
    git("clone", "-q", "--no-local", "--mirror", str(remote), str(tmp_path / "fresh.git"))
    assert not has(git, tmp_path / "fresh.git", value)
    assert {path.name for path in tmp_path.iterdir()} <= {
        "workspace",
        "remote.git",
        "fresh.git",
        "theirs",
        "leaked.txt",
    }

    heads = git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", cwd=remote).split()
    assert heads == ["gone", "main", "light", "v1", "v1-again"]
    assert theirs in git("show", "main:memory/bob.md", cwd=remote)
    assert git("rev-parse", "main@{upstream}", cwd=leaked) == git("rev-parse", "main", cwd=remote)
    # What was only here still stands on what is there: the rewritten history is the same one.
    assert git("log", "--format=%s", "main..team/main", cwd=leaked) == "note: of Bob\n"
    assert git("log", "--format=%s", "team/main..main", cwd=leaked).splitlines()[-1] == "note: not pushed"
    assert git("rev-parse", "main:memory/crlf.md", "main~4", cwd=leaked) == kept
    assert git("log", "-1", "--format=%s", "private", cwd=leaked).startswith("private:")
    assert git("status", "--porcelain", cwd=leaked) == ""
    assert git("fsck", "--no-dangling", cwd=leaked) == ""
    assert memsite("check").code == 0


def test_without_a_remote_the_steps_are_for_this_repository(
    memsite: Run, leaked: Path, git: Git, tmp_path: Path
) -> None:
    git("remote", "remove", REMOTE, cwd=leaked)
    done = memsite("purge", VALUE)
    assert "clone" not in printed(done, "git")
    (tmp_path / "leaked.txt").write_text(VALUE, encoding="utf-8")
    assert run_steps(printed(done, "git"), leaked).stdout == "0\n"
    assert not has(git, leaked, VALUE)


def test_a_shallow_clone_is_rewritten_as_the_remote_is(memsite: Run, leaked: Path, git: Git, tmp_path: Path) -> None:
    """What was cut off is fetched first: otherwise its first commit would be another one than the remote's."""
    shallow = tmp_path / "shallow"
    git("clone", "-q", "--depth=1", "-o", REMOTE, f"file://{leaked.parent / 'remote.git'}", str(shallow))
    git("config", "user.name", "Ada", cwd=shallow)
    git("config", "user.email", "ada@example.org", cwd=shallow)
    done = memsite("purge", DIARY, cwd=shallow)
    ran = run_steps(printed(done, "git"), shallow)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    assert not has(git, shallow, ZEBRA)
    assert git("log", "--format=%s", "team/main..main", cwd=shallow) == "purge: a file\n"


def test_what_is_pushed_meanwhile_is_not_lost(
    memsite: Run, leaked: Path, git: Git, remote: Path, tmp_path: Path
) -> None:
    done = memsite("purge", VALUE)
    (tmp_path / "leaked.txt").write_text(VALUE, encoding="utf-8")
    steps = printed(done, "git").split("\n")
    at = next(number for number, step in enumerate(steps) if " push " in step)
    assert run_steps("\n".join([*steps[:at], "true"]), leaked).returncode == 0
    theirs = another_clone_pushes(git, leaked)
    ran = run_steps(steps[at].removesuffix(" &&"), leaked)
    assert ran.returncode == 1
    assert "stale info" in ran.stderr
    assert theirs in git("show", "main:memory/bob.md", cwd=remote)


@pytest.mark.parametrize("kind", ["changed", "staged", "stashed"])
def test_unfinished_work_stops_the_steps(kind: str, memsite: Run, leaked: Path, git: Git, remote: Path) -> None:
    done = memsite("purge", DIARY)
    (leaked / "README.md").write_text("# Not committed\n", encoding="utf-8")
    if kind != "changed":
        git(*(("add", "README.md") if kind == "staged" else ("stash",)), cwd=leaked)
    before = git("for-each-ref", cwd=leaked), git("for-each-ref", cwd=remote), git("stash", "list", cwd=leaked)
    assert run_steps(printed(done, "git"), leaked).returncode == 1
    assert (
        git("for-each-ref", cwd=leaked),
        git("for-each-ref", cwd=remote),
        git("stash", "list", cwd=leaked),
    ) == before
    assert kind == "stashed" or (leaked / "README.md").read_text(encoding="utf-8") == "# Not committed\n"


@pytest.mark.parametrize(
    "place", ["another branch", "a tag's message", "a file beside the memory", "a remote's branch"]
)
def test_a_leak_outside_of_the_memorys_history_is_found(place: str, memsite: Run, workspace: Path, git: Git) -> None:
    """A history is rewritten for what any ref leads to, not only for notes of the current branch."""
    commit(git, workspace, "a note", {"memory/2025-03-19.md": "# 2025-03-19\n"})
    if place == "a tag's message":
        git("tag", "-a", "v1", "-m", VALUE, cwd=workspace)
    elif place == "a file beside the memory":
        commit(git, workspace, "code", {"src/x.py": VALUE})
    else:
        git("checkout", "-q", "-b", "other", cwd=workspace)
        commit(git, workspace, "a note", {"memory/2025-03-20.md": VALUE})
        git("checkout", "-q", "main", cwd=workspace)
    if place == "a remote's branch":
        git("update-ref", "refs/remotes/team/other", "other", cwd=workspace)
        git("branch", "-q", "-D", "other", cwd=workspace)
    found = json.loads(memsite("purge", VALUE, "--json").out)
    expected = {"another branch": "heads/other", "a tag's message": "tags/v1", "a file beside the memory": "heads/main"}
    assert found["refs"] == ([expected[place]] if place in expected else [])
    assert found["remotes"] == ([] if place in expected else ["team/other"])
    assert "no history to rewrite" not in memsite("purge", VALUE).out


def test_a_purged_files_copies_are_named(memsite: Run, workspace: Path, git: Git) -> None:
    commit(git, workspace, "diary", {"memory/diary.md": ZEBRA, "memory/stub.md": "# Stub\n"})
    commit(git, workspace, "moved", {"memory/elsewhere/moved.md": ZEBRA, "memory/stub2.md": "# Stub\n"})
    assert json.loads(memsite("purge", "diary.md", "--json").out)["copies"] == ["memory/elsewhere/moved.md"]
    assert json.loads(memsite("purge", "stub.md", "--json").out)["copies"] == []


def test_the_steps_hold_no_value(memsite: Run, leaked: Path) -> None:
    assert VALUE not in memsite("purge", VALUE).out
