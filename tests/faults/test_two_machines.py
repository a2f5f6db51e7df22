"""Two machines remember apart and sync: generated histories, real clones, and nothing may be lost or doubled."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path, PurePosixPath
from random import Random
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from threading import Thread

import pytest

from memsite.cli.main import main
from memsite.errors import RefusedError
from memsite.memory.changeset import Append, Changeset, Write
from memsite.memory.daily import plan_note
from memsite.memory.index_edit import add_aliases, add_topic, set_status, touch_topic
from memsite.memory.lineage import load_memory
from memsite.memory.model import Memory, SessionEntry, Status
from memsite.memory.names import day_path, session_log_path
from memsite.memory.planning import plan_consolidation
from memsite.memory.session_log import plan_session_entry
from memsite.repo.guard import check_history
from memsite.repo.settle import settle_generations
from memsite.repo.snapshots import read_worktree
from memsite.repo.sync import SyncResult, sync
from memsite.repo.transaction import Reader, transact
from memsite.repo.tree_merge import merge_trees
from memsite.repo.upstream import fetch, find_upstream
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.faults.conftest import LONG

pytestmark = pytest.mark.faults
HISTORIES, EACH = (1000, 25) if LONG else (100, 10)
PROGRAM = Path(sys.executable).with_name("memsite")
CLIENT = """#!{python} -SE
import os, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect({address!r})
place = lambda number, word: os.path.abspath(word) if -5 < number - len(sys.argv) < -1 else word
link.sendall("\\0".join(place(number, word) for number, word in enumerate(sys.argv) if number).encode() + b"\\0\\0")
sys.exit(int(link.recv(9)))
"""
MEMORY = PurePosixPath("memory")
INDEX = MEMORY / "INDEX.md"
TOPICS = ["blog", "shop", "garden", "记忆", "my-blog"]
CATEGORIES = ["Projects", "Decisions", "Ideas"]
FIRST_DAY = date(2025, 3, 20)

BODY = """## Summary
The story {word}.

## Key Points
- It went on.

## Decisions Made
- None.

## Current Status
Going on.
"""


@dataclass
class Told:
    """What both machines were told, so what must be there in the end."""

    sessions: dict[str, int] = field(default_factory=dict)
    """By id: the most messages of any version."""
    plain: Counter[str] = field(default_factory=Counter)
    """Topics of sessions without an id."""
    words: set[str] = field(default_factory=set)
    """Each in one note, once."""
    dates: dict[str, set[date]] = field(default_factory=dict)
    stories: set[str] = field(default_factory=set)
    """Each in one generation, once."""


@dataclass
class Machine:
    """A clone and its agent."""

    ws: Workspace
    name: str
    random: Random
    told: Told
    program: Path
    count: int = 0

    def act(self, day: date) -> None:
        """Something that an agent or a person does."""
        actions = [
            self.log,
            self.log,
            self.grow,
            self.seed_log,
            self.note,
            self.note,
            self.write,
            self.touch,
            self.consolidate,
        ]
        self.random.choice(actions)(day, self.word())

    def word(self) -> str:
        """A new word, of this machine alone."""
        self.count += 1
        return f"{self.name}{self.count:05}"

    def log(self, day: date, word: str) -> None:
        self._log(day, word, self.random.randint(1, 9))

    def grow(self, day: date, _word: str) -> None:
        """A session that both machines know: each logs it with what it has of it."""
        name = f"both-{day.isoformat()}"
        self._log(day, name, self.told.sessions.get(name, 0) + self.random.randint(1, 9))

    def _log(self, day: date, name: str, messages: int) -> None:
        path = session_log_path(MEMORY, day)
        minute = int(name[1:], 10) % 60 if name[1:].isdecimal() else 0
        entry = SessionEntry(time(9, minute), f"About {name}", messages, messages, messages, name, "claude-code")
        self._commit(lambda reader: plan_session_entry(reader.read(path), path, day, entry))
        self.told.sessions[name] = max(messages, self.told.sessions.get(name, 0))

    def seed_log(self, day: date, word: str) -> None:
        """As the seed's plugin logs: no id, no blank line; often the same words on both machines."""
        topic = self.random.choice(["the same", word])
        path = session_log_path(MEMORY, day)
        entry = f"### 10:00\n- **Topic:** {topic}\n- **Messages:** 1 user / 1 assistant\n- **Est. tokens:** ~9\n"
        header = f"# Session Log — {day.isoformat()}\n\n".encode()
        self._commit(lambda _: Changeset((Append(path, entry.encode(), header),), "session: x"))
        self.told.plain[f"{day} {topic}"] += 1

    def note(self, day: date, word: str) -> None:
        path = day_path(MEMORY, day)
        text = self.random.choice(["{}", "- {}", "## Head\n{}", "{}\n\nand more of it", "```\n{}\n```"]).format(word)
        self._commit(lambda reader: plan_note(reader.read(path), path, day, text, time(9)))
        self.told.words.add(word)

    def write(self, day: date, word: str) -> None:
        """An agent appends by itself, and commits nothing."""
        path = self.ws.root / day_path(MEMORY, day)
        before = path.read_text("utf-8") if path.exists() else f"# {day}\n"
        path.write_text(f"{before}\n{word}\n", encoding="utf-8")
        self.told.words.add(word)

    def touch(self, day: date, word: str, *, slug: str = "") -> None:
        slug = slug or self.random.choice(TOPICS)

        def edit(data: bytes | None) -> bytes:
            if data is None or f"**{slug}**".encode() not in data:
                data = add_topic(data, slug, CATEGORIES[len(slug) % 3], [day], config=self.ws.config)
            data = touch_topic(data, slug, [day], config=self.ws.config)
            if self.random.random() < 0.3:
                data = add_aliases(data, slug, [f"Name {word}"], config=self.ws.config)
            if self.name == "a" and self.random.random() < 0.3:
                data = set_status(data, slug, self.random.choice(list(Status)), config=self.ws.config)
            return data

        self._commit(
            lambda reader: Changeset((Write(INDEX, reader.read(INDEX), edit(reader.read(INDEX))),), "index: x")
        )
        self.told.dates.setdefault(slug, set()).add(day)

    def consolidate(self, day: date, word: str) -> None:
        """The first topic that has something new; both machines choose alike, so they often take the same number."""
        config = self.ws.config

        def plan(reader: Reader, slug: str) -> Changeset:
            memory = load_memory(reader.snapshot(), config)
            return plan_consolidation(memory, slug, BODY.format(word=word), day, config, known_numbers=())

        for slug in TOPICS:
            with suppress(RefusedError):  # nothing to consolidate
                self._commit(partial(plan, slug=slug))
                self.told.stories.add(word)
                return

    def _commit(self, plan: object) -> None:
        assert callable(plan)
        transact(self.ws, lambda reader: [plan(reader)], now=self.now)

    @property
    def now(self) -> datetime:
        return datetime(2025, 3, 20, 12, tzinfo=UTC) + timedelta(minutes=self.count)

    def sync(self) -> SyncResult:
        return sync(self.ws, now=self.now, program=self.program)

    def memory(self) -> Memory:
        return load_memory(read_worktree(self.ws), self.ws.config)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The command that merges files. In the short profile it is a client of this process, to save starts of Python."""
    if LONG:
        yield PROGRAM
        return
    folder = tmp_path_factory.mktemp("merging")
    client = folder / "memsite"
    client.write_text(CLIENT.format(python=sys.executable, address=str(folder / "socket")), encoding="utf-8")
    client.chmod(0o755)
    with ThreadingUnixStreamServer(str(folder / "socket"), Merging) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield client
        server.shutdown()
        thread.join()


class Merging(StreamRequestHandler):
    """The other end of the client: the same command line, in this process."""

    def handle(self) -> None:
        said = b""
        while not said.endswith(b"\0\0"):
            said += self.connection.recv(4096)
        self.wfile.write(b"%d" % main(said.decode().split("\0")[:-2]))


@pytest.fixture
def machines(git: Git, tmp_path: Path, request: pytest.FixtureRequest, program: Path) -> tuple[Machine, Machine]:
    """Two clones of an empty memory."""
    git("init", "-q", "--bare", "-b", "main", "remote.git")
    told, made = Told(), []
    for name in ("a", "b"):
        git("clone", "-q", str(tmp_path / "remote.git"), name)
        root = tmp_path / name
        git("config", "user.name", name, cwd=root)
        git("config", "user.email", f"{name}@example.org", cwd=root)
        if name == "a":
            (root / "memory").mkdir()
            (root / "memory/INDEX.md").write_text("# Memory Index\n", encoding="utf-8")
            git("add", "memory", cwd=root)
            git("commit", "-qm", "index: begin", cwd=root)
            git("push", "-q", "-u", "origin", "HEAD", cwd=root)
        made.append(Machine(open_workspace(root), name, Random(f"{request.node.name}{name}"), told, program))
    return made[0], made[1]


@pytest.mark.parametrize("number", range(HISTORIES // EACH))
def test_two_sided_histories_merge_without_loss(machines: tuple[Machine, Machine], git: Git, number: int) -> None:
    random = Random(number)
    for history in range(EACH):
        day = FIRST_DAY + timedelta(days=history // 2)
        has_news = random.random() < 0.4
        if has_news:
            both_know_news(machines, day)
        for machine in machines:
            for _ in range(random.randint(0, 5)):
                machine.act(day)
            if has_news:
                machine.consolidate(day, machine.word())
        first, second = random.sample(machines, 2)
        first.sync()
        expected = merged_elsewhere(second, git)
        result = second.sync()
        tree = git("rev-parse", "HEAD^{tree}", cwd=second.ws.root)
        assert expected in (None, tree.strip())
        first.sync()
        assert git("rev-parse", "HEAD", cwd=first.ws.root).strip() == result.head
        for machine in machines:
            assert git("status", "--porcelain", cwd=machine.ws.root) == ""
        everything_once(first)
    assert {machine.sync().head for machine in machines} == {result.head}
    assert [one for one in check_history(machines[0].ws) if not one.warning] == []
    git("fsck", "--strict", "--no-dangling", cwd=machines[0].ws.root)


def both_know_news(machines: tuple[Machine, Machine], day: date) -> None:
    """A note that both machines have and none has consolidated: both will make the next generation of its topic."""
    machines[0].note(day, machines[0].word())
    machines[0].touch(day, machines[0].word(), slug=TOPICS[0])
    for machine in machines:
        machine.sync()


def merged_elsewhere(machine: Machine, git: Git) -> str | None:
    """The tree that the merge would have if the other machine made it; None where there is nothing to merge."""
    repository = machine.ws.require_repository()
    theirs = fetch(repository, find_upstream(repository, None))
    assert theirs
    if git("status", "--porcelain", cwd=machine.ws.root):
        return None  # what is not committed yet is not in it
    ours = git("rev-parse", "HEAD", cwd=machine.ws.root).strip()
    if git("merge-base", ours, theirs, cwd=machine.ws.root).strip() in (ours, theirs):
        return None
    tip = settle_generations(machine.ws, ours, theirs).tip
    merged = merge_trees(machine.ws, theirs, tip, machine.program)
    assert merged.conflicts == ()
    return merged.tree


def everything_once(machine: Machine) -> None:
    memory, told = machine.memory(), machine.told
    assert memory.problems == ()
    entries = [(log.day, entry) for log in memory.session_logs for entry in log.entries]
    sessions = Counter(entry.session_id for _, entry in entries if entry.session_id)
    assert sessions == Counter(told.sessions.keys())
    assert {one.session_id: one.user_messages for _, one in entries if one.session_id} == told.sessions
    assert Counter(f"{day} {one.topic}" for day, one in entries if not one.session_id) == told.plain
    words = Counter(word.strip("-") for note in memory.notes for word in note.blob.text.split())
    assert {word: words[word] for word in told.words if words[word] != 1} == {}
    assert {one.slug: set(one.dates) for one in memory.index.entries} == told.dates
    stories = Counter(one.summary.split()[-1].strip(".") for topic in memory.topics for one in topic.generations)
    assert stories == Counter(told.stories)
    for topic in memory.topics:
        assert [one.number for one in topic.generations] == list(range(1, len(topic.generations) + 1))
        previous = ["", *(f"consolidated/{one.path.name}" for one in topic.generations)]
        assert [one.previous for one in topic.generations] == previous[:-1]
