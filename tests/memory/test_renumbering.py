"""A generation under another number: its name, its title, its Previous and every line that names it."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from memsite.memory.generation import parse_generation
from memsite.memory.names import GenerationName
from memsite.memory.renumbering import Renumbered, plan_renumbering, renumber_generation, renumber_mentions
from memsite.memory.snapshot import Blob

DAY = date(2025, 3, 25)
ONE = Renumbered(GenerationName("blog", 2, DAY), GenerationName("blog", 3, DAY))
TWO = Renumbered(GenerationName("blog", 3, DAY), GenerationName("blog", 4, DAY))
BOTH = {ONE.old_file: ONE, TWO.old_file: TWO}
DOCUMENT = b"""# Blog - Generation 3 Consolidation

**Created**: 2025-03-25
**Covers**: 2025-03-22 to 2025-03-25
**Previous**: consolidated/blog-gen2-2025-03-25.md

## Summary
Generation 3 of the blog.

## Source References
- gen2: consolidated/blog-gen2-2025-03-25.md
- gen1: it began
- 2025-03-22: 2025-03-22.md
"""


def name(number: int, day: int = 25, topic: str = "blog") -> GenerationName:
    return GenerationName(topic, number, date(2025, 3, day))


def test_only_what_is_taken_and_what_follows_it_gets_a_new_number() -> None:
    assert plan_renumbering([name(2), name(3)], [name(1, 20)], [1]) == ()
    assert plan_renumbering([name(2)], [name(1, 20), name(2, 26)], [1]) == (ONE,)
    assert plan_renumbering([name(3), name(2)], [name(2, 26)], [1]) == (ONE, TWO)
    assert plan_renumbering([name(2)], [name(2, 26), name(3, 27)], [1, 7])[0].new.number == 8


def test_mentions_change_with_their_number_and_nothing_else_does() -> None:
    index = b"""- **blog**
  - Consolidations:
    - gen1 (2025-03-20): consolidated/blog-gen1-2025-03-20.md
    - gen2 (2025-03-25): consolidated/blog-gen2-2025-03-25.md
  - Current: consolidated/blog-gen2-2025-03-25.md
- **my-blog**: gen2 my-blog-gen2-2025-03-25.md
<!-- ARCHIVED: consolidated into consolidated/blog-gen2-2025-03-25.md -->\r
\xff
"""
    assert renumber_mentions(index, {ONE.old_file: ONE}) == (
        index.replace(b"- gen2 (2025-03-25): consolidated/blog-gen2", b"- gen3 (2025-03-25): consolidated/blog-gen3")
        .replace(b"Current: consolidated/blog-gen2", b"Current: consolidated/blog-gen3")
        .replace(b"into consolidated/blog-gen2", b"into consolidated/blog-gen3")
    )


def test_a_chain_of_two_is_renumbered_at_once() -> None:
    made = parse_generation(
        PurePosixPath("memory/consolidated/blog-gen4-2025-03-25.md"),
        Blob("", renumber_generation(DOCUMENT, TWO, BOTH, None)),
    )
    assert made is not None
    assert made.title == "Blog - Generation 4 Consolidation"
    assert made.previous == "consolidated/blog-gen3-2025-03-25.md"
    assert [source.generation for source in made.sources] == [3, 1, None]
    assert made.summary == "Generation 3 of the blog."


def test_previous_is_replaced_or_added() -> None:
    previous = PurePosixPath("consolidated/blog-gen2-2025-03-26.md")
    line = b"**Previous**: consolidated/blog-gen2-2025-03-26.md\n"
    assert line in renumber_generation(DOCUMENT, ONE, {ONE.old_file: ONE}, previous)
    first = DOCUMENT.replace(b"**Previous**: consolidated/blog-gen2-2025-03-25.md\n", b"")
    made = renumber_generation(first, ONE, {ONE.old_file: ONE}, previous)
    assert b"2025-03-25\n" + line + b"\n## Summary" in made
