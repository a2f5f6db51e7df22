"""The live preview of 1,000 days: seconds until an edit, a commit and a consolidation are in the open browser.

python bench/serve.py [DAYS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from bench.memories import make_memory
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.conftest import free_port

DAYS, RUNS = 1_000, 3
LIMIT = 2.0
"""Seconds."""
MEMSITE = (sys.executable, "-m", "memsite")


def main() -> None:
    """Print the figures."""
    days = int(sys.argv[1]) if len(sys.argv) > 1 else DAYS
    with tempfile.TemporaryDirectory() as folder:
        root = make_memory(Path(folder) / "memory", days=days).root
        port = free_port()
        child = subprocess.Popen([*MEMSITE, "serve", "--port", str(port)], cwd=root, stdout=subprocess.PIPE, text=True)
        try:
            assert child.stdout is not None
            child.stdout.readline()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                _measure(browser.new_page(), root, f"http://127.0.0.1:{port}/")
                browser.close()
        finally:
            child.terminate()
            child.wait()


def _measure(page: Page, root: Path, address: str) -> None:
    note = max((root / "memory").glob("20??-??-??.md"))

    def edit(mark: str) -> None:
        note.write_text(f"{note.read_text(encoding='utf-8')}\n- {mark}\n", encoding="utf-8")

    def commit(mark: str) -> None:
        subprocess.run(["git", "commit", "-qam", mark], cwd=root, check=True)

    _print("an edit", [_seconds(page, f"{address}daily/{note.stem}/", edit, f"edited{n}") for n in range(RUNS)])
    found = []
    for number in range(RUNS):
        edit(f"before{number}")
        time.sleep(8)  # it has been seen; what is measured is the commit alone
        found.append(_seconds(page, f"{address}history/", commit, f"committed{number}"))
    _print("a commit", found)
    topics = [path.name.rpartition("-gen")[0] for path in (root / "memory" / "consolidated").glob("*.md")]
    longest = sorted(set(topics), key=lambda topic: (-topics.count(topic), topic))
    _print("a consolidation", [_consolidation(page, root, address, topic) for topic in longest[:RUNS]])


def _consolidation(page: Page, root: Path, address: str, topic: str) -> float:
    """From the end of the command: how long it takes itself is another figure."""
    page.goto(f"{address}topics/{topic}/")
    time.sleep(8)  # the one before has been seen
    before = page.locator("h1, .memsite-pin").count()
    command = [*MEMSITE, "consolidate", topic, "--auto"]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    start = time.perf_counter()
    page.wait_for_function(
        "before => document.querySelectorAll('h1, .memsite-pin').length > before", arg=before, timeout=120_000
    )
    return time.perf_counter() - start


def _seconds(page: Page, address: str, act: Callable[[str], None], mark: str) -> float:
    page.goto(address)
    time.sleep(1)
    start = time.perf_counter()
    act(mark)
    page.get_by_text(mark).first.wait_for(state="attached", timeout=120_000)
    return time.perf_counter() - start


def _print(what: str, seconds: list[float]) -> None:
    over = "" if median(seconds) <= LIMIT else f"  OVER THE LIMIT of {LIMIT:.0f} s"
    print(f"{what} in the open browser: median {median(seconds):.2f} s, slowest {max(seconds):.2f} s{over}", flush=True)


if __name__ == "__main__":
    main()
