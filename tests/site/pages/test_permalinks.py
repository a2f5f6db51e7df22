"""Addresses are for ever: neither a file that comes nor one that goes changes another's."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.memory.model import Problem
from memsite.site.catalog import all_pages
from memsite.site.pages.permalinks import arrivals, first_free
from memsite.site.spec import PageKind, SiteSource
from tests.site.pages.conftest import MadeCommit, SourceMaker

GENERATION = "# Blog - Generation 2 Consolidation\n\n## Key Points\n- x\n"
NAMES = (
    "MEMORY.md",
    "memory/MEMORY.md",
    "memory/memory.md",
    "memory/plan.md",
    "memory/plan.markdown",
    "memory/Plan.md",
    "memory/workspace/MEMORY.md",
    "memory/plan.md/deeper.md",
    "memory/consolidated/blog-gen1-2025-03-20.md",
    "memory/consolidated/blog-gen2-2025-03-25.md",
    "memory/consolidated/blog-gen2-2025-04-01.md",
    "memory/consolidated/blog-gen10-2025-04-02.md",
)


def addresses(source: SiteSource) -> dict[str, str]:
    """The address of every note and generation by its path."""
    kinds = (PageKind.NOTE, PageKind.GENERATION)
    return {str(page.source): page.uri for page in all_pages(source) if page.kind in kinds and page.source}


def comparisons(source: SiteSource) -> set[str]:
    return {page.uri for page in all_pages(source) if page.kind is PageKind.COMPARE}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("MEMORY.md", "memory/MEMORY.md"),
        ("memory/MEMORY.md", "MEMORY.md"),
        ("memory/plan.markdown", "memory/plan.md"),
        ("memory/a.md", "memory/A.md"),
        ("memory/consolidated/blog-gen2-2025-04-01.md", "memory/consolidated/blog-gen2-2025-03-25.md"),
    ],
)
def test_who_came_first_keeps_the_address_when_the_other_comes_and_when_it_goes_itself(
    first: str, second: str, make_source: SourceMaker, commit: type[MadeCommit]
) -> None:
    one, two = commit({first: GENERATION}), commit({second: GENERATION + "y\n"})
    alone = addresses(make_source(None, [one]))
    both = addresses(make_source(None, [one, two]))
    gone = addresses(make_source(None, [one, two, commit({first: None})]))
    assert both == alone | {second: both[second]}
    assert gone == both
    assert len(set(both.values())) == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans()), min_size=1, max_size=12))
def test_no_commit_changes_an_address(steps: list[tuple[str, bool]]) -> None:
    made, there = [], set[str]()
    at = datetime(2025, 3, 20, 9, tzinfo=UTC)
    known: dict[str, str] = {}
    compared: set[str] = set()
    for number, (name, stays) in enumerate(steps):
        if not stays and name not in there:
            continue
        text = f"{GENERATION}{number}\n" if stays else None
        there = there | {name} if stays else there - {name}
        made.append(MadeCommit({name: text}, at + timedelta(hours=number)))
        source = SourceMaker()(None, made)
        found, pairs = addresses(source), comparisons(source)
        assert known.items() <= found.items()
        assert compared <= pairs
        folded = [uri.casefold() for uri in found.values()]
        assert len(set(folded)) == len(folded)
        known, compared = found, pairs


def test_files_of_one_commit_choose_by_path_those_of_the_memory_folder_first(
    make_source: SourceMaker, commit: type[MadeCommit]
) -> None:
    source = make_source(None, [commit({"MEMORY.md": "x", "memory/MEMORY.md": "y"})])
    assert addresses(source) == {"memory/MEMORY.md": "notes/MEMORY/", "MEMORY.md": "notes/workspace/MEMORY/"}


def test_what_is_not_committed_comes_last(make_source: SourceMaker, commit: type[MadeCommit]) -> None:
    source = make_source({"memory/plan.md": "x", "memory/plan.markdown": "y"}, [commit({"memory/plan.markdown": "y"})])
    assert addresses(source) == {"memory/plan.markdown": "notes/plan/", "memory/plan.md": "notes/plan.md/"}


def test_what_is_older_than_a_shallow_clone_comes_first(make_source: SourceMaker, commit: type[MadeCommit]) -> None:
    files = {"memory/plan.md": "x", "memory/plan.markdown": "y"}
    source = make_source(files, [commit({"memory/plan.markdown": "y"})], shallow=True)
    assert addresses(source)["memory/plan.md"] == "notes/plan/"


def test_a_file_that_cannot_be_read_has_the_address_that_it_has_when_it_can(
    make_source: SourceMaker, commit: type[MadeCommit]
) -> None:
    first, second = PurePosixPath("memory/plan.md"), "memory/plan.markdown"
    commits = [commit({str(first): "x"}), commit({second: "y"})]
    readable = addresses(make_source(None, commits))
    source = make_source({second: "y"}, commits)
    problem = Problem(first, None, "cannot be read: no permission")
    broken = replace(source, memory=replace(source.memory, problems=(problem,)))
    pages = {page.uri: page for page in all_pages(broken)}
    assert "no permission" in pages[readable[str(first)]].content().html
    assert addresses(broken)[second] == readable[second]


def test_a_pair_that_was_consecutive_keeps_its_comparison(make_source: SourceMaker, commit: type[MadeCommit]) -> None:
    folder = "memory/consolidated"
    commits = [commit({f"{folder}/blog-gen{number}-2025-03-2{number}.md": GENERATION}) for number in (1, 2, 3)]
    second = commit({f"{folder}/blog-gen2-2025-04-01.md": GENERATION})
    assert comparisons(make_source(None, commits)) == {"topics/blog/compare/1..2/", "topics/blog/compare/2..3/"}
    assert comparisons(make_source(None, [*commits, second])) == {
        "topics/blog/compare/1..2/",
        "topics/blog/compare/2..3/",
        "topics/blog/compare/2..2-2025-04-01/",
        "topics/blog/compare/2-2025-04-01..3/",
    }


def test_arrivals_count_commits_from_the_oldest(make_source: SourceMaker, commit: type[MadeCommit]) -> None:
    source = make_source(None, [commit({"memory/a.md": "x"}), commit({"memory/b.md": "y", "memory/a.md": "z"})])
    came = arrivals(source.history)
    paths = [PurePosixPath("memory") / name for name in ("a.md", "b.md", "new.md")]
    assert [came(path) for path in paths] == [0, 1, 2]


def test_first_free_numbers_what_has_no_option_left() -> None:
    options = {"one": ["a/"], "two": ["A/"], "three": ["a/", "b/"], "four": ["\u00e9/"], "five": ["e\u0301/"]}
    assert first_free(options.items()) == {
        "one": "a/",
        "two": "A-2/",
        "three": "b/",
        "four": "é/",
        "five": "e\u0301-2/",
    }
