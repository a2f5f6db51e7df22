"""Texts that are wanted again at the end of a build, kept out of the way: of thousands of pages they take much room."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, MutableMapping
from functools import cached_property
from weakref import finalize


class Spool(MutableMapping[str, bytes]):
    """Texts by name, in a file without one. Forks may read what is there when they begin, and add nothing."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, int]] = {}
        """Of each text: where it begins, how many bytes it has."""
        self._end = 0

    @cached_property
    def _file(self) -> int:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
        finalize(self, os.close, descriptor)
        return descriptor

    def __getitem__(self, name: str) -> bytes:
        start, length = self._places[name]
        return os.pread(self._file, length, start)

    def __setitem__(self, name: str, text: bytes) -> None:
        rest, at = memoryview(text), self._end
        while rest:
            written = os.pwrite(self._file, rest, at)
            rest, at = rest[written:], at + written
        self._places[name] = self._end, len(text)
        self._end = at

    def __delitem__(self, name: str) -> None:
        del self._places[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
