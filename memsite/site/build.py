"""Building and serving a site: from a workspace to a folder, with MkDocs in between."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.livereload import LiveReloadServer

from memsite.errors import ConfigError, MemsiteError, RefusedError
from memsite.repo.executable import Executable, find_executable
from memsite.repo.workspace import Workspace
from memsite.safety.site_settings import NAME
from memsite.shipped import read_shipped
from memsite.site.assembly import Assembly
from memsite.site.log import collected_warnings
from memsite.site.output import require_unoccupied, require_untracked
from memsite.site.plan import SitePlan, load_plan
from memsite.site.plugin import MemsitePlugin
from memsite.site.preview import prepare_server, watched_paths
from memsite.site.site_config import clean_imports, install_plugin, load_site_config, read_site_config

HOST = "127.0.0.1"
Permit = Callable[[Executable], None]
"""Asked before anything runs that is not memsite's; raises RefusedError unless the user has trusted it."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made."""

    index: Path
    """The site's first page."""
    pages: int
    """Pages of the site, the 404 page not counted."""
    rendered: int
    """Pages that had to be rendered; the others were up to date."""
    warnings: tuple[str, ...] = ()


def build_site(
    workspace: Workspace,
    *,
    at: str | None = None,
    clean: bool = False,
    strict: bool = False,
    destination: Path | None = None,
    now: datetime | None = None,  # noqa: ARG001 - part of every writing call's signature; a site has no clock
    permit: Permit | None = None,
) -> BuildResult:
    """Build the site of a workspace, or the site as it was at a revision or date.

    Incremental where the output folder holds a site of the same program and settings, and no code of others takes part.
    Never writes the work tree's files, except in the output folder (`site_dir` of mkdocs.yml, or `destination`).
    `permit` is asked before code runs that mkdocs.yml names; without one it is refused. Raises ConfigError,
    RefusedError (code that is not trusted; an output folder that is not ours; `strict` and a warning),
    WorkspaceError, GitError.
    """
    with configured(workspace, destination, permit, strict=strict) as (config, published):
        _check_site_dir(workspace, Path(config.site_dir), destination)
        plan = replace(load_plan(workspace, at), published=published)
        return build_plan(plan, config, clean=clean)


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


def _check_site_dir(workspace: Workspace, site: Path, destination: Path | None) -> None:
    """An agent can write mkdocs.yml, and the marker of a site; a build wipes its output folder."""
    if destination is None and not Path(os.path.realpath(site)).is_relative_to(os.path.realpath(workspace.root)):
        raise ConfigError(
            "site_dir leads out of the workspace", where=NAME, hint="name the folder on the command line: -d"
        )
    require_unoccupied(workspace, site)
    if destination is None:
        require_untracked(site)


def build_plan(
    plan: SitePlan,
    config: MkDocsConfig,
    *,
    clean: bool = False,
    serve_url: str | None = None,
) -> BuildResult:
    """Build a site from values; raises as `build_site`."""
    plugin = MemsitePlugin()
    plugin.load_config({}, config.config_file_path)
    plugin.plan = lambda: plan
    others = ", ".join(config.plugins)
    # Nobody knows what the output of other plugins depends on, so that no page of theirs is kept.
    clean = clean or bool(others)
    install_plugin(config, plugin)
    probe = Assembly(config, plan)
    probe.check_output()
    with collected_warnings() as warnings:
        try:
            _build(config, serve_url=serve_url, dirty=not clean and probe.is_incremental())
        except (Abort, PluginError) as error:
            raise _failure(error, warnings) from error
        except Exception as error:
            if not others or isinstance(error, MemsiteError):
                raise
            problem = f"a build with the code of {others} failed: {type(error).__name__}: {error}"
            raise RefusedError(problem, hint="try it without, to see whose fault it is") from error
    return BuildResult(
        Path(config.site_dir) / "index.html", len(plan.pages), plugin.assembly.rendered, tuple(dict.fromkeys(warnings))
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


def serve_site(
    workspace: Workspace,
    port: int = 8000,
    now: Callable[[], datetime] | None = None,  # noqa: ARG001 - part of every writing call's signature
    *,
    ready: Callable[[], None] = lambda: None,
    stopped: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = lambda _problem: None,
    permit: Permit | None = None,
) -> None:
    """Serve the site on this machine alone and keep it up to date with edits and commits; returns on Ctrl+C.

    `ready` is called when the first build is done and the port is about to open; `stopped` is asked after each build,
    because an interrupt that arrives inside of one may be lost in it; `say` hears why a later build failed, after which
    the site stays as it was; `permit` as in `build_site`. Raises as `build_site`, and RefusedError when the port is
    taken.
    """
    with tempfile.TemporaryDirectory(prefix="memsite-") as temporary:
        git = workspace.common_dir
        kept = git is not None and os.access(git, os.W_OK)
        folder = git / "memsite" / "preview" if git and kept else Path(temporary) / "site"

        def rebuild() -> None:
            with configured(workspace, folder, permit, site_url=url, strict=False) as (config, published):
                build_plan(replace(load_plan(workspace), published=published), config)
            if stopped():
                raise KeyboardInterrupt

        url = f"http://{HOST}:{port}/"
        rebuild()
        _serve(workspace, folder, port, ready, lambda: _rebuild_or(say, rebuild))


def _rebuild_or(say: Callable[[str], None], rebuild: Callable[[], None]) -> None:
    """MkDocs' server would print a traceback, with whatever the memory has in it."""
    try:
        rebuild()
    except Exception as error:
        say(str(error) if isinstance(error, MemsiteError) else f"{type(error).__name__}: {error}")


def _serve(
    workspace: Workspace, folder: Path, port: int, ready: Callable[[], None], rebuild: Callable[[], None]
) -> None:
    server = LiveReloadServer(builder=rebuild, host=HOST, port=port, root=str(folder))
    server.error_handler = lambda code: _error_page(folder, code)
    for path, recursive in watched_paths(workspace):
        server.watch(str(path), recursive=recursive)
    prepare_server(server)
    ready()
    try:
        server.serve()  # type: ignore[no-untyped-call]  # MkDocs leaves it untyped
    except KeyboardInterrupt:
        return
    except OSError as error:
        raise RefusedError(
            f"port {port} cannot be used: {error.strerror}", hint="choose another with --port"
        ) from error
    finally:
        server.shutdown()


def _error_page(folder: Path, code: int) -> bytes | None:
    page = folder / f"{code}.html"
    return page.read_bytes() if page.is_file() else None
