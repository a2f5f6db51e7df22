"""Reading a history of 10,000 commits: with no cache, with one, and git's own log of the same, in turn in one run.

python bench/history.py [RUNS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import rmtree
from statistics import median

from memsite.repo.history import read_history
from memsite.repo.workspace import Workspace, open_workspace

COMMITS = 10_000


def main() -> None:
    """Print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        ws = _make(Path(folder))
        log = ("git", "-C", str(ws.root), "log", "--raw", "-z", "--no-renames", "--format=%H %at%n%B")
        cold, warm, bare = [], [], []
        for _ in range(runs):
            for cache in (ws.root / ".git").glob("memsite*"):
                rmtree(cache, ignore_errors=True)
            cold.append(_timed(partial(_read, ws)))
            warm.append(_timed(partial(_read, ws)))
            bare.append(_timed(partial(subprocess.run, log, check=True, stdout=subprocess.DEVNULL)))
    git = median(bare)
    for kind, seconds in (("cold", median(cold)), ("warm", median(warm))):
        print(
            f"history of {COMMITS} commits, {kind}: {seconds:.2f} s, {seconds / git:.1f} x git log --raw ({git:.2f} s)"
        )


def _read(ws: Workspace) -> None:
    assert len(read_history(ws).commits) == COMMITS


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _make(root: Path) -> Workspace:
    stream = []
    for number in range(COMMITS):
        stream.append(f"commit refs/heads/main\ncommitter Ada <ada@example.org> {1_700_000_000 + number} +0800\n")
        stream.append(f"data <<E\nsession: {number}\nE\nM 100644 inline memory/sessions/{number % 1500}.md\n")
        stream.append(f"data <<E\n{number}\nE\nM 100644 inline memory/{number % 700}.md\ndata <<E\n{number}\nE\n")
    (root / "memory").mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    subprocess.run(["git", "fast-import", "--quiet"], input="".join(stream), text=True, cwd=root, check=True)
    return open_workspace(root)


if __name__ == "__main__":
    main()
