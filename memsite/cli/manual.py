"""What `memsite COMMAND --help` and the reference say beyond a line: what a command does to which files, and examples.

Loaded for help alone.
"""

from __future__ import annotations

from textwrap import fill

from memsite.cli.commands import COMMANDS
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """Of one command."""

    text: str
    """A paragraph."""
    examples: tuple[str, ...] = ()
    """Command lines, each with a word about it behind two spaces and `#`."""


EXIT_CODES = (
    "0 done (committed, for what writes) · 1 refused or failed · 2 usage · 3 recorded, not committed yet · "
    "130 interrupted"
)

PAGES = {
    "init": Page(
        "Says what it found in the folder, then writes memsite.toml and mkdocs.yml, adds the site's folder to "
        ".gitignore and the merge driver to .gitattributes and git's configuration, installs git hooks beside "
        "those that are there, and commits its own files. It overwrites nothing; run again, it completes what is "
        "missing.",
        (
            "memsite init --dry-run  # what it would do",
            "memsite init --agent claude-code  # hooks and a skill for the agent of this project",
            "memsite init --ci github  # checks for pull requests, publication on every push",
        ),
    ),
    "demo": Page(
        "Replays the story of a blog through the real commands with their dates, in a folder of its own, builds "
        "the site and prints its address.",
        ("memsite demo story",),
    ),
    "log": Page(
        "Reads a transcript of Claude Code, OpenClaw or Codex, or a list of messages, and appends an entry to the "
        "session log of the day it began: topic, counts, estimated tokens. The same session again replaces its "
        "entry. The entry is in a commit before the command ends; where git cannot take it now, it is kept and "
        "delivered later (exit code 3).",
        (
            "memsite log session.jsonl",
            "memsite log --format messages --at 2025-03-20T09:00 - < talk.json  # a list of role and content",
        ),
    ),
    "sessions": Page(
        "Lists the days of the last two weeks with their sessions, messages and estimated tokens, or the sessions "
        "of one day.",
        ("memsite sessions", "memsite sessions 2025-03-20 --json"),
    ),
    "note": Page(
        "Appends a line to the note of the day, memory/DATE.md, and commits it. Each call appends.",
        ('memsite note "Hosting moves to Vercel."', "memsite note - < minutes.txt  # the text from standard input"),
    ),
    "index": Page(
        "Reads and edits the topics of INDEX.md. What is not touched keeps its bytes; every change is a commit.",
        (
            "memsite index list",
            "memsite index add garden --category Projects --alias 花园  # a topic, below this heading",
            "memsite index touch garden 2025-03-20  # it belongs to this day, too",
            "memsite index status garden completed",
        ),
    ),
    "recall": Page(
        "Looks for a topic by name, alias, description, similar spelling and the words of its own notes; shows "
        "its current generation, the note of today and what came since. Where no topic fits, all notes are "
        "searched, best first.",
        ("memsite recall blog", 'memsite recall "what did we decide about hosting" --deep'),
    ),
    "consolidate": Page(
        "Makes the next generation of a topic from the one before and the notes since: from a body that was "
        "written (--from), by a program (--command), or from what the sources say themselves (--auto). The "
        "generation, the markers in its sources and its line in INDEX.md are one commit. Generations never change "
        "afterwards.",
        (
            "memsite consolidate blog --brief > brief.md  # the material for whoever writes it",
            "memsite consolidate blog --from body.md",
            "memsite consolidate blog --auto",
        ),
    ),
    "lineage": Page(
        "Lists the generations of a topic with their dates, what they cover and how many points they have.",
        ("memsite lineage blog",),
    ),
    "diff": Page(
        "Shows what changed between two generations of a topic, word by word, Chinese and Japanese included; "
        "without numbers, between the last two. With --range, what commits change in the memory: for reviewing a "
        "pull request.",
        (
            "memsite diff blog 1 3",
            "memsite diff --range main..HEAD --format markdown",
        ),
    ),
    "blame": Page(
        "Says for each sentence of a generation in which generation it first stood; one that was reworded belongs "
        "to the generation that reworded it.",
        ("memsite blame blog", "memsite blame blog 2"),
    ),
    "review": Page(
        "Looks at the note of a day: dates of topics that it names are added to INDEX.md, topics that it may name "
        "and new ones are proposed, and what wants consolidation is said. With --all, topics for a folder that "
        "has no index yet.",
        ("memsite review", "memsite review 2025-03-20 --accept garden"),
    ),
    "flush": Page(
        "Closes the days that are over (sessions logged, notes reviewed, everything committed) and begins the "
        "note of today. Days that were missed are caught up. `memsite init --timer` writes what runs it every "
        "night.",
        ("memsite flush", "memsite flush --date 2025-03-20"),
    ),
    "import": Page(
        "Finds the transcripts that agents have left on this machine and logs each session once, in its own day.",
        ("memsite import", "memsite import --agent claude-code --since 2025-01-01"),
    ),
    "tail": Page(
        "Prints the last exchanges of a transcript, which a compaction must not lose.",
        ("memsite tail session.jsonl --count 5",),
    ),
    "agent": Page(
        "Is called by the hooks that `memsite init --agent` installs: the event as JSON on standard input, the "
        "answer as the agent expects it on standard output. It always ends with 0: an agent is never blocked. "
        "What went wrong is in .git/memsite/agents.log, and `memsite check` names it.",
    ),
    "commit": Page(
        "Commits what agents and people have written in the memory: one commit for each session log, note and "
        "generation, its kind in the message. What is staged stays staged; other files are not touched.",
        ("memsite commit",),
    ),
    "history": Page(
        "Lists the commits of the memory, of a file or of a folder, newest first, with what they changed.",
        ("memsite history --since 2025-03-01", "memsite history memory/2025-03-20.md"),
    ),
    "check": Page(
        "Looks for what is wrong: formats, broken references, generations that were changed, points without "
        "sources, secrets, hooks, git. It changes nothing, and ends with 1 when there is an error.",
        (
            "memsite check",
            "memsite check --publish  # what publishing hides",
            "memsite check --range origin/main..HEAD  # of some commits alone, as in CI",
        ),
    ),
    "hooks": Page(
        "Git hooks refuse a changed generation, a removed entry of the index, conflict markers, secrets and files "
        "over a limit, and commit what is pending after your own commits. They stand beside other hooks and run "
        "those; git's --no-verify goes past them.",
        ("memsite hooks status", "memsite hooks uninstall"),
    ),
    "sync": Page(
        "Fetches, merges what other machines pushed by what it means (sessions by session, notes by what each "
        "side appended, the index by topic), and pushes; tries again when another machine was faster.",
        ("memsite sync",),
    ),
    "merge-driver": Page(
        "Is called by git, as .gitattributes and the clone's configuration say; `memsite init` installs it."
    ),
    "migrate": Page(
        "Takes over an index and settings of version 1 of the memory's rules, after a backup of both.",
        ("memsite migrate",),
    ),
    "build": Page(
        "Commits what is pending and builds the site, only the pages that something changed. A build replaces "
        "what builds have made in the site's folder, and nothing else there.",
        (
            "memsite build",
            "memsite build --at 2025-03-31 -d march  # the memory as it was at the end of a day",
            "memsite build --no-commit --clean",
        ),
    ),
    "publish": Page(
        "Commits, checks, builds without secrets, addresses and private parts in any version, and puts the site "
        "on the pages branch as one commit without a past. The first publication asks.",
        ("memsite publish --dry-run", "memsite publish --push --yes", "memsite publish --version spring=v1.0"),
    ),
    "purge": Page(
        "Keeps a value or a file out of everything that is rendered from now on, says where it still is, and "
        "prints the steps that rewrite history. It does not rewrite anything itself: rotate what leaked first.",
        ("memsite purge memory/2025-03-20-wages.md",),
    ),
    "serve": Page(
        "Serves the site on 127.0.0.1 and reloads the open pages after an edit, a commit or a consolidation.",
        ("memsite serve --port 8080",),
    ),
    "completion": Page(
        "Prints a script for your shell that completes commands, options and choices.",
        ("memsite completion bash  # put its output where your shell looks for completions",),
    ),
    "trust": Page(
        "Shows what this workspace would run (a summariser, hooks and plugins of MkDocs, tags of YAML) and, with "
        "--hash, allows exactly that, in your own configuration. Nothing of it runs before.",
        ("memsite trust",),
    ),
}
"""Of every command."""


def above_options(command: str, width: int) -> str:
    """What help says before the options, in lines of so many columns: what the command is for, what it does."""
    return "\n\n".join(fill(one, width) for one in (COMMANDS[command][1], PAGES[command].text))


def below_options(command: str, width: int) -> str:
    """What help says behind the options: examples, exit codes."""
    examples = PAGES[command].examples
    shown = "\n".join(["examples:", *(f"  {one}" for one in examples)]) + "\n\n" if examples else ""
    return shown + fill(f"exit codes: {EXIT_CODES}", width)
