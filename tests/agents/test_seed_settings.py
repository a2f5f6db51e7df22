"""Settings that earlier tools have left: taken over where they mean something, said where not."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from memsite.agents.seed_settings import add_values, differing, find_seed_settings, parse_plugin_settings
from memsite.agents.seed_settings import parse_skill_settings as parse
from memsite.config import Config, parse_config

SEED = {
    "consolidationThreshold": 3,
    "autoProposeIndex": True,
    "categories": ["Projects", "Major Events", "Decisions", "Preferences"],
    "indexFile": "memory/INDEX.md",
    "consolidatedDir": "memory/consolidated",
    "recallTriggers": ["回忆一下", "remember", "recall", "记不记得"],
}


def test_the_seeds_own_settings_are_memsites_defaults() -> None:
    values, left_out = parse(json.dumps(SEED))
    assert left_out == ()
    assert set(values) == {
        "consolidation_threshold", "auto_propose_index", "categories", "memory", "index_file", "consolidated_dir",
        "recall_triggers",
    }  # fmt: skip
    assert differing(values) == {}


def test_other_values_are_taken_over() -> None:
    changed = {**SEED, "consolidationThreshold": 5, "indexFile": "notes/TOPICS.md", "consolidatedDir": "notes/gens"}
    values, _ = parse(json.dumps(changed))
    config, errors = parse_config(add_values("", differing(values)))
    assert errors == ()
    assert (config.consolidation_threshold, str(config.index_path), str(config.consolidated_path)) == (
        5, "notes/TOPICS.md", "notes/gens",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("consolidationThreshold", "three", "'consolidationThreshold': must be a whole number"),
        ("consolidationThreshold", None, "'consolidationThreshold': is nothing that memsite.toml could say"),
        ("indexFile", "../../etc/passwd", "'indexFile': must be a path below the workspace"),
        ("indexFile", "/etc/passwd", "'indexFile': must be a path below the workspace"),
        ("indexFile", "memory\\INDEX.md", "'indexFile': must be a path below the workspace"),
        ("indexFile", ".git/INDEX.md", "'indexFile': must be a path below the workspace"),
        ("indexFile", 5, "'indexFile': must be a path below the workspace"),
        ("consolidatedDir", "memory/../..", "'consolidatedDir': must be a path below the workspace"),
        ("categories", ["\ud800"], "'categories': must be text"),
        ("categories", ["x" * 5_000], "'categories': is too long"),
        ("consolidatedDir", "elsewhere", "is not below"),
        ("colour", "blue", "'colour' means nothing here"),
    ],
)
def test_what_cannot_be_followed_is_said(key: str, value: object, said: str) -> None:
    values, left_out = parse(json.dumps({**SEED, key: value}))
    assert said in " ".join(left_out)
    assert "passwd" not in str(values)
    assert differing(values) == {}


def test_the_plugins_settings_in_a_file_with_comments() -> None:
    text = """{
  // OpenClaw allows this
  plugins: {
    "load": { "paths": ["https://example.org/x"] },
    "entries": {
      "other": { "enabled": true },
      "memory-continuity": {
        "config": {
          "sessionLogging": false, "tailProtectCount": 5, "ignorePatterns": ["^a // b,]"], "maxArchiveCount": 9,
        },
      },
    },
  },
}"""
    values, left_out = parse_plugin_settings(text)
    assert values == {"session_logging": False, "tail_protect_count": 5, "ignore_patterns": ["^a // b,]"]}
    assert left_out == ("'maxArchiveCount' means nothing here",)


def test_settings_are_added_before_the_first_table_and_the_rest_stays() -> None:
    toml = "# mine\nlanguage = 'zh'\n\n[safety]\nmax_file_mb = 5\n"
    added = add_values(toml, {"language": "de", "tail_protect_count": 5, "ignore_patterns": ['a"b\\d', "日本"]})
    config, errors = parse_config(added)
    assert errors == ()
    assert (config.language, config.tail_protect_count, config.max_file_mb) == ("zh", 5, 5)
    assert config.ignore_patterns == ('a"b\\d', "日本")
    assert add_values(added, {"tail_protect_count": 7}) == added


@pytest.mark.parametrize(
    "toml",
    [
        "categories = [\n  'a',\n  # b\n]\nignore_patterns = [\n[\n]\n]\n",
        "language = 'zh'",
        "language = 'zh'\r\n\r\n[safety]\r\nmax_file_mb = 5\r\n",
        "# a \u2028[comment]\nlanguage = 'zh'\n",
        'recall_triggers = ["""\n[safety]\n"""]\n',
        "[safety]\ntail_protect_count = 3\n",
    ],
)
def test_added_settings_are_all_that_changes(toml: str) -> None:
    added = add_values(toml, {"tail_protect_count": 5})
    assert tomllib.loads(added) == {**tomllib.loads(toml), "tail_protect_count": 5}
    assert add_values(added, {"tail_protect_count": 5}) == added


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  "a": 1,\n  "b": ,\n}', 3),
        ('{\n  /* a\n  comment */\n  "b": nothing\n}', 4),
        ("[]", 1),
        ('{\n"a": "\udcff"}', 2),
        ("[" * 100_000, 1),
    ],
)
def test_what_is_no_json_has_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "memory-index-manager").mkdir()
    (tmp_path / "memory-index-manager/config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    (found,) = find_seed_settings(tmp_path, {"HOME": str(tmp_path)})
    assert found.fault and found.fault.line == line
    assert found.left_out == (found.fault.problem,)


def test_a_file_that_has_no_end_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "memory-index-manager").mkdir()
    (tmp_path / "memory-index-manager/config.json").write_bytes(b"{" + b" " * 1_000_000)
    (found,) = find_seed_settings(tmp_path, {"HOME": str(tmp_path)})
    assert found.fault and "is larger than 1000000 bytes" in str(found.fault)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "\ufeff{}", "{'a': 1}"])
def test_what_is_no_settings_file_stops_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "memory-index-manager").mkdir()
    (tmp_path / "memory-index-manager/config.json").write_text(text, encoding="utf-8")
    found = find_seed_settings(tmp_path, {"HOME": str(tmp_path)})
    assert all(one.values == {} for one in found)
    assert Config()


@pytest.mark.parametrize(
    ("text", "said"), [('{"a": ' + "9" * 5_000 + "}", "a number in it is too long"), ("[]", "no object")]
)
def test_what_is_wrong_with_a_file_is_said_in_plain_words(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "memory-index-manager/config.json"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    (found,) = find_seed_settings(tmp_path, {"HOME": str(tmp_path)})
    assert found.fault is not None
    assert found.fault.problem == f"cannot be read as JSON: {said}"


def test_a_number_that_is_too_long_is_no_setting() -> None:
    config, (error,) = parse_config("consolidation_threshold = " + "9" * 5_000)
    assert (config, error.problem) == (Config(), "is not TOML: a number in it is too long")
