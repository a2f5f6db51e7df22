"""The versions of a published site: `latest` and snapshots of the past, beside each other, each in a folder of its own.

`versions.json` has the format of mike, which Material's selector reads. A version that a person asked for by name is
`pinned` there, with its commit: the next publication makes it again, with what must not be shown by then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from memsite.safety.csp import CONTENT_SECURITY_POLICY
from memsite.values import dataclass

LATEST = "latest"
LIST = "versions.json"
_NAME = re.compile(r"(?![.-])(?!.*\.(?:html|json|xml|txt)$)[\w.+-]{1,60}", re.ASCII)
NAME_RULE = "letters from a to z without accents, digits, and `.`, `-`, `_`, `+` within, at most 60"
"""The same for people."""
_COMMIT = re.compile("[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True)
class Version:
    """One state of the memory that is published."""

    name: str
    """The folder of its site."""
    commit: str
    pinned: bool = False
    """Asked for by name; else it comes and goes with the settings."""


def is_version_name(name: str) -> bool:
    """Whether a name can be a folder of every host, and no file of the site's root."""
    return bool(_NAME.fullmatch(name)) and name.lower() not in {LATEST, "cname", "assets"}


def folder_name(tag: str) -> str | None:
    """The folder of a tag's version: `/` is `-`; None for a name that no folder can have."""
    name = tag.replace("/", "-")
    return name if is_version_name(name) else None


def choose_versions(found: Sequence[Version], pinned: Iterable[Version], keep: int) -> tuple[Version, ...]:
    """The newest `keep` of those `found`, newest first, then those pinned; a name is there once, and pinned wins."""
    named = {one.name: one for one in pinned}
    others = list({one.name: one for one in reversed(found) if one.name not in named}.values())[::-1]
    return (*others[:keep], *named.values())


def format_versions(versions: Iterable[Version], latest: str) -> bytes:
    """`versions.json`: `latest`, at the commit `latest`, then the others as they are given."""
    entries = [_entry(Version(LATEST, latest)), *map(_entry, versions)]
    return (json.dumps(entries, indent=1) + "\n").encode()


def _entry(version: Version) -> dict[str, object]:
    properties = {"commit": version.commit} | ({"pinned": True} if version.pinned else {})
    return {"version": version.name, "title": version.name, "aliases": [], "properties": properties}


def parse_pinned(data: bytes) -> tuple[Version, ...]:
    """The pinned versions of a `versions.json`. What is not of this form is none: others may have written there."""
    try:
        entries = json.loads(data)
    except (ValueError, RecursionError):
        return ()
    found = (_pinned(entry) for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()
    return tuple(one for one in found if one is not None)


def _pinned(entry: dict[str, object]) -> Version | None:
    name, properties = entry.get("version"), entry.get("properties")
    if not isinstance(properties, dict) or properties.get("pinned") is not True:
        return None
    commit = properties.get("commit")
    if not (isinstance(name, str) and isinstance(commit, str) and is_version_name(name) and _COMMIT.fullmatch(commit)):
        return None
    return Version(name, commit, pinned=True)


def front_page() -> bytes:
    """The page at the root, which leads on to the latest version."""
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">\n'
        f'<meta http-equiv="refresh" content="0; url={LATEST}/">\n'
        f'<title>Latest version</title>\n<p><a href="{LATEST}/">The latest version</a></p>\n</html>\n'
    ).encode()
