"""Generations that the newest one was made beside: what only they say is in no generation that is made after it.

Two machines consolidate one topic; `sync` gives the later one the next number, but it was written without the other.
Source References tell: they name the generation that a generation was made from.
"""

from __future__ import annotations

from collections.abc import Iterable

from memsite.memory.covering import names_note
from memsite.memory.model import DailyNote, Generation, Topic


def find_unheeded(topic: Topic) -> tuple[Generation, ...]:
    """The generations, by number, that the newest one was not made from, nor what that was made from. One whose sources
    name no generation is believed to have heeded all before it."""
    newest = topic.current
    heeded = _heeded(topic, newest.number) if newest else set[int]()
    return tuple(one for one in topic.generations if newest and one.number < newest.number and one.number not in heeded)


def find_bases(topic: Topic) -> tuple[Generation, ...]:
    """What the next generation is made from beside notes, by number: the newest one is the last."""
    return (*find_unheeded(topic), topic.current) if topic.current else ()


def unheeded_notes(topic: Topic, notes: Iterable[DailyNote]) -> tuple[DailyNote, ...]:
    """Those of some notes that generations name which the newest one was made beside."""
    sources = [source for one in find_unheeded(topic) for source in one.sources]
    return tuple(note for note in notes if any(names_note(source, note) for source in sources))


def _heeded(topic: Topic, newest: int) -> set[int]:
    by_number = {one.number: one for one in topic.generations}
    heeded, waiting = set[int](), [newest]
    while waiting:
        number = waiting.pop()
        one = by_number.get(number)
        named = {at for source in one.sources if (at := source.generation) and at < number} if one else set()
        before = (named or set(range(1, number))) - heeded
        heeded |= before
        waiting += before
    return heeded
