"""Folders with several agents: `[agents]` in memsite.toml names their workspaces, and what is done for all of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memsite.cli.context import Context
from memsite.cli.trusting import permit
from memsite.cli.versions import Built
from memsite.config import CONFIG_NAME
from memsite.errors import ConfigError, MemsiteError, RefusedError
from memsite.repo.executable import Executable
from memsite.repo.workspace import Workspace, workspace_at
from memsite.values import dataclass, replace

if TYPE_CHECKING:
    from memsite.site.plan import Scene
    from memsite.site.results import BuildResult


@dataclass(frozen=True, slots=True)
class Household:
    """A folder with several agents."""

    workspace: Workspace
    """The folder itself: its settings, where their site goes."""
    agents: Mapping[str, Workspace]
    """Their workspaces by name, in the order of the settings."""

    def contexts(self, context: Context) -> Iterator[tuple[str, Context]]:
        """A context for each of them."""
        for name, workspace in self.agents.items():
            yield name, replace(context, directory=workspace.root, opened=context.with_zone(workspace))


def find_household(workspace: Workspace) -> Household | None:
    """The several agents of a folder's settings; None for one memory.

    Raises ConfigError for an agent whose folder is no workspace, or has settings that are wrong.
    """
    if not workspace.config.agents:
        return None
    opened = {name: _open(workspace, name, folder) for name, folder in workspace.config.agents}
    roots = [one.root for one in opened.values()]
    return Household(
        workspace,
        {name: replace(one, beside=tuple(root for root in roots if root != one.root)) for name, one in opened.items()},
    )


def _open(workspace: Workspace, name: str, folder: object) -> Workspace:
    root = workspace.root / str(folder)
    if not (root / CONFIG_NAME).is_file():
        hint = f"run `memsite init {folder}`, or correct [agents] in {CONFIG_NAME}"
        raise ConfigError(f"the agent {name!r} has no {CONFIG_NAME} in its folder", where=str(folder), hint=hint)
    if not root.resolve().is_relative_to(workspace.root.resolve()):
        raise ConfigError(f"the folder of the agent {name!r} leads out of this one", where=str(folder))
    found = workspace_at(root)
    if found.git_root != workspace.git_root:
        hint = "make a repository of the folder above first (git init), then its agents' workspaces in that"
        problem = (
            f"the agent {name!r} is in another repository than the folder above: it would not be published with it"
        )
        raise ConfigError(problem, where=str(folder), hint=hint)
    if found.config_errors:
        first = found.config_errors[0]
        raise ConfigError(first.problem, where=f"{folder}/{first.where}", line=first.line, hint=first.hint)
    return found


def for_each(household: Household, context: Context, run: Callable[[Context], None]) -> None:
    """Run a command for each agent, its name before what is said. One that fails does not keep the others from it.

    Raises the first of the errors, the others are said; RefusedError for `--json`, which answers for one memory.
    """
    if context.output.as_json:
        names = ", ".join(str(folder) for _, folder in household.workspace.config.agents)
        raise RefusedError("--json answers for one memory, and here are several", hint=f"choose one with -C: {names}")
    errors: list[MemsiteError] = []
    for name, one in household.contexts(context):
        context.output.line(f"{name}:", style="bold")
        try:
            run(one)
        except MemsiteError as error:
            if errors:
                context.output.warn(f"{name}: {error}")
            errors.append(error)
    if errors:
        raise errors[0]


def build_household(
    household: Household,
    context: Context,
    arguments: argparse.Namespace,
    destination: Path | None,
) -> Mapping[str, BuildResult]:
    """Build the common home, then each agent's site below it. Raises as `build_site`."""
    from memsite.site.agents import build_home
    from memsite.site.build import build_site
    from memsite.site.plan import load_scene
    from memsite.site.results import Part

    scenes = {name: load_scene(workspace, arguments.at) for name, workspace in household.agents.items()}

    home = build_home(
        household.workspace,
        household.agents,
        scenes,
        destination,
        clean=arguments.clean,
        strict=arguments.strict,
        permit=_permit(context, household.workspace),
    )
    site = home.result.index.parent
    return {"": home.result} | {
        name: build_site(
            workspace,
            at=arguments.at,
            clean=arguments.clean,
            strict=arguments.strict,
            destination=site / name,
            permit=_permit(context, workspace),
            part=Part(name, home.url),
        )
        for name, workspace in household.agents.items()
    }


def publish_household(household: Household, context: Context, scenes: Mapping[str, Scene], *, clean: bool) -> Built:
    """Build the sites of several agents for others. Raises as `build_publication`; RefusedError where the settings want
    versions.
    """
    from memsite.site.agents import build_home
    from memsite.site.publication import build_publication, publication_folder, read_again
    from memsite.site.results import Part

    workspace = household.workspace
    if workspace.config.versions != "none":
        hint = f"take [publish] versions out of {CONFIG_NAME}, or publish each agent on a branch of its own"
        raise RefusedError("versions are published of one memory, and here are several", hint=hint)
    folder = publication_folder(workspace)
    home = build_home(workspace, household.agents, scenes, folder, clean=clean, permit=_permit(context, workspace))
    for name, agent in household.agents.items():
        part, allowed = Part(name, home.url), _permit(context, agent)
        build_publication(agent, scenes[name], clean=clean, part=part, permit=allowed)
    for scene in scenes.values():
        if scene.veil:  # what one of them hides, none of the others may show
            read_again(folder, scene.veil)
    return Built({"": folder})


def _permit(context: Context, workspace: Workspace) -> Callable[[Executable], None]:
    one = replace(context, directory=workspace.root, opened=context.with_zone(workspace))
    return lambda found: permit(one, found, found.site)
