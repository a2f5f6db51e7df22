"""From a plan to a folder, with MkDocs in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError

from memsite.errors import MemsiteError, RefusedError
from memsite.repo.executable import Executable, find_executable
from memsite.repo.workspace import Workspace
from memsite.shipped import read_shipped
from memsite.site.assembly import Assembly
from memsite.site.log import collected_warnings
from memsite.site.output import mark_own
from memsite.site.plan import SitePlan
from memsite.site.plugin import MemsitePlugin
from memsite.site.results import BuildResult, Permit, Progress, no_progress
from memsite.site.settings_file import read_site_config
from memsite.site.site_config import clean_imports, install_plugin, load_site_config


@contextmanager
def configured(
    workspace: Workspace,
    destination: Path | None,
    permit: Permit | None,
    clean: Callable[[str], str] | None = None,
    **settings: object,
) -> Iterator[tuple[MkDocsConfig, Mapping[str, bytes]]]:
    """The configuration, and the scripts and templates that it adds to the site, as they were trusted.

    `clean` makes a mkdocs.yml fit for others, after it was trusted as it is.
    """
    root = workspace.root
    data = read_site_config(root, read_shipped("mkdocs.yml"))
    if destination is not None:
        settings["site_dir"] = str(destination)
    found = Executable() if permit is None else find_executable(workspace, data)
    if permit is not None and found.site:
        permit(found)
    with clean_imports() if found.site else nullcontext():
        if clean is not None:
            data = clean(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        config = load_site_config(root, data, trusted=bool(found.site), **settings)
        yield config, found.published


def build_plan(
    plan: SitePlan,
    config: MkDocsConfig,
    *,
    clean: bool = False,
    serve_url: str | None = None,
    progress: Progress = no_progress,
    mapped: bool = True,
    shown: Callable[[], None] = lambda: None,
    is_taken: bool = False,
) -> BuildResult:
    """Build a site from values, with a site map where it has an address, unless that is not wanted; raises as
    `build_site`. `shown` is called when all pages are written, before search knows them. `is_taken` says that the
    output folder is known to be ours and fit.
    """
    plugin = MemsitePlugin()
    plugin.load_config({}, config.config_file_path)
    others = ", ".join(config.plugins)
    # Nobody knows what the output of other plugins depends on, so that no page of theirs is kept.
    clean = clean or bool(others)
    install_plugin(config, plugin)
    assembly = plugin.prepared = Assembly(config, plan)
    assembly.progress = progress
    assembly.shown = shown
    if is_taken:
        mark_own(Path(config.site_dir))  # it may be gone since
    else:
        assembly.check_output()
    with collected_warnings() as warnings:
        try:
            assembly.is_clean = clean
            assembly.is_clean = clean or not assembly.is_incremental()
            assembly.is_alone = not others
            assembly.is_mapped = mapped
            # The site map is made by MkDocs, from the pages that it knows.
            assembly.is_lean = not assembly.is_clean and serve_url is None and not (mapped and config.site_url)
            _build(config, serve_url=serve_url, dirty=assembly.is_alone)
        except (Abort, PluginError) as error:
            raise _failure(error, warnings) from error
        except Exception as error:
            if not others or isinstance(error, MemsiteError):
                raise
            problem = f"a build with the code of {others} failed: {type(error).__name__}: {error}"
            raise RefusedError(problem, hint="try it without, to see whose fault it is") from error
    return BuildResult(
        Path(config.site_dir) / "index.html", len(plan.pages), assembly.rendered, tuple(dict.fromkeys(warnings))
    )


def _build(config: MkDocsConfig, *, serve_url: str | None, dirty: bool) -> None:
    """MkDocs' build, with what its command does around it for plugins that want to know."""
    config.plugins.on_startup(command="build" if serve_url is None else "serve", dirty=dirty)
    try:
        build(config, serve_url=serve_url, dirty=dirty)
    finally:
        config.plugins.on_shutdown()


def _failure(error: BaseException, warnings: list[str]) -> MemsiteError:
    if isinstance(error.__cause__, MemsiteError):
        return error.__cause__
    context = error.__context__
    if isinstance(context, PluginError) and isinstance(context.__cause__, MemsiteError):
        return context.__cause__
    first = " ".join(warnings[0].split()) if warnings else str(error)
    return RefusedError(f"strict build: {first}", hint="correct it, or build without --strict")
