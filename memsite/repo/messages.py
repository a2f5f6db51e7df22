"""Secrets where a commit is no file: in its message, in the name of its author. No rewritten file takes them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from memsite.repo.gitcmd import run_git
from memsite.repo.workspace import Repository
from memsite.safety.allowing import Allows
from memsite.safety.secrets import Finding, Redaction, redact

MESSAGE = PurePosixPath("(commit message)")
AUTHOR = PurePosixPath("(author)")


@lru_cache(maxsize=50_000)  # the words of a commit are looked at several times, the name of an author with each
def redact_words(text: str, allows: Allows | None) -> Redaction:
    """As `redact`, for texts that are no files."""
    return redact(text, allows)


def find_in_message(author: str, message: str, allows: Allows | None) -> Iterator[tuple[PurePosixPath, Finding]]:
    """What was found in the words of one commit, and in which of them."""
    for place, text in ((MESSAGE, message), (AUTHOR, author)):
        yield from ((place, one) for one in redact_words(text, allows).findings)


def find_in_messages(
    repository: Repository, commits: Sequence[str], allows: Allows | None
) -> Iterator[tuple[str, PurePosixPath, Finding]]:
    """The same of several commits, by their ids."""
    if not commits:
        return
    command = ["log", "--no-walk=unsorted", "--encoding=UTF-8", "-z", "--format=%H%x01%an%x01%B", "--stdin"]
    answer = run_git(command, cwd=repository.root, stdin="".join(f"{one}\n" for one in commits).encode())
    for record in answer.decode("utf-8", "replace").split("\0"):
        commit, _, words = record.lstrip("\n").partition("\x01")
        author, _, message = words.partition("\x01")
        for place, one in find_in_message(author, message, allows):
            yield commit, place, one
