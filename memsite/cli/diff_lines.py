"""A word-level diff as the command line answers it."""

from __future__ import annotations

from memsite.cli.context import Context
from memsite.prose.diff import ProseDiff, format_diff_lines
from memsite.prose.spans import shown_spans
from memsite.safety.terminal import escape_terminal


def write_diff(context: Context, found: ProseDiff) -> None:
    """The changed blocks as lines."""
    for line in format_diff_lines(found, coloured=context.output.coloured, escape=escape_terminal):
        context.output.rendered(line)


def blocks_as_json(found: ProseDiff) -> list[dict[str, object]]:
    """All blocks, with what became of their words."""
    return [
        {
            "kind": block.kind.value,
            "spans": [{"op": span.op.value, "text": span.text} for span in shown_spans(block.spans)],
            "notes": block.notes,
        }
        for block in found.blocks
    ]
