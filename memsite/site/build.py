"""Building a site: from a workspace to a folder, as little as must be done."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from memsite.errors import ConfigError
from memsite.repo.workspace import Workspace
from memsite.safety.site_settings import NAME
from memsite.site.collector import rare_collections
from memsite.site.output import is_marked, require_unoccupied, take_folder
from memsite.site.own_files import require_own_files
from memsite.site.results import BuildResult, Part, Permit, Progress, no_progress
from memsite.site.unchanged import find_unchanged, read_question, remember_build
from memsite.values import replace


@rare_collections()
def build_site(
    workspace: Workspace,
    *,
    at: str | None = None,
    clean: bool = False,
    strict: bool = False,
    destination: Path | None = None,
    now: datetime | None = None,  # noqa: ARG001 - part of every writing call's signature; a site has no clock
    permit: Permit | None = None,
    part: Part | None = None,
    progress: Progress = no_progress,
) -> BuildResult:
    """Build the site of a workspace, or the site as it was at a revision or date.

    Incremental where the output folder holds a site of the same program and settings, and no code of others takes part.
    Never writes the work tree's files, except in the output folder (`site_dir` of mkdocs.yml, or `destination`).
    `part` says that it is one of several in a larger site. `permit` is asked before code runs that mkdocs.yml names;
    without one it is refused. Raises ConfigError, RefusedError (code that is not trusted; an output folder that is not
    ours; `strict` and a warning), WorkspaceError, GitError.
    """
    asked = None if at else read_question(workspace, destination, strict=strict, part=part)
    unchanged = None if clean or asked is None else find_unchanged(workspace, asked)
    if unchanged is not None:
        return unchanged
    # MkDocs is imported here: a build that has nothing to do does without it.
    from memsite.site.builder import build_plan, configured
    from memsite.site.crew import beside
    from memsite.site.plan import load_scene, plan_site
    from memsite.site.site_config import set_part

    progress("reading the memory", 0, 0)
    scene = load_scene(workspace, at)
    with configured(workspace, destination, permit, scene.setting, strict=strict) as (config, published):
        if part:
            set_part(config, workspace, part)
        site = Path(config.site_dir)
        is_taken = is_marked(site)  # else nothing is left in it where there is no plan
        with beside(partial(_look_at, workspace, site, destination, take=is_taken)):
            plan = replace(plan_site(workspace, scene), published=published)
        result = build_plan(plan, config, clean=clean, progress=progress, is_taken=is_taken)
    if asked is not None and asked.site == site and plan.cache is not None:
        remember_build(plan.cache, asked, plan.state, scene.source.history.tip, result)
    return result


def _look_at(workspace: Workspace, site: Path, destination: Path | None, *, take: bool) -> None:
    check_site_dir(workspace, site, destination)
    if take:
        take_folder(site)


def check_site_dir(
    workspace: Workspace, site: Path, destination: Path | None, parts: Mapping[str, Workspace] | None = None
) -> None:
    """An agent can write mkdocs.yml, and the marker of a site; a clean build leaves nothing else in its output folder.

    `parts` are the workspaces of sites in it, by the names of their folders.
    """
    if destination is None and not Path(os.path.realpath(site)).is_relative_to(os.path.realpath(workspace.root)):
        raise ConfigError(
            "site_dir leads out of the workspace", where=NAME, hint="name the folder on the command line: -d"
        )
    require_unoccupied(workspace, site)
    if destination is None:
        require_own_files(workspace, site, parts or {})
