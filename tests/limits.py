"""Programs under limits of the system: what needs more time of the processor, or more memory, is ended and fails."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
LONG = "MEMSITE_TEST_LONG" in os.environ or os.environ.get("MEMSITE_TEST_PROFILE") == "long"
"""Whether tests that can be had in a short form and a long one are run in the long one."""


def drawn_seed() -> int:
    """What chance begins with: `MEMSITE_TEST_SEED`, else always the same one in the short profile, any in the long."""
    return int(os.environ.get("MEMSITE_TEST_SEED") or (random.SystemRandom().randrange(10**9) if LONG else 1))


def run_module(name: str, *arguments: str, seconds: int, megabytes: int) -> str:
    """Run a module of the tests, `python -m NAME`, in so much time and memory; its standard output comes back."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))

    command = [sys.executable, "-m", name, *arguments]
    done = subprocess.run(command, cwd=ROOT, preexec_fn=limit, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:] or f"ended by signal {-done.returncode}"
    return done.stdout


MEASURE = """
import json, os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""Starts a program from a small process: on Linux the memory of the one that forks counts as the child's, too."""


@dataclass(frozen=True)
class Cost:
    """What a program has used."""

    seconds: float
    """Of the processor."""
    megabytes: float
    """Of memory at most."""
    errors: str


def run_memsite(*arguments: str, environment: Mapping[str, str] | None = None) -> Cost:
    """Run `memsite` to its end, which must be a good one; what it cost comes back. A hang ends after a minute."""
    command = [sys.executable, "-c", MEASURE, sys.executable, "-m", "memsite", *arguments]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)),
    )
    code, seconds, memory = json.loads(done.stdout)
    said = done.stderr.decode("utf-8", "replace")
    assert code == 0, said[-2000:] or f"ended by signal {-code}"
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(seconds, memory * unit / MEGABYTE, said)
