"""What the README says of commands and settings is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memsite.cli.main import COMMANDS
from memsite.config import parse_config

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table(command: str) -> None:
    rows = "\n".join(line for line in README.splitlines() if line.startswith("| `"))
    assert re.search(rf"`{command}\b", rows)


def test_every_setting_of_the_table_is_one() -> None:
    table = README.partition("## Settings")[2].partition("\n## ")[0]
    keys = [
        key
        for line in table.splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`([a-z_]+)`", line.split("|")[1])
    ]
    assert len(keys) > 15
    for key in keys:
        tables = "".join(f"[{table}]\n{key} = 2025-01-01\n" for table in ("safety", "publish"))
        _, errors = parse_config(f"{key} = 2025-01-01\n{tables}")
        assert not all("unknown key" in str(error) for error in errors), key


def test_the_commands_of_code_blocks_exist() -> None:
    used = set(re.findall(r"(?m)(?:^ {4}|`)memsite ([a-z][a-z-]*)", README))
    assert used
    assert used - set(COMMANDS) == set()
