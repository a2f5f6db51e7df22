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
        ("print('## Summary\\n\\nhalf')", ":3: there is no section"),
        ("while True: print('x' * 100_000)", "answered more than"),
        ("import sys; sys.stdout.buffer.write(b'## Summary\\nCaf\\xe9')", ":2: byte 0xe9 is no UTF-8"),
        ("import os, sys; os.close(0); print('## Summary')", ":1: section '## Summary' is empty (and"),
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
    assert f"would run what you have not allowed: summarizer touch {trap}; look at it with `memsite trust`" in done.err
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


BAD_BODIES = {
    "empty": ("", 1, "the body is empty"),
    "cut off": (BODY[: BODY.index("## Current")], 12, "there is no section '## Current Status'"),
    "impossible day": (BODY.replace("Begun.", "Begun [2025-02-30]."), 16, "[2025-02-30] is no source"),
    "no such note": (BODY.replace("A blog.", "A blog. [2025-03-19]"), 4, "there is no note of 2025-03-19"),
    "no such source": (BODY + "- notes/plan.md: x\n", 21, "there is no notes/plan.md"),
    "unfinished merge": (BODY.replace("Begun.", "<<<<<<< HEAD\nBegun."), 16, "an unfinished merge is in it"),
    "lone comment": (BODY.replace("Begun.", "<!-- later -->"), 14, "section '## Current Status' is empty"),
    "placeholder": (BODY.replace("Begun.", "[fill in]"), 16, "'[fill in]' is a placeholder"),
    "nul": (BODY.replace("Begun.", "Be\0gun."), 16, "there is a control character in it, U+0000"),
    "title": ("# My blog" + BODY, 1, "the title '# My blog' would be lost"),
    "prose for points": (BODY.replace("- It is", "It is"), 8, "under '## Key Points' stands text that is no point"),
}


def test_a_bad_body_is_refused_with_its_name_and_line_and_nothing_changes(memsite: Run, blog: Path, git: Git) -> None:
    (blog / "memory/2025-03-21.md").write_text("an agent's note, in no commit yet\n", encoding="utf-8")
    (blog / "draft.md").touch()
    before = git("rev-parse", "HEAD", cwd=blog), git("status", "--porcelain", cwd=blog)
    for text, line, said in BAD_BODIES.values():
        (blog / "draft.md").write_text(text, encoding="utf-8")
        done = memsite("consolidate", "personal-blog", "--from", "draft.md", now=TODAY)
        assert done.code == 1
        assert done.err.startswith(f"memsite: draft.md:{line}: {said}")
        assert done.err.count("\n") == 1
    for name, ways in {"stdin": ("--from", "-"), "the output of cat draft.md": ("--command", "cat draft.md")}.items():
        done = memsite("consolidate", "personal-blog", *ways, stdin=text, now=TODAY)
        assert done.err.startswith(f"memsite: {name}:{line}: {said}")
    assert (git("rev-parse", "HEAD", cwd=blog), git("status", "--porcelain", cwd=blog)) == before


def test_a_file_that_is_no_body_is_refused(memsite: Run, blog: Path) -> None:
    (blog / "draft.md").write_bytes(b"## Summary\n\xff\n")
    (blog / "zero").symlink_to("/dev/zero")
    for name, said in {
        "draft.md": "draft.md:2: byte 0xff is no UTF-8",
        "zero": "zero: the body is longer than 1000000 bytes",
        "memory": "memory: Is a directory",
        "none.md": "none.md: No such file",
    }.items():
        done = memsite("consolidate", "personal-blog", "--from", name, now=TODAY)
        assert done.code == 1
        assert said in done.err
        assert done.err.count("\n") == 1


def test_a_head_that_memsite_replaces_is_said(memsite: Run, blog: Path) -> None:
    title, created = "# Personal Blog - Generation 1 Consolidation", "**Created**: 2025-03-25"
    head = f"{title}\n\n{created}\n**Covers**: 2025-03-01 to 2025-03-20\n"
    (blog / "draft.md").write_text(head + BODY, encoding="utf-8")
    done = memsite("consolidate", "personal-blog", "--from", "draft.md", now=TODAY)
    assert done.code == 0
    assert done.err == (
        "memsite: draft.md:4: '**Covers**: 2025-03-01 to 2025-03-20' is left out: "
        "memsite states title and fields itself\n"
    )


@pytest.fixture
def waiting(memsite: Run, workspace: Path) -> Path:
    """A topic whose only note could not be committed yet: git's index was locked."""
    memsite("index", "add", "personal-blog", "--category", "Projects")
    lock = workspace / ".git/index.lock"
    lock.touch()
    assert memsite("note", "New project: a personal blog.\n\nDecided: it uses Next.js.").code == 3
    assert not (workspace / "memory/2025-03-20.md").exists()
    return lock


def test_what_waits_for_git_is_taken_in_before_it_is_consolidated(
    memsite: Run, workspace: Path, waiting: Path, git: Git
) -> None:
    waiting.unlink()
    done = memsite("consolidate", "personal-blog", "--auto", now=TODAY)
    assert done.code == 0, done.err
    subjects = git("log", "-2", "--format=%s", cwd=workspace).splitlines()
    assert subjects == ["consolidate(personal-blog): gen1", "note: 2025-03-20"]
    (generation,) = (workspace / "memory/consolidated").iterdir()
    assert "Next.js" in generation.read_text(encoding="utf-8")


@pytest.mark.parametrize("way", ["--auto", "--brief"])
def test_what_git_cannot_take_yet_is_said_not_to_be_consolidated(memsite: Run, waiting: Path, way: str) -> None:
    if way == "--brief":
        waiting.unlink()
    done = memsite("consolidate", "personal-blog", way, now=TODAY)
    assert "an entry of 2025-03-20 10:00 in memory/2025-03-20.md is not committed yet, and not in this" in done.err
    assert waiting.exists() == (way == "--auto")
