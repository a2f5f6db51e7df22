"""What `publish` builds: one site, or the latest and versions of the past beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memsite.cli.context import Context
from memsite.cli.trusting import permit
from memsite.errors import RefusedError
from memsite.repo.snapshots import resolve_revision
from memsite.repo.workspace import Workspace
from memsite.values import dataclass, field

if TYPE_CHECKING:
    from memsite.repo.pages_branch import PagesBranch
    from memsite.site.plan import Scene
    from memsite.site.versions import Version


@dataclass(frozen=True, slots=True)
class Built:
    """What goes on the pages branch."""

    folders: Mapping[str, Path]
    """Sites by their place."""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Files at the root."""
    versions: Sequence[Version] = ()
    """All but the latest."""


@dataclass(frozen=True, slots=True)
class VersionBuilder:
    """Builds the sites of one publication."""

    context: Context
    workspace: Workspace
    scene: Scene
    """HEAD as others see it."""
    source: str
    """HEAD's commit."""
    clean: bool

    def choose(self, branch: PagesBranch, asked: Sequence[str], dropped: Sequence[str]) -> tuple[Version, ...] | None:
        """The versions beside the latest; None where the settings want none.

        Those that were asked for once are on the branch. Raises RefusedError for a name that is none, or that is not
        there; GitError.
        """
        from memsite.site.publication import find_versions
        from memsite.site.versions import LIST, parse_pinned

        if self.workspace.config.versions == "none":
            if asked or dropped:
                hint = '[publish] versions = "named" in memsite.toml; the site then moves from / to /latest/'
                raise RefusedError("versions are not published", hint=hint)
            return None
        pinned = {one.name: one for one in parse_pinned(branch.read(LIST) or b"")}
        for name in dropped:
            if pinned.pop(name, None) is None:
                raise RefusedError(f"no version {name!r} was asked for", hint="see versions.json on the pages branch")
        pinned |= {one.name: one for one in map(self._pinned, asked)}
        today = self.context.now.astimezone(self.workspace.config.zone()).date()
        choice = find_versions(self.workspace, today, pinned.values(), self.scene)
        for problem in choice.problems:
            self.context.output.warn(problem)
        return choice.versions

    def _pinned(self, text: str) -> Version:
        """`NAME=REV`, or a revision that is its own name."""
        from memsite.site.versions import NAME_RULE, Version, folder_name

        name, _, revision = text.partition("=")
        folder = folder_name(name)
        if folder is None:
            hint = f"name it otherwise: --version NAME={revision or name}, in NAME {NAME_RULE}"
            raise RefusedError(f"{name!r} cannot be the name of a version", hint=hint)
        return Version(folder, resolve_revision(self.workspace, revision or name), pinned=True)

    def build(self, versions: tuple[Version, ...] | None) -> Built:
        """Build one site, or the latest and these. Raises as `build_publication`."""
        from memsite.site.publication import drop_versions, read_publication, root_files
        from memsite.site.versions import LATEST

        if versions is None:
            return Built({"": self._build(self.scene)})
        folders = {LATEST: self._build(self.scene, LATEST)}
        for one in versions:
            scene = read_publication(self.workspace, one.commit, self.scene.veil)
            folders[one.name] = self._build(scene, one.name)
        drop_versions(self.workspace, folders)
        return Built(folders, root_files(folders[LATEST], versions, self.source), versions)

    def _build(self, scene: Scene, version: str = "") -> Path:
        from memsite.site.publication import build_publication
        from memsite.site.results import Part

        context = self.context
        result = build_publication(
            self.workspace,
            scene,
            clean=self.clean,
            part=Part(version, of_versions=True) if version else None,
            permit=lambda executable: permit(context, executable, executable.site),
        )
        return result.index.parent
