from __future__ import annotations

from pathlib import Path

import pytest

from memsite.cli.main import COMMANDS
from tests.conftest import Run


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(memsite: Run, command: str) -> None:
    done = memsite(command, "--help")
    assert done.code == 0
    assert f"memsite {command}" in done.out


def test_help_lists_every_command(memsite: Run) -> None:
    done = memsite("--help")
    assert done.code == 0
    assert all(name in done.out for name in COMMANDS)


@pytest.mark.parametrize(
    "argv", [[], ["nonsense"], ["index"], ["note"], ["index", "status", "x", "gone"], ["log", "--format", "x"]]
)
def test_a_wrong_command_line_is_one_line_and_exit_2(memsite: Run, argv: list[str]) -> None:
    done = memsite(*argv)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert done.err.startswith("memsite: ")


def test_outside_any_workspace_says_how_to_make_one(memsite: Run, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = memsite("index", "list", cwd=elsewhere)
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "memsite init" in done.err


def test_a_wrong_setting_is_named_with_its_line(memsite: Run, workspace: Path) -> None:
    (workspace / "memsite.toml").write_text('# settings\nlanguage = "en"\nthreshold = 3\n', encoding="utf-8")
    done = memsite("index", "list")
    assert done.code == 1
    assert "memsite.toml:3" in done.err
    assert "threshold" in done.err
