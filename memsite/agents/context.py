"""What an agent must still know after its conversation was compacted: where things stand, and the last exchanges."""

from __future__ import annotations

from pathlib import PurePosixPath

from memsite.capture.message import Transcript
from memsite.capture.tail import extract_tail
from memsite.capture.tokens import truncate_tokens
from memsite.errors import UnsafePathError
from memsite.repo.hidden import read_current_file
from memsite.repo.workspace import Workspace

STATE_NAME = "CURRENT_STATE.md"
STATE_TOKENS = 1_500
"""A longer state is cut: it would take the room that the compaction made."""


def read_current_state(workspace: Workspace) -> str | None:
    """The workspace's CURRENT_STATE.md, below the memory or at the root, within a token budget; None without one."""
    for path in (workspace.config.memory / STATE_NAME, PurePosixPath(STATE_NAME)):
        try:
            data = read_current_file(workspace, path)
        except UnsafePathError:
            continue  # a link: what it leads to is not the memory's
        text = (data or b"").decode("utf-8", "replace").removeprefix("\ufeff").strip()
        if text:
            kept = truncate_tokens(text, STATE_TOKENS)
            cut = "" if kept == text else "\n..."
            return f"=== CURRENT STATE ({path}) ===\n{kept}{cut}\n=== END CURRENT STATE ==="
    return None


def after_compaction(workspace: Workspace, transcript: Transcript | None, count: int) -> str:
    """The state and the protected tail of a conversation (seed, `before_compaction`); empty when there is neither."""
    tail = extract_tail(transcript, count) if transcript and count > 0 else None
    return "\n\n".join(part for part in (read_current_state(workspace), tail) if part)
