"""Building sites of generated memories, beside stock MkDocs Material and Zensical on the same notes, in turn.

    python bench/builds.py [--days 200 1000] [--runs 1] [--zensical PROGRAM]

Each builds in its own folder as it left it, as one does at home, and into an empty one, as CI does.
Stock has the notes as they lie in the folder, only the index in its `nav`, and its search on; Zensical the same without
their front matter, since it ends at the first that is no YAML. The figures that count are the ratios: to stock's clean
build of the same run. CPU seconds stand beside the time on the clock, which says nothing on a machine that does other
things, too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.agent_hook import ENVIRONMENT
from bench.memories import make_memory

BIN = Path(sys.executable).parent
STOCK = "stock, clean"
STOCK_EMPTY = "stock, into an empty folder"
MEMSITE_EMPTY = "memsite, into an empty folder"
CONFIG = """\
site_name: Notes
docs_dir: notes
theme: {name: material, font: false}
plugins: [search]
nav: [{Home: INDEX.md}]
"""
_FRONT_MATTER = re.compile(rb"\A---\r?\n.*?\n---\r?\n", re.DOTALL)
NOW = "2026-07-01T12:{minute:02d}"
"""The day after the generated memory's last."""
ENVIRONMENT = {**ENVIRONMENT, "NO_MKDOCS_2_WARNING": "1"}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one build took."""

    wall: float
    """Seconds on the clock."""
    cpu: float
    """Seconds of all its processes."""
    memory: float
    """Largest resident size of its first process, MB."""


def main() -> None:
    """Print a table for each length."""
    parser = argparse.ArgumentParser(description="Measure builds beside stock MkDocs Material.")
    parser.add_argument("--days", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--zensical", default=shutil.which("zensical"), help="its program, where it is installed")
    given = parser.parse_args()
    for days in given.days:
        with tempfile.TemporaryDirectory() as name:
            _measure(Path(name), days, given.runs, given.zensical)


def _measure(folder: Path, days: int, runs: int, zensical: str | None) -> None:
    made = make_memory(folder / "memory", days=days)
    stock = _make_stock(folder / "stock", made.root)
    costs: dict[str, list[Cost]] = {}
    for run in range(runs):
        for name, prepare, command in _steps(made.root, stock, run, zensical):
            prepare()
            costs.setdefault(name, []).append(_cost(command))
    pages = {STOCK: _pages(stock / "stock" / "site"), "memsite, clean": _pages(made.root / "site")}
    print(f"\n{days} days: {made.files} files, {made.commits} commits; {runs} run(s), load {os.getloadavg()[0]:.1f}\n")
    _print_table(costs)
    for name, site in ((STOCK, stock / "stock" / "site"), ("memsite, clean", made.root / "site")):
        per_page = 1000 * _middle(costs[name]).cpu / pages[name]
        print(f"{name}: {pages[name]} pages, {_size(site):.0f} MB, {per_page:.1f} ms of CPU a page")


Step = tuple[str, Callable[[], object], Sequence[str]]


def _steps(memory: Path, stock: Path, run: int, zensical: str | None) -> list[Step]:
    """What is measured, in its order: the name, what goes before, the command."""
    build = (str(BIN / "memsite"), "-C", str(memory), "build")
    mkdocs = (str(BIN / "mkdocs"), "build", "-q", "-f", str(stock / "stock" / "mkdocs.yml"))
    # Nothing is removed meanwhile: where many files are gone, this machine's file system makes others slowly.
    empty = [str(stock.parent / "empty" / f"{name}-{run}") for name in ("stock", "memsite")]
    steps: list[Step] = [
        (STOCK_EMPTY, lambda: None, (*mkdocs, "-d", empty[0])),
        (MEMSITE_EMPTY, lambda: None, (*build, "--clean", "-d", empty[1])),
        (STOCK, lambda: None, mkdocs),
        ("memsite, clean", lambda: None, (*build, "--clean")),
        ("memsite, nothing changed", lambda: None, build),
        ("memsite, after one log", partial(_log, memory, run), build),
        ("memsite, after one consolidation", partial(_consolidate, memory, run), build),
    ]
    if zensical:
        steps.insert(
            3,
            ("Zensical, clean", lambda: None, (zensical, "build", "-c", "-f", str(stock / "zensical" / "mkdocs.yml"))),
        )
    return steps


def _make_stock(root: Path, memory: Path) -> Path:
    """Two sites of the notes: `stock` and `zensical`."""
    for name in ("stock", "zensical"):
        shutil.copytree(memory / "memory", root / name / "notes")
        (root / name / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
    for note in (root / "zensical").rglob("*.md"):
        note.write_bytes(_FRONT_MATTER.sub(b"", note.read_bytes()))
    return root


def _log(memory: Path, run: int) -> None:
    words = [
        {"role": "user", "content": f"Which test is slow ({run})?"},
        {"role": "assistant", "content": "An answer."},
    ]
    where = ("-C", str(memory), "--now", NOW.format(minute=run))
    argv = [str(BIN / "memsite"), *where, "log", "-", "--format", "messages", "--session", f"bench-{run}"]
    subprocess.run(argv, input=json.dumps(words), text=True, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)


def _consolidate(memory: Path, run: int) -> None:
    """The next generation of the topic that has the most of them for so many runs."""
    topics = [path.name.rpartition("-gen")[0] for path in (memory / "memory" / "consolidated").glob("*.md")]
    ordered = sorted(set(topics), key=lambda topic: (-topics.count(topic), topic))
    where = ("-C", str(memory), "--now", NOW.format(minute=run))
    for topic in ordered[run:]:
        done = subprocess.run(
            [str(BIN / "memsite"), *where, "consolidate", topic, "--auto"],
            check=False,
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if done.returncode == 0:
            return
    raise AssertionError("no topic has anything to consolidate")


def _cost(command: Sequence[str]) -> Cost:
    start = time.perf_counter()
    child = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.stderr.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, said.decode(errors="replace")[-2000:]
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _middle(costs: Sequence[Cost]) -> Cost:
    return Cost(
        median(cost.wall for cost in costs), median(cost.cpu for cost in costs), median(cost.memory for cost in costs)
    )


def _print_table(costs: Mapping[str, Sequence[Cost]]) -> None:
    print("| build | seconds | CPU seconds | of stock's time | of stock's CPU | memory |")
    print("|---|---|---|---|---|---|")
    for name, found in costs.items():
        cost, stock = _middle(found), _middle(costs[STOCK_EMPTY if name in (STOCK_EMPTY, MEMSITE_EMPTY) else STOCK])
        ratios = f"{cost.wall / stock.wall:.3f} | {cost.cpu / stock.cpu:.3f}"
        print(f"| {name} | {cost.wall:.2f} | {cost.cpu:.2f} | {ratios} | {cost.memory:.0f} MB |")
    print()


def _pages(site: Path) -> int:
    return sum(1 for _ in site.rglob("*.html"))


def _size(site: Path) -> float:
    """MB of the files, as they are transferred."""
    return sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    main()
