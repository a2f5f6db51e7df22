"""What is private is in no published byte, in no version, in no count: as if it had never been written."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from memsite.repo.veil import WITHHELD
from memsite.repo.workspace import open_workspace
from memsite.site.publication import build_publication, read_publication
from tests.conftest import Run
from tests.published import find_values, read_site

SETTINGS = 'timezone = "UTC"\nprivate = ["salary-talks", "people/", "MEMORY.md", "notes/diary.md"]\n'
GENERATION = """# {topic} - Generation {number} Consolidation

**Created:** {day}
**Covers:** 2025-03-20 to 2025-03-20

## Summary

{summary}

## Key Points

- {point} [2025-03-20#L{line}]

## Decisions Made

- None.

## Current Status

Open.

## Source References

- 2025-03-20: memory/2025-03-20.md
"""
OPEN, CLOSE = "<!-- private -->", "<!-- /private -->"
Files = Mapping[str, str | None]


def generation(topic: str, number: int, summary: str, point: str, line: int = 3) -> str:
    return GENERATION.format(topic=topic, number=number, day="2025-03-25", summary=summary, point=point, line=line)


def _dated(at: str) -> dict[str, str]:
    """The user's git, at a time."""
    return {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}


def build_history(root: Path, steps: Sequence[tuple[str, Files]]) -> None:
    """Commit file by file what a step says; None removes a file. Each commit is an hour after the one before."""
    for number, (message, files) in enumerate(steps):
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="utf-8")
        at = f"2025-04-{1 + number // 20:02}T{number % 20:02}:00:00Z"
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        subprocess.run(
            ["git", "commit", "-q", "--no-verify", "-m", message],
            cwd=root, check=True, env=_dated(at),
        )  # fmt: skip


def publish(root: Path) -> dict[str, bytes]:
    """The published files."""
    opened = open_workspace(root)
    return read_site(build_publication(opened, read_publication(opened)).index.parent)


SECRETIVE = (
    "ZEBRA",
    "quokka",
    "salary-talks",
    "salary talks",
    "Salary Talks",
    "Gehaltsrunde",
    "people",
    "Grace",
    "diary",
)
"""Words that stand in private parts alone."""


_MADE: list[dict[str, bytes]] = []


@pytest.fixture
def published(workspace: Path) -> dict[str, bytes]:
    """What is published of a memory in which everything that may be private is; made once, and only read."""
    if not _MADE:
        _MADE.append(publish(make_memory(workspace)))
    return _MADE[0]


def make_memory(workspace: Path) -> Path:
    """Everything that may be private, some of it only since its last commit."""
    budget = "The budget quokka is forty thousand this year.\n\n"
    day = f"# 2025-03-20\n\nWe chose Next.js for the blog.\n\n{budget}Last public line.\n"
    grace = "# Grace Example\n\nGrace ZEBRA was born at sea, she said.\n"
    marked = day.replace("The budget quokka is forty", f"{OPEN}\nThe budget quokka is fifty").replace(
        "this year.\n", f"this year.\n{CLOSE}\n"
    )
    index = "# Memory Index\n\n## Projects\n\n- **blog**\n  - Dates: [2025-03-20]\n"
    entry = (
        "- **salary-talks**\n  - Dates: [2025-03-20, 2025-03-21]\n  - Aliases: [Gehaltsrunde]\n"
        "  - Description: ZEBRA in the description\n  - Consolidations:\n"
        "    - gen1 (2025-03-25): consolidated/salary-talks-gen1-2025-03-25.md\n"
        "  - Current: consolidated/salary-talks-gen1-2025-03-25.md\n"
    )
    archived = "<!-- ARCHIVED: consolidated into consolidated/salary-talks-gen1-2025-03-25.md -->\n"
    build_history(
        workspace,
        [
            ("note: 2025-03-20", {"memory/2025-03-20.md": day, "memory/INDEX.md": index}),
            ("Write down ZEBRA and Grace", {"memory/notes/diary.md": "# The diary of ZEBRA\n\nZEBRA said one.\n"}),
            ("Grace's page", {"memory/grace.md": grace}),
            (
                "Grace moves",
                {
                    "memory/grace.md": None,
                    "memory/people/grace.md": grace,
                },
            ),
            ("index: salary-talks", {"memory/INDEX.md": index + entry}),
            (
                "consolidate(salary-talks): gen1",
                {
                    "memory/consolidated/salary-talks-gen1-2025-03-25.md": generation(
                        "Salary Talks", 1, "ZEBRA sums it up.", "The ZEBRA wants a raise of ten percent."
                    ),
                    "memory/2025-03-20.md": day + archived,
                },
            ),
            ("ZEBRA leaves", {"memory/notes/diary.md": None, "MEMORY.md": "# Long ZEBRA memory\n\nZEBRA again.\n"}),
            ("note: mark the budget", {"memory/2025-03-20.md": marked + archived}),
            (
                "note: others speak of it",
                {
                    "memory/2025-03-22.md": (
                        "# 2025-03-22\n\n"
                        "See [the talks](consolidated/salary-talks-gen1-2025-03-25.md) and people/grace.md.\n\n"
                        "[[salary-talks]], Salary Talks, the Gehaltsrunde and [[people/grace|Grace]] are on.\n\n"
                        "- The ZEBRA wants a raise of ten percent. [2025-03-20]\n\nTomorrow: the blog.\n"
                    ),
                    "memory/consolidated/blog-gen1-2025-03-25.md": generation(
                        "Blog", 1, "The blog stands.", "The budget quokka is fifty thousand this year.", 6
                    ).replace("- None.", "- Last public line. [2025-03-20#L9]"),
                    "memory/2025-03-23.md": f"# 2025-03-23\n\nShe earns {OPEN}ZEBRA forty{CLOSE} coins.\n",
                    "memory/2025-03-24.md": f"# 2025-03-24\n\nSeen.\n\n{OPEN}\nZEBRA to the end\n\n# ZEBRA heading\n",
                    "memory/2025-03-26.md": f"# 2025-03-26\n\n```\n{OPEN}\n```\n\nHow one writes it.\n",
                    "memory/salary-talks/agenda.md": "# ZEBRA agenda\n\nOf the ZEBRA.\n",
                    "memory/2025-03-27-salary-talks.md": "# ZEBRA day\n\nOf the ZEBRA.\n",
                    "memory/2025-03-28.md": "# 2025-03-28\n\nSeen.\n\n<!-- private family -->\nZEBRA at home\n",
                    "memory/sessions/2025-03-20.md": "# Session Log — 2025-03-20\n\n"
                    + session("10:00", "On salary-talks", "\nZEBRA in the body.\n")
                    + session("11:00", "Ask them", "- **Project:** Gehaltsrunde\n\nZEBRA again.\n")
                    + session("12:00", "Lunch"),
                },
            ),
            ("private: set", {"memsite.toml": SETTINGS}),
        ],
    )
    return workspace


def test_nothing_private_is_in_any_published_byte(published: dict[str, bytes]) -> None:
    files = published
    assert len(files) > 20
    assert find_values(files, SECRETIVE) == []


def test_what_is_public_is_still_there(published: dict[str, bytes]) -> None:
    files = {name: data.decode("utf-8", "replace") for name, data in published.items()}
    assert "We chose Next.js for the blog." in files["daily/2025-03-20/index.html"]
    assert "Last public line." in files["daily/2025-03-20/index.html"]
    assert "Tomorrow: the blog." in files["daily/2025-03-22/index.html"]
    assert re.search(r"She earns +coins", files["daily/2025-03-23/index.html"])
    assert "Seen." in files["daily/2025-03-24/index.html"]
    assert "&lt;!-- private --&gt;" in re.sub("<[^>]*>", "", files["daily/2025-03-26/index.html"])
    assert "The blog stands." in files["topics/blog/gen1/index.html"]


def test_references_name_the_lines_that_are_left(published: dict[str, bytes]) -> None:
    """The public line was the ninth, three private ones stood before it; the point that named one names the note."""
    page = published["topics/blog/gen1/index.html"].decode()
    assert 'href="../../../daily/2025-03-20/#L6"' in page
    assert page.count("2025-03-20/#") == 1


def test_commits_that_touch_private_things_lose_their_message_or_are_gone(published: dict[str, bytes]) -> None:
    files = published
    history = "".join(data.decode() for name, data in files.items() if name.startswith("history/"))
    assert "note: 2025-03-20" in history or "2025-03-20" in history
    assert "message withheld" in history
    for subject in ("mark the budget", "Grace moves", "others speak of it"):
        assert subject not in history


LOG = "memory/sessions/2025-03-20.md"


def session(at: str, topic: str, body: str = "") -> str:
    """An entry of a session log."""
    facts = f"- **Topic:** {topic}\n- **Messages:** 4 user / 3 assistant\n- **Est. tokens:** ~900\n"
    return f"### {at}\n<!-- memsite:session id=s-{at.replace(':', '')} agent=claude-code -->\n{facts}{body}\n"


TALKS = session("10:00", "Prepare the salary talks", "\nWe shall ask for a zebra.\n")
LUNCH = session("12:00", "Lunch")


def as_if_nothing_were_private(step: tuple[str, Files]) -> tuple[str, Files]:
    """A step without its private parts; a message that may tell of them is withheld."""
    message, files = step
    if message.startswith("p:"):
        return "", {}
    bare = {name: re.sub(rf"{OPEN}\n.*?{CLOSE}\n", "", text or "", flags=re.DOTALL) for name, text in files.items()}
    bare = {name: text.replace(TALKS, "") for name, text in bare.items()}
    return (message if bare == files or message.startswith("session:") else WITHHELD), bare


def test_a_publication_is_that_of_a_memory_without_the_private_parts(workspace: Path, tmp_path: Path) -> None:
    """Counts, calendars, navigation and all: only ids of commits differ."""
    block = f"{OPEN}\nThe zebra is private.\n{CLOSE}\n"
    index = "# I\n\n## Projects\n\n- **blog**\n  - Dates: [2025-03-20]\n"
    talks = "memory/consolidated/salary-talks-gen1-2025-03-25.md"
    more = "# 2025-03-21\n\nMore of the blog.\n"
    steps: list[tuple[str, Files]] = [
        ("init", {"memsite.toml": SETTINGS, "memory/INDEX.md": index}),
        ("note: one", {"memory/2025-03-20.md": f"# 2025-03-20\n\nA blog.\n{block}The end.\n"}),
        ("p: one", {"memory/people/grace.md": "# Grace\n\nShe is somebody.\n", "memory/people/2025.md": "# Year\n"}),
        ("p: two", {"memory/2025-03-20.md": f"# 2025-03-20\n\nA blog.\n{block.replace('The', 'A')}The end.\n"}),
        ("note: two", {"memory/2025-03-21.md": more, "memory/shopping.md": "# S\n\nMilk.\n"}),
        ("p: three", {talks: generation("Salary Talks", 1, "It.", "That.")}),
        ("note: three", {"memory/2025-03-21.md": f"{more}\n{block}Less of it.\n"}),
        ("p: four", {"memory/people/grace.md": None, "memory/people/heidi.md": "# Heidi\n\nAnother one altogether.\n"}),
        ("p: five", {"memory/notes/diary.md": "# Diary\n\nOne day.\n"}),
        ("session: blog", {LOG: f"# Session Log — 2025-03-20\n\n{session('09:00', 'The blog')}"}),
        ("p: six", {LOG: f"# Session Log — 2025-03-20\n\n{session('09:00', 'The blog')}{TALKS}"}),
        ("session: lunch", {LOG: f"# Session Log — 2025-03-20\n\n{session('09:00', 'The blog')}{TALKS}{LUNCH}"}),
    ]  # fmt: skip
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(workspace), str(other)], check=True)
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        subprocess.run(["git", "config", key, value], cwd=other, check=True)
    build_history(workspace, steps)
    build_history_with_gaps(other, [as_if_nothing_were_private(step) for step in steps])
    assert _without_ids(publish(workspace)) == _without_ids(publish(other))


def build_history_with_gaps(root: Path, steps: Sequence[tuple[str, Files]]) -> None:
    """The same times, but no commit where there is nothing to commit."""
    for number, (message, files) in enumerate(steps):
        if files:
            at = f"2025-04-01T{number:02}:00:00Z"
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text or "", encoding="utf-8")
            subprocess.run(["git", "add", "-A"], cwd=root, check=True)
            subprocess.run(
                ["git", "commit", "-q", "-m", message],
                cwd=root, check=True, env=_dated(at),
            )  # fmt: skip


def _without_ids(files: Mapping[str, bytes]) -> dict[str, str]:
    """Texts without the ids of commits, which are words of the search, too, and what feeds make of them."""
    text = {name: data.decode("utf-8", "replace") for name, data in files.items() if not name.endswith((".gz", ".png"))}
    bare = {name: re.sub(r'"[0-9a-f]{7,40}":"[^"]*",?', "", one) for name, one in text.items()}
    return {name: re.sub(r"urn:uuid:[0-9a-f-]+|\b[0-9a-f]{7,40}\b", "ID", one) for name, one in bare.items()}


SENTENCE = "The wombats shall dig their tunnels below the old house."


def is_shown(files: Mapping[str, bytes], text: str, uri: str) -> bool:
    return text.encode() in files[f"{uri}/index.html"]


def test_a_sentence_that_was_public_first_stays_where_it_is_public(workspace: Path) -> None:
    """A backup of public notes in a private folder does not blank them; a copy of a private sentence is masked."""
    other = SENTENCE.replace("wombats", "numbats")
    build_history(
        workspace,
        [
            ("a", {"memsite.toml": SETTINGS, "memory/2025-03-20.md": f"# 2025-03-20\n\n{SENTENCE}\n"}),
            ("b", {"memory/people/copy.md": f"# Copy\n\n{SENTENCE}\n\n{other}\n"}),
            ("c", {"memory/2025-03-21.md": f"# 2025-03-21\n\n{other}\n"}),
        ],
    )
    files = publish(workspace)
    assert is_shown(files, SENTENCE, "daily/2025-03-20")
    assert find_values(files, [other, "numbats"]) == []


def test_a_block_that_is_private_no_more_is_shown(workspace: Path) -> None:
    build_history(
        workspace,
        [
            ("a", {"memsite.toml": SETTINGS, "memory/one.md": f"# One\n\n{OPEN}\n{SENTENCE}\n{CLOSE}\n"}),
            ("b", {"memory/one.md": f"# One\n\n{SENTENCE}\n"}),
        ],
    )
    assert is_shown(publish(workspace), SENTENCE, "notes/one")


def test_a_picture_that_private_texts_alone_show_is_private(workspace: Path) -> None:
    (workspace / "memory/img").mkdir()
    for name in ("quagga", "both"):
        (workspace / f"memory/img/{name}.png").write_bytes(b"\x89PNG\r\n\x1a\n\0" + name.encode())
    build_history(
        workspace,
        [
            ("pictures", {"memsite.toml": SETTINGS}),
            ("notes", {"memory/people/a.md": "# A\n\n![x](../img/quagga.png) ![y](../img/both.png)\n"}),
            ("more", {"memory/two.md": f"# Two\n\n![y](img/both.png)\n\n{OPEN}\n![x](img/quagga.png)\n{CLOSE}\n"}),
        ],
    )
    files = publish(workspace)
    assert find_values(files, ["quagga"]) == []
    assert [name for name in files if name.endswith("both.png")]


def test_the_title_of_a_private_file_is_masked_unless_a_public_one_has_it(workspace: Path) -> None:
    public = "# Plans for the summer\n\nWe like Notes on the old house and Plans for the summer.\n"
    build_history(
        workspace,
        [
            ("a", {"memsite.toml": SETTINGS, "memory/one.md": public}),
            (
                "b",
                {"memory/people/a.md": "# Notes on the old house\n", "memory/people/b.md": "# Plans for the summer\n"},
            ),
        ],
    )
    assert is_shown(publish(workspace), "We like [private] and Plans for the summer.", "notes/one")


@pytest.mark.parametrize("folder", ["memory/people", "memory/a-people"])
def test_a_private_sentence_is_not_made_public_by_the_order_of_commits(
    memsite: Run, workspace: Path, folder: str
) -> None:
    """Files that were pending together are committed one by one: the day's note first, or the private one."""
    sentence = "The Berlin contract of Zebedee ends in quuxmonth this year."
    (workspace / "memsite.toml").write_text(f'private = ["{folder.removeprefix("memory/")}/"]\n', encoding="utf-8")
    (workspace / folder).mkdir()
    (workspace / folder / "z.md").write_text(f"# z\n\n{sentence}\n", encoding="utf-8")
    (workspace / "memory/2025-03-20.md").write_text(f"# d\n\n{sentence}\n", encoding="utf-8")
    assert memsite("commit").code == 0
    assert not any(b"quuxmonth" in data for data in publish(workspace).values())
