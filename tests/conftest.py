"""Every test runs sealed from the user's HOME, git configuration, clock, time zone and language.

With MEMSITE_TEST_GIT=hostile memsite meets, in every test, git settings that break porcelain.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from bench.memories import make_memory
from memsite.cli.main import main
from tests.hostile_git import write_hostile_configuration
from tests.limits import LONG
from tests.made_once import made_once, shared_folder
from tests.surfaces.hostile_site import HostileSite, make_hostile_site

# No deadline per example: a busy machine is no fault of the code. Other examples each time only in the long profile:
# what the short one says is about the change that it is run for.
settings.register_profile("memsite", deadline=None, derandomize=not LONG)
settings.load_profile("memsite")

KEPT = {"PATH", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "LD_LIBRARY_PATH"}
"""What a sealed environment takes over; all else a test must set itself."""


def sealed_settings(home: Path) -> dict[str, str]:
    """What every child process sees: an empty HOME, no git configuration, UTC, the C.UTF-8 locale."""
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_TERMINAL_PROMPT": "0",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "NO_MKDOCS_2_WARNING": "1",
    }


def pytest_configure() -> None:
    """A run that was started in the background ignores interrupts, and so would each program that a test starts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The real agents first: they are installed and waited for while other processes run the rest."""
    items.sort(key=lambda item: item.get_closest_marker("clients") is None)


@pytest.fixture(autouse=True)
def sealed_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Seal this process, and return the HOME."""
    home = tmp_path_factory.mktemp("home")
    for name in set(os.environ) - KEPT:
        if not name.startswith(("PYTEST_", "MEMSITE_TEST_", "COV_")):
            monkeypatch.delenv(name)
    for name, value in sealed_settings(home).items():
        monkeypatch.setenv(name, value)
    time.tzset()
    if os.environ.get("MEMSITE_TEST_GIT") == "hostile":
        write_hostile_configuration(home, hooks=False)
    yield home
    monkeypatch.undo()
    time.tzset()


BUILD = ("build", "--no-commit")


def run_sealed(home: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """memsite as a process of its own, for what is made before a test's own environment is sealed."""
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | sealed_settings(home)
    command = [sys.executable, "-W", "error", "-m", "memsite", *arguments]
    done = subprocess.run(
        command, env=environment, cwd=cwd, check=False, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done


@dataclass(frozen=True)
class Demo:
    """The demo, made once for all tests that read it."""

    workspace: Path
    output: str

    @property
    def site(self) -> Path:
        """The built site."""
        return self.workspace / "site"

    def page(self, uri: str) -> str:
        """The HTML of a page by its address."""
        return (self.site / uri / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """`memsite demo`, run as a user runs it. Tests must not change it: copy it first."""
    folder = shared_folder(tmp_path_factory, "demo")
    home, workspace = tmp_path_factory.mktemp("demo-home"), folder / "demo"
    return Demo(workspace, made_once(folder, lambda: run_sealed(home, "demo", str(workspace)).stdout))


@contextmanager
def no_survivor(child: subprocess.Popen[Any]) -> Iterator[None]:
    """A program that the test started does not outlive it, whatever fails: a server left would keep its port."""
    try:
        yield
    finally:
        if child.poll() is None:
            child.kill()
        child.communicate()


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def cpu_seconds(limit: float) -> Iterator[None]:
    """A guard against hangs, no figure: what does not end fails here. The processor's time, which load leaves alone."""

    def stop(*_: object) -> None:
        raise AssertionError(f"not done after {limit} s of the processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def users_settings() -> dict[str, str]:
    """What the user's own git sees beside the sealed environment: never the hostile settings.

    A file in HOME that may not be there. `git config --global` as root would put a file in the null device's place.
    """
    own = {"GIT_CONFIG_GLOBAL": str(Path(os.environ["HOME"], "users.gitconfig"))}
    return own if os.environ.get("MEMSITE_TEST_GIT") == "hostile" else {}


def give_address(workspace: Path) -> None:
    """Set `site_url` to that of project pages, below `/user/memory/`."""
    settings = workspace / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8").replace("# site_url:", "site_url:").replace("/memory/", "/user/memory/")
    settings.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Generated:
    """A generated memory of 60 days, and its site, made once for all tests that read it."""

    workspace: Path

    @property
    def site(self) -> Path:
        """The built site; its address is that of project pages."""
        return self.workspace / "site"


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """`bench.memories`, built as a user builds it. Tests must not change it: copy it first."""
    folder = shared_folder(tmp_path_factory, "generated")
    home, workspace = tmp_path_factory.mktemp("generated-home"), folder / "memory"
    assert made_once(folder, lambda: _generate(workspace, home)) == ""
    return Generated(workspace)


def _generate(workspace: Path, home: Path) -> str:
    make_memory(workspace, days=60)
    give_address(workspace)
    return run_sealed(home, *BUILD, cwd=workspace).stderr


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> HostileSite:
    """A memory of payloads, and its site. Tests must not change it."""
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= sealed_settings(tmp_path_factory.mktemp("hostile-home"))
    return make_hostile_site(shared_folder(tmp_path_factory, "hostile"), environment)


Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run the real git as a user would: `git("add", "x", cwd=folder)`; its standard output comes back.

    It never has the hostile settings of MEMSITE_TEST_GIT: what a user does in a test must work.
    """

    def run(*arguments: str, cwd: Path = tmp_path, **environment: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=cwd,
            env={**os.environ, **users_settings(), **environment},
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
        return done.stdout

    return run


@pytest.fixture(scope="session")
def made_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `workspace` is a copy of: five children of git, started once instead of for every test."""
    root = tmp_path_factory.mktemp("made") / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "README.md").write_text("# Workspace\n", encoding="utf-8")
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= sealed_settings(tmp_path_factory.mktemp("made-home"))
    for command in (
        ("init", "-q", "-b", "main"),
        ("config", "user.name", "Ada"),
        ("config", "user.email", "ada@example.org"),
        ("add", "README.md"),
        ("commit", "-q", "-m", "first"),
    ):
        subprocess.run(["git", *command], cwd=root, env=environment, check=True)
    return root


@pytest.fixture
def workspace(tmp_path: Path, git: Git, made_workspace: Path) -> Path:
    """A workspace as a user has it: a repository with an identity, a `memory/` folder and one commit."""
    root = tmp_path / "workspace"
    shutil.copytree(made_workspace, root, symlinks=True)
    git("update-index", "-q", "--refresh", cwd=root)  # the stage remembers the files' inodes
    return root


@dataclass(frozen=True)
class Done:
    """What a run left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def memsite(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, workspace: Path) -> Run:
    """`memsite("note", "x", now="2025-03-20")` in the workspace (or `cwd`); a SystemExit becomes its code."""

    def run(*arguments: str, cwd: Path = workspace, now: str = "2025-03-20T10:00", stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capfd.readouterr()
        argv = ["-C", str(cwd), *(["--now", now] if now else []), *arguments]
        try:
            code = main(argv)
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 1
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return run
