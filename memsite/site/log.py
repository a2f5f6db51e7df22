"""MkDocs speaks through `logging`; a build collects its warnings as values."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

LOGGER = "mkdocs"
DIRTY_WARNING = "A 'dirty' build is being performed"
"""MkDocs' warning about incremental builds, whose accuracy we take care of; under `strict` it would stop them all."""


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _is_accurate(record: logging.LogRecord) -> bool:
    return DIRTY_WARNING not in record.getMessage()


@contextmanager
def deferred_warnings() -> Iterator[list[str]]:
    """The messages of warnings inside, which nobody else hears of until `tell` says them."""
    logger, collector = logging.getLogger(LOGGER), _Collector()
    handlers, logger.handlers = logger.handlers, [collector]
    propagate, logger.propagate = logger.propagate, False
    try:
        yield collector.messages
    finally:
        logger.handlers, logger.propagate = handlers, propagate


def tell(messages: Iterable[str]) -> None:
    """Say warnings that were deferred."""
    for message in messages:
        logging.getLogger(LOGGER).warning("%s", message)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """The messages of warnings and errors that MkDocs and its plugins log inside, none of them printed."""
    logger, building = logging.getLogger(LOGGER), logging.getLogger(f"{LOGGER}.commands.build")
    collector = _Collector()
    propagate, logger.propagate = logger.propagate, False
    logger.addHandler(collector)
    building.addFilter(_is_accurate)
    try:
        yield collector.messages
    finally:
        building.removeFilter(_is_accurate)
        logger.removeHandler(collector)
        logger.propagate = propagate
