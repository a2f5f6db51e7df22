"""What looks like a secret and is none: entries of `allow` in memsite.toml, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from memsite.config import Allowed

Allows = Callable[[str, str], bool]
"""Whether a rule's finding of a value is let pass."""
_PREFIX = "sha256:"


def fingerprint(value: str) -> str:
    """A name for a value, to allow it by without writing it into a file."""
    from hashlib import sha256  # only who has such entries pays for it

    return _PREFIX + sha256(value.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def allows(entries: Iterable[Allowed], path: PurePosixPath | None = None) -> Allows | None:
    """What the entries let pass in a file; None where they can let nothing pass. Without a path, values alone count."""
    here = tuple(one for one in entries if not one.path or (path is not None and _covers(one.path, path)))
    return (lambda rule, value: any(_fits(one, rule, value) for one in here)) if here else None


def _covers(written: str, path: PurePosixPath) -> bool:
    place = PurePosixPath(written.strip("/"))
    return path == place or place in path.parents


def _fits(entry: Allowed, rule: str, value: str) -> bool:
    if entry.rule and entry.rule != rule:
        return False
    return not entry.value or entry.value in (value, fingerprint(value))
