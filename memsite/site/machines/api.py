"""The memory as JSON, one file for each thing and each list of things; `schema.json`, beside this module, tells of all.

Addresses are relative to the site's root, percent-encoded: the same bytes wherever the site stands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from memsite.memory.model import Point, Source, SourceRef
from memsite.repo.history import Commit
from memsite.site.links import day_uri, history_day_uri, markdown_uri, quote_uri, session_day_uri, topic_uri
from memsite.site.machines.addresses import (
    API,
    CHANGES_FEED,
    GENERATIONS_FEED,
    LLMS,
    day_file,
    generation_file,
    topic_feed,
    topic_file,
)
from memsite.site.pages.addresses import printable_text
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import day_row, topic_badge
from memsite.site.pages.commits import commit_kind
from memsite.site.pages.deleted import Deletion
from memsite.site.pages.fact_values import item_name
from memsite.site.pages.page import Once, given, late_key
from memsite.site.spec import PagePart, SiteIdentity

VERSION = 1
"""Of the schema; a field that is added is no new one."""
SCHEMA = f"{API}schema.json"
_SCHEMA_FILE = Path(__file__).parent / "schema.json"
Json = dict[str, Any]


def api_files(atlas: Atlas, site: SiteIdentity) -> Iterator[PagePart]:
    """The schema, the lists, and each topic, generation and day."""
    yield _part(SCHEMA, _SCHEMA_FILE.read_bytes())
    yield _file(atlas, "index.json", "index", partial(_index, atlas, site))
    yield _file(atlas, "topics.json", "topics", partial(_topics, atlas))
    yield _file(atlas, "generations.json", "generations", partial(_all_generations, atlas))
    yield _file(atlas, "days.json", "days", partial(_days, atlas))
    yield _file(atlas, "notes.json", "notes", partial(_notes, atlas))
    for line in atlas.lineages:
        yield _file(atlas, topic_file(line.topic.slug), "topic", partial(_topic_whole, atlas, line))
        for item in line.items:
            yield _file(atlas, _generation_file(item), "generation", partial(_generation_whole, atlas, item))
    days = [None, *atlas.days, None]
    for before, day, after in zip(days, atlas.days, days[2:], strict=False):
        yield _file(atlas, day_file(day), "day", partial(_day_whole, atlas, day, before, after))


def _file(atlas: Atlas, name: str, kind: str, content: Callable[[], Json]) -> PagePart:
    """A file whose key is its bytes, which are made where something that they are made of has changed."""
    uri = name if name.startswith(API) else API + name
    made = Once(lambda: _bytes(uri, kind, content()))
    key = late_key(atlas, f"part {uri}", partial(given, atlas, content), lambda: sha256(made()).hexdigest())
    return PagePart(uri, key, made.take)


def _bytes(uri: str, kind: str, content: Json) -> bytes:
    schema = "../" * (uri.count("/") - 1) + "schema.json"
    value = _clean({"$schema": schema, "type": kind, "version": VERSION, **content})
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _part(uri: str, data: bytes) -> PagePart:
    return PagePart(uri, (sha256(data).hexdigest(),), lambda: data)


def _clean(value: Any) -> Any:
    """Every text in a value without what no JSON reader has to take: control characters, halves of characters."""
    match value:
        case str():
            return printable_text(value)
        case dict():
            return {key: _clean(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item) for item in value]
        case date():
            return value.isoformat()
    return value


def _index(atlas: Atlas, site: SiteIdentity) -> Json:
    lists = {name: f"{API}{name}.json" for name in ("topics", "generations", "days", "notes")}
    return {
        "site": {
            "name": site.name,
            "description": site.description,
            "url": site.url or None,
            "day": atlas.today,
            "shown_at": atlas.shown_at or None,
        },
        "counts": {
            "topics": len(atlas.lineages),
            "generations": sum(len(line.there) for line in atlas.lineages),
            "days": len(atlas.days),
            "sessions": sum(len(item.log.entries) for item in atlas.logs.values() if item.deletion is None),
            "notes": sum(item.deletion is None for item in atlas.pages),
            "commits": len(atlas.history.commits),
        },
        "lists": lists,
        "llms": LLMS,
        "feeds": [CHANGES_FEED, GENERATIONS_FEED],
    }


def _topics(atlas: Atlas) -> Json:
    return {"topics": [_topic(atlas, line) for line in atlas.lineages]}


def _all_generations(atlas: Atlas) -> Json:
    made = sorted(_generations(atlas), key=lambda item: item.generation.day, reverse=True)
    listed = (atlas.key(f"listed {item.uri}", item_name(item), partial(_listed, item)) for item in made)
    return {"generations": [json.loads(one) for one in listed]}


def _listed(item: GenerationItem) -> str:
    """Kept, since it takes the text of each generation."""
    return json.dumps(_clean(_generation(item)))


def _days(atlas: Atlas) -> Json:
    return {"days": [_day(atlas, day) for day in reversed(atlas.days)]}


def _generations(atlas: Atlas) -> Iterator[GenerationItem]:
    return (item for line in atlas.lineages for item in line.items)


def _generation_file(item: GenerationItem) -> str:
    return generation_file(item.generation.topic, item.segment)


def _page(uri: str, file: str | None = None) -> Json:
    """Where a thing stands: its page, its Markdown, and its own file of the API."""
    found = {"url": quote_uri(uri), "markdown": quote_uri(markdown_uri(uri))}
    return found if file is None else {**found, "api": quote_uri(file)}


def _deletion(deletion: Deletion | None) -> Json:
    if deletion is None:
        return {"deleted": None}
    renamed = None if deletion.renamed is None else str(deletion.renamed)
    return {"deleted": {"day": deletion.day, "commit": deletion.commit, "renamed": renamed}}


def _topic(atlas: Atlas, line: Lineage) -> Json:
    topic, current = line.topic, line.current
    days = sorted({*topic.dates, *(item.generation.day for item in line.items)})
    return {
        "slug": topic.slug,
        "category": topic.category,
        "description": topic.description,
        "aliases": topic.aliases,
        "status": topic.status.value,
        "consolidation": topic_badge(atlas, topic).grade.value,
        "indexed": topic.entry is not None,
        "first": days[0] if days else None,
        "last": days[-1] if days else None,
        "generations": len(line.there),
        "current": quote_uri(_generation_file(current)) if current else None,
        **_page(topic_uri(topic.slug), topic_file(topic.slug)),
        "feed": quote_uri(topic_feed(topic.slug)),
    }


def _topic_whole(atlas: Atlas, line: Lineage) -> Json:
    missing = [{"number": ref.number, "day": ref.day, "path": str(ref.path)} for ref in line.missing]
    return {
        **_topic(atlas, line),
        "days": [_day_ref(atlas, day) for day in line.topic.dates],
        "generations": [_generation(item) for item in line.items],
        "missing": missing,
    }


def _day_ref(atlas: Atlas, day: date) -> Json:
    return {"day": day, **_page(day_uri(day), day_file(day))} if atlas.has_day(day) else {"day": day}


def _generation(item: GenerationItem) -> Json:
    generation = item.generation
    return {
        "topic": generation.topic,
        "number": generation.number,
        "day": generation.day,
        "title": generation.title,
        "covers": generation.covers,
        "path": str(generation.path),
        "blob": generation.blob.id,
        **_deletion(item.deletion),
        **_page(item.uri, _generation_file(item)),
    }


def _generation_whole(atlas: Atlas, item: GenerationItem) -> Json:
    generation = item.generation
    return {
        **_generation(item),
        "summary": generation.summary,
        "key_points": [_point(atlas, point) for point in generation.key_points],
        "decisions": [_point(atlas, point) for point in generation.decisions],
        "current_status": generation.current_status,
        "sources": [_source(source) for source in generation.sources],
    }


def _point(atlas: Atlas, point: Point) -> Json:
    return {"text": point.text, "line": point.line, "sources": [_support(atlas, ref) for ref in point.sources]}


def _support(atlas: Atlas, ref: SourceRef) -> Json:
    lines = {"first_line": ref.first_line, "last_line": ref.last_line or ref.first_line}
    url = quote_uri(day_uri(ref.day)) if atlas.has_day(ref.day) else None
    return {"day": ref.day, "note": ref.label, **lines, "url": url}


def _source(source: Source) -> Json:
    return {"label": source.label, "text": source.text, "day": source.day, "generation": source.generation}


def _day(atlas: Atlas, day: date) -> Json:
    row = day_row(atlas, day)
    return {
        "day": day,
        "headline": row.headline,
        "notes": row.notes,
        "sessions": row.sessions,
        "topics": [topic.title for topic in row.topics],
        **_page(day_uri(day), day_file(day)),
    }


def _day_whole(atlas: Atlas, day: date, before: date | None, after: date | None) -> Json:
    near = {"previous": before, "following": after}
    return {
        **_day(atlas, day),
        "notes": [
            {
                "title": item.note.title,
                "label": item.note.label,
                "path": str(item.note.path),
                "blob": item.note.blob.id,
                "archived": list(dict.fromkeys(mark.target for mark in item.note.markers if mark.target)),
                **_deletion(item.deletion),
            }
            for item in atlas.notes.get(day, ())
        ],
        "sessions": _sessions(atlas, day),
        "generations": [_generation(item) for item in atlas.generations_on.get(day, ())],
        "commits": [_commit(atlas, commit) for commit in atlas.commits.get(day, ())],
        **{name: day_file(near_day) if near_day else None for name, near_day in near.items()},
    }


def _sessions(atlas: Atlas, day: date) -> Json | None:
    if day not in atlas.logs:
        return None
    item = atlas.logs[day]
    entries = [
        {
            "time": f"{entry.time:%H:%M}",
            "topic": entry.topic,
            "user_messages": entry.user_messages if entry.has_messages else None,
            "assistant_messages": entry.assistant_messages if entry.has_messages else None,
            "tokens": entry.tokens if entry.has_tokens else None,
            "agent": entry.agent,
            "project": entry.project,
            "session": entry.session_id,
        }
        for entry in item.log.entries
    ]
    place = {"path": str(item.log.path), "blob": item.log.blob.id, **_deletion(item.deletion)}
    return {**place, **_page(session_day_uri(day)), "entries": entries}


def _commit(atlas: Atlas, commit: Commit) -> Json:
    at = commit.at.astimezone(atlas.zone)
    return {
        "id": commit.id,
        "kind": commit_kind(commit.subject),
        "subject": commit.subject,
        "author": commit.author,
        "at": at.isoformat(timespec="seconds"),
        "url": quote_uri(f"{history_day_uri(at.date())}#{commit.id}"),
    }


def _notes(atlas: Atlas) -> Json:
    notes = [
        {
            "title": item.note.title,
            "path": str(item.note.path),
            "blob": item.note.blob.id,
            **_deletion(item.deletion),
            **_page(item.uri),
        }
        for item in atlas.pages
    ]
    return {"notes": notes}
