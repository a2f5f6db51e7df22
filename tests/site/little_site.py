"""Small sites from plain texts, without a memory behind them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from memsite.shipped import read_shipped
from memsite.site.markdown import render_markdown
from memsite.site.plan import SitePlan
from memsite.site.site_config import load_site_config
from memsite.site.spec import Content, PageKind, PageLink, PageSpec

KINDS = {
    "": PageKind.HOME,
    "topics/": PageKind.TOPICS,
    "daily/": PageKind.DAYS,
    "index/": PageKind.INDEX,
}
DAY_LENGTH = len("daily/2025-03-20/")


def _kind(uri: str) -> PageKind:
    if uri in KINDS:
        return KINDS[uri]
    if uri.startswith("topics/"):
        return PageKind.TOPIC if uri.count("/") == 2 else PageKind.GENERATION
    return PageKind.DAY if len(uri) == DAY_LENGTH else PageKind.DAYS


def make_page(uri: str, title: str, text: str = "", **about: object) -> PageSpec:
    """A page from its address, title and Markdown; its neighbours, crumbs and day by keyword."""

    def content() -> Content:
        rendered = render_markdown(f"# {title}\n\n{text}", resolve=lambda _href: None)
        return Content(rendered.html, rendered.headings, rendered.anchors)

    return PageSpec(uri, _kind(uri), title, (title, text), content, **about)  # type: ignore[arg-type]  # by keyword


def make_plan(texts: Mapping[str, tuple[str, str]], **about: object) -> SitePlan:
    """A plan from `{address: (title, text)}`; index pages of one, two and three parts are in the navigation."""
    days = sorted(uri for uri in texts if _kind(uri) is PageKind.DAY)
    pages = []
    for uri, (title, text) in texts.items():
        kind = _kind(uri)
        near: dict[str, object] = {"in_nav": kind not in (PageKind.DAY, PageKind.GENERATION)}
        if kind is PageKind.DAY:
            at = days.index(uri)
            near["day"] = date.fromisoformat(uri[6:16])
            near["crumbs"] = (PageLink(texts["daily/"][0], "daily/"),)
            near["previous"] = PageLink(texts[days[at - 1]][0], days[at - 1]) if at else None
            near["following"] = PageLink(texts[days[at + 1]][0], days[at + 1]) if at + 1 < len(days) else None
        pages.append(make_page(uri, title, text, **near))
    return SitePlan(tuple(pages), **({"today": date(2025, 4, 1)} | about))  # type: ignore[arg-type]  # by keyword


def load_config(root: Path, site: Path, **settings: Any) -> MkDocsConfig:
    """The configuration of `memsite init`, for the output folder given."""
    return load_site_config(root, read_shipped("mkdocs.yml").encode(), site_dir=str(site), **settings)


def little_texts() -> dict[str, tuple[str, str]]:
    """A little site: two topics, one of them with a generation, three days."""
    return {
        "": ("Memory", "All of it."),
        "topics/": ("Topics", ""),
        "topics/personal-blog/": ("personal-blog", "A blog."),
        "topics/personal-blog/gen1/": ("Generation 1", "Chosen: **Next.js**"),
        "topics/博客项目/": ("博客项目", "今天讨论了部署方案"),
        "daily/": ("Days", ""),
        "daily/2025/": ("2025", ""),
        "daily/2025/03/": ("March 2025", ""),
        "daily/2025-03-20/": ("20 March", "Started."),
        "daily/2025-03-22/": ("22 March", "- [x] done\n\n## More"),
        "daily/2025-03-25/": ("25 March", "Hosting."),
        "index/": ("Index", "- **personal-blog**"),
    }
