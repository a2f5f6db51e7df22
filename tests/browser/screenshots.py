"""Pictures of every kind of page at three widths, light and dark, and as printed: to be looked at, one by one.

    python -m tests.browser.screenshots SITE FOLDER [KIND…]

`make screenshots` takes them of the demo and of a generated memory of three years, into `build/screenshots/`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS

WIDTHS = (400, 900, 1600)
SCHEMES = ("light", "dark")
TALLEST = 3000
"""Pixels; a page goes on below, but not to learn anything new from."""
SLOW = 60_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page, and which page of a site is its picture: the largest file that matches and has the text."""

    name: str
    pattern: str
    """Of the address in the site folder."""
    text: str = ""
    """That the page's HTML must have."""
    act: str = ""
    """What is done before: `search`, or the selector of what is clicked."""


DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
KINDS = (
    Kind("home", r"index\.html"),
    Kind("topics", r"topics/index\.html"),
    Kind("topic", r"topics/personal-blog/index\.html"),
    Kind("topic-chinese", r"topics/[^/a-z]+/index\.html"),
    Kind("topic-gap", r"topics/podcast/index\.html"),
    Kind("topic-bare", r"topics/[^/]+/index\.html", text="No generation yet"),
    Kind("generation", r"topics/personal-blog/gen[0-9]+/index\.html"),
    Kind("compare", r"topics/personal-blog/compare/.*/index\.html"),
    Kind("compare-beside", r"topics/[^/]+/compare/.*/index\.html", act="label[for=__memsite-view-beside]"),
    Kind("compare-any", r"topics/personal-blog/compare/index\.html"),
    Kind("day", rf"daily/{DAY}/index\.html"),
    Kind("day-archived", rf"daily/{DAY}/index\.html", text="memsite-archived"),
    Kind("day-deleted", rf"daily/{DAY}/index\.html", text="memsite-notice-deleted"),
    Kind("day-picture", rf"daily/{DAY}/index\.html", text="assets/memory/memory/images"),
    Kind("day-rtl", rf"daily/{DAY}/index\.html", text="مرحبا"),
    Kind("month", r"daily/[0-9]{4}/[0-9]{2}/index\.html"),
    Kind("year", r"daily/[0-9]{4}/index\.html"),
    Kind("years", r"daily/index\.html"),
    Kind("sessions-day", rf"sessions/{DAY}/index\.html"),
    Kind("sessions-year", r"sessions/[0-9]{4}/index\.html"),
    Kind("sessions", r"sessions/index\.html"),
    Kind("history-day", rf"history/{DAY}/index\.html"),
    Kind("history-year", r"history/[0-9]{4}/index\.html"),
    Kind("history", r"history/index\.html"),
    Kind("index", r"index/index\.html"),
    Kind("notes", r"notes/index\.html"),
    Kind("note", r"notes/.*/index\.html", text="memsite-front-matter"),
    Kind("note-huge", r"notes/.*/index\.html", text="memsite-rest"),
    Kind("unreadable", r"notes/.*/index\.html", text="This file cannot be read"),
    Kind("not-found", r"404\.html"),
    Kind("search", r"index\.html", act="search"),
)


def find_page(site: Path, kind: Kind) -> Path | None:
    """The page that shows the kind; None where the site has none."""
    found = [path for path in site.rglob("*.html") if re.fullmatch(kind.pattern, path.relative_to(site).as_posix())]
    found.sort(key=lambda path: (-path.stat().st_size, path))
    return next((path for path in found if not kind.text or kind.text in path.read_text(encoding="utf-8")), None)


def shoot(browser: Browser, site: Path, folder: Path, kind: Kind) -> Iterator[Path]:
    """Take the pictures of a kind; their paths."""
    path = find_page(site, kind)
    if path is None:
        return
    for scheme in SCHEMES:
        context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
        page = context.new_page()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(path.as_uri())
            act(page, kind)
            yield _picture(page, folder / f"{kind.name}-{width}-{scheme}.png", width)
        if scheme == "light" and not kind.act:
            page.pdf(path=folder / f"{kind.name}.pdf", format="A4")
            yield folder / f"{kind.name}.pdf"
        context.close()


def act(page: Page, kind: Kind) -> None:
    """Do what the kind asks for before it is looked at."""
    if kind.act == "search":
        page.keyboard.press("/")
        page.locator("[data-memsite-search=input]").fill("blog")
        page.locator("dialog[aria-busy=false]").wait_for()
    elif kind.act and page.locator(kind.act).first.is_visible():
        page.locator(kind.act).first.click()


def _picture(page: Page, path: Path, width: int) -> Path:
    height = 900 if page.locator("dialog[open]").count() else page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": max(900, min(height, TALLEST))})
    page.screenshot(path=path)
    return path


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots")
    parser.add_argument("site", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kinds", nargs="*", help="all of them, if none is named")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for kind in KINDS:
            if not given.kinds or kind.name in given.kinds:
                taken = len(list(shoot(browser, given.site.resolve(), given.folder, kind)))
                print(f"{kind.name}: {taken or 'no such page'}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
