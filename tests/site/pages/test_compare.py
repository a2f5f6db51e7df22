"""A comparison of two generations, as a reader sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import html5lib
import pytest

from memsite.memory.generation_parts import split_references
from memsite.prose.diff import MAX_LENGTH
from memsite.site.pages import history_days
from memsite.site.spec import Content, SiteSource

Render = Callable[[SiteSource, str], Content]
PAGE = "topics/blog/compare/1..2/"
OLD = """# Blog - Generation 1 Consolidation

**Created**: 2025-03-25
**Covers**: 2025-03-20 to 2025-03-25

## Summary
A blog in **Next.js**.

## Key Points
- Posts stand in `posts/`. [2025-03-20#L3]
- One post a week. [2025-03-20]

## Source References
- 2025-03-20: the idea
"""
NEW = (
    OLD.replace("Generation 1", "Generation 2")
    .replace("2025-03-20 to 2025-03-25", "2025-03-25 to 2025-04-01\n**Previous**: consolidated/blog-gen1-2025-03-25.md")
    .replace("**Next.js**", "**Astro**")
    .replace("[2025-03-20#L3]", "[2025-03-22#L1-L2]")
    .replace("the idea", "an idea")
)


def source_of(make_source: Any, old: str, new: str) -> SiteSource:
    notes = {f"memory/2025-03-{day}.md": "# A day\n\nText.\n" for day in (20, 22)}
    folder = "memory/consolidated/blog-gen"
    return make_source({**notes, f"{folder}1-2025-03-25.md": old, f"{folder}2-2025-04-01.md": new})  # type: ignore[no-any-return]  # the fixture is typed in conftest


def text_of(html: str, *, class_: str) -> str:
    tree = html5lib.parseFragment(html, namespaceHTMLElements=False)
    parts = [element for element in tree.iter() if class_ in (element.get("class") or "").split()]
    return " ".join(" ".join("".join(part.itertext()) for part in parts).split())


@pytest.mark.parametrize("column", ["memsite-diff-inline", "memsite-diff-beside"])
def test_prose_is_shown_as_prose(make_source: Any, render: Render, column: str) -> None:
    html = render(source_of(make_source, OLD, NEW), PAGE).html
    shown = text_of(html, class_=column)
    for mark in ("**", "`", "[2025", "Created", "Covers", "Previous", "Generation 1 Consolidation", "the idea"):
        assert mark not in shown, mark
    assert "<code>posts/</code>" in html
    assert "<del><strong>Next.js</strong></del>" in html


def test_a_changed_source_is_one_quiet_mark(make_source: Any, render: Render) -> None:
    html = render(source_of(make_source, OLD, NEW), PAGE).html
    inline = html.partition('class="memsite-diff-beside"')[0]
    assert '<a class="memsite-source" href="../../../../daily/2025-03-22/#L1">2025-03-22, lines 1–2</a>' in inline
    assert (
        inline.count('<span class="memsite-diff-note" title="before: 2025-03-20, line 3">sources changed</span>') == 1
    )
    assert inline.count("<del>") == inline.count("<ins>") == 1


def test_the_head_says_what_the_files_say_of_themselves(make_source: Any, render: Render) -> None:
    html = render(source_of(make_source, OLD, NEW), PAGE).html
    head = text_of(html, class_="memsite-head")
    assert "1 word added, 1 removed, in 1 block" in head
    assert "Generation 2 Tue 2025-04-01, covers 2025-03-25 – 2025-04-01" in head
    assert "title" not in head
    renamed = render(source_of(make_source, OLD, NEW.replace("# Blog", "# Journal")), PAGE).html
    assert "<ins>Journal - Generation 2 Consolidation</ins>" in renamed


def test_source_references_come_last_and_folded(make_source: Any, render: Render) -> None:
    html = render(source_of(make_source, OLD, NEW), PAGE).html
    last = html[html.index('<details class="memsite-fold memsite-diff-references">') :]
    assert "Source references: 1 word added, 1 removed, in 1 block" in last
    assert "<del>the</del><ins>an</ins> idea" in last
    only = render(source_of(make_source, OLD, OLD.replace("the idea", "an idea")), PAGE).html
    assert "Only the source references changed" in only
    same = render(source_of(make_source, OLD, OLD), PAGE).html
    assert "No change that a reader would see" in same
    assert "Source references, unchanged" in same


def test_split_references_leaves_nothing_else_out() -> None:
    text = "# T\n\n**Created**: x\nintro\n\n## References\n- a\n\n## Extra\nmore\n\n# Deep\n**Created**: y\n"
    assert split_references(text) == ("\nintro\n\n## Extra\nmore\n\n# Deep\n**Created**: y\n", "- a\n")
    assert split_references("no section\n") == ("no section\n", "")


def test_a_comparison_that_is_too_long_says_so(make_source: Any, render: Render) -> None:
    long = NEW.replace("One post", "word " * (MAX_LENGTH // 5))
    html = render(source_of(make_source, OLD, long), PAGE).html
    assert "too long to be compared" in html
    assert "memsite diff blog 1 2" in html


@pytest.mark.parametrize("form", ["\n\n{}\n\n", "\n\n```\n{}\n```\n\n"], ids=["text", "code"])
def test_a_block_whose_words_are_too_many_to_compare_says_so(make_source: Any, render: Render, form: str) -> None:
    old, new = (NEW.replace("One post", form.format(f"begin {word * 7000}")) for word in ("same x ", "same y "))
    html = render(source_of(make_source, old, new), PAGE).html
    assert "too large to compare word by word" in html
    assert "begin" in html


def test_a_change_that_is_too_long_for_its_day_says_so(
    make_source: Any, commit: Any, render: Render, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_days, "MAX_COMPARED", 100)
    old = {"memory/a.md": "word " * 30, "memory/b.md": "One word.\n"}
    commits = [commit(old), commit({"memory/a.md": "other " * 30, "memory/b.md": "Two word.\n"})]
    html = render(make_source(None, commits), "history/2025-03-20/").html
    assert html.count("too long to be compared here") == 1
    assert "<del>One</del><ins>Two</ins>" in html


def test_what_can_be_no_source_stands_beside_its_point(make_source: Any, render: Any) -> None:
    one = "# T\n\n## Key Points\n- One point of some words\n- B [2025-03-20#L99]\n"
    files = {"memory/consolidated/blog-gen1-2025-03-25.md": one, "memory/2025-03-20.md": "Text.\n"}
    files["memory/consolidated/blog-gen2-2025-04-01.md"] = one.replace("words", "words [2025-02-30]")
    html = render(make_source(files), "topics/blog/compare/1..2/").html
    assert "sources changed" in html
    assert '<span class="memsite-source memsite-source-missing" title="It does not exist">2025-02-30</span>' in html
    assert 'class="memsite-source memsite-source-missing" href="../../../../daily/2025-03-20/"' in html
