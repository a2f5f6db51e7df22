"""The one exception root. Everything that memsite refuses or fails at is a `MemsiteError` whose text is one line."""

from __future__ import annotations


class MemsiteError(Exception):
    """What is wrong, where, and what to do, in one line.

    `where` is a path or a name, `line` a 1-based line number in it, `hint` the next step for the user.
    """

    exit_code = 1

    def __init__(self, problem: str, *, where: object = None, line: int | None = None, hint: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.where = None if where is None else str(where)
        self.line = line
        self.hint = hint

    def __str__(self) -> str:
        place = self.where or ""
        if place and self.line is not None:
            place = f"{place}:{self.line}"
        head = f"{place}: {self.problem}" if place else self.problem
        return f"{head}; {self.hint}" if self.hint else head


class WorkspaceError(MemsiteError):
    """There is no workspace, no repository or no memory folder where one is needed."""


class ConfigError(MemsiteError):
    """`memsite.toml` or `mkdocs.yml` says something that cannot be followed."""


class FormatError(MemsiteError):
    """A file of the memory does not have the form that the operation needs."""


class RefusedError(MemsiteError):
    """The operation would break a rule of the memory."""


class ConflictError(MemsiteError):
    """A file changed between planning and writing; planning again resolves it."""


class UnsafePathError(MemsiteError):
    """A path leads, or may lead, out of the memory folder."""


class GitError(MemsiteError):
    """git refused or failed; the text carries its first line."""


class PendingError(MemsiteError):
    """The entry is recorded but in no commit yet: git cannot take it now."""

    exit_code = 3
