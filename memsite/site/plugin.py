"""The MkDocs plugin: each event hands over to the assembly of the build that is under way."""

# ruff: noqa: ARG002 - MkDocs passes the arguments of its events by name
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jinja2 import Environment
from mkdocs.config.base import Config as OptionSet
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from memsite.errors import MemsiteError
from memsite.repo.workspace import open_workspace
from memsite.site.assembly import Assembly
from memsite.site.files import SpecPage
from memsite.site.output import require_unoccupied
from memsite.site.own_files import require_own_files
from memsite.site.plan import SitePlan, load_plan
from memsite.site.site_config import EMPTY_DOCS

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

LAST = -100
"""Priority of events in which we read what other plugins have done."""


class Options(OptionSet):  # type: ignore[no-untyped-call]  # MkDocs leaves its class hooks untyped
    """The plugin has no options: settings are in memsite.toml."""


class MemsitePlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]  # as above
    """Shows the memory of the workspace that `docs_dir` lies in."""

    def __init__(self) -> None:
        self.prepared: Assembly | None = None
        """Set by `build_site`: the assembly of its one build, whose output folder has been looked at."""
        self._folder: Path | None = None
        self._assembly: Assembly | None = None

    @property
    def assembly(self) -> Assembly:
        """The build under way. Raises PluginError before `on_config`."""
        if self._assembly is None:
            raise PluginError("memsite: no build has begun")
        return self._assembly

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Nothing to do; its presence lets one plugin object live through all rebuilds of `mkdocs serve`."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the memory and prepare the theme."""
        with _spoken():
            if config.docs_dir != str(EMPTY_DOCS):
                self._folder = Path(config.docs_dir)
            self._assembly = self.prepared or Assembly(config, self._read_plan(config))
            self._assembly.configure()
        return config

    def _read_plan(self, config: MkDocsConfig) -> SitePlan:
        return load_plan(open_workspace(self._folder or Path(config.docs_dir)))

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Refuse an output folder that is not ours, before anything is written to it."""
        with _spoken():
            if self.prepared is None:
                site, workspace = Path(config.site_dir), open_workspace(self._folder or Path(config.docs_dir))
                require_unoccupied(workspace, site)
                require_own_files(workspace, site, {})
                self.assembly.check_output()
            elif self.assembly.is_alone:
                self.assembly.begin()

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every page and file of the site."""
        return self.assembly.add_files(files)

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Place the pages, and decide which of them must be rendered."""
        return self.assembly.place(nav, files)

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Make and write what is ours, where nobody else takes part."""
        self.assembly.make_files(env, files)
        return env

    @event_priority(LAST)
    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Read the article for search."""
        if isinstance(page, SpecPage) and not page.is_late:
            self.assembly.read_article(page, html)
        return html

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the templates what they show around the article."""
        return self.assembly.add_context(context, page)

    def on_template_context(
        self, context: TemplateContext, *, template_name: str, config: MkDocsConfig
    ) -> TemplateContext:
        """The same for pages that are no articles: 404."""
        return self.assembly.add_context(context, None)

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the search index, remove what is gone, record the build."""
        with _spoken():
            self.assembly.finish()

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Callable[..., Any]
    ) -> LiveReloadServer:
        """Watch the memory and git; reload by a script that the pages' policy allows."""
        from memsite.site.preview import prepare_server, watched_paths  # imports a server, which a build has no use for

        for path, recursive in watched_paths(open_workspace(self._folder or Path(config.docs_dir))):
            server.watch(str(path), recursive=recursive)
        return prepare_server(server)


@contextmanager
def _spoken() -> Iterator[None]:
    """Our refusals in the form that the `mkdocs` command prints as one line."""
    try:
        yield
    except MemsiteError as error:
        raise PluginError(str(error)) from error
