"""What a publication would have to hide: each secret once, where it first came in: rule, file, line, commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memsite.memory.snapshot import Snapshot
from memsite.repo.blob_findings import BlobFindings
from memsite.repo.history import Commit, History
from memsite.repo.messages import AUTHOR, MESSAGE, find_in_message
from memsite.repo.snapshots import read_blobs
from memsite.repo.veil_text import is_text
from memsite.repo.workspace import Workspace
from memsite.safety.allowing import allows
from memsite.safety.secrets import Finding, redact
from memsite.values import dataclass

_AT_ONCE = 200
"""Commits whose files are in memory together."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """One secret."""

    path: PurePosixPath
    """A file, or MESSAGE or AUTHOR."""
    line: int | None
    """In the file as the commit has it; None for a name and for bytes that are no text."""
    rule: str
    commit: str
    finding: Finding
    in_head: bool
    """Whether the memory as it is still has it."""
    in_name: bool = False
    """Whether it is in the file's name."""
    is_text: bool = True
    """Whether it can be redacted."""


def find_exposures(workspace: Workspace, head: Snapshot, history: History) -> tuple[Exposure, ...]:
    """Every secret of HEAD and its history, oldest commit first."""
    repository = workspace.require_repository()
    with BlobFindings(repository, workspace.config.allow, keeps_all=True) as findings:
        return tuple(_Walk(workspace, findings, head).exposures(history))


class _Walk:
    """One walk from the first commit to the last."""

    def __init__(self, workspace: Workspace, findings: BlobFindings, head: Snapshot) -> None:
        self._workspace = workspace
        self._findings = findings
        self._allows = allows(workspace.config.allow)
        self._seen: set[tuple[PurePosixPath, str, str]] = set()
        self._head = {
            (path, one.value)
            for path, blob in head.files.items()
            for one in findings.findings(blob.id, blob.data, path)
        }
        self._names = frozenset(head.files)

    def exposures(self, history: History) -> Iterator[Exposure]:
        """Each secret of each file where it comes in for the first time."""
        commits = history.commits[::-1]
        for start in range(0, len(commits), _AT_ONCE):
            some = commits[start : start + _AT_ONCE]
            ids = [change.new_blob for commit in some for change in commit.changes if change.new_blob]
            contents = read_blobs(self._workspace, ids)
            for commit in some:
                yield from self._of_commit(commit, contents)

    def _of_commit(self, commit: Commit, contents: Mapping[str, bytes]) -> Iterator[Exposure]:
        for place, one in find_in_message(commit.author, f"{commit.subject}\n\n{commit.body}", self._allows):
            yield from self._new(place, one, commit, in_head=False)
        for change in commit.changes:
            for one in redact(str(change.path), self._allows).findings:
                yield from self._new(change.path, one, commit, in_head=change.path in self._names, in_name=True)
            data = contents.get(change.new_blob or "")
            if change.new_blob is not None and data is not None:
                for one in self._findings.findings(change.new_blob, data, change.path):
                    in_head = (change.path, one.value) in self._head
                    has_lines = is_text(change.path, data) and b"\0" not in data
                    yield from self._new(change.path, one, commit, in_head=in_head, text=has_lines)

    def _new(
        self,
        path: PurePosixPath,
        one: Finding,
        commit: Commit,
        *,
        in_head: bool,
        in_name: bool = False,
        text: bool = True,
    ) -> Iterator[Exposure]:
        key = (path, one.rule, one.value)
        if key not in self._seen:
            self._seen.add(key)
            line = one.line if text and not in_name and path not in (MESSAGE, AUTHOR) else None
            yield Exposure(path, line, one.rule, commit.id, one, in_head, in_name, text)
