"""`init`: adopt a workspace, or make one. It says what it found, completes what is missing, overwrites nothing."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memsite.cli.commits import report
from memsite.cli.context import Context
from memsite.cli.hooks import install
from memsite.cli.program import program_path
from memsite.config import CONFIG_NAME, Config
from memsite.errors import WorkspaceError
from memsite.memory.changeset import Append, Change, Changeset, Write
from memsite.memory.names import parse_day_name, parse_generation_name
from memsite.repo.git_hooks import HookState
from memsite.repo.merge import ATTRIBUTES, install_merge_driver, plan_merge_attributes
from memsite.repo.transaction import transact
from memsite.repo.workspace import Workspace, ensure_repository, read_config, workspace_at
from memsite.shipped import read_shipped

SITE_CONFIG = PurePosixPath("mkdocs.yml")
GITIGNORE = PurePosixPath(".gitignore")
IGNORED = b"/site/\n"
AGENT_FILES = ("AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "MEMORY.md", "DREAMS.md")
"""What OpenClaw keeps at the root of a workspace (it is named, never touched)."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is in the folder before anything is done."""

    repository: bool
    settings: bool
    site_config: str | None
    memory: PurePosixPath
    has_memory: bool
    notes: int
    generations: int
    has_index: bool
    agent_files: tuple[str, ...]


def init_parser(parser: argparse.ArgumentParser) -> None:
    """`init [DIR] [--name N] [--dry-run]`."""
    parser.add_argument("target", metavar="DIR", nargs="?", default=".", help="the workspace (default: this folder)")
    parser.add_argument("--name", metavar="NAME", help="the site's name")
    parser.add_argument("--no-hooks", action="store_true", help="install no git hooks")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")


def init(context: Context, arguments: argparse.Namespace) -> None:
    """Adopt or make a workspace and commit memsite's own files at once."""
    root = context.directory / arguments.target
    if root.exists() and not root.is_dir():
        raise WorkspaceError("is not a folder", where=arguments.target)
    found = find(root)
    _describe(context, found)
    changes = plan_changes(found, root, arguments.name or _site_name(root), context.zone_name)
    for change in changes:
        context.output.line(f"{'would write' if arguments.dry_run else 'writes'} {change.path}")
    if arguments.dry_run:
        return
    workspace = _apply(context, root, changes)
    if install_merge_driver(workspace, program_path()):
        context.output.line("git merges memory files by their entries in this clone")
    if not arguments.no_hooks:
        _install_hooks(context, workspace)
    if found.site_config is not None and "memsite" not in found.site_config:
        context.output.warn("mkdocs.yml is yours and does not load memsite: add `- memsite` under `plugins:`")
    context.output.line("`memsite build` makes the site")


def _apply(context: Context, root: Path, changes: tuple[Change, ...]) -> Workspace:
    root.mkdir(parents=True, exist_ok=True)
    if ensure_repository(root):
        context.output.line("made a git repository")
    workspace = context.with_zone(workspace_at(root))
    if not changes:
        context.output.line("no file was missing")
        return workspace
    plan = (Changeset(changes, "init: memsite"),)
    report(context, transact(workspace, lambda _reader: plan, now=context.now, allow_unborn=True))
    return workspace


def _install_hooks(context: Context, workspace: Workspace) -> None:
    for status in install(workspace):
        if status.state is HookState.LEFT_ALONE:
            context.output.warn(f"the git hook {status.name} was left alone: {status.reason}")
    context.output.line("git hooks: `memsite hooks status` tells, `memsite hooks uninstall` takes them out")


def find(root: Path) -> Found:
    """Look at the folder; nothing is read but names, the two settings files and .gitignore."""
    memory = _memory_folder(root)
    folder = root / memory
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    consolidated = folder / "consolidated"
    generations = [file.name for file in consolidated.iterdir()] if consolidated.is_dir() else []
    site_config = root / SITE_CONFIG
    return Found(
        repository=any((parent / ".git").exists() for parent in (root, *root.resolve().parents)),
        settings=(root / CONFIG_NAME).exists(),
        site_config=site_config.read_text("utf-8", errors="replace") if site_config.exists() else None,
        memory=memory,
        has_memory=folder.is_dir(),
        notes=sum(1 for name in names if parse_day_name(name)),
        generations=sum(1 for name in generations if parse_generation_name(name)),
        has_index="INDEX.md" in names,
        agent_files=tuple(name for name in AGENT_FILES if (root / name).exists()),
    )


def _memory_folder(root: Path) -> PurePosixPath:
    if (root / "memory").is_dir() or not root.is_dir():
        return PurePosixPath("memory")
    names = {file.name for file in root.iterdir()}
    is_memory = "consolidated" in names or any(parse_day_name(name) for name in names)
    return PurePosixPath(".") if is_memory else PurePosixPath("memory")


def plan_changes(found: Found, root: Path, site_name: str, zone_name: str) -> tuple[Change, ...]:
    """The files that are missing. Pure but for reading .gitignore, .gitattributes and the settings."""
    changes: list[Change] = []
    if not found.settings:
        changes.append(Write(PurePosixPath(CONFIG_NAME), None, _settings(found, zone_name).encode()))
    if found.site_config is None:
        changes.append(Write(SITE_CONFIG, None, _site_config(found, site_name).encode()))
        if found.memory == PurePosixPath("."):
            changes.append(Write(PurePosixPath(".memsite/README.md"), None, _DOCS_NOTE.encode()))
    ignore = root / GITIGNORE
    lines = ignore.read_bytes().splitlines() if ignore.exists() else []
    if not {b"/site/", b"site/", b"/site", b"site"} & set(lines):
        changes.append(Append(GITIGNORE, IGNORED))
    attributes = root / ATTRIBUTES
    config = read_config(root)[0] if found.settings else Config(memory=found.memory)
    changes += plan_merge_attributes(attributes.read_bytes() if attributes.exists() else None, config).changes
    if not found.has_memory:
        changes.append(Write(found.memory / "INDEX.md", None, b"# Memory Index\n"))
    return tuple(changes)


_DOCS_NOTE = """MkDocs wants a `docs_dir` beside its configuration that is not the whole repository. This folder is it.
The memory itself is read from the repository's root.
"""


def _settings(found: Found, zone_name: str) -> str:
    lines = [
        '# Settings of memsite; every key is optional (README, "Settings").',
        f"timezone = {json.dumps(zone_name)}",
    ]
    if found.memory != PurePosixPath("memory"):
        lines.append(f"memory = {json.dumps(str(found.memory))}")
    return "\n".join(lines) + "\n"


def _site_config(found: Found, site_name: str) -> str:
    docs_dir = ".memsite" if found.memory == PurePosixPath(".") else str(found.memory)
    # JSON strings are YAML strings, and stay strings when they look like a number or a `no`.
    own = {
        "site_name:": f"site_name: {json.dumps(site_name, ensure_ascii=False)}",
        "docs_dir:": f"docs_dir: {json.dumps(docs_dir)}",
    }
    lines = read_shipped("mkdocs.yml").splitlines()
    return "\n".join(next((text for key, text in own.items() if line.startswith(key)), line) for line in lines) + "\n"


def _site_name(root: Path) -> str:
    name = root.resolve().name
    return "Agent memory" if name in {"", "workspace", "memory"} else f"{name}: memory"


def _describe(context: Context, found: Found) -> None:
    parts = [
        f"{found.notes} daily notes",
        f"{found.generations} generations",
        "an INDEX.md" if found.has_index else "no INDEX.md",
        *found.agent_files,
    ]
    place = "a git repository" if found.repository else "a folder without git"
    context.output.line(f"found {place}; {'memory' if found.has_memory else 'no memory yet'}: {', '.join(parts)}")
