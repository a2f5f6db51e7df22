"""The theme in our hands: no network, escaped settings, a language that it has words for."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from markupsafe import Markup
from mkdocs.config.defaults import MkDocsConfig

from memsite.site.theme import ASSETS, escaped, icon_styles, package_assets, prepare_theme, styles_and_scripts

LoadConfig = Callable[..., MkDocsConfig]


@pytest.fixture
def config(load_config: LoadConfig, tmp_path: Path) -> MkDocsConfig:
    return load_config(tmp_path / "site")


def test_texts_are_escaped_once_at_any_depth() -> None:
    value = escaped({"a": ["<b>", 1, None, True], "c": ("'",)})
    assert value == {"a": ["&lt;b&gt;", 1, None, True], "c": ["&#39;"]}
    assert isinstance(value["a"][0], Markup)
    assert escaped(value) == value


@pytest.mark.parametrize(
    ("wanted", "used"), [("en", "en"), ("zh", "zh"), ("xx", "en"), ("../../main", "en"), ("pt-BR", "pt-BR")]
)
def test_the_language_is_one_of_the_theme(config: MkDocsConfig, wanted: str, used: str) -> None:
    prepare_theme(config, wanted)
    assert config.theme["language"] == used


def test_fonts_and_fetching_features_are_off(config: MkDocsConfig) -> None:
    config.theme["features"] = ["navigation.top", "navigation.instant", "navigation.instant.prefetch"]
    config.theme["font"] = {"text": "Roboto"}
    prepare_theme(config, "en")
    assert config.theme["font"] is False
    assert config.theme["features"] == ["navigation.top"]


def test_the_listing_of_the_theme_is_what_mkdocs_copies_and_no_more(config: MkDocsConfig) -> None:
    prepare_theme(config, "en")
    names = config.theme.get_env().list_templates()
    assert "main.html" in names
    assert "assets/images/favicon.png" in names
    assert not [name for name in names if name.startswith(".") or name.endswith(".map") or "lunr" in name]


def test_style_sheets_are_one_in_the_order_of_their_names() -> None:
    (styles,) = (data.decode() for uri, data in package_assets() if uri.endswith(".css"))
    paths = sorted(ASSETS.glob("*.css"))
    whole = "".join(re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL) for path in paths)
    assert len(paths) > 5
    assert "".join(styles.split()) == "".join(whole.split())


def test_icons_are_drawn_by_the_style_sheet(config: MkDocsConfig) -> None:
    icons = ("material/brightness-auto", "../../../../../etc/passwd", "material/no-such-icon")
    config.theme["palette"] = [*({"toggle": {"icon": icon, "name": "x"}} for icon in icons), {"scheme": "slate"}]
    config.theme["icon"] = {"logo": "material/no-such-icon"}
    rules = dict(re.findall(r"\.memsite-icon-([\w-]+)\{(.*)\}", icon_styles(config).decode()))
    assert set(rules) == {"menu", "search", "left", "right", "top", "logo", "toggle-0", "toggle-1", "toggle-2"}
    assert {name for name, rule in rules.items() if "path" not in rule} == {"logo", "toggle-1", "toggle-2"}
    assert all("%3Csvg" in rule for rule in rules.values())
    config.theme["palette"] = {"scheme": "slate"}
    assert "toggle" not in icon_styles(config).decode()


def test_parts_of_a_script_are_left_to_the_script() -> None:
    uris = [uri for uri, _ in package_assets()]
    styles, scripts = styles_and_scripts()
    assert set(styles) | set(scripts) <= set(uris)
    assert [uri for uri in uris if uri.endswith("/search-engine.js")]
    data = dict(package_assets())
    assert [uri for uri in uris if data[uri] in data[scripts[0]]] == [scripts[0]]


def test_the_vendored_library_is_as_it_was_released() -> None:
    files = {Path(uri).name: sha256(data).hexdigest() for uri, data in package_assets() if "/node-diff3/" in uri}
    assert files == {  # node-diff3 3.2.1: dist/diff3.iife.js, LICENSE.md
        "LICENSE.md": "91b143397ff4e7ae81fcedec96140607189c620bda4fbb85882534922fab0965",
        "diff3.iife.js": "3c597d42626e58664c9f2692dae2cdb012dc743839b752e92328edf38642532d",
    }


def test_scripts_of_one_kind_of_page_are_loaded_there_alone() -> None:
    _, everywhere = styles_and_scripts()
    _, there = styles_and_scripts("compare-any")
    assert not any("compare" in uri for uri in everywhere)
    assert there[: len(everywhere)] == everywhere
    assert set(there) <= {uri for uri, _ in package_assets()}
    assert len(there) > len(everywhere)
