from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.site.pages.articles import Article, write_article
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.views import Link
from memsite.site.search.documents import plain_text
from tests.site.pages.conftest import SourceMaker

NOTE = "# 2025-03-22\n\n- Use Next.js\n- and nothing else\n\n<!-- NATIVE_FLUSH -->\n"


def article(make_source: Any, text: str, **more: str) -> Article:
    files = {"memory/consolidated/blog-gen2-2025-04-01.md": text, "memory/2025-03-22.md": NOTE}
    atlas = Atlas(make_source(files | more))
    line = atlas.lineages[0]
    return write_article(atlas, line.items, line.items[-1])


def shown_text(found: Article) -> str:
    parts = []
    for section in found.sections:
        parts.append(section.title)
        for run in section.runs:
            parts += [run.text.text] if run.text else []
            parts += [point.body.text for point in run.points]
    return "\n".join(parts)


def test_write_article_links_sources_to_their_lines(make_source: Any) -> None:
    found = article(
        make_source, "# T\n\n## Key Points\n- A [2025-03-22#L3-L4]\n- B [2025-03-22]\n- C [2019-01-01]\n- D\n"
    )
    points = found.sections[0].runs[0].points
    assert [point.body.text for point in points] == ["A", "B", "C", "D"]
    links = [source.link for point in points for _, source in point.sources]
    assert [(link.uri, link.anchor) if link else None for link in links] == [
        ("daily/2025-03-22/", "L3"),
        ("daily/2025-03-22/", ""),
        None,
    ]
    assert [source.missing for _, source in points[2].sources] == [True]
    assert [point.unsupported for point in points] == [False, False, False, True]
    assert (found.unsupported, found.unsourced) == (1, False)


def test_write_article_links_no_line_that_the_note_does_not_have(make_source: Any) -> None:
    found = article(make_source, "# T\n\n## Key Points\n- A [2025-03-22#L6]\n- B [2025-03-22#L99]\n")
    links = [source.link for point in found.sections[0].runs[0].points for _, source in point.sources]
    assert [link.anchor if link else None for link in links] == ["", ""]


PROSE = """# T

## Summary
Next.js [2025-03-22#L3-L4; 2025-03-22], and *no [2025-03-22#L99] else*. [2019-01-01] `[2025-03-22]`

    [2025-03-22]

## Key Points
- A [2025-03-22#L3] in the middle. [2025-03-22]

## Current Status
- Works [2025-03-22#L3]
"""


def test_a_citation_in_prose_is_the_link_that_a_point_has(make_source: Any, render: Any) -> None:
    files = {"memory/consolidated/blog-gen1-2025-04-01.md": PROSE, "memory/2025-03-22.md": NOTE}
    source = make_source(files)
    html = render(source, "topics/blog/gen1/").html
    marks = re.findall(r'<a class="(memsite-source[^"]*)" href="([^"]*)"[^>]*>([^<]*)</a>', html)
    day = "../../../daily/2025-03-22/"
    point = ("memsite-source", f"{day}#L3", "2025-03-22, line 3")
    assert marks == [
        ("memsite-source", f"{day}#L3", "2025-03-22, lines 3–4"),
        ("memsite-source", day, "2025-03-22"),
        ("memsite-source memsite-source-missing", day, "2025-03-22, line 99"),
        point,
        ("memsite-source", day, "2025-03-22"),
        point,
    ]
    assert [html.count(text) for text in ("[2019-01-01]", "[2025-03-22]", "[2025-03-22#")] == [1, 2, 0]
    topic = render(source, "topics/blog/").html
    assert len(re.findall(r'<a class="memsite-source', topic)) == len(marks)


@pytest.mark.parametrize(
    "text",
    [
        "A [2025-03-22, 2099-01-01] b.",
        "A [see [2025-03-22] there](x.md) b.",
        "A ![of [2025-03-22]](x.png) b.",
        "A <!-- [2025-03-22] --> b.",
    ],
)
def test_a_point_shows_each_source_that_its_text_does_not(text: str, make_source: Any, render: Any) -> None:
    generation = f"# T\n\n## Key Points\n- {text}\n"
    files = {"memory/consolidated/blog-gen1-2025-04-01.md": generation, "memory/2025-03-22.md": NOTE}
    html = render(make_source(files), "topics/blog/gen1/").html
    assert re.findall(r'<a class="memsite-source" href="([^"]*)">', html) == ["../../../daily/2025-03-22/"]
    assert ("2099-01-01</span>" in html) == ("2099-01-01" in text)


def test_search_reads_no_citation_as_words(make_source: Any, render: Any) -> None:
    files = {"memory/consolidated/blog-gen1-2025-04-01.md": PROSE, "memory/2025-03-22.md": NOTE}
    words = plain_text(render(make_source(files), "topics/blog/gen1/").html)
    assert "Next.js, and no else. [2019-01-01] [2025-03-22]" in words
    assert "\nA in the middle.\n" in words


def test_what_can_be_no_source_is_shown_as_it_is_written(make_source: Any) -> None:
    text = "- A. [2025-02-30]\n- B [2025-03-04#L9-L2; 2025-03-22]\n- C [2025-03-22#L99]\n- D [2025-03-22#L6]\n- E\n"
    found = article(make_source, f"# T\n\n## Key Points\n{text}\n## Source References\n- 2025-02-30: nothing\n")
    points = [point for section in found.sections for run in section.runs for point in run.points]
    shown = [[point.label] if point.label else [mark for _, mark in point.sources] for point in points]
    marks = [[(mark.text, mark.link is not None, mark.missing) for mark in marks] for marks in shown]
    assert marks == [
        [("2025-02-30", False, True)],
        [("2025-03-22", True, False), ("2025-03-04#L9-L2", False, True)],
        [("2025-03-22, line 99", True, True)],
        [("2025-03-22, line 6", True, False)],
        [],
        [("2025-02-30", False, True)],
    ]
    assert ([point.unsupported for point in points], found.unsupported) == ([False] * 4 + [True, False], 1)


def test_write_article_without_any_source_says_so_once(make_source: Any) -> None:
    found = article(make_source, "# T\n\n## Key Points\n- A\n- B\n")
    assert (found.unsupported, found.unsourced) == (0, True)
    assert not any(point.unsupported for point in found.sections[0].runs[0].points)


@pytest.mark.parametrize(
    "after", ["> quote", "```sh\nmake\n```", "***", "~~~\nx\n~~~", "<div>\nx\n</div>", "<!-- x -->"]
)
def test_what_a_list_ends_with_is_no_part_of_its_point(make_source: Any, after: str) -> None:
    text = (
        f"# T\n\n## Key Points\n- A\n{after}\n\n- B\n  > in B\nlazy\n\n## Source References\n- 2025-03-22: C\n{after}\n"
    )
    found = article(make_source, text)
    points = [point.body.text for section in found.sections for run in section.runs for point in run.points]
    assert points == ["A", "B\n> in B\nlazy", "C"]
    assert shown_text(found).count(after) == 2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["- ", "  ", "", "> ", "```", "  - ", "***", "    ", "1. ", "<div>", "  > "]), max_size=8)
)
def test_every_word_of_a_generation_is_shown_once(begins: list[str]) -> None:
    lines = [
        begin if begin.strip() in {"", "***"} and not begin else f"{begin} w{at}w" for at, begin in enumerate(begins)
    ]
    text = shown_text(article(SourceMaker(), "# T\n\n## Key Points\n- A\n" + "\n".join(lines) + "\n"))
    assert [text.count(f"w{at}w") for at, line in enumerate(lines) if line] == [1 for line in lines if line]


def test_write_article_leaves_nothing_out(make_source: Any) -> None:
    text = """# Title

**Created**: 2025-04-01
**Covers**: 2025-03-20 to 2025-04-01

Before any section.

## Key Points
Lead.

- One
  wrapped
  - nested
- Two

Between.

* Three

```
## not a heading
```

## Own Section ##
Own text.

### Deeper
More.

## Source References
- gen1: what was
- 2025-03-22: the framework
- somewhere else entirely
"""
    shown = shown_text(article(make_source, text))
    words = ["Before any section.", "Lead.", "wrapped", "nested", "Two", "Between.", "Three", "## not a heading"]
    words += ["Own Section", "Own text.", "### Deeper", "More.", "what was", "the framework"]
    assert [word for word in words if word not in shown] == []
    assert "Title" not in shown
    assert "**Created**" not in shown


def test_write_article_labels_lead_to_generations_and_days(make_source: Any) -> None:
    first = "# T - Generation 1 Consolidation\n\n## Summary\nx\n"
    found = article(
        make_source,
        "# T\n\n## Source References\n- gen1: what was\n- 2025-03-22: it\n- gen7: gone\n- elsewhere: no\n",
        **{"memory/consolidated/blog-gen1-2025-03-25.md": first},
    )
    marks = [point.label for point in found.sections[0].runs[0].points if point.label]
    assert [mark.link.uri if mark.link else None for mark in marks] == [
        "topics/blog/gen1/",
        "daily/2025-03-22/",
        None,
        None,
    ]
    assert [mark.missing for mark in marks] == [False, False, True, False]


def test_write_article_links_a_second_note_of_the_day_to_its_own_lines(make_source: Any, render: Any) -> None:
    text = (
        "# T\n\n## Key Points\n- A [2025-03-22-Stand up%21#L3]\n- B [2025-03-22-Stand%20up%21#L3]\n"
        "- C [2025-03-22-retro#L1]\n- D [2025-03-22-Stand%20up%21#L99]\n\n"
        "## Source References\n- 2025-03-22-Stand%20up%21: what Grace said\n"
    )
    files = {
        "memory/consolidated/blog-gen2-2025-04-01.md": text,
        "memory/2025-03-22.md": NOTE,
        "memory/2025-03-22-Stand up!.md": "# Standup\n\n- Grace draws\n",
    }
    source = make_source(files)
    atlas = Atlas(source)
    found = write_article(atlas, atlas.lineages[0].items, atlas.lineages[0].items[-1])
    points = found.sections[0].runs[0].points
    links = [one.link.anchor if one.link else None for point in points for _, one in point.sources]
    assert links == ["stand-up.L3", None, "on.stand-up"]
    assert [point.unsupported for point in points] == [True, False, False, False]
    assert [one.missing for _, one in points[2].sources] == [True]
    assert [one.text for _, one in points[1].sources] == ["2025-03-22-Stand up!, line 3"]
    mark = found.sections[1].runs[0].points[0].label
    assert mark and mark.link == Link("2025-03-22-Stand%20up%21", "daily/2025-03-22/", "on.stand-up")
    assert {"L3", "stand-up.L3", "on.stand-up"} <= render(source, "daily/2025-03-22/").anchors


def test_write_article_links_the_only_note_of_a_day_whatever_it_is_called(make_source: Any) -> None:
    found = article(
        make_source,
        "# T\n\n## Key Points\n- A [2025-03-24#L3]\n",
        **{"memory/2025-03-24-1030.md": "# Session\n\n- said\n"},
    )
    (link,) = (source.link for point in found.sections[0].runs[0].points for _, source in point.sources)
    assert link
    assert (link.uri, link.anchor) == ("daily/2025-03-24/", "1030.L3")
