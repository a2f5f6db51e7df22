"""The live preview in an open browser: what happens to the memory is on the page, and nothing of it ends the server."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched
from tests.conftest import KEPT, free_port, no_survivor, sealed_settings

pytestmark = pytest.mark.browser


@dataclass
class Preview:
    """A workspace, and where `memsite serve` shows it."""

    workspace: Path
    address: str
    environment: dict[str, str]

    @property
    def memory(self) -> Path:
        """The folder."""
        return self.workspace / "memory"

    def git(self, *arguments: str, check: bool = True) -> None:
        """What the user does beside."""
        subprocess.run(
            ["git", *arguments], cwd=self.workspace, env=self.environment, check=check, capture_output=True, text=True
        )

    def memsite(self, *arguments: str, stdin: str = "") -> None:
        """What the user's agent does beside."""
        command = [sys.executable, "-m", "memsite", "--now", "2025-03-25T10:00", *arguments]
        subprocess.run(command, cwd=self.workspace, env=self.environment, check=True, input=stdin, text=True)

    def note(self, day: str, text: str) -> Path:
        """A day's note, as an editor saves it."""
        path = self.memory / f"{day}.md"
        path.write_text(f"# {day}\n\n{text}\n", encoding="utf-8")
        return path


INDEX = "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20, 2025-03-21, 2025-03-22]\n"


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """A small memory, served until the last test of this file is done."""
    root = tmp_path_factory.mktemp("served") / "workspace"
    (root / "memory").mkdir(parents=True)
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= sealed_settings(tmp_path_factory.mktemp("served-home"))
    port = free_port()
    preview = Preview(root, f"http://127.0.0.1:{port}/", environment)
    (root / "memory" / "INDEX.md").write_text(INDEX, encoding="utf-8")
    for day in ("2025-03-20", "2025-03-21", "2025-03-22"):
        preview.note(day, f"The blog on {day}.")
    preview.git("init", "-q", "-b", "main")
    preview.git("config", "user.name", "Ada")
    preview.git("config", "user.email", "ada@example.org")
    preview.git("add", "-A")
    preview.git("commit", "-q", "-m", "first")
    command = [sys.executable, "-m", "memsite", "serve", "--port", str(port)]
    child = subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
    with no_survivor(child):
        assert child.stdout is not None
        assert child.stdout.readline().startswith(preview.address)
        yield preview
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) in (0, 130)


def opened(watched: Watched, address: str) -> Page:
    """The page in the open browser; it is not reloaded by the test."""
    watched.page.goto(address)
    return watched.page


def test_an_edit_a_commit_and_a_consolidation_are_in_the_open_browser(preview: Preview, watched: Watched) -> None:
    page = opened(watched, f"{preview.address}daily/2025-03-20/")
    preview.note("2025-03-20", "The blog moved to Astro.")
    expect(page.get_by_text("The blog moved to Astro.").first).to_be_visible()
    page = opened(watched, f"{preview.address}history/")
    preview.git("commit", "-q", "-a", "-m", "What Astro changed")
    expect(page.get_by_text("What Astro changed").first).to_be_visible()
    page = opened(watched, f"{preview.address}topics/blog/")
    preview.memsite("consolidate", "blog", "--auto")
    expect(page.get_by_text("Generation 1").first).to_be_visible()
    assert [line for line in watched.complaints if "livereload" not in line] == []


def test_a_broken_note_is_a_page_and_a_mended_one_too(preview: Preview, watched: Watched) -> None:
    page = opened(watched, f"{preview.address}daily/2025-03-21/")
    (preview.memory / "2025-03-21.md").write_bytes(b"---\n: [\n---\n\xff\xfe\0 `` <script> **half " + b"> " * 3000)
    (preview.memory / "INDEX.md").write_bytes(b"\xff\0- **\n## ##\n")
    preview.note("2025-03-22", "Written beside a broken note.")
    page.goto(f"{preview.address}daily/2025-03-22/")
    expect(page.get_by_text("Written beside a broken note.").first).to_be_visible()
    page.goto(f"{preview.address}daily/2025-03-21/")
    (preview.memory / "INDEX.md").write_text(INDEX, encoding="utf-8")
    preview.note("2025-03-21", "Mended.")
    expect(page.get_by_text("Mended.").first).to_be_visible()
    preview.git("checkout", "-q", "--", ".")


def test_a_rebase_with_a_conflict_is_followed(preview: Preview, watched: Watched) -> None:
    preview.git("checkout", "-q", "-b", "side")
    preview.note("2025-03-20", "From the side.")
    preview.git("commit", "-q", "-a", "-m", "Side")
    preview.git("checkout", "-q", "main")
    preview.note("2025-03-20", "From the main line.")
    preview.git("commit", "-q", "-a", "-m", "Main line")
    page = opened(watched, f"{preview.address}daily/2025-03-20/")
    preview.git("checkout", "-q", "side")
    preview.git("rebase", "-q", "main", check=False)
    expect(page.get_by_text("<<<<<<<").first).to_be_visible()
    preview.note("2025-03-20", "From both.")
    preview.git("add", "-A")
    preview.git("-c", "core.editor=true", "rebase", "--continue")
    expect(page.get_by_text("From both.").first).to_be_visible()
    preview.note("2025-03-20", "After the rebase.")
    expect(page.get_by_text("After the rebase.").first).to_be_visible()


def test_a_deleted_folder_that_comes_back_is_followed(preview: Preview, watched: Watched) -> None:
    page = opened(watched, f"{preview.address}daily/2025-03-22/")
    shutil.move(preview.memory, preview.workspace / "elsewhere")
    expect(page.get_by_text("Deleted from the memory").or_(page.get_by_text("Not found")).first).to_be_visible()
    shutil.move(preview.workspace / "elsewhere", preview.memory)
    preview.note("2025-03-22", "It came back.")
    expect(page.get_by_text("It came back.").first).to_be_visible()
    preview.note("2025-03-22", "And is followed.")
    expect(page.get_by_text("And is followed.").first).to_be_visible()
