"""`migrate`: an index and settings of the seed's version 1, made memsite's, with a backup."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath

from memsite.agents.seed_settings import Imported, add_values, differing, find_seed_settings, merged
from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context
from memsite.config import CONFIG_NAME
from memsite.errors import PendingError
from memsite.memory.changeset import Change, Changeset, Write
from memsite.memory.lineage import load_memory
from memsite.memory.migrating import Migration, migrate_index
from memsite.repo.files import read_file, write_atomic
from memsite.repo.transaction import Reader

BACKUPS = "backups"
"""In memsite's folder below git's: what was there before a migration, by time."""
SETTINGS = PurePosixPath(CONFIG_NAME)


def migrate_parser(parser: argparse.ArgumentParser) -> None:
    """`migrate` has no arguments of its own."""
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def migrate(context: Context, _arguments: argparse.Namespace) -> None:
    """Take over what earlier tools have left; run again, it changes nothing."""
    with suppress(PendingError):  # git cannot take anything now: the migration itself is written down, and says so
        report(context, commit_pending_work(context))
    config, found = context.workspace.config, find_seed_settings(context.workspace.root, context.environ)
    values = {key: value for key, value in differing(merged(found)).items() if key not in _PLACES}
    done = migrate_index(context.memory(), config)
    backups = _back_up(context, done, values)

    def plan(reader: Reader) -> Iterator[Changeset]:
        memory = load_memory(reader.snapshot(), config)
        changes: list[Change] = []
        old = memory.index.blob.data if memory.index.blob else b""
        new = migrate_index(memory, config).data
        changes += [Write(config.index_path, old, new)] if new != old else []
        settings = reader.read(SETTINGS)
        written = _with_values(settings, values)
        changes += [Write(SETTINGS, settings, written)] if written != (settings or b"") else []
        yield Changeset(tuple(changes), "index: migrate from version 1")

    commits = context.transact(plan)
    report(context, commits)
    _describe(context, done, found, backups)
    context.output.json(
        {
            "renamed": [{"from": title, "to": slug} for title, slug in done.renamed],
            "listed": list(done.listed),
            "left": list(done.left),
            "settings": values,
            "left_out": [f"{one.path}: {reason}" for one in found for reason in one.left_out],
            "backups": backups,
            "commits": [one.commit for one in commits],
        }
    )


_PLACES = frozenset({"memory", "index_file", "consolidated_dir"})
"""Where the memory lies is known already: this command has found it."""


def _with_values(settings: bytes | None, values: dict[str, object]) -> bytes:
    text = (settings or b"").decode("utf-8", "surrogateescape")
    return add_values(text, values).encode("utf-8", "surrogateescape")


def _back_up(context: Context, done: Migration, values: dict[str, object]) -> list[str]:
    """Copies of what is about to change, in git's folder, where no reader of the memory finds them."""
    root, config = context.workspace.root, context.workspace.config
    index, settings = read_file(root, config.index_path), read_file(root, SETTINGS)
    changing = [(config.index_path, index)] if index is not None and done.data != index else []
    changing += [(SETTINGS, settings)] if settings is not None and _with_values(settings, values) != settings else []
    folder = context.workspace.require_repository().own_dir / BACKUPS
    written: list[str] = []
    for path, data in changing:
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{path.stem}-{context.now:%Y-%m-%dT%H%M%S}{path.suffix}"
        write_atomic(folder, name, data)
        written.append(str(folder / name))
    return written


def _describe(context: Context, done: Migration, found: tuple[Imported, ...], backups: list[str]) -> None:
    line = context.output.line
    for title, slug in done.renamed:
        line(f"{title} is the topic {slug} now" if title != slug else f"{slug} is a topic now")
    for name in done.listed:
        line(f"INDEX.md lists {name} now")
    for one in found:
        line(f"settings of {one.path}: {', '.join(one.values) or 'nothing to take over'}")
        for reason in one.left_out:
            line(f"  left out: {reason}", style="dim")
    for reason in done.left:
        context.output.warn(reason)
    for path in backups:
        line(f"as it was before: {path}")
    if not (done.renamed or done.listed or backups):
        line("nothing to migrate")
