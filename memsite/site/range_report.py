"""What a range of commits changes in the memory, for a reviewer: compared word by word, and as inert Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import PurePosixPath

from markupsafe import Markup

from memsite.config import Config
from memsite.memory.comparing import (
    ChangeKind,
    GenerationChange,
    MemoryChange,
    NoteChange,
    SessionChange,
    TopicChange,
    compare_memories,
)
from memsite.memory.daily import parse_daily_note, text_without
from memsite.memory.lineage import load_memory
from memsite.memory.names import parse_day_name
from memsite.memory.snapshot import Blob
from memsite.prose.blocks import BlockType
from memsite.prose.diff import TOO_LARGE, Block, Op, TooLargeError, as_diff, block_mark, changed_blocks
from memsite.prose.spans import shown_spans
from memsite.repo.guard import Violation
from memsite.repo.ranges import MemoryRange
from memsite.repo.veil import Veil
from memsite.safety.terminal import escape_terminal
from memsite.site.passages import GenerationDiff, compare_generations, compare_passages, describe_change
from memsite.site.templating import render_template
from memsite.values import dataclass, replace

MOST_CHARACTERS = 60_000
"""Of the Markdown: GitHub takes comments of 65,536."""
_LADDER = ((50, 40_000), (20, 20_000), (5, 5_000), (1, 0))
"""Lines of each list, and characters of word-level differences: the first that fits is taken."""
_LONGEST = 300
"""Characters of one text that stands in a list."""


@dataclass(frozen=True, slots=True)
class GenerationReport:
    """One generation, and what it says otherwise than the one before it."""

    change: GenerationChange
    diff: GenerationDiff


@dataclass(frozen=True, slots=True)
class NoteReport:
    """One note, and how much of it changed."""

    change: NoteChange
    summary: str


@dataclass(frozen=True, slots=True)
class RangeReport:
    """Everything that a reviewer is told. Texts have passed the veil, and are otherwise as the memory has them."""

    commits: int
    days: tuple[date, ...]
    """First and last day of the commits."""
    generations: tuple[GenerationReport, ...]
    topics: tuple[TopicChange, ...]
    sessions: tuple[SessionChange, ...]
    notes: tuple[NoteReport, ...]
    files: tuple[NoteChange, ...]
    breaks: tuple[Violation, ...]
    """What is against the rules of the memory."""
    secrets: tuple[Violation, ...]
    """Places and rules, never values."""
    withheld: bool
    """Whether something private, or purged, changed too."""

    @property
    def period(self) -> str:
        """The days in words: `2025-03-20`, or `2025-03-20 to 2025-03-22`."""
        return " to ".join(dict.fromkeys(day.isoformat() for day in self.days))


def report_range(seen: MemoryRange, violations: Sequence[Violation], config: Config) -> RangeReport:
    """Compare both ends of a range; `violations` are those that `check` finds in its commits."""
    change = compare_memories(load_memory(seen.old, config), load_memory(seen.new, config))
    shown = [_veiled(one, seen.veil) for one in violations if not seen.veil.hides_in(one.commit, one.path)]
    days = sorted(commit.at.astimezone(config.zone()).date() for commit in seen.commits)
    return RangeReport(
        commits=len(seen.commits),
        days=(days[0], days[-1]) if days else (),
        generations=tuple(_generations(change)),
        topics=change.topics,
        sessions=change.sessions,
        notes=tuple(NoteReport(one, _summary(one)) for one in change.notes),
        files=change.files,
        breaks=tuple(one for one in shown if not one.secret),
        secrets=tuple(one for one in shown if one.secret),
        withheld=seen.withheld or len(shown) < len(violations),
    )


def _veiled(one: Violation, veil: Veil) -> Violation:
    path = PurePosixPath(veil.text(str(one.path)))
    return replace(one, path=path, message=veil.text(one.message), hint=veil.text(one.hint))


def _generations(change: MemoryChange) -> Iterator[GenerationReport]:
    for one in change.generations:
        before = one.before.blob.text if one.before else ""
        after = "" if one.kind is ChangeKind.REMOVED else one.generation.blob.text
        yield GenerationReport(one, compare_generations(before, after))


def _summary(change: NoteChange) -> str:
    if any(blob and blob.cut for blob in (change.before, change.after)):
        return TOO_LARGE
    before, after = (_text(change.path, blob) for blob in (change.before, change.after))
    try:
        found = as_diff(one.block for one in compare_passages(before, after, sourced=False))
    except TooLargeError:
        return TOO_LARGE
    return describe_change(found.summary, text=found.changed, references=False)


def _text(path: PurePosixPath, blob: Blob | None) -> str:
    """What a reader sees: a day's note has markers, which no page shows."""
    if blob is None:
        return ""
    name = parse_day_name(path.name)
    return text_without(parse_daily_note(path, *name, blob), ()) if name else blob.text


def format_markdown(report: RangeReport) -> str:
    """The report as Markdown for a comment on a pull request, MOST_CHARACTERS at most.

    All that the memory says stands in `<code>` inside of HTML blocks: there no host looks for Markdown, mentions,
    references or addresses. Controls and changes of direction are made visible.
    """
    texts = (_render(report, most, budget) for most, budget in _LADDER)
    return next((text for text in texts if len(text) <= MOST_CHARACTERS), _render(report, 0, 0))


def _render(report: RangeReport, most: int, budget: int) -> str:
    blocks: dict[int, tuple[Block, ...]] = {}
    for number, one in enumerate(report.generations):
        found = (*changed_blocks(one.diff.text), *changed_blocks(one.diff.references))
        budget -= sum(len(_marked(block)) + 40 for block in found)
        blocks[number] = found if budget >= 0 else ()
    return render_template(
        "changes/summary.md",
        report=report,
        most=most,
        blocks=blocks,
        code=code,
        short=_short,
        marked=_marked,
        mark=block_mark,
    )


def code(text: object) -> Markup:
    """A text for inside of `<code>`: it shows what it is and does nothing."""
    return Markup("<br>").join(escape_terminal(str(text)).split("\n"))


def _short(text: object) -> Markup:
    whole = str(text)
    return code(whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}…")


def _marked(block: Block) -> Markup:
    """The words of a block, with `<del>` and `<ins>`."""
    spans = shown_spans(block.spans)
    lead = f"{block.prefix}\n" if block.type is BlockType.CODE else block.prefix
    return code(lead) + Markup("").join(_TAGS[span.op].format(code(span.text)) for span in spans)


_TAGS = {Op.EQUAL: Markup("{}"), Op.DELETE: Markup("<del>{}</del>"), Op.INSERT: Markup("<ins>{}</ins>")}
