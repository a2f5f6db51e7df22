"""How many secrets of how many kinds are found, and how often ordinary notes are taken for one."""

from __future__ import annotations

import os
import sys
from collections import Counter

import pytest

from memsite.safety.secrets import redact, scan
from tests.realistic_notes import notes
from tests.secret_kinds import KINDS, plant

COUNT = 402
SIZE = 10_000_000 if os.environ.get("MEMSITE_TEST_LONG") else 1_000_000


@pytest.mark.parametrize("engine", ["with the engine", "without it"])
def test_most_secrets_of_every_kind_are_found(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "without it":
        monkeypatch.setitem(sys.modules, "betterleaks", None)
    assert len(KINDS) >= 40
    made, found = Counter[str](), Counter[str]()
    for one in plant(31, COUNT):
        left = redact(f"# Note\n\n{one.text}\n").text
        made[one.kind.name] += 1
        found[one.kind.name] += not any(part in left for part in one.parts)
    for name, count in made.items():
        print(f"{name:<24}{found[name]:>3} of {count}")
    assert found.total() >= 0.95 * made.total()


def test_ordinary_notes_are_not_refused() -> None:
    refused = [
        (finding.rule, note.split("\n")[finding.line - 1])
        for note in notes(32, SIZE)
        for finding in scan(note)
        if finding.certain
    ]
    assert len(refused) <= 1, refused
