"""The bytes of a workspace's mkdocs.yml, as they are read before anything believes them."""

from __future__ import annotations

from pathlib import Path

from memsite.errors import ConfigError, UnsafePathError
from memsite.safety.paths import read_settings_file
from memsite.safety.site_settings import MAX_BYTES, NAME


def read_site_config(root: Path, template: str) -> bytes:
    """The bytes of a workspace's mkdocs.yml; the template's where there is none. Raises ConfigError if unreadable."""
    try:
        return read_settings_file(root / NAME, MAX_BYTES)
    except FileNotFoundError as error:
        if (root / NAME).is_symlink():
            raise ConfigError("is a symbolic link to nothing", where=NAME, hint="correct it, or remove it") from error
        return template.encode()
    except UnsafePathError as error:
        raise ConfigError(error.problem, where=NAME, hint=error.hint) from error
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=NAME) from error
