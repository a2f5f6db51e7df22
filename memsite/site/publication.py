"""The site for others: built from what the veil lets through, then read again before anybody else does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memsite.errors import RefusedError
from memsite.repo.blob_findings import binary_text
from memsite.repo.ranges import require_full_history
from memsite.repo.veil import Audience, Veil
from memsite.repo.workspace import Workspace
from memsite.site.builder import build_plan, configured
from memsite.site.plan import Scene, load_scene, plan_site
from memsite.site.results import BuildResult, Permit

FOLDER = "publication"
"""Where a publication is built, below memsite's folder in git's: never where a site for the owner is."""


def read_publication(workspace: Workspace, at: str | None = None) -> Scene:
    """What others may see of HEAD, or of a commit or day, by today's settings.

    Raises as `load_scene` and as `require_full_history`.
    """
    require_full_history(workspace)
    return load_scene(workspace, at, Audience.PUBLIC)


def build_publication(
    workspace: Workspace, scene: Scene, *, clean: bool = False, folder: Path | None = None, permit: Permit | None = None
) -> BuildResult:
    """Build the site of a scene for others, incremental where it can be.

    Raises RefusedError for a file that cannot be redacted, with its rule, and for a value that would be on the site all
    the same: in a theme's own file, or by a fault of memsite's; else as `build_site`.
    """
    require_redactable(scene)
    veil = scene.veil
    place = folder or workspace.require_repository().own_dir / FOLDER
    setting = veil.setting if veil else None
    with configured(workspace, place, permit, setting, strict=False) as (config, published):
        plan = replace(plan_site(workspace, scene), published=published)
        result = build_plan(plan, config, clean=clean)
    if veil:
        _read_again(result.index.parent, veil)
    return result


def require_redactable(scene: Scene) -> None:
    """Raise RefusedError for files that others must not see and that cannot be redacted."""
    if scene.leaks:
        first = scene.leaks[0]
        more = f", and {len(scene.leaks) - 1} more" if len(scene.leaks) > 1 else ""
        raise RefusedError(
            f"has something that others must not see ({first.rule}) and cannot be redacted{more}",
            where=first.path,
            hint="replace the file, or make it private; then take what is in it out of use",
        )


def _read_again(site: Path, veil: Veil) -> None:
    for path in sorted(site.rglob("*")):
        if path.is_file() and (found := veil.values_in(_readable(path.read_bytes()))):
            raise RefusedError(
                f"would show what others must not see ({found[0].strip('[]')})",
                where=path.relative_to(site),
                hint="if it comes from a file of the theme, take it out there; nothing was published",
            )


def _readable(data: bytes) -> str:
    return (binary_text(data) if b"\0" in data else data).decode("utf-8", "replace")
