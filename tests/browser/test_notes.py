"""Notes in the browser: the rest of a long one unfolds for a link into it; nested folders; files that notes use."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.browser.conftest import Watched

pytestmark = pytest.mark.browser
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
NOTES = {
    "log.md": "# Log\n\n" + "".join(f"Turn {number} of a long day.\n\n" for number in range(1, 3000)),
    "people/colleagues/grace.md": "# Grace\n\n![face](../../images/grace.png) See [the log](../../log.md#L4001).\n",
}


@pytest.fixture
def site(workspace: Path, git: Callable[..., str]) -> Path:
    """The site of a memory with a long note and nested folders."""
    for name, text in NOTES.items():
        path = workspace / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (workspace / "memory/images").mkdir()
    (workspace / "memory/images/grace.png").write_bytes(PIXEL)
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "notes", cwd=workspace)
    build_site(open_workspace(workspace))
    return workspace / "site"


def test_from_a_nested_note_into_the_folded_rest_of_a_long_one(watched: Watched, site: Path) -> None:
    page = watched.page
    page.goto((site / "notes/people/colleagues/grace/index.html").as_uri())
    image = page.get_by_alt_text("face")
    assert image.evaluate("image => image.complete && image.naturalWidth") == 1
    page.get_by_role("link", name="the log").click()
    line = page.get_by_text("Turn 2000 of a long day.", exact=True)
    expect(line).to_be_visible()
    expect(line).to_be_in_viewport()
    page.goto((site / "notes/log/index.html").as_uri())
    expect(line).not_to_be_visible()
    page.get_by_text("The rest:").click()
    expect(line).to_be_visible()
    assert watched.complaints == []


def test_the_crumbs_of_a_nested_note_lead_to_its_folder(watched: Watched, site: Path) -> None:
    page = watched.page
    page.goto((site / "notes/people/colleagues/grace/index.html").as_uri())
    page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="people/colleagues/").click()
    folder = page.locator(":target")
    expect(folder).to_contain_text("people/colleagues/")
    expect(folder).to_be_in_viewport()
    assert watched.complaints == []
