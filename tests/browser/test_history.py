"""The history in the browser: narrowed down without a script, and from a note to its text of then in two clicks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Watched
from tests.conftest import Demo

pytestmark = pytest.mark.browser


def test_from_a_note_to_its_text_as_it_was_in_two_clicks(watched: Watched, demo: Demo) -> None:
    page = watched.page
    page.goto((demo.site / "daily/2025-03-22/index.html").as_uri())
    page.get_by_text(re.compile(r"^\d+ revisions of")).first.click()
    page.locator(".memsite-revisions[open] .memsite-log a").last.click()
    expect(page).to_have_url(re.compile(r"history/2025-03-22/index\.html#[0-9a-f]{40}\.\d$"))
    shown = page.locator("p:target + .memsite-past")
    expect(shown).to_be_visible()
    expect(shown).to_contain_text("# 2025-03-22")
    expect(shown).to_be_in_viewport()
    page.locator("p:target").get_by_text("newer →").click()
    expect(page.locator(":target")).to_be_in_viewport()
    assert watched.complaints == []


def test_a_history_is_narrowed_down_without_a_script(browser: Any, demo: Demo) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name, item in (("history/2025-05-12", ".memsite-commit"), ("history/2025", ".memsite-log li")):
        page.goto((demo.site / name / "index.html").as_uri())
        items = page.locator(item)
        everything = items.count()
        page.get_by_text("consolidations", exact=True).click()
        shown = items.locator("visible=true")
        assert 0 < shown.count() < everything
        assert all("consolidate" in text for text in shown.all_inner_texts())
        page.get_by_text("all", exact=True).click()
        assert shown.count() == everything
    context.close()


def test_the_history_is_narrowed_down_by_keyboard(watched: Watched, demo: Demo) -> None:
    page = watched.page
    page.goto((demo.site / "history/2025/index.html").as_uri())
    page.get_by_label("all", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("sessions", exact=True)).to_be_checked()
    expect(page.locator(".memsite-log li").locator("visible=true").first).to_contain_text("session")
    assert watched.complaints == []


def test_the_revisions_of_the_index_unfold_at_their_address(watched: Watched, demo: Demo) -> None:
    page = watched.page
    page.goto((demo.site / "index/index.html").as_uri())
    page.get_by_role("link", name=re.compile(r"^\d+ revisions$")).click()
    expect(page.get_by_text("All of them, by month")).to_be_visible()
    page.locator(".memsite-older a").last.click()
    expect(page.locator("p:target + .memsite-past")).to_contain_text("# Memory Index")
    assert watched.complaints == []
