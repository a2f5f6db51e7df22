"""Code that the workspace names runs when a person at a terminal has said so, not before, and then really."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Done, Git, Run, users_settings

SITE = "site_name: x\ntheme: {name: material, font: false}\n"
HOOK = """\
import beside
from mkdocs.structure.pages import Page

def on_post_page(output: str, *, page: Page, config: object) -> str:
    return output.replace("</body>", f"<p>{beside.WORD} {page.url}</p></body>")
"""
BODY = "## Summary\n\nThe blog.\n\n## Key Points\n\n- It is bilingual. [2025-03-20]\n"
SUMMARISER = f"""\
import os, sys
import beside
brief = sys.stdin.read()
assert "personal-blog" in brief
assert os.listdir() == [], os.listdir()
assert beside.WORD == "hooked"
print({BODY!r})
print("## Decisions Made\\n\\n- None yet.\\n\\n## Current Status\\n\\nGoing on.\\n")
print("## Source References\\n\\n- 2025-03-20: the note\\n")
"""


@pytest.fixture
def armed(workspace: Path) -> Path:
    """A workspace whose settings name a plugin, a hook, a YAML tag, a script for readers, and a summariser."""
    files = {
        "mkdocs.yml": f"{SITE}plugins: [memsite, search]\nhooks: [tools/hook.py]\nextra_javascript: [own.js]\n"
        "site_description: !!python/object/apply:os.path.basename [x/made by a tag]\n",
        "memsite.toml": f'timezone = "UTC"\nsummarizer = "{sys.executable} tools/sum.py"\n',
        "tools/hook.py": HOOK,
        "tools/sum.py": SUMMARISER,
        "tools/beside.py": 'WORD = "hooked"\n',
        "memory/own.js": "document.title = 'own'\n",
        "memory/2025-03-20.md": "# 2025-03-20\n\n- the personal-blog is bilingual\n",
        "memory/INDEX.md": "# Memory Index\n\n## Projects\n\n- **personal-blog**\n  - Dates: [2025-03-20]\n",
    }
    for name, text in files.items():
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text(text, encoding="utf-8")
    return workspace


def at_terminal(workspace: Path, *arguments: str, answer: str = "", **environment: str) -> Done:
    """`memsite` as a person runs it: a pseudo-terminal on all three streams. `answer` is typed after the question."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "memsite", "-C", str(workspace), "--now", "2025-03-20T10:00", *arguments]
    child = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env={**os.environ, **environment}, close_fds=True
    )
    os.close(follower)
    said, typed, until = b"", False, time.monotonic() + 60
    while time.monotonic() < until:
        if select.select([leader], [], [], 0.1)[0]:
            try:
                said += os.read(leader, 65_536)
            except OSError:  # the other end is closed: the program has ended
                break
        if b"anything else not to:" in said and not typed:
            typed = True
            begun = said.partition(b"Type ")[2][:6].decode()
            os.write(leader, f"{answer.replace('HASH', begun)}\n".encode())
    child.wait(timeout=60)
    os.close(leader)
    return Done(child.returncode, said.decode("utf-8", "replace"), "")


def allow(workspace: Path) -> None:
    done = at_terminal(workspace, "trust", answer="HASH")
    assert done.code == 0, done.out
    assert "allowed" in done.out


def config_files(home: Path) -> list[Path]:
    return [path for path in (home / ".config").rglob("*") if path.is_file()]


def test_nothing_runs_before_the_user_says_so(memsite: Run, armed: Path) -> None:
    (armed / "tools/hook.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    done = memsite("build")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "mkdocs.yml: would run what you have not allowed: plugin search, hook tools/hook.py" in done.err
    assert "script own.js, YAML tag !!python/object/apply:os.path.basename; look at it with `memsite trust`" in done.err
    assert memsite("consolidate", "personal-blog", "--command").code == 1
    assert not (armed / "ran").exists()
    assert not (armed / "site").exists()
    assert not (armed / "memory/consolidated").exists()


def test_what_is_allowed_at_a_terminal_really_runs(memsite: Run, armed: Path) -> None:
    allow(armed)
    done = memsite("build")
    assert done.code == 0, done.err
    assert "runs what was allowed since 2025-03-20 10:00: " in done.err
    page = (armed / "site/daily/2025-03-20/index.html").read_text(encoding="utf-8")
    assert "<p>hooked daily/2025-03-20/</p></body>" in page
    assert 'content="made by a tag"' in page
    assert '<script src="../../own.js">' in page
    assert (armed / "site/own.js").read_text(encoding="utf-8") == "document.title = 'own'\n"
    assert (armed / "site/search/search_index.json").is_file()
    assert not list(armed.rglob("__pycache__"))


def test_the_summariser_of_the_settings_runs_when_it_is_allowed_and_in_an_empty_folder(
    memsite: Run, armed: Path
) -> None:
    allow(armed)
    done = memsite("consolidate", "personal-blog", "--command", now="2025-03-25")
    assert done.code == 0, done.err
    written = next((armed / "memory/consolidated").iterdir()).read_text(encoding="utf-8")
    assert "It is bilingual." in written


def test_it_is_asked_again_when_anything_of_it_changes(memsite: Run, armed: Path) -> None:
    allow(armed)
    for name in ("mkdocs.yml", "tools/hook.py", "tools/beside.py", "memory/own.js", "memsite.toml"):
        text = (armed / name).read_text(encoding="utf-8")
        changed = text.replace("tools/sum.py", "tools/sum.py --more") if name == "memsite.toml" else text + "\n"
        (armed / name).write_text(changed, encoding="utf-8")
        done = memsite("build", "--no-commit")
        assert done.code == 1
        what = "its packages or settings" if name == "memsite.toml" else name
        assert f"{what} changed since you allowed it on 2025-03-20" in done.err
        (armed / name).write_text(text, encoding="utf-8")
    assert memsite("build").code == 0


def test_notes_change_without_a_question(memsite: Run, armed: Path) -> None:
    allow(armed)
    (armed / "memory/2025-03-20.md").write_text("another note\n", encoding="utf-8")
    assert memsite("build").code == 0


def test_a_compiled_file_that_was_put_beside_a_hook_is_not_taken_for_it(memsite: Run, armed: Path) -> None:
    """Python believes `__pycache__` by the time and size of the source, both of which can be forged."""
    import py_compile

    source = armed / "tools/beside.py"
    honest, about = source.read_bytes(), source.stat()
    source.write_bytes(b'WORD = "FORGED"\n'.ljust(len(honest), b"\n")[: len(honest)])
    os.utime(source, ns=(about.st_atime_ns, about.st_mtime_ns))
    py_compile.compile(str(source), doraise=True)
    source.write_bytes(honest)
    os.utime(source, ns=(about.st_atime_ns, about.st_mtime_ns))
    check = [sys.executable, "-c", "import sys; sys.path.insert(0, 'tools'); import beside; print(beside.WORD)"]
    said = subprocess.run(check, cwd=armed, check=True, capture_output=True, text=True).stdout
    assert said == "FORGED\n", "the control: without our care the forged file is what runs"
    allow(armed)
    assert memsite("build").code == 0
    assert "<p>hooked " in (armed / "site/index.html").read_text(encoding="utf-8")
    done = memsite("consolidate", "personal-blog", "--command", now="2025-03-25")
    assert done.code == 0, done.err


@pytest.mark.parametrize("answer", ["", "yes", "HASH1"])
def test_any_other_answer_allows_nothing(memsite: Run, armed: Path, answer: str, sealed_environment: Path) -> None:
    done = at_terminal(armed, "trust", answer=answer)
    assert done.code == 1
    assert "nothing was changed" in done.out
    assert config_files(sealed_environment) == []
    assert memsite("build").code == 1


def test_the_list_names_each_thing_with_its_files(armed: Path) -> None:
    said = at_terminal(armed, "trust", answer="no").out
    for text in ("mkdocs.yml:3", "plugin search (mkdocs-material ", "hook tools/hook.py", "tools/beside.py", "own.js"):
        assert text in said, text
    assert f"summarizer {sys.executable} tools/sum.py" in said
    assert "runs in the browser of whoever reads the site" in said


def test_without_a_terminal_it_lists_and_allows_nothing(memsite: Run, armed: Path, sealed_environment: Path) -> None:
    (armed / "before").touch()
    for stdin in ("", "yes\n", memsite("trust", "--hash").out[:6] + "\n"):
        done = memsite("trust", stdin=stdin)
        assert done.code == 1
        assert "hook tools/hook.py" in done.out
        assert "not allowed: that takes a person at a terminal" in done.err
    assert config_files(sealed_environment) == []


@pytest.mark.parametrize("variable", ["CLAUDECODE", "OPENCLAW_SHELL", "CODEX_SANDBOX"])
def test_an_agent_with_a_terminal_is_told_that_the_user_must_do_it(
    armed: Path, sealed_environment: Path, variable: str
) -> None:
    done = at_terminal(armed, "trust", answer="HASH", **{variable: "1"})
    assert done.code == 1
    assert "only you may allow it" in done.out
    assert config_files(sealed_environment) == []


def test_a_control_in_the_settings_does_not_reach_the_terminal(memsite: Run, armed: Path) -> None:
    (armed / "mkdocs.yml").write_text(f'{SITE}hooks: ["\\e[2Jx\\u202e.py"]\n', encoding="utf-8")
    said = at_terminal(armed, "trust", answer="no").out
    assert "\x1b[2J" not in said
    assert "\u202e" not in said
    assert "\x1b" not in memsite("trust").out + memsite("trust", "--json").out + memsite("build").err


def test_ci_allows_by_hash(
    memsite: Run, armed: Path, monkeypatch: pytest.MonkeyPatch, sealed_environment: Path
) -> None:
    done = memsite("trust", "--hash")
    assert done.code == 0
    assert len(done.out.strip()) == 64
    monkeypatch.setenv("MEMSITE_TRUST", done.out.strip())
    assert memsite("build").code == 0
    assert memsite("trust").code == 0
    assert config_files(sealed_environment) == []
    (armed / "tools/hook.py").write_text("changed = 1\n", encoding="utf-8")
    refused = memsite("build")
    assert refused.code == 1
    assert f"MEMSITE_TRUST is another hash than {memsite('trust', '--hash').out[:12]}" in refused.err


def test_the_word_is_taken_back(memsite: Run, armed: Path) -> None:
    allow(armed)
    assert memsite("trust").code == 0
    assert memsite("trust", "--revoke").code == 0
    assert memsite("build").code == 1
    assert "nothing was allowed here" in memsite("trust", "--revoke").out


def test_the_word_counts_for_this_folder_alone(memsite: Run, armed: Path, git: Git) -> None:
    allow(armed)
    copy = armed.parent / "copy"
    git("clone", "-q", str(armed), str(copy))
    for name in ("mkdocs.yml", "memsite.toml", "tools", "memory"):
        subprocess.run(["cp", "-r", str(armed / name), str(copy)], check=True)
    assert memsite("build", cwd=copy).code == 1


def test_a_workspace_that_runs_nothing_says_so(memsite: Run, workspace: Path) -> None:
    done = memsite("trust")
    assert (done.code, done.out) == (0, "nothing in this workspace would run\n")
    assert json.loads(memsite("trust", "--json").out) == {"hash": "", "allowed": False, "items": []}
    assert memsite("trust", "--hash").code == 1


def test_check_names_what_is_not_allowed(memsite: Run, armed: Path) -> None:
    assert "warning: mkdocs.yml:4: hook tools/hook.py: runs this Python file" in memsite("check").out
    allow(armed)
    assert "hook tools/hook.py" not in memsite("check").out


def test_a_git_hook_says_in_a_line_why_the_site_was_not_built(memsite: Run, armed: Path) -> None:
    settings = (armed / "memsite.toml").read_text(encoding="utf-8")
    (armed / "memsite.toml").write_text(f"build_on_commit = true\n{settings}", encoding="utf-8")
    assert memsite("hooks", "install").code == 0
    command = ["git", "commit", "-q", "--allow-empty", "-m", "mine"]
    environment = {**os.environ, **users_settings()}
    done = subprocess.run(command, cwd=armed, env=environment, capture_output=True, text=True, check=True)
    lines = [line for line in done.stderr.splitlines() if "the site was not built" in line]
    assert len(lines) == 1
    assert "mkdocs.yml: would run what you have not allowed" in lines[0]
    assert not (armed / ".git/memsite/build.log").exists()


def test_what_fails_in_trusted_code_is_a_line(memsite: Run, armed: Path) -> None:
    (armed / "tools/hook.py").write_text("raise RuntimeError('mine')\n", encoding="utf-8")
    allow(armed)
    done = memsite("build")
    assert done.code == 1
    assert "mkdocs.yml: RuntimeError: mine; correct it" in done.err
    (armed / "tools/hook.py").write_text("def on_files(files, config): raise RuntimeError('later')\n", encoding="utf-8")
    allow(armed)
    done = memsite("build")
    assert done.code == 1
    assert "with the code of material/search, tools/hook.py failed: RuntimeError: later" in done.err
    assert "Traceback" not in done.err


def test_own_templates_stand_before_the_themes(memsite: Run, armed: Path) -> None:
    (armed / "mkdocs.yml").write_text("site_name: x\ntheme: {name: material, custom_dir: own}\n", encoding="utf-8")
    (armed / "own/partials").mkdir(parents=True)
    (armed / "own/partials/footer.html").write_text("<footer>{{ 6 * 7 }} is mine</footer>", encoding="utf-8")
    assert memsite("build").code == 1
    allow(armed)
    assert memsite("build").code == 0
    assert "<footer>42 is mine</footer>" in (armed / "site/index.html").read_text(encoding="utf-8")


def test_inherited_settings_take_effect_when_they_are_allowed(memsite: Run, armed: Path) -> None:
    (armed / "base.yml").write_text(SITE.replace("site_name: x", "site_name: inherited"), encoding="utf-8")
    (armed / "mkdocs.yml").write_text("INHERIT: base.yml\nplugins: [memsite]\n", encoding="utf-8")
    assert memsite("build").code == 1
    allow(armed)
    assert memsite("build").code == 0
    assert "inherited</title>" in (armed / "site/index.html").read_text(encoding="utf-8")
    (armed / "base.yml").write_text("site_name: x\ntheme: mkdocs\n", encoding="utf-8")
    allow(armed)
    assert "the theme 'mkdocs' is not memsite's" in memsite("build").err


def test_what_a_hook_writes_is_there_after_every_build(
    memsite: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was taken for what an earlier build had left, with the marker of the folder, so that a third build failed."""
    (workspace / "mkdocs.yml").write_text(f"{SITE}hooks: [hook.py]\n", encoding="utf-8")
    hook = (
        "from pathlib import Path\n\n\n"
        "def on_env(env, config, files):\n"
        "    folder = Path(config.site_dir) / 'moved'\n"
        "    folder.mkdir()\n"
        "    (folder / 'index.html').write_text('moved')\n"
    )
    (workspace / "hook.py").write_text(hook, encoding="utf-8")
    monkeypatch.setenv("MEMSITE_TRUST", memsite("trust", "--hash").out.strip())
    for _ in range(3):
        done = memsite("build", "--no-commit")
        assert done.code == 0, done.err
        assert (workspace / "site" / "moved" / "index.html").read_text(encoding="utf-8") == "moved"
