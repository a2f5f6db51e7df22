"""A page's Markdown: the files as they are, as a file of the site and as the script that the page copies from."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from memsite.site.catalog import all_pages
from memsite.site.pages.addresses import safe_note_uri
from memsite.site.spec import PageKind, SiteSource
from tests.site.machines.conftest import make_files, read
from tests.site.pages.conftest import SourceMaker

COPIED = (PageKind.TOPIC, PageKind.GENERATION, PageKind.DAY, PageKind.SESSION_DAY, PageKind.NOTE, PageKind.INDEX)


def received(script: bytes) -> str:
    text = script.decode().removeprefix("memsiteMarkdown.receive(").removesuffix(");\n")
    value: str = json.loads(text)
    return value


def test_a_page_that_shows_a_file_has_it_as_it_is(source: SiteSource) -> None:
    files = read(make_files(source))
    assert files["daily/2025-03-20/index.md"] == source.memory.notes[0].blob.data
    assert files["index/index.md"].startswith(b"# Memory Index")
    assert files["notes/lost/index.md"] == b"# Lost\n\nGone.\n"
    assert files["daily/2025-03-22/index.md"].split(b"\n---\n")[1].strip() == b"# Stand-up\n\nShort."
    assert files["topics/personal-blog/index.md"].endswith(b"- gen1: the one before\n\n")


def test_every_page_of_these_kinds_has_one_unless_there_is_no_file(source: SiteSource) -> None:
    made = make_files(source)
    wanted = {page.uri for page in all_pages(source) if page.kind in COPIED}
    assert wanted - set(made.copies) == {"topics/personal-blog/gen7/"}
    assert set(made.copies) <= wanted


def test_the_script_has_the_same_text(hostile: SiteSource) -> None:
    made = make_files(hostile)
    files = read(made)
    for page in made.copies:
        assert received(files[f"{page}index.md.js"]) == files[f"{page}index.md"].decode(), page


def test_another_text_has_another_version(make_source: SourceMaker) -> None:
    one, other = (make_files(make_source({"memory/a.md": text})).copies for text in ("# A\n", "# B\n"))
    assert one["notes/a/"] != other["notes/a/"]


def test_a_folder_of_a_note_never_has_the_name_of_a_pages_own_file() -> None:
    for name in ("index.md", "INDEX.html", "index.md.js"):
        assert safe_note_uri(PurePosixPath("a", name, "b")) == f"notes/a/index~2e{name[6:]}/b/"
    assert safe_note_uri(PurePosixPath("index.mdx")) == "notes/index.mdx/"


def test_names_that_differ_by_a_suffix_do_not_collide(make_source: SourceMaker) -> None:
    source = make_source({f"memory/{name}": "# A\n" for name in ("foo.md", "foo/index.md", "foo/index.markdown")})
    files = {*read(make_files(source)), *(f"{page.uri}index.html" for page in all_pages(source))}
    folders = {str(parent) for name in files for parent in PurePosixPath(name).parents}
    assert files & folders == set()
