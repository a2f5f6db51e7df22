"""A build that has nothing to do: it is known by names alone, before the memory is read or MkDocs is loaded."""

from __future__ import annotations

import json
import os
from pathlib import Path

from memsite.errors import MemsiteError
from memsite.repo.history import head_commit
from memsite.repo.memory_state import current_state
from memsite.repo.workspace import Workspace
from memsite.safety.site_settings import read_settings
from memsite.shipped import read_shipped
from memsite.site.cache import BuildCache, cache_folder
from memsite.site.output import MARKER
from memsite.site.program import digest, program_key
from memsite.site.results import BuildResult, Part
from memsite.site.settings_file import read_site_config
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """What a build of the work tree is asked for, known before MkDocs is."""

    site: Path
    """The output folder."""
    key: str
    """The program, the bytes of mkdocs.yml, the folder, `strict`, what the site is a part of."""


def read_question(
    workspace: Workspace, destination: Path | None, *, strict: bool, part: Part | None = None
) -> Question | None:
    """The question of a build; None where code of others takes part: what it depends on, nobody knows.

    Raises ConfigError for a mkdocs.yml that cannot be read.
    """
    data = read_site_config(workspace.root, read_shipped("mkdocs.yml"))
    settings = read_settings(data)
    if settings.foreign:
        return None
    site = Path(os.path.normpath(workspace.root / (destination or str(settings.values.get("site_dir") or "site"))))
    return Question(site, digest(program_key(), data, str(site), strict, part))


def find_unchanged(workspace: Workspace, asked: Question, state: str | None = None) -> BuildResult | None:
    """What the last build gave, when another one would give the same: the memory, what is asked for and every file of
    the site are as they were. None in any doubt. `state` is what is shown; None: the work tree as it is.
    """
    folder = cache_folder(workspace)
    if folder is None:
        return None
    cache = BuildCache(folder, asked.site)
    inputs, result = cache.built()
    if not inputs:
        return None
    pages, warnings, tip = json.loads(result)
    try:
        if state is None and head_commit(workspace.require_repository()) != tip:
            return None  # so it is after most of what happens to a memory, and its files need no look
        if inputs != _built_from(current_state(workspace) if state is None else state, asked):
            return None
    except MemsiteError:
        return None
    site, files = asked.site, cache.built_files(inputs)
    if not files or not (site / MARKER).is_file():
        return None
    if not all(_is_as_made(f"{site}/{dest}", *made) for dest, *made in files):
        return None
    return BuildResult(site / "index.html", pages, 0, tuple(warnings))


def remember_build(cache: Path, asked: Question, state: str, tip: str, result: BuildResult) -> None:
    """Keep what a build of a memory in this `state` gave, whose history leads to `tip`, for `find_unchanged`."""
    found = json.dumps([result.pages, list(result.warnings), tip or None])
    BuildCache(cache, asked.site).record(_built_from(state, asked), found)


def _is_as_made(path: str, size: int, time: int) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return status.st_size == size and status.st_mtime_ns == time


def _built_from(state: str, asked: Question) -> str:
    """A name for everything that a site is made from; empty where the memory's own is unknown."""
    return digest(state, asked.key) if state else ""
