"""Values are as the standard library's dataclasses: each test runs with both."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from functools import cached_property
from types import ModuleType
from typing import Any

import pytest

from memsite import values

BOTH = pytest.mark.parametrize("kind", [dataclasses, values], ids=["dataclasses", "values"])


def point(kind: Any, **options: bool) -> Any:
    @kind.dataclass(**options)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = kind.field(default_factory=list)
        label: str = kind.field(default="", repr=False, compare=False)

        @property
        def total(self) -> int:
            return self.x + self.y

    return Point


ALL = pytest.mark.parametrize(
    "options", [{}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}], ids=lambda one: "+".join(one)
)


@BOTH
@ALL
@pytest.mark.parametrize("made_before", [0, 20])
def test_values_begin_compare_and_show_themselves(kind: Any, options: dict[str, bool], made_before: int) -> None:
    made = point(kind, **options)
    for number in range(made_before):
        assert repr(made(number)).endswith(f"Point(x={number}, y=2, tags=[])")
    one, other = made(1, label="a"), made(x=1, y=2, tags=[], label="b")
    assert one == other
    assert one != made(2)
    assert one != (1, 2, [])
    assert repr(one).endswith("Point(x=1, y=2, tags=[])")
    assert (one.total, one.tags, one.label, one.tags is made(1).tags) == (3, [], "a", False)
    assert made.__match_args__ == ("x", "y", "tags", "label")
    assert hasattr(one, "__dict__") is not options.get("slots", False)


@BOTH
@ALL
@pytest.mark.parametrize(
    "given", [((), {}), ((1, 2, [], "", 5), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((), {"y": 1})]
)
def test_wrong_arguments_are_refused_the_first_time_too(
    kind: Any, options: dict[str, bool], given: tuple[tuple[Any, ...], dict[str, Any]]
) -> None:
    made = point(kind, **options)
    for _ in range(2):  # the first time, and from the second on
        with pytest.raises(TypeError, match="__init__"):
            made(*given[0], **given[1])


@BOTH
@ALL
def test_frozen_values_stay_and_have_a_hash(kind: Any, options: dict[str, bool]) -> None:
    made = point(kind, **options)
    one = made(1, tags=())
    if not options.get("frozen"):
        one.x = 5
        assert one.x == 5
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
        return
    assert hash(one) == hash(made(1, tags=(), label="other"))
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 5
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x


@BOTH
@ALL
def test_they_are_replaced_and_copied(kind: Any, options: dict[str, bool]) -> None:
    one = point(kind, **options)(1, tags=["a"], label="b")
    for replace in (kind.replace, dataclasses.replace):
        other = replace(one, y=7)
        assert (other.x, other.y, other.tags, other.label) == (1, 7, ["a"], "b")
        with pytest.raises(TypeError, match="nothing"):
            replace(one, nothing=1)
    deep = copy.deepcopy(one)
    assert deep == one
    assert deep.tags is not one.tags
    assert dataclasses.asdict(one) == {"x": 1, "y": 2, "tags": ["a"], "label": "b"}
    assert type(one).__dataclass_fields__ is type(one).__dataclass_fields__
    assert [item.name for item in dataclasses.fields(one)] == ["x", "y", "tags", "label"]


@values.dataclass(frozen=True, slots=True)
class Kept:
    """For pickle, which finds classes by their names."""

    a: int
    b: tuple[int, ...] = ()


def test_they_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))  # noqa: S301 - its own


@BOTH
def test_what_a_class_says_itself_counts(kind: Any) -> None:
    @kind.dataclass(frozen=True)
    class Odd:
        a: int
        b: int = 0

        def __post_init__(self) -> None:
            object.__setattr__(self, "b", self.a * 2)

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "odd"

        @cached_property
        def late(self) -> int:
            return self.b + 1

    odd: Any = Odd
    one = odd(1)
    assert (one.b, one.late, repr(one), hash(one), one == 5) == (2, 3, "odd", 7, True)


@BOTH
@pytest.mark.parametrize("below", [dataclasses, values], ids=["dataclasses", "values"])
def test_a_class_below_has_its_bases_values_first(kind: Any, below: ModuleType) -> None:
    if (kind, below) == (dataclasses, values):
        pytest.skip("what every command loads is below nothing of the standard library's")

    @kind.dataclass(frozen=True, slots=True)
    class Base:
        a: int
        b: int = 1

    @below.dataclass(frozen=True, slots=True)
    class Lower(Base):
        c: int = 2

    upper: Any = Base
    lower: Any = Lower
    assert repr(lower(0)).endswith("Lower(a=0, b=1, c=2)")
    assert lower(0) == lower(0, 1, 2)
    assert lower(0) != upper(0)
    assert not hasattr(lower(0), "__dict__")


@BOTH
def test_a_match_takes_them_apart(kind: Any) -> None:
    made = point(kind, frozen=True, slots=True)
    match made(1, 5):
        case made(x, y):
            assert (x, y) == (1, 5)
        case _:
            pytest.fail("no match")


@BOTH
def test_a_class_without_values(kind: Any) -> None:
    @kind.dataclass(frozen=True, slots=True)
    class Nothing:
        """None."""

    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())
    assert repr(Nothing()).endswith("Nothing()")
