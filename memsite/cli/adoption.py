"""What a folder has and what it needs to be a workspace: the eyes and the plan of `init`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from memsite.agents.seed_settings import format_value
from memsite.cli.origins import AGENT_FILES, HERE, Origin, recognise
from memsite.config import CONFIG_NAME, Config, parse_config
from memsite.errors import WorkspaceError
from memsite.memory.changeset import Append, Change, Write
from memsite.memory.names import parse_day_name, parse_generation_name
from memsite.repo.merge import ATTRIBUTES, plan_merge_attributes
from memsite.repo.workspace import read_config
from memsite.shipped import read_shipped
from memsite.values import dataclass, field, replace

SITE_CONFIG = PurePosixPath("mkdocs.yml")
GITIGNORE = PurePosixPath(".gitignore")
IGNORED = b"/site/\n"


@dataclass(frozen=True, slots=True)
class Found:
    """What is in the folder before anything is done."""

    config: Config
    """Its settings; without any, where the memory seems to be."""
    repository: bool
    settings: bool
    site_config: str | None
    has_memory: bool
    notes: int
    generations: int
    has_index: bool
    agent_files: tuple[str, ...]
    origin: Origin
    """What it looks like; where there are settings, they say where the memory is."""
    ignores: bytes
    attributes: bytes | None


@dataclass(frozen=True, slots=True)
class Machine:
    """What `init` records of the machine, so that the site does not depend on it."""

    zone_name: str
    language: str
    imported: Mapping[str, object] = field(default_factory=dict)
    """Keys of settings that earlier tools have left on it."""


def find(root: Path, imported: Mapping[str, object] | None = None) -> Found:
    """Look at the folder; of the memory, names and some front matter are read. Raises ConfigError for wrong settings.

    `imported` are keys of settings that earlier tools have left, for a workspace that has none of its own.
    """
    origin = recognise(root)
    config = _read_settings(root) or _from_imported(root, imported or {}, origin)
    _check_folder(root, config)
    names = _names(root / config.memory)
    site_config, attributes = _read(root / SITE_CONFIG), _read(root / ATTRIBUTES)
    return Found(
        config=config,
        repository=any((parent / ".git").exists() for parent in (root, *root.resolve().parents)),
        settings=(root / CONFIG_NAME).exists(),
        site_config=None if site_config is None else site_config.decode("utf-8", errors="replace"),
        has_memory=(root / config.memory).is_dir(),
        notes=sum(1 for name in names if parse_day_name(name)),
        generations=sum(1 for name in _names(root / config.consolidated_path) if parse_generation_name(name)),
        has_index=(root / config.index_path).exists(),
        agent_files=tuple(name for name in AGENT_FILES if (root / name).exists()),
        origin=origin,
        ignores=_read(root / GITIGNORE) or b"",
        attributes=attributes,
    )


def _check_folder(root: Path, config: Config) -> None:
    """Refuse, before anything is written, a memory that memsite could not commit into."""
    folder = root / config.memory
    if folder.is_symlink():
        raise WorkspaceError("is a symbolic link", where=folder, hint="run `memsite init` where the folder really is")
    if folder.exists() and not folder.is_dir():
        raise WorkspaceError("is no folder", where=folder, hint="name another one: `memory = ...` in memsite.toml")
    if folder != root and (folder / ".git").is_file():
        raise WorkspaceError("is a submodule", where=folder, hint=f"run `memsite init` in {folder}")


def _read_settings(root: Path) -> Config | None:
    if not (root / CONFIG_NAME).exists():
        return None
    config, errors = read_config(root)
    if errors:
        raise errors[0]
    return config


def _from_imported(root: Path, imported: Mapping[str, object], origin: Origin) -> Config:
    lines = (format_value(key, value) for key, value in imported.items())
    config, _ = parse_config("\n".join(lines))
    is_there = "memory" in imported and (root / config.memory).is_dir()
    return config if is_there else replace(config, memory=origin.memory)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()] if folder.is_dir() else []


def plan_changes(found: Found, site_name: str, machine: Machine) -> tuple[Change, ...]:
    """The files that are missing, and the lines that .gitignore and .gitattributes lack."""
    return tuple(_iter_changes(found, site_name, machine))


def _iter_changes(found: Found, site_name: str, machine: Machine) -> Iterator[Change]:
    config = found.config
    if config.agents:  # a folder above memories is none
        yield from _ignored(found)
        return
    if not found.settings:
        yield Write(PurePosixPath(CONFIG_NAME), None, _settings(config, machine).encode())
    if found.site_config is None:
        yield Write(SITE_CONFIG, None, _site_config(config, site_name).encode())
        if config.memory == HERE:
            yield Write(PurePosixPath(".memsite/README.md"), None, _DOCS_NOTE.encode())
    yield from _ignored(found)
    yield from plan_merge_attributes(found.attributes, config).changes
    if not found.has_memory:
        yield Write(config.index_path, None, b"# Memory Index\n")


def _ignored(found: Found) -> Iterator[Change]:
    if not {b"/site/", b"site/", b"/site", b"site"} & set(found.ignores.splitlines()):
        yield Append(GITIGNORE, IGNORED)


_DOCS_NOTE = """MkDocs wants a `docs_dir` beside its configuration that is not the whole repository. This folder is it.
The memory itself is read from the repository's root.
"""


def _settings(config: Config, machine: Machine) -> str:
    values: dict[str, object] = {"timezone": machine.zone_name}
    if machine.language != config.language:
        values["language"] = machine.language
    if config.memory != Config().memory:
        values["memory"] = str(config.memory)
    values |= {key: value for key, value in machine.imported.items() if key not in {*values, "memory"}}
    lines = [format_value(key, value) for key, value in values.items()]
    return "\n".join(["# Settings of memsite; every key is optional: docs/reference.md has them all.", *lines, ""])


def _site_config(config: Config, site_name: str) -> str:
    docs_dir = ".memsite" if config.memory == HERE else str(config.memory)
    # JSON strings are YAML strings, and stay strings when they look like a number or a `no`.
    own: Mapping[str, str] = {
        "site_name:": f"site_name: {json.dumps(site_name, ensure_ascii=False)}",
        "docs_dir:": f"docs_dir: {json.dumps(docs_dir, ensure_ascii=False)}",
    }
    lines = read_shipped("mkdocs.yml").splitlines()
    return "\n".join(next((text for key, text in own.items() if line.startswith(key)), line) for line in lines) + "\n"
