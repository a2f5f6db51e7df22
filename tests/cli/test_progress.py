"""How far long work is: a line on a terminal, nothing anywhere else."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memsite.cli.output import Output, Progress
from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site


def test_a_terminal_shows_one_line_that_goes() -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream, Progress(Output(io.StringIO(), stream)) as progress:
        progress.at("reading the memory", 0, 0)
        progress.at("making pages", 3, 7)
    shown = b"".join(_read_all(ours)).decode()
    assert shown == "\r\x1b[Kreading the memory\r\x1b[Kmaking pages: 3 of 7\r\x1b[K"


def _read_all(terminal: int) -> Iterator[bytes]:
    """What was written to a terminal that nobody writes to any more."""
    with suppress(OSError), open(terminal, "rb", buffering=0) as stream:
        yield from iter(lambda: stream.read(1000), b"")


def test_what_is_no_terminal_gets_nothing() -> None:
    stream = io.StringIO()
    with Progress(Output(io.StringIO(), stream), "writing days", 2) as progress:
        progress.step()
    assert stream.getvalue() == ""


def test_a_build_tells_how_many_pages_it_has_made(workspace: Path) -> None:
    told: list[tuple[str, int, int]] = []
    (workspace / "memory" / "2025-03-20.md").write_text("# 2025-03-20\n\nx\n", encoding="utf-8")
    result = build_site(open_workspace(workspace), progress=lambda *step: told.append(step))
    pages = [("making pages", number, result.pages) for number in range(1, result.pages + 1)]
    assert told == [("reading the memory", 0, 0), *pages]
