"""The generated memories that other tests and the measurements stand on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.memories import make_memory
from tests.conftest import Git, Run

DAYS = 60


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_memory(tmp_path_factory.mktemp("small") / "memory", days=DAYS).root


def test_the_same_seed_gives_the_same_commits(small: Path, tmp_path: Path, git: Git) -> None:
    again = make_memory(tmp_path / "again", days=DAYS).root
    other = make_memory(tmp_path / "other", days=DAYS, seed=2).root
    head = git("rev-parse", "HEAD", cwd=small)
    assert git("rev-parse", "HEAD", cwd=again) == head
    assert git("rev-parse", "HEAD", cwd=other) != head
    assert git("status", "--porcelain", cwd=small) == ""


def test_check_finds_no_error(small: Path, memsite: Run) -> None:
    done = memsite("check", cwd=small, now="2026-06-30T23:50")
    assert (done.code, done.err) == (0, "")


def test_a_memory_has_what_real_ones_have(small: Path, git: Git) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in small.rglob("*.md")}
    for what in (r"^---$", r"^\| ", "^```", r"\[\[", "一|的", r"ARCHIVED", r"^- \[[ x]\]", r"^.{500}", r"!\["):
        assert [path for path, text in texts.items() if re.search(what, text, re.MULTILINE)], what
    names = git("ls-files", cwd=small).split()
    assert any("/consolidated/" in name for name in names)
    assert any(name.startswith("memory/sessions/") for name in names)
    assert any(name.endswith(".png") for name in names)
    assert "note: delete " in git("log", "--format=%s", cwd=small)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="not empty"):
        make_memory(tmp_path, days=1)
