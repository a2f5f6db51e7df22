"""The seed's story, replayed through the real commands: what is in git and on the site afterwards."""

from __future__ import annotations

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Demo, Git, Run


def differences(left: Path, right: Path) -> list[str]:
    """Every file of two folders that is missing in one or has other bytes."""
    names = {file.relative_to(root) for root in (left, right) for file in root.rglob("*") if file.is_file()}
    same = {name for name in names if (left / name).exists() and (right / name).exists()}
    return sorted(str(name) for name in names if name not in same or not filecmp.cmp(left / name, right / name, False))


@pytest.fixture
def copied(demo: Demo, tmp_path: Path) -> Path:
    """A copy of the demo that a test may change."""
    return Path(shutil.copytree(demo.workspace, tmp_path / "copy", symlinks=True))


def test_the_last_line_is_the_address_of_the_site(demo: Demo) -> None:
    last = demo.output.rstrip("\n").splitlines()[-1]
    assert last == (demo.site / "index.html").as_uri()


def test_the_index_tells_the_story(demo: Demo) -> None:
    index = (demo.workspace / "memory" / "INDEX.md").read_text(encoding="utf-8")
    assert "- **personal-blog**\n" in index
    assert "2025-03-20, 2025-03-22, 2025-03-25, 2025-04-08" in index
    assert "    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md\n" in index
    assert "  - Current: consolidated/personal-blog-gen3-2025-05-12.md\n" in index
    assert "- **registrar-outage**: [2025-03-24]\n" in index


def test_each_step_is_a_commit_with_the_storys_date(demo: Demo, git: Git) -> None:
    log = git("log", "--reverse", "--format=%aI %s", cwd=demo.workspace).splitlines()
    assert log[0] == "2025-03-20T09:00:00+08:00 init: memsite"
    assert "2025-03-25T14:30:00+08:00 consolidate(personal-blog): gen1" in log
    assert "2025-04-10T11:15:00+08:00 session: The blog is too heavy on phones. Move it from Next.js to Ast" in log
    assert git("status", "--porcelain", cwd=demo.workspace) == ""


def test_a_covered_note_carries_its_marker_and_a_later_one_does_not(demo: Demo) -> None:
    memory = demo.workspace / "memory"
    marker = "<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->"
    assert marker in (memory / "2025-03-22.md").read_text(encoding="utf-8")
    assert "ARCHIVED" not in (memory / "2025-05-14.md").read_text(encoding="utf-8")


def test_recall_on_the_5th_of_april_answers_with_generation_1(demo: Demo) -> None:
    answer = (
        demo.output.partition("recall 回忆一下博客项目\n")[2] or demo.output.partition("recall '回忆一下博客项目'\n")[2]
    )
    answer = answer.partition("$ memsite")[0]
    assert "## Generation 1 (2025-03-25)" in answer
    assert "The blog uses Next.js, because Ada knows React." in answer
    assert "moved to Astro" not in answer


def test_recall_at_the_end_of_the_story_finds_the_blog(memsite: Run, demo: Demo) -> None:
    done = memsite("recall", "回忆一下博客项目", "--json", cwd=demo.workspace, now="2025-05-14T20:00")
    found = json.loads(done.out)
    assert found["topic"] == "personal-blog"
    assert found["generation"]["number"] == 3
    assert [note["date"] for note in found["today"]] == ["2025-05-14"]


def test_diff_tells_what_changed_between_generations(memsite: Run, demo: Demo) -> None:
    done = memsite("diff", "personal-blog", "1", "2", cwd=demo.workspace)
    assert done.code == 0
    assert re.search(r"\[-.*Next\.js.*-\]", done.out)
    assert re.search(r"\{\+.*Astro.*\+\}", done.out)


@pytest.mark.parametrize("pair", [("1", "2"), ("2", "3")])
def test_diff_counts_what_the_page_counts(memsite: Run, demo: Demo, pair: tuple[str, str]) -> None:
    done = memsite("diff", "personal-blog", *pair, cwd=demo.workspace)
    counted = done.out.splitlines()[1]
    lead = re.search(r'<p class="memsite-lead">(.*?)</p>', demo.page("topics/personal-blog/compare/" + "..".join(pair)))
    assert re.fullmatch(r"[0-9]+ words added, [0-9]+ removed, in [0-9]+ blocks(; [0-9]+ blocks? moved)?", counted)
    assert lead
    assert lead[1].casefold() == counted.casefold()


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("", ["personal-blog", "registrar-outage", "no-tracking", "2025-05-14"]),
        ("topics/personal-blog", ["Generation 3", "Cloudflare Pages", "博客项目", "Grace reads each post"]),
        ("topics/personal-blog/gen1", ["The blog uses Next.js, because Ada knows React."]),
        ("topics/personal-blog/compare/1..2", ["Next.js", "Astro", "<ins", "<del"]),
        ("topics/personal-blog/compare/2..3", ["Vercel", "Cloudflare"]),
        ("daily/2025-03-22", ["决定：博客使用 Next.js。", "topics/personal-blog/gen1/", "For the blog, let"]),
        ("daily/2025-03-28", ["deleted", "Grace offered to read"]),
        ("sessions/2025-04-10", ["The blog is too heavy on phones."]),
        ("history/2025-03-25", ["consolidate(personal-blog): gen1"]),
        ("index", ["Memory Index", "registrar-outage"]),
        ("notes/MEMORY", ["喜欢简短并说明理由的回答"]),
        ("notes/CURRENT_STATE", ["为什么写博客"]),
    ],
)
def test_the_page_says_what_the_story_says(demo: Demo, uri: str, says: list[str]) -> None:
    html = demo.page(uri)
    assert [text for text in says if text not in html] == []


def test_every_page_carries_the_policy_first_in_its_head(demo: Demo) -> None:
    for page in demo.site.rglob("*.html"):
        head = page.read_text(encoding="utf-8").partition("<head>")[2]
        first = re.findall(r"<(?:meta|link|script|style|title)[^>]*>", head)[:2]
        assert any('http-equiv="Content-Security-Policy"' in tag for tag in first), page


def test_no_link_of_the_site_is_broken(demo: Demo) -> None:
    broken = []
    for page in demo.site.rglob("index.html"):
        for href in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            if href.startswith(("http:", "https:", "mailto:", "data:")):
                continue
            target = Path(os.path.normpath(page.parent / href.replace("&amp;", "&")))
            if not (target.is_file() or (target / "index.html").is_file()):
                broken.append(f"{page.relative_to(demo.site)}: {href}")
    assert broken == []


def test_building_again_gives_the_same_bytes_and_changes_no_tracked_file(memsite: Run, copied: Path, git: Git) -> None:
    head = git("rev-parse", "HEAD", cwd=copied)
    assert memsite("build", cwd=copied, now="2026-01-01").code == 0
    first = copied.parent / "first"
    shutil.copytree(copied / "site", first)
    assert memsite("build", cwd=copied, now="2026-01-02").code == 0
    assert differences(first, copied / "site") == []
    assert memsite("build", "--clean", "-d", str(copied.parent / "clean"), cwd=copied, now="2026-01-03").code == 0
    assert differences(first, copied.parent / "clean") == []
    assert git("rev-parse", "HEAD", cwd=copied) == head
    assert git("status", "--porcelain", cwd=copied) == ""


def test_the_site_of_a_day_in_the_past_knows_nothing_of_later_ones(memsite: Run, copied: Path) -> None:
    past = copied.parent / "past"
    assert memsite("build", "--at", "2025-04-05", "-d", str(past), cwd=copied).code == 0
    text = "".join(page.read_text(encoding="utf-8") for page in past.rglob("*.html"))
    assert "The blog uses Next.js, because Ada knows React." in text
    assert "Cloudflare" not in text
    assert not (past / "topics" / "personal-blog" / "gen2").exists()


def test_plain_mkdocs_builds_the_memory_as_any_project(copied: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q"]
    done = subprocess.run(command, cwd=copied, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Generation 3" in (copied / "site" / "topics" / "personal-blog" / "index.html").read_text(encoding="utf-8")


def test_a_folder_that_is_not_empty_is_refused(memsite: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x", encoding="utf-8")
    done = memsite("demo", "full", cwd=tmp_path)
    assert done.code == 1
    assert "not empty" in done.err


def test_the_demo_is_the_same_commit_for_commit_wherever_it_is_made(
    memsite: Run, demo: Demo, tmp_path: Path, git: Git
) -> None:
    git("init", "-q", cwd=tmp_path)
    git("config", "user.name", "Somebody", cwd=tmp_path)
    assert memsite("demo", "inside-a-repository", cwd=tmp_path, now="").code == 0
    inside = tmp_path / "inside-a-repository"
    assert git("rev-parse", "HEAD", cwd=inside) == git("rev-parse", "HEAD", cwd=demo.workspace)
    assert differences(inside / "site", demo.site) == []
