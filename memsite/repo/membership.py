"""Which files belong to the memory: one answer for snapshots, history and `commit`."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from memsite.config import CONFIG_NAME, Config
from memsite.repo.workspace import Repository
from memsite.values import dataclass

SITE_FOLDER = "site"
"""Where builds go (CLI, `build`)."""
_NOT_MEMORY_AT_ROOT = frozenset({SITE_FOLDER, "mkdocs.yml", CONFIG_NAME})


@dataclass(frozen=True, slots=True)
class Membership:
    """The memory folder and the `include` files of a workspace."""

    memory: PurePosixPath
    include: frozenset[PurePosixPath]

    def has(self, path: PurePosixPath) -> bool:
        """Whether a workspace path belongs to the memory."""
        return path in self.include or self._below(path)

    def _below(self, path: PurePosixPath) -> bool:
        parts, above = path.parts, self.memory.parts
        depth = len(above)
        if len(parts) <= depth or parts[:depth] != above or path.root:
            return False
        return not any(self.skips(part, index) for index, part in enumerate(parts[depth:]))

    def skips(self, name: str, depth: int) -> bool:
        """Whether a name at this depth below the memory folder is left out: dotfiles, and memsite's own at the root."""
        at_root = depth == 0 and not self.memory.parts
        return name.startswith(".") or (at_root and name in _NOT_MEMORY_AT_ROOT)

    def pathspecs(self, repository: Repository) -> list[str]:
        """Literal pathspecs, from the top of the repository, that cover it; `has` then decides."""
        paths = (self.memory, *sorted(self.include))
        return list(dict.fromkeys(os.fsdecode(repository.to_git(path)) for path in paths))


def membership(config: Config) -> Membership:
    """The membership that a workspace's settings describe. An `include` that leads out of it is left out."""
    include = (PurePosixPath(name) for name in config.include)
    return Membership(
        config.memory, frozenset(path for path in include if not path.is_absolute() and ".." not in path.parts)
    )
