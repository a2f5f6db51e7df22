"""What `purge` tells the user to do: what it cannot do itself, in commands that work as they are printed."""

from __future__ import annotations

from collections.abc import Iterator

from memsite.cli.purge_steps import LEAKED, WAYS, Subject
from memsite.repo.purging import Remains
from memsite.values import dataclass

_NAMES = dict(
    zip(WAYS, ("With git filter-repo (pip install git-filter-repo):", "Or with git and perl alone:"), strict=True)
)


@dataclass(frozen=True, slots=True)
class Places:
    """Where it may have gone."""

    remotes: tuple[str, ...]
    """Those that are to be rewritten."""
    usual: str
    """The remote that a publication goes to."""
    branch: str
    """The branch of published sites."""


def advice(subject: Subject, found: Remains, places: Places) -> Iterator[str]:
    """The steps, line by line."""
    if subject.file:
        yield "1. If there is a secret in the file, take it out of use now: nothing below makes it secret again."
    else:
        yield "1. Take it out of use now: rotate it where it is valid, and revoke this one. Whoever saw it has it;"
        yield "   nothing below makes it secret again."
    yield "2. Renew what shows it: memsite build, and where it was published: memsite publish --push"
    if not found.is_committed:
        yield "3. No commit has it: there is no history to rewrite."
        return
    yield "3. Take it out of the history. Every commit from the first one with it gets a new id: agree with everyone"
    yield "   who has a clone, stop the agents that write here, and keep a copy of the repository until it is done."
    if not subject.file:
        yield f"   Write it, as it is, into {LEAKED} beside the repository; delete that file afterwards. A form that it"
        yield "   also has in there (coded, parted by a line break) is a line more."
    yield from _ways(subject, places)
    yield from _what_stays(found.remotes, places)


def _ways(subject: Subject, places: Places) -> Iterator[str]:
    yield "   Commit what is changed and apply what is stashed first: the commands stop at it, and where one fails."
    for way in WAYS:
        yield f"   {_NAMES[way]}"
        commands = subject.steps(way, places.remotes)
        yield from (f"     {command} &&" for command in commands[:-1])
        yield f"     {commands[-1]}"
    if subject.file:
        yield "   The last one lists the commits that still have it: none, but for those of linked work trees."
    else:
        yield "   The last number must be 0. If not, a linked work tree has it, a tag of a file, or, with filter-repo,"
        yield "   the name of a person or a file, or a file that is no text: the other way takes it out of these, too."
    if places.remotes:
        yield from _about_remotes(" and ".join(places.remotes))


def _about_remotes(names: str) -> Iterator[str]:
    yield f"   What {names} has is rewritten in a copy: all its branches and tags, and none that only you have."
    yield "   The push is refused where somebody has pushed meanwhile (begin again), and where the host protects"
    yield "   a branch (lift that for so long). The copy has no pre-push hook of ours, which protects what was pushed."


def _what_stays(pushed: tuple[str, ...], places: Places) -> Iterator[str]:
    if pushed:
        yield f"It was pushed: {', '.join(pushed)}."
    else:
        yield f"No remote is known to have it. If {places.usual} has it all the same, this holds there, too."
    yield "What a pushed copy still holds after that: the old commits, by their ids, until the host removes them (ask"
    yield "its support), in pull requests and forks for ever; every clone that was made (make them again: a merge with"
    yield "the new history brings it back); caches and artifacts of CI jobs; copies of published pages"
    yield f"({places.branch}) in search engines and archives."
