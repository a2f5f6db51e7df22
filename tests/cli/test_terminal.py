"""No control, escape or bidirectional character of anybody's text reaches a terminal, whichever command says it how."""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from memsite.cli.commands import COMMANDS
from memsite.cli.main import main
from tests.conftest import Done, Git, Run, free_port, no_survivor, users_settings
from tests.safety.test_terminal import controls_in

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\x85\u202eevil\u2066\u200f\u061c"
"""What a terminal would act on. Nothing of it ends a line."""
NAME = "\x1b[2J\x7f\u202ename"
DAY = "2025-03-20"
INDEX = f"""# Memory Index {EVIL}

## Projects {EVIL}
- **blog**
  - Dates: [2025-03-20, 2025-03-21, 2025-03-22, 2025-03-23]
  - Aliases: [b{EVIL}]
  - Description: about {EVIL}
  - Status: active
  - Consolidations:
    - gen1 (2025-03-21): consolidated/blog-gen1-2025-03-21.md
    - gen2 (2025-03-22): consolidated/blog-gen2-2025-03-22.md
  - Current: consolidated/blog-gen2-2025-03-22.md
- **bro{EVIL}ken**: [2025-03-20]
- **half
"""
SESSIONS = f"""# Session Log — {DAY}

### 10:00
<!-- memsite:session id=s1 agent=a -->
- **Topic:** topic {EVIL}
- **Project:** project {EVIL}
- **Messages:** 1 user / 1 assistant
- **Est. tokens:** ~1K
"""
TRANSCRIPT = json.dumps(
    [{"role": "user", "content": f"Let us talk {EVIL}"}, {"role": "assistant", "content": f"blog {EVIL}"}]
)


def generation(number: int) -> str:
    return (
        f"# Blog {EVIL} - Generation {number} Consolidation\n\n**Covers**: 2025-03-20 to 2025-03-21\n\n"
        f"## Summary\nThe {number}. {EVIL}\n\n## Key Points\n- point {number} {EVIL} [2025-03-20]\n\n"
        f"## Decisions Made\n- decided {EVIL}\n\n## Source References\n- 2025-03-20.md: {EVIL}\n"
    )


@pytest.fixture
def evil(workspace: Path, git: Git) -> Path:
    """A workspace in which every text that somebody else may have written is evil."""
    files = {
        "memory/INDEX.md": INDEX,
        f"memory/{DAY}.md": f"# {DAY}\n\nblog {EVIL}\n\n- point {EVIL}\n",
        f"memory/{NAME}.md": f"---\ntitle: {EVIL}\n---\n# {EVIL}\n\nblog note {EVIL}\n",
        f"memory/sessions/{DAY}.md": SESSIONS,
        "memory/consolidated/blog-gen1-2025-03-21.md": generation(1),
        "memory/consolidated/blog-gen2-2025-03-22.md": generation(2),
        "t.json": TRANSCRIPT,
        "bad.json": "{" + EVIL,
    }
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (workspace / "memory" / f"link{NAME}.md").symlink_to(f"/nowhere/{NAME}")
    git("add", "-A", cwd=workspace)
    author = f"Eve {NAME} <eve{NAME}@example.org>"
    git("commit", "-q", "--no-verify", f"--author={author}", "-m", f"note: {EVIL}\n\nmore {EVIL}", cwd=workspace)
    (workspace / "memory" / f"{DAY}.md").write_text(f"# {DAY}\n\nchanged {EVIL}\n", encoding="utf-8")
    (workspace / "memory" / f"pending{NAME}.md").write_text(f"pending {EVIL}\n", encoding="utf-8")
    return workspace


Uses = Mapping[str, Sequence[Sequence[str]]]
RUNS: Uses = {
    "sessions": [[], [DAY], [f"2025{EVIL}"]],
    "index": [["list"], ["show", "blog"], ["show", f"no{EVIL}"], ["check"], ["add", f"x{EVIL}", "--category", EVIL]],
    "recall": [["blog"], [f"evil {EVIL}"], ["--deep", "blog"]],
    "consolidate": [["blog", "--brief"], [f"no{EVIL}", "--brief"], ["blog", "--from", f"no{NAME}"], ["blog", "--auto"]],
    "lineage": [["blog"], [f"no{EVIL}"]],
    "diff": [["blog"], ["blog", EVIL], ["--range", "HEAD"], ["--range", f"HEAD..{EVIL}"], ["--range", "HEAD~1..HEAD"]],
    "blame": [["blog"], [f"no{EVIL}"]],
    "review": [["--all"], [DAY], ["--accept", f"no{EVIL}"]],
    "tail": [["t.json"], ["bad.json"], [f"no{NAME}.json"]],
    "history": [[], [f"memory/{NAME}.md"], [f"no{EVIL}"], ["--since", EVIL]],
    "hooks": [["status"], ["run", "pre-commit"], ["run", "pre-push", f"remote{NAME}"], ["run", "post-commit"]],
    "check": [[], ["--publish"], ["--range", f"HEAD..{EVIL}"]],
    "trust": [[], ["--hash"]],
    "import": [["t.json"], ["bad.json"], [f"no{NAME}"]],
    "sync": [[], ["--remote", f"no{NAME}"]],
    "migrate": [[]],
    "purge": [[f"no{EVIL}"], [f"memory/{NAME}.md"]],
    "publish": [["--dry-run"], ["--version", EVIL]],
    "merge-driver": [["t.json", "t.json", "t.json", f"memory/{NAME}.md"], [f"no{NAME}", "a", "b", "c"]],
    "log": [["t.json"], ["bad.json"], [f"no{NAME}"], ["--ignore", f"({EVIL}", "t.json"]],
    "note": [[f"remember {EVIL}"], [f"{EVIL}", "--date", EVIL]],
    "flush": [[], ["--date", EVIL]],
    "agent": [["claude-code", EVIL], ["openclaw", "sessions"], ["claude-code", "session-start"], [EVIL, EVIL]],
    "init": [["--dry-run"], ["--agent", EVIL]],
    "demo": [[f"memory/{NAME}.md/there"]],
    "commit": [[]],
    "build": [["--at", EVIL], ["--strict", "--no-commit"], ["-d", f"memory/{NAME}"]],
    "serve": [["--port", EVIL]],
    "completion": [["bash"], [EVIL]],
}
"""Command -> what it is run with, good and bad; those that only read come first."""
WITHOUT_JSON = {"init", "demo", "note", "agent", "merge-driver", "serve", "completion"}


def said(done: Done, *, within: str) -> list[str]:
    """What a terminal would act on in all that a run said."""
    assert "Traceback" not in done.out + done.err, (within, done.err)
    return controls_in(done.out, allowed="\n\t") + controls_in(done.err, allowed="\n\t")


def test_every_command_is_here() -> None:
    assert set(RUNS) == set(COMMANDS)


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_command_sends_a_control_to_the_terminal(memsite: Run, evil: Path, as_json: bool) -> None:
    os.chdir(evil)
    found = {}
    for command, uses in RUNS.items():
        if as_json and command in WITHOUT_JSON:
            continue
        for use in uses:
            json_form = ["--json"] if as_json and "run" not in use and "--hash" not in use else []
            done = memsite(command, *use, *json_form, now="2025-03-24T10:00", stdin=TRANSCRIPT)
            if bad := said(done, within=command):
                found[(command, *use)] = bad, done
            if json_form and done.out:
                assert json.loads(done.out) is not None, (command, use)
    assert found == {}


def test_errors_of_settings_and_of_a_folder_that_is_not_there(memsite: Run, evil: Path) -> None:
    runs = [memsite("check", cwd=evil / f"no{NAME}")]
    for settings in (f'timezone = "{NAME[5:]}"\n', f'"a{NAME[5:]}" = 1\n', 'ignore_patterns = ["(\u202e"]\n'):
        (evil / "memsite.toml").write_text(settings, encoding="utf-8")
        runs += [memsite("check"), memsite("sessions"), memsite("agent", "claude-code", "session-end", stdin="{}")]
    (evil / "memsite.toml").write_text("", encoding="utf-8")
    for settings in (f'site_name: "a\\x1b\\x9b{NAME[5:]}"\nplugins: ["x\\x1b[2J\\u202e"]\n', f"a{NAME[5:]}: [\n"):
        (evil / "mkdocs.yml").write_text(settings, encoding="utf-8")
        runs += [memsite("trust"), memsite("trust", "--json"), memsite("build", "--no-commit")]
    assert [done for done in runs if said(done, within=str(done))] == []


def test_git_hooks_say_nothing_that_a_terminal_acts_on(memsite: Run, evil: Path, git: Git) -> None:
    assert memsite("hooks", "install").code == 0
    run = partial(subprocess.run, cwd=evil, env={**os.environ, **users_settings()}, capture_output=True, text=True)
    (evil / "memory" / "consolidated" / "blog-gen1-2025-03-21.md").write_text(f"changed {EVIL}\n", encoding="utf-8")
    (evil / "memory" / f"secret{NAME}.md").write_text("key: " + "AKIA" + "Q3EGRZ7T2LMP5XYB" + "\n", encoding="utf-8")
    git("add", "-A", cwd=evil)
    refused = run(["git", "commit", "-q", "-m", EVIL])
    assert (refused.returncode, refused.stderr.count("memsite:")) == (1, 3), refused.stderr
    (evil / "memory" / f"late{NAME}.md").write_text(f"late {EVIL}\n", encoding="utf-8")
    done = run(["git", "commit", "-q", "--no-verify", "-m", EVIL])
    git("init", "-q", "--bare", "../remote.git", cwd=evil)
    git("remote", "add", "origin", "../remote.git", cwd=evil)
    pushed = run(["git", "push", "-q", "origin", "HEAD:refs/heads/\u202ename"])
    assert pushed.returncode == 1
    for one in (refused, done, pushed):
        ours = "\n".join(line for line in one.stderr.split("\n") if not line.startswith("error: "))
        assert "memsite: " in ours
        assert controls_in(ours, allowed="\n\t") == [], ours


def test_what_a_library_says_is_escaped(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def speaking(*_: object) -> None:
        assert logging.lastResort
        logging.lastResort.handle(logging.LogRecord("somebody", logging.ERROR, "", 1, EVIL, None, None))
        sys.stderr.writelines([EVIL, "\n"])

    monkeypatch.setattr("memsite.cli.sessions.sessions", speaking)
    before = sys.stderr
    assert main(["sessions"]) == 0
    assert sys.stderr is before
    err = capfd.readouterr().err
    assert err.count("evil") == 2
    assert controls_in(err, allowed="\n\t") == []


def connected(port: int) -> socket.socket:
    """A connection to a server that has said that it is about to listen."""
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            time.sleep(0.1)
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def test_requests_to_the_preview_are_said_escaped(evil: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "memsite", "-C", str(evil), "serve", "--port", str(port)]
    child = subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with no_survivor(child):
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith(b"http://")
        for target in (b"/no\x1b[2J\x9b31m\xe2\x80\xae", b"/\x7f\x1b]0;x\x07"):
            with connected(port) as request:
                request.sendall(b"GET " + target + b" HTTP/1.0\r\n\r\n")
                while request.recv(4096):
                    pass
        child.terminate()
        err = child.stderr.read().decode("utf-8", "surrogateescape")
        child.wait(30)
    assert "404" in err
    assert controls_in(err, allowed="\n\t") == []
