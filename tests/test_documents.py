"""What the README says of commands and settings is what there is. Its commands run in `test_document_commands`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memsite.cli.commands import COMMANDS
from memsite.config import parse_config

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table(command: str) -> None:
    rows = "\n".join(line for line in README.splitlines() if line.startswith("| `"))
    assert re.search(rf"`{command}\b", rows)


def test_settings_that_are_shown_are_settings() -> None:
    shown = README.partition("## Settings")[2].partition("\n## ")[0]
    _, errors = parse_config("\n".join(line[4:] for line in shown.splitlines() if line.startswith("    ")))
    assert errors == ()


def test_the_commands_of_code_blocks_exist() -> None:
    used = set(re.findall(r"(?m)(?:^ {4}|`)memsite ([a-z][a-z-]*)", README))
    assert used
    assert used - set(COMMANDS) == set()


def test_the_tests_that_security_names_are_there() -> None:
    root = Path(__file__).parents[1]
    named = re.findall(r"`(tests/[^`]+\.py)`", (root / "SECURITY.md").read_text(encoding="utf-8"))
    assert len(named) > 15
    assert [name for name in named if not (root / name).is_file()] == []


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "docs/guide.md",
        "docs/reference.md",
    ],
)
def test_what_a_document_links_to_is_there(name: str) -> None:
    path = Path(__file__).parents[1] / name
    links = re.findall(r"\]\(([^):#]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
