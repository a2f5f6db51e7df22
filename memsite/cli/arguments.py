"""The command line: what stands before the command, and the command's own arguments.

Parsers are argparse's, described by each command's module. A plain line (options by their whole names, values of their
own) is read from the same description without argparse, which costs `log` 5 ms to load, to build and to ask; every
other line, right or wrong, is argparse's.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace

from memsite import __version__
from memsite.cli.commands import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from memsite.cli.context import Context


def read_own(argv: Sequence[str], *, lenient: bool) -> Any:
    """What stands before the command, and its name. Ends the program as argparse does where that is wrong."""
    plain = _read_plain(describe_own, argv)
    return plain or _parse(own_parser(), argv, lenient=lenient)


def read_arguments(command: str, argv: Sequence[str], *, lenient: bool) -> Any:
    """A command's own arguments. Options that are not known are an error, but not to an agent (`lenient`): it may be
    older or newer than memsite."""
    plain = _read_plain(_describer(command), argv)
    return plain or _parse(command_parser(command), argv, lenient=lenient)


def find_command(command: str) -> Callable[[Context, Any], None]:
    """The function that runs a command; errors are raised."""
    found: Callable[[Context, Any], None] = getattr(_module(command), _name(command))
    return found


def own_parser() -> argparse.ArgumentParser:
    """The parser of what stands before the command, and of the command's name."""
    from argparse import SUPPRESS, RawDescriptionHelpFormatter
    from functools import partial

    from memsite.cli.parser import Parser

    commands = "\n".join(f"  {name:<12} {summary}" for name, (_, summary) in COMMANDS.items())
    parser = Parser(
        prog="memsite",
        usage="memsite [-C DIR] [--now TIME] COMMAND …",
        description="A git-backed static site generator for the memory of AI agents.",
        epilog=f"commands:\n{commands}\n\n`memsite COMMAND --help` tells more.",
        formatter_class=partial(RawDescriptionHelpFormatter, width=_width()),
    )
    describe_own(parser, SUPPRESS)
    parser.add_argument("--version", action="version", version=f"memsite {__version__}")
    return parser


def describe_own(parser: argparse.ArgumentParser, hidden: str | None = None) -> None:
    """`[-C DIR] [--now TIME] COMMAND`; `hidden` is the help of what help does not list, argparse's own object."""
    parser.add_argument("-C", dest="directory", metavar="DIR", default=".", help="work in this folder")
    parser.add_argument("--now", metavar="TIME", default="", help="use this time instead of the clock's")
    parser.add_argument("command", metavar="COMMAND", choices=list(COMMANDS), help=hidden)


def command_parser(command: str) -> argparse.ArgumentParser:
    """The parser of a command's own arguments."""
    from argparse import RawDescriptionHelpFormatter
    from functools import partial

    from memsite.cli.manual import above_options, below_options
    from memsite.cli.parser import Parser

    width = _width()
    parser = Parser(
        prog=f"memsite {command}",
        description=above_options(command, width),
        epilog=below_options(command, width),
        formatter_class=partial(RawDescriptionHelpFormatter, width=width),
    )
    _describer(command)(parser)
    return parser


_USUAL, _NARROWEST = 78, 20


def _width() -> int:
    """Columns for help. argparse would load shutil, with all compressors, to find out what only `--help` needs."""
    with suppress(ValueError, OSError):
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns)
        return max(columns - 2, _NARROWEST) if columns > 0 else _USUAL  # 0: a terminal that does not know
    return _USUAL


def _describer(command: str) -> Callable[[Any], None]:
    described: Callable[[Any], None] = getattr(_module(command), f"{_name(command)}_parser")
    return described


def _module(command: str) -> Any:
    return import_module(f"memsite.cli.{COMMANDS[command][0]}")


def _name(command: str) -> str:
    """The functions of a command; `import` is no name that Python allows."""
    return "import_transcripts" if command == "import" else command.replace("-", "_")


def _parse(parser: argparse.ArgumentParser, argv: Sequence[str], *, lenient: bool) -> argparse.Namespace:
    return parser.parse_known_args(argv)[0] if lenient else parser.parse_args(argv)


_REST = "..."
"""argparse.REMAINDER: all the words that follow."""


class _NotPlainError(Exception):
    """This line, or this description, is for argparse."""


class _Plain:
    """Reads what is described to it as to an argparse parser, as far as that is plain."""

    def __init__(self) -> None:
        self._options: dict[str, tuple[str, dict[str, Any]]] = {}
        self._places: list[tuple[str, dict[str, Any]]] = []
        self._values: dict[str, Any] = {}

    def add_argument(self, *names: str, **about: Any) -> None:
        """As argparse's. Raises _NotPlainError for what is not understood."""
        known = {"action", "choices", "default", "dest", "help", "metavar", "nargs"}
        is_flag, is_list = about.get("action") == "store_true", about.get("action") == "append"
        is_option = names[0].startswith("-")
        if not about.keys() <= known or not (is_flag or is_list or "action" not in about) or is_list > is_option:
            raise _NotPlainError
        if about.get("nargs") not in ((None,) if is_option else (None, "?", _REST)):
            raise _NotPlainError
        long = next((name for name in names if name.startswith("--")), names[0])
        target = about.get("dest") or long.lstrip("-").replace("-", "_")
        self._values[target] = about.get("default", False if is_flag else None)
        if is_option:
            self._options |= dict.fromkeys(names, (target, about))
        else:
            self._places.append((names[0], about))

    def read(self, argv: Sequence[str]) -> SimpleNamespace:
        """The values. Raises _NotPlainError."""
        placed, words, ended = list[str](), iter(argv), False
        for word in words:
            if word.startswith("-") and word != "-":
                ended = bool(placed)
                self._take_option(word, words)
            elif ended:  # argparse has given the places away that come behind an option
                raise _NotPlainError
            else:
                placed.append(word)
        self._take_places(placed)
        return SimpleNamespace(**self._values)

    def _take_option(self, name: str, words: Iterator[str]) -> None:
        target, about = self._options.get(name, ("", {}))
        if not target:
            raise _NotPlainError
        if about.get("action") == "store_true":
            self._values[target] = True
            return
        value = next(words, "-")
        if value.startswith("-"):
            raise _NotPlainError
        _check_choice(value, about)
        self._values[target] = [*(self._values[target] or ()), value] if about.get("action") == "append" else value

    def _take_places(self, placed: list[str]) -> None:
        kinds = [about.get("nargs") for _, about in self._places]
        if kinds == [_REST]:
            self._values[self._places[0][0]] = placed
            return
        needed = kinds.count(None)
        if _REST in kinds or any(kinds[:needed]) or not needed <= len(placed) <= len(kinds):
            raise _NotPlainError
        for (target, about), value in zip(self._places, placed, strict=False):
            _check_choice(value, about)
            self._values[target] = value


def _check_choice(value: str, about: dict[str, Any]) -> None:
    if "choices" in about and value not in about["choices"]:
        raise _NotPlainError


def _read_plain(describe: Callable[[Any], None], argv: Sequence[str]) -> SimpleNamespace | None:
    """The values of a plain line; None for one that is argparse's."""
    plain = _Plain()
    try:
        describe(plain)
        return plain.read(argv)
    except (_NotPlainError, AttributeError):  # `add_subparsers` and the like
        return None
