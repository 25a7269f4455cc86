"""What a function keeps between calls, and what else than its arguments its result may depend on.

Only objects of known kinds are walked. Where one of another kind is reached, what it keeps is not known,
and that is said.
"""

from __future__ import annotations

import builtins
import contextlib
import enum
import functools
import gc
import hashlib
import logging
import sys
import types
import typing
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from ropeproof.proofs_check.programs.guards.library import of_library, of_transformers
from ropeproof.proofs_check.programs.guards.names import (
    ATTRIBUTES,
    BUILTINS,
    MODULES,
    attributes_of,
    names_in,
    uses,
)
from ropeproof.proofs_check.programs.guards.running import LookedThrough, watchers
from ropeproof.proofs_check.programs.guards.sources import (
    at_home,
    in_its_module,
    is_compiled,
    is_library_class,
    put_into,
)

__all__ = ["CallableReach", "outside_sources", "reach_of", "state_of"]

_LIBRARIES = {"torch", "numpy", "builtins", "typing", "typing_extensions", "abc", "enum", "types"}
_LIBRARIES |= {
    "einops",
    "functools",
    "collections",
    "dataclasses",
    "fractions",
    "contextlib",
    "math",
}
_LIBRARIES |= {
    "ropeproof",
    "sympy",
    "transformers",
    "itertools",
    "operator",
    "_operator",
    "jaxtyping",
}
_MOST = 200_000
_PLAIN = (bool, int, float, complex, str, bytes, range, Fraction, np.generic, np.dtype, slice)
_CONTAINERS = (list, tuple, set, frozenset)
_BUILT_IN = (
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc,
    types.MethodWrapperType, types.ClassMethodDescriptorType, types.GetSetDescriptorType,
    types.MemberDescriptorType,
)  # fmt: skip
_ARRAY_FUNCTION = type(np.concatenate)


def _root(thing: Any) -> str:
    return str(getattr(thing, "__module__", "") or "").split(".", maxsplit=1)[0]


def _home(thing: Any) -> str:
    return type(thing).__module__.split(".", maxsplit=1)[0]


def user_module(module: Any) -> bool:
    """Whether a module is a file of the user's."""
    file = getattr(module, "__file__", None)
    return isinstance(module, types.ModuleType) and file is not None and not of_library(file)


@dataclass(frozen=True)
class CallableReach:
    """What a callable can reach.

    - `digest`: a digest of all that it might change;
    - `unknown`: what it uses or keeps that is not followed, in words, each with its place;
    - `tensors`: the tensors and arrays that it keeps;
    - `codes`: the code of the user's functions among what it can reach.
    """

    digest: str
    unknown: tuple[str, ...]
    tensors: tuple[Any, ...]
    codes: LookedThrough


class _Walk:
    """Goes through all that a callable can reach in the user's own code."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.kept: list[Any] = []
        self.functions: list[types.FunctionType] = []
        self.digest = hashlib.sha256()
        self.unknown: dict[str, None] = {}
        self.tensors: list[Any] = []
        self.own: set[str] = set()
        self.waiting: list[tuple[Any, str]] = []
        self.names: dict[str, None] = {}
        self.named: set[str] = set()
        self.methods: dict[str, list[tuple[Any, str]]] = {}

    def all_of(self, thing: Any, path: str) -> None:
        """Visit a thing and whatever it leads to."""
        self.waiting.append((thing, path))
        while self.waiting:
            one, where = self.waiting.pop()
            self._visit(one, where)
            if len(self.seen) > _MOST:
                self.told_unknown(f"more than {_MOST} objects")
                return

    def visit(self, thing: Any, path: str) -> None:
        """Let a thing be visited later."""
        self.waiting.append((thing, path))

    def told(self, path: str, what: str) -> None:
        self.digest.update(f"{path}={what}\n".encode())

    def told_unknown(self, what: str) -> None:
        self.unknown[what] = None

    def _visit(self, thing: Any, path: str) -> None:
        if thing is None or thing is Ellipsis or thing is NotImplemented:
            self.told(path, str(thing))
            return
        if isinstance(thing, _PLAIN) and is_library_class(type(thing)):
            self.told(path, repr(thing))
            self._put_into(type(thing), path)
            return
        if id(thing) in self.seen:
            self.told(path, "again")
            return
        self.seen.add(id(thing))
        self.kept.append(thing)
        kind = type(thing)
        if kind is np.ndarray:
            self._array(thing, path)
        elif _is_tensor(thing):
            self._tensor(thing, path)
        elif isinstance(thing, dict):
            self._dict(thing, path)
        elif isinstance(thing, _CONTAINERS):
            self._container(thing, path)
        elif isinstance(thing, types.FunctionType):
            self._function(thing, path)
        elif isinstance(thing, types.MethodType):
            self.visit(thing.__func__, path)
            self.visit(thing.__self__, path)
        elif isinstance(thing, types.ModuleType):
            if not user_module(thing) and thing.__name__ not in MODULES:
                self.told_unknown(f"the module {thing.__name__} ({path})")
            self.told(path, thing.__name__)
        elif isinstance(thing, type):
            self._class(thing, path)
        elif isinstance(thing, (*_BUILT_IN, _ARRAY_FUNCTION)) or (
            kind.__name__ == "Overload" and is_library_class(kind)
        ):
            self._built_in(thing, path)
        else:
            self._object(thing, path)

    def _array(self, thing: Any, path: str) -> None:
        self.told(path, f"{thing.dtype}{thing.shape}{thing.strides}")
        if thing.dtype.hasobject:
            self.told_unknown(f"an array of objects ({path})")
            return
        self.tensors.append(thing)
        if thing.base is not None and not isinstance(thing.base, bytes):
            self.visit(thing.base, f"{path}.base")
        self.digest.update(np.ascontiguousarray(thing).tobytes())

    def _tensor(self, thing: Any, path: str) -> None:
        import torch

        if type(thing) not in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer):
            self.told_unknown(f"a tensor of the class {type(thing).__name__} ({path})")
            return
        self.told(path, f"{thing.dtype} {tuple(thing.shape)} {thing.requires_grad}")
        self.tensors.append(thing)
        if vars(thing):
            self.visit(dict(vars(thing)), f"{path}.dict")
        if thing.is_meta or thing.layout is not torch.strided:
            self.told_unknown(f"a tensor without plain memory ({path})")
            return
        plain = thing.detach().resolve_conj().resolve_neg().cpu().contiguous().flatten()
        plain = plain.view(dtype=torch.uint8) if plain.numel() else plain
        self.digest.update(plain.numpy().tobytes())

    def _dict(self, thing: dict[Any, Any], path: str) -> None:
        if not is_library_class(type(thing)):
            self._object(thing, path)
        elif type(thing).__module__ not in ("builtins", "collections") and not _of_transformers(
            thing
        ):
            self.told_unknown(f"a {type(thing).__qualname__} ({path})")
        self.told(path, str(dict.__len__(thing)))
        for key, value in dict.items(thing):
            self.visit(key, f"{path}.key")
            self.visit(value, f"{path}[{key!r:.40}]")

    def _container(self, thing: Any, path: str) -> None:
        if not is_library_class(type(thing)):
            self._object(thing, path)
        base = next(one for one in _CONTAINERS if isinstance(thing, one))
        listed = list(base.__iter__(thing))  # not by a method of its own
        self.told(path, f"{type(thing).__name__} {len(listed)}")
        if isinstance(thing, set | frozenset):
            listed.sort(key=repr)
        for n, value in enumerate(listed):
            self.visit(value, f"{path}[{n}]")

    def _function(self, thing: types.FunctionType, path: str) -> None:
        self.told(path, thing.__qualname__)
        self.digest.update(thing.__code__.co_code)
        if {"_torchdynamo_orig_callable", "_orig_mod"} & set(thing.__dict__):
            self.told_unknown(f"code compiled by torch.compile ({path})")
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=False):
            try:
                self.visit(cell.cell_contents, f"{path}.{name}")
            except ValueError:
                continue
        self.visit(thing.__defaults__, f"{path}.defaults")
        self.visit(thing.__kwdefaults__, f"{path}.kwdefaults")
        if of_library(thing.__code__.co_filename):
            self._of_library(thing, path)
            self.visit(dict(thing.__dict__), f"{path}.dict")
            return
        self.visit(dict(thing.__dict__), f"{path}.dict")
        self.own |= set(thing.__dict__) | attributes_of(thing.__code__)
        self.functions.append(thing)
        place = (
            f"{thing.__qualname__} ({thing.__code__.co_filename}:{thing.__code__.co_firstlineno})"
        )

        def reached(name: str, value: Any) -> None:
            self.visit(value, f"{path}.{name}")
            home, _, last = name.rpartition(".")
            if home and user_module(sys.modules.get(home)):
                self.own.add(last)
            if isinstance(value, type) and not is_library_class(value):
                self._making(value, f"{path}.{name}")

        for name in names_in(thing.__code__) - self.named:
            self.named.add(name)
            for one, where in self.methods.pop(name, ()):
                self.visit(one, where)
        installed = of_transformers(thing.__code__.co_filename)
        for told in uses(thing, set(), reached, user_module):
            if installed and told.startswith(("the attribute", "getattr", "hasattr")):
                continue  # what attributes an installed model's code names is trusted
            self.names[f"{told}\0 in {place}"] = None

    def _of_library(self, thing: types.FunctionType, path: str) -> None:
        """A library's function in Python: one that is known by its name, or known to be harmless."""
        root = _root(thing)
        own = thing.__code__.co_name
        told = f"the function {thing.__qualname__}, whose code names a file of a library"
        if not is_compiled(thing.__code__):
            self.told_unknown(f"{told} and is not what this file compiles to ({path})")
            return
        if not at_home(thing.__globals__, thing.__code__):
            self.told_unknown(f"{told} and whose globals are no library's ({path})")
            return
        if not in_its_module(thing):
            self.told_unknown(f"{told} and is not the one of its module ({path})")
            return
        if (str(thing.__globals__["__name__"]), own) in _AROUND and "__wrapped__" in thing.__dict__:
            return  # it calls what it was given, which is looked at
        if root in ("torch", "numpy", "einops") and own not in ATTRIBUTES:
            wraps = own in ("wrapper", "decorate_context", "inner", "_fn", "fn", "helper")
            if not (wraps or thing.__qualname__.split(".")[0] in ("Module", "Tensor")):
                self.told_unknown(f"{root}'s function {thing.__qualname__} ({path})")
        elif root not in _LIBRARIES:
            self.told_unknown(f"the function {thing.__module__}.{thing.__qualname__} ({path})")

    def _class(self, thing: type, path: str) -> None:
        self.told(path, thing.__qualname__)
        if _is_configuration(thing):
            return
        if is_library_class(thing):
            self._put_into(thing, path)
            known = thing.__name__ in ATTRIBUTES or _is_layer(thing) or thing.__name__[:1] == "_"
            if (_root(thing) in ("torch", "numpy") and not known) or _root(thing) not in _LIBRARIES:
                self.told_unknown(f"the class {thing.__module__}.{thing.__qualname__} ({path})")
            elif thing is np.ndarray:
                self.told_unknown(
                    f"numpy.ndarray, whose arrays may be of unwritten memory ({path})"
                )
            elif thing.__module__ == "builtins" and thing.__name__ not in BUILTINS | {"object"}:
                self.told_unknown(f"the class {thing.__name__} ({path})")
            return
        if type(thing) is not type and not is_library_class(type(thing)):
            self.visit(type(thing), f"{path}.metaclass")
        for base in thing.__mro__[1:]:
            if not is_library_class(base):
                self.visit(base, f"{path}.base")
        for name, value in sorted(vars(thing).items()):
            if name in _OF_CLASSES:
                continue
            self.own.add(name)
            parts = [getattr(value, "__func__", value)]
            if isinstance(value, property):
                parts = [value.fget, value.fset]
            if type(value) is functools.cached_property:  # what it has computed is the object's
                parts = [value.func]
                if set(vars(value)) > {"func", "attrname", "lock", "__doc__", "__module__"}:
                    self.told_unknown(f"attributes of a cached_property ({path}.{name})")
            if isinstance(value, types.GetSetDescriptorType | types.MemberDescriptorType):
                continue  # a slot
            for part in parts:
                if isinstance(part, types.FunctionType):  # also in what __init__ sets, or would
                    self.own |= attributes_of(part.__code__)
                # A method runs only if a function names it; Python itself calls those like __add__.
                method = isinstance(part, types.FunctionType) and not isinstance(value, property)
                own_call = name == "forward" or (name.startswith("__") and name not in _MAKING)
                if method and not own_call and name not in self.named:
                    self.methods.setdefault(name, []).append((part, f"{path}.{name}"))
                else:
                    self.visit(part, f"{path}.{name}")

    def _put_into(self, thing: type, path: str) -> None:
        for name in put_into(thing):
            self.told_unknown(f"{name}, which a library's class did not have ({path})")

    def _making(self, thing: type, path: str) -> None:
        """What runs where an object of a class is made, and where a class is."""
        for base in thing.__mro__:
            if not is_library_class(base):
                for name in _MAKING & set(vars(base)):
                    made = vars(base)[name]
                    self.visit(getattr(made, "__func__", made), f"{path}.{name}")

    def _built_in(self, thing: Any, path: str) -> None:
        name = getattr(thing, "__name__", "")
        self.told(path, name)
        owner = getattr(thing, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType | type):
            self.visit(owner, f"{path}.self")
        home = owner.__name__ if isinstance(owner, types.ModuleType) else "builtins"
        if home.split(".", maxsplit=1)[0] not in _COMPILED:
            self.told_unknown(f"the built-in function {home}.{name} ({path})")
        known = name in ATTRIBUTES or (name in BUILTINS and getattr(builtins, name, None) is thing)
        if not known and not name.startswith("__"):
            self.told_unknown(f"the built-in function {name} ({path})")
        if (thing is np.empty or thing is np.empty_like) and ".numpy." not in path:
            self.told_unknown(f"numpy.{name} under another name ({path})")
        if name in ("getattr", "hasattr"):
            self.told_unknown(f"{name} under another name ({path})")
        if isinstance(thing, np.ufunc) and getattr(np, name, None) is not thing:
            self.told_unknown(f"the function {name}, which is not NumPy's ({path})")

    def _cache(self, thing: Any, path: str) -> None:
        """A cache of `functools`: the function that it calls where it has no result, and its results."""
        self.visit(thing.__wrapped__, f"{path}.wrapped")
        self.visit({n: v for n, v in vars(thing).items() if n not in _OF_WRAPPERS}, f"{path}.dict")
        held = gc.get_referents(thing)
        entries: list[tuple[Any, Any]] = []
        for at, one in enumerate(held):
            if type(one) is dict and one is not vars(thing):
                entries += [(k, v) for k, v in one.items() if type(v) is not _LINK]
            elif one is _LINK and at > 1 and held[at - 2] is not thing.__wrapped__:
                entries.append((held[at - 2], held[at - 1]))
        for key, value in sorted(entries, key=lambda one: repr(one[0])):
            own = key if type(key) is tuple else (key,)
            plain = tuple(part for part in own if type(part) is not object)
            self.visit(plain, f"{path}.key")
            self.visit(value, f"{path}.result")

    def _object(self, thing: Any, path: str) -> None:
        kind = type(thing)
        self.told(path, kind.__qualname__)
        if kind is functools.partial:
            for n, part in enumerate((thing.func, thing.args, thing.keywords, vars(thing))):
                self.visit(part, f"{path}.partial{n}")
            return
        if kind is functools._lru_cache_wrapper:
            self._cache(thing, path)
            return
        if isinstance(thing, enum.Enum):
            self.told(path, thing.name)
            kept = {n: v for n, v in vars(thing).items() if n != "__objclass__"}
            self.visit(kept, f"{path}.dict")
            if not is_library_class(kind):
                self.visit(kind, f"{path}.class")
            return
        if _is_constant(thing) or (isinstance(thing, logging.Logger) and _has_only_its_own(thing)):
            return
        if is_library_class(kind) and kind.__module__.startswith("ropeproof.theory."):  # immutable
            self.own |= {n for n in dir(kind) if not n.startswith("_")} | set(vars(thing))
            self.told(path, repr(thing))
            return
        if isinstance(thing, property | staticmethod | classmethod):
            for part in (getattr(thing, "fget", None), getattr(thing, "__func__", None)):
                self.visit(part, path)
            return
        if _is_configuration(kind):
            self.own |= set(vars(thing)) | {n for n in dir(kind) if not n.startswith("_")}
            self.visit(dict(vars(thing)), f"{path}.dict")
            return
        if (
            _root(kind) == "torch"
            and kind.__name__
            in (
                "no_grad",
                "enable_grad",
                "set_grad_enabled",
            )
            and _has_only_its_own(thing)
        ):
            return
        if kind.__module__ == "torch.amp.autocast_mode" and _has_only_its_own(thing):
            self.told(path, f"{thing.device} {thing._enabled}")
            if thing._enabled and thing.device == "cpu":
                self.told_unknown(f"autocast on the CPU ({path})")
            return
        if hasattr(kind, "__del__"):
            self.told_unknown(f"an object with __del__ ({path})")
        library = is_library_class(kind)
        if library and not (_is_module(thing) or _of_transformers(thing)):
            self.told_unknown(f"{path}, of the kind {kind.__module__}.{kind.__qualname__}")
            return
        kept, slots = dict(getattr(thing, "__dict__", {})), dict[str, Any]()
        for base in kind.__mro__:
            if not isinstance(vars(base).get("__dict__", _DICT), types.GetSetDescriptorType):
                self.told_unknown(f"attributes that a class covers by __dict__ ({path})")
            for name, value in vars(base).items():
                if isinstance(value, types.MemberDescriptorType):
                    slots.setdefault(name, value)
        for name, slot in slots.items():
            with contextlib.suppress(AttributeError):  # nothing was put there
                kept.setdefault(name, slot.__get__(thing))
        self.own |= {n for n in kept if isinstance(n, str)}
        for name in ("_buffers", "_parameters", "_modules"):
            self.own |= set(kept.get(name) or ()) if _is_module(thing) else set()
        if {"_orig_mod", "_compiled_call_impl"} & {n for n, v in kept.items() if v is not None}:
            self.told_unknown(f"code compiled by torch.compile ({path})")
        self.visit(kept, f"{path}.dict")
        self.visit(kind, f"{path}.class")
        if library and _of_transformers(thing):
            self.own |= set(dir(kind))


_COMPILED = {
    "builtins",
    "math",
    "cmath",
    "_operator",
    "operator",
    "itertools",
    "functools",
    "torch",
}
_COMPILED |= {"numpy", "_functools", "_abc", "einops"}
"""The modules whose built-in functions may be used, if their names are listed."""


def _link() -> Any:
    """The type of what a cache of `functools` that forgets keeps its results in."""
    cached = functools.lru_cache(maxsize=1)(len)
    cached("")
    held = gc.get_referents(cached)
    return next(one for one in held if getattr(one, "__name__", "") == "_lru_list_elem")


_LINK = _link()
_OF_WRAPPERS = {"__wrapped__", "__module__", "__name__", "__qualname__", "__doc__"}
_OF_WRAPPERS |= {"__annotations__", "__type_params__", "cache_parameters"}

_DICT = vars(types.FunctionType)["__dict__"]


def _is_layer(thing: type) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(thing, torch.nn.Module)


def _has_only_its_own(thing: Any) -> bool:
    """Whether an object of a library's class has no attributes but those that its class sets."""
    kind = type(thing)
    if not is_library_class(kind):
        return False
    own: set[str] = set()
    for base in kind.__mro__:
        for value in vars(base).values():
            code = getattr(value, "__code__", None)
            own |= attributes_of(code) if isinstance(code, types.CodeType) else set()
    return set(vars(thing)) <= own


_AROUND = {
    ("torch.utils._contextlib", "decorate_context"),
    ("torch.amp.autocast_mode", "decorate_autocast"),
}
"""Decorators of PyTorch that call a function in a mode, such as without gradients."""
_MAKING = {"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"}
_OF_CLASSES = {"__dict__", "__weakref__", "__doc__", "__module__", "__slots__", "__annotations__"}
_OF_CLASSES |= {
    "__dataclass_params__",
    "__dataclass_fields__",
    "__match_args__",
    "__abstractmethods__",
}
_OF_CLASSES |= {"_abc_impl", "__orig_bases__", "__parameters__", "__static_attributes__"}
_OF_CLASSES |= {"_can_record_outputs", "config_class"}  # of transformers
_OF_CLASSES |= {"__firstlineno__", "__qualname__", "__annotations_cache__", "__annotate_func__"}


def _is_tensor(thing: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.Tensor)


def _is_configuration(kind: type) -> bool:
    """Whether a class is a configuration of transformers, whose objects are plain data."""
    names = {base.__name__ for base in kind.__mro__}
    return _root(kind) == "transformers" and bool(names & {"PreTrainedConfig", "PretrainedConfig"})


def _is_module(thing: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)


def _of_transformers(thing: Any) -> bool:
    return type(thing).__module__.split(".", maxsplit=1)[0] == "transformers"


def _is_constant(thing: Any) -> bool:
    """Whether a thing is of a kind that nobody changes: types of numbers, devices, annotations."""
    torch = sys.modules.get("torch")
    if torch is not None:
        kinds = (
            torch.dtype,
            torch.device,
            torch.layout,
            torch.memory_format,
            torch.finfo,
            torch.iinfo,
        )
        if isinstance(thing, kinds):
            return True
    kind = type(thing)
    if kind.__module__.startswith("sympy."):
        return is_library_class(kind) and isinstance(thing, sympy.Basic | bool)
    return (kind.__module__ == "typing" and is_library_class(kind)) or (
        isinstance(thing, types.GenericAlias | types.UnionType | typing.TypeVar | np.finfo)
    )


def _patched(walk: _Walk) -> None:
    """Visit what was put in the place of a function of PyTorch, NumPy or Python."""
    places: list[tuple[str, Any, frozenset[str] | set[str]]] = [("builtins", builtins, BUILTINS)]
    for name in ("torch", "torch.nn.functional", "numpy", "math", "einops"):
        if name in sys.modules:
            places.append((name, sys.modules[name], ATTRIBUTES))
    for module, kind in (("torch", "Tensor"), ("torch", "nn")):
        owner = getattr(sys.modules.get(module), kind, None)
        if kind == "nn" and owner is not None:
            owner = owner.Module
            places.append(("torch.nn.Module", owner, set(vars(owner))))
        elif owner is not None:
            special = {n for n in dir(owner) if n.startswith("__") and n.endswith("__")}
            places.append((f"{module}.{kind}", owner, ATTRIBUTES | special))
    for path, owner, names in places:
        for name in names:
            value = getattr(owner, name, None)
            if isinstance(value, types.FunctionType):
                if not of_library(value.__code__.co_filename):
                    walk.told_unknown(f"{path}.{name}, which was replaced")
            elif isinstance(value, np.ufunc):
                if path == "numpy" and value.__name__ not in (name, _OTHER_NAMES.get(name)):
                    walk.told_unknown(f"{path}.{name}, which was replaced")
            elif isinstance(value, type):
                if _root(value) not in _LIBRARIES:
                    walk.told_unknown(f"{path}.{name}, which was replaced")
            elif callable(value) and not is_library_class(type(value)):
                walk.told_unknown(f"{path}.{name}, which was replaced")
    torch = sys.modules.get("torch")
    if torch is not None:
        walk._put_into(torch.Tensor, "tensors")
        walk._put_into(torch.nn.Module, "modules")
        walk.told("modes", _modes())
        home = torch.nn.modules.module
        for name, value in vars(home).items():
            if name.startswith("_global_") and isinstance(value, dict) and value:
                walk.told_unknown(f"torch's {name}")


def _modes() -> str:
    """What a call of PyTorch can switch on or use up, and later calls look at."""
    import torch

    drawn = hashlib.sha256(torch.get_rng_state().numpy().tobytes()).hexdigest()
    modes = (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.is_autocast_enabled("cpu"),
        torch.get_autocast_dtype("cpu"),
        torch.are_deterministic_algorithms_enabled(),
        torch.get_num_threads(),
        torch.get_float32_matmul_precision(),
    )
    return f"{modes} {drawn}"


_OTHER_NAMES = {
    "abs": "absolute", "mod": "remainder", "divide": "divide", "true_divide": "divide",
    "atan2": "arctan2", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "pow": "power",
    "bitwise_not": "invert", "conj": "conjugate", "asinh": "arcsinh",
}  # fmt: skip


def reach_of(*calls: Any) -> CallableReach:
    """What callables can reach: closures, defaults, globals and attributes that their functions name.

    Libraries' own functions are taken to depend on their arguments alone.
    """
    from ropeproof.proofs_check.programs.guards.names import collides

    walk = _Walk()
    for number, call in enumerate(calls):
        walk.all_of(call, f"call{number}" if number else "it")
    for told in walk.names:
        what, where = told.split("\0")
        word = what.removeprefix("the attribute ").removeprefix("getattr of ")
        word = word.removeprefix("hasattr of ")
        own = what != word and word in walk.own and not word.startswith("__")
        if own and not collides(word):
            continue
        said = f"the name {word}, which libraries have too," if own else what
        walk.unknown[f"{said}{where}"] = None
    _patched(walk)
    for told in watchers():
        walk.told_unknown(told)
    return CallableReach(
        walk.digest.hexdigest(),
        tuple(walk.unknown),
        tuple(walk.tensors),
        LookedThrough(walk.functions),
    )


def state_of(*calls: Any) -> str:
    """A digest of all that the user's code can reach from callables and might change."""
    return reach_of(*calls).digest


def outside_sources(*calls: Any) -> tuple[str, ...]:
    """What callables use or keep that is not followed, each in words with its place."""
    return reach_of(*calls).unknown
