"""What `init --ci` writes: the files by which a host checks pull requests and publishes the default branch."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from memsite import __version__
from memsite.cli.context import UsageError
from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.changeset import Write
from memsite.values import dataclass

_TEMPLATES = Path(__file__).parent / "ci"
PLACES = {
    "github": PurePosixPath(".github/workflows/memsite.yml"),
    "gitlab": PurePosixPath(".gitlab/memsite.yml"),
    "forgejo": PurePosixPath(".forgejo/workflows/memsite.yml"),
}
"""Host -> the file with the jobs."""
_GITLAB = PurePosixPath(".gitlab-ci.yml")
_INCLUDE = f"include:\n  - local: {PLACES['gitlab']}\n"
_MARKS: Mapping[str, Mapping[str, str]] = {
    "github": {
        "NOTE": "Once: Settings > Pages > Deploy from a branch > @PAGES@.",
        "RUNNER": "ubuntu-latest",
        "SUMMARY": '--format markdown >> "$GITHUB_STEP_SUMMARY"',
    },
    "forgejo": {
        "NOTE": "`docker` is the label of the instance's runners; the image behind it needs git, node and bash.",
        "RUNNER": "docker",
        "SUMMARY": "--format text",
    },
    "gitlab": {},
}
"""What differs between hosts that read the same files."""
_STEPS = {
    "github": "push it, then set Settings > Pages > Deploy from a branch > {branch}; the next push publishes",
    "gitlab": "push it, and allow job tokens to push: Settings > CI/CD > Job token permissions",
    "forgejo": "push it, and have {branch} served (Codeberg serves a branch `pages`: [publish] branch in memsite.toml)",
}


@dataclass(frozen=True, slots=True)
class CiFiles:
    """What is to be written for a host, and what to tell."""

    changes: tuple[Write, ...] = ()
    said: tuple[str, ...] = ()


def package_spec(text: str) -> str:
    """What pip is to install, as people type it. It stands between double quotes in a shell, in YAML."""
    if not re.fullmatch(r"[\w.@:/+=,~<>!#&;%()\[\]-]{1,300}", text, re.ASCII) or text.startswith("-"):
        raise argparse.ArgumentTypeError(f"{text!r} is nothing that pip could install, or has spaces or quotes")
    return text


def plan_ci(root: Path, host: str | None, config: Config, package: str | None = None) -> CiFiles:
    """The files of a host that are missing; those that are there stay as they are.

    `package` is what the jobs install (default: this version). Raises RefusedError below a repository's root: hosts
    look there alone.
    """
    if host is None:
        if package is not None:
            raise UsageError("--package needs --ci", hint="say which: --ci github")
        return CiFiles()
    if not (root / ".git").exists() and (above := _repository_above(root)):
        raise RefusedError(
            f"is not the root of its repository, where {host} looks for its files",
            where=root,
            hint=f"make the memory a repository of its own, or write them by hand in {above}",
        )
    wanted = {PLACES[host]: _filled(host, config, package or f"memsite=={__version__}")}
    if host == "gitlab":
        wanted[_GITLAB] = _INCLUDE
    missing = {path: text for path, text in wanted.items() if not (root / path).exists()}
    changes = tuple(Write(path, None, text.encode()) for path, text in missing.items())
    return CiFiles(changes, tuple(_said(root, host, wanted, missing, config)))


def _repository_above(root: Path) -> Path | None:
    return next((parent for parent in root.resolve().parents if (parent / ".git").exists()), None)


def _filled(host: str, config: Config, package: str) -> str:
    marks = {
        **_MARKS[host],
        "HOST": host,
        "PACKAGE": package,
        "VERSION": __version__,
        "PAGES": config.branch,
        "REMOTE": config.remote,
    }
    text = (_TEMPLATES / ("gitlab.yml" if host == "gitlab" else "actions.yml")).read_text(encoding="utf-8")
    for mark, value in marks.items():
        text = text.replace(f"@{mark}@", value)
    return text


def _said(
    root: Path, host: str, wanted: dict[PurePosixPath, str], missing: dict[PurePosixPath, str], config: Config
) -> Iterator[str]:
    for path in wanted:
        if path not in missing and path == _GITLAB:
            if str(PLACES[host]) not in (root / path).read_text(encoding="utf-8", errors="replace"):
                yield f"{path} is yours and was left alone: add {{local: {PLACES[host]}}} to its `include:`"
        elif path not in missing and (root / path).read_bytes() != wanted[path].encode():
            yield f"{path} is yours and was left alone"
    if missing:
        yield _STEPS[host].format(branch=config.branch)
