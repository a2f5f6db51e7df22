"""All pages of whole memories: each well-formed, every link leading somewhere, the same each time."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urljoin
from weakref import ReferenceType, ref

import pytest

from memsite.memory.model import Problem
from memsite.site import markdown
from memsite.site.catalog import all_files
from memsite.site.pages import home as home_module
from memsite.site.pages import page as page_module
from memsite.site.spec import Content, PageKind, PageSpec, SiteIdentity, SiteSource

Pages = Callable[[SiteSource], dict[str, PageSpec]]
Check = Callable[[Content], None]

INDEX = """# Memory Index

## Projects
- **personal-blog**
  - Dates: [2025-03-20, 2025-03-22, 2025-03-25, 2025-04-01]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/personal-blog-gen1-2025-03-25.md
    - gen2 (2025-04-02): consolidated/personal-blog-gen2-2025-04-02.md
    - gen3 (2025-04-03): consolidated/personal-blog-gen3-2025-04-03.md
  - Current: consolidated/personal-blog-gen2-2025-04-02.md
  - Aliases: [博客项目]
  - Status: active
- **garden**
  - Dates: [2025-03-21]
  - Status: completed

## Decisions
- **hosting**: [2025-03-25]
  - Description: Where the blog lives
"""


def generation(number: int, day: str, points: str, previous: str = "") -> str:
    return f"""# Personal Blog - Generation {number} Consolidation

**Created**: {day}
**Covers**: 2025-03-20 to {day}
{previous}
## Summary
A personal blog, started on 20 March. See [the note](../2025-03-20.md).

## Key Points
{points}

## Decisions Made
- Next.js [2025-03-22#L3]
- Host on Vercel

## Current Status
Running.

## Open Questions
Which domain?

## Source References
- 2025-03-20: the idea
- gen1: what was known
- 2025-03-22: the framework
"""


FILES: dict[str, bytes | str] = {
    "memory/INDEX.md": INDEX,
    "memory/2025-03-20.md": "# 2025-03-20\n\nStarted the personal blog.\n\n"
    "<!-- ARCHIVED: consolidated into consolidated/personal-blog-gen1-2025-03-25.md -->\n\n"
    "Since then:\n\n- one\n- two\n",
    "memory/2025-03-21.md": "<!-- DAILY_FLUSH -->\n<!-- NATIVE_FLUSH -->\n",
    "memory/2025-03-22.md": "# Framework\n\n- Use Next.js for the personal-blog\n- [x] done\n",
    "memory/2025-03-22-standup.md": "# Standup\n\nSee [[garden]] and [nothing](nowhere.md).\n",
    "memory/2025-03-25.md": "# 2025-03-25\n\nHosting on Vercel.\n\n<!-- ARCHIVED: consolidated into "
    "consolidated/personal-blog-gen1-2025-03-25.md -->\n\n## Later\n\n博客项目 new text\n",
    "memory/2025-04-01.md": "<script>alert(1)</script>\n\n# <b>Bold</b>\n",
    "memory/sessions/2025-03-22.md": "# Session Log — 2025-03-22\n\n### 09:30\n- **Topic:** Use <b>Next.js</b>\n"
    "- **Messages:** 3 user / 4 assistant\n- **Est. tokens:** ~1200\n\n### 09:30\n- **Topic:** Again\n"
    "- **Messages:** 1 user / 1 assistant\n- **Est. tokens:** ~20\n\n",
    "memory/consolidated/personal-blog-gen1-2025-03-25.md": generation(
        1, "2025-03-25", "- A blog [2025-03-20]\n- In Next.js [2025-03-22#L3-L4]\n- Nobody said this"
    ),
    "memory/consolidated/personal-blog-gen2-2025-04-02.md": generation(
        2,
        "2025-04-02",
        "- A blog [2025-03-20]\n- In Next.js 15, statically exported [2025-03-22#L3-L4]\n  - with detail\n"
        "- New [2019-01-01]",
        "**Previous**: consolidated/personal-blog-gen1-2025-03-25.md\n",
    ),
    "memory/consolidated/lost-topic-gen1-2025-02-01.md": "# Lost\n\nNo sections at all.\n",
    "memory/CURRENT_STATE.md": "---\ntopic: no\nver: 1.10\n---\n# State\n\nSee [today](2025-04-01.md#L3).\n",
    "memory/people/a?b#c.md": "# Odd name\n",
    "memory/broken.md": b"\xff\xfe caf\xe9",
    "memory/huge.md": "word " * 300_000,
    "memory/complex.md": "[" * 50_000,
    "MEMORY.md": "# Long-term\n\n- prefers tea\n",
}


def links_of(uri: str, html: str) -> list[tuple[str, str]]:
    """The pages and anchors that a page's own links lead to."""
    hrefs = [href.replace("&amp;", "&") for href in re.findall(r'(?:href|src)="([^"]*)"', html)]
    absolute = [urljoin(f"https://example.org/{uri}", href) for href in hrefs]
    own = [
        unquote(url.removeprefix("https://example.org/")) for url in absolute if url.startswith("https://example.org/")
    ]
    return [(target if mark else whole, anchor) for whole in own for target, mark, anchor in [_split(whole)]]


def _split(url: str) -> tuple[str, str, str]:
    head, _, tail = url.rpartition("/")
    name, mark, anchor = tail.partition("#")
    return (f"{head}/" if head else "") + name, mark, anchor


@pytest.fixture
def source(make_source: Any, commit: Any) -> SiteSource:
    """A memory with everything in it: `FILES` in the folder, a history with deletions."""
    base = datetime(2025, 3, 20, 22, 30, tzinfo=UTC)
    commits = [
        commit({"memory/2025-03-20.md": "old\n", "memory/old.md": "# Old note\n"}, base),
        commit({"memory/2025-03-19.md": "# 2025-03-19\n\ngone personal-blog\n"}, base, "note: 2025-03-19"),
        commit({"memory/sessions/2025-03-19.md": "# Session Log — 2025-03-19\n\n"}, base, "session: <x>\n"),
        commit(
            {"memory/consolidated/gone-gen1-2025-03-19.md": generation(1, "2025-03-19", "- x")},
            base,
            "consolidate(gone): gen1",
        ),
        commit(
            {
                "memory/old.md": None,
                "memory/2025-03-19.md": None,
                "memory/sessions/2025-03-19.md": None,
                "memory/consolidated/gone-gen1-2025-03-19.md": None,
            },
            datetime(2025, 4, 1, 8, 0, tzinfo=UTC),
            "Clean up <everything>",
            "because\nof & that",
        ),
    ]
    return make_source(FILES, commits)  # type: ignore[no-any-return]  # the fixture is typed in conftest


def test_all_pages_are_well_formed_and_every_link_leads_somewhere(
    source: SiteSource, pages_of: Pages, check_html: Check
) -> None:
    pages = pages_of(source)
    contents = {uri: spec.content() for uri, spec in pages.items()}
    for uri, content in contents.items():
        assert "could not be made" not in content.html, (uri, content.html)
        check_html(content)
    files = {part.uri for part in all_files(source)[1](SiteIdentity("Memory")).parts}
    broken = [
        (uri, target, anchor)
        for uri, content in contents.items()
        for target, anchor in links_of(uri, content.html)
        if target not in files
        if target not in contents or (anchor and anchor not in contents[target].anchors)
    ]
    assert broken == []


def test_all_pages_have_the_addresses_of_the_geography(source: SiteSource, pages_of: Pages) -> None:
    uris = set(pages_of(source))
    assert uris >= {
        "",
        "topics/",
        "topics/personal-blog/",
        "topics/personal-blog/gen1/",
        "topics/personal-blog/gen3/",
        "topics/personal-blog/compare/1..2/",
        "topics/lost-topic/gen1/",
        "topics/gone/gen1/",
        "index/",
        "daily/",
        "daily/2025/",
        "daily/2025/03/",
        "daily/2025-03-19/",
        "daily/2025-03-20/",
        "sessions/",
        "sessions/2025-03-19/",
        "sessions/2025-03-22/",
        "history/",
        "history/2025-03-20/",
        "notes/",
        "notes/MEMORY/",
        "notes/CURRENT_STATE/",
        "notes/people/a?b#c/",
        "notes/old/",
    }


def test_all_pages_of_the_same_source_are_the_same(source: SiteSource, pages_of: Pages) -> None:
    one, two = pages_of(source), pages_of(source)
    assert [(spec.uri, spec.key) for spec in one.values()] == [(spec.uri, spec.key) for spec in two.values()]
    assert {uri: spec.content() for uri, spec in one.items()} == {uri: spec.content() for uri, spec in two.items()}


def test_a_page_that_is_made_is_gone_without_the_collector(
    source: SiteSource, pages_of: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a page was made from is kept by no cycle: looking for these was an eighth of a clean build."""
    made: dict[str, ReferenceType[Any]] = {}
    draw = page_module.Sheet.content

    def noted(sheet: Any, html: str) -> Content:
        made[sheet.uri] = ref(sheet)
        content: Content = draw(sheet, html)
        return content

    monkeypatch.setattr(page_module.Sheet, "content", noted)
    pages = pages_of(source)
    gc.collect()
    gc.disable()
    try:
        for spec in pages.values():
            spec.content()
        assert made.keys() == pages.keys()
        assert [uri for uri, sheet in made.items() if sheet() is not None] == []
    finally:
        gc.enable()


def test_all_pages_of_a_memory_with_nothing_in_it(make_source: Any, pages_of: Pages, check_html: Check) -> None:
    pages = pages_of(make_source({}))
    assert set(pages) == {"", "topics/", "daily/", "sessions/", "history/", "notes/", "index/"}
    for spec in pages.values():
        check_html(spec.content())
    assert "Nothing is remembered yet" in pages[""].content().html


def test_no_text_of_the_memory_becomes_markup(source: SiteSource, pages_of: Pages) -> None:
    everything = "".join(spec.content().html for spec in pages_of(source).values())
    assert "<script" not in everything
    assert "<b>" not in everything
    assert "<everything>" not in everything


def test_a_renderer_that_fails_stops_its_page_alone(
    source: SiteSource, pages_of: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = markdown.render_markdown

    def fails(text: str, **options: Any) -> Any:
        if "prefers tea" in text:
            raise ValueError("no <tea>")
        return working(text, **options)

    monkeypatch.setattr(page_module, "render_markdown", fails)
    contents = {uri: spec.content() for uri, spec in pages_of(source).items()}
    failed = {uri: content.failure for uri, content in contents.items() if "could not be made" in content.html}
    assert failed == {"notes/MEMORY/": "this page could not be made: ValueError: no <tea>"}
    assert "ValueError: no &lt;tea&gt;" in contents["notes/MEMORY/"].html


def test_a_view_that_fails_stops_its_page_alone(
    source: SiteSource, pages_of: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("one\ntwo")

    monkeypatch.setattr(home_module, "year_calendar", fails)
    failed = {uri: content.failure for uri, spec in pages_of(source).items() if (content := spec.content()).failure}
    assert failed == {"": "this page could not be made: ValueError: one two"}


def test_problem_of_a_file_without_a_page_becomes_one(source: SiteSource, pages_of: Pages) -> None:
    name = PurePosixPath("memory/LATEST.md")
    problems = (Problem(name, None, "cannot be read: a link that leads nowhere"), *source.memory.problems)
    day = Problem(PurePosixPath("memory/2024-02-29.md"), None, "cannot be read: no permission")
    broken = replace(source, memory=replace(source.memory, problems=(*problems, day)))
    pages = pages_of(broken)
    assert "a link that leads nowhere" in pages["notes/LATEST/"].content().html
    assert "no permission" in pages["daily/2024-02-29/"].content().html


def test_what_is_in_the_navigation_is_bounded(source: SiteSource, pages_of: Pages) -> None:
    kinds = {spec.kind for spec in pages_of(source).values() if spec.in_nav}
    assert kinds == {
        PageKind.HOME,
        PageKind.TOPICS,
        PageKind.DAYS,
        PageKind.SESSIONS,
        PageKind.HISTORY,
        PageKind.NOTES,
        PageKind.INDEX,
    }


def test_a_page_with_the_same_key_has_the_same_content(source: SiteSource, pages_of: Pages, make_source: Any) -> None:
    """Keys decide what an incremental build leaves alone: no edit may change a page behind its key's back."""
    before = pages_of(source)
    shown = {uri: spec.content() for uri, spec in before.items()}
    for files in _edited(FILES):
        edited = pages_of(replace(make_source(files), history=source.history, blobs=source.blobs))
        for uri, spec in edited.items():
            if uri in before and spec.key == before[uri].key:
                assert spec.content() == shown[uri], uri


def _edited(files: Mapping[str, bytes | str]) -> list[dict[str, bytes | str]]:
    """Variants of a folder: a file gone, a file changed, a file new."""
    chance = random.Random(20250320)
    names = sorted(files)
    variants: list[dict[str, bytes | str]] = []
    for name in chance.sample(names, 6):
        variants.append({other: text for other, text in files.items() if other != name})
        text = files[name]
        if isinstance(text, str):
            variants.append({**files, name: text + "\n\nMore of [it](CURRENT_STATE.md) about the personal-blog.\n"})
    variants.append({**files, "memory/nowhere.md": "# Now it is there\n"})
    variants.append({**files, "memory/2025-04-04.md": "# personal-blog\n"})
    return variants


def test_dates_at_the_ends_of_the_calendar(make_source: Any, pages_of: Pages, check_html: Check) -> None:
    index = "# Memory Index\n\n## Projects\n- **old**\n  - Dates: [0001-01-01, 2025-03-20, 9999-12-31]\n"
    source = make_source({"memory/INDEX.md": index}, today=date(1, 1, 2))
    for spec in pages_of(source).values():
        content = spec.content()
        assert "could not be made" not in content.html, (spec.uri, content.html)
        check_html(content)


def test_a_status_changes_no_page_that_only_names_the_topic(make_source: Any, pages_of: Pages) -> None:
    """A topic is named on hundreds of pages: they must not be made again whenever it is paused or due."""
    before = {f"memory/{path}": text for path, text in STORY.items()}
    after = {**before, "memory/INDEX.md": before["memory/INDEX.md"].replace("Status: active", "Status: paused")}
    old, new = pages_of(make_source(before)), pages_of(make_source(after, today=date(2026, 1, 1)))
    stale = {uri for uri in old if old[uri].key != new[uri].key}
    assert stale == {"", "topics/", "topics/blog/", "index/"}


def test_a_generation_changes_no_page_of_earlier_ones_but_of_the_last(make_source: Any, pages_of: Pages) -> None:
    """A lineage of ten years has a hundred of them: they must not be made again whenever it is consolidated."""
    before = {f"memory/{path}": text for path, text in STORY.items()}
    last = "consolidated/blog-gen2-2025-03-02.md"
    text = STORY[last].replace("Generation 2", "Generation 3")
    after = {**before, "memory/consolidated/blog-gen3-2025-03-03.md": text}
    old, new = pages_of(make_source(before)), pages_of(make_source(after))
    stale = {uri for uri in old if old[uri].key != new[uri].key}
    assert stale & {uri for uri in old if uri.startswith("topics/")} == {
        *("topics/", "topics/blog/", "topics/blog/gen2/", "topics/blog/compare/", "topics/blog/compare/1..2/")
    }
    assert ">current one<" in new["topics/blog/gen1/"].content().html


STORY = {
    "INDEX.md": """## Projects
- **blog**
  - Dates: [2025-03-01, 2025-03-02, 2025-03-03, 2025-03-04]
  - Consolidations:
    - gen1 (2025-03-01): consolidated/blog-gen1-2025-03-01.md
    - gen2 (2025-03-02): consolidated/blog-gen2-2025-03-02.md
  - Current: consolidated/blog-gen2-2025-03-02.md
  - Status: active
""",
    **{f"2025-03-0{day}.md": f"# 2025-03-0{day}\n\n- The blog, day {day}.\n" for day in range(1, 5)},
    **{
        f"consolidated/blog-gen{number}-2025-03-0{number}.md": f"""# Blog - Generation {number} Consolidation

**Created**: 2025-03-0{number}
**Covers**: 2025-03-0{number} to 2025-03-0{number}

## Key Points
- The blog, day {number}. [2025-03-0{number}]
"""
        for number in (1, 2)
    },
}
