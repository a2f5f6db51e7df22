"""mkdocs.yml, read as what it is: a file that an agent can write, for a program that would run what it says.

MkDocs loads it with python tags, imports plugins and extensions by name, runs hooks and templates. Here a safe loader
reads it first; what is not on the list of harmless settings is refused.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError

from memsite.errors import ConfigError
from memsite.site.log import collected_warnings

NAME = "mkdocs.yml"
EMPTY_DOCS = Path(__file__).parent / "empty"
"""What MkDocs walks instead of the memory folder."""
MAX_BYTES = 64 * 1024
MAX_BRACKETS = 500
"""A YAML parser takes seconds for thousands of them."""

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
    "not_in_nav",
    "remote_branch",
    "remote_name",
    "strict",
    "use_directory_urls",
    "validation",
    "watch",
}
"""Top-level settings whose values MkDocs shows, compares or opens as style sheets."""
HARMLESS_THEME = {"name", "language", "direction", "palette", "features", "font", "icon", "logo", "favicon"}
HARMLESS_EXTRA = {"scope", "homepage", "generator"}
HARMLESS_EXTENSIONS = {"admonition", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "tables", "toc"}
"""Extensions of Python-Markdown that come with it. They have no effect on memory pages."""


class _Loader(yaml.SafeLoader):
    """Builds plain values; remembers every tag that would build something else."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.tags: list[str] = []


def _foreign_tag(loader: _Loader, node: yaml.Node) -> None:
    loader.tags.append(f"YAML tag {node.tag.replace('tag:yaml.org,2002:', '!!')}")


_Loader.add_constructor(None, _foreign_tag)  # None: every tag without a constructor


def foreign_settings(data: bytes) -> tuple[str, ...]:
    """What in a mkdocs.yml could run code, read other files or load from elsewhere, in its order; empty when nothing.

    Raises ConfigError when the file is no YAML mapping.
    """
    if len(data) > MAX_BYTES or data.count(b"[") + data.count(b"{") > MAX_BRACKETS:
        raise ConfigError("is too large for a site configuration", where=NAME, hint="shorten it")
    try:
        # MkDocs would guess UTF-16 too; what two readers may read differently is refused.
        loader = _Loader(data.decode("utf-8-sig"))
        settings = loader.get_single_data()
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _not_yaml(error) from error
    if not isinstance(settings, dict):
        raise ConfigError("is no mapping", where=NAME, hint="begin it with `site_name: …`")
    return tuple(dict.fromkeys([*loader.tags, *_foreign(settings)]))


def _not_yaml(error: Exception) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    line = None if mark is None else mark.line + 1
    return ConfigError(
        f"is not YAML: {getattr(error, 'problem', None) or type(error).__name__}",
        where=NAME,
        line=line,
        hint="correct it",
    )


def _foreign(settings: Mapping[Any, Any]) -> Iterator[str]:
    for key, value in settings.items():
        match key:
            case "plugins":
                yield from (f"plugin {name}" for name in _names(value) if name != "memsite")
            case "theme":
                yield from _foreign_theme(value)
            case "extra":
                yield from _keys_beyond("extra", value, HARMLESS_EXTRA)
            case "markdown_extensions":
                yield from (f"extension {name}" for name in _names(value) if name not in HARMLESS_EXTENSIONS)
            case _ if key not in HARMLESS:
                yield str(key)
            case _ if key in TEXTS and not isinstance(value, str | None):
                raise ConfigError(f"{key!r}: must be a text", where=NAME, hint="quote it")


def _names(value: object) -> Iterator[str]:
    """The names in a list of plugins or extensions: texts, or mappings from a name to its options."""
    items: Collection[object] = value if isinstance(value, list | dict) else () if value is None else (value,)
    for item in items:
        yield from (str(name) for name in item) if isinstance(item, dict) else (str(item),)


def _foreign_theme(theme: object) -> Iterator[str]:
    if isinstance(theme, dict):
        yield from _keys_beyond("theme", theme, HARMLESS_THEME)
        theme = theme.get("name")
    if theme != "material":
        yield f"theme {theme}"


def _keys_beyond(name: str, value: object, known: Collection[str]) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{name}.{key}" for key in value if key not in known)


def read_site_config(root: Path, template: str) -> bytes:
    """The bytes of a workspace's mkdocs.yml; the template's where there is none. Raises ConfigError if unreadable."""
    path = root / NAME
    if not path.exists() and not path.is_symlink():
        return template.encode()
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise ConfigError("is no site configuration: not a file, or too large", where=NAME)
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=NAME) from error


def load_site_config(root: Path, data: bytes, **settings: object) -> MkDocsConfig:
    """MkDocs' configuration from the bytes of a mkdocs.yml in `root`, `settings` taking the place of its own.

    Without plugins: the caller installs ours. Raises ConfigError for what is foreign or wrong.
    """
    foreign = foreign_settings(data)
    if foreign:
        raise ConfigError(
            f"could run code that is not memsite's: {', '.join(foreign)}",
            where=NAME,
            hint="remove it",
        )
    with collected_warnings() as warnings:
        try:
            return load_config(
                io.BytesIO(data), config_file_path=str(root / NAME), docs_dir=str(EMPTY_DOCS), plugins=[], **settings
            )
        except (Abort, ConfigurationError) as error:
            problem = warnings[0] if warnings else str(error)
            raise ConfigError(" ".join(problem.split()), where=NAME, hint="correct it") from error
