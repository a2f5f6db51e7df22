"""The table of commands."""

from __future__ import annotations

COMMANDS = {
    "init": ("init", "adopt a workspace, or make one"),
    "demo": ("demo", "replay a story of a blog project and build its site"),
    "log": ("sessions", "log a session from its transcript"),
    "sessions": ("sessions", "the last days' sessions, or one day's log"),
    "note": ("notes", "remember this: append to the day's note"),
    "index": ("topics", "the topics: list, show, add, touch, status, check"),
    "recall": ("recalling", "what is known about a topic"),
    "consolidate": ("consolidation", "make the next generation of a topic"),
    "lineage": ("lineages", "the generations of a topic"),
    "diff": ("lineages", "what changed between two generations, word by word"),
    "blame": ("lineages", "which generation each sentence came from"),
    "review": ("reviewing", "index maintenance of a day: dates, proposals, consolidations"),
    "flush": ("flushing", "close the days that are over, begin today's note"),
    "import": ("importing", "log the transcripts that already exist on this machine"),
    "tail": ("importing", "the protected recent exchanges of a transcript"),
    "agent": ("agents", "what the hooks of agents call"),
    "commit": ("commits", "commit what agents and people have written"),
    "history": ("commits", "commits of the memory, and what they changed"),
    "check": ("checking", "the doctor: what is wrong with the memory, its settings, its commits"),
    "hooks": ("hooks", "git hooks: install, uninstall, status"),
    "sync": ("syncing", "fetch, merge what other machines pushed, push"),
    "merge-driver": ("syncing", "what git calls to merge a file of the memory"),
    "migrate": ("migrating", "take over an index and settings of the seed's version 1"),
    "build": ("website", "build the site"),
    "publish": ("publishing", "build the site for others and put it on the pages branch"),
    "purge": ("purging", "keep a leaked value or file out of everything that is rendered"),
    "serve": ("website", "serve the site and follow changes"),
    "completion": ("completing", "a script that completes commands and options in your shell"),
    "trust": ("trusting", "what this workspace would run, and your word for it"),
}
"""Command -> (module of `memsite.cli`, one line of help).

A module has `<command>_parser` and `<command>`, with `_` for `-`.
"""
HOOK = "agent"
"""The command that agents call: whatever happens, it ends with 0."""
QUICK = {"log", "note", HOOK}
"""What runs after every turn of an agent: it leaves nothing to be done at the interpreter's end."""
