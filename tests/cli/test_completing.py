"""`completion`: the shells themselves complete."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memsite.cli.commands import COMMANDS
from memsite.cli.completing import SHELLS
from tests.conftest import Run

BASH = """
source __SCRIPT__
COMP_WORDS=(memsite __WORDS__); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_memsite; printf '%s\\n' "${COMPREPLY[@]}"
"""
LINES = [
    ("dif", "diff"),
    ("-C /tmp dif", "diff"),
    ("diff --form", "--format"),
    ("diff --format mark", "markdown"),
    ("index stat", "status"),
    ("index add --cat", "--category"),
    ("completion zs", "zsh"),
    ("hooks unin", "uninstall"),
]


def script(memsite: Run, folder: Path, shell: str) -> Path:
    """The script that memsite prints, in a file."""
    done = memsite("completion", shell, cwd=folder)
    assert (done.code, done.err) == (0, "")
    path = folder / f"completion.{shell}"
    path.write_text(done.out, encoding="utf-8")
    return path


@pytest.mark.parametrize(("words", "wanted"), LINES)
def test_bash_completes_commands_options_and_choices(memsite: Run, tmp_path: Path, words: str, wanted: str) -> None:
    path = script(memsite, tmp_path, "bash")
    code = BASH.replace("__SCRIPT__", str(path)).replace("__WORDS__", words)
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == ([wanted], "")


def test_fish_completes_commands_options_and_choices(memsite: Run, tmp_path: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish")
    path = script(memsite, tmp_path, "fish")
    lines = [(words, wanted) for words, wanted in LINES if "--cat" not in words]
    code = "\n".join([f"source {path}", *(f"complete -C 'memsite {words}'" for words, _ in lines)])
    done = subprocess.run(["fish", "--no-config", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [wanted for _, wanted in lines]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command_and_is_one(memsite: Run, tmp_path: Path, shell: str) -> None:
    path = script(memsite, tmp_path, shell)
    text = path.read_text(encoding="utf-8")
    assert [command for command in COMMANDS if command not in text] == []
    if shutil.which(shell):
        done = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
