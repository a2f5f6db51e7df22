"""Write `docs/reference.md` from the code: `make reference`. A test fails when the file says something else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from datetime import time
from pathlib import Path

from memsite import config
from memsite.agents.seed_settings import format_value
from memsite.cli.usage import Argument, Usage, program_usage, usages

FILE = Path(__file__).parent / "reference.md"
_HEAD = """# Reference

<!-- Made from the code by `make reference`; edit the code. -->

What each command and each setting does. How they go together: [the guide](guide.md).

## The command line

    memsite [-C DIR] [--now TIME] COMMAND …
"""
_CODES = """
## Exit codes

| code | means |
|---|---|
| 0 | done; for a writing command: committed |
| 1 | refused or failed; one line on stderr says what, where and what to do |
| 2 | the command line is off |
| 3 | recorded but not committed yet, because git is busy; the next run delivers it |
| 130 | interrupted |

`memsite agent …` ends with 0 whatever happens: another code would block the agent.
"""
_SETTINGS = """
## Settings

`memsite.toml` at the root of the workspace. Every key has a default; one that is not known is an error with its line.
"""


def make_reference() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_rows(program_usage()), "", *_commands(), *_CODES.splitlines(), *_settings(), ""])


def _commands() -> Iterator[str]:
    yield "## Commands"
    for usage in usages():
        yield ""
        yield f"### {usage.name}"
        yield ""
        yield f"    {usage.line}"
        yield ""
        yield f"{usage.summary[:1].upper()}{usage.summary[1:]}."
        if usage.text:
            yield ""
            yield usage.text
        if usage.examples:
            yield ""
            yield from (f"    {one}" for one in usage.examples)
        if usage.arguments:
            yield ""
            yield from _rows(usage)


def _rows(usage: Usage) -> Iterator[str]:
    yield "| argument | |"
    yield "|---|---|"
    for one in usage.arguments:
        yield f"| {_cell(_named(one))} | {_text(one.help)} |"


def _named(one: Argument) -> str:
    return ", ".join(f"{name} {one.value}".strip() for name in one.names) or one.value


def _settings() -> Iterator[str]:
    yield from _SETTINGS.splitlines()
    said = _docstrings()
    for table in ("", *config.TABLES):
        yield ""
        yield f"### `[{table}]`" if table else "### At the top"
        yield ""
        yield "| key | default | meaning |"
        yield "|---|---|---|"
        for one in fields(config.Config):
            if _table_of(one.name) == table:
                meaning = said[one.name].removeprefix(f"`[{table}]`: ")
                yield f"| `{one.name}` | {_cell(_default(one.name))} | {_text(meaning[:1].upper() + meaning[1:])} |"


def _table_of(key: str) -> str:
    return next((table for table, keys in config.TABLES.items() if key in keys), "")


def _default(key: str) -> str:
    value = getattr(config.Config(), key)
    match value:
        case bool() | int() | str():
            plain: object = value
        case tuple():
            plain = list(value)
        case time():
            plain = f"{value:%H:%M}"
        case _:
            plain = str(value)
    return format_value(key, plain).partition(" = ")[2]


def _docstrings() -> dict[str, str]:
    """What stands under each key in the code."""
    (body,) = ast.parse(inspect.getsource(config.Config)).body
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - a class it is
    found: dict[str, str] = {}
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and isinstance(after, ast.Expr):
            found[before.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return found


def _cell(code: str) -> str:
    return f"`{code}`".replace("|", "\\|")


def _text(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    FILE.write_text(make_reference(), encoding="utf-8")
