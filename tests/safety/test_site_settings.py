"""mkdocs.yml is written by whoever can write the memory: what in it would run is found, whatever form it has."""

from __future__ import annotations

import pytest

from memsite.errors import ConfigError
from memsite.safety.site_settings import MAX_ALIASES, MAX_BYTES, Effect, read_settings
from memsite.shipped import read_shipped
from tests.conftest import cpu_seconds

OURS = "site_name: x\ntheme: {name: material}\nplugins: [memsite]\n"


def found_in(text: str) -> list[str]:
    return [one.what for one in read_settings(text.encode()).foreign]


def test_the_template_is_harmless() -> None:
    assert found_in(read_shipped("mkdocs.yml")) == []


@pytest.mark.parametrize(
    "address", ["memory", "ftp://example.org/", "https://", "https://example.org/?y=1", "https://example.org/#top"]
)
def test_an_address_that_pages_cannot_lie_below_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="is not the address of a site") as caught:
        read_settings((OURS + f"site_url: '{address}'\n").encode())
    assert caught.value.line == 4


def test_the_template_has_the_lines_that_init_replaces() -> None:
    lines = read_shipped("mkdocs.yml").splitlines()
    assert 'site_name: "Agent memory"' in lines
    assert "docs_dir: memory" in lines


@pytest.mark.parametrize(
    ("text", "found", "effect"),
    [
        ("hooks: [evil.py]\n", "hook evil.py", Effect.HOOK),
        ("hooks: evil.py\n", "hook evil.py", Effect.HOOK),
        ("x: !!python/object/apply:os.system [id]\n", "YAML tag !!python/object/apply:os.system", Effect.TAG),
        ("copyright: !!python/name:os.system\n", "YAML tag !!python/name:os.system", Effect.TAG),
        ("!!python/object/apply:os.system [id]: x\n", "YAML tag !!python/object/apply:os.system", Effect.TAG),
        ("copyright: !<tag:yaml.org,2002:python/name:os.system> x\n", "YAML tag !!python/name:os.system", Effect.TAG),
        ("copyright: !ENV [HOME]\n", "YAML tag !ENV", Effect.VARIABLE),
        ("copyright: !relative x\n", "YAML tag !relative", Effect.TAG),
        ("INHERIT: ../other.yml\n", "INHERIT ../other.yml", Effect.INHERIT),
        ("extra_javascript: [evil.js]\n", "script evil.js", Effect.SCRIPT),
        ("extra_javascript: [{path: evil.js, async: true}]\n", "script path", Effect.SCRIPT),
        ("extra_templates: [evil.html]\n", "template evil.html", Effect.TEMPLATES),
        ("markdown_extensions: [os]\n", "extension os", Effect.EXTENSION),
        ("markdown_extensions:\n  pymdownx.snippets: {base_path: /etc}\n", "extension pymdownx.snippets", None),
        ("extra: {analytics: {provider: custom}}\n", "extra.analytics", Effect.UNKNOWN),
        ("edit_uri_template: '{path.__class__}'\n", "edit_uri_template", Effect.UNKNOWN),
        ("!!str hooks: [evil.py]\n", "hook evil.py", Effect.HOOK),
        ('"\\x68ooks": [evil.py]\n', "hook evil.py", Effect.HOOK),
        ("a: &a {hooks: [evil.py]}\n<<: *a\n", "hook evil.py", Effect.HOOK),
    ],
)
def test_what_could_run_is_found(text: str, found: str, effect: Effect | None) -> None:
    foreign = {one.what: one for one in read_settings((OURS + text).encode()).foreign}
    assert found in foreign
    assert foreign[found].line >= 4
    assert effect in (None, foreign[found].effect)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("site_name: x\nplugins: [memsite, macros]\ntheme: material\n", "plugin macros"),
        ("site_name: x\nplugins: {macros: {}}\ntheme: material\n", "plugin macros"),
        ("site_name: x\nplugins: [search: {}]\ntheme: material\n", "plugin search"),
        ("site_name: x\nplugins: [&a macros]\ntheme: material\n", "plugin macros"),
        ("site_name: x\ntheme: {name: material, custom_dir: evil}\n", "theme.custom_dir"),
        ("site_name: x\ntheme: {name: other}\ntheme: {name: material, custom_dir: evil}\n", "theme.custom_dir"),
    ],
)
def test_foreign_plugins_and_templates_are_found(text: str, found: str) -> None:
    assert found in found_in(text)


@pytest.mark.parametrize("theme", ["theme: {name: null}\n", "theme: evil\n", "theme: {}\n", ""])
def test_another_theme_is_refused(theme: str) -> None:
    with pytest.raises(ConfigError, match=r"the theme .* is not memsite's; set `theme: \{name: material\}`"):
        read_settings(f"site_name: x\n{theme}".encode())


def test_the_texts_of_a_setting_are_those_that_may_name_files() -> None:
    (one,) = read_settings((OURS + "x: {scripts: [tools/a.py, {b: tools/c.py}]}\n").encode()).foreign
    assert one.names == ("scripts", "tools/a.py", "b", "tools/c.py")


@pytest.mark.parametrize(
    "data",
    [b"a: [", b"- a\n", b"", b"\xff\xfe\x00", b"a: &a [*a]\n? *a\n", b"site_name: 12\n", b"x" * (MAX_BYTES + 1)],
)
def test_what_is_no_configuration_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"mkdocs\.yml"):
        read_settings(data)


def test_brackets_do_not_hang() -> None:
    with cpu_seconds(20), pytest.raises(ConfigError):
        read_settings(b"a: " + b"[" * 20_000)


def test_references_do_not_multiply() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 10))
    with pytest.raises(ConfigError, match=f"more than {MAX_ALIASES} aliases"):
        read_settings(f"{OURS}l0: &l0 lol\n{levels}".encode())
