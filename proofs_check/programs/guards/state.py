"""What a function keeps between calls, and what else than its arguments its result may depend on."""

from __future__ import annotations

import dis
import hashlib
import os
import sys
import sysconfig
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["outside_sources", "state_of"]

_LIBRARIES = ("torch", "numpy", "scipy", "sympy", "flint", "mpmath", "builtins", "ropeproof")
_OUTSIDE = {"time", "random", "datetime", "secrets", "uuid", "threading", "gc", "inspect"}
_OUTSIDE |= {"traceback", "weakref", "socket", "subprocess", "multiprocessing", "ctypes"}
_OUTSIDE |= {
    "importlib",
    "builtins",
    "tempfile",
    "pathlib",
    "shelve",
    "sqlite3",
    "signal",
    "asyncio",
}
_BUILTINS = {"open", "eval", "exec", "compile", "__import__", "globals", "input", "id", "hash"}
_FOLLOWED = {"builtins", "itertools", "collections", "functools", "types", "dataclasses", "enum"}
_MOST = 20_000


def _is_library(module: str | None) -> bool:
    return module is not None and module.split(".", maxsplit=1)[0] in _LIBRARIES


def _roots() -> tuple[str, ...]:
    found = []
    for name in ("torch", "numpy", "sympy", "flint", "mpmath"):
        module = sys.modules.get(name)
        if module is not None and getattr(module, "__file__", None):
            found.append(os.path.dirname(os.path.realpath(str(module.__file__))) + os.sep)
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    for part in ("theory", "numerics", "proofs_check", "constructions"):
        found.append(os.path.join(own, part) + os.sep)
    for part in ("subjects", "expected", "arrays.py"):
        found.append(os.path.join(own, "tools", "conform", part))
    return tuple(found)


def _of_library(file: str) -> bool:
    """Whether a file is one of a library's, whose functions are taken to keep nothing between calls."""
    real = os.path.realpath(file)
    standard = os.path.realpath(sysconfig.get_path("stdlib")) + os.sep
    if real.startswith(standard) and "site-packages" not in real:
        return True
    if "transformers" in real.split(os.sep):  # of transformers, what its models do is looked at
        return "models" not in real.split(os.sep) and not real.endswith("modeling_rope_utils.py")
    return real.startswith(_roots())


class _Walk:
    """Goes through all that a callable can reach in the user's own code."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.kept: list[Any] = []
        self.functions: list[types.FunctionType] = []
        self.digest = hashlib.sha256()
        self.opaque: list[str] = []

    def visit(self, thing: Any, path: str, depth: int = 0) -> None:
        if len(self.seen) > _MOST or depth > 60:
            return
        if thing is None or isinstance(thing, bool | int | float | complex | str | bytes | range):
            self.told(path, repr(thing))
            return
        if id(thing) in self.seen:
            return
        self.seen.add(id(thing))
        self.kept.append(thing)
        if isinstance(thing, types.GeneratorType | types.CoroutineType):
            self.opaque.append(f"the generator {path}")
        kept = getattr(thing, "__dict__", None)
        if isinstance(kept, dict) and ({"_torchdynamo_orig_callable", "_orig_mod"} & set(kept)):
            self.opaque.append(f"code compiled by torch.compile ({path})")
        if isinstance(thing, np.ndarray):
            self.told(path, f"{thing.dtype}{thing.shape}")
            self.digest.update(np.ascontiguousarray(thing).tobytes())
        elif type(thing).__module__.split(".")[0] == "torch" and hasattr(thing, "untyped_storage"):
            self._tensor(thing, path)
        elif isinstance(thing, dict):
            for key, value in list(thing.items()):
                self.visit(key, f"{path}.key", depth + 1)
                self.visit(value, f"{path}[{key!r:.40}]", depth + 1)
            self.told(path, str(len(thing)))
        elif isinstance(thing, list | tuple | set | frozenset):
            self.told(path, f"{type(thing).__name__} {len(thing)}")
            for n, value in enumerate(list(thing)):
                self.visit(value, f"{path}[{n}]", depth + 1)
        elif isinstance(thing, types.FunctionType):
            self._function(thing, path, depth)
        elif isinstance(thing, types.MethodType):
            self.visit(thing.__func__, path, depth + 1)
            self.visit(thing.__self__, path, depth + 1)
        elif isinstance(thing, types.ModuleType | type | types.BuiltinFunctionType):
            self._class(thing, path, depth)
        else:
            self._object(thing, path, depth)

    def told(self, path: str, what: str) -> None:
        self.digest.update(f"{path}={what}\n".encode())

    def _tensor(self, thing: Any, path: str) -> None:
        self.told(path, f"{thing.dtype} {tuple(thing.shape)}")
        try:
            plain = thing.detach().cpu().contiguous().flatten()
            plain = plain.view(dtype=_bytes_type()) if plain.numel() else plain
            self.digest.update(plain.numpy().tobytes())
        except Exception:  # meta tensors, views of complex numbers: only their shape is told
            self.told(path, f"version {thing._version}")

    def _function(self, thing: types.FunctionType, path: str, depth: int) -> None:
        self.told(path, thing.__qualname__)
        self.digest.update(thing.__code__.co_code)
        for cell_name, cell in zip(
            thing.__code__.co_freevars, thing.__closure__ or (), strict=False
        ):
            try:
                content = cell.cell_contents
            except ValueError:
                continue
            self.visit(content, f"{path}.{cell_name}", depth + 1)
        self.visit(thing.__defaults__, f"{path}.defaults", depth + 1)
        self.visit(thing.__kwdefaults__, f"{path}.kwdefaults", depth + 1)
        self.visit(dict(thing.__dict__), f"{path}.dict", depth + 1)
        if _of_library(thing.__code__.co_filename):
            return
        self.functions.append(thing)
        for name in sorted(_names(thing.__code__)):
            if name in thing.__globals__ and not name.startswith("__"):
                self.visit(thing.__globals__[name], f"{path}.{name}", depth + 1)

    def _class(self, thing: Any, path: str, depth: int) -> None:
        self.told(path, getattr(thing, "__name__", ""))
        if isinstance(thing, type) and not _is_library(thing.__module__):
            for name, value in sorted(vars(thing).items()):
                if name in ("__dict__", "__weakref__", "__doc__", "__module__"):
                    continue
                own = getattr(value, "__func__", value)
                own = own.fget if isinstance(own, property) else own
                if isinstance(own, types.FunctionType | list | dict | int | float | str):
                    self.visit(own, f"{path}.{name}", depth + 1)

    def _object(self, thing: Any, path: str, depth: int) -> None:
        self.told(path, type(thing).__qualname__)
        home = type(thing).__module__.split(".", maxsplit=1)[0]
        if home in _OUTSIDE - {"builtins", "pathlib", "weakref"}:
            self.opaque.append(f"{path}, a {type(thing).__qualname__} of {home}")
        if home in sys.stdlib_module_names and home not in _FOLLOWED:
            if home in ("fractions", "decimal"):
                self.told(path, repr(thing))
            return
        wrapped = getattr(thing, "__wrapped__", None)
        if wrapped is not None:
            self.visit(wrapped, f"{path}.wrapped", depth + 1)
        if hasattr(thing, "func") and hasattr(thing, "keywords"):  # a partial
            for n, part in enumerate((thing.func, thing.args, thing.keywords)):
                self.visit(part, f"{path}.partial{n}", depth + 1)
        try:
            own = vars(thing)
        except TypeError:
            own = {n: getattr(thing, n, None) for n in getattr(type(thing), "__slots__", ())}
        if isinstance(thing, Iterator) or type(thing).__module__ in ("itertools", "collections"):
            try:
                self.visit(thing.__reduce__(), f"{path}.reduced", depth + 1)
            except TypeError:
                self.opaque.append(f"the iterator {path}")
        library = _is_library(type(thing).__module__)
        if not library or hasattr(thing, "_modules"):
            self.visit(dict(own), path, depth + 1)
        self._class(type(thing), f"{path}.class", depth + 1)
        for name in ("__call__", "forward"):
            method = getattr(type(thing), name, None)
            if isinstance(method, types.FunctionType) and not _is_library(method.__module__):
                self.visit(method, f"{path}.{name}", depth + 1)


def _bytes_type() -> Any:
    import torch

    return torch.uint8


def _names(code: types.CodeType) -> set[str]:
    found = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            found |= _names(part)
    return found


def state_of(*calls: Any) -> str:
    """A digest of all that the user's code can reach from callables and might change.

    Closures, defaults, globals that its functions name, attributes of objects, and the numbers of
    arrays; libraries are left out.
    """
    walk = _Walk()
    walk.visit(calls, "call")
    return walk.digest.hexdigest()


def outside_sources(*calls: Any) -> tuple[str, ...]:
    """What a callable's own functions use that a record does not show, each with the function.

    That is time, random numbers and files, generators, and code that is compiled or made from text.
    """
    walk = _Walk()
    walk.visit(calls, "call")
    found: dict[str, None] = dict.fromkeys(walk.opaque)
    for function in walk.functions:
        for told in _outside(function.__code__, function.__globals__):
            place = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
            found[f"{told} in {function.__qualname__} ({place})"] = None
    return tuple(found)


def _outside(code: types.CodeType, own: dict[str, Any]) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        name = str(instruction.argval)
        if instruction.opname == "IMPORT_NAME":
            module: Any = name.split(".", maxsplit=1)[0]
            if module in _OUTSIDE or module in ("os", "sys"):
                yield module
        if instruction.opname not in ("LOAD_GLOBAL", "LOAD_NAME"):
            continue
        value = own.get(name)
        if name in _BUILTINS and name not in own:
            yield name
        if isinstance(value, types.ModuleType):
            module = value.__name__
            if module in ("os", "sys"):
                yield module
        else:
            module = getattr(value, "__module__", None) if callable(value) else None
        if isinstance(module, str) and module.split(".", maxsplit=1)[0] in _OUTSIDE - {"builtins"}:
            yield f"{name} of {module}" if name != module else name
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _outside(part, own)
