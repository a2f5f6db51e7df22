"""The list of what was purged: it names values without holding them, and finds them in every form."""

from __future__ import annotations

import random
from datetime import date

import pytest

from memsite.safety.purges import PurgeFinder, parse_purges, purge_file, purge_value, purged_values
from memsite.safety.suppression import Suppressor, fold
from tests.realistic_notes import notes
from tests.safety.test_suppression import FORMS
from tests.secret_kinds import KINDS, private_key

SALT = bytes(range(16))
DAY = date(2025, 3, 20)
VALUES = {
    "token": next(kind for kind in KINDS if kind.name == "github-classic").make(random.Random(1)),
    "words": "the house in Example Street",
    "chinese": "张三的地址是长安街",
    "key": private_key(random.Random(2)),
}


def listed(value: str) -> str:
    return "".join(f"{one}\n" for one in purge_value(value, SALT, DAY))


@pytest.mark.parametrize("name", VALUES)
def test_a_list_holds_no_value(name: str) -> None:
    text = listed(VALUES[name])
    assert text
    for line in VALUES[name].split("\n"):
        assert line not in text
        assert fold(line).hex() not in text


@pytest.mark.parametrize("form", FORMS)
def test_a_named_value_is_found_in_every_form(form: str) -> None:
    purges, wrong = parse_purges(listed(VALUES["token"]))
    assert wrong == ()
    text = f"before {FORMS[form](VALUES['token'])} after"
    places = PurgeFinder(purges).places(text)
    assert places
    values = purged_values(text, places)
    left = Suppressor(dict.fromkeys(values, "[gone]")).apply(text)
    assert PurgeFinder(purges).places(left) == ()
    assert VALUES["token"] not in left


@pytest.mark.parametrize("name", VALUES)
def test_it_is_found_in_the_midst_of_words(name: str) -> None:
    finder = PurgeFinder(parse_purges(listed(VALUES[name]))[0])
    assert finder.places(f"x=a{VALUES[name]}b;")
    assert finder.places(VALUES[name][:-1]) == () or name == "key"


def test_other_texts_have_none() -> None:
    finder = PurgeFinder(parse_purges("".join(map(listed, VALUES.values())))[0])
    assert [note for note in notes(4, 100_000) if finder.places(note)] == []


def test_a_value_that_is_too_short_is_not_taken() -> None:
    assert purge_value("abc12", SALT, DAY) == ()
    assert purge_value("-----", SALT, DAY) == ()


def test_files_are_known_by_their_whole_path() -> None:
    purges, wrong = parse_purges(f"# a comment\n\n{purge_file('memory/diary.md', SALT, DAY)}\n")
    finder = PurgeFinder(purges)
    assert wrong == ()
    assert finder.has_file("memory/diary.md")
    assert not finder.has_file("diary.md")


def test_lines_that_say_nothing_are_named() -> None:
    purges, wrong = parse_purges(f"{listed(VALUES['words'])}value 2025-03-20\nfile x\n")
    assert len(purges) == listed(VALUES["words"]).count("\n")
    assert wrong == (len(purges) + 1, len(purges) + 2)
