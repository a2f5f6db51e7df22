"""Search in the real Chromium: over http below a sub-path, and from `file://`, under the site's policy."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from memsite.safety.csp import CONTENT_SECURITY_POLICY
from memsite.site.search.documents import SearchDocument
from memsite.site.search.index import build_search

playwright_api = pytest.importorskip(
    "playwright.sync_api", reason="NO PLAYWRIGHT: the search is not tried in a browser"
)

pytestmark = pytest.mark.browser

SITE = Path(__file__).parents[2] / "memsite" / "site"
PAGE = Environment(autoescape=True, loader=FileSystemLoader(SITE / "overlay")).from_string(
    """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta http-equiv="Content-Security-Policy" content="{{ policy }}">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="{{ root }}assets/memsite/search.css">
</head><body><header>{% include "partials/memsite-search.html" %}</header>
<main><article><h1>{{ title }}</h1>{% for line in lines %}<p>{{ line }}</p>{% endfor %}
<p>Split <b>部</b><i>署</i>方案 words</p></article><input id="other"></main>
<script src="{{ root }}assets/memsite/search.js"></script></body></html>"""
)
HOSTILE = "<img src=x onerror=alert(1)> <script>alert(2)</script>"
DOCUMENTS = (
    SearchDocument(
        "topics/blog/", "Personal blog", "topic", date(2025, 3, 20), "The blog runs on a static generator.\n部署"
    ),
    SearchDocument(
        "daily/2025-03-25/", "2025-03-25", "day", date(2025, 3, 25), "今天讨论了部署方案。\nblog deployment"
    ),
    SearchDocument("daily/2024-01-02/", "2024-01-02", "day", date(2024, 1, 2), "プログラミングの部署。 blog"),
    SearchDocument("sessions/2025-03-25/", "Sessions", "session-day", date(2025, 3, 25), "회의록을 작성했습니다 blog"),
    SearchDocument("notes/a #1? 100%/", "Odd & <name>", "note", None, f"{HOSTILE} oddity"),
    SearchDocument("", "Home", "home", None, "Welcome home"),
    *(
        SearchDocument(
            f"daily/{day}/",
            str(day),
            "day",
            day,
            f"filler of day {day.day} with common words\n" + "lorem ipsum 普通的文字 " * 20,
        )
        for day in (date(2023, 1, 1) + timedelta(days=number) for number in range(60))
    ),
)


def write_site(root: Path) -> Path:
    shutil.copytree(SITE / "assets", root / "assets" / "memsite")
    for name, content in build_search(DOCUMENTS).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for document in DOCUMENTS:
        folder = root / document.uri
        folder.mkdir(parents=True, exist_ok=True)
        up = "../" * document.uri.count("/")
        html = PAGE.render(
            title=document.title, policy=CONTENT_SECURITY_POLICY, root=up, lines=document.text.split("\n")
        )
        (folder / "index.html").write_text(html, encoding="utf-8")
    return root


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Requests are counted in the browser."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    served = tmp_path_factory.mktemp("served")
    write_site(served / "some where" / "memory")
    return served


@pytest.fixture(scope="module")
def addresses(folder: Path) -> Iterator[dict[str, str]]:
    handler = functools.partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield {
            "http": f"http://127.0.0.1:{server.server_port}/some%20where/memory/",
            "file": (folder / "some where" / "memory").as_uri() + "/",
        }
        server.shutdown()
        thread.join()


@dataclass
class Reader:
    """A page of the site and what went wrong on it."""

    page: Any
    root: str
    suffix: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, uri: str = "") -> None:
        self.page.goto(f"{self.root}{uri}{self.suffix}")

    def ask(self, query: str) -> list[str]:
        """Type a query into the open dialog; the hrefs of the results, relative to the site."""
        self.page.locator("[data-memsite-search=input]").fill(query)
        return self.settled()

    def settled(self) -> list[str]:
        """The results once they are there."""
        self.page.locator("dialog[aria-busy=false]").wait_for()
        return self.results()

    def results(self) -> list[str]:
        links = self.page.locator("[role=option]").evaluate_all("links => links.map(link => link.href)")
        return [link.removeprefix(self.root).split("?")[0].removesuffix("index.html") for link in links]

    @property
    def status(self) -> str:
        return str(self.page.locator("[data-memsite-search=status]").inner_text())


@pytest.fixture(params=["http", "file"])
def reader(request: pytest.FixtureRequest, browser: Any, addresses: dict[str, str]) -> Iterator[Reader]:
    context = browser.new_context(locale="en-GB", timezone_id="UTC")
    page = context.new_page()
    page.set_default_timeout(10_000)
    suffix = "index.html" if request.param == "file" else ""
    reading = Reader(page, addresses[request.param], suffix)
    page.on("console", lambda message: reading.complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: reading.complaints.append(str(error)))
    page.on("dialog", lambda dialog: reading.complaints.append(f"alert: {dialog.message}"))
    page.on("request", lambda asked: reading.requests.append(asked.url))
    reading.open()
    yield reading
    context.close()
    assert reading.complaints == []
    assert [url for url in reading.requests if not url.startswith((reading.root, "data:"))] == []


def focused(reader: Reader) -> str:
    return str(reader.page.evaluate("document.activeElement.dataset.memsiteSearch ?? document.activeElement.id"))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("部署方案", "daily/2025-03-25/"),
        ("今天讨论了部署方案", "daily/2025-03-25/"),
        ("プログラミング", "daily/2024-01-02/"),
        ("ﾌﾟﾛｸﾞﾗﾐﾝｸﾞ", "daily/2024-01-02/"),
        ("회의", "sessions/2025-03-25/"),
        ("STATIC gen", "topics/blog/"),
        ("oddity", "notes/a%20%231%3F%20100%25/"),
        ("blog", "topics/blog/"),
        ("welcome", ""),
    ],
)
def test_the_right_page_comes_first(reader: Reader, query: str, first: str) -> None:
    reader.page.keyboard.press("/")
    assert reader.ask(query)[0] == first


def test_every_letter_typed_gives_results_and_true_counts(reader: Reader) -> None:
    reader.page.keyboard.press("Control+k")
    seen = []
    for size in range(1, 5):
        reader.ask("部署方案"[:size])
        seen.append(reader.status)
    assert seen == ["3 pages", "3 pages", "1 page", "1 page"]
    reader.ask("zzzz")
    assert reader.status == "No page has this"
    reader.ask("common words")
    assert reader.status == "60 pages"


def test_results_are_grouped_with_topics_first_and_dates(reader: Reader) -> None:
    reader.page.locator("[data-memsite-search=open]").click()
    reader.ask("blog")
    groups = reader.page.locator("[role=group]")
    names = groups.evaluate_all(
        "all => all.map(each => document.getElementById(each.getAttribute('aria-labelledby')).innerText)"
    )
    assert names[0] == "Topics 1"
    assert sorted(names) == ["Days 2", "Sessions 1", "Topics 1"]
    assert reader.page.locator("time[datetime='2025-03-25']").first.inner_text() == "25 Mar 2025"
    marks = reader.page.locator("[role=option] mark").all_inner_texts()
    assert {mark.lower() for mark in marks} == {"blog"}


def test_filters_by_kind_and_time(reader: Reader) -> None:
    reader.page.keyboard.press("/")
    reader.ask("blog")
    kind, time = (reader.page.locator(f"[data-memsite-search={name}]") for name in ("kind", "time"))
    assert kind.locator("option").all_inner_texts() == ["All kinds", "Topics", "Days", "Sessions", "Notes", "Home"]
    kind.select_option("day")
    reader.settled()
    assert (reader.status, set(reader.results())) == ("2 pages", {"daily/2025-03-25/", "daily/2024-01-02/"})
    time.select_option(label="2024")
    reader.settled()
    assert reader.results() == ["daily/2024-01-02/"]
    kind.select_option("")
    time.select_option("7")
    reader.settled()
    assert sorted(reader.results()) == ["daily/2025-03-25/", "sessions/2025-03-25/", "topics/blog/"]


def test_the_keyboard_does_everything(reader: Reader) -> None:
    page = reader.page
    page.keyboard.press("/")
    assert focused(reader) == "input"
    reader.ask("blog")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    chosen = page.locator("[data-memsite-search=input]").get_attribute("aria-activedescendant")
    assert page.locator("[aria-selected=true]").get_attribute("id") == chosen == "__memsite-search-result-1"
    page.keyboard.press("ArrowUp")
    assert page.locator("[aria-selected=true]").get_attribute("id") == "__memsite-search-result-4"
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()
    page.locator("#other").focus()
    page.keyboard.press("/")
    assert page.locator("#other").input_value() == "/"
    page.keyboard.press("Control+k")
    assert focused(reader) == "input"
    page.keyboard.press("Enter")
    page.wait_for_url("**/topics/blog/**")
    assert page.locator("h1").inner_text() == "Personal blog"


def test_the_page_that_a_result_leads_to_is_marked_across_elements(reader: Reader) -> None:
    page = reader.page
    page.keyboard.press("/")
    reader.ask("部署方案")
    page.keyboard.press("Enter")
    page.wait_for_url("**/daily/2025-03-25/**")
    page.locator("mark.memsite-mark").first.wait_for()
    assert page.locator("mark.memsite-mark").all_inner_texts() == ["部署方案", "部", "署", "方案"]
    page.keyboard.press("Escape")
    assert page.locator("mark").count() == 0
    assert page.locator("article p").last.inner_text() == "Split 部署方案 words"


def test_hostile_text_stays_text(reader: Reader) -> None:
    reader.page.keyboard.press("/")
    reader.ask("oddity")
    assert HOSTILE in reader.page.locator(".memsite-search__excerpt").inner_text()
    assert reader.page.locator(".memsite-search__title").inner_text() == "Odd & <name>"
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url("**/notes/**")
    reader.page.locator("mark.memsite-mark").first.wait_for()
    assert reader.page.locator("h1").inner_text() == "Odd & <name>"
    reader.page.goto(reader.page.url.split("?")[0] + "?h=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    reader.page.locator("mark.memsite-mark").first.wait_for()


def test_roles_tell_assistive_programs_what_happens(reader: Reader) -> None:
    page = reader.page
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search the memory")
    assert box.get_attribute("aria-expanded") == "false"
    reader.ask("blog")
    assert box.get_attribute("aria-expanded") == "true"
    assert page.get_by_role("listbox", name="Results").get_by_role("option").count() == 4
    assert page.get_by_role("group", name="Topics 1").count() == 1
    assert page.get_by_role("status").inner_text() == "4 pages"
    reader.page.locator("[data-memsite-search=input]").fill("")
    page.locator("[role=listbox]").wait_for(state="hidden")
    assert box.get_attribute("aria-expanded") == "false"


def test_more_results_are_shown_when_asked_for(reader: Reader) -> None:
    reader.page.keyboard.press("/")
    assert len(reader.ask("common")) == 10
    more = reader.page.get_by_role("button", name="More results")
    more.click()
    reader.page.locator("[role=option]").nth(10).wait_for()
    assert focused(reader) == "input"
    for _ in range(6):
        if more.is_visible():
            more.click()
            reader.settled()
    assert len(reader.results()) == 60


def test_nothing_of_the_index_is_loaded_before_search_is_opened(reader: Reader) -> None:
    assert [url for url in reader.requests if "/search/" in url or "search-" in url] == []


def test_a_narrow_screen_is_filled(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 360, "height": 640})
    reader.page.locator("[data-memsite-search=open]").click()
    reader.ask("blog")
    box = reader.page.locator("dialog").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 360, 640)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_an_index_that_is_not_there_is_said_to_be_missing(
    browser: Any, addresses: dict[str, str], folder: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/search/manifest.js*", lambda route: route.abort())
    page.goto(addresses["http"])
    page.keyboard.press("/")
    page.locator("[data-memsite-search=input]").fill("blog")
    page.get_by_text("The search index cannot be loaded").wait_for()
    page.unroute("**/search/manifest.js*")
    page.locator("[data-memsite-search=input]").fill("blog ")
    page.locator("[role=option]").first.wait_for()
    context.close()


@pytest.mark.parametrize(
    ("language", "label", "placeholder"),
    [("zh-TW", "搜索", "搜索记忆"), ("sv", "Search", "Search the memory"), ("", "Search", "Search the memory")],
)
def test_the_interface_speaks_the_language_of_the_page(
    browser: Any, addresses: dict[str, str], folder: Path, language: str, label: str, placeholder: str
) -> None:
    html = (folder / "some where" / "memory" / "index.html").read_text(encoding="utf-8")
    html = html.replace('lang="en"', f'lang="{language}"')
    context = browser.new_context()
    page = context.new_page()
    page.route(addresses["http"], lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    page.goto(addresses["http"])
    assert page.locator("dialog").count() == 0
    page.get_by_role("button", name=label, exact=True).click()
    assert page.get_by_role("combobox", name=placeholder, exact=True).get_attribute("placeholder") == placeholder
    context.close()


def test_nothing_in_the_partial_is_inline() -> None:
    html = (SITE / "overlay/partials/memsite-search.html").read_text(encoding="utf-8")
    assert all(word not in html for word in ("<script", "<style", " style=", " onclick", "javascript:"))
    for script in sorted((SITE / "assets").glob("search*.js")):
        code = script.read_text(encoding="utf-8")
        assert all(
            word not in code for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", ".style", "fetch(")
        )
