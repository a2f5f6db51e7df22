"""Python's cycle collector, held back while a site is built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (100_000, 20, 100)
"""Values until a look at the youngest, such looks until one at those that outlived it, such until one at all."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look for garbage in cycles not at all until `begin_collecting`, then rarely: a build makes millions of values
    that live until its end, and few cycles.

    By default all living ones are looked through again and again, an eighth of a build's time. Without any look a long
    clean build would keep the cycles that libraries leave.
    """
    before, was_enabled = gc.get_threshold(), gc.isenabled()
    gc.set_threshold(*RARELY)
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
        if was_enabled:
            gc.enable()


def begin_collecting() -> None:
    """All that a build has read is there, and is kept out of every look; what it makes of that is not kept."""
    gc.freeze()
    gc.enable()
