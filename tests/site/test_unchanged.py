"""A build that has nothing to do is known without reading the memory; any doubt means a real one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from memsite.repo.workspace import open_workspace
from memsite.site.assembly import Assembly
from memsite.site.build import build_site
from memsite.site.unchanged import find_unchanged, read_question
from tests.conftest import Git
from tests.site.test_site import INDEX, commit, contents, write


@pytest.fixture
def built(workspace: Path, git: Git) -> Path:
    """A workspace with a site, of which a build says something that must be said again."""
    write(workspace, "memory/INDEX.md", INDEX)
    write(workspace, "memory/2025-03-20.md", "# 2025-03-20\n\nA\n")
    write(workspace, "memory/consolidated/lost-gen1-2025-03-20.md", "# Lost\n")
    commit(git, workspace, "2025-03-20")
    build_site(open_workspace(workspace))
    return workspace


@contextmanager
def changed(path: Path, data: bytes | None) -> Iterator[None]:
    """A file with other bytes (None: gone) and the times of before, put back afterwards, times included."""
    status, before = (path.stat(), path.read_bytes()) if path.exists() else (None, None)
    for content in (data, before):
        if content is None:
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            if status:
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        if content is data:
            yield


def is_unchanged(root: Path, *, strict: bool = False, destination: Path | None = None) -> bool:
    """Whether a build ends before it loads the memory."""
    workspace = open_workspace(root)
    asked = read_question(workspace, destination, strict=strict)
    return asked is not None and find_unchanged(workspace, asked) is not None


def test_nothing_changed(built: Path) -> None:
    before = contents(built / "site")
    first, second = (build_site(open_workspace(built)) for _ in range(2))
    assert is_unchanged(built)
    assert first == second
    assert (first.index, first.rendered) == (built / "site" / "index.html", 0)
    assert any("lost" in warning for warning in first.warnings)
    assert contents(built / "site") == before


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("memory/2025-03-20.md", b"# 2025-03-20\n\nB\n"),
        ("memory/2025-03-20.md", None),
        ("memory/sessions/2025-03-20.md", b"# Session Log\n"),
        ("MEMORY.md", b"# Memory\n"),
        ("memsite.toml", b'language = "zh"\n'),
        ("mkdocs.yml", b"site_name: Other\ntheme: {name: material}\n"),
        (".memsite/purged", b""),
        ("site/daily/2025-03-20/index.html", None),
        ("site/search/manifest.js", b"x"),
        ("site/.memsite-site", None),
    ],
)
def test_a_change_of_anything_that_it_was_made_from_or_made_is_seen(built: Path, name: str, data: bytes | None) -> None:
    with changed(built / name, data):
        assert is_unchanged(built) == (name == ".memsite/purged")  # an empty list is none
    assert is_unchanged(built)


def test_another_commit_another_question_and_code_of_others_are_seen(built: Path, git: Git, tmp_path: Path) -> None:
    assert not is_unchanged(built, strict=True)
    assert not is_unchanged(built, destination=tmp_path / "elsewhere")
    write(built, "mkdocs.yml", "site_name: X\ntheme: {name: material, custom_dir: own}\n")
    assert not is_unchanged(built)
    (built / "mkdocs.yml").unlink()
    git("commit", "-q", "--allow-empty", "-m", "nothing", cwd=built)
    assert not is_unchanged(built)
    assert build_site(open_workspace(built)).rendered == 0
    assert is_unchanged(built)
    write(built, ".memsite/purged", "purge\n")
    assert not is_unchanged(built)


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM built",
        "DELETE FROM files WHERE dest = 'index.html'",
        "DROP TABLE files",
        "PRAGMA user_version = 99",
    ],
)
def test_what_is_kept_of_another_build_or_not_kept_is_no_answer(built: Path, harm: str) -> None:
    (kept,) = (built / ".git" / "memsite" / "site").glob("*.sqlite")
    with closing(sqlite3.connect(kept)) as database, database:
        database.execute(harm)
    assert not is_unchanged(built)
    build_site(open_workspace(built), destination=built / "site")  # named: whose files these are is not known any more
    assert is_unchanged(built)


def test_a_build_that_was_killed_leaves_no_answer(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    write(built, "memory/2025-03-21.md", "# 2025-03-21\n\nMore.\n")
    with monkeypatch.context() as patch:
        patch.setattr(Assembly, "finish", stop)
        with pytest.raises(KeyboardInterrupt):
            build_site(open_workspace(built))
    (built / "memory/2025-03-21.md").unlink()
    assert not is_unchanged(built)
    assert build_site(open_workspace(built)).pages > 0
    assert not (built / "site" / "daily" / "2025-03-21").exists()
