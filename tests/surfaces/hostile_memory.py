"""A memory in which every text that a person or an agent can write is hostile, and its history is, too.

Few large pages: many payloads stand on each, so that one build shows all of them everywhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath

from memsite.repo.objects import FILE_MODE, TREE_MODE, GitObject, TreeEntry, format_tree, object_id, store_objects
from memsite.site.front_matter import MAX_BYTES

FIRST_DAY = date(2025, 3, 1)
PER_TEXT = 400
"""Payloads in a long text."""
PER_POINT = 4
"""In a heading, a point, a session: each costs a build more than its letters do."""
PER_COMMIT = 30
LONGEST_NAME = 190
"""Bytes of a file's name and characters of a title: file systems take 255, and a title is cut at 200."""
ADDRESS = 'https://memory.example/"onclick=alert(1)//<script>alert(1)</script>&amp;/'
"""Of the site and of the repository: an address to MkDocs, and a payload."""
MARKS = re.compile(r"[!-/:-@\[-`{-~]")


@dataclass(frozen=True)
class HostileMemory:
    """The workspace, and what is where in it."""

    root: Path
    payloads: tuple[str, ...]
    naughty: Mapping[str, str]
    """File by workspace path -> the string that is its name where file systems take it, its title, its text, and the
    message and author of the commit that wrote it."""


def write_hostile_memory(root: Path, payloads: Sequence[str], naughty: Sequence[str]) -> HostileMemory:
    """Write the files and the history of such a memory into the repository at `root`."""
    history = _History(root)
    texts = groups(payloads, PER_TEXT)
    if len(texts[-1]) < PER_TEXT / 4:
        texts[-2:] = [(*texts[-2], *texts[-1])]
    for files in _files(texts, payloads, naughty):
        history.commit(files, "note: a file", "Ada")
    for number, group in enumerate(groups(payloads, PER_COMMIT)):
        subject, body = " ".join(group[:3]), "\n".join(group)
        history.commit({f"memory/log/{number % 50}.md": f"{number}\n"}, f"{subject}\n\n{body}\n", " ".join(group[3:6]))
    history.commit({"memory/deleted.md": None}, "delete", "Ada")
    named = {f"memory/naughty/{_naughty_name(text, at)}.md": text for at, text in enumerate(naughty)}
    for path, text in named.items():
        history.commit({path: f"# {MARKS.sub(_escape, text)}\n\n{_fenced(text)}"}, text, text)
    history.finish()
    (root / "mkdocs.yml").write_text(_settings(payloads), encoding="utf-8")
    (root / "memsite.toml").write_text('timezone = "UTC"\n', encoding="utf-8")
    return HostileMemory(root, tuple(payloads), named)


def _escape(mark: re.Match[str]) -> str:
    return "\\" + mark[0]


def _naughty_name(text: str, at: int) -> str:
    """The string as it is, where a file system takes it, and its number where not."""
    fits = len(text.encode("utf-8", "surrogatepass")) < 250 and not {"/", "\0"} & set(text)
    return text if fits and text.strip(". ") and not text.startswith(".") else str(at)


def groups(payloads: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """So many of them each time."""
    return [tuple(payloads[at : at + size]) for at in range(0, len(payloads), size)]


def file_name(payload: str) -> str:
    """The payload as a file's name, as far as file systems take it; "" when nothing is left."""
    name = _flat(payload)[:LONGEST_NAME].decode("utf-8", "ignore")
    return "".join(one for one in name if one.isprintable()).strip(". ")


def _flat(payload: str) -> bytes:
    return payload.replace("/", "∕").encode("utf-8", "replace")


LONGEST_KEY = 900


def _settings(payloads: Sequence[str]) -> str:
    quoted = [one.replace("'", "''") for one in payloads if one.isprintable()][:60]
    name, about, author, rights = ("".join(quoted[at::5]) for at in range(4))
    nav = ""  # a key: YAML takes 1,024 characters of it
    for one in quoted[4::5]:
        nav += one if len(nav) + len(one) < LONGEST_KEY else ""
    return (
        f"site_name: '{name}'\nsite_description: '{about}'\nsite_author: '{author}'\ncopyright: '{rights}'\n"
        f"site_url: '{ADDRESS}'\nrepo_url: '{ADDRESS}'\n"
        "theme: {name: material, font: false}\nplugins: [memsite]\nextra: {scope: /}\n"
        f"nav:\n  - '{nav}': bodies/0.md\n  - '{nav} section':\n    - '{nav} inner': headings/0.md\n"
    )


def _files(
    texts: Sequence[Sequence[str]], payloads: Sequence[str], naughty: Sequence[str]
) -> Iterator[dict[str, str | None]]:
    slugs = "".join(f"- **{text}**: [2025-03-01]\n" for text in naughty)
    yield {"memory/deleted.md": f"# {payloads[0]}\n\n{payloads[1]}\n", "memory/INDEX.md": _index(texts) + slugs}
    yield {f"memory/bodies/{at}.md": _body(group) for at, group in enumerate(texts)}
    yield {f"memory/fences/{at}.md": _fences(group) for at, group in enumerate(texts)}
    yield {f"memory/headings/{at}.md": _headings(group) for at, group in enumerate(texts)}
    yield {f"memory/fronts/{at}.md": _front(group) for at, group in enumerate(_fitting(payloads))}
    yield _named(payloads)
    for at, group in enumerate(texts):
        day = FIRST_DAY + timedelta(days=at)
        yield {f"memory/{day}.md": f"# {group[0]}\n\n{_points(group)}"}
        yield {f"memory/sessions/{day}.md": _sessions(day, group)}
    for number in (1, 2, 3):
        yield {
            f"memory/consolidated/topic-{at}-gen{number}-{FIRST_DAY + timedelta(days=number)}.md": _generation(
                group, number, FIRST_DAY + timedelta(days=at - 1)
            )
            for at, group in enumerate(texts, start=1)
        }


def _named(payloads: Sequence[str]) -> dict[str, str | None]:
    """Files whose names and titles are payloads, as many in each as fit, in folders of such names."""
    names: dict[str, str] = {}
    group: list[str] = []
    for one in payloads:
        if group and len(_flat(" ".join([*group, one]))) > LONGEST_NAME:
            names[file_name(" ".join(group)) or "empty"] = " ".join(group)
            group = []
        group.append(one)
    names[file_name(" ".join(group)) or "last"] = " ".join(group)
    folders = list(names)[::20]
    return {
        f"memory/names/{folders[at // 20]}/{name}.md": f"# {MARKS.sub(_escape, title)}\n\nText.\n"
        for at, (name, title) in enumerate(names.items())
    }


def _fitting(payloads: Sequence[str]) -> Iterator[list[str]]:
    """As many as front matter may have: what is longer is a text, of which Markdown takes a few apart."""
    group: list[str] = []
    for one in payloads:
        if group and len(_front([*group, one]).encode("utf-8", "replace")) > MAX_BYTES - 100:
            yield group
            group = []
        group.append(one)
    yield group


def _front(group: Sequence[str]) -> str:
    pairs = "".join(f"key{at}: {one}\n" for at, one in enumerate(group))
    return f"---\ntitle: {group[0]}\n{pairs}---\nText.\n"


def _index(texts: Sequence[Sequence[str]]) -> str:
    lines = ["# Memory Index", ""]
    for at, group in enumerate(texts, start=1):
        made = [f"consolidated/topic-{at}-gen{number}-{FIRST_DAY + timedelta(days=number)}.md" for number in (1, 2, 3)]
        words = " ".join(group[:20])
        lines += [f"## {group[0]}", f"- **topic-{at}**", f"  - Dates: [{FIRST_DAY + timedelta(days=at - 1)}]"]
        lines += [f"  - Aliases: [{group[1]}, {group[2]}]", f"  - Description: {words}", "  - Consolidations:"]
        lines += [f"    - gen{number} ({path[-13:-3]}): {path}" for number, path in enumerate(made, start=1)]
        lines += [f"  - Current: {made[-1]}"]
        lines += [f"- **{one}**: [2025-03-01]" for one in group[20:40]] + [f"- {one}" for one in group[40:60]]
    return "\n".join(lines) + "\n"


def _body(group: Sequence[str]) -> str:
    """Each as text, as a link's and an image's destination, as a title, in a list that ends what it leaves open."""
    return "# Body\n\n" + "".join(f'- {one}\n- [x](<{one}>) ![x]({one} "{one}")\n' for one in group)


def _joined(group: Sequence[str]) -> list[str]:
    return [" ".join(some) for some in groups(group, PER_POINT)]


def _points(group: Sequence[str]) -> str:
    return "".join(f"- {one} [2025-03-01]\n" for one in _joined(group))


def _fences(group: Sequence[str]) -> str:
    return "# Fences\n\n" + "".join(map(_fenced, group))


def _fenced(text: str) -> str:
    return f"~~~~~~~~~~ {text[:60]}\n{text}\n~~~~~~~~~~\n\n"


def _headings(group: Sequence[str]) -> str:
    return "# Headings\n\n" + "".join(f"## {one}\n\n" for one in _joined(group))


def _sessions(day: date, group: Sequence[str]) -> str:
    entries = (
        f"### 10:00\n<!-- memsite:session id={one[:40]} agent={one[:40]} -->\n- **Topic:** {one}\n"
        f"- **Project:** {one[:60]}\n- **Messages:** 1 user / 1 assistant\n- **Est. tokens:** ~1K\n\n"
        for one in _joined(group)
    )
    return f"# Session Log — {day}\n\n" + "".join(entries)


def _generation(group: Sequence[str], number: int, day: date) -> str:
    """Each generation has two thirds of the payloads, as points: neighbours differ in many of them."""
    lines = _joined(group)
    third = max(len(lines) // 3, 1)
    kept = [*lines[third * (number - 1) :], *lines[: third * (number - 1)]][: 2 * third]
    points = "".join(f"- {one} [{day}]\n" for one in kept[: third * 2 - 9])
    decided = "".join(f"- {one}\n" for one in kept[third * 2 - 9 :])
    return (
        f"# {group[0]} - Generation {number} Consolidation\n\n**Created**: {group[1]}\n"
        f"**Covers**: {day} to {day}\n\n## Summary\n{group[2]} {kept[0]}\n\n## Key Points\n{points}\n"
        f"## {group[3]}\n- {kept[1]}\n\n## Decisions Made\n{decided}\n## Current Status\n{kept[2]}\n\n"
        f"## Source References\n- {day}: {kept[3]}\n- {kept[4]}\n"
    )


class _History:
    """Commits made of objects: git's porcelain would not take such names and authors, an attacker's program does."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[PurePosixPath, str] = {}
        self._folders: dict[PurePosixPath, dict[bytes, TreeEntry]] = {PurePosixPath(): {}}
        self._objects: dict[str, GitObject] = {}
        self._tip = ""
        self._at = datetime(2025, 3, 1, 8, tzinfo=UTC)

    def commit(self, files: dict[str, str | None], message: str, author: str) -> None:
        for path, text in ((PurePosixPath(name), text) for name, text in files.items()):
            if text is None:
                del self._files[path], self._folders[path.parent][os.fsencode(path.name)]
            else:
                self._files[path] = self._store("blob", text.encode("utf-8", "surrogateescape"))
                entry = TreeEntry(FILE_MODE, self._files[path])
                self._folders.setdefault(path.parent, {})[os.fsencode(path.name)] = entry
        self._at += timedelta(minutes=20)
        who = f"{author.replace(chr(10), ' ')} <{author.split('>')[0].split('<')[0]}> {int(self._at.timestamp())} +0000"
        parent = f"parent {self._tip}\n" if self._tip else ""
        text = f"tree {self._tree(map(PurePosixPath, files))}\n{parent}author {who}\ncommitter {who}\n\n{message}"
        self._tip = self._store("commit", text.encode("utf-8", "surrogateescape"))

    def finish(self) -> None:
        """Into the repository, and the files into the work tree."""
        store_objects(self._root, self._root / ".git/objects", self._objects.values(), "sha1")
        (self._root / ".git" / "refs" / "heads" / "main").write_text(f"{self._tip}\n")
        for path, blob in self._files.items():
            place = self._root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self._objects[blob].data)

    def _store(self, kind: str, data: bytes) -> str:
        name = object_id(kind, data, "sha1")
        self._objects[name] = GitObject(name, kind, data)
        return name

    def _tree(self, changed: Iterable[PurePosixPath]) -> str:
        """The tree of the top, the folders above what changed made again."""
        name = ""
        for folder in sorted({above for path in changed for above in path.parents}, key=lambda one: -len(one.parts)):
            name = self._store("tree", format_tree(self._folders.setdefault(folder, {})))
            if folder.parts:
                entry = TreeEntry(TREE_MODE, name)
                self._folders.setdefault(folder.parent, {})[os.fsencode(folder.name)] = entry
        return name
