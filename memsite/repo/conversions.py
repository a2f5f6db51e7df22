"""Which contents git stores in another form because of their line ends, their encoding or `$Id$`.

git's own `hash-object` makes the form; what is asked here is only whether it has to: of most files it has not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import PurePosixPath

from memsite.repo.gitcmd import run_git, start_git
from memsite.repo.workspace import Repository
from memsite.values import dataclass

_NO_VALUE = frozenset({"unspecified", ""})
_UTF_8 = frozenset({"utf-8", "utf8"})
_YES = frozenset({"true", "yes", "on", "1", "input", ""})


@dataclass(frozen=True, slots=True)
class Attributes:
    """What the attribute files say about one path: a value, or `set`, `unset`, `unspecified`."""

    filter: str = "unspecified"
    text: str = "unspecified"
    crlf: str = "unspecified"
    """What `text` was called before."""
    eol: str = "unspecified"
    encoding: str = "unspecified"
    ident: str = "unspecified"

    @property
    def other_encoding(self) -> str:
        """The encoding of the file on disk, where it is not the UTF-8 that git has."""
        known = {*_NO_VALUE, "unset", *_UTF_8}
        return "" if self.encoding.lower() in known else self.encoding

    @property
    def line_ends(self) -> str:
        """What git makes of `CRLF`: `unset` nothing, `auto` LF where it takes the file for text, `set` LF, and
        `unspecified`: as the user's `core.autocrlf` says.
        """
        text = self.crlf if self.text == "unspecified" else self.text
        if text in {"unset", "auto"}:
            return text
        return "set" if text in {"set", "input"} or self.eol in {"lf", "crlf"} else "unspecified"


_NAMES = {
    "filter": "filter",
    "text": "text",
    "crlf": "crlf",
    "eol": "eol",
    "working-tree-encoding": "encoding",
    "ident": "ident",
}


def read_attributes(
    repository: Repository, paths: Iterable[PurePosixPath], **environment: str
) -> dict[PurePosixPath, Attributes]:
    """Ask git: all its attribute files count, the user's own and the machine's. Paths are the workspace's."""
    with ExitStack() as asked:
        return ask_attributes(repository, paths, asked, **environment)()


def ask_attributes(
    repository: Repository, paths: Iterable[PurePosixPath], asked: ExitStack, **environment: str
) -> Callable[[], dict[PurePosixPath, Attributes]]:
    """As `read_attributes`, which is what the function that comes back answers: git looks meanwhile."""
    names = {repository.to_git(path): path for path in paths}
    if not names:
        return dict
    command = ["check-attr", "-z", "--stdin", *_NAMES]
    stdin = b"".join(name + b"\0" for name in names)
    git = asked.enter_context(start_git(command, cwd=repository.root, stdin=stdin, env=environment))

    def answer() -> dict[PurePosixPath, Attributes]:
        words = git.answer().split(b"\0")
        found: dict[PurePosixPath, dict[str, str]] = {path: {} for path in names.values()}
        for name, attribute, value in zip(words[::3], words[1::3], words[2::3], strict=False):
            found[names[name]][_NAMES[attribute.decode()]] = os.fsdecode(value)
        return {path: Attributes(**values) for path, values in found.items()}

    return answer


def unseen_attributes(
    repository: Repository, paths: Iterable[PurePosixPath], attributes: Mapping[PurePosixPath, Attributes]
) -> frozenset[PurePosixPath]:
    """Paths whose attributes are staged and not on disk: what converts would not see them, and take contents as they
    are.
    """
    seen = read_attributes(repository, paths, GIT_INDEX_FILE=str(repository.git_dir / "memsite.none"))
    return frozenset(path for path, one in seen.items() if attributes.get(path, Attributes()) != one)


@dataclass
class Conversions:
    """Which contents of some files git converts."""

    repository: Repository
    attributes: Mapping[PurePosixPath, Attributes]

    def changes(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether git is to have another content than this. A `filter` is not looked at. Raises GitError."""
        about = self.attributes.get(path, Attributes())
        if about.other_encoding or (about.ident == "set" and b"$Id:" in data):
            return True
        return b"\r\n" in data and self._has_other_line_ends(path, about.line_ends)

    def _has_other_line_ends(self, path: PurePosixPath, how: str) -> bool:
        how = self._by_default if how == "unspecified" else how
        return how == "set" or (how == "auto" and not self._has_crlf_staged(path))

    @cached_property
    def _by_default(self) -> str:
        """What holds for files of which no attribute file says anything."""
        answer = run_git(["config", "--get", "core.autocrlf"], cwd=self.repository.root, accept=(0, 1))
        return "auto" if answer and answer.decode("utf-8", "replace").strip().lower() in _YES else "unset"

    def _has_crlf_staged(self, path: PurePosixPath) -> bool:
        """Where git only takes a file for text, it leaves the line ends alone that the stage has already."""
        command: list[str | bytes] = ["ls-files", "--eol", "-z", "--", self.repository.to_git(path)]
        answer = run_git(command, cwd=self.repository.root)
        return answer.split(b" ")[0] in {b"i/crlf", b"i/mixed"}
