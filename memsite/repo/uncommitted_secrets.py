"""Secrets in files of the memory as they are on disk, which no commit has yet: the time to take them out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memsite.errors import MemsiteError
from memsite.repo.blob_findings import BlobFindings
from memsite.repo.guard import Violation
from memsite.repo.history import head_commit
from memsite.repo.membership import membership
from memsite.repo.snapshots import identify_current, read_entries
from memsite.repo.workspace import Workspace
from memsite.safety.paths import read_below


def find_uncommitted_secrets(workspace: Workspace) -> Iterator[Violation]:
    """What looks like a secret in files that HEAD has otherwise or not at all, as warnings. Raises GitError."""
    repository, config = workspace.require_repository(), workspace.config
    head = read_entries(repository, membership(config), "HEAD") if head_commit(repository) else {}
    with BlobFindings(repository, config.allow) as findings:
        for name, blob in sorted(identify_current(workspace).blobs.items()):
            path = PurePosixPath(name)
            entry = head.get(path)
            if entry is not None and entry.id == blob:
                continue
            try:
                data = read_below(workspace.root, path)
            except (OSError, MemsiteError):
                continue  # its own page says why it cannot be read
            for found in findings.findings(blob, data, path):
                message = f"looks like it has a secret ({found.rule}), and is not committed yet"
                hint = "take it out and rotate it; it is not shown here"
                yield Violation(path, found.line, message, hint, warning=True, secret=True)
