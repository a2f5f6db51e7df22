"""Edits of a JSON file that a person also edits: every byte that is not ours stays, whatever its layout.

Python's parser finds where each value ends; the text itself is cut and joined.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from memsite.config import NUMBER_TOO_LONG
from memsite.errors import FormatError
from memsite.values import dataclass

_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\n([ \t]+)\"")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Item:
    """One member of an object, or one element of an array, and where it stands in the text."""

    start: int
    """Of the key, or of the element."""
    at: int
    """Of the value."""
    end: int
    """Behind the value."""
    value: Any
    key: str = ""


class JsonText:
    """A JSON document as text. Offsets are those of the text as it is: after an edit they are old."""

    def __init__(self, data: bytes, where: object) -> None:
        """Raises FormatError, with the line, for what is no JSON object."""
        self._where = where
        self._bom = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
        try:
            self.text = data.decode("utf-8-sig")
            value = json.loads(self.text)
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise FormatError("is not UTF-8", where=where, line=line, hint="mend it; nothing was changed") from error
        except json.JSONDecodeError as error:
            problem = f"is no JSON: {error.msg}"
            raise FormatError(problem, where=where, line=error.lineno, hint="mend it; nothing was changed") from error
        except ValueError as error:
            problem = f"is no JSON: {NUMBER_TOO_LONG}"
            raise FormatError(problem, where=where, hint="mend it; nothing was changed") from error
        except RecursionError as error:
            raise FormatError("is nested too deeply", where=where, hint="mend it; nothing was changed") from error
        if not isinstance(value, dict):
            raise FormatError("is no JSON object", where=where, line=1, hint="mend it; nothing was changed")

    @property
    def data(self) -> bytes:
        """The document as it is now."""
        return (self._bom + self.text).encode()

    @property
    def root(self) -> int:
        """Where the outermost object begins."""
        return self._skip(0)

    def refuse(self, at: int, problem: str) -> FormatError:
        """The error for a value that does not have the expected form."""
        line = self.text.count("\n", 0, at) + 1
        return FormatError(problem, where=self._where, line=line, hint="mend it; nothing was changed")

    def items(self, at: int) -> Iterator[Item]:
        """The members of the object, or the elements of the array, that begins at `at`."""
        is_object = self.text[at] == "{"
        position = self._skip(at + 1)
        while self.text[position] not in "}]":
            start, key = position, ""
            if is_object:
                key, position = _DECODER.raw_decode(self.text, position)
                position = self._skip(self._skip(position) + 1)
            value, end = _DECODER.raw_decode(self.text, position)
            yield Item(start, position, end, value, key)
            position = self._skip(end)
            if self.text[position] == ",":
                position = self._skip(position + 1)

    def find(self, at: int, key: str) -> Item | None:
        """The member of that name; of two, the last, as every parser takes it."""
        return next((item for item in reversed(list(self.items(at))) if item.key == key), None)

    def replace(self, item: Item, value: Any) -> None:
        """Put another value in the place of one."""
        self.text = self.text[: item.at] + json.dumps(value, ensure_ascii=False) + self.text[item.end :]

    def add(self, at: int, value: Any, key: str = "") -> None:
        """Add a member or an element at the end of the object or array that begins at `at`, laid out as the others."""
        items = list(self.items(at))
        head = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
        inner = self._indent_of(items[-1].start) if items else None
        if items and inner is None:
            text = f", {head}{json.dumps(value, ensure_ascii=False)}"
            self.text = self.text[: items[-1].end] + text + self.text[items[-1].end :]
            return
        outer = self._line_indent(at)
        inner = outer + self._unit if inner is None else inner
        body = head + self._format(value, inner)
        if items:
            self.text = f"{self.text[: items[-1].end]},{self._newline}{inner}{body}{self.text[items[-1].end :]}"
        else:
            close = self._skip(at + 1)
            self.text = f"{self.text[: at + 1]}{self._newline}{inner}{body}{self._newline}{outer}{self.text[close:]}"

    def remove(self, at: int, item: Item) -> None:
        """Take a member or an element out of the object or array that begins at `at`, with its comma."""
        items = list(self.items(at))
        position = items.index(item)
        if position:
            start, end = items[position - 1].end, item.end
        elif len(items) > 1:
            start, end = item.start, items[1].start
        else:
            start, end = at + 1, self._skip(item.end)
        self.text = self.text[:start] + self.text[end:]

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def _unit(self) -> str:
        match = _INDENT.search(self.text)
        return match[1] if match else "  "

    def _indent_of(self, at: int) -> str | None:
        """The white space before what stands first on its line; None when something precedes it there."""
        before = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return before if not before.strip() and "\n" in self.text[:at] else None

    def _line_indent(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip())]

    def _format(self, value: Any, indent: str) -> str:
        text = json.dumps(value, ensure_ascii=False, indent=self._unit)
        return text.replace("\n", self._newline + indent)
