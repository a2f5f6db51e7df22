"""Commits as pages show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from itertools import groupby

from memsite.memory.lineage import MARKDOWN
from memsite.repo.history import Commit, FileChange
from memsite.site.links import history_day_uri
from memsite.site.pages.addresses import printable
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.views import Change, CommitView, Link
from memsite.values import dataclass

KINDS = ("consolidate", "session", "note", "index", "flush", "init", "import", "merge", "purge")
"""Prefixes of messages that say what a commit is; everything else is an edit."""
GROUPS = {"session": "sessions", "consolidate": "consolidations", "note": "notes", "index": "index"}
"""Kinds that a history can be narrowed down to, as it calls them."""
OTHER = "other"
_PREFIX = re.compile(r"(?P<kind>[a-z]+)(?:\((?P<scope>[^)]*)\))?!?:\s")
BURST = 3
"""From so many commits of one kind in a row, a list shows one line for them."""
MOST_LISTED = 50
"""Of a burst in a list of the latest; its day's page has them all."""


@dataclass(frozen=True, slots=True)
class Group:
    """What a history can be narrowed down to: a kind of commits, or all the others."""

    name: str
    """A kind, or OTHER."""
    title: str


@dataclass(frozen=True, slots=True)
class Burst:
    """Commits of one kind that follow each other."""

    kind: str
    commits: tuple[CommitView, ...]
    unlisted: int = 0
    """Older ones of them that are only counted."""

    @property
    def count(self) -> int:
        """All of them."""
        return len(self.commits) + self.unlisted

    @property
    def lines(self) -> int:
        """What a list shows of them before it is unfolded."""
        return 1 if self.folded else len(self.commits)

    @property
    def group(self) -> str:
        """What a list can be narrowed down to."""
        return group_name(self.kind)

    @property
    def folded(self) -> bool:
        """Whether one line stands for all."""
        return len(self.commits) >= BURST


@dataclass(frozen=True, slots=True)
class DayOfCommits:
    """A day's commits, newest first."""

    day: date
    link: Link
    bursts: tuple[Burst, ...]


def commit_kind(subject: str) -> str:
    """What a commit is, from its message: one of KINDS, or `edit`."""
    match = _PREFIX.match(subject)
    if match and match["kind"] in KINDS:
        return match["kind"]
    return "merge" if subject.startswith("Merge ") else "edit"


def group_name(kind: str) -> str:
    """The group that a kind belongs to."""
    return kind if kind in GROUPS else OTHER


def groups_of(kinds: Iterable[str]) -> tuple[Group, ...]:
    """The groups that commits of these kinds fall into."""
    found = {group_name(kind) for kind in kinds}
    return tuple(Group(name, title) for name, title in {**GROUPS, OTHER: "other"}.items() if name in found)


def commit_title(subject: str) -> str:
    """What a subject says besides its kind: `blog: gen2` of `consolidate(blog): gen2`."""
    match = _PREFIX.match(subject)
    if not match or match["kind"] not in KINDS:
        return subject
    rest = subject[match.end() :].strip()
    return f"{match['scope']}: {rest}" if match["scope"] else rest or subject


def commit_view(atlas: Atlas, commit: Commit) -> CommitView:
    """A commit with its files, those that have a page linked."""
    return atlas.once(("commit", commit.id), partial(_commit_view, atlas, commit))


def _commit_view(atlas: Atlas, commit: Commit) -> CommitView:
    at = commit.at.astimezone(atlas.zone)
    changes = sorted(commit.changes, key=lambda change: str(change.path))
    return CommitView(
        commit.id,
        commit_kind(commit.subject),
        printable(commit.subject) or "(no message)",
        printable(commit_title(commit.subject)) or "(no message)",
        "\n".join(printable(line) for line in commit.body.strip().splitlines()),
        printable(commit.author),
        at.date(),
        f"{at:%H:%M}",
        at.isoformat(timespec="minutes"),
        tuple(_change(atlas, commit, change) for change in changes),
        Link(commit.id[:7], history_day_uri(at.date()), commit.id),
    )


def commit_days(atlas: Atlas, commits: Iterable[Commit]) -> tuple[DayOfCommits, ...]:
    """Commits (newest first) by day, with bursts."""
    views = [commit_view(atlas, commit) for commit in commits]
    return tuple(
        DayOfCommits(day, Link(day.isoformat(), history_day_uri(day)), bursts(group))
        for day, group in groupby(views, key=lambda view: view.day)
    )


def latest_commit_days(atlas: Atlas, commits: Iterable[Commit], lines: int) -> tuple[DayOfCommits, ...]:
    """The days and bursts of commits (newest first) until they fill so many lines; a burst is counted in full."""
    days = []
    views = (commit_view(atlas, commit) for commit in commits)
    for day, group in groupby(views, key=lambda view: view.day):
        shown = []
        for burst in _iter_bursts(group):
            shown.append(Burst(burst.kind, burst.commits[:MOST_LISTED], len(burst.commits[MOST_LISTED:])))
            lines -= burst.lines
            if lines <= 0:
                break
        days.append(DayOfCommits(day, Link(day.isoformat(), history_day_uri(day)), tuple(shown)))
        if lines <= 0:
            break
    return tuple(days)


def bursts(commits: Iterable[CommitView]) -> tuple[Burst, ...]:
    """Commits grouped where one kind follows itself."""
    return tuple(_iter_bursts(commits))


def _iter_bursts(commits: Iterable[CommitView]) -> Iterator[Burst]:
    for kind, group in groupby(commits, key=lambda view: view.kind):
        yield Burst(kind, tuple(group))


def _change(atlas: Atlas, commit: Commit, change: FileChange) -> Change:
    verb = "added" if change.old_blob is None else "removed" if change.new_blob is None else "changed"
    before, after = atlas.renamed_from(commit, change.path), atlas.renamed_to(commit, change.path)
    old_blob = before.old_blob if before else change.old_blob
    uri = atlas.uri_of(change.path)
    name = printable(change.path)
    comparable = change.path.suffix.lower() in MARKDOWN and old_blob and change.new_blob
    blobs = (old_blob or "", change.new_blob or "") if comparable and old_blob != change.new_blob else ("", "")
    if before or after:
        verb = "renamed"
    name_before, name_after = (printable(one) if one else "" for one in (before and before.path, after))
    return Change(name, verb, Link(name, uri) if uri is not None else None, blobs, name_before, name_after)
