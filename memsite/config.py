"""`memsite.toml` as a frozen value. Every key is optional; the defaults are the seed's (FORMATS, "Settings")."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, time, tzinfo
from functools import lru_cache
from pathlib import PurePosixPath

from memsite.errors import ConfigError
from memsite.plain_toml import CONFIG_NAME as CONFIG_NAME
from memsite.plain_toml import NUMBER_TOO_LONG as NUMBER_TOO_LONG
from memsite.plain_toml import read_toml
from memsite.values import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_UTC = {"", "UTC", "Etc/UTC"}


@dataclass(frozen=True, slots=True)
class Allowed:
    """One entry of `allow`: what looks like a secret and is none. All that it names must fit."""

    reason: str
    rule: str = ""
    path: str = ""
    """A file, or a folder, of the workspace."""
    value: str = ""
    """The value itself, or the fingerprint that `check --publish` prints: `sha256:` and sixteen digits."""


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one workspace. Paths are POSIX; `memory` is relative to the workspace, the others to `memory`."""

    memory: PurePosixPath = PurePosixPath("memory")
    """The folder of the memory; `"."` for a repository that is one."""
    index_file: PurePosixPath = PurePosixPath("INDEX.md")
    """Its index of topics, below it."""
    consolidated_dir: PurePosixPath = PurePosixPath("consolidated")
    """Its folder of generations, below it."""
    include: tuple[str, ...] = ("MEMORY.md", "DREAMS.md")
    """Files of the workspace's root that belong to the memory."""
    timezone: str = ""
    """Where days begin, such as `"Europe/Berlin"`; `init` records the machine's. Without one, a site's begin in UTC."""
    language: str = "en"
    """Of the theme's own words on a site, such as those of menus, where Material has them; memsite's are English."""
    categories: tuple[str, ...] = ("Projects", "Major Events", "Decisions", "Preferences")
    """Headings of INDEX.md."""
    consolidation_threshold: int = 3
    """Dates after which a consolidation is suggested, and due."""
    auto_propose_index: bool = True
    """Whether topics are proposed."""
    recall_triggers: tuple[str, ...] = ("回忆一下", "remember", "recall", "记不记得")
    """Words that `recall` leaves out of a question."""
    session_logging: bool = True
    """Whether session logs are written."""
    tail_protect_count: int = 3
    """Exchanges that an agent gets back after a compaction."""
    ignore_patterns: tuple[str, ...] = ()
    """Sessions whose first message matches one of them (RE2, any case) are not logged."""
    flush_time: time = time(11, 0)
    """When a timer runs the daily flush."""
    summarizer: str = ""
    """A program for `consolidate --command`: brief on stdin, body on stdout. It runs in an empty folder, once you have
    allowed it with `memsite trust`."""
    commit_on_hook: bool = True
    """Whether the git hooks commit what agents have written."""
    build_on_commit: bool = False
    """Whether they bring the site up to date."""
    max_file_mb: int = 10
    """`[safety]`: larger files of the memory are refused by the pre-commit hook; 1,000,000 bytes each."""
    allow: tuple[Allowed, ...] = ()
    """`[safety]`: findings that are no secrets: each a `value` or a `path`, perhaps a `rule`, and a `reason`."""
    private: tuple[str, ...] = ()
    """Topics, files and folders of the memory that no publication shows, in any version."""
    emails: str = "mask"
    """`[publish]`: whether e-mail addresses are shown to others; `"show"` or `"mask"`."""
    phones: str = "mask"
    """`[publish]`: the same for phone numbers."""
    branch: str = "gh-pages"
    """`[publish]`: the branch that the site is published on."""
    remote: str = "origin"
    """`[publish]`: where `publish --push` pushes it."""
    versions: str = "none"
    """`[publish]`: which states of the past are published, too: `"none"`, `"named"`, `"month"` or `"tag"`."""
    keep: int = 12
    """`[publish]`: how many months or tags are published."""
    agents: tuple[tuple[str, PurePosixPath], ...] = ()
    """A table: names of agents, and the folders below this one that are their workspaces: more than one memory."""

    @property
    def index_path(self) -> PurePosixPath:
        """INDEX.md, relative to the workspace."""
        return _below(self.memory, self.index_file)

    @property
    def consolidated_path(self) -> PurePosixPath:
        """The folder of the generations, relative to the workspace."""
        return _below(self.memory, self.consolidated_dir)

    @property
    def max_file_bytes(self) -> int:
        """How large a file may be that is committed."""
        return self.max_file_mb * 1_000_000

    def zone(self) -> tzinfo:
        """The zone in which days begin. The command line fills an empty `timezone` with the machine's; else UTC."""
        return find_zone(self.timezone)


@lru_cache(maxsize=16)
def _below(folder: PurePosixPath, name: PurePosixPath) -> PurePosixPath:
    """The same path each time: it is asked for with every file, and joining takes longer than the answer."""
    return folder / name


def find_zone(name: str) -> tzinfo:
    """The zone of a name; UTC, which needs no data, for an empty one. Raises ValueError or OSError for none."""
    if name in _UTC:
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError as error:
        raise ValueError(f"there is no time zone {name!r}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("must be a string")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError("must be a list of strings")
    return tuple(value)


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(_inner_path(name)) for name in _texts(value))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("must be true or false")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("must be a whole number, 0 or more")
    return value


def _inner_path(value: object) -> PurePosixPath:
    path = PurePosixPath(_text(value))
    if path.is_absolute() or ".." in path.parts or "\\" in str(path) or "\0" in str(path):
        raise TypeError("must be a path below the workspace, without '..'")
    return path


def _zone_name(value: object) -> str:
    name = _text(value)
    try:
        find_zone(name)
    except (ValueError, OSError) as error:
        raise TypeError(f"is no time zone: {name!r}") from error
    return name


def _clock(value: object) -> time:
    if isinstance(value, time):
        return value
    try:
        return time.fromisoformat(_text(value))
    except ValueError as error:
        raise TypeError('must be a time such as "11:00"') from error


def _shown(value: object) -> str:
    if value not in ("show", "mask"):
        raise TypeError('must be "show" or "mask"')
    return str(value)


def _branch(value: object) -> str:
    name = _text(value)
    if not re.fullmatch(r"(?!-)(?!.*(?:\.\.|//|@\{|\.lock(?:/|$)|/\.|/$|\.$))[\w./-]{1,100}", name) or name.startswith(
        (".", "/")
    ):
        raise TypeError("must be the name of a branch")
    return name


def _remote(value: object) -> str:
    name = _text(value)
    if not re.fullmatch(r"(?!-)[\w.-]{1,100}", name):
        raise TypeError("must be the name of a remote, as `git remote` lists it")
    return name


def _versions(value: object) -> str:
    if value not in ("none", "named", "month", "tag"):
        raise TypeError('must be "none", "named", "month" or "tag"')
    return str(value)


RESERVED = ("latest", "assets", "search")
"""Names that no agent may have: of the newest version, and of what the common home uses."""


class _InnerError(TypeError):
    """What is wrong with one key of a table."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key!r} {problem}")
        self.key = key


def _agents(value: object) -> tuple[tuple[str, PurePosixPath], ...]:
    if not isinstance(value, dict):
        raise TypeError('must be a table of folders such as coder = "agents/coder"')
    found = {_agent(name): _agent_folder(name, folder) for name, folder in value.items()}
    for folder in found.values():
        if not folder.parts or any(folder != other and folder.is_relative_to(other) for other in found.values()):
            raise TypeError("must be folders below this one, none of them in another")
    if len(set(found.values())) < len(found):
        raise TypeError("must be different folders")
    return tuple(found.items())


def _agent_folder(name: str, value: object) -> PurePosixPath:
    try:
        return _inner_path(value)
    except TypeError as error:
        raise _InnerError(name, f"has a folder that {error}") from error


def _agent(name: str) -> str:
    if name in RESERVED:
        raise _InnerError(name, "is the name of another part of the site: choose a different one")
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise _InnerError(name, "cannot be a part of the site: use small letters, digits, '-' and '_'")
    return name


def _private(value: object) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        if not name.strip("/ ") or set(name) & set("*?[]\\\0") or ".." in name.split("/"):
            raise TypeError(f"{name!r} names no topic, file or folder of the memory; patterns are not understood")
    return names


def _allowed(value: object) -> tuple[Allowed, ...]:
    entries = value if isinstance(value, list) else [None]
    return tuple(map(_allowed_entry, entries))


def _allowed_entry(value: object) -> Allowed:
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise TypeError('must be a list such as [{ value = "…", reason = "the example of the manual" }]')
    unknown = set(value) - {*Allowed.__match_args__}
    if unknown:
        raise TypeError(
            f"knows no {sorted(unknown)[0]!r}; an entry has a value or a path, perhaps a rule, and a reason"
        )
    entry = Allowed(**{"reason": ""} | value)
    if not entry.reason.strip():
        raise TypeError("every entry needs a reason")
    if not (entry.value or entry.path):
        raise TypeError("every entry needs a value or a path: a rule alone would let every secret of its kind pass")
    return entry


_READERS: Mapping[str, Callable[[object], Any]] = {
    "memory": _inner_path,
    "index_file": _inner_path,
    "consolidated_dir": _inner_path,
    "include": _names,
    "timezone": _zone_name,
    "language": _text,
    "categories": _texts,
    "consolidation_threshold": _count,
    "auto_propose_index": _flag,
    "recall_triggers": _texts,
    "session_logging": _flag,
    "tail_protect_count": _count,
    "ignore_patterns": _texts,
    "flush_time": _clock,
    "summarizer": _text,
    "commit_on_hook": _flag,
    "build_on_commit": _flag,
    "private": _private,
    "agents": _agents,
}
TABLES: Mapping[str, Mapping[str, Callable[[object], Any]]] = {
    "safety": {"max_file_mb": _count, "allow": _allowed},
    "publish": {
        "emails": _shown,
        "phones": _shown,
        "branch": _branch,
        "remote": _remote,
        "versions": _versions,
        "keep": _count,
    },
}
"""Keys that stand in a table of their own; their names are unique over all tables."""
_KNOWN = {*_READERS, *(key for table in TABLES.values() for key in table)}
assert {*Config.__match_args__} == _KNOWN  # noqa: S101 - a key without a reader is a bug


def _line_of(text: str, key: str) -> int | None:
    names_it = re.compile(rf'\s*(?:\[\s*)?["\']?{re.escape(key)}["\']?\s*[=.\]]')
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if names_it.match(line)), None)


def parse_config(text: str) -> tuple[Config, tuple[ConfigError, ...]]:
    """Read `memsite.toml`. What is wrong comes back beside a Config that has the default in its place.

    Agents' hooks and git hooks go on with that Config; the command line raises the first error.
    """
    try:
        table = read_toml(text)
    except ConfigError as error:
        return Config(), (error,)
    values: dict[str, Any] = {}
    errors: list[ConfigError] = []
    for key, value in table.items():
        if key in TABLES and isinstance(value, dict):
            for inner, inner_value in value.items():
                _read_key(text, inner, inner_value, TABLES[key], values, errors)
        else:
            _read_key(text, key, value, _READERS, values, errors)
    return replace(Config(), **values), tuple(errors)


def _read_key(
    text: str,
    key: str,
    value: object,
    readers: Mapping[str, Callable[[object], Any]],
    values: dict[str, Any],
    errors: list[ConfigError],
) -> None:
    if key not in readers:
        errors.append(_config_error(text, key, "unknown key", "remove it or correct its name"))
        return
    try:
        values[key] = readers[key](value)
    except TypeError as error:
        inner = error.key if isinstance(error, _InnerError) else key
        errors.append(_config_error(text, key, str(error), "correct the value", _line_of(text, inner)))


def _config_error(text: str, key: str, problem: str, hint: str, line: int | None = None) -> ConfigError:
    return ConfigError(f"{key!r}: {problem}", where=CONFIG_NAME, line=line or _line_of(text, key), hint=hint)
