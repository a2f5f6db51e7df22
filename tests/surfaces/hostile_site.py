"""The site of a hostile memory, built as a user builds it, once for all tests and all processes of a run."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.corpora import naughty_strings
from tests.limits import LONG, drawn_seed
from tests.made_once import made_once
from tests.surfaces.hostile_memory import HostileMemory, write_hostile_memory
from tests.surfaces.payloads import generated_payloads, payloads

SAMPLE = 400
"""Payloads of the corpora that a short run takes; a long run takes all."""
GENERATED = 300


@dataclass(frozen=True)
class HostileSite:
    """What was built."""

    memory: HostileMemory
    seed: int
    """Of what was generated and chosen: MEMSITE_TEST_SEED gives it again."""
    said: str
    """What the build wrote to standard error."""

    @property
    def folder(self) -> Path:
        """The built site."""
        return self.memory.root / "site"

    def pages(self, pattern: str = "**/*.html") -> list[Path]:
        """The pages that a pattern names."""
        found = [path for path in sorted(self.folder.glob(pattern)) if path.is_file()]
        assert found, pattern
        return found


def make_hostile_site(shared: Path, environment: Mapping[str, str]) -> HostileSite:
    """The site in the folder `shared`, which another process may have made there, or may be making."""
    seed = drawn_seed()
    made = made_once(shared, lambda: json.dumps(_make(shared / "workspace", seed, environment)))
    seed, said, chosen, naughty = json.loads(made)
    return HostileSite(HostileMemory(shared / "workspace", tuple(chosen), naughty), seed, said)


def _make(root: Path, seed: int, environment: Mapping[str, str]) -> tuple[int, str, tuple[str, ...], Mapping[str, str]]:
    chosen = payloads()
    if not LONG:
        chosen = random.Random(seed).sample(chosen, SAMPLE)
    chosen += generated_payloads(GENERATED, seed)
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], env=environment, check=True)
    memory = write_hostile_memory(root, chosen, naughty_strings())
    subprocess.run(["git", "reset", "-q"], cwd=root, env=environment, check=True)
    command = [sys.executable, "-W", "error", "-m", "memsite", "-C", str(root), "build", "--no-commit"]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        pytest.fail(f"seed {seed}: {done.stderr}")
    return seed, done.stderr, memory.payloads, memory.naughty
