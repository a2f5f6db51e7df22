"""When the status of topics changed: as `memsite index status` wrote it into the history, and by hand the last time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from memsite.config import Config
from memsite.memory.index import parse_index
from memsite.memory.model import Status, Topic
from memsite.memory.snapshot import Blob
from memsite.repo.history import Commit
from memsite.site.links import INDEX_URI, history_day_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.views import Link
from memsite.values import dataclass

PROBES = 8
"""Texts of INDEX.md that are read at once."""
_SUBJECT = re.compile(rf"index: (?P<slug>\S+) is (?P<status>{'|'.join(Status)})")


@dataclass(frozen=True, slots=True)
class StatusChange:
    """One change, with the commit that made it."""

    day: date
    status: Status
    link: Link


def status_changes(atlas: Atlas, topic: Topic) -> tuple[StatusChange, ...]:
    """The changes of a topic, oldest first; of those that people made by hand in INDEX.md the one that still holds."""
    told = atlas.once(("status changes", ""), lambda: _by_topic(atlas)).get(topic.slug, ())
    if not told or topic.entry is None or told[-1].status is topic.status:
        return told
    return (*told, _change_by_hand(atlas, topic, told[-1].link.anchor))


def _change_by_hand(atlas: Atlas, topic: Topic, last: str) -> StatusChange:
    """Since when a topic has the status that no command gave it. `last` is the commit of the last that did."""
    commits = [state.commit for state in atlas.revisions(atlas.config.index_path)]
    since = next((at for at, commit in enumerate(commits) if commit.id == last), len(commits))
    commit = _first_with(atlas, topic, commits[:since][::-1])
    if commit is None:
        return StatusChange(atlas.today, topic.status, Link("INDEX.md", INDEX_URI))
    day = atlas.commit_day(commit)
    return StatusChange(day, topic.status, Link(commit.id[:7], history_day_uri(day), commit.id))


def _first_with(atlas: Atlas, topic: Topic, commits: Sequence[Commit]) -> Commit | None:
    """A commit, of some oldest first, that gave a topic its status: found in a few rounds, not by reading all."""
    start, end = 0, len(commits)
    while start < end:
        step = -(-(end - start) // PROBES)
        places = sorted({*range(start + step - 1, end, step), end - 1})
        statuses = _statuses(atlas, topic.slug, [commits[place] for place in places])
        found = next((at for at, one in enumerate(statuses) if one is topic.status), None)
        if found is None:
            return None
        start, end = places[found - 1] + 1 if found else start, places[found] + 1
        if end - start == 1:
            return commits[start]
    return None


def _statuses(atlas: Atlas, slug: str, commits: Sequence[Commit]) -> list[Status | None]:
    """The status of a topic as each of some commits left INDEX.md; None where it has no such topic."""
    path = atlas.config.index_path
    blobs = [change.new_blob or "" for commit in commits for change in commit.changes if change.path == path]
    texts = atlas.blobs(sorted({blob for blob in blobs if blob}))
    return [_status_in(atlas.config, slug, texts[blob].text) if blob in texts else None for blob in blobs]


def _status_in(config: Config, slug: str, text: str) -> Status | None:
    """The status that a text of INDEX.md gives a topic; its entry is read alone, since such a text may be long."""
    entry = re.search(rf"^[-*+][ \t]+\*\*{re.escape(slug)}\*\*.*(?:\n(?![-*+#]).*)*", text, re.MULTILINE)
    index = parse_index(Blob("", entry[0].encode("utf-8", "replace")), config.index_path, config) if entry else None
    return index.entries[0].status if index and index.entries else None


def _by_topic(atlas: Atlas) -> Mapping[str, tuple[StatusChange, ...]]:
    found: dict[str, tuple[StatusChange, ...]] = {}
    for commit in reversed(atlas.index_commits):
        match = _SUBJECT.fullmatch(commit.subject)
        if match:
            day = atlas.commit_day(commit)
            change = StatusChange(day, Status(match["status"]), Link(commit.id[:7], history_day_uri(day), commit.id))
            found[match["slug"]] = (*found.get(match["slug"], ()), change)
    return found
