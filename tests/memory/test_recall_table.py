"""Recall over sixty topics in four languages: who is meant is found, what nobody spoke of is not."""

from __future__ import annotations

import tomllib
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memsite.config import Config
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory
from memsite.memory.recall import recall
from memsite.memory.snapshot import make_snapshot

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("recall_topics.toml").read_text(encoding="utf-8"))
FIRST = date(2025, 1, 1)
TODAY = date(2025, 6, 1)
CONFIG = Config()


@cache
def sixty_topics() -> Memory:
    files: dict[str, str | bytes] = {}
    index = "# Memory Index\n\n## Projects\n"
    for number, (slug, topic) in enumerate(TABLE["topics"].items()):
        day = (FIRST + timedelta(days=number)).isoformat()
        index += f"- **{slug}**\n  - Dates: [{day}]\n"
        index += f"  - Aliases: [{', '.join(topic['aliases'])}]\n" if "aliases" in topic else ""
        index += f"  - Description: {topic['description']}\n" if "description" in topic else ""
        files[f"memory/{day}.md"] = f"# {day}\n\n- {topic['note']}\n"
    return load_memory(make_snapshot({**files, "memory/INDEX.md": index}), CONFIG)


def found_for(query: str) -> str | None:
    topic = recall(sixty_topics(), query, TODAY, CONFIG).topic
    return topic.slug if topic else None


def test_the_table_is_as_large_as_it_says() -> None:
    assert (len(TABLE["topics"]), len(TABLE["queries"]), len(TABLE["nothing"]["queries"])) == (60, 40, 10)
    assert (len(TABLE["asked_later"]), len(TABLE["nothing_later"]["queries"])) == (20, 5)
    assert len(sixty_topics().topics) == 60
    assert sixty_topics().problems == ()


def test_the_right_topic_for_at_least_38_of_40() -> None:
    wrong = {query: found for query, slug in TABLE["queries"].items() if (found := found_for(query)) != slug}
    assert len(wrong) <= 2, wrong


def test_the_right_topic_for_at_least_19_of_20_that_were_asked_later() -> None:
    wrong = {query: found for query, slug in TABLE["asked_later"].items() if (found := found_for(query)) != slug}
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("query", [*TABLE["nothing"]["queries"], *TABLE["nothing_later"]["queries"]])
def test_no_topic_for_what_nobody_spoke_of(query: str) -> None:
    assert found_for(query) is None
