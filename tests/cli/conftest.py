"""Runs the program as its users do, in this process: arguments in, exit code, standard output and error out."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from memsite.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a run left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def memsite(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, workspace: Path) -> Run:
    """`memsite("note", "x", now="2025-03-20")` in the workspace (or `cwd`); a SystemExit becomes its code."""

    def run(*arguments: str, cwd: Path = workspace, now: str = "2025-03-20T10:00", stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capfd.readouterr()
        argv = ["-C", str(cwd), *(["--now", now] if now else []), *arguments]
        try:
            code = main(argv)
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 1
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return run
