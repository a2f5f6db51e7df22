"""When the status of topics changed, as `memsite index status` wrote it into the history."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from memsite.memory.model import Status
from memsite.site.links import history_day_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.views import Link
from memsite.values import dataclass

_SUBJECT = re.compile(rf"index: (?P<slug>\S+) is (?P<status>{'|'.join(Status)})")


@dataclass(frozen=True, slots=True)
class StatusChange:
    """One change, with the commit that made it."""

    day: date
    status: Status
    link: Link


def status_changes(atlas: Atlas, slug: str) -> tuple[StatusChange, ...]:
    """The changes of a topic, oldest first; what people changed by hand in INDEX.md alone is not among them."""
    return atlas.once(("status changes", ""), lambda: _by_topic(atlas)).get(slug, ())


def _by_topic(atlas: Atlas) -> Mapping[str, tuple[StatusChange, ...]]:
    found: dict[str, tuple[StatusChange, ...]] = {}
    for commit in reversed(atlas.index_commits):
        match = _SUBJECT.fullmatch(commit.subject)
        if match:
            day = atlas.commit_day(commit)
            change = StatusChange(day, Status(match["status"]), Link(commit.id[:7], history_day_uri(day), commit.id))
            found[match["slug"]] = (*found.get(match["slug"], ()), change)
    return found
