"""The live preview: what it watches, and how a page reloads under a policy that forbids inline scripts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Event, Thread
from wsgiref.types import StartResponse, WSGIEnvironment

from mkdocs.livereload import LiveReloadServer

from memsite.config import CONFIG_NAME
from memsite.repo.workspace import Workspace
from memsite.site.output import MARKER

_INLINE = re.compile(rb"<script>\s*(?P<code>var livereload = .*?)</script>", re.DOTALL)
_CALL = re.compile(rb"livereload\((?P<epoch>\d+), (?P<request>\d+)\);")
_SCRIPT = re.compile(r"/livereload/script/(?P<epoch>\d+)/(?P<request>\d+)\.js")


def watched_paths(workspace: Workspace) -> Iterator[tuple[Path, bool]]:
    """What a preview follows, and whether with everything below: the memory, the settings, git's branches and HEAD."""
    memory = workspace.root / workspace.config.memory
    yield from _memory_paths(memory)
    for name in (*workspace.config.include, CONFIG_NAME, "mkdocs.yml"):
        if (workspace.root / name).is_file():
            yield workspace.root / name, False
    if workspace.git_dir is not None and workspace.common_dir is not None:
        places = [(workspace.git_dir / "HEAD", False), (workspace.common_dir / "packed-refs", False)]
        places += [(workspace.common_dir / "refs" / "heads", True), (workspace.common_dir / "reftable", True)]
        yield from ((path, recursive) for path, recursive in places if path.exists())


def _memory_paths(memory: Path) -> Iterator[tuple[Path, bool]]:
    """A memory that is the repository's root holds git's folder and perhaps the site, which change while building."""
    if not (memory / ".git").exists():
        yield memory, True
        return
    yield memory, False
    for child in sorted(memory.iterdir()):
        if child.is_dir() and not child.name.startswith(".") and not (child / MARKER).exists():
            yield child, True


State = frozenset[tuple[str, int, int, int]]
"""Files by path, with inode, size and modification time in nanoseconds."""
INTERVAL = 0.25
"""Seconds between two looks."""
BUSY_INTERVAL, MOST_BUSY = 0.05, 100
"""The same while somebody is writing, and so many such looks until what there is by then is told all the same."""


class Follower:
    """Looks at what a preview follows, again and again, and tells of changes; of those since it was made, too.

    MkDocs' own observer gives a folder up for ever once it is gone for a moment, and never sees what was not there when
    it began. `is_busy` says that somebody is writing several files: half of them are told of when all are there.
    `look_up` is called before each look.
    """

    def __init__(
        self,
        paths: Callable[[], Iterable[tuple[Path, bool]]],
        changed: Callable[[], None],
        is_busy: Callable[[], bool] = lambda: False,
        look_up: Callable[[], None] = lambda: None,
    ) -> None:
        self._paths = paths
        self._changed = changed
        self._is_busy = is_busy
        self._look_up = look_up
        self._seen = look(paths())
        self._ended = Event()
        self._thread = Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        """Begin to tell, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        while not self._ended.wait(INTERVAL):
            self._look_up()
            found = look(self._paths())
            if found != self._seen:
                self._seen = look(self._paths()) if self._waited() else found
                self._changed()

    def _waited(self) -> bool:
        """Wait until nobody is writing any more; whether somebody was."""
        looks = 0
        while looks < MOST_BUSY and self._is_busy() and not self._ended.wait(BUSY_INTERVAL):
            looks += 1
        return looks > 0


def look(paths: Iterable[tuple[Path, bool]]) -> State:
    """The files at paths and, where that is asked, below them. What cannot be read is not there."""
    return frozenset(file for path, recursive in paths for file in _files(str(path), recursive))


def _files(path: str, recursive: bool) -> Iterator[tuple[str, int, int, int]]:
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except NotADirectoryError:
        yield from _file(path, Path(path).stat)
        return
    except OSError:
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield from _file(entry.path, entry.stat)
        elif recursive:
            yield from _files(entry.path, recursive)


def _file(path: str, stat: Callable[[], os.stat_result]) -> Iterator[tuple[str, int, int, int]]:
    try:
        state = stat()
    except OSError:
        return
    yield path, state.st_ino, state.st_size, state.st_mtime_ns


def request_rebuild(server: LiveReloadServer) -> None:
    """Let the server build again, as its own observer would."""
    with server._rebuild_cond:
        server._want_rebuild = True
        server._rebuild_cond.notify_all()


def request_end(server: LiveReloadServer) -> None:
    """Let the server's loop end after the build that is under way."""
    with server._rebuild_cond:
        server._shutdown = True
        server._rebuild_cond.notify_all()


def show_built(server: LiveReloadServer) -> None:
    """Let browsers load the pages that are written, as the server does after a build: search may come later."""
    with server._epoch_cond:
        server._visible_epoch = server._wanted_epoch
        server._epoch_cond.notify_all()


def prepare_server(server: LiveReloadServer) -> LiveReloadServer:
    """Let pages load the reloading script from an address of the server instead of carrying it inline."""
    inject: Callable[[bytes, int], bytes] = server._inject_js_into_html
    code: list[bytes] = []

    def inject_reference(content: bytes, epoch: int) -> bytes:
        changed = inject(content, epoch)
        start = changed.rfind(b"<script>")
        match = _INLINE.match(changed, max(start, 0))
        call = _CALL.search(match["code"]) if match else None
        if match is None or call is None:
            return content
        code[:] = [match["code"]]
        name = b"/livereload/script/%b/%b.js" % (call["epoch"], call["request"])
        return b'%b<script src="%b"></script>%b' % (changed[: match.start()], name, changed[match.end() :])

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        match = _SCRIPT.fullmatch(environ["PATH_INFO"])
        if match is None or not code:
            return server.serve_request(environ, start_response)
        call = f"livereload({match['epoch']}, {match['request']});".encode()
        start_response("200 OK", [("Content-Type", "text/javascript; charset=utf-8"), ("Cache-Control", "no-store")])
        return [_CALL.sub(call, code[0])]

    server._watched_paths.setdefault(
        server.root, 1
    )  # pages reload only where something is watched; our Follower does it
    # The server looks both up on itself at each request; MkDocs offers no other place to change what it injects.
    server._inject_js_into_html = inject_reference  # type: ignore[method-assign]
    server.set_app(application)
    return server
