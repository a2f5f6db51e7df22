"""Settings of what memsite succeeds: the index skill's `config.json`, and the OpenClaw plugin's in `openclaw.json`.

Keys that mean nothing here are left out and said; a value that cannot be followed is left out, never guessed at.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from memsite.config import CONFIG_NAME, NUMBER_TOO_LONG, parse_config
from memsite.errors import ConfigError, FormatError, UnsafePathError
from memsite.memory.names import parse_inner_path
from memsite.safety.paths import read_settings_file
from memsite.values import dataclass, field

SKILL = PurePosixPath("memory-index-manager/config.json")
PLUGIN_FILE = "openclaw.json"

_SKILL_KEYS = {
    "consolidationThreshold": "consolidation_threshold",
    "autoProposeIndex": "auto_propose_index",
    "categories": "categories",
    "recallTriggers": "recall_triggers",
}
_PLUGIN_KEYS = {
    "sessionLogging": "session_logging",
    "tailProtectCount": "tail_protect_count",
    "ignorePatterns": "ignore_patterns",
}
PATH_KEYS = ("indexFile", "consolidatedDir")
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA_OR_KEY = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])|(?<=[{,\s])(?P<key>[A-Za-z_$][\w$]*)(?=\s*:)')
_LONGEST_FILE = 1_000_000
"""Bytes. OpenClaw's file has far more than the settings that are looked for."""
_LONGEST_VALUE = 4_096
"""Characters; memsite.toml itself may not be long."""
_TABLE = re.compile(r"\s*\[")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Imported:
    """What one file of settings comes to."""

    path: Path
    values: Values = field(default_factory=dict)
    """Keys of memsite.toml."""
    left_out: tuple[str, ...] = ()
    """What was not taken over, and why."""
    fault: FormatError | None = None
    """Why nothing of it can be read."""


class _NoObjectError(ValueError):
    """JSON, and no object."""


def find_seed_settings(root: Path, environ: Mapping[str, str]) -> tuple[Imported, ...]:
    """The settings that are there: the skill's in the workspace or OpenClaw's folder, the plugin's of this user."""
    home = Path(environ.get("HOME", "") or "~").expanduser()
    state = Path(environ.get("OPENCLAW_STATE_DIR") or home / ".openclaw")
    skills = [root / SKILL, root / "skills" / SKILL, state / "skills" / SKILL, state / SKILL]
    skill = next((path for path in skills if path.is_file()), None)
    plugin = Path(environ.get("OPENCLAW_CONFIG_PATH") or state / PLUGIN_FILE)
    found = [_read(skill, parse_skill_settings)] if skill else []
    found += [_read(plugin, parse_plugin_settings)] if plugin.is_file() else []
    return tuple(one for one in found if one.values or one.left_out)


def merged(found: Iterable[Imported]) -> dict[str, object]:
    """All values; the skill's first."""
    values: dict[str, object] = {}
    for one in found:
        values.update({key: value for key, value in one.values.items() if key not in values})
    return values


def _read(path: Path, parse: Any) -> Imported:
    data = b""
    try:
        data = read_settings_file(path, _LONGEST_FILE)
        values, left_out = parse(data.decode("utf-8-sig"))
    except UnsafePathError as error:
        return _unread(path, FormatError(error.problem, where=path, hint=error.hint))
    except (ValueError, RecursionError) as error:
        what, line = _describe(error, data)
        return _unread(path, FormatError(f"cannot be read as JSON: {what}", where=path, line=line, hint="mend it"))
    return Imported(path, values, left_out)


def _unread(path: Path, fault: FormatError) -> Imported:
    return Imported(path, left_out=(fault.problem,), fault=fault)


def _describe(error: Exception, data: bytes) -> tuple[str, int]:
    """What is wrong with a file, and on which line."""
    if isinstance(error, json.JSONDecodeError):
        return error.msg, error.lineno
    if isinstance(error, UnicodeDecodeError):
        return "it is no UTF-8", data[: error.start].count(b"\n") + 1
    if isinstance(error, RecursionError):
        return "it is nested too deeply", 1
    return str(error) if isinstance(error, _NoObjectError) else NUMBER_TOO_LONG, 1


def parse_skill_settings(text: str) -> tuple[Values, tuple[str, ...]]:
    """`memory-index-manager/config.json` (seed, "Configuration"). Raises ValueError for what is no JSON object."""
    table = _object(text)
    left_out = [f"{key!r} means nothing here" for key in table if key not in {*_SKILL_KEYS, *PATH_KEYS}]
    values, bad = _checked(table, _SKILL_KEYS)
    places, lost = _take_paths(table)
    return {**values, **places}, (*left_out, *bad, *lost)


def _take_paths(table: Mapping[str, Any]) -> tuple[Values, list[str]]:
    """The seed names both from the workspace; memsite names the folder once, and the rest below it."""
    paths = {key: _inner_path(table[key]) for key in PATH_KEYS if key in table}
    bad = [f"{key!r}: must be a path below the workspace, without '..'" for key, path in paths.items() if path is None]
    index, folder = (paths.get(key) for key in PATH_KEYS)
    memory = index.parent if index else PurePosixPath("memory")
    values = {"memory": str(memory), "index_file": index.name} if index else {}
    if folder and folder.is_relative_to(memory) and folder != memory:
        values["consolidated_dir"] = str(folder.relative_to(memory))
    elif folder:
        bad.append(f"'consolidatedDir': {str(folder)!r} is not below {str(memory)!r}")
    return values, bad


def _inner_path(value: object) -> PurePosixPath | None:
    path = parse_inner_path(value) if isinstance(value, str) else None
    return None if path is None or ".git" in path.parts else path


def parse_plugin_settings(text: str) -> tuple[Values, tuple[str, ...]]:
    """`plugins.entries.<id>.config` of the plugin that logs sessions, whatever its id, in a file with comments as
    OpenClaw allows them. Raises ValueError for what is no JSON object."""
    entries: Any = _object(text)
    for key in ("plugins", "entries"):
        entries = entries.get(key) if isinstance(entries, dict) else None
    for entry in entries.values() if isinstance(entries, dict) else ():
        config = entry.get("config") if isinstance(entry, dict) else None
        if isinstance(config, dict) and _PLUGIN_KEYS.keys() & config.keys():
            values, bad = _checked(config, _PLUGIN_KEYS)
            return values, (*(f"{key!r} means nothing here" for key in config if key not in _PLUGIN_KEYS), *bad)
    return {}, ()


def _object(text: str) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except ValueError:
        table = _loose(text)
    if not isinstance(table, dict):
        raise _NoObjectError("no object")
    return table


def _loose(text: str) -> Any:
    """JSON with comments, commas at the end of lists and bare keys. Without comments, errors are those of JSON."""
    bare = _TOKEN.sub(_without_comment, text)
    try:
        return json.loads(_COMMA_OR_KEY.sub(_as_json, bare))
    except ValueError:
        if bare == text:
            json.loads(text)
        raise


def _without_comment(match: re.Match[str]) -> str:
    """Lines keep their numbers."""
    return match[0] if match[0].startswith('"') else " " + "\n" * match[0].count("\n")


def _as_json(match: re.Match[str]) -> str:
    if match["key"]:
        return f'"{match["key"]}"'
    return "" if match[0] == "," else match[0]


def _checked(table: Mapping[str, object], keys: Mapping[str, str]) -> tuple[Values, list[str]]:
    """The values of some keys under memsite's names for them; only what memsite.toml may say."""
    good: dict[str, object] = {}
    bad: list[str] = []
    for name, key in keys.items():
        if name in table:
            reason = _reason_against(key, table[name])
            if reason:
                bad.append(f"{name!r}: {reason}")
            else:
                good[key] = table[name]
    return good, bad


def _reason_against(key: str, value: object) -> str:
    line = format_value(key, value)
    if not line.isascii() and line != line.encode("utf-8", "replace").decode():
        return "must be text"
    if len(line) > _LONGEST_VALUE:
        return "is too long"
    _, errors = parse_config(f"{line}\n")
    if errors and errors[0].line is None:
        return "is nothing that memsite.toml could say"
    return errors[0].problem.removeprefix(f"{key!r}: ") if errors else ""


def format_value(key: str, value: object) -> str:
    """One line of memsite.toml. JSON's strings, numbers, lists and truth values are TOML's too."""
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")


def lacking(toml: str, values: Values) -> dict[str, object]:
    """Those of some values whose keys memsite.toml does not have. Raises ConfigError where it cannot be read."""
    try:
        known = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not TOML: {error}", where=CONFIG_NAME) from error
    return {key: value for key, value in values.items() if key not in known}


def add_values(toml: str, values: Values) -> str:
    """memsite.toml with the keys that it lacks, before its first table; the rest of it as it is."""
    new = lacking(toml, values)
    if not new:
        return toml
    newline = "\r\n" if "\r\n" in toml else "\n"
    lines = "".join(format_value(key, value) + newline for key, value in new.items())
    before = _LINE.findall(toml)
    at = next((number for number, line in enumerate(before) if _TABLE.match(line)), len(before))
    head = "".join(before[:at])
    gap = "" if head.endswith("\n") or not head else newline
    added = head + gap + lines + "".join(before[at:])
    # What looks like a table may be a line of a list; before the first line there is nothing.
    return added if _is_union(added, toml, new) else lines + toml


def _is_union(added: str, toml: str, new: Values) -> bool:
    try:
        return tomllib.loads(added) == {**tomllib.loads(toml), **new}
    except tomllib.TOMLDecodeError:
        return False


def differing(values: Values) -> dict[str, object]:
    """Values that are not memsite's default already."""
    default, _ = parse_config("")
    kept: dict[str, object] = {}
    for key, value in values.items():
        config, _ = parse_config(f"{format_value(key, value)}\n")
        if config != default:
            kept[key] = value
    return kept
