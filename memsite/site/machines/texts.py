"""Plain texts from templates: Markdown and llms.txt, in which memory text stays within its line and its link."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from memsite.site.links import day_uri, markdown_uri, relative_url, topic_uri
from memsite.site.pages.addresses import printable
from memsite.site.templating import TEMPLATES, bytecode_cache

_MARKS = re.compile(r"[\\`\[\]<>]")


@cache
def _environment() -> Environment:
    """Without autoescape: no HTML is made here. Templates pass what the memory says through `words`."""
    env = Environment(  # noqa: S701 - as above
        loader=FileSystemLoader(TEMPLATES / "machines"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    env.filters |= {"words": words, "destination": destination, "markdown": markdown_uri, "seen_from": relative_url}
    env.globals |= {"topic_uri": topic_uri, "day_uri": day_uri}
    return env


def keep_compiled_texts(folder: Path | None) -> None:
    """As `keep_compiled`, of these templates."""
    _environment().bytecode_cache = bytecode_cache(folder)


def words(text: object) -> str:
    """A text as Markdown on one line: no mark in it begins or ends a link, code or HTML."""
    line = " ".join(printable(" ".join(str(text).split())).split())
    return _MARKS.sub(lambda mark: "\\" + mark[0], line)


def destination(address: str) -> str:
    """A percent-encoded address as the destination of a Markdown link."""
    return address.replace("(", "%28").replace(")", "%29")


def render_text(template: str, **values: object) -> str:
    """The template of that name below `memsite/site/templates/machines/`, filled."""
    return _environment().get_template(template).render(values)
