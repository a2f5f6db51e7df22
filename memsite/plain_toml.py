"""The text of `memsite.toml` as a table, without `tomllib` where it is as plain as `init` writes it."""

from __future__ import annotations

from memsite.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONFIG_NAME = "memsite.toml"
NUMBER_TOO_LONG = "a number in it is too long"
"""Python reads whole numbers of 4300 digits at most, and says so in words of its own."""


def read_toml(text: str) -> dict[str, Any]:
    """The table. Raises ConfigError for what is not TOML."""
    plain = _read_plain(text)
    return _read_any(text) if plain is None else plain


def _read_any(text: str) -> dict[str, Any]:
    import tomllib  # `log` does not pay for it where the settings are as plain as those of `init`

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not TOML: {error}", where=CONFIG_NAME) from error
    except ValueError as error:
        raise ConfigError(f"is not TOML: {NUMBER_TOO_LONG}", where=CONFIG_NAME) from error


def _read_plain(text: str) -> dict[str, Any] | None:
    """What TOML says of lines such as `key = "text"`, `key = true` and comments; None where there is anything else."""
    table: dict[str, Any] = {}
    for whole in text.split("\n"):
        line = whole.strip(" ")
        if not line.isprintable():
            return None
        if not line or line.startswith("#"):
            continue
        key, _, rest = (part.strip(" ") for part in line.partition("="))
        value = _plain_value(rest)
        if value is None or key in table or not (key.isascii() and key.isidentifier()):
            return None
        table[key] = value
    return table


def _plain_value(text: str) -> str | bool | None:
    if text in ("true", "false"):
        return text == "true"
    inner = text[1:-1]
    is_text = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in inner and "\\" not in inner
    return inner if is_text else None
