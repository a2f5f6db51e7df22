"""How much there is to do for a merge grows with the files, not with their square; counted in calls, not in time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from memsite.config import Config
from memsite.memory.merging import merge_memory_file

SMALL = 50
NOTE = "memory/2025-03-20.md"
LOG = "memory/sessions/2025-03-20.md"
INDEX = "memory/INDEX.md"
PROJECTS = "# Memory Index\n\n## Projects\n"
TOPIC = "- **{0}{1}**: [2025-03-20]\n  - Status: active\n"

Sides = tuple[str, str, str]


def both(base: str, form: str, size: int) -> Sides:
    """Two sides that have put lines of a form, `{0}` who and `{1}` how many, behind the base."""
    one, other = (base + "".join(form.format(who, at) for at in range(size)) for who in "ab")
    return base, one, other


def appended(form: str, base: str = "# 2025-03-20\n\nfirst\n") -> Callable[[int], Sides]:
    return lambda size: both(base, form, size)


def prose_against_sections(size: int) -> Sides:
    base, prose, _ = appended("{} text {}\n\n")(size)
    return base, prose, appended("## {} {}\n\n")(size)[2]


def equal_last_lines(size: int) -> Sides:
    """The base ends in lines that are alike, and both sides have changed what is above them."""
    same = "same\n" * (5 * size)
    return f"# x\n\na\nb\n{same}", f"# x\n\nA\nb\n{same}one\n", f"# x\n\na\nB\n{same}other\n"


def dates(size: int) -> Sides:
    base = PROJECTS + "".join(TOPIC.format("t", at) for at in range(size))
    return base, base.replace("03-20]", "03-20, 2025-03-21]"), base.replace("03-20]", "03-20, 2025-03-22]")


def generations(size: int) -> Sides:
    def topic(alias: str, count: int) -> str:
        line = "    - gen{0} (2025-03-20): consolidated/t-gen{0}-2025-03-20.md\n"
        head = f"{PROJECTS}- **t**: [2025-03-20]\n  - Aliases: [{alias}]\n  - Consolidations:\n"
        return head + "".join(line.format(at + 1) for at in range(count))

    return topic("x", 1), topic("x, y", size), topic("x, z", 2 * size)


SHAPES: dict[str, tuple[str, Callable[[int], Sides]]] = {
    "items": (NOTE, appended("- {} {}\n")),
    "paragraphs": (NOTE, appended("{} text {}\n\n")),
    "sections": (NOTE, appended("## {} {}\n\ntext\n\n")),
    "markers": (NOTE, appended("<!-- DAILY_FLUSH: {0}{1} -->\n{0} text {1}\n")),
    "prose against sections": (NOTE, prose_against_sections),
    "equal last lines": (NOTE, equal_last_lines),
    "sessions": (LOG, appended("### 10:30\n<!-- memsite:session id={}{} agent=a -->\n- **Topic:** t\n\n", "# Log\n\n")),
    "topics": (INDEX, appended(TOPIC, PROJECTS)),
    "spaced topics": (INDEX, appended("\n" + TOPIC, PROJECTS)),
    "categories": (INDEX, appended("\n## {0} {1}\n" + TOPIC, "# Memory Index\n")),
    "dates": (INDEX, dates),
    "generations": (INDEX, generations),
}


def work(path: str, sides: Sides) -> int:
    """Calls of one merge: of functions of Python and of C, and each step of a generator."""
    count = 0

    def hear(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    base, ours, theirs = (side.encode() for side in sides)
    before = sys.getprofile()
    sys.setprofile(hear)
    try:
        merged = merge_memory_file(
            PurePosixPath(path),
            base,
            ours,
            theirs,
            merge_text=lambda _, one, other: (one + other, False),
            config=Config(),
        )
    finally:
        sys.setprofile(before)
    assert not merged.conflict
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_as_long_is_about_four_times_the_work(shape: str) -> None:
    path, make = SHAPES[shape]
    little, much = (work(path, make(size)) for size in (SMALL, 4 * SMALL))
    assert much < 4.8 * little
