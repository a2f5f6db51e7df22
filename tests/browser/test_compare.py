"""Any two generations, compared in the real browser: with the marks of the pages that Python makes, and nothing run."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from memsite.prose.diff import MAX_LENGTH
from memsite.site.pages.compare_data import part_data
from memsite.site.pages.differences import Difference, Row, compare_texts
from memsite.site.theme import ASSETS, PAGE_SCRIPTS
from tests.browser.conftest import Served, Watched
from tests.conftest import Demo, Run
from tests.prose.test_diff_table import CASES

pytestmark = pytest.mark.browser

ENGINE = [name for name in PAGE_SCRIPTS["compare-any"] if not name.endswith(("drawing.js", "page.js"))]
PAGE = "topics/personal-blog/compare/"


# The engine by itself


@pytest.fixture
def engine(watched: Watched) -> Page:
    """A blank page with the engine in it."""
    for name in ENGINE:
        watched.page.add_script_tag(path=ASSETS / name)
    return watched.page


COMPARED = """(pairs) => pairs.map(([old, recent, most]) => {
  const words = (items) => items.map(({ op, text, marks }) => [op, text, marks]);
  const row = (one) => ({
    kind: one.kind, type: one.type, prefix: one.prefix, level: one.level, notes: one.notes, oldShape: one.oldShape,
    inNew: one.inNew, words: words(one.words), before: words(one.before), after: words(one.after),
  });
  const found = memsiteCompare.compareParts(old, recent, most);
  const stretches = found.stretches.map(({ rows, folded }) => [folded, rows.map(row)]);
  return { summary: found.summary, changed: found.changed, stretches };
})"""


def in_browser(engine: Page, pairs: list[tuple[str, str]]) -> list[Any]:
    """What the browser makes of pairs of texts."""
    data = [[part_data(old, {}, PAGE), part_data(new, {}, PAGE), MAX_LENGTH] for old, new in pairs]
    return engine.evaluate(COMPARED, data)  # type: ignore[no-any-return]  # JSON of any kind


def in_python(found: Difference) -> dict[str, Any]:
    """The same of Python's comparison."""
    stretches = [[stretch.folded, [_row(row) for row in stretch.rows]] for stretch in found.stretches]
    return {"summary": found.summary, "changed": found.changed, "stretches": stretches}


def _row(row: Row) -> dict[str, Any]:
    shape = row.old_shape
    texts = {"words": row.words, "before": row.before, "after": row.after}
    return {
        "kind": row.kind,
        "type": row.type,
        "prefix": row.prefix,
        "level": row.level,
        "notes": list(row.notes),
        "oldShape": shape and {"type": shape.type, "prefix": shape.prefix, "level": shape.level},
        "inNew": row.new_line is not None,
        **{name: [[word.op, word.text, list(word.marks)] for word in words] for name, words in texts.items()},
    }


def assert_agree(engine: Page, pairs: list[tuple[str, str]]) -> None:
    for pair, found in zip(pairs, in_browser(engine, pairs), strict=True):
        assert found == in_python(compare_texts(*pair, {})), pair


def test_every_pair_of_the_table_gets_the_same_marks_in_the_browser(engine: Page) -> None:
    assert_agree(engine, [(old, new) for old, new, _ in CASES.values()])


WORDS = [
    *("blog", "Next.js", "the", "a", "deploy", "2025-03-20", "1,000", "don't", "constructor", "__proto__"),
    *("部署", "方案。", "四十", "カナ", "る", "て", "い", "한국어", "café", "e\u0301", "\u0301", "👩‍💻", "\U00020000"),
    *("“好”", "——", "`消息 -a`", "~~struck~~"),
    *("**bold**", "`code`", "[l](x.md)", "[2025-03-20]", "x,", "=", "<b>", "\x1c", "\u3000", "\ue000"),
]
FORMS = [
    "{}",
    "- {}",
    "  - {}",
    "1. {}",
    "## {}",
    "> {}",
    "| {} | 1 |",
    "```\n{}\n  {} = 1\n{}\n```",
    "Label: {}",
    "\n    {}\n      {}",
    "",
]


def phrase(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))


def document(rng: random.Random) -> str:
    forms = rng.choices(FORMS, k=rng.randint(0, rng.choice([4, 14, 40])))
    return "\n".join(form.format(*(phrase(rng) for _ in range(form.count("{}")))) for form in forms)


def edited(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(0, 6)):
        at = rng.randrange(len(lines))
        match rng.randrange(4):
            case 0:
                lines.insert(at, phrase(rng))
            case 1:
                lines.insert(rng.randrange(len(lines)), lines.pop(at))
            case 2:
                lines[at] = lines[at].replace(rng.choice(WORDS), rng.choice(WORDS), 1)
            case _:
                lines[at] += " " + phrase(rng)
    return "\n".join(lines)


def test_generated_pairs_get_the_same_marks_in_the_browser(engine: Page) -> None:
    rng = random.Random(6)
    old = [document(rng) for _ in range(300)]
    assert_agree(engine, [(text, edited(text, rng) if rng.random() < 0.7 else document(rng)) for text in old])


def test_what_is_too_long_for_a_browser_says_so(engine: Page) -> None:
    rng = random.Random(1)
    one, other = ("".join(rng.choices("数据平台部署方案", k=60_000)) for _ in range(2))
    (found,) = in_browser(engine, [(one, other)])
    assert found == {"summary": "too long to be compared here", "changed": True, "stretches": []}


# The page


@pytest.fixture
def served(demo: Demo, tmp_path: Path) -> Iterator[str]:
    """The site's address at a server, below a sub-path."""
    server = Served(demo.site, tmp_path / "root")
    yield server.address
    server.stop()


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, demo: Demo) -> str:
    """The page from the disk, and from a server."""
    if request.param == "file":
        return (demo.site / PAGE / "index.html").as_uri()
    return str(request.getfixturevalue("served")) + PAGE


def lead(page: Page) -> str:
    """What the page says, once it has compared."""
    found = page.locator("[data-memsite-compare=lead]")
    expect(found).to_have_text(re.compile(r"^\s*(?!Comparing …)\S"))  # nothing yet, as the page loads, is no answer
    return found.inner_text()


def test_any_two_generations_have_a_permalink_and_two_pickers_lead_to_it(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}#1..3")
    assert re.fullmatch(r"\d+ words added, \d+ removed, in \d+ blocks.*", lead(page))
    expect(page).to_have_title(re.compile("generations 1 and 3 compared - "))
    expect(page.locator(".memsite-diff-inline del", has_text="Next.js").first).to_be_visible()
    expect(page.locator(".memsite-diff-inline ins", has_text="Cloudflare").first).to_be_visible()
    expect(page.get_by_role("link", name="this step as a page")).to_have_count(0)
    page.get_by_label("To", exact=True).select_option("2")
    expect(page).to_have_url(re.compile(r"#1\.\.2$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 → 2")
    page.get_by_role("button", name="Swap both generations").click()
    expect(page).to_have_url(re.compile(r"#2\.\.1$"))
    expect(page.locator(".memsite-diff-inline ins", has_text="Next.js").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 → 2")
    page.get_by_role("link", name="this step as a page").click()
    expect(page).to_have_url(re.compile(r"/compare/1\.\.2/"))
    assert watched.complaints == []
    assert [url for url in watched.requests if not url.startswith((address.rpartition("topics/")[0], "data:"))] == []


DIFFERENCE = """() => {
  const tidy = (html) => html.replace(/\\s+/g, " ").replaceAll("> <", "><").replaceAll("> ", ">").replaceAll(" <", "<");
  const all = (selector) => Array.from(document.querySelectorAll(selector), (one) => tidy(one.innerHTML).trim());
  return [
    ...all(".memsite-diff-inline"), ...all(".memsite-diff-beside"), ...all(".memsite-diff-references"),
    document.querySelector(".memsite-lead").textContent.trim(),
  ];
}"""


def difference(page: Page) -> list[str]:
    found: list[str] = page.evaluate(DIFFERENCE)
    # The static page is one folder deeper.
    return [part.replace('href="../../../../', 'href="../../../').replace(' open=""', "") for part in found]


@pytest.mark.parametrize("pair", ["1..2", "2..3"])
def test_two_consecutive_generations_look_as_on_their_own_page(watched: Watched, served: str, pair: str) -> None:
    watched.page.goto(f"{served}{PAGE}{pair}/")
    static = difference(watched.page)
    watched.page.goto(f"{served}{PAGE}#{pair}")
    lead(watched.page)
    assert difference(watched.page) == static
    assert len(static) == 4
    assert "<ins>" in static[0]


def test_without_an_anchor_the_first_and_the_newest_are_compared(watched: Watched, address: str) -> None:
    watched.page.goto(address)
    lead(watched.page)
    expect(watched.page.get_by_label("From")).to_have_value("1")
    expect(watched.page.get_by_label("To", exact=True)).to_have_value("3")


@pytest.mark.parametrize(
    ("anchor", "says"),
    [
        ("2..9", "There is no generation 9 of personal-blog"),
        ("__proto__..2", "There is no generation __proto__ of personal-blog"),
        ("1..2..3", "There is no generation 1..2..3 of personal-blog"),
        ("%E0..2", "There is no generation %E0 of personal-blog"),
        ("3..", "Both are the same generation"),
        ("2..2", "Both are the same generation"),
    ],
)
def test_an_address_that_names_no_two_generations_says_so(watched: Watched, demo: Demo, anchor: str, says: str) -> None:
    watched.page.goto((demo.site / PAGE / "index.html").as_uri() + f"#{anchor}")
    assert lead(watched.page) == says
    assert watched.complaints == []


def test_it_is_used_by_keyboard_and_said_to_those_who_hear_it(watched: Watched, demo: Demo) -> None:
    page = watched.page
    page.goto((demo.site / PAGE / "index.html").as_uri() + "#1..3")
    lead(page)
    page.get_by_label("From").focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile(r"#2\.\.3$"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Swap both generations")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"#3\.\.2$"))
    expect(page.get_by_role("status")).to_contain_text("words added")
    page.get_by_role("radio", name="Inline").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".memsite-diff-beside")).to_be_visible()
    expect(page.locator(".memsite-diff-inline")).to_be_hidden()
    for kind, cell, sign in (("delete", "first", "−"), ("insert", "last", "+")):
        row = page.locator(f".memsite-diff-beside .memsite-diff-is-{kind}").first
        expect(row.locator(f"> div:{cell}-child > .memsite-diff-sign")).to_contain_text(sign)


def test_pages_about_generations_lead_to_it(watched: Watched, demo: Demo) -> None:
    page = watched.page
    for uri, name, anchor in (
        ("topics/personal-blog/", "Compare any two generations", "#1.."),
        ("topics/personal-blog/gen2/", "compare with…", "#2.."),
        ("topics/personal-blog/gen3/", "compare with…", "#1.."),
        ("topics/personal-blog/compare/1..2/", "compare others…", "#1..2"),
    ):
        page.goto((demo.site / uri / "index.html").as_uri())
        page.get_by_role("link", name=name).click()
        expect(page).to_have_url(re.compile(re.escape(f"{PAGE}index.html{anchor}") + "$"))
        assert "words added" in lead(page)


def test_without_scripts_it_says_so_and_lists_the_consecutive_pages(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((demo.site / PAGE / "index.html").as_uri())
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_label("From")).to_be_hidden()
    expect(page.get_by_role("link", name="against the newest")).to_have_count(0)
    hrefs = [link.get_attribute("href") for link in page.get_by_role("link", name="what it changed").all()]
    assert hrefs == ["2..3/", "1..2/"]
    context.close()


HOSTILE = """# Blog - Generation {number} Consolidation

## Summary
<img src=x onerror=alert(1)> says "{number}". </script><script>alert(2)</script> [x](javascript:alert(3)) {{{{ 7 }}}}

## constructor
- __proto__: {number} `</script>` *hasOwnProperty* toString <b onmouseover=alert(4)>word {number}</b>
"""


@pytest.fixture
def hostile(memsite: Run, workspace: Path) -> Path:
    """The site of a topic whose generations are built to break a page."""
    memsite("init")
    folder = workspace / "memory" / "consolidated"
    folder.mkdir(exist_ok=True)
    for number, day in ((1, "2025-03-25"), (2, "2025-04-01"), (3, "2025-04-02")):
        text = HOSTILE.format(number=number).encode() + (b"\xff\xfe \xed\xa0\x80\x00" if number == 3 else b"")
        (folder / f"blog-gen{number}-{day}.md").write_bytes(text)
    done = memsite("build", "--no-commit")
    assert done.code == 0, done.err
    return workspace / "site"


def test_texts_of_the_memory_are_text_and_nothing_else(watched: Watched, hostile: Path) -> None:
    page = watched.page
    page.on("dialog", lambda dialog: watched.complaints.append(dialog.message))
    for pair in ("1..2", "1..3", "3..1"):
        page.goto((hostile / "topics/blog/compare/index.html").as_uri() + f"#{pair}")
        page.reload()
        assert "added" in lead(page)
        shown = page.locator(".memsite-diff-inline")
        expect(shown).to_contain_text("<img src=x onerror=alert(1)>")
        expect(shown).to_contain_text("</script><script>alert(2)</script>")
        expect(shown).to_contain_text("{{ 7 }}")
        assert page.locator(".memsite-diff").locator("img, script, b, [href^=javascript]").count() == 0
    assert watched.complaints == []


@pytest.mark.parametrize("width", [400, 900, 1600])
def test_no_comparison_is_wider_than_the_window(watched: Watched, demo: Demo, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 900})
    watched.page.goto((demo.site / PAGE / "index.html").as_uri() + "#1..3")
    lead(watched.page)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_moves_while_the_page_that_compares_is_drawn(watched: Watched, demo: Demo) -> None:
    watched.page.goto((demo.site / "topics/personal-blog/compare/index.html").as_uri())
    watched.page.locator(".memsite-diff-inline").wait_for()
    shifts = watched.page.evaluate(
        """() => new Promise(done => {
            const found = []
            new PerformanceObserver(list => found.push(...list.getEntries().map(one => one.value)))
                .observe({type: "layout-shift", buffered: true})
            setTimeout(() => done(found), 200)
        })"""
    )
    assert shifts == []
    assert watched.page.get_by_role("heading", name="One step at a time").is_visible()
