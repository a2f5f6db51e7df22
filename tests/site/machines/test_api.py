"""The JSON API: every file as its published schema says, addresses that lead somewhere, nothing that breaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from memsite.site.catalog import all_pages
from memsite.site.spec import SiteSource
from tests.conftest import Demo
from tests.site.machines.conftest import generation, make_files, read
from tests.site.pages.conftest import MadeCommit, SourceMaker

Api = Mapping[str, Any]
ADDRESSES = {"url", "api", "markdown", "feed", "previous", "following", "current", "llms"}


def api_of(files: Mapping[str, bytes]) -> dict[str, Any]:
    return {uri: json.loads(data) for uri, data in files.items() if uri.startswith("api/")}


def check(api: Api) -> None:
    """Each file is what its type says, and nothing more than the schema tells of."""
    schema = api["api/schema.json"]
    Draft202012Validator.check_schema(schema)
    checker = FormatChecker()
    assert {"date", "date-time", "uri", "uri-reference"} <= set(checker.checkers)
    documents = {uri: document for uri, document in api.items() if uri != "api/schema.json"}
    assert documents
    for uri, document in documents.items():
        chosen = {**schema, "oneOf": [{"$ref": f"#/$defs/{document['type']}"}]}
        problems = list(Draft202012Validator(chosen, format_checker=checker).iter_errors(document))
        assert problems == [], (uri, problems[:1])
        known = set(schema["$defs"][document["type"]]["properties"])
        assert set(document) == known, uri


def addresses(value: Any) -> Iterator[str]:
    """Every address of a document, by the names that the schema gives them."""
    match value:
        case dict():
            for name, item in value.items():
                if isinstance(item, str) and name in ADDRESSES and "://" not in item:
                    yield item
                else:
                    yield from addresses(item)
        case list():
            for item in value:
                yield from addresses(item)


def test_the_demos_api_is_valid(demo: Demo) -> None:
    files = {path.relative_to(demo.site).as_posix(): path.read_bytes() for path in demo.site.rglob("api/**/*.json")}
    api = api_of(files)
    assert {"index", "topics", "generations", "days", "notes", "topic", "generation", "day"} == {
        document.get("type") for uri, document in api.items() if uri != "api/schema.json"
    }
    check(api)


def test_the_api_of_a_memory_with_everything_in_it_is_valid(source: SiteSource) -> None:
    check(api_of(read(make_files(source, "https://example.org/memory/"))))


def test_the_api_of_an_empty_memory_is_valid(make_source: Any) -> None:
    check(api_of(read(make_files(make_source({})))))


def test_no_text_breaks_the_api(hostile: SiteSource) -> None:
    files = read(make_files(hostile))
    check(api_of(files))
    for uri, data in files.items():
        if uri.startswith("api/"):
            assert not {chr(code) for code in (*range(0x20), 0x7F)} - {"\n"} & set(data.decode()), uri


def test_the_schema_refuses_what_is_wrong(source: SiteSource) -> None:
    api = api_of(read(make_files(source)))
    broken = {**api["api/days/2025-03-20.json"], "day": "yesterday"}
    with pytest.raises(AssertionError):
        check({**api, "api/days/2025-03-20.json": broken})


def test_every_address_of_the_api_leads_to_a_file_or_a_page(source: SiteSource) -> None:
    files = read(make_files(source))
    there = {*files, *(page.uri for page in all_pages(source))}
    found = {unquote(address).partition("#")[0] for address in addresses(list(api_of(files).values()))}
    assert len(found) > 20
    assert found - there == set()


def test_a_generation_is_told_with_what_supports_it(source: SiteSource) -> None:
    api = api_of(read(make_files(source)))
    made = api["api/generations/personal-blog/gen1.json"]
    assert made["summary"] == "It stands."
    assert made["key_points"][0] == {
        "text": "One.",
        "line": 10,
        "sources": [{"day": "2025-03-20", "note": "", "first_line": 3, "last_line": 3, "url": "daily/2025-03-20/"}],
    }
    assert made["decisions"][0]["sources"][0]["url"] is None
    topic = api["api/topics/personal-blog.json"]
    assert topic["current"] == "api/generations/personal-blog/gen1.json"
    assert [one["number"] for one in topic["missing"]] == [7]
    assert [one["day"] for one in topic["days"]] == ["2025-03-20", "2025-03-22"]


def test_what_is_deleted_says_so(source: SiteSource) -> None:
    notes = {note["path"]: note for note in api_of(read(make_files(source)))["api/notes.json"]["notes"]}
    assert notes["memory/lost.md"]["deleted"]["day"] == "2025-03-26"
    assert notes["memory/garden (new).md"]["deleted"] is None
    assert notes["memory/garden (new).md"]["url"] == "notes/garden%20(new)/"


def test_what_is_renamed_says_how_it_is_called_since(make_source: SourceMaker) -> None:
    text = "# Garden\n\nTulips.\n"
    steps = ({"memory/old.md": text}, {"memory/old.md": None, "memory/garden.md": text})
    api = api_of(read(make_files(make_source(None, [MadeCommit(dict(files)) for files in steps]))))
    check(api)
    notes = {note["path"]: note for note in api["api/notes.json"]["notes"]}
    assert notes["memory/old.md"]["deleted"]["renamed"] == "memory/garden.md"


def test_what_is_deleted_is_not_counted(make_source: SourceMaker) -> None:
    made = "memory/consolidated/blog-gen{}-2025-03-25.md"
    log = "# Session Log — 2025-03-22\n\n### 10:00\n- **Topic:** Hosting\n- **Messages:** 2 user / 3 assistant\n"
    there: dict[str, str | None] = {
        "memory/INDEX.md": "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-22]\n",
        made.format(1): generation("Blog", 1, "One."),
        made.format(2): generation("Blog", 2, "Two."),
        "memory/sessions/2025-03-22.md": log,
        "memory/lost.md": "# Lost\n",
        "memory/kept.md": "# Kept\n",
    }
    gone = dict.fromkeys((made.format(1), "memory/sessions/2025-03-22.md", "memory/lost.md"))
    api = api_of(read(make_files(make_source(None, [MadeCommit(there), MadeCommit(gone)]))))
    counts = api["api/index.json"]["counts"]
    assert (counts["generations"], counts["sessions"], counts["notes"]) == (1, 0, 1)
    assert api["api/topics.json"]["topics"][0]["generations"] == 1


def test_a_day_names_its_neighbours_sessions_and_commits(source: SiteSource) -> None:
    day = api_of(read(make_files(source)))["api/days/2025-03-22.json"]
    assert [day["previous"], day["following"]] == ["api/days/2025-03-20.json", "api/days/2025-03-25.json"]
    assert [note["label"] for note in day["notes"]] == ["", "standup"]
    assert day["sessions"]["entries"][0]["user_messages"] == 2
    assert day["commits"][0]["subject"] == "note: 2025-03-22"
