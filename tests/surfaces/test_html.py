"""No text of a hostile memory is active on any page of its site, and all of it can be read there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from memsite.safety.csp import CONTENT_SECURITY_POLICY
from memsite.site.markdown import render_markdown
from tests.corpora import corpus_lines
from tests.limits import LONG, drawn_seed
from tests.surfaces.hostile_site import GENERATED, HostileSite
from tests.surfaces.judge import faults_of, faults_of_page, quick_faults_of
from tests.surfaces.payloads import generated_payloads, payloads

SURFACES = {
    "text, link and image": ("notes/bodies/*/index.html", 0.75),
    "code": ("notes/fences/*/index.html", 1),
    "heading and contents": ("notes/headings/*/index.html", 0.75),
    "front matter": ("notes/fronts/*/index.html", 1),
    "title and breadcrumbs": ("notes/names/**/index.html", 1),
    "day": ("daily/*-*-*/index.html", 0.75),
    "session": ("sessions/*-*-*/index.html", 1),
    "generation and blame": ("topics/*/gen*/index.html", 0.75),
    "comparison": ("topics/*/compare/*..*/index.html", 0.75),
    "topic": ("topics/topic-*/index.html", 0.7),
    "commit": ("history/*-*-*/index.html", 1),
}
"""Surface -> its pages, and the share of the payloads that they show letter by letter. Markdown takes a few apart: a
link of any kind loses its destination, an entity becomes its character."""


def text_of(page: Path) -> str:
    """What a reader can see, on one line; scripts left out."""
    tree = LexborHTMLParser(page.read_text(encoding="utf-8"))
    for script in tree.css("script"):
        script.decompose()
    return " ".join(tree.root.text().split()) if tree.root else ""


def test_no_page_has_anything_active(hostile_site: HostileSite) -> None:
    pages = hostile_site.pages()
    found = {str(page): faults for page in pages if (faults := list(faults_of_page(page.read_text(encoding="utf-8"))))}
    assert found == {}, f"MEMSITE_TEST_SEED={hostile_site.seed}"
    assert len(pages) > 600


def test_the_same_payloads_unprotected_are_active(hostile_site: HostileSite) -> None:
    """The control: if the judges fell silent here, their silence above would mean nothing."""
    # All that were built to run, whichever of them this site has: of a sample the share would be one of chance.
    built_to_run = [*corpus_lines("xss-payloads.txt"), *generated_payloads(GENERATED, hostile_site.seed)]
    markdown = MarkdownIt("commonmark", {"html": True})
    unprotected = [str(markdown.render(one)) for one in built_to_run]
    for judge in (quick_faults_of, faults_of):
        assert sum(any(judge(html)) for html in unprotected) > 0.7 * len(unprotected), hostile_site.seed


def test_a_payload_that_got_into_a_page_of_any_kind_is_found(hostile_site: HostileSite) -> None:
    """The second control: the theme's own scripts and forms, which the judge lets pass, hide none."""
    chance = random.Random(hostile_site.seed)
    pages = chance.sample(hostile_site.pages(), 60)
    active = [one for one in hostile_site.memory.payloads if any(quick_faults_of(one))]
    texts = (page.read_text(encoding="utf-8") for page in pages)
    injected = (text.replace("<article", f"{chance.choice(active)}<article", 1) for text in texts)
    assert sum(any(faults_of_page(html)) for html in injected) >= 54, f"MEMSITE_TEST_SEED={hostile_site.seed}"


@pytest.mark.parametrize("surface", SURFACES)
def test_what_the_memory_says_can_be_read_and_nothing_is_swallowed(hostile_site: HostileSite, surface: str) -> None:
    pattern, share = SURFACES[surface]
    shown = "\n".join(map(text_of, hostile_site.pages(pattern)))
    expected = [one for one in hostile_site.memory.payloads if one.isprintable()]
    if surface == "front matter":
        expected = [one for one in expected if " #" not in one]  # in YAML what follows is a comment
    lost = [one for one in expected if one not in shown]
    assert len(lost) <= (1 - share) * len(expected), (lost[:3], f"MEMSITE_TEST_SEED={hostile_site.seed}")


def test_every_page_begins_with_the_policy(hostile_site: HostileSite) -> None:
    pages = hostile_site.pages()
    for page in pages:
        head = LexborHTMLParser(page.read_text(encoding="utf-8")).css("head > *")
        assert [(one.tag, dict(one.attributes)) for one in head[:2]] == [
            ("meta", {"charset": "utf-8"}),
            ("meta", {"http-equiv": "Content-Security-Policy", "content": CONTENT_SECURITY_POLICY}),
        ], page
    kinds = {page.relative_to(hostile_site.folder).as_posix().split("/")[0] for page in pages}
    assert kinds >= {"404.html", "index.html", "topics", "daily", "sessions", "history", "notes", "index"}
    assert (hostile_site.folder / "_headers").read_text(encoding="utf-8").count(CONTENT_SECURITY_POLICY) == 1


def test_every_payload_is_inert_as_a_notes_text() -> None:
    """Each by itself, so that none shields another; all of the corpora in a long run."""
    known, chance = payloads(), random.Random(drawn_seed())
    chosen = known if LONG else chance.sample(known, 2_000)
    texts = [*chosen, *generated_payloads(300, chance.randrange(10**9))]
    pages = {text: render_markdown(f"{text}\n\n[x](<{text}>)", resolve=lambda _href: None).html for text in texts}
    assert {text: faults for text, html in pages.items() if (faults := list(quick_faults_of(html)))} == {}
