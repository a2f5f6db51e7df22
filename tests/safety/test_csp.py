"""The policy, and the theme that is installed: what its inline scripts do is known, and done by a file of ours."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import html5lib
import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from memsite.safety.csp import CONTENT_SECURITY_POLICY, headers_file

MKDOCS_YML = """\
site_name: Memory
plugins: []
extra: {scope: /}
theme:
  name: material
  font: false
  palette:
    - {scheme: default, toggle: {icon: material/weather-night, name: dark}}
    - {scheme: slate, toggle: {icon: material/weather-sunny, name: light}}
"""
THEME_VERSION = "9.8.2"
THEME_SCRIPTS = {
    "javascripts/base.html": "sha256-exqRXrW/0laiImCrTE8a70vxyyY10FJVIppytLf/dbY=",
    "javascripts/palette.html": "sha256-DrEMJJ29sL7vIloQzly+VUGMxKcBTMII+OfW7Y8AkG4=",
    "javascripts/content.html": "sha256-/8wPdzX9q0NNJXyA5lzsLojXFpkeaXVxhbfkUOQaWy8=",
}
"""The theme's partial -> hash of the script it writes, for `extra.scope: /`."""
WHAT_TO_DO = (
    "the theme's inline scripts are others: read them in its templates/partials, let "
    "memsite/site/overlay/assets/memsite/frame.js do what the new ones do, then update THEME_SCRIPTS and THEME_VERSION"
)
NOTE = "# Note\n\n- [ ] open\n\n| a |\n|---|\n| 1 |\n\n```python\nprint(1)\n```\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    (root / "mkdocs.yml").write_text(MKDOCS_YML, encoding="utf-8")
    for name in ("index.md", "daily/2025/03.md"):
        page = root / "docs" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(NOTE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        build(load_config(str(root / "mkdocs.yml")))
    return root / "site"


def pages_of(site: Path) -> list[Path]:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) >= 3
    return pages


def inline_scripts(page: Path) -> set[str]:
    document = html5lib.parse(page.read_text(encoding="utf-8"), namespaceHTMLElements=False)
    runs = [
        script.text or ""
        for script in document.iter("script")
        if "src" not in script.attrib and script.get("type") != "application/json"
    ]
    return {"sha256-" + b64encode(sha256(text.encode()).digest()).decode() for text in runs}


def test_every_inline_script_of_the_theme_is_known(site: Path) -> None:
    found = set().union(*map(inline_scripts, pages_of(site)))
    assert found == set(THEME_SCRIPTS.values()), WHAT_TO_DO


def test_the_installed_theme_is_the_one_that_was_read() -> None:
    assert version("mkdocs-material") == THEME_VERSION, WHAT_TO_DO


def test_the_theme_needs_no_inline_style_and_no_handler(site: Path) -> None:
    for page in pages_of(site):
        document = html5lib.parse(page.read_text(encoding="utf-8"), namespaceHTMLElements=False)
        assert list(document.iter("style")) == []
        names = {name for element in document.iter() if isinstance(element.tag, str) for name in element.attrib}
        assert [name for name in names if name == "style" or str(name).startswith("on")] == []


def test_the_policy_allows_nothing_unnamed() -> None:
    directives = dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
    assert directives["default-src"] == "'none'"
    assert directives["base-uri"] == directives["form-action"] == "'none'"
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY
    assert '"' not in CONTENT_SECURITY_POLICY
    assert "frame-ancestors" not in CONTENT_SECURITY_POLICY, "a meta element cannot set it"


def test_the_headers_file_forbids_framing() -> None:
    lines = headers_file().splitlines()
    assert lines[0] == "/*"
    assert lines[1] == f"  Content-Security-Policy: {CONTENT_SECURITY_POLICY}; frame-ancestors 'none'"
    assert all(line.startswith("  ") for line in lines[1:])
