"""OpenClaw: a plugin that comes with memsite and is loaded from where it lies, and a skill in the workspace."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from memsite.agents.installing import SKILL_FILE, Installation, Target, joined, plan_skill, plan_skill_removal

AGENT = "openclaw"
PLUGIN_ID = "memsite"


def plugin_folder() -> Path:
    """Where the plugin lies in this installation."""
    return Path(str(files("memsite.agents").joinpath("openclaw")))


def plan_install(folder: Path, target: Target) -> Installation:
    """Put the skill into a folder that has `skills/`, and tell what only the user can set: which plugins may load, and
    which may see conversations."""
    steps = (
        "add this to ~/.openclaw/openclaw.json, then restart the gateway:",
        *json.dumps({"plugins": plugin_settings(target)}, ensure_ascii=False, indent=2).splitlines(),
        *(("memsite commits nothing in skills/: the skill is yours to commit",) if folder == target.root else ()),
        "allowConversationAccess lets the plugin see what is said: without it no session is logged",
    )
    return joined(plan_skill(folder / SKILL_FILE, AGENT, target), Installation(steps=steps))


def plan_uninstall(folder: Path) -> Installation:
    """Take the skill out; the plugin's settings are the user's to remove."""
    steps = (f"remove plugins.entries.{PLUGIN_ID} and {plugin_folder()} from ~/.openclaw/openclaw.json",)
    return joined(plan_skill_removal(folder / SKILL_FILE), Installation(steps=steps))


def plugin_settings(target: Target) -> dict[str, object]:
    """The part of `plugins` in openclaw.json that loads the plugin."""
    entry = {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
        "config": {"command": str(target.program)},
    }
    return {"load": {"paths": [str(plugin_folder())]}, "entries": {PLUGIN_ID: entry}}
