"""What every writing asks git first, asked while the modules that write are loaded."""

from __future__ import annotations

from contextlib import ExitStack

from memsite.repo.gitcmd import RunningGit, start_git
from memsite.repo.objects import ObjectReader, object_reader
from memsite.repo.workspace import Repository
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Begun:
    """Two gits at work."""

    objects: ObjectReader
    committer: RunningGit
    """Tells who commits (`read_identity`)."""


def begin_writing(repository: Repository, started: ExitStack) -> Begun:
    """Let git get ready to be read from, and find out who commits."""
    objects = started.enter_context(object_reader(repository.root))
    return Begun(objects, started.enter_context(ask_committer(repository)))


def ask_committer(repository: Repository) -> RunningGit:
    """The git that tells who commits."""
    # The committer: inside a hook of `commit --author=…` the author variables name somebody else.
    return start_git(["var", "GIT_COMMITTER_IDENT"], cwd=repository.root)
