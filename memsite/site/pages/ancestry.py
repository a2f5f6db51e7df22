"""A generation as its pages see it: with all that came before it. A later one changes none of them but the last."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from memsite.site.pages.fact_values import item_name
from memsite.site.pages.lookups import GenerationItem, Lineage
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Ancestry:
    """A generation of a lineage with all before it and the one after it."""

    items: tuple[GenerationItem, ...]
    position: int
    """Of the generation among them."""
    name: str
    """Changes with what any of them is."""

    @property
    def item(self) -> GenerationItem:
        """The generation."""
        return self.items[self.position]

    @property
    def before(self) -> GenerationItem | None:
        """The one before it."""
        return self.items[self.position - 1] if self.position else None

    @property
    def after(self) -> GenerationItem | None:
        """The one after it."""
        return self.items[-1] if self.position + 1 < len(self.items) else None


def ancestries(line: Lineage) -> Iterator[Ancestry]:
    """Of each generation of a lineage, in its order."""
    names = [repr(item_name(item)).encode("utf-8", "backslashreplace") for item in line.items]
    before = blake2b(digest_size=12)
    for position in range(len(names)):
        before.update(names[position])
        own = before.copy()
        own.update(b"".join(names[position + 1 : position + 2]))
        yield Ancestry(line.items[: position + 2], position, f"{position} {own.hexdigest()}")
