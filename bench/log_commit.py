"""`memsite log` with its commit and its look for secrets, beside `python -c pass` + `git add` + `git commit`, in turn.

python bench/log_commit.py [RUNS]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.agent_hook import ENVIRONMENT, PROGRAM, git, make_repository, timed

LIMIT = 3.0
"""The ratio that may not be passed."""


def main() -> None:
    """Print the medians and their ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as name:
        memory, plain = make_repository(Path(name) / "memory"), make_repository(Path(name) / "plain")
        ours: list[float] = []
        bare: list[float] = []
        for number in range(runs):
            ours.append(timed(partial(_log, memory, number)))
            bare.append(timed(partial(_bare, plain, number)))
        entries = git(memory, "show", "HEAD:memory/sessions/2025-03-20.md").count("### ")
    assert entries == runs, f"{entries} entries after {runs} logs"
    print(f"log with its commit:                     median {median(ours):.3f} s, fastest {min(ours):.3f} s")
    print(f"python -c pass + git add + git commit:   median {median(bare):.3f} s, fastest {min(bare):.3f} s")
    print(f"ratio of the medians:                    {median(ours) / median(bare):.2f} (limit {LIMIT:.0f})")


def _log(root: Path, number: int) -> None:
    words = [{"role": "user", "content": f"Question {number}?"}, {"role": "assistant", "content": "An answer. " * 100}]
    where = ("-C", str(root), "--now", "2025-03-20T12:00")
    argv = [str(PROGRAM), *where, "log", "-", "--format", "messages", "--session", f"s{number}"]
    subprocess.run(argv, input=json.dumps(words), text=True, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)


def _bare(root: Path, number: int) -> None:
    (root / "memory" / f"{number}.md").write_text("An answer. " * 100, encoding="utf-8")
    subprocess.run([sys.executable, "-c", "pass"], check=True, env=ENVIRONMENT)
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"note {number}")


if __name__ == "__main__":
    main()
