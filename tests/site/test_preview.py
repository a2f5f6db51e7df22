"""The live preview: pages reload although their policy forbids inline scripts; git and the memory are followed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from time import sleep
from urllib.request import urlopen

import pytest
from mkdocs.livereload import LiveReloadServer

from memsite.repo.workspace import open_workspace
from memsite.site.preview import INTERVAL, Follower, look, prepare_server, watched_paths

Git = Callable[..., str]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[LiveReloadServer, str]]:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<html><body>var livereload = 1 <script src='x.js'></script></body></html>")
    (site / "plain.html").write_text("no end of a body")
    server = prepare_server(LiveReloadServer(builder=lambda: None, host="127.0.0.1", port=0, root=str(site)))
    server.server_bind()
    server.server_activate()
    server.watch(str(site))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server, f"http://127.0.0.1:{server.server_port}"
    super(LiveReloadServer, server).shutdown()
    server.server_close()
    thread.join()


def read(url: str) -> str:
    with urlopen(url) as answer:
        text: str = answer.read().decode()
        return text


def test_the_reloading_script_is_loaded_not_inline(served: tuple[LiveReloadServer, str]) -> None:
    _, url = served
    page = read(f"{url}/")
    match = re.search(r'<script src="(/livereload/script/\d+/\d+\.js)"></script></body>', page)
    assert match
    assert "<script>" not in page
    script = read(url + match[1])
    assert script.strip().endswith(");")
    assert re.search(r"livereload\(\d+, \d+\);", script)


def test_a_page_without_a_body_end_is_served(served: tuple[LiveReloadServer, str]) -> None:
    assert "no end of a body" in read(f"{served[1]}/plain.html")


def test_the_memory_the_settings_and_git_are_watched(workspace: Path, git: Git) -> None:
    (workspace / "memsite.toml").write_text("", encoding="utf-8")
    (workspace / "MEMORY.md").write_text("# m\n", encoding="utf-8")
    found = {path.relative_to(workspace).as_posix() for path, _ in watched_paths(open_workspace(workspace))}
    assert {"memory", "MEMORY.md", "memsite.toml", ".git/HEAD", ".git/refs/heads"} <= found


def test_a_memory_that_is_the_repository_does_not_watch_git_or_the_site(workspace: Path, git: Git) -> None:
    (workspace / "memsite.toml").write_text('memory = "."\n', encoding="utf-8")
    (workspace / "site").mkdir()
    (workspace / "site" / ".memsite-site").write_text("", encoding="utf-8")
    found = dict(watched_paths(open_workspace(workspace)))
    assert found[workspace] is False
    assert workspace / "memory" in found
    assert not {workspace / "site", workspace / ".git"} & found.keys()


def test_what_is_gone_and_comes_back_and_what_was_not_there_is_seen(workspace: Path) -> None:
    memory, elsewhere = workspace / "memory", workspace / "elsewhere"
    (memory / "sub").mkdir()
    (memory / "sub" / "a.md").write_text("a", encoding="utf-8")
    opened = open_workspace(workspace)
    states = [look(watched_paths(opened))]
    for act in (
        lambda: memory.rename(elsewhere),
        lambda: elsewhere.rename(memory),
        lambda: (memory / "sub" / "a.md").write_text("bb", encoding="utf-8"),
        lambda: (workspace / "MEMORY.md").write_text("m", encoding="utf-8"),
        lambda: (memory / "nowhere.md").symlink_to("not-there.md"),
    ):
        act()
        states.append(look(watched_paths(opened)))
    assert states[0] == states[2]
    assert len(set(states[:5])) == 4
    assert states[5] == states[4]


def test_files_that_are_written_together_are_told_of_together(workspace: Path) -> None:
    first, second = workspace / "memory" / "a.md", workspace / "memory" / "b.md"
    told: list[bool] = []
    done = Event()

    def is_busy() -> bool:
        if not second.exists():
            second.write_text("b", encoding="utf-8")  # it goes on writing
            return True
        return False

    def changed() -> None:
        told.append(second.exists())
        done.set()

    follower = Follower(lambda: [(workspace / "memory", True)], changed, is_busy)
    follower.start()
    first.write_text("a", encoding="utf-8")
    assert done.wait(30)
    sleep(2 * INTERVAL)
    follower.stop()
    assert told == [True]
