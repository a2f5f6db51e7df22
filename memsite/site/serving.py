"""The live preview: a site that follows edits and commits, on this machine alone."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from mkdocs.livereload import LiveReloadServer

from memsite.errors import MemsiteError, RefusedError
from memsite.memory.lineage import Read
from memsite.repo.lock import is_locked
from memsite.repo.workspace import Workspace
from memsite.site.build_process import BuildProcess
from memsite.site.builder import build_plan, configured
from memsite.site.collector import rare_collections
from memsite.site.plan import load_scene, plan_site
from memsite.site.preview import Follower, prepare_server, request_end, request_rebuild, show_built, watched_paths
from memsite.site.results import Permit
from memsite.values import replace

HOST = "127.0.0.1"


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

    `ready` is called when the first build is done and the port is about to open; `stopped` is asked after each build
    and several times a second, because Python loses an interrupt that arrives while it forks or takes an object apart;
    `say` hears why a later build failed, after which the site stays as it was; `permit` as in `build_site`. Raises as
    `build_site`, and RefusedError when the port is taken.
    """
    with tempfile.TemporaryDirectory(prefix="memsite-") as temporary:
        git = workspace.common_dir
        kept = git is not None and os.access(git, os.W_OK)
        folder = git / "memsite" / "preview" if git and kept else Path(temporary) / "site"

        @rare_collections()
        def rebuild(shown: Callable[[], None] = lambda: None) -> None:
            scene = load_scene(workspace, read=read)
            with configured(workspace, folder, permit, scene.setting, site_url=url, strict=False) as (
                config,
                published,
            ):
                build_plan(replace(plan_site(workspace, scene), published=published), config, mapped=False, shown=shown)

        def follow() -> None:
            if problem := builder.build(lambda: show_built(server)):
                say(problem)
            _heed(stopped)

        url, read = f"http://{HOST}:{port}/", Read()
        server = LiveReloadServer(follow, HOST, port, str(folder))
        follower = Follower(
            lambda: watched_paths(workspace),
            lambda: request_rebuild(server),
            lambda: _is_written(workspace),
            lambda: request_end(server) if stopped() else None,
        )
        rebuild()
        _heed(stopped)
        builder = BuildProcess(lambda shown: _problem_of(lambda: rebuild(shown)))
        try:
            _serve(server, follower, folder, ready)
        finally:
            builder.end()


def _is_written(workspace: Workspace) -> bool:
    """Whether a command of ours is writing files and their commit: of a half of that no site need be built."""
    return workspace.git_root is not None and is_locked(workspace.require_repository())


def _heed(stopped: Callable[[], bool]) -> None:
    if stopped():
        raise KeyboardInterrupt


def _problem_of(rebuild: Callable[[], None]) -> str:
    """What is wrong with a build, or nothing. MkDocs' server would print a traceback, with whatever the memory has in
    it.
    """
    try:
        rebuild()
    except Exception as error:
        return str(error) if isinstance(error, MemsiteError) else f"{type(error).__name__}: {error}"
    return ""


def _serve(server: LiveReloadServer, follower: Follower, folder: Path, ready: Callable[[], None]) -> None:
    server.error_handler = lambda code: _error_page(server, folder, code)
    prepare_server(server)
    server.serve_thread.daemon = True  # interrupted just when it starts, nobody would end it
    server.build_delay = 0  # for more changes to come: our Follower tells of those together
    follower.start()
    ready()
    try:
        server.serve()  # type: ignore[no-untyped-call]  # MkDocs leaves it untyped
    except KeyboardInterrupt:
        return
    except OSError as error:
        raise RefusedError(
            f"port {server.server_address[1]} cannot be used: {error.strerror}", hint="choose another with --port"
        ) from error
    finally:
        follower.stop()
        server.shutdown()


def _error_page(server: LiveReloadServer, folder: Path, code: int) -> bytes | None:
    """It reloads, too: what is not there may come back."""
    page = folder / f"{code}.html"
    if not page.is_file():
        return None
    injected: bytes = server._inject_js_into_html(page.read_bytes(), server._visible_epoch)  # type: ignore[no-untyped-call]  # as `serve`
    return injected
