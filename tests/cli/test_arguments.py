"""A plain line is read as argparse reads it; every other one is left to argparse."""

from __future__ import annotations

from itertools import product

import pytest

from memsite.cli import arguments
from memsite.cli.commands import COMMANDS, QUICK

WORDS = ("-", "a", "", "auto", "--format", "--session", "--json", "--ignore", "--form", "--", "-x", "--at=1", "-1")


def plain(command: str, argv: list[str]) -> dict[str, object] | None:
    read = arguments._read_plain(arguments._describer(command), argv)
    return vars(read) if read else None


def by_argparse(command: str, argv: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object] | None:
    try:
        return vars(arguments.command_parser(command).parse_args(argv))
    except SystemExit:
        return None
    finally:
        capsys.readouterr()


def test_whatever_is_read_is_what_argparse_reads(capsys: pytest.CaptureFixture[str]) -> None:
    seen = 0
    parser = arguments.command_parser("log")
    for length in range(4):
        for argv in map(list, product(WORDS, repeat=length)):
            read = plain("log", argv)
            if read is not None:
                seen += 1
                assert vars(parser.parse_args(argv)) == read, argv
    assert seen > 100


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["one"],
        ["one", "two"],
        ["one", "--json"],
        ["--json", "one", "two"],
        ["one", "--json", "two"],
        ["one", "two", "three", "four"],
        ["one", "--date", "2025-03-20"],
        ["--date", "2025-03-20", "one"],
        ["claude-code", "stop"],
        ["claude-code", "stop", "--new", "x"],
        ["list"],
        ["show", "blog"],
        ["--nothing"],
    ],
    ids=" ".join,
)
def test_every_command_has_the_same_arguments_either_way(
    command: str, argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    read = plain(command, argv)
    assert read is None or by_argparse(command, argv, capsys) == read


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("log", ["-", "--format", "messages", "--session", "s1"]),
        ("log", ["transcript.jsonl"]),
        ("note", ["Remember this."]),
        ("agent", ["claude-code", "session-end"]),
    ],
)
def test_what_agents_call_needs_no_argparse(command: str, argv: list[str]) -> None:
    assert command in QUICK
    assert plain(command, argv)


@pytest.mark.parametrize("argv", [["-C", "x", "log"], ["--now", "2025-03-20", "-C", "x", "note"], ["check"]])
def test_what_stands_before_the_command_is_read_in_both_ways(argv: list[str]) -> None:
    read = arguments._read_plain(arguments.describe_own, argv)
    assert read
    assert vars(read) == vars(arguments.own_parser().parse_args(argv))


@pytest.mark.parametrize("argv", [[], ["nothing"], ["-C"], ["--version"], ["--no", "x", "log"], ["-Cx", "log"]])
def test_a_line_that_is_not_plain_is_left_to_argparse(argv: list[str]) -> None:
    assert arguments._read_plain(arguments.describe_own, argv) is None
