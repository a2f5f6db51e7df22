"""Every block of commands in README, guide and CONTRIBUTING is run, in its order, as a reader would."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.make_reference import FILE, make_reference
from memsite.cli.usage import usages
from tests.conftest import Git, users_settings

PROJECT = Path(__file__).parents[1]
RUN = {"memsite", "make", "pipx", "cd", "git", "eval", ".venv/bin/pytest"}
"""First words of a block of commands."""
OPENCLAW = {
    "AGENTS.md": "# Agents\n",
    "SOUL.md": "# Soul\n",
    "MEMORY.md": "# Long-term memory\n",
    "memory/2025-03-20.md": "# 2025-03-20\n\nWe begin a blog.\n",
    "memsite.toml": 'timezone = "UTC"\nsummarizer = "cat"\n',
}
ANSWERED = {
    "memsite publish --push ": "memsite publish --push --yes ",
    "memsite trust  ": "(memsite trust || true) | grep 'summarizer cat'  ",
}
"""What asks a person at a terminal, and what stands for the answer."""
TOOLS = {
    "memsite": '[ "$1" = serve ] && set -- serve --help\nexec "{python}" -m memsite "$@"\n',
    # What only other tests can run is asked whether it would.
    "make": 'exec "{make}" --no-print-directory -n -C "{project}" "$@" > /dev/null\n',
    "pipx": '[ "$*" = "install ." ] && [ -f "{project}/pyproject.toml" ]\n',
    "pytest": 'cd "{project}" && [ "$1" = -q ] && ls -d "$2" > /dev/null\n',
}


def blocks(text: str) -> Iterator[str]:
    """The indented blocks that begin with a command."""
    for match in re.finditer(r"(?:^|\n\n)((?: {4}[^\n]*\n)+)", re.sub(r"\n{3,}", "\n\n", text)):
        block = re.sub(r"(?m)^ {4}", "", match[1])
        if block.split()[0] in RUN:
            yield block


@pytest.fixture
def sandbox(tmp_path: Path, sealed_environment: Path, git: Git) -> Path:
    """A HOME with an identity, and the programs that documents call."""
    tools = tmp_path / ".venv/bin"
    tools.mkdir(parents=True)
    make = subprocess.run(["sh", "-c", "command -v make"], capture_output=True, text=True, check=True).stdout.strip()
    for name, body in TOOLS.items():
        filled = body.format(python=sys.executable, project=PROJECT, make=make)
        (tools / name).write_text(f"#!/bin/sh\n{filled}", encoding="utf-8")
        (tools / name).chmod(0o755)
    git("config", "--global", "user.name", "Ada")
    git("config", "--global", "user.email", "ada@example.org")
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    git("config", "--global", "init.defaultBranch", "main")
    git("config", "--global", f"url.file://{tmp_path}/remote.git.insteadOf", "git@example.org:ada/memory.git")
    return tmp_path


def run(sandbox: Path, script: str) -> None:
    """Run a script in which no line may fail."""
    path = f"{sandbox / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **users_settings(), "PATH": path, "PYTHONPATH": str(PROJECT)}
    command = ["bash", "--norc", "-euo", "pipefail", "-c", f"trap 'echo \"failed: $BASH_COMMAND\" >&2' ERR\n{script}"]
    done = subprocess.run(
        command, cwd=sandbox, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout[-2000:]


def test_the_guide_works_as_it_is_written(sandbox: Path) -> None:
    found = list(blocks((PROJECT / "docs/guide.md").read_text(encoding="utf-8")))
    assert len(found) > 15
    run(sandbox, "\n".join(found))
    assert (sandbox / "agent/site/index.html").exists()


def test_the_readme_works_as_it_is_written(sandbox: Path, git: Git) -> None:
    home = Path(os.environ["HOME"])
    root = home / ".openclaw/workspace"
    for name, text in OPENCLAW.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main", cwd=root)
    git("remote", "add", "origin", "git@example.org:ada/memory.git", cwd=root)
    found = list(blocks((PROJECT / "README.md").read_text(encoding="utf-8")))
    assert len(found) > 8
    script = "\n".join(found)
    for asked, answered in ANSWERED.items():
        script = script.replace(asked, answered)
    run(sandbox, script)


def test_what_contributors_are_told_to_run_is_there(sandbox: Path) -> None:
    found = list(blocks((PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert found
    run(sandbox, "\n".join(found))


def test_no_document_installs_into_the_systems_python() -> None:
    for name in ("README.md", "docs/guide.md", "CONTRIBUTING.md"):
        found = "".join(blocks((PROJECT / name).read_text(encoding="utf-8")))
        assert not re.search(r"(?m)^(?:sudo )?pip3? install", found)


def test_the_reference_says_what_the_code_does() -> None:
    assert FILE.read_text(encoding="utf-8") == make_reference(), "run `make reference`"


def test_every_argument_says_what_it_is() -> None:
    silent = [(one.name, each.value) for one in usages() for each in one.arguments if not each.help]
    assert [pair for pair in silent if pair[1] != "ACTION"] == []


def test_options_that_documents_name_exist() -> None:
    known = {one.name: {name for each in one.arguments for name in each.names} for one in usages()}
    for path in (PROJECT / "README.md", PROJECT / "docs/guide.md", PROJECT / "SECURITY.md"):
        for line in re.findall(r"`memsite ([a-z-]+ [^`]*)`", path.read_text(encoding="utf-8")):
            command, *words = shlex.split(line.replace("…", " ").replace("'", ""))
            name = f"{command} {words[0]}" if words and f"{command} {words[0]}" in known else command
            used = {word.partition("=")[0].strip("[]") for word in words if word.strip("[]").startswith("--")}
            options = {each for one in used for each in one.split("|")}
            assert options <= known[name], (path.name, line)
