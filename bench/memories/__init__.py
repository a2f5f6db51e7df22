"""Memories to try and to measure memsite with: any number of days, several languages, the same for the same seed.

    python -m bench.memories FOLDER [--days 1000] [--seed 1] [--last 2026-06-30]

What is in them follows what real memories hold: a note on nine days of ten, several a day on every fifth, session
logs, topics with up to dozens of generations, archived and deleted notes, notes in folders, images, tables, code, front
matter, wikilinks; with the history that memsite's own commits would have made.
"""

from bench.memories.story import Story
from bench.memories.writing import Made, make_memory

__all__ = ["Made", "Story", "make_memory"]
