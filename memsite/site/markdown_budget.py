"""A bound on the work of the Markdown parser: a text that is built to keep it busy is given up.

The work is counted, not timed: the same text gives the same page everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.gfm_autolink.index import _email_rule, _protocol_rule, _www_inline_rule

MAX_STEPS = 250_000
"""Attempts of the parser to match something; a 1 MB note takes 50,000 to 180,000."""
MAX_TOKENS = 150_000
"""Blocks and table cells of one text."""
LOOK_AHEAD = 50
"""Characters of a paragraph that a bracket costs one step for: the parser may look for its partner to the end.

A sign of emphasis costs two more than a letter: partners are found for it, too.
"""
REACH = 2_000
"""Characters before and behind a sign in which an address is looked for."""
ADDRESS_COST = 15
"""Steps for an address: it is taken apart and put together again."""
_PROTOCOLS = ("http", "https", "mailto", "xmpp")
_STEPS = "memsite_steps"

InlineRule = Callable[[StateInline, bool], bool]


class TooMuchWorkError(Exception):
    """The text is built to keep a parser busy."""


def add_budget(md: MarkdownIt) -> None:
    """Install the counting rules into a parser."""
    md.core.ruler.after("block", "memsite_budget", _count_tokens)
    md.block.ruler.before("table", "memsite_budget", _count_block)
    md.inline.ruler.before("text", "memsite_budget", _count_inline)


def add_addresses(md: MarkdownIt) -> None:
    """Make links of plain addresses, by the rules of the plugin for that, which would find them at any price."""
    md.inline.add_terminator_char("w")
    md.inline.ruler.push("gfm_autolink_www", _within_reach(_www_inline_rule, _begins_www))
    md.inline.ruler.push("gfm_autolink_protocol", _within_reach(_protocol_rule, _ends_protocol))
    md.inline.ruler.push("gfm_autolink_email", _within_reach(_email_rule, _is_at_sign))


def steps_of(env: MutableMapping[str, Any]) -> int:
    """The steps that were charged in a parser's environment."""
    return int(env.get(_STEPS, 0))


def spent(steps: int) -> dict[str, Any]:
    """A parser's environment in which so many steps are charged already."""
    return {_STEPS: steps}


def _charge(env: MutableMapping[str, Any], cost: int) -> None:
    steps = steps_of(env) + cost
    env[_STEPS] = steps
    if steps > MAX_STEPS:
        raise TooMuchWorkError


def _count_tokens(state: StateCore) -> None:
    if len(state.tokens) > MAX_TOKENS:
        raise TooMuchWorkError


def _count_block(state: StateBlock, _start: int, _end: int, _silent: bool) -> bool:
    _charge(state.env, 1)
    return False


def _count_inline(state: StateInline, _silent: bool) -> bool:
    char = state.src[state.pos]
    more = (state.posMax - state.pos) // LOOK_AHEAD if char == "[" else 2 * (char in "*_~")
    _charge(state.env, 1 + more)
    return False


def _begins_www(state: StateInline) -> bool:
    return state.src.startswith("www.", state.pos)


def _ends_protocol(state: StateInline) -> bool:
    return state.src[state.pos] == ":" and state.pending.endswith(_PROTOCOLS)


def _is_at_sign(state: StateInline) -> bool:
    return state.src[state.pos] == "@"


def _within_reach(rule: InlineRule, may_match: Callable[[StateInline], bool]) -> InlineRule:
    """The rule where it may match, with no more of the paragraph to look at than is near.

    It copies what is behind at every sign, and searches all that is before: a paragraph of 1 MB took it 35 s.
    """

    def bounded(state: StateInline, silent: bool) -> bool:
        if not may_match(state):
            return False
        _charge(state.env, ADDRESS_COST)
        if len(state.pending) > REACH:
            near = state.pending[-REACH:]
            state.pending = state.pending[:-REACH]
            state.pushPending()  # texts side by side are joined again
            state.pending = near
        end, state.posMax = state.posMax, min(state.posMax, state.pos + REACH)
        try:
            return rule(state, silent)
        finally:
            state.posMax = end

    return bounded
