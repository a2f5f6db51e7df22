"""The branches, tags and other refs that lead to what leaked, in whatever file: what a rewriting has to reach."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence

from memsite.repo.gitcmd import run_git
from memsite.repo.objects import object_reader
from memsite.repo.workspace import Repository
from memsite.safety.suppression import SHORTEST, fold
from memsite.values import dataclass

_LARGEST = 50 << 20
"""Bytes of an object that is looked into."""
_TRACKED = "refs/remotes/"


@dataclass(frozen=True, slots=True)
class LeakedRefs:
    """Where it can be reached from."""

    own: tuple[str, ...] = ()
    """Branches, tags and other refs of this repository, without `refs/`."""
    remotes: tuple[str, ...] = ()
    """Branches on remotes, as they are known: `origin/main`."""


def secret_lines(value: str) -> tuple[str, ...]:
    """The lines of a value that are to be taken out of a history; a line as short as `}` is in other texts, too."""
    return tuple(dict.fromkeys(line for line in value.splitlines() if len(fold(line)) >= SHORTEST))


def refs_to_value(repository: Repository, value: str, commits: Sequence[str]) -> LeakedRefs:
    """The refs that lead to a value as it is; `commits` are known to have it."""
    needles = [os.fsencode(line) for line in secret_lines(value)]
    return _sorted(_reaching(repository, commits, _objects_with(repository, needles), frozenset()))


def refs_to_files(repository: Repository, paths: Collection[bytes], commits: Sequence[str]) -> LeakedRefs:
    """The refs that lead to files, by their paths as git names them; `commits` are known to have one."""
    return _sorted(_reaching(repository, commits, frozenset(), frozenset(paths)))


def remote_names(repository: Repository) -> tuple[str, ...]:
    """The remotes, as they are configured."""
    return tuple(run_git(["remote"], cwd=repository.root).decode("utf-8", "surrogateescape").split("\n")[:-1])


def remotes_to_rewrite(repository: Repository, branches: Sequence[str], usual: str) -> tuple[str, ...]:
    """The remotes that `branches` are on; without any the one that HEAD's branch follows, else the `usual` one."""
    names = remote_names(repository)
    known = tuple(name for name in names if any(branch.startswith(f"{name}/") for branch in branches))
    if known:
        return known
    branch = os.fsdecode(run_git(["symbolic-ref", "-q", "HEAD"], cwd=repository.root, accept=(0, 1))).removesuffix("\n")
    form = "--format=%(upstream:remotename)"
    followed = os.fsdecode(run_git(["for-each-ref", form, "--", branch], cwd=repository.root)) if branch else ""
    return tuple(name for name in dict.fromkeys([*followed.split("\n"), usual]) if name in names)[:1]


def _objects_with(repository: Repository, needles: Sequence[bytes]) -> frozenset[str]:
    if not needles:
        return frozenset()
    pattern = re.compile(b"|".join(map(re.escape, needles)))
    command = ["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)"]
    names = run_git(command, cwd=repository.root).decode().split()
    with object_reader(repository.root) as reader:
        return frozenset(name for name in names if pattern.search(reader.read(name, most=_LARGEST).data))


def _reaching(
    repository: Repository, commits: Sequence[str], objects: frozenset[str], paths: frozenset[bytes]
) -> list[str]:
    """The names of the refs from which one of the commits, objects or paths can be reached."""
    listing = run_git(["for-each-ref", "--format=%(objectname) %(symref) %(refname)"], cwd=repository.root)
    refs = [one.split(" ", 2) for one in os.fsdecode(listing).splitlines()]
    containing = _containing(repository, commits)
    found: list[str] = []
    clean: dict[str, None] = {}
    for tip, link, name in refs:
        if link:
            continue
        if name in containing or (tip not in clean and _leads_to(repository, tip, list(clean), objects, paths)):
            found.append(name)
        else:
            clean[tip] = None
    return found


def _containing(repository: Repository, commits: Sequence[str]) -> frozenset[str]:
    some = [f"--contains={commit}" for commit in commits]
    answer = run_git(["for-each-ref", *some, "--format=%(refname)"], cwd=repository.root) if some else b""
    return frozenset(os.fsdecode(answer).splitlines())


def _leads_to(
    repository: Repository, tip: str, clean: list[str], objects: frozenset[str], paths: frozenset[bytes]
) -> bool:
    """Whether an object or a path is reached from `tip`, and not from what is known to be clean."""
    asked = "\n".join([tip, *(f"^{one}" for one in clean), ""]).encode()
    listing = run_git(
        ["-c", "core.quotePath=false", "rev-list", "--objects", "--stdin"], cwd=repository.root, stdin=asked
    )
    reached = (line.partition(b" ") for line in listing.split(b"\n"))
    return any(name.decode() in objects or path in paths for name, _, path in reached)


def _sorted(refs: Sequence[str]) -> LeakedRefs:
    own = tuple(ref.removeprefix("refs/") for ref in refs if not ref.startswith(_TRACKED))
    return LeakedRefs(own, tuple(ref.removeprefix(_TRACKED) for ref in refs if ref.startswith(_TRACKED)))
