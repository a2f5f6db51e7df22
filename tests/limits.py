"""Programs under limits of the system: what needs more time of the processor, or more memory, is ended and fails."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
LONG = "MEMSITE_TEST_LONG" in os.environ or os.environ.get("MEMSITE_TEST_PROFILE") == "long"
"""Whether tests that can be had in a short form and a long one are run in the long one."""


def run_module(name: str, *arguments: str, seconds: int, megabytes: int) -> str:
    """Run a module of the tests, `python -m NAME`, in so much time and memory; its standard output comes back."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))

    command = [sys.executable, "-m", name, *arguments]
    done = subprocess.run(command, cwd=ROOT, preexec_fn=limit, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:] or f"ended by signal {-done.returncode}"
    return done.stdout


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
    command = [sys.executable, "-m", "memsite", *arguments]
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)),
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    assert child.returncode == 0, said[-2000:] or f"ended by signal {-child.returncode}"
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * unit / MEGABYTE, said)
