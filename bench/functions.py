"""The functions that most of a build and of `log` goes into, each beside the least that could stand in its place.

    python bench/functions.py [pytest options]

The notes are those of a generated memory of 60 days. In each group the fastest is 1.0, so that the figure in brackets
behind the others says how many times as long they take.
"""

from __future__ import annotations

import difflib
import sys
from datetime import date
from html import unescape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from markdown_it import MarkdownIt

from bench.memories import make_memory
from memsite.memory.daily import parse_daily_note
from memsite.memory.index import read_index_once
from memsite.memory.snapshot import Blob, blob_id
from memsite.prose.blame import blame_lineage
from memsite.prose.blocks import split_blocks
from memsite.prose.diff import diff_texts
from memsite.safety.html import clean_html
from memsite.safety.secrets import scan
from memsite.site.markdown import render_markdown
from memsite.site.search.documents import SearchDocument, plain_text
from memsite.site.search.pieces import index_document

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

DAYS = 60
FOLDER = PurePosixPath("memory")


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a generated memory."""
    return make_memory(tmp_path_factory.mktemp("bench") / "memory", days=DAYS).root / FOLDER


@pytest.fixture(scope="session")
def notes(memory: Path) -> list[str]:
    """The texts of its daily notes."""
    return [path.read_text(encoding="utf-8") for path in sorted(memory.glob("20*.md"))]


@pytest.fixture(scope="session")
def lineage(memory: Path) -> list[str]:
    """The generations of the topic that has the most of them."""
    paths = sorted((memory / "consolidated").glob("*.md"))
    topics = [path.name.rpartition("-gen")[0] for path in paths]
    most = max(sorted(set(topics)), key=topics.count)
    return [path.read_text(encoding="utf-8") for path, topic in zip(paths, topics, strict=True) if topic == most]


@pytest.fixture(scope="session")
def pages(notes: list[str]) -> list[str]:
    """The notes as HTML."""
    return [render_markdown(note, resolve=_stays).html for note in notes]


def _stays(href: str) -> str:
    return href


@pytest.mark.benchmark(group="Markdown")
def test_markdown_it_alone(benchmark: BenchmarkFixture, notes: list[str]) -> None:
    parser = MarkdownIt("commonmark")
    assert benchmark(lambda: [parser.render(note) for note in notes])


@pytest.mark.benchmark(group="Markdown")
def test_render_markdown(benchmark: BenchmarkFixture, notes: list[str]) -> None:
    assert benchmark(lambda: [render_markdown(note, resolve=_stays, line_anchors=True) for note in notes])


@pytest.mark.benchmark(group="Markdown")
def test_clean_html(benchmark: BenchmarkFixture, pages: list[str]) -> None:
    assert benchmark(lambda: [clean_html(page) for page in pages])


@pytest.mark.benchmark(group="comparing two generations")
def test_difflib_by_lines(benchmark: BenchmarkFixture, lineage: list[str]) -> None:
    old, new = (text.splitlines() for text in lineage[-2:])
    assert benchmark(lambda: list(difflib.unified_diff(old, new)))


@pytest.mark.benchmark(group="comparing two generations")
def test_diff_texts(benchmark: BenchmarkFixture, lineage: list[str]) -> None:
    assert benchmark(diff_texts, *lineage[-2:]).blocks


@pytest.mark.benchmark(group="reading blocks")
def test_split_lines_of_text(benchmark: BenchmarkFixture, notes: list[str]) -> None:
    assert benchmark(lambda: [note.splitlines() for note in notes])


@pytest.mark.benchmark(group="reading blocks")
def test_split_blocks(benchmark: BenchmarkFixture, notes: list[str]) -> None:
    assert benchmark(lambda: [split_blocks(note) for note in notes])


@pytest.mark.benchmark(group="blame of a lineage")
def test_blame_lineage(benchmark: BenchmarkFixture, lineage: list[str]) -> None:
    numbered = list(enumerate(lineage, start=1))
    assert benchmark(blame_lineage, numbered)


@pytest.mark.benchmark(group="search")
def test_unescape_and_split(benchmark: BenchmarkFixture, pages: list[str]) -> None:
    assert benchmark(lambda: [unescape(page).split() for page in pages])


@pytest.mark.benchmark(group="search")
def test_plain_text(benchmark: BenchmarkFixture, pages: list[str]) -> None:
    assert benchmark(lambda: [plain_text(page) for page in pages])


@pytest.mark.benchmark(group="search")
def test_index_document(benchmark: BenchmarkFixture, pages: list[str]) -> None:
    documents = [SearchDocument("daily/", "A day", "day", date(2025, 3, 20), plain_text(page)) for page in pages]
    assert benchmark(lambda: [index_document(document) for document in documents])


@pytest.mark.benchmark(group="looking for secrets")
def test_scan_of_a_session(benchmark: BenchmarkFixture, notes: list[str]) -> None:
    assert benchmark(scan, notes[-1]) == ()


@pytest.mark.benchmark(group="formats")
def test_read_index(benchmark: BenchmarkFixture, memory: Path) -> None:
    data = (memory / "INDEX.md").read_bytes()
    assert benchmark(read_index_once, data, FOLDER / "INDEX.md", FOLDER / "consolidated").entries


@pytest.mark.benchmark(group="formats")
def test_parse_daily_notes(benchmark: BenchmarkFixture, notes: list[str]) -> None:
    blobs = [Blob(blob_id(note.encode()), note.encode()) for note in notes]
    day = date(2025, 3, 20)
    assert benchmark(lambda: [parse_daily_note(FOLDER / "2025-03-20.md", day, "", blob) for blob in blobs])


if __name__ == "__main__":
    columns = "--benchmark-columns=median,iqr,rounds"
    sys.exit(pytest.main([__file__, "-q", "-p", "no:cacheprovider", "--benchmark-only", columns, *sys.argv[1:]]))
