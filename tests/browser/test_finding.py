"""Somebody looks for something in three years: the page is among the first three, whatever the script."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, Watched
from tests.finding import QUERIES, Years

pytestmark = pytest.mark.browser

LIMIT = 300_000
"""Bytes that the first query may transfer."""


def results(page: Page, root: str) -> list[str]:
    """The addresses of the results, best first, relative to the site."""
    page.locator("dialog[aria-busy=false]").wait_for(timeout=PATIENCE)
    links = page.locator("[role=option]").evaluate_all("links => links.map(link => link.href)")
    return [unquote(link.removeprefix(root).split("?")[0]).removesuffix("index.html") for link in links]


def size_of_search(years: Years, root: str, requests: list[str]) -> int:
    """Bytes of the files that search asked for, each once, as a server sends them that does not compress."""
    paths = {unquote(url.removeprefix(root).split("?")[0]) for url in requests if url.startswith(root)}
    return sum((years.site / path).stat().st_size for path in paths if "search" in path)


def test_the_right_page_is_among_the_first_three_and_little_is_transferred(
    watched: Watched, years: Years, served_years: str
) -> None:
    missed: dict[str, list[str]] = {}
    loaded: dict[str, int] = {}
    for query, wanted in QUERIES:
        watched.requests.clear()
        watched.page.goto(f"{served_years}daily/2024-02-13/")
        watched.page.keyboard.press("/")
        box = watched.page.locator("[data-memsite-search=input]")
        box.fill(query)
        whole = results(watched.page, served_years)[:3]
        loaded[query] = size_of_search(years, served_years, watched.requests)
        box.fill("")
        watched.page.keyboard.type(query)
        typed = results(watched.page, served_years)[:3]
        if wanted not in whole or typed != whole:
            missed[query] = [*whole, "typed:", *typed]
    assert missed == {}
    assert {query: size for query, size in loaded.items() if not 0 < size <= LIMIT} == {}
    assert watched.complaints == []


def test_the_right_page_is_among_the_first_three_without_a_server(watched: Watched, years: Years) -> None:
    root = years.site.as_uri() + "/"
    watched.page.goto(f"{root}index.html")
    watched.page.keyboard.press("/")
    missed = {}
    for query, wanted in QUERIES:
        watched.page.locator("[data-memsite-search=input]").fill("")
        watched.page.keyboard.type(query)
        first = results(watched.page, root)[:3]
        if wanted not in first:
            missed[query] = first
    assert missed == {}
    assert watched.complaints == []


def test_results_narrowed_to_a_kind_and_a_year_lead_to_pages_with_marks(watched: Watched, served_years: str) -> None:
    page = watched.page
    page.goto(served_years)
    page.keyboard.press("/")
    page.keyboard.type("crown")
    assert len(results(page, served_years)) > 2
    status = page.locator("[data-memsite-search=status]")
    page.locator("[data-memsite-search=kind]").select_option("day")
    assert results(page, served_years) == ["daily/2025-07-09/", "daily/2023-08-18/"]
    expect(status).to_have_text("2 pages")
    page.locator("[data-memsite-search=time]").select_option(label="2023")
    assert results(page, served_years) == ["daily/2023-08-18/"]
    expect(status).to_have_text("1 page")
    page.locator("[data-memsite-search=input]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/daily/2023-08-18/**")
    expect(page.locator("mark.memsite-mark")).to_have_text(["crown"])
    assert watched.complaints == []


def test_the_memory_is_one_of_three_years(years: Years) -> None:
    assert sorted(path.name for path in (years.site / "daily").glob("20??")) == ["2023", "2024", "2025", "2026"]
