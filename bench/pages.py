"""Pages in Chromium, of a generated memory: bytes transferred before search, layout shift, when a page can be used.

python bench/pages.py [--days 1000] [--site FOLDER]    # FOLDER: a site that is there already

The largest page of each kind, over http with an empty cache, compressed with gzip as hosts do; the size of the files
stands beside that.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, sync_playwright

from bench.memories import make_memory
from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.screenshots import KINDS, find_page

DAYS, RUNS = 1_000, 3
LIMIT, SHIFT, USABLE = 300_000, 0.001, 1.0
"""Bytes transferred; layout shift, of which the eye sees none; seconds."""
MEASURE = """() => new Promise(done => {
    let shift = 0
    new PerformanceObserver(list => list.getEntries().forEach(one => { shift += one.value }))
        .observe({type: "layout-shift", buffered: true})
    setTimeout(() => {
        const page = performance.getEntriesByType("navigation")[0]
        const all = [page, ...performance.getEntriesByType("resource")]
        const sum = key => all.reduce((total, one) => total + one[key], 0)
        done([sum("encodedBodySize"), sum("decodedBodySize"), shift, page.domContentLoadedEventEnd / 1000])
    }, 400)
})"""


class Host(SimpleHTTPRequestHandler):
    """Serves a folder as a host of static files does, and says nothing."""

    def do_GET(self) -> None:
        """A file, compressed unless it is a picture."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix not in (".png", ".jpg"):
            data = gzip.compress(data)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench/pages.py")
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--site", type=Path)
    given = parser.parse_args()
    if given.site:
        _measure(given.site)
        return
    with tempfile.TemporaryDirectory() as folder:
        root = make_memory(Path(folder) / "memory", days=given.days).root
        build_site(open_workspace(root))
        _measure(root / "site")


def _measure(site: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("\n| page | KB transferred | KB of files | layout shift | seconds until it can be used | |")
    print("|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for kind in KINDS:
            path = find_page(site, kind) if not kind.act and kind.name != "not-found" else None
            if path:
                address = f"http://127.0.0.1:{server.server_port}/{path.relative_to(site).as_posix()}"
                print(_row(kind.name, [_visit(browser, address) for _ in range(RUNS)]), flush=True)
        browser.close()
    server.shutdown()


def _row(name: str, visits: list[tuple[float, ...]]) -> str:
    sent, size, shift, usable = (median(figures) for figures in zip(*visits, strict=True))
    verdict = "over" if sent > LIMIT or shift > SHIFT or usable > USABLE else ""
    return f"| {name} | {sent / 1000:.0f} | {size / 1000:.0f} | {shift:.4f} | {usable:.2f} | {verdict} |"


def _visit(browser: Browser, address: str) -> tuple[float, ...]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address)
    found = tuple(page.evaluate(MEASURE))
    context.close()
    return found


if __name__ == "__main__":
    main()
