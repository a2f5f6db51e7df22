"""What follows a session in a process of its own: pending notes are committed, the day is reviewed."""

from __future__ import annotations

from contextlib import suppress

from memsite.cli.commits import commit_pending_work
from memsite.cli.context import Context
from memsite.cli.reviewing import review_and_keep
from memsite.errors import PendingError
from memsite.repo.background import one_at_a_time


def settle(context: Context, _agent: str, _event: str) -> None:
    """Commit what is pending and review today.

    An agent that works fast calls this many times: one waits while another one works, and sees all that came before
    it; more than that have nothing to do.
    """
    with one_at_a_time(context.workspace.require_repository().own_dir, "settle") as is_needed:
        if not is_needed:
            return
        with suppress(PendingError):  # a rebase or a merge is under way: the next run commits it
            commit_pending_work(context)
        with suppress(PendingError):
            review_and_keep(context, context.today)
