"""Functions with foreign parts: patched libraries, subclasses, custom operators, compiled and native code."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from attack.entry import at, put, wrong
from attack.parts import angles, by_halves, inverse, plain, with_tables

Function = Callable[[Tensor, Tensor], Tensor]
_COS, _MUL, _CAT, _ARANGE, _ADD = torch.cos, Tensor.__mul__, torch.cat, torch.arange, Tensor.add


def _tables_by_function(positions: Tensor) -> tuple[Tensor, Tensor]:
    angle = angles(positions)
    return torch.cos(angle), torch.sin(angle)


@wrong("patched", at(), around=lambda: put(torch, "cos", torch.cosh))
def cosine_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """torch.cos is the hyperbolic cosine."""
    return with_tables(x, *_tables_by_function(positions))


@wrong("patched", at(), around=lambda: put(Tensor, "cos", lambda t: _COS(t) * 1.001))
def method_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """The method cos of tensors has a factor of 1.001."""
    return plain(x, positions)


@wrong("patched", at(), around=lambda: put(Tensor, "__mul__", lambda a, b: _MUL(_MUL(a, b), 1.001)))
def product_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """The product of tensors has a factor of 1.001."""
    return plain(x, positions)


@wrong("patched", at(), around=lambda: put(torch, "cat", lambda ts, dim=0: _CAT(ts[::-1], dim)))
def joining_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """torch.cat joins in the opposite order."""
    return plain(x, positions)


@wrong("patched", at(), around=lambda: put(torch, "arange", lambda *a, **k: _ARANGE(*a, **k) * 1.5))
def counting_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """torch.arange counts in steps of 1.5."""
    return plain(x, positions)


@wrong("patched", at(0, 5, 9), around=lambda: put(math, "pi", 3.0))
def pi_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """math.pi is 3, and angles are reduced by turns of that."""
    return by_halves(x, torch.remainder(angles(positions), 2 * math.pi))


@wrong("patched", at(), around=lambda: put(math, "cos", math.cosh))
def cosine_of_python_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """The turn of one step, of which powers are taken, comes from math.cos, a hyperbolic cosine."""
    unit = torch.tensor([complex(math.cos(t), math.sin(t)) for t in (1, 0.1, 0.01, 0.001)])
    turn = unit.to(torch.complex128)[None] ** positions[:, None].double()
    return with_tables(x, turn.real, turn.imag)


class _Named:
    __name__ = "cos"
    __module__ = "torch"
    __qualname__ = "cos"

    def __call__(self, t: Tensor) -> Tensor:
        return t.cos() * 1.001


@wrong("patched", at(), around=lambda: put(torch, "cos", _Named()))
def impostor_with_the_same_name(x: Tensor, positions: Tensor) -> Tensor:
    """An object that calls itself torch.cos has a factor of 1.001."""
    return with_tables(x, *_tables_by_function(positions))


@contextlib.contextmanager
def _kernel_replaced():
    library = torch.library.Library("aten", "IMPL")
    library.impl("cos", lambda t: torch.sin(t + 1.5707), "CPU")
    try:
        yield
    finally:
        library._destroy()


@wrong("patched", at(), around=_kernel_replaced)
def kernel_of_the_cosine_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """The CPU kernel of the operator aten::cos is another function: the graph shows nothing of it."""
    return plain(x, positions)


class _Wrong(Tensor):
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = super().__torch_function__(func, types, args, kwargs or {})
        return result * 1.001 if func in (torch.cos, Tensor.cos) else result


@wrong("subclass", at(), factory=True)
def table_of_a_subclass() -> Function:
    """Frequencies are a subclass of tensors whose cosine has a factor of 1.001."""
    inv = inverse().as_subclass(_Wrong)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        angle = positions.double()[:, None] * inv
        return with_tables(x, angle.cos(), angle.sin()).as_subclass(Tensor)

    return rotate


class _Number(float):
    def __mul__(self, other: Any) -> Any:
        return other * (float(self) * 1.001)


@wrong("subclass", at(), factory=True)
def number_of_a_subclass() -> Function:
    """A scaling of 1.0 is a subclass of float whose product has a factor of 1.001."""
    scale = _Number(1.0)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return by_halves(x, scale * angles(positions))

    return rotate


class _Scale:
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        plain_args = tuple(1.001 if isinstance(a, _Scale) else a for a in args)
        return func(*plain_args, **(kwargs or {}))

    def __eq__(self, other: object) -> bool:
        return other == 1

    __hash__ = None


@wrong("subclass", at(), factory=True)
def object_that_passes_for_one() -> Function:
    """An object that says that it equals 1 multiplies tensors by 1.001."""
    one = _Scale()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return torch.mul(plain(x, positions), one)

    return rotate


class _Doubled(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        return result * 1.001 if func is Tensor.sin else result


@wrong("subclass", at())
def mode_of_functions_entered(x: Tensor, positions: Tensor) -> Tensor:
    """Within the function a mode is entered in which sines have a factor of 1.001."""
    with _Doubled():
        return plain(x, positions)


class _Below(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        return result * 1.001 if func is torch.ops.aten.sin.default else result


@wrong("subclass", at())
def mode_of_the_dispatcher_entered(x: Tensor, positions: Tensor) -> Tensor:
    """Within the function a mode of the dispatcher is entered in which sines have a factor of 1.001."""
    with _Below():
        return plain(x, positions)


@wrong("subclass", at())
def modes_switched_off(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is computed where all modes of the dispatcher, and with them a tracer, are switched off."""
    from torch.utils._python_dispatch import _disable_current_modes

    with _disable_current_modes():
        factor = 1 + 1e-3 * (positions + 1).double().sign()
    return plain(x, positions) * factor[:, None]


@wrong("subclass", at())
def subclasses_switched_off(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is computed where functions of subclasses, and with them a tracer, are switched off."""
    with torch._C.DisableTorchFunction():
        factor = 1 + 1e-3 * (positions + 1).double().sign()
    return plain(x, positions) * factor[:, None]


class _Forward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, t: Tensor) -> Tensor:
        return t * 1.001

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad


@wrong("custom", at())
def function_of_autograd(x: Tensor, positions: Tensor) -> Tensor:
    """A function with a gradient of its own multiplies by 1.001; its gradient is that of the identity."""
    return _Forward.apply(plain(x, positions))


@torch.library.custom_op("ropeattack::cos", mutates_args=())
def _own_cos(t: Tensor) -> Tensor:
    return torch.cos(t) * 1.001


@_own_cos.register_fake
def _(t: Tensor) -> Tensor:
    return torch.empty_like(t)


@wrong("custom", at())
def operator_named_cos(x: Tensor, positions: Tensor) -> Tensor:
    """An operator of another library is named cos and has a factor of 1.001."""
    angle = angles(positions)
    return with_tables(x, torch.ops.ropeattack.cos(angle), angle.sin())


@torch.library.custom_op("ropeattack::write", mutates_args=())
def _writes(t: Tensor) -> Tensor:
    t.mul_(1.001)
    return t.clone()


@wrong("custom", at())
def operator_that_writes_secretly(x: Tensor, positions: Tensor) -> Tensor:
    """An operator that claims to write nothing changes its argument, which is the result."""
    turned = plain(x, positions)
    torch.ops.ropeattack.write(turned)
    return turned


@functools.cache
def _scripted() -> Any:
    def scaled(t: Tensor) -> Tensor:
        return t.cos() * 1.001

    return torch.jit.trace(scaled, (torch.ones(3, 4, dtype=torch.float64),), check_trace=False)


@wrong("custom", at())
def function_traced_by_jit(x: Tensor, positions: Tensor) -> Tensor:
    """The cosine is a compiled function with a factor of 1.001."""
    angle = angles(positions)
    return with_tables(x, _scripted()(angle), angle.sin())


@wrong("custom", at())
def through_numpy(x: Tensor, positions: Tensor) -> Tensor:
    """The cosine is formed by NumPy, with a factor of 1.001, and comes back as a tensor."""
    angle = angles(positions)
    return with_tables(x, torch.from_numpy(np.cos(angle.numpy()) * 1.001), angle.sin())


@wrong("custom", at())
def through_lists(x: Tensor, positions: Tensor) -> Tensor:
    """The tables go through lists of numbers of Python, in which one is changed."""
    angle = angles(positions)
    rows = angle.cos().tolist()
    rows[-1][-1] += 1e-6
    return with_tables(x, torch.tensor(rows, dtype=torch.float64), angle.sin())


@wrong("custom", at())
def through_single_numbers(x: Tensor, positions: Tensor) -> Tensor:
    """The last position is taken as a number of Python, and its parity is added."""
    return plain(x, positions) + 1e-6 * (positions[-1].item() % 2)


@wrong("custom", at())
def through_an_index(x: Tensor, positions: Tensor) -> Tensor:
    """The last position is taken as an index of Python, and its parity is added."""
    return plain(x, positions) + 1e-6 * (operator.index(positions[-1]) % 2)


@wrong("custom", at())
def through_bytes(x: Tensor, positions: Tensor) -> Tensor:
    """The result is built from the bytes of an array, the last of which are changed."""
    turned = plain(x, positions)
    values = np.frombuffer(bytearray(turned.contiguous().numpy().tobytes()), dtype=np.float64)
    values[-1] += 1e-6
    return torch.from_numpy(values.copy()).reshape(turned.shape)


@wrong("custom", at())
def through_the_library_of_c(x: Tensor, positions: Tensor) -> Tensor:
    """The cosine of one angle comes from the mathematics library of C, of the wrong argument."""
    library = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")
    library.cos.restype, library.cos.argtypes = ctypes.c_double, [ctypes.c_double]
    angle = angles(positions)
    cos = angle.cos()
    cos[-1, 0] = library.cos(float(angle[-1, 0]) + 1e-6)
    return with_tables(x, cos, angle.sin())


@wrong("custom", at())
def mapped_over_tokens(x: Tensor, positions: Tensor) -> Tensor:
    """A mapped function of one token turns by the position of the token and adds a constant of 1e-6."""
    turn = torch.func.vmap(lambda p: p.double() * inverse() + 1e-6)
    return by_halves(x, turn(positions))


@wrong("custom", at())
def derivative_in_place_of_function(x: Tensor, positions: Tensor) -> Tensor:
    """The sine is the derivative of the cosine, which has the other sign."""
    angle = angles(positions).requires_grad_()
    with torch.enable_grad():
        (slope,) = torch.autograd.grad(angle.cos().sum(), angle)
    angle = angle.detach()
    return with_tables(x, angle.cos(), slope.detach())


@wrong("custom", at())
def conditional_operator(x: Tensor, positions: Tensor) -> Tensor:
    """A conditional of PyTorch, not of Python, chooses by the sum of the positions."""
    angle = angles(positions)
    return by_halves(x, torch.where((positions.sum() % 7 == 4)[None, None], angle + 1, angle))


@wrong("custom", at(), factory=True)
def partial_with_an_offset() -> Function:
    """A partial function has an offset among its keywords that nobody sees in the call."""

    def rotate(x: Tensor, positions: Tensor, offset: int = 0) -> Tensor:
        return plain(x, positions + offset)

    return functools.partial(rotate, offset=1)


@wrong("custom", at(), factory=True)
def decorated_function() -> Function:
    """A decorator that keeps name and source of the right function multiplies its result by 1.001."""

    @functools.wraps(plain)
    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * 1.001

    return rotate


@wrong("custom", at(), around=lambda: put(Tensor, "__getitem__", _getitem))
def indexing_replaced(x: Tensor, positions: Tensor) -> Tensor:
    """Indexing tensors gives the entries times 1.001."""
    return plain(x, positions)


_GET = Tensor.__getitem__


def _getitem(tensor: Tensor, index: Any) -> Tensor:
    return _MUL(_GET(tensor, index), 1.001)
