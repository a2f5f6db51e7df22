"""Git hooks beside those that are there: installed where git looks for them, taken out without a trace."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from memsite.errors import RefusedError
from memsite.repo.hook_places import (
    find_own_hook,
    hooks_folder,
    is_ours,
    manager_of,
    own_place,
    reason_of_folder,
    reason_of_hook,
)
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass

SERVED = ("pre-commit", "post-commit", "post-merge", "post-checkout", "pre-push")
KEPT_SUFFIX = ".before-memsite"


class HookState(StrEnum):
    """How a hook stands."""

    INSTALLED = "installed"
    BESIDE = "installed beside yours"
    ABSENT = "not installed"
    FOREIGN = "yours alone"
    LEFT_ALONE = "left alone"
    OF_ANOTHER = "of another workspace"


@dataclass(frozen=True, slots=True)
class HookStatus:
    """One hook of a repository."""

    name: str
    state: HookState
    path: Path
    reason: str = ""
    """For a hook that is left alone: why. For one that serves a workspace below the root: which."""
    own: Path | None = None
    """For a hook that is left alone: the person's own, which can call memsite."""
    line: str = ""
    """What they add to it, below its first line."""


def hook_statuses(workspace: Workspace) -> tuple[HookStatus, ...]:
    """How each hook that memsite serves stands. Reads only."""
    repository = workspace.require_repository()
    folder = hooks_folder(repository)
    reason = reason_of_folder(repository, folder)
    return tuple(_status(repository, folder / name, reason) for name in SERVED)


def _status(repository: Repository, path: Path, reason: str) -> HookStatus:
    """`reason`: why nothing is written into its folder."""
    if is_ours(own_place(path)):
        return _status_of_ours(repository, path)
    own = find_own_hook(repository, path)
    if own.has_line:
        return HookStatus(path.name, HookState.INSTALLED, path, f"by the line in {own.path}")
    if reason or path.is_symlink():
        return HookStatus(path.name, HookState.LEFT_ALONE, path, reason or reason_of_hook(path), own.path, own.line)
    if reason := reason_of_hook(path):
        return HookStatus(path.name, HookState.LEFT_ALONE, path, reason)
    return HookStatus(path.name, HookState.FOREIGN if path.exists() else HookState.ABSENT, path)


def _status_of_ours(repository: Repository, path: Path) -> HookStatus:
    place = own_place(path)
    served = _served(place)
    serves = "" if served == "." else f"serves the workspace {served}"
    if served != str(repository.prefix):
        return HookStatus(path.name, HookState.OF_ANOTHER, place, serves or "serves the workspace at the root")
    manager = manager_of(_kept(path)) if place == path else manager_of(path)
    with_whom = f"beside {manager}'s" if place == path else f"{manager} runs it, as {place.name}"
    reason = "; ".join(filter(None, [with_whom if manager else "", serves]))
    is_beside = place != path or _kept(path).exists()
    return HookStatus(path.name, HookState.BESIDE if is_beside else HookState.INSTALLED, place, reason)


def _served(path: Path) -> str:
    """The workspace that a hook of memsite's serves, below the repository's root."""
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").partition("\nworkspace=")[2]
    try:
        return next(iter(shlex.split(lines.partition("\n\n")[0])), ".")
    except ValueError:
        return "."


def install_hooks(workspace: Workspace, program: Path, script: str) -> tuple[HookStatus, ...]:
    """Put the hook script under the name of each hook that memsite serves; a hook that is there is kept and runs first.

    `program` is the absolute path of the `memsite` command, `script` the text of `hooks/memsite-hook`. Installing again
    changes nothing but outdated paths. Raises RefusedError when a kept hook is in the way of another one, and where the
    hooks serve another workspace of the repository that is there.
    """
    repository = workspace.require_repository()
    _refuse_taking_over(workspace, hook_statuses(workspace))
    text = script.replace("@MEMSITE@", shlex.quote(str(program)))
    text = text.replace("@WORKSPACE@", shlex.quote(str(repository.prefix)))
    folder = hooks_folder(repository)
    for path in () if reason_of_folder(repository, folder) else (folder / name for name in SERVED):
        if is_ours(own_place(path)) or not (reason_of_hook(path) or find_own_hook(repository, path).has_line):
            _install(path, os.fsencode(text))
    return hook_statuses(workspace)


def _refuse_taking_over(workspace: Workspace, statuses: Iterable[HookStatus]) -> None:
    """Raise RefusedError for hooks that serve another workspace, unless that is one of the agents below this one."""
    repository = workspace.require_repository()
    agents = {workspace.root / folder for _, folder in workspace.config.agents}
    for one in statuses:
        if one.state is not HookState.OF_ANOTHER:
            continue
        served = repository.root / _served(one.path)
        if served.is_dir() and served not in agents:
            message = f"the git hooks of this repository serve another workspace, {_served(one.path)}"
            raise RefusedError(message, hint="to have them serve this one, `memsite hooks uninstall` first")


def _install(path: Path, script: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path, hook = own_place(path), path
    if path.exists() and not is_ours(path):
        _keep(hook)
    elif path.exists() and path.read_bytes() == script:
        return
    beside = path.with_name(path.name + ".memsite-writing")
    beside.write_bytes(script)
    beside.chmod(0o755)
    beside.replace(path)


def _keep(path: Path) -> None:
    kept = _kept(path)
    if not os.path.lexists(kept):
        # A second name first: at no moment is the user's hook without one.
        os.link(path, kept)
    elif kept.is_symlink() or not kept.samefile(path):
        raise RefusedError("is in the way of keeping your hook", where=kept, hint="move it elsewhere")
    # Else an install was killed after that: the second name is there already.


def uninstall_hooks(workspace: Workspace) -> tuple[HookStatus, ...]:
    """Take memsite's hooks out and put back what was there, byte for byte. Hooks of others are not touched."""
    folder = hooks_folder(workspace.require_repository())
    for path in (folder / name for name in SERVED):
        place = own_place(path)
        if not is_ours(place):
            continue
        if _kept(path).exists():
            _kept(path).replace(place)
        else:
            place.unlink()
    return hook_statuses(workspace)


def _kept(path: Path) -> Path:
    return path.with_name(path.name + KEPT_SUFFIX)
