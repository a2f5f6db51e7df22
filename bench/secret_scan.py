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
    before, worked = time.perf_counter(), time.process_time()
    certain = sum(finding.certain for note in made for finding in scan(note))
    seconds, processor = time.perf_counter() - before, time.process_time() - worked
    print(f"secret scan, {sum(map(len, made)) / 1e6:.0f} MB, {scanner_name()}: {seconds:.1f} s", end=" ")
    print(f"(limit {LIMIT:.0f} s), {processor:.1f} s of the processor, {certain} false findings")


if __name__ == "__main__":
    main()
