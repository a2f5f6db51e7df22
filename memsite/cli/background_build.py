"""The build that follows a commit in the background, where `build_on_commit` asks for it."""

from __future__ import annotations

import argparse

from memsite.cli.context import Context
from memsite.cli.program import program_path
from memsite.errors import MemsiteError
from memsite.repo.background import one_at_a_time, start_detached


def build_in_background(context: Context) -> None:
    """Start it; nobody waits for it. What is not trusted is not run, and said."""
    if not context.workspace.config.build_on_commit:
        return
    from memsite.cli.trusting import refuse_untrusted_site  # reads YAML, which the hooks do not pay for otherwise

    try:
        refuse_untrusted_site(context)
    except MemsiteError as error:
        context.output.warn(f"the site was not built: {error}")
        return
    log = context.workspace.require_repository().own_dir / "build.log"
    command = [str(program_path()), "-C", str(context.workspace.root), "hooks", "run", "build"]
    start_detached(command, cwd=context.workspace.root, log=log)


def build_in_turn(context: Context) -> None:
    """What was started. Of many at once, after a rebase, one works and one waits."""
    from memsite.cli.website import build  # imports MkDocs

    with one_at_a_time(context.workspace.require_repository().own_dir, "build") as is_needed:
        if is_needed:
            build(context, argparse.Namespace(no_commit=True, at=None, clean=False, strict=False, destination=None))
