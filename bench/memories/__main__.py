"""The command; see the package."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from bench.memories.story import LAST
from bench.memories.writing import make_memory


def main() -> None:
    """Make a memory, say how large it is."""
    parser = argparse.ArgumentParser(prog="python -m bench.memories", description="Make a memory to try memsite with.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--days", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--last", type=date.fromisoformat, default=LAST, help="the last day")
    parser.add_argument("--every", type=int, default=1, help="days from one to the next")
    given = parser.parse_args()
    made = make_memory(given.folder, days=given.days, seed=given.seed, last=given.last, every=given.every)
    print(f"{made.root}: {made.files} files, {made.commits} commits")


if __name__ == "__main__":
    main()
