"""Hooks in Claude Code's settings: ours go in and come out, and every other byte stays."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsite.agents.claude_code import (
    HOOKS,
    is_ours,
    plan_install,
    plan_uninstall,
    settings_path,
    with_hooks,
    without_hooks,
)
from memsite.agents.installing import Target, apply
from memsite.config import Config
from memsite.errors import FormatError

TARGET = Target(Path("/opt/mem site/bin/memsite"), Path("/home/ada/my memory"), Config())
WHERE = Path("settings.json")
OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo hi", "timeout": 5}]}

LAYOUTS = (
    '{\n  "model": "opus",\n  "permissions": {"allow": ["Bash(ls)", "Read"], "deny": []}\n}\n',
    '{\n\t"zeta": 1.50,\n\t"alpha": "\\u00e9 \\/",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": []}\n\t\t]\n\t}\n}',
    '{"model":"opus","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}]}}',
    '{\r\n    "env": {\r\n        "A": "1"\r\n    }\r\n}\r\n',
    '\ufeff{\n  "a": 1e3\n}\n\n\n',
    '{ "a" : 1 ,\n "b" : [ 1,2 ] }',
    json.dumps({"hooks": {"SessionEnd": [OTHER], "Notification": [OTHER]}, "x": None}, indent=4),
    json.dumps({"hooks": {"SessionEnd": [OTHER, OTHER]}}, indent=1) + "\n",
    "{}",
    "{}\n",
)


def strip_ours(value: dict[str, Any]) -> dict[str, Any]:
    """The settings as a program reads them, without our hooks."""
    hooks = {}
    for name, groups in value.get("hooks", {}).items():
        kept = [
            g
            for g in groups
            if not any(is_ours(h.get("command"), HOOKS.get(name, ""), TARGET.root) for h in g["hooks"])
        ]
        if kept:
            hooks[name] = kept
    return {**{key: item for key, item in value.items() if key != "hooks"}, **({"hooks": hooks} if hooks else {})}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_our_hooks_go_in_and_out_and_every_other_byte_stays(layout: str) -> None:
    data = layout.encode()
    installed = with_hooks(data, WHERE, TARGET)
    value = json.loads(installed.decode("utf-8-sig"))
    for name, event in HOOKS.items():
        hook = value["hooks"][name][-1]["hooks"][0]
        assert hook["command"] == f"'/opt/mem site/bin/memsite' -C '/home/ada/my memory' agent claude-code {event}"
        assert (hook["type"], hook["timeout"]) == ("command", 30)
    assert strip_ours(value) == strip_ours(json.loads(layout.removeprefix("\ufeff")))
    assert with_hooks(installed, WHERE, TARGET) == installed
    assert without_hooks(installed, WHERE, TARGET) == data
    assert without_hooks(data, WHERE, TARGET) == data


def test_the_layout_of_the_file_is_kept() -> None:
    installed = with_hooks(b'{\n    "model": "opus"\n}\n', WHERE, TARGET).decode()
    assert installed.startswith(
        '{\n    "model": "opus",\n    "hooks": {\n'
        '        "SessionStart": [\n            {\n                "hooks": [\n'
    )
    assert installed.endswith("        ]\n    }\n}\n")


def test_keys_keep_their_order() -> None:
    text = json.dumps({"z": 1, "hooks": {"Zeta": [], "Alpha": []}, "a": 2}, indent=2)
    value = json.loads(with_hooks(text.encode(), WHERE, TARGET))
    assert list(value) == ["z", "hooks", "a"]
    assert list(value["hooks"]) == ["Zeta", "Alpha", *HOOKS]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {"matcher": st.text(), "hooks": st.lists(st.just({"type": "command", "command": "x"}), min_size=1, max_size=2)}
    ),
    min_size=1,
    max_size=3,
)
SETTINGS = st.builds(
    lambda rest, hooks: {**rest, **({"hooks": hooks} if hooks else {})},
    st.dictionaries(st.text().filter(lambda key: key != "hooks"), JSON, max_size=4),
    st.dictionaries(st.sampled_from([*HOOKS, "PreToolUse"]), GROUPS, max_size=4),
)


@settings(deadline=None)
@given(
    SETTINGS,
    st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)
def test_any_settings_in_any_layout(
    value: dict[str, Any], indent: int | str | None, ascii_only: bool, newline: str, end: str
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).replace("\n", newline) + end
    data = text.encode("utf-8", "replace")
    installed = with_hooks(data, WHERE, TARGET)
    assert strip_ours(json.loads(installed)) == strip_ours(json.loads(data))
    assert with_hooks(installed, WHERE, TARGET) == installed
    assert without_hooks(installed, WHERE, TARGET) == data


def test_a_program_that_moved_is_brought_up_to_date_and_other_memories_are_left_alone() -> None:
    other = Target(TARGET.program, Path("/home/ada/other"), Config())
    data = with_hooks(with_hooks(b"{}", WHERE, TARGET), WHERE, other)
    moved = Target(Path("/usr/bin/memsite"), TARGET.root, Config())
    again = with_hooks(data, WHERE, moved).decode()
    assert again.count("/usr/bin/memsite -C '/home/ada/my memory'") == 4
    assert again.count("'/opt/mem site/bin/memsite' -C /home/ada/other") == 4
    left = without_hooks(again.encode(), WHERE, moved)
    assert left == with_hooks(b"{}", WHERE, other)


def test_a_hook_that_a_person_put_beside_ours_stays() -> None:
    value = json.loads(with_hooks(b"{}", WHERE, TARGET))
    value["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "theirs"})
    left = json.loads(without_hooks(json.dumps(value).encode(), WHERE, TARGET))
    assert left == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('{\n  "a": 1,\n}', 3, "is no JSON"),
        ('{\n  // why\n  "a": 1\n}', 2, "is no JSON"),
        ("[]", 1, "is no JSON object"),
        ('{\n\n"hooks": []}', 3, "'hooks' is no object"),
        ('{"hooks":\n{"Stop":\n{}}}', 3, "'hooks.Stop' is no list"),
        ("[" * 100_000, None, "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", None, "a number in it is too long"),
    ],
)
def test_settings_that_cannot_be_edited_are_refused_with_file_and_line(
    text: str, line: int | None, problem: str
) -> None:
    for edit in (with_hooks, without_hooks):
        with pytest.raises(FormatError, match=problem) as caught:
            edit(text.encode(), WHERE, TARGET)
        assert (caught.value.where, caught.value.line) == ("settings.json", line)


def test_settings_that_are_no_utf8_are_refused() -> None:
    with pytest.raises(FormatError, match=r"settings\.json:2: is not UTF-8"):
        with_hooks(b'{\n"a": "\xff"}', WHERE, TARGET)


@pytest.mark.parametrize(
    "groups",
    ["null", "1", '[1, "x", null, [], {}, {"hooks": 1}, {"hooks": [1, {}, {"command": 7}, {"command": "\'"}]}]'],
)
def test_hooks_of_a_form_that_nobody_expects_are_left_alone(groups: str) -> None:
    text = f'{{"hooks": {{"Stop": {groups if groups.startswith("[") else f"[{groups}]"}, "Other": {groups}}}}}'
    installed = with_hooks(text.encode(), WHERE, TARGET)
    assert without_hooks(installed, WHERE, TARGET) == text.encode()


def test_files_keep_their_mode_and_links_are_followed(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text('{"model": "opus"}', encoding="utf-8")
    real.chmod(0o600)
    folder = tmp_path / ".claude"
    folder.mkdir()
    (folder / "settings.json").symlink_to(real)
    apply(plan_install(folder, TARGET, user=True).changes)
    assert (folder / "settings.json").is_symlink()
    assert "session-end" in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert sorted(path.name for path in real.parent.iterdir()) == ["settings.json"]
    apply(plan_uninstall(folder, TARGET, user=True).changes)
    assert real.read_text(encoding="utf-8") == '{"model": "opus"}'


def test_where_there_was_nothing_nothing_is_left(tmp_path: Path) -> None:
    folder = tmp_path / ".claude"
    apply(plan_install(folder, TARGET, user=False).changes)
    assert (folder / "settings.local.json").exists()
    assert (folder / "skills/memsite/SKILL.md").exists()
    assert plan_install(folder, TARGET, user=False).changes == ()
    apply(plan_uninstall(folder, TARGET, user=False).changes)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "before",
    ["", "\n", "{}", "{}\n", "{}\n\n", "{}\n \n", '{"hooks": {}}', '{\n  "hooks": {}\n}\n', '{"hooks": {}}\n\n'],
)
@pytest.mark.parametrize("user", [False, True])
def test_settings_that_were_there_before_are_never_removed(tmp_path: Path, before: str, user: bool) -> None:
    folder = tmp_path / ".claude"
    folder.mkdir()
    path = settings_path(folder, user=user)
    path.write_text(before, encoding="utf-8")
    apply(plan_install(folder, TARGET, user=user).changes)
    assert "session-end" in path.read_text(encoding="utf-8")
    apply(plan_uninstall(folder, TARGET, user=user).changes)
    assert list(folder.iterdir()) == [path]
    assert json.loads(path.read_text(encoding="utf-8")) == {}


def test_settings_that_we_made_and_another_program_rewrote_are_left_empty(tmp_path: Path) -> None:
    apply(plan_install(tmp_path, TARGET, user=True).changes)
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=2), encoding="utf-8")
    apply(plan_uninstall(tmp_path, TARGET, user=True).changes)
    assert [one.name for one in tmp_path.iterdir()] == ["settings.json"]
    assert json.loads(path.read_text(encoding="utf-8")) == {}


def test_folders_in_which_something_else_lies_stay(tmp_path: Path) -> None:
    folder = tmp_path / ".claude"
    (folder / "skills/other").mkdir(parents=True)
    apply(plan_install(folder, TARGET, user=False).changes)
    apply(plan_uninstall(folder, TARGET, user=False).changes)
    assert [path.name for path in folder.rglob("*")] == ["skills", "other"]


def test_a_skill_that_a_person_has_made_theirs_is_left_alone(tmp_path: Path) -> None:
    skill = tmp_path / "skills/memsite/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine\n", encoding="utf-8")
    for plan in (plan_install(tmp_path, TARGET, user=False), plan_uninstall(tmp_path, TARGET, user=False)):
        apply(plan.changes)
        assert plan.left_alone == (skill,)
    assert skill.read_text(encoding="utf-8") == "mine\n"
