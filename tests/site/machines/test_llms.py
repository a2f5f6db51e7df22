"""llms.txt as its convention asks: a title, a quotation, text, then sections of links; whatever the memory says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from memsite.site.spec import SiteSource
from tests.conftest import Demo
from tests.site.machines.conftest import make_files, naughty, read
from tests.site.pages.conftest import SourceMaker


@dataclass
class Llms:
    """What a reader makes of it."""

    title: str = ""
    quotation: str = ""
    sections: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


def parse(text: str) -> Llms:
    """Read it by the CommonMark rules; fail where the convention is not kept."""
    found, tokens = Llms(), MarkdownIt().parse(text)
    top = [token for token in tokens if token.level == 0 and token.nesting >= 0]
    assert [token.tag for token in top[:2]] == ["h1", "blockquote"]
    assert [token.tag for token in top].count("h1") == 1
    first_section = next((at for at, token in enumerate(top) if token.tag == "h2"), len(top))
    assert {token.tag for token in top[2:first_section]} == {"p"}
    assert [token.tag for token in top[first_section:]] == ["h2", "ul"] * (len(top[first_section:]) // 2)
    section, quoted = "", False
    for before, token in zip([tokens[0], *tokens], tokens, strict=False):
        quoted = (quoted or token.type == "blockquote_open") and token.type != "blockquote_close"
        children = token.children or []
        assert "html_inline" not in {child.type for child in children}
        if before.tag == "h1" and token.type == "inline":
            found.title = "".join(child.content for child in children)
        elif quoted and token.type == "inline":
            found.quotation += token.content
        elif before.tag == "h2" and token.type == "inline":
            section = token.content
            found.sections[section] = []
        elif section and token.type == "inline":
            assert children[0].type == "link_open", token.content
            assert [child.type for child in children].count("link_open") == 1, token.content
            end = next(at for at, child in enumerate(children) if child.type == "link_close")
            rest = "".join(child.content for child in children[end + 1 :])
            assert rest == "" or rest.startswith(": "), rest
            words = "".join(child.content for child in children[1:end])
            found.sections[section].append((words, str(children[0].attrs["href"])))
    return found


def test_the_demos_llms_txt(demo: Demo) -> None:
    found = parse((demo.site / "llms.txt").read_text(encoding="utf-8"))
    assert found.title == "Ada's agent"
    assert found.quotation.startswith("The memory of an AI agent, as of 2025-05-14")
    assert list(found.sections) == ["Topics", "Latest days", "Notes", "Optional"]
    assert found.sections["Topics"][0] == ("personal-blog", "topics/personal-blog/index.md")
    links = [href for entries in found.sections.values() for _, href in entries]
    assert [href for href in links if not (demo.site / unquote(href)).is_file()] == []


@pytest.mark.parametrize("url", ["", "https://example.org/memory/"])
def test_its_links_lead_to_files_of_the_site(source: SiteSource, url: str) -> None:
    files = read(make_files(source, url))
    found = parse(files["llms.txt"].decode())
    links = [href for entries in found.sections.values() for _, href in entries]
    assert all(href.startswith(url) for href in links)
    assert [href for href in links if unquote(href.removeprefix(url)) not in files] == []
    assert f"{url}notes/garden%20%28new%29/index.md" in links
    assert not [href for href in links if "lost" in href]


def test_no_text_leaves_its_place(hostile: SiteSource) -> None:
    files = read(make_files(hostile, name="</h1>\n# Another [title](x)"))
    found = parse(files["llms.txt"].decode())
    assert list(found.sections) == ["Topics", "Latest days", "Notes", "Optional"]
    links = [href for entries in found.sections.values() for _, href in entries]
    assert len(links) > min(200, 3 * len(naughty()))
    assert [href for href in links if unquote(href) not in files] == []


@pytest.mark.parametrize("number", range(9))
def test_a_site_of_any_name_keeps_the_form(make_source: SourceMaker, number: int) -> None:
    text = naughty()[number]
    found = parse(read(make_files(make_source({}), name=text))["llms.txt"].decode())
    assert found.title.split() == text.replace("\x85", "").replace("\u2028", "").replace("\u2029", "").split()


def test_the_latest_are_named_and_the_rest_is_pointed_at(make_source: SourceMaker) -> None:
    first = date(2025, 1, 1)
    days = [first + timedelta(days=number) for number in range(50)]
    source = make_source({f"memory/{day}.md": f"# {day}\n\nText.\n" for day in days}, today=days[-1])
    entries = parse(read(make_files(source))["llms.txt"].decode()).sections["Latest days"]
    assert entries[0][0] == days[-1].isoformat()
    assert entries[-1] == ("20 more", "api/days.json")
    assert len(entries) == 31
