"""Whether all that lies in a site's folder is of builds: only that may a build replace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memsite.repo.workspace import Workspace
from memsite.site.cache import KnownFiles, cache_folder, made_files
from memsite.site.output import require_made, require_untracked


def require_own_files(workspace: Workspace, site: Path, parts: Mapping[str, Workspace]) -> None:
    """Raise RefusedError for a folder with files that no build has made, as far as is known."""
    known = {"": KnownFiles(cache_folder(workspace), site)}
    known |= {name: KnownFiles(cache_folder(part), site / name) for name, part in parts.items()}
    require_untracked(site, made_files(cache_folder(workspace), site))
    if all(one.is_complete for one in known.values()):
        require_made(site, lambda name, path: _is_made(known, name, path))


def _is_made(known: Mapping[str, KnownFiles], name: str, path: str) -> bool:
    if known[""].has(name, path):
        return True
    folder, _, below = name.partition("/")
    return folder in known and known[folder].has(below, path)
