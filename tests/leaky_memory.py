"""A memory with secrets on every surface that a site is made from, half of them gone from HEAD."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from tests.secret_kinds import Planted, plant

Write = Callable[[Path, Sequence[Planted]], None]


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _list(secrets: Sequence[Planted]) -> str:
    return "".join(f"- {one.text}\n" for one in secrets)


def _note(name: str, before: str = "", after: str = "") -> Write:
    return lambda root, secrets: _write(root, name, f"# A note\n\n{before}{_list(secrets)}{after}")


def _index(root: Path, secrets: Sequence[Planted]) -> None:
    entries = "".join(
        f"- **topic-{number}**\n  - Dates: [2025-03-20]\n  - Description: {one.text.splitlines()[0]}\n"
        for number, one in enumerate(secrets)
    )
    rest = _list([one for one in secrets if "\n" in one.text])
    _write(root, "memory/INDEX.md", f"# Memory Index\n\n## Projects\n\n{entries}\n## Major Events\n\n{rest}")


def _generation(root: Path, secrets: Sequence[Planted]) -> None:
    body = f"## Summary\n\nSo it is.\n\n## Key Points\n\n{_list(secrets)}\n## Decisions Made\n\n- None.\n"
    text = f"# Blog - Generation 1 Consolidation\n\n**Created:** 2025-03-25\n\n{body}\n## Current Status\n\nWell.\n"
    _write(root, "memory/consolidated/blog-gen1-2025-03-25.md", text)


def _sessions(root: Path, secrets: Sequence[Planted]) -> None:
    entries = "".join(
        f"### 10:{number:02}\n- **Topic:** {' '.join(one.text.split())}\n- **Messages:** 1 user / 1 assistant\n"
        f"- **Est. tokens:** ~1\n\n{one.text}\n\n"
        for number, one in enumerate(secrets)
    )
    _write(root, "memory/sessions/2025-03-21.md", f"# Session Log — 2025-03-21\n\n{entries}")


def _files(root: Path, secrets: Sequence[Planted]) -> None:
    for old in (root / "memory/files").glob("*"):
        old.unlink()
    for number, one in enumerate(secrets):
        safe = one.value if "/" not in one.value and "\n" not in one.value and len(one.value) < 200 else ""
        _write(root, f"memory/files/{number} {safe}.md", f"# {one.text}\n\n{one.text}\n")


def _drawing(root: Path, secrets: Sequence[Planted]) -> None:
    lines = "".join(f"<text>{quote(one.text)}</text><!-- {one.text} -->" for one in secrets)
    _write(root, "memory/drawing.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{lines}</svg>\n')
    _write(root, "memory/with-drawing.md", "# Drawing\n\n![it](drawing.svg)\n")


def _disguised(root: Path, secrets: Sequence[Planted]) -> None:
    """Next to each secret the same value as others would hide it; what is found once must go in every form."""
    forms: tuple[Callable[[str], str], ...] = (
        lambda value: "".join(f"&#{ord(character)};" for character in value),
        lambda value: "".join(f"%{ord(character):02X}" for character in value),
        lambda value: base64.b64encode(value.encode()).decode(),
        lambda value: base64.b64encode(f"user:{value}\n".encode()).decode(),
        lambda value: f"{value[:5]}**{value[5:9]}**{value[9:]}",
        lambda value: f"{value[:5]}<b>{value[5:9]}</b>{value[9:]}",
        lambda value: f"{value[:6]}`{value[6:]}`",
    )
    lines = "".join(f"- {one.text}\n- x {forms[number % 7](one.value)} y\n" for number, one in enumerate(secrets))
    _write(root, "memory/disguised.md", f"# Disguised\n\n{lines}")


def _settings(root: Path, secrets: Sequence[Planted]) -> None:
    shown = json.dumps(" ; ".join(one.text for one in secrets if "\n" not in one.value))
    lines = f"site_name: Notes\nsite_description: {shown}\ntheme:\n  name: material\nplugins:\n  - memsite\n"
    _write(root, "mkdocs.yml", lines)


SURFACES: dict[str, Write] = {
    "daily note": _note("memory/2025-03-20.md"),
    "labelled note": _note("memory/2025-03-22-standup.md"),
    "code": _note("memory/2025-03-23.md", "```\n", "```\n"),
    "table": _note("memory/2025-03-24.md", "| a | b |\n|---|---|\n| x | y |\n\n"),
    "front matter": lambda root, secrets: _write(
        root,
        "memory/fronted.md",
        "---\ntitle: T\n" + "".join(f"k{n}: {s.text!r}\n" for n, s in enumerate(secrets)) + "---\n# F\n",
    ),
    "links": lambda root, secrets: _write(
        root,
        "memory/links.md",
        "# L\n\n" + "".join(f"[see {s.text}](https://example.org/?k={quote(s.value)})\n\n" for s in secrets),
    ),
    "hidden comments": lambda root, secrets: _write(
        root, "memory/comments.md", "# C\n\n" + "".join(f"<!-- {s.text} -->\n\n" for s in secrets)
    ),
    "workspace file": _note("MEMORY.md"),
    "nested note": _note("memory/projects/blog/plan.md"),
    "index": _index,
    "generation": _generation,
    "session log": _sessions,
    "file names": _files,
    "image": _drawing,
    "disguised": _disguised,
    "settings": _settings,
}
MESSAGES = ("commit subject", "commit body", "author")


def _commit(root: Path, subject: str, body: str = "", author: str = "Ada") -> None:
    names = {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_AUTHOR_DATE": "2025-03-26T10:00Z"}
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    message = f"{subject}\n\n{body}"
    subprocess.run(
        ["git", "commit", "-q", "--no-verify", "-F", "-"],
        cwd=root, check=True, input=message.encode(), env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **names},
    )  # fmt: skip


def make_leaky_memory(root: Path, seed: int, count: int) -> tuple[Planted, ...]:
    """Plant so many secrets in the workspace, commit them, then take every second one out again."""
    secrets = tuple(plant(seed, count))
    surfaces = len(SURFACES) + len(MESSAGES)
    share = {name: secrets[number::surfaces] for number, name in enumerate([*SURFACES, *MESSAGES])}
    for name, write in SURFACES.items():
        write(root, share[name])
    _commit(root, "note: everything")
    for number, one in enumerate(share["commit subject"]):
        _write(root, "memory/2025-03-27.md", f"# 2025-03-27\n\nStep {number}.\n")
        _commit(root, " ".join(one.text.split()))
    for one in share["author"]:
        _write(root, "memory/2025-03-28.md", f"# 2025-03-28\n\n{len(one.text)}\n")
        _commit(root, "note: a day", author=" ".join(one.text.split()).replace("<", "").replace(">", ""))
    _write(root, "memory/2025-03-29.md", "# 2025-03-29\n")
    _commit(root, "note: more", body="\n\n".join(one.text for one in share["commit body"]))
    for name, write in SURFACES.items():
        if name != "generation":
            write(root, share[name][::2])
    _commit(root, "note: half of it was taken out")
    return secrets
