"""What the code of a user's file must leave as it is: this project, and what it calls.

All that decides is compared by identity before and after: modules, functions with their code and
defaults, functions behind a cache, classes with their methods and properties, constants with their
contents, what Python calls by itself, and the functions of the libraries that are named here. What
the project remembers on purpose is state: it is forgotten once a user's code has run.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from operator import is_
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    ModuleType,
    NoneType,
)
from typing import Any

__all__ = [
    "CHANGED",
    "Parts",
    "after_foreign_code",
    "changed",
    "forget",
    "guard",
    "parts",
    "since",
]

Place = tuple[str, ...]

CHANGED: list[str] = []
"""What the evidence of a user's file changed in this process, which judges nothing after that."""


Home = Place | tuple[int, int]
"""Where an object was met: the place of a name, or the identity of what holds it and its number there."""


@dataclass(frozen=True)
class Parts:
    """What stands at each place, and of each object that is met there what it is made of.

    The objects are held, so that none gets the identity of another.
    """

    places: Mapping[Place, tuple[Any, ...]]
    objects: Mapping[int, tuple[Any, Home, tuple[Any, ...]]]

    def told(self, home: Home) -> str:
        """The place in words. What holds an object comes before it, so its parts are what they were."""
        inside = []
        while isinstance(home[0], int):
            value, outer, _ = self.objects[home[0]]
            inside.append(_names(value)[int(home[1])])
            home = outer
        return ".".join((*map(str, home), *reversed(inside)))


_GUARDED: list[Parts] = []
_US = "ropeproof"  # before a name: a whole one would tell `kept.sources` that it is loaded here
_LAYERS = (f"{_US}.theory", f"{_US}.proofs_check")
_CACHE: Any = type(lru_cache(lambda: None))
_DESCRIPTORS = (staticmethod, classmethod, property, cached_property)
_HOOKS = frozenset(
    {"builtins", "sys", "warnings", "logging"}
)  # looked at apart, or there to be set
_REPLACED = frozenset({("inspect", "getfile"), ("sympy.functions.elementary.complexes", "adjoint")})
"""What torch, or SymPy's physics, replaces as it is imported, by whomever; nothing that judges asks it."""
_METHODS = (FunctionType, property, classmethod, staticmethod)
_EQUALITY = ("__eq__", "__hash__", "__new__", "args", "func")
_STATE = frozenset(
    {
        (f"{_US}.numerics.conform.references.mutants.parts", "_REGISTRY"),
        (f"{_US}.numerics.core.spare", "_spare"),
        (f"{_US}.numerics.core.threads", "_before"),
        (f"{_US}.numerics.core.threads", "_inside"),
        (f"{_US}.proofs_check.console.interrupt", "_advice"),
        (f"{_US}.proofs_check.console.interrupt", "_told"),
        (f"{_US}.proofs_check.recheck.coq.answers.check", "_ASKING"),
        (f"{_US}.proofs_check.recheck.coq.arithmetic.closing", "_SAID"),
        (f"{_US}.proofs_check.present.setting", "_FORMS"),
        (f"{_US}.proofs_check.site.extension", "_SITES"),
        (f"{_US}.proofs_check.semantics.enclosed", "_KEPT"),
        (f"{_US}.proofs_check.semantics.evaluate.enclosing", "_BALLS"),
        (f"{_US}.proofs_check.semantics.evaluate.enclosing", "_FOUND"),
        (f"{_US}.proofs_check.semantics.evaluate.enclosing", "_MULTIPLES"),
        (f"{_US}.proofs_check.evidence", "_REGISTRY"),
        (f"{_US}.proofs_check.kernel.normal", "_UNCONDITIONAL"),
        (f"{_US}.proofs_check.kernel.read", "READ"),
        (f"{_US}.proofs_check.kernel.solvers.solver_process", "_running"),
        (f"{_US}.proofs_check.run.library", "LOADED"),
        (f"{_US}.proofs_check.run.refused", "_ASKED"),
        (f"{_US}.proofs_check.run.refused", "_COMMANDS"),
        (f"{_US}.proofs_check.run.refused", "_REFUSED"),
        (f"{_US}.proofs_check.recheck.second_solver", "_ANSWERS"),
        (f"{_US}.proofs_check.authoring.trial", "_SESSION"),
        (__name__, "CHANGED"),
        (__name__, "_GUARDED"),
    }
)
"""Module-level containers whose contents change while the project works."""
_CHECKED_ANEW = (f"{_US}.theory.language.claim", f"{_US}.theory.language.derivation")
"""Where the classes are whose objects are data that a check reads: claims and their parts."""
_REMEMBERED = (
    (f"{_US}.proofs_check.semantics.enclosed", "_KEPT"),
    (f"{_US}.proofs_check.semantics.evaluate.enclosing", "_BALLS"),
    (f"{_US}.proofs_check.semantics.evaluate.enclosing", "_FOUND"),
    (f"{_US}.proofs_check.semantics.evaluate.enclosing", "_MULTIPLES"),
    (f"{_US}.proofs_check.kernel.normal", "_UNCONDITIONAL"),
    (f"{_US}.proofs_check.kernel.read", "READ"),
    (f"{_US}.proofs_check.recheck.second_solver", "_ANSWERS"),
)


_WITHOUT_PARTS = frozenset({str, bytes, int, float, complex, bool, NoneType, CodeType})
"""Types of Python whose objects cannot change: most of what there is to look at."""


def parts() -> Parts:
    """What the loaded modules of this project consist of, and what they call."""
    objects: dict[int, tuple[Any, Home, tuple[Any, ...]]] = {}
    places = _places()
    state = {id(value) for place in _STATE for value in places.get(place, ())}
    for place, found in places.items():
        if place[0].startswith(_US):
            for value in found:
                _walk(objects, place, value, state)
    return Parts(places, objects)


def changed(before: Parts) -> str:
    """The first place that is no longer what it was; empty if there is none."""
    return _compared(before)[0]


def since(before: Parts) -> tuple[str, Parts]:
    """The first place that is no longer what it was, and, if there is none, all parts as they are now.

    Where nothing has changed and no name is new, nothing else can be met than before.
    """
    place, more = _compared(before)
    return place, parts() if more and not place else before


def _compared(before: Parts) -> tuple[str, bool]:
    """The first place that is no longer what it was, and whether there is a place that was not."""
    for place, found in before.places.items():  # first, and without any of them
        if place[0] == "builtins" and builtins.__dict__.get(place[1]) is not found[0]:
            return ".".join(place), True
    now = _places()
    for place, found in before.places.items():
        if not _same(found, now.get(place)):
            return ".".join(place), True
    for value, home, found in before.objects.values():
        if not _same(found, _contents(value)):
            return before.told(home), True
    return "", len(now) > len(before.places)


def _same(before: tuple[Any, ...], now: tuple[Any, ...] | None) -> bool:
    return now is not None and len(before) == len(now) and all(map(is_, before, now))


def guard(found: Parts | None = None) -> None:
    """Take all parts as they are now for what has to stay; `found` are they, where they are known."""
    _GUARDED[:] = [found or parts()]


def after_foreign_code() -> str:
    """What has changed since `guard`, after which this process judges nothing; empty if nothing.

    What was loaded in between is guarded from now on.
    """
    place, now = since(_GUARDED[0]) if _GUARDED else ("", parts())
    if place:
        CHANGED.append(place)
    else:
        guard(now)
    forget()
    return place


def forget() -> None:
    """Empty what the project remembers of earlier answers: a user's code may have put some there."""
    for name, module in _ours():
        if name.startswith(_LAYERS):
            for value in list(vars(module).values()):
                if isinstance(value, _CACHE):
                    _CACHE.cache_clear(value)
    for name, key in _REMEMBERED:
        if name in sys.modules:
            getattr(sys.modules[name], key).clear()


def _ours() -> Iterator[tuple[str, ModuleType]]:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == _US and isinstance(module, ModuleType):
            yield name, module


def _places() -> dict[Place, tuple[Any, ...]]:
    """What each name of this project's modules, of Python and of the libraries named here stands for."""
    found: dict[Place, tuple[Any, ...]] = {}
    for name, value in vars(builtins).items():
        if name != "_":  # the last result of an interactive session
            found["builtins", name] = (value,)
    abroad: dict[str, ModuleType] = {}
    for name, module in _ours():
        found["sys.modules", name] = (module,)
        for key, value in list(vars(module).items()):
            foreign = isinstance(value, ModuleType) and not value.__name__.startswith(_US)
            if foreign and name.startswith(_LAYERS):
                abroad[value.__name__] = value
            if isinstance(value, type) and name.startswith(_LAYERS):
                _inherited(found, value)
            if not key.startswith("__"):
                found[name, key] = (value,)
    for name, module in abroad.items():
        found["sys.modules", name] = (sys.modules.get(name),)
        if name not in _HOOKS:
            _library(found, name, module)
    return found


def _library(found: dict[Place, tuple[Any, ...]], name: str, module: ModuleType) -> None:
    """The functions and classes of a library that a module here calls by its name."""
    for key, value in list(vars(module).items()):
        if (name, key) in _REPLACED:
            continue
        if isinstance(value, FunctionType | BuiltinFunctionType | type):
            found[name, key] = (value,)
        if isinstance(value, FunctionType):
            found[name, key, "code"] = (value.__code__,)
        elif isinstance(value, type):
            told = (getattr(value, e, None) for e in _EQUALITY)
            found[name, key, "methods"] = tuple(t for t in told if isinstance(t, _METHODS))
            if name == "sympy":
                _inherited(found, value)


def _inherited(found: dict[Place, tuple[Any, ...]], kind: type) -> None:
    """What SymPy's terms are made of and how they show themselves: all methods, inherited ones too."""
    for base in kind.__mro__:
        place = base.__module__, base.__qualname__
        if str(place[0]).startswith("sympy.") and place not in found and place not in _REPLACED:
            inside = vars(base).items()
            found[place] = tuple(
                x for name, part in inside if isinstance(part, _METHODS) for x in (name, part)
            )


def _walk(
    objects: dict[int, tuple[Any, Home, tuple[Any, ...]]],
    home: Home,
    value: Any,
    state: set[int],
) -> None:
    """Write down what an object is made of, and what its parts are, each object once."""
    here = id(value)
    contents = () if here in objects or here in state else _contents(value)
    if contents:
        objects[here] = (value, home, contents)
        for number, part in enumerate(contents):
            if type(part) not in _WITHOUT_PARTS:
                _walk(objects, (here, number), part, state)


def _contents(value: Any) -> tuple[Any, ...]:
    """The parts of one object; none of what is not of this project or cannot change."""
    kind = type(value)
    if kind in _WITHOUT_PARTS:
        return ()
    if kind is FunctionType:
        return _function(value) if _ours_by_name(value) else ()
    if kind in (list, tuple, set, frozenset):
        return tuple(value)
    if kind in (dict, MappingProxyType):
        return (*value, *value.values())
    if kind is _CACHE:
        return (value.__wrapped__, *vars(value).values())
    if kind is partial:
        return (value.func, value.args, value.keywords)
    if isinstance(value, _DESCRIPTORS):
        return tuple(part for name in _BEHIND if (part := getattr(value, name, None)))
    if isinstance(value, type):
        if not _ours_by_name(value):
            return ()
        inside = _definition(value)
        return (value.__bases__, *inside, *inside.values())
    if str(kind.__module__).startswith(_US) and kind.__module__ not in _CHECKED_ANEW:
        return tuple(getattr(value, "__dict__", {}).values())
    return ()


def _names(value: Any) -> list[str]:
    """What the parts of one object are called, in the order of `_contents`."""
    kind = type(value)
    if kind is FunctionType:
        inside = [f"enclosed {k}" for k, cell in enumerate(value.__closure__ or ()) if _set(cell)]
        return ["code", "defaults", "keywords", *inside, *vars(value)]
    if kind in (dict, MappingProxyType):
        return [f"{what} {k}" for what in ("key", "value") for k in range(len(value))]
    if kind is _CACHE:
        return ["function", *vars(value)]
    if kind is partial:
        return ["function", "args", "keywords"]
    if isinstance(value, _DESCRIPTORS):
        return [name for name in _BEHIND if getattr(value, name, None)]
    if isinstance(value, type):
        inside = list(_definition(value))
        return ["bases", *(f"the name {name}" for name in inside), *inside]
    if kind in (list, tuple, set, frozenset):
        return [f"{k}" for k in range(len(value))]
    return [*getattr(value, "__dict__", {})]


_BEHIND = ("__func__", "fget", "fset", "fdel", "func")
"""The functions behind a descriptor."""


def _function(value: FunctionType) -> tuple[Any, ...]:
    """A function's code, defaults, what it encloses and what was attached to it."""
    told = (value.__code__, value.__defaults__ or (), value.__kwdefaults__ or ())
    if value.__closure__:
        told += tuple(cell.cell_contents for cell in value.__closure__ if _set(cell))
    return (*told, *vars(value).values())


def _set(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:  # not set yet
        return False
    return True


def _definition(value: type) -> dict[str, Any]:
    """A class's methods, properties and constants by name."""
    return {
        name: part
        for name, part in vars(value).items()
        if callable(part)
        or isinstance(part, _DESCRIPTORS)
        or not (name.startswith("_abc") or name.startswith("__"))
    }


def _ours_by_name(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).startswith(_US)
