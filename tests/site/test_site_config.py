"""mkdocs.yml is written by whoever can write the memory: it configures, it does not run."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from memsite.errors import ConfigError
from memsite.shipped import read_shipped
from memsite.site.site_config import MAX_BYTES, foreign_settings, load_site_config, read_site_config

OURS = "site_name: x\ntheme: {name: material}\nplugins: [memsite]\n"


def test_the_template_is_harmless() -> None:
    assert foreign_settings(read_shipped("mkdocs.yml").encode()) == ()


def test_the_template_has_the_lines_that_init_replaces() -> None:
    lines = read_shipped("mkdocs.yml").splitlines()
    assert 'site_name: "Agent memory"' in lines
    assert "docs_dir: memory" in lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hooks: [evil.py]\n", "hooks"),
        ("x: !!python/object/apply:os.system [id]\n", "YAML tag !!python/object/apply:os.system"),
        ("copyright: !!python/name:os.system\n", "YAML tag !!python/name:os.system"),
        ("copyright: !ENV [HOME]\n", "YAML tag !ENV"),
        ("copyright: !relative x\n", "YAML tag !relative"),
        ("INHERIT: ../other.yml\n", "INHERIT"),
        ("extra_javascript: [evil.js]\n", "extra_javascript"),
        ("extra_templates: [evil.html]\n", "extra_templates"),
        ("markdown_extensions: [os]\n", "extension os"),
        ("markdown_extensions:\n  pymdownx.snippets: {base_path: /etc}\n", "extension pymdownx.snippets"),
        ("extra: {analytics: {provider: custom}}\n", "extra.analytics"),
        ("edit_uri_template: '{path.__class__}'\n", "edit_uri_template"),
    ],
)
def test_what_could_run_is_found(text: str, found: str) -> None:
    assert found in foreign_settings((OURS + text).encode())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("site_name: x\nplugins: [memsite, macros]\ntheme: material\n", "plugin macros"),
        ("site_name: x\nplugins: {macros: {}}\ntheme: material\n", "plugin macros"),
        ("site_name: x\nplugins: [search: {}]\ntheme: material\n", "plugin search"),
        ("site_name: x\ntheme: {name: material, custom_dir: evil}\n", "theme.custom_dir"),
        ("site_name: x\ntheme: {name: null}\n", "theme None"),
        ("site_name: x\ntheme: evil\n", "theme evil"),
    ],
)
def test_foreign_plugins_and_themes_are_found(text: str, found: str) -> None:
    assert found in foreign_settings(text.encode())


@pytest.mark.parametrize(
    "data",
    [b"a: [", b"- a\n", b"", b"\xff\xfe\x00", b"a: &a [*a]\n? *a\n", b"site_name: 12\n", b"x" * (MAX_BYTES + 1)],
)
def test_what_is_no_configuration_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"mkdocs\.yml"):
        foreign_settings(data)


def test_brackets_do_not_hang() -> None:
    start = perf_counter()
    with pytest.raises(ConfigError):
        foreign_settings(b"a: " + b"[" * 20_000)
    assert perf_counter() - start < 1


def test_loading_refuses_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"hooks.*remove it"):
        load_site_config(tmp_path, (OURS + "hooks: [evil.py]\n").encode())


def test_loading_runs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    evil = f"copyright: !!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{mark}']]\n"
    with pytest.raises(ConfigError):
        load_site_config(tmp_path, (OURS + evil).encode())
    assert not mark.exists()


def test_a_wrong_value_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="site_url"):
        load_site_config(tmp_path, (OURS + "site_url: 'no address'\n").encode())


def test_without_a_file_the_template_is_used(tmp_path: Path) -> None:
    assert read_site_config(tmp_path, "site_name: t\n") == b"site_name: t\n"
    (tmp_path / "mkdocs.yml").write_text("site_name: own\n", encoding="utf-8")
    assert read_site_config(tmp_path, "site_name: t\n") == b"site_name: own\n"


def test_a_configuration_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").mkdir()
    with pytest.raises(ConfigError):
        read_site_config(tmp_path, "")
