"""The files for other programs, made from a memory of plain texts; and one in which every text is hostile."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from memsite.site.catalog import all_files
from memsite.site.spec import MachineFiles, SiteIdentity, SiteSource
from tests.corpora import CORPORA, naughty_strings
from tests.site.pages.conftest import MadeCommit, SourceMaker

OWN = (
    "</title><script>alert(1)</script>",
    "]]><script>alert(1)</script><![CDATA[",
    "](https://evil.example/) [x",
    "`](https://evil.example/)`",
    "<!-- --> --><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>&b;",
    "{{ 7 * 7 }}{% for a in b %}",
    "\ufffe\uffff\u2028\u2029\x85",
    "line\rbreak",
    "# heading\n## Optional\n> quote",
)
"""Strings of our own, for when the corpus is not there."""


def naughty() -> list[str]:
    """All strings that a memory may hold and a file must survive."""
    return [*OWN, *(naughty_strings() if CORPORA.is_dir() else ())]


def make_files(source: SiteSource, url: str = "", name: str = "Memory") -> MachineFiles:
    """The files of a site of that name and address."""
    return all_files(source)[1](SiteIdentity(name, url))


def read(files: MachineFiles) -> Mapping[str, bytes]:
    """What they hold, by address; each address once."""
    found = {part.uri: part.content() for part in files.parts}
    assert len(found) == len(files.parts)
    return found


@pytest.fixture
def make_source() -> SourceMaker:
    """See SourceMaker."""
    return SourceMaker()


def generation(topic: str, number: int, point: str) -> str:
    """The text of a generation with that point."""
    return (
        f"# {topic} - Generation {number} Consolidation\n\n**Created**: 2025-03-25\n"
        "**Covers**: 2025-03-20 to 2025-03-25\n\n## Summary\nIt stands.\n\n## Key Points\n"
        f"- {point} [2025-03-20#L3]\n- Two. [2025-03-22]\n\n## Decisions Made\n- Yes. [2030-01-01]\n\n"
        "## Current Status\nOpen.\n\n## Source References\n- 2025-03-20: the note\n- gen1: the one before\n"
    )


INDEX = (
    "# Memory Index\n\n## Projects\n- **personal-blog**\n  - Dates: [2025-03-20, 2025-03-22]\n  - Aliases: [博客]\n"
    "  - Description: A blog\n  - Consolidations:\n"
    "    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md\n"
    "    - gen7 (2025-03-26): consolidated/personal-blog-gen7-2025-03-26.md\n"
    "  - Current: consolidated/personal-blog-gen1-2025-03-25.md\n"
)
FIRST = datetime(2025, 3, 20, 9, 30, tzinfo=UTC)


@pytest.fixture
def source(make_source: SourceMaker) -> SiteSource:
    """A memory with everything in it, something of it deleted."""
    log = "# Session Log — 2025-03-22\n\n### 10:00\n- **Topic:** Hosting\n- **Messages:** 2 user / 3 assistant\n"
    archived = "<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->\n"
    steps: list[tuple[str, dict[str, str | None]]] = [
        ("note: 2025-03-20", {"memory/2025-03-20.md": "# 2025-03-20\n\nA blog.\n", "memory/INDEX.md": INDEX}),
        ("session: Hosting", {"memory/sessions/2025-03-22.md": log}),
        ("note: 2025-03-22", {"memory/2025-03-22.md": "# 2025-03-22\n\nOn <b>Vercel</b>.\n"}),
        ("note: standup", {"memory/2025-03-22-standup.md": "# Stand-up\n\nShort.\n"}),
        ("consolidate(personal-blog): gen1", {
            "memory/consolidated/personal-blog-gen1-2025-03-25.md": generation("Personal Blog", 1, "One."),
            "memory/2025-03-20.md": f"# 2025-03-20\n\nA blog.\n{archived}",
        }),
        ("note: garden", {"memory/garden (new).md": "# Garden\n\nTulips.\n", "memory/lost.md": "# Lost\n\nGone.\n"}),
        ("Take it out", {"memory/lost.md": None}),
    ]  # fmt: skip
    commits = [MadeCommit(files, FIRST + timedelta(days=number), name) for number, (name, files) in enumerate(steps)]
    return make_source(None, commits)


@pytest.fixture
def hostile(make_source: SourceMaker) -> SiteSource:
    """A memory in which each text is one of the naughty strings, wherever a person or an agent can write one."""
    strings = naughty()
    lines = [" ".join(text.split()) for text in strings]
    entries = "".join(
        f"- **topic-{number}**\n  - Dates: [2025-03-20]\n  - Aliases: [{line}]\n  - Description: {line}\n"
        for number, line in enumerate(lines[:150])
    )
    files: dict[str, str | None] = {"memory/INDEX.md": f"# I\n\n## {lines[1]}\n{entries}"}
    for number, (text, line) in enumerate(zip(strings, lines, strict=True)):
        files[f"memory/notes/{number}.md"] = f"---\ntitle: {line}\n---\n# {line}\n\n{text}\n"
    sessions = "".join(f"### 10:00\n- **Topic:** {line}\n- **Messages:** 1 user / 1 assistant\n\n" for line in lines)
    files["memory/sessions/2025-03-20.md"] = f"# Session Log — 2025-03-20\n\n{sessions}"
    for number, line in enumerate(lines[:120]):
        day = f"2025-{1 + number // 28:02}-{1 + number % 28:02}"
        files[f"memory/{day}.md"] = f"# {line}\n\n{strings[number]}\n"
        files[f"memory/consolidated/topic-{number}-gen1-{day}.md"] = generation(line, 1, line)
    commits = [MadeCommit(files)]
    commits += [
        MadeCommit({"memory/log.md": f"{number}\n"}, FIRST + timedelta(minutes=number), text, text)
        for number, text in enumerate(strings)
    ]
    return make_source(None, commits)
