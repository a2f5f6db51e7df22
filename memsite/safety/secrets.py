"""Secrets in memory text: found, named, and taken out before the text is written or shown to others.

Two finders look at a text: the rules of `secret_rules` and, when a cheap look says that it may be worth it, the
engine of betterleaks. Words that a page would join again (`gh**p_**…`, `%67hp_…`) are looked at as they would be read
(`reading`). What they say is then sorted into three:

- **certain**: the value has a shape that only a secret has, or it is assigned to a secret's name and is random beyond
  doubt (`is_random`). `redact` replaces it with `[redacted:<rule>]`, at every place where the value occurs.
- **generic and not certain**: something is called a password or a key and might be one. Reported, never replaced:
  eating commit ids, checksums and ordinary words costs readers more than it saves.
- names of accounts, hosts and clients that the engine lists beside secrets: dropped.

No detector is complete: a text without findings is not thereby free of secrets.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from memsite.patterns import late
from memsite.safety.allowing import Allows
from memsite.safety.reading import as_read, read_hidden
from memsite.safety.secret_rules import (
    NAMES_SECRET,
    PLACEHOLDER,
    Rule,
    find_by_rules,
    find_private_keys,
    is_distinct,
    is_hash,
    is_random,
    is_stand_in,
    looks_suspicious,
)
from memsite.values import dataclass, field

_IDENTIFIER = late(r"(?<!access-key)-(?:id|url|host|domain|name|username)$")
_ALLOW_COMMENT = late(r"(leaks):(allow)", re.IGNORECASE)
_SHORTEST = 6
_MIXED = late(r"(?=.*\d)(?=.*[A-Za-z])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a text has, or may have, a secret. Its value never shows in a representation of it."""

    rule: str
    """What it is: `github-pat`, `url-password`, `generic-password`."""
    line: int
    """1-based line of its first character in the text that was given."""
    generic: bool = False
    """Known by the name it is assigned to, not by its own shape."""
    certain: bool = True
    """Whether `redact` replaces it. Never false for what is not generic."""
    value: str = field(default="", repr=False)
    """The secret itself, to suppress it elsewhere; never to be written or printed."""

    @property
    def placeholder(self) -> str:
        """What is shown in its place."""
        return f"[redacted:{self.rule}]"


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its certain secrets, and everything that was found in the original."""

    text: str
    findings: tuple[Finding, ...] = ()
    """By line; those that are not certain are still in the text."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a finding stands in a text, without its value: what may be kept of it."""

    start: int
    end: int
    rule: str
    generic: bool
    certain: bool
    split: bool = False
    """Whether the value is only there for who reads the rendered text."""


Passes = tuple[tuple[Span, ...], ...]
"""What each look at a text found, in the text that the look before left; the last has what stays in it."""

_Places = Sequence[tuple[int, int]]
"""Start and end of disjoint pieces of a text, in order."""


def scanner_name() -> str:
    """Who looks for secrets here: `betterleaks 2.0.0 and memsite's rules`, or the latter alone."""
    engine = _engine()
    return f"betterleaks {engine.__version__} and memsite's rules" if engine else "memsite's rules"


def has_engine() -> bool:
    """Whether betterleaks can be used here; without it the rules of memsite's own look alone."""
    return _engine() is not None


def ruleset() -> str:
    """A name for all that decides what is found: another one, and what was found before says nothing."""
    from hashlib import sha256  # redacting needs none

    state = sha256(_engine_stamp().encode("utf-8", "surrogateescape"))
    for module in ("reading", "secret_rules", "secrets", "token_shapes"):
        state.update((Path(__file__).parent / f"{module}.py").read_bytes())
    return state.hexdigest()[:16]


def _engine() -> ModuleType | None:
    """The engine, if it is installed for this machine: 40 MB, 154 ms, which quick commands only pay on suspicion."""
    try:
        import betterleaks
    except ImportError:
        return None
    return betterleaks if _works(betterleaks) else None


@cache
def _works(engine: ModuleType) -> bool:
    """Whether its library loads: a wheel may be for another system."""
    try:
        engine.scan_string("")
    except Exception:  # whatever it raises, it is not there
        return False
    return True


def _engine_stamp() -> str:
    """Which installation of it there is, without loading it; empty where there is none."""
    try:
        spec = find_spec("betterleaks")
    except ValueError:  # taken out of this process
        spec = None
    origin = spec.origin if spec else None
    return "" if origin is None else f"{origin} {Path(origin).stat().st_mtime_ns}"


def scan(text: str, allows: Allows | None = None) -> tuple[Finding, ...]:
    """Every secret in the text, certain or not, by line."""
    return redact(text, allows).findings


def redact(text: str, allows: Allows | None = None) -> Redaction:
    """The text with every certain secret replaced by `[redacted:<rule>]`, lines kept in number; and the findings.

    Redacting the result again changes nothing: the search is repeated until it finds no more, since taking one
    value out can lay another one bare. What `allows` lets pass is neither replaced nor found.
    """
    return replay(text, find_passes(text, allows))


def find_passes(text: str, allows: Allows | None = None) -> Passes:
    """Where the secrets of a text are, pass by pass; `replay` makes a Redaction of it."""
    passes: list[tuple[Span, ...]] = []
    while True:
        spans = _spans_of(text)
        if allows:
            spans = [span for span in spans if not allows(span.rule, value_of(text, span))]
        certain = [span for span in spans if span.certain]
        if not certain:
            return (*passes, tuple(spans))
        passes.append(tuple(certain))
        text = _replace(text, certain)


def value_of(text: str, span: Span) -> str:
    """The value at a place of a text, as it is read."""
    value = text[span.start : span.end]
    return as_read(value) if span.split else value


def replay(text: str, passes: Passes) -> Redaction:
    """What `redact` gives for a text whose secrets were found before."""
    findings: list[Finding] = []
    for spans in passes:
        findings += _findings(text, spans)
        text = _replace(text, (span for span in spans if span.certain))
    return Redaction(text, tuple(sorted(findings, key=lambda finding: (finding.line, finding.rule))))


def suppress(text: str, findings: Iterable[Finding]) -> str:
    """The text without the values of these certain findings, which were made elsewhere.

    Values short or plain enough to be a word of the text are left (`is_distinct`).
    """
    for finding in findings:
        if finding.certain and is_distinct(finding.value) and finding.value in text:
            spans = [
                Span(start, end, finding.rule, finding.generic, True)
                for start, end in _places(text, finding.value, _held(text))
            ]
            text = _replace(text, spans)
    return text


def _findings(text: str, spans: Iterable[Span]) -> Iterator[Finding]:
    line, position = 1, 0
    for span in spans:
        line += text.count("\n", position, span.start)
        position = span.start
        yield Finding(span.rule, line, span.generic, span.certain, value_of(text, span))


def _replace(text: str, spans: Iterable[Span]) -> str:
    parts, position = [], 0
    for span in spans:
        # Line by line, so that every later line keeps its number and links to it stay right.
        shown = re.sub(r"[^\r\n]+", f"[redacted:{span.rule}]", text[span.start : span.end])
        parts += [text[position : span.start], shown]
        position = span.end
    return "".join([*parts, text[position:]])


def _spans_of(text: str) -> list[Span]:
    """Disjoint spans in order; where two overlap, one span covers both and the more certain rule names it."""
    held = _held(text)
    found = _plain_spans(text, held)
    found += [span for span in _split_spans(text) if not any(_is_most_of(one, span) for one in found)]
    found = [span for span in found if not _touches(span.start, span.end, held)]
    certain = _united([*(span for span in found if span.certain), *_copies(text, found, held)])
    covered = [(span.start, span.end) for span in certain]
    rest = _united(span for span in found if not span.certain and not _touches(span.start, span.end, covered))
    return sorted([*certain, *rest], key=lambda span: span.start)


def _plain_spans(text: str, held: _Places) -> list[Span]:
    return [*_own_spans(text), *_engine_spans(text, held)]


def _split_spans(text: str) -> Iterator[Span]:
    """Values that are whole only where the text is read, at the places that they take up in it."""
    lines = read_hidden(text)
    for span in _plain_spans(lines.text, _held(lines.text)) if lines else ():
        if span.certain and lines is not None and lines.is_changed(span.start, span.end):
            start, end = lines.place(span.start, span.end)
            if span.generic and "\n" in text[start:end]:
                continue  # two lines that have nothing to do with each other may look random together
            yield Span(start, end, span.rule, span.generic, True, split=True)


def _is_most_of(span: Span, other: Span) -> bool:
    """Whether a certain span leaves little of another: the mark after a value is no part of it."""
    shared = min(span.end, other.end) - max(span.start, other.start)
    return span.certain and shared * 5 >= (other.end - other.start) * 4


def _held(text: str) -> _Places:
    return [match.span() for match in PLACEHOLDER.finditer(text)]


def _copies(text: str, spans: Iterable[Span], held: _Places) -> Iterator[Span]:
    """The other places of certain values."""
    values = {text[span.start : span.end]: span for span in spans if span.certain}
    for value, span in values.items():
        if is_distinct(value):
            for start, end in _places(text, value, held):
                yield Span(start, end, span.rule, span.generic, True)


def _touches(start: int, end: int, places: _Places) -> bool:
    """Whether the span shares a character with one of these disjoint places, which are in order."""
    before = bisect_left(places, (end, 0))
    return before > 0 and places[before - 1][1] > start


def _places(text: str, value: str, held: _Places) -> Iterator[tuple[int, int]]:
    """Where the value stands, placeholders aside."""
    position = text.find(value)
    while position >= 0:
        if not _touches(position, position + len(value), held):
            yield position, position + len(value)
        position = text.find(value, position + len(value))


def _united(spans: Iterable[Span]) -> list[Span]:
    """Overlapping spans become one, named by the rule that is not generic, else by the first."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.generic, -span.end, span.rule)):
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            named = min(last, span, key=lambda one: one.generic)
            split = last.split or span.split
            merged.append(Span(last.start, max(last.end, span.end), named.rule, named.generic, last.certain, split))
        else:
            merged.append(span)
    return merged


def _own_spans(text: str) -> Iterator[Span]:
    for rule, start, end in (*find_by_rules(text), *find_private_keys(text)):
        certain = _is_certain(rule, text[start:end])
        if certain or _MIXED.match(text[start:end]):
            yield Span(start, end, rule.name, rule.generic, certain)


def _is_certain(rule: Rule, value: str) -> bool:
    if rule.generic:
        return is_random(value)
    # `bearer <uuid>` may be a session's id; the other rules know their values by shape or by place.
    return rule.name != "http-authorization" or not is_hash(value)


def _engine_spans(text: str, held: _Places) -> Iterator[Span]:
    for rule, confidence, value, match in dict.fromkeys(_engine_matches(text)):
        unnamed_hash = is_hash(value) and not NAMES_SECRET.search(match.replace(value, ""))
        generic = rule.startswith("generic-") or confidence == "low" or unnamed_hash
        if _IDENTIFIER.search(rule) or len(value) < _SHORTEST or (generic and is_stand_in(value)):
            continue
        certain = is_random(value) if generic else True
        for start, end in _places(text, value, held):
            yield Span(start, end, rule, generic, certain)


def _engine_matches(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Rule, confidence, value and matched text of what betterleaks finds; nothing where it is not installed."""
    engine = _engine() if looks_suspicious(text) else None
    for found in engine.scan_string(_for_engine(text)) if engine else ():
        rule = re.sub(r"[^a-z0-9-]", "-", re.sub(r"\.\d+$", "", found.rule_id.lower()))
        # Some of its rules capture only a piece of what they match.
        value = found.match.value if len(found.match.value) >= _SHORTEST else found.match.full
        yield rule, found.confidence, value, found.match.full


def _for_engine(text: str) -> str:
    """The text with what would blind the engine made harmless, character for character.

    It takes a C string, which a NUL ends; it wants UTF-8, which has no lone surrogates; and it skips lines that
    carry an `…:allow` comment, which is no decision of whoever writes a memory.
    """
    visible = text.replace("\0", "\x01").encode("utf-8", "replace").decode()
    return _ALLOW_COMMENT.sub(r"\1;\2", visible)
