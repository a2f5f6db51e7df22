"""The real Chromium, and the demo's site in it. Without Chromium these tests are skipped, loudly."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.conftest import BUILD, give_address, run_sealed
from tests.finding import Years, make_years
from tests.made_once import made_once, shared_folder

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

PATIENCE = 60_000
"""Milliseconds until what a test waits for will not come, on a machine that does much else, too."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests of a process."""
    if CHROMIUM is None:
        pytest.skip("!! NO CHROMIUM ON THIS MACHINE: apt-get install chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def years(tmp_path_factory: pytest.TempPathFactory) -> Years:
    """Three years with things to find, and their site. Tests must not change it."""
    whole = os.environ.get("MEMSITE_TEST_LONG") == "1"
    folder = shared_folder(tmp_path_factory, "years")
    home, years = tmp_path_factory.mktemp("years-home"), Years(folder / "memory")

    def make() -> str:
        make_years(years.workspace, whole=whole)
        give_address(years.workspace)
        return run_sealed(home, *BUILD, cwd=years.workspace).stderr

    made_once(folder, make)
    return years


@pytest.fixture(scope="session")
def served_years(years: Years, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of that site, below a sub-path."""
    served = Served(years.site, tmp_path_factory.mktemp("served"))
    yield served.address
    served.stop()


@dataclass
class Watched:
    """A page, and everything on it that should not have happened."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def note_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def note_request(self, request: Request) -> None:
        self.requests.append(request.url)


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """A fresh page that keeps what its console says and which addresses it asks for."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    watcher = Watched(page)
    page.on("console", watcher.note_console)
    page.on("pageerror", lambda error: watcher.complaints.append(str(error)))
    page.on("request", watcher.note_request)
    yield watcher
    context.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests' output is pytest's."""


class Served:
    """A folder, served below a sub-path as a host of project pages does."""

    def __init__(self, folder: Path, root: Path) -> None:
        (root / "user").mkdir(parents=True, exist_ok=True)
        (root / "user" / "memory").symlink_to(folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/user/memory/"

    def stop(self) -> None:
        """Close the port and wait for the thread."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
