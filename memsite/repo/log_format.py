"""What `git diff-tree --stdin` says about commits, parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from pathlib import PurePosixPath

from memsite.repo.commits import Commit, FileChange
from memsite.repo.membership import Membership
from memsite.repo.objects import MODULE_MODE
from memsite.repo.workspace import Repository

_FIELDS = ("%H", "%P", "%ad", "%an", "%s", "%b")
DIFF_TREE = (
    "--stdin",
    "-r",
    "-z",
    "--raw",
    "--root",
    "--no-renames",
    "--no-abbrev",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--encoding=UTF-8",
    "--date=raw",
    "--diff-merges=first-parent",
    "--format=" + "%x00".join(_FIELDS),
)
"""Options that make each commit a local matter: nothing in the answer depends on the other commits asked for."""
_RAW = re.compile(rb"\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*")


def parse_commits(listing: bytes, repository: Repository, members: Membership) -> Iterator[Commit]:
    """The commits in an answer to `DIFF_TREE`, with their changes to the memory (none, for a commit of other files)."""
    tokens = listing.split(b"\0")
    at = 0
    while at + len(_FIELDS) <= len(tokens):
        header = tokens[at : at + len(_FIELDS)]
        at += len(_FIELDS)
        changes: list[FileChange] = []
        while at < len(tokens) and (raw := _RAW.fullmatch(tokens[at])):
            change = _change(raw, tokens[at + 1], repository, members)
            changes += [change] if change else []
            at += 2
        yield _commit(header, tuple(sorted(changes, key=lambda change: change.path)))


def _commit(header: list[bytes], changes: tuple[FileChange, ...]) -> Commit:
    name, parents, date, author, subject, body = (field.decode("utf-8", "replace").strip("\n") for field in header)
    return Commit(name, tuple(parents.split()), author, parse_moment(date), subject, body, changes)


def _change(raw: re.Match[bytes], name: bytes, repository: Repository, members: Membership) -> FileChange | None:
    path = _member_path(name, repository, members)
    old_mode, new_mode, old, new, status = (field.decode() for field in raw.groups())
    if path is None or MODULE_MODE in (old_mode, new_mode):
        return None
    return FileChange(path, status, old if old.strip("0") else None, new if new.strip("0") else None)


@lru_cache(maxsize=100_000)
def _member_path(name: bytes, repository: Repository, members: Membership) -> PurePosixPath | None:
    path = repository.from_git(name)
    return path if path is not None and members.has(path) else None


def parse_moment(text: str) -> datetime:
    """`1742464800 +0800` as an aware datetime. A date that no calendar has becomes the beginning of 1970."""
    seconds, _, offset = text.partition(" ")
    try:
        return datetime.fromtimestamp(int(seconds), zone_of(offset))
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


@lru_cache(maxsize=1000)
def zone_of(offset: str) -> timezone:
    """`+0830` as a zone; UTC for what is none."""
    match = re.fullmatch(r"([+-])(\d\d)(\d\d)", offset)
    if not match or int(match[2]) > 23:
        return UTC
    span = timedelta(hours=int(match[2]), minutes=int(match[3]))
    return timezone(-span if match[1] == "-" else span)
