"""Secrets are made here, seeded, when the tests run: none is in this file, nor any value of its shape."""

from __future__ import annotations

import random
import string
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.safety.secret_rules import is_random, looks_suspicious
from memsite.safety.secrets import Finding, redact, scan, scanner_name, suppress

LETTERS = string.ascii_letters
BASE62 = LETTERS + string.digits
BASE32 = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"

Maker = Callable[[random.Random], str]


def pick(rng: random.Random, length: int, alphabet: str = BASE62) -> str:
    return "".join(rng.choice(alphabet) for _ in range(length))


def mixed(rng: random.Random, length: int) -> str:
    """Letters and digits, so well mixed that nobody would take it for a word."""
    while not is_random(value := pick(rng, length)):
        pass
    return value


def private_key(rng: random.Random) -> str:
    lines = [pick(rng, 64) for _ in range(6)]
    kind = "RSA PRIVATE" + " KEY"
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"])


def json_web_token(rng: random.Random) -> str:
    return ".".join(["ey" + "JhbGciOiJIUzI1NiJ9", "ey" + "Jz" + pick(rng, 40), pick(rng, 43)])


OWN: dict[str, Maker] = {
    "aws-access-key-id": lambda rng: "AK" + "IA" + pick(rng, 16, BASE32),
    "github": lambda rng: "gh" + "p_" + pick(rng, 36),
    "gitlab": lambda rng: "gl" + "pat-" + pick(rng, 20),
    "slack": lambda rng: "xo" + "xb-" + "-".join([pick(rng, 12, string.digits)] * 2) + "-" + pick(rng, 24),
    "model": lambda rng: "sk" + "-ant-api03-" + mixed(rng, 93) + "AA",
    "stripe": lambda rng: "sk" + "_live_" + mixed(rng, 24),
    "google": lambda rng: "AI" + "za" + pick(rng, 35),
    "npm": lambda rng: "np" + "m_" + pick(rng, 36),
    "pypi": lambda rng: "py" + "pi-AgEIcHlwaS5vcmc" + pick(rng, 100),
    "huggingface": lambda rng: "h" + "f_" + pick(rng, 34, LETTERS),
    "sendgrid": lambda rng: "S" + "G." + pick(rng, 22) + "." + pick(rng, 43),
    "telegram": lambda rng: pick(rng, 9, "123456789") + ":A" + "A" + pick(rng, 33),
    "age": lambda rng: "AGE-SECRET" + "-KEY-1" + pick(rng, 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "jwt": json_web_token,
    "private-key": private_key,
}
"""Shapes that are found with the engine and without it."""

NAMED: dict[str, str] = {
    "url": "postgres://ada:{}@db.example.org/notes",
    "https": "see https://ada:{}@example.org/x for it",
    "bearer": "Authorization: Bearer {}",
    "password": "password: {}",
    "bold": "- **Password:** {}",
    "environment": "DB_PASSWORD={}",
    "quoted": 'api_key = "{}"',
    "json": '"token": "{}",',
    "is": "my token is {}",
    "chinese": "密码：{}",
    "chinese-is": "数据库密码是 {}",
    "japanese": "パスワード: {}",
    "code": "the secret is `{}`.",
}
"""Values that only their place or their name gives away."""

ENGINE_ONLY: dict[str, Maker] = {
    "shopify": lambda rng: "shp" + "at_" + pick(rng, 32, HEX),
    "digitalocean": lambda rng: "do" + "p_v1_" + pick(rng, 64, HEX),
    "atlassian": lambda rng: "AT" + "ATT3xFfGF0" + mixed(rng, 180),
}


@pytest.fixture(params=["with the engine", "without it"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Both ways in turn: betterleaks installed, and a machine for which it has no wheel."""
    if request.param == "without it":
        monkeypatch.setitem(sys.modules, "betterleaks", None)
        assert scanner_name() == "memsite's rules"
        return False
    assert scanner_name().startswith("betterleaks 2.")
    return True


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", OWN)
def test_a_secret_of_known_shape_is_replaced(kind: str, seed: int, engine: bool) -> None:
    value = OWN[kind](random.Random(seed))
    before, after = "# 部署\n\nWe deploy with ", " on Friday.\n"
    redaction = redact(before + value + after)
    assert redaction.text.startswith(before + "[redacted:")
    assert redaction.text.endswith("]" + after)
    assert not any(line in redaction.text for line in value.split("\n"))
    assert [(finding.line, finding.certain) for finding in redaction.findings] == [(3, True)]
    assert redact(redaction.text).text == redaction.text


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", NAMED)
def test_a_random_value_with_a_secrets_name_is_replaced_alone(kind: str, seed: int, engine: bool) -> None:
    value = mixed(random.Random(seed), 24)
    redaction = redact(NAMED[kind].format(value))
    (finding,) = redaction.findings
    assert redaction.text == NAMED[kind].format(finding.placeholder)
    assert finding.value == value
    assert redact(redaction.text).text == redaction.text


@pytest.mark.parametrize("kind", ENGINE_ONLY)
def test_the_engine_finds_what_we_have_no_rule_for(kind: str) -> None:
    value = ENGINE_ONLY[kind](random.Random(1))
    redaction = redact(f"note {value} end")
    assert redaction.text == f"note {redaction.findings[0].placeholder} end"


def harmless(rng: random.Random) -> list[str]:
    uuid = "-".join(pick(rng, length, HEX) for length in (8, 4, 4, 4, 12))
    return [
        f"commit {pick(rng, 40, HEX)}",
        f"Merged {pick(rng, 7, HEX)}..{pick(rng, 7, HEX)} into main",
        f"sha256: {pick(rng, 64, HEX)}",
        f"circleci: {pick(rng, 40, HEX)}",
        f"token: {pick(rng, 40, HEX)}",
        f"cache key: {pick(rng, 64, HEX)}",
        f"session id: {uuid}",
        f"<!-- memsite:session id={uuid} agent=claude-code -->",
        f"![diagram](img/{pick(rng, 40)}.png)",
        f"![inline](data:image/png;base64,{pick(rng, 200, BASE62 + '+/')})",
        "- **Est. tokens:** ~123456",
        "password: hunter",
        "The token budget is 200000 and the password policy is strict.",
        "export TOKEN=$GITHUB_TOKEN and PASSWORD=${DB_PASSWORD}",
        "postgres://user:$PASSWORD@db.example.org and https://user:<password>@example.org",
        "api_key = os.environ.get('API_KEY1aB2cD3')",
        "secret: CamelCaseClassName2",
        "key: consolidated/personal-blog-gen1-2025-03-25.md",
        "author: Ada <ada@example.org>, https://example.org:8080/@ada/notes",
        "sk-learn-migration-notes-for-the-team-gen1-2025-03-25",
        "我们决定使用 Next.js，部署在 Vercel。",
        "-----BEGIN RSA PRIVATE" + " KEY----- is how such a file begins.",
    ]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_no_secret_stays(seed: int, engine: bool) -> None:
    for text in harmless(random.Random(seed)):
        redaction = redact(text)
        assert redaction.text == text
        assert [finding for finding in redaction.findings if finding.certain] == []


def test_what_might_be_one_is_reported_and_stays(engine: bool) -> None:
    text = "password: hunter2000"
    redaction = redact(text)
    assert redaction.text == text
    assert {(finding.line, finding.generic, finding.certain) for finding in redaction.findings} == {(1, True, False)}


def test_a_finding_never_shows_its_value(engine: bool) -> None:
    value = OWN["github"](random.Random(2))
    (finding,) = scan(f"a\nb {value}")
    assert value not in repr(finding)
    assert value not in str(redact(value))
    assert finding.line == 2


def test_a_value_once_found_goes_everywhere(engine: bool) -> None:
    value = mixed(random.Random(3), 24)
    redaction = redact(f"DB_PASSWORD={value}\n\nThen I typed {value} again.")
    assert value not in redaction.text
    assert [finding.line for finding in redaction.findings] == [1, 3]
    assert suppress(f"an old note: {value}", redaction.findings) == f"an old note: {redaction.findings[0].placeholder}"


def test_a_plain_password_in_an_address_goes_there_only(engine: bool) -> None:
    text = "postgres://postgres:postgres@localhost/x is postgres"
    redaction = redact(text)
    assert redaction.text == "postgres://postgres:[redacted:url-password]@localhost/x is postgres"
    assert suppress("postgres", redaction.findings) == "postgres"


def test_every_line_keeps_its_number(engine: bool) -> None:
    text = f"one\n{private_key(random.Random(4))}\r\nlast"
    redacted = redact(text).text
    assert redacted.count("\n") == text.count("\n")
    assert redacted.endswith("\r\nlast")


def test_a_key_that_was_cut_off_goes_too(engine: bool) -> None:
    cut = private_key(random.Random(5)).rpartition("\n")[0]
    redacted = redact(cut + "\n\nMore text.").text
    assert redacted.endswith("\n\nMore text.")
    assert not any(line in redacted for line in cut.split("\n")[1:])


@pytest.mark.parametrize("blind", ["\0", "\ud800", "# better" + "leaks:allow ", "# git" + "leaks:allow "])
def test_nothing_in_the_text_blinds_the_engine(blind: str) -> None:
    value = ENGINE_ONLY["shopify"](random.Random(6))
    assert value not in redact(f"{blind}note {value} {blind}").text


@given(st.lists(st.one_of(st.text(max_size=20), st.sampled_from(list(OWN)), st.sampled_from(list(NAMED))), max_size=5))
def test_redacting_twice_equals_redacting_once(pieces: list[str]) -> None:
    rng = random.Random(7)
    made = [OWN[one](rng) if one in OWN else NAMED.get(one, one).replace("{}", pick(rng, 20)) for one in pieces]
    for text in ("".join(made), "\n".join(made)):
        once = redact(text)
        twice = redact(once.text)
        assert twice.text == once.text
        assert [finding for finding in twice.findings if finding.certain] == []
        assert once.text.count("\n") == text.count("\n")


@given(st.text(alphabet="AKIaz09:/@=-_. \n[redacted:x]"))
def test_any_text_is_left_with_nothing_certain(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


def test_a_plain_note_does_not_load_the_engine() -> None:
    note = (
        "# 2025-03-22\n\n- For the blog, let's use Next.js; see consolidated/personal-blog-gen1-2025-03-25.md\n"
        "- commit 5d0d3e2, 09:30, **Est. tokens:** ~1234\n我们决定使用 Next.js。\n"
    )
    assert not looks_suspicious(note)
    program = (
        f"import sys\nfrom memsite.safety.secrets import redact\nredact({note!r})\nprint('betterleaks' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_findings_compare_by_what_they_say() -> None:
    assert Finding("jwt", 1).placeholder == "[redacted:jwt]"
    assert Finding("jwt", 1) == Finding("jwt", 1)
