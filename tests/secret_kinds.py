"""Kinds of secrets, made when tests run and from a seed: none is in this file, nor any value of such a shape."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memsite.safety.secret_rules import is_random

LETTERS = string.ascii_letters
DIGITS = string.digits
BASE62 = LETTERS + DIGITS
BASE64 = BASE62 + "+/"
URLSAFE = BASE62 + "-_"
UPPER = string.ascii_uppercase
BASE32 = UPPER + "234567"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
HEX = "0123456789abcdef"

Maker = Callable[[random.Random], str]


def pick(rng: random.Random, length: int, alphabet: str = BASE62) -> str:
    """So many characters of an alphabet."""
    return "".join(rng.choice(alphabet) for _ in range(length))


def mixed(rng: random.Random, length: int, alphabet: str = BASE62) -> str:
    """Letters and digits, so well mixed that nobody would take it for a word."""
    while not is_random(value := pick(rng, length, alphabet)):
        pass
    return value


def uuid(rng: random.Random) -> str:
    """An id as programs write it: no secret."""
    return "-".join(pick(rng, length, HEX) for length in (8, 4, 4, 4, 12))


def private_key(rng: random.Random, kind: str = "RSA ") -> str:
    """A private key of several lines."""
    lines = [pick(rng, 64) for _ in range(6)]
    name = kind + "PRIVATE" + " KEY"
    return "\n".join([f"-----BEGIN {name}-----", *lines, f"-----END {name}-----"])


def json_web_token(rng: random.Random) -> str:
    """Header and claims as they are, the signature drawn."""
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": pick(rng, 10, DIGITS), "name": pick(rng, 8, LETTERS)})
    coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*coded, pick(rng, 43, URLSAFE)])


@dataclass(frozen=True)
class Kind:
    """How a secret is made, and how people and agents write it down."""

    name: str
    make: Maker
    phrase: str = "we use {} for it"
    """`{}` is where the value stands."""


def _(*parts: str) -> str:
    """A prefix, put together when the tests run."""
    return "".join(parts)


KINDS = (
    Kind("aws-key-id", lambda rng: _("AK", "IA") + pick(rng, 16, BASE32)),
    Kind("aws-secret", lambda rng: mixed(rng, 40, BASE64), "aws_secret_access_key = {}"),
    Kind("github-classic", lambda rng: _("gh", "p_") + pick(rng, 36)),
    Kind("github-oauth", lambda rng: _("gh", "o_") + pick(rng, 36)),
    Kind("github-app", lambda rng: _("gh", "s_") + pick(rng, 36)),
    Kind("github-fine", lambda rng: _("github", "_pat_") + pick(rng, 22) + "_" + pick(rng, 59)),
    Kind("gitlab", lambda rng: _("gl", "pat-") + pick(rng, 20)),
    Kind("gitlab-deploy", lambda rng: _("gl", "dt-") + pick(rng, 20)),
    Kind("gitlab-runner", lambda rng: _("gl", "rt-") + pick(rng, 20)),
    Kind(
        "slack-bot",
        lambda rng: _("xo", "xb-") + "-".join([pick(rng, 12, DIGITS)] * 2) + "-" + pick(rng, 24),
    ),
    Kind(
        "slack-webhook",
        lambda rng: (
            _("https://hooks.", "slack.com/services/T")
            + "/".join([pick(rng, 8, UPPER + DIGITS), "B" + pick(rng, 8, UPPER + DIGITS), pick(rng, 24)])
        ),
    ),
    Kind(
        "slack-app",
        lambda rng: (
            _("xa", "pp-1-A") + "-".join([pick(rng, 10, UPPER + DIGITS), pick(rng, 13, DIGITS), pick(rng, 64, HEX)])
        ),
    ),
    Kind("anthropic", lambda rng: _("sk", "-ant-api03-") + mixed(rng, 93, URLSAFE) + "AA"),
    Kind(
        "openai", lambda rng: _("sk", "-proj-") + mixed(rng, 74, URLSAFE) + _("T3Blb", "kFJ") + mixed(rng, 74, URLSAFE)
    ),
    Kind("openrouter", lambda rng: _("sk", "-or-v1-") + pick(rng, 64, HEX)),
    Kind("deepseek", lambda rng: _("sk", "-") + pick(rng, 32, HEX), "DEEPSEEK_API_KEY={}"),
    Kind("groq", lambda rng: _("gs", "k_") + pick(rng, 52)),
    Kind("xai", lambda rng: _("xa", "i-") + pick(rng, 80)),
    Kind("perplexity", lambda rng: _("pp", "lx-") + pick(rng, 48)),
    Kind("replicate", lambda rng: _("r", "8_") + pick(rng, 37)),
    Kind("huggingface", lambda rng: _("h", "f_") + pick(rng, 34, LETTERS)),
    Kind("google-api", lambda rng: _("AI", "za") + pick(rng, 35, URLSAFE)),
    Kind("google-oauth-secret", lambda rng: _("GOC", "SPX-") + pick(rng, 28, URLSAFE)),
    Kind("google-refresh", lambda rng: "1//0" + pick(rng, 60, URLSAFE), "refresh_token: {}"),
    Kind("stripe", lambda rng: _("sk", "_live_") + mixed(rng, 24)),
    Kind("stripe-webhook", lambda rng: _("wh", "sec_") + mixed(rng, 32)),
    Kind("npm", lambda rng: _("np", "m_") + pick(rng, 36)),
    Kind("pypi", lambda rng: _("py", "pi-AgE") + _("IcHlwaS5v", "cmc") + pick(rng, 100, URLSAFE)),
    Kind("rubygems", lambda rng: _("ruby", "gems_") + pick(rng, 48, HEX)),
    Kind("crates", lambda rng: _("ci", "o") + pick(rng, 32), "CARGO_REGISTRY_TOKEN={}"),
    Kind("docker", lambda rng: _("dckr", "_pat_") + pick(rng, 27, URLSAFE)),
    Kind("sendgrid", lambda rng: _("S", "G.") + pick(rng, 22, URLSAFE) + "." + pick(rng, 43, URLSAFE)),
    Kind("mailgun", lambda rng: _("ke", "y-") + pick(rng, 32, HEX), "mailgun api key: {}"),
    Kind("mailchimp", lambda rng: pick(rng, 32, HEX) + "-us" + pick(rng, 1, "123456789"), "MAILCHIMP_API_KEY={}"),
    Kind("twilio", lambda rng: "S" + "K" + pick(rng, 32, HEX), "twilio: {}"),
    Kind("telegram", lambda rng: pick(rng, 9, "123456789") + ":A" + "A" + pick(rng, 33, URLSAFE)),
    Kind(
        "discord-bot",
        lambda rng: _("M", "T") + pick(rng, 24) + "." + pick(rng, 6) + "." + pick(rng, 38, URLSAFE),
        "the Discord bot token is {}",
    ),
    Kind(
        "discord-webhook",
        lambda rng: _("https://discord.com/", "api/webhooks/") + pick(rng, 18, "123456789") + "/" + pick(rng, 68),
    ),
    Kind("digitalocean", lambda rng: _("do", "p_v1_") + pick(rng, 64, HEX)),
    Kind("shopify", lambda rng: _("shp", "at_") + pick(rng, 32, HEX)),
    Kind("atlassian", lambda rng: _("AT", "ATT3xFfGF0") + mixed(rng, 180, URLSAFE) + "=" + pick(rng, 8, HEX.upper())),
    Kind("linear", lambda rng: _("lin", "_api_") + pick(rng, 40)),
    Kind("notion", lambda rng: _("nt", "n_") + pick(rng, 11, DIGITS) + pick(rng, 35)),
    Kind("airtable", lambda rng: _("pa", "t") + pick(rng, 14) + "." + pick(rng, 64, HEX), "airtable token {}"),
    Kind("vault", lambda rng: _("hv", "s.") + pick(rng, 95, URLSAFE)),
    Kind("grafana", lambda rng: _("gl", "sa_") + pick(rng, 32) + "_" + pick(rng, 8, HEX)),
    Kind("sentry", lambda rng: _("sn", "tryu_") + pick(rng, 64, HEX)),
    Kind("postman", lambda rng: _("PM", "AK-") + pick(rng, 24, HEX) + "-" + pick(rng, 34, HEX)),
    Kind("cloudflare", lambda rng: mixed(rng, 40), "CLOUDFLARE_API_TOKEN={}"),
    Kind("databricks", lambda rng: _("da", "pi") + pick(rng, 32, HEX), "databricks {}"),
    Kind("planetscale", lambda rng: _("psc", "ale_tkn_") + pick(rng, 43)),
    Kind("supabase", lambda rng: _("sb", "p_") + pick(rng, 40, HEX)),
    Kind("figma", lambda rng: _("fi", "gd_") + pick(rng, 40, URLSAFE)),
    Kind("age", lambda rng: _("AGE-SECRET", "-KEY-1") + pick(rng, 58, BECH32)),
    Kind("jwt", json_web_token),
    Kind("rsa-key", private_key, "key:\n\n{}\n"),
    Kind("openssh-key", lambda rng: private_key(rng, "OPENSSH "), "key:\n\n{}\n"),
    Kind("url-password", lambda rng: mixed(rng, 16), "postgres://ada:{}@db.example.org/notes"),
    Kind("redis-url", lambda rng: mixed(rng, 16), "redis://:{}@cache.example.org:6379/0"),
    Kind("bearer", lambda rng: mixed(rng, 40, URLSAFE), "curl -H 'Authorization: Bearer {}' https://example.org"),
    Kind("basic", lambda rng: base64.b64encode(f"ada:{mixed(rng, 20)}".encode()).decode(), "Authorization: Basic {}"),
    Kind("password", lambda rng: mixed(rng, 20), "password: {}"),
    Kind("bold-password", lambda rng: mixed(rng, 20), "- **Password:** {}"),
    Kind("environment", lambda rng: mixed(rng, 24), "DB_PASSWORD={}"),
    Kind("json-key", lambda rng: mixed(rng, 24), '"api_key": "{}",'),
    Kind("chinese", lambda rng: mixed(rng, 20), "数据库密码是 {}"),
    Kind("japanese", lambda rng: mixed(rng, 20), "パスワード: {}"),
)
"""Each as `phrase` with the value put in."""


@dataclass(frozen=True)
class Planted:
    """One secret of a kind."""

    kind: Kind
    value: str

    @property
    def text(self) -> str:
        """It as somebody wrote it down."""
        return self.kind.phrase.replace("{}", self.value)

    @property
    def parts(self) -> tuple[str, ...]:
        """What must not be found: the value, or each line of it that says something."""
        lines = [line for line in self.value.split("\n") if not line.startswith("-----")]
        return tuple(lines)


def plant(seed: int, count: int) -> Iterator[Planted]:
    """So many secrets, the kinds in turn."""
    rng = random.Random(seed)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        yield Planted(kind, kind.make(rng))
