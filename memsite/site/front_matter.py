"""The block between `---` lines at the head of a note, read as a person wrote it.

YAML would turn `topic: no`, `gen: 010` and `ver: 1.10` into other values; here every scalar stays the text that it is.
"""

from __future__ import annotations

import json
import re

import yaml

Pairs = tuple[tuple[str, str], ...]

MAX_BYTES = 8 * 1024
MAX_BRACKETS = 200
"""Flow collections past this are no front matter; 5,000 brackets keep a YAML parser busy for seconds."""
_BLOCK = re.compile(r"---[ \t]*\r?\n(?P<inner>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_PAIR = re.compile(r"(?P<key>[^\s:#-][^:\n]*):(?:[ \t]+(?P<rest>.*))?")


def split_front_matter(text: str) -> tuple[Pairs, str]:
    """The pairs of a note's front matter, and the text below it.

    The text below starts with as many empty lines as the block had, so that its line numbers stay those of the file.
    Without front matter: no pairs and the text itself.
    """
    match = _BLOCK.match(text[: MAX_BYTES + 16])
    if not match or len(match["inner"].encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return (), text
    pairs = _yaml_pairs(match["inner"]) or _line_pairs(match["inner"])
    if not pairs:
        return (), text
    return pairs, "\n" * match[0].count("\n") + text[match.end() :]


def _yaml_pairs(inner: str) -> Pairs:
    if inner.count("[") + inner.count("{") > MAX_BRACKETS:
        return ()
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(inner, Loader=yaml.SafeLoader)):
            return ()
        value = yaml.load(inner, Loader=yaml.BaseLoader)  # noqa: S506 - builds strings, lists, mappings only
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return ()
    if not isinstance(value, dict):
        return ()
    return tuple((_shown(key), _shown(item)) for key, item in value.items())


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _line_pairs(inner: str) -> Pairs:
    """`key: rest` lines; a line that is none belongs to the one before. Nothing when the first line is none."""
    pairs: list[tuple[str, str]] = []
    for line in inner.splitlines():
        match = _PAIR.fullmatch(line.rstrip())
        if match:
            pairs.append((match["key"].strip(), match["rest"] or ""))
        elif pairs:
            key, rest = pairs[-1]
            pairs[-1] = (key, f"{rest}\n{line.rstrip()}".strip("\n"))
        elif line.strip():
            return ()
    return tuple(pairs)
