"""Copying a page as Markdown in the real browser: from file://, below a sub-path, with and without a clipboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.browser.conftest import Served, Watched

pytestmark = [
    pytest.mark.browser,
    # Playwright leaves its event loop to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
TEXT = "# 2025-03-20\n\n今天讨论了部署方案 </script><script>document.title='ran'</script>\u2028 `\\` \"x\"\n"
DAY = "daily/2025-03-20/"
BUTTON = ".memsite-markdown__copy"
SAID = ".memsite-markdown__said"


@pytest.fixture
def site(workspace: Path) -> Path:
    (workspace / "memory/2025-03-20.md").write_text(TEXT, encoding="utf-8")
    return build_site(open_workspace(workspace)).index.parent


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, site: Path, tmp_path: Path) -> Iterator[str]:
    """The day's page."""
    if request.param == "file":
        yield (site / DAY / "index.html").as_uri()
        return
    served = Served(site, tmp_path / "root")
    yield served.address + DAY
    served.stop()


def test_the_button_copies_the_file(address: str, watched: Watched) -> None:
    watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched.page.goto(address)
    watched.page.click(BUTTON)
    watched.page.wait_for_selector(f"{SAID}:has-text('Copied')")
    assert watched.page.evaluate("navigator.clipboard.readText()") == TEXT
    assert watched.page.title() != "ran"
    assert watched.complaints == []
    origin = address.partition("/daily/")[0]
    assert [url for url in watched.requests if not url.startswith((origin, "data:"))] == []


def test_by_keyboard_and_without_the_clipboards_own_interface(address: str, watched: Watched) -> None:
    watched.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    watched.page.goto(address)
    watched.page.evaluate("addEventListener('copy', () => { window.copied = String(document.activeElement.value); })")
    watched.page.focus(BUTTON)
    watched.page.keyboard.press("Enter")
    watched.page.wait_for_selector(f"{SAID}:has-text('Copied')")
    assert watched.page.evaluate("window.copied") == TEXT
    assert watched.page.evaluate("document.activeElement.matches('.memsite-markdown__copy')")


def test_a_script_that_is_not_there_is_said(address: str, site: Path, watched: Watched) -> None:
    (site / DAY / "index.md.js").unlink()
    watched.page.goto(address)
    watched.page.click(BUTTON)
    watched.page.wait_for_selector(f"{SAID}:has-text('use the link')")


def test_a_page_without_a_file_has_no_button(site: Path, watched: Watched) -> None:
    watched.page.goto((site / "topics/index.html").as_uri())
    assert watched.page.query_selector(".memsite-markdown") is None


def test_without_scripts_there_is_a_link_and_no_dead_button(site: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / DAY / "index.html").as_uri())
    assert not page.is_visible(BUTTON)
    assert page.get_attribute(".memsite-markdown a", "href") == "index.md"
    context.close()
