"""INDEX.md of two machines, merged topic by topic.

Fields that memsite manages are first brought to the same value in all three versions, so that they cannot conflict.
Topics that only one side has are taken out, and put at the end of their category again afterwards. What is left is
merged as text. The result is read again: unless it says what it must, git's text merge of the files decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memsite.config import Config
from memsite.memory.index import find_obstacle
from memsite.memory.index_version import (
    IndexVersion,
    NewTopic,
    insert_topics,
    join_topic,
    new_topics,
    spliced,
    without_topics,
)
from memsite.memory.lines import decode_text, encode_text
from memsite.memory.merged import Merged, MergeText, settled
from memsite.memory.merging_topics import Splice, Trio, field_splices


def merge_indexes(base: bytes, one: bytes, other: bytes, merge_text: MergeText, config: Config) -> Merged:
    """Merge two versions of INDEX.md; see `merging.merge_index`."""
    if any(find_obstacle(data, config.index_path) for data in (base, one, other)):
        return Merged(*merge_text(base, one, other))
    parts = [_split_tail(data) for data in (base, one, other)]
    versions = [IndexVersion.parse(body, config) for body, _ in parts]
    trios = _shared(versions)
    agreed = [_agreed(version, at, trios, config) for at, version in enumerate(versions)]
    merged = _merge_agreed(agreed, merge_text, config)
    if merged is None:
        return Merged(*merge_text(*(encode_text(version.text) for version in agreed)))
    data = encode_text(merged.removesuffix("\n") + _merge_tails([tail for _, tail in parts]))
    is_met = _is_met(IndexVersion.parse(decode_text(data), config), versions, trios)
    return Merged(data, conflict=False) if is_met else Merged(*merge_text(base, one, other))


def _split_tail(data: bytes) -> tuple[str, str]:
    """The text with its last line ended, and how the file ends instead."""
    text = decode_text(data)
    body = text.rstrip("\r\n")
    return (body + "\n" if body else ""), text[len(body) :]


def _merge_tails(tails: Sequence[str]) -> str:
    agreed = settled(*tails)
    return agreed[0] if agreed else max(tails[1:], key=lambda text: (len(text), text))


def _shared(versions: Sequence[IndexVersion]) -> dict[str, Trio]:
    """The topics that both sides have, where every version of them can be edited."""
    base, one, other = versions
    found: dict[str, Trio] = {}
    for slug in one.topics.keys() & other.topics.keys():
        before = base.topics.get(slug)
        if before or slug not in base.slugs:
            found[slug] = Trio(before, one.topics[slug], other.topics[slug])
    return found


def _agreed(version: IndexVersion, at: int, trios: Mapping[str, Trio], config: Config) -> IndexVersion:
    """A version with the agreed fields of every shared topic. `at`: 0 is the base, 1 and 2 are the sides."""
    splices: list[Splice] = []
    for trio in trios.values():
        held = (trio.base, trio.one, trio.other)[at]
        splices += field_splices(trio, held) if held else []
    return IndexVersion.parse(spliced(version.text, splices), config) if splices else version


def _merge_agreed(agreed: Sequence[IndexVersion], merge_text: MergeText, config: Config) -> str | None:
    """The merged text; None where the sides contradict each other."""
    base, one, other = agreed
    mine, yours = new_topics(base, one), new_topics(base, other)
    new: list[NewTopic] = []
    for slug in sorted({*mine, *yours}):
        topic = join_topic(mine.get(slug), yours.get(slug))
        if topic is None:
            return None
        new.append(topic)
    bare = [without_topics(base, side, found.values()) for side, found in ((one, mine), (other, yours))]
    text, conflict = merge_text(encode_text(base.text), encode_text(bare[0]), encode_text(bare[1]))
    return None if conflict else insert_topics(decode_text(text), new, config)


def _is_met(result: IndexVersion, versions: Sequence[IndexVersion], trios: Mapping[str, Trio]) -> bool:
    """Whether the result has every topic that it must, each once and with all its dates and generations."""
    base, one, other = versions
    deleted = base.slugs - (one.slugs & other.slugs)
    if result.slugs - deleted != (one.slugs | other.slugs) - deleted:
        return False
    for slug in (one.slugs | other.slugs) - deleted:
        sides = [side.topics[slug].entry for side in (one, other) if slug in side.topics]
        held = result.topics.get(slug)
        if held is None:
            if len(sides) == len([side for side in (one, other) if slug in side.slugs]):
                return False
            continue
        dates = trios[slug].dates() if slug in trios else {day for side in sides for day in side.dates}
        listed = {(ref.number, ref.path) for side in sides for ref in side.consolidations}
        if set(held.entry.dates) != set(dates):
            return False
        if not listed <= {(ref.number, ref.path) for ref in held.entry.consolidations}:
            return False
    return True
