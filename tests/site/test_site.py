"""From a real workspace to a site: `build_site`, `serve_site`, and plain `mkdocs`."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from memsite.errors import ConfigError, RefusedError
from memsite.repo.workspace import open_workspace
from memsite.shipped import read_shipped
from memsite.site.build import build_site
from memsite.site.output import MARKER
from memsite.site.plan import plan_site
from tests.conftest import Run, free_port, no_survivor

Git = Callable[..., str]
INDEX = "# Memory Index\n\n## Projects\n- **personal-blog**\n  - Dates: [2025-03-20]\n"


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def commit(git: Git, root: Path, day: str) -> None:
    git("add", "-A", "memory", cwd=root)
    stamp = f"{day}T10:00:00+00:00"
    git("commit", "-q", "-m", f"note: {day}", cwd=root, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp)


def contents(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


@pytest.fixture
def memory(workspace: Path, git: Git) -> Path:
    """A workspace with two days of memory, each in its commit."""
    write(workspace, "memory/INDEX.md", INDEX)
    write(workspace, "memory/2025-03-20.md", "# 2025-03-20\n\nStarted the personal-blog, see [index](INDEX.md).\n")
    commit(git, workspace, "2025-03-20")
    write(workspace, "memory/2025-03-22.md", "# 2025-03-22\n\n今天讨论了部署方案\n")
    commit(git, workspace, "2025-03-22")
    return workspace


def test_the_site_of_a_workspace(memory: Path) -> None:
    result = build_site(open_workspace(memory))
    site = memory / "site"
    assert result.index == site / "index.html"
    assert result.rendered == result.pages
    for name in ("index", "daily/2025-03-20", "daily/2025-03-22", "topics/personal-blog", "history", "daily/2025/03"):
        assert (site / name / "index.html").is_file(), name
    assert 'href="../../index/"' in (site / "daily/2025-03-20/index.html").read_text(encoding="utf-8")
    assert build_site(open_workspace(memory)).rendered == 0


def test_a_configuration_without_plugins_has_none_of_mkdocs_own(memory: Path) -> None:
    write(memory, "mkdocs.yml", "site_name: x\ntheme: {name: material}\n")
    build_site(open_workspace(memory))
    assert not (memory / "site" / "search" / "search_index.json").exists()
    write(memory, "memory/2025-03-22.md", "# 2025-03-22\n\nOther words\n")
    result = build_site(open_workspace(memory))
    assert result.rendered < result.pages


def test_an_edit_and_a_commit_bring_the_site_up_to_date_as_a_clean_build_would(
    memory: Path, git: Git, tmp_path: Path
) -> None:
    build_site(open_workspace(memory))
    write(memory, "memory/2025-03-25.md", "# 2025-03-25\n\nHosting on Vercel for personal-blog.\n")
    (memory / "memory/2025-03-20.md").unlink()
    commit(git, memory, "2025-03-25")
    build_site(open_workspace(memory))
    build_site(open_workspace(memory), destination=tmp_path / "fresh", clean=True)
    one, other = contents(memory / "site"), contents(tmp_path / "fresh")
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def test_the_same_commit_gives_the_same_site_in_another_clone(memory: Path, git: Git, tmp_path: Path) -> None:
    build_site(open_workspace(memory), destination=tmp_path / "one")
    git("clone", "-q", str(memory), str(tmp_path / "clone"))
    build_site(open_workspace(tmp_path / "clone"), destination=tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_past_is_shown_as_it_was(memory: Path, tmp_path: Path) -> None:
    build_site(open_workspace(memory), at="2025-03-21", destination=tmp_path / "past")
    assert (tmp_path / "past/daily/2025-03-20/index.html").is_file()
    assert not (tmp_path / "past/daily/2025-03-22").exists()
    home = (tmp_path / "past/index.html").read_text(encoding="utf-8")
    assert "md-banner" in home
    assert "of 2025-03-20</strong>" in home


def test_the_past_is_the_same_however_it_is_named(memory: Path, git: Git, tmp_path: Path) -> None:
    write(memory, "code.py", "print()\n")
    git("add", "code.py", cwd=memory)
    git("commit", "-qm", "code", cwd=memory)
    first = git("rev-parse", "HEAD~2", cwd=memory).strip()
    for number, at in enumerate(("HEAD~2", first, first[:9], "2025-03-21")):
        build_site(open_workspace(memory), at=at, destination=tmp_path / str(number))
        assert contents(tmp_path / str(number)) == contents(tmp_path / "0"), at
    home = (tmp_path / "0/index.html").read_text(encoding="utf-8")
    assert f"commit {first[:12]} of 2025-03-20" in home
    assert "HEAD~2" not in home


def test_a_commit_of_code_changes_no_page(memory: Path, git: Git, tmp_path: Path) -> None:
    build_site(open_workspace(memory), at="HEAD", destination=tmp_path / "before")
    write(memory, "code.py", "print()\n")
    git("add", "code.py", cwd=memory)
    git("commit", "-qm", "code", cwd=memory)
    build_site(open_workspace(memory), at="HEAD", destination=tmp_path / "after")
    assert contents(tmp_path / "before") == contents(tmp_path / "after")


@pytest.mark.parametrize("settings", ["", 'timezone = "Asia/Tokyo"\n'], ids=["without a zone", "with one"])
def test_the_machine_has_no_part_in_the_site(
    memory: Path, memsite: Run, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch, settings: str
) -> None:
    write(memory, "mkdocs.yml", read_shipped("mkdocs.yml"))
    write(memory, "memsite.toml", settings)
    sites = []
    for zone in ("UTC", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        done = memsite("build", "--clean", cwd=memory)
        assert done.code == 0
        assert ("no timezone is set" in done.err) is (settings == "")
        sites.append(contents(memory / "site"))
    assert mkdocs("build", "--clean", cwd=memory, env={**installed, "TZ": "Asia/Shanghai"}).returncode == 0
    assert sites[0] == sites[1] == contents(memory / "site")


def test_building_writes_nothing_but_the_site(memory: Path, git: Git) -> None:
    before = git("status", "--porcelain", cwd=memory)
    build_site(open_workspace(memory), destination=memory / "site")
    assert git("status", "--porcelain", cwd=memory) == before + "?? site/\n"


def test_a_configuration_that_would_run_code_is_refused(memory: Path) -> None:
    write(memory, "mkdocs.yml", "site_name: x\ntheme: {name: material}\nplugins: [memsite]\nhooks: [memory/evil.py]\n")
    with pytest.raises(ConfigError, match="hook memory"):
        build_site(open_workspace(memory))
    assert not (memory / "site").exists()


@pytest.mark.parametrize("site_dir", [".", "memory", "..", "elsewhere", "../new"])
def test_a_configuration_cannot_make_the_build_wipe_what_is_not_ours(memory: Path, site_dir: str) -> None:
    write(memory, "elsewhere/thesis.txt", "years of work")
    config = f"site_name: x\ntheme: {{name: material, font: false}}\nplugins: [memsite]\nsite_dir: {site_dir}\n"
    write(memory, "mkdocs.yml", config)
    before = contents(memory / "memory")
    with pytest.raises((RefusedError, ConfigError)):
        build_site(open_workspace(memory))
    assert contents(memory / "memory") == before
    assert (memory / "elsewhere/thesis.txt").is_file()


def test_a_workspace_without_git_is_shown(tmp_path: Path) -> None:
    write(tmp_path, "w/memory/2025-03-20.md", "# 2025-03-20\n\nText.\n")
    assert build_site(open_workspace(tmp_path / "w")).rendered > 3


def test_an_empty_memory_is_shown(workspace: Path) -> None:
    assert build_site(open_workspace(workspace)).pages > 0


def mkdocs(*arguments: str, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def test_plain_mkdocs_builds_the_same_site(memory: Path, installed: dict[str, str], tmp_path: Path) -> None:
    write(memory, "mkdocs.yml", read_shipped("mkdocs.yml"))
    write(memory, "memsite.toml", 'timezone = "UTC"\n')
    done = mkdocs("build", "--strict", cwd=memory, env=installed)
    assert done.returncode == 0, done.stderr
    build_site(open_workspace(memory), destination=tmp_path / "ours")
    assert contents(memory / "site") == contents(tmp_path / "ours")


def test_plain_mkdocs_refuses_a_foreign_folder_in_one_line(memory: Path, installed: dict[str, str]) -> None:
    write(memory, "mkdocs.yml", read_shipped("mkdocs.yml"))
    write(memory, "site/thesis.txt", "years of work")
    done = mkdocs("build", cwd=memory, env=installed)
    assert done.returncode == 1
    assert "did not make" in done.stderr
    assert "Traceback" not in done.stderr
    assert (memory / "site/thesis.txt").is_file()


def test_plain_mkdocs_follows_a_link_to_the_memory(memory: Path, installed: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, "checkout/mkdocs.yml", read_shipped("mkdocs.yml"))
    (tmp_path / "checkout/memory").symlink_to(memory / "memory")
    done = mkdocs("build", cwd=tmp_path / "checkout", env=installed)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "checkout/site/daily/2025-03-22/index.html").is_file()


def wait_for(url: str, text: str, seconds: float = 40) -> str:
    deadline = time.monotonic() + seconds
    found = ""
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=5) as answer:
                found = answer.read().decode()
        except (URLError, ConnectionError):
            found = ""
        if text in found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"{text!r} not at {url} after {seconds} s")


SERVE = """
from datetime import UTC, datetime
from pathlib import Path
import sys
from memsite.repo.workspace import open_workspace
from memsite.site.serving import serve_site
serve_site(open_workspace(Path(sys.argv[1])), port=int(sys.argv[2]), now=lambda: datetime(2025, 4, 1, tzinfo=UTC))
"""


SERVE_UNTIL_ASKED = f"""
asked = []
{SERVE.strip()[:-1]}, ready=lambda: asked.append(1), stopped=lambda: bool(asked))
"""


def test_a_preview_ends_when_the_interrupt_itself_was_lost(memory: Path, installed: dict[str, str]) -> None:
    command = [sys.executable, "-c", SERVE_UNTIL_ASKED, str(memory), str(free_port())]
    done = subprocess.run(command, cwd=memory, env=installed, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("plain", [False, True], ids=["serve_site", "mkdocs serve"])
def test_a_preview_follows_edits(memory: Path, installed: dict[str, str], plain: bool) -> None:
    port = free_port()
    write(memory, "mkdocs.yml", read_shipped("mkdocs.yml"))
    ours = [sys.executable, "-c", SERVE, str(memory), str(port)]
    theirs = [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        theirs if plain else ours, cwd=memory, env=installed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with no_survivor(server):
        page = wait_for(f"http://127.0.0.1:{port}/daily/2025-03-22/", "部署方案")
        assert "/livereload/script/" in page
        assert "<script>var livereload" not in page
        write(memory, "memory/2025-03-22.md", "# 2025-03-22\n\nOther words.\n")
        wait_for(f"http://127.0.0.1:{port}/daily/2025-03-22/", "Other words.")
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0


def test_a_folder_that_goes_while_pages_are_planned_is_made_again(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_site(open_workspace(memory))

    def plan(*arguments: object, **about: object) -> object:
        shutil.rmtree(memory / "site")
        return plan_site(*arguments, **about)  # type: ignore[arg-type]

    monkeypatch.setattr("memsite.site.plan.plan_site", plan)
    monkeypatch.setattr("memsite.site.crew.cores", lambda: 1)  # the folder is looked at first
    write(memory, "memory/2025-03-22.md", "# 2025-03-22\n\nOther words.\n")
    build_site(open_workspace(memory))
    assert (memory / "site" / MARKER).is_file()
    assert "Other words." in (memory / "site/daily/2025-03-22/index.html").read_text(encoding="utf-8")
