"""A generation as the script that the comparison of any two loads: its blocks, read here, compared in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memsite.memory.generation_parts import bare_title, split_references
from memsite.memory.model import Generation
from memsite.memory.source_refs import Citation, format_source_ref
from memsite.prose.diff import MAX_LENGTH, TooLargeError, check_size
from memsite.prose.likeness import block_name
from memsite.site.links import relative_url
from memsite.site.pages.addresses import printable
from memsite.site.pages.differences import shown_structure
from memsite.site.pages.views import SourceLink
from memsite.site.passages import Passage, read_passages

_LONG: Mapping[str, Any] = {"length": MAX_LENGTH + 1, "blocks": []}
"""A text that is compared with none."""
_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs, from undecodable bytes: UTF-8 cannot carry them, an escape in JSON can."""


def generation_script(name: str, generation: Generation, supports: Mapping[Citation, SourceLink], page: str) -> bytes:
    """One call, `memsiteCompare.receive(name, data)`. Links are relative to the page at site URI `page`.

    The data is null where the text cannot be read: one page never stops the others.
    """
    data: dict[str, Any] | None
    try:
        data = _data(generation, supports, page)
    except Exception:  # as for a page's view: whatever it is
        data = None
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packed = _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", packed)
    return f"memsiteCompare.receive({json.dumps(name)},{packed});\n".encode()


def _data(generation: Generation, supports: Mapping[Citation, SourceLink], page: str) -> dict[str, Any]:
    about = {"title": printable(generation.title), "bare": bare_title(generation.title)}
    if generation.blob.cut:
        return about | {"text": _LONG, "references": _LONG}
    text, references = (part_data(part, supports, page) for part in split_references(generation.blob.text))
    return about | {"text": text, "references": references}


def part_data(text: str, supports: Mapping[Citation, SourceLink], page: str) -> Mapping[str, Any]:
    """A text as the browser compares it, in JSON values: its length in characters and its blocks."""
    try:
        check_size(text, "")
    except TooLargeError:
        return _LONG
    passages = read_passages(text, sourced=True)
    return {"length": len(text), "blocks": [dict(_block(passage, supports, page)) for passage in passages]}


def _block(passage: Passage, supports: Mapping[Citation, SourceLink], page: str) -> Iterator[tuple[str, Any]]:
    """What is not said is empty; without `runs`, the text is one run without marks."""
    block = passage.block
    shown, level = shown_structure(block)
    runs = [[run.text, run.marks] for run in passage.line.runs]
    yield "type", block.type.value
    yield "prefix", block.key[1]
    yield "text", block.text
    if runs != ([[block.text, ()]] if block.text else []):
        yield "runs", runs
    yield from _said(
        {
            "name": block_name(block),
            "key": "" if block.key[2] == block.text else block.key[2],
            "shown": shown,
            "level": level,
            "targets": passage.line.targets,
            "refs": [format_source_ref(ref) for ref in passage.refs],
            "sources": [_source(supports[ref], page) for ref in passage.refs if ref in supports],
        }
    )


def _said(values: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return ((name, value) for name, value in values.items() if value)


def _source(source: SourceLink, page: str) -> list[Any]:
    """Its text, where it leads or null, and whether it is missing."""
    link = source.link
    target = None if link is None else f"{link.uri}#{link.anchor}" if link.anchor else link.uri
    return [source.text, None if target is None else relative_url(target, page), source.missing]
