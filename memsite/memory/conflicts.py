"""Files in which git left a merge unfinished."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from memsite.memory.lines import Kind, Line, split_lines
from memsite.memory.model import Problem

MESSAGE = "an unfinished merge is in it"
HINT = "settle the lines between <<<<<<< and >>>>>>>"
_MARKS = ("<<<<<<< ", "=======", ">>>>>>> ")
_SENTENCE_END = re.compile(r"[.!?。！？…;；:：]['\")\]”’）】]*\s*$")


def conflict_problem(data: bytes, path: PurePosixPath) -> Problem | None:
    """What is wrong with a file that has a complete set of git's conflict markers outside code, with its first line."""
    line = find_conflict(data)
    return None if line is None else Problem(path, line, MESSAGE, HINT)


def find_conflict(data: bytes) -> int | None:
    """The line of git's first complete set of conflict markers outside code; None without one."""
    if b"<<<<<<< " not in data:
        return None
    begun: list[int] = []
    for line in split_lines(data):
        wanted = _MARKS[len(begun)]
        if not line.in_code and (line.text.startswith(wanted) if wanted.endswith(" ") else line.text == wanted):
            begun.append(line.number)
        if len(begun) == len(_MARKS):
            return begun[0]
    return None


def separates_sides(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is `=======` and underlines no heading: what is left of a merge whose other marks were taken out.

    Below a whole sentence that goes on right behind it, it was no underline.
    """
    line = lines[at]
    if line.text.rstrip() != _MARKS[1] or line.kind in {Kind.CODE, Kind.COMMENT, Kind.FRONT_MATTER}:
        return False
    goes_on = at + 1 < len(lines) and lines[at + 1].kind is not Kind.BLANK
    return not line.level or (goes_on and _SENTENCE_END.search(lines[at - 1].text) is not None)
