"""Whether a function or a class is a library's: what the library's file compiles to, in its module.

The names that code carries (of its file, its module, itself) say nothing: whoever makes a function
chooses them, and its globals too.
"""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Iterator
from importlib.machinery import FrozenImporter, SourceFileLoader
from typing import Any

from ropeproof.proofs_check.programs.guards.library import of_library

__all__ = ["all_codes", "at_home", "in_its_module", "is_compiled", "is_library_class", "put_into"]

_FROZEN = "<frozen "
_IMPORTS = {
    "importlib._bootstrap": "_frozen_importlib",
    "importlib._bootstrap_external": "_frozen_importlib_external",
}


def all_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A piece of code and all that is defined inside it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from all_codes(part)


@functools.lru_cache(maxsize=4096)
def _compiled(file: str) -> dict[tuple[str, int], list[types.CodeType]]:
    """All code of a file as Python's own import makes it, by qualified name and first line."""
    try:
        if file.startswith(_FROZEN):
            name = file.removeprefix(_FROZEN).rstrip(">")
            whole: types.CodeType | None = FrozenImporter.get_code(_IMPORTS.get(name, name))
        else:
            whole = SourceFileLoader("read_again", file).get_code("read_again")
    except (ImportError, OSError, SyntaxError, ValueError):
        whole = None
    found: dict[tuple[str, int], list[types.CodeType]] = {}
    for one in all_codes(whole) if whole is not None else ():
        found.setdefault((one.co_qualname, one.co_firstlineno), []).append(one)
    return found


_ANSWERS: dict[int, tuple[types.CodeType, bool]] = {}


def is_compiled(code: types.CodeType) -> bool:
    """Whether code names a file of a library and is what this file compiles to."""
    kept = _ANSWERS.get(id(code))
    if kept is None or kept[0] is not code:
        known = of_library(code.co_filename) and any(
            code == one
            for one in _compiled(code.co_filename).get((code.co_qualname, code.co_firstlineno), ())
        )
        kept = _ANSWERS[id(code)] = (code, known)
    return kept[1]


def at_home(space: dict[str, Any], code: types.CodeType) -> bool:
    """Whether globals are those of the module that the file of a library's code is loaded as."""
    if code.co_filename.startswith(_FROZEN):
        frozen = sys.modules.get(code.co_filename.removeprefix(_FROZEN).rstrip(">"))
        return frozen is not None and vars(frozen) is space
    module: Any = sys.modules.get(str(space.get("__name__")))
    if module is None:
        return False
    kind = type(module)
    # PyTorch puts objects of classes of its own in the place of some modules.
    stands_for = kind.__module__ == module.__name__ and space.get(kind.__name__) is kind
    if vars(module) is not space and not stands_for:
        return False
    spec = space.get("__spec__")
    origin = getattr(spec, "origin", None) or space.get("__file__")
    if not isinstance(origin, str) or not _same_file(origin, code.co_filename):
        return False
    parent, _, last = module.__name__.rpartition(".")
    holder = vars(sys.modules[parent]).get(last, module) if parent in sys.modules else module
    return holder is module or not isinstance(holder, types.ModuleType)


@functools.lru_cache(maxsize=4096)
def _same_file(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def in_its_module(function: types.FunctionType) -> bool:
    """Whether a function is the one, or wrapped in the one, that its module has under its name.

    One that is made inside another function has no such place: of it code, globals and what it keeps
    say all.
    """
    if "<locals>" in function.__code__.co_qualname:
        return True
    found: Any = sys.modules.get(str(function.__globals__.get("__name__")))
    for part in function.__code__.co_qualname.split("."):
        found = _member(found, part)
        if found is None:
            return False
    for _ in range(8):
        found = getattr(found, "__func__", found)
        if isinstance(found, property):
            return function in (found.fget, found.fset, found.fdel)
        if found is function:
            return True
        found = getattr(found, "__wrapped__", None)
    return False


def _member(holder: Any, name: str) -> Any:
    if isinstance(holder, type | types.ModuleType):
        return vars(holder).get(name)
    return None


_OF_TYPES = type.__dict__
_MADE_BY_PYTHON = 1 << 9
"""The flag of types that are made while a program runs, by a `class` statement for one."""


def _said(kind: type, what: str) -> Any:
    """What a type says of itself, past a class of its own that might say otherwise."""
    return _OF_TYPES[what].__get__(kind)


def _body(kind: type) -> types.CodeType | None:
    """The code of the `class` statement of a library's class, if a file of the library has one."""
    name = str(_said(kind, "__qualname__"))
    files = [getattr(sys.modules.get(str(_said(kind, "__module__"))), "__file__", None)]
    for value in vars(kind).values():  # a class may be said to be of a module above its own
        if isinstance(value, types.FunctionType) and is_compiled(value.__code__):
            files.append(value.__code__.co_filename)
    for file in files:
        if isinstance(file, str) and file.endswith(".py"):
            for (other, _), codes in _compiled(file).items():
                if other == name:
                    return codes[0]
    return None


def is_library_class(kind: type) -> bool:
    """Whether a class is one of a library's: the one that its module has, and that its file defines."""
    kept = _KINDS.get(id(kind))
    if kept is None or kept[0] is not kind:
        kept = _KINDS[id(kind)] = (kind, _is_library_class(kind))
    return kept[1]


_KINDS: dict[int, tuple[type, bool]] = {}


def _is_library_class(kind: type) -> bool:
    home = str(_said(kind, "__module__"))
    module = sys.modules.get(home)
    file = getattr(module, "__file__", None) or ""
    known = of_library(file) if file else home.split(".", maxsplit=1)[0] in sys.stdlib_module_names
    if not known or not _said(kind, "__flags__") & _MADE_BY_PYTHON:
        return known
    found: Any = module
    for part in str(_said(kind, "__qualname__")).split("."):
        found = getattr(found, part, None)
    if _body(kind) is not None:
        return found is kind or "<locals>" in str(_said(kind, "__qualname__"))
    own = (types.FunctionType, property, staticmethod, classmethod, list, dict, set)
    by_hand = "__dict__" in vars(kind) or any(isinstance(v, own) for v in vars(kind).values())
    return found is kind and not by_hand


_PLAIN = (
    type(None), bool, int, float, str, bytes, type, property, classmethod, staticmethod,
    types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.MemberDescriptorType, types.GetSetDescriptorType,
    types.ClassMethodDescriptorType,
)  # fmt: skip


def put_into(kind: type) -> Iterator[str]:
    """The names of what somebody has put into a library's class that its own body does not name."""
    for base in kind.__mro__:
        body = _body(base) if is_library_class(base) else None
        if body is not None:
            for name, value in vars(base).items():
                special = name.startswith("_")
                if not special and not isinstance(value, _PLAIN) and name not in body.co_names:
                    yield f"{base.__qualname__}.{name}"
