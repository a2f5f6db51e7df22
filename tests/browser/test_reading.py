"""A person reads the demo: by clicking from home to what changed, and to the day it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Served, Watched
from tests.browser.screenshots import WIDTHS
from tests.conftest import Demo

pytestmark = pytest.mark.browser


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, demo: Demo, tmp_path: Path) -> Iterator[str]:
    """The site from the disk, and from a server below a sub-path."""
    if request.param == "file":
        yield demo.site.as_uri() + "/index.html"
        return
    served = Served(demo.site, tmp_path / "root")
    yield served.address
    served.stop()


def test_from_home_to_a_topic_to_a_diff_back_and_to_the_day_of_a_key_point(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(address)
    page.get_by_role("main").get_by_role("link", name="personal-blog", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("personal-blog")
    page.get_by_role("link", name=re.compile("Compare 1 and 2")).click()
    expect(page).to_have_url(re.compile(r"topics/personal-blog/compare/1\.\.2/"))
    expect(page.locator("ins", has_text="Astro").first).to_be_visible()
    expect(page.locator("del", has_text="Next.js").first).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="2025-05-06, line 5").click()
    expect(page).to_have_url(re.compile(r"daily/2025-05-06/(index\.html)?#L5$"))
    expect(
        page.get_by_role("listitem").filter(has_text="决定：托管从 Vercel 迁移到 Cloudflare Pages。")
    ).to_be_visible()
    assert watched.complaints == []


def test_no_page_leaves_the_origin_complains_or_is_wider_than_the_window(watched: Watched, demo: Demo) -> None:
    pages = sorted(demo.site.rglob("index.html"))
    too_wide = []
    for page in pages:
        watched.page.goto(page.as_uri())
        for width in WIDTHS:
            watched.page.set_viewport_size({"width": width, "height": 900})
            if watched.page.evaluate("document.documentElement.scrollWidth") > width:
                too_wide.append(f"{page.relative_to(demo.site)} at {width}")
    assert len(pages) > 50
    assert too_wide == []
    assert [url for url in watched.requests if not url.startswith(("file:", "data:"))] == []
    assert watched.complaints == []


@pytest.mark.parametrize("query", ["决定", "cloudfl", "Next.js", "registrar", "一篇"])
def test_a_word_of_the_story_is_found_by_typing_and_leads_to_it(watched: Watched, address: str, query: str) -> None:
    page = watched.page
    page.goto(address)
    page.keyboard.press("/")
    page.locator("[data-memsite-search=input]").type(query)
    page.locator("dialog[aria-busy=false]").wait_for()
    page.locator("[role=option]").first.click()
    page.wait_for_load_state()
    assert query.lower() in page.locator("main").inner_text().lower()
    assert watched.complaints == []
