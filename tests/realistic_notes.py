"""Notes as agents write them, made from a seed: full of ids, hashes and words around secrets, and no secret."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from tests.secret_kinds import BASE62, BASE64, DIGITS, HEX, UPPER, URLSAFE, pick, uuid

_WORDS = (
    "deploy blog memory index topic review branch release cache token budget key decision secret santa password policy "
    "parser session transcript database migration staging production retry queue worker credential helper rotation "
    "周报 部署 博客 决定 密码策略 会议 索引 测试 リリース 設定 メモ"
)
WORDS = _WORDS.split()
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


LINES: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"- commit {pick(rng, 40, HEX)} moves the {_words(rng, 3)}",
    lambda rng: f"- Merged {pick(rng, 7, HEX)}..{pick(rng, 7, HEX)} into main; see #{rng.randrange(1, 9999)}",
    lambda rng: f"sha256: {pick(rng, 64, HEX)}  dist/memsite-{rng.randrange(9)}.{rng.randrange(20)}.tar.gz",
    lambda rng: f"Image ghcr.io/acme/api@sha256:{pick(rng, 64, HEX)} is on staging",
    lambda rng: f'"integrity": "sha512-{pick(rng, 86, BASE64)}==",',
    lambda rng: f"session id: {uuid(rng)}",
    lambda rng: f"<!-- memsite:session id={uuid(rng)} agent=claude-code -->",
    lambda rng: f"trace_id={pick(rng, 32, HEX)} span_id={pick(rng, 16, HEX)} took {rng.randrange(900)} ms",
    lambda rng: f"The request id is req_{pick(rng, 24)}, the tool call toolu_01{pick(rng, 22)}.",
    lambda rng: f"chatcmpl-{pick(rng, 29)} used {rng.randrange(99999)} tokens; max_tokens={rng.randrange(99999)}",
    lambda rng: f"customer cus_{pick(rng, 14)} paid pi_{pick(rng, 24)} for price_{pick(rng, 24)}",
    lambda rng: f"https://docs.google.com/document/d/1{pick(rng, 43, URLSAFE)}/edit#heading=h.{pick(rng, 12, HEX)}",
    lambda rng: f"https://www.youtube.com/watch?v={pick(rng, 11, URLSAFE)}&t={rng.randrange(999)}s",
    lambda rng: f"https://www.notion.so/acme/Weekly-review-{pick(rng, 32, HEX)}?pvs=4",
    lambda rng: f"https://acme.slack.com/archives/C0{pick(rng, 9, UPPER + DIGITS)}/p{pick(rng, 16, DIGITS)}",
    lambda rng: f"https://www.figma.com/file/{pick(rng, 22)}/Blog?node-id={rng.randrange(999)}%3A{rng.randrange(99)}",
    lambda rng: f"https://example.org/a?utm_source=news&utm_id={pick(rng, 20)}&fbclid=IwAR{pick(rng, 57, URLSAFE)}",
    lambda rng: (
        f"https://github.com/acme/blog/blob/{pick(rng, 40, HEX)}/src/{rng.choice(WORDS)}.ts#L{rng.randrange(99)}"
    ),
    lambda rng: f"pod api-{pick(rng, 10, HEX)}-{pick(rng, 5, 'bcdfghjklmnpqrstvwxz2456789')} restarted",
    lambda rng: f"arn:aws:lambda:eu-central-1:{pick(rng, 12, DIGITS)}:function:{rng.choice(WORDS)}-worker",
    lambda rng: f"instance i-0{pick(rng, 16, HEX)} in vpc-0{pick(rng, 16, HEX)}",
    lambda rng: f"order 01{pick(rng, 24, CROCKFORD)} and nanoid {pick(rng, 21, URLSAFE)}",
    lambda rng: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{pick(rng, 43, BASE64)} ada@laptop",
    lambda rng: f"256 SHA256:{pick(rng, 43, BASE64)} ada@laptop (ED25519)",
    lambda rng: f"![shot](data:image/png;base64,iVBORw0KGgo{pick(rng, 200, BASE64)})",
    lambda rng: f"![diagram](img/{pick(rng, 40)}.png)",
    lambda _: "export OPENAI_API_KEY=$OPENAI_API_KEY and PASSWORD=${DB_PASSWORD}",
    lambda _: "postgres://user:$PASSWORD@db.example.org and https://user:<password>@example.org",
    lambda _: "- **Password:** in the vault, entry `blog/production`",
    lambda _: "api_key: os.environ['ACME_API_KEY'], token: ********",
    lambda rng: f"The token budget is {rng.randrange(999999)}, the password policy wants {rng.randrange(8, 20)}.",
    lambda rng: f"cache key: {rng.choice(WORDS)}/{rng.randrange(99)}/{pick(rng, 40, HEX)}",
    lambda rng: f'ETag: W/"{pick(rng, 32, HEX)}"; If-None-Match sent, key={pick(rng, 8, HEX)}',
    lambda rng: f"- [ ] {_words(rng, 9)} until 2025-0{rng.randrange(1, 9)}-1{rng.randrange(9)} 1{rng.randrange(9)}:30",
    lambda rng: f"Version {rng.randrange(9)}.{rng.randrange(99)}.{rng.randrange(99)}-beta.1+{pick(rng, 7, HEX)}",
    lambda rng: f"我们决定{rng.choice(WORDS)}，部署在 Vercel，见 {pick(rng, 7, HEX)}。",
    lambda rng: f"at {pick(rng, 13, DIGITS)} ms, row {pick(rng, 9, DIGITS)}, invoice 2025-{pick(rng, 6, DIGITS)}",
    lambda rng: (
        f"class {rng.choice(('Session', 'Token', 'Secret'))}{rng.choice(('Reader2', 'Cache', 'KeyFactory'))} is gone"
    ),
    lambda rng: f"secret: {rng.choice(('CamelCaseClassName2', 'see the vault', 'projects/4/secrets/blog'))}",
    lambda rng: f"key: consolidated/personal-blog-gen{rng.randrange(1, 9)}-2025-03-25.md",
    lambda rng: f"git@github.com:acme/{rng.choice(WORDS)}.git, npm i @acme/{rng.choice(WORDS)}@{rng.randrange(9)}.0.1",
    lambda rng: f"nonce {pick(rng, 22, BASE62)} was logged, {pick(rng, 24, HEX)} is the document's _id",
    *((lambda rng: " ".join(["The", _words(rng, 14)]) + ".",) * 40),
)
"""What lines are drawn from; most are prose."""


def notes(seed: int, size: int) -> Iterator[str]:
    """Notes of some 3 KB, until there are `size` characters of them."""
    rng = random.Random(seed)
    made = 0
    while made < size:
        lines = [rng.choice(LINES)(rng) for _ in range(40)]
        text = f"# 2025-03-{rng.randrange(10, 30)}\n\n" + "\n\n".join(lines) + "\n"
        made += len(text)
        yield text
