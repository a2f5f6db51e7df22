"""Every kind of page, looked at by a program: nothing too wide, too faint, or one over the other; and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watched
from tests.browser.screenshots import KINDS, WIDTHS, Kind, find_page
from tests.conftest import Demo, Generated

pytestmark = pytest.mark.browser

LOOKING = Path(__file__).with_name("looking.js").read_text(encoding="utf-8")
RARE = {"compare-any", "topic-gap", "note-huge", "unreadable", "compare", "not-found", "search"}
"""Kinds that a memory of 60 days has not, or that other tests look at."""


def pages_of(demo: Demo, generated: Generated) -> dict[str, Path]:
    """A page of every kind, most of them of the generated memory, else of the demo."""
    found = {kind.name: find_page(generated.site, kind) or find_page(demo.site, kind) for kind in KINDS if not kind.act}
    return {name: path for name, path in found.items() if path and name != "not-found"}


def test_there_is_a_page_of_every_kind(demo: Demo, generated: Generated) -> None:
    missing = {kind.name for kind in KINDS if not kind.act} - set(pages_of(demo, generated))
    assert missing <= RARE


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_page_can_be_read(browser: Browser, demo: Demo, generated: Generated, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    wrong = []
    for name, path in pages_of(demo, generated).items():
        page.goto(path.as_uri())
        _unfold(page)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            seen = page.evaluate(LOOKING)
            wrong += [f"{name} {width} {what}: {one}" for what in ("faint", "covered", "outside") for one in seen[what]]
            if seen["wide"] > width:
                wrong.append(f"{name} {width}: {seen['wide']} pixels wide")
    context.close()
    assert wrong == []


def _unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")


def test_no_page_of_a_generated_memory_has_a_word_for_the_console(watched: Watched, generated: Generated) -> None:
    pages = sorted(generated.site.rglob("index.html"))
    for page in pages:
        watched.page.goto(page.as_uri())
    assert len(pages) > 180
    assert watched.complaints == []
    assert [url for url in watched.requests if not url.startswith(("file:", "data:"))] == []


def test_a_source_leads_into_a_note_that_is_folded(watched: Watched, generated: Generated) -> None:
    """Sources are consolidated, so nearly every link of a generation goes to text that is folded."""
    page = watched.page
    page.goto((generated.site / "topics/personal-blog/gen1/index.html").as_uri())
    link = page.locator("a.memsite-source[href*='#L']").first
    claim = page.locator("li", has=link).locator(".memsite-point").first.inner_text()
    link.click()
    page.wait_for_url("**/daily/**")
    expect(page.locator("details.memsite-archived[open]").get_by_text(claim).first).to_be_in_viewport()


def test_text_from_right_to_left_begins_at_the_right(watched: Watched, generated: Generated) -> None:
    page = watched.page
    page.goto((find_page(generated.site, _kind("day-rtl")) or generated.site).as_uri())
    _unfold(page)
    sides = """(paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const [text, block] = [range.getBoundingClientRect(), paragraph.getBoundingClientRect()];
      return [text.left - block.left, block.right - text.right].map(Math.round);
    }"""
    for words in ("مرحبا", "שלום"):
        left, right = page.locator("p", has_text=words).first.evaluate(sides)
        assert (left > 100, right) == (True, 0), words
    left, right = page.locator(".memsite-document li").first.evaluate(sides)
    assert (left, right > 0) == (0, True)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


def test_marks_of_a_lineage_lead_to_what_they_mark(watched: Watched, generated: Generated) -> None:
    page = watched.page
    address = (generated.site / "topics/invoice-parser/index.html").as_uri()
    page.goto(address)
    drawing = page.locator("svg.memsite-timeline")
    marks = drawing.locator("circle.memsite-dot, .memsite-pin rect, .memsite-flag path")
    assert marks.count() > 10
    assert drawing.locator("a[aria-label]").count() == marks.count()
    drawing.get_by_role("link", name="gen 1,").click()
    expect(page).to_have_url((generated.site / "topics/invoice-parser/gen1/index.html").as_uri())
    page.goto(address)
    drawing.locator("a:has(circle.memsite-dot)").first.click()
    expect(page.locator("h1 time")).to_be_visible()


def test_columns_of_the_sessions_lead_to_their_days(watched: Watched, generated: Generated) -> None:
    page = watched.page
    page.goto((generated.site / "sessions/index.html").as_uri())
    page.locator("svg.memsite-chart a").last.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sessions of 2026")
    expect(page.locator("tr:target")).to_be_in_viewport()


@pytest.mark.parametrize("kind", ["home", "topic", "day-archived", "sessions-year", "history-day", "compare"])
def test_on_paper_there_is_the_text_alone_and_all_of_it(
    browser: Browser, demo: Demo, generated: Generated, kind: str
) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 700, "height": 1000})
    page = context.new_page()
    page.goto(pages_of(demo, generated)[kind].as_uri())
    page.emulate_media(media="print")
    unwanted_parts = ("header.md-header", "footer.md-footer", ".md-sidebar", ".memsite-crumbs", ".memsite-markdown")
    for unwanted in (*unwanted_parts, ".memsite-pager"):
        assert not any(one.is_visible() for one in page.locator(unwanted).all()), unwanted
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in {
        "rgb(255, 255, 255)",
        "rgba(0, 0, 0, 0)",
    }
    folded = page.locator("main details:not([open]):not(.memsite-then) > :not(summary)")
    assert all(
        one.is_visible()
        for one in folded.all()
        if not one.locator("xpath=ancestor::*[contains(@class,'memsite-then')]").count()
    )
    seen = page.evaluate(LOOKING)
    assert (seen["faint"], seen["covered"], seen["outside"]) == ([], [], [])
    context.close()


@pytest.mark.parametrize("page", ["", "sessions/", "sessions/{year}/"])
def test_on_a_phone_a_drawing_opens_at_what_is_latest(watched: Watched, generated: Generated, page: str) -> None:
    years = [folder.name for folder in (generated.site / "sessions").iterdir() if len(folder.name) == 4]
    watched.page.set_viewport_size({"width": 400, "height": 900})
    watched.page.goto((generated.site / page.format(year=max(years, default="")) / "index.html").as_uri())
    drawings = watched.page.locator(".memsite-scroll")
    for drawing in drawings.all():
        latest = drawing.locator("a").last
        box, around = latest.bounding_box(), drawing.bounding_box()
        assert box
        assert around
        assert around["x"] <= box["x"] <= around["x"] + around["width"]
