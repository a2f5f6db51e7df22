"""Claude Code: the hooks in its settings, and a skill."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memsite.agents.installing import (
    SKILL_FILE,
    FileChange,
    Installation,
    Target,
    joined,
    plan_skill,
    plan_skill_removal,
    read_or_none,
)
from memsite.agents.json_splice import Item, JsonText

AGENT = "claude-code"
HOOKS = {"SessionStart": "session-start", "Stop": "stop", "PreCompact": "pre-compact", "SessionEnd": "session-end"}
"""Claude Code's names, and ours."""
TIMEOUT = 30
"""Seconds. Without it SessionEnd has 1.5; none of ours needs one."""
_KEY = "hooks"
_EMPTY = b"{}\n"
_MADE_BY_US = b"\n \n"
"""How settings end that were not there before, and by which they are known when they are to be removed: whatever
program or person writes them anew does not leave this, and then they are not ours."""


def settings_path(folder: Path, *, user: bool) -> Path:
    """The settings in a `.claude` folder: a project's that are not shared (`settings.local.json`), or the user's."""
    return folder / ("settings.json" if user else "settings.local.json")


def plan_install(folder: Path, target: Target, *, user: bool) -> Installation:
    """Put our hooks and the skill into a `.claude` folder. Raises FormatError, with the line, for settings that are no
    JSON or have something else where hooks belong."""
    path = settings_path(folder, user=user)
    old = read_or_none(path)
    new = with_hooks(_before(old), path, target)
    settings = Installation((FileChange(path, old, new),) if new != old else ())
    note = () if user else (f"memsite commits nothing in {folder.name}/: the skill is yours to commit",)
    return joined(settings, plan_skill(folder / SKILL_FILE, AGENT, target), Installation(steps=note))


def plan_uninstall(folder: Path, target: Target, *, user: bool) -> Installation:
    """Take out our hooks for this workspace, and the skill; settings only go when we made them and nothing is left in
    them. Raises FormatError as `plan_install` does."""
    path = settings_path(folder, user=user)
    old = read_or_none(path)
    new = without_hooks(old, path, target) if old is not None and old.strip() else old
    is_ours_alone = old != new and new == _EMPTY.strip() + _MADE_BY_US
    settings = Installation((FileChange(path, old, None if is_ours_alone else new),) if new != old else ())
    return joined(settings, plan_skill_removal(folder / SKILL_FILE))


def _before(old: bytes | None) -> bytes:
    """What our hooks are put into. Settings that are there and empty must not look like those that we make."""
    if old is None:
        return _EMPTY.strip() + _MADE_BY_US
    if not old.strip():
        return _EMPTY
    is_alike = old.endswith(_MADE_BY_US) and b'"command"' not in old
    return old.rstrip() + b"\n" if is_alike else old


def with_hooks(data: bytes, path: Path, target: Target) -> bytes:
    """The settings with our four hooks; those that are there for this workspace are brought up to date."""
    text = JsonText(data, path)
    _check(text)
    for name, event in HOOKS.items():
        command = shlex.join([*target.words, "agent", AGENT, event])
        ours = [item for _, _, item in _ours(text, name, target)]
        if not ours:
            _add(text, name, command)
        elif ours[0].value != command:
            text.replace(ours[0], command)
    return text.data


def without_hooks(data: bytes, path: Path, target: Target) -> bytes:
    """The settings without our hooks for this workspace, and without what has become empty by that."""
    text = JsonText(data, path)
    _check(text)
    for name in HOOKS:
        while found := next(_ours(text, name, target), None):
            _remove(text, name, found[0], found[1])
    return text.data


def _check(text: JsonText) -> None:
    hooks = text.find(text.root, _KEY)
    if hooks is None:
        return
    if not isinstance(hooks.value, dict):
        raise text.refuse(hooks.at, "'hooks' is no object")
    for item in text.items(hooks.at):
        if item.key in HOOKS and not isinstance(item.value, list):
            raise text.refuse(item.at, f"'hooks.{item.key}' is no list")


def _list_of(text: JsonText, name: str) -> Item | None:
    hooks = text.find(text.root, _KEY)
    return text.find(hooks.at, name) if hooks else None


def _ours(text: JsonText, name: str, target: Target) -> Iterator[tuple[Item, Item, Item]]:
    """Our hooks under one of Claude Code's names: the group, the hook in it, and its command."""
    listed = _list_of(text, name)
    for group in text.items(listed.at) if listed else ():
        inner = text.find(group.at, _KEY) if isinstance(group.value, dict) else None
        for hook in text.items(inner.at) if inner and isinstance(inner.value, list) else ():
            command = text.find(hook.at, "command") if isinstance(hook.value, dict) else None
            if command and is_ours(command.value, HOOKS[name], target.root):
                yield group, hook, command


def is_ours(command: Any, event: str, root: Path) -> bool:
    """Whether a command calls `memsite agent claude-code EVENT` for this workspace, from wherever it is installed."""
    if not isinstance(command, str):
        return False
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    tail = ["-C", str(root), "agent", AGENT, event]
    return len(words) == len(tail) + 1 and words[1:] == tail


def _add(text: JsonText, name: str, command: str) -> None:
    if text.find(text.root, _KEY) is None:
        text.add(text.root, {}, _KEY)
    listed = _list_of(text, name)
    group = {"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT}]}
    if listed:
        text.add(listed.at, group)
    elif hooks := text.find(text.root, _KEY):
        text.add(hooks.at, [group], name)


def _remove(text: JsonText, name: str, group: Item, hook: Item) -> None:
    """Take one hook out, then whatever holds nothing but it."""
    hooks, listed = text.find(text.root, _KEY), _list_of(text, name)
    inner = text.find(group.at, _KEY)
    if hooks is None or listed is None or inner is None:
        return
    if len(inner.value) > 1:
        text.remove(inner.at, hook)
    elif len(listed.value) > 1:
        text.remove(listed.at, group)
    elif len(hooks.value) > 1:
        text.remove(hooks.at, listed)
    else:
        text.remove(text.root, hooks)
