"""What of an HTML text could run, load from elsewhere or restyle the page, as a browser would read it.

The text is parsed as HTML5, by parsers that are not the one which cleans it; addresses by the WHATWG URL rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import html5lib
from selectolax.lexbor import LexborHTMLParser

RUNS = {
    "script", "style", "iframe", "frame", "object", "embed", "applet", "svg", "math", "form", "base", "meta", "link",
    "template", "audio", "video", "source", "track", "button", "select", "textarea", "isindex", "marquee", "portal",
}  # fmt: skip
ADDRESSES = {
    "href", "src", "action", "formaction", "data", "poster", "background", "srcset", "ping", "cite", "longdesc",
    "dynsrc", "lowsrc", "codebase", "classid", "manifest", "profile", "archive", "usemap",
}  # fmt: skip
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
INERT = {"svg", "form", "button", "select"}
"""What the theme and our own templates have: without handlers and addresses they do nothing."""
METAS = {"viewport", "description", "author", "generator", "referrer"}
LINKS = {"canonical", "icon", "stylesheet", "alternate", "prev", "next"}

OURS = re.compile(r"(?:/(?![/\\])(?:[^?#]*/)?|(?:\.{1,2}/)*)assets/(?:javascripts|memsite)/[\w.-]+(?:/[\w.-]+)*\.js")
"""Scripts of the theme and of the package."""

Found = tuple[str, Mapping[str, str | None], str]
"""A tag, its attributes, and the text in it."""


def elements_by_html5lib(html: str) -> Iterator[Found]:
    """The elements of a fragment."""
    for element in html5lib.parseFragment(html, treebuilder="etree", namespaceHTMLElements=False).iter():
        if isinstance(element.tag, str):
            yield element.tag.rpartition("}")[2], element.attrib, element.text or ""


def elements_by_lexbor(html: str) -> Iterator[Found]:
    """The elements of a page; a hundred times as fast."""
    root = LexborHTMLParser(html).root
    for node in root.traverse() if root else ():
        yield node.tag or "", node.attributes, node.text() if node.tag == "script" else ""


def faults_of(html: str) -> Iterator[str]:
    """Everything in a fragment of memory text that could run, load from elsewhere or restyle the page."""
    return _faults(elements_by_html5lib(html), allowed=False)


def quick_faults_of(html: str) -> Iterator[str]:
    """As `faults_of`, by the other parser."""
    return _faults(elements_by_lexbor(html), allowed=False)


def faults_of_page(html: str) -> Iterator[str]:
    """The same of a whole page, but for what the theme and our templates have, named one by one."""
    return _faults(elements_by_lexbor(html), allowed=True)


def _faults(elements: Iterable[Found], *, allowed: bool) -> Iterator[str]:
    for tag, attributes, text in elements:
        tag = tag.lower()
        if tag in RUNS and not (allowed and _is_ours(tag, attributes)):
            yield f"<{tag}> {dict(attributes)} {text[:80]}"
        for key, value in attributes.items():
            name = key.rpartition("}")[2].rpartition(":")[2].lower()
            if name.startswith("on") or name in {"style", "srcdoc"}:
                yield f"{tag}[{name}]"
            elif name in ADDRESSES and not (tag == "link" and "canonical" in (attributes.get("rel") or "")):
                yield from faults_of_address(tag, name, value or "")


def faults_of_address(tag: str, name: str, value: str) -> Iterator[str]:
    """Where an address runs something, or loads it from elsewhere."""
    address = re.sub(r"[\t\n\r]", "", re.sub(r"^[\x00-\x20]+|[\x00-\x20]+$", "", value)).replace("\\", "/")
    scheme = SCHEME.match(address)
    if scheme and scheme[0].lower() not in {"http:", "https:", "mailto:"}:
        yield f"{tag}[{name}] runs {scheme[0]}"
    elif address.startswith("//") or (tag != "a" and scheme):
        yield f"{tag}[{name}] loads from elsewhere"


def _is_ours(tag: str, attributes: Mapping[str, str | None]) -> bool:
    match tag:
        case "script":
            return bool(OURS.fullmatch(attributes.get("src") or ""))
        case "meta":
            is_policy = attributes.get("http-equiv") == "Content-Security-Policy"
            return "charset" in attributes or is_policy or attributes.get("name") in METAS
        case "link":
            return set((attributes.get("rel") or "").split()) <= LINKS
    return tag in INERT
