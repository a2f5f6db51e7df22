"""Files that live at the top of the repository and travel inside the wheel: the git hook and the site configuration."""

from __future__ import annotations

from pathlib import Path

from memsite.errors import MemsiteError

_PACKAGE = Path(__file__).parent


def read_shipped(name: str) -> str:
    """The text of `hooks/memsite-hook` or `mkdocs.yml`: from the installed package, else from an editable checkout.

    Raises MemsiteError when the installation is incomplete.
    """
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise MemsiteError(f"{name} is missing from this installation", hint="install memsite again")
