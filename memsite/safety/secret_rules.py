"""What looks like a secret: rules of our own for what the engine misses, and the cheap look that comes before both.

No list of patterns is complete; what is not found here is not thereby harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsite.patterns import late
from memsite.safety.token_shapes import TOKENS, token_pattern
from memsite.values import dataclass

PLACEHOLDER = late(r"\[redacted:[a-z0-9][a-z0-9-]{0,80}\]", needs=("[redacted:",))
"""What stands in the text for a secret that was taken out."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A shape of secret; group 1, else the whole match, is the value."""

    name: str
    pattern: str
    """Compiled when a keyword of it is in a text: compiling all costs quick commands 5 ms."""
    keywords: tuple[str, ...]
    """Lower case; without one of them in the lower-cased text the pattern is not tried."""
    generic: bool = False
    """Known by the name that it is assigned to, not by its own shape."""


def _rule(name: str, keywords: str, pattern: str, *, generic: bool = False) -> Rule:
    return Rule(name, pattern, tuple(keywords.split()), generic)


_NAMED = (
    r"(?i:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|(?:api|access|private|account|auth)[ _-]?key"
    r"|密码|口令|密钥|パスワード)"
)
_FIRST_OF_NAMED = "(?=[pPsStTcCaAſ密口パ])"  # halves the time of the rule that most texts are looked at with
_ASSIGNED = r"[\w.-]{0,30}[\"'`*\])]{0,4}\s{0,3}(?:=>|:=|==?|:|：|是|\bis\b)[\"'`*]{0,4}\s{0,3}[\"'`*(]{0,4}"
_END = r"(?![A-Za-z0-9])"

RULES = (
    # The engine reports a key id only together with its secret key; alone it still names an account.
    _rule(
        "aws-access-key-id",
        "akia asia abia acca a3t",
        r"(?<![A-Za-z0-9])((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})" + _END,
    ),
    _rule(
        "aws-secret-access-key", "aws", r"(?i:aws[\w .-]{0,20}secret)" + _ASSIGNED + r"([A-Za-z0-9/+]{40})(?![\w/+=])"
    ),
    # The engine passes over passwords in addresses. User, host and the rest stay readable.
    _rule(
        "url-password",
        "://",
        r"(?i:\b[a-z][a-z0-9+.-]{1,30}://)[^\s/:@\"'<>`]{0,100}:([^\s/\"'<>`]{1,200})@(?=[A-Za-z0-9\[])",
    ),
    _rule("http-authorization", "bearer", r"(?i:\bbearer)\s{1,3}([A-Za-z0-9._~+/=-]{20,2000})"),
    _rule(
        "http-authorization",
        "authorization",
        r"(?i:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?basic)\s{1,3}([A-Za-z0-9+/=]{8,500})",
    ),
    _rule("telegram-bot-token", ":aa", r"(?<!\d)(\d{8,10}:AA[A-Za-z0-9_-]{33})(?![\w-])"),
    _rule(
        "slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,100}"
    ),
    _rule("discord-webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{15,22}/([\w-]{50,90})"),
    _rule("discord-bot-token", "discord", r"(?<![\w-])([MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40})(?![\w-])"),
    _rule(
        "model-api-key",
        "sk-",
        r"(?<![A-Za-z0-9-])sk-(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z])(?:[a-z]{2,6}[0-9]{0,2}-)*[A-Za-z0-9_-]{32,250}",
    ),
    _rule("sendgrid-key", "sg.", r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    _rule("mailchimp-key", "-us", r"(?<![A-Za-z0-9])([0-9a-f]{32}-us\d{1,2})" + _END),
    _rule("mailgun-key", "mailgun", r"(?<![A-Za-z0-9-])(key-[0-9a-f]{32})" + _END),
    _rule("airtable-token", "pat", r"(?<![A-Za-z0-9])(pat[A-Za-z0-9]{14}\.[0-9a-f]{64})" + _END),
    _rule("azure-account-key", "accountkey", r"(?i:AccountKey=)([A-Za-z0-9+/]{86}==)"),
    _rule("jwt", "eyj", r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{5,4000}\.[A-Za-z0-9_-]{16,1000}"),
    _rule(
        "assigned-secret",
        "pass pwd secret token credential key 密码 口令 密钥 パスワード",
        _FIRST_OF_NAMED + _NAMED + _ASSIGNED + r"((?:(?!\]\()[^\s\"'`<>,;，。]){8,200})",
        generic=True,
    ),
    *(
        _rule(name, prefixes.lower(), token_pattern(prefixes, alphabet, length))
        for name, prefixes, alphabet, length in TOKENS
    ),
)

NAMES_SECRET = late(_NAMED)
_ENGINE_WORTH = 64 * 1024
"""Characters from which on the engine reads a text faster than the cheap look does."""
_TELLING = (
    *("private key", "bearer", "authorization", "curl ", "hf_", "xox", "eyj", "_live_", "_test_", "$aact_", "api_org_"),
    *("密码", "口令", "密钥", "パスワード"),
)
_CREDENTIALS = late(r"://[^\s/:@]{0,100}:[^\s/]{1,200}@", needs=("://",))
_NAMED_VALUE = late(
    r"(?:pass|pwd|secret|token|credential|key)[\w.-]{0,30}[\"'`*\])]{0,4}\s{0,3}(?:=>|:=|==?|:|：|is\b)"
    r"[^\n]{0,8}?\S{6}",
    needs=("pass", "pwd", "secret", "token", "credential", "key"),
)
_RUN = late(r"[a-z0-9_.-]{16,}")
_TO_DIGIT, _FROM_DIGIT, _NOT_HEX = late(r"[a-z]\d"), late(r"\d[a-z]"), late(r"[g-z]")
_HEX_RUN = late(r"(?:[0-9a-f]{20}|[0-9a-f]{8}-[0-9a-f]{4}-)")
_SHORTEST_RUN = 14
"""Characters of the shortest match of these two, which have no blank in them."""
_BEFORE_HEX = late(
    r"[a-z][\w .\t-]{0,30}(?<!commit|parent|digest|sha256)(?<!tree|hash|blob|sha1)(?<!sha)(?<!id)"
    r"[\"'`*\])]{0,4}\s{0,3}(?:=|>|:|\|\||,|：|\?=)[=>:]{0,2}[\"'`*\s=]{0,5}$"
)
_BEGIN_KEY = late(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----", needs=("-----BEGIN ",))
_KEY_BODY = late(r"[\w+/=\s:,.()\\>|\"'*-]{0,40000}")
_KEY_RUN = late(r"[A-Za-z0-9+/]{40}")
_CUT_KEY = late(r"(?:\s{1,8}[A-Za-z0-9+/=]{40,80})+")
_HASH = late(r"(?:[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")
_STAND_IN = late(
    r"\$\{?[A-Za-z_]\w*\}?|%\w+%|[{<\[(].*|[*xX.#_-]+|.*(?:EXAMPLE|\.\.\.|…|\$\{|\{\{).*|.*\(.*", re.DOTALL
)
_CLASS_CHANGE = late(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z]{2})(?=[a-z])|(?<=[A-Z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")


def looks_suspicious(text: str) -> bool:
    """Whether the engine is worth loading. May err towards yes; a plain note gives no."""
    if len(text) > _ENGINE_WORTH:
        return True
    lowered = text.lower()
    return (
        any(word in lowered for word in _TELLING)
        or _CREDENTIALS.search(lowered) is not None
        or _NAMED_VALUE.search(lowered) is not None
        or (_has_long_word(lowered) and _has_suspicious_run(lowered))
    )


def _has_long_word(lowered: str) -> bool:
    """Whether there is anything in which a run can be: most topics and notes are words."""
    return any(len(word) >= _SHORTEST_RUN for word in lowered.split())


def _has_suspicious_run(lowered: str) -> bool:
    return any(map(_mixes_letters_and_digits, _RUN.findall(lowered))) or any(
        _assigned(lowered, match.start()) for match in _HEX_RUN.finditer(lowered)
    )


def _mixes_letters_and_digits(run: str) -> bool:
    """From letters to digits and back, and no hexadecimal number: as names of files, dates and commits are not."""
    return all(pattern.search(run) for pattern in (_TO_DIGIT, _FROM_DIGIT, _NOT_HEX))


def _assigned(lowered: str, start: int) -> bool:
    """Whether the hexadecimal number there is the value of a name, and the name is none for a hash or an id."""
    return _BEFORE_HEX.search(lowered, max(0, start - 60), start) is not None


def is_hash(value: str) -> bool:
    """Whether the value could be a commit id, a checksum or a UUID: hexadecimal digits and nothing else."""
    return _HASH.fullmatch(value) is not None


def is_stand_in(value: str) -> bool:
    """Whether the value only says that a secret belongs there: `$PASSWORD`, `<token>`, `****`, a placeholder."""
    return _STAND_IN.fullmatch(value) is not None


def is_random(value: str) -> bool:
    """Whether a value known only by its name is surely a secret: digits, small and capital letters, well mixed.

    `CamelCaseName2` and most paths change class too seldom, a hash is left to the reader.
    """
    if len(value) < 10 or "://" in value or is_hash(value):
        return False
    classes = (str.islower, str.isupper, str.isdigit)
    mixed = all(any(is_of(character) for character in value) for is_of in classes)
    return mixed and len(_CLASS_CHANGE.findall(value)) >= max(4, len(value) // 3)


def is_distinct(value: str) -> bool:
    """Whether the value can be taken out wherever it occurs, without eating ordinary words."""
    return len(value) >= 20 or (len(value) >= 8 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)))


def find_by_rules(text: str) -> Iterator[tuple[Rule, int, int]]:
    """Every match of our own rules: rule, start and end of the value. Stand-ins and placeholders are left out."""
    lowered = text.lower()
    for rule in RULES:
        if any(keyword in lowered for keyword in rule.keywords):
            pattern = re.compile(rule.pattern)
            group = 1 if pattern.groups else 0
            for match in pattern.finditer(text):
                if not is_stand_in(match[group]):
                    yield rule, match.start(group), match.end(group)


PRIVATE_KEY = Rule("private-key", _BEGIN_KEY.pattern, ("private key",))


def find_private_keys(text: str) -> Iterator[tuple[Rule, int, int]]:
    """PEM and PGP private keys from their first line to their last; a cut one to the end of its base64."""
    position = 0
    while begin := _BEGIN_KEY.search(text, position):
        end = _end_of_key(text, begin.end())
        if end is not None:
            yield PRIVATE_KEY, begin.start(), end
        position = end or begin.end()


def _end_of_key(text: str, start: int) -> int | None:
    """Where the key whose first line ends at `start` ends; None: the line is only spoken of."""
    next_key = text.find("-----BEGIN", start)  # no key reaches into the next: the search stays linear
    body = _KEY_BODY.match(text, start, next_key if next_key >= 0 else len(text))
    head = text[start : body.end() if body else start]
    close = head.find("-----END")
    if close >= 0 and _KEY_RUN.search(head, 0, close):
        line = re.compile(r"-----END [A-Z0-9 ]{0,40}-----").match(text, start + close)
        return line.end() if line else start + close
    cut = _CUT_KEY.match(text, start)
    return cut.end() if cut else None
