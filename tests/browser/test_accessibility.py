"""axe-core finds nothing serious on any kind of page, light or dark; keys, motion and the dialog of the search."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watched
from tests.browser.screenshots import KINDS, Kind, act, find_page
from tests.clients.conftest import npm_install
from tests.finding import Years
from tests.made_once import alone_in

pytestmark = pytest.mark.browser

AXE = "axe-core@4.14.1"
INSTALLED = Path(__file__).parents[2] / "build" / "axe"
BY_COLOUR = ("color-contrast", "link-in-text-block")
"""Rules whose answer is another one in the dark."""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, installed below build/ by npm."""
    source = INSTALLED / "node_modules" / "axe-core" / "axe.min.js"
    package = source.with_name("package.json")
    with alone_in(INSTALLED):
        version = json.loads(package.read_text(encoding="utf-8"))["version"] if package.is_file() else ""
        if f"axe-core@{version}" != AXE:
            npm_install(INSTALLED, AXE)
    return source.read_text(encoding="utf-8")


def kinds_of(years: Years) -> list[tuple[Kind, str]]:
    """Every kind of page that the memory has, with the address of one."""
    found = [(kind, find_page(years.site, kind)) for kind in KINDS]
    return [(kind, path.relative_to(years.site).as_posix()) for kind, path in found if path]


def serious(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe, which is on the page, calls serious or critical: the rule, and the first element."""
    options: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    violations = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in violations
        if one["impact"] in {"serious", "critical"}
    ]


def test_the_memory_has_nearly_every_kind_of_page(years: Years) -> None:
    there = {kind.name for kind, _ in kinds_of(years)}
    assert {kind.name for kind in KINDS} - there <= {"note-huge", "unreadable"}


def test_axe_finds_nothing_serious_on_any_kind_of_page_light_or_dark(
    browser: Browser, years: Years, served_years: str, axe: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    found: dict[str, list[str]] = {}
    for kind, path in kinds_of(years):
        page.emulate_media(color_scheme="light")
        page.goto(served_years + path)
        act(page, kind)
        page.evaluate(axe)
        problems = serious(page)
        page.emulate_media(color_scheme="dark")
        page.locator("body[data-md-color-scheme=slate]").wait_for()
        problems += [f"dark: {one}" for one in serious(page, BY_COLOUR)]
        if problems:
            found[kind.name] = problems
    context.close()
    assert found == {}


def test_no_page_asks_another_host_complains_or_breaks_its_policy(
    watched: Watched, years: Years, served_years: str
) -> None:
    watched.page.add_init_script(
        "addEventListener('securitypolicyviolation', (found) => console.error(found.violatedDirective))"
    )
    for kind, path in kinds_of(years):
        watched.page.goto(served_years + path)
        act(watched.page, kind)
    assert [url for url in watched.requests if not url.startswith((served_years, "data:"))] == []
    assert watched.complaints == []


def test_j_and_k_lead_to_the_neighbours_of_days_generations_and_revisions(
    watched: Watched, years: Years, served_years: str
) -> None:
    page = watched.page
    page.goto(f"{served_years}topics/personal-blog/gen2/")
    page.keyboard.press("j")
    page.wait_for_url("**/personal-blog/gen3/")
    page.keyboard.press("k")
    page.wait_for_url("**/personal-blog/gen2/")
    days = sorted(path.name for path in (years.site / "daily").glob("????-??-??"))
    page.goto(f"{served_years}daily/{days[7]}/")
    page.keyboard.press("k")
    page.wait_for_url(f"**/daily/{days[6]}/")
    page.keyboard.press("j")
    page.wait_for_url(f"**/daily/{days[7]}/")
    page.goto(f"{served_years}index/")
    seen = []
    for key in "kkkj":
        before = page.url
        page.keyboard.press(key)
        page.wait_for_url(lambda url, before=before: url != before)  # type: ignore[misc]  # mypy sees no default
        seen.append(page.url)
    assert all("/history/" in url for url in seen)
    assert len(set(seen[:3])) == 3
    assert seen[3] == seen[1]


def test_j_and_k_are_letters_where_something_is_typed(watched: Watched, served_years: str) -> None:
    page = watched.page
    page.goto(f"{served_years}topics/personal-blog/gen2/")
    page.keyboard.press("/")
    page.keyboard.type("jk")
    expect(page.locator("[data-memsite-search=input]")).to_have_value("jk")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+j")
    page.keyboard.press("Shift+J")
    expect(page).to_have_url(f"{served_years}topics/personal-blog/gen2/")


REACHED = """() => {
  const able = "a[href], button, input, select, textarea, summary, label[for], [onclick]";
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest("[hidden], [inert], .md-nav__title");
  const focusable = (one) => one.tabIndex >= 0 || (one.matches("label[for]") && document.getElementById(one.htmlFor)?.tabIndex >= 0);
  return Array.from(document.querySelectorAll(able)).filter((one) => shown(one) && !focusable(one)).map((one) => one.outerHTML.slice(0, 160));
}"""  # noqa: E501 - JavaScript


def test_whatever_can_be_clicked_is_reached_by_keyboard(watched: Watched, years: Years, served_years: str) -> None:
    missed: Counter[str] = Counter()
    for kind, path in kinds_of(years):
        if kind.act != "search":  # its results are options of a combobox: arrow keys choose
            watched.page.goto(served_years + path)
            act(watched.page, kind)
            missed.update(watched.page.evaluate(REACHED))
    assert missed == Counter()


MOVING = """() => Array.from(document.querySelectorAll("*")).filter((one) => {
  const style = getComputedStyle(one);
  const lasts = (value) => value.split(",").some((each) => parseFloat(each) > 0.01);
  return (style.animationName !== "none" && lasts(style.animationDuration)) || lasts(style.transitionDuration)
    || style.scrollBehavior === "smooth";
}).map((one) => one.outerHTML.slice(0, 120))"""


def test_nothing_moves_for_who_wants_that(browser: Browser, years: Years, served_years: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    moving: dict[str, list[str]] = {}
    for kind, path in kinds_of(years):
        if kind.name in {"home", "topic", "compare", "search", "sessions"}:
            page.goto(served_years + path)
            act(page, kind)
            if found := page.evaluate(MOVING):
                moving[kind.name] = found[:3]
    context.close()
    assert moving == {}


def test_a_title_from_right_to_left_does_not_turn_its_date_round(watched: Watched, served_years: str) -> None:
    watched.page.goto(f"{served_years}notes/")
    line = watched.page.locator("li", has=watched.page.get_by_role("link", name="مرحبا"))
    link, day = (line.locator(name).bounding_box() for name in ("a", "time"))
    assert link and day and link["x"] + link["width"] <= day["x"]
