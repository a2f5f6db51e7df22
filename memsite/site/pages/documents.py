"""Files of the memory as documents of a page: whole, in parts, and what their links depend on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memsite.memory.snapshot import Blob
from memsite.site.front_matter import Pairs, split_front_matter
from memsite.site.links import LinkResolver
from memsite.site.markdown_names import NAMED_DAY, NAMED_FILE, NAMED_TOPIC, day_file
from memsite.site.pages.views import Document
from memsite.values import replace

_DESTINATION = re.compile(r"\]\(\s*<?([^\s)>]+)|\]:\s*<?([^\s>]+)|(\[\[[^\[\]\n]{1,400}\]\])")
_OUTSIDE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TITLE = re.compile(r" {0,3}#[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*")
LONG = 40_000
"""Characters of a text from which on its rest is folded."""
SHOWN_LINES = 150
"""Lines of it that are not."""
SHOWN_LENGTH = 12_000
"""Characters of those lines."""


def whole_document(
    resolver: LinkResolver, path: PurePosixPath, blob: Blob, *, prefix: str = "", anchored: bool = False
) -> Document:
    """The whole text of a file."""
    return text_document(resolver, path, blob.id, blob.text, prefix=prefix, anchored=anchored, cut=cut_words(blob))


def naming_document(resolver: LinkResolver, path: PurePosixPath, blob: Blob) -> Document:
    """The whole text of a file that names topics and files without linking them, as INDEX.md does."""
    document = whole_document(resolver, path, blob, anchored=True)
    text = "" if blob.cut else blob.text
    hrefs = [match[0] for match in NAMED_FILE.finditer(text)]
    hrefs += [day_file(match[0]) for match in NAMED_DAY.finditer(text)]
    hrefs += [f"[[{match[1]}]]" for match in NAMED_TOPIC.finditer(text)]
    named = (resolver.find(path, href) or "?" for href in hrefs)
    return replace(document, targets=(*document.targets, *named), names=True)


def noted_document(resolver: LinkResolver, path: PurePosixPath, blob: Blob, *titles: str) -> tuple[Pairs, Document]:
    """The front matter of a note, and the text below it with the line numbers of the file, less one of `titles`."""
    pairs, text = split_front_matter(blob.text)
    text = without_title(text, *titles)
    return pairs, text_document(resolver, path, blob.id, text, anchored=True, cut=cut_words(blob))


def fold_long(document: Document) -> tuple[Document, int]:
    """The document, parted where a long text's rest begins, and the lines of that rest; 0: it is not that long."""
    if len(document.text) <= LONG or document.split or document.cut:
        return document, 0
    lines = document.text.split("\n")
    shown, length = 0, 0
    while shown < min(len(lines), SHOWN_LINES) and length < SHOWN_LENGTH:
        length += len(lines[shown]) + 1
        shown += 1
    rest = len(lines) - shown
    return (replace(document, split=shown), rest) if rest else (document, 0)


def text_document(
    resolver: LinkResolver,
    path: PurePosixPath,
    blob_id: str,
    text: str,
    *,
    part: tuple[int, int] = (0, 0),
    prefix: str = "",
    anchored: bool = False,
    split: int = 0,
    cut: str = "",
) -> Document:
    """A text made from the file `path` whose content is blob `blob_id`; `part` tells two such texts apart.

    One that is `cut` is shown as it is, so that it has no links, no anchors and no parts.
    """
    if cut:
        return Document(path, blob_id, text, part, cut=cut)
    targets = tuple(link_targets(resolver, path, text))
    return Document(path, blob_id, text, part, targets, prefix, anchored, split)


def cut_words(blob: Blob) -> str:
    """How long a text is of which only the beginning is read; empty for a whole one."""
    return blob.cut.words if blob.cut else ""


def link_targets(resolver: LinkResolver, path: PurePosixPath, text: str) -> Iterator[str]:
    """Where everything in `text` that looks like a link leads, each address once; `?` where it leads nowhere.

    A link's meaning changes when other files come and go, so it belongs to a page's key; parsing every note for it
    would cost as much as rendering all pages.
    """
    written = dict.fromkeys(match[1] or match[2] or match[3] for match in _DESTINATION.finditer(text))
    for href in (_ESCAPE.sub(r"\1", one) for one in written):
        if not _OUTSIDE.match(href):
            yield resolver.find(path, href) or "?"


def without_title(text: str, *titles: str) -> str:
    """The text with its leading `# ` heading emptied, if that says one of `titles`: the page says it already."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    match = _TITLE.fullmatch(lines[first].removesuffix("\r")) if first is not None else None
    if first is None or not match or _folded(match["title"]) not in {_folded(title) for title in titles}:
        return text
    lines[first] = ""
    return "\n".join(lines)


def _folded(title: str) -> str:
    return " ".join(title.casefold().split())


def last_line_with_text(text: str) -> int:
    """The last line on which a line anchor stands: 1-based, comments and blank lines at the end left out."""
    lines = text.split("\n")
    for number in range(len(lines), 0, -1):
        line = lines[number - 1].strip()
        if line and not (line.startswith("<!--") and line.endswith("-->")):
            return number
    return 0
