"""Where the links and images of a memory text lead: within the site, out of it, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from markdown_it.token import Token

from memsite.site.slugs import fragment_anchor

Resolve = Callable[[str], str | None]
"""A relative href, or `[[target]]` of a wikilink -> the URL to use on the page; None when it leads nowhere."""

BROKEN = "memsite-broken"
REMOTE_IMAGE = "memsite-remote-image"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IMAGE = re.compile(r"[^?#]*\.(?:avif|bmp|gif|ico|jpe?g|png|webp)", re.IGNORECASE)
_OUTSIDE = ("http://", "https://", "mailto:")


def follow_links(tokens: list[Token], resolve: Resolve, anchors: frozenset[str], prefix: str = "") -> None:
    """Rewrite every link and image of the tokens in place. `anchors` are the ids of this text, `prefix` included."""
    for token in tokens:
        if token.children:
            _Rewriter(resolve, anchors, prefix).rewrite(token)


class _Rewriter:
    """Links of one inline token; they do not nest, so the one that is open is enough to know."""

    def __init__(self, resolve: Resolve, anchors: frozenset[str], prefix: str) -> None:
        self._resolve = resolve
        self._anchors = anchors
        self._prefix = prefix
        self._open: list[Token] = []

    def rewrite(self, inline: Token) -> None:
        result: list[Token] = []
        for child in inline.children or ():
            if child.type == "link_open":
                self._open.append(child)
                self._lead(child)
            elif child.type == "link_close" and self._open:
                child.tag = self._open.pop().tag
            result += self._image(child) if child.type == "image" else [child]
        inline.children = result

    def _lead(self, link: Token) -> None:
        href = str(link.attrs.get("href", ""))
        if link.attrs.get("class") == "headerlink":
            return
        target = self._target(href)
        if target is None:
            _mark_broken(link, href)
        else:
            link.attrs["href"] = target

    def _target(self, href: str) -> str | None:
        if href.lower().startswith(_OUTSIDE):
            return href
        if href.startswith("#"):
            return self._own_anchor(href)
        if href.startswith("[[#"):
            return self._own_anchor(f"#{fragment_anchor(href[3:-2])}")
        if href.startswith("//") or (_SCHEME.match(href) and not href.startswith("[[")):
            return None
        return self._resolve(href)

    def _own_anchor(self, href: str) -> str | None:
        anchor = self._prefix + unquote(href[1:])
        if anchor in self._anchors or re.fullmatch(r"#L[0-9]+", href):
            return f"#{self._prefix}{href[1:]}"
        return None

    def _image(self, image: Token) -> list[Token]:
        src = str(image.attrs.get("src", ""))
        remote = bool(_SCHEME.match(src)) or src.startswith("//")
        target = None if remote or not src else self._target(src)
        if target is None:
            return self._image_text(image, src, remote)
        if not _IMAGE.fullmatch(target):
            return self._embedded(image, target)
        image.attrs = {"src": target, "alt": image.attrs.get("alt", "")}
        return [image]

    def _embedded(self, image: Token, target: str) -> list[Token]:
        """What is no image is a link to it, or text within another link."""
        text = Token("text", "", 0, content=image.content or unquote(target.rpartition("/")[2]))
        if self._open:
            return [text]
        return [Token("link_open", "a", 1, attrs={"href": target}), text, Token("link_close", "a", -1)]

    def _image_text(self, image: Token, src: str, remote: bool) -> list[Token]:
        """A remote image tells its host who reads the memory: it is a link, or text within another link."""
        linked = remote and not self._open and src.lower().startswith(_OUTSIDE[:2])
        attrs: dict[str, str | int | float] = {"class": REMOTE_IMAGE if remote else BROKEN, "title": src}
        if linked:
            attrs["href"] = src
        tag = "a" if linked else "span"
        words = [Token("text", "", 0, content=image.content or src)]
        return [Token("image_open", tag, 1, attrs=attrs), *words, Token("image_close", tag, -1)]


def _mark_broken(link: Token, href: str) -> None:
    link.tag = "span"
    link.attrs = {"class": BROKEN, "title": href}
