"""Values whose text is read when somebody asks what it says.

Most builds and commands look into few of a memory's thousands of files; who and where they are, their names say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T", bound="Later")


class Later:
    """A frozen value that may have been made by `read_later`."""

    __slots__ = ("_read",)

    if not TYPE_CHECKING:  # for a type checker the fields are all that there is

        def __getattr__(self, name: str) -> Any:
            """A field that is still empty, with all others that are."""
            if name.startswith("_"):
                raise AttributeError(name)
            for field, value in self._read().items():
                object.__setattr__(self, field, value)
            return object.__getattribute__(self, name)


def read_later(kind: type[T], known: Mapping[str, object], read: Callable[[], Mapping[str, object]]) -> T:
    """A value of a frozen dataclass with slots: its fields are `known`, and all others those that `read` returns."""
    made = object.__new__(kind)
    for field, value in known.items():
        object.__setattr__(made, field, value)
    object.__setattr__(made, "_read", read)
    return made
