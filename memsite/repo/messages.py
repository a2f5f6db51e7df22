"""Secrets that are in no file: in messages of commits and tags, in who made them, in names of refs."""

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
REF = PurePosixPath("(name of a branch or tag)")
TAG = PurePosixPath("(tag)")


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
    command = [
        "log",
        "--no-walk=unsorted",
        "--encoding=UTF-8",
        "-z",
        "--format=%H%x01%an <%ae>%n%cn <%ce>%x01%B",
        "--stdin",
    ]
    answer = run_git(command, cwd=repository.root, stdin="".join(f"{one}\n" for one in commits).encode())
    for record in answer.decode("utf-8", "replace").split("\0"):
        commit, _, words = record.lstrip("\n").partition("\x01")
        makers, _, message = words.partition("\x01")
        who = "\n".join(dict.fromkeys(makers.split("\n")))  # the author and the committer, mostly one person
        for place, one in find_in_message(who, message, allows):
            yield commit, place, one


def find_in_refs(
    repository: Repository, refs: Sequence[tuple[str, str]], allows: Allows | None
) -> Iterator[tuple[str, PurePosixPath, Finding]]:
    """What was found in names of refs and in the tag objects that they are at; `refs` are names and ids."""
    for name, tip in refs:
        yield from ((tip, REF, one) for one in redact_words(name, allows).findings)
        for tag, text in _tags(repository, tip):
            yield from ((tag, TAG, one) for one in redact_words(text, allows).findings)


def _tags(repository: Repository, tip: str) -> Iterator[tuple[str, str]]:
    """The tag objects from an id on, each a tag of the next: id and text. None for what is no tag, or is not there."""
    while run_git(["cat-file", "-t", tip], cwd=repository.root, accept=(0, 1, 128)).strip() == b"tag":
        text = run_git(["cat-file", "tag", tip], cwd=repository.root).decode("utf-8", "replace")
        yield tip, text
        tip = text.partition("\n")[0].removeprefix("object ")
