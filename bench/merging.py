"""How long the merge of one file takes, by its length: `python bench/merging.py`.

Each side has appended so many lines to a daily note, sessions to a log, topics to INDEX.md. It prints the best of three
merges in seconds of the processor, and how the longest compares with one of a quarter of its length: 4 is linear, 16
quadratic.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).parents[1]))

from memsite.config import Config
from memsite.memory.merging import merge_memory_file
from memsite.repo.merge import merge_text

SIZES = (1000, 2000, 4000)
RUNS = 3
FILES = {
    "lines of a note": ("memory/2025-03-20.md", "# 2025-03-20\n\nfirst\n", "- {} line {} of a note\n"),
    "sections of a note": ("memory/2025-03-20.md", "# 2025-03-20\n\nfirst\n", "## {} {}\n\ntext\n\n"),
    "sessions of a log": (
        "memory/sessions/2025-03-20.md",
        "# Session Log — 2025-03-20\n\n",
        "### 10:30\n<!-- memsite:session id={}{} agent=a -->\n- **Topic:** t\n- **Messages:** 1 user / 1 assistant\n\n",
    ),
    "topics of INDEX.md": (
        "memory/INDEX.md",
        "# Memory Index\n\n## Projects\n",
        "- **{}{}**: [2025-03-20]\n  - Status: active\n",
    ),
}


def main() -> None:
    """Merge, print the table."""
    print(f"{'':<20}", *(f"{size:>10}" for size in SIZES), "   4 times as long")
    for name, (path, base, form) in FILES.items():
        spent = [min(_time(path, base, form, size) for _ in range(RUNS)) for size in SIZES]
        print(f"{name:<20}", *(f"{one:8.3f} s" for one in spent), f"   {spent[-1] / spent[0]:.1f} times the time")


def _time(path: str, base: str, form: str, size: int) -> float:
    """Seconds of the processor for one merge; those of git, for the lines around, are not in it."""
    sides = (base + "".join(form.format(who, at) for at in range(size)) for who in "ab")
    texts = [text.encode() for text in (base, *sides)]
    started = time.process_time()
    merged = merge_memory_file(PurePosixPath(path), *texts, merge_text=merge_text, config=Config())
    assert not merged.conflict
    return time.process_time() - started


if __name__ == "__main__":
    main()
