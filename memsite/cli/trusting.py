"""`trust`: what this workspace would run, and the user's word for it; and the question that others ask before it runs.

The word is given at a terminal, by a person: a program that calls `memsite trust` gets the list and no more.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memsite.cli.context import Context, UsageError
from memsite.counting import counted
from memsite.errors import MemsiteError, RefusedError
from memsite.repo.executable import Executable, Runs, command_in, describe, find_executable
from memsite.repo.guard import Violation
from memsite.repo.trusted import Trusted, TrustStore

VARIABLE = "MEMSITE_TRUST"
AGENTS = {"CLAUDECODE": "Claude Code", "OPENCLAW_SHELL": "OpenClaw", "CODEX_SANDBOX": "Codex"}
"""Variables that agents set for the programs they call. SECURITY.md says what it is worth to ask for them."""
SHOWN = 12
"""Characters of a hash in a message."""
TYPED = 6
"""Characters of it that the user types."""
MOST_FILES = 8
"""Files of one entry that are listed by name."""


def trust_parser(parser: argparse.ArgumentParser) -> None:
    """`trust [--hash] [--revoke]`."""
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--hash", action="store_true", help=f"print the hash alone, for {VARIABLE} in CI; change nothing")
    ways.add_argument("--revoke", action="store_true", help="take back what was allowed")
    parser.add_argument("--json", action="store_true", help="answer as JSON, and ask nothing")


def trust(context: Context, arguments: argparse.Namespace) -> None:
    """Show what would run, and ask whether it may. Exit 1 when something would run and is not allowed."""
    root = context.workspace.root
    if arguments.revoke:
        gone = _store(context).forget(root)
        context.output.line("taken back: nothing of this workspace runs" if gone else "nothing was allowed here")
        context.output.json({"revoked": gone})
        return
    found = find_executable(context.workspace)
    if arguments.hash:
        _print_hash(context, found)
        return
    allowed = _is_allowed(context, found)
    context.output.json(_as_json(found, allowed=allowed))
    _show(context, found)
    if allowed:
        context.output.line(f"allowed{_since(context)}")
    elif found.items:
        _ask(context, found)


def _print_hash(context: Context, found: Executable) -> None:
    if not found.items:
        raise RefusedError("nothing in this workspace would run: there is no hash to allow")
    context.output.line(found.hash)
    context.output.json(_as_json(found, allowed=_is_allowed(context, found)))


def _ask(context: Context, found: Executable) -> None:
    """Ask at the terminal. Raises RefusedError without one, under an agent, and for any other answer."""
    hint = f"do so in a terminal of your own, or in CI set {VARIABLE} to the hash that `memsite trust --hash` prints"
    agent = next((name for variable, name in AGENTS.items() if context.environ.get(variable)), "")
    if agent:
        raise RefusedError(f"not allowed: {agent} calls this, and only you may allow it", hint=hint)
    if context.output.as_json or not (context.stdin.isatty() and context.output.stream.isatty()):
        raise RefusedError("not allowed: that takes a person at a terminal", hint=hint)
    begun = found.hash[:TYPED]
    context.output.line(f"May this run, until any of it changes? Type {begun} to allow it, anything else not to:")
    context.output.stream.flush()
    answer = context.stdin.readline().decode("utf-8", "replace").strip()
    if answer.lower() != begun:
        raise RefusedError("not allowed: nothing was changed")
    if find_executable(context.workspace).hash != found.hash:
        raise RefusedError("it changed while you looked at it", hint="look again: memsite trust")
    _store(context).write(context.workspace.root, found, context.now)
    context.output.line("allowed")


def _show(context: Context, found: Executable) -> None:
    if not found.items:
        context.output.line("nothing in this workspace would run")
        return
    before = _store(context).read(context.workspace.root)
    context.output.line("What this workspace would run:")
    for one in found.items:
        place = one.where if one.line is None else f"{one.where}:{one.line}"
        package = f" ({one.package})" if one.package else ""
        context.output.line(f"  {place}  {one.what}{package}", style="bold")
        context.output.line(f"    {one.effect}")
        for line in _files(one, before):
            context.output.line(f"    {line}", style="dim")
    context.output.line(f"hash {found.hash}")


def _files(one: Runs, before: Trusted | None) -> Iterator[str]:
    names = [name for name in one.files if name != one.where]
    names.sort(key=lambda name: not _differs(one, name, before))
    for name in names[:MOST_FILES]:
        yield f"{name} {one.files[name][:SHOWN]}" + (" (changed)" if _differs(one, name, before) else "")
    if len(names) > MOST_FILES:
        yield f"… and {counted(len(names) - MOST_FILES, 'more file')} (--json lists all)"


def _differs(one: Runs, name: str, before: Trusted | None) -> bool:
    return before is not None and before.files.get(name) != one.files[name]


def _store(context: Context) -> TrustStore:
    home = Path(context.environ.get("HOME") or "/nonexistent")
    place = context.environ.get("XDG_CONFIG_HOME", "")
    return TrustStore(Path(place) if Path(place).is_absolute() else home / ".config")


def _since(context: Context) -> str:
    before = _store(context).read(context.workspace.root)
    return f" since {before.at:%Y-%m-%d %H:%M}" if before else f" by {VARIABLE}"


def _is_allowed(context: Context, found: Executable) -> bool:
    if not found.items:
        return False
    before = _store(context).read(context.workspace.root)
    return found.hash in (context.environ.get(VARIABLE, "").strip(), before.hash if before else "")


def permit(context: Context, found: Executable, items: tuple[Runs, ...]) -> None:
    """Let `items` of what was found run, saying so in a line. Raises RefusedError when the user has not allowed it."""
    refuse_untrusted(context, found, items)
    context.output.warn(f"runs what was allowed{_since(context)}: {describe(items)}")


def refuse_untrusted(context: Context, found: Executable, items: tuple[Runs, ...]) -> None:
    """Raise RefusedError, saying what changed since it was allowed, unless `items` may run or there are none."""
    if items and not _is_allowed(context, found):
        raise RefusedError(_why_not(context, found, items), where=items[0].where, hint=_hint(context, found))


def refuse_untrusted_site(context: Context) -> None:
    """Raise RefusedError when a build would be refused for what mkdocs.yml would run."""
    found = find_executable(context.workspace)
    refuse_untrusted(context, found, found.site)


def trusted_summariser(context: Context) -> list[str]:
    """The words of the summariser of memsite.toml. Raises UsageError without one, RefusedError when it may not run."""
    command = context.workspace.config.summarizer
    if not command:
        raise UsageError("no command was given", hint='name it: --command "PROGRAM ARGUMENTS"')
    found = find_executable(context.workspace)
    permit(context, found, found.summariser)
    return command_in(context.workspace, command)


def _why_not(context: Context, found: Executable, items: tuple[Runs, ...]) -> str:
    before = _store(context).read(context.workspace.root)
    if before is None:
        return f"would run what you have not allowed: {describe(items)}"
    now = {name: digest for one in found.items for name, digest in one.files.items()}
    changed = sorted(name for name in {*now, *before.files} if now.get(name) != before.files.get(name))
    what = f"{', '.join(changed[:MOST_FILES])} changed" if changed else "its packages or settings changed"
    return f"would run {describe(items)}, and {what} since you allowed it on {before.at:%Y-%m-%d}"


def _hint(context: Context, found: Executable) -> str:
    if context.environ.get(VARIABLE):
        return f"{VARIABLE} is another hash than {found.hash[:SHOWN]}…: look at it with `memsite trust`"
    return "look at it with `memsite trust`"


def untrusted(context: Context) -> Iterator[Violation]:
    """For `check`: what would run and is not allowed."""
    try:
        found = find_executable(context.workspace)
    except MemsiteError as error:
        yield Violation(PurePosixPath(error.where or ""), error.line, error.problem, error.hint, warning=True)
        return
    if not _is_allowed(context, found):
        for one in found.items:
            what = f"{one.what}: {one.effect}; it is not allowed, and so it does not run"
            yield Violation(PurePosixPath(one.where), one.line, what, "look at it with `memsite trust`", warning=True)


def _as_json(found: Executable, *, allowed: bool) -> dict[str, object]:
    return {
        "hash": found.hash,
        "allowed": allowed,
        "items": [
            {
                "path": one.where,
                "line": one.line,
                "what": one.what,
                "effect": one.effect,
                "package": one.package,
                "files": dict(one.files),
            }
            for one in found.items
        ],
    }
