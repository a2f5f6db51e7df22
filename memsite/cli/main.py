"""The program: the one boundary where errors become a line and an exit code.

What every run loads is loaded here, late: `log` and the hooks run after every turn of an agent and pay for each module.
Commands' modules are imported when they are called.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import ExitStack, suppress
from itertools import pairwise

from memsite.cli.commands import COMMANDS, HOOK, QUICK
from memsite.errors import MemsiteError, WorkspaceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from memsite.cli.context import Context
    from memsite.repo.workspace import Workspace

_WITHOUT_FOLDER = {"init", "demo", "completion", HOOK}
"""They make the folder, or must not fail for it."""
_COLLECT_AT = 100_000
"""So many new values until rubbish is looked for. Loading modules makes values and no rubbish."""


def execute(argv: Sequence[str], context: Context | None = None) -> None:
    """Run one command line. Raises MemsiteError; argparse's own exits (help, usage) are SystemExit."""
    from memsite.cli.arguments import find_command, read_arguments, read_own
    from memsite.values import replace

    own, rest = _split(argv)
    is_hook = own[-1:] == [HOOK]
    options = read_own(own, lenient=is_hook)
    with ExitStack() as started:
        begun = _begin(options.directory, context, started) if options.command in QUICK else None
        arguments = read_arguments(options.command, rest, lenient=is_hook)
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
            begun=begun,
        )
        find_command(options.command)(context, arguments)


def _begin(directory: str, context: Context | None, started: ExitStack) -> Callable[[bool], Workspace] | None:
    """Let git look for the workspace while the command's modules are loaded; what is wrong with it is said later."""
    from pathlib import Path

    from memsite.repo.workspace import begin_workspace

    try:
        return begin_workspace(Path(context.directory if context else _working_folder(), directory), started)
    except (WorkspaceError, OSError):
        return None


def _does_without(command: str, rest: Sequence[str]) -> bool:
    """Whether the folder may be missing. A git hook may run for a commit that takes it away."""
    return command in _WITHOUT_FOLDER or [command, *rest[:1]] == ["hooks", "run"]


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Global options with the command, and what belongs to the command: argparse would take a `--` out of it."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] in {"-C", "--now"} else 1
    return list(argv[: at + 1]), list(argv[at + 1 :])


def _context(directory: str) -> Context:
    from pathlib import Path

    from memsite.cli.context import Context, machine_zone, read_clock
    from memsite.cli.output import Output

    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Context(
        directory=Path(directory) if Path(directory).is_absolute() else Path(_working_folder(), directory),
        clock=read_clock(),
        now_text="",
        zone_name=machine_zone(os.environ),
        environ=dict(os.environ),
        output=Output(sys.stdout, getattr(sys.stderr, "beneath", sys.stderr), coloured=coloured),
    )


def _working_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - before paths are loaded
    except FileNotFoundError as error:
        raise WorkspaceError("the working folder is gone", hint="name the workspace with -C DIR") from error


def main(argv: Sequence[str]) -> int:
    """Run the program; its exit code (CLI, "Exit codes")."""
    from memsite.safety.terminal import TerminalStream

    _open_streams()
    before = sys.stderr
    sys.stderr = TerminalStream(before)  # what libraries say there is escaped, too
    code = _run_hook(argv) if _is_hook(argv) else _run(argv)
    sys.stderr = before
    return code


def _open_streams() -> None:
    """Standard streams that were closed lead nowhere: else the files that are opened next would stand in for them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123 - open as long as the program runs
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
    _flush()
    return 0


def _flush() -> bool:
    """Say what is to be said; whether somebody hears it. The interpreter would try again at its end, and complain."""
    heard = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            heard = False
    return heard


def _write_down(argv: Sequence[str], problem: str) -> None:
    from memsite.cli.agents import record_fault  # what hardly ever happens costs nothing

    named = [place for option, place in pairwise(argv) if option == "-C"]
    with suppress(Exception):
        record_fault(_context(named[-1] if named else "."), problem=f"{problem}: {' '.join(argv)}")


def _run(argv: Sequence[str]) -> int:
    from memsite.safety.terminal import escape_terminal

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
        if _was_interrupted(error):
            return 130
        if os.environ.get("MEMSITE_DEBUG"):
            raise
        text = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"memsite: a fault in memsite itself: {escape_terminal(text, keep_newlines=False)}; ")
        sys.stderr.write("MEMSITE_DEBUG=1 shows where\n")
        return 1
    return 0


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt came while a class was being made, say: Python makes an error of another kind of it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


def run() -> NoReturn:
    """The console script."""
    gc.set_threshold(_COLLECT_AT)
    argv = sys.argv[1:]
    try:
        code = main(argv)
    except KeyboardInterrupt:  # before there was anything to interrupt
        code = 130
    is_quick = not QUICK.isdisjoint(_split(argv)[0][-1:])
    if not is_quick and _has_threads():
        sys.exit(code if _flush() else code or 1)  # the interpreter ends them as they expect it
    if not is_quick:
        atexit._run_exitfuncs()  # the last words of libraries and of plugins of others
    code = code if _flush() or is_quick else code or 1
    os._exit(code)  # taking the interpreter apart takes as long as starting it, after a build a fifth of the build


def _has_threads() -> bool:
    """Whether there are others than the main one: pools of plugins wait for a word that only the interpreter says."""
    threads = sys.modules.get("threading")
    return threads is not None and threads.active_count() > 1
