"""Several agents in one folder: a common home, a site for each, and commands for all of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import Git, Run
from tests.site.crawler import crawl

NOW = "2025-03-21T10:00"


@pytest.fixture
def household(tmp_path: Path, memsite: Run, git: Git) -> Path:
    """A repository with two agents' workspaces in it."""
    root = tmp_path / "household"
    root.mkdir()
    git("init", "-q", "-b", "main", cwd=root)
    git("config", "user.name", "Ada", cwd=root)
    git("config", "user.email", "ada@example.org", cwd=root)
    for name in ("writer", "coder"):
        folder = root / "agents" / name
        (folder / "memory").mkdir(parents=True)
        (folder / "memsite.toml").write_text('timezone = "UTC"\n', encoding="utf-8")
    settings = '[agents]\nwriter = "agents/writer"\ncoder = "agents/coder"\n'
    (root / "memsite.toml").write_text(settings, encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "two agents", cwd=root)
    memsite("note", "The poem is done.", "--date", "2025-03-20", cwd=root / "agents/writer", now=NOW)
    memsite(
        "index", "add", "poems", "--category", "Projects", "--date", "2025-03-20", cwd=root / "agents/writer", now=NOW
    )
    memsite("note", "The parser fails <b>here</b>.", "--date", "2025-03-19", cwd=root / "agents/coder", now=NOW)
    return root


def test_each_agent_has_a_site_below_a_common_home(memsite: Run, household: Path) -> None:
    done = memsite("build", cwd=household, now=NOW)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].endswith("/household/site/index.html")
    home = (household / "site/index.html").read_text(encoding="utf-8")
    assert home.index("The poem is done.") < home.index("The parser fails")
    assert 'href="writer/topics/poems/"' in home
    page = (household / "site/coder/daily/2025-03-19/index.html").read_text(encoding="utf-8")
    assert 'href="../../../index.html" title="All agents"' in page
    assert "The poem" not in page
    assert crawl(household / "site") == []


def test_another_build_makes_only_what_has_changed_and_is_a_clean_one_byte_for_byte(
    memsite: Run, household: Path
) -> None:
    memsite("build", cwd=household, now=NOW)
    assert memsite("build", cwd=household, now=NOW).out.count("0 of them rendered") == 3
    memsite("note", "It parses.", "--date", "2025-03-21", cwd=household / "agents/coder", now=NOW)
    said = memsite("build", cwd=household, now=NOW).out
    assert "writer: 7 pages, 0 of them rendered" in said or "writer" in said
    memsite("build", "--clean", "-d", "clean", cwd=household, now=NOW)
    made, clean = (
        {path.relative_to(root): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
        for root in (household / "site", household / "clean")
    )
    assert made == clean


def test_commit_and_check_go_to_each(memsite: Run, household: Path, git: Git) -> None:
    for name in ("writer", "coder"):
        (household / f"agents/{name}/memory/2025-03-22.md").write_text("# 2025-03-22\n\nMore.\n", encoding="utf-8")
    (household / "agents/writer/memory/INDEX.md").write_text("<<<<<<< a\n", encoding="utf-8")
    done = memsite("commit", cwd=household, now=NOW)
    assert done.out.count("note: 2025-03-22") == 2
    assert git("status", "--porcelain", cwd=household) == " M agents/writer/memory/INDEX.md\n"
    done = memsite("check", cwd=household, now=NOW)
    assert done.code == 1
    assert "coder:" in done.out


def test_both_are_published_and_what_one_hides_none_shows(memsite: Run, household: Path, git: Git) -> None:
    value = "velvet-octopus-" + "93-harbour"
    for name in ("writer", "coder"):
        (household / f"agents/{name}/memory/2025-03-22.md").write_text("# 2025-03-22\n\nWrite to ada@example.net\n")
    assert "here are several" in memsite("publish", "--version", "x=HEAD", cwd=household, now=NOW).err
    done = memsite("publish", "--yes", cwd=household, now=NOW)
    assert (done.code, done.err) == (0, "")
    names = set(git("ls-tree", "-r", "--name-only", "gh-pages", cwd=household).split())
    assert {"index.html", "writer/index.html", "coder/daily/2025-03-22/index.html", ".nojekyll"} <= names
    assert "ada@example.net" not in git("grep", "-h", "Write to", "gh-pages", cwd=household)
    memsite("note", f"The word is {value}.", "--date", "2025-03-22", cwd=household / "agents/coder", now=NOW)
    memsite("purge", value, cwd=household / "agents/writer", now=NOW)
    for command in (("publish",), ("build",)):
        assert memsite(*command, cwd=household, now=NOW).code == 0
    pages = [path.read_text(encoding="utf-8") for path in (household / "site").rglob("*.html")]
    published = git("grep", "-h", "The word is", "gh-pages", cwd=household)
    assert "The word is" in published
    assert "octopus" not in "".join([published, *pages])


def test_settings_that_cannot_be_read_say_nothing_of_the_merge_driver(memsite: Run, household: Path, git: Git) -> None:
    for agent in ("writer", "coder"):
        memsite("init", "--no-hooks", cwd=household / "agents" / agent, now=NOW)
    settings = household / "memsite.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "[agents\n", encoding="utf-8")
    done = memsite("check", cwd=household, now=NOW)
    assert done.code == 1
    assert "memsite.toml" in done.out
    assert "merge driver" not in done.out


@pytest.mark.parametrize("command", [("note", "x"), ("serve",), ("recall", "x"), ("log",)], ids=" ".join)
def test_what_is_for_one_memory_asks_which(memsite: Run, household: Path, git: Git, command: tuple[str, ...]) -> None:
    done = memsite(*command, cwd=household, now=NOW)
    assert done.code == 1
    assert "here are several agents; choose one with -C: agents/writer, agents/coder" in done.err
    assert git("status", "--porcelain", cwd=household) == ""


def test_an_agents_hook_does_not_guess_whose_session_it_was(memsite: Run, household: Path, git: Git) -> None:
    done = memsite("agent", "claude-code", "session-end", cwd=household, now=NOW, stdin="{}")
    assert done.code == 0
    assert "here are several agents" in done.err
    assert git("status", "--porcelain", cwd=household) == ""


def test_git_hooks_of_the_folder_above_are_those_of_each(memsite: Run, household: Path, git: Git) -> None:
    done = memsite("init", cwd=household, now=NOW)
    assert done.code == 0, done.err
    assert "several agents: writer, coder" in done.out
    assert not (household / "memory").exists()
    assert git("status", "--porcelain", cwd=household) == ""
    conflict = household / "agents/coder/memory/2025-03-19.md"
    whole = conflict.read_bytes()
    conflict.write_text("<<<<<<< a\nWe\n=======\nThey\n>>>>>>> b\n", encoding="utf-8")
    git("add", "-A", cwd=household)
    refused = subprocess.run(["git", "commit", "-qm", "x"], cwd=household, check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "an unfinished merge" in refused.stderr
    conflict.write_bytes(whole)
    git("add", "-A", cwd=household)
    for name in ("writer", "coder"):
        (household / f"agents/{name}/memory/2025-03-24.md").write_text("# 2025-03-24\n\nMore.\n", encoding="utf-8")
    git("commit", "-q", "--allow-empty", "-m", "anything", cwd=household)
    assert git("status", "--porcelain", cwd=household) == ""
    assert git("log", "--format=%s", "-3", cwd=household).split("\n")[:3] == [
        "note: 2025-03-24",
        "note: 2025-03-24",
        "anything",
    ]
    said = memsite("diff", "--range", "HEAD~2..HEAD", "--format", "markdown", cwd=household, now=NOW)
    assert said.code == 0
    assert said.out.count("2025-03-24") >= 2


def test_a_clone_of_a_folder_with_several_agents_has_them(
    memsite: Run, household: Path, git: Git, tmp_path: Path
) -> None:
    git("rm", "-q", "--cached", "memsite.toml", cwd=household)
    git("commit", "-q", "-m", "without settings", cwd=household)
    assert "would commit memsite.toml" in memsite("init", "--dry-run", cwd=household, now=NOW).out
    done = memsite("init", cwd=household, now=NOW)
    assert (done.code, done.err) == (0, "")
    assert "commits memsite.toml" in done.out
    assert git("status", "--porcelain", cwd=household) == ""
    git("clone", "-q", str(household), str(tmp_path / "clone"))
    assert "writer:" in memsite("check", cwd=tmp_path / "clone", now=NOW).out
    (household / "memsite.toml").write_text('[agents]\nwriter = "agents/writer"\n', encoding="utf-8")
    assert "commits" not in memsite("init", cwd=household, now=NOW).out
    assert git("status", "--porcelain", cwd=household) == " M memsite.toml\n"


def test_what_two_machines_wrote_in_an_agents_folder_is_merged_as_its_memory(
    memsite: Run, household: Path, git: Git, tmp_path: Path
) -> None:
    memsite("init", cwd=household / "agents/coder", now=NOW)
    other = tmp_path / "other"
    git("clone", "-q", str(household), str(other))
    git("config", "user.name", "Eve", cwd=other)
    git("config", "user.email", "eve@example.org", cwd=other)
    memsite("init", cwd=other / "agents/coder", now=NOW)
    memsite("note", "Here.", "--date", "2025-03-19", cwd=household / "agents/coder", now=NOW)
    memsite("note", "There.", "--date", "2025-03-19", cwd=other / "agents/coder", now=NOW)
    git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main", cwd=other)
    note = (other / "agents/coder/memory/2025-03-19.md").read_text(encoding="utf-8")
    assert "Here." in note
    assert "There." in note
    assert "<<<<" not in note


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('x = "../up"', "path below the workspace"),
        ('x = "."', "folders below this one"),
        ('"../x" = "agents/coder"', "cannot be a part of the site"),
        ('latest = "agents/coder"', "memsite.toml:2: 'agents': 'latest' is the name of another part of the site"),
        ('search = "agents/coder"', "'search' is the name of another part of the site"),
        (
            'coder = "../coder"',
            "memsite.toml:2: 'agents': 'coder' has a folder that must be a path below the workspace",
        ),
        ('a = "agents"\nb = "agents/coder"', "none of them in another"),
        ('a = "agents/coder"\nb = "agents/coder"', "different folders"),
        ('a = "agents/nobody"', "run `memsite init agents/nobody`"),
        ("a = 1", "must be a string"),
        ('a = "link"', "leads out of this one"),
    ],
)
def test_settings_that_name_no_workspace_below_are_refused(
    memsite: Run, household: Path, tmp_path: Path, settings: str, said: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/memsite.toml").write_text("", encoding="utf-8")
    (household / "link").symlink_to(tmp_path / "elsewhere")
    (household / "memsite.toml").write_text(f"[agents]\n{settings}\n", encoding="utf-8")
    done = memsite("build", cwd=household, now=NOW)
    assert done.code == 1
    assert said in done.err
    assert not (household / "site").exists()


def test_an_agent_in_a_repository_of_its_own_is_refused(memsite: Run, household: Path, git: Git) -> None:
    git("init", "-q", cwd=household / "agents/coder")
    for command in (("build",), ("publish", "--yes"), ("commit",)):
        done = memsite(*command, cwd=household, now=NOW)
        assert done.code == 1
        assert "'coder' is in another repository" in done.err


def test_hooks_that_serve_an_agent_are_taken_over_by_the_folder_above(memsite: Run, household: Path) -> None:
    assert "hooks" in memsite("init", cwd=household / "agents/coder", now=NOW).out
    done = memsite("init", cwd=household, now=NOW)
    assert (done.code, done.err) == (0, "")
    assert "serves the workspace" not in memsite("hooks", "status", cwd=household, now=NOW).out
    done = memsite("init", cwd=household / "agents/writer", now=NOW)
    assert "serve another workspace" in done.err


def test_no_agent_lies_where_the_site_goes(memsite: Run, household: Path) -> None:
    (household / "agents/coder").rename(household / "coder")
    (household / "site").mkdir()
    (household / "coder").rename(household / "site/coder")
    (household / "memsite.toml").write_text('[agents]\ncoder = "site/coder"\n', encoding="utf-8")
    before = sorted((household / "site/coder").rglob("*"))
    assert memsite("build", cwd=household, now=NOW).code == 1
    assert sorted((household / "site/coder").rglob("*")) == before


def test_settings_that_no_commit_has_are_named_by_the_folder_they_are_in(memsite: Run, household: Path) -> None:
    said = "memsite.toml: is not committed: what it says holds on this machine alone; git add "
    for folder in (household, household / "agents/coder"):
        with (folder / "memsite.toml").open("a", encoding="utf-8") as settings:
            settings.write("# changed\n")
    assert said in memsite("check", cwd=household, now=NOW).err
    found = memsite("publish", "--dry-run", cwd=household, now=NOW).err
    assert [line.partition("git add ")[2] for line in found.splitlines() if said in line] == [
        "memsite.toml && git commit",
        "agents/coder/memsite.toml && git commit",
    ]
