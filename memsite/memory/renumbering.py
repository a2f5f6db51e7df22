"""A generation that gets another number before it is pushed (FORMATS, "A generation").

Two machines may both make generation 2. What one of them has not pushed yet becomes 3: its file name, its title, its
**Previous**, and every line that names the file: markers in daily notes, INDEX.md, later generations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from memsite.memory.lines import decode_text, encode_text
from memsite.memory.names import GenerationName, format_generation_name
from memsite.values import dataclass, replace

_NAME = re.compile(r"(?<![\w-])[^\s/\\\"'`<>()\[\]]+-gen[1-9][0-9]{0,5}-[0-9]{4}-[0-9]{2}-[0-9]{2}\.md(?![\w-])")
_TITLE = re.compile(r"(?m)^( {0,3}#(?!#)[^\n]*\bGeneration\s+)[0-9]+")
_PREVIOUS = re.compile(r"(?mi)^(\s*(?:[-*+] )?\*{0,2}Previous\*{0,2}\s*:\*{0,2}[ \t]*)[^\r\n]*")
_FIELD = re.compile(r"(?mi)^\s*(?:[-*+] )?\*{0,2}(?:Covers|Created)\*{0,2}\s*:[^\r\n]*(\r?\n|$)")
_SECTION = re.compile(r"(?m)^ {0,3}##(?:[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Renumbered:
    """One generation under its new number."""

    old: GenerationName
    new: GenerationName

    @property
    def old_file(self) -> str:
        """The file name that it had."""
        return format_generation_name(self.old)

    @property
    def new_file(self) -> str:
        """The file name that it has now."""
        return format_generation_name(self.new)


def plan_renumbering(
    mine: Iterable[GenerationName], taken: Iterable[GenerationName], known_numbers: Iterable[int]
) -> tuple[Renumbered, ...]:
    """New numbers for a topic's unpushed generations, from the first on whose number another one has.

    `mine` are the unpushed ones, `taken` those of the remote, `known_numbers` all others that are in use.
    """
    own = sorted(mine, key=lambda name: (name.number, name.day))
    numbers = {name.number for name in taken}
    first = next((at for at, name in enumerate(own) if name.number in numbers), None)
    if first is None:
        return ()
    last = max([*numbers, *known_numbers, *(name.number for name in own[:first])])
    return tuple(Renumbered(name, replace(name, number=last + 1 + at)) for at, name in enumerate(own[first:]))


def renumber_mentions(data: bytes, renumbered: Mapping[str, Renumbered]) -> bytes:
    """A file with every renumbered generation (by its old file name) called by its new name, and its number in front.

    The label `gen2` of a line that names the file becomes `gen3`. Nothing to do gives the same bytes.
    """
    if b"-gen" not in data:
        return data
    text = decode_text(data)
    lines = [_renumber_line(line, renumbered) for line in text.split("\n")]
    return encode_text("\n".join(lines))


def renumber_generation(
    data: bytes, one: Renumbered, renumbered: Mapping[str, Renumbered], previous: PurePosixPath | None
) -> bytes:
    """A generation's document under its new number. `previous` (relative to the memory) replaces its **Previous**."""
    text = decode_text(renumber_mentions(data, renumbered))
    text = _TITLE.sub(rf"\g<1>{one.new.number}", text, count=1)
    text = _relabelled(text, one, renumbered)
    return encode_text(text if previous is None else _with_previous(text, previous))


def _renumber_line(line: str, renumbered: Mapping[str, Renumbered]) -> str:
    found = [renumbered[name] for name in _NAME.findall(line) if name in renumbered]
    if not found:
        return line
    line = _NAME.sub(lambda match: renumbered[match[0]].new_file if match[0] in renumbered else match[0], line)
    head, separator, rest = line.partition(":")
    label = re.compile(rf"(?<![\w-])(gen(?:eration)?\s?){found[0].old.number}(?![\w-])", re.IGNORECASE)
    return label.sub(rf"\g<1>{found[0].new.number}", head, count=1) + separator + rest


def _relabelled(text: str, one: Renumbered, renumbered: Mapping[str, Renumbered]) -> str:
    """Source lines `- gen2: …` of an earlier generation that was renumbered as well."""
    numbers = {
        other.old.number: other.new.number
        for other in renumbered.values()
        if other.old.topic == one.old.topic and other.old.number < one.old.number
    }

    def label(match: re.Match[str]) -> str:
        return match[1] + str(numbers.get(int(match[2]), int(match[2])))

    kept = (line if _NAME.search(line) else _LABEL.sub(label, line) for line in text.split("\n"))
    return "\n".join(kept)


_LABEL = re.compile(r"^(\s*[-*+]\s+\**gen(?:eration)?\s?)([0-9]{1,6})(?=\**\s*[:：])", re.IGNORECASE)


def _with_previous(text: str, previous: PurePosixPath) -> str:
    section = _SECTION.search(text)
    end = section.start() if section else len(text)
    head, rest = text[:end], text[end:]
    if _PREVIOUS.search(head):
        return _PREVIOUS.sub(lambda match: match[1] + str(previous), head, count=1) + rest
    fields = list(_FIELD.finditer(head))
    if not fields:
        return text
    at, newline = fields[-1].end(), fields[-1][1] or "\n"
    return f"{head[:at]}**Previous**: {previous}{newline}{head[at:]}{rest}"
