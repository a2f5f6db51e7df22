"""Take the README's pictures of the demo's site: `make pictures`."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS

FOLDER = Path(__file__).parent / "pictures"
SIZE = 1240, 800
PICTURES = {
    "home": ("index.html", "light", ""),
    "topic": ("topics/personal-blog/index.html", "light", ""),
    "compare": ("topics/personal-blog/compare/1..2/index.html", "light", ""),
    "who-said-this": ("topics/personal-blog/gen3/index.html", "dark", "Who said this"),
}
"""Name -> page, colour scheme, and the label that is clicked before."""


def take(browser: Browser, site: Path, name: str) -> None:
    """Write the picture of this name to `docs/pictures/`."""
    path, scheme, label = PICTURES[name]
    width, height = SIZE
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.goto((site / path).as_uri())
    if label:
        page.get_by_text(label, exact=True).first.click()
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
    page.close()


def main() -> None:
    """The command; the folder of the demo's site is its argument."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name in PICTURES:
            take(browser, Path(sys.argv[1]).resolve(), name)
        browser.close()


if __name__ == "__main__":
    main()
