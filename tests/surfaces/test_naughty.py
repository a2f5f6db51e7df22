"""Each of the naughty strings as a file's name, title, text, message and author: what is shown is that string."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from selectolax.lexbor import LexborHTMLParser

from memsite.memory.names import is_slug
from memsite.safety.terminal import escape_terminal
from memsite.site.pages.addresses import printable_text
from tests.conftest import Run
from tests.surfaces.hostile_site import HostileSite
from tests.surfaces.test_html import text_of


def words(text: str) -> str:
    """What of a text a reader can see: no controls, nor what stands for them; one blank between words."""
    seen = "".join(char for char in text if unicodedata.category(char) not in {"Cc", "Cs"} or char.isspace())
    return " ".join(seen.replace("\ufffd", "").split())


def said(page: LexborHTMLParser, selector: str) -> str:
    """The words of the first element that a selector names."""
    found = page.css_first(selector)
    assert found is not None, selector
    return words(found.text())


@pytest.fixture(scope="module")
def uris(hostile_site: HostileSite) -> Mapping[str, str]:
    """File -> the address of its page, as the API has it."""
    notes = json.loads((hostile_site.folder / "api" / "notes.json").read_bytes())["notes"]
    return {one["path"]: unquote(one["url"]) for one in notes}


def test_every_string_has_its_page_with_title_name_and_text(hostile_site: HostileSite, uris: Mapping[str, str]) -> None:
    for path, text in hostile_site.memory.naughty.items():
        shown = LexborHTMLParser((hostile_site.folder / uris[printable_text(path)] / "index.html").read_bytes())
        for link in shown.css(".headerlink"):
            link.decompose()
        assert said(shown, "article pre") == words(text), path
        if words(text):
            heading, title = said(shown, "article h1"), letters(said(shown, "title"))
            assert heading[:190] == words(text)[:190] or not text.isprintable(), path
            assert letters(text).startswith(letters(heading)), path
            assert title.startswith(letters(heading)[:30]), path
            assert len(letters(heading)) >= min(len(letters(text)), 30), path
        assert words(Path(path).name)[:20] in said(shown, "body"), path


def test_every_message_and_author_is_in_the_history(hostile_site: HostileSite) -> None:
    shown = words("\n".join(map(text_of, hostile_site.pages("history/*-*-*/index.html"))))
    assert [text for text in hostile_site.memory.naughty.values() if words(text) not in shown] == []


def test_every_string_is_a_topic_or_no_topic(hostile_site: HostileSite, memsite: Run) -> None:
    """As the name of a topic in INDEX.md: one of the allowed form has its page, and no other has one."""
    strings = set(hostile_site.memory.naughty.values())
    slugs = {text for text in strings if is_slug(text)}
    listed = {one["slug"] for one in json.loads(memsite("index", "list", "--json", cwd=hostile_site.memory.root).out)}
    assert {"undefined", "null", "1"} <= slugs == listed & strings
    assert {path.name for path in (hostile_site.folder / "topics").iterdir() if path.is_dir()} == listed
    told = memsite("index", "check", cwd=hostile_site.memory.root).out
    assert told.count("is no topic name") > 300


def test_a_topic_of_any_name_is_made_or_refused_in_one_line(memsite: Run, hostile_site: HostileSite) -> None:
    for text in list(dict.fromkeys(hostile_site.memory.naughty.values()))[::6]:
        done = memsite("index", "add", "--category", "Projects", "--date", "2025-03-01", "--", text)
        assert (done.code, done.err.count("\n")) == ((0, done.err.count("\n")) if is_slug(text) else (1, 1)), text


def test_the_history_in_the_terminal_and_as_json_says_each(hostile_site: HostileSite, memsite: Run) -> None:
    root = hostile_site.memory.root
    plain = memsite("history", "--limit", "0", cwd=root)
    answer: list[dict[str, Any]] = json.loads(memsite("history", "--limit", "0", "--json", cwd=root).out)
    assert plain.code == 0
    shown = plain.out.replace("\t", "␉")
    subjects = {words(one["subject"]) for one in answer}
    paths = {change["path"] for one in answer for change in one["changes"]}
    for path, text in hostile_site.memory.naughty.items():
        assert words(text) in subjects
        assert path in paths
        assert escape_terminal(text.strip(), keep_newlines=False) in shown, text
    authors = {letters(one["author"]) for one in answer}
    known = {letters(text) for text in hostile_site.memory.naughty.values() if not set(text) & set("<>")}
    assert len(known - authors) < 0.05 * len(known)  # git itself trims what ends in a full stop


def letters(text: str) -> str:
    """What git leaves of a name: it takes marks from its ends."""
    return "".join(filter(str.isalnum, text))


def test_a_recall_of_each_is_an_answer(hostile_site: HostileSite, memsite: Run) -> None:
    for text in list(dict.fromkeys(hostile_site.memory.naughty.values()))[::120]:
        done = memsite("recall", "--json", "--", text, cwd=hostile_site.memory.root)
        assert done.code in (0, 1), (text, done.err)
        assert done.code == 1 or json.loads(done.out)
