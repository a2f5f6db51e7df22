"""What bombs cost a build: `python bench/bombs.py [NAME…]`.

Each text of `tests/hostile/bombs.py` in a small memory by itself, as a note; with `--everywhere`, as a daily note, a
session log and a generation, too. It prints seconds of the processor, seconds of the clock and the most memory of the
child process, and the same of the memory without any bomb. Above 5 seconds or 500 MB it fails.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.hostile.bombs import MORE, NINE, PLACES, SOUND_PAGES, write_memory
from tests.limits import run_memsite

SECONDS, MEGABYTES = 5, 500


def main() -> None:
    """Build, print the table."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    bombs = {"(no bomb)": lambda: "sound\n", **NINE, **MORE}
    places = PLACES if "--everywhere" in sys.argv else {"note": PLACES["note"]}
    print(f"{'':<12} {'':<24} {'processor':>10} {'clock':>10} {'memory':>10}")
    over = [
        f"{place}: {name}"
        for place, path in places.items()
        for name in (names or bombs)
        if not _measure(place, path, name, bombs[name]())
    ]
    if over:
        sys.exit(f"above {SECONDS} s or {MEGABYTES} MB: {', '.join(over)}")


def _measure(place: str, path: str, name: str, text: str) -> bool:
    """Build one; whether it was within the bounds, and the site complete."""
    with tempfile.TemporaryDirectory() as folder:
        write_memory(Path(folder), {path: text})
        began = time.perf_counter()
        cost = run_memsite("-C", folder, "build", "--no-commit")
        elapsed = time.perf_counter() - began
        complete = all((Path(folder) / "site" / uri).is_file() for uri in SOUND_PAGES)
    row = f"{place:<12} {name:<24} {cost.seconds:8.2f} s {elapsed:8.2f} s {cost.megabytes:7.0f} MB"
    print(row if complete else f"{row}  INCOMPLETE", flush=True)
    return complete and cost.seconds < SECONDS and cost.megabytes < MEGABYTES


if __name__ == "__main__":
    main()
