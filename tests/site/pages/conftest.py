"""Sources made from plain texts: a folder as a dict, commits as dicts of what each changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

import html5lib
import pytest

from memsite.config import Config
from memsite.memory.cutting import cut_file, cut_text
from memsite.memory.lineage import load_memory
from memsite.memory.snapshot import Blob, blob_id, make_snapshot
from memsite.repo.history import Commit, FileChange, History
from memsite.site.catalog import all_pages
from memsite.site.spec import Content, PageSpec, SiteSource

TODAY = date(2025, 4, 5)


@dataclass(frozen=True)
class MadeCommit:
    """A commit to be: what it writes (None: deletes), when, with which message."""

    files: Mapping[str, str | None]
    at: datetime = datetime(2025, 3, 20, 9, 30, tzinfo=UTC)
    subject: str = "note: 2025-03-20"
    body: str = ""


@dataclass
class SourceMaker:
    """Builds a SiteSource. The folder is what `files` says; without it, what the commits left."""

    blobs: dict[str, bytes] = field(default_factory=dict)

    def __call__(
        self,
        files: Mapping[str, bytes | str] | None = None,
        commits: Sequence[MadeCommit] = (),
        *,
        today: date = TODAY,
        config: Config | None = None,
        shallow: bool = False,
    ) -> SiteSource:
        config = config or Config()
        left, history = self._history(commits)
        snapshot = make_snapshot(left if files is None else files)
        whole = {blob.id: blob.data for blob in snapshot.files.values()}
        cut = {path: cut_file(path, blob, config) for path, blob in snapshot.files.items()}
        memory = load_memory(replace(snapshot, files=cut), config)
        history = replace(history, shallow=shallow)
        return SiteSource(memory, history, config, today, self._read, whole=lambda name: whole[name])

    def _history(self, commits: Sequence[MadeCommit]) -> tuple[dict[str, str], History]:
        tree: dict[str, str] = {}
        made: list[Commit] = []
        for number, commit in enumerate(commits, start=1):
            changes = tuple(self._change(tree, path, text) for path, text in sorted(commit.files.items()))
            name = f"{number:040x}"
            made.append(Commit(name, (), "Ada", commit.at, commit.subject, commit.body, changes))
        return tree, History(tuple(reversed(made)))

    def _change(self, tree: dict[str, str], path: str, text: str | None) -> FileChange:
        old = self._store(tree.pop(path)) if path in tree else None
        if text is not None:
            tree[path] = text
        new = None if text is None else self._store(text)
        status = "D" if new is None else "A" if old is None else "M"
        return FileChange(PurePosixPath(path), status, old, new)

    def _store(self, text: str) -> str:
        name = blob_id(text.encode())
        self.blobs[name] = text.encode()
        return name

    def _read(self, ids: Iterable[str]) -> Mapping[str, Blob]:
        return {name: cut_text(Blob(name, self.blobs[name])) for name in ids}


@pytest.fixture
def make_source() -> SourceMaker:
    """See SourceMaker."""
    return SourceMaker()


@pytest.fixture
def commit() -> type[MadeCommit]:
    """See MadeCommit."""
    return MadeCommit


@pytest.fixture
def pages_of() -> Callable[[SiteSource], dict[str, PageSpec]]:
    """The pages of a source by address."""
    return _pages_of


@pytest.fixture
def render() -> Callable[[SiteSource, str], Content]:
    """One page's article, checked to be well-formed and complete."""

    def article(source: SiteSource, uri: str) -> Content:
        content = _pages_of(source)[uri].content()
        assert "could not be made" not in content.html, content.html
        _check_html(content)
        return content

    return article


@pytest.fixture
def check_html() -> Callable[[Content], None]:
    """Well-formed, nothing inline that the policy forbids, every id once, every announced anchor there."""
    return _check_html


def _pages_of(source: SiteSource) -> dict[str, PageSpec]:
    return {page.uri: page for page in all_pages(source)}


def _check_html(content: Content) -> None:
    parser = html5lib.HTMLParser(strict=False, namespaceHTMLElements=False)
    tree = parser.parseFragment(content.html)
    assert parser.errors == []
    elements = list(tree.iter())
    ids = [element.get("id") for element in elements if element.get("id")]
    assert sorted(ids) == sorted(set(ids))
    assert {heading.anchor for heading in content.headings} <= content.anchors <= set(ids)
    names = {name for element in elements for name in element.attrib if isinstance(name, str)}
    assert not {name for name in names if name == "style" or name.startswith("on")}
    assert not {"script", "style", "iframe", "object"} & {str(element.tag) for element in elements}
