"""Moving in: `init` recognises what others have left, says so first, changes none of it, and the first build works."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import Git, Run


@dataclass(frozen=True)
class Case:
    """A folder as its own program leaves it."""

    says: str
    memory: str
    files: dict[str, str]
    page: str
    name: str = "folder"
    advice: tuple[str, ...] = field(default=())


CLAUDE_NOTE = "---\nname: likes-tea\ndescription: What to drink\ntype: user\n---\n\nAda likes tea.\n"
BASIC = "---\ntitle: {0}\ntype: note\npermalink: {1}\n---\n\n# {0}\n\n- [method] Slow. #tea\n- relates_to [[Tea]]\n"
CASES = {
    "openclaw": Case(
        "an OpenClaw workspace",
        "memory",
        {"AGENTS.md": "# Agents\n", "SOUL.md": "# Soul\n", "memory/2025-03-20.md": "# 2025-03-20\n\nA day.\n"},
        "daily/2025-03-20/index.html",
    ),
    "openclaw without a note yet": Case(
        "an OpenClaw workspace", "memory", {"AGENTS.md": "# Agents\n", "SOUL.md": "# Soul\n"}, "index.html"
    ),
    "claude code": Case(
        "Claude Code's memory of a project",
        ".",
        {"MEMORY.md": "- [Tea](likes-tea.md): what to drink\n", "likes-tea.md": CLAUDE_NOTE},
        "notes/likes-tea/index.html",
        "projects/-home-ada-blog/memory",
        ("MEMORY.md is not changed",),
    ),
    "basic-memory": Case(
        "a basic-memory project",
        ".",
        {"drinks/Tea.md": BASIC.format("Tea", "drinks/tea"), "Coffee.md": BASIC.format("Coffee", "coffee")},
        "notes/drinks/Tea/index.html",
        advice=("memsite review --all",),
    ),
    "obsidian": Case(
        "an Obsidian vault",
        ".",
        {
            ".obsidian/app.json": "{}",
            "Ideas.md": "An idea, see [[2025-03-20]].\n",
            "Daily/2025-03-20.md": "A day.\n",
            "Daily/2025-03-21.md": "Another.\n",
        },
        "notes/Ideas/index.html",
        advice=("the notes in Daily/ are pages, but no days",),
    ),
    "dated notes": Case(
        "a folder of dated notes", ".", {"2025-03-20.md": "# 2025-03-20\n\nA day.\n"}, "daily/2025-03-20/index.html"
    ),
    "dated notes below": Case(
        "a folder with dated notes in journal/",
        "journal",
        {"journal/2025-03-20.md": "A day.\n", "journal/2025-03-21.md": "Another.\n", "README.md": "# Mine\n"},
        "daily/2025-03-20/index.html",
    ),
    "nothing of the kind": Case("", "memory", {"README.md": "# Code\n", "src/main.py": "x = 1\n"}, "index.html"),
}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def made(case: Case, tmp_path: Path) -> Path:
    root = tmp_path / case.name
    for name, text in case.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_what_is_found_and_will_be_done_is_said_before_anything_is_done(
    memsite: Run, tmp_path: Path, case: Case
) -> None:
    root = made(case, tmp_path)
    before = sorted(root.rglob("*"))
    done = memsite("init", "--dry-run", cwd=root)
    assert (done.code, done.err) == (0, "")
    assert (f"looks like {case.says};" in done.out) if case.says else ("looks like" not in done.out)
    where = "this folder itself" if case.memory == "." else f"{case.memory}/"
    assert f"{where}\n" in done.out
    assert "would write memsite.toml" in done.out
    for line in case.advice:
        assert line in done.out
    assert sorted(root.rglob("*")) == before


def test_a_folder_that_is_taken_over_keeps_its_files_and_has_a_site(
    memsite: Run, tmp_path: Path, git: Git, case: Case
) -> None:
    root = made(case, tmp_path)
    done = memsite("init", cwd=root)
    assert done.code == 0, done.err
    built = memsite("build", cwd=root)
    assert built.code == 0, built.err
    for name, text in case.files.items():
        assert (root / name).read_text(encoding="utf-8") == text
    assert (root / "site" / case.page).exists()
    assert 'memory = "' + case.memory in (root / "memsite.toml").read_text(encoding="utf-8") or case.memory == "memory"
    again = memsite("init", cwd=root)
    assert "no file was missing" in again.out


@pytest.mark.parametrize("head", ["---\n" + "[" * 5000, "---\nname: [\n---\n", "\x00\xff", "---\n" * 3000])
def test_front_matter_that_is_none_stops_nothing(memsite: Run, tmp_path: Path, head: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/MEMORY.md").write_text("- x\n", encoding="utf-8")
    (tmp_path / "x/note.md").write_text(head, encoding="utf-8")
    (tmp_path / "x/loop.md").symlink_to("loop.md")
    (tmp_path / "x/folder").symlink_to(".")
    assert memsite("init", "--dry-run", cwd=tmp_path / "x").code == 0
