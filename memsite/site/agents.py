"""The site of several agents: each has its own, in a folder named after it, and all have a common home above."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from memsite.repo.audience import Audience
from memsite.repo.workspace import Workspace
from memsite.site.build import check_site_dir
from memsite.site.builder import build_plan, configured
from memsite.site.cache import cache_folder
from memsite.site.output import require_unoccupied
from memsite.site.pages.agents import agents_page
from memsite.site.plan import Scene, SitePlan
from memsite.site.results import BuildResult, Permit
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class CommonHome:
    """The home of several agents' sites."""

    result: BuildResult
    url: str
    """Where the whole site will stand; empty when mkdocs.yml does not say."""


def build_home(
    workspace: Workspace,
    agents: Mapping[str, Workspace],
    scenes: Mapping[str, Scene],
    destination: Path | None = None,
    *,
    clean: bool = False,
    strict: bool = False,
    permit: Permit | None = None,
) -> CommonHome:
    """Build the common home of `agents`, by name, of which `scenes` are shown; `workspace` is the folder above theirs.

    Their sites are built after it: a clean build leaves nothing else in its folder. Raises as `build_site`.
    """
    first = next(iter(scenes.values()))
    with configured(workspace, destination, permit, _setting(scenes), strict=strict) as (config, published):
        site = Path(config.site_dir)
        if first.audience is Audience.OWNER:  # a publication is built below git's folder, where nothing else is
            check_site_dir(workspace, site, destination, agents)
            for agent in agents.values():
                require_unoccupied(agent, site)
        sources = {name: scene.source for name, scene in scenes.items()}
        plan = SitePlan(
            pages=(agents_page(sources),),
            config=workspace.config,
            today=max(source.today for source in sources.values()),
            published=published,
            shown_at=first.source.shown_at,
            audience=first.audience.value,
            cache=cache_folder(workspace),
        )
        url = str(config.site_url or "")
        return CommonHome(build_plan(plan, config, clean=clean), url)


def _setting(scenes: Mapping[str, Scene]) -> Callable[[str], str]:
    """Makes the text of mkdocs.yml fit for the audience of all scenes."""

    def clean(text: str) -> str:
        for scene in scenes.values():
            text = scene.setting(text) if scene.setting else text
        return text

    return clean
