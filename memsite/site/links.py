"""Addresses: of every memory file on the site, of one page seen from another, and of what a note's link means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from types import MappingProxyType
from urllib.parse import quote, unquote

from memsite.config import Config
from memsite.memory.model import Memory
from memsite.memory.names import parse_day_name
from memsite.site.slugs import fragment_anchor

Target = tuple[str, PurePosixPath | None]
"""The site URI of a page, and the file of the memory that it shows; None for a topic."""
ASSETS = "assets/memory/"
"""Below it stand the memory's own images and other files, each at its workspace-relative path."""
SHOWN_AS_THEY_ARE = frozenset(
    {"avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "webp"}
    | {"flac", "m4a", "mp3", "mp4", "ogg", "wav", "webm"}
    | {"csv", "json", "jsonl", "log", "pdf", "toml", "tsv", "txt", "yaml", "yml"}
)
"""Suffixes of files that are copied to the site. HTML, SVG and scripts are not: opened on their own they would run."""
_SAFE = "/-._~!$&'()*+,;=@"
_PLAIN = re.compile(r"[A-Za-z0-9/\-._~!$&'()*+,;=@]*")
"""What percent-encoding leaves as it is: nearly every address, and a page has hundreds."""
_UNUSUAL = re.compile(r"//|/\.")
"""A name that begins with a dot, or none between two slashes: what a path says with these, the library knows."""


def topic_uri(slug: str) -> str:
    """`topics/<slug>/`."""
    return f"topics/{slug}/"


def generation_uri(slug: str, number: int) -> str:
    """`topics/<slug>/gen<N>/`."""
    return f"topics/{slug}/gen{number}/"


def compare_uri(slug: str, first: int, second: int) -> str:
    """`topics/<slug>/compare/<A>..<B>/`."""
    return f"topics/{slug}/compare/{first}..{second}/"


def day_uri(day: date) -> str:
    """`daily/<YYYY-MM-DD>/`."""
    return f"daily/{day.isoformat()}/"


def session_day_uri(day: date) -> str:
    """`sessions/<YYYY-MM-DD>/`."""
    return f"sessions/{day.isoformat()}/"


def history_day_uri(day: date) -> str:
    """`history/<YYYY-MM-DD>/`."""
    return f"history/{day.isoformat()}/"


def note_uri(site_path: PurePosixPath | str) -> str:
    """`notes/<path>/`, the path being that of `OtherNote.site_path`."""
    return f"notes/{site_path}/"


def raw_uri(blob: str) -> str:
    """Where the whole of a text stands that no page shows as a whole, by the id of its blob.

    A fixed form, as for `markdown_uri`: plain text, whatever the note is called and says.
    """
    return f"assets/raw/{blob}.txt"


def markdown_uri(page: str) -> str:
    """The Markdown of the page at site URI `page`: `daily/2025-03-20/index.md`.

    A fixed name: with the note's own, or as `index.html.md`, some servers would take it for HTML.
    """
    return f"{page}index.md"


def is_published_asset(path: PurePosixPath) -> bool:
    """Whether a file of the memory that is no page may stand on the site."""
    return path.suffix.lower().removeprefix(".") in SHOWN_AS_THEY_ARE


def asset_uri(path: PurePosixPath) -> str:
    """Where a file of the memory that is no page is copied to."""
    return f"{ASSETS}{path}"


INDEX_URI = "index/"


def split_anchor(uri: str) -> tuple[str, str, str]:
    """A site URI as its path, `#` or nothing, and its anchor.

    An anchor follows a page's final `/` at once: in `notes/C# or D/` and `assets/memory/a#b.png` the `#` is a name's.
    """
    head, slash, tail = uri.rpartition("/")
    return (head + slash, "#", tail[1:]) if tail.startswith("#") else (uri, "", "")


def quote_uri(uri: str) -> str:
    """A site URI (`topics/博客项目/`, perhaps with an anchor) percent-encoded for an href."""
    path, mark, fragment = split_anchor(uri)
    return quote(path, safe=_SAFE) + mark + quote(fragment, safe=_SAFE)


def relative_url(uri: str, page: str) -> str:
    """The href that leads from the page at site URI `page` to `uri`, both percent-encoded nowhere.

    `relative_url("topics/a/", "daily/2025-03-20/")` is `../../topics/a/`; home is `../../`, the page itself `./`.
    """
    names, rest = _address(uri)
    folders = _folders(page)
    if names is None or folders is None:
        return _url_of_unusual(uri, page)
    shared = 0
    for name, folder in zip(names, folders, strict=False):
        if name != folder:
            break
        shared += 1
    way = "/".join([*[".."] * (len(folders) - shared), *names[shared:]])
    return way + rest if way or not rest.startswith("/") else f".{rest}"


@lru_cache(16_384)
def _address(uri: str) -> tuple[Sequence[str] | None, str]:
    """The names in a site URI, percent-encoded, and what stands behind them; None for names that go somewhere else."""
    path, mark, fragment = split_anchor(uri)
    names = None if _UNUSUAL.search(f"/{path}") else _quoted(path.removesuffix("/")).split("/") if path else ()
    return names, ("/" if path.endswith("/") or not path else "") + mark + _quoted(fragment)


@lru_cache(256)
def _folders(page: str) -> Sequence[str] | None:
    """The folders that a page is in, as `_address` has names."""
    return None if _UNUSUAL.search(f"/{page}") else _quoted(page).split("/")[:-1]


def _url_of_unusual(uri: str, page: str) -> str:
    path, mark, fragment = split_anchor(uri)
    relative = posixpath.relpath("/" + path, posixpath.dirname("/" + page))
    relative = "" if relative == "." else relative
    if path.endswith("/") or not path:
        relative = f"{relative}/" if relative else "./"
    return _quoted(relative) + mark + _quoted(fragment)


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else quote(text, safe=_SAFE)


def site_addresses(memory: Memory, config: Config) -> Mapping[PurePosixPath, str]:
    """The site URI of every file of the memory, by workspace-relative path."""
    found: dict[PurePosixPath, str] = {path: asset_uri(path) for path in memory.assets if is_published_asset(path)}
    found |= {page.path: note_uri(page.site_path) for page in memory.pages}
    found |= {note.path: day_uri(note.day) for note in memory.notes}
    found |= {log.path: session_day_uri(log.day) for log in memory.session_logs}
    for topic in memory.topics:
        found |= {item.path: generation_uri(item.topic, item.number) for item in topic.generations}
    if memory.index.blob is not None:
        found[config.index_path] = INDEX_URI
    return MappingProxyType(found)


class LinkResolver:
    """What the links of memory files mean on the site. Made once for a memory; `for_page` gives `Resolve` functions."""

    def __init__(self, memory: Memory, config: Config) -> None:
        self.addresses = site_addresses(memory, config)
        """May be replaced, before the first look-up, by one that knows more files."""
        self.find_anchor: Callable[[PurePosixPath, str], str | None] = lambda _path, fragment: fragment
        """The anchor that a fragment means on the page of a file, None where it means none; may be replaced, too."""
        self._memory = memory
        self._memory_folder = config.memory

    @cached_property
    def _names(self) -> tuple[Mapping[str, Target], Mapping[str, Target]]:
        """What a wikilink may call each page, letter by letter and in small letters; the first of a name has it."""
        exact: dict[str, Target] = {}
        folded: dict[str, Target] = {}
        for name, target in _named(self._memory, self.addresses):
            exact.setdefault(_bare(name), target)
            folded.setdefault(_fold(name), target)
        return exact, folded

    def _named_page(self, name: str) -> Target | None:
        exact, folded = self._names
        return exact.get(_bare(name)) or folded.get(_fold(name))

    @cached_property
    def _paths(self) -> Mapping[str, Target]:
        """The addresses by plain strings: a text may have 100,000 links, and making a path of each takes seconds."""
        return {str(path): (uri, path) for path, uri in self.addresses.items()}

    def find(self, source: PurePosixPath, href: str) -> str | None:
        """The site URI (with fragment) of a link written in file `source`; None when it leads nowhere.

        Tried in order: relative to the file, to the memory folder (what INDEX.md and generations write), to the
        workspace. A wikilink `[[name]]` is looked up by topic, path, file name without its suffix, and title.
        """
        (uri, path), fragment = self.find_target(source, href)
        if not (uri and uri.endswith("/") and fragment):
            return uri
        anchor = self.find_anchor(path, fragment) if path else fragment
        return None if anchor is None else f"{uri}#{anchor}" if anchor else uri

    def find_target(self, source: PurePosixPath, href: str) -> tuple[Target | tuple[None, None], str]:
        """The page of a link and its file, where it shows one, and what is behind the `#`."""
        if href.startswith("[[") and href.endswith("]]"):
            return self._find_wiki(href[2:-2])
        path, _, fragment = href.partition("#")
        path = unquote(path.partition("?")[0])
        found = self._find_path(source, path) if path and "\0" not in path else None
        return found or (None, None), unquote(fragment)

    def _find_path(self, source: PurePosixPath, path: str) -> Target | None:
        bases = ("",) if path.startswith("/") else (str(source.parent), str(self._memory_folder), "")
        for base in bases:
            joined = posixpath.normpath(posixpath.join(base, path.lstrip("/")))
            for name in (joined, f"{joined}.md"):
                target = self._paths.get(name)
                if target is not None:
                    return target
        return None

    def _find_wiki(self, target: str) -> tuple[Target | tuple[None, None], str]:
        whole = self._named_page(target)
        if whole is not None:
            return whole, ""
        name, _, fragment = target.partition("#")
        return self._named_page(name) or (None, None), fragment_anchor(fragment) if fragment.strip() else ""

    def for_page(self, source: PurePosixPath, page_uri: str) -> _PageResolver:
        """A `Resolve` for the text of file `source`, shown on the page at `page_uri`."""
        return _PageResolver(self, source, page_uri)


class _PageResolver:
    """`LinkResolver.find` for one file on one page, as relative URLs."""

    def __init__(self, resolver: LinkResolver, source: PurePosixPath, page_uri: str) -> None:
        self._resolver = resolver
        self._source = source
        self._page_uri = page_uri

    def __call__(self, href: str) -> str | None:
        uri = self._resolver.find(self._source, href)
        return None if uri is None else relative_url(uri, self._page_uri)


def _bare(name: str) -> str:
    return name.strip().removesuffix(".md")


def _fold(name: str) -> str:
    return _bare(name).casefold()


def _named(memory: Memory, addresses: Mapping[PurePosixPath, str]) -> Iterable[tuple[str, Target]]:
    """Every name of every page: topics, then paths, file names, titles."""
    yield from ((topic.slug, (topic_uri(topic.slug), None)) for topic in memory.topics)
    yield from ((alias, (topic_uri(topic.slug), None)) for topic in memory.topics for alias in topic.aliases)
    yield from ((str(path), (uri, path)) for path, uri in addresses.items())
    yield from ((str(page.site_path), (addresses[page.path], page.path)) for page in memory.pages)
    yield from _labelled_days(addresses)
    yield from ((path.name, (uri, path)) for path, uri in sorted(addresses.items()))
    yield from ((page.title, (addresses[page.path], page.path)) for page in memory.pages)


def _labelled_days(addresses: Mapping[PurePosixPath, str]) -> Iterable[tuple[str, Target]]:
    """Days of which no note is called by the day alone, before session logs that are: with the first of their notes."""
    names = ((path, uri, parse_day_name(path.name)) for path, uri in sorted(addresses.items()))
    notes = [(path, uri, *name) for path, uri, name in names if name and uri == day_uri(name[0])]
    own = {day for _, _, day, label in notes if not label}
    yield from ((day.isoformat(), (uri, path)) for path, uri, day, _ in notes if day not in own)
