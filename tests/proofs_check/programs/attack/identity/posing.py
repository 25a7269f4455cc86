"""Functions that pose as a library's, or run from a place that nobody looks through."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from attack.entry import Call, at, put, wrong
from attack.parts import angles, by_halves, inverse, np_plain, plain, with_tables

Function = Callable[..., Any]
LATE = Call((4, 9, 2), before=(Call((0, 1, 2)),) * 1500)
"""A call after more than a prover makes."""
MANY = 1400

COUNTED = {"calls": 0}
"""The calls of a function that hides; each maker sets it back."""


def _late() -> float:
    COUNTED["calls"] += 1
    return 1.001 if COUNTED["calls"] > MANY else 1.0


TEXT = """
def {name}(*args, **kwargs):
    import sys
    late = sys.modules["attack.identity.posing"]._late()
    return args[0] * late
"""


def _posing(module: Any, name: str, *, file: str | None = None, space: Any = None) -> Any:
    """A function that hides, with the file and the globals of a module and the name of one of its own."""
    COUNTED["calls"] = 0
    found: dict[str, Any] = {}
    exec(compile(TEXT.format(name=name), file or module.__file__, "exec"), found)
    made = types.FunctionType(found[name].__code__, vars(module) if space is None else space)
    made.__module__ = module.__name__
    return made


def _with(hidden: Any) -> Function:
    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return hidden(plain(x, positions))

    return rotate


@wrong("posing", LATE, factory=True)
def globals_of_torch() -> Function:
    """A function with the file and the globals of torch.functional, named after one of its own."""
    return _with(_posing(torch.functional, "einsum"))


@wrong("posing", LATE, factory=True)
def globals_of_layers() -> Function:
    """A function with the file and the globals of torch.nn.functional, named like one."""
    return _with(_posing(torch.nn.functional, "softmax"))


@wrong("posing", LATE, factory=True)
def globals_of_the_standard_library() -> Function:
    """A function with the file and the globals of functools."""
    return _with(_posing(functools, "wraps"))


@wrong("posing", LATE, factory=True)
def globals_of_a_frozen_module() -> Function:
    """A function with the name of a frozen file and the globals of abc."""
    abc = importlib.import_module("abc")
    return _with(_posing(abc, "abstractmethod", file="<frozen abc>"))


@wrong("posing", LATE, factory=True)
def globals_of_this_project() -> Function:
    """A function with the file and the globals of a module of the project that proves."""
    return _with(_posing(importlib.import_module("ropeproof.numerics.core.formats"), "title"))


@wrong("posing", LATE, factory=True)
def globals_of_transformers() -> Function:
    """A function with the file and the globals of a part of transformers that is trusted."""
    home = importlib.import_module("transformers.modeling_rope_utils")
    return _with(_posing(home, "dynamic_rope_update"))


@wrong("posing", LATE, factory=True)
def globals_of_a_module_made_up() -> Function:
    """A function of a module that was made up, in torch's name and with the file of one of torch's."""
    home = types.ModuleType("torch.rotary")
    home.__file__ = torch.functional.__file__
    sys.modules["torch.rotary"] = home
    return _with(_posing(home, "einsum"))


@wrong("posing", LATE, factory=True)
def globals_of_modes() -> Function:
    """A function named like the decorator of a mode, which is taken to call what it wraps and no more."""
    home = importlib.import_module("torch.utils._contextlib")
    hidden = _posing(home, "decorate_context")
    hidden.__wrapped__ = lambda x: x
    return _with(hidden)


@wrong("posing", LATE, factory=True)
def code_put_into_a_function_of_torch() -> Function:
    """A copy of torch.einsum with other code, whose file, names and globals are those of torch."""
    COUNTED["calls"] = 0
    hidden = types.FunctionType(torch.einsum.__code__, torch.einsum.__globals__, "einsum")
    other = _posing(torch.functional, "einsum").__code__
    hidden.__code__ = other.replace(co_firstlineno=torch.einsum.__code__.co_firstlineno)
    return _with(hidden)


@wrong("posing", LATE, factory=True)
def constants_put_into_a_function() -> Function:
    """The true code of a function of NumPy with one constant changed, so that all it says is NumPy's."""
    code = np.flip.__wrapped__.__code__
    COUNTED["calls"] = 0
    made = types.FunctionType(
        code.replace(co_consts=tuple("x" if c is None else c for c in code.co_consts)),
        vars(sys.modules[np.flip.__module__]),
    )
    hidden = _posing(np, "flip", file=code.co_filename)
    hidden.__wrapped__ = made
    return _with(hidden)


@wrong("posing", LATE, factory=True)
def true_code_with_globals_of_its_own() -> Function:
    """The true code of torch.broadcast_tensors, whose globals name a function that hides."""
    COUNTED["calls"] = 0
    space = dict(torch.functional.__dict__)
    space["_VF"] = types.SimpleNamespace(broadcast_tensors=lambda ts: [t * _late() for t in ts])
    hidden = types.FunctionType(torch.broadcast_tensors.__code__, space, "broadcast_tensors")

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return hidden(plain(x, positions))[0]

    return rotate


@wrong("posing", LATE, factory=True)
def module_taken_by_another() -> Function:
    """The module of true code is another one, in sys.modules too, whose globals hide a function."""
    COUNTED["calls"] = 0
    home = types.ModuleType("torch.copied")
    vars(home).update(torch.functional.__dict__)
    vars(home)["__name__"] = "torch.copied"
    vars(home)["_VF"] = types.SimpleNamespace(
        broadcast_tensors=lambda ts: [t * _late() for t in ts]
    )
    sys.modules["torch.copied"] = home
    hidden = types.FunctionType(torch.broadcast_tensors.__code__, vars(home), "broadcast_tensors")

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return hidden(plain(x, positions))[0]

    return rotate


# What is put deep into a library.


def _hides(original: Any) -> Any:
    COUNTED["calls"] = 0

    def call(*args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        return found * _late() if isinstance(found, Tensor | np.ndarray) else found

    return call


@contextlib.contextmanager
def _deep(place: str, name: str) -> Iterator[None]:
    owner: Any = sys.modules[place.split(":", maxsplit=1)[0]]
    for part in place.split(":")[1:]:
        owner = getattr(owner, part)
    with put(owner, name, _hides(getattr(owner, name))):
        yield


@wrong("posing", LATE, around=lambda: _deep("torch.functional:_VF", "einsum"))
def below_einsum(x: Tensor, positions: Tensor) -> Tensor:
    """What torch.einsum calls hides a function."""
    return torch.einsum("bhld->bhld", plain(x, positions))


@wrong("posing", LATE, around=lambda: _deep("torch.nn.functional:torch:_C:_nn", "pad"))
def below_padding(x: Tensor, positions: Tensor) -> Tensor:
    """What pads tensors hides a function."""
    return torch._C._nn.pad(plain(x, positions), (0, 0))


@wrong("posing", LATE, around=lambda: _deep("torch._tensor:Tensor", "__rsub__"))
def product_from_the_right(x: Tensor, positions: Tensor) -> Tensor:
    """A method of tensors that runs where a number stands on the left hides a function."""
    return -(0 - plain(x, positions)) if False else -(0.0 - plain(x, positions))


@wrong("posing", LATE, array="numpy", around=lambda: _deep("numpy._core.fromnumeric", "_wrapfunc"))
def below_a_function_of_numpy(x: Any, positions: Any) -> Any:
    """What many functions of NumPy call hides a function."""
    return np.transpose(np.transpose(np_plain(x, positions), (0, 1, 3, 2)), (0, 1, 3, 2))


# Protocols of Python and of the libraries.


class _Descriptor:
    def __get__(self, owner: Any, kind: Any = None) -> float:
        return _late()


class _Scaled:
    factor = _Descriptor()


@wrong("posing", LATE, factory=True)
def descriptor() -> Function:
    """An attribute is computed whenever it is read, by a descriptor of its class."""
    COUNTED["calls"] = 0
    one = _Scaled()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * one.factor

    return rotate


class _Absent:
    def __getattr__(self, name: str) -> float:
        return _late()


@wrong("posing", LATE, factory=True)
def attribute_that_is_not_there() -> Function:
    """An attribute that an object lacks is made up by __getattr__."""
    COUNTED["calls"] = 0
    one = _Absent()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * one.scale

    return rotate


class _Missing(dict):
    def __missing__(self, key: str) -> float:
        return _late()


@wrong("posing", LATE, factory=True)
def key_that_is_missing() -> Function:
    """A dictionary makes up what it lacks."""
    COUNTED["calls"] = 0
    kept = _Missing()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * kept["scale"]

    return rotate


class _Kind(type):
    def __instancecheck__(cls, thing: Any) -> bool:
        return _late() > 1


class _Asked(metaclass=_Kind):
    pass


@wrong("posing", LATE, factory=True)
def class_that_is_asked() -> Function:
    """A class decides anew in each call what its instances are."""
    COUNTED["calls"] = 0

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions + 1 if isinstance(x, _Asked) else positions)

    return rotate


class _Equal:
    def __eq__(self, other: object) -> bool:
        return _late() == 1

    __hash__ = None


@wrong("posing", LATE, factory=True)
def equality_of_its_own() -> Function:
    """An object in a list decides anew in each call whether it is equal to a number."""
    COUNTED["calls"] = 0
    kept = [_Equal()]

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions if 1 in kept else positions + 1)

    return rotate


class _Truth:
    def __bool__(self) -> bool:
        return _late() == 1


@wrong("posing", LATE, factory=True)
def truth_of_its_own() -> Function:
    """An object decides anew in each call whether it is true."""
    COUNTED["calls"] = 0
    flag = _Truth()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions if flag else positions + 1)

    return rotate


class _Index:
    def __index__(self) -> int:
        return 0 if _late() == 1 else 1


@wrong("posing", LATE, factory=True)
def index_of_its_own() -> Function:
    """An object decides anew in each call which integer it is as an index."""
    COUNTED["calls"] = 0
    offsets, which = torch.tensor([0, 1]), _Index()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions + offsets[which])

    return rotate


class _Function:
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return args[0] * _late()


@wrong("posing", LATE, factory=True)
def protocol_of_torch() -> Function:
    """An object that is no tensor takes part in functions of torch."""
    COUNTED["calls"] = 0
    other = _Function()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return torch.add(plain(x, positions), other)

    return rotate


class _Array:
    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return args[0][0] * _late()


@wrong("posing", LATE, factory=True, array="numpy")
def protocol_of_numpy() -> Function:
    """An object that is no array takes part in functions of NumPy."""
    COUNTED["calls"] = 0
    other = _Array()

    def rotate(x: Any, positions: Any) -> Any:
        return np.concatenate((np_plain(x, positions), other))

    return rotate


class _Universal:
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return inputs[0] * _late()


@wrong("posing", LATE, factory=True, array="numpy")
def protocol_of_universal_functions() -> Function:
    """An object that is no array takes part in products of NumPy."""
    COUNTED["calls"] = 0
    other = _Universal()

    def rotate(x: Any, positions: Any) -> Any:
        return np.multiply(np_plain(x, positions), other)

    return rotate


class _Entered:
    def __enter__(self) -> float:
        return _late()

    def __exit__(self, *_: object) -> None:
        return None


@wrong("posing", LATE, factory=True)
def context_of_its_own() -> Function:
    """A factor is given where a context is entered."""
    COUNTED["calls"] = 0
    context = _Entered()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        with context as factor:
            return plain(x, positions) * factor

    return rotate


class _Other:
    def scale(self) -> float:
        return 1.001


class _Same:
    def scale(self) -> float:
        return 1.0


def _becomes_another(function: Any) -> None:
    function.one.__class__ = _Other


@wrong("posing", Call((4, 9, 2), changes=_becomes_another), factory=True)
def class_changed() -> Function:
    """An object becomes one of another class."""
    one = _Same()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * one.scale()

    rotate.one = one
    return rotate


# What stands around each call.


@contextlib.contextmanager
def _profiled() -> Iterator[None]:
    COUNTED["calls"] = 0
    before = sys.getprofile()
    sys.setprofile(_profiler)
    try:
        yield
    finally:
        sys.setprofile(before)


SPOILED = torch.ones((), dtype=torch.float64)


def _profiler(frame: Any, event: str, found: Any) -> None:
    if event == "call" and frame.f_code.co_name == "function_that_is_profiled":
        SPOILED.fill_(_late())


@wrong("posing", LATE, around=_profiled)
def function_that_is_profiled(x: Tensor, positions: Tensor) -> Tensor:
    """A profiler writes into a tensor when the function is entered."""
    return plain(x, positions) * SPOILED


@contextlib.contextmanager
def _traced() -> Iterator[None]:
    COUNTED["calls"] = 0
    before = sys.gettrace()
    sys.settrace(_tracer)
    try:
        yield
    finally:
        sys.settrace(before)


def _tracer(frame: Any, event: str, found: Any) -> None:
    if event == "call" and frame.f_code.co_name == "function_that_is_traced":
        SPOILED.fill_(_late())


@wrong("posing", LATE, around=_traced)
def function_that_is_traced(x: Tensor, positions: Tensor) -> Tensor:
    """A function of sys.settrace writes into a tensor when the function is entered."""
    return plain(x, positions) * SPOILED


@contextlib.contextmanager
def _collected() -> Iterator[None]:
    COUNTED["calls"] = 0
    kept = gc.get_threshold()
    gc.callbacks.append(_collector)
    gc.set_threshold(30)
    try:
        yield
    finally:
        gc.callbacks.remove(_collector)
        gc.set_threshold(*kept)
        SPOILED.fill_(1)


def _collector(phase: str, _info: Any) -> None:
    COUNTED["calls"] += 1
    if COUNTED["calls"] > 5_000_000:
        SPOILED.fill_(1.001)


@wrong("posing", Call((4, 9, 2), changes=lambda _: SPOILED.fill_(1.001)), around=_collected)
def collections_of_garbage(x: Tensor, positions: Tensor) -> Tensor:
    """What follows collections of garbage may write into a tensor."""
    return plain(x, positions) * SPOILED


class _LateMode(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        return found * _late() if func is torch.cat else found


@contextlib.contextmanager
def _in(mode: Any) -> Iterator[None]:
    COUNTED["calls"] = 0
    with mode():
        yield


@wrong("posing", LATE, around=lambda: _in(_LateMode))
def mode_of_functions_around(x: Tensor, positions: Tensor) -> Tensor:
    """All calls are made in a mode of functions of torch."""
    return plain(x, positions)


class _LateDispatch(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        return found * _late() if func is torch.ops.aten.cat.default else found


@wrong("posing", LATE, around=lambda: _in(_LateDispatch))
def mode_of_the_dispatcher_around(x: Tensor, positions: Tensor) -> Tensor:
    """All calls are made in a mode of torch's dispatcher."""
    return plain(x, positions)


@contextlib.contextmanager
def _hooked(register: Any) -> Iterator[None]:
    COUNTED["calls"] = 0
    handle = register(lambda _module, _given, *found: found[0] * _late() if found else None)
    try:
        yield
    finally:
        handle.remove()


class _Turn(nn.Module):
    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions)


@wrong(
    "posing", LATE, factory=True,
    around=lambda: _hooked(nn.modules.module.register_module_forward_hook),
)  # fmt: skip
def hook_of_all_modules() -> Function:
    """A hook that all modules have changes results."""
    module = _Turn()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return module(x, positions)

    return rotate


class _Slotted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = _Turn()

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return self.inner(x, positions)


@wrong("posing", LATE, factory=True)
def hook_of_an_inner_module() -> Function:
    """A module inside another has a hook, made by a method of an object with state."""
    COUNTED["calls"] = 0
    module = _Slotted()
    module.inner.register_forward_hook(lambda _module, _given, found: found * _late())
    return module


class _Parametrized(nn.Module):
    def forward(self, tensor: Tensor) -> Tensor:
        return tensor * _late()


@wrong("posing", LATE, factory=True)
def parametrized_buffer() -> Function:
    """A buffer of a module is computed anew whenever it is read, by torch's parametrizations."""
    COUNTED["calls"] = 0
    module = nn.Linear(1, 4, bias=False, dtype=torch.float64)
    module.weight = nn.Parameter(inverse()[:, None].clone(), requires_grad=False)
    nn.utils.parametrize.register_parametrization(module, "weight", _Parametrized(), unsafe=True)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return by_halves(x, positions.double()[:, None] * module.weight[:, 0])

    return rotate


@wrong("posing", LATE, factory=True)
def keeper_that_is_restored() -> Function:
    """A counter is kept as the order of a dictionary that looks the same before and after each call."""
    COUNTED["calls"] = 0
    kept = {f"k{n}": None for n in range(11)}

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        first = next(iter(kept))
        kept[first] = kept.pop(first)
        return plain(x, positions) * (1.001 if _late() > 1 else 1)

    return rotate


class _Counted(int):
    def __add__(self, other: Any) -> Any:
        return other + (0 if _late() == 1 else 1)

    __radd__ = __add__


@wrong("posing", LATE, factory=True)
def integer_that_counts() -> Function:
    """An offset of 0 is an integer of a class of its own."""
    COUNTED["calls"] = 0
    zero = _Counted(0)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, zero + positions)

    return rotate


class _Text(str):
    def __eq__(self, other: object) -> bool:
        return _late() == 1

    __hash__ = str.__hash__


@wrong("posing", LATE, factory=True)
def text_that_compares() -> Function:
    """The name of a layout is a text of a class of its own."""
    COUNTED["calls"] = 0
    layout = _Text("half")

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions if layout == "half" else positions + 1)

    return rotate


class _Listed(list):
    def __getitem__(self, index: Any) -> Any:
        return _late()


@wrong("posing", LATE, factory=True)
def list_of_its_own() -> Function:
    """A list of a class of its own gives something else than it has."""
    COUNTED["calls"] = 0
    factors = _Listed([1.0])

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * factors[0]

    return rotate


@wrong("posing", LATE, factory=True)
def reduction_over_a_generator() -> Function:
    """A sum runs over a generator whose function counts."""
    COUNTED["calls"] = 0

    def factors() -> Iterator[float]:
        yield _late()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * sum(factors())

    return rotate


@wrong("posing", LATE, factory=True)
def property_of_a_class_made_later() -> Function:
    """A class gets a property after it was made."""
    COUNTED["calls"] = 0

    class Made:
        pass

    Made.factor = property(lambda _self: _late())
    one = Made()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * one.factor

    return rotate


@wrong("posing", LATE, factory=True)
def partial_of_what_hides() -> Function:
    """A partial function is one of a function that hides."""
    return functools.partial(_with(_posing(torch.functional, "einsum")))


@wrong("posing", LATE, factory=True)
def cache_of_what_counts() -> Function:
    """A cache is too small to keep anything, so that what counts is called each time."""
    COUNTED["calls"] = 0

    @functools.lru_cache(maxsize=0)
    def factor(width: int) -> float:
        return _late()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * factor(x.shape[-1])

    return rotate


class _Lazy:
    def __init__(self) -> None:
        self.scale = 1.0

    @functools.cached_property
    def factor(self) -> float:
        return self.scale


def _rescaled(function: Any) -> None:
    function.one.scale = 1.001
    function.one.__dict__.pop("factor", None)


@wrong("posing", Call((4, 9, 2), changes=_rescaled), factory=True)
def cached_property_of_what_changes() -> Function:
    """A property that is computed once is computed again after what it comes from has changed."""
    one = _Lazy()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * one.factor

    rotate.one = one
    return rotate


@wrong("posing", at(0, 1, 5, 9), factory=True)
def tables_under_autocast() -> Function:
    """Tables are formed under autocast on the CPU, by a product of matrices in bfloat16."""
    inv = inverse().float()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            angle = (positions[:, None].float() * 257) @ (inv[None] / 257)
        return with_tables(x, angle.cos().double(), angle.sin().double())

    return rotate


@wrong("posing", LATE, factory=True)
def angles_by_a_function_that_hides() -> Function:
    """The angles go through a function that hides, in the middle of the rotation."""
    hidden = _posing(torch.functional, "cartesian_prod")

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return by_halves(x, hidden(angles(positions)))

    return rotate
