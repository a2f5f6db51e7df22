"""Each page's Markdown as a file beside it, and as the script by which the page copies it, from file:// too."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from hashlib import sha256

from memsite.memory.snapshot import Blob
from memsite.site.links import INDEX_URI, day_uri, markdown_uri, raw_uri, relative_url, session_day_uri, topic_uri
from memsite.site.machines.texts import render_text
from memsite.site.pages.atlas import Atlas, Lineage
from memsite.site.spec import PagePart
from memsite.values import dataclass

BETWEEN = "\n\n---\n\n"
"""Between the notes of one day."""


@dataclass(frozen=True, slots=True)
class MarkdownCopy:
    """What a page shows, as Markdown."""

    page: str
    """The page's address."""
    key: tuple[str, ...]
    """What the text is made from."""
    text: Callable[[], str]

    @property
    def version(self) -> str:
        """Changes with the text, so that no old copy of it is read."""
        return sha256(repr(self.key).encode("utf-8", "backslashreplace")).hexdigest()[:12]

    def parts(self) -> Iterator[PagePart]:
        """The file, and the script."""
        yield PagePart(markdown_uri(self.page), self.key, lambda: self.text().encode())
        yield PagePart(f"{markdown_uri(self.page)}.js", self.key, lambda: _script(self.text()))


def _script(text: str) -> bytes:
    return f"memsiteMarkdown.receive({json.dumps(text, ensure_ascii=False)});\n".encode()


def markdown_copies(atlas: Atlas) -> Iterator[MarkdownCopy]:
    """The Markdown of every page that shows files of the memory, and of every topic."""
    index = atlas.index.blob
    if index is not None:
        yield _file(INDEX_URI, index)
    for line in atlas.lineages:
        yield _topic(line)
        yield from (_file(item.uri, item.generation.blob) for item in line.items)
    for day in atlas.days:
        notes = [item.note.blob for item in atlas.notes.get(day, ())]
        yield _files(day_uri(day), notes) if notes else _bare_day(atlas, day)
    yield from (_file(session_day_uri(day), item.log.blob) for day, item in atlas.logs.items())
    yield from (_file(item.uri, item.note.blob) for item in atlas.pages)


def _file(page: str, blob: Blob) -> MarkdownCopy:
    return _files(page, (blob,))


def _files(page: str, blobs: Sequence[Blob]) -> MarkdownCopy:
    """Files as they are: their links mean what they mean in the memory. Of those that are cut, the beginning."""
    return MarkdownCopy(
        page, tuple(blob.id for blob in blobs), lambda: BETWEEN.join(_text(blob, page) for blob in blobs)
    )


def _text(blob: Blob, page: str) -> str:
    if not blob.cut:
        return blob.text
    whole = relative_url(raw_uri(blob.id), markdown_uri(page))
    return f"{blob.text}\n\n[The text goes on: {blob.cut.words}]({whole})\n"


def raw_files(atlas: Atlas) -> Iterator[PagePart]:
    """The whole of every text that its page shows the beginning of."""
    names = dict.fromkeys(blob.id for blob in atlas.last_blobs.values() if blob.cut)
    return (PagePart(raw_uri(name), (name,), partial(atlas.source.whole, name)) for name in names)


def _topic(line: Lineage) -> MarkdownCopy:
    """What INDEX.md says of a topic, its generations, and the text of the current one."""
    topic, page = line.topic, topic_uri(line.topic.slug)
    facts = (topic.category, topic.status.value, topic.dates, topic.aliases, topic.description)
    generations = [(item.uri, item.generation.blob.id, item.deletion) for item in line.items]
    key = (repr(facts), repr(generations), repr(line.missing))
    return MarkdownCopy(page, key, partial(render_text, "topic.md", page=page, line=line))


def _bare_day(atlas: Atlas, day: date) -> MarkdownCopy:
    """A day without a note: what else there is."""
    topics = atlas.topics_on.get(day, ())
    made = tuple(
        (item.generation.topic, item.generation.number, item.uri) for item in atlas.generations_on.get(day, ())
    )
    log = session_day_uri(day) if day in atlas.logs else ""
    page = day_uri(day)
    text = partial(render_text, "day.md", page=page, day=day, topics=topics, generations=made, log=log)
    return MarkdownCopy(page, (repr(topics), repr(made), log), text)
