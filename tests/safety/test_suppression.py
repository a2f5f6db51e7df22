"""A value that was found is taken out in every form, with as little around it as can be."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.safety.suppression import Suppressor, fold
from tests.realistic_notes import notes
from tests.secret_kinds import KINDS, plant, private_key

SHOWN = "[redacted:x]"


def in_base64(value: str, before: str = "", after: str = "") -> str:
    return base64.b64encode(f"{before}{value}{after}".encode()).decode()


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": lambda value: value,
    "entities": lambda value: "".join(f"&#{ord(character)};" for character in value),
    "hexadecimal entities": lambda value: "".join(f"&#x{ord(character):x};" for character in value),
    "escaped": lambda value: escape(value.replace(":", "&colon;")),
    "twice coded": lambda value: quote("".join(f"&#{ord(character)};" for character in value)),
    "percent": lambda value: "".join(f"%{ord(character):02x}" for character in value),
    "json": lambda value: "".join(f"\\u{ord(character):04x}" for character in value),
    "base64": in_base64,
    "base64, urlsafe": lambda value: base64.urlsafe_b64encode(value.encode()).decode(),
    "base64, one byte before": lambda value: in_base64(value, "u", "\n"),
    "base64, two bytes before": lambda value: in_base64(value, "u:", " and more"),
    "base64, three bytes before": lambda value: in_base64(value, "ab:"),
    "emphasis": lambda value: f"{value[:4]}**{value[4:9]}**{value[9:]}",
    "tags": lambda value: f"{value[:4]}<b>{value[4:9]}</b><i class='a'>{value[9:]}</i>",
    "angle brackets": lambda value: f"<{value}>",
    "zero-width characters": lambda value: "\u200b".join(value),
    "small letters": str.lower,
    "capital letters": str.upper,
    "two lines": lambda value: f"{value[:9]}\n{value[9:]}",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["github-classic", "aws-secret", "password", "telegram"])
def test_a_value_is_taken_out_in_every_form(form: str, kind: str) -> None:
    made = next(one for one in KINDS if one.name == kind).make(random.Random(3))
    text = f"# Title\n\nbefore {FORMS[form](made)} after\nlast line\n"
    left = Suppressor({made: SHOWN}).apply(text)
    assert Suppressor({made: SHOWN}).find(left) == ()
    assert left.count("\n") == text.count("\n")
    assert left.startswith("# Title\n\n")
    assert left.endswith("last line\n")
    if form != "two lines":
        assert left.replace(f"<{SHOWN}>", SHOWN) == f"# Title\n\nbefore {SHOWN} after\nlast line\n"


def test_a_key_goes_line_by_line() -> None:
    key = private_key(random.Random(4))
    suppressor = Suppressor({key: SHOWN})
    cut = "\n".join(["I saw", *(f"> {line}" for line in key.split("\n")[2:5]), "there."])
    assert suppressor.apply(cut).split("\n") == ["I saw", *[f"> {SHOWN}"] * 3, "there."]
    assert suppressor.apply(f"a\n{key}\nb").count("\n") == key.count("\n") + 2


def test_the_longer_of_two_values_goes_whole() -> None:
    suppressor = Suppressor({"abcdef123456": "[short]", "abcdef123456xyz789": "[long]"})
    assert suppressor.apply("x abcdef123456xyz789 y abcdef123456") == "x [long] y [short]"


def test_hundreds_of_values_leave_other_notes_as_they_are() -> None:
    suppressor = Suppressor({one.value: SHOWN for one in plant(9, 300)})
    for note in notes(10, 300_000):
        assert suppressor.apply(note) == note


@given(st.text(alphabet="ab1 *<>&#;%\n", max_size=40), st.text(alphabet="ab1", min_size=8, max_size=12))
def test_nothing_is_left_whatever_stands_around(text: str, value: str) -> None:
    suppressor = Suppressor({value: SHOWN})
    for whole in (text + value + text, value[:4] + text + value[4:]):
        left = suppressor.apply(whole)
        assert value not in left
        assert suppressor.find(left) == ()
        assert left.count("\n") == whole.count("\n")


def test_folding_keeps_letters_of_every_script() -> None:
    assert fold("密-码 _a&amp;B%20ä") == "密码abä".encode()
