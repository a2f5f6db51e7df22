from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import pytest

from memsite.memory.later import Later, read_later


@dataclass(frozen=True, slots=True)
class Card(Later):
    name: str
    title: str
    words: tuple[str, ...] = ()


def make(asked: list[str]) -> Card:
    def read() -> dict[str, object]:
        asked.append("read")
        return {"title": "T", "words": ("a", "b")}

    return read_later(Card, {"name": "n"}, read)


def test_what_is_known_is_not_read_for_and_the_rest_once() -> None:
    asked: list[str] = []
    card = make(asked)
    assert (card.name, asked) == ("n", [])
    assert (card.title, card.words, asked) == ("T", ("a", "b"), ["read"])


def test_it_is_like_any_other_value() -> None:
    card = Card("n", "T", ("a", "b"))
    assert make([]) == card
    assert hash(make([])) == hash(card)
    assert repr(make([])) == repr(card)
    assert replace(make([]), name="m") == replace(card, name="m")
    assert copy.copy(make([])) == card


def test_there_is_nothing_else_in_it() -> None:
    with pytest.raises(AttributeError, match="other"):
        make([]).other  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        Card("n", "T").other  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        make([]).title = "x"  # type: ignore[misc]


def test_what_could_not_be_read_is_read_again() -> None:
    asked: list[str] = []

    def read() -> dict[str, object]:
        asked.append("read")
        if len(asked) == 1:
            raise ValueError("stopped")
        return {"title": "T", "words": ()}

    card = read_later(Card, {"name": "n"}, read)
    with pytest.raises(ValueError, match="stopped"):
        card.title  # noqa: B018
    assert card.title == "T"
