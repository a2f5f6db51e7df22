"""Who said this: for each sentence of a generation, the generation that it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial

from memsite.prose.blame import trace_words
from memsite.site.links import relative_url
from memsite.site.markdown import SentenceMark, find_sentences
from memsite.site.pages.ancestry import Ancestry
from memsite.site.pages.articles import Article, write_article
from memsite.site.pages.atlas import Atlas, GenerationItem
from memsite.site.pages.views import Document, Link
from memsite.values import dataclass, field

MAX_GENERATIONS = 40
"""How far back sentences are traced."""
MAX_LENGTH = 400_000
"""Characters of all those generations."""
OLDEST_AGE = 4

Part = tuple[int, int]
"""The lines of a document that is part of an article."""
Sentences = tuple[tuple[Part, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """A generation that sentences may have come from."""

    text: str
    """`gen 2`, with its date where there are two of that number; `gen 2 or earlier` for the first one looked at."""
    day: date
    link: Link
    blob: str
    """Its text by name, so that the page's key covers it."""


@dataclass(frozen=True, slots=True)
class OriginCount:
    """How many sentences of the generation that is shown came from another."""

    origin: Origin
    sentences: int
    age: int


@dataclass(frozen=True, slots=True)
class SaidBy:
    """The answer for one article."""

    marks: Mapping[Part, Sequence[SentenceMark]]
    counts: tuple[OriginCount, ...]
    """Newest first; those that brought no sentence are left out."""


@dataclass(frozen=True, slots=True)
class Origins:
    """A generation with its ancestors; who said what is worked out when the page is made."""

    generations: tuple[Origin, ...]
    """Oldest first, the one that is shown last."""
    atlas: Atlas = field(repr=False, compare=False)
    items: tuple[GenerationItem, ...] = field(repr=False, compare=False)
    known: tuple[GenerationItem, ...] = field(repr=False, compare=False)
    """All that the articles of these may lead to."""

    def said_by(self, page: str) -> SaidBy:
        """For the page at address `page`, which its links are relative to."""
        lineage = [article_sentences(self.atlas, self.known, item) for item in self.items]
        found = trace_words([[one for _, sentences in parts for one in sentences] for parts in lineage])
        marks = [self._mark(origin, page) for origin in found]
        at = 0
        parts: dict[Part, Sequence[SentenceMark]] = {}
        for part, sentences in lineage[-1]:
            parts[part] = marks[at : at + len(sentences)]
            at += len(sentences)
        counted = sorted(Counter(found).items(), reverse=True)
        counts = (OriginCount(self.generations[origin], count, self._age(origin)) for origin, count in counted)
        return SaidBy(parts, tuple(counts))

    def _mark(self, origin: int, page: str) -> SentenceMark:
        generation = self.generations[origin]
        title = f"{generation.link.title}, {generation.day.isoformat()}"
        return SentenceMark(generation.text, relative_url(generation.link.uri, page), title, self._age(origin))

    def _age(self, origin: int) -> int:
        return min(len(self.generations) - 1 - origin, OLDEST_AGE)


def origins_of(atlas: Atlas, ancestry: Ancestry) -> Origins | None:
    """The ancestors of a generation; None for the first, which said everything."""
    position = ancestry.position
    items = tuple(_window(ancestry.items[: position + 1]))
    if len(items) < 2:
        return None
    numbers = Counter(item.generation.number for item in ancestry.items)
    cut = len(items) <= position
    generations = tuple(_origin(item, numbers, cut=cut and not at) for at, item in enumerate(items))
    return Origins(generations, atlas, items, ancestry.items)


def _window(items: Sequence[GenerationItem]) -> Iterator[GenerationItem]:
    """The last of them that are looked at: a lineage of ten years is not read for each of its pages."""
    first, length = len(items), 0
    while first and len(items) - first < MAX_GENERATIONS:
        blob = items[first - 1].generation.blob
        length += len(blob.text)
        if blob.cut or length > MAX_LENGTH:
            break
        first -= 1
    yield from items[first:]


def _origin(item: GenerationItem, numbers: Mapping[int, int], *, cut: bool) -> Origin:
    generation = item.generation
    date_too = f" ({generation.day.isoformat()})" if numbers[generation.number] > 1 else ""
    text = f"gen {generation.number}{date_too}" + (" or earlier" if cut else "")
    link = Link(f"Generation {generation.number}{' or an earlier one' if cut else ''}", item.uri)
    return Origin(text, generation.day, link, generation.blob.id)


def article_sentences(atlas: Atlas, known: Sequence[GenerationItem], item: GenerationItem) -> Sentences:
    """The sentences of an article by the documents that they stand in; headings and source references have none."""
    key = ("sentences", str(item.generation.path))
    return atlas.once(key, partial(_article_sentences, atlas, known, item))


def _article_sentences(atlas: Atlas, known: Sequence[GenerationItem], item: GenerationItem) -> Sentences:
    documents = _documents(write_article(atlas, known, item))
    return tuple((document.part, find_sentences(document.text, dict(document.cited))) for document in documents)


def _documents(article: Article) -> Iterator[Document]:
    for section in article.sections:
        for run in section.runs:
            if section.labelled:
                continue
            if run.text:
                yield run.text
            yield from (point.body for point in run.points)
