"""What the site tells its readers to run exists."""

from __future__ import annotations

import argparse
import re
from html import unescape
from importlib import import_module
from pathlib import Path

import pytest

from memsite.cli.commands import COMMANDS

SITE = Path(__file__).parents[2] / "memsite" / "site"
_IN_HTML = re.compile(r"<code>memsite ([^<]+)</code>")
_IN_TEXT = re.compile(r"`memsite ([^`\n]+)`")


def told_commands() -> list[tuple[str, str]]:
    """Every command line on a page, in a message or in a docstring, with where it stands."""
    files = [(path, _IN_HTML) for path in sorted(SITE.rglob("*.html"))]
    files += [(path, _IN_TEXT) for path in sorted(SITE.rglob("*.py"))]
    return [
        (path.name, unescape(line))
        for path, pattern in files
        for line in pattern.findall(path.read_text(encoding="utf-8"))
    ]


def test_there_are_such_texts() -> None:
    assert {"home.html", "topic.html", "statuses.py"} <= {name for name, _ in told_commands()}


@pytest.mark.parametrize(("place", "line"), sorted(set(told_commands())))
def test_a_command_that_is_told_exists(place: str, line: str) -> None:
    command, *arguments = line.split()
    assert command in COMMANDS, place
    module = import_module(f"memsite.cli.{COMMANDS[command][0]}")
    parser = argparse.ArgumentParser()
    getattr(module, f"{'import_transcripts' if command == 'import' else command.replace('-', '_')}_parser")(parser)
    known = parser.format_help() + "".join(
        sub.format_help()
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for sub in action.choices.values()
    )
    assert [flag for flag in arguments if flag.startswith("--") and flag not in known] == [], place
