"""Who said this, on the page of a generation: known lineages, what its key covers, what it looks back to."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import html5lib
import pytest

from memsite.site.pages.origins import MAX_GENERATIONS
from memsite.site.spec import Content, PageSpec, SiteSource
from tests.prose.lineages import make_lineage

Render = Callable[[SiteSource, str], Content]
Pages = Callable[[SiteSource], dict[str, PageSpec]]


def files_of(texts: list[str]) -> dict[str, str]:
    names = (f"memory/consolidated/blog-gen{number}-2025-{number:02d}-01.md" for number in range(1, len(texts) + 1))
    return dict(zip(names, texts, strict=True))


def points(*items: str) -> str:
    return "# Blog - Generation 1 Consolidation\n\n## Key Points\n" + "".join(f"- {item}\n" for item in items)


def said_by(content: Content) -> list[tuple[str, str]]:
    """The sentences of an article with the text of the mark behind each."""
    tree = html5lib.parseFragment(content.html, namespaceHTMLElements=False)
    article = next(element for element in tree.iter("article"))
    found, words = [], ""
    for element in article.iter():
        name = element.get("class") or ""
        if name == "memsite-said-by":
            found.append((words, "".join(element.itertext())))
            words = ""
        elif name.startswith("memsite-said-") and name[-1].isdigit():
            words += "".join(element.itertext())
    assert words == ""
    return found


@pytest.mark.parametrize("seed", range(100, 160 if "MEMSITE_TEST_LONG" in os.environ else 103))
def test_99_of_100_sentences_of_a_page_are_credited_to_whom_they_came_from(
    seed: int, make_source: Any, render: Render
) -> None:
    texts, sentences = make_lineage(seed, 6)
    source = make_source(files_of(texts))
    told, right = 0, 0
    for number in range(2, len(texts) + 1):
        found = said_by(render(source, f"topics/blog/gen{number}/"))
        for (words, mark), truth in zip(found, sentences[number - 1], strict=True):
            assert "".join(words.split()) == "".join(truth.text.split())
            told += 1
            right += mark == f"gen {truth.generation}"
    assert told > 150
    assert right >= 0.99 * told, f"{right} of {told}"


def test_a_sentence_is_marked_with_a_link_to_its_generation_and_its_date(make_source: Any, render: Render) -> None:
    texts = [
        points("It uses Next.js. [2025-01-01]", "博客用中文写。"),
        points("It uses Astro.", "博客用中文写。 [2025-01-01]"),
    ]
    content = render(make_source(files_of(texts)), "topics/blog/gen2/")
    assert said_by(content) == [("It uses Astro.", "gen 2"), ("博客用中文写。", "gen 1")]
    assert 'href="../gen1/" title="Generation 1, 2025-01-01"' in content.html
    assert 'href="./" title="Generation 2, 2025-02-01"' in content.html
    assert content.html.count("1 sentence</span>") == 2


def test_the_first_generation_said_everything_itself(make_source: Any, render: Render) -> None:
    assert "memsite-said" not in render(make_source(files_of([points("x")])), "topics/blog/gen1/").html


def test_source_references_and_headings_are_not_blamed(make_source: Any, render: Render) -> None:
    text = points("One.") + "\n### More\nTwo.\n\n## Source References\n- 2025-01-01: three\n"
    content = render(make_source(files_of([text, text])), "topics/blog/gen2/")
    assert said_by(content) == [("One.", "gen 1"), ("Two.", "gen 1")]


def test_two_generations_of_one_number_are_told_apart_by_their_dates(make_source: Any, render: Render) -> None:
    files = files_of([points("One."), points("One.", "Two.")])
    files["memory/consolidated/blog-gen2-2025-03-01.md"] = points("One.", "Two.", "Three.")
    content = render(make_source(files), "topics/blog/gen2-2025-03-01/")
    assert said_by(content) == [
        ("One.", "gen 1"),
        ("Two.", "gen 2 (2025-02-01)"),
        ("Three.", "gen 2 (2025-03-01)"),
    ]


def test_a_long_lineage_is_looked_back_to_so_far_and_says_so(make_source: Any, render: Render) -> None:
    names = [f"memory/consolidated/blog-gen{n}-2025-01-{n % 28 + 1:02d}.md" for n in range(1, MAX_GENERATIONS + 6)]
    source = make_source({name: points(*(f"Point {k}." for k in range(at + 1))) for at, name in enumerate(names)})
    found = said_by(render(source, f"topics/blog/gen{MAX_GENERATIONS + 5}/"))
    assert found[:7] == [(f"Point {k}.", "gen 6 or earlier") for k in range(6)] + [("Point 6.", "gen 7")]
    assert said_by(render(source, "topics/blog/gen5/"))[0] == ("Point 0.", "gen 1")


def test_an_edit_of_any_ancestor_is_another_page_and_one_of_a_later_generation_is_not(
    make_source: Any, pages_of: Pages
) -> None:
    texts = [points("One."), points("One.", "Two."), points("One.", "Two.", "Three.")]
    before = pages_of(make_source(files_of(texts)))
    keys = {}
    for edited in (0, 1, 2):
        changed = [text + "- More.\n" * (at == edited) for at, text in enumerate(texts)]
        after = pages_of(make_source(files_of(changed)))
        keys[edited] = [
            number
            for number in (1, 2, 3)
            if after[f"topics/blog/gen{number}/"].key != before[f"topics/blog/gen{number}/"].key
        ]
    assert keys == {0: [1, 2, 3], 1: [2, 3], 2: [3]}
