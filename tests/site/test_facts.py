"""Keys that are kept while what they were made of is as it was."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from memsite.site.facts import EVERYTHING, FORMAT, Fact, Facts, Kept, Watched


class World:
    """Facts that a test changes, and how often something was made of them."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.notes = {"a": "1", "b": "2"}
        self.made: list[str] = []

    def value(self, fact: Fact) -> str:
        kind, key = fact
        return repr(self.notes) if key == "*" or kind == EVERYTHING[0] else repr(self.notes.get(key))

    def build(self, name: str = "program", basis: str = "") -> dict[str, str]:
        """What a build finds for each view."""
        facts, kept = Facts(), Kept(self.file, name)
        kept.load()
        notes = Watched(self.notes, "notes", facts)
        views: dict[str, Callable[[], str]] = {
            "a": lambda: notes["a"],
            "missing": lambda: str(notes.get("c")),
            "all": lambda: ",".join(f"{key}={value}" for key, value in notes.items()),
            "none": lambda: "constant",
        }
        self.made = []
        found = {
            view: kept.key(view, basis, facts, self.value, partial(self._make, view, make))
            for view, make in views.items()
        }
        kept.save(self.value, ())
        return found

    def _make(self, view: str, make: Callable[[], str]) -> str:
        self.made.append(view)
        return make()


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "views.json")
    world.build()
    return world


def test_nothing_is_made_again_while_nothing_changes(world: World) -> None:
    assert world.build() == {"a": "1", "missing": "None", "all": "a=1,b=2", "none": "constant"}
    assert world.made == []


@pytest.mark.parametrize(
    ("key", "text", "made"),
    [("a", "3", ["a", "all"]), ("b", "3", ["all"]), ("c", "3", ["missing", "all"]), ("d", "3", ["all"])],
)
def test_what_has_read_a_fact_that_changed_is_made_again(world: World, key: str, text: str, made: list[str]) -> None:
    world.notes[key] = text
    found = world.build()
    assert world.made == made
    world.build()
    assert world.made == []
    assert found == World(None).build() | {name: found[name] for name in made}


def test_a_fact_that_is_gone_has_changed(world: World) -> None:
    del world.notes["b"]
    assert world.build()["all"] == "a=1"
    assert world.made == ["all"]


@pytest.mark.parametrize("change", [{"name": "another program"}, {"basis": "another basis"}])
def test_another_program_or_another_basis_makes_all_anew(world: World, change: dict[str, str]) -> None:
    world.build(**change)
    assert world.made == ["a", "missing", "all", "none"]


HEAD = f'{{"format":"{FORMAT}","name":"program","next":1,"rows":'


@pytest.mark.parametrize(
    "damage",
    [
        *("", "{", "[]", f'{{"format":"{FORMAT}"}}', HEAD + '{},"facts":[1]}'),
        HEAD + '{"a":["","x","AQAAAA=="]},"facts":[[0,"notes","a","1",[]]]}',
        HEAD + '{"a":["","x","AQAAAQ=="]},"facts":[[0,"notes","a","1",[]]]}',
        HEAD + '{"a":["","x","AAAA"]},"facts":[[0,"notes","a","1",[]]]}',
        HEAD + '{"a":["","x"]},"facts":[[0,"notes","a","1",[]]]}',
    ],
)
def test_a_damaged_file_is_none(world: World, damage: str) -> None:
    assert world.file is not None
    world.file.write_text(damage)
    world.build()
    assert world.made == ["a", "missing", "all", "none"]


def test_what_nobody_asked_for_lasts_while_its_facts_hold(tmp_path: Path) -> None:
    """A view that is kept for later, and not asked for in the build in which one of its facts changed."""
    values = {("commits", "a"): "1", ("logs", "a"): "1"}
    asked: list[str] = []

    def build(*names: str) -> None:
        facts, kept = Facts(), Kept(tmp_path / "views.json", "program")
        kept.load()
        asked.clear()
        for name in names:

            def make(name: str = name) -> str:
                asked.append(name)
                facts.read(name, "a")
                return values[name, "a"]

            kept.key(name, "", facts, values.__getitem__, make)
        kept.save(values.__getitem__, {"commits"})

    build("commits", "logs")
    values["logs", "a"] = "2"
    build("logs")
    build("commits", "logs")
    assert asked == []
    values["commits", "a"] = "2"
    build("logs")
    build("commits", "logs")
    assert asked == ["commits"]


def _read_a(facts: Facts) -> str:
    facts.read("notes", "a")
    return "a"


def test_who_stands_around_a_key_reads_what_it_is_made_of(world: World) -> None:
    for _ in range(2):  # made, then kept
        facts, kept = Facts(), Kept(world.file, "another")
        kept.load()
        with facts.noted() as outer:
            kept.key("inner", "", facts, world.value, partial(_read_a, facts))
        assert outer == {("notes", "a")}
        kept.save(world.value, ())


def test_what_is_read_inside_is_not_read_by_who_stands_around(world: World) -> None:
    facts = Facts()
    with facts.noted() as outer:
        facts.read("notes", "a")
        with facts.noted() as inner:
            facts.read("notes", "b")
    assert (outer, inner) == ({("notes", "a")}, {("notes", "b")})


@pytest.mark.parametrize(
    ("fact", "beyond"),
    [
        (("near", "c1\0a.md"), ("revisions", "a.md")),
        (("is_last", "b1\0a.md"), ("last_blobs", "a.md")),
        (("problems", "a.md"), ("problems", "*")),
        (("has_day", "2026-01-01"), ("days", "*")),
        (("link", "memory\0a.md"), ("links", "*")),
    ],
)
def test_while_what_a_fact_is_a_part_of_holds_it_is_not_looked_at(tmp_path: Path, fact: Fact, beyond: Fact) -> None:
    values = {fact: "1", beyond: "1"}
    looked: list[Fact] = []

    def value(asked: Fact) -> str:
        looked.append(asked)
        return values[asked]

    def build() -> list[Fact]:
        facts, kept = Facts(), Kept(tmp_path / "views.json", "program")
        kept.load()

        def make() -> str:
            facts.read(*fact)
            return values[fact]

        found = kept.key("view", "", facts, value, make)
        made_of = values[fact]
        assert found == made_of
        looked_at = list(looked)
        kept.save(value, ())
        looked.clear()
        return looked_at

    build()
    assert build() == [beyond]
    values[beyond] = "2"
    assert set(build()) == {beyond, fact}
    values |= {beyond: "3", fact: "3"}
    assert set(build()) == {beyond, fact}
    assert build() == [beyond]


def test_what_another_process_has_found_is_kept_as_its_own(world: World) -> None:
    """Numbers of facts are a process's own: the other one has read others first."""

    def read(facts: Facts, name: str) -> str:
        facts.read("notes", name)
        return name

    here, there = Kept(world.file, "another"), Kept(None, "another")
    legacy = there.legacy()
    for kept, names in ((there, "ab"), (here, "bc")):
        facts = Facts()
        for name in names:
            kept.key(name, "", facts, world.value, partial(read, facts, name))
    here.legacy().take(legacy.leave())
    here.save(world.value, ())
    again = Kept(world.file, "another")
    again.load()

    def refuse() -> str:
        raise AssertionError

    assert [again.key(name, "", Facts(), world.value, refuse) for name in "abc"] == ["a", "b", "c"]
