"""The files for programs on a hostile site: feeds, API, llms.txt, Markdown, scripts with data. Text is data in each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from markdown_it import MarkdownIt

from memsite.site.pages.addresses import printable_text
from tests.surfaces.hostile_memory import ADDRESS, file_name
from tests.surfaces.hostile_site import HostileSite
from tests.surfaces.judge import faults_of

ATOM = "{http://www.w3.org/2005/Atom}"
CALL = re.compile(
    r"(?:memsiteSearch|memsiteCompare\.receive)\((\"[^\"]*\"),(.*)\);\n|memsiteMarkdown\.receive\((.*)\);\n", re.DOTALL
)
HOST = re.match(r"https://[^/]*/", ADDRESS)


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value, keys aside."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from texts_in(item)
        case dict():
            yield from texts_in(list(value.values()))


def data_of(script: Path) -> Any:
    """What a script of ours hands over: JSON in one call, so that no text of it is code."""
    found = CALL.fullmatch(script.read_text(encoding="utf-8"))
    assert found, script
    return json.loads(found[2] or found[3])


def seen(text: str) -> str:
    """A title without what takes no letter: white space, controls and what stands for them."""
    return "".join(char for char in printable_text(text) if char.isprintable() and char not in "\ufffd ")


def files_named(hostile_site: HostileSite, pattern: str) -> list[Path]:
    """The files of the site that match, in order: the folder of a page may be named like one."""
    return sorted(path for path in hostile_site.folder.rglob(pattern) if path.is_file())


def test_feeds_and_site_map_hold_text_and_addresses(hostile_site: HostileSite) -> None:
    feeds = files_named(hostile_site, "*.xml")
    assert {path.name for path in feeds} == {"changes.xml", "generations.xml", "feed.xml", "sitemap.xml"}
    for path in feeds:
        root = ET.fromstring(path.read_bytes())  # noqa: S314 - ours
        for element in root.iter():
            assert element.tag.startswith("{"), "an element of nobody's"
            if element.tag in {f"{ATOM}title", f"{ATOM}content"}:
                assert not list(element)
                assert element.get("type", "text") == "text"
            for value in element.attrib.values():
                assert not re.match(r"\s*(?:javascript|data|vbscript):", value, re.IGNORECASE)
        addresses = [
            *(link.get("href", "") for link in root.iter(f"{ATOM}link")),
            *(one.text or "" for one in root.iter() if one.tag.endswith("}loc")),
        ]
        assert HOST
        assert addresses
        assert all(one.startswith(HOST[0]) for one in addresses)
    said = " ".join(
        " ".join((hostile_site.folder / "feeds" / "changes.xml").read_text(encoding="utf-8").split()).split()
    )
    for text in list(hostile_site.memory.naughty.values())[-30:]:
        shown = " ".join(printable_text(text).split())
        escaped = (
            shown.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace('"', "&#34;")
            .replace("'", "&#39;")
        )
        assert escaped in said


def test_the_api_says_what_the_memory_says(hostile_site: HostileSite) -> None:
    files = {path: json.loads(path.read_bytes()) for path in files_named(hostile_site, "*.json")}
    assert len(files) > 20
    for value in files.values():
        for address in addresses_in(value):
            assert not re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.IGNORECASE) or address.startswith("https://"), (
                address
            )
    notes = {one["path"]: one["title"] for one in files[hostile_site.folder / "api" / "notes.json"]["notes"]}
    paths = "\n".join(notes)
    assert [name for one in hostile_site.memory.payloads if (name := file_name(one)[:60]) not in paths] == []
    for path, text in hostile_site.memory.naughty.items():
        if text.strip():
            assert seen(notes[printable_text(path)]) == seen(text)[:200] or len(text) > 190


def addresses_in(value: Any) -> Iterator[str]:
    """What the API gives as an address."""
    if isinstance(value, list):
        for item in value:
            yield from addresses_in(item)
    elif isinstance(value, dict):
        yield from (str(value[name]) for name in ("url", "markdown", "api") if isinstance(value.get(name), str))
        yield from addresses_in(list(value.values()))


def test_scripts_with_data_are_one_call_with_plain_values(hostile_site: HostileSite) -> None:
    made = [
        path
        for path in files_named(hostile_site, "*.js")
        if "assets" not in path.relative_to(hostile_site.folder).parts[:1]
    ]
    held = {path: "\n".join(texts_in(data_of(path))) for path in made}
    kinds: Mapping[str, list[str]] = {
        "search": [text for path, text in held.items() if path.name.startswith("d-")],
        "compare": [text for path, text in held.items() if path.parent.name == "compare"],
        "copy": [text for path, text in held.items() if path.name == "index.md.js"],
    }
    for kind, texts in kinds.items():
        whole = "\n".join(texts)
        assert sum(one in whole for one in hostile_site.memory.payloads) > 0.7 * len(hostile_site.memory.payloads), kind


def test_markdown_beside_a_page_is_the_file_itself(hostile_site: HostileSite) -> None:
    names = {
        "bodies/0": "notes/bodies/0",
        "fences/0": "notes/fences/0",
        "INDEX": "index",
        "2025-03-02": "daily/2025-03-02",
    }
    for name, uri in names.items():
        own = (hostile_site.memory.root / "memory" / f"{name}.md").read_bytes()
        assert (hostile_site.folder / uri / "index.md").read_bytes() == own


def test_llms_txt_is_inert_even_to_a_reader_that_takes_html_in_it(hostile_site: HostileSite) -> None:
    text = (hostile_site.folder / "llms.txt").read_text(encoding="utf-8")
    html = str(MarkdownIt("commonmark", {"html": True}).render(text))
    assert list(faults_of(html)) == []
    assert html.count("<h1>") == 1
    assert "alert(1)" in text
