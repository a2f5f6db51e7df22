"""`diff --range`: what a range of commits changes in the memory, for whoever reviews it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memsite.cli.context import Context
from memsite.cli.diff_lines import blocks_as_json, write_diff
from memsite.cli.exposures import say_scanner
from memsite.cli.several import find_household, for_each
from memsite.counting import counted
from memsite.repo.guard import check_commits
from memsite.repo.workspace import open_workspace

if TYPE_CHECKING:
    from memsite.memory.comparing import SessionChange, TopicChange
    from memsite.repo.guard import Violation
    from memsite.site.range_report import GenerationReport, RangeReport


def diff_ranges(context: Context, revisions: str, *, as_markdown: bool) -> None:
    """As `diff_range`, of each agent's memory where there are several."""
    household = find_household(open_workspace(context.directory))
    if household is None:
        diff_range(context, revisions, as_markdown=as_markdown)
        return
    for_each(household, context, lambda one: diff_range(one, revisions, as_markdown=as_markdown))


def diff_range(context: Context, revisions: str, *, as_markdown: bool) -> None:
    """Say what the commits of a range change, as others may see it: without secrets and private parts."""
    from memsite.repo.ranges import read_range
    from memsite.site.range_report import format_markdown, report_range

    say_scanner(context)
    workspace = context.workspace
    seen = read_range(workspace, revisions)
    report = report_range(seen, check_commits(workspace, [revisions]), workspace.config)
    context.output.json(_as_json(report))
    if as_markdown:
        context.output.line(format_markdown(report).rstrip("\n"))
    else:
        _write(context, report)


def _write(context: Context, report: RangeReport) -> None:
    output = context.output
    commits = counted(report.commits, "commit")
    output.line(f"{commits}, {report.period}" if report.commits else "no change of the memory")
    if report.withheld:
        output.line("private parts change, too; they are left out", style="dim")
    for one in (*report.secrets, *report.breaks):
        output.line(f"{'warning' if one.warning else 'error'}: {one}", style="yellow" if one.warning else "red")
    for generation in report.generations:
        output.line(_headline(generation), style="bold")
        output.line(generation.diff.summary, style="dim")
        write_diff(context, generation.diff.text)
        write_diff(context, generation.diff.references)
    _list(context, "topics", [f"{one.slug}: {', '.join(_topic(one))}" for one in report.topics])
    _list(context, "sessions", [f"{one.day}: {', '.join(_sessions(one))}" for one in report.sessions])
    _list(context, "notes", [f"{one.change.path} {one.change.kind}: {one.summary}" for one in report.notes])
    _list(context, "other files", [f"{one.path} {one.kind}" for one in report.files])


def _list(context: Context, title: str, lines: list[str]) -> None:
    if lines:
        context.output.line(title, style="bold")
    for line in lines:
        context.output.line(f"  {line}")


def _headline(one: GenerationReport) -> str:
    change = one.change
    against = f", against gen{change.before.number}" if change.before and change.kind == "added" else ""
    kind = "" if change.kind == "added" else f", {change.kind}"
    return f"{change.generation.topic}: gen{change.generation.number} ({change.generation.day}){against}{kind}"


def _topic(one: TopicChange) -> Iterator[str]:
    if one.kind != "changed":
        yield one.kind
    yield from (f"+ {day}" for day in one.dates)
    yield from one.notes


def _sessions(one: SessionChange) -> Iterator[str]:
    for count, what in ((one.added, "added"), (one.changed, "gone on"), (one.removed, "removed")):
        if count:
            yield f"{count} {what}"


def _as_json(report: RangeReport) -> dict[str, object]:
    return {
        "commits": report.commits,
        "days": report.days,
        "generations": [_generation(one) for one in report.generations],
        "topics": [
            {"slug": one.slug, "kind": one.kind, "dates": one.dates, "notes": one.notes} for one in report.topics
        ],
        "sessions": [
            {"day": one.day, "added": one.added, "changed": one.changed, "removed": one.removed}
            for one in report.sessions
        ],
        "notes": [{"path": one.change.path, "kind": one.change.kind, "summary": one.summary} for one in report.notes],
        "files": [{"path": one.path, "kind": one.kind} for one in report.files],
        "breaks": [_violation(one) for one in report.breaks],
        "secrets": [_violation(one) for one in report.secrets],
        "withheld": report.withheld,
    }


def _generation(one: GenerationReport) -> dict[str, object]:
    change = one.change
    return {
        "topic": change.generation.topic,
        "number": change.generation.number,
        "date": change.generation.day,
        "path": change.generation.path,
        "kind": change.kind,
        "against": change.before.path if change.before else None,
        "summary": one.diff.summary,
        "blocks": blocks_as_json(one.diff.text),
        "references": blocks_as_json(one.diff.references),
    }


def _violation(one: Violation) -> dict[str, object]:
    severity = "warning" if one.warning else "error"
    return {"path": one.path, "line": one.line, "message": one.message, "commit": one.commit, "severity": severity}
