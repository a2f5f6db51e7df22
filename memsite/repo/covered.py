"""The content of files that a setting would run, and of the code beside them, which they may load."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from memsite.errors import RefusedError, UnsafePathError
from memsite.safety.paths import read_settings_file

MOST_FILES = 2_000
MOST_BYTES = 50_000_000
"""More than this beside one program is a folder of other things, whose every change would ask the user again."""
PYTHON = frozenset({".py", ".pyc", ".pyd", ".so"})
"""What `import` finds in a folder. `__pycache__` is left out: what memsite runs does not read it."""
CODE = PYTHON | {
    *(".bash", ".bat", ".cjs", ".cmd", ".css", ".exe", ".fish", ".go", ".html", ".j2", ".jar", ".js", ".json", ".jsx"),
    *(".lua", ".mjs", ".mts", ".php", ".pl", ".pm", ".ps1", ".r", ".rb", ".rs", ".sh", ".tcl", ".toml", ".ts", ".tsx"),
    *(".wasm", ".yaml", ".yml", ".zsh"),
}
"""Suffixes of what programs in other languages load."""


class Cover:
    """Digests of files below a workspace, by the path from its root. `skip` are folders that hold no code of anyone."""

    def __init__(self, root: Path, skip: frozenset[Path] = frozenset()) -> None:
        self._root = root
        self._skip = skip
        self._size = 0
        self.digests: dict[str, str] = {}
        """`tools/x.py` -> SHA-256 of its bytes; `-` for what is no regular file."""

    def find(self, name: str, base: Path) -> Path | None:
        """The file or folder of the workspace that a name means, seen from `base`; None when it means none."""
        if not name or "\0" in name or len(name) > 4_000:
            return None
        path = Path(os.path.normpath(base / name))
        try:
            return path if path.is_relative_to(self._root) and path.exists() else None
        except OSError:
            return None

    def add(self, path: Path) -> None:
        """A file with the code beside it, or a folder with all code in it."""
        if path.is_dir():
            self.add_folder(path, _is_code)
            return
        self.add_file(path)
        self.add_folder(path.parent, _is_python if _is_python(path) else _is_code)

    def add_folder(self, folder: Path, wanted: Callable[[Path], bool]) -> None:
        """The wanted files below a folder; links are followed, as a program would."""
        for path in self._walk(folder):
            if wanted(path):
                self.add_file(path)

    def add_file(self, path: Path) -> bytes:
        """One file; its bytes, so that what is used is what was digested. Raises RefusedError past the limits."""
        name = os.fsencode(path.relative_to(self._root)).decode("utf-8", "backslashreplace")
        data = _read(path)
        if name not in self.digests:
            self._size += len(data or b"")
            self.digests[name] = "-" if data is None else sha256(data).hexdigest()
        if len(self.digests) > MOST_FILES or self._size > MOST_BYTES:
            raise RefusedError(
                f"too much lies beside it to vouch for: more than {MOST_FILES} files or {MOST_BYTES // 1_000_000} MB",
                where=path.parent,
                hint="put what runs into a folder of its own",
            )
        return data or b""

    def _walk(self, folder: Path) -> Iterator[Path]:
        seen: set[str] = set()
        for parent, folders, names in os.walk(folder, followlinks=True):
            real = os.path.realpath(parent)
            kept = [name for name in folders if name not in (".git", "__pycache__")]
            folders[:] = [] if real in seen else [name for name in kept if Path(parent, name) not in self._skip]
            if real not in seen:
                yield from (Path(parent, name) for name in sorted(names))
            seen.add(real)


def _is_python(path: Path) -> bool:
    return path.suffix.lower() in PYTHON


def _is_code(path: Path) -> bool:
    return path.suffix.lower() in CODE or os.access(path, os.X_OK)


def _read(path: Path) -> bytes | None:
    """The bytes of a regular file; None for anything else, and for what is larger than all may be together."""
    try:
        return read_settings_file(path, MOST_BYTES)
    except (OSError, UnsafePathError):
        return None
