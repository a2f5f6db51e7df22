"""mkdocs.yml is written by whoever can write the memory: it configures, and runs nothing unless it is trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

from memsite.errors import ConfigError
from memsite.site.settings_file import read_site_config
from memsite.site.site_config import load_site_config

OURS = "site_name: x\ntheme: {name: material}\nplugins: [memsite]\n"


def test_loading_refuses_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"hook evil\.py; see `memsite trust`"):
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
