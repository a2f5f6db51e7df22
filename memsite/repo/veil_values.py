"""The values that must not be shown: secrets that were found anywhere, and what was purged."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePosixPath

from memsite.repo.blob_findings import BlobFindings, binary_text
from memsite.repo.messages import redact_words
from memsite.safety.allowing import Allows
from memsite.safety.purges import PLACEHOLDER, Purge, PurgeFinder, purged_values
from memsite.safety.secret_rules import is_distinct
from memsite.safety.secrets import Finding


class ValueSearch:
    """Looks for values, each with what is shown in its place."""

    def __init__(
        self, findings: BlobFindings, purges: tuple[Purge, ...], *, secrets: bool, allows: Allows | None = None
    ) -> None:
        self._findings = findings
        self._secrets = secrets
        self._allows = allows
        self._finder = PurgeFinder(purges)
        self._list = sha256("\n".join(map(str, purges)).encode()).hexdigest()[:16]

    def has_file(self, path: PurePosixPath) -> bool:
        """Whether a file was purged."""
        return self._finder.has_file(str(path))

    def in_blob(self, blob: str, data: bytes, path: PurePosixPath) -> Iterator[tuple[str, str]]:
        """The values in a file's content, text or not."""
        text = (binary_text(data) if b"\0" in data else data).decode("utf-8", "surrogateescape")
        places = self._findings.places(f"{blob} {self._list}", text, self._finder)
        yield from ((value, PLACEHOLDER) for value in purged_values(text, places))
        if self._secrets:
            yield from _distinct(self._findings.findings(blob, data, path))

    def in_text(self, text: str) -> Iterator[tuple[str, str]]:
        """The values in a message or a path."""
        yield from ((value, PLACEHOLDER) for value in purged_values(text, self._finder.places(text)))
        if self._secrets:
            yield from _distinct(redact_words(text, self._allows).findings)


def _distinct(findings: tuple[Finding, ...]) -> Iterator[tuple[str, str]]:
    """Those that can be taken out wherever they stand. A short or plain one goes only where it was found."""
    return ((one.value, one.placeholder) for one in findings if one.certain and is_distinct(one.value))
