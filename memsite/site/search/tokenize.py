"""Text to words and runs, the same in Python and in the browser (`assets/search-text.js` holds the same three tables).

A *word* is a stretch of a script that separates words by spaces; it is found by its prefixes. A *run* is a stretch of a
script that does not (Han, kana, Thai, Khmer, ...), of Hangul, where particles cling to words, or of pictographs; it is
found by its pairs of neighbouring characters. The tables are our own, because Python and each browser carry another
version of Unicode.
"""

from __future__ import annotations

import re
import unicodedata

RUN_RANGES = (
    "e01-eff 1000-109f 1100-11ff 1780-17d3 2600-27bf 3005-3007 3021-302f 3031-3035 3038-303c 3041-309a 309d-309f "
    "30a1-30fa 30fc-318f 31a0-31ff 3400-4dbf 4e00-9fff a960-a97f ac00-d7ff f900-faff 1b000-1b16f 1f000-1faff "
    "20000-3ffff"
)
"""First and last code point of what forms runs, in hexadecimal."""
SEPARATOR_RANGES = (
    "0-2f 3a-40 5b-60 7b-bf d7 f7 2c2-2c5 2d2-2eb 2ed 2ef-2ff 375 37e 387 3f6 482 55a-55f 589-58f 5be 5c0 5c3 5c6 "
    "5f3-60f 61b-61f 66a-66d 6d4 6dd-6de 6e9 6fd-6fe 700-70f 7f6-7f9 7fe-7ff 830-83e 85e 964-965 970 9f2-9f3 "
    "9fa-9fb 9fd a76 af0-af1 b70 bf3-bfa c77 c7f c84 d4f d79 df4 f01-f17 f1a-f1f f34 f36 f38 f3a-f3d f85 fbe-fc5 "
    "fc7-fda 10fb 1360-1368 1390-1399 1400 166d-166e 1680 169b-169c 16eb-16ed 1735-1736 17d4-17d6 17d8-17db "
    "1800-180a 180e 1940-1945 19de-19ff 1a1e-1a1f 1b5a-1b6a 1c3b-1c3f 1c7e-1c7f 2000-20cf 2104-212e 213a-214d 214f "
    "218a-25ff 27c0-2bff 2cf9-2cff 2d70 2e00-3004 3008-3020 3030 3036-3037 303d-3040 309b-309c 30a0 30fb 3190-319f "
    "3200-33ff 4dc0-4dff a490-a4cf a4fe-a4ff a60d-a60f a673 a67e a6f2-a716 a720-a721 a789-a78a a828-a82b a836-a839 "
    "a874-a877 a8ce-a8cf a8f8-a8fa a92e-a92f a95f a9c1-a9cd aa5c-aa5f aade-aadf abeb d800-f8ff fd3e-fd4f fdfc-fe1f "
    "fe30-fe6f feff ff00-ff0f fff0-ffff 1d000-1d3ff 1fb00-1fbff e0000-e01ff"
)
"""The same for what stands between words: marks, symbols, spaces, controls, private use."""
FOLDED = {"ß": "ss", "ς": "σ"}
"""What case folding does beyond lower case, in letters that people type."""
MAX_WORD = 30
"""A longer word (a checksum, a URL without a break) is found by its first characters."""


def _character_class(ranges: str) -> str:
    bounds = (item.split("-") for item in ranges.split())
    return "".join(f"\\U{int(low, 16):08x}-\\U{int((high or [low])[0], 16):08x}" for low, *high in bounds)


_TOKEN = re.compile(
    f"([{_character_class(RUN_RANGES)}]+)|([^{_character_class(RUN_RANGES)}{_character_class(SEPARATOR_RANGES)}]+)"
)
_FOLDED = re.compile("[" + "".join(FOLDED) + "]")


def fold(text: str) -> str:
    """What is compared: NFKC (full width, half width, ligatures, composed letters), then without case."""
    if text.isascii():
        return text.lower()
    return _FOLDED.sub(lambda found: FOLDED[found[0]], unicodedata.normalize("NFKC", text).lower())


def tokens(text: str) -> list[tuple[str, str]]:
    """The text in order as `(run, "")` or `("", word)`, folded; words at full length."""
    return _TOKEN.findall(fold(text))
