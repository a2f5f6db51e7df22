"""The lookup of the browser, run in node on files that Python wrote."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

ASSETS = Path(__file__).parents[3] / "memsite" / "site" / "assets"
LOOKUP = Path(__file__).with_name("lookup.cjs")

Ask = Callable[..., Any]


def write_site(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.fixture(scope="session")
def ask() -> Ask:
    """`ask(site, queries=[...])` gives what the browser's code answers; skips where there is no node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("NO NODE: the browser's lookup code is not checked against the index")

    def run(site: Path, **asked: object) -> Any:
        done = subprocess.run(
            [node, str(LOOKUP), str(ASSETS), str(site)],
            input=json.dumps(asked).encode(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run
