from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest

from memsite.memory.daily import parse_daily_note
from memsite.memory.snapshot import Blob
from memsite.site.pages.headlines import headline


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# The framework\n\nText.\n", "The framework"),
        ("# 2025-03-20\n\n<!-- DAILY_FLUSH -->\n\n## Blog\n\n- [x] **New** project: `blog`\n", "New project: blog"),
        ("# 2025-03-20\n\n## Blog\n", "Blog"),
        ("## Blog\n\n- Moved.\n", "Moved."),
        ("# Thursday, 20 March 2025\n\n## Blog\n\nMoved.\n", "Moved."),
        ("# Thu 20th Mar\n\nMoved.\n", "Moved."),
        ("# 2025年3月20日 星期四\n\n迁移完成。\n", "迁移完成。"),
        ("# 3月20日（木曜日）\n\n引っ越し\n", "引っ越し"),
        ("# March of the penguins\n\nA film.\n", "March of the penguins"),
        ("---\nmood: good\n---\n今天讨论了部署方案。\n", "今天讨论了部署方案。"),
        ("<!-- DAILY_FLUSH -->\n", ""),
        ("", ""),
    ],
)
def test_headline_says_what_a_note_is_about(text: str, line: str) -> None:
    path = PurePosixPath("memory/2025-03-20.md")
    assert headline(parse_daily_note(path, date(2025, 3, 20), "", Blob("", text.encode()))) == line
