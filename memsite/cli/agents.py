"""`agent`: what the hooks of agents call. It always ends with 0 and never stands in an agent's way.

What goes wrong is written to a log that `check` reads. What takes time (pending notes, the review) is left to a process
of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from memsite.cli.context import Context, UsageError, require_one
from memsite.errors import MemsiteError, PendingError
from memsite.repo.workspace import open_workspace
from memsite.values import replace

TYPE_CHECKING = False
TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

EVENTS: dict[str, dict[str, str]] = {
    "claude-code": {
        "session-start": "claude_code_events.session_start",
        "stop": "claude_code_events.session_goes_on",
        "pre-compact": "claude_code_events.session_goes_on",
        "session-end": "claude_code_events.session_goes_on",
    },
    "openclaw": {
        "agent_end": "openclaw_events.agent_end",
        "session_end": "openclaw_events.session_end",
        "before_prompt_build": "openclaw_events.before_prompt_build",
        "sessions": "openclaw_events.sessions",
    },
}
"""What answers each event: a function of a module of this room, imported when it is called."""
SETTLE = "settle"
"""Our own event: what the detached process does."""


def agent_parser(parser: argparse.ArgumentParser) -> None:
    """`agent claude-code|openclaw EVENT`."""
    # Nothing here may be refused by argparse: it would end with 2, which blocks an agent.
    parser.add_argument("words", metavar="AGENT EVENT", nargs="...", help="event JSON on standard input")


def agent(context: Context, arguments: argparse.Namespace) -> None:
    """Answer one event of an agent. Raises nothing at all."""
    words: list[str] = [*(word for word in arguments.words if not word.startswith("-")), "", ""]
    name, event = words[:2]
    lenient = context
    try:
        # A hook never stops for a wrong setting; `check` reports it.
        workspace = require_one(context.open_workspace(strict=False))
        lenient = replace(context, opened=context.with_zone(workspace), output=replace(context.output, as_json=False))
        _handler(name, event)(lenient, name, event)
    except PendingError:
        return  # it is kept, and the next run commits it
    except BrokenPipeError:
        return  # the agent does not wait for the answer
    except (Exception, KeyboardInterrupt) as error:
        _record(lenient, name, event, error)


def _handler(name: str, event: str) -> Callable[[Context, str, str], None]:
    from importlib import import_module

    if name in EVENTS and event == SETTLE:
        place = "settling.settle"
    elif event in EVENTS.get(name, {}):
        place = EVENTS[name][event]
    else:
        raise MemsiteError(f"no event {event!r} of an agent {name!r} is known", hint="update memsite or its hooks")
    module, _, function = place.partition(".")
    handler: Callable[[Context, str, str], None] = getattr(import_module(f"memsite.cli.{module}"), function)
    return handler


def _record(context: Context, name: str, event: str, error: BaseException) -> None:
    from memsite.agents.hook_log import shortened, write_hook_error

    text = str(error) if isinstance(error, MemsiteError) else f"{type(error).__name__}: {error}"
    with suppress(Exception):
        context.output.warn(shortened(text).splitlines()[0] if text else name)
    with suppress(Exception):
        write_hook_error(context.workspace.require_repository(), _time_of(context), name, event, text)


def _time_of(context: Context) -> datetime:
    try:
        return context.now
    except UsageError:  # `--now` may be what is wrong
        return context.clock


def record_fault(context: Context, problem: str) -> None:
    """Write down for `check` that a hook's command line did not get as far as an event. Raises MemsiteError, OSError
    where there is no workspace to write it into."""
    workspace = context.with_zone(open_workspace(context.directory, strict=False))
    _record(replace(context, opened=workspace), "memsite", "agent", MemsiteError(problem))


def read_event(context: Context) -> dict[str, Any]:
    """The event on standard input; an empty one for what is no JSON object."""
    data = context.stdin.read()
    try:
        event = json.loads(data.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise MemsiteError("the agent's event is no JSON") from error
    if not isinstance(event, dict):
        raise MemsiteError("the agent's event is no JSON object")
    return event


def text_of(event: dict[str, Any], key: str) -> str:
    """A text of an event; empty where it has none."""
    value = event.get(key)
    return value if isinstance(value, str) else ""


def settle_later(context: Context, name: str) -> None:
    """Commit what is pending and review the day, in a process that the agent does not wait for."""
    from memsite.cli.program import program_path
    from memsite.repo.background import start_detached

    workspace = context.workspace
    workspace.require_repository()
    now = ["--now", context.now_text] if context.now_text else []
    command = [str(program_path()), "-C", str(workspace.root), *now, "agent", name, SETTLE]
    start_detached(command, cwd=workspace.root, log=Path(os.devnull))
