"""Regular expressions that are compiled when they are first needed: `log` loads a hundred and needs a few of them.

A pattern may say what each of its matches has in it: a text that has none of these cannot match, and compiles nothing.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr

_USED = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "groups")


class _Late:
    """A pattern that has its methods from the first text on that may match."""

    def __init__(self, source: Any, flags: int, needs: tuple[Any, ...]) -> None:
        self._source, self._flags, self._needs = source, flags, needs

    def __getattr__(self, name: str) -> Any:
        if name == "pattern":
            return self._source
        if name not in _USED:
            raise AttributeError(name)
        return getattr(self._compile(), name)

    def search(self, text: Any, *place: int) -> Any:
        """As re.Pattern's; so are the others."""
        return self._compile().search(text, *place) if self._may_match(text) else None

    def match(self, text: Any, *place: int) -> Any:
        return self._compile().match(text, *place) if self._may_match(text) else None

    def fullmatch(self, text: Any, *place: int) -> Any:
        return self._compile().fullmatch(text, *place) if self._may_match(text) else None

    def finditer(self, text: Any, *place: int) -> Any:
        return self._compile().finditer(text, *place) if self._may_match(text) else iter(())

    def findall(self, text: Any, *place: int) -> Any:
        return self._compile().findall(text, *place) if self._may_match(text) else []

    def sub(self, new: Any, text: Any, count: int = 0) -> Any:
        return self._compile().sub(new, text, count) if self._may_match(text) else text

    def _may_match(self, text: Any) -> bool:
        return not self._needs or any(needed in text for needed in self._needs)

    def _compile(self) -> re.Pattern[Any]:
        compiled: re.Pattern[Any] = re.compile(self._source, self._flags)
        for used in _USED:
            self.__dict__[used] = getattr(compiled, used)
        return compiled


def late(source: AnyStr, flags: int = 0, *, needs: tuple[AnyStr, ...] = ()) -> re.Pattern[AnyStr]:
    """What `re.compile` makes of it, as soon as it is used on a text that has one of `needs`, which every match has."""
    made: re.Pattern[AnyStr] = _Late(source, flags, needs)  # type: ignore[assignment]
    return made
