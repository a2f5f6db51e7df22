"""Task lists: `- [ ] to do` and `- [x] done`, with a box that nobody can tick.

The plugin of that name looks for each item's list by walking back over all tokens: 10,000 items took it 15 s.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_BOX = re.compile(r"\[[ xX]\](?=[ \t\n])")
_HEAD = ("list_item_open", "paragraph_open", "inline")


def add_task_lists(md: MarkdownIt) -> None:
    """Install the rule into a parser."""
    md.core.ruler.after("inline", "memsite_tasks", _mark_tasks)


def _mark_tasks(state: StateCore) -> None:
    lists: list[Token] = []
    for at, token in enumerate(state.tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and tuple(one.type for one in state.tokens[at : at + 3]) == _HEAD:
            _mark_task(lists[-1], token, state.tokens[at + 2])


def _mark_task(around: Token, item: Token, text: Token) -> None:
    first = text.children[0] if text.children else None
    box = _BOX.match(text.content)
    if box is None or first is None or first.type != "text" or not first.content.startswith(box[0]):
        return
    checked = "" if box[0] == "[ ]" else 'checked="checked" '
    html = f'<input class="task-list-item-checkbox" {checked}disabled="disabled" type="checkbox">'
    first.content, text.content = first.content[len(box[0]) :], text.content[len(box[0]) :]
    text.children = [Token("html_inline", "", 0, content=html), *(text.children or ())]
    item.attrSet("class", "task-list-item")
    around.attrSet("class", "contains-task-list")
