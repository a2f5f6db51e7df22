"""The lock: one holder, let go by the kernel, never deleted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from memsite.repo.lock import repository_lock
from memsite.repo.workspace import Workspace


def test_one_holder_at_a_time(ws: Workspace) -> None:
    repository = ws.require_repository()
    with repository_lock(repository) as first, repository_lock(repository, wait=0.01) as second:
        assert first is not None
        assert second is None
    with repository_lock(repository, wait=0) as third:
        assert third is not None
    assert (repository.own_dir / "lock").exists()


def test_a_killed_holder_lets_go(ws: Workspace) -> None:
    repository = ws.require_repository()
    script = (
        "import fcntl, os, sys, time\n"
        "fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)\n"
        "fcntl.flock(fd, fcntl.LOCK_EX)\nprint('held', flush=True)\ntime.sleep(60)\n"
    )
    repository.own_dir.mkdir()
    command = [sys.executable, "-c", script, str(repository.own_dir / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        with repository_lock(repository, wait=0.01) as held:
            assert held is None
        os.kill(child.pid, signal.SIGKILL)
        start = time.monotonic()
        with repository_lock(repository, wait=30) as held:
            assert held is not None
        assert time.monotonic() - start < 5
