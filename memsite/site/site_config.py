"""MkDocs' configuration from a workspace's mkdocs.yml; what would run code in it only when it has been trusted."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import Hooks
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError
from mkdocs.plugins import BasePlugin, PluginCollection

from memsite.errors import ConfigError
from memsite.repo.workspace import Workspace
from memsite.safety.site_settings import NAME, check_theme, read_settings
from memsite.site.log import collected_warnings
from memsite.site.results import Part

EMPTY_DOCS = Path(__file__).parent / "empty"
"""What MkDocs walks instead of the memory folder."""
OURS = "memsite"


class _Named(io.BytesIO):
    """Bytes with the name that MkDocs looks for inherited settings beside."""

    def __init__(self, data: bytes, path: Path) -> None:
        super().__init__(data)
        self.name = str(path)


def load_site_config(root: Path, data: bytes, *, trusted: bool = False, **settings: object) -> MkDocsConfig:
    """MkDocs' configuration from the bytes of a mkdocs.yml in `root`, `settings` taking the place of its own.

    Its plugins are those of others: `install_plugin` adds ours. Raises ConfigError for what is wrong, and unless
    `trusted` for what would run: loading it runs it.
    """
    foreign = read_settings(data).foreign
    if foreign and not trusted:
        names = ", ".join(one.what for one in foreign)
        raise ConfigError(f"would run code that is not memsite's: {names}", where=NAME, hint="see `memsite trust`")
    config = MkDocsConfig(config_file_path=str(root / NAME))
    config.data["plugins"] = []  # unless the file names any: MkDocs' own default is a search whose index nobody reads
    with collected_warnings() as warnings:
        try:
            config.load_file(_Named(data, root / NAME))
            others = [one for one in _entries(config.data.get("plugins")) if _name(one) != OURS]
            config.load_dict({"docs_dir": str(EMPTY_DOCS), **settings, "plugins": others})
            Hooks._load_hook.cache_clear()  # a hook that was changed and trusted again is another one
            _validate(config)
        except ConfigError:
            raise
        except (Abort, ConfigurationError) as error:
            raise _wrong(warnings[0] if warnings else str(error)) from error
        except Exception as error:  # of code that is not ours: whatever it is, it is said in one line
            if not foreign:
                raise
            raise _wrong(f"{type(error).__name__}: {error}") from error
    check_theme(config.theme.name)
    return config


def set_part(config: MkDocsConfig, workspace: Workspace, part: Part) -> None:
    """Say in a configuration that its site stands in a folder of a larger one."""
    if part.of_versions:
        # Material's selector looks for versions.json above the site's own folder, as mike writes it.
        config.extra["version"] = {"provider": "mike"}
    else:
        config.extra["agents"] = True
        config.theme.static_templates.discard("404.html")  # hosts know the one at the root alone
        if not (workspace.root / NAME).is_file():
            config.site_name = part.name
    if url := part.url or str(config.site_url or ""):
        config.site_url = f"{url.rstrip('/')}/{part.name}/"


def _validate(config: MkDocsConfig) -> None:
    errors, warnings = config.validate()
    for key, problem in errors or (warnings if config.strict else ()):
        raise _wrong(f"{key}: {problem}")


def _wrong(problem: str) -> ConfigError:
    return ConfigError(" ".join(problem.split()), where=NAME, hint="correct it")


def _entries(plugins: Any) -> list[Any]:
    """A list of plugins, each a name or a mapping from its name to its options."""
    if isinstance(plugins, dict):
        return [{name: options} for name, options in plugins.items()]
    return list(plugins) if isinstance(plugins, list | tuple) else []


def _name(entry: Any) -> str:
    return str(next(iter(entry), "")) if isinstance(entry, dict) else str(entry)


def install_plugin(config: MkDocsConfig, plugin: BasePlugin[Any]) -> None:
    """Put our plugin before those of others, as it stands in the file that `init` writes: they see the pages."""
    others = dict(config.plugins)
    config.plugins = PluginCollection()
    for name, one in {OURS: plugin, **others}.items():
        config.plugins[name] = one


@contextmanager
def clean_imports() -> Iterator[None]:
    """No module is taken from a `__pycache__` folder while trusted code is loaded.

    Python believes a compiled file by the time and size of its source: one that was put there would run unseen.
    """
    prefix, writes = sys.pycache_prefix, sys.dont_write_bytecode
    with tempfile.TemporaryDirectory(prefix="memsite-") as empty:
        sys.pycache_prefix, sys.dont_write_bytecode = empty, True
        try:
            yield
        finally:
            sys.pycache_prefix, sys.dont_write_bytecode = prefix, writes
