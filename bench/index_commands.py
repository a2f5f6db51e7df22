"""How long each `memsite index` command takes on 500 topics with 5,000 dates: `python bench/index_commands.py`.

It prints the best of three runs of the real command, start of the interpreter included: seconds by the clock, of which
the bar is 0.5, and of the processor with git's, which say what it takes on a busy machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

TOPICS, DATES = 500, 10
COMMANDS = (
    ("list",),
    ("show", "topic-250"),
    ("add", "topic-new", "--category", "Projects"),
    ("touch", "topic-250"),
    ("status", "topic-250", "paused"),
    ("check",),
)
RUNS = 3


def main() -> None:
    """Make the memory, run the commands, print the table."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _make_memory(root)
        for command in COMMANDS:
            runs = [_time(root, command, number) for number in range(RUNS)]
            clock, processor = (min(figures) for figures in zip(*runs, strict=True))
            print(f"index {' '.join(command):<40} {clock:6.3f} s {processor:6.3f} s of the processor")


def _make_memory(root: Path) -> None:
    first = date(2020, 1, 1)
    lines = ["# Memory Index", "", "## Projects"]
    for topic in range(TOPICS):
        days = ", ".join((first + timedelta(days=topic + 30 * number)).isoformat() for number in range(DATES))
        lines += [f"- **topic-{topic}**", f"  - Dates: [{days}]", "  - Status: active"]
    (root / "memory").mkdir()
    (root / "memory/INDEX.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "begin"]):
        subprocess.run(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words], cwd=root, check=True)


def _time(root: Path, command: tuple[str, ...], number: int) -> tuple[float, float]:
    """Seconds of one run, by the clock and of the processor; each on its own day and topic, so that it has work."""
    now = (date(2025, 1, 1) + timedelta(days=number)).isoformat()
    words = [f"{word}-{number}" if word == "topic-new" else word for word in command]
    words = ["active" if word == "paused" and number % 2 else word for word in words]
    started, before = time.perf_counter(), os.times()
    argv = [sys.executable, "-m", "memsite", "-C", str(root), "--now", now, "index", *words]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    spent, after = time.perf_counter() - started, os.times()
    processor = after.children_user - before.children_user + after.children_system - before.children_system
    return spent, processor


if __name__ == "__main__":
    main()
