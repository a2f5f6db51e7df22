"""Keys: a page is rendered again exactly when one of the things it is made from has another name."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from memsite.site.plan import SitePlan
from memsite.site.program import digest, program_key
from memsite.site.spec import PageLink, PagePart, PageSpec

SETTINGS = (
    "site_name",
    "site_description",
    "site_author",
    "site_url",
    "copyright",
    "repo_url",
    "repo_name",
    "extra",
    "extra_css",
    "extra_javascript",
    "nav",
    "validation",
)
"""Settings of mkdocs.yml that a page's bytes depend on, besides the theme's."""


def environment_key(config: MkDocsConfig, plan: SitePlan) -> str:
    """All that every page depends on: the program, mkdocs.yml, memsite.toml. Another one means a clean build.

    To be taken from the configuration as loaded, before `prepare_theme`.
    """
    settings = [(name, str(config[name])) for name in SETTINGS]
    theme = sorted((key, str(value)) for key, value in config.theme.items())
    own = [(str(path), path.read_bytes()) for path in _custom_files(config)]
    return digest(
        program_key(), settings, theme, own, sorted(config.plugins), plan.config, plan.shown_at, plan.audience
    )


def _custom_files(config: MkDocsConfig) -> list[Path]:
    folder = config.theme.custom_dir
    return sorted(path for path in Path(folder).rglob("*") if path.is_file()) if folder else []


def page_key(environment: str, spec: PageSpec, visible: str, beside: object = None) -> str:
    """What the bytes of one page depend on; `visible` names the navigation that it
    shows, `beside` is what it says of the files beside it."""
    links = [_link(link) for link in (*spec.crumbs, spec.previous, spec.following)]
    return digest(
        environment, spec.uri, spec.kind.value, spec.title, spec.key, links, str(spec.source or ""), visible, beside
    )


def part_key(environment: str, part: PagePart) -> str:
    """What the bytes of one file beside a page depend on."""
    return digest(environment, part.uri, part.key)


def _link(link: PageLink | None) -> tuple[str, str] | None:
    return None if link is None else (link.title, link.uri)
