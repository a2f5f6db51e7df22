"""A built site in the real browser, from file://: nothing is refused by its policy, nothing asks another host."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from memsite.site.builder import build_plan
from tests.browser.conftest import Watched
from tests.site.little_site import little_texts, load_config, make_plan

pytestmark = [
    pytest.mark.browser,
    # Playwright leaves its event loop to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
EVIL = "</title><script>document.title='ran'</script><img src=x onerror=document.title='ran'>"
FRAMES = """
window.seen = new Promise((done) => {
  const found = [];
  (function look() {
    if (document.querySelector("[data-md-component=palette]")) found.push(document.body.dataset.mdColorScheme);
    if (found.length > 9) done(found);
    else requestAnimationFrame(look);
  })();
});
"""
"""Makes `seen`: the colours of the first frames that have the switch in them."""
DENIED = """
Object.defineProperty(window, "localStorage", {get() { throw new DOMException("Denied", "SecurityError"); }});
"""
"""What a browser does that lets no site keep anything."""
KEPT = """localStorage.setItem("/.__palette", decodeURIComponent(location.search.slice(1)));"""
"""The choice that is kept is what the address asks for. A reloaded page chooses again what was chosen on it."""
LIGHT, DARK = ({"media": f"(prefers-color-scheme: {name})"} for name in ("light", "dark"))
TOGGLE = {"toggle": {"icon": "material/weather-night", "name": "Other colours"}}
PALETTES: dict[str, tuple[Any, str, str]] = {
    "light and dark": ([LIGHT | TOGGLE, DARK | TOGGLE | {"scheme": "slate"}], "default", "slate"),
    "dark first": ([DARK | TOGGLE | {"scheme": "slate"}, LIGHT | TOGGLE], "default", "slate"),
    "without media": ([{"scheme": "slate"} | TOGGLE, {"scheme": "default"} | TOGGLE], "slate", "slate"),
    "own scheme": ([LIGHT | TOGGLE, DARK | TOGGLE | {"scheme": "my own"}], "default", "my-own"),
    "one in a list": ([{"scheme": "slate"}], "slate", "slate"),
    "one": ({"scheme": "slate"}, "slate", "slate"),
}
"""Palettes of mkdocs.yml, and what a first visit sees of each where the system is light, and where it is dark."""
UNREADABLE = (
    *("{", "", "null", "[]", "7", "{}", '{"color": null}'),
    *('{"index": 99}', '{"index": -1}', '{"index": "1"}', '{"index": 0.5}'),
)
"""What may lie where the choice is kept."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    texts = little_texts()
    texts["topics/evil/"] = (EVIL, f"## `{EVIL}`\n\n{EVIL}\n\n![x](https://example.org/beacon.png)\n\n- [ ] task")
    config = load_config(tmp_path, tmp_path / "site", site_name=f"Memory {EVIL}")
    build_plan(make_plan(texts, shown_at="2025-04-01"), config)
    return tmp_path / "site"


@pytest.fixture
def page(watched: Watched) -> Page:
    watched.page.set_default_timeout(20_000)
    return watched.page


def test_every_page_opens_without_a_word_on_the_console(site: Path, watched: Watched) -> None:
    for path in sorted(site.rglob("index.html")):
        watched.page.goto(path.as_uri())
        assert watched.page.title() != "ran", path
    assert watched.complaints == []
    assert [url for url in watched.requests if not url.startswith(("file:", "data:"))] == []


def test_a_script_that_got_into_a_page_does_not_run(site: Path, page: Page) -> None:
    path = site / "index/index.html"
    text = path.read_text(encoding="utf-8").replace("</article>", "<script>document.title='ran'</script></article>")
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    assert page.title() != "ran"


def test_links_lead_to_pages_not_to_folders(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    page.click("nav.md-nav--primary a:has-text('Topics')")
    assert page.url.endswith("/topics/index.html")
    page.click("nav.md-nav--primary a:has-text('博客项目')")
    assert page.inner_text("article h1").startswith("博客项目")


def test_light_and_dark_are_kept_from_page_to_page(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    for label in ("__palette_1", "__palette_2"):
        page.click(f"label[for={label}]")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    page.goto((site / "index/index.html").as_uri())
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


@pytest.mark.parametrize(("chosen", "system"), [(2, "light"), (0, "dark")])
def test_what_was_chosen_is_shown_from_the_first_frame(site: Path, page: Page, chosen: int, system: Any) -> None:
    """Dark by choice; as the system is set, which is dark. Where nobody has chosen, the system decides as well."""
    page.emulate_media(color_scheme=system)
    page.goto((site / "index.html").as_uri())
    for number in range(1, 4 if chosen == 0 else chosen + 1):
        page.click(f"label[for=__palette_{number % 3}]")
    page.add_init_script(FRAMES)
    page.goto((site / "index/index.html").as_uri())
    assert set(page.evaluate("seen")) == {"slate"}
    assert page.locator("memsite-palette label:visible").get_attribute("for") == f"__palette_{(chosen + 1) % 3}"


def without_the_theme(page: Page) -> None:
    """From now on a page is as it is until the theme's own script has come."""
    page.route("**/assets/javascripts/bundle.*", lambda route: route.fulfill(body="", content_type="text/javascript"))


@pytest.mark.parametrize(("system", "scheme"), [("light", "default"), ("dark", "slate")])
def test_a_first_visit_has_the_system_s_colours_before_the_theme_s_script_runs(
    site: Path, page: Page, system: Any, scheme: str
) -> None:
    page.emulate_media(color_scheme=system)
    page.add_init_script(FRAMES)
    without_the_theme(page)
    page.goto((site / "index.html").as_uri())
    assert set(page.evaluate("seen")) == {scheme}
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (system == "light")


@pytest.mark.parametrize("palette", PALETTES)
def test_a_first_visit_has_the_colours_of_a_palette_that_is_not_ours(
    tmp_path: Path, watched: Watched, palette: str
) -> None:
    """The theme's script changes nothing of them when it comes."""
    options, *schemes = PALETTES[palette]
    config = load_config(tmp_path, tmp_path / "site")
    config.theme["palette"] = options
    build_plan(make_plan({"": ("Memory", "")}), config)
    page = watched.page
    without_the_theme(page)
    for system, scheme in zip(("light", "dark"), schemes, strict=True):
        page.emulate_media(color_scheme=system)  # type: ignore[arg-type]  # one of its literals
        page.goto((tmp_path / "site/index.html").as_uri())
        assert page.get_attribute("body", "data-md-color-scheme") == scheme
    page.unroute_all()
    page.reload()
    page.locator("html.js").wait_for()
    assert page.get_attribute("body", "data-md-color-scheme") == scheme
    assert watched.complaints == []


def test_a_choice_that_cannot_be_read_is_none(site: Path, watched: Watched) -> None:
    page = watched.page
    page.emulate_media(color_scheme="dark")
    page.add_init_script(KEPT)
    for kept in UNREADABLE:
        page.goto(f"{(site / 'index.html').as_uri()}?{quote(kept)}")
        page.click("label[for=__palette_1]")
        assert page.get_attribute("body", "data-md-color-scheme") == "default", kept
        page.click("label[for=__palette_2]")
        assert page.get_attribute("body", "data-md-color-scheme") == "slate", kept
    assert watched.complaints == []


def test_a_choice_among_other_colours_is_shown_by_its_number_from_the_first_frame(site: Path, page: Page) -> None:
    """Its colours are another site's of the host, or of an older mkdocs.yml: the theme wants the number alone."""
    page.add_init_script(KEPT + FRAMES)
    kept = '{"index": 1, "color": {"scheme": "slate"}}'
    page.goto(f"{(site / 'index.html').as_uri()}?{quote(kept)}")
    assert set(page.evaluate("seen")) == {"default"}


def test_light_and_dark_can_be_switched_where_nothing_may_be_kept(site: Path, watched: Watched) -> None:
    page = watched.page
    page.emulate_media(color_scheme="dark")
    page.add_init_script(DENIED)
    page.goto((site / "index.html").as_uri())
    page.click("label[for=__palette_1]")
    assert page.get_attribute("body", "data-md-color-scheme") == "default"
    assert watched.complaints == []


def test_a_day_leads_to_its_neighbours(site: Path, page: Page) -> None:
    page.goto((site / "daily/2025-03-22/index.html").as_uri())
    page.click(".memsite-neighbours a[rel=next]")
    assert page.url.endswith("/daily/2025-03-25/index.html")
    page.click(".memsite-crumbs a")
    assert page.url.endswith("/daily/index.html")
