"""What public files say of private ones: names, paths and links, taken out of texts that are shown to others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from memsite.config import Config
from memsite.memory.private import folded
from memsite.memory.query import is_cjk
from memsite.values import dataclass

PRIVATE = "[private]"
_LINK = re.compile(r"!?\[[^\[\]]*\]\((?P<target><[^<>\n]*>|[^()\s]*)[^()]*\)|\[\[(?P<page>[^\[\]]+)\]\]")
_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]]+\]:[ \t]*(?P<target>\S+).*$", re.MULTILINE)
_PATH = re.compile(
    r"[^\s()\[\]<>{}\"'`*|,;，。、：；（）「」《》“”]*[./][^\s()\[\]<>{}\"'`*|,;，。、：；（）「」《》“”]*"
)
_ARCHIVED = re.compile(r"^[ \t]*<!--\s*ARCHIVED:[^\n]*?-->[ \t]*\r?\n?", re.MULTILINE | re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TITLE_WORDS, _TITLE_LETTERS, _TITLE_CJK = 3, 16, 6
"""What makes the title of a private file more than an ordinary word or two."""


@dataclass(frozen=True)
class PrivateNames:
    """The names that are not to be read anywhere."""

    config: Config
    topics: frozenset[str] = frozenset()
    """Slugs and aliases of private topics."""
    public: frozenset[str] = frozenset()
    """Names of public topics, which may have a private name in them."""
    paths: frozenset[PurePosixPath] = frozenset()
    """Private files, workspace-relative, those that are no more included, and private folders."""
    titles: frozenset[str] = frozenset()
    """Of private files."""
    shown: str = PRIVATE
    """What stands in the place of a name."""

    def __bool__(self) -> bool:
        return bool(self.paths or self._hidden)

    def mask(self, text: str) -> str:
        """The text with a placeholder for each name, path or link."""
        if self.paths:
            text = _REFERENCE.sub(lambda match: self._link(match, match["target"]), text)
            text = _LINK.sub(lambda match: self._link(match, match["target"] or match["page"]), text)
            text = _PATH.sub(self._path, text)
        if self._names is not None and self._quick.search(_encodable(text)):
            text = self._names.sub(lambda match: match[0] if match.lastgroup == "public" else self.shown, text)
        return text

    def markers(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a note has markers that name a private generation: whole lines."""
        found = _ARCHIVED.finditer(text) if self and "ARCHIVED" in text else ()
        return (match.span() for match in found if self.mask(match[0]) != match[0])

    def index_lines(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a text of INDEX.md has lines that say something of what is private."""
        start = 0
        for line in text.splitlines(keepends=True) if self else ():
            if self.mask(line) != line:
                yield start, start + len(line)
            start += len(line)

    def _link(self, match: re.Match[str], target: str) -> str:
        name = unquote(target).strip("<>").partition("|")[0].partition("#")[0].strip()
        return self.shown if name and self._is_private(name, bare=True) else match[0]

    def _path(self, match: re.Match[str]) -> str:
        whole = match[0].rstrip(".:!?")
        name = unquote(whole).partition("#")[0]
        return self.shown + match[0][len(whole) :] if self._is_private(name, bare=False) else match[0]

    def _is_private(self, name: str, *, bare: bool) -> bool:
        """Whether a name in a text leads to a private file; `bare` allows it to be no path, but a name alone."""
        path = folded(PurePosixPath(name.removeprefix("./")))
        parts = [part for part in path.parts if part not in ("..", "/", ".")]
        if not parts or (len(parts) == 1 and (_DAY.fullmatch(path.stem) or not (bare or path.suffix))):
            return False
        ends = {"/".join(parts[start:]) for start in range(len(parts))}
        if len(parts) > 1:
            ends = {end for end in ends if "/" in end}
        below = {"/".join(parts[:end]) for end in range(1, len(parts))}
        return not self._written.isdisjoint(ends) or not self._folders.isdisjoint(below)

    @cached_property
    def _written(self) -> frozenset[str]:
        """How private files may be written: by their path or the end of it, without suffix, too."""
        forms = {PurePosixPath(*path.parts[start:]) for path in self.paths for start in range(len(path.parts))}
        texts = {str(folded(one)) for form in forms for one in (form, form.with_suffix(""))}
        return frozenset(text for text in texts if not _DAY.fullmatch(text))

    @cached_property
    def _folders(self) -> frozenset[str]:
        """Private folders: the paths that other private paths lie in."""
        parents = {parent for path in self.paths for parent in path.parents}
        return frozenset(str(folded(one)) for path in parents & self.paths for one in (path, self._inner(path)))

    def _inner(self, path: PurePosixPath) -> PurePosixPath:
        memory = self.config.memory
        return path.relative_to(memory) if path.is_relative_to(memory) and path != memory else path

    @cached_property
    def _hidden(self) -> tuple[str, ...]:
        titles = (title for title in self.titles if _is_telling(title))
        return tuple(
            sorted({name for name in (*self.topics, *titles) if name.strip()}, key=lambda one: (-len(one), one))
        )

    @cached_property
    def _quick(self) -> Any:
        import re2  # there may be thousands of names, and most texts have none of them

        return re2.compile("(?i)" + "|".join(_words(_encodable(name)) for name in self._hidden))

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        if not self._hidden:
            return None
        kept = sorted((name for name in self.public if self._quick.search(_encodable(name))), key=len, reverse=True)
        kept = [name for name in kept if name not in self.topics]
        public = f"(?P<public>{_options(kept)})|" if kept else ""
        return re.compile(public + _options(self._hidden), re.IGNORECASE)


def _encodable(text: str) -> str:
    """The text with U+FFFD for each surrogate, which stands for a byte that is no UTF-8: re2 refuses those."""
    return _SURROGATE.sub("\ufffd", text)


def _is_telling(title: str) -> bool:
    """Whether it is seldom said by chance."""
    if sum(map(is_cjk, title)) >= _TITLE_CJK:
        return True
    return len(title) >= _TITLE_LETTERS and len(title.split()) >= _TITLE_WORDS


def _options(names: Iterable[str]) -> str:
    return "|".join(_whole(name) for name in names)


def _words(name: str) -> str:
    return r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", name.strip()) if word)


def _whole(name: str) -> str:
    """A name as whole words, spaces and underscores for `-` included; a CJK name wherever it stands."""
    start = "" if is_cjk(name.strip()) else r"(?<![^\W_])"
    end = "" if is_cjk(name.strip()[-1:]) else r"(?![^\W_])"
    return start + _words(name) + end
