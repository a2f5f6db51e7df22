"""The versions of a published site in the real browser: the root leads on, the selector switches, nothing complains."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import expect

from memsite.repo.gitcmd import run_git
from tests.browser.conftest import Served, Watched
from tests.conftest import Git, Run

pytestmark = [
    pytest.mark.browser,
    # Playwright leaves its event loop to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def pages(memsite: Run, workspace: Path, git: Git, tmp_path: Path) -> Iterator[Served]:
    """The pages branch of a memory with a version for January, served below a sub-path."""
    for day in ("2025-01-10", "2025-02-10"):
        memsite("note", f"What is true on {day}.", "--date", day, cwd=workspace, now=f"{day}T10:00")
    (workspace / "memsite.toml").write_text('[publish]\nversions = "month"\n', encoding="utf-8")
    done = memsite("publish", "--yes", cwd=workspace, now="2025-02-11T10:00")
    assert done.code == 0, done.err
    archive = run_git(["archive", "--format=tar", "gh-pages"], cwd=workspace)
    with tarfile.open(fileobj=BytesIO(archive)) as packed:
        packed.extractall(tmp_path / "pages", filter="data")
    served = Served(tmp_path / "pages", tmp_path / "root")
    yield served
    served.stop()


def test_a_reader_goes_from_version_to_version(pages: Served, watched: Watched) -> None:
    page = watched.page
    page.goto(pages.address)
    page.wait_for_url(f"{pages.address}latest/")
    page.locator(".md-version__current").focus()
    expect(page.locator(".md-version__link")).to_have_text(["latest", "2025-01"])
    page.locator(".md-version__link", has_text="2025-01").click()
    page.wait_for_url(f"{pages.address}2025-01/")
    expect(page.locator(".md-version__current")).to_have_text("2025-01")
    expect(page.locator(".md-banner")).to_contain_text("The memory as it was")
    page.goto(f"{pages.address}latest/daily/2025-02-10/")
    expect(page.locator("article")).to_contain_text("What is true on 2025-02-10.")
    page.goto(f"{pages.address}2025-01/daily/2025-02-10/")
    assert watched.complaints[:1] != []  # the page of a later day is not there
    assert all(url.startswith((pages.address, "data:")) for url in watched.requests)
