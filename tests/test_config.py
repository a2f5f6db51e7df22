from __future__ import annotations

import tomllib
from datetime import UTC, time
from pathlib import PurePosixPath

import pytest

from memsite import plain_toml
from memsite.config import Config, parse_config


def test_an_empty_file_is_the_defaults() -> None:
    assert parse_config("") == (Config(), ())
    assert Config().zone() is UTC


def test_every_key_is_read() -> None:
    text = """
memory = "."
index_file = "TOPICS.md"
timezone = "Asia/Shanghai"
categories = ["Projekte"]
consolidation_threshold = 5
auto_propose_index = false
ignore_patterns = ["^ping"]
flush_time = "09:30"
build_on_commit = true
[safety]
max_file_mb = 2
"""
    config, errors = parse_config(text)
    assert errors == ()
    assert config.index_path == PurePosixPath("TOPICS.md")
    assert (config.consolidation_threshold, config.flush_time, config.max_file_mb) == (5, time(9, 30), 2)
    assert str(config.zone()) == "Asia/Shanghai"


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        ("\ntreshold = 3", 2, "'treshold': unknown key"),
        ('consolidation_threshold = "3"', 1, "must be a whole number"),
        ("consolidation_threshold = true", 1, "must be a whole number"),
        ("# x\n\nauto_propose_index = 1", 3, "must be true or false"),
        ('timezone = "Mars/Olympus"', 1, "is no time zone"),
        ('timezone = "../../etc/passwd"', 1, "is no time zone"),
        ('memory = "../elsewhere"', 1, "without '..'"),
        ('memory = "/etc"', 1, "below the workspace"),
        ('categories = "Projects"', 1, "must be a list of strings"),
        ('flush_time = "25:00"', 1, "must be a time"),
        ("[safety]\nmax_files = 3", 2, "'max_files': unknown key"),
        ("commit_on_hook = true\ncommit = 1", 2, "'commit': unknown key"),
        ('include = ["../elsewhere.md"]', 1, "without '..'"),
        ('include = ["/etc/passwd"]', 1, "below the workspace"),
        ("safety = 3", 1, "'safety': unknown key"),
    ],
)
def test_a_wrong_key_is_named_with_its_line_and_keeps_its_default(text: str, line: int, named: str) -> None:
    config, errors = parse_config(text)
    assert config == Config()
    assert [error.line for error in errors] == [line]
    assert named in str(errors[0])


def test_the_other_keys_of_a_wrong_file_still_count() -> None:
    config, errors = parse_config('language = "de"\nnonsense = 1\n')
    assert config.language == "de"
    assert len(errors) == 1


def test_what_is_no_toml_is_one_error() -> None:
    config, errors = parse_config("language = \n")
    assert config == Config()
    assert len(errors) == 1
    assert "\n" not in str(errors[0])


_LINES = (
    'timezone = "Europe/Berlin"',
    'a="b"  ',
    "  flag = true",
    "flag = false",
    "# a remark",
    "",
    'a = "x" # "y"',
    'a = ""',
    'a = "\\n"',
    'a = """',
    'a = """b"""',
    "a = 'b'",
    "a = 1",
    "a.b = true",
    "1a = true",
    "[safety]",
    'a = ["b"]',
    'a = "b',
    "a = True",
    "a = ",
    " = true",
    "a",
    'a = "\x01"',
    "# \x00",
    'a = "\u00e9\u8bb0"',
    "\u00e9 = true",
    'b = "1" = "2"',
)


@pytest.mark.parametrize("first", _LINES)
def test_plain_settings_are_what_toml_says(first: str) -> None:
    seen = 0
    for second in _LINES:
        for end in ("\n", "\r\n", "\r", ""):
            text = first + end + second + "\n"
            plain = plain_toml._read_plain(text)
            if plain is not None:
                seen += 1
                assert tomllib.loads(text) == plain, text
    assert seen or first not in _LINES[:6]
