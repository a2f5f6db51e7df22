"""`init --ci`: files that hosts understand, and their own shell steps, run in clean clones of a bare remote."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentTypeError
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
import yaml

from memsite.cli.ci_files import PLACES, package_spec, plan_ci
from memsite.config import Config
from tests.conftest import Git, Run

HOSTS = tuple(PLACES)
LONG = bool(os.environ.get("MEMSITE_TEST_LONG"))
KINDS = HOSTS if LONG else ("gitlab",)
"""GitLab's job does what those of the others do, and more."""
WORKFLOWS = HOSTS if LONG else ("github",)
"""Forgejo's file differs in two lines."""
INDEX = "# Memory Index\n\n## Projects\n\n- **blog**: [2025-03-20]\n"
HASH = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def remote(workspace: Path, git: Git, tmp_path: Path) -> Path:
    """A bare repository that has a memory of one day."""
    (workspace / "memsite.toml").write_text('timezone = "UTC"\n', encoding="utf-8")
    (workspace / "memory/INDEX.md").write_text(INDEX, encoding="utf-8")
    for day in range(20, 24):
        text = f"# 2025-03-{day}\n\nWe write a blog, day {day}.\n"
        (workspace / f"memory/2025-03-{day}.md").write_text(text, encoding="utf-8")
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "note: a blog", cwd=workspace)
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", f"file://{tmp_path}/remote.git", cwd=workspace)
    return tmp_path / "remote.git"


def pushed(memsite: Run, workspace: Path, git: Git, host: str) -> Path:
    """The workspace with the files of a host, pushed."""
    done = memsite("init", "--ci", host, cwd=workspace)
    assert done.code == 0, done.err
    git("push", "-q", "--no-verify", "-u", "origin", "main", cwd=workspace)
    return workspace


@dataclass(frozen=True)
class Runner:
    """A machine of the host: a fresh clone, memsite on the path, nothing from the network."""

    base: Path
    remote: Path
    git: Git

    def clone(self, name: str, *options: str) -> Path:
        """What the host's checkout makes: a detached commit."""
        folder = self.base / name
        self.git("clone", "-q", *options, f"file://{self.remote}", str(folder))
        self.git("checkout", "-q", "--detach", cwd=folder)
        return folder

    def run(self, folder: Path, steps: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        """Run shell steps as hosts do: each must succeed."""
        tools = self.base / "tools"
        if not tools.exists():
            tools.mkdir()
            (tools / "memsite").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memsite "$@"\n')
            (tools / "python").write_text('#!/bin/sh\n[ "$1 $2 $3" = "-m pip install" ] && exit 0\nexit 9\n')
            for tool in tools.iterdir():
                tool.chmod(0o755)
        own = {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "CI": "true",
            "GITHUB_STEP_SUMMARY": str(folder.parent / f"{folder.name}-summary.md"),
        }
        script = "\n".join(steps)
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=folder, env={**os.environ, **own, **environment}, capture_output=True, text=True, check=False
        )


@pytest.fixture
def runner(tmp_path: Path, remote: Path, git: Git) -> Runner:
    return Runner(tmp_path, remote, git)


def jobs_of(root: Path, host: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((root / PLACES[host]).read_text(encoding="utf-8"))
    return found


def steps_of(root: Path, host: str, job: str) -> list[str]:
    """The shell steps of the job that checks, or of the one that publishes, as they stand in the file."""
    found = jobs_of(root, host)
    if host == "gitlab":
        one = found["memsite-check" if job == "check" else "pages"]
        return [*found[".memsite"]["before_script"], *one["script"]]
    return [step["run"] for step in found["jobs"][job]["steps"] if "run" in step]


def tree(git: Git, remote: Path) -> dict[str, str]:
    lines = git("ls-tree", "-r", "gh-pages", cwd=remote).splitlines()
    return {line.split("\t")[1]: line.split()[2] for line in lines}


@pytest.mark.parametrize("host", WORKFLOWS)
def test_nothing_is_overwritten_and_a_second_run_completes(memsite: Run, workspace: Path, git: Git, host: str) -> None:
    dry = memsite("init", "--ci", host, "--dry-run")
    assert f"would write {PLACES[host]}" in dry.out
    assert not (workspace / PLACES[host]).exists()
    assert memsite("init", "--ci", host).code == 0
    assert git("status", "--porcelain", cwd=workspace) == ""
    again = memsite("init", "--ci", host)
    assert (again.code, "no file was missing" in again.out) == (0, True)
    (workspace / PLACES[host]).write_text("mine\n", encoding="utf-8")
    assert f"{PLACES[host]} is yours and was left alone" in memsite("init", "--ci", host).out
    assert (workspace / PLACES[host]).read_text(encoding="utf-8") == "mine\n"
    git("rm", "-q", "-f", str(PLACES[host]), cwd=workspace)
    assert f"writes {PLACES[host]}" in memsite("init", "--ci", host).out


def test_gitlab_files_of_ones_own_are_left_alone_and_the_line_is_told(memsite: Run, workspace: Path) -> None:
    (workspace / ".gitlab-ci.yml").write_text("stages: [test]\n", encoding="utf-8")
    done = memsite("init", "--ci", "gitlab")
    assert "add {local: .gitlab/memsite.yml} to its `include:`" in done.out
    assert (workspace / ".gitlab-ci.yml").read_text(encoding="utf-8") == "stages: [test]\n"


def test_a_memory_below_the_root_of_its_repository_is_told_where_hosts_look(memsite: Run, workspace: Path) -> None:
    (workspace / "agent/memory").mkdir(parents=True)
    done = memsite("init", "--ci", "github", cwd=workspace / "agent")
    assert done.code == 1
    assert "is not the root of its repository" in done.err
    assert not (workspace / "agent/memsite.toml").exists()


@pytest.mark.parametrize("host", ["github", "forgejo"])
def test_workflows_are_sound_pinned_and_may_do_little(memsite: Run, workspace: Path, host: str) -> None:
    memsite("init", "--ci", host)
    text = (workspace / PLACES[host]).read_text(encoding="utf-8")
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    assert all(HASH.fullmatch(one) for one in uses)
    found = jobs_of(workspace, host)
    assert found["permissions"] == {}
    assert {name: job["permissions"] for name, job in found["jobs"].items()} == {
        "check": {"contents": "read"},
        "publish": {"contents": "write"},
    }
    assert not any("${{" in step for job in ("check", "publish") for step in steps_of(workspace, host, job))
    assert [
        step["with"]["fetch-depth"]
        for job in found["jobs"].values()
        for step in job["steps"]
        if "checkout" in step.get("uses", "")
    ] == [0, 0]
    program = shutil.which("actionlint", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("there is no actionlint for this machine")
    ignored = ["-ignore", 'label "docker" is unknown'] if host == "forgejo" else []
    command = [program, "-shellcheck=", "-pyflakes=", *ignored, str(PLACES[host])]
    done = subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("host", KINDS)
def test_a_push_puts_the_site_on_the_pages_branch_below_any_path(
    memsite: Run, workspace: Path, runner: Runner, git: Git, host: str
) -> None:
    root = pushed(memsite, workspace, git, host)
    publish = steps_of(root, host, "publish")
    done = runner.run(runner.clone("first"), publish)
    assert done.returncode == 0, done.stderr
    first = tree(git, runner.remote)
    assert {".nojekyll", "index.html", "daily/2025-03-22/index.html"} <= set(first)
    serves_below_a_path(runner, git)
    (root / "memory/2025-03-23.md").write_text("# 2025-03-23\n\nAnother text.\n", encoding="utf-8")
    git("commit", "-q", "-am", "note: another text", cwd=root)
    git("push", "-q", "--no-verify", cwd=root)
    done = runner.run(runner.clone("second"), publish)
    assert done.returncode == 0, done.stderr
    second = tree(git, runner.remote)
    changed = {name for name in {*first, *second} if first.get(name) != second.get(name)}
    assert "daily/2025-03-23/index.html" in changed
    assert "daily/2025-03-20/index.html" not in changed
    assert len(changed) < len(second) / 3
    assert git("rev-list", "--count", "gh-pages", cwd=runner.remote).strip() == "1"
    if host == "gitlab":
        assert (runner.base / "second/public/index.html").read_bytes()


def serves_below_a_path(runner: Runner, git: Git) -> None:
    folder = runner.base / "www/user/memory"
    folder.mkdir(parents=True)
    git("clone", "-q", "-b", "gh-pages", f"file://{runner.remote}", str(folder / "x"))
    for item in (folder / "x").iterdir():
        if item.name != ".git":
            item.rename(folder / item.name)
    handler = partial(QuietHandler, directory=str(runner.base / "www"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/user/memory/"
        with urlopen(home) as answer:
            page = answer.read().decode()
        links = {urljoin(home, link) for link in re.findall(r'(?:href|src)="([^"#]+)', page)}
        inner = {link for link in links if link.startswith("http://127.0.0.1")}
        assert len(inner) > 10
        for link in inner:
            assert link.startswith(home)
            with urlopen(link) as answer:
                assert answer.status == 200
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """One that keeps no log."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.mark.parametrize("host", WORKFLOWS)
def test_a_pull_request_gets_its_summary_and_is_checked(
    memsite: Run, workspace: Path, runner: Runner, git: Git, host: str
) -> None:
    root = pushed(memsite, workspace, git, host)
    base = git("rev-parse", "HEAD", cwd=root).strip()
    git("checkout", "-q", "-b", "topic", cwd=root)
    path = root / "memory/consolidated/blog-gen1-2025-03-23.md"
    path.parent.mkdir()
    path.write_text("# Blog - Generation 1 Consolidation\n\n## Summary\n\nIt is red.\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-q", "--no-verify", "-m", "consolidate(blog): gen1", cwd=root)
    good = git("rev-parse", "HEAD", cwd=root).strip()
    path.write_text("# Blog - Generation 1 Consolidation\n\n## Summary\n\nIt is blue.\n", encoding="utf-8")
    git("commit", "-q", "--no-verify", "-am", "note: x", cwd=root)
    bad = git("rev-parse", "HEAD", cwd=root).strip()
    git("push", "-q", "--no-verify", "origin", "topic", cwd=root)
    steps = steps_of(root, host, "check")
    folder = runner.clone("pull")
    done = runner.run(folder, steps, RANGE=f"{base}..{good}")
    assert done.returncode == 0, done.stderr
    summaries = [runner.base / "pull-summary.md", folder / ".cache/memory-change.md"]
    told = done.stdout + "".join(one.read_text(encoding="utf-8") for one in summaries if one.exists())
    assert "It is red." in told
    done = runner.run(folder, steps, RANGE=f"{base}..{bad}")
    assert done.returncode == 1
    assert "generations are immutable" in done.stdout


@pytest.mark.parametrize("host", KINDS)
def test_a_shallow_clone_stops_with_what_to_change(
    memsite: Run, workspace: Path, runner: Runner, git: Git, host: str
) -> None:
    root = pushed(memsite, workspace, git, host)
    git("push", "-q", "--no-verify", "origin", "HEAD~1:refs/heads/older", cwd=root)
    shallow = runner.clone("shallow", "--depth", "1")
    for steps in (steps_of(root, host, "publish"), steps_of(root, host, "check")[1:]):
        done = runner.run(shallow, steps, RANGE="HEAD")
        assert done.returncode != 0
        assert "fetch-depth: 0" in done.stderr
        assert "GIT_DEPTH" in done.stderr
    assert runner.run(shallow, ["memsite check --range HEAD"]).returncode == 1
    assert git("for-each-ref", "refs/heads/gh-pages", cwd=runner.remote) == ""


@pytest.mark.parametrize("at_once", [False, True] if LONG else [False])
def test_two_publications_that_race_end_with_the_newer_one(
    memsite: Run, workspace: Path, runner: Runner, git: Git, at_once: bool
) -> None:
    root = pushed(memsite, workspace, git, "gitlab")
    publish = steps_of(root, "gitlab", "publish")
    older = runner.clone("older")
    (root / "memory/2025-03-24.md").write_text("# 2025-03-24\n\nThe newest day.\n", encoding="utf-8")
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "note: the newest day", cwd=root)
    git("push", "-q", "--no-verify", cwd=root)
    newer = runner.clone("newer")
    with ThreadPoolExecutor(2 if at_once else 1) as pool:
        done = list(pool.map(lambda folder: runner.run(folder, publish), (newer, older)))
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert "daily/2025-03-24/index.html" in tree(git, runner.remote)
    if not at_once:
        assert "later commit of the memory" in done[1].stderr
        assert (older / "public/daily/2025-03-24/index.html").exists()  # what GitLab serves is the newer one, too


def test_several_agents_have_ci_files_above_them_and_a_summary_each(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / "memory").rmdir()
    for name in ("writer", "coder"):
        assert memsite("init", f"agents/{name}", "--no-hooks").code == 0
    (workspace / "memsite.toml").write_text('[agents]\nwriter = "agents/writer"\ncoder = "agents/coder"\n')
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "agents", cwd=workspace)
    before = git("rev-parse", "HEAD", cwd=workspace).strip()
    assert memsite("note", "We write a blog.", cwd=workspace / "agents/writer").code == 0
    done = memsite("init", "--ci", "github")
    assert (done.code, done.err) == (0, "")
    assert "several agents: writer, coder" in done.out
    assert git("show", "--format=", "--name-only", "HEAD", cwd=workspace).split() == [
        ".github/workflows/memsite.yml",
        ".gitignore",
    ]
    done = memsite("diff", "--range", f"{before}..HEAD", "--format", "markdown")
    assert done.code == 0, done.err
    writer, coder = done.out.split("coder:")
    assert "2025-03-20.md" in writer
    assert "No commit of this range" in coder


@pytest.mark.parametrize("spec", ["git+https://example.org/memsite.git@v0.1.0", "x[y]>=0.1,<1", "./a.whl#sha256=0"])
def test_what_is_installed_may_come_from_elsewhere(tmp_path: Path, host: str, spec: str) -> None:
    for change in plan_ci(tmp_path, host, Config(), package_spec(spec)).changes:
        (tmp_path / change.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / change.path).write_bytes(change.data)
    install = [step for step in steps_of(tmp_path, host, "publish") if "pip install" in step]
    assert install == [f'python -m pip install "{spec}"']


@pytest.mark.parametrize("spec", ["$(id)", 'a"; id; "', "a b", "`id`", "-r x", "", "a\nb", "a\\", "${{ x }}"])
def test_what_is_installed_is_no_script(spec: str) -> None:
    with pytest.raises(ArgumentTypeError):
        package_spec(spec)


def test_a_package_needs_a_host(memsite: Run, workspace: Path) -> None:
    assert memsite("init", "--package", "x").code == 2
    assert not (workspace / "memsite.toml").exists()
