"""Operations written down before they happen: what a killed run must finish, and what git could not take yet."""

from __future__ import annotations

import json
import os
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from memsite.memory.changeset import Append, Change, Changeset, Write
from memsite.repo.files import write_atomic
from memsite.repo.objects import TreeEntry
from memsite.repo.workspace import Repository
from memsite.values import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_VERSION = 1
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Moved:
    """How a path of the operation changes in git: what the stage may still have, and what it must have."""

    old: TreeEntry | None
    new: TreeEntry | None


@dataclass(frozen=True, slots=True)
class Operation:
    """What one `transact` was to do. It is delivered exactly once, however often delivering is tried."""

    id: str
    root: str
    """The workspace: another work tree of the repository must not take it."""
    at: datetime
    changesets: tuple[Changeset, ...]
    sizes: Mapping[PurePosixPath, int] | None = None
    """Once begun: how long each file was before; -1 where there was none."""
    commit: str = ""
    """Once begun: what HEAD is to become."""
    stage: Mapping[PurePosixPath, Moved] = field(default_factory=dict)

    def begun(self, sizes: Mapping[PurePosixPath, int], commit: str, stage: Mapping[PurePosixPath, Moved]) -> Operation:
        """The same, about to be written into the work tree. Sizes of an earlier attempt stay."""
        return replace(self, sizes={**sizes, **(self.sizes or {})}, commit=commit, stage=stage)


def new_operation(root: Path, at: datetime, changesets: tuple[Changeset, ...]) -> Operation:
    """An operation with an id of its own."""
    return Operation(os.urandom(8).hex(), str(root), at, changesets)


class Spool:
    """The operations of one workspace that are written down, oldest first."""

    def __init__(self, repository: Repository, root: Path, *, locked: bool = False) -> None:
        self._folder = repository.own_dir / "spool"
        self._root = str(root)
        self._locked = locked
        self._places: dict[str, str] = {}
        """Operation -> its file, of those that this run has begun to write: found again without looking."""
        self._kept: set[str] = set()

    def clean(self) -> None:
        """Remove what a killed run was writing. Only while holding the lock."""
        for name in self._names():
            if name.endswith(f"{_SUFFIX}.new"):
                (self._folder / name).unlink(missing_ok=True)

    def write(self, operation: Operation) -> None:
        """Write one down durably, in the place of its earlier version. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = self._find(operation) or f"{self._next():012d}-{operation.id}{_SUFFIX}"
        temporary = "" if self._locked else f"{name}.{os.getpid()}"
        self._places[operation.id] = name
        write_atomic(self._folder, name, json.dumps(_to_json(operation)).encode(), temporary=temporary)
        self._kept.add(operation.id)

    def touched(self, operation: Operation) -> bool:
        """Whether this run may have left a record of it, whole or not."""
        return operation.id in self._places

    def keeps(self, operation: Operation) -> bool:
        """Whether this run has written it down, and not removed it since."""
        return operation.id in self._kept

    def remove(self, operation: Operation) -> None:
        """Forget one that is in a commit."""
        name = self._find(operation)
        if name:
            (self._folder / name).unlink(missing_ok=True)
        self._kept.discard(operation.id)

    def pending(self) -> tuple[Operation, ...]:
        """All of this workspace, and those of workspaces that are gone (a removed work tree), in their order."""
        return tuple(one for one in self._all() if one.root == self._root or not Path(one.root).is_dir())

    def _all(self) -> Iterator[Operation]:
        for name in self._names():
            if name.endswith(_SUFFIX) and (operation := _read(self._folder / name)):
                yield operation

    def unreadable(self) -> tuple[Path, ...]:
        """Records that this memsite cannot read: they wait, and somebody has to look at them."""
        names = (self._folder / name for name in self._names() if name.endswith(_SUFFIX))
        return tuple(path for path in names if _read(path) is None)

    def _names(self) -> list[str]:
        return sorted(os.listdir(self._folder)) if self._folder.is_dir() else []  # noqa: PTH208 - names alone are faster

    def _find(self, operation: Operation) -> str | None:
        if place := self._places.get(operation.id):
            return place
        return next((name for name in self._names() if name.endswith(f"-{operation.id}{_SUFFIX}")), None)

    def _next(self) -> int:
        return max((int(name[:12]) for name in self._names() if name[:12].isdecimal()), default=0) + 1


def _read(path: Path) -> Operation | None:
    """An operation; None for what another version or another hand wrote: it stays, and stops nothing."""
    try:
        return _from_json(json.loads(path.read_bytes()))
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _to_json(operation: Operation) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "id": operation.id,
        "root": operation.root,
        "at": operation.at.isoformat(),
        "changesets": [
            {"message": one.message, "changes": [_change_to_json(change) for change in one.changes]}
            for one in operation.changesets
        ],
        "sizes": operation.sizes and {str(path): size for path, size in operation.sizes.items()},
        "commit": operation.commit,
        "stage": {
            str(path): [_entry_to_json(one.old), _entry_to_json(one.new)] for path, one in operation.stage.items()
        },
    }


def _from_json(table: Mapping[str, Any]) -> Operation:
    sizes = table["sizes"]
    return Operation(
        table["id"],
        table["root"],
        datetime.fromisoformat(table["at"]),
        tuple(
            Changeset(tuple(_change_from_json(change) for change in one["changes"]), one["message"])
            for one in table["changesets"]
        ),
        None if sizes is None else {PurePosixPath(path): size for path, size in sizes.items()},
        table["commit"],
        {
            PurePosixPath(path): Moved(_entry_from_json(old), _entry_from_json(new))
            for path, (old, new) in table["stage"].items()
        },
    )


def _change_to_json(change: Change) -> dict[str, str | None]:
    if isinstance(change, Append):
        return {"path": str(change.path), "append": _encode(change.data), "header": _encode(change.header)}
    return {"path": str(change.path), "write": _encode(change.data), "old": _encode(change.old)}


def _change_from_json(table: Mapping[str, str | None]) -> Change:
    path = PurePosixPath(str(table["path"]))
    if "append" in table:
        return Append(path, _decode(table["append"]) or b"", _decode(table["header"]) or b"")
    return Write(path, _decode(table["old"]), _decode(table["write"]) or b"")


def _entry_to_json(entry: TreeEntry | None) -> list[str] | None:
    return [entry.mode, entry.id] if entry else None


def _entry_from_json(pair: list[str] | None) -> TreeEntry | None:
    return TreeEntry(pair[0], pair[1]) if pair else None


def _encode(data: bytes | None) -> str | None:
    return None if data is None else b2a_base64(data, newline=False).decode()


def _decode(text: str | None) -> bytes | None:
    return None if text is None else a2b_base64(text)
