"""A planned change of INDEX.md, carried over to another version of it by what it means."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import PurePosixPath

import pytest

from memsite.config import Config
from memsite.memory import index_edit
from memsite.memory.index_replay import replay_index
from memsite.memory.model import Status
from memsite.memory.names import GenerationName

CONFIG = Config()
DAY = date(2025, 3, 22)
FILE = PurePosixPath("consolidated/blog-gen2-2025-03-22.md")
HEAD = b"""# Memory Index

## Projects
- **blog**
  - Dates: [2025-03-20]
  - Status: active
"""
ENTRY = b"""  - Consolidations:
    - gen1 (2025-03-20): consolidated/blog-gen1-2025-03-20.md
  - Current: consolidated/blog-gen1-2025-03-20.md
"""
WORK = HEAD.replace(b"  - Status", ENTRY + b"  - Status") + b"- **shop**\n  - Dates: [2025-03-21]\n\nMy own words.\n"


def touched(data: bytes) -> bytes:
    return index_edit.touch_topic(data, "blog", [DAY], config=CONFIG)


def marked(data: bytes) -> bytes:
    return index_edit.set_status(data, "blog", Status.PAUSED, config=CONFIG)


def consolidated(data: bytes) -> bytes:
    return index_edit.add_generation(data, "blog", GenerationName("blog", 2, DAY), FILE, config=CONFIG)


def renamed(data: bytes) -> bytes:
    return index_edit.add_aliases(data, "blog", ["the site"], config=CONFIG)


def described(data: bytes) -> bytes:
    return index_edit.set_description(data, "blog", "A site", config=CONFIG)


def added(data: bytes) -> bytes:
    return index_edit.add_topic(data, "bike", "Decisions", [DAY], config=CONFIG, description="Red", aliases=["二轮"])


@pytest.mark.parametrize("edit", [touched, marked, consolidated, renamed, described, added])
@pytest.mark.parametrize("current", [HEAD, HEAD.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + HEAD, WORK])
def test_an_edit_is_the_same_edit_in_another_version(edit: Callable[[bytes], bytes], current: bytes) -> None:
    assert replay_index(WORK, edit(WORK), current, CONFIG) == edit(current)
    assert replay_index(WORK, edit(WORK), edit(current), CONFIG) == edit(current)


def test_a_topic_that_the_other_version_lacks_comes_without_what_was_not_ours() -> None:
    replayed = replay_index(WORK, touched(marked(WORK)), b"", CONFIG)
    assert replayed == marked(touched(HEAD))


@pytest.mark.parametrize(
    ("new", "current"),
    [
        (WORK.replace(b"My own", b"Our own"), HEAD),  # prose is no topic's
        (WORK + b"- **bike**: [2025-03-22] by hand\n", HEAD),
        (touched(WORK), HEAD + b"- **blog**\n  - Dates: []\n"),  # not to be edited without guessing
        (touched(WORK), b"\xff\xfe" + HEAD),
        (touched(WORK), b"<<<<<<< x\n=======\n>>>>>>> y\n" + HEAD),
    ],
)
def test_what_is_more_than_that_or_does_not_fit_is_left_to_others(new: bytes, current: bytes) -> None:
    assert replay_index(WORK, new, current, CONFIG) is None
