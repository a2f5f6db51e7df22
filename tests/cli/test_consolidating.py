"""`consolidate`: a brief, a body from the sources, a body from a command; two at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.test_writing import BODY, head_paths, made_token, subject
from tests.conftest import Git, Run

TODAY = "2025-03-25"


@pytest.fixture
def blog(memsite: Run, workspace: Path) -> Path:
    """A workspace with a topic and a note."""
    memsite("note", "New project: a personal blog.\n\nDecided: it uses Next.js.")
    memsite("index", "add", "personal-blog", "--category", "Projects")
    return workspace


def script(workspace: Path, text: str) -> str:
    """A command line that runs a Python program."""
    path = workspace.parent / "write.py"
    path.write_text(text, encoding="utf-8")
    return f"{sys.executable} {path}"


def test_a_brief_changes_nothing(memsite: Run, blog: Path, git: Git) -> None:
    head = git("rev-parse", "HEAD", cwd=blog)
    done = memsite("consolidate", "personal-blog", "--brief", now=TODAY)
    assert done.code == 0, done.err
    assert "[2025-03-20#L5] Decided: it uses Next.js." in done.out
    told = json.loads(memsite("consolidate", "personal-blog", "--brief", "--json", "--budget", "800", now=TODAY).out)
    assert (told["generation"], told["notes"]) == (1, ["memory/2025-03-20.md"])
    assert told["tokens"] <= 800
    assert git("rev-parse", "HEAD", cwd=blog) == head
    assert git("status", "--porcelain", cwd=blog) == ""


def test_a_brief_leaves_secrets_out(memsite: Run, blog: Path) -> None:
    token = made_token(4)
    with (blog / "memory/2025-03-20.md").open("a", encoding="utf-8") as stream:
        stream.write(f"\nthe token is {token}\n")
    done = memsite("consolidate", "personal-blog", "--brief", now=TODAY)
    assert token not in done.out + done.err
    assert "[redacted:" in done.out


def test_auto_makes_a_generation_of_what_the_sources_say(memsite: Run, blog: Path, git: Git) -> None:
    done = memsite("consolidate", "personal-blog", "--auto", now=TODAY)
    assert done.code == 0, done.err
    assert subject(git, blog) == "consolidate(personal-blog): gen1"
    assert len(head_paths(git, blog)) == 3
    written = (blog / "memory/consolidated/personal-blog-gen1-2025-03-25.md").read_text(encoding="utf-8")
    assert "## Decisions Made\n- Decided: it uses Next.js. [2025-03-20#L5]\n" in written
    again = memsite("consolidate", "personal-blog", "--auto", now="2025-03-26")
    assert again.code == 1
    assert "nothing to consolidate" in again.err


def test_a_command_gets_the_brief_and_gives_the_body(memsite: Run, blog: Path) -> None:
    command = script(
        blog,
        f"import sys\nbrief = sys.stdin.read()\nassert '[2025-03-20#L5] Decided' in brief, brief\nprint({BODY!r})\n",
    )
    done = memsite("consolidate", "personal-blog", "--command", command, now=TODAY)
    assert done.code == 0, done.err
    assert "The blog uses Next.js." in next((blog / "memory/consolidated").iterdir()).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit(3)", "ended with 3"),
        ("pass", "answered nothing"),
        ("import time; time.sleep(60)", "took longer than 0.5 s"),
        ("print('x' * 2_000_000)", "answered more than"),
        ("print('## Summary\\n\\nhalf')", "there is no section"),
    ],
)
def test_a_command_that_fails_changes_nothing(memsite: Run, blog: Path, git: Git, program: str, said: str) -> None:
    timeout = ["--timeout", "0.5"] if "sleep" in program else []
    head = git("rev-parse", "HEAD", cwd=blog)
    done = memsite("consolidate", "personal-blog", "--command", script(blog, program), *timeout, now=TODAY)
    assert done.code == 1
    assert said in done.err
    assert done.err.count("\n") == 1
    assert git("rev-parse", "HEAD", cwd=blog) == head
    assert git("status", "--porcelain", cwd=blog) == ""


@pytest.mark.parametrize("command", ["no-such-program-here", "'open quote", ""])
def test_a_command_that_is_none_is_refused(memsite: Run, blog: Path, command: str) -> None:
    done = memsite("consolidate", "personal-blog", "--command", command, now=TODAY)
    assert done.code in (1, 2)
    assert done.err.count("\n") == 1


def test_a_command_of_the_settings_is_not_run_without_trust(memsite: Run, blog: Path) -> None:
    trap = blog.parent / "trap"
    (blog / "memsite.toml").write_text(f'summarizer = "touch {trap}"\n', encoding="utf-8")
    done = memsite("consolidate", "personal-blog", "--command", now=TODAY)
    assert done.code == 1
    assert "is not trusted" in done.err
    assert f'--command "touch {trap}"' in done.err
    assert memsite("consolidate", "personal-blog", now=TODAY).code == 2
    assert not trap.exists()


def test_of_two_at_once_one_wins_and_the_other_is_told(memsite: Run, blog: Path, git: Git) -> None:
    ready = blog.parent / "ready"
    program = script(
        blog,
        "import os, pathlib, sys, time\nsys.stdin.read()\n"
        f"ready = pathlib.Path({str(ready)!r}); (ready.parent / f'ready-{{os.getpid()}}').touch()\n"
        "end = time.monotonic() + 20\n"
        "while len(list(ready.parent.glob('ready-*'))) < 2 and time.monotonic() < end: time.sleep(0.02)\n"
        f"print({BODY!r})\n",
    )
    memsite_ = [sys.executable, "-m", "memsite", "-C", str(blog), "--now", TODAY]
    command = [*memsite_, "consolidate", "personal-blog", "--command", program]
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
        for _ in range(2)
    ]
    started = time.monotonic()
    said = [child.communicate(timeout=60) for child in children]
    assert time.monotonic() - started < 60
    assert sorted(child.returncode for child in children) == [0, 1], said
    loser = next(err for child, (_, err) in zip(children, said, strict=True) if child.returncode)
    assert "generation 1 of 'personal-blog' was made meanwhile" in loser
    assert len(list((blog / "memory/consolidated").iterdir())) == 1
    assert git("log", "--format=%s", "--grep=^consolidate", cwd=blog).count("\n") == 1
    assert git("status", "--porcelain", cwd=blog) == ""
