"""The search of 5,000 pages of 2 KB: time and size of the index, and what a first query transfers, in node.

python bench/search.py [PAGES]
python bench/search.py --years    # 30 queries on a memory of three years: the right page's place, bytes of each
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.memories.lexicon import Writer, load_lexicon
from memsite.site.search.documents import SearchDocument
from memsite.site.search.index import assemble, script_path
from memsite.site.search.pieces import index_document
from tests.finding import QUERIES as QUERIES_OF_YEARS
from tests.finding import make_years

ROOT = Path(__file__).parents[1]
PAGES, SIZE = 5_000, 2_000
LIMIT = 300_000
"""Bytes that a first query may transfer, uncompressed, the program included."""
ASSETS = ROOT / "memsite" / "site" / "assets"
PROGRAM = ("search.js", "search-text.js", "search-engine.js")
QUERIES = (
    "the memory of", "to the of and in", "the blog is hosted on", "nightly job", "t", "kitchen floor", '"of the"',
    "的", "之后", "今天讨论了部署方案", "の", "プログラミング", "한", "회의록을 작성", "blog 部署", "2025",
)  # fmt: skip


def main() -> None:
    """Print the figures."""
    if sys.argv[1:] == ["--years"]:
        _print_years()
        return
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    documents = list(make_documents(pages))
    start = time.perf_counter()
    pieces = {document.uri: index_document(document) for document in documents}
    middle = time.perf_counter()
    files = assemble(pieces).files
    end = time.perf_counter()
    size = sum(map(len, files.values()))
    print(f"index of {pages} pages: {middle - start:.1f} s to read them, {end - middle:.1f} s to assemble; "
          f"{len(files)} files, {size / 1e6:.1f} MB")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        _print_transfers(Path(folder))


def make_documents(pages: int) -> Iterator[SearchDocument]:
    """Days in all languages of `bench.memories`."""
    writer = Writer(Random("search"), load_lexicon())
    for number in range(pages):
        day = date(2013, 1, 1) + timedelta(days=number)
        lines: list[str] = []
        while sum(len(line.encode()) for line in lines) < SIZE:
            lines.append(writer.paragraph(writer.random.choice(writer.lexicon.subjects), 120))
        yield SearchDocument(f"daily/{day}/", str(day), "day", day, "\n".join(lines))


def _ask(site: Path, queries: Sequence[str]) -> Iterator[tuple[str, dict[str, Any], int, int]]:
    """Each query with its answer and what it transfers when it is the first: as the files lie there, and as hosts send
    them (gzip).
    """
    command = ["node", str(ROOT / "tests" / "site" / "search" / "lookup.cjs"), str(ASSETS), str(site)]
    asked = json.dumps({"queries": queries, "cold": True})
    told = json.loads(subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout)
    for query, answer in zip(queries, told["answers"], strict=True):
        files = [*(ASSETS / name for name in PROGRAM), *(site / script_path(name) for name, _ in answer["loaded"])]
        sent = [file.read_bytes() for file in files]
        yield query, answer, sum(map(len, sent)), sum(len(gzip.compress(one)) for one in sent)


def _print_years() -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = make_years(Path(folder) / "memory", whole=True)
        build = (sys.executable, "-m", "memsite", "build", "--no-commit")
        subprocess.run(build, cwd=made.workspace, check=True, stdout=subprocess.DEVNULL)
        places, sizes = [], []
        wanted = dict(QUERIES_OF_YEARS)
        for query, answer, size, _ in _ask(made.site, list(wanted)):
            best = answer["best"]
            places.append(best.index(wanted[query]) + 1 if wanted[query] in best else 99)
            sizes.append(size)
            print(f"{query!r}: place {places[-1]} of {answer['count']}, {size / 1000:.0f} KB")
    near = sum(place <= 3 for place in places)
    print(f"three years, {len(places)} queries: {near} among the first three, {places.count(1)} the first")
    print(f"a first query there: median {median(sizes) / 1000:.0f} KB, most {max(sizes) / 1000:.0f} KB")


def _print_transfers(site: Path) -> None:
    for query, answer, size, sent in _ask(site, QUERIES):
        over = "" if size <= LIMIT else f"  OVER THE LIMIT of {LIMIT // 1000} KB"
        told = f"{size / 1000:.0f} KB ({sent / 1000:.0f} KB with gzip), {answer['count']} pages{over}"
        print(f"first query {query!r}: {told}")


if __name__ == "__main__":
    main()
