"""One transcript as the entry that the session log gets, in one pass and constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, tzinfo

from memsite.capture.graphemes import grapheme_floor
from memsite.capture.message import Message, Role, Transcript
from memsite.capture.noise import (
    automatic_reason,
    clean_prompt,
    field_reason,
    find_ignored,
    is_silent_reply,
    text_reason,
)
from memsite.capture.tokens import TokenCounter, count_cjk_letters, utf16_length
from memsite.patterns import late
from memsite.values import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memsite.config import Config
    from memsite.errors import ConfigError
    from memsite.memory.session_entry import SessionEntry

NO_TOPIC = "(no topic)"
TOPIC_LENGTH = 120
_MEANINGFUL_LENGTH = 10
_MEANINGFUL_CJK = 5
_CONTROLS = late("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ID_LENGTH = 16
_KEPT_LENGTH = 100_000
"""Characters of a prompt that the topic, the patterns and the id are made from; the tokens are those of all of it."""
_IDS_REMEMBERED = 4096
"""The lines of one message stand close together; remembering every id would grow with the transcript."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What a transcript comes to."""

    day: date
    """Of its first message, in the user's zone: the session log it belongs to."""
    entry: SessionEntry
    noise: str | None
    """Why it is not logged: cron, heartbeat, system, subagent, background-task, flush, reset, `ignored` (a pattern of
    the user's) or `empty` (nothing was said); None for a session to log."""
    skipped: int
    """Lines and messages that could not be read."""
    cwd: str
    agent: str
    pattern_errors: tuple[ConfigError, ...] = ()
    """`ignore_patterns` that do not compile: the command line raises the first, a hook records them and goes on."""

    @property
    def project(self) -> str:
        """The last part of the agent's working folder, for logs that receive several projects' sessions."""
        return self.cwd.replace("\\", "/").rstrip("/").rpartition("/")[2]


class _Tally:
    """All that is kept of the messages that have passed."""

    def __init__(self) -> None:
        self.fingerprint = ""
        """The first message and its time, as much of it as tells it apart."""
        self.at: datetime | None = None
        self.prompts = 0
        self.replies = 0
        self.tokens = TokenCounter()
        self.opening: str | None = None
        """Why the first user-role message came by itself."""
        self.first_prompt: str | None = None
        self.topic: str | None = None
        self._has_user = False
        self._counted: dict[str, None] = {}

    def add(self, message: Message) -> None:
        self.fingerprint = (
            self.fingerprint or f"{message.text[:_KEPT_LENGTH]}\0{message.at.isoformat() if message.at else ''}"
        )
        self.at = self.at or message.at
        self.tokens.add(message.text)
        if message.role is Role.USER:
            self._add_user(message)
        elif message.role is Role.ASSISTANT and not is_silent_reply(message.text):
            self.replies += self._is_new(message)

    def _add_user(self, message: Message) -> None:
        if not self._has_user and not message.is_prompt:
            self.opening = automatic_reason(message.text)
        self._has_user = True
        if not message.is_prompt or not self._is_new(message):
            return
        self.prompts += 1
        if self.topic is None:
            prompt = clean_prompt(message.text)[:_KEPT_LENGTH]
            self.first_prompt = prompt if self.first_prompt is None else self.first_prompt
            self.topic = choose_topic(prompt)

    def _is_new(self, message: Message) -> bool:
        if not message.id:
            return True
        key = f"{message.role}:{message.id}"
        if key in self._counted:
            return False
        self._counted[key] = None
        if len(self._counted) > _IDS_REMEMBERED:
            del self._counted[next(iter(self._counted))]
        return True


def summarize_session(
    transcript: Transcript, *, config: Config, zone: tzinfo, fallback: datetime, session_id: str | None = None
) -> SessionSummary:
    """Consume a transcript and say what its entry is (FORMATS, "Session log"; seed, `writeSessionLog`).

    Day and time are those of the first message that has a time, else of the session's header, else `fallback` (aware,
    or naive and already local), all local to `zone`. The id is `session_id`, else the transcript's, else a hash of the
    first message and its time. Only prompts count as user messages; a message that is spread over several lines counts
    once; tokens are those of every text, tool results included. Raises nothing for any content.
    """
    from memsite.memory.session_entry import SessionEntry  # a dataclass takes a millisecond to make

    tally = _Tally()
    for message in transcript:
        tally.add(message)
        del message  # see message.py
    moment = _local(tally.at or transcript.started or fallback, zone)
    noise, errors = _find_noise(tally, transcript, config)
    entry = SessionEntry(
        time=moment.time().replace(second=0, microsecond=0),
        topic=tally.topic or NO_TOPIC,
        user_messages=tally.prompts,
        assistant_messages=tally.replies,
        tokens=tally.tokens.total,
        session_id=session_id or transcript.session_id or _hash_id(tally),
        agent=transcript.agent,
    )
    return SessionSummary(moment.date(), entry, noise, transcript.skipped, transcript.cwd, transcript.agent, errors)


def _local(moment: datetime, zone: tzinfo) -> datetime:
    return moment.astimezone(zone) if moment.tzinfo else moment


def _find_noise(tally: _Tally, transcript: Transcript, config: Config) -> tuple[str | None, tuple[ConfigError, ...]]:
    found, errors = find_ignored(config.ignore_patterns, tally.first_prompt or "")
    return next(_reasons(tally, transcript, found), None), errors


def _reasons(tally: _Tally, transcript: Transcript, found: str | None) -> Iterator[str]:
    by_fields = field_reason(
        session_key=transcript.session_key, trigger=transcript.trigger, is_subagent=transcript.is_subagent
    )
    by_text = text_reason(tally.opening, has_prompt=tally.prompts > 0)
    if reason := by_fields or by_text:
        yield reason
    if found is not None and tally.first_prompt is not None:
        yield "ignored"
    if tally.prompts == 0 and tally.replies == 0:
        yield "empty"


def _hash_id(tally: _Tally) -> str:
    from hashlib import sha256  # most sessions have an id

    return sha256(tally.fingerprint.encode()).hexdigest()[:_ID_LENGTH] if tally.fingerprint else ""


def choose_topic(prompt: str) -> str | None:
    """The topic that a cleaned prompt gives, or None when it says too little.

    The seed's rule: more than 10 UTF-16 units; its first line, 120 characters. CJK says more in less, so five CJK
    letters are enough. Control characters become spaces, and no grapheme is cut in two.
    """
    if utf16_length(prompt) <= _MEANINGFUL_LENGTH and count_cjk_letters(prompt) < _MEANINGFUL_CJK:
        return None
    line = prompt.partition("\n")[0]
    line = (line if line.isprintable() else _CONTROLS.sub(" ", line)).strip()
    return line[: grapheme_floor(line, TOPIC_LENGTH)].rstrip() or None
