"""What in a workspace would run code that is not memsite's: in mkdocs.yml, in memsite.toml, and the files they name.

An agent can write all of these. They run only when the user has trusted them, by content (`memsite/repo/trusted.py`).
"""

from __future__ import annotations

import json
import os.path
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from memsite.config import CONFIG_NAME
from memsite.errors import ConfigError, FormatError, UnsafePathError
from memsite.repo.covered import Cover
from memsite.repo.program import split_command
from memsite.repo.workspace import Workspace
from memsite.safety.paths import read_settings_file
from memsite.safety.site_settings import MAX_BYTES, NAME, THEME, Effect, Foreign, SiteSettings, read_settings
from memsite.values import dataclass, field

SUMMARISER = "runs when a generation is made with `consolidate --command`"
_FORM = "memsite-trust-1"
"""Part of every hash: another way of looking at the same files must not find them trusted."""
_MOST_PARENTS = 8
_DEFAULTS = {"macros": ("main.py", "main")}
"""What a plugin runs that its options need not name."""
_WORD = re.compile(r"[^\s'\"`$;|&<>(){}=,]+")
_GROUPS = {Effect.PLUGIN: "mkdocs.plugins", Effect.EXTENSION: "markdown.extensions"}


@dataclass(frozen=True, slots=True)
class Runs:
    """One thing that would run."""

    where: str
    """The file whose setting says so."""
    line: int | None
    what: str
    effect: str
    """In words, what it does."""
    package: str = ""
    """`name version` of the installed package that its code comes from."""
    files: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Path from the workspace's root -> SHA-256: the files of the workspace that it runs, or may load."""


@dataclass(frozen=True, slots=True)
class Executable:
    """Everything that would run, and the hash that names all of it by content."""

    site: tuple[Runs, ...] = ()
    """What `build` and `serve` would run."""
    summariser: tuple[Runs, ...] = ()
    """What `consolidate --command` would run."""
    published: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    """Scripts and templates of the memory folder that mkdocs.yml adds to the site, as they were when digested."""

    @property
    def items(self) -> tuple[Runs, ...]:
        """All of it."""
        return (*self.site, *self.summariser)

    @property
    def hash(self) -> str:
        """SHA-256 of all of it, in hexadecimal; empty when nothing would run.

        The same on every machine that has the same versions of the packages.
        """
        if not self.items:
            return ""
        rows = [[one.where, one.what, one.package, sorted(one.files.items())] for one in self.items]
        return sha256(json.dumps([_FORM, *rows], ensure_ascii=True).encode()).hexdigest()


def find_executable(workspace: Workspace, site: bytes | None = None) -> Executable:
    """What would run in a workspace. `site` are the bytes of its mkdocs.yml where they have been read already.

    Nothing is imported, run or loaded for it. Raises RefusedError when there is too much beside a program to vouch for,
    ConfigError when a mkdocs.yml that others inherit from is missing or wrong. A mkdocs.yml that is none runs nothing.
    """
    data = _read_site(workspace.root) if site is None else site
    try:
        settings = read_settings(data)
    except ConfigError:
        settings = SiteSettings({}, ())
    published: dict[str, bytes] = {}
    found = tuple(_site(workspace, data, settings, published))
    return Executable(found, tuple(_summariser(workspace, settings)), published)


def _read_site(root: Path) -> bytes:
    try:
        return read_settings_file(root / NAME, MAX_BYTES)
    except (OSError, UnsafePathError):
        return b""


def _cover(workspace: Workspace, settings: SiteSettings) -> Cover:
    built = settings.values.get("site_dir") or "site"
    return Cover(workspace.root, frozenset({Path(os.path.normpath(workspace.root / str(built)))}))


def _site(workspace: Workspace, data: bytes, settings: SiteSettings, published: dict[str, bytes]) -> Iterator[Runs]:
    if settings.foreign:
        # Every byte of it: what MkDocs makes of a file that runs code is not to be guessed.
        whole = {NAME: sha256(data).hexdigest()}
        for one in settings.foreign:
            cover = _cover(workspace, settings)
            _cover_setting(workspace, one, cover, published)
            yield Runs(NAME, one.line, one.what, one.effect.value, _package(one, cover), {**whole, **cover.digests})


def _cover_setting(workspace: Workspace, one: Foreign, cover: Cover, published: dict[str, bytes]) -> None:
    root = workspace.root
    match one.effect:
        case Effect.INHERIT:
            _cover_parents(root, one.names, cover)
        case Effect.SCRIPT:
            _cover_published(workspace, one.names, cover, published)
        case Effect.TEMPLATES if one.what == "theme.custom_dir":
            _cover_theme(workspace, one, cover)
        case Effect.TEMPLATES:
            _cover_published(workspace, one.names, cover, published)
        case _:
            for name in (*one.names, *_DEFAULTS.get(one.what.removeprefix("plugin "), ())):
                for word in (name, *_WORD.findall(name)):
                    if path := cover.find(word, root):
                        cover.add(path)


def _cover_published(workspace: Workspace, names: tuple[str, ...], cover: Cover, published: dict[str, bytes]) -> None:
    """Files of the memory folder that go onto the site as they are."""
    for name in names:
        path = cover.find(name, workspace.root / workspace.config.memory)
        if path is not None and path.is_file():
            published[name] = cover.add_file(path)


def _cover_theme(workspace: Workspace, one: Foreign, cover: Cover) -> None:
    for name in one.names:
        folder = cover.find(name, workspace.root)
        if folder is None:
            continue
        if (workspace.root / workspace.config.memory).is_relative_to(folder):
            raise ConfigError(
                f"{one.what}: holds the memory", where=NAME, line=one.line, hint="use a folder of its own"
            )
        cover.add_folder(folder, lambda _path: True)


def _cover_parents(root: Path, names: tuple[str, ...], cover: Cover) -> None:
    """The files that settings are inherited from, and what they run in turn."""
    waiting = [(root, name) for name in names]
    for _ in range(_MOST_PARENTS):
        if not waiting:
            return
        base, name = waiting.pop()
        path = Path(os.path.normpath(base / name))
        if not path.is_relative_to(root):
            raise ConfigError(f"INHERIT: {name!r} is outside of the workspace", where=NAME, hint="copy it into it")
        for foreign in read_parent(cover.add_file(path), name).foreign:
            waiting += [(path.parent, text) for text in foreign.names if foreign.effect is Effect.INHERIT]
            for word in foreign.names if foreign.effect is not Effect.INHERIT else ():
                if found := cover.find(word, root):
                    cover.add(found)
    raise ConfigError("INHERIT: too many files in a row", where=NAME, hint="write the settings into mkdocs.yml")


def read_parent(data: bytes, name: str) -> SiteSettings:
    """The settings of a file that others inherit from. Raises ConfigError, naming it."""
    try:
        return read_settings(data, whole=False)
    except ConfigError as error:
        raise ConfigError(error.problem, where=name, line=error.line, hint=error.hint) from error


def _package(one: Foreign, cover: Cover) -> str:
    """The installed package whose code a plugin or extension is; its files too, where they are in the workspace."""
    group = _GROUPS.get(one.effect)
    if group is None:
        return ""
    name = one.what.partition(" ")[2]
    # As MkDocs looks it up: the theme's own plugin of a name comes first.
    named = {entry.name: entry for entry in entry_points(group=group)}
    found = named.get(f"{THEME}/{name}", named.get(name))
    module = found.value if found else name
    _cover_module(module.partition(":")[0].partition(".")[0], cover)
    return f"{found.dist.name} {found.dist.version}" if found and found.dist else ""


def _cover_module(name: str, cover: Cover) -> None:
    try:
        spec = find_spec(name)  # of a top-level name: nothing is imported
    except (ImportError, ValueError):
        return
    for place in (spec.submodule_search_locations or [spec.origin or ""]) if spec else ():
        if path := cover.find(place, Path("/")):
            cover.add(path)


def _summariser(workspace: Workspace, settings: SiteSettings) -> Iterator[Runs]:
    command = workspace.config.summarizer
    if not command:
        return
    cover = _cover(workspace, settings)
    for name in _WORD.findall(command):
        if path := cover.find(name, workspace.root):
            cover.add(path)
    with suppress(FormatError):
        words = command_in(workspace, command)
        for word in (*words, shutil.which(words[0]) or ""):
            if path := cover.find(word, Path("/")):
                cover.add(path)
    yield Runs(CONFIG_NAME, None, f"summarizer {command}", SUMMARISER, files=cover.digests)


def command_in(workspace: Workspace, command: str) -> list[str]:
    """A command line as words, those that name files of the workspace made absolute: it can run in another folder.

    Raises FormatError when it is no command line.
    """
    program, *rest = split_command(command)
    cover = Cover(workspace.root)
    named = [str(cover.find(word, workspace.root) or word) for word in rest]
    # A program without a `/` is looked up in PATH, whatever the workspace has of that name.
    return [str(cover.find(program, workspace.root) or program) if "/" in program else program, *named]


def describe(items: tuple[Runs, ...]) -> str:
    """Their names in one line."""
    return ", ".join(one.what for one in items)
