"""What the user has allowed to run: one record a workspace, in the user's own configuration, never in the workspace."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from memsite.errors import RefusedError
from memsite.repo.executable import Executable
from memsite.repo.files import write_atomic
from memsite.safety.paths import read_settings_file
from memsite.values import dataclass, field

_LARGEST = 4_000_000


@dataclass(frozen=True, slots=True)
class Trusted:
    """One record."""

    hash: str
    at: datetime
    """When the user said so."""
    files: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Path -> SHA-256 of all files that it covers, to tell what has changed since."""


class TrustStore:
    """The records below a configuration folder (`XDG_CONFIG_HOME`, or `~/.config`)."""

    def __init__(self, config_home: Path) -> None:
        self.folder = config_home / "memsite" / "trusted"

    def read(self, root: Path) -> Trusted | None:
        """The record of a workspace. None without one, and for one that others may have written."""
        path = self._path(root)
        try:
            self._check_place(root)
            about = path.lstat()
            # What lies open to others, or leads elsewhere, is not the user's word.
            if about.st_uid != os.geteuid() or not stat.S_ISREG(about.st_mode) or about.st_mode & 0o022:
                return None
            value = json.loads(read_settings_file(path, _LARGEST))
            return Trusted(str(value["hash"]), datetime.fromisoformat(value["at"]), dict(value["files"]))
        except (OSError, RefusedError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def write(self, root: Path, found: Executable, at: datetime) -> None:
        """Record that what was found may run. Raises RefusedError where the record would lie within the workspace."""
        self._check_place(root)
        files = {name: digest for one in found.items for name, digest in one.files.items()}
        value = {"workspace": str(root), "hash": found.hash, "at": at.isoformat(), "files": files}
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = json.dumps(value, indent=2, ensure_ascii=True).encode() + b"\n"
        path = self._path(root)
        write_atomic(self.folder, path.name, data)
        path.chmod(0o600)

    def forget(self, root: Path) -> bool:
        """Take it back; whether there was one."""
        with suppress(FileNotFoundError):
            self._path(root).unlink()
            return True
        return False

    def _path(self, root: Path) -> Path:
        return self.folder / f"{sha256(os.fsencode(root)).hexdigest()[:32]}.json"

    def _check_place(self, root: Path) -> None:
        if Path(os.path.realpath(self.folder)).is_relative_to(os.path.realpath(root)):
            raise RefusedError(
                "lies in the workspace, where whoever writes to it could allow everything",
                where=self.folder,
                hint="set XDG_CONFIG_HOME to a folder outside, or use MEMSITE_TRUST",
            )
