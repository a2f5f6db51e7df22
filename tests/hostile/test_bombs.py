"""Bombs in a memory: the build ends within its bounds, each costs its own page, and the rest of the site is complete.

How long they take is measured by `bench/bombs.py`.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from pathlib import Path

from tests.hostile.bombs import MORE, NINE, PLACES, SOUND_PAGES, write_memory
from tests.limits import LONG, run_memsite

MEGABYTES = 500
"""Of memory for a build."""


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def build(root: Path, site: Path) -> str:
    cost = run_memsite("-C", str(root), "build", "--no-commit", "-d", str(site))
    assert cost.megabytes < MEGABYTES
    for uri, word in SOUND_PAGES.items():
        assert word in (site / uri).read_text(encoding="utf-8"), uri
    assert any("ferries" in path.read_text(encoding="utf-8") for path in site.rglob("d-*.js"))
    return cost.errors


def test_the_memory_of_a_program_is_not_that_of_the_tests_that_start_it() -> None:
    ours = bytearray(MEGABYTES * 1_000_000)
    assert run_memsite("--version").megabytes < 100 < len(ours)


def test_nine_bombs_cost_their_own_pages(tmp_path: Path) -> None:
    write_memory(tmp_path / "memory", {f"memory/bomb-{slug(name)}.md": make() for name, make in NINE.items()})
    said = build(tmp_path / "memory", tmp_path / "site")
    assert "could not be made" not in said
    assert "was stopped" not in said, "the budgets end them before the clock does"
    for name, make in NINE.items():
        page = tmp_path / "site" / "notes" / f"bomb-{slug(name)}"
        html = (page / "index.html").read_text(encoding="utf-8")
        if "memsite-plain-note" in html:
            assert re.search(r"too (?:long|complex) to be rendered", html), name
            whole = re.search(r'<a href="([^"]+)">The whole text</a>', html)
            assert whole, name
            assert (page / whole[1]).read_text(encoding="utf-8") == make(), name
    plain = {name for name in NINE if "memsite-plain-note" in _page(tmp_path, f"notes/bomb-{slug(name)}")}
    assert plain >= set(NINE) - {"YAML bomb", "regular expressions", "deep lists"}


def _page(folder: Path, uri: str) -> str:
    return (folder / "site" / uri / "index.html").read_text(encoding="utf-8")


def test_bombs_of_any_kind_in_any_place(tmp_path: Path) -> None:
    """Each by itself in every place in a long run; in a short one, one in each place, all of them at once."""
    if LONG:
        memories = [{path: make()} for path in PLACES.values() for make in (*NINE.values(), *MORE.values())]
    else:
        chosen = random.Random(os.getpid()).sample(list(MORE), len(PLACES))
        memories = [{path: MORE[name]() for path, name in zip(PLACES.values(), chosen, strict=True)}]
    for files in memories:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        write_memory(root, files)
        said = build(root, root / "site")
        assert "could not be made" not in said, [(path, text[:80]) for path, text in files.items()]
        shutil.rmtree(root)


def test_a_pattern_that_goes_back_for_ever_does_not(tmp_path: Path) -> None:
    write_memory(
        tmp_path, {"memsite.toml": 'timezone = "UTC"\nignore_patterns = ["(a+)+$", "(a|aa)+$", "(.*a){25}"]\n'}
    )
    transcript = tmp_path / "t.json"
    transcript.write_text('[{"role": "user", "content": "' + "a" * 200_000 + '!"}]', encoding="utf-8")
    run_memsite("-C", str(tmp_path), "--now", "2025-03-23T10:00", "tail", "--format", "messages", str(transcript))
