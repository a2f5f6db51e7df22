"""`migrate`: an index and settings of the seed's version 1, made memsite's, with a backup."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path, PurePosixPath

from memsite.agents.seed_settings import (
    Imported,
    add_values,
    differing,
    find_seed_settings,
    format_value,
    lacking,
    merged,
)
from memsite.cli.commits import commit_pending_work, report
from memsite.cli.context import Context
from memsite.config import CONFIG_NAME, Config, parse_config
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
    config, found = context.workspace.config, find_seed_settings(context.workspace.root, context.environ)
    for fault in (one.fault for one in found if one.fault):
        raise fault
    done = migrate_index(context.memory(), config)  # refused before anything is written
    with suppress(PendingError):  # git cannot take anything now: the migration itself is written down, and says so
        report(context, commit_pending_work(context))
    values = _taken(context, found)
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

    _describe(context, done, found, values, backups)
    commits = context.transact(plan)
    report(context, commits)
    context.output.json(
        {
            "renamed": [{"from": title, "to": slug} for title, slug in done.renamed],
            "moved": [{"from": old, "to": new} for old, new in done.moved],
            "listed": list(done.listed),
            "left": list(done.left),
            "settings": values,
            "left_out": [f"{one.path}: {reason}" for one in found for reason in _left_out(one, values, config)],
            "backups": backups,
            "commits": [one.commit for one in commits],
        }
    )


_PLACES = ("memory", "index_file", "consolidated_dir")
"""Where the memory lies is known already: this command has found it."""


def _taken(context: Context, found: tuple[Imported, ...]) -> dict[str, object]:
    """The keys that memsite.toml lacks, with values that are not the defaults."""
    settings = read_file(context.workspace.root, SETTINGS)
    wanted = {key: value for key, value in differing(merged(found)).items() if key not in _PLACES}
    return lacking((settings or b"").decode("utf-8", "surrogateescape"), wanted)


def _left_out(one: Imported, values: dict[str, object], config: Config) -> Iterator[str]:
    """What a file of settings says and memsite does not take over, and why."""
    yield from one.left_out
    for key, value in one.values.items():
        line = format_value(key, value)
        if key not in values and getattr(parse_config(line)[0], key) != getattr(config, key):
            why = "this memory lies elsewhere" if key in _PLACES else "memsite.toml has another value"
            yield f"{line}: {why}"


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
    return [str(_keep(folder, path, data, context.now)) for path, data in changing]


def _keep(folder: Path, path: PurePosixPath, data: bytes, now: datetime) -> Path:
    """A copy of a file; the one that is there already, when an earlier run could not go on from here."""
    folder.mkdir(parents=True, exist_ok=True)
    alike = (file for file in sorted(folder.iterdir()) if file.name.startswith(f"{path.stem}-") and file.is_file())
    if same := next((file for file in alike if file.read_bytes() == data), None):
        return same
    times = (now + timedelta(seconds=more) for more in count())
    names = (f"{path.stem}-{time:%Y-%m-%dT%H%M%S}{path.suffix}" for time in times)
    name = next(name for name in names if not (folder / name).exists())
    write_atomic(folder, name, data)
    return folder / name


def _describe(
    context: Context, done: Migration, found: tuple[Imported, ...], values: dict[str, object], backups: list[str]
) -> None:
    line = context.output.line
    for title, slug in done.renamed:
        line(f"{title} is the topic {slug} now" if title != slug else f"{slug} is a topic now")
    for old, new in done.moved:
        line(f"{old} is written {new} now")
    for name in done.listed:
        line(f"INDEX.md lists {name} now")
    for one in found:
        line(
            f"settings of {one.path}: {', '.join(key for key in one.values if key in values) or 'nothing to take over'}"
        )
        for reason in _left_out(one, values, context.workspace.config):
            line(f"  left out: {reason}", style="dim")
    for reason in done.left:
        context.output.warn(reason)
    for path in backups:
        line(f"as it was before: {path}")
    if not (done.renamed or done.moved or done.listed or values or backups):
        line("nothing to migrate")
