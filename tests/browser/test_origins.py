"""Who said this: shown on demand on the page of a generation, by keyboard too, and without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Watched
from tests.conftest import Demo

pytestmark = pytest.mark.browser
PAGE = "topics/personal-blog/gen3/index.html"


def test_who_said_this_is_shown_on_demand_and_leads_to_the_generation_that_did(watched: Watched, demo: Demo) -> None:
    page = watched.page
    page.goto((demo.site / PAGE).as_uri())
    mark = page.locator("article.memsite-article-page .memsite-said-by", has_text="gen 1").first
    expect(mark).not_to_be_visible()
    page.get_by_label("Who said this").focus()
    page.keyboard.press("Space")
    expect(mark).to_be_visible()
    expect(page.get_by_text("Behind each sentence stands the generation")).to_be_visible()
    expect(mark).to_have_attribute("title", "Generation 1, 2025-03-25")
    point = page.locator("li", has=page.get_by_text("Pages must load fast on a phone")).first
    expect(point.locator(".memsite-said-by")).to_have_text("gen 1")
    page.keyboard.press("Space")
    expect(mark).not_to_be_visible()
    page.get_by_text("Who said this").click()
    mark.click()
    expect(page).to_have_url(re.compile(r"topics/personal-blog/gen1/(index\.html)?$"))
    assert watched.complaints == []


def test_a_topic_leads_to_who_said_this_switched_on(watched: Watched, demo: Demo) -> None:
    page = watched.page
    page.goto((demo.site / "topics/personal-blog/index.html").as_uri())
    page.get_by_role("link", name="who said this").click()
    expect(page.get_by_label("Who said this")).to_be_checked()
    expect(page.locator("article.memsite-article-page .memsite-said-by", has_text="gen 1").first).to_be_visible()
    assert watched.complaints == []


def test_who_said_this_needs_no_script(browser: Any, demo: Demo) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((demo.site / PAGE).as_uri())
    marks = page.locator("article.memsite-article-page .memsite-said-by")
    expect(marks.first).not_to_be_visible()
    page.get_by_text("Who said this").click()
    expect(marks.first).to_be_visible()
    assert {text.strip() for text in marks.all_inner_texts()} == {"gen 1", "gen 2", "gen 3"}
    context.close()
