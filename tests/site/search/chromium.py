"""The same as lookup.cjs, in Chromium: `python chromium.py CHROMIUM ASSETS SITE < asked.json > told.json`.

A program of its own, since a process can drive one browser only, and other tests drive theirs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def look_up(chromium: str, assets: Path, site: Path, asked: object) -> object:
    """What the search code answers, as `lookup.js` gives it."""

    def read(name: str) -> str:
        return (site if name.startswith("search/") else assets).joinpath(name).read_text(encoding="utf-8")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        page.expose_function("readScript", read)
        script = Path(__file__).with_name("lookup.js").read_text(encoding="utf-8")
        page.evaluate(f"{script}; null")  # a function as the last value would be called
        told = page.evaluate("asked => lookUp(asked, readScript)", asked)
        browser.close()
    return told


if __name__ == "__main__":
    json.dump(look_up(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), json.load(sys.stdin)), sys.stdout)
