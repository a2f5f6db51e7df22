"""The site for others: built from what the veil lets through, then read again before anybody else does."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Container, Iterable, Mapping
from datetime import date
from pathlib import Path

from memsite.errors import RefusedError
from memsite.repo.audience import PURGES, Audience
from memsite.repo.blob_findings import binary_text
from memsite.repo.ranges import require_full_history
from memsite.repo.veil import Veil
from memsite.repo.version_points import find_months, find_tags, is_past
from memsite.repo.workspace import Workspace
from memsite.safety.purges import PLACEHOLDER
from memsite.site.builder import build_plan, configured
from memsite.site.cache import cache_folder, made_files
from memsite.site.output import MARKER
from memsite.site.plan import Scene, load_scene, plan_site
from memsite.site.results import BuildResult, Part, Permit
from memsite.site.site_config import set_part
from memsite.site.unchanged import find_unchanged, read_question, remember_build
from memsite.site.versions import LIST, NAME_RULE, Version, choose_versions, folder_name, format_versions, front_page
from memsite.values import dataclass, replace

FOLDER = "publication"
"""Where a publication is built, below memsite's folder in git's: never where a site for the owner is."""
VERSIONS = "versions"
"""Where it is built when there are versions of it, each in a folder of its own."""
_FOUND = "if it comes from a file of the theme, take it out there; nothing was published"
_PURGED = f"if every page has that word, take its line out of {PURGES} and purge more of the text around it"


@dataclass(frozen=True, slots=True)
class Choice:
    """Versions to publish beside the latest."""

    versions: tuple[Version, ...]
    problems: tuple[str, ...]


def read_publication(workspace: Workspace, at: str | None = None, veil: Veil | None = None) -> Scene:
    """What others may see of HEAD, or of a commit or day, by today's settings. `veil` is that of another such scene.

    Raises as `load_scene` and as `require_full_history`.
    """
    require_full_history(workspace)
    return load_scene(workspace, at, Audience.PUBLIC, veil)


def build_publication(
    workspace: Workspace,
    scene: Scene,
    *,
    clean: bool = False,
    part: Part | None = None,
    folder: Path | None = None,
    permit: Permit | None = None,
) -> BuildResult:
    """Build the site of a scene for others, incremental where it can be; `part` where it is one of several, `folder`
    where it is built, if not below git's folder.

    Raises RefusedError for a file that cannot be redacted, with its rule, and for a value that would be on the site all
    the same: in a theme's own file, or by a fault of memsite's; else as `build_site`.
    """
    require_redactable(scene)
    place = folder or publication_folder(workspace, part)
    asked = read_question(workspace, place, strict=False, part=part)
    unchanged = None if clean or asked is None else find_unchanged(workspace, asked, scene.state)
    veil = scene.veil
    if unchanged is not None:
        # What was built was read again then, for the values of now: they are part of its state.
        read_again(place, veil, made_files(cache_folder(workspace), place))
        return unchanged
    with configured(workspace, place, permit, scene.setting, strict=False) as (config, published):
        if part:
            set_part(config, workspace, part)
        plan = replace(plan_site(workspace, scene), published=published)
        result = build_plan(plan, config, clean=clean)
    read_again(result.index.parent, veil)
    if asked is not None and plan.cache is not None:
        remember_build(plan.cache, asked, scene.state, scene.source.history.tip, result)
    return result


def publication_folder(workspace: Workspace, part: Part | None = None) -> Path:
    """Where a publication is built. Raises WorkspaceError without a repository."""
    own = workspace.require_repository().own_dir
    if part is None:
        return own / FOLDER
    return own / (VERSIONS if part.of_versions else FOLDER) / part.name


def find_versions(workspace: Workspace, today: date, pinned: Iterable[Version], scene: Scene) -> Choice:
    """The versions that are published beside the latest, newest first, pinned ones last, and what is wrong with others.

    Raises GitError.
    """
    repository, config = workspace.require_repository(), workspace.config
    points: list[tuple[str, str]] = []
    if config.versions == "month":
        points = find_months(workspace, today)
    elif config.versions == "tag":
        points = find_tags(repository)
    named = [(tag, commit) for tag, commit in points if scene.veil is None or scene.veil.text(tag) == tag]
    found = [Version(name, commit) for tag, commit in named if (name := folder_name(tag))]
    asked = list(pinned)
    kept = [one for one in asked if is_past(repository, one.commit)]
    problems = [
        *(
            f"the tag {tag!r} is no version: folders are called by {NAME_RULE}; --version NAME={tag} names it otherwise"
            for tag, _ in named
            if not folder_name(tag)
        ),
        *(f"version {one.name} is left out: HEAD's history has not its commit" for one in asked if one not in kept),
    ]
    return Choice(choose_versions(found, kept, config.keep), tuple(problems))


def drop_versions(workspace: Workspace, kept: Collection[str]) -> None:
    """Forget the sites of versions that are published no more."""
    folder = workspace.require_repository().own_dir / VERSIONS
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)


def root_files(latest: Path, versions: Iterable[Version], commit: str) -> Mapping[str, bytes]:
    """What stands at the root beside the versions' folders; hosts read some of it there alone."""
    hosts = {name: latest / name for name in (MARKER, "_headers", "404.html")}
    found = {name: path.read_bytes() for name, path in hosts.items() if path.is_file()}
    return {**found, "index.html": front_page(), LIST: format_versions(versions, commit)}


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


def read_again(site: Path, veil: Veil | None, known: Container[str] = ()) -> None:
    """Raise RefusedError for a file of the site, unless it is `known`, that has what others must not see."""
    for path in sorted(site.rglob("*")) if veil else ():
        if not path.is_file() or path.relative_to(site).as_posix() in known:
            continue
        if veil and (found := veil.values_in(_readable(path.read_bytes()))):
            raise RefusedError(
                f"would show what others must not see ({found[0].strip('[]')})",
                where=path.relative_to(site),
                hint=_PURGED if found[0] == PLACEHOLDER else _FOUND,
            )


def _readable(data: bytes) -> str:
    return (binary_text(data) if b"\0" in data else data).decode("utf-8", "replace")
