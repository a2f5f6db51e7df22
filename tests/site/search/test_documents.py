from __future__ import annotations

import pytest

from memsite.site.search.documents import encodable, plain_text
from tests.conftest import cpu_seconds


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>Plan</h1><p>One <b>two</b>\n three</p>", "Plan\nOne two three"),
        ("<p><strong>部</strong>署方案</p>", "部署方案"),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
        ("a<br>b", "a\nb"),
        ("x &lt;script&gt; &amp; &#x41;", "x <script> & A"),
        ("<script>alert(1)</script><style>p{}</style>word<!-- hidden -->", "word"),
        ('<h2 id="x">Head<a class="headerlink" href="#x" title="Link">¶</a></h2>', "Head"),
        ('<a title="a > b" href="x">link</a>', "link"),
        ('<img src="x.png" alt="a diagram" width="3">', "a diagram"),
        ("<button>Copy</button><svg><title>icon</title></svg>text", "text"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<TABLE><TR><TD>a</TD><TD>b</TD></TR></TABLE>", "a\nb"),
        ("<p>one</p>\n\n\n<p> </p><p>two</p>", "one\ntwo"),
        ("", ""),
    ],
)
def test_plain_text_keeps_words_and_blocks(html: str, text: str) -> None:
    assert plain_text(html) == text


def test_plain_text_of_unclosed_markup_takes_no_quadratic_time() -> None:
    with cpu_seconds(20):
        for hostile in ('<a "', "<!--", "<script>", "<a title='", '<img alt="', "<a class=", "<"):
            plain_text(hostile * 5_000)


def test_plain_text_of_a_page_of_any_length_is_the_same() -> None:
    page = '<p>a <b>b</b> 1 < 2</p><nav class="memsite-pager">x</nav>'
    assert plain_text(page * 10_000) == "\n".join([plain_text(page)] * 10_000)


def test_text_that_utf8_cannot_carry_is_replaced() -> None:
    assert encodable("a\udc80b\0c") == "a\ufffdb\ufffdc"
