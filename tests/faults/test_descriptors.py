"""What a command says of an entry is so when nothing can be opened any more, and when nobody waits for children."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.conftest import LONG
from tests.faults.test_disks import STRACE, strace_works  # noqa: F401 - a fixture

pytestmark = [pytest.mark.faults, pytest.mark.usefixtures("strace_works")]
NOTE = [sys.executable, "-m", "memsite", "note"]


def run(command: Sequence[str], workspace: Path) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own."""
    return subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def assert_so(workspace: Path, git: Git, text: str, done: subprocess.CompletedProcess[str]) -> None:
    """0: committed. 3: the next run commits it. 1: it is nowhere, now and after the next run. One line says so."""
    assert "Traceback" not in done.stderr
    assert run([sys.executable, "-m", "memsite", "commit"], workspace).returncode == 0
    notes = [git("show", f"HEAD:{name}", cwd=workspace) for name in git("ls-files", "memory", cwd=workspace).split()]
    found = "".join(notes).count(text)
    assert found == {0: 1, 1: 0, 3: 1}[done.returncode], (text, done.returncode, done.stderr)


@pytest.mark.parametrize("limit", range(8, 24))
def test_few_descriptors(workspace: Path, git: Git, limit: int) -> None:
    text = f"It came up at {limit}."
    done = run(["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh", *NOTE, text], workspace)
    assert_so(workspace, git, text, done)


def test_nothing_can_be_opened_from_some_moment_on(workspace: Path, git: Git, tmp_path: Path) -> None:
    trace = [str(STRACE), "-f", "-qq", "-e", "trace=openat"]
    assert run([*trace, "-o", str(tmp_path / "trace"), *NOTE, "First."], workspace).returncode == 0
    lines = (tmp_path / "trace").read_text(encoding="utf-8", errors="replace").splitlines()
    ours = sum(line.split()[0] == lines[0].split()[0] for line in lines if re.match(r"\d+ +openat\(", line))
    for when in range(1 if LONG else ours - 40, ours + 1, 1 if LONG else 2):
        text = f"From the opening {when} on."
        injection = ["-e", f"inject=openat:error=ENFILE:when={when}+"]
        assert_so(workspace, git, text, run([*trace, *injection, "-o", str(tmp_path / "no"), *NOTE, text], workspace))


def test_children_that_are_reaped_by_nobody(workspace: Path, git: Git) -> None:
    """Whoever ignores SIGCHLD hands that on to the programs that it starts."""
    done = run(["bash", "-c", 'trap "" CHLD; exec "$@"', "bash", *NOTE, "Ignored."], workspace)
    assert done.returncode == 0, done.stderr
    assert_so(workspace, git, "Ignored.", done)


@pytest.mark.parametrize("stream", ["/dev/full", "| head -c0"])
def test_nobody_hears_that_it_is_committed(workspace: Path, git: Git, stream: str) -> None:
    target = stream if stream.startswith("|") else f"> {stream}"
    done = run(["bash", "-o", "pipefail", "-c", f'"$@" {target}', "bash", *NOTE, "Unheard."], workspace)
    assert done.returncode in (0, 1)
    assert done.stderr in ("", "memsite: [Errno 28] No space left on device\n")
    assert git("grep", "-h", "Unheard", "HEAD", cwd=workspace).count("Unheard") == 1


def test_a_reader_who_hears_nothing_is_told_by_the_exit_code(workspace: Path) -> None:
    done = run(["bash", "-c", '"$@" > /dev/full', "bash", sys.executable, "-m", "memsite", "sessions"], workspace)
    assert done.returncode == 1
    assert "Exception" not in done.stderr


def test_a_git_that_is_killed_while_it_is_asked_who_commits_is_a_failure(
    workspace: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a reason to commit in the name of memsite."""
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(f'#!/bin/sh\ncase " $* " in *" var "*) kill -9 $$;; esac\nexec {real} "$@"\n')
    (tmp_path / "bin/git").chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        done = run([*NOTE, "Whose?"], workspace)
    assert done.returncode == 1
    assert_so(workspace, git, "Whose?", done)
