"""What is pushed and is no commit of a memory: `git notes`, and refs that are at a file or a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memsite.repo.blob_findings import BlobFindings
from memsite.repo.gitcmd import run_git
from memsite.repo.objects import ObjectReader, object_reader
from memsite.repo.workspace import Repository
from memsite.safety.secrets import Finding

NOTES = "refs/notes/"
_FILE = PurePosixPath("(file)")
_LARGEST = 50 << 20
"""Bytes of a file that is looked into."""


def find_beside(
    repository: Repository, refs: Sequence[tuple[str, str]], known: Iterable[str], findings: BlobFindings
) -> Iterator[tuple[str, PurePosixPath, Finding]]:
    """What is found in files that such refs bring along: the ref, the file's path in it, what was found.

    `refs` are names and ids; what ids in `known` lead to is there already. Raises GitError.
    """
    for name, tip in refs:
        if name.startswith(NOTES) or _is_at_file(repository, tip):
            with object_reader(repository.root) as reader:
                for path, blob, data in _files(repository, reader, tip, known):
                    yield from ((name, path, one) for one in findings.findings(blob, data, path) if one.certain)


def _is_at_file(repository: Repository, tip: str) -> bool:
    """Whether an object, or what a tag is of, is a file or a folder."""
    question = ["rev-parse", "-q", "--verify", f"{tip}^{{}}"]
    peeled = run_git(question, cwd=repository.root, accept=(0, 1, 128)).decode().strip()
    kind = run_git(["cat-file", "-t", peeled], cwd=repository.root, accept=(0, 1, 128)) if peeled else b""
    return kind.strip() in (b"blob", b"tree")


def _files(
    repository: Repository, reader: ObjectReader, tip: str, known: Iterable[str]
) -> Iterator[tuple[PurePosixPath, str, bytes]]:
    asked = "".join(f"{one}\n" for one in (tip, *(f"^{one}" for one in known))).encode()
    listing = run_git(["rev-list", "--objects", "--stdin"], cwd=repository.root, stdin=asked)
    for line in listing.split(b"\n")[:-1]:
        name, _, path = line.partition(b" ")
        found = reader.read(name.decode(), most=_LARGEST)
        if found.kind == "blob":
            yield PurePosixPath(os.fsdecode(path)) if path else _FILE, name.decode(), found.data
