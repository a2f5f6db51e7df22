"""Every word of the story that `memsite demo` tells can be found in its site's own search."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from tests.conftest import Demo
from tests.site.search.conftest import Ask

_LATIN = re.compile(r"[A-Za-z]+")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


def story_texts() -> Iterator[str]:
    """What the story writes into the memory: notes, bodies, what was said first in each session, descriptions."""
    story = tomllib.loads(files("memsite.cli").joinpath("story.toml").read_text(encoding="utf-8"))
    for step in story["step"]:
        yield step.get("text", "")
        yield step.get("stdin", "")
        # The agent's envelope `[Wed 2025-05-14 12:05 GMT+8]` is no part of what was said.
        yield from (re.sub(r"^\[[^]]*\] ", "", text) for _, text in step.get("messages", [])[:1])
        yield from step.get("run", [])[4:]


def story_words() -> list[str]:
    """Latin words, and of each run of Chinese every two neighbours."""
    text = "\n".join(story_texts())
    latin = {word.lower() for word in _LATIN.findall(text)}
    pairs = {run[at : at + 2] for run in _HAN.findall(text) for at in range(max(1, len(run) - 1))}
    return sorted(latin | pairs)


def test_every_word_of_the_story_is_found(demo: Demo, ask_each: Ask) -> None:
    words = story_words()
    assert "决定" in words
    assert len(words) > 400
    answers = ask_each(demo.site, queries=words)["answers"]
    missed = [word for word, answer in zip(words, answers, strict=True) if answer["count"] == 0 or answer["partial"]]
    assert missed == []
