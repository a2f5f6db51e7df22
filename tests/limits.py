"""Programs under limits of the system: what needs more time of the processor, or more memory, is ended and fails."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
LONG = os.environ.get("MEMSITE_TEST_PROFILE") == "long"
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
