"""Keys: a page is rendered again exactly when one of the things it is made from has another name."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from memsite.site.nav import Shown
from memsite.site.plan import SitePlan
from memsite.site.search.pieces import PIECE_VERSION
from memsite.site.spec import PageLink, PagePart, PageSpec

PACKAGE = Path(__file__).parents[1]
BUILDERS = (
    "mkdocs",
    "mkdocs-material",
    "markdown-it-py",
    "mdurl",
    "mdit-py-plugins",
    "nh3",
    "jinja2",
    "markupsafe",
    "rapidfuzz",
    "PyYAML",
    "tzdata",
)
"""Packages that have a part in a page's bytes."""
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


def digest(*parts: object) -> str:
    """A name for values by their `repr`, which for texts, numbers, dates and tuples of them is the value itself."""
    return sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()


@cache
def program_key() -> str:
    """The versions of what builds pages, and the bytes of this package: its code, templates, style sheets."""
    state = sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            state.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode("utf-8", "backslashreplace"))
            state.update(path.read_bytes())
    python = (sys.version_info[:2], unicodedata.unidata_version)
    return digest(state.hexdigest(), PIECE_VERSION, python, [_version(name) for name in BUILDERS])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


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


def page_key(environment: str, spec: PageSpec, visible: Shown, beside: object = None) -> str:
    """What the bytes of one page depend on; `beside` is what it says of the files beside it."""
    links = [_link(link) for link in (*spec.crumbs, spec.previous, spec.following)]
    return digest(
        environment, spec.uri, spec.kind.value, spec.title, spec.key, links, str(spec.source or ""), visible, beside
    )


def part_key(environment: str, part: PagePart) -> str:
    """What the bytes of one file beside a page depend on."""
    return digest(environment, part.uri, part.key)


def _link(link: PageLink | None) -> tuple[str, str] | None:
    return None if link is None else (link.title, link.uri)
