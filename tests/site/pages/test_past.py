"""Time travel on the normal site: each file as each commit left it, at an address that stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.site.catalog import all_pages
from memsite.site.pages.past import MAX_FILES, MAX_SHOWN
from memsite.site.search.documents import plain_text
from memsite.site.spec import Content, PageSpec, SiteSource
from tests.site.pages.conftest import MadeCommit, SourceMaker

Render = Callable[[SiteSource, str], Content]
Pages = Callable[[SiteSource], dict[str, PageSpec]]
START = datetime(2025, 3, 20, 9, tzinfo=UTC)
NOTE = "memory/2025-03-20.md"


def commits_of(*texts: str | None, path: str = NOTE, apart: timedelta = timedelta(hours=1)) -> list[MadeCommit]:
    return [MadeCommit({path: text}, START + number * apart) for number, text in enumerate(texts)]


def commit_id(number: int) -> str:
    return f"{number:040x}"


def past_of(content: Content) -> list[str]:
    """The old texts on a page, what is new in them in brackets."""
    tree = html5lib.parseFragment(content.html, namespaceHTMLElements=False)
    found = [pre for pre in tree.iter("pre") if pre.get("class") == "memsite-past"]
    return [(pre.text or "") + "".join(f"[{child.text}]{child.tail or ''}" for child in pre) for pre in found]


def test_each_revision_of_a_note_is_shown_as_it_was(make_source: Any, render: Render) -> None:
    source = make_source(
        None, commits_of("# 今天\n\n讨论部署。\n", "# 今天\n\n讨论部署。\n\n决定等待。\n", "# 今天\n\n决定等待。\n")
    )
    content = render(source, "history/2025-03-20/")
    assert past_of(content) == ["# 今天\n\n讨论部署。\n[\n决定等待。\n]", "# 今天\n\n讨论部署。"]
    assert {f"{commit_id(number)}.1" for number in (1, 2, 3)} <= content.anchors
    assert "unchanged since" in content.html
    assert "1 line went" not in content.html


def test_lines_that_went_are_counted(make_source: Any, render: Render) -> None:
    html = render(make_source(None, commits_of("a\n\nb\n\nc\n", "a\n\nB\n", "a\n")), "history/2025-03-20/").html
    assert "New lines are marked; 3 lines went" in html


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("One two three\nfour five.\n", "One two\nthree four five.\n", "One two\nthree four five."),
        ("One\ntwo.\n\nEnd.\n", "One two.\r\n\r\nEnd.\r\n\r\nMore.\r\n", "One two.\n\nEnd.\n[\nMore.\n]"),
        ("- a\n- b\n", "* a\n\n\n* b\n", "* a\n\n\n* b"),
        ("```\na b\n```\n", "```\na\nb\n```\n", "```\n[a\nb\n]```"),
    ],
)
def test_a_line_is_new_where_the_comparison_says_so(
    make_source: Any, render: Render, old: str, new: str, shown: str
) -> None:
    content = render(make_source(None, commits_of(old, new, "later\n")), "history/2025-03-20/")
    assert past_of(content)[0].rstrip() == shown
    assert ("1 line went" in content.html) == ("[a" in shown)


def test_a_note_leads_to_each_of_its_revisions(make_source: Any, render: Render) -> None:
    html = render(make_source(None, commits_of("a\n", "b\n")), "daily/2025-03-20/").html
    assert [f"../../history/2025-03-20/#{commit_id(number)}.1" for number in (2, 1)] == re.findall(
        r'href="([^"]*\.1)"', html
    )


def test_the_last_text_of_a_deleted_note_is_on_its_own_page_only(make_source: Any, render: Render) -> None:
    content = render(make_source(None, commits_of("first\n", "last\n", None)), "history/2025-03-20/")
    assert past_of(content) == ["first"]


def test_revisions_lead_to_the_older_and_the_newer_one(make_source: Any, render: Render) -> None:
    source = make_source(None, commits_of("a\n", "b\n", "c\n", apart=timedelta(days=40)))
    html = render(source, "history/2025-04-29/").html
    assert re.search(rf'rel="prev" [^>]*href="../2025-03-20/#{commit_id(1)}.1"', html)
    assert re.search(rf'rel="next" [^>]*href="../2025-06-08/#{commit_id(3)}.1"', html)


def test_files_of_one_commit_have_each_their_place(make_source: Any, render: Render, commit: Any) -> None:
    files = {"memory/b.md": "x\n", "memory/a.md": "y\n", "memory/c.png": "z"}
    source = make_source(None, [commit(files), commit({"memory/b.md": "xx\n"})])
    content = render(source, "history/2025-03-20/")
    assert {f"{commit_id(1)}.{number}" for number in (1, 2, 3)} <= content.anchors
    assert f'href="../../history/2025-03-20/#{commit_id(1)}.2"' in render(source, "notes/b/").html


def test_texts_of_the_past_are_text(make_source: Any, render: Render) -> None:
    html = render(make_source(None, commits_of("<script>alert(1)</script>\x07\n", "b\n")), "history/2025-03-20/").html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\ufffd" in html


def test_search_does_not_find_texts_of_the_past(make_source: Any, render: Render) -> None:
    html = render(make_source(None, commits_of("formerly\n", "today\n", "now\n")), "history/2025-03-20/").html
    words = plain_text(re.sub(r'<div class="memsite-diff">.*?</details>', "</details>", html, flags=re.DOTALL))
    assert "formerly" not in words
    assert "older" not in words
    assert "2025-03-20" in words


def test_a_page_of_many_long_texts_is_bounded_and_says_what_it_does_not_show(
    make_source: Any, render: Render, commit: Any
) -> None:
    log = "".join(f"- turn {number} of a long session\n" for number in range(100))
    made = [
        commit({"memory/log.md": log + f"- end {number}\n"}, START + number * timedelta(minutes=5))
        for number in range(100)
    ]
    made.append(commit({"memory/short.md": "first\n"}, START + timedelta(hours=9)))
    made.append(commit({"memory/short.md": "second\n"}, START + timedelta(hours=10)))
    source = make_source(None, made)
    content = render(source, "history/2025-03-20/")
    shown = past_of(content)
    assert "first" in shown
    assert sum(map(len, shown)) < MAX_SHOWN + 2 * len(log)
    assert len(shown) > 5
    assert f"<code>git show {commit_id(50)[:10]}:./memory/log.md</code> prints this one" in content.html
    assert "The text at the beginning of March 2025" in content.html
    assert f'href="./#{commit_id(1)}.1"' in content.html
    assert any(text.endswith("- end 0") for text in shown)
    assert {f"{commit_id(number)}.1" for number in range(1, 101)} <= content.anchors


def test_a_commit_of_very_many_files_names_the_first_and_all_lead_somewhere(
    make_source: Any, commit: Any, render: Render
) -> None:
    files = {f"memory/notes/{number:04d}.md": f"{number}\n" for number in range(MAX_FILES + 50)}
    source = make_source(None, [commit(files), commit({"memory/notes/0349.md": "new\n"}, START + timedelta(days=1))])
    content = render(source, "history/2025-03-20/")
    assert "and 50 files more" in content.html
    assert {f"{commit_id(1)}.{MAX_FILES}", commit_id(1)} <= content.anchors
    assert f"{commit_id(1)}.{MAX_FILES + 1}" not in content.anchors
    html = render(source, "notes/notes/0349/").html
    assert f'href="../../../history/2025-03-20/#{commit_id(1)}"' in html
    assert len(content.html) < 200_000


def test_a_file_of_many_revisions_lists_them_by_month(make_source: Any, render: Render) -> None:
    texts = [f"text {number}\n" for number in range(40)]
    html = render(make_source(None, commits_of(*texts, path="memory/a.md", apart=timedelta(days=9))), "notes/a/").html
    assert "40 revisions" in html
    months = re.findall(r'<a href="[^"]*#([0-9a-f]{40})\.1">(\w{3})</a>&nbsp;<span class="memsite-fine">(\d+)', html)
    assert months[0][1:] == ("Mar", "1")
    assert sum(int(count) for _, _, count in months) == 40
    assert months[-1] == (commit_id(1), "Mar", "2")


def test_a_new_revision_changes_the_page_of_the_one_before_and_no_other_of_the_past(
    make_source: Any, pages_of: Pages
) -> None:
    texts = [f"text {number}\n" for number in range(6)]
    made = commits_of(*texts, apart=timedelta(days=1))
    before = pages_of(make_source(None, made[:-1]))
    after = pages_of(make_source(None, made))
    days = {uri: page for uri, page in after.items() if uri.startswith("history/2025-")}
    changed = {uri for uri, page in days.items() if uri not in before or page.key != before[uri].key}
    assert changed == {"history/2025-03-24/", "history/2025-03-25/"}


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["memory/a.md", NOTE, "memory/INDEX.md"]), st.integers(0, 3)), min_size=1, max_size=9
    )
)
def test_no_commit_takes_a_revision_its_address(steps: list[tuple[str, int]]) -> None:
    made: list[MadeCommit] = []
    known: set[tuple[str, str]] = set()
    there: dict[str, str] = {}
    for number, (path, text) in enumerate(steps):
        new = f"text {text} {number}\n" if text else None
        if new is None and path not in there:
            continue
        there = {**there, path: new} if new else {key: value for key, value in there.items() if key != path}
        made.append(MadeCommit({path: new}, START + number * timedelta(hours=13)))
        pages = [page for page in all_pages(SourceMaker()(None, made)) if page.uri.startswith("history/2025-")]
        found = {(page.uri, anchor) for page in pages for anchor in page.content().anchors}
        assert known <= found
        assert {f"{commit_id(len(made))}.1", commit_id(len(made))} <= {anchor for _, anchor in found}
        known = found


@pytest.mark.parametrize("uri", ["history/2025-03-20/", "daily/2025-03-20/"])
def test_a_revision_that_this_clone_does_not_have_is_no_failure(
    uri: str, make_source: SourceMaker, render: Render
) -> None:
    source = make_source(None, commits_of("a\n", "b\n"))
    broken = SiteSource(source.memory, source.history, source.config, source.today, lambda _ids: {})
    assert render(broken, uri).html
