"""Where a site is built. Who writes the workspace chooses `site_dir`, and can put the marker of a site anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort

from memsite.errors import ConfigError, RefusedError
from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from memsite.site.output import MARKER, MARKER_TEXT, write_file
from memsite.site.plugin import MemsitePlugin
from memsite.site.site_config import install_plugin
from tests.conftest import Git, Run

SETTINGS = "site_name: x\ntheme: {{name: material, font: false}}\nplugins: [memsite]\nsite_dir: {site_dir}\n"


def contents(root: Path) -> dict[str, bytes]:
    """Every file, but for what memsite keeps of its own below git's folder to be quicker the next time."""
    files = {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if path.is_file()}
    kept = (".git/memsite/history-", ".git/memsite/site/")
    return {name: path.read_bytes() for name, path in files.items() if not name.startswith(kept)}


@pytest.fixture
def memory(workspace: Path, git: Git) -> Path:
    """A workspace with a note, code beside it, a nested repository, and a file that is read as memory."""
    for name in ("memory/2025-03-20.md", "memory/sub/note.md", "code/deep/main.py", "extra/MEMORY.md"):
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text("# years of work\n", encoding="utf-8")
    git("add", "memory", "code", cwd=workspace)
    git("commit", "-qm", "work", cwd=workspace)
    nested = workspace / "nested" / "project"
    (nested / "docs").mkdir(parents=True)
    (nested / "docs" / "guide.md").write_text("# guide\n", encoding="utf-8")
    git("init", "-q", cwd=nested)
    git("add", "-A", cwd=nested)
    (workspace / "memsite.toml").write_text('timezone = "UTC"\ninclude = ["extra/MEMORY.md"]\n', encoding="utf-8")
    return workspace


def mark(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(MARKER_TEXT, encoding="utf-8")


HELD = (
    (".", "holds workspace"),
    ("..", "leads out of the workspace"),
    ("../workspace", "holds workspace"),
    ("code/../memory", "holds memory"),
    ("memory", "holds memory"),
    ("memory/sub", "memory"),
    ("memory/unborn", "memory"),
    (".git", "git's"),
    (".git/refs", "git's"),
    (".git/memsite", "git's"),
    ("code", "deep/main.py"),
    ("code/deep", "main.py"),
    ("extra", "extra/MEMORY.md"),
    ("nested", "repository"),
    ("nested/project", "docs/guide.md"),
    ("nested/project/docs", "guide.md"),
    ("link", "memory"),
)


def test_a_marker_lets_no_build_wipe_a_folder_that_is_not_a_sites(memory: Path) -> None:
    (memory / "link").symlink_to("memory")
    for site_dir, reason in HELD:
        (memory / "mkdocs.yml").write_text(SETTINGS.format(site_dir=site_dir), encoding="utf-8")
        mark(memory / site_dir)
        before = contents(memory)
        for clean in (False, True):
            with pytest.raises((RefusedError, ConfigError)) as refused:
                build_site(open_workspace(memory), clean=clean)
            assert reason in str(refused.value), site_dir
            assert "\n" not in str(refused.value)
        assert contents(memory) == before, site_dir
        (memory / site_dir / MARKER).unlink()


def test_a_folder_named_on_the_command_line_holds_no_memory_and_no_repository(memory: Path, memsite: Run) -> None:
    for folder in ("memory/sub", "memory/unborn", ".git/memsite", "extra", "nested", "."):
        mark(memory / folder)
        before = contents(memory)
        done = memsite("build", "--no-commit", "-d", folder)
        assert (done.code, done.err.count("\n")) == (1, 1), done.err
        assert contents(memory) == before, folder
        (memory / folder / MARKER).unlink()


def test_a_site_that_git_tracks_is_built_once_the_user_has_said_so(memory: Path, memsite: Run, git: Git) -> None:
    """Hosts that serve `docs/` of a branch want it committed. A clone does not know who made what is in it."""
    (memory / "mkdocs.yml").write_text(SETTINGS.format(site_dir="docs"), encoding="utf-8")
    mark(memory / "docs")
    (memory / "docs" / "index.html").write_text("of an earlier build, perhaps\n", encoding="utf-8")
    git("add", "-f", "docs", cwd=memory)
    refused = memsite("build", "--no-commit")
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "docs: " in refused.err
    assert "build -d" in refused.err
    assert memsite("build", "--no-commit", "-d", "docs").code == 0
    git("add", "-f", "docs", cwd=memory)
    assert memsite("build", "--no-commit", "--clean").code == 0
    (memory / "docs" / "thesis.txt").write_text("years of work\n", encoding="utf-8")
    git("add", "-f", "docs", cwd=memory)
    assert "thesis.txt" in memsite("build", "--no-commit", "--clean").err


def test_a_memory_that_is_the_repository_has_its_site_in_a_folder_that_is_no_memory(
    workspace: Path, memsite: Run
) -> None:
    (workspace / "memsite.toml").write_text('memory = "."\ntimezone = "UTC"\n', encoding="utf-8")
    (workspace / "2025").mkdir()
    (workspace / "2025" / "note.md").write_text("# A note that no commit has\n", encoding="utf-8")
    for site_dir in ("public", "2025"):
        (workspace / "mkdocs.yml").write_text(SETTINGS.format(site_dir=site_dir), encoding="utf-8")
        mark(workspace / site_dir)
        done = memsite("build", "--no-commit", "--clean")
        assert (done.code, done.err.count("\n")) == (1, 1), done.err
    assert (workspace / "2025" / "note.md").is_file()
    (workspace / "mkdocs.yml").write_text(SETTINGS.format(site_dir="site"), encoding="utf-8")
    assert memsite("build", "--no-commit").code == 0


def test_plain_mkdocs_wipes_no_memory_either(memory: Path) -> None:
    for site_dir in ("code", "extra"):
        mark(memory / site_dir)
        before = contents(memory)
        config = MkDocsConfig(str(memory / "mkdocs.yml"))
        config.load_dict({"site_name": "x", "theme": {"name": "material"}, "plugins": [], "site_dir": site_dir})
        config.load_dict({"docs_dir": str(memory / "memory")})
        assert config.validate() == ([], [])
        install_plugin(config, MemsitePlugin())
        with pytest.raises(Abort):
            build(config)
        assert contents(memory) == before
        (memory / site_dir / MARKER).unlink()


def test_a_marker_lets_no_build_wipe_files_that_no_commit_has(memory: Path, memsite: Run) -> None:
    """The folder of a site may hold what its person has never committed; the marker says nothing about that."""
    (memory / "mkdocs.yml").write_text(SETTINGS.format(site_dir="drafts"), encoding="utf-8")
    mark(memory / "drafts")
    mark(memory / "drafts" / "deep")
    (memory / "drafts" / "deep" / "thesis.txt").write_text("years of work\n", encoding="utf-8")
    before = contents(memory)
    for clean in ((), ("--clean",)):
        done = memsite("build", "--no-commit", *clean)
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert "no build is known to have made (deep/thesis.txt)" in done.err
    assert contents(memory) == before
    assert memsite("build", "--no-commit", "-d", "drafts").code == 0, "the user's own word"


def test_a_file_that_was_put_into_a_site_is_not_wiped_with_it(memory: Path, memsite: Run) -> None:
    (memory / "mkdocs.yml").write_text(SETTINGS.format(site_dir="site"), encoding="utf-8")
    assert memsite("build", "--no-commit").code == 0
    (memory / "site" / "notes" / "mine.txt").write_text("mine\n", encoding="utf-8")
    refused = memsite("build", "--no-commit", "--clean")
    assert refused.code == 1
    assert "notes/mine.txt" in refused.err
    (memory / "site" / "notes" / "mine.txt").unlink()
    assert memsite("build", "--no-commit", "--clean").code == 0


def test_a_workspace_that_was_moved_takes_its_site_with_it(memory: Path, memsite: Run) -> None:
    (memory / "mkdocs.yml").write_text(SETTINGS.format(site_dir="site"), encoding="utf-8")
    assert memsite("build", "--no-commit").code == 0
    moved = memory.rename(memory.with_name("moved"))
    assert memsite("build", "--no-commit", "--clean", cwd=moved).code == 0
    (moved / "site" / "mine.txt").write_text("mine\n", encoding="utf-8")
    assert "mine.txt" in memsite("build", "--no-commit", "--clean", cwd=moved).err


def test_a_file_is_written_over_and_cut(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "index.html"
    for data in (b"long " * 1000, b"short", b"", b"longer again"):
        write_file(str(path), data)
        assert path.read_bytes() == data
    assert path.stat().st_mode & 0o777 == (tmp_path / "a" / "b").stat().st_mode & 0o666
