"""What `purge` tells the user to do: what it cannot do itself, in commands that work as they are printed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

LEAKED = "../leaked.txt"
"""Where the user is told to write the value: outside of the repository."""
REPLACED = "[redacted]"
_PERL = (
    r"BEGIN { open F, \"<\", \$ENV{LEAKED}; \$v = join \"|\", map { chomp; quotemeta } grep { /\S/ } <F> }"
    rf" s/\$v/{REPLACED}/g"
)
_FORGET = (
    "git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin",
    "git reflog expire --expire=now --all && git gc --prune=now",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What was purged."""

    file: str = ""
    """From the top of the repository; empty for a value."""

    @property
    def filter_repo(self) -> tuple[str, ...]:
        """The commands with git filter-repo."""
        if self.file:
            return (f"git filter-repo --invert-paths --path {shlex.quote(self.file)}",)
        return (
            f"sed 's/^/literal:/; s/$/==>{REPLACED}/' {LEAKED} > {LEAKED}.rules",
            f"git filter-repo --replace-text {LEAKED}.rules --replace-message {LEAKED}.rules",
        )

    @property
    def plain_git(self) -> tuple[str, ...]:
        """The commands with what comes with git."""
        start = "FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --tag-name-filter cat"
        if self.file:
            remove = f"git rm -q -r --cached --ignore-unmatch -- {shlex.quote(self.file)}"
            return (f"{start} --prune-empty --index-filter {shlex.quote(remove)} -- --all", *_FORGET)
        edit, message = f'git ls-files -z | xargs -0 perl -pi -e "{_PERL}"', f'perl -pe "{_PERL}"'
        filters = f"--tree-filter {shlex.quote(edit)} --msg-filter {shlex.quote(message)}"
        return (f"export LEAKED=$(realpath {LEAKED})", f"{start} {filters} -- --all", *_FORGET)


def advice(subject: Subject, *, committed: bool, remotes: tuple[str, ...], remote: str, branch: str) -> Iterator[str]:
    """The steps, line by line."""
    if subject.file:
        yield "1. If there is a secret in the file, take it out of use now: nothing below makes it secret again."
    else:
        yield "1. Take it out of use now: rotate it where it is valid, and revoke this one. Whoever saw it has it;"
        yield "   nothing below makes it secret again."
    yield "2. Renew what shows it: memsite build, and where it was published: memsite publish --push"
    if not committed:
        yield "3. No commit has it: there is no history to rewrite."
        return
    yield "3. Take it out of the history. Every commit from the first one with it gets a new id: agree with everyone"
    yield "   who has a clone, stop the agents that write here, and keep a copy of the repository until it is done."
    if not subject.file:
        yield f"   Write it, as it is, into {LEAKED}, outside of the repository; delete that file afterwards."
    yield "   With git filter-repo (pip install git-filter-repo), in a fresh clone:"
    yield from (f"     {command}" for command in subject.filter_repo)
    yield "   Or with git alone, here, on a clean work tree:"
    yield from (f"     {command}" for command in subject.plain_git)
    yield "4. Replace what was pushed; the hooks would hold it against what was pushed before:"
    yield f"     git push --no-verify --force-with-lease {remote} --all && git push --no-verify --force {remote} --tags"
    yield from _what_stays(remotes, remote, branch)


def _what_stays(remotes: tuple[str, ...], remote: str, branch: str) -> Iterator[str]:
    if remotes:
        yield f"It was pushed: {', '.join(remotes)}."
    else:
        yield f"No remote is known to have it. If {remote} has it all the same, this holds there, too."
    yield "What a pushed copy still holds after that: the old commits, by their ids, until the host removes them (ask"
    yield "its support), in pull requests and forks for ever; every clone that was made; caches and artifacts of CI"
    yield f"jobs; copies of published pages ({branch}) in search engines and archives."
