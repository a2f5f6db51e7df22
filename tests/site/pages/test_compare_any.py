"""The page on which any two generations are compared, and the scripts that it loads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from memsite.site.spec import Content, PageSpec, SiteSource

Render = Callable[[SiteSource, str], Content]
PagesOf = Callable[[SiteSource], dict[str, PageSpec]]
PAGE = "topics/blog/compare/"
TEXT = """# Blog - Generation {0} Consolidation

**Created**: 2025-03-25

## Key Points
- Posts stand in `posts/`. [2025-03-20#L3]
- Number {0}.

## Source References
- 2025-03-20: the idea
"""
NOTE = {"memory/2025-03-20.md": "# A day\n\nText.\n"}


def generations(*numbers: int) -> dict[str, str]:
    return {f"memory/consolidated/blog-gen{n}-2025-03-{20 + n}.md": TEXT.format(n) for n in numbers}


def data(page: PageSpec, name: str) -> Any:
    part = next(part for part in page.parts if part.uri.endswith(f"/{name}.js"))
    found = re.fullmatch(r'memsiteCompare\.receive\("([^"]+)",(.*)\);\n', part.content().decode())
    assert found
    assert found[1] == name.removeprefix("gen")
    return json.loads(found[2])


def test_every_topic_with_two_generations_has_one(make_source: Any, pages_of: PagesOf, render: Render) -> None:
    assert PAGE not in pages_of(make_source(generations(1)))
    source = make_source(generations(1, 2, 4))
    assert [part.uri for part in pages_of(source)[PAGE].parts] == [f"{PAGE}gen{n}.js" for n in (1, 2, 4)]
    content = render(source, PAGE)
    assert content.html.count('<option value="2">Generation 2 · 2025-03-22</option>') == 2
    assert {"1..2", "2..4", "1..", "2.."} == content.anchors
    assert 'href="2..4/"' in content.html


def test_a_script_holds_what_the_page_of_two_would_read(make_source: Any, pages_of: PagesOf) -> None:
    page = pages_of(make_source({**NOTE, **generations(1, 2)}))[PAGE]
    found = data(page, "gen2")
    assert found["title"] == "Blog - Generation 2 Consolidation"
    heading, posts, number = found["text"]["blocks"]
    assert (heading["type"], heading["text"], heading["level"]) == ("heading", "Key Points", 2)
    assert posts["runs"] == [["Posts stand in ", []], ["posts/", ["code"]], [".", []]]
    assert posts["sources"] == [["2025-03-20, line 3", "../../../daily/2025-03-20/#L3", False]]
    assert (number["text"], number["shown"], "runs" in number) == ("Number 2.", "•", False)
    assert [block["name"] for block in found["references"]["blocks"]] == ["2025-03-20"]


def test_its_key_and_that_of_a_script_cover_what_they_are_made_from(make_source: Any, pages_of: PagesOf) -> None:
    page = pages_of(make_source(generations(1, 2)))[PAGE]
    same = pages_of(make_source(generations(1, 2)))[PAGE]
    noted = pages_of(make_source({**NOTE, **generations(1, 2)}))[PAGE]
    third = pages_of(make_source(generations(1, 2, 3)))[PAGE]
    assert (page.key, [part.key for part in page.parts]) == (same.key, [part.key for part in same.parts])
    assert noted.key != page.key
    assert noted.parts[0].key != page.parts[0].key
    assert third.key != page.key
    assert third.parts[0].key == page.parts[0].key


def test_deleted_generations_are_compared_too(make_source: Any, commit: Any, render: Render) -> None:
    both = generations(1, 2)
    gone = next(iter(both))
    html = render(make_source(None, [commit(both), commit({gone: None})]), PAGE).html
    assert "Generation 1 · 2025-03-21 · deleted" in html


def test_no_generation_of_a_deleted_lineage_has_a_current_one(make_source: Any, commit: Any, render: Render) -> None:
    both = generations(1, 2)
    source = make_source(None, [commit(both), commit(dict.fromkeys(both))])
    assert not any("current" in render(source, f"topics/blog/gen{number}/").html for number in (1, 2))


@pytest.mark.parametrize("uri", ["topics/blog/", "topics/blog/gen1/", "topics/blog/compare/1..2/"])
def test_pages_lead_to_pairs_that_it_has_anchors_for(make_source: Any, render: Render, uri: str) -> None:
    source = make_source(generations(1, 2, 3))
    anchors = re.findall(r'href="[^"]*?#(\d\.\.\d?)"', render(source, uri).html)
    assert anchors
    assert set(anchors) <= render(source, PAGE).anchors
