"""`publish`: the memory's site for others, on the pages branch."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memsite.cli.commits import SHORT, commit_pending_work, report
from memsite.cli.context import Context
from memsite.cli.exposures import exposures, say_scanner
from memsite.cli.several import Household, find_household, publish_household
from memsite.cli.versions import VersionBuilder
from memsite.counting import counted
from memsite.errors import PendingError, RefusedError
from memsite.repo.guard import Violation
from memsite.repo.snapshots import resolve_revision
from memsite.repo.uncommitted_settings import find_uncommitted_settings
from memsite.repo.workspace import Workspace, open_workspace
from memsite.values import replace

if TYPE_CHECKING:
    from memsite.repo.pages_branch import Change, PagesBranch, Site
    from memsite.site.plan import Scene

MOST_BYTES = 1_000_000_000
"""What GitHub's pages take, and others not much more."""


def publish_parser(parser: argparse.ArgumentParser) -> None:
    """`publish [--version NAME[=REV]] [--drop NAME] [--push] [--dry-run] [--yes]`."""
    parser.add_argument(
        "--version",
        metavar="NAME[=REV]",
        action="append",
        default=[],
        help="publish the memory as of a tag, day or commit beside the latest, from now on",
    )
    parser.add_argument("--drop", metavar="NAME", action="append", default=[], help="publish such a version no more")
    parser.add_argument("--push", action="store_true", help="push the pages branch to its remote")
    parser.add_argument("--dry-run", action="store_true", help="show files, sizes and findings; change no branch")
    parser.add_argument("--yes", action="store_true", help="do not ask before the first publication")
    parser.add_argument("--clean", action="store_true", help="build every page again")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def publish(context: Context, arguments: argparse.Namespace) -> None:
    """Commit what is pending, check, build without secrets and private parts, put the site on the pages branch."""
    from memsite.repo.pages_branch import PagesBranch
    from memsite.site.output import MARKER
    from memsite.site.publication import read_publication, require_redactable

    workspace = open_workspace(context.directory)  # without this machine's zone: the same commit gives the same site
    household = find_household(workspace)
    agents = dict(household.contexts(context)) if household else {"": context}
    for one in agents.values() if not arguments.dry_run else ():
        _commit_first(one)
    _say_settings(context, workspace, household)
    config = workspace.config
    branch = PagesBranch(workspace.require_repository(), config.branch, config.remote, MARKER)
    if arguments.push:
        branch.fetch()
    source = resolve_revision(workspace, "HEAD")
    shown = household.agents if household else {"": workspace}
    scenes = {name: read_publication(one) for name, one in shown.items()}
    found = tuple(one for name, scene in scenes.items() for one in exposures(shown[name], scene))
    _say(context, found)
    for scene in scenes.values():
        require_redactable(scene)
    if household and (arguments.version or arguments.drop):
        raise RefusedError("versions are published of one memory, and here are several", hint="leave the option out")
    if household:
        built = publish_household(household, context, scenes, clean=arguments.clean)
    else:
        builder = VersionBuilder(context, workspace, scenes[""], source, clean=arguments.clean)
        built = builder.build(builder.choose(branch, arguments.version, arguments.drop))
    site = branch.site(built.folders, built.beside)
    _require_hostable(site)
    changes = tuple(_veiled(scene, branch.changes(site)))
    _show(context, branch, site, changes, listed=arguments.dry_run)
    commit = None
    if not arguments.dry_run:
        if branch.tip() is None and not arguments.yes:
            _ask(context, branch, site)
        now = next(iter(agents.values())).now
        commit = branch.commit(site, now, source, anonymous=config.emails == "mask")
        context.output.line(f"{branch.name} is at {commit[:SHORT]}")
    pushed = commit is not None and arguments.push and _push(context, branch, commit, source)
    versions = [one.name for one in built.versions]
    context.output.json({**_as_json(branch, site, changes, found, commit), "versions": versions, "pushed": pushed})


def _push(context: Context, branch: PagesBranch, commit: str, source: str) -> bool:
    """Push, unless what is there is newer: then that stays, and all is well."""
    later = branch.push(commit, source)
    if later:
        context.output.warn(f"not pushed: {branch.upstream.shown} has a later commit of the memory, {later[:SHORT]}")
        return False
    context.output.line(f"pushed to {branch.upstream.shown}")
    return True


def _require_hostable(site: Site) -> None:
    """Raise RefusedError for a site that is larger than hosts of pages take."""
    total = sum(one.size for one in site.values())
    if total > MOST_BYTES:
        hint = "publish fewer versions: [publish] keep in memsite.toml"
        raise RefusedError(f"the site has {_size(total)}; hosts take {_size(MOST_BYTES)}", hint=hint)


def _veiled(scene: Scene, changes: Iterable[Change]) -> Iterator[Change]:
    """Changes as whoever reads the output of a CI job may see them: what goes may be called like what it had."""
    for one in changes:
        if one.kind == "removed" and scene.veil is not None:
            yield replace(one, path=PurePosixPath(scene.veil.text(str(one.path))))
        else:
            yield one


def _commit_first(context: Context) -> None:
    """Raise RefusedError where it cannot be done: what is pending may be what hides something."""
    try:
        report(context, commit_pending_work(context))
    except PendingError as error:
        raise RefusedError(f"nothing was published, for what is pending may hide something: {error}") from error


def _say_settings(context: Context, workspace: Workspace, household: Household | None) -> None:
    """Which settings the next clone, or CI, would publish without."""
    places = {"": workspace}
    if household:
        places |= {str(folder): household.agents[name] for name, folder in workspace.config.agents}
    for folder, one in places.items():
        for found in find_uncommitted_settings(one, folder):
            context.output.warn(str(found))


def _say(context: Context, found: Iterable[Violation]) -> None:
    """What was found, in a line for each rule: `check --publish` has the places."""
    say_scanner(context)
    counts = Counter(one.message for one in found if one.warning)
    for message, count in sorted(counts.items()):
        context.output.warn(f"{count} x {message}")
    if counts:
        context.output.warn("`memsite check --publish` names file, line and commit of each")


def _show(context: Context, branch: PagesBranch, site: Site, changes: tuple[Change, ...], *, listed: bool) -> None:
    signs = {"added": "+", "changed": "~", "removed": "-"}
    if listed and changes:
        context.output.table([(signs[one.kind], _size(one.size) if one.size else "", str(one.path)) for one in changes])
    kinds = Counter(one.kind for one in changes)
    what = ", ".join(f"{kinds[kind]} {kind}" for kind in signs if kinds[kind]) or "nothing new"
    total = sum(one.size for one in site.values())
    context.output.line(f"{counted(len(site), 'file')}, {_size(total)}, for {branch.name}: {what}")


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def _ask(context: Context, branch: PagesBranch, site: Site) -> None:
    """Ask before a memory is published for the first time. Raises RefusedError without a terminal, and for a no."""
    if not (context.stdin.isatty() and context.output.stream.isatty()) or context.output.as_json:
        raise RefusedError(
            "this would be the first publication of this memory", hint="look at `publish --dry-run`, then say --yes"
        )
    files = counted(len(site), "file")
    context.output.line(f"This is the first publication: {files} on {branch.name}, for whoever can read it.")
    context.output.line("No detector of secrets is complete. Publish? Type yes:")
    context.output.stream.flush()
    if context.stdin.readline().decode("utf-8", "replace").strip().lower() != "yes":
        raise RefusedError("nothing was published")


def _as_json(
    branch: PagesBranch,
    site: Site,
    changes: tuple[Change, ...],
    found: tuple[Violation, ...],
    commit: str | None,
) -> dict[str, object]:
    return {
        "branch": branch.name,
        "commit": commit,
        "files": len(site),
        "size": sum(one.size for one in site.values()),
        "changes": [{"path": one.path, "size": one.size, "kind": one.kind} for one in changes],
        "findings": [
            {"path": one.path, "line": one.line, "message": one.message, "commit": one.commit} for one in found
        ],
    }
