"""git's names of objects, without OpenSSL where nothing has loaded it yet: that takes as long as two answers of git."""

from __future__ import annotations

import sys


def digest(name: str, data: bytes) -> bytes:
    """The digest of some bytes; `name` is `sha1` or `sha256`."""
    if name == "sha1" and "hashlib" not in sys.modules:
        try:
            from _sha1 import sha1  # type: ignore[import-not-found]
        except ImportError:  # some interpreters are built without it
            pass
        else:
            made: bytes = sha1(data, usedforsecurity=False).digest()
            return made
    import hashlib

    return hashlib.new(name, data, usedforsecurity=False).digest()
