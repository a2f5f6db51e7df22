"""`diff --range`: what a range of commits says, for a reviewer who may be anybody."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from tests.conftest import Demo, Git, Run
from tests.secret_kinds import KINDS

TOKEN = next(kind for kind in KINDS if kind.name == "github-classic").make(random.Random(53))


@pytest.fixture
def story(workspace: Path, git: Git) -> Path:
    """A memory of a topic and a day."""
    (workspace / "memsite.toml").write_text('timezone = "UTC"\nprivate = ["salary", "people/"]\n', encoding="utf-8")
    save(
        workspace,
        git,
        {"INDEX.md": "# Memory Index\n\n## Projects\n\n- **blog**: [2025-03-20]\n", "2025-03-20.md": A_DAY},
    )
    return workspace


A_DAY = "# 2025-03-20\n\nWe begin a blog.\n"


def save(root: Path, git: Git, files: dict[str, str], message: str = "note: x") -> str:
    """Commit files of the memory; the commit before."""
    before = git("rev-parse", "HEAD", cwd=root).strip()
    for name, text in files.items():
        path = root / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-q", "--no-verify", "-m", message, cwd=root)
    return before


def test_a_range_names_generations_topics_sessions_and_notes(
    memsite: Run, demo: Demo, git: Git, tmp_path: Path
) -> None:
    root = tmp_path / "demo"
    shutil.copytree(demo.workspace, root, symlinks=True)
    found = json.loads(memsite("diff", "--range", "HEAD~5..HEAD", "--json", cwd=root).out)
    (generation,) = found["generations"]
    assert (generation["topic"], generation["number"], generation["kind"]) == ("personal-blog", 3, "added")
    assert "gen2" in generation["against"]
    alone = json.loads(memsite("diff", "personal-blog", "2", "3", "--json", cwd=root).out)
    assert (generation["summary"], generation["blocks"]) == (alone["summary"], alone["blocks"])
    assert {one["slug"] for one in found["topics"]} == {"personal-blog", "registrar-outage"}
    assert found["sessions"] == [{"day": "2025-05-14", "added": 1, "changed": 0, "removed": 0}]
    notes = {one["path"]: one["summary"] for one in found["notes"]}
    assert "words added" in notes["memory/2025-05-14.md"]
    assert notes["memory/2025-05-02.md"] == "no change that a reader would see"  # it was marked as archived
    assert (found["breaks"], found["secrets"], found["withheld"]) == ([], [], False)
    text = memsite("diff", "--range", "HEAD~5..HEAD", cwd=root).out
    assert "[-Vercel-]{+Cloudflare Pages+}" in text
    markdown = memsite("diff", "--range", "HEAD~5..HEAD", "--format", "markdown", cwd=root).out
    assert "<del>Vercel</del><ins>Cloudflare Pages</ins>" in markdown


def test_the_whole_history_is_a_range_too(memsite: Run, story: Path) -> None:
    found = json.loads(memsite("diff", "--range", "HEAD", "--json").out)
    assert [one["path"] for one in found["notes"]] == ["memory/2025-03-20.md"]
    assert found["topics"][0]["kind"] == "added"


def test_a_branch_is_compared_with_where_it_began(memsite: Run, story: Path, git: Git) -> None:
    git("checkout", "-q", "-b", "topic", cwd=story)
    save(story, git, {"2025-03-22.md": "# 2025-03-22\n\nOn the branch.\n"})
    git("checkout", "-q", "main", cwd=story)
    save(story, git, {"2025-03-21.md": "# 2025-03-21\n\nOn main.\n"})
    found = json.loads(memsite("diff", "--range", "main..topic", "--json").out)
    assert [(one["path"], one["kind"]) for one in found["notes"]] == [("memory/2025-03-22.md", "added")]


def test_private_parts_are_left_out_and_it_is_said(memsite: Run, story: Path, git: Git) -> None:
    before = save(
        story,
        git,
        {
            "people/grace.md": "# Grace\n\nShe plays the tuba.\n",
            "2025-03-21.md": "# 2025-03-21\n\nOpen.\n\n<!-- private -->\nThe cellar is damp.\n<!-- /private -->\n",
            "consolidated/salary-gen1-2025-03-21.md": "# Salary - Generation 1\n\n## Summary\n\nMore gold.\n",
            "INDEX.md": "# Memory Index\n\n## Projects\n\n- **blog**: [2025-03-20]\n- **salary**: [2025-03-21]\n",
        },
    )
    for form in ("text", "markdown"):
        out = memsite("diff", "--range", f"{before}..HEAD", "--format", form).out
        assert "left out" in out
        assert "2025-03-21.md" in out
        for word in ("tuba", "grace", "Grace", "cellar", "gold", "salary", "Salary"):
            assert word not in out, (form, word)
    assert json.loads(memsite("diff", "--range", f"{before}..HEAD", "--json").out)["withheld"] is True


def test_an_unmerged_branch_hides_what_head_calls_private(memsite: Run, story: Path, git: Git) -> None:
    """The newest mark counts, on whichever side it was set."""
    note = "# 2025-03-21\n\nOpen.\n\nThe cellar is damp and cold.\n"
    save(story, git, {"2025-03-21.md": note})
    git("checkout", "-q", "-b", "topic", cwd=story)
    before = save(story, git, {"2025-03-21.md": note + "\nOn the branch.\n"})
    git("checkout", "-q", "main", cwd=story)
    marked = note.replace(
        "The cellar is damp and cold.", "<!-- private -->\nThe cellar is damp and cold.\n<!-- /private -->"
    )
    save(story, git, {"2025-03-21.md": marked})
    git("checkout", "-q", "--detach", "topic", cwd=story)
    git("checkout", "-q", "main", cwd=story)
    out = memsite("diff", "--range", f"{before}~1..topic").out
    assert "cellar" not in out


def test_what_was_moved_to_a_private_place_is_not_shown_at_its_old_one(memsite: Run, story: Path, git: Git) -> None:
    generation = "# Hopes - Generation 1\n\n## Summary\n\nA house by the river with a tower.\n"
    before = save(story, git, {"consolidated/hopes-gen1-2025-03-21.md": generation})
    save(story, git, {"consolidated/hopes-gen2-2025-03-22.md": generation.replace("1", "2").replace("tower", "roof")})
    (story / "memory/people").mkdir()
    for name in ("hopes-gen1-2025-03-21.md", "hopes-gen2-2025-03-22.md"):
        git("mv", f"memory/consolidated/{name}", f"memory/people/{name}", cwd=story)
    git("commit", "-q", "--no-verify", "-m", "private: x", cwd=story)
    for revisions in (f"{before}..HEAD~1", f"{before}..HEAD", "HEAD~1..HEAD", f"{before}..HEAD~2"):
        out = memsite("diff", "--range", revisions).out
        assert "river" not in out, revisions
        assert "hopes" not in out, revisions


def test_secrets_are_named_by_rule_file_and_line_and_never_shown(memsite: Run, story: Path, git: Git) -> None:
    before = save(story, git, {"2025-03-21.md": f"# 2025-03-21\n\n{TOKEN}\n", f"{TOKEN}.md": "# x\n"})
    found = json.loads(memsite("diff", "--range", f"{before}..HEAD", "--json").out)
    assert ("memory/2025-03-21.md", 3) in {(one["path"], one["line"]) for one in found["secrets"]}
    assert len(found["secrets"]) == 2
    for form in ("text", "markdown"):
        done = memsite("diff", "--range", f"{before}..HEAD", "--format", form)
        assert TOKEN not in done.out + done.err
        assert "looks like a secret (github-" in done.out


def test_a_generation_that_changes_is_a_break_of_the_rules(memsite: Run, story: Path, git: Git) -> None:
    path = "consolidated/blog-gen1-2025-03-21.md"
    save(story, git, {path: "# Blog - Generation 1\n\n## Summary\n\nIt is red.\n"})
    before = save(story, git, {path: "# Blog - Generation 1\n\n## Summary\n\nIt is blue.\n"})
    found = json.loads(memsite("diff", "--range", f"{before}..HEAD", "--json").out)
    assert [one["path"] for one in found["breaks"]] == [f"memory/{path}"]
    assert found["generations"][0]["kind"] == "changed"


def test_a_shallow_clone_is_told_what_to_change(memsite: Run, story: Path, git: Git, tmp_path: Path) -> None:
    git("clone", "-q", "--depth", "1", f"file://{story}", str(tmp_path / "shallow"))
    done = memsite("diff", "--range", "HEAD", cwd=tmp_path / "shallow")
    assert done.code == 1
    assert "fetch-depth: 0" in done.err
    assert "GIT_DEPTH" in done.err


def test_a_range_has_one_end(memsite: Run, story: Path, git: Git) -> None:
    git("branch", "other", cwd=story)
    save(story, git, {"2025-03-22.md": "# 2025-03-22\n"})
    git("checkout", "-q", "other", cwd=story)
    save(story, git, {"2025-03-23.md": "# 2025-03-23\n"})
    assert "name one: A..B" in memsite("diff", "--range", "main...other").err
    for command in ("diff", "check"):
        done = memsite(command, "--range", "nowhere..HEAD")
        assert done.code == 1
        assert "'nowhere..HEAD' names no commits of this repository; name commits" in done.err
    assert memsite("diff").code == 2
    assert memsite("diff", "blog", "--range", "HEAD").code == 2
    assert memsite("diff", "--range", "HEAD..HEAD").out.startswith("no change")
