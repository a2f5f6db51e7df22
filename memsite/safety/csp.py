"""What a page of the site may load and run: its own files, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

_DIRECTIVES: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
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
