"""A page filled into a shell is the page that the theme's whole template gives, for every page of a site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memsite.repo.workspace import open_workspace
from memsite.site import crew
from memsite.site.build import build_site
from memsite.site.files import SpecPage
from memsite.site.shells import Shell, Shells
from tests.conftest import Demo, Git
from tests.site.test_site import INDEX, commit, write

MARK = "\0<h1 here\0"


def even(html: str) -> str:
    """With one space for all white space between two words, as a browser reads it."""
    return " ".join(html.split())


def whole_page(shells: Shells, context: Mapping[str, Any]) -> tuple[str, str]:
    """What the template itself gives, before and after the article."""
    page = context["page"]
    content, page.content = page.content, MARK
    try:
        above, below = shells.template.render(context).split(MARK)
    finally:
        page.content = content
    return above, below


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Every page that is rendered is compared; how many there were of each kind."""
    render, seen = Shells.render, Counter[str]()

    def check(self: Shells, context: Mapping[str, Any]) -> str:
        html, page = render(self, context), context["page"]
        above, below = whole_page(self, context)
        assert isinstance(page, SpecPage)
        start = html.index(page.content or "")
        assert even(html[:start]) == even(above), page.spec.uri
        assert html[start:].removeprefix(page.content or "") != html[start:]
        assert even(html[start + len(page.content or "") :]) == even(below), page.spec.uri
        seen[page.spec.kind.value] += 1
        return html

    monkeypatch.setattr(Shells, "render", check)
    monkeypatch.setattr(crew, "cores", lambda: 1)  # another process would count for itself
    return seen


def test_every_page_of_the_demo_is_what_the_whole_template_gives(
    demo: Demo, compared: Counter[str], tmp_path: Path
) -> None:
    result = build_site(open_workspace(demo.workspace), destination=tmp_path / "site")
    assert compared.total() == result.rendered == result.pages
    assert len(compared) >= 14, compared


def test_hostile_titles_in_odd_places_are_what_the_whole_template_gives(
    workspace: Path, git: Git, compared: Counter[str]
) -> None:
    """Names that are marks, markup and entities; folders within folders; pages below pages of the navigation."""
    settings = "site_name: '<b>A & B</b>'\nsite_url: https://example.org/x y/\ntheme:\n  name: material\n"
    nav = "nav:\n  - Mine: people/ada.md\n  - More:\n    - people/deep/er.md\n    - Out: https://example.org/?a=1&b=2\n"
    write(workspace, "mkdocs.yml", settings + "  features: [navigation.path, navigation.footer, toc.follow]\n" + nav)
    write(workspace, "memory/INDEX.md", INDEX + "- **title**\n  - Dates: [2025-03-20]\n- **<i>&amp;</i>**\n")
    write(
        workspace,
        "memory/2025-03-20.md",
        "# `</title><script>1</script>`  two  spaces\n\n## A &lt; B\n\n#### <i>C</i>\n",
    )
    for name in ("people", "people/ada", "people/deep/er", "people/deep/no heading", "a&b <c>", "\\0title\\0"):
        write(workspace, f"memory/{name}.md", f"# {name}\n\n## {name} & more\n")
    commit(git, workspace, "2025-03-20")
    result = build_site(open_workspace(workspace))
    assert compared.total() == result.pages
    assert not [warning for warning in result.warnings if "could not be made" in warning]


def test_a_shell_keeps_texts_whose_breaks_count() -> None:
    assert Shell.cut("<p>\n\n  a\n</p>\0title\0").fill({"title": "\n  T"}) == "<p>\na\n</p>\n  T"
    assert Shell.cut("<pre>\n\n  a\n</pre>").fill({}) == "<pre>\n\n  a\n</pre>"
    assert re.findall(r"\d", Shell.cut("1\0<h1content\0" + "2\0title\0" + "3").fill({"content": "", "title": ""}))
