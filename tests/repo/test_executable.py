"""What would run is found with every file that it runs or may load, and nothing is run to find it."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path

import pytest

from memsite.errors import ConfigError, RefusedError
from memsite.repo import covered
from memsite.repo.executable import command_in, find_executable
from memsite.repo.workspace import workspace_at

SITE = "site_name: x\ntheme: {name: material}\n"
Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write(**{"tools/x.py": "text"})` in a workspace with a memory."""
    (tmp_path / "memory").mkdir()

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")

    return write


def hash_of(root: Path) -> str:
    return find_executable(workspace_at(root)).hash


def files_of(root: Path) -> set[str]:
    return {name for one in find_executable(workspace_at(root)).items for name in one.files}


def test_a_workspace_that_only_configures_runs_nothing(tmp_path: Path, write: Write) -> None:
    assert hash_of(tmp_path) == ""
    write({"mkdocs.yml": f"{SITE}plugins: [memsite]\n", "memsite.toml": 'language = "de"\n'})
    assert find_executable(workspace_at(tmp_path)).items == ()


def test_a_hook_is_covered_with_every_module_beside_it(tmp_path: Path, write: Write) -> None:
    write(
        {
            "mkdocs.yml": f"{SITE}hooks: [tools/hook.py]\n",
            "tools/hook.py": "import beside\n",
            "tools/beside.py": "",
            "tools/package/inner.py": "",
            "tools/data.txt": "",
            "tools/__pycache__/hook.cpython-311.pyc": "",
            "memory/note.md": "",
        }
    )
    assert files_of(tmp_path) == {"mkdocs.yml", "tools/hook.py", "tools/beside.py", "tools/package/inner.py"}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ("mkdocs.yml", f"{SITE}hooks: [tools/hook.py]\n# a word\n"),
        ("tools/hook.py", "changed"),
        ("tools/beside.py", "changed"),
        ("tools/yaml.py", "a new module that hides an installed one"),
        ("memsite.toml", 'summarizer = "true"\n'),
    ],
)
def test_whatever_changes_of_it_makes_another_hash(tmp_path: Path, write: Write, changed: str, text: str) -> None:
    write({"mkdocs.yml": f"{SITE}hooks: [tools/hook.py]\n", "tools/hook.py": "", "tools/beside.py": ""})
    before = hash_of(tmp_path)
    assert before == hash_of(tmp_path)
    write({changed: text})
    assert hash_of(tmp_path) != before


def test_what_is_not_part_of_it_leaves_the_hash(tmp_path: Path, write: Write) -> None:
    write({"mkdocs.yml": f"{SITE}hooks: [tools/hook.py]\n", "tools/hook.py": ""})
    before = hash_of(tmp_path)
    write({"memory/2025-03-20.md": "a note", "tools/notes.txt": "", "site/x.py": "", "memsite.toml": "language='de'"})
    assert hash_of(tmp_path) == before


def test_a_hook_beside_the_memory_is_covered_with_code_in_the_memory_but_no_notes(tmp_path: Path, write: Write) -> None:
    write({"mkdocs.yml": f"{SITE}hooks: [hook.py]\n", "hook.py": "", "memory/helper.py": "", "memory/note.md": ""})
    assert files_of(tmp_path) == {"mkdocs.yml", "hook.py", "memory/helper.py"}


def test_a_module_behind_a_link_is_covered(tmp_path: Path, write: Write) -> None:
    write({"mkdocs.yml": f"{SITE}hooks: [tools/hook.py]\n", "tools/hook.py": "", "memory/lib/x.py": ""})
    (tmp_path / "tools/lib").symlink_to("../memory/lib")
    (tmp_path / "tools/round").symlink_to("../tools")
    before = hash_of(tmp_path)
    assert "tools/lib/x.py" in files_of(tmp_path)
    write({"memory/lib/x.py": "changed"})
    assert hash_of(tmp_path) != before


def test_files_that_the_options_of_a_plugin_name_are_covered(tmp_path: Path, write: Write) -> None:
    write(
        {
            "mkdocs.yml": f"{SITE}plugins:\n  - memsite\n  - gen-files: {{scripts: [tools/gen.py]}}\n  - macros\n",
            "tools/gen.py": "",
            "main.py": "what the plugin macros runs by default",
        }
    )
    assert files_of(tmp_path) >= {"mkdocs.yml", "tools/gen.py", "main.py"}


def test_an_installed_plugin_is_named_with_its_version(tmp_path: Path, write: Write) -> None:
    write({"mkdocs.yml": f"{SITE}plugins: [memsite, search, unheard-of]\n"})
    search, unknown = find_executable(workspace_at(tmp_path)).site
    assert search.package == f"mkdocs-material {importlib.metadata.version('mkdocs-material')}"
    assert unknown.package == ""


def test_a_plugin_that_lies_in_the_workspace_is_covered(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"mkdocs.yml": f"{SITE}markdown_extensions: [own_extension]\n", "own_extension.py": "raise SystemExit\n"})
    monkeypatch.syspath_prepend(tmp_path)
    assert files_of(tmp_path) == {"mkdocs.yml", "own_extension.py"}


def test_templates_and_scripts_are_covered_and_kept_as_they_were_read(tmp_path: Path, write: Write) -> None:
    write(
        {
            "mkdocs.yml": "site_name: x\ntheme: {name: material, custom_dir: own}\nextra_javascript: [js/x.js]\n",
            "own/main.html": "",
            "own/partials/footer.html": "",
            "memory/js/x.js": "let x\n",
        }
    )
    found = find_executable(workspace_at(tmp_path))
    assert files_of(tmp_path) == {"mkdocs.yml", "own/main.html", "own/partials/footer.html", "memory/js/x.js"}
    assert found.published == {"js/x.js": b"let x\n"}


def test_templates_that_hold_the_memory_are_refused(tmp_path: Path, write: Write) -> None:
    write({"mkdocs.yml": "site_name: x\ntheme: {name: material, custom_dir: .}\n"})
    with pytest.raises(ConfigError, match=r"mkdocs\.yml:2: theme.custom_dir: holds the memory"):
        hash_of(tmp_path)


def test_inherited_settings_are_covered_with_what_they_run(tmp_path: Path, write: Write) -> None:
    write(
        {
            "mkdocs.yml": "INHERIT: shared/base.yml\nsite_name: x\n",
            "shared/base.yml": "theme: {name: material}\nINHERIT: more.yml\n",
            "shared/more.yml": "hooks: [tools/hook.py]\n",
            "tools/hook.py": "",
        }
    )
    assert files_of(tmp_path) == {"mkdocs.yml", "shared/base.yml", "shared/more.yml", "tools/hook.py"}


def test_settings_that_are_inherited_from_outside_or_in_a_circle_are_refused(tmp_path: Path, write: Write) -> None:
    write({"mkdocs.yml": "INHERIT: ../outside.yml\n"})
    with pytest.raises(ConfigError, match="outside of the workspace"):
        hash_of(tmp_path)
    write({"mkdocs.yml": "INHERIT: mkdocs.yml\n"})
    with pytest.raises(ConfigError, match="too many files in a row"):
        hash_of(tmp_path)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("python3 tools/sum.py --short", {"tools/sum.py", "tools/beside.py"}),
        ("tools/sum.sh", {"tools/sum.sh", "tools/sum.py", "tools/beside.py"}),
        ("sh -c 'tools/sum.sh|cat'", {"tools/sum.sh", "tools/sum.py", "tools/beside.py"}),
        ("make -C tools", {"tools/sum.sh", "tools/sum.py", "tools/beside.py"}),
        ("claude -p", set()),
        ("python3 'unclosed", set()),
    ],
)
def test_a_summariser_is_covered_with_the_files_that_it_names(
    tmp_path: Path, write: Write, command: str, found: set[str]
) -> None:
    write({"memsite.toml": f'summarizer = "{command}"\n', "tools/sum.py": "", "tools/beside.py": ""})
    write({"tools/sum.sh": ""})
    (one,) = find_executable(workspace_at(tmp_path)).summariser
    assert set(one.files) == found
    assert command in one.what


def test_a_program_of_the_search_path_that_lies_in_the_workspace_is_covered(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"memsite.toml": 'summarizer = "summ"\n', "bin/summ": "#!/bin/sh\n"})
    (tmp_path / "bin/summ").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    assert files_of(tmp_path) == {"bin/summ"}


def test_a_command_line_names_its_files_wherever_it_runs(tmp_path: Path, write: Write) -> None:
    write({"sum.py": "", "python3": "not the one that is meant"})
    words = command_in(workspace_at(tmp_path), "python3 sum.py --long 'no file'")
    assert words == ["python3", f"{tmp_path}/sum.py", "--long", "no file"]


def test_too_much_beside_a_program_is_refused_with_what_to_do(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covered, "MOST_FILES", 3)
    write({"mkdocs.yml": f"{SITE}hooks: [hook.py]\n", "hook.py": "", **{f"m{n}.py": "" for n in range(4)}})
    with pytest.raises(RefusedError, match="put what runs into a folder of its own"):
        hash_of(tmp_path)


def test_a_pipe_where_a_program_should_be_is_not_waited_for(tmp_path: Path, write: Write) -> None:
    import os

    write({"mkdocs.yml": f"{SITE}hooks: [tools/hook.py]\n", "tools/x.py": ""})
    os.mkfifo(tmp_path / "tools/hook.py")
    (hook,) = find_executable(workspace_at(tmp_path)).site
    assert hook.files["tools/hook.py"] == "-"
