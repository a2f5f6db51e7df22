"""Settings of what memsite succeeds: the index skill's `config.json`, and the OpenClaw plugin's in `openclaw.json`.

Keys that mean nothing here are left out and said; a value that cannot be followed is left out, never guessed at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from memsite.agents.installing import read_or_none
from memsite.config import parse_config

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
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA_OR_KEY = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])|(?<=[{,\s])(?P<key>[A-Za-z_$][\w$]*)(?=\s*:)')
_TABLE = re.compile(r"\s*\[")

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Imported:
    """What one file of settings comes to."""

    path: Path
    values: Values = field(default_factory=dict)
    """Keys of memsite.toml."""
    left_out: tuple[str, ...] = ()
    """What was not taken over, and why."""


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
    data = read_or_none(path) or b""
    try:
        values, left_out = parse(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Imported(path, left_out=(f"is no JSON that can be read: {str(error).splitlines()[0]}",))
    return Imported(path, values, left_out)


def parse_skill_settings(text: str) -> tuple[Values, tuple[str, ...]]:
    """`memory-index-manager/config.json` (seed, "Configuration"). Raises ValueError for what is no JSON object."""
    table = _object(text)
    values = {_SKILL_KEYS[key]: value for key, value in table.items() if key in _SKILL_KEYS}
    left_out = [f"{key!r} means nothing here" for key in table if key not in {*_SKILL_KEYS, *_PATH_KEYS}]
    left_out += _take_paths(table, values)
    return _checked(values, left_out)


_PATH_KEYS = ("indexFile", "consolidatedDir")


def _take_paths(table: Mapping[str, Any], values: dict[str, object]) -> Iterator[str]:
    """The seed names both from the workspace; memsite names the folder once, and the rest below it."""
    index, folder = (table.get(key) for key in _PATH_KEYS)
    memory = PurePosixPath(index).parent if isinstance(index, str) and index else PurePosixPath("memory")
    if isinstance(index, str) and index:
        values["memory"], values["index_file"] = str(memory), PurePosixPath(index).name
    if isinstance(folder, str) and folder:
        if PurePosixPath(folder).is_relative_to(memory) and PurePosixPath(folder) != memory:
            values["consolidated_dir"] = str(PurePosixPath(folder).relative_to(memory))
        else:
            yield f"'consolidatedDir': {folder!r} is not below {str(memory)!r}"


def parse_plugin_settings(text: str) -> tuple[Values, tuple[str, ...]]:
    """`plugins.entries.<id>.config` of the plugin that logs sessions, whatever its id, in a file with comments as
    OpenClaw allows them. Raises ValueError for what is no JSON object."""
    entries: Any = _object(text)
    for key in ("plugins", "entries"):
        entries = entries.get(key) if isinstance(entries, dict) else None
    for entry in entries.values() if isinstance(entries, dict) else ():
        config = entry.get("config") if isinstance(entry, dict) else None
        if isinstance(config, dict) and _PLUGIN_KEYS.keys() & config.keys():
            values = {_PLUGIN_KEYS[key]: value for key, value in config.items() if key in _PLUGIN_KEYS}
            return _checked(values, [f"{key!r} means nothing here" for key in config if key not in _PLUGIN_KEYS])
    return {}, ()


def _object(text: str) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except ValueError:
        bare = _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
        table = json.loads(_COMMA_OR_KEY.sub(_as_json, bare))
    if not isinstance(table, dict):
        raise ValueError("no object")  # noqa: TRY004 - to the caller it is one fault: not what it should be
    return table


def _as_json(match: re.Match[str]) -> str:
    if match["key"]:
        return f'"{match["key"]}"'
    return "" if match[0] == "," else match[0]


def _checked(values: Mapping[str, object], left_out: Iterable[str]) -> tuple[Values, tuple[str, ...]]:
    """Only what memsite.toml may say."""
    good: dict[str, object] = {}
    bad = list(left_out)
    for key, value in values.items():
        _, errors = parse_config(f"{format_value(key, value)}\n")
        if errors:
            bad.append(errors[0].problem)
        else:
            good[key] = value
    return good, tuple(bad)


def format_value(key: str, value: object) -> str:
    """One line of memsite.toml. JSON's strings, numbers, lists and truth values are TOML's too."""
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")


def add_values(toml: str, values: Values) -> str:
    """memsite.toml with the keys that it lacks, before its first table; the rest of it as it is."""
    known = re.findall(r"""^\s*["']?([\w-]+)["']?\s*=""", toml, re.MULTILINE)
    lines = [format_value(key, value) for key, value in values.items() if key not in known]
    if not lines:
        return toml
    before = toml.splitlines(keepends=True)
    at = next((number for number, line in enumerate(before) if _TABLE.match(line)), len(before))
    head = "".join(before[:at])
    gap = "" if head.endswith("\n") or not head else "\n"
    return head + gap + "".join(f"{line}\n" for line in lines) + "".join(before[at:])


def differing(values: Values) -> dict[str, object]:
    """Values that are not memsite's default already."""
    default, _ = parse_config("")
    kept: dict[str, object] = {}
    for key, value in values.items():
        config, _ = parse_config(f"{format_value(key, value)}\n")
        if config != default:
            kept[key] = value
    return kept
