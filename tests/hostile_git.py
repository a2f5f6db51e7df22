"""A git configuration that breaks whatever obeys it: signing that fails, hooks, pagers, formats, colours."""

from __future__ import annotations

from pathlib import Path

HOSTILE = """
[commit]
    gpgsign = true
    template = {home}/template
[tag]
    gpgsign = true
[gpg]
    program = /bin/false
[core]
    autocrlf = {autocrlf}
    safecrlf = true
    quotePath = true
    hooksPath = {hooks}
    attributesFile = {home}/attributes
    pager = /bin/false
    editor = /bin/false
[color]
    ui = always
[diff]
    external = /bin/false
    noprefix = true
    renames = copies
    mnemonicPrefix = true
[log]
    showSignature = true
    decorate = full
    date = relative
    follow = true
[format]
    pretty = oneline
[status]
    short = true
[i18n]
    logOutputEncoding = ISO-8859-1
[init]
    templateDir = {home}/templates
[user]
    useConfigOnly = true
"""


def write_hostile_configuration(home: Path, *, autocrlf: str = "input", hooks: bool = True) -> None:
    """Settings and hooks that fail whatever obeys them."""
    folder = home / "hooks"
    settings = HOSTILE.format(home=home, autocrlf=autocrlf, hooks=folder)
    if not hooks:
        settings = settings.replace(f"    hooksPath = {folder}\n", "")
    (home / ".gitconfig").write_text(settings, encoding="utf-8")
    (home / "template").write_text("a template\n", encoding="utf-8")
    folder.mkdir(exist_ok=True)
    for name in ("pre-commit", "commit-msg", "prepare-commit-msg", "reference-transaction", "post-index-change"):
        hook = folder / name
        hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        hook.chmod(0o755)
