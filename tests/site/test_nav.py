"""The navigation is bounded, nested by address, and known in advance for every page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import html5lib
from mkdocs.config.defaults import MkDocsConfig

from memsite.site.builder import build_plan
from memsite.site.nav import MAX_CHILDREN, nav_config, nav_tree, nav_uris, parents
from memsite.site.plan import SitePlan

Texts = dict[str, tuple[str, str]]
MakePlan = Callable[..., SitePlan]
LoadConfig = Callable[..., MkDocsConfig]


def test_parents_are_the_addresses_above() -> None:
    assert list(parents("daily/2025/03/")) == ["daily/2025/", "daily/"]
    assert list(parents("index/")) == []
    assert list(parents("")) == []


def test_index_pages_nest_by_address_and_leaves_are_left_out(texts: Texts, make_plan: MakePlan) -> None:
    tree = nav_tree(make_plan(texts).pages)
    assert [item.spec.uri for item in tree] == ["", "topics/", "daily/", "index/"]
    assert [item.spec.uri for item in tree[2].children] == ["daily/2025/"]
    assert "daily/2025-03-20/" not in set(nav_uris(tree))
    assert nav_config(tree)[2] == {
        "Days": ["daily/index.md", {"2025": ["daily/2025/index.md", {"March 2025": "daily/2025/03/index.md"}]}]
    }


def test_a_section_is_capped(texts: Texts, make_plan: MakePlan) -> None:
    texts |= {f"topics/t{number}/": (f"t{number}", "") for number in range(200)}
    tree = nav_tree(make_plan(texts).pages)
    assert len(tree[1].children) == MAX_CHILDREN


def sidebar(site: Path, uri: str) -> list[str]:
    tree = html5lib.parse((site / uri / "index.html").read_bytes(), namespaceHTMLElements=False)
    nav = next(element for element in tree.iter("nav") if "md-nav--primary" in (element.get("class") or ""))
    links = [
        link
        for link in nav.iter("a")
        if "md-nav__link" in (link.get("class") or "") and "#" not in link.get("href", "")
    ]
    return [" ".join("".join(link.itertext()).split()) for link in links]


def test_a_leaf_shows_the_section_that_it_belongs_to(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    build_plan(make_plan(texts), load_config(tmp_path / "site"))
    assert sidebar(tmp_path / "site", "topics/personal-blog/gen1") == [
        "Memory", "Topics", "personal-blog", "博客项目", "Days", "Index",
    ]  # fmt: skip
    assert sidebar(tmp_path / "site", "index") == ["Memory", "Topics", "Days", "Index"]


def test_the_sidebar_of_a_page_does_not_grow_with_the_memory(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    texts |= {f"daily/2025-02-{day:02d}/": (f"day {day}", "") for day in range(1, 28)}
    build_plan(make_plan(texts), load_config(tmp_path / "site"))
    assert len(sidebar(tmp_path / "site", "daily/2025-02-03")) < 12
