"""Memory Markdown: what agents write becomes HTML, what attackers write becomes text."""

from __future__ import annotations

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.site.markdown import MAX_SOURCE, RenderedMarkdown, find_sentences, render_markdown
from memsite.site.search.documents import plain_text
from tests.conftest import cpu_seconds


def nowhere(_href: str) -> str | None:
    return None


def render(text: str, **links: str) -> RenderedMarkdown:
    return render_markdown(text, resolve=links.get)


def test_two_space_lists_of_the_index_stay_nested() -> None:
    html = render("- **personal-blog**\n  - Dates: [2025-03-20]\n  - Status: active\n").html
    assert html.count("<ul>") == 2
    assert "Dates: [2025-03-20]" in html


def test_a_list_after_a_paragraph_is_a_list() -> None:
    assert "<li>one</li>" in render("Then:\n- one\n- two\n").html


def test_tables_strikethrough_tasks_and_footnotes_are_rendered() -> None:
    html = render("| a | b |\n|---|---|\n| 1 | 2 |\n\n~~gone~~\n\n- [x] done\n\nnote[^1]\n\n[^1]: below\n").html
    for tag in ("<td>1</td>", "<s>gone</s>", 'type="checkbox"', "footnote"):
        assert tag in html


def box(kind: str, title: str, body: str = "") -> str:
    return f'<div class="admonition {kind}">\n<p class="admonition-title">{title}</p>\n{body}</div>\n'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("> [!warning] Be *quick*, <b>\n> run", box("warning", "Be <em>quick</em>, &lt;b&gt;", "<p>run</p>\n")),
        ("> [!IMPORTANT]\n> run", box("tip", "Important", "<p>run</p>\n")),
        ("> [!my-own|right] T", box("note", "T")),
        ("> [!note]\n> > [!bug] B\n>\n> x", box("note", "Note", f"{box('bug', 'B')}<p>x</p>\n")),
        ("> [!note]\n> > q", box("note", "Note", "<blockquote>\n<p>q</p>\n</blockquote>\n")),
        (
            "> [!faq]- Why?\n> So.",
            '<details class="admonition question">\n<summary>Why?</summary>\n<p>So.</p>\n</details>\n',
        ),
        ("> [!tip]+", '<details class="admonition tip" open="open">\n<summary>Tip</summary>\n</details>\n'),
        ("> [!note]x", "<blockquote>\n<p>[!note]x</p>\n</blockquote>\n"),
        ("> so [!note] x", "<blockquote>\n<p>so [!note] x</p>\n</blockquote>\n"),
        ("> \\[!note] x", "<blockquote>\n<p>[!note] x</p>\n</blockquote>\n"),
        ("[!note] x", "<p>[!note] x</p>\n"),
    ],
)
def test_a_callout_is_a_box_with_a_title(text: str, html: str) -> None:
    assert render(text).html == html


def test_the_words_of_a_callout_are_read_and_its_lines_can_be_linked() -> None:
    text = "> [!warning]- Two words\n> One.\n>\n> Two.\n"
    found = render_markdown(text, resolve=nowhere, line_anchors=True)
    assert plain_text(found.html) == "Two words\nOne.\nTwo."
    assert find_sentences(text) == ("Two words", "One.", "Two.")
    assert find_sentences("> [!note]\n> One.\n") == ("One.",)
    at = [found.html.index(part) for part in ("L1", "<details", "L2", "One.", "L3", "L4", "Two.", "</details>")]
    assert at == sorted(at)
    assert {"L1", "L2"} <= render_markdown(">\n> [!tip] T", resolve=nowhere, line_anchors=True).anchors


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**重要：**内容", "<strong>重要：</strong>内容"),
        ("**决定：**Vercel", "<strong>决定：</strong>Vercel"),
        ("他说**「好」**然后", "他说<strong>「好」</strong>然后"),
        ("今天**决定**部署", "今天<strong>决定</strong>部署"),
        ("これは*「テスト」*です", "これは<em>「テスト」</em>です"),
        ("**서울(Seoul)**은", "<strong>서울(Seoul)</strong>은"),
        ("重 ** 要 ** x", "重 ** 要 ** x"),
        ("**a.**b **c**", "**a.**b <strong>c</strong>"),
    ],
)
def test_emphasis_ends_where_a_script_without_spaces_goes_on(text: str, html: str) -> None:
    assert render(text).html == f"<p>{html}</p>\n"


def test_columns_keep_their_alignment() -> None:
    assert '<td align="right">1</td>' in render("| a |\n|--:|\n| 1 |\n").html


def test_pseudo_tags_and_html_show_as_text() -> None:
    html = render("run `x` with <placeholder> and <script>alert(1)</script>").html
    assert "&lt;placeholder&gt;" in html
    assert "<script" not in html


@pytest.mark.parametrize(
    "text",
    ["a\n<!-- DAILY_FLUSH -->\nb", "a <!-- ARCHIVED: x --> b", "a\n\n<!-- one\n\ntwo -->\n\nb", "<!-- x -->\na b"],
)
def test_comments_are_hidden(text: str) -> None:
    html = render(text).html
    assert "a" in html
    assert "b" in html
    assert not {"FLUSH", "ARCHIVED", "one", "two", "x"} & set(html.replace("<", " ").replace(">", " ").split())


def test_an_unclosed_comment_hides_nothing() -> None:
    html = render("before <!-- never closed\n\nafter").html
    assert "&lt;!-- never closed" in html
    assert "after" in html


def test_a_comment_in_code_is_text() -> None:
    assert "&lt;!-- kept --&gt;" in render("```\n<!-- kept -->\n```").html
    assert "&lt;!-- kept --&gt;" in render("`<!-- kept -->`").html


def test_headings_of_any_script_keep_their_characters() -> None:
    page = render("# 博客项目\n\n## What's new?\n\n## What's new?\n\n## !!!\n")
    assert [heading.anchor for heading in page.headings] == ["博客项目", "whats-new", "whats-new-1", "section"]
    assert 'id="博客项目"' in page.html
    assert page.anchors >= {"博客项目", "whats-new-1"}
    assert page.title == "博客项目"


def test_the_title_of_a_heading_is_plain_text() -> None:
    page = render("# Use `a<b>` and *that* [link](x)\n")
    assert page.title == "Use a<b> and that link"


@pytest.mark.parametrize(
    ("text", "split", "above", "below"),
    [
        ("one\n\ntwo\n", 2, "<p>one</p>\n", "<p>two</p>\n"),
        ("- one\n- two\n\nthree\n", 1, "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n", "<p>three</p>\n"),
        ("one\n\ntwo\n", 9, "<p>one</p>\n<p>two</p>\n", ""),
        ("one\n", 0, "", "<p>one</p>\n"),
    ],
)
def test_a_text_is_parted_between_two_blocks(text: str, split: int, above: str, below: str) -> None:
    rendered = render_markdown(text, resolve=nowhere, split=split)
    assert (rendered.above, rendered.html) == (above, below)


@given(
    st.lists(st.sampled_from(["# a", "- b", "", "| c |\n|---|", "> d", "e[^1]", "[^1]: f", "```"]), max_size=9),
    st.data(),
)
def test_a_parted_text_is_the_whole_one(blocks: list[str], data: st.DataObject) -> None:
    text = "\n".join(blocks)
    split = data.draw(st.integers(0, len(blocks) + 2))
    whole = render_markdown(text, resolve=nowhere, line_anchors=True)
    parted = render_markdown(text, resolve=nowhere, line_anchors=True, split=split)
    assert (parted.above + parted.html, parted.anchors, parted.headings) == (whole.html, whole.anchors, whole.headings)


def test_heading_prefix_and_offset_serve_pages_of_several_texts() -> None:
    page = render_markdown(
        "# One\n\n[up](#one)\n\n###### Six\n", resolve=nowhere, heading_prefix="n2-", heading_offset=1
    )
    assert [(heading.level, heading.anchor) for heading in page.headings] == [(2, "n2-one"), (6, "n2-six")]
    assert '<h2 id="n2-one">' in page.html
    assert "</h2>" in page.html
    assert 'href="#n2-one"' in page.html


def test_links_are_resolved_and_broken_ones_are_marked() -> None:
    html = render("[a](x.md#y) [b](gone.md) [c](https://example.org/) [d](#nope)", **{"x.md#y": "../x/#y"}).html
    assert 'href="../x/#y"' in html
    assert 'href="https://example.org/"' in html
    assert html.count("memsite-broken") == 2
    assert "gone.md" in html


def test_an_unknown_scheme_is_no_link() -> None:
    html = render("[a](obsidian://open?x) [b](javascript:alert(1)) [c](//example.org/x)").html
    assert "<a " not in html


def test_wikilinks_are_resolved() -> None:
    html = render(
        "[[personal-blog]] and [[博客|the blog]] and [[gone]]", **{"[[personal-blog]]": "t/", "[[博客]]": "u/"}
    ).html
    assert 'href="t/"' in html
    assert ">the blog</a>" in html
    assert "memsite-broken" in html


def test_what_is_only_named_is_linked_where_that_is_asked_for() -> None:
    text = "- **blog**: see consolidated/blog-gen1.md, gone.md and `notes.md` or [a blog-gen1.md](consolidated/x.md)"
    known = {"[[blog]]": "topic/", "consolidated/blog-gen1.md": "gen1/", "consolidated/x.md": "x/", "notes.md": "no/"}
    html = render_markdown(text, resolve=known.get, names=True).html.replace(' rel="noopener noreferrer"', "")
    assert (
        '<strong><a href="topic/">blog</a></strong>: see <a href="gen1/">consolidated/blog-gen1.md</a>, '
        '<span class="memsite-broken" title="gone.md">gone.md</span> and <a href="no/"><code>notes.md</code></a> '
        'or <a href="x/">a blog-gen1.md</a>'
    ) in html
    assert "topic/" not in render_markdown(text, resolve=known.get).html


def test_a_named_day_leads_to_its_note_where_there_is_one() -> None:
    text = "- Dates: [2025-03-20, 2025-03-21], `2025-03-20` blog-2025-03-20 2025-03-200 [2025-03-20](x.md)"
    html = render_markdown(text, resolve={"2025-03-20.md": "day/", "x.md": "x/"}.get, names=True).html
    assert html.replace(' rel="noopener noreferrer"', "") == (
        '<ul>\n<li>Dates: [<a href="day/">2025-03-20</a>, 2025-03-21], <code>2025-03-20</code> '
        'blog-2025-03-20 2025-03-200 <a href="x/">2025-03-20</a></li>\n</ul>\n'
    )


def test_names_in_code_and_within_bold_words_are_no_faults() -> None:
    text = "`gone.md` and **see gone.md** and **blog *x*** and **a [b](c.md)**"
    html = render_markdown(text, resolve={"[[blog ]]": "topic/", "[[a ]]": "a/"}.get, names=True).html
    assert "<code>gone.md</code>" in html
    assert html.count("memsite-broken") == 1  # the link to c.md
    assert "topic/" not in html


def test_a_very_long_word_is_no_work_for_names() -> None:
    text = "a" * 400_000 + " **" + "b.md" * 50_000 + "**"
    assert "<a" not in render_markdown(text, resolve=lambda _: None, names=True).html


def test_a_remote_image_is_a_link_and_a_relative_one_an_image() -> None:
    html = render("![cat](https://example.org/c.png) ![dog](d.png) ![gone](e.png)", **{"d.png": "../d.png"}).html
    assert html.count("<img") == 1
    assert 'src="../d.png"' in html
    assert 'href="https://example.org/c.png"' in html
    assert "memsite-broken" in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("![[face.png]]", '<img src="assets/face.png" alt="face.png">'),
        ("![[face.png|300]]", '<img src="assets/face.png" alt="face.png">'),
        ("![[face.png|300x200]]", '<img src="assets/face.png" alt="face.png">'),
        ("![[face.png|Grace]]", '<img src="assets/face.png" alt="Grace">'),
        ("![[plan.pdf]]", '<a href="assets/plan.pdf">plan.pdf</a>'),
        ("![[garden#Beds]]", '<a href="notes/garden/#beds">garden#Beds</a>'),
        ("![the plan](plan.pdf)", '<a href="assets/plan.pdf">the plan</a>'),
        ("[![[plan.pdf]]](plan.pdf)", '<a href="assets/plan.pdf">plan.pdf</a>'),
    ],
)
def test_an_embedded_image_is_one_and_what_is_none_is_a_link(text: str, html: str) -> None:
    known = {
        "[[face.png]]": "assets/face.png",
        "[[plan.pdf]]": "assets/plan.pdf",
        "plan.pdf": "assets/plan.pdf",
        "[[garden#Beds]]": "notes/garden/#beds",
    }
    assert render(text, **known).html.replace(' rel="noopener noreferrer"', "") == f"<p>{html}</p>\n"


def test_an_embed_that_leads_nowhere_says_so() -> None:
    assert '<span class="memsite-broken" title="[[gone.png]]">gone.png</span>' in render("![[gone.png]]").html
    assert '<span class="memsite-broken" title="[[gone]]">gone</span>' in render("[[gone]]").html


def test_a_wikilink_leads_to_a_heading_of_its_own_text() -> None:
    html = render("# Big Plans\n\n[[#Big Plans]] [[#Small Plans]]").html
    assert '<a href="#big-plans" rel="noopener noreferrer">#Big Plans</a>' in html
    assert '<span class="memsite-broken" title="[[#Small Plans]]">#Small Plans</span>' in html


def test_a_remote_image_within_a_link_does_not_nest_links() -> None:
    html = render("[![b](https://example.org/b.svg)](https://example.org/)").html
    assert html.count("<a ") == 1


def test_line_anchors_stand_before_every_block() -> None:
    text = "# Head\n\ntext\nmore\n\n- item\n\n| a |\n|---|\n| b |\n"
    page = render_markdown(text, resolve=nowhere, line_anchors=True)
    assert page.anchors >= {f"L{line}" for line in range(1, 11)}
    assert page.html.index('id="L4"') < page.html.index("more")
    assert page.html.index('id="L6"') < page.html.index("item")


def test_what_is_too_long_is_shown_as_text() -> None:
    page = render("# x\n" + "a" * MAX_SOURCE)
    assert page.plain
    assert "<pre" in page.html
    assert page.headings == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("|a" * 500 + "|\n" + "|-" * 500 + "|\n" + ("|a" * 500 + "|\n") * 900, id="table"),
        pytest.param("[a]: " + "http://example.org/" + "x" * 20_000 + "\n\n" + "[a] " * 15_000, id="references"),
        pytest.param(">" * 100_000, id="quotes"),
        pytest.param("- " * 50_000, id="lists"),
        pytest.param("[" * 50_000 + "]" * 50_000, id="brackets"),
        pytest.param("![[]" * 20_000, id="images"),
        pytest.param("*a **b " * 20_000, id="emphasis"),
        pytest.param("`" * 3 + " `` ` " * 20_000, id="backticks"),
        pytest.param("<!--" * 50_000, id="comments"),
        pytest.param("<!--\n" * 20_000, id="comment lines"),
        pytest.param("[[a" * 50_000, id="wikilinks"),
        pytest.param("[^a]" * 20_000 + "\n\n[^a]: x\n", id="footnotes"),
        pytest.param("www." * 50_000, id="autolinks"),
        pytest.param("a@" * 50_000, id="mails"),
        pytest.param("~~a" * 20_000, id="strikes"),
        pytest.param("&a" * 50_000, id="entities"),
        pytest.param("[a](<" * 20_000, id="destinations"),
        pytest.param("\\" * 100_000, id="escapes"),
    ],
)
def test_bombs_are_defused(text: str) -> None:
    with cpu_seconds(60):
        page = render(text)
    assert len(page.html) < len(text) * 21 + 200_000


@given(st.text(alphabet="#[]()!<>-*`|~^:\\ \n\tabcL12&;\"'=博é\u2028\x85/@.", max_size=200))
def test_any_text_becomes_well_formed_safe_html(text: str) -> None:
    page = render_markdown(text, resolve=nowhere, line_anchors=True)
    tree = html5lib.parseFragment(page.html, namespaceHTMLElements=False)
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert page.anchors <= set(ids)
    assert not {"script", "style", "iframe"} & {element.tag for element in tree.iter()}


def test_line_anchors_of_a_part_of_a_file_are_the_lines_of_the_file() -> None:
    page = render_markdown("One.\n\n- two\n", resolve=nowhere, line_anchors=True, first_line=12)
    assert page.anchors == {"L12", "L13", "L14"}
