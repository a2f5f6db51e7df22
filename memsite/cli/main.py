"""The program: global options, the table of commands, the one boundary where errors become a line and an exit code.

The commands' modules are imported when they are called: `log` and the hooks run after every turn of an agent and must
not pay for MkDocs. That is also why the parser is argparse: importing it costs 10 ms, click 70.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NoReturn, Protocol, cast

from memsite import __version__
from memsite.cli.context import Context, machine_zone, read_clock
from memsite.cli.output import Output
from memsite.errors import MemsiteError
from memsite.safety.terminal import escape_terminal

COMMANDS = {
    "init": ("init", "adopt a workspace, or make one"),
    "demo": ("demo", "replay a story of a blog project and build its site"),
    "log": ("sessions", "log a session from its transcript"),
    "sessions": ("sessions", "the last days' sessions, or one day's log"),
    "note": ("notes", "remember this: append to the day's note"),
    "index": ("topics", "the topics: list, show, add, touch, status, check"),
    "recall": ("recalling", "what is known about a topic"),
    "consolidate": ("consolidation", "make the next generation of a topic"),
    "lineage": ("lineages", "the generations of a topic"),
    "diff": ("lineages", "what changed between two generations, word by word"),
    "blame": ("lineages", "which generation each sentence came from"),
    "review": ("reviewing", "index maintenance of a day: dates, proposals, consolidations"),
    "flush": ("flushing", "close the days that are over, begin today's note"),
    "import": ("importing", "log the transcripts that already exist on this machine"),
    "tail": ("importing", "the protected recent exchanges of a transcript"),
    "agent": ("agents", "what the hooks of agents call"),
    "commit": ("commits", "commit what agents and people have written"),
    "history": ("commits", "commits of the memory, and what they changed"),
    "check": ("checking", "the doctor: what is wrong with the memory, its settings, its commits"),
    "hooks": ("hooks", "git hooks: install, uninstall, status"),
    "sync": ("syncing", "fetch, merge what other machines pushed, push"),
    "merge-driver": ("syncing", "what git calls to merge a file of the memory"),
    "migrate": ("migrating", "take over an index and settings of the seed's version 1"),
    "build": ("website", "build the site"),
    "serve": ("website", "serve the site and follow changes"),
}
"""Command -> (module of `memsite.cli`, one line of help).

A module has `<command>_parser` and `<command>`, with `_` for `-`.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"memsite: {escape_terminal(message)}; see `{self.prog} --help`\n")


class _Module(Protocol):
    def __getattr__(self, name: str) -> object: ...


def _parser() -> _Parser:
    commands = "\n".join(f"  {name:<12} {summary}" for name, (_, summary) in COMMANDS.items())
    parser = _Parser(
        prog="memsite",
        usage="memsite [-C DIR] [--now TIME] COMMAND …",
        description="A git-backed static site generator for the memory of AI agents.",
        epilog=f"commands:\n{commands}\n\n`memsite COMMAND --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-C", dest="directory", metavar="DIR", default=".", help="work in this folder")
    parser.add_argument("--now", metavar="TIME", default="", help="use this time instead of the clock's")
    parser.add_argument("--version", action="version", version=f"memsite {__version__}")
    parser.add_argument("command", metavar="COMMAND", choices=list(COMMANDS), help=argparse.SUPPRESS)
    return parser


def _command_parser(command: str, module: _Module) -> _Parser:
    parser = _Parser(prog=f"memsite {command}", description=COMMANDS[command][1])
    cast("AddArguments", getattr(module, f"{_name(command)}_parser"))(parser)
    return parser


class AddArguments(Protocol):
    """What a command's module offers to describe its arguments."""

    def __call__(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of one command."""


class Command(Protocol):
    """What a command's module offers to run it."""

    def __call__(self, context: Context, arguments: argparse.Namespace) -> None:
        """Run it; errors are raised."""


def execute(argv: Sequence[str], context: Context | None = None) -> None:
    """Run one command line. Raises MemsiteError; argparse's own exits (help, usage) are SystemExit."""
    own, rest = _split(argv)
    options = _parser().parse_args(own)
    module = cast("_Module", import_module(f"memsite.cli.{COMMANDS[options.command][0]}"))
    arguments = _command_parser(options.command, module).parse_args(rest)
    context = context or _context()
    context = replace(
        context,
        directory=context.directory / options.directory,
        now_text=options.now or context.now_text,
        output=replace(context.output, as_json=bool(getattr(arguments, "json", False))),
    )
    cast("Command", getattr(module, _name(options.command)))(context, arguments)


def _split(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Global options with the command, and what belongs to the command: argparse would take a `--` out of it."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] in {"-C", "--now"} else 1
    return argv[: at + 1], argv[at + 1 :]


def _name(command: str) -> str:
    """The functions of a command; `import` is no name that Python allows."""
    return "import_transcripts" if command == "import" else command.replace("-", "_")


def _context() -> Context:
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Context(
        directory=Path.cwd(),
        clock=read_clock(),
        now_text="",
        zone_name=machine_zone(os.environ),
        environ=dict(os.environ),
        output=Output(sys.stdout, sys.stderr, coloured=coloured),
    )


def main(argv: Sequence[str]) -> int:
    """Run the program; its exit code (CLI, "Exit codes")."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        execute(argv)
    except MemsiteError as error:
        sys.stderr.write(f"memsite: {escape_terminal(str(error), keep_newlines=False)}\n")
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"memsite: {escape_terminal(place + (error.strerror or str(error)), keep_newlines=False)}\n")
        return 1
    except Exception as error:  # a bug: say so in one line; the traceback is for those who mend it
        if os.environ.get("MEMSITE_DEBUG"):
            raise
        text = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"memsite: a fault in memsite itself: {escape_terminal(text, keep_newlines=False)}; ")
        sys.stderr.write("MEMSITE_DEBUG=1 shows where\n")
        return 1
    return 0


def run() -> NoReturn:
    """The console script."""
    sys.exit(main(sys.argv[1:]))
