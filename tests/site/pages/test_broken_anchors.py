"""A link to a heading that does not exist is marked as one to a file that does not; GitHub's ids are understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memsite.site.spec import Content, SiteSource

Render = Callable[[SiteSource, str], Content]
OTHER = "---\ntags: [x]\n---\n# Other\n\n## My_goals, 目标\n\n### Part\n\ntext\n\n## Part\n"
DAY = "# 2025-03-20\n\n## Chosen\n\ntext\n"
STANDUP = "# Standup\n\n## Chosen\n\nmore\n"


def shown(make_source: Any, render: Render, link: str) -> str:
    files = {"memory/a.md": f"{link}\n", "memory/other.md": OTHER, "memory/2025-03-20.md": DAY}
    return " ".join(render(make_source(files | {"memory/2025-03-20-standup.md": STANDUP}), "notes/a/").html.split())


@pytest.mark.parametrize(
    "link",
    [
        "[x](other.md#gone)",
        "[[other#gone]]",
        "[[Other#gone|x]]",
        "[x](2025-03-20.md#gone)",
        "[x](other.md#L400)",
        "[x](other.md#tags)",
        "[x](2025-03-20-standup.md#L99)",
    ],
)
def test_a_link_to_a_heading_that_does_not_exist_is_marked(make_source: Any, render: Render, link: str) -> None:
    html = shown(make_source, render, link)
    assert 'class="memsite-broken"' in html
    assert "gone</a>" not in html


@pytest.mark.parametrize(
    ("link", "href"),
    [
        ("[x](other.md#my-goals-目标)", "../other/#my-goals-%E7%9B%AE%E6%A0%87"),
        ("[x](other.md#my_goals-目标)", "../other/#my-goals-%E7%9B%AE%E6%A0%87"),
        ("[[other#My_goals, 目标]]", "../other/#my-goals-%E7%9B%AE%E6%A0%87"),
        ("[x](other.md#part-1)", "../other/#part-1"),
        ("[x](other.md#other)", "../other/"),
        ("[x](other.md#L9-L10)", "../other/#L9"),
        ("[x](2025-03-20.md#chosen)", "../../daily/2025-03-20/#chosen"),
        ("[x](2025-03-20-standup.md#chosen)", "../../daily/2025-03-20/#standup.chosen"),
        ("[x](2025-03-20-standup.md#standup)", "../../daily/2025-03-20/#on.standup"),
        ("[[2025-03-20-standup#L5]]", "../../daily/2025-03-20/#standup.L5"),
        ("[[2025-03-20-standup#L3-L5]]", "../../daily/2025-03-20/#standup.L3"),
    ],
)
def test_a_link_to_a_heading_leads_to_it(make_source: Any, render: Render, link: str, href: str) -> None:
    assert f'href="{href}"' in shown(make_source, render, link)


def test_a_heading_that_goes_changes_the_page_that_links_it(make_source: Any, pages_of: Any) -> None:
    files = {"memory/a.md": "[x](other.md#part-1)\n", "memory/other.md": OTHER}
    both: tuple[dict[str, str], ...] = ({}, {"memory/other.md": "# Other\n"})
    keys = [pages_of(make_source(files | changed))["notes/a/"].key for changed in both]
    assert tuple(keys[0]) != tuple(keys[1])
