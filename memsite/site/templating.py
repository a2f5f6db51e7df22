"""Our own Jinja environment for everything that is made from memory text: autoescape on, undefined names are errors.

MkDocs' own environment escapes nothing (facts: a front-matter title came out raw in the navigation of every page).
"""

from __future__ import annotations

import os
from functools import cache
from keyword import iskeyword
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame

from memsite.site.links import relative_url

TEMPLATES = Path(__file__).parent / "templates"


class DirectCode(CodeGenerator):
    """Attributes and calls as Python has them, a tenth of what is spent on templates: ours are given objects, whose
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
    return environment().get_template(name).render(values)
