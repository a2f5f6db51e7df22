"""Pairs of texts made by hand, and the words that a reader would mark."""

# ruff: noqa: E501 - a paragraph is one line
from __future__ import annotations

import pytest

from memsite.prose.diff import diff_texts, format_diff_lines

CASES: dict[str, tuple[str, str, list[str]]] = {
    # words
    "one word replaced": ("We use Next.js now.", "We use Astro now.", ["~ We use [-Next.js-]{+Astro+} now."]),
    "one word added": ("We use Astro.", "We still use Astro.", ["~ We {+still +}use Astro."]),
    "one word removed": ("We still use Astro.", "We use Astro.", ["~ We [-still -]use Astro."]),
    "a word added at the end": ("It works", "It works again", ["~ It works{+ again+}"]),
    "a word added at the start": ("It works", "Now It works", ["~ {+Now +}It works"]),
    "a clause behind a comma": (
        "It is hosted on Vercel.",
        "It is hosted on Vercel, for now.",
        ["~ It is hosted on Vercel{+, for now+}."],
    ),
    "a clause taken out": (
        "The blog, which Ada wrote, is live.",
        "The blog is live.",
        ["~ The blog[-, which Ada wrote,-] is live."],
    ),
    "two changes in a sentence": (
        "Ada deploys the blog on Friday.",
        "Grace deploys the blog on Monday.",
        ["~ [-Ada-]{+Grace+} deploys the blog on [-Friday-]{+Monday+}."],
    ),
    "a sentence added": (
        "The blog is live. Ada checks it daily.",
        "The blog is live. It has a feed. Ada checks it daily.",
        ["~ The blog is live. {+It has a feed. +}Ada checks it daily."],
    ),
    "a date": ("Due 2025-03-20.", "Due 2025-04-05.", ["~ Due [-2025-03-20-]{+2025-04-05+}."]),
    "a number with a comma": ("1,000 visits", "1,200 visits", ["~ [-1,000-]{+1,200+} visits"]),
    "a version": ("Node v18.2.0 runs", "Node v20.1.0 runs", ["~ Node [-v18.2.0-]{+v20.1.0+} runs"]),
    "case of a letter": ("the Blog", "the blog", ["~ the [-Blog-]{+blog+}"]),
    "a full stop": ("It works", "It works.", ["~ It works{+.+}"]),
    "an apostrophe": ("It doesn't work", "It does work", ["~ It [-doesn't-]{+does+} work"]),
    "emphasis": ("The blog is live.", "The **blog** is live.", ["~ The {+**+}blog{+**+} is live."]),
    "a link's address": (
        "See [the plan](daily/2025-03-20.md).",
        "See [the plan](daily/2025-03-22.md).",
        ["~ See [the plan](daily/[-2025-03-20.md-]{+2025-03-22.md+})."],
    ),
    "an accent and an emoji": (
        "Ada's café 👩‍💻 opens",
        "Ada's cafe 👨‍💻 opens",
        ["~ Ada's [-café 👩‍💻-]{+cafe 👨‍💻+} opens"],
    ),
    "a sentence that grew much": (
        "- Use Astro.\n- Two\n",
        "- Use Astro, which renders Markdown without a server and so costs nothing to host.\n- Two\n",
        ["~ - Use Astro{+, which renders Markdown without a server and so costs nothing to host+}."],
    ),
    "two sentences that share no more than letters": (
        "- Drafts are shared through preview deployments.\n",
        "- Images are made while building, not by a service.\n",
        ["- - Drafts are shared through preview deployments.", "+ - Images are made while building, not by a service."],
    ),
    "everything rewritten": (
        "The cat sat on the mat.",
        "Publishing goes through continuous integration.",
        ["- The cat sat on the mat.", "+ Publishing goes through continuous integration."],
    ),
    "a chance word between rewritten ones": (
        "We deploy by hand every week and write notes about what happened to nobody.",
        "We deploy from a branch and machines keep logs of everything for nobody.",
        [
            "~ We deploy [-by hand every week and write notes about what happened to-]"
            "{+from a branch and machines keep logs of everything for+} nobody."
        ],
    ),
    # Chinese, Japanese, Korean
    "chinese, one word": (
        "我们决定使用数据库。",
        "我们决定使用文件。",
        ["~ 我们决定使用[-数据库-]{+文件+}。"],
    ),
    "chinese, one character": ("今天讨论了部署方案。", "昨天讨论了部署方案。", ["~ [-今-]{+昨+}天讨论了部署方案。"]),
    "chinese, a clause": ("博客已经上线。", "博客已经上线，并且有订阅源。", ["~ 博客已经上线{+，并且有订阅源+}。"]),
    "chinese with latin": (
        "我们使用 Next.js，部署在 Vercel。",
        "我们使用 Astro，部署在 Vercel。",
        ["~ 我们使用 [-Next.js-]{+Astro+}，部署在 Vercel。"],
    ),
    "japanese, kana": (
        "プログラミングを学ぶ。",
        "プログラミングを教える。",
        ["~ プログラミングを[-学ぶ-]{+教える+}。"],
    ),
    "japanese, a particle": ("私は本を読む。", "私が本を読む。", ["~ 私[-は-]{+が+}本を読む。"]),
    "japanese, a long vowel": ("サーバを使う。", "サーバーを使う。", ["~ サーバ{+ー+}を使う。"]),
    "korean goes by words": ("오늘 회의를 했다", "어제 회의를 했다", ["~ [-오늘-]{+어제+} 회의를 했다"]),
    "chinese wrapped anew": ("今天讨论了\n部署方案。", "今天讨论了部署\n方案。", []),
    "chinese and latin wrapped anew": (
        "博客使用Hugo部署在腾讯云上，花费约20元每月。",
        "博客使用\nHugo部署在腾讯云上，花费约\n20元每月。",
        [],
    ),
    "chinese and latin wrapped at a space": ("部署在 Vercel 上。", "部署在\nVercel 上。", []),
    "chinese quotes wrapped": ("他说：“好的。”然后走了。", "他说：\n“好的。”\n然后走了。", []),
    "a dash wrapped": ("他走了——Hugo留下。", "他走了——\nHugo留下。", []),
    "emphasis wrapped": ("使用**博客**Hugo。", "使用**博客**\nHugo。", []),
    "japanese and latin wrapped in an item": ("- ブログはHugoで書く。", "- ブログは\n  Hugoで書く。", []),
    "wrapped anew beside a change": ("博客使用Hugo部署。", "博客使用\nHugo部署了。", ["~ 博客使用 Hugo部署{+了+}。"]),
    "unwrapped beside a change": ("博客使用\nHugo部署。", "博客使用Hugo部署了。", ["~ 博客使用Hugo部署{+了+}。"]),
    "a space between latin words": ("The back up runs.", "The backup runs.", ["~ The [-back up-]{+backup+} runs."]),
    "korean words apart": ("회의를했다", "회의를 했다", ["~ [-회의를했다-]{+회의를 했다+}"]),
    "a space in code": ("```\n消息 -a\n```", "```\n消息-a\n```", ["~ ```", "~ 消息[- -]-a (white space changed)"]),
    # structure
    "a heading reworded": ("## Current Status\n", "## Status\n", ["~ ## [-Current -]Status"]),
    "a heading one level down": ("## Status\n", "### Status\n", ["~ ### Status (heading level changed)"]),
    "a paragraph becomes an item": ("Use Astro.", "- Use Astro.", ["~ - Use Astro. (now a list item)"]),
    "an item becomes a paragraph": ("- Use Astro.", "Use Astro.", ["~ Use Astro. (now a paragraph)"]),
    "a paragraph becomes a heading": ("Use Astro", "## Use Astro", ["~ ## Use Astro (now a heading)"]),
    "a quotation becomes a paragraph": ("> Keep it.", "Keep it.", ["~ Keep it. (no longer quoted)"]),
    "a quoted quotation": ("> Keep it.", "> > Keep it.", ["~ > > Keep it. (quote depth changed)"]),
    "a paragraph becomes a quoted item": ("Keep it.", "> - Keep it.", ["~ > - Keep it. (now a list item; now quoted)"]),
    "an item one level down": ("- one\n- two\n", "- one\n  - two\n", ["~   - two (nesting changed)"]),
    "words struck out": ("Use Redis.", "~~Use Redis.~~", ["~ {+~~+}Use Redis.{+~~+}"]),
    "code in another language": ("```sh\nls\n```", "```bash\nls\n```", ["~ ```bash", "~ ls (code language changed)"]),
    "an underlined heading is a heading": ("Status\n------\n\ntext", "## Status\n\ntext", []),
    "an item added": (
        "- Use Astro\n- Host on Vercel\n",
        "- Use Astro\n- Write in Markdown\n- Host on Vercel\n",
        ["+ - Write in Markdown"],
    ),
    "an item removed": ("- one thing\n- two things\n", "- one thing\n", ["- - two things"]),
    "an item reworded": (
        "- Host on Vercel\n- Use Astro\n",
        "- Host on Netlify\n- Use Astro\n",
        ["~ - Host on [-Vercel-]{+Netlify+}"],
    ),
    "a nested item": (
        "- topic\n  - Dates: [2025-03-20]\n",
        "- topic\n  - Dates: [2025-03-20, 2025-03-22]\n",
        ["~   - Dates: [2025-03-20{+, 2025-03-22+}]"],
    ),
    "another bullet": ("* one\n* two\n", "- one\n- two\n", []),
    "numbers moved on": (
        "1. one thing\n2. two things\n",
        "1. new one\n2. one thing\n3. two things\n",
        ["+ 1. new one"],
    ),
    "a task done": ("- [ ] write tests\n", "- [x] write tests\n", ["~ - [[- -]{+x+}] write tests"]),
    "a cell": ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 3 |\n", ["~ | 1 | [-2-]{+3+}"]),
    "a row added": (
        "| name | year |\n|---|---|\n| Ada | 1815 |\n",
        "| name | year |\n|---|---|\n| Ada | 1815 |\n| Grace | 1906 |\n",
        ["+ | Grace | 1906"],
    ),
    "a table padded anew": ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a   | b |\n|:----|--:|\n| 1   | 2 |\n", []),
    "a line of code": (
        "```python\nx = 1\ny = 2\n```\n",
        "```python\nx = 1\ny = 3\n```\n",
        ["~ ```python", "~ x = 1", "~ y = [-2-]{+3+}"],
    ),
    "indentation of code": (
        "```\nif x:\n  go()\n```\n",
        "```\nif x:\n    go()\n```\n",
        ["~ ```", "~ if x:", "~   {+  +}go() (white space changed)"],
    ),
    "lines of indented code joined": (
        "Run:\n\n    a = 1\n    b = 2\n",
        "Run:\n\n    a = 1 b = 2\n",
        ["~ ```", "~ a = 1", "~ [-b = 2-]{+ b = 2+}"],
    ),
    "indentation of indented code": (
        "    if x:\n        go()\n    end()\n",
        "    if x:\n    go()\n    end()\n",
        ["~ ```", "~ if x:", "~ [-    -]go()", "~ end() (white space changed)"],
    ),
    "indented code fenced": ("Run:\n\n    a = 1\n    b = 2\n", "Run:\n\n```\na = 1\nb = 2\n```\n", []),
    "a heading in code is code": ("```\n# a\n```\n", "```\n# b\n```\n", ["~ ```", "~ # [-a-]{+b+}"]),
    "a quotation": ("> Keep it plain.\n", "> Keep it simple.\n", ["~ > Keep it [-plain-]{+simple+}."]),
    "the head of a generation": (
        "**Created**: 2025-03-25\n**Covers**: 2025-03-20 to 2025-03-25\n",
        "**Created**: 2025-04-05\n**Covers**: 2025-03-20 to 2025-04-05\n",
        ["~ **Created**: [-2025-03-25-]{+2025-04-05+}", "~ **Covers**: 2025-03-20 to [-2025-03-25-]{+2025-04-05+}"],
    ),
    "below its heading": (
        "# Blog\n\n## Plan\n\nKept.\n\n## State\n\nAll is well here.\n",
        "# Blog\n\n## Plan\n\nKept.\n\n## State\n\nAll is fine here.\n",
        ["  ## State", "~ All is [-well-]{+fine+} here."],
    ),
    # moved
    "two paragraphs exchanged": (
        "The first paragraph is about Ada.\n\nAnother one speaks of deployment.\n",
        "Another one speaks of deployment.\n\nThe first paragraph is about Ada.\n",
        ["> The first paragraph is about Ada."],
    ),
    "an item moved and reworded": (
        "- The index is never rewritten by hand\n- Two\n- Three\n- Four\n",
        "- Two\n- Three\n- Four\n- The index is never edited by hand\n",
        ["> - The index is never [-rewritten-]{+edited+} by hand"],
    ),
    "a short heading moved": (
        "## Plan\n\nOne long sentence here.\n\nTwo long sentences here.\n",
        "One long sentence here.\n\nTwo long sentences here.\n\n## Plan\n",
        ["> ## Plan"],
    ),
    # as agents reword
    "a long paragraph reworded in part": (
        "The migration plan keeps the old scheduler running until every nightly job has been observed twice on the new one. Grace suggested that we compare the row counts after each run, because a silent drop of late events would otherwise stay unnoticed for days. The team agreed to freeze schema changes during that time, and to announce the freeze in the channel on Monday. If a job fails on the new scheduler, the old one stays the source of truth.\n",
        "The migration plan keeps the old scheduler running until every nightly job has been observed three times on the new one. Grace suggested that we compare row counts and checksums after each run, because a silent drop of late events would otherwise go unnoticed for weeks. Schema changes are frozen during that time, as announced in the channel on Monday. If a job fails on the new scheduler, the old one stays the source of truth.\n",
        [
            "~ The migration plan keeps the old scheduler running until every nightly job has been observed [-twice-]{+three times+} on the new one. Grace suggested that we compare [-the -]row counts {+and checksums +}after each run, because a silent drop of late events would otherwise [-stay-]{+go+} unnoticed for [-days-]{+weeks+}. [-The team agreed to freeze schema-]{+Schema+} changes {+are frozen +}during that time, [-and to announce the freeze-]{+as announced+} in the channel on Monday. If a job fails on the new scheduler, the old one stays the source of truth."
        ],
    ),
    "japanese, endings of verbs": (
        "予約システムの更新は来週の月曜日に行います。古いデータベースは一か月のあいだ残しておく。担当者は田中さんで、連絡はメールでお願いしたい。\n",
        "予約システムの更新は来週の火曜日に行いました。古いデータベースは二か月のあいだ残しておいた。担当者は佐藤さんで、連絡はチャットでお願いしている。\n",
        [
            "~ 予約システムの更新は来週の[-月-]{+火+}曜日に行いま[-す-]{+した+}。古いデータベースは[-一-]{+二+}か月のあいだ残してお[-く-]{+いた+}。担当者は[-田中-]{+佐藤+}さんで、連絡は[-メール-]{+チャット+}でお願いし[-たい-]{+ている+}。"
        ],
    ),
    "cells of three rows": (
        (
            "| Service | Region | Monthly cost | Owner |\n"
            "|---|---|---|---|\n"
            "| API | eu-central | 120 EUR | Ada |\n"
            "| Worker | eu-central | 80 EUR | Grace |\n"
            "| Cache | eu-west | 35 EUR | Linus |\n"
        ),
        (
            "| Service | Region | Monthly cost | Owner |\n"
            "|---|---|---|---|\n"
            "| API | eu-central | 145 EUR | Ada |\n"
            "| Worker | eu-west | 80 EUR | Grace |\n"
            "| Cache | eu-west | 35 EUR | Ada |\n"
        ),
        [
            "~ | API | eu-central | [-120-]{+145+} EUR | Ada",
            "~ | Worker | [-eu-central-]{+eu-west+} | 80 EUR | Grace",
            "~ | Cache | eu-west | 35 EUR | [-Linus-]{+Ada+}",
        ],
    ),
    "items moved, some reworded": (
        (
            "## Key Points\n"
            "- Use a single Postgres instance for both environments until traffic doubles\n"
            "- Nightly backups go to object storage, kept for 30 days\n"
            "- Alerts page the person on call only between 8 and 20 o'clock\n"
            "- Feature flags live in the repository, not in a service\n"
            "- The public API is versioned by date\n"
        ),
        (
            "## Key Points\n"
            "- Feature flags live in the repository, not in a service\n"
            "- Use a single Postgres instance for both environments until traffic triples\n"
            "- The public API is versioned by date and documented in the handbook\n"
            "- Nightly backups go to object storage, kept for 90 days\n"
            "- Alerts page the person on call only between 8 and 20 o'clock\n"
        ),
        [
            "  ## Key Points",
            "> - Feature flags live in the repository, not in a service",
            "~ - Use a single Postgres instance for both environments until traffic [-doubles-]{+triples+}",
            "> - The public API is versioned by date{+ and documented in the handbook+}",
            "~ - Nightly backups go to object storage, kept for [-30-]{+90+} days",
        ],
    ),
    "a sentence parted, two joined": (
        "We chose Caddy because it renews certificates by itself and because its configuration fits on one screen. Nginx was considered. It needs a separate client for certificates.\n",
        "We chose Caddy because it renews certificates by itself. Its configuration also fits on one screen. Nginx was considered, but it needs a separate client for certificates.\n",
        [
            "~ We chose Caddy because it renews certificates by itself[- and because its-]{+. Its+} configuration {+also +}fits on one screen. Nginx was considered[-. It-]{+, but it+} needs a separate client for certificates."
        ],
    ),
    "chinese, a paragraph reworded": (
        "我们决定把图片存储从本地磁盘迁移到对象存储，因为备份脚本每天要花两个小时。迁移期间两边同时写入，读取仍然走本地磁盘。预计需要三天，费用每月大约四十元。\n",
        "我们已经把图片存储从本地磁盘迁移到对象存储，备份脚本现在每天只要十分钟。迁移期间两边同时写入，读取走对象存储。一共花了五天，费用每月大约五十五元。\n",
        [
            "~ 我们[-决定-]{+已经+}把图片存储从本地磁盘迁移到对象存储，[-因为-]备份脚本{+现在+}每天{+只+}要[-花两个小时-]{+十分钟+}。迁移期间两边同时写入，读取[-仍然-]走[-本地磁盘-]{+对象存储+}。[-预计需要三-]{+一共花了五+}天，费用每月大约[-四十-]{+五十五+}元。"
        ],
    ),
    "a sentence made a list": (
        "Three things are left before the launch: the contact form, the feed, and the redirects from the old addresses.\n",
        (
            "Three things are left before the launch:\n"
            "\n"
            "- the contact form\n"
            "- the feed\n"
            "- the redirects from the old addresses\n"
        ),
        [
            "~ Three things are left before the launch:[- the contact form, the feed, and the redirects from the old addresses.-]",
            "+ - the contact form",
            "+ - the feed",
            "+ - the redirects from the old addresses",
        ],
    ),
    "japanese, a clause moved within its paragraph": (
        "新しい認証方式では、利用者が最初にメールアドレスを入力し、届いたコードを画面に打ち込む。パスワードは使わない。既存の利用者には四月に案内を送る予定である。\n",
        "新しい認証方式ではパスワードを使わず、利用者がメールアドレスを入力したあと、届いたコードを画面に打ち込みます。既存の利用者には五月に案内を送りました。\n",
        [
            "~ 新しい認証方式では{+パスワードを使わず+}、利用者が[-最初に-]メールアドレスを入力し{+たあと+}、届いたコードを画面に打ち込[-む-]{+みます+}。[-パスワードは使わない。-]既存の利用者には[-四-]{+五+}月に案内を送[-る予定である-]{+りました+}。"
        ],
    ),
    "a section moved with its heading": (
        (
            "# Garden\n"
            "## Plants\n"
            "- Tomatoes in the greenhouse, watered every second day\n"
            "- Beans along the southern fence\n"
            "## Tools\n"
            "- The drip hose leaks near the tap and needs a new seal\n"
            "- Two buckets are in the shed\n"
            "## Calendar\n"
            "- Sow carrots in the last week of March\n"
        ),
        (
            "# Garden\n"
            "## Calendar\n"
            "- Sow carrots in the first week of April\n"
            "## Plants\n"
            "- Tomatoes in the greenhouse, watered daily\n"
            "- Beans along the southern fence\n"
            "## Tools\n"
            "- The drip hose was repaired with a new seal\n"
            "- Two buckets are in the shed\n"
        ),
        [
            "  # Garden",
            "> ## Calendar",
            "> - Sow carrots in the [-last-]{+first+} week of [-March-]{+April+}",
            "  ## Plants",
            "~ - Tomatoes in the greenhouse, watered [-every second day-]{+daily+}",
            "  ## Tools",
            "~ - The drip hose [-leaks near the tap and needs-]{+was repaired with+} a new seal",
        ],
    ),
    "a column and a row added": (
        ("| Month | Visits |\n|---|---|\n| January | 1,204 |\n| February | 1,310 |\n| March | 1,190 |\n"),
        (
            "| Month | Visits | Readers of the feed |\n"
            "|---|---|---|\n"
            "| January | 1,204 | 88 |\n"
            "| February | 1,310 | 93 |\n"
            "| March | 1,190 | 97 |\n"
            "| April | 1,402 | 101 |\n"
        ),
        [
            "~ | Month | Visits{+ | Readers of the feed+}",
            "~ | January | 1,204{+ | 88+}",
            "~ | February | 1,310{+ | 93+}",
            "~ | March | 1,190{+ | 97+}",
            "+ | April | 1,402 | 101",
        ],
    ),
    "figures all over": (
        "Build 214 took 12 min 30 s on 4 cores; after caching wheels it took 7 min 10 s (v2.3.1, cache hit 64%).\n",
        "Build 231 took 12 min 10 s on 8 cores; after caching wheels and images it took 4 min 55 s (v2.4.0, cache hit 91%).\n",
        [
            "~ Build [-214-]{+231+} took 12 min [-30-]{+10+} s on [-4-]{+8+} cores; after caching wheels {+and images +}it took [-7-]{+4+} min [-10-]{+55+} s ([-v2.3.1-]{+v2.4.0+}, cache hit [-64-]{+91+}%)."
        ],
    ),
    "japanese with latin, two items joined": (
        (
            "- デプロイは GitHub Actions で行う\n"
            "- ステージング環境は毎晩リセットされる\n"
            "- 本番環境のログは 14 日間保存\n"
            "- 障害時の連絡先は #ops チャンネル\n"
        ),
        (
            "- デプロイは GitHub Actions から手動で行う\n"
            "- ステージング環境は毎週リセットされ、本番環境のログは 30 日間保存される\n"
            "- 障害時の連絡先は #ops-oncall チャンネル\n"
        ),
        [
            "~ - デプロイは GitHub Actions {+から手動+}で行う",
            "~ - ステージング環境は毎[-晩-]{+週+}リセット{+され、本番環境のログは 30 日間保存+}される",
            "- - 本番環境のログは 14 日間保存",
            "~ - 障害時の連絡先は #[-ops-]{+ops-oncall+} チャンネル",
        ],
    ),
    "code: a line replaced by several": (
        ("```yaml\non: push\njobs:\n  build:\n    runs-on: ubuntu-22.04\n    steps:\n      - run: make test\n```\n"),
        (
            "```yaml\n"
            "on:\n"
            "  push:\n"
            "    branches: [main]\n"
            "jobs:\n"
            "  build:\n"
            "    runs-on: ubuntu-24.04\n"
            "    timeout-minutes: 10\n"
            "    steps:\n"
            "      - run: make lint test\n"
            "```\n"
        ),
        [
            "~ ```yaml",
            "~ on:[- push-]",
            "~ {+  push:+}",
            "~ {+    branches: [main]+}",
            "~ jobs:",
            "~   build:",
            "~     runs-on: [-ubuntu-22.04-]{+ubuntu-24.04+}",
            "~ {+    timeout-minutes: 10+}",
            "~     steps:",
            "~       - run: make {+lint +}test",
        ],
    ),
    "code: wrapped into a block": (
        ("```sh\nmake test\nmake build\n```\n"),
        ("```sh\nif make test; then\n    make build\nfi\n```\n"),
        ["~ ```sh", "~ {+if +}make test{+; then+}", "~ {+    +}make build", "~ {+fi+}"],
    ),
    "an item of the same label": (
        ("- Owner: Ada\n- Domain renewed until 2026-03\n- Status: waiting for the reply of the registrar\n"),
        ("- Owner: Ada\n- Status: the registrar replied, the transfer is done\n- Domain renewed until 2027-03\n"),
        [
            "> - Status: [-waiting for -]the [-reply of the -]registrar{+ replied, the transfer is done+}",
            "~ - Domain renewed until [-2026-03-]{+2027-03+}",
        ],
    ),
    "what a date names is of that date": (
        "- 2025-02-15: the release notes; the sound of the hall\n- 2025-03-02: the website\n",
        "- 2025-03-02: the website\n- 2025-05-26: the sound of the hall; the interview\n",
        [
            "- - 2025-02-15: the release notes; the sound of the hall",
            "+ - 2025-05-26: the sound of the hall; the interview",
        ],
    ),
    "a row of the same name": (
        ("| Step | Status |\n|---|---|\n| Write the redirects | open |\n| Switch the DNS record | open |\n"),
        (
            "| Step | Status |\n"
            "|---|---|\n"
            "| Write the redirects | done |\n"
            "| Switch the DNS record | blocked: waiting for the registrar |\n"
        ),
        [
            "~ | Write the redirects | [-open-]{+done+}",
            "~ | Switch the DNS record | [-open-]{+blocked: waiting for the registrar+}",
        ],
    ),
    # nothing
    "wrapped anew": ("The blog is\nlive and it\nworks.\n", "The blog\nis live and it works.\n", []),
    "an item wrapped anew": ("- The blog is live and it works\n", "- The blog is\n  live and it works\n", []),
    "line ends": ("# Blog\n\nOne.\nTwo.\n", "# Blog\r\n\r\nOne.\r\nTwo.\r\n", []),
    "blank lines and no last line end": ("One.\n\n\n\nTwo.\n", "One.\n\nTwo.", []),
    "a byte order mark": ("\ufeff# Blog", "# Blog", []),
    "two empty texts": ("", "\n\n", []),
}


@pytest.mark.parametrize("case", CASES)
def test_the_words_that_a_reader_would_mark(case: str) -> None:
    old, new, expected = CASES[case]
    assert list(format_diff_lines(diff_texts(old, new))) == expected


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 60
