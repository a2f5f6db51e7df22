"""The doctor: what only the whole of a memory shows, and how bad it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from memsite.config import Config
from memsite.memory.doctor import examine
from memsite.memory.lineage import load_memory
from memsite.memory.model import Problem
from memsite.memory.snapshot import make_snapshot

CONFIG = Config()
TODAY = date(2025, 4, 10)
NAME = "personal-blog-gen1-2025-03-25.md"
INDEX = f"""# Memory Index

## Projects
- **personal-blog**
  - Dates: [2025-03-20, 2025-03-22]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/{NAME}
  - Current: consolidated/{NAME}
"""
GENERATION = """# Personal Blog - Generation 1 Consolidation

**Covers**: 2025-03-20 to 2025-03-22

## Summary
A blog.

## Key Points
- The blog is bilingual. [2025-03-20#L3]

## Decisions Made
- It uses Next.js. [2025-03-22#L3]

## Current Status
Begun.

## Source References
- 2025-03-20: it begins
- 2025-03-22: Next.js
"""
MARKER = f"<!-- ARCHIVED: consolidated into consolidated/{NAME} -->\n"
FILES = {
    "memory/INDEX.md": INDEX,
    f"memory/consolidated/{NAME}": GENERATION,
    "memory/2025-03-20.md": f"# 2025-03-20\n\nA bilingual blog begins.\n{MARKER}",
    "memory/2025-03-22.md": f"# 2025-03-22\n\nNext.js it is. 决定使用 Next.js。\n{MARKER}",
}


def lineage(*sources: str) -> dict[str, str | bytes]:
    """Generations 2 and on of the blog by the lines of their sources."""
    names = [f"personal-blog-gen{number}-2025-03-{24 + number}.md" for number in range(1, len(sources) + 2)]
    listed = "".join(f"    - gen{at} (2025-03-{24 + at}): consolidated/{name}\n" for at, name in enumerate(names, 1))
    index = INDEX.partition("    - gen1")[0] + listed + f"  - Current: consolidated/{names[-1]}\n"
    made = {
        f"memory/consolidated/{name}": GENERATION.replace("Generation 1", f"Generation {at}") + lines
        for at, (name, lines) in enumerate(zip(names[1:], sources, strict=True), 2)
    }
    return {"memory/INDEX.md": index, **made}


def found(
    files: Mapping[str, str | bytes] | None = None, known: dict[str, set[int]] | None = None, today: date = TODAY
) -> tuple[Problem, ...]:
    return examine(load_memory(make_snapshot({**FILES, **(files or {})}), CONFIG), today, CONFIG, known)


def generation(old: str, new: str) -> dict[str, str | bytes]:
    return {f"memory/consolidated/{NAME}": GENERATION.replace(old, new)}


def test_a_memory_in_order_has_no_problem() -> None:
    assert found() == ()


def test_a_marker_without_its_generation_is_an_error() -> None:
    files = {"memory/2025-03-20.md": FILES["memory/2025-03-20.md"].replace("gen1", "gen9")}
    (problem,) = found(files)
    assert (str(problem.path), problem.line, problem.warning) == ("memory/2025-03-20.md", 4, False)
    assert "does not exist" in problem.message


def test_a_marker_that_names_none_is_a_warning() -> None:
    (problem,) = found({"memory/2025-03-21.md": "x\n<!-- ARCHIVED: somewhere -->\n"})
    assert problem.warning
    assert "names no generation" in problem.message


def test_a_gap_in_the_numbers() -> None:
    third = {f"memory/consolidated/{NAME.replace('gen1', 'gen4')}": GENERATION}
    (problem,) = found(third)
    assert problem.message.startswith("generation 2, 3 of personal-blog is nowhere")
    assert found(third, {"personal-blog": {2, 3}}) == ()


def test_a_date_without_a_note() -> None:
    files = {"memory/INDEX.md": INDEX.replace("2025-03-22]", "2025-03-22, 2025-03-24, 2025-04-10]")}
    (problem,) = found(files)
    assert problem.message == "personal-blog has dates without a note: 2025-03-24"
    assert (problem.line, problem.warning) == (4, True)
    assert found({**files, "memory/sessions/2025-03-24.md": "### 10:00\n- **Topic:** x\n"}) == ()
    assert len(found(files, today=date(2025, 4, 11))) == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[2025-03-20#L3]", "[2025-03-21]", "cites a day without a note, 2025-03-21"),
        ("[2025-03-20#L3]", "[2025-03-20#L30]", "cites lines that the note does not have"),
        ("The blog is bilingual.", "Elephants never forget.", "the lines that it cites say nothing of it"),
        ("The blog is bilingual. [2025-03-20#L3]", "Elephants never forget.", "no source says it"),
    ],
)
def test_a_point_that_no_source_supports_is_a_warning(old: str, new: str, said: str) -> None:
    (problem,) = found(generation(old, new))
    assert problem.message.startswith(said)
    assert (problem.line, problem.warning) == (9, True)


@pytest.mark.parametrize(
    "text",
    ["A blog in two languages begins.", "Bilingualism begins here. [2025-03-20#L3]", "双语博客。 [2025-03-20#L3]"],
)
def test_a_point_in_other_words_or_another_script_is_none(text: str) -> None:
    assert found(generation("The blog is bilingual. [2025-03-20#L3]", text)) == ()


def test_only_the_newest_generation_is_read_for_its_points() -> None:
    second = NAME.replace("gen1-2025-03-25", "gen2-2025-03-26")
    files = {**generation("The blog is bilingual.", "Elephants."), f"memory/consolidated/{second}": GENERATION}
    assert found(files) == ()


def test_a_generation_that_is_not_whole_is_named_with_what_it_lacks() -> None:
    (problem,) = found(generation("## Current Status\nBegun.\n", ""))
    assert (problem.message, problem.warning) == (
        "is no whole generation: there is no '## Current Status'",
        True,
    )
    (problem, *_) = found({f"memory/consolidated/{NAME}": ""})
    assert "'## Summary', '## Key Points', '## Decisions Made', '## Current Status', **Covers**" in problem.message


@pytest.mark.parametrize(
    "written", ["2025-03-22 to 2025-03-20", "2025-03-20 to 2025-02-30", "2025-03-20 to 2099-01-01"]
)
def test_covers_that_cannot_be_are_named(written: str) -> None:
    text = GENERATION.replace("2025-03-20 to 2025-03-22", written)
    (problem,) = found({f"memory/consolidated/{NAME}": text})
    assert problem.message.startswith("**Covers** does not count: ")
    assert problem.line == 3


def test_a_generation_of_a_day_to_come_is_named() -> None:
    late = NAME.replace("2025-03-25", "2099-01-01")
    index = INDEX.replace(NAME, late).replace("(2025-03-25)", "(2099-01-01)")
    files = {path: text for path, text in FILES.items() if NAME not in path} | {"memory/INDEX.md": index}
    files |= {f"memory/consolidated/{late}": GENERATION.replace("2025-03-22\n\n## S", "2099-01-01\n\n## S")}
    memory = load_memory(make_snapshot({path: text.replace(MARKER, "") for path, text in files.items()}), CONFIG)
    (problem,) = examine(memory, TODAY, CONFIG)
    assert problem.message == "**Covers** does not count: 2099-01-01 is still to come"


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("[2025-03-20-standup#L1]", ""),
        ("[2025-03-20-standup]", ""),
        ("[2025-03-20#L1]", "the lines that it cites say nothing of it"),
        ("[2025-03-20-standup#L9]", "cites lines that the note does not have, 2025-03-20-standup"),
        ("[2025-03-20-retro#L1]", "cites a note that is not there, 2025-03-20-retro"),
    ],
)
def test_a_point_may_cite_another_note_of_the_day(ref: str, said: str) -> None:
    files = generation("The blog is bilingual. [2025-03-20#L3]", f"Grace draws the logo. {ref}")
    problems = found({**files, "memory/2025-03-20-standup.md": "Grace will draw a logo.\n"})
    assert [one.message.partition(": ")[0] for one in problems] == ([said] if said else [])


def test_notes_of_days_that_are_still_to_come_are_named() -> None:
    late = {f"memory/{day}.md": "A word.\n" for day in ("2025-04-10", "2025-04-11", "2035-04-01", "2035-04-01-1500")}
    problems = found(late)
    assert [(one.path.name, one.message, one.warning) for one in problems] == [
        (f"{name}.md", "is the note of a day that is still to come", True) for name in ("2035-04-01-1500", "2035-04-01")
    ]


def test_dates_that_are_still_to_come_are_named() -> None:
    late = INDEX.replace("2025-03-22]", "2025-03-22, 2025-04-11, 2099-01-01]")
    (problem,) = found({"memory/INDEX.md": late})
    assert (problem.line, problem.warning) == (4, True)
    assert problem.message == "personal-blog has dates that are still to come: 2099-01-01"


def test_a_generation_that_was_made_beside_another_is_named() -> None:
    (one,) = found(lineage("- gen1: before\n", "- gen1: before\n"))
    assert one.warning
    assert one.path.name == "personal-blog-gen3-2025-03-27.md"
    assert "gen2 of personal-blog was made beside it" in one.message
    assert "memsite consolidate personal-blog" in one.hint


@pytest.mark.parametrize(
    "sources",
    [
        ("- gen1: before\n", "- gen2: before\n"),
        ("- gen1: before\n", "- gen1: before\n- gen2: and\n"),
        ("", ""),
        ("- gen1: before\n", ""),
        ("- gen1: a\n", "- gen1: a\n", "- gen2: b\n- gen3: c\n"),
        ("- gen9: of nowhere\n", "- gen3: itself\n- gen2: before\n"),
    ],
)
def test_a_generation_that_builds_on_all_before_it_is_not_named(sources: tuple[str, ...]) -> None:
    assert "beside" not in " ".join(one.message for one in found(lineage(*sources)))
