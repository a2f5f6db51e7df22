"""Seconds to look for secrets in 10 MB of notes that no cache knows: all of them, as a first publication does."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from memsite.safety.secrets import scan, scanner_name
from tests.realistic_notes import notes

SIZE = 10_000_000
LIMIT = 10.0
"""Seconds that the scan may take on a quiet machine."""


def main() -> None:
    made = list(notes(1, SIZE))
    before = time.perf_counter()
    certain = sum(finding.certain for note in made for finding in scan(note))
    seconds = time.perf_counter() - before
    print(f"secret scan, {sum(map(len, made)) / 1e6:.0f} MB, {scanner_name()}: {seconds:.1f} s", end=" ")
    print(f"(limit {LIMIT:.0f} s), {certain} false findings")


if __name__ == "__main__":
    main()
