"""Small sites as fixtures; see `little_site`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig

from memsite.site.plan import SitePlan
from memsite.site.spec import PageSpec
from tests.site import little_site

MakePage = Callable[..., PageSpec]
MakePlan = Callable[..., SitePlan]
LoadConfig = Callable[..., MkDocsConfig]


@pytest.fixture
def make_page() -> MakePage:
    """A page from its address, title and Markdown; its neighbours, crumbs and day by keyword."""
    return little_site.make_page


@pytest.fixture
def make_plan(tmp_path: Path) -> MakePlan:
    """A plan from `{address: (title, text)}`, with a cache in the test's own folder."""

    def make(texts: Mapping[str, tuple[str, str]], **about: object) -> SitePlan:
        return little_site.make_plan(texts, **({"cache": tmp_path / "cache"} | about))

    return make


@pytest.fixture
def load_config(tmp_path: Path) -> LoadConfig:
    """The configuration of `memsite init`, for the output folder given."""

    def load(site: Path, **settings: object) -> MkDocsConfig:
        return little_site.load_config(tmp_path, site, **settings)

    return load


@pytest.fixture
def texts() -> dict[str, tuple[str, str]]:
    """A little site: two topics, one of them with a generation, three days."""
    return little_site.little_texts()


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which MkDocs finds the plugin, whether or not the package is installed."""
    info = tmp_path / "installed" / "memsite-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: memsite\nVersion: 0.1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[mkdocs.plugins]\nmemsite = memsite.site.plugin:MemsitePlugin\n")
    return {**os.environ, "PYTHONPATH": f"{info.parent}:{Path(__file__).parents[2]}", "PYTHONDONTWRITEBYTECODE": "1"}
