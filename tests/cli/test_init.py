"""`init` in folders as users have them: it says what it found, overwrites nothing, and the first build works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Git, Run

OPENCLAW = {
    "AGENTS.md": "# Agents\n",
    "SOUL.md": "# Soul\n",
    "MEMORY.md": "# Long-term memory\n\n- Ada writes in 中文 and English.\n",
    "memory/2025-03-20.md": "# 2025-03-20\n\n- a note that OpenClaw wrote\n",
    "memory/2025-03-21-1430.md": "# Session: 2025-03-21 14:30:00 UTC\n\n- **Session Key**: main\n",
    ".gitignore": "node_modules/",
}


@pytest.fixture
def openclaw(tmp_path: Path, git: Git) -> Path:
    """A workspace such as OpenClaw keeps: a repository with history, notes, and no final newline in .gitignore."""
    root = tmp_path / "workspace-of-claw"
    for name, text in OPENCLAW.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main", cwd=root)
    git("config", "user.name", "Ada", cwd=root)
    git("config", "user.email", "ada@example.org", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "what OpenClaw wrote", cwd=root)
    return root


def test_an_openclaw_workspace_is_adopted_without_overwriting_anything(memsite: Run, openclaw: Path, git: Git) -> None:
    done = memsite("init", cwd=openclaw)
    assert done.code == 0, done.err
    assert "2 daily notes" in done.out
    assert "SOUL.md" in done.out
    for name, text in OPENCLAW.items():
        assert (openclaw / name).read_text(encoding="utf-8").startswith(text)
    assert (openclaw / ".gitignore").read_text(encoding="utf-8") == "node_modules/\n/site/\n"
    assert git("status", "--porcelain", cwd=openclaw) == ""
    assert git("log", "-1", "--format=%s", cwd=openclaw).strip() == "init: memsite"


def test_the_first_build_of_an_adopted_workspace_works(memsite: Run, openclaw: Path, git: Git) -> None:
    memsite("init", cwd=openclaw)
    done = memsite("build", cwd=openclaw)
    assert done.code == 0, done.err
    assert "Ada writes in 中文" in (openclaw / "site/notes/MEMORY/index.html").read_text(encoding="utf-8")
    assert "a note that OpenClaw wrote" in (openclaw / "site/daily/2025-03-20/index.html").read_text(encoding="utf-8")
    assert (openclaw / "site/daily/2025-03-21/index.html").exists()
    assert git("status", "--porcelain", cwd=openclaw) == ""


def test_a_second_init_changes_nothing(memsite: Run, openclaw: Path, git: Git) -> None:
    memsite("init", cwd=openclaw)
    head = git("rev-parse", "HEAD", cwd=openclaw)
    again = memsite("init", cwd=openclaw)
    assert again.code == 0
    assert "no file was missing" in again.out
    assert git("rev-parse", "HEAD", cwd=openclaw) == head


def test_init_completes_what_is_missing(memsite: Run, openclaw: Path, git: Git) -> None:
    memsite("init", cwd=openclaw)
    (openclaw / "mkdocs.yml").unlink()
    git("commit", "-qam", "lost", cwd=openclaw)
    assert memsite("init", cwd=openclaw).code == 0
    assert (openclaw / "mkdocs.yml").exists()
    assert git("show", "--format=", "--name-only", "HEAD", cwd=openclaw).split() == ["mkdocs.yml"]


def test_a_dry_run_says_what_would_be_done_and_does_nothing(memsite: Run, openclaw: Path, git: Git) -> None:
    done = memsite("init", "--dry-run", cwd=openclaw)
    assert done.code == 0
    assert "would write memsite.toml" in done.out
    assert git("status", "--porcelain", cwd=openclaw) == ""
    assert not (openclaw / ".git" / "hooks" / "pre-commit").exists()


def test_the_users_own_site_configuration_is_kept_and_named(memsite: Run, openclaw: Path) -> None:
    (openclaw / "mkdocs.yml").write_text("site_name: mine\n", encoding="utf-8")
    done = memsite("init", cwd=openclaw)
    assert done.code == 0
    assert "mkdocs.yml is yours" in done.err
    assert (openclaw / "mkdocs.yml").read_text(encoding="utf-8") == "site_name: mine\n"


def test_what_the_user_has_staged_stays_staged(memsite: Run, openclaw: Path, git: Git) -> None:
    (openclaw / "mine.txt").write_text("x", encoding="utf-8")
    git("add", "mine.txt", cwd=openclaw)
    assert memsite("init", cwd=openclaw).code == 0
    assert git("status", "--porcelain", cwd=openclaw) == "A  mine.txt\n"


def test_a_folder_that_does_not_exist_becomes_a_repository_with_a_memory(
    memsite: Run, tmp_path: Path, git: Git
) -> None:
    done = memsite("init", "brand-new", cwd=tmp_path)
    assert done.code == 0, done.err
    root = tmp_path / "brand-new"
    assert (root / "memory" / "INDEX.md").read_text(encoding="utf-8").startswith("# Memory Index")
    assert git("status", "--porcelain", cwd=root) == ""
    assert memsite("build", cwd=root).code == 0
    assert (root / "site" / "index.html").exists()


def test_a_repository_that_is_the_memory(memsite: Run, tmp_path: Path, git: Git) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "2025-03-20.md").write_text("# Day\n\nthe repository is the memory\n", encoding="utf-8")
    git("init", "-q", "-b", "main", cwd=root)
    assert memsite("init", cwd=root).code == 0
    assert 'memory = "."' in (root / "memsite.toml").read_text(encoding="utf-8")
    assert memsite("build", cwd=root).code == 0
    assert "the repository is the memory" in (root / "site/daily/2025-03-20/index.html").read_text(encoding="utf-8")
    assert git("status", "--porcelain", cwd=root) == ""


def test_a_workspace_below_the_root_of_a_repository(memsite: Run, workspace: Path, git: Git) -> None:
    inner = workspace / "agents" / "one"
    (inner / "memory").mkdir(parents=True)
    (inner / "memory" / "2025-03-20.md").write_text("inner note\n", encoding="utf-8")
    assert memsite("init", cwd=inner).code == 0
    assert memsite("build", cwd=inner).code == 0
    assert git("show", "--format=", "--name-only", "HEAD", cwd=workspace).split() == ["agents/one/memory/2025-03-20.md"]
    assert git("status", "--porcelain", cwd=workspace) == ""


def test_a_site_name_that_yaml_would_misread_stays_text(memsite: Run, tmp_path: Path) -> None:
    assert memsite("init", "no", "--name", 'no: "1.10" # 记忆', cwd=tmp_path).code == 0
    assert memsite("build", cwd=tmp_path / "no").code == 0
    home = (tmp_path / "no" / "site" / "index.html").read_text(encoding="utf-8")
    assert "<title>no: &#34;1.10&#34; # 记忆</title>" in home or "<title>no: &quot;1.10&quot; # 记忆</title>" in home


def test_a_file_in_the_place_of_the_folder_is_said(memsite: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = memsite("init", "file", cwd=tmp_path)
    assert done.code == 1
    assert done.err.count("\n") == 1


def test_the_settings_that_are_there_say_where_the_memory_is(memsite: Run, tmp_path: Path, git: Git) -> None:
    root = tmp_path / "own"
    (root / "mem" / "gens").mkdir(parents=True)
    (root / "mem" / "2025-03-20.md").write_text("a note\n", encoding="utf-8")
    (root / "memsite.toml").write_text('memory = "mem"\nconsolidated_dir = "gens"\n', encoding="utf-8")
    done = memsite("init", cwd=root)
    assert done.code == 0, done.err
    assert "1 daily note," in done.out
    assert not (root / "memory").exists()
    assert 'docs_dir: "mem"\n' in (root / "mkdocs.yml").read_text(encoding="utf-8")
    assert memsite("build", cwd=root).code == 0


def test_wrong_settings_are_named_before_anything_is_written(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / "memsite.toml").write_text("threshold = 3\n", encoding="utf-8")
    done = memsite("init")
    assert done.code == 1
    assert "memsite.toml:1" in done.err
    assert not (workspace / "mkdocs.yml").exists()


def test_the_machines_zone_and_language_are_recorded(
    memsite: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert memsite("init", "here", cwd=tmp_path).code == 0
    settings = (tmp_path / "here" / "memsite.toml").read_text(encoding="utf-8")
    assert 'timezone = "Asia/Shanghai"\n' in settings
    assert 'language = "zh"\n' in settings


@pytest.mark.parametrize("kind", ["link", "file", "submodule"])
def test_a_memory_that_nothing_can_be_committed_into_is_refused_first(
    memsite: Run, tmp_path: Path, git: Git, kind: str
) -> None:
    root, real = tmp_path / "root", tmp_path / "real"
    for folder in (root, real):
        folder.mkdir()
        git("init", "-q", cwd=folder)
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "x", "--allow-empty", cwd=real)
    if kind == "link":
        (root / "memory").symlink_to(real)
    elif kind == "file":
        (root / "memory").write_text("x", encoding="utf-8")
    else:
        git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(real), "memory", cwd=root)
    done = memsite("init", cwd=root)
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert not (root / "memsite.toml").exists()


@pytest.mark.parametrize(
    ("ignored", "settings", "is_committed"),
    [
        ("", 'timezone = "UTC"\n', True),
        ("memsite.toml\n", 'timezone = "UTC"\n', False),
        ("", "# password " + "ghp_" + "x7Kq2mZ9vB4nR8sT1wY6uP3aD5fG0hJ2kL4c\n", False),
    ],
    ids=["plain", "ignored", "with-a-secret"],
)
def test_settings_written_by_hand_are_committed(
    workspace: Path, memsite: Run, git: Git, ignored: str, settings: str, is_committed: bool
) -> None:
    (workspace / ".gitignore").write_text(ignored, encoding="utf-8")
    (workspace / "memsite.toml").write_text(settings, encoding="utf-8")
    done = memsite("init", "--no-hooks")
    assert done.code == 0
    assert ("looks like it has a secret" in done.err) == ("ghp_" in settings)
    assert ("memsite.toml" in git("ls-files", cwd=workspace).split()) == is_committed
    assert (workspace / "memsite.toml").read_text(encoding="utf-8") == settings
