"""What a page of the site may load and run: its own files, and the theme's inline scripts by hash, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

THEME_VERSION = "9.8.2"
"""The mkdocs-material whose inline scripts are listed; the site configuration it holds for is `font: false`, a
palette toggle and `extra.scope: /` (without it one script differs with the depth of the page)."""

THEME_SCRIPTS: Mapping[str, str] = {
    "javascripts/base.html": "sha256-exqRXrW/0laiImCrTE8a70vxyyY10FJVIppytLf/dbY=",
    "javascripts/palette.html": "sha256-DrEMJJ29sL7vIloQzly+VUGMxKcBTMII+OfW7Y8AkG4=",
    "javascripts/content.html": "sha256-/8wPdzX9q0NNJXyA5lzsLojXFpkeaXVxhbfkUOQaWy8=",
}
"""The theme's partial -> hash of the script it writes. Frozen here and compared by a test; never collected from a
finished page, because that would bless a script which got into it."""

_DIRECTIVES: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": " ".join(["'self'", *(f"'{digest}'" for digest in THEME_SCRIPTS.values())]),
    "style-src": "'self'",
    "img-src": "'self' data:",  # the theme's own style sheet draws its icons from data: addresses
    "connect-src": "'self'",
    "font-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
}

CONTENT_SECURITY_POLICY = "; ".join(f"{name} {sources}" for name, sources in _DIRECTIVES.items())
"""The content of the page's `<meta http-equiv="Content-Security-Policy">`, to be the first element of `<head>`
after the charset. It has no double quote in it."""


def headers_file() -> str:
    """The text of `_headers`, for hosts that read one: the policy, and what a meta element cannot say.

    Only a header can forbid that other sites frame a page (`frame-ancestors`).
    """
    lines = [
        "/*",
        f"  Content-Security-Policy: {CONTENT_SECURITY_POLICY}; frame-ancestors 'none'",
        "  X-Content-Type-Options: nosniff",
        "  Referrer-Policy: no-referrer",
    ]
    return "\n".join(lines) + "\n"
