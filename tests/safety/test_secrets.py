"""Secrets are made here, seeded, when the tests run: none is in this file, nor any value of its shape."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.safety.secret_rules import looks_suspicious
from memsite.safety.secrets import Finding, redact, scan, scanner_name, suppress
from tests.secret_kinds import BASE62, DIGITS, HEX, KINDS, UPPER, Kind, mixed, pick, plant, private_key

BY_NAME = {kind.name: kind for kind in KINDS}
SHAPED = [kind.name for kind in KINDS if kind.phrase == Kind.phrase]
"""Kinds that are known by their own shape, whatever stands around."""


def value_of(kind: str, seed: int) -> str:
    return BY_NAME[kind].make(random.Random(seed))


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
@pytest.mark.parametrize("kind", [*SHAPED, "rsa-key", "openssh-key"])
def test_a_secret_of_known_shape_is_replaced(kind: str, seed: int, engine: bool) -> None:
    value = value_of(kind, seed)
    before, after = "# 部署\n\nWe deploy with ", " on Friday.\n"
    redaction = redact(before + value + after)
    assert redaction.text.startswith(before)
    assert redaction.text.endswith("]" + after)
    assert "[redacted:" in redaction.text
    assert not any(line in redaction.text for line in value.split("\n"))
    assert {(finding.line, finding.certain) for finding in redaction.findings} == {(3, True)}
    assert redact(redaction.text).text == redaction.text


@pytest.mark.parametrize("kind", sorted(set(BY_NAME) - set(SHAPED)))
def test_a_secret_is_replaced_as_people_write_it_down(kind: str, engine: bool) -> None:
    for planted in plant(11, 3 * len(KINDS)):
        if planted.kind.name == kind:
            redacted = redact(f"# Note\n\n{planted.text}\n").text
            assert not any(part in redacted for part in planted.parts)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", NAMED)
def test_a_random_value_with_a_secrets_name_is_replaced_alone(kind: str, seed: int, engine: bool) -> None:
    value = mixed(random.Random(seed), 24)
    redaction = redact(NAMED[kind].format(value))
    (finding,) = redaction.findings
    assert redaction.text == NAMED[kind].format(finding.placeholder)
    assert finding.value == value
    assert redact(redaction.text).text == redaction.text


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
    value = value_of("github-classic", 2)
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
    value = (
        "dt" + "0c01." + pick(random.Random(6), 24, UPPER + DIGITS) + "." + pick(random.Random(6), 64, UPPER + DIGITS)
    )
    assert value not in redact(f"{blind}note {value} {blind}").text


@given(st.lists(st.one_of(st.text(max_size=20), st.sampled_from(SHAPED), st.sampled_from(list(NAMED))), max_size=5))
def test_redacting_twice_equals_redacting_once(pieces: list[str]) -> None:
    rng = random.Random(7)
    made = [
        BY_NAME[one].make(rng) if one in BY_NAME else NAMED.get(one, one).replace("{}", pick(rng, 20)) for one in pieces
    ]
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


NAMES = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential"),
    *("api_key", "access-key", "private_key", "account-key", "auth_key", "密码", "口令", "密钥", "パスワード"),
)


@pytest.mark.parametrize("name", NAMES)
def test_each_name_of_a_secret_is_known_in_any_letters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "betterleaks", None)
    value = mixed(random.Random(81), 20)
    for written in (name, name.upper(), name.title()):
        assert value not in redact(f"{written}: {value}\n").text
