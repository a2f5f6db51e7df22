"""The skills: every command in them runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from memsite.agents.installing import SKILL_MARK, Target, format_skill
from memsite.config import Config
from tests.conftest import Run

PROGRAM = Path("/opt/bin/memsite")
BODY = """## Summary
A blog.

## Key Points
- It begins. [2025-03-20]

## Decisions Made
- Next.js. [2025-03-20]

## Current Status
Going on.

## Source References
- 2025-03-20: the beginning
"""


def commands_in(text: str, root: Path) -> list[list[str]]:
    """What stands in back quotes and begins with the command, without it."""
    spans = (span.replace("\n", " ") for span in re.findall(r"`([^`]+)`", text))
    words = [shlex.split(span) for span in spans if span.startswith(str(PROGRAM))]
    assert all(one[:3] == [str(PROGRAM), "-C", str(root)] for one in words)
    return [one[3:] for one in words]


@pytest.mark.parametrize("agent", ["claude-code", "openclaw"])
def test_every_command_of_a_skill_runs(agent: str, memsite: Run, workspace: Path) -> None:
    text = format_skill(agent, Target(PROGRAM, workspace, Config()))
    assert "@" not in text
    assert SKILL_MARK in text.encode()
    memsite("index", "add", "blog", "--category", "Projects")
    memsite("note", "New project called Orion.\n\nThe blog begins.")
    commands = commands_in(text, workspace)
    assert {one[0] for one in commands} == {"recall", "lineage", "note", "review", "index", "consolidate"}
    for words in commands:
        slug = "orion" if "--accept" in words or words[0] == "index" else "blog"
        words = [slug if word == "SLUG" else word for word in words]
        if words[:2] == ["index", "add"]:
            words[2] = "garden"
        done = memsite(*words, stdin=BODY)
        assert done.code == 0, (words, done.err)


def test_the_configured_triggers_are_in_the_description() -> None:
    config = Config(recall_triggers=("想起来", 'say "it"'))
    text = format_skill("claude-code", Target(PROGRAM, Path("/m"), config))
    front = text.split("---\n")[1]
    import yaml

    assert yaml.safe_load(front)["description"] == (
        'The long-term memory. Use it on "想起来", "say "it"", and to remember, review or consolidate what is known.'
    )
    assert yaml.safe_load(front)["name"] == "memsite"
