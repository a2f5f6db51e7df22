"""The commands that take a leak out of a history, here and on remotes, as `purge` prints them.

What a remote has is rewritten in a fresh copy of it: every branch and tag of the remote and nothing else, so that no
private branch gets there and nobody's work on it is lost (the push holds each ref against what was copied). Then this
repository is rewritten in the same way. Both ways give the same commit the same new id wherever they run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from memsite.values import dataclass

LEAKED = "../leaked.txt"
"""Where the user is told to write the value: outside of the repository."""
LINES = "../leaked.lines"
"""Those of its lines that cannot be taken for a part of other texts."""
REPLACED = "[redacted]"
_TELLING = "([^[:punct:][:space:]][[:punct:][:space:]]*){6}"
"""Six letters or digits: what a line must have to be taken out of everything."""
WAYS = ("git-filter-repo", "git")

_EXPORT = (
    "-c core.quotePath=false fast-export --use-done-feature --signed-tags=strip --mark-tags"
    " --tag-of-filtered-object=drop --reencode=no --exclude='refs/remotes/*' --all"
)
"""Commits, annotated tags and notes, byte for byte: no work tree, so no filter and no line ends of anybody's."""
_READ = r'while(<STDIN>){if(/^data (\d+)$/){$d="";$1&&read STDIN,$d,$1;'
_REPLACE = (
    r'open F,"<",$ENV{LEAKED};chomp(@v=<F>);@v or die;$v=join"|",map{quotemeta}sort{length$b<=>length$a}@v;'
    rf'{_READ}$d=~s/$v/{REPLACED}/g;print"data ",length$d,"\n$d"}}'
    rf"else{{s/^(?:author |committer |tagger |M \d+ \S+ |D )\K(.*)/$1=~s,$v,{REPLACED},gr/e;print}}}}"
)
"""In contents, messages, names of people and of files."""
_DROP = rf'%p=map{{$_,1}}@ARGV;{_READ}print"data $1\n$d"}}elsif(!(/^(?:M \d+ \S+|D) (.*)$/&&$p{{$1}})){{print}}}}'
_COPIED = "'refs/heads/*:refs/heads/*' 'refs/tags/*:refs/tags/*' 'refs/notes/*:refs/notes/*'"
_ESCAPES = {"\a": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v", '"': '"', "\\": "\\"}
_ESCAPED = re.compile(r'[\x00-\x1f\x7f"\\]')


@dataclass(frozen=True, slots=True)
class Subject:
    """What was purged."""

    file: str = ""
    """From the top of the repository; empty for a value."""
    is_shallow: bool = False
    """Whether this clone was cut off: rewritten, its first commits would be others than the remote's."""

    def steps(self, way: str, remotes: tuple[str, ...]) -> tuple[str, ...]:
        """The commands of one of the WAYS, in order; the first that fails ends it."""
        return tuple(self._steps(way, remotes))

    def _steps(self, way: str, remotes: tuple[str, ...]) -> Iterator[str]:
        yield 'cd "$(git rev-parse --show-toplevel)"'
        yield "git --no-pager diff --no-ext-diff --stat --exit-code HEAD"
        yield 'test -z "$(git stash list)"'
        if not self.file:
            yield rf"tr -d '\r' < {LEAKED} | LC_ALL=C grep -aE '{_TELLING}' > {LINES}"
            yield f'export LEAKED="$PWD/{LINES}"'
        if way == "git-filter-repo" and not self.file:
            yield f"""sed 's/^/literal:/; s/$/==>{REPLACED}/' "$LEAKED" > "$LEAKED.rules\""""
        if self.is_shallow and remotes:
            yield f"git fetch -q --unshallow {shlex.quote(remotes[0])}"
        for number, remote in enumerate(remotes, start=1):
            yield from self._on_remote(way, shlex.quote(remote), f"../rewritten-{number}.git")
        yield from self._here(way, remotes)

    def _on_remote(self, way: str, remote: str, copy: str) -> Iterator[str]:
        notes = "-c 'remote.origin.fetch=+refs/notes/*:refs/notes/*'"
        yield f'git clone -q --bare --no-local -o origin {notes} "$(git remote get-url {remote})" {copy}'
        lease = "--force-with-lease=%(refname):%(objectname)"
        yield f"git --git-dir={copy} for-each-ref --format='{lease}' > {copy}/leases"
        if way == "git":
            yield self._plain(f"git --git-dir={copy}")
        else:
            yield f"git -C {copy} {self._filter_repo}"
        url = f'"$(git remote get-url --push {remote})"'
        yield f"git --git-dir={copy} push -q $(cat {copy}/leases) {url} {_COPIED}"
        yield f"rm -rf {copy}"

    def _here(self, way: str, remotes: tuple[str, ...]) -> Iterator[str]:
        if way == "git":
            yield self._plain("git")
        else:
            refs = "$(git for-each-ref --format='%(refname)' refs/heads refs/tags refs/notes)"
            yield f"git {self._filter_repo} --force --refs {refs}"
        yield "git reset -q --hard"
        yield from (f"git fetch -q --prune {shlex.quote(remote)}" for remote in remotes)
        yield "git reflog expire --expire=now --all"
        yield "git gc -q --prune=now"
        if self.file:
            yield f"git --no-pager log --all --oneline -- {shlex.quote(self.file)}"
        else:
            yield 'git cat-file --batch-all-objects --batch | LC_ALL=C grep -aF -f "$LEAKED" | wc -l'
            yield 'rm -f "$LEAKED" "$LEAKED.rules"'

    @property
    def _filter_repo(self) -> str:
        # Otherwise ids in messages are renewed, in the copy of a remote to others than here.
        start = "filter-repo --quiet --preserve-commit-hashes"
        if self.file:
            return f"{start} --invert-paths --path {shlex.quote(self.file)}"
        return f'{start} --replace-text "$LEAKED.rules" --replace-message "$LEAKED.rules"'

    def _plain(self, git: str) -> str:
        script = f"'{_DROP}' {shlex.quote(_as_exported(self.file))}" if self.file else f"'{_REPLACE}'"
        return f"{git} {_EXPORT} | perl -e {script} | {git} fast-import --quiet --force"


def _as_exported(path: str) -> str:
    """A path as `git fast-export` writes it."""
    escaped = _ESCAPED.sub(lambda match: "\\" + _ESCAPES.get(match[0], f"{ord(match[0]):03o}"), path)
    return f'"{escaped}"' if escaped != path or " " in path else path
