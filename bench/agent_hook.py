"""How long an agent waits for `memsite agent claude-code session-end`, beside bare `git add` and `git commit`.

    python bench/agent_hook.py [RUNS]

Both are timed in turn in the same run, in repositories of their own, with the session's entry committed each time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

TURNS = 20
PROGRAM = Path(sys.executable).with_name("memsite")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""As a user's installation has it: with compiled modules. For both sides."""


def main() -> None:
    """Print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        transcript = write_transcript(folder / "session.jsonl")
        memory, plain = make_repository(folder / "memory"), make_repository(folder / "plain")
        hook: list[float] = []
        bare: list[float] = []
        for number in range(runs):
            hook.append(timed(partial(end_session, memory, transcript, f"session-{number}")))
            bare.append(timed(partial(add_and_commit, plain, number)))
            wait_until_settled(memory)
        entries = git(memory, "show", "HEAD:memory/sessions/2025-03-20.md").count("### ")
    assert entries == runs, f"{entries} entries after {runs} sessions"
    print(f"agent claude-code session-end: median {median(hook):.3f} s, fastest {min(hook):.3f} s")
    print(f"git add + git commit:          median {median(bare):.3f} s, fastest {min(bare):.3f} s")
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {runs} runs")


def timed(work: Callable[[], None]) -> float:
    """Seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def make_repository(root: Path) -> Path:
    """A repository with a memory folder and one commit."""
    (root / "memory").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    (root / "memsite.toml").write_text('timezone = "UTC"\n', encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def write_transcript(path: Path) -> Path:
    """A session of some length, as Claude Code writes it."""
    lines = []
    for turn in range(TURNS):
        ask = {"role": "user", "content": f"Question {turn} about the blog and where it is hosted?"}
        reply = {"role": "assistant", "id": f"m{turn}", "content": [{"type": "text", "text": "An answer. " * 100}]}
        common = {"sessionId": "s", "cwd": "/home/ada/blog", "timestamp": f"2025-03-20T10:{turn:02}:00Z"}
        lines += [{"type": "user", "message": ask, **common}, {"type": "assistant", "message": reply, **common}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def end_session(root: Path, transcript: Path, session: str) -> None:
    """What Claude Code does at the end of a session."""
    event = {
        "session_id": session,
        "transcript_path": str(transcript),
        "cwd": "/home/ada/blog",
        "hook_event_name": "SessionEnd",
        "reason": "exit",
    }
    command = [str(PROGRAM), "-C", str(root), "agent", "claude-code", "session-end"]
    subprocess.run(command, input=json.dumps(event).encode(), check=True, env=ENVIRONMENT)


def add_and_commit(root: Path, number: int) -> None:
    """The same, by hand."""
    (root / "memory" / "log.md").write_text(f"entry {number}\n", encoding="utf-8")
    git(root, "add", "memory/log.md")
    git(root, "commit", "-qm", f"entry {number}")


def wait_until_settled(root: Path) -> None:
    """What the hook left to a process of its own must not be in the next one's way."""
    kept = root / ".git/memsite/review.json"
    deadline = time.monotonic() + 30
    while not kept.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    kept.unlink(missing_ok=True)
    time.sleep(0.2)


def git(root: Path, *arguments: str) -> str:
    """Run git."""
    done = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    main()
