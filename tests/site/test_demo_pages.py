"""What holds for every page of the demo, frame and all."""

from __future__ import annotations

from collections import Counter

import html5lib

from tests.conftest import Demo


def test_no_page_has_an_id_twice(demo: Demo) -> None:
    pages = sorted(demo.site.rglob("*.html"))
    assert len(pages) > 50
    for path in pages:
        tree = html5lib.parse(path.read_bytes(), namespaceHTMLElements=False)
        ids = Counter(element.get("id") for element in tree.iter() if element.get("id"))
        assert [name for name, count in ids.items() if count > 1] == [], path
