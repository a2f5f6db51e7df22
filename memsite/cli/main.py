"""The program: global options, the table of commands, the one boundary where errors become a line and an exit code.

The commands' modules are imported when they are called: `log` and the hooks run after every turn of an agent and must
not pay for MkDocs. That is also why the parser is argparse: importing it costs 10 ms, click 70.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn, Protocol, TextIO, cast

from memsite import __version__
from memsite.cli.context import Context, machine_zone, read_clock
from memsite.cli.output import Output
from memsite.errors import MemsiteError, WorkspaceError
from memsite.safety.terminal import TerminalStream, escape_terminal
from memsite.values import replace

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
    "publish": ("publishing", "build the site for others and put it on the pages branch"),
    "purge": ("purging", "keep a leaked value or file out of everything that is rendered"),
    "serve": ("website", "serve the site and follow changes"),
    "completion": ("completing", "a script that completes commands and options in your shell"),
    "trust": ("trusting", "what this workspace would run, and your word for it"),
}
"""Command -> (module of `memsite.cli`, one line of help).

A module has `<command>_parser` and `<command>`, with `_` for `-`.
"""
HOOK = "agent"
"""The command that agents call: whatever happens, it ends with 0."""
_WITHOUT_FOLDER = {"init", "demo", "completion", HOOK}
"""They make the folder, or must not fail for it."""


class _Parser(argparse.ArgumentParser):
    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # Python before 3.13 takes a `--` for the value of the option before it, and makes an empty list of that.
        if action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings) or action.metavar}: expected one argument")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"memsite: {escape_terminal(message)}; see `{self.prog} --help`\n")


class _Module(Protocol):
    def __getattr__(self, name: str) -> object: ...


def own_parser() -> _Parser:
    """The parser of what stands before the command, and of the command's name."""
    commands = "\n".join(f"  {name:<12} {summary}" for name, (_, summary) in COMMANDS.items())
    parser = _Parser(
        prog="memsite",
        usage="memsite [-C DIR] [--now TIME] COMMAND …",
        description="A git-backed static site generator for the memory of AI agents.",
        epilog=f"commands:\n{commands}\n\n`memsite COMMAND --help` tells more.",
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_width()),
    )
    parser.add_argument("-C", dest="directory", metavar="DIR", default=".", help="work in this folder")
    parser.add_argument("--now", metavar="TIME", default="", help="use this time instead of the clock's")
    parser.add_argument("--version", action="version", version=f"memsite {__version__}")
    parser.add_argument("command", metavar="COMMAND", choices=list(COMMANDS), help=argparse.SUPPRESS)
    return parser


def _width() -> int:
    """Columns for help. argparse would load shutil, with all compressors, to find out what only `--help` needs."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns) - 2
    return 78


def command_parser(command: str) -> _Parser:
    """The parser of a command's own arguments."""
    module = _module(command)
    formatter = partial(argparse.HelpFormatter, width=_width())
    parser = _Parser(prog=f"memsite {command}", description=COMMANDS[command][1], formatter_class=formatter)
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
    is_hook = own[-1:] == [HOOK]
    options = _parse(own_parser(), own, lenient=is_hook)
    module = _module(options.command)
    arguments = _parse(command_parser(options.command), rest, lenient=is_hook)
    # Not joined twice: a folder `a/a`, or one that is gone, is not the folder `a`.
    directory = context.directory / options.directory if context else None
    context = context or _context(options.directory)
    directory = directory or context.directory
    if options.directory != "." and not _does_without(options.command, rest) and not directory.is_dir():
        # The memory of a folder above is not the one that was meant.
        raise WorkspaceError("there is no such folder", where=directory, hint="give one that exists to -C")
    context = replace(
        context,
        directory=directory,
        now_text=options.now or context.now_text,
        output=replace(context.output, as_json=bool(getattr(arguments, "json", False))),
    )
    cast("Command", getattr(module, _name(options.command)))(context, arguments)


def _module(command: str) -> _Module:
    return cast("_Module", import_module(f"memsite.cli.{COMMANDS[command][0]}"))


def _does_without(command: str, rest: Sequence[str]) -> bool:
    """Whether the folder may be missing. A git hook may run for a commit that takes it away."""
    return command in _WITHOUT_FOLDER or [command, *rest[:1]] == ["hooks", "run"]


def _parse(parser: _Parser, argv: Sequence[str], *, lenient: bool) -> argparse.Namespace:
    """Options that are not known are an error, but not to an agent that is older or newer than memsite."""
    return parser.parse_known_args(argv)[0] if lenient else parser.parse_args(argv)


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Global options with the command, and what belongs to the command: argparse would take a `--` out of it."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] in {"-C", "--now"} else 1
    return list(argv[: at + 1]), list(argv[at + 1 :])


def _name(command: str) -> str:
    """The functions of a command; `import` is no name that Python allows."""
    return "import_transcripts" if command == "import" else command.replace("-", "_")


def _context(directory: str) -> Context:
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Context(
        directory=Path(directory) if Path(directory).is_absolute() else _working_folder() / directory,
        clock=read_clock(),
        now_text="",
        zone_name=machine_zone(os.environ),
        environ=dict(os.environ),
        output=Output(sys.stdout, getattr(sys.stderr, "beneath", sys.stderr), coloured=coloured),
    )


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise WorkspaceError("the working folder is gone", hint="name the workspace with -C DIR") from error


def main(argv: Sequence[str]) -> int:
    """Run the program; its exit code (CLI, "Exit codes")."""
    _open_streams()
    before = sys.stderr
    sys.stderr = cast("TextIO", TerminalStream(before))  # what libraries say there is escaped, too
    code = _run_hook(argv) if _is_hook(argv) else _run(argv)
    sys.stderr = before
    return code


def _open_streams() -> None:
    """Standard streams that were closed lead nowhere: else the files that are opened next would stand in for them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - open as long as the program runs
            setattr(sys, name, nowhere)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _is_hook(argv: Sequence[str]) -> bool:
    """Whether an agent calls, also by a line in which no command is where it belongs."""
    own, rest = _split(argv)
    if own and own[-1] in COMMANDS:
        return own[-1] == HOOK
    return any(pair in {(HOOK, "claude-code"), (HOOK, "openclaw")} for pair in pairwise([*own, *rest]))


def _run_hook(argv: Sequence[str]) -> int:
    """Run the command of agents. They are told nothing by an exit code: 2 would block them."""
    try:
        execute(argv)
    except SystemExit as exit_:
        if exit_.code:
            _write_down(argv, "the command line was not understood")
    except (Exception, KeyboardInterrupt) as error:
        _write_down(argv, str(error))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # nobody listens; the interpreter would try again at its end, and fail
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return 0


def _write_down(argv: Sequence[str], problem: str) -> None:
    from memsite.cli.agents import record_fault  # what hardly ever happens costs nothing

    named = [place for option, place in pairwise(argv) if option == "-C"]
    with suppress(Exception):
        record_fault(_context(named[-1] if named else "."), problem=f"{problem}: {' '.join(argv)}")


def _run(argv: Sequence[str]) -> int:
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
