"""A line that a link leads to is marked, whatever block it is in; what is too long for a page is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.browser.conftest import Watched

pytestmark = pytest.mark.browser
NOTE = """---
description: {long}
---
# 2025-03-20

- tight
- two
  lines

  - nested

Plain text
of two lines.

1. loose

   second

> quoted

| a | b |
|---|---|
| c | d |
"""
MARKED = """[...document.querySelectorAll(".memsite-document *")]
    .filter(one => getComputedStyle(one).boxShadow !== "none")
    .map(one => one.tagName + " " + one.innerText.trim().split(/\\s+/).join(" "))"""


@pytest.fixture
def day(workspace: Path, git: Callable[..., str]) -> str:
    """The page of a day whose note has blocks of all kinds."""
    (workspace / "memory/2025-03-20.md").write_text(NOTE.format(long="x" * 400), encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "notes", cwd=workspace)
    build_site(open_workspace(workspace))
    return (workspace / "site/daily/2025-03-20/index.html").as_uri()


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        (6, ["LI tight"]),
        (7, ["LI two lines nested"]),
        (8, ["LI two lines nested"]),
        (10, ["LI nested"]),
        (12, ["P Plain text of two lines."]),
        (13, ["P Plain text of two lines."]),
        (15, ["LI loose second"]),
        (19, ["P quoted"]),
        (23, ["TR c d"]),
    ],
)
def test_a_line_that_is_led_to_is_marked_in_any_block(watched: Watched, day: str, line: int, marked: list[str]) -> None:
    page = watched.page
    page.goto(f"{day}#L{line}")
    assert page.evaluate(MARKED) == marked


@pytest.mark.parametrize("width", [400, 1400])
def test_a_long_value_of_front_matter_is_broken_and_its_key_is_not(watched: Watched, day: str, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 900})
    watched.page.goto(day)
    key = watched.page.locator(".memsite-front-matter th")
    assert (
        key.evaluate("one => { const r = new Range(); r.selectNodeContents(one); return r.getClientRects().length }")
        == 1
    )
    assert watched.page.locator(".memsite-front-matter").inner_text().count("x") == 400
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
