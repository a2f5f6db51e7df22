"""Generations that the newest one was made beside: what only they say is in no generation that is made after it.

Two machines consolidate one topic; `sync` gives the later one the next number, but it was written without the other.
Source References tell: they name the generation that a generation was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from memsite.memory.covering import names_note
from memsite.memory.model import DailyNote, Generation, Topic


def find_unheeded(topic: Topic) -> tuple[Generation, ...]:
    """The generations, by number, that the newest one was not made from, nor what that was made from. One whose sources
    name no generation is believed to have heeded all before it."""
    if topic.current is None:
        return ()
    newest = topic.current.number
    heeded, floor = _heeded(topic, newest)
    return tuple(one for one in topic.generations if floor <= one.number < newest and one.number not in heeded)


def find_bases(topic: Topic) -> tuple[Generation, ...]:
    """What the next generation is made from beside notes, by number: the newest one is the last."""
    return (*find_unheeded(topic), topic.current) if topic.current else ()


def covered_days(topic: Topic, notes: Sequence[DailyNote]) -> tuple[date, date]:
    """The first and the last day of what the next generation is made from: of the notes, by day, or where there are
    none of the generations that it brings together."""
    if notes:
        return notes[0].day, notes[-1].day
    days = [day for one in find_bases(topic) for day in one.covers or (one.day,)]
    return min(days), max(days)


def unheeded_notes(topic: Topic, notes: Iterable[DailyNote]) -> tuple[DailyNote, ...]:
    """Those of some notes that generations name which the newest one was made beside."""
    sources = [source for one in find_unheeded(topic) for source in one.sources]
    return tuple(note for note in notes if any(names_note(source, note) for source in sources))


def _heeded(topic: Topic, newest: int) -> tuple[set[int], int]:
    """The numbers that are named, step by step, and the one below which all are heeded."""
    named = {one.number: {at for source in one.sources if (at := source.generation)} for one in topic.generations}
    heeded, floor, waiting = set[int](), 0, [newest]
    while waiting:
        number = waiting.pop()
        before = {at for at in named.get(number, ()) if at < number}
        floor = floor if before else max(floor, number)
        waiting += before - heeded
        heeded |= before
    return heeded, floor
