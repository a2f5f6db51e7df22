"""Material, made fit for hostile text and for no network: our templates before its own, its strings escaped."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.theme import Theme

from memsite.safety.html import clean_html
from memsite.site.shells import Shells
from memsite.site.site_config import OURS
from memsite.site.templating import bytecode_cache

PAGE_TEMPLATE = "main.html"
OVERLAY = Path(__file__).parent / "overlay"
ASSETS = Path(__file__).parent / "assets"
ASSETS_URI = "assets/memsite/"
"""Where the package's own style sheets and scripts stand on the site."""
STYLES, SCRIPTS = f"{ASSETS_URI}memsite.css", f"{ASSETS_URI}memsite.js"
"""All of the package's style sheets in one file, and what it runs on every page: each one more is a line more on every
page, and a request more."""
FRAME = f"{ASSETS_URI}frame.js"
"""The template of the script that every page loads first."""
_NO_ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>'
_SEARCH_CODE = ("assets/javascripts/lunr/", "assets/javascripts/workers/")
_COMPARE = ("node-diff3/diff3.iife.js", "words.js", "blocks.js", "rows.js", "drawing.js", "page.js")
_COPIED = ("topic", "generation", "day", "session-day", "index", "note")
PAGE_SCRIPTS = {
    "compare-any": tuple(f"compare/{name}" for name in _COMPARE),
    **dict.fromkeys(_COPIED, ("copy/markdown.js",)),
}
"""By kind of page, the scripts that only it loads, in their order."""
ICONS = {"menu": "menu", "search": "magnify", "left": "arrow-left", "right": "arrow-right"}
"""What `memsite-icon-NAME` on a page draws, of Material's own."""
UNFIT_FEATURES = ("navigation.instant", "navigation.tabs", "content.tooltips", "toc.integrate")
"""Features, by prefix, that fetch pages (which fails from file://) or that our templates have no place for."""
ESCAPED = ("site_name", "site_description", "site_author", "site_url")


class _VisibleLoader(FileSystemLoader):
    """Lists no hidden folders: MkDocs copies none, and Material's has some 15,000 icons in one. Of what is for its
    developers and, where nobody else's plugin may want it, for its own search, nothing is copied, either.
    """

    def __init__(self, folders: Sequence[str], *, alone: bool) -> None:
        super().__init__(folders)
        self._unused = (".map", *_SEARCH_CODE) if alone else (".map",)

    def list_templates(self) -> list[str]:
        """The names of the templates and files in all folders, sorted."""
        found: set[str] = set()
        for folder in self.searchpath:
            for path, folders, names in os.walk(folder, followlinks=self.followlinks):
                folders[:] = [name for name in folders if not name.startswith(".")]
                found.update(Path(path, name).relative_to(folder).as_posix() for name in names)
        return sorted(name for name in found if not name.startswith(self._unused) and not name.endswith(self._unused))


def _environment(theme: Theme, compiled: Path | None, *, alone: bool) -> Environment:
    """The theme's environment, with lines that hold only a tag leaving nothing.

    Material's templates loop over the entries of folded sections too. The empty lines that this left would change with
    every new topic, on pages that do not show it. `compiled` is a folder for compiled templates; `alone` says that
    no plugin of others takes part, which may look at whatever it likes.
    """
    env = Theme.get_env(theme)
    env.loader = _VisibleLoader(theme.dirs, alone=alone)
    env.trim_blocks = env.lstrip_blocks = True
    env.bytecode_cache = bytecode_cache(compiled)
    if alone and not theme.custom_dir:
        _put_shells(env)
    return env


def _put_shells(env: Environment) -> None:
    """Where MkDocs asks for the template of pages, it gets shells; templates that extend it get it itself."""
    get_template, shells = env.get_template, Shells(env.get_template(PAGE_TEMPLATE))

    def get(name: str, parent: str | None = None, globals: Any = None) -> Any:
        return shells if name == PAGE_TEMPLATE and parent is None else get_template(name, parent, globals)

    env.get_template = get  # type: ignore[assignment,method-assign]  # MkDocs only calls `render` on what it gets


def prepare_theme(config: MkDocsConfig, language: str, compiled: Path | None = None) -> None:
    """Change a loaded configuration in place: our templates, no web fonts, no feature that needs the network.

    Every text of the configuration is escaped here, once: MkDocs' templates write most of them as they are, and an
    escaped `Markup` is left alone by the templates that do escape. `language` is that of memsite.toml; `compiled` a
    folder that keeps compiled templates from one build to the next.
    """
    theme = config.theme
    alone = set(config.plugins) <= {OURS}
    theme.get_env = lambda: _environment(theme, compiled, alone=alone)  # type: ignore[method-assign]  # MkDocs asks this object alone
    theme.dirs.insert(1 if theme.custom_dir else 0, str(OVERLAY))
    theme["font"] = False
    theme["features"] = [name for name in theme.get("features") or [] if not str(name).startswith(UNFIT_FEATURES)]
    theme["language"] = _language(theme.dirs, language, theme.get("language"))
    for key in theme:
        if key not in ("name", "locale"):
            theme[key] = escaped(theme[key])
    config.extra = escaped(config.extra)
    theme.static_templates.add(FRAME)
    for name in ESCAPED:
        config[name] = escaped(config[name])
    config.copyright = None if config.copyright is None else Markup(clean_html(config.copyright))  # noqa: S704 - cleaned


def escaped(value: Any) -> Any:
    """Every text in a value, mappings' keys aside, as escaped `Markup`."""
    match value:
        case str():
            return escape(value)
        case dict():
            return {key: escaped(item) for key, item in value.items()}
        case list() | tuple():
            return [escaped(item) for item in value]
    return value


def _language(folders: list[str], wanted: str, otherwise: object) -> str:
    """The language that Material has words for: the memory's own, else the theme's setting, else English."""
    for name in (wanted if wanted != "en" else "", str(otherwise)):
        if name.replace("-", "").isalnum() and any(
            (Path(folder) / "partials" / "languages" / f"{name}.html").is_file() for folder in folders
        ):
            return name
    return "en"


@cache
def package_assets() -> tuple[tuple[str, bytes], ...]:
    """The package's style sheets, scripts and images: address on the site, and bytes."""
    paths = sorted(path for path in ASSETS.rglob("*") if path.is_file() and not path.name.startswith("."))
    styles = [path for path in paths if path.parent == ASSETS and path.suffix == ".css"]
    scripts = [path for path in paths if path.parent == ASSETS and path.suffix == ".js" and "-" not in path.name]
    others = [path for path in paths if path not in styles and path not in scripts]
    return (
        (STYLES, b"".join(_spare(path.read_bytes()) for path in styles)),
        (SCRIPTS, b"".join(path.read_bytes() for path in scripts)),
        *((ASSETS_URI + path.relative_to(ASSETS).as_posix(), path.read_bytes()) for path in others),
    )


def icon_styles(config: MkDocsConfig) -> bytes:
    """Rules that draw the icons around an article: written out they would stand on every page."""
    theme = config.theme
    options, chosen = theme.get("palette"), theme.get("icon")
    names = {name: f"material/{icon}" for name, icon in ICONS.items()}
    for name, default in (("logo", "material/library"), ("top", "material/arrow-up")):
        names[name] = str((chosen.get(name) if isinstance(chosen, dict) else None) or default)
    toggles = [option.get("toggle") for option in options] if isinstance(options, list) else []
    for number, toggle in enumerate(toggles):
        if isinstance(toggle, dict):
            names[f"toggle-{number}"] = str(toggle.get("icon", ""))
    drawn = ((name, quote(_icon(theme.dirs, icon), safe="")) for name, icon in names.items())
    rules = (f'.memsite-icon-{name}{{mask-image:url("data:image/svg+xml,{svg}")}}\n' for name, svg in drawn)
    return "".join(rules).encode()


def _icon(folders: Iterable[str], name: str) -> str:
    """The drawing of one of the theme's icons; an empty one where it has none of that name."""
    if not re.fullmatch(r"[\w-]+(?:/[\w-]+)*", name):
        return _NO_ICON
    places = (Path(folder) / ".icons" / f"{name}.svg" for folder in folders)
    return next((place.read_text(encoding="utf-8") for place in places if place.is_file()), _NO_ICON)


def _spare(css: bytes) -> bytes:
    """A style sheet of ours without its comments and its indentation: neither stands in a text there."""
    return re.sub(rb"\s*\n\s*", b"\n", re.sub(rb"/\*.*?\*/", b"", css, flags=re.DOTALL)).lstrip()


def styles_and_scripts(kind: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What every page loads behind FRAME, and what those of a kind do by PAGE_SCRIPTS: style sheets, scripts.

    Every page's are those at the top of the assets folder, but for a script `name-part.js`: that is left to `name.js`,
    which loads it when it is needed.
    """
    return (STYLES,), (SCRIPTS, *(ASSETS_URI + name for name in PAGE_SCRIPTS.get(kind, ())))
