from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from memsite.cli.arguments import read_arguments
from memsite.cli.commands import COMMANDS
from memsite.cli.manual import PAGES
from tests.conftest import Demo, Run


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(memsite: Run, command: str) -> None:
    done = memsite(command, "--help")
    assert done.code == 0
    assert f"memsite {command}" in done.out


@pytest.mark.parametrize(
    ("command", "example"), [(command, one) for command, page in PAGES.items() for one in page.examples]
)
def test_the_examples_of_help_are_command_lines(command: str, example: str) -> None:
    words = shlex.split(re.split(" [<>] ", example)[0], comments=True)
    assert words[:2] == ["memsite", command]
    read_arguments(command, words[2:], lenient=False)


@pytest.mark.parametrize("columns", ["0", "-5", "1", "many", "100000"])
def test_help_fits_any_terminal_and_one_that_does_not_know(
    memsite: Run, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert "examples:" in memsite("trust", "--help").out


class Interrupted:
    """Python 3.11 makes a RuntimeError of an interrupt that comes in here."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_class_is_made_is_an_interrupt(memsite: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memsite.cli.arguments.read_arguments", lambda *_, **__: type("Made", (), {"a": Interrupted()}))
    done = memsite("sessions")
    assert (done.code, done.err) == (130, "")


def test_every_command_has_a_page() -> None:
    assert list(PAGES) == list(COMMANDS)


def test_help_lists_every_command(memsite: Run) -> None:
    done = memsite("--help")
    assert done.code == 0
    assert all(name in done.out for name in COMMANDS)
    assert "SUPPRESS" not in done.out


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["nonsense"],
        ["index"],
        ["note"],
        ["index", "status", "x", "gone"],
        ["log", "--format", "x"],
        ["index", "add", "x", "--category", "--"],
        ["index", "add", "--category", "x", "--alias", "--", "x"],
        ["note", "x", "--date", "--"],
    ],
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


def test_a_text_that_begins_with_a_dash_can_be_given_after_two(memsite: Run, workspace: Path) -> None:
    assert memsite("note", "--", "-dash").code == 0
    assert "-dash" in (workspace / "memory" / "2025-03-20.md").read_text(encoding="utf-8")


def test_bytes_that_are_no_utf8_on_the_command_line_become_visible(memsite: Run, workspace: Path) -> None:
    assert memsite("note", "caf\udce9 \udcff").code == 0
    assert "caf\ufffd \ufffd" in (workspace / "memory" / "2025-03-20.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("time", ["0001-01-01T00:00", "9999-12-31T23:59", "2205-03-20"])
@pytest.mark.parametrize("option", ["--now", "--at", "--date"])
def test_a_time_that_no_agent_can_have_is_refused(memsite: Run, workspace: Path, time: str, option: str) -> None:
    if option == "--now":
        done = memsite("note", "x", now=time)
    elif option == "--at":
        done = memsite("log", "--at", time, stdin='[{"role": "user", "content": "hello there"}]')
    else:
        done = memsite("note", "x", "--date", time[:10])
    assert done.code == 2
    assert not (workspace / "memory").exists() or not any((workspace / "memory").iterdir())


def test_generations_can_be_named_as_everything_names_them(memsite: Run, demo: Demo) -> None:
    assert memsite("diff", "personal-blog", "gen1", "gen2", cwd=demo.workspace).code == 0
    wrong = memsite("diff", "personal-blog", "first", cwd=demo.workspace)
    assert wrong.code == 2
    assert "write 2 or gen2" in wrong.err


def test_a_working_folder_that_is_gone_matters_only_to_what_works_in_it(
    memsite: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert memsite("note", "still here").code == 0
    done = memsite("note", "nowhere", cwd=Path("."))
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "the working folder is gone" in done.err


def test_a_folder_that_does_not_exist_is_not_the_one_above_it(memsite: Run, workspace: Path) -> None:
    done = memsite("-C", "typo", "note", "meant for another memory")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "there is no such folder" in done.err
    assert not (workspace / "memory/2025-03-20.md").exists()


_ENDING = """
import atexit, sys, threading, time
atexit.register(print, "said at the end")
{threads}
from memsite.cli.main import run
sys.argv = ["memsite", "completion", "bash"]
run()
"""


_THREADS = {
    "none": 'print("a thread\'s work")',
    "a thread": 'threading.Thread(target=lambda: (time.sleep(0.2), print("a thread\'s work"))).start()',
    "a pool that waits": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(1)\n"
        'pool.submit(print, "a thread\'s work").result()'
    ),
}


@pytest.mark.parametrize("threads", _THREADS)
def test_what_libraries_do_at_the_end_is_done(threads: str) -> None:
    code = _ENDING.format(threads=_THREADS[threads])
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert "a thread's work\n" in done.stdout
    assert done.stdout.endswith("\nsaid at the end\n")
