"""A transcript that is one JSON document: its messages one by one, while it passes by in pieces of any size.

A list of messages, or an object that has such a list under `messages` (OpenClaw's `agent_end`), may be as large as a
transcript of lines; so it is cut at the commas of that list and only one element is held at a time.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator

from memsite.capture.lines import MAX_LINE_BYTES
from memsite.patterns import late

_STRUCTURE = late(rb'["\[\]{},]')
_IN_STRING = late(rb"(?:[^\"\\]++|\\.)*+", re.DOTALL)
_LIST_KEY = late(rb'"messages"\s*:\s*\Z')
_LIST_DEPTH = 2
"""`{"messages": [` or `{"event": {"messages": [`: a list any deeper is somebody's data."""
_LONGEST_KEY = 200
_MAX_SHELL_BYTES = 1024 * 1024


class Document:
    """Cuts one document. `elements` may be used once; `shell` is complete after its last element."""

    def __init__(self) -> None:
        self.shell = bytearray()
        """The document with its list emptied: `{"messages": [], "success": true}`."""
        self.found_list = False
        self._element = bytearray()
        self._depth = 0
        self._list_depth = 0
        self._in_string = False
        self._too_long = False

    def elements(self, pieces: Iterable[bytes | None]) -> Iterator[bytes | None]:
        """The bytes of each element of the list; None for one longer than a line may be."""
        rest = b""
        for piece in pieces:
            data = rest + (piece or b"")
            end = yield from self._scan(data)
            rest = data[end:]  # at most a backslash, whose other half is in the next piece
        if self._element.strip() or self._too_long:
            yield self._take()

    def _scan(self, data: bytes) -> Generator[bytes | None, None, int]:
        """Consume `data`; the return value is the offset of what must wait for the next piece."""
        at = 0
        while at < len(data):
            if self._in_string:
                end = self._end_of_string(data, at)
                if end == at:
                    return at
                self._keep(data[at:end])
                at = end
            else:
                token = _STRUCTURE.search(data, at)
                end = token.start() if token else len(data)
                self._keep(data[at:end])
                at = end + 1
                if token:
                    yield from self._step(token[0])
        return len(data)

    def _end_of_string(self, data: bytes, at: int) -> int:
        match = _IN_STRING.match(data, at)
        end = match.end() if match else at
        if data[end : end + 1] == b'"':
            self._in_string = False
            end += 1
        return end

    def _step(self, token: bytes) -> Iterator[bytes | None]:
        """Follow one structural character; an element ends at a comma or at the end of the list."""
        inside = self._list_depth > 0
        if inside and self._depth == self._list_depth and token in b",]":
            if self._element.strip() or self._too_long:
                yield self._take()
            self._element.clear()
            if token == b",":
                return
            self._list_depth = 0
        elif not inside and token == b"[" and self._opens_list():
            self._list_depth = self._depth + 1
            self.found_list = True
            self.shell += b"["
            self._depth += 1
            return
        self._in_string = token == b'"'
        self._depth += (token in b"[{") - (token in b"]}")
        self._keep(token)

    def _opens_list(self) -> bool:
        if self.found_list:
            return False
        return self._depth == 0 or (
            self._depth <= _LIST_DEPTH and bool(_LIST_KEY.search(bytes(self.shell[-_LONGEST_KEY:])))
        )

    def _keep(self, data: bytes) -> None:
        kept, most = (self._element, MAX_LINE_BYTES) if self._list_depth else (self.shell, _MAX_SHELL_BYTES)
        if len(kept) + len(data) <= most:
            kept += data
        elif self._list_depth:
            self._too_long = True

    def _take(self) -> bytes | None:
        element = None if self._too_long else bytes(self._element)
        self._element.clear()
        self._too_long = False
        return element
