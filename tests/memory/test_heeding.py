"""Two machines consolidate one topic beside one another: the generation after that has what both know."""

from __future__ import annotations

from datetime import date

import pytest

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.briefing import make_brief
from memsite.memory.changeset import Changeset
from memsite.memory.doctor import examine
from memsite.memory.extracting import extract_body
from memsite.memory.heeding import find_unheeded
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory
from memsite.memory.planning import plan_consolidation
from memsite.memory.snapshot import make_snapshot
from tests.conftest import cpu_seconds
from tests.memory.test_planning import apply

CONFIG = Config()
TODAY = date(2025, 3, 24)
NAME = "consolidated/garden-gen{}-2025-03-2{}.md"
MADE = (
    ("roses", "Decided: the garden gets roses. [2025-03-20#L3]", "- 2025-03-20: roses"),
    ("pond", "Decided: the garden gets a pond. [2025-03-21#L3]", "- gen1: roses\n- 2025-03-21: a pond"),
    ("shed", "Decided: the garden gets a shed. [2025-03-22#L3]", "- gen1: roses\n- 2025-03-22: a shed"),
)


def beside() -> dict[str, str | bytes]:
    """Generation 1, made from the 20th; 2 and 3, each made from 1 and a day of its own."""
    files: dict[str, str | bytes] = {}
    for number, (thing, decision, sources) in enumerate(MADE, 1):
        name = NAME.format(number, number)
        files[f"memory/{name}"] = (
            f"# Garden - Generation {number} Consolidation\n\n**Covers**: 2025-03-20 to 2025-03-2{number - 1}\n\n"
            f"## Summary\nThe garden.\n\n## Key Points\n—\n\n## Decisions Made\n- {decision}\n\n"
            f"## Current Status\nBegun.\n\n## Source References\n{sources}\n"
        )
        day = f"2025-03-{19 + number}"
        said = decision.partition(" [")[0]
        files[f"memory/{day}.md"] = f"# {day}\n\n{said}\n<!-- ARCHIVED: consolidated into {name} -->\n"
        assert thing in said
    listed = "".join(f"    - gen{at} (2025-03-2{at}): {NAME.format(at, at)}\n" for at in (1, 2, 3))
    files["memory/INDEX.md"] = (
        "# Memory Index\n\n## Projects\n- **garden**\n  - Dates: [2025-03-20, 2025-03-21, 2025-03-22]\n"
        f"  - Consolidations:\n{listed}  - Current: {NAME.format(3, 3)}\n"
    )
    return files


def memory_of(files: dict[str, str | bytes]) -> Memory:
    return load_memory(make_snapshot(dict(files)), CONFIG)


def consolidated(files: dict[str, str | bytes]) -> Changeset:
    memory = memory_of(files)
    body = extract_body(memory, "garden", TODAY, CONFIG)
    return plan_consolidation(memory, "garden", body, TODAY, CONFIG, known_numbers=())


def unheeded(memory: Memory) -> list[int]:
    topic = memory.topic("garden")
    assert topic is not None
    return [one.number for one in find_unheeded(topic)]


def test_what_was_made_beside_the_newest_generation_is_found_and_named() -> None:
    memory = memory_of(beside())
    assert unheeded(memory) == [2]
    assert any("gen2 of garden was made beside it" in one.message for one in examine(memory, TODAY, CONFIG))


def test_the_next_generation_brings_both_together_without_a_new_note() -> None:
    files = beside()
    after = apply(files, consolidated(files))
    written = after["memory/consolidated/garden-gen4-2025-03-24.md"]
    made = written.decode() if isinstance(written, bytes) else written
    decisions = made.partition("## Decisions Made")[2].partition("## Current Status")[0]
    assert all(decision in decisions for _, decision, _ in MADE[1:])
    assert "- gen2: " in made
    assert "- gen3: " in made
    assert "- 2025-03-21: " in made
    memory = memory_of(after)
    assert unheeded(memory) == []
    with pytest.raises(RefusedError, match="nothing to consolidate"):
        extract_body(memory, "garden", TODAY, CONFIG)


@pytest.mark.parametrize("gone", ["note", "reference"])
def test_what_was_made_beside_comes_in_also_where_its_notes_are_gone(gone: str) -> None:
    files = beside()
    if gone == "note":
        del files["memory/2025-03-21.md"]
    else:
        path = f"memory/{NAME.format(2, 2)}"
        files[path] = str(files[path]).replace("- 2025-03-21: a pond\n", "")
    after = apply(files, consolidated(files))
    written = after["memory/consolidated/garden-gen4-2025-03-24.md"]
    made = written.decode() if isinstance(written, bytes) else written
    assert "the garden gets a pond" in made
    assert "**Covers**: 2025-03-20 to " in made or "**Covers**: 2025-03-22" in made
    assert unheeded(memory_of(after)) == []
    make_brief(memory_of(files), "garden", TODAY, CONFIG, known_numbers=(), measure=len, budget=20_000)


def test_a_number_without_end_takes_no_time() -> None:
    files = beside()
    files["memory/consolidated/garden-gen999999-2025-03-23.md"] = "# Garden\n"
    with cpu_seconds(20):
        assert unheeded(memory_of(files)) == []


def test_a_brief_has_both() -> None:
    brief = make_brief(memory_of(beside()), "garden", TODAY, CONFIG, known_numbers=(), measure=len, budget=20_000)
    assert "It brings together generations 2, 3" in brief.text
    assert "| - Decided: the garden gets a pond." in brief.text
    assert "| - Decided: the garden gets a shed." in brief.text
    assert brief.text.endswith("\n## Notes since\n\n(none: the generations above hold what their notes say)\n")


def test_a_brief_says_what_else_the_notes_since_are() -> None:
    files = beside()
    files["memory/2025-03-22.md"] = str(files["memory/2025-03-22.md"]) + "\n```\nplant the pond\n```\n"
    brief = make_brief(memory_of(files), "garden", TODAY, CONFIG, known_numbers=(), measure=len, budget=20_000)
    assert brief.text.endswith("\n## Notes since\n\n(no sentence: what is new in them is code, tables or quotes)\n")
