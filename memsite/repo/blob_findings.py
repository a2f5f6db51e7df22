"""What the scanner found in each blob: a blob never changes, so it is looked at once.

Kept in a database below the git directory, one for each set of rules, by blob id: places and rules, never a value, so
that nothing outlives a rewritten history in it. It can be deleted at any time. Several processes may use it at once.
"""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memsite.config import Allowed
from memsite.repo.workspace import Repository
from memsite.safety.allowing import Allows, allows
from memsite.safety.purges import Place, PurgeFinder
from memsite.safety.secret_rules import looks_suspicious
from memsite.safety.secrets import Finding, Passes, Redaction, Span, find_passes, redact, replay, ruleset, value_of

if TYPE_CHECKING:
    from memsite.repo.findings_store import FindingsStore

_RUN = re.compile(rb"[\x20-\x7e]{8,}")
_LARGEST_BINARY = 50 * 1024 * 1024


class BlobFindings:
    """The findings of blobs; a context manager that keeps what is new at its end. Raises nothing of its own."""

    def __init__(
        self, repository: Repository | None, allowed: tuple[Allowed, ...] = (), *, keeps_all: bool = False
    ) -> None:
        self._repository = repository
        self._allowed = allowed
        self._opened: FindingsStore | None = None
        self._keeps_all = keeps_all
        """Whether plain texts are kept, too: worth it for whoever looks at a whole history, not for a hook."""
        self._closed = repository is None
        self._seen: dict[str, str] = {}
        """What was found or read in this run."""
        self._new: dict[str, str] = {}

    def __enter__(self) -> BlobFindings:
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close(self._new)
        self._opened, self._closed = None, True

    def redaction(self, blob: str, data: bytes, path: PurePosixPath | None = None) -> Redaction:
        """What `redact` gives for a text, bytes that are no UTF-8 as surrogate escapes; `path` is its place."""
        text = data.decode("utf-8", "surrogateescape")
        passes = self._passes(blob, text)
        permitted = allows(self._allowed, path)
        if permitted and _any_allowed(text, passes, permitted):
            return redact(text, permitted)
        return replay(text, passes)

    def findings(self, blob: str, data: bytes, path: PurePosixPath | None = None) -> tuple[Finding, ...]:
        """All that was found in a file: in a text by line; in other bytes what is certain in their readable parts."""
        if b"\0" not in data:
            return self.redaction(blob, data, path).findings
        found = self.redaction(f"{blob} binary", binary_text(data), path).findings
        return tuple(one for one in found if one.certain and not one.generic)

    def is_plain(self, blob: str, data: bytes) -> bool:
        """Whether there is nothing in a text that any rule finds, allowed or not."""
        return b"\0" not in data and not any(self._passes(blob, data.decode("utf-8", "surrogateescape")))

    def places(self, blob: str, text: str, finder: PurgeFinder) -> tuple[Place, ...]:
        """Where purged values stand in a text; `blob` names the list with it."""
        kept = self._find(blob)
        places = _parse_places(kept) if kept else None
        if places is None:
            places = finder.places(text)
            self._keep(blob, json.dumps(places, separators=(",", ":")))
        return places

    def recall(self, key: str) -> str | None:
        """What was kept under another key than a blob's."""
        return self._find(key)

    def keep(self, key: str, words: str) -> None:
        """Keep words under another key than a blob's."""
        self._keep(key, words)

    def _passes(self, blob: str, text: str) -> Passes:
        if not self._keeps_all and not looks_suspicious(text):
            return find_passes(text)  # the engine is not asked: quicker than a database
        kept = self._find(blob)
        passes = _parse(kept, len(text)) if kept else None
        if passes is None:
            passes = find_passes(text)
            self._keep(blob, _format(passes))
        return passes

    def _find(self, blob: str) -> str | None:
        if blob in self._seen or self._closed or self._repository is None:
            return self._seen.get(blob)
        if self._opened is None:
            from memsite.repo.findings_store import FindingsStore  # SQLite: only for texts worth it

            self._opened = FindingsStore(self._repository.own_dir, ruleset())
        kept = self._opened.find(blob)
        if kept is not None:
            self._seen[blob] = kept
        return kept

    def _keep(self, blob: str, kept: str) -> None:
        self._seen[blob] = self._new[blob] = kept


def binary_text(data: bytes) -> bytes:
    """What can be read in bytes that are no text, UTF-16 included."""
    data = data[:_LARGEST_BINARY]
    return b"\n".join(dict.fromkeys([*_RUN.findall(data), *_RUN.findall(data.replace(b"\0", b""))]))


def _any_allowed(text: str, passes: Passes, permitted: Allows) -> bool:
    for spans in passes:
        if any(permitted(span.rule, value_of(text, span)) for span in spans):
            return True
        text = replay(text, (spans,)).text
    return False


def _parse_places(kept: str) -> tuple[Place, ...] | None:
    try:
        return tuple((int(number), int(start), int(length)) for number, start, length in json.loads(kept))
    except (ValueError, TypeError):
        return None


def _format(passes: Passes) -> str:
    rows = [
        [[span.start, span.end, span.rule, span.generic + 2 * span.certain + 4 * span.split] for span in spans]
        for spans in passes
    ]
    return json.dumps(rows, separators=(",", ":"))


def _parse(kept: str, length: int) -> Passes | None:
    """The passes as they were written; None for what cannot be."""
    try:
        passes = tuple(
            tuple(
                Span(int(start), int(end), str(rule), bool(flags & 1), bool(flags & 2), bool(flags & 4))
                for start, end, rule, flags in spans
            )
            for spans in json.loads(kept)
        )
    except (ValueError, TypeError):
        return None
    first = passes[0] if passes else ()
    return passes if passes and all(0 <= span.start < span.end <= length for span in first) else None
