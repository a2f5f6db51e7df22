"""One text as others may see it. The order matters: what is private goes first, values last, so that none is left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import unquote

from memsite.config import Config
from memsite.memory.lineage import MARKDOWN
from memsite.memory.private_names import PrivateNames
from memsite.repo.blob_findings import BlobFindings
from memsite.repo.messages import redact_words
from memsite.repo.veil_copies import read_text, without
from memsite.repo.veil_private import PrivateParts
from memsite.safety.allowing import Allows, allows
from memsite.safety.contacts import mask_contacts
from memsite.safety.secrets import redact
from memsite.safety.suppression import Suppressor
from memsite.values import dataclass, field

_LINES = re.compile(r"(?P<note>\d{4}-\d\d-\d\d(?:[^\[\]()#\s]*)?)#L(?P<first>\d{1,7})(?:-L?(?P<last>\d{1,7}))?")
_LONGEST = 100_000
"""Lines that a reference may span."""
_Lost = Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class TextVeil:
    """How texts are made fit for others."""

    config: Config
    suppressor: Suppressor
    purged: PrivateNames
    """Files that are gone, which other files may name."""
    findings: BlobFindings | None = None
    """None: values that were purged are all that is taken out."""
    private: PrivateParts | None = None
    lost_lines: _Lost = field(default_factory=dict)
    """By the stem of a day's note: the lines that it loses, so that references name those that are left."""
    allows: Allows | None = None
    """What is let pass wherever it stands."""

    def content(self, blob: str, data: bytes, paths: Iterable[PurePosixPath]) -> tuple[bytes, str]:
        """A file as others see it, and a name for what of it is private; bytes that are no text stay as they are."""
        paths = tuple(paths)
        is_marked = self.private is not None and blob in self.private.hidden
        if not is_marked and not any(is_text(path, data) for path in paths):
            return data, ""
        text = read_text(data)
        shown, hidden = (self.text(text), "") if self.findings is None else self._public(blob, data, text, paths)
        return (data if shown == text else _encoded(shown)), hidden

    def _public(self, blob: str, data: bytes, text: str, paths: tuple[PurePosixPath, ...]) -> tuple[str, str]:
        bare, hidden = self._without_private(blob, text, paths)
        if self.findings is not None and bare == text and b"\0" not in data:
            shown = self.findings.redaction(blob, data, paths[0]).text
        else:
            shown = redact(bare, allows(self.config.allow, paths[0])).text
        return self._masked(shown), hidden

    def text(self, text: str) -> str:
        """A text that is no file: a message, a name, a setting."""
        if self.findings is None:
            return self.suppressor.apply(self.purged.mask(text))
        return self._masked(redact_words(text, self.allows).text)

    def _masked(self, text: str) -> str:
        if self.private is not None:
            text = self.private.copies.mask(self.private.names.mask(text))
        text = self.suppressor.apply(self.purged.mask(text))
        emails, phones = self.config.emails == "mask", self.config.phones == "mask"
        return mask_contacts(text, emails=emails, phones=phones)

    def _without_private(self, blob: str, text: str, paths: tuple[PurePosixPath, ...]) -> tuple[str, str]:
        if self.private is None:
            return text, ""
        places = self.private.places(blob, text, paths)
        parts = [text[start:end] for start, end in places]
        left = without(text, places) if places else text
        if self.lost_lines:
            left = _LINES.sub(self._renumbered, left)
        return left, sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest() if parts else ""

    def _renumbered(self, match: re.Match[str]) -> str:
        """A reference to lines of a note, by the numbers that are left to them; to the note alone if none is left."""
        lost = self.lost_lines.get(unquote(match["note"]).removesuffix(".md"))
        if not lost:
            return match[0]
        first, last = int(match["first"]), int(match["last"] or match["first"])
        kept = [line for line in range(first, min(last, first + _LONGEST) + 1) if line not in lost]
        if not kept:
            return match["note"]
        first, last = (line - sum(one < line for one in lost) for line in (kept[0], kept[-1]))
        return f"{match['note']}#L{first}" + (f"-L{last}" if match["last"] else "")


def is_text(path: PurePosixPath, data: bytes) -> bool:
    """Whether a file is shown, and redacted, as text; a note is, whatever its bytes."""
    if path.suffix.lower() in MARKDOWN:
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
