"""No link, anchor, image, script or style of a built site leads nowhere, wherever it is served from."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.memories import make_memory
from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.conftest import Demo, Generated
from tests.site.crawler import crawl

NOT_FOUND = "404.html"

PLACES = ["/", "/user/memory/", "/一 个/%23/"]


@pytest.mark.parametrize("below", PLACES)
def test_nothing_in_the_demo_leads_nowhere(demo: Demo, below: str) -> None:
    assert len(list(demo.site.rglob("*.html"))) > 60
    assert [one for one in crawl(demo.site, below) if one.page != NOT_FOUND] == []


@pytest.mark.parametrize("below", PLACES)
def test_nothing_in_a_generated_memory_leads_nowhere(generated: Generated, below: str) -> None:
    assert len(list(generated.site.rglob("*.html"))) > 180
    assert [one for one in crawl(generated.site, below) if one.page != NOT_FOUND] == []


def test_nothing_of_another_memory_leads_nowhere(tmp_path: Path) -> None:
    root = make_memory(tmp_path / "memory", days=45, seed=7).root
    build_site(open_workspace(root))
    assert len(list((root / "site/history").iterdir())) > 22
    assert [one for one in crawl(root / "site", PLACES[1]) if one.page != NOT_FOUND] == []


def test_the_page_for_what_is_not_found_leads_back_from_anywhere(demo: Demo, generated: Generated) -> None:
    """It is shown at any address: without `site_url` at the root of a host, with it where that says."""
    assert [one for one in crawl(demo.site) if one.page == NOT_FOUND] == []
    assert [one for one in crawl(generated.site, "/user/memory/") if one.page == NOT_FOUND] == []


def test_the_page_for_what_is_not_found_needs_no_style_where_nobody_knows_where_the_site_lies(
    demo: Demo, generated: Generated
) -> None:
    """Links of a page at unknown depth below a folder of a host lead nowhere: the theme's icons fill the screen."""
    plain, themed = ((one.site / NOT_FOUND).read_text(encoding="utf-8") for one in (demo, generated))
    assert "<svg" not in plain
    assert "stylesheet" not in plain
    assert "no page at this address" in plain
    assert "stylesheet" in themed


def test_a_crawler_sees_what_is_broken(tmp_path: Path) -> None:
    files = {
        "index.html": '<a href="a/"></a><a href="a/#x"></a><a href="a/#y"></a><a href="gone/"></a><a href="../b"></a>',
        "a/index.html": '<b id="x"></b><img src="../x.png" srcset="../x.png 1x, ../y.png 2x"><script src="../z.js">',
        "x.png": "",
        "style.css": "@import 'more.css'; b { background: url(x.png), url( 'q.png' ) }",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = crawl(tmp_path, "/sub/")
    assert [one.reference for one in found] == ["../y.png", "../z.js", "a/#y", "gone/", "../b", "more.css", "q.png"]
    assert [one.why for one in found[2:5]] == ["no such place on the page", "does not exist", "leads out of the site"]
