"""Our own Jinja environment for everything that is made from memory text: autoescape on, undefined names are errors.

MkDocs' own environment escapes nothing (facts: a front-matter title came out raw in the navigation of every page).
"""

from __future__ import annotations

import os
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context

from memsite.site.links import relative_url

TEMPLATES = Path(__file__).parent / "templates"
_OPENED = "opened contexts"
"""By a name that no template can say."""


class DirectCode(CodeGenerator):
    """Attributes and calls as Python has them, a twentieth of a clean build: our templates are given objects, whose
    attributes are there, and functions that want no context. What is missing is an AttributeError.
    """

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - the name of the syntax node
        """`(object).name`, never `object["name"]`."""
        self.write("(")
        self.visit(node.node, frame)
        self.write(f").{node.attr}")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - as above
        """`function(…)`, without the context asking what kind of function it is."""
        if forward_caller or node.dyn_args or node.dyn_kwargs or any(iskeyword(named.key) for named in node.kwargs):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        for named in node.kwargs:
            self.write(f"{named.key}=")
            self.visit(named.value, frame)
            self.write(", ")
        self.write(")")


class NotedContext(Context):
    """What a template is given and has defined, noted by the rendering that it is a part of.

    A context holds the macros of its template, and each of these its context: a cycle that keeps all that a page is
    made from until the collector comes by, which took an eighth of a clean build.
    """

    def __init__(self, environment: Environment, parent: dict[str, Any], *rest: Any, **named: Any) -> None:
        super().__init__(environment, parent, *rest, **named)
        if _OPENED in parent:
            parent[_OPENED].append(self)

    def empty(self) -> None:
        """Let go of everything: nothing more is rendered with it."""
        self.vars.clear()
        self.parent.clear()


@cache
def environment() -> Environment:
    """The environment over `memsite/site/templates/`. Filter `url_from(page_uri)`: a site URI as a relative URL."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.code_generator_class = DirectCode
    env.context_class = NotedContext
    env.filters["url_from"] = relative_url
    return env


def keep_compiled(folder: Path | None) -> None:
    """Keep compiled templates in a folder from one build to the next, where that can be written."""
    environment().bytecode_cache = bytecode_cache(folder)


def bytecode_cache(folder: Path | None) -> FileSystemBytecodeCache | None:
    """Compiled templates in a folder that is made; None where it cannot be written."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def render_template(name: str, /, **values: object) -> str:
    """The template of that name below `memsite/site/templates/`, filled. Strings are escaped unless `Markup`."""
    opened: list[NotedContext] = []
    try:
        return environment().get_template(name).render({**values, _OPENED: opened})
    finally:
        for context in opened:
            context.empty()
