"""`dataclass` for what every command loads: the same classes, their methods made when they are first called.

The standard library's writes six methods of each class and compiles them while it is imported: 0.5 ms a class and 5 ms
for itself. `log` loads some fifty of them and makes values of a dozen; it would take longer than its commit.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any

_MISSING: Any = object()
_FEW = 8
"""So many values of a class are made before it pays to compile how."""


class _Field:
    """How one value of a class begins, and where it counts."""

    __slots__ = ("compare", "default", "factory", "repr")

    def __init__(self, default: Any, factory: Any, *, repr: bool, compare: bool) -> None:
        self.default, self.factory, self.repr, self.compare = default, factory, repr, compare


_Slot: Any = type(vars(_Field)["repr"])
"""What a class has in place of a value that stands in a slot."""


def _field(
    *,
    default: Any = _MISSING,
    default_factory: Any = _MISSING,
    repr: bool = True,
    compare: bool = True,
) -> _Field:
    return _Field(default, default_factory, repr=repr, compare=compare)


def _dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False) -> Any:
    if cls is None:
        return lambda made: _process(made, frozen=frozen, slots=slots)
    return _process(cls, frozen=frozen, slots=slots)


def _process(cls: type, *, frozen: bool, slots: bool) -> type:
    inherited: dict[str, _Field] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited |= base.__dict__.get("__value_fields__", {})
    own = {name: _read_default(cls, name) for name in cls.__annotations__}
    fields = inherited | own
    body = dict(cls.__dict__)
    for name, one in own.items():
        body.pop(name, None)
        if not slots and one.default is not _MISSING:
            body[name] = one.default
    if slots:
        body["__slots__"] = tuple(name for name in own if name not in inherited)
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    body |= {"__value_fields__": fields, "__match_args__": tuple(fields)}
    body |= {name: _Real(name, frozen=frozen) for name in ("__dataclass_fields__", "__dataclass_params__")}
    has_eq, has_hash = "__eq__" in body, body.get("__hash__") is not None
    for name, method in _methods(fields, frozen=frozen, slots=slots).items():
        body.setdefault(name, method)
    if not has_hash:
        body["__hash__"] = None if not frozen else body["__hash__"] if has_eq else _hash_of(fields)
    made: type = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    if "__init__" not in body:
        _init_late(made, frozen=frozen)
    if "__repr__" not in body:
        _show_late(made)
    return made


def _read_default(cls: type, name: str) -> _Field:
    default = cls.__dict__.get(name, _MISSING)
    return default if isinstance(default, _Field) else _field(default=default)


def _methods(fields: Mapping[str, _Field], *, frozen: bool, slots: bool) -> dict[str, Callable[..., Any]]:
    compared = _values_of(_compared(fields))

    def equals(self: Any, other: object) -> bool:
        return bool(compared(self) == compared(other)) if other.__class__ is self.__class__ else NotImplemented

    methods: dict[str, Callable[..., Any]] = {"__eq__": equals}
    if frozen:
        methods |= {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
    return methods


def _compared(fields: Mapping[str, _Field]) -> list[str]:
    """The names of what makes two values of a class equal."""
    return [name for name, one in fields.items() if one.compare]


def _values_of(names: Sequence[str]) -> Callable[[Any], Any]:
    """What a value has under some names, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _hash_of(fields: Mapping[str, _Field]) -> Callable[[Any], int]:
    compared = _values_of(_compared(fields))

    def get_hash(self: Any) -> int:
        return hash(compared(self))

    return get_hash


def _init_late(cls: Any, *, frozen: bool) -> None:
    """An `__init__` that is compiled when a few values were made; from then on it is as fast as any."""
    made = 0

    def begin(self: Any, *args: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        if made > _FEW or not _fill(self, cls.__value_fields__, args, named):
            cls.__init__ = _compile_init(cls, frozen=frozen)
            cls.__init__(self, *args, **named)

    cls.__init__ = begin


def _fill(value: Any, fields: Mapping[str, _Field], args: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Begin a value; False for arguments that are wrong, which a compiled function refuses with the right words."""
    given = dict(zip(fields, args, strict=False))
    if len(args) > len(fields) or not named.keys() <= fields.keys() - given.keys():
        return False
    given |= named
    for name, one in fields.items():
        if name not in given:
            if one.default is _MISSING and one.factory is _MISSING:
                return False
            given[name] = one.default if one.factory is _MISSING else one.factory()
    for name in fields:
        object.__setattr__(value, name, given[name])
    if hasattr(value, "__post_init__"):
        value.__post_init__()
    return True


def _compile_init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_missing": _MISSING}
    parameters, body = ["self"], ["    _values = self.__dict__"] if frozen and cls.__dictoffset__ else []
    for name, one in cls.__value_fields__.items():
        value = name
        if one.factory is not _MISSING:
            known[f"_new_{name}"] = one.factory
            parameters.append(f"{name}=_missing")
            value = f"_new_{name}() if {name} is _missing else {name}"
        elif one.default is not _MISSING:
            known[f"_default_{name}"] = one.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        slot = getattr(cls, name, None)
        if not frozen:
            body.append(f"    self.{name} = {value}")
        elif isinstance(slot, _Slot):  # past `__setattr__`, without looking the name up
            known[f"_set_{name}"] = slot.__set__
            body.append(f"    _set_{name}(self, {value})")
        else:
            body.append(f"    _values[{name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(body or ["    pass"]), known)  # noqa: S102 - our names
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _show_late(cls: Any) -> None:
    """A `__repr__` that is compiled when it was asked for a few times: keys of pages are made of it."""
    shown = [name for name, one in cls.__value_fields__.items() if one.repr]
    form, values = f"{{}}({', '.join(f'{name}={{!r}}' for name in shown)})".format, _values_of(shown)
    asked = 0

    def show(self: Any) -> str:
        nonlocal asked
        asked += 1
        if asked > _FEW:
            cls.__repr__ = _compile_repr(cls, shown)
        return form(type(self).__qualname__, *values(self))

    cls.__repr__ = show


def _compile_repr(cls: Any, shown: Sequence[str]) -> Callable[[Any], str]:
    known: dict[str, Any] = {}
    parts = ", ".join(f"{name}={{self.{name}!r}}" for name in shown)
    exec(f"def __repr__(self):\n    return f'{{type(self).__qualname__}}({parts})'", known)  # noqa: S102 - our names
    made: Callable[[Any], str] = known["__repr__"]
    made.__qualname__ = f"{cls.__qualname__}.__repr__"
    return made


def _refuse_set(_self: object, name: str, _value: object) -> None:
    _refuse("assign to", name)


def _refuse_delete(_self: object, name: str) -> None:
    _refuse("delete", name)


def _refuse(what: str, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {what} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__value_fields__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__value_fields__, state, strict=True):
        object.__setattr__(self, name, value)


class _Real:
    """What the functions of `dataclasses`, and its classes below ours, look for; made when one does."""

    __slots__ = ("_frozen", "_name")

    def __init__(self, name: str, *, frozen: bool) -> None:
        self._name, self._frozen = name, frozen

    def __get__(self, instance: object, owner: Any) -> Any:
        import dataclasses

        fields: Mapping[str, _Field] = owner.__value_fields__
        body: dict[str, Any] = {"__module__": owner.__module__, "__annotations__": dict.fromkeys(fields, "object")}
        for name, one in fields.items():
            given = {"default": one.default, "default_factory": one.factory}
            begun = {key: value for key, value in given.items() if value is not _MISSING}
            body[name] = dataclasses.field(repr=one.repr, compare=one.compare, **begun)
        twin: Any = dataclasses.dataclass(frozen=self._frozen)(type(owner.__name__, (), body))
        setattr(owner, self._name, getattr(twin, self._name))  # made once
        return getattr(twin, self._name)


def _replace(value: Any, /, **changes: Any) -> Any:
    for name in value.__value_fields__:
        if name not in changes:
            changes[name] = getattr(value, name)
    return value.__class__(**changes)


if not TYPE_CHECKING:
    dataclass, field, replace = _dataclass, _field, _replace
