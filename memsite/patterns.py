"""Regular expressions that are compiled when they are first used: `log` loads a hundred and needs a few of them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr

_USED = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "pattern", "groups")


class _Late:
    """A pattern that has its methods from its first use on."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _USED:
            raise AttributeError(name)
        compiled: re.Pattern[Any] = re.compile(self._source, self._flags)
        for used in _USED:
            self.__dict__[used] = getattr(compiled, used)
        return self.__dict__[name]


def late(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` makes of it, as soon as it is used."""
    made: re.Pattern[AnyStr] = _Late(source, flags)  # type: ignore[assignment]
    return made
