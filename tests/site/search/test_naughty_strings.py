"""Each of the naughty strings, typed into the search of a site that has a page for each."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from memsite.site.search.tokenize import tokens
from tests.site.search.conftest import Ask
from tests.surfaces.hostile_site import HostileSite
from tests.surfaces.test_files import data_of


def test_every_string_that_has_words_finds_its_page(hostile_site: HostileSite, ask: Ask) -> None:
    notes = json.loads((hostile_site.folder / "api" / "notes.json").read_bytes())["notes"]
    uris = {one["path"]: unquote(one["url"]) for one in notes}
    documents: dict[str, list[str]] = {}
    for script in sorted((hostile_site.folder / "search").glob("d-*.js")):
        documents |= data_of(script)
    asked = {path: text for path, text in hostile_site.memory.naughty.items() if tokens(text) and path in uris}
    assert len(asked) > 400
    answers: list[dict[str, Any]] = ask(hostile_site.folder, queries=list(asked.values()))["answers"]
    lost = {}
    for (path, text), answer in zip(asked.items(), answers, strict=True):
        if uris[path] not in {documents[found][0] for found in answer["ids"]}:
            lost[path] = text
    assert lost == {}
