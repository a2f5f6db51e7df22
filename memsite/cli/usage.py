"""The command line described as values, read from the commands' own parsers: for completion and the reference."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memsite.cli.arguments import command_parser, own_parser
from memsite.cli.commands import COMMANDS
from memsite.cli.manual import PAGES
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """One option, or one positional argument."""

    names: tuple[str, ...]
    """`-C`, `--json`; empty for a positional one."""
    value: str
    """What stands for its value in help; empty for a flag."""
    help: str
    choices: tuple[str, ...] = ()
    required: bool = True
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """One command, or one action of a command."""

    name: str
    """`diff`, `index add`; empty for the program itself."""
    summary: str
    text: str
    """More about a command; empty for the program itself and for actions."""
    examples: tuple[str, ...]
    arguments: tuple[Argument, ...]

    @property
    def line(self) -> str:
        """As it is typed: `memsite diff [SLUG] [A] [B]`."""
        positional = (one for one in self.arguments if not one.names)
        return " ".join(["memsite", *([self.name] if self.name else []), *map(_placed, positional)])


def program_usage() -> Usage:
    """The options before the command."""
    return Usage("", "", "", (), tuple(_arguments(own_parser())))


def usages() -> Iterator[Usage]:
    """Every command in the order of `--help`; one with actions is followed by each of them."""
    for name, (_, summary) in COMMANDS.items():
        parser = command_parser(name)
        yield Usage(name, summary, PAGES[name].text, PAGES[name].examples, tuple(_arguments(parser)))
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for one in action._choices_actions:
                    its = action.choices[one.dest]
                    yield Usage(f"{name} {one.dest}", one.help or "", "", (), tuple(_arguments(its)))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[Argument]:
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction) or action.help == argparse.SUPPRESS:
            continue
        shown = action._choices_actions if isinstance(action, argparse._SubParsersAction) else ()
        choices = tuple(one.dest for one in shown) or tuple(map(str, action.choices or ()))
        yield Argument(
            tuple(action.option_strings),
            "" if action.nargs == 0 else str(action.metavar or "|".join(choices) or action.dest.upper()),
            action.help or "",
            choices,
            action.required,
            action.nargs in ("*", "+", argparse.REMAINDER) or isinstance(action, argparse._AppendAction),
        )


def _placed(one: Argument) -> str:
    value = f"{one.value}…" if one.repeated else one.value
    return value if one.required and not one.repeated else f"[{value}]"
