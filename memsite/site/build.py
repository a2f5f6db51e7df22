"""Building and serving a site: from a workspace to a folder, with MkDocs in between."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.livereload import LiveReloadServer

from memsite.errors import ConfigError, MemsiteError, RefusedError
from memsite.repo.workspace import Workspace
from memsite.shipped import read_shipped
from memsite.site.assembly import Assembly
from memsite.site.log import collected_warnings
from memsite.site.plan import SitePlan, load_plan
from memsite.site.plugin import MemsitePlugin
from memsite.site.preview import prepare_server, watched_paths
from memsite.site.site_config import NAME, load_site_config, read_site_config

HOST = "127.0.0.1"


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
) -> BuildResult:
    """Build the site of a workspace, or the site as it was at a revision or date.

    Incremental where the output folder holds a site of the same program and settings. Never writes the work tree's
    files, except in the output folder (`site_dir` of mkdocs.yml, or `destination`). Raises ConfigError, RefusedError
    (an output folder that is not ours; `strict` and a warning), WorkspaceError, GitError.
    """
    plan = load_plan(workspace, at)
    config = _load_config(workspace.root, destination, strict=strict)
    return build_plan(plan, config, clean=clean, keep=_kept(workspace))


def _load_config(root: Path, destination: Path | None, **settings: object) -> MkDocsConfig:
    data = read_site_config(root, read_shipped("mkdocs.yml"))
    if destination is not None:
        settings["site_dir"] = str(destination)
    config = load_site_config(root, data, **settings)
    if destination is None and not Path(os.path.realpath(config.site_dir)).is_relative_to(os.path.realpath(root)):
        # An agent can write mkdocs.yml; a build wipes its output folder.
        raise ConfigError(
            "site_dir leads out of the workspace", where=NAME, hint="name the folder on the command line: -d"
        )
    return config


def _kept(workspace: Workspace) -> tuple[Path, ...]:
    memory = workspace.root / workspace.config.memory
    return tuple(path for path in (workspace.root, memory, workspace.git_root, workspace.git_dir) if path is not None)


def build_plan(
    plan: SitePlan,
    config: MkDocsConfig,
    *,
    clean: bool = False,
    keep: tuple[Path, ...] = (),
    serve_url: str | None = None,
) -> BuildResult:
    """Build a site from values. `keep` are folders that must not lie in the output folder; raises as `build_site`."""
    plugin = MemsitePlugin()
    plugin.load_config({}, config.config_file_path)
    plugin.plan = lambda: plan
    config.plugins["memsite"] = plugin
    probe = Assembly(config, plan)
    probe.check_output(*keep)
    with collected_warnings() as warnings:
        try:
            build(config, serve_url=serve_url, dirty=not clean and probe.is_incremental())
        except (Abort, PluginError) as error:
            raise _failure(error, warnings) from error
    return BuildResult(
        Path(config.site_dir) / "index.html", len(plan.pages), plugin.assembly.rendered, tuple(dict.fromkeys(warnings))
    )


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
) -> None:
    """Serve the site on this machine alone and keep it up to date with edits and commits; returns on Ctrl+C.

    `ready` is called when the first build is done and the port is about to open; `stopped` is asked after each build,
    because an interrupt that arrives inside of one may be lost in it. Raises as `build_site`, and RefusedError when the
    port is taken.
    """
    with tempfile.TemporaryDirectory(prefix="memsite-") as temporary:
        git = workspace.common_dir
        kept = git is not None and os.access(git, os.W_OK)
        folder = git / "memsite" / "preview" if git and kept else Path(temporary) / "site"
        _serve(workspace, folder, port, ready, stopped)


def _serve(
    workspace: Workspace, folder: Path, port: int, ready: Callable[[], None], stopped: Callable[[], bool]
) -> None:
    url = f"http://{HOST}:{port}/"

    def rebuild() -> None:
        config = _load_config(workspace.root, folder, site_url=url, strict=False)
        build_plan(load_plan(workspace), config)
        if stopped():
            raise KeyboardInterrupt

    rebuild()
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
