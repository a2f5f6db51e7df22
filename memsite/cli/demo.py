"""`demo`: replay the story through the real commands, with their dates, and build its site."""

from __future__ import annotations

import argparse
import io
import json
import shlex
import tomllib
from collections.abc import Sequence
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from memsite.cli.context import Context
from memsite.cli.main import execute
from memsite.errors import RefusedError
from memsite.repo.gitcmd import run_git
from memsite.repo.workspace import ensure_repository
from memsite.values import replace

ZONE = ZoneInfo("Asia/Shanghai")
Step = dict[str, Any]


def demo_parser(parser: argparse.ArgumentParser) -> None:
    """`demo [DIR]`."""
    parser.add_argument("directory", metavar="DIR", nargs="?", default="memsite-demo", help="default: memsite-demo")


def demo(context: Context, arguments: argparse.Namespace) -> None:
    """Make the demo memory in an empty folder; the last line is the address of its site."""
    directory = context.directory / arguments.directory
    if directory.exists() and any(directory.iterdir()):
        raise RefusedError("the folder is not empty", where=arguments.directory, hint="name another one, or remove it")
    directory.mkdir(parents=True, exist_ok=True)
    _sign_as_ada(directory)
    steps = _read_story()
    for step in steps:
        _replay(context, directory, step)
    _run(context, directory, ["build"], steps[-1]["at"])


def _sign_as_ada(directory: Path) -> None:
    # A name of the story's own: the demo is the same, commit for commit, whoever makes it.
    ensure_repository(directory, of_its_own=True)
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        run_git(["config", key, value], cwd=directory)


def _read_story() -> list[Step]:
    text = files("memsite.cli").joinpath("story.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["step"])


def _replay(context: Context, directory: Path, step: Step) -> None:
    if "say" in step:
        context.output.line(f"\n{step['at'][:10]}  {step['say']}", style="bold")
    if "append" in step:
        context.output.line(f"The agent writes {step['append']}", style="dim")
        with (directory / step["append"]).open("a", encoding="utf-8", newline="") as stream:
            stream.write(step["text"])
        _run(context, directory, ["commit"], step["at"])
    elif "remove" in step:
        context.output.line(f"{step['remove']} is deleted", style="dim")
        (directory / step["remove"]).unlink()
        _run(context, directory, ["commit"], step["at"])
    elif "session" in step:
        command = ["log", "-", "--session", step["session"]]
        if step["agent"] == "openclaw":
            _run(context, directory, command, step["at"], _openclaw_transcript(step))
        else:
            _run(context, directory, command, step["at"], _claude_code_transcript(step))
    else:
        _run(context, directory, step["run"], step["at"], step.get("stdin", ""))


def _run(context: Context, directory: Path, argv: Sequence[str], at: str, stdin: str = "") -> None:
    context.output.line(f"$ memsite --now {at} {shlex.join(argv)}", style="cyan")
    inner = replace(context, directory=directory, zone_name=ZONE.key, stdin=io.BytesIO(stdin.encode()))
    execute(["--now", at, *argv], inner)


def _claude_code_transcript(step: Step) -> str:
    """The story's messages as Claude Code writes them: one JSON object a line, one message a minute."""
    begun = datetime.fromisoformat(step["at"]).replace(tzinfo=ZONE)
    lines: list[dict[str, object]] = [{"type": "file-history-snapshot", "snapshot": {}}]
    for number, (role, text) in enumerate(step["messages"]):
        content = text if role == "user" else [{"type": "text", "text": text}]
        message: dict[str, object] = {"role": role, "content": content}
        if role == "assistant":
            message["id"] = f"msg_{number}"
        lines.append(
            {
                "type": role,
                "uuid": f"{step['session']}-{number}",
                "sessionId": step["session"],
                "cwd": "/home/ada/personal-blog",
                "timestamp": (begun + timedelta(minutes=number)).isoformat(),
                "message": message,
            }
        )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _openclaw_transcript(step: Step) -> str:
    """The same as OpenClaw writes it."""
    begun = datetime.fromisoformat(step["at"]).replace(tzinfo=ZONE)
    header = {
        "type": "session",
        "version": 3,
        "id": step["session"],
        "timestamp": begun.isoformat(),
        "cwd": "/home/ada",
    }
    lines: list[dict[str, object]] = [header]
    for number, (role, text) in enumerate(step["messages"]):
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        moment = (begun + timedelta(minutes=number)).isoformat()
        lines.append({"type": "message", "id": f"m{number}", "timestamp": moment, "message": message})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
