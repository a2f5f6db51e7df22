"""mkdocs.yml, read as what it is: a file that an agent can write, for a program that would run what it says.

MkDocs loads it with python tags, imports plugins and extensions by name, runs hooks and templates. Here a safe loader
reads it; what is not on the list of harmless settings is foreign, and waits for the user's trust.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memsite.errors import ConfigError
from memsite.values import dataclass

if TYPE_CHECKING:
    import yaml

NAME = "mkdocs.yml"
MAX_BYTES = 64 * 1024
MAX_BRACKETS = 500
"""A YAML parser takes seconds for thousands of them."""
MAX_ALIASES = 20
"""Nested ones would multiply; so few cannot reach two thousand values."""
THEME = "material"
"""The only theme that memsite's pages are made for."""

TEXTS = {
    "site_name",
    "site_url",
    "site_description",
    "site_author",
    "copyright",
    "repo_url",
    "repo_name",
    "docs_dir",
    "site_dir",
    "dev_addr",
}
HARMLESS = TEXTS | {
    "exclude_docs",
    "extra_css",
    "nav",
    "not_in_nav",
    "remote_branch",
    "remote_name",
    "strict",
    "use_directory_urls",
    "validation",
    "watch",
}
"""Top-level settings whose values MkDocs shows, compares or opens as style sheets; `site/own_nav` reads `nav`."""
HARMLESS_THEME = {"name", "language", "direction", "palette", "features", "font", "icon", "logo", "favicon"}
HARMLESS_EXTRA = {"scope", "homepage", "generator"}
HARMLESS_EXTENSIONS = {"admonition", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "tables", "toc"}
"""Extensions of Python-Markdown that come with it. They have no effect on memory pages."""


class Effect(StrEnum):
    """What a foreign setting does once it is trusted, in words for the user."""

    HOOK = "runs this Python file at every build"
    PLUGIN = "runs code of an installed package at every build"
    EXTENSION = "runs code of an installed package when the settings are read"
    TAG = "makes Python objects, and may call functions, when the settings are read"
    VARIABLE = "copies a variable of the environment into the site"
    INHERIT = "takes over the settings of another file"
    TEMPLATES = "runs the expressions in these templates at every build"
    SCRIPT = "runs in the browser of whoever reads the site"
    UNKNOWN = "is a setting that memsite does not know"


@dataclass(frozen=True, slots=True)
class Foreign:
    """One foreign setting of mkdocs.yml."""

    what: str
    """As a message names it: `plugin macros`, `hook tools/x.py`, `extra.analytics`."""
    effect: Effect
    line: int
    names: tuple[str, ...] = ()
    """Every text in its value: any of them may name a file that it runs."""


_EFFECTS = {
    "hooks": (Effect.HOOK, "hook"),
    "extra_javascript": (Effect.SCRIPT, "script"),
    "extra_templates": (Effect.TEMPLATES, "template"),
    "INHERIT": (Effect.INHERIT, "INHERIT"),
}


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """A mkdocs.yml as plain values."""

    values: Mapping[str, Any]
    """Without what its foreign tags would have built."""
    foreign: tuple[Foreign, ...]
    """In the order of the file; empty when it only configures."""


@cache
def _loader() -> type[yaml.SafeLoader]:
    """A loader that builds plain values, and nothing for a tag that would build something else."""
    import yaml  # the quick commands import this room and read no mkdocs.yml

    class PlainLoader(yaml.SafeLoader):
        pass

    PlainLoader.add_constructor(None, lambda _loader, _node: None)  # None: every tag without a constructor
    return PlainLoader


def read_settings(data: bytes, *, whole: bool = True) -> SiteSettings:
    """Read a mkdocs.yml, or with `whole=False` a file that one inherits from, which need not name a theme.

    Raises ConfigError when it is no YAML mapping, names another theme, or is built to keep a parser busy.
    """
    if len(data) > MAX_BYTES or data.count(b"[") + data.count(b"{") > MAX_BRACKETS:
        raise ConfigError("is too large for a site configuration", where=NAME, hint="shorten it")
    import yaml

    try:
        # MkDocs would guess UTF-16 too; what two readers may read differently is refused.
        text = data.decode("utf-8-sig")
        if "*" in text:
            _count_aliases(text)
        loader = _loader()(text)
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise ConfigError("is no mapping", where=NAME, hint="begin it with `site_name: …`")
        values = loader.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _not_yaml(error) from error
    _check_texts(values)
    _check_address(values.get("site_url"), text)
    if whole and "INHERIT" not in values:
        check_theme(_theme(values.get("theme")))
    found = [*_tags(node, set()), *_foreign(node)]
    return SiteSettings(values, tuple(dict.fromkeys(sorted(found, key=lambda one: one.line))))


def _count_aliases(text: str) -> None:
    import yaml

    if sum(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)) > MAX_ALIASES:
        raise ConfigError(f"has more than {MAX_ALIASES} aliases", where=NAME, hint="write the values out")


def _not_yaml(error: Exception) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    line = None if mark is None else mark.line + 1
    problem = getattr(error, "problem", None) or type(error).__name__
    return ConfigError(f"is not YAML: {problem}", where=NAME, line=line, hint="correct it")


def _check_texts(values: Mapping[Any, Any]) -> None:
    for key in TEXTS:
        if not isinstance(values.get(key), str | None):
            raise ConfigError(f"{key!r}: must be a text", where=NAME, hint="quote it")


def _check_address(address: str | None, text: str) -> None:
    """The site's own address: all links, feeds and the sitemap begin with it, so that it ends with a path."""
    if not address:
        return
    parts = urlsplit(address)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        lines = enumerate(text.splitlines(), start=1)
        line = next((number for number, one in lines if "site_url" in one.split(":")[0]), None)
        problem = f"'site_url': {address!r} is not the address of a site"
        raise ConfigError(problem, where=NAME, line=line, hint="write it as https://example.org/memory/")


def _theme(value: object) -> object:
    return value.get("name") if isinstance(value, dict) else value


def check_theme(name: object) -> None:
    """Raise ConfigError for any theme but the one that memsite's pages are made for."""
    if name != THEME:
        raise ConfigError(f"the theme {name!r} is not memsite's", where=NAME, hint=f"set `theme: {{name: {THEME}}}`")


def _tags(node: yaml.Node, seen: set[int]) -> Iterator[Foreign]:
    """Every tag that a safe loader has no constructor for."""
    import yaml

    if id(node) in seen:
        return
    seen.add(id(node))
    if node.tag not in yaml.SafeLoader.yaml_constructors:
        name = node.tag.replace("tag:yaml.org,2002:", "!!")
        effect = Effect.VARIABLE if name == "!ENV" else Effect.TAG
        yield Foreign(f"YAML tag {name}", effect, _line(node), tuple(_texts(node)))
    for child in _children(node):
        yield from _tags(child, seen)


def _foreign(mapping: yaml.MappingNode) -> Iterator[Foreign]:
    for key, value in mapping.value:
        match _shown(key):
            case "plugins":
                yield from _named("plugin", Effect.PLUGIN, value, {"memsite"})
            case "markdown_extensions":
                yield from _named("extension", Effect.EXTENSION, value, HARMLESS_EXTENSIONS)
            case "theme":
                yield from _beyond("theme", value, HARMLESS_THEME, {"custom_dir": Effect.TEMPLATES})
            case "extra":
                yield from _beyond("extra", value, HARMLESS_EXTRA, {})
            case name if name in _EFFECTS:
                effect, word = _EFFECTS[name]
                yield from _listed(word, effect, value)
            case name if name not in HARMLESS:
                yield Foreign(name, Effect.UNKNOWN, _line(key), tuple(_texts(value)))


def _named(word: str, effect: Effect, value: yaml.Node, known: Collection[str]) -> Iterator[Foreign]:
    """The entries of a list of plugins or extensions: names, or mappings from a name to its options."""
    for name, options in _entries(value):
        if _shown(name) not in known:
            yield Foreign(f"{word} {_shown(name)}", effect, _line(name), tuple(_texts(options)) if options else ())


def _entries(value: yaml.Node) -> Iterator[tuple[yaml.Node, yaml.Node | None]]:
    import yaml

    if isinstance(value, yaml.MappingNode):
        yield from value.value
    elif isinstance(value, yaml.SequenceNode):
        for item in value.value:
            yield from item.value if isinstance(item, yaml.MappingNode) else ((item, None),)
    elif value.value:
        yield value, None


def _beyond(name: str, value: yaml.Node, known: Collection[str], effects: Mapping[str, Effect]) -> Iterator[Foreign]:
    import yaml

    if isinstance(value, yaml.MappingNode):
        for key, item in value.value:
            if _shown(key) not in known:
                effect = effects.get(_shown(key), Effect.UNKNOWN)
                yield Foreign(f"{name}.{_shown(key)}", effect, _line(key), tuple(_texts(item)))


def _listed(word: str, effect: Effect, value: yaml.Node) -> Iterator[Foreign]:
    import yaml

    for item in value.value if isinstance(value, yaml.SequenceNode) else (value,):
        texts = tuple(_texts(item))
        yield Foreign(" ".join((word, *texts[:1])), effect, _line(item), texts)


def _texts(node: yaml.Node) -> Iterator[str]:
    """Every scalar below a node, each node once; keys too."""
    import yaml

    waiting, seen = [node], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, yaml.ScalarNode):
            yield one.value
        waiting += reversed(list(_children(one)))


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        yield from (part for pair in node.value for part in pair)
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _shown(node: yaml.Node) -> str:
    return str(node.value)[:100] if isinstance(node.value, str) else "?"


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
