"""What a publication has to hide, and what it cannot: for `check --publish` and `publish`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memsite.cli.context import Context
from memsite.config import CONFIG_NAME
from memsite.memory.lineage import MARKDOWN
from memsite.memory.names import parse_generation_name
from memsite.memory.private import Privacy
from memsite.memory.private_marks import find_marks
from memsite.repo.audience import PURGES, read_purges
from memsite.repo.guard import Violation
from memsite.repo.snapshots import read_commit
from memsite.repo.veil_text import is_text
from memsite.repo.workspace import Workspace
from memsite.safety.allowing import fingerprint
from memsite.safety.contacts import find_contacts
from memsite.safety.secret_rules import is_distinct
from memsite.safety.secrets import has_engine, scanner_name

if TYPE_CHECKING:
    from memsite.memory.snapshot import Snapshot
    from memsite.repo.exposure import Exposure
    from memsite.repo.history import History
    from memsite.site.plan import Scene

_CONTACTS = {"email": "an e-mail address", "phone": "a phone number"}


def exposures(workspace: Workspace, scene: Scene | None = None) -> tuple[Violation, ...]:
    """Everything that others must not see, as a warning where publishing hides it and as an error where it cannot."""
    from memsite.repo.exposure import find_exposures
    from memsite.repo.history import read_history
    from memsite.site.publication import read_publication

    scene = scene or read_publication(workspace)
    head = read_commit(workspace, "HEAD")
    history = read_history(workspace)
    stuck = {one.path for one in scene.leaks}
    secrets = [_violation(one, stuck=one.path in stuck) for one in find_exposures(workspace, head, history)]
    known = {(one.path, one.message) for one in secrets if not one.warning}
    leaks = [Violation(one.path, None, f"looks like a secret ({one.rule})", _STUCK) for one in scene.leaks]
    rest = [one for one in leaks if (one.path, one.message) not in known]
    return (*secrets, *rest, *_private_problems(workspace, head, history), *_purge_problems(workspace))


def masked_contacts(workspace: Workspace) -> Iterator[Violation]:
    """Where files of HEAD have addresses and numbers that a publication masks, a line and kind once."""
    config = workspace.config
    emails, phones = config.emails == "mask", config.phones == "mask"
    for path, blob in read_commit(workspace, "HEAD").files.items():
        for line, kind in find_contacts(blob.text, emails=emails, phones=phones) if is_text(path, blob.data) else ():
            hint = f'publishing masks it, also in older versions; {kind}s = "show" under [publish] shows it'
            yield Violation(path, line, f"has {_CONTACTS[kind]}", hint, warning=True)


def say_scanner(context: Context) -> None:
    """Say so where memsite's own rules look alone."""
    if not has_engine():
        context.output.warn(f"secrets are looked for by {scanner_name()} alone: betterleaks does not run here")


_STUCK = "it is no text and cannot be redacted: replace the file, or make it private"


def _violation(one: Exposure, *, stuck: bool) -> Violation:
    sure = "looks like a secret" if one.finding.certain else "may be a secret"
    where = " in the file's name" if one.in_name else ""
    message = f"{sure} ({one.rule}){where}"
    if stuck and one.in_head and not one.is_text:
        return Violation(one.path, one.line, message, _STUCK, one.commit)
    return Violation(one.path, one.line, message, _hint(one), one.commit, warning=True)


def _hint(one: Exposure) -> str:
    state = "it is in HEAD" if one.in_head else "it is only in the history"
    if not one.finding.certain:
        return f"{state}, and will be shown; if it is one, `memsite purge` hides it"
    done = "publishing hides it; rotate it"
    name = fingerprint(one.finding.value) if is_distinct(one.finding.value) and len(one.finding.value) >= 16 else ""
    return f"{state}; {done}" + (f"; if it is none, allow {name}" if name else "")


def _private_problems(workspace: Workspace, head: Snapshot, history: History) -> Iterator[Violation]:
    """Private marks and settings that do not do what somebody may think they do."""
    from memsite.memory.index import parse_index

    config = workspace.config
    settings = PurePosixPath(CONFIG_NAME)
    index = parse_index(head.files.get(config.index_path), config.index_path, config)
    paths = {*head.files, *(change.path for commit in history.commits for change in commit.changes)}
    lineages = (name.topic for path in paths if (name := parse_generation_name(path.name)))
    for entry in Privacy(config).unmatched(paths, [*lineages, *(one.slug for one in index.entries)]):
        problem = f"private: {entry!r} names no topic, file or folder, and hides nothing"
        yield Violation(settings, None, problem, "correct its name", warning=True)
    for path, blob in head.files.items():
        if path.suffix.lower() in MARKDOWN:
            marks = find_marks(blob.text)
            for line in marks.in_code:
                yield Violation(path, line, "a private mark in code is text and hides nothing", warning=True, hint="")
            for line in marks.unusual:
                problem = "a comment that begins with the word private hides what follows it"
                yield Violation(path, line, problem, "write <!-- private -->, or begin with another word", warning=True)
            for block in marks.blocks:
                if not block.closed:
                    problem = "a private block is left open: the rest of the file is private"
                    yield Violation(path, block.first_line, problem, "close it with <!-- /private -->", warning=True)


def _purge_problems(workspace: Workspace) -> Iterator[Violation]:
    for line in read_purges(workspace.root)[1]:
        yield Violation(PURGES, line, "says nothing that was purged", "restore the line from git")
