"""`lineage`, `diff` and `blame`: the generations of a topic and what changed between them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from memsite.cli.context import Context, UsageError
from memsite.cli.diff_lines import blocks_as_json, write_diff
from memsite.errors import RefusedError
from memsite.memory.generation import document_lines
from memsite.memory.generation_parts import bare_title
from memsite.memory.index import no_topic_error, require_readable
from memsite.memory.model import Generation, Topic
from memsite.memory.source_refs import without_source_refs
from memsite.prose.blame import blame_lineage
from memsite.prose.diff import TOO_LARGE

MAX_TRACED = 2_000_000
"""Characters of the generations that sentences are traced through."""


def _number(text: str) -> int:
    """A generation as people write it: `2` or `gen2`."""
    digits = text.removeprefix("gen")
    if not (digits.isascii() and digits.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no generation: write 2 or gen2")
    return int(digits)


def lineage_parser(parser: argparse.ArgumentParser) -> None:
    """`lineage SLUG`."""
    parser.add_argument("slug", metavar="SLUG", help="the topic")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def lineage(context: Context, arguments: argparse.Namespace) -> None:
    """List the generations of a topic, oldest first."""
    topic = _topic(context, arguments.slug)
    context.output.json([_as_json(one) for one in topic.generations])
    if not topic.generations:
        context.output.line(f"{topic.slug} has no generation yet")
    elif not context.output.as_json:
        context.output.table([(f"gen{one.number}", one.day.isoformat(), str(one.path)) for one in topic.generations])


def diff_parser(parser: argparse.ArgumentParser) -> None:
    """`diff SLUG [A B]`, `diff --range A..B`."""
    parser.add_argument("slug", metavar="SLUG", nargs="?", help="the topic")
    parser.add_argument("first", metavar="A", type=_number, nargs="?", help="a generation (default: the one before B)")
    parser.add_argument("second", metavar="B", type=_number, nargs="?", help="another (default: the newest)")
    parser.add_argument(
        "--range", metavar="A..B", help="what these commits change in the memory, without secrets and private parts"
    )
    parser.add_argument("--format", choices=["text", "markdown"], default="text", help="of --range: for a pull request")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def diff(context: Context, arguments: argparse.Namespace) -> None:
    """Show what changed between two generations, or in a range of commits, word by word."""
    if (arguments.slug is None) == (arguments.range is None):
        raise UsageError("diff takes a topic or --range A..B", hint="see `memsite diff --help`")
    if arguments.range is None:
        _diff_generations(context, arguments)
        return
    from memsite.cli.range_diffs import diff_ranges

    diff_ranges(context, arguments.range, as_markdown=arguments.format == "markdown")


def _diff_generations(context: Context, arguments: argparse.Namespace) -> None:
    from memsite.site.passages import compare_generations  # it imports the Markdown parser, which others do without

    topic = _topic(context, arguments.slug)
    old, new = _pair(topic, arguments.first, arguments.second)
    for one in (old, new):
        _require_whole(one, "compared", f"`git diff --no-index {old.path} {new.path}` compares them")
    found = compare_generations(old.blob.text, new.blob.text)
    context.output.line(f"{topic.slug}: gen{old.number} ({old.day}) → gen{new.number} ({new.day})", style="bold")
    context.output.line(found.summary, style="dim")
    if found.by_lines:
        context.output.line(f"{TOO_LARGE}: line by line", style="dim")
    if bare_title(old.title) != bare_title(new.title):
        context.output.line(f"title: {old.title} → {new.title}")
    write_diff(context, found.text)
    if found.references.changed:
        context.output.line(f"Source references: {found.references.summary}", style="dim")
        write_diff(context, found.references)
    blocks = {"blocks": blocks_as_json(found.text), "references": blocks_as_json(found.references)}
    context.output.json({"from": _as_json(old), "to": _as_json(new), "summary": found.summary, **blocks})


def blame_parser(parser: argparse.ArgumentParser) -> None:
    """`blame SLUG [N]`."""
    parser.add_argument("slug", metavar="SLUG", help="the topic")
    parser.add_argument("number", metavar="N", type=_number, nargs="?", help="a generation (default: the newest)")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def blame(context: Context, arguments: argparse.Namespace) -> None:
    """Show for each sentence of a generation the generation that said it first in these words."""
    topic = _topic(context, arguments.slug)
    if not topic.generations:
        raise RefusedError(f"{topic.slug} has no generation yet")
    shown = topic.generations[-1] if arguments.number is None else _generation(topic, arguments.number)
    _require_whole(shown, "traced", "trace another: memsite blame SLUG N")
    traced = _traceable(topic.generations[: topic.generations.index(shown) + 1])
    if traced[0] is not topic.generations[0]:
        context.output.warn(f"nothing before gen{traced[0].number} is looked at: it is too long")
    sentences = blame_lineage([(one.number, _words(one)) for one in traced])
    context.output.json([{"generation": one.generation, "line": one.line, "text": one.text} for one in sentences])
    if not context.output.as_json:
        context.output.table([(f"gen{one.generation}", str(one.line), one.text) for one in sentences])


def _require_whole(generation: Generation, done: str, hint: str) -> None:
    if cut := generation.blob.cut:
        raise RefusedError(f"is too long to be {done} ({cut.words})", where=generation.path, hint=hint)


def _traceable(generations: Sequence[Generation]) -> Sequence[Generation]:
    """The last of them, up to one that is cut or too much to look at."""
    length, first = 0, len(generations) - 1
    for at in range(len(generations) - 1, -1, -1):
        length += len(generations[at].blob.text)
        if generations[at].blob.cut or length > MAX_TRACED:
            break
        first = at
    return generations[first:]


def _words(generation: Generation) -> str:
    """Its text without source references: one that is corrected makes no new sentence. Lines keep their numbers."""
    return "\n".join(map(without_source_refs, document_lines(generation.blob.text)))


def _topic(context: Context, slug: str) -> Topic:
    memory = context.memory()
    require_readable(memory.index)
    topic = memory.topic(slug)
    if topic is None:
        raise no_topic_error(memory.index, slug, context.workspace.config, "`memsite index list` shows all")
    return topic


def _pair(topic: Topic, first: int | None, second: int | None) -> tuple[Generation, Generation]:
    if len(topic.generations) < 2:
        raise RefusedError(f"{topic.slug} has {'one' if topic.generations else 'no'} generation; a diff needs two")
    new = _generation(topic, second) if second is not None else topic.generations[-1]
    if first is not None and second is None and _generation(topic, first) is new:
        hint = f"`memsite diff {topic.slug}` compares it with the one before"
        raise RefusedError(f"gen{first} is the newest of {topic.slug}: {hint}")
    if first is not None:
        return _generation(topic, first), new
    before = topic.generations.index(new) - 1
    if before < 0:
        raise RefusedError(f"there is no generation before gen{new.number} of {topic.slug}")
    return topic.generations[before], new


def _generation(topic: Topic, number: int) -> Generation:
    found = next((one for one in topic.generations if one.number == number), None)
    if found is None:
        known = ", ".join(f"gen{one.number}" for one in topic.generations)
        raise RefusedError(f"{topic.slug} has no generation {number}", hint=f"it has {known}")
    return found


def _as_json(one: Generation) -> dict[str, object]:
    covers = [day.isoformat() for day in one.covers] if one.covers else None
    return {"number": one.number, "date": one.day, "path": one.path, "covers": covers}
