"""Generated lives of a memory: after whatever happened to it, the site that was brought up to date is a clean one's."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.memories import make_memory
from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.conftest import Git
from tests.site.test_site import contents

LONG = "MEMSITE_TEST_LONG" in os.environ
SEQUENCES = int(os.environ.get("MEMSITE_TEST_SEQUENCES", 200 if LONG else 3))
STEPS = 5
DAYS = 14
SLUGS = ("personal-blog", "数据平台", "new-topic")
WORDS = (
    "deploy",
    "部署方案",
    "[[personal-blog]]",
    "[plan](plan.md)",
    "see 2026-06-20.md",
    "**数据平台**",
    "`code`",
    "😀",
)


class Life:
    """What happens to a memory, drawn by chance."""

    def __init__(self, root: Path, git: Git, seed: int) -> None:
        self.root, self.git, self.chance = root, git, random.Random(seed)
        self.memory = root / "memory"
        self.minute = 0
        self.told: list[str] = []

    def step(self) -> None:
        """One thing or several happen, and mostly are committed."""
        for _ in range(self.chance.choice((1, 1, 1, 2, 4))):
            act = self.chance.choice(ACTS)
            self.told.append(act.__name__)
            act(self)
        if self.chance.random() < 0.8:
            self.commit()

    def commit(self) -> None:
        """What is in the folder becomes a commit, a minute or some days after the one before."""
        self.minute += self.chance.choice((1, 1, 60, 1500))
        day, minute = divmod(self.minute, 1440)
        stamp = f"2026-07-{1 + day:02d}T{minute // 60:02d}:{minute % 60:02d}:00+00:00"
        kind = self.chance.choice(
            ("session: 部署", "note: x", "consolidate(personal-blog): gen2", "index: personal-blog", "x")
        )
        body = "\n\nid: s1" if kind.startswith("session") else ""
        environment = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        self.git("add", "-A", "memory", cwd=self.root)
        self.git("commit", "-q", "--allow-empty", "-m", kind + body, cwd=self.root, **environment)

    def note(self) -> Path:
        """Any Markdown file."""
        return self.chance.choice(sorted(self.memory.rglob("*.md")))

    def words(self) -> str:
        """A line of text."""
        return " ".join(self.chance.choices((*WORDS, f"w{self.chance.randrange(99)}"), k=4))

    def day(self) -> str:
        """A day of the weeks around the memory's end."""
        return f"2026-{self.chance.choice(('06-2', '07-0'))}{self.chance.randrange(1, 9)}"


def _append(life: Life) -> None:
    with life.note().open("a", encoding="utf-8") as file:
        file.write(f"\n## {life.words()}\n\n- {life.words()}\n")


def _add_note(life: Life) -> None:
    name = life.chance.choice((life.day(), f"{life.day()}-side", "plan", "people/ada", "people/plan", "2026-06-20"))
    path = life.memory / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# {life.words()}\n\n{life.words()}\n", encoding="utf-8")


def _log_session(life: Life) -> None:
    path = life.memory / "sessions" / f"{life.day()}.md"
    path.parent.mkdir(exist_ok=True)
    entry = f"### 10:{life.chance.randrange(10, 60)} - {life.words()}\n\n- **Messages**: 3 user, 4 assistant\n\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(entry)


def _delete(life: Life) -> None:
    if len(list(life.memory.rglob("*.md"))) > 10:
        life.note().unlink()


def _move(life: Life) -> None:
    source = life.note()
    target = source.with_name(f"moved-{life.chance.randrange(9)}.md")
    source.rename(target)


def _consolidate(life: Life) -> None:
    slug, number = life.chance.choice(SLUGS), life.chance.randrange(1, 5)
    path = life.memory / "consolidated" / f"{slug}-gen{number}-{life.day()}.md"
    path.parent.mkdir(exist_ok=True)
    points = "".join(f"- {life.words()} [{life.day()}#L3]\n" for _ in range(3))
    covers = f"**Covers**: 2026-06-20 to {life.day()}"
    summary = f"## Summary\n{life.words()} [{life.day()}#L2], {life.words()}. [{life.day()}]"
    head = f"# {slug} - Generation {number} Consolidation\n\n{covers}\n\n{summary}"
    text = f"{head}\n\n## Key Points\n{points}\n## Decisions\n{points}"
    path.write_text(text, encoding="utf-8")


def _mark(life: Life) -> None:
    with life.note().open("a", encoding="utf-8") as file:
        file.write(f"\n<!-- ARCHIVED: consolidated/{life.chance.choice(SLUGS)}-gen2-2026-07-01.md -->\n")


def _touch_index(life: Life) -> None:
    path = life.memory / "INDEX.md"
    text = path.read_text(encoding="utf-8") if path.exists() else "# Memory Index\n"
    added = f"\n## Area {life.chance.randrange(3)}\n- **{life.chance.choice(SLUGS)}-{life.chance.randrange(4)}**\n"
    lines = text.splitlines()
    if life.chance.random() < 0.5 and len(lines) > 3:
        del lines[life.chance.randrange(2, len(lines))]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        path.write_text(f"{text}{added}  - Dates: [{life.day()}, {life.day()}]\n", encoding="utf-8")


def _set_memory(life: Life) -> None:
    settings = ('timezone = "UTC"', 'timezone = "Asia/Tokyo"', 'language = "zh"', "consolidation_threshold = 2")
    (life.root / "memsite.toml").write_text(life.chance.choice(settings) + "\n", encoding="utf-8")


def _set_site(life: Life) -> None:
    settings = (
        "copyright: a",
        "site_url: https://example.org/m/",
        "repo_url: https://example.org/r",
        "extra_css: [look.css]",
    )
    features = life.chance.choice(("", ", features: [navigation.prune]"))
    text = f"site_name: a\n{life.chance.choice(settings)}\ntheme: {{name: material{features}}}\n"
    (life.root / "mkdocs.yml").write_text(text, encoding="utf-8")
    (life.memory / "look.css").write_text(f"p {{ margin: {life.chance.randrange(9)}px }}\n", encoding="utf-8")


def _damage_site(life: Life) -> None:
    files = sorted(path for path in (life.root / "site").rglob("*.html"))
    victim = life.chance.choice(files)
    victim.unlink() if life.chance.random() < 0.5 else victim.write_text("x", encoding="utf-8")


ACTS: tuple[Callable[[Life], None], ...] = (
    *(_append, _append, _add_note, _add_note, _log_session, _log_session, _delete, _move),
    *(_consolidate, _consolidate, _mark, _touch_index, _touch_index, _set_memory, _set_site, _damage_site),
)


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_after_a_generated_life_the_site_is_that_of_a_clean_build(seed: int, git: Git, tmp_path: Path) -> None:
    made = make_memory(tmp_path / "life", days=DAYS, seed=1 + seed % 4)
    life = Life(made.root, git, seed)
    build_site(open_workspace(life.root))
    for number in range(STEPS):
        life.step()
        build_site(open_workspace(life.root))
        if number in (STEPS // 2, STEPS - 1):
            one, other = contents(life.root / "site"), contents(_clean_site(life.root, tmp_path / str(number)))
            assert one.keys() == other.keys(), life.told
            assert [name for name in one if one[name] != other[name]] == [], life.told


def _clean_site(root: Path, copy: Path) -> Path:
    """The site of a copy that knows of no build."""
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns("site"))
    shutil.rmtree(copy / ".git" / "memsite", ignore_errors=True)
    build_site(open_workspace(copy), clean=True)
    return copy / "site"
