"""A build as a function of content: incremental equals clean, byte for byte; what is not ours is never wiped."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree as ET

import html5lib
import pytest
from mkdocs.config.defaults import MkDocsConfig

from memsite.errors import RefusedError
from memsite.memory.model import Problem
from memsite.memory.snapshot import Blob, blob_id
from memsite.safety.html import is_safe_link
from memsite.site import cache as cache_module
from memsite.site.builder import build_plan
from memsite.site.output import MARKER
from memsite.site.plan import SitePlan
from memsite.site.spec import Content, MachineFiles, PagePart

Texts = dict[str, tuple[str, str]]
MakePlan = Callable[..., SitePlan]
LoadConfig = Callable[..., MkDocsConfig]


def contents(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def assert_same(first: Path, second: Path, done: object = "") -> None:
    one, other = contents(first), contents(second)
    assert one.keys() == other.keys(), done
    assert [name for name in one if one[name] != other[name]] == [], done


def change(texts: Texts, rng: random.Random) -> str:
    """One edit of a kind that memories see; says which."""
    days = [uri for uri in texts if uri.startswith("daily/2025-")]
    match rng.choice(["edit", "title", "topic", "day", "delete", "month"]):
        case "edit":
            uri = rng.choice(list(texts))
            texts[uri] = (texts[uri][0], f"Edited {rng.random()}\n\n## Head {rng.random()}")
            return f"edit {uri}"
        case "title":
            uri = rng.choice(list(texts))
            texts[uri] = (f"Title {rng.random()} <i>", texts[uri][1])
            return f"title {uri}"
        case "topic":
            uri = f"topics/topic-{rng.randrange(100)}/"
            texts[uri] = (uri, "new")
            return f"topic {uri}"
        case "day":
            uri = f"daily/2025-03-{rng.randrange(1, 31):02d}/"
            texts[uri] = (uri, "new day")
            return f"day {uri}"
        case "month":
            texts[f"daily/2025/{rng.randrange(4, 12):02d}/"] = ("A month", "")
            return "month"
        case _:
            uri = rng.choice([*days, "topics/博客项目/"])
            texts.pop(uri, None)
            return f"delete {uri}"


@pytest.mark.parametrize("seed", range(4))
def test_an_incremental_build_equals_a_clean_one(
    seed: int, texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    build_plan(make_plan(texts), load_config(kept))
    for step in range(4):
        done = [change(texts, rng) for _ in range(rng.randrange(1, 4))]
        result = build_plan(make_plan(texts), load_config(kept), clean=False)
        assert result.pages == len(texts)
        build_plan(make_plan(texts, cache=None), load_config(fresh / str(step)))
        assert_same(kept, fresh / str(step), done)


def test_one_edit_renders_one_page(texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build_plan(make_plan(texts), load_config(site)).rendered == len(texts)
    assert build_plan(make_plan(texts), load_config(site)).rendered == 0
    texts["daily/2025-03-22/"] = ("22 March", "Other words.")
    assert build_plan(make_plan(texts), load_config(site)).rendered == 1
    assert "Other words." in (site / "daily/2025-03-22/index.html").read_text(encoding="utf-8")


def test_a_new_title_renders_the_pages_that_show_it(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    build_plan(make_plan(texts), load_config(tmp_path / "site"))
    texts["daily/2025-03-22/"] = ("Saturday", "- [x] done\n\n## More")
    assert build_plan(make_plan(texts), load_config(tmp_path / "site")).rendered == 3


def test_a_new_topic_leaves_the_pages_of_other_sections_alone(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    build_plan(make_plan(texts), load_config(tmp_path / "site"))
    texts["topics/garden/"] = ("garden", "")
    assert build_plan(make_plan(texts), load_config(tmp_path / "site")).rendered == 5


def test_a_section_that_was_a_lone_page_is_one_on_every_page(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    topics = {uri: text for uri, text in texts.items() if uri.startswith("topics/") and uri != "topics/"}
    lone = {uri: text for uri, text in texts.items() if uri not in topics}
    for number, kept in enumerate((lone, texts, lone)):
        build_plan(make_plan(kept), load_config(tmp_path / "site"))
        build_plan(make_plan(kept), load_config(tmp_path / str(number)), clean=True)
        assert_same(tmp_path / "site", tmp_path / str(number), number)


def test_what_is_gone_is_removed_with_its_empty_folders(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    for uri in ("topics/personal-blog/", "topics/personal-blog/gen1/"):
        del texts[uri]
    build_plan(make_plan(texts), load_config(site))
    assert not (site / "topics/personal-blog").exists()
    assert (site / "topics/index.html").is_file()


def test_a_damaged_output_is_repaired(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    before = contents(site)
    (site / "index/index.html").write_text("damaged", encoding="utf-8")
    (site / "daily/2025-03-20/index.html").unlink()
    assert build_plan(make_plan(texts), load_config(site)).rendered == 2
    assert contents(site) == before


def test_a_build_that_dies_leaves_no_key_that_is_not_true(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    before = contents(site)

    def dies() -> Content:
        raise KeyboardInterrupt

    edited = make_plan(texts | {"index/": ("Index", "other"), "daily/2025-03-20/": ("20 March", "other")})
    pages = tuple(replace(page, content=dies) if page.uri == "index/" else page for page in edited.pages)
    with pytest.raises(KeyboardInterrupt):
        build_plan(replace(edited, pages=pages), load_config(site))
    build_plan(make_plan(texts), load_config(site))
    assert contents(site) == before


def test_another_configuration_is_a_clean_build(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    result = build_plan(make_plan(texts), load_config(site, site_name="Other"))
    assert result.rendered == len(texts)
    assert "Other" in (site / "index.html").read_text(encoding="utf-8")


def test_a_damaged_cache_is_a_clean_build(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    (database,) = (tmp_path / "cache").glob("*.sqlite")
    database.write_bytes(b"not a database" * 100)
    assert build_plan(make_plan(texts), load_config(site)).rendered == len(texts)
    assert build_plan(make_plan(texts), load_config(site)).rendered == 0


def test_where_nothing_can_be_kept_every_build_is_a_clean_one(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way of a folder", encoding="utf-8")
    plan = make_plan(texts, cache=tmp_path / "file" / "cache")
    for _ in range(2):
        result = build_plan(plan, load_config(tmp_path / "site"))
        assert result.rendered == len(texts)
        assert [warning for warning in result.warnings if "nothing is kept there" in warning] == list(result.warnings)
        assert len(result.warnings) == 1
    build_plan(make_plan(texts, cache=None), load_config(tmp_path / "fresh"))
    assert_same(tmp_path / "site", tmp_path / "fresh")


def test_a_locked_cache_is_a_clean_build_and_then_an_incremental_one_again(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "PATIENCE", 0.05)
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    (database,) = (tmp_path / "cache").glob("*.sqlite")
    edited = texts | {"index/": ("Index", "other")}
    with closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN EXCLUSIVE")
        result = build_plan(make_plan(edited), load_config(site))
        assert result.rendered == len(texts)
        assert "nothing is kept there" in result.warnings[0]
    build_plan(make_plan(texts), load_config(site))
    build_plan(make_plan(texts, cache=None), load_config(tmp_path / "fresh"))
    assert_same(site, tmp_path / "fresh")
    assert build_plan(make_plan(texts), load_config(site)).rendered == 0


def search_damages(database: Path) -> dict[str, Callable[[], object]]:
    """What can happen to what is kept; what is returned has to be held while the build goes on."""

    def ask(sql: str) -> sqlite3.Connection:
        other = sqlite3.connect(database, isolation_level=None)
        other.execute(sql)
        return other

    return {
        "no pieces": lambda: ask("DELETE FROM pieces").close(),
        "a piece less": lambda: ask("DELETE FROM pieces WHERE dest LIKE 'topics/%'").close(),
        "no table of pieces": lambda: ask("DROP TABLE pieces").close(),
        "no state": lambda: ask("DROP TABLE found").close(),
        "no files": lambda: ask("DELETE FROM files").close(),
        "emptied": lambda: database.write_bytes(b""),
        "held": lambda: ask("BEGIN EXCLUSIVE"),
    }


@pytest.mark.parametrize("during", [False, True])
@pytest.mark.parametrize("damage", search_damages(Path()))
def test_search_knows_all_pages_whatever_happens_to_what_is_kept(
    texts: Texts,
    make_plan: MakePlan,
    load_config: LoadConfig,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: str,
    during: bool,
) -> None:
    monkeypatch.setattr(cache_module, "PATIENCE", 0.05)
    site, held = tmp_path / "site", list[object]()
    build_plan(make_plan(texts), load_config(site))
    (database,) = (tmp_path / "cache").glob("*.sqlite")

    def make() -> bytes:
        held.append(search_damages(database)[damage]())
        return b""

    edited = texts | {"index/": ("Index", "other")}
    part = PagePart("index/part.js", (), make if during else bytes)
    if not during:
        held.append(search_damages(database)[damage]())
    build_plan(with_parts(make_plan(edited), part), load_config(site))
    part = replace(part, content=bytes)
    build_plan(with_parts(make_plan(edited, cache=None), part), load_config(tmp_path / "fresh"))
    assert_same(site, tmp_path / "fresh")
    for connection in held:
        if isinstance(connection, sqlite3.Connection):
            connection.close()
    texts["index/"] = ("Index", "third")
    build_plan(with_parts(make_plan(texts), part), load_config(site))
    build_plan(with_parts(make_plan(texts, cache=None), part), load_config(tmp_path / "again"))
    assert_same(site, tmp_path / "again")


def with_parts(plan: SitePlan, *parts: PagePart) -> SitePlan:
    return replace(plan, machines=lambda _: MachineFiles(parts))


def test_a_folder_that_is_not_ours_is_refused_and_untouched(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(RefusedError, match="did not make"):
        build_plan(make_plan(texts), load_config(site), clean=True)
    assert contents(site) == {"thesis.txt": b"years of work"}


def test_strict_fails_for_a_problem_of_the_memory(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    problem = Problem(PurePosixPath("memory/INDEX.md"), 3, "no such day")
    plan = make_plan(texts, problems=(problem,))
    assert "memory/INDEX.md:3: no such day" in build_plan(plan, load_config(tmp_path / "site")).warnings[0]
    with pytest.raises(RefusedError, match=r"INDEX\.md:3"):
        build_plan(plan, load_config(tmp_path / "site", strict=True))
    assert build_plan(make_plan(texts), load_config(tmp_path / "site", strict=True)).warnings == ()


def test_a_page_that_could_not_be_made_is_a_warning_of_every_build_until_it_can(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    whole = make_plan(texts)
    failed = Content("<p>This page could not be made.</p>", failure="this page could not be made: ValueError: no")
    broken = replace(
        whole, pages=tuple(replace(one, content=lambda: failed) if one.uri == "index/" else one for one in whole.pages)
    )
    for _ in range(2):
        result = build_plan(broken, load_config(tmp_path / "site"))
        assert result.warnings == ("memsite: index/: this page could not be made: ValueError: no",)
    assert result.rendered == 1
    with pytest.raises(RefusedError, match="index/: this page could not be made"):
        build_plan(broken, load_config(tmp_path / "site", strict=True))
    assert build_plan(whole, load_config(tmp_path / "site", strict=True)).rendered == 1


def test_titles_are_text_everywhere(texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path) -> None:
    evil = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\"'"
    texts["topics/evil/"] = (evil, "")
    texts["daily/2025-03-22/"] = (evil, f"## {evil}\n\n## `{evil}`")
    build_plan(make_plan(texts, shown_at=evil), load_config(tmp_path / "site", site_name=evil, site_description=evil))
    for path in (tmp_path / "site").rglob("*.html"):
        tree = html5lib.parse(path.read_text(encoding="utf-8"), namespaceHTMLElements=False)
        assert not [element for element in tree.iter("script") if "alert" in (element.text or "")], path
        assert not [element for element in tree.iter() if "onerror" in element.attrib], path
        assert not [element for element in tree.iter("img") if element.get("src") == "x"], path
    page = html5lib.parse((tmp_path / "site/topics/evil/index.html").read_bytes(), namespaceHTMLElements=False)
    assert page.find("head/title").text == f"{evil} - {evil}"


def test_every_page_begins_with_the_policy_and_carries_nothing_inline(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    build_plan(make_plan(texts), load_config(tmp_path / "site"))
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) == len(texts) + 1
    for path in pages:
        tree = html5lib.parse(path.read_bytes(), namespaceHTMLElements=False)
        head = list(tree.find("head"))
        assert head[0].get("charset") == "utf-8"
        assert head[1].get("http-equiv") == "Content-Security-Policy"
        assert not list(tree.iter("style"))
        assert not [element for element in tree.iter() if "style" in element.attrib]
        assert not [element for element in tree.iter("script") if not element.get("src")]


def test_nothing_on_a_page_leads_out_of_the_site_by_itself(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    build_plan(make_plan(texts), load_config(tmp_path / "site", repo_url="https://github.com/ada/memory"))
    for path in (tmp_path / "site").rglob("*.html"):
        tree = html5lib.parse(path.read_bytes(), namespaceHTMLElements=False)
        loaded = [
            element.get("src") or element.get("href")
            for element in tree.iter()
            if element.tag in ("script", "img", "link")
        ]
        assert not [url for url in loaded if url and ("://" in url or url.startswith("//"))], path
        assert not [element for element in tree.iter() if element.get("data-md-component") == "source"]


@pytest.mark.parametrize(
    "evil", ["javascript://example.org/%0aalert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,x"]
)
def test_no_link_of_the_configuration_runs_anything(
    evil: str, texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    config = load_config(tmp_path / "site", extra={"homepage": evil, "social": [{"icon": "x", "link": evil}]})
    config.repo_url = evil
    config.site_url = evil
    result = build_plan(make_plan(texts), config)
    for path in (tmp_path / "site").rglob("*.html"):
        tree = html5lib.parse(path.read_bytes(), namespaceHTMLElements=False)
        targets = [element.get("href") or element.get("src") or "" for element in tree.iter()]
        assert [url for url in targets if url and not is_safe_link(url) and not url.startswith("data:image/")] == []
    assert sum("is no web address" in warning for warning in result.warnings) == 3


def test_the_site_map_has_the_days_of_the_pages(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site, site_url="https://example.org/memory/"))
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    found = {
        url.findtext("s:loc", "", space): url.findtext("s:lastmod", "", space)
        for url in ET.fromstring((site / "sitemap.xml").read_text(encoding="utf-8")).findall("s:url", space)  # noqa: S314 - ours
    }
    assert found["https://example.org/memory/daily/2025-03-20/"] == "2025-03-20"
    assert found["https://example.org/memory/"] == "2025-04-01"
    assert "https://example.org/memory/topics/%E5%8D%9A%E5%AE%A2%E9%A1%B9%E7%9B%AE/" in found
    packed = (site / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(packed) == (site / "sitemap.xml").read_bytes()
    assert int.from_bytes(packed[4:8], "little") == 1743465600


def test_files_of_the_memory_and_headers_are_on_the_site(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    image, style = Blob(blob_id(b"png"), b"png"), Blob(blob_id(b"p{}"), b"p{}")
    plan = make_plan(texts, assets={PurePosixPath("memory/a.png"): image}, styles={PurePosixPath("own.css"): style})
    build_plan(plan, load_config(site, extra_css=["own.css"]))
    assert (site / "assets/memory/memory/a.png").read_bytes() == b"png"
    assert (site / "own.css").read_bytes() == b"p{}"
    assert 'href="../own.css"' in (site / "index/index.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in (site / "_headers").read_text(encoding="utf-8")
    build_plan(make_plan(texts), load_config(site, extra_css=["own.css"]))
    assert not (site / "assets/memory").exists()


def test_addresses_of_any_script_are_folders_and_encoded_links(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    build_plan(make_plan(texts), load_config(tmp_path / "site"))
    assert (tmp_path / "site/topics/博客项目/index.html").is_file()
    assert "%E5%8D%9A%E5%AE%A2" in (tmp_path / "site/topics/index.html").read_text(encoding="utf-8")


def with_part(plan: SitePlan, name: str, key: str, made: list[str]) -> SitePlan:
    """The plan with a file beside its index page, whose making is noted."""

    def make() -> bytes:
        made.append(key)
        return key.encode()

    part = PagePart(f"index/{name}.js", (key,), make)
    return replace(plan, pages=tuple(replace(p, parts=(part,)) if p.uri == "index/" else p for p in plan.pages))


def test_a_part_is_made_again_only_when_its_key_changes_and_goes_with_its_page(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    made: list[str] = []
    site = tmp_path / "site"
    for key, parts in (("one", ["one"]), ("one", ["one"]), ("two", ["one", "two"])):
        build_plan(with_part(make_plan(texts), "part", key, made), load_config(site))
        assert made == parts
        assert (site / "index/part.js").read_text() == key
    build_plan(with_part(make_plan(texts), "other", "two", made), load_config(site))
    assert not (site / "index/part.js").exists()
    assert (site / "index/other.js").read_text() == "two"
    (site / "index/other.js").write_text("damaged")
    build_plan(with_part(make_plan(texts), "other", "two", made), load_config(site))
    assert (site / "index/other.js").read_text() == "two"


@pytest.mark.parametrize("before", ["nothing", "a site", "a clean build"])
def test_nothing_is_written_through_a_link_in_the_output_folder(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path, before: str
) -> None:
    """Who can write the workspace can put a link into the site's folder; with the marker that says it is ours, too."""
    site, outside = tmp_path / "site", tmp_path / "outside"
    outside.mkdir()
    (outside / "index.html").write_text("precious\n", encoding="utf-8")
    if before == "nothing":
        site.mkdir()
        (site / MARKER).write_text("", encoding="utf-8")
    else:
        build_plan(make_plan(texts), load_config(site))
        shutil.rmtree(site / "topics")
        (site / "404.html").unlink()
    (site / "topics").symlink_to(outside)
    (site / "404.html").symlink_to(outside / "index.html")
    build_plan(make_plan(texts), load_config(site), clean=before == "a clean build")
    assert [path.name for path in outside.iterdir()] == ["index.html"]
    assert (outside / "index.html").read_text(encoding="utf-8") == "precious\n"
    assert not [path for path in site.rglob("*") if path.is_symlink()]
    assert "<h1" in (site / "topics" / "index.html").read_text(encoding="utf-8")


def test_a_clean_build_leaves_nothing_of_what_was_there(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    """Files in place of folders, folders in place of files, other bytes of the same size and time, leftovers."""
    site, fresh = tmp_path / "site", tmp_path / "fresh"
    build_plan(with_part(make_plan(texts), "part", "two", []), load_config(site))
    shutil.rmtree(site / "topics")
    (site / "topics").write_text("a file", encoding="utf-8")
    (site / "index.html").unlink()
    (site / "index.html" / "deep").mkdir(parents=True)
    (site / "index.html" / "deep" / "left.txt").write_text("left", encoding="utf-8")
    (site / "empty" / "folder").mkdir(parents=True)
    (site / "search" / "left.js").write_text("left", encoding="utf-8")
    part = site / "index/part.js"
    times = part.stat()
    part.write_text("owt", encoding="utf-8")
    os.utime(part, ns=(times.st_atime_ns, times.st_mtime_ns))
    build_plan(with_part(make_plan(texts), "part", "two", []), load_config(site), clean=True)
    build_plan(with_part(make_plan(texts, cache=None), "part", "two", []), load_config(fresh))
    assert_same(site, fresh)
    assert not [path for path in site.rglob("*") if path.is_dir() and not any(path.iterdir())]


@pytest.mark.parametrize("clean", [False, True])
def test_nothing_is_written_to_a_file_that_has_another_name_elsewhere(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path, clean: bool
) -> None:
    site, outside = tmp_path / "site", tmp_path / "precious"
    outside.write_text("precious\n", encoding="utf-8")
    build_plan(make_plan(texts), load_config(site))
    for name in ("index.html", "404.html", "daily/2025-03-22/index.html", "search/manifest.js"):
        (site / name).unlink()
        (site / name).hardlink_to(outside)
    build_plan(make_plan(texts), load_config(site), clean=clean)
    assert outside.read_text(encoding="utf-8") == "precious\n"
    assert "precious" not in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("clean", [False, True])
def test_a_pipe_in_the_output_folder_holds_no_build_up(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path, clean: bool
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    for name in ("index.html", "404.html"):
        (site / name).unlink()
        os.mkfifo(site / name)
    build_plan(make_plan(texts), load_config(site), clean=clean)
    assert "<h1" in (site / "index.html").read_text(encoding="utf-8")
    assert (site / "404.html").is_file()


def test_what_was_a_file_becomes_a_folder_and_the_reverse(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    for name in ("part", "part.js/deeper", "part"):
        build_plan(with_part(make_plan(texts), name, name, []), load_config(site))
        fresh = tmp_path / f"fresh-{len(list(tmp_path.iterdir()))}"
        build_plan(with_part(make_plan(texts, cache=None), name, name, []), load_config(fresh))
        assert_same(site, fresh, name)


def test_a_file_in_place_of_a_folder_of_the_site_makes_way(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    before = contents(site)
    shutil.rmtree(site / "topics")
    (site / "topics").write_text("a file", encoding="utf-8")
    build_plan(make_plan(texts), load_config(site))
    assert contents(site) == before


def test_pages_can_be_looked_at_when_all_are_written_and_those_that_are_gone_are_not_there(
    texts: Texts, make_plan: MakePlan, load_config: LoadConfig, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    build_plan(make_plan(texts), load_config(site))
    del texts["daily/2025-03-22/"]
    texts["index/"] = ("Index", "Other words.")
    seen: list[bool] = []

    def shown() -> None:
        seen.append("Other words." in (site / "index/index.html").read_text(encoding="utf-8"))
        seen.append((site / "daily/2025-03-22/index.html").exists())

    build_plan(make_plan(texts), load_config(site), shown=shown)
    assert seen == [True, False]
