"""A generated memory of three years with things in it that somebody looks for, and where each of them is."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.memories import make_memory

NEEDLES: Mapping[str, str] = {
    "memory/2023-11-05.md": "# 2023-11-05\n\n- The registrar wants a transfer code before the domain moves.\n"
    "- The slow cooker needs a new lid.\n",
    "memory/2024-02-11.md": "# 2024-02-11\n\n- Passport: expires in May, appointment at the town hall on Tuesday.\n"
    "- 护照五月到期，周二去办。\n",
    "memory/2024-02-13.md": "# 2024-02-13\n\n- Waited at the town hall. No word on the passport itself.\n",
    "memory/2024-05-20.md": "# 2024-05-20\n\n- 今天讨论了部署方案，决定先灰度发布。\n- 牙医预约改到周五。\n",
    "memory/2024-05-22.md": "# 2024-05-22\n\n- 部署讨论的方案写完了，今天没有别的。\n",
    "memory/2024-08-14.md": "# 2024-08-14\n\n- プログラミング言語の比較を読んだ。\n- 歯医者は来週の月曜日。\n",
    "memory/2024-11-02.md": "# 2024-11-02\n\n- 회의록을 작성했습니다.\n- 여권 사진을 찍었다.\n",
    "memory/2025-01-28.md": "# 2025-01-28\n\n- Next.js 部署失败：ERR_CERT_DATE_INVALID，证书过期。\n"
    "- LTE 모뎀을 교체했다.\n",
    "memory/2025-07-09.md": "# 2025-07-09\n\n- The dentist says that the crown can wait.\n",
    "memory/2023-08-18.md": "# 2023-08-18\n\n- The dentist says that the crown can wait.\n",
    "memory/health/dentist.md": "# Dentist\n\nDr. Ito, second floor. Crown planned, then put off.\n",
    "memory/travel/naïve-plans.md": "# Naïve plans\n\nAll the trips that never were: Straße nach Süden, café crawl.\n",
    "memory/2024-08-16.md": "# 2024-08-16\n\nمرحبا، هذه ملاحظة قصيرة.\n",
    "memory/broken.md": "\0\1\2",
    "memory/مرحبا.md": "# مرحبا\n\nهذه ملاحظة عن الرحلة القادمة إلى دمشق.\n",
}
"""Files and their texts, added to what the generated memory has there."""
QUERIES: tuple[tuple[str, str], ...] = (
    ("personal blog", "topics/personal-blog/"),
    ("allotment", "topics/garden/"),
    ("night trains", "topics/podcast/"),
    ("what is the blog hosted on", "topics/personal-blog/"),
    ("invoice-parser", "topics/invoice-parser/"),
    ("registrar transfer", "daily/2023-11-05/"),
    ('"slow cooker"', "daily/2023-11-05/"),
    ("passport town hall", "daily/2024-02-11/"),
    ("dentist", "notes/health/dentist/"),
    ("crown can wait", "daily/2025-07-09/"),
    ("naive plans", "notes/travel/naïve-plans/"),
    ("2024-02-13", "daily/2024-02-13/"),
    ("部署方案", "topics/部署方案/"),
    ("今天讨论了部署方案", "daily/2024-05-20/"),
    ("先灰度", "daily/2024-05-20/"),
    ("备份", "topics/home-backup/"),
    ("博客项目", "topics/personal-blog/"),
    ("数据仓库", "topics/数据平台/"),
    ("护照", "daily/2024-02-11/"),
    ("牙医预约", "daily/2024-05-20/"),
    ("プログラミング", "daily/2024-08-14/"),
    ("ﾌﾟﾛｸﾞﾗﾐﾝｸﾞ言語", "daily/2024-08-14/"),
    ("日本語学習", "topics/日本語学習/"),
    ("歯医者 月曜日", "daily/2024-08-14/"),
    ("회의록", "daily/2024-11-02/"),
    ("독서 모임", "topics/독서-모임/"),
    ("여권", "daily/2024-11-02/"),
    ("Next.js 部署失败", "daily/2025-01-28/"),
    ("err_cert 证书", "daily/2025-01-28/"),
    ("lte 모뎀", "daily/2025-01-28/"),
)
"""What somebody types, and the page that they want."""
WHEN = "2026-06-30T20:00:00+08:00"


@dataclass(frozen=True, slots=True)
class Years:
    """The memory, not built yet."""

    workspace: Path

    @property
    def site(self) -> Path:
        """Where its site is once it is built."""
        return self.workspace / "site"


def make_years(root: Path, *, whole: bool) -> Years:
    """Three years with the needles, committed: every ninth day of them, or all."""
    make_memory(root, days=1080 if whole else 120, every=1 if whole else 9)
    for name, text in NEEDLES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_COMMITTER_DATE": WHEN, "GIT_AUTHOR_DATE": WHEN}
    for command in (("add", "-A"), ("commit", "-q", "--no-verify", "-m", "note: what somebody looks for")):
        subprocess.run(["git", *command], cwd=root, env=environment, check=True)
    return Years(root)
