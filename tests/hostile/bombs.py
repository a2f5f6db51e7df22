"""Texts of which a build could do without end: small files that are slow, large or deep for a naive program.

Each goes into a file of the memory beside others that are sound. Used by the tests, which see that a build ends and is
complete, and by `bench/bombs.py`, which measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from string import ascii_lowercase

INDEX = """# Memory Index

## Projects
- **blog**
  - Dates: [2025-03-20, 2025-03-21]
  - Status: active
  - Consolidations:
    - gen1 (2025-03-21): consolidated/blog-gen1-2025-03-21.md
  - Current: consolidated/blog-gen1-2025-03-21.md
"""
SOUND: Mapping[str, str] = {
    "memory/INDEX.md": INDEX,
    "memory/2025-03-20.md": "# 2025-03-20\n\nThe blog has a harbour. See [sound](sound.md).\n",
    "memory/2025-03-21.md": "# 2025-03-21\n\nAnd a lighthouse.\n",
    "memory/sessions/2025-03-20.md": (
        "# Session Log — 2025-03-20\n\n### 10:00\n- **Topic:** the harbour\n"
        "- **Messages:** 1 user / 1 assistant\n- **Est. tokens:** ~1K\n"
    ),
    "memory/consolidated/blog-gen1-2025-03-21.md": (
        "# Blog - Generation 1 Consolidation\n\n**Covers**: 2025-03-20 to 2025-03-21\n\n## Summary\nShips.\n\n"
        "## Key Points\n- A harbour [2025-03-20]\n\n## Source References\n- 2025-03-20.md: the harbour\n"
    ),
    "memory/sound.md": "# Sound\n\nA sound note of ferries.\n",
}
"""A memory with nothing wrong in it."""
SOUND_PAGES = {
    "index.html": "blog",
    "daily/2025-03-20/index.html": "harbour",
    "daily/2025-03-21/index.html": "lighthouse",
    "sessions/2025-03-20/index.html": "the harbour",
    "topics/blog/index.html": "blog",
    "topics/blog/gen1/index.html": "Ships.",
    "notes/sound/index.html": "ferries",
    "index/index.html": "Projects",
    "404.html": "",
}
"""Some of its pages, and a word on each."""


def _laughs() -> str:
    """YAML whose ninth line means a thousand million words."""
    lines = [f"{ascii_lowercase[at]}: &{ascii_lowercase[at]} [{_nine(at)}]" for at in range(9)]
    return "---\n" + "\n".join(lines) + "\n---\nfunny\n"


def _nine(level: int) -> str:
    return ", ".join([f"*{ascii_lowercase[level - 1]}" if level else "ha"] * 9)


NINE: Mapping[str, Callable[[], str]] = {
    "deep lists": lambda: "".join("  " * at + "- deeper\n" for at in range(900)),
    "table of 2 MB": lambda: "|a" * 40 + "|\n" + "|-" * 40 + "|\n" + ("|a" * 40 + "|\n") * 25_000,
    "reference bomb": lambda: "[a]: </" + "x" * 40_000 + ">\n\n" + "[a] " * 10_000,
    "line of 50 MB": lambda: "x" * 50_000_000,
    "100,000 brackets": lambda: "[" * 100_000,
    "YAML bomb": _laughs,
    "regular expressions": lambda: "a" * 30_000 + "! " + "2025-03-" * 20_000 + "- **a**: [" * 9_000 + "<!-- " * 9_000,
    "100,000 links": lambda: "[o](ok.md)" * 100_000,
    "a million headings": lambda: "# a\n" * 1_000_000,
}
"""Name -> the text of one file."""
MORE: Mapping[str, Callable[[], str]] = {
    "deep quotes": lambda: ">" * 100_000,
    "deep lists in a line": lambda: "- " * 50_000,
    "YAML brackets": lambda: "---\nk: " + "[" * 5_000 + "\n---\n",
    "10,000 rows": lambda: "|a|b|\n|-|-|\n" + "|a|b|\n" * 9_900,
    "10,000 tasks": lambda: "- [ ] to do\n" * 9_900,
    "10,000 headings": lambda: "".join(f"# h{at}\n" for at in range(9_900)),
    "10,000 definitions": lambda: "".join(f"[a{at}]: /x{at}\n" for at in range(9_900)),
    "footnotes in footnotes": lambda: "[^0]\n\n" + "".join(f"[^{at}]: [^{at + 1}]\n\n" for at in range(4_500)),
    "90,000 addresses": lambda: "http://a.example " * 58_000,
    "colons": lambda: "http:" * 190_000,
    "mails": lambda: "a@" * 400_000,
    "different links": lambda: "".join(f"[o](a{at})" for at in range(80_000)),
    "wikilinks": lambda: "[[ok]] " * 140_000,
    "unclosed wikilinks": lambda: "[[a" * 300_000,
    "emphasis": lambda: "**a" * 300_000,
    "emphasis in Chinese": lambda: "**重要：**内" * 40_000,
    "strikes": lambda: "~~a" * 300_000,
    "comments": lambda: "<!--" * 200_000,
    "tags": lambda: "<a " * 300_000,
    "entities": lambda: "&a" * 400_000,
    "backticks": lambda: "".join("`" * at + " " for at in range(1_300)),
    "fences": lambda: "".join("`" * (3 + at % 500) + "\n" for at in range(3_000)),
    "one word for search": lambda: "a." * 400_000,
    "days": lambda: "2025-03-20 " * 90_000,
    "references to lines": lambda: "- a [2025-03-20#L1]\n" * 9_900,
    "spaces": lambda: "a" + " " * 900_000 + "b",
    "marks on a letter": lambda: "a" + "\u0301" * 400_000,
}
"""Others, each of which was slow for some part of the program once, or is for some program."""
PLACES: Mapping[str, str] = {
    "note": "memory/bomb.md",
    "day": "memory/2025-03-22.md",
    "session log": "memory/sessions/2025-03-22.md",
    "generation": "memory/consolidated/blog-gen2-2025-03-22.md",
}
"""What a text may be read as."""


def write_memory(root: Path, files: Mapping[str, str] | None = None) -> None:
    """A sound memory in the folder `root`, and other files, by workspace path."""
    for name, text in {**SOUND, "memsite.toml": 'timezone = "UTC"\n', **(files or {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
