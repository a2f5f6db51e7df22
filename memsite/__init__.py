"""A git-backed static site generator for the memory of AI agents."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "estimate_tokens", "truncate_tokens"]

estimate_tokens: Callable[[str], int]
"""`estimate_tokens(text)`: the seed's token estimate."""
truncate_tokens: Callable[[str, int], str]
"""`truncate_tokens(text, budget)`: the longest beginning of a text within a budget of tokens."""


def __getattr__(name: str) -> Any:
    """The public functions, imported when first asked for: a hook must not pay for what it does not use."""
    if name in __all__:
        return getattr(import_module("memsite.capture.tokens"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
