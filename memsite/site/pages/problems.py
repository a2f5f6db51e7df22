"""What is wrong in the memory, on the page of the file that it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.model import Problem
from memsite.memory.names import parse_day_name
from memsite.memory.private import Privacy
from memsite.memory.snapshot import Blob
from memsite.site.pages.addresses import printable
from memsite.site.pages.views import Notice

PRIVATE = Notice("private", "Private: on no published site.")
MAX_SHOWN = 20
"""Notices on one page; a file with more wrong lines names their number."""


def day_of_problem(problem: Problem, config: Config) -> date | None:
    """The day on whose page the problem belongs: that of a daily note or session log; else None."""
    if problem.path.parent not in (config.memory, config.memory / "sessions"):
        return None
    named = parse_day_name(problem.path.name)
    return named[0] if named else None


def problem_notices(problems: Iterable[Problem]) -> tuple[Notice, ...]:
    """The problems of one file as notices, by line."""
    found = sorted(problems, key=lambda problem: (problem.line or 0, problem.message))
    shown = tuple(_notice(problem) for problem in found[:MAX_SHOWN])
    rest = len(found) - MAX_SHOWN
    return (*shown, Notice("warning", f"And {rest} more of the kind.")) if rest > 0 else shown


def _notice(problem: Problem) -> Notice:
    place = printable(problem.path) + (f":{problem.line}" if problem.line is not None else "")
    return Notice("warning", f"{place}: {printable(problem.message)}", detail=printable(problem.hint))


def private_notices(privacy: Privacy, path: PurePosixPath) -> Iterator[Notice]:
    """Whether a file is on no published site."""
    if privacy.hides_path(path):
        yield PRIVATE


def blob_notices(blob: Blob) -> Iterator[Notice]:
    """What a reader must know of a file's bytes."""
    if not blob.is_utf8:
        yield Notice("warning", "Bytes of this file that are no text are shown as \ufffd.")
