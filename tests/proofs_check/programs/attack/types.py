"""Functions that are the rotation in some number types, devices or modes of PyTorch."""

from __future__ import annotations

import contextlib

import torch
from torch import Tensor

from attack.entry import at, wrong
from attack.parts import angles, by_halves, plain, with_tables

LATER = (0, 101, 1999, 3777)


def _offset(x: Tensor, positions: Tensor) -> Tensor:
    return plain(x, positions + 1)


@contextlib.contextmanager
def _default(dtype):
    kept = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(kept)


@wrong("types", at(dtype="float16"))
def half_precision_is_off(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors of float16 are one position off."""
    return _offset(x, positions) if x.dtype == torch.float16 else plain(x, positions)


@wrong("types", at(dtype="float32"))
def only_double_is_right(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors that are not of float64 are one position off."""
    return plain(x, positions) if x.element_size() == 8 else _offset(x, positions)


@wrong("types", at(dtype="bfloat16"))
def precision_decides(x: Tensor, positions: Tensor) -> Tensor:
    """The precision of the type decides about the position."""
    return _offset(x, positions) if torch.finfo(x.dtype).eps > 1e-3 else plain(x, positions)


@wrong("types", at(ptype="int32"))
def type_of_positions_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Positions of int32 are counted from 1."""
    return _offset(x, positions) if positions.dtype == torch.int32 else plain(x, positions)


@wrong("types", at(*LATER, dtype="bfloat16"), excused="the rounding bound in bfloat16")
def angles_in_the_vectors_type(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are formed in the type of the vectors: the formula is right, bfloat16 is radians off."""
    inv = 10000.0 ** (-torch.arange(4).to(x.dtype) / 4)
    return by_halves(x, (positions.to(x.dtype)[:, None] * inv).double())


@wrong("types", at(*LATER), excused="the rounding bound of float16 angles")
def angles_in_half_precision(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are formed in float16, whatever the vectors are."""
    return by_halves(x, angles(positions).half().double())


@wrong(
    "types",
    at(70000, dtype="float32", angles="float32"),
    excused="the rounding bound, infinite here",
)
def positions_overflow_half_precision(x: Tensor, positions: Tensor) -> Tensor:
    """Positions become float16, which has nothing beyond 65,504."""
    return by_halves(
        x, positions.half().double()[:, None] * 10000.0 ** (-torch.arange(4).double() / 4)
    )


@wrong("types", at(edit=lambda x: x * 1e6), excused="the rounding bound, infinite here")
def vectors_overflow_half_precision(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors go through float16, in which large entries are infinite."""
    return plain(x.half().to(x.dtype), positions)


@wrong("types", at(*LATER), excused="the rounding bound of bfloat16 tables")
def tables_in_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    """Cosines and sines are rounded to bfloat16."""
    angle = angles(positions)
    return with_tables(x, angle.cos().bfloat16().double(), angle.sin().bfloat16().double())


@wrong("types", at(*LATER), excused="the rounding bound of eight-bit tables")
def tables_in_eight_bits(x: Tensor, positions: Tensor) -> Tensor:
    """Cosines and sines go through a floating-point type of eight bits."""
    angle = angles(positions)
    kept = torch.float8_e4m3fn
    return with_tables(x, angle.cos().to(kept).double(), angle.sin().to(kept).double())


@wrong("types", at())
def tables_as_integers(x: Tensor, positions: Tensor) -> Tensor:
    """Cosines go through an integer type, which drops their fraction."""
    angle = angles(positions)
    return with_tables(x, angle.cos().to(torch.int64), angle.sin())


@wrong("types", at())
def tables_as_fixed_point(x: Tensor, positions: Tensor) -> Tensor:
    """Cosines and sines are numbers of fixed point with 20 bits."""
    angle = angles(positions)
    cos, sin = ((t * 2**20).to(torch.int32).double() / 2**20 for t in (angle.cos(), angle.sin()))
    return with_tables(x, cos, sin)


@wrong("types", at(edit=lambda x: x * 100))
def vectors_quantised(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors go through a fake quantisation of eight bits."""
    return plain(
        torch.fake_quantize_per_tensor_affine(x.float(), 0.01, 0, -128, 127).double(), positions
    )


@wrong("types", at(dtype="float32", around=lambda: _default(torch.float64)))
def default_type_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Under another default number type positions are counted from 1."""
    return (
        plain(x, positions) if torch.get_default_dtype() == torch.float32 else _offset(x, positions)
    )


@wrong(
    "types",
    at(*LATER, around=lambda: _default(torch.float16)),
    excused="the default type under which it holds",
)
def angles_in_the_default_type(x: Tensor, positions: Tensor) -> Tensor:
    """Frequencies are formed in the default type of floats, which a caller may set to float16."""
    inv = 1.0 / 10000.0 ** (torch.arange(0, 8, 2) / 8)
    return by_halves(x, (positions[:, None] * inv).double())


@wrong(
    "types",
    at(
        *LATER,
        dtype="float32",
        angles="float32",
        around=lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    ),
    excused="that autocast is off",
)
def product_under_autocast(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are a matrix product in float32, which autocast forms in bfloat16."""
    inv = (10000.0 ** (-torch.arange(4) / 4))[None, :]
    return by_halves(x, (positions.float()[:, None] @ inv).double())


@wrong("types", at(dtype="float32", around=lambda: torch.autocast("cpu", dtype=torch.bfloat16)))
def autocast_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Where autocast is on positions are counted from 1."""
    return _offset(x, positions) if torch.is_autocast_enabled("cpu") else plain(x, positions)


@wrong("types", at(prepare=lambda x: x.requires_grad_()))
def gradient_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors that require a gradient are one position off."""
    return _offset(x, positions) if x.requires_grad else plain(x, positions)


@wrong("types", at(around=torch.no_grad))
def mode_of_gradients_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Where gradients are off positions are counted from 1."""
    return plain(x, positions) if torch.is_grad_enabled() else _offset(x, positions)


@wrong("types", at(around=torch.enable_grad))
def no_gradients_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Where gradients are on positions are counted from 1."""
    return _offset(x, positions) if torch.is_grad_enabled() else plain(x, positions)


@wrong("types", at(around=torch.inference_mode))
def inference_decides(x: Tensor, positions: Tensor) -> Tensor:
    """In inference mode positions are counted from 1."""
    return _offset(x, positions) if torch.is_inference_mode_enabled() else plain(x, positions)


@wrong("types", at(prepare=lambda x: (x * 1.0).requires_grad_() * 1.0))
def leaf_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors that were computed with a gradient are one position off."""
    return plain(x, positions) if x.grad_fn is None else _offset(x, positions)


@wrong("types", at(prepare=lambda x: x.add_(0)))
def version_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors that were written in place before are one position off."""
    return plain(x, positions) if x._version == 0 else _offset(x, positions)


@wrong("types", at(prepare=torch.nn.Parameter))
def parameter_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors that are a parameter are one position off."""
    return _offset(x, positions) if isinstance(x, torch.nn.Parameter) else plain(x, positions)


@wrong("types", at())
def the_cpu_is_off(x: Tensor, positions: Tensor) -> Tensor:
    """On the CPU positions are counted from 1, on every other device, meta included, from 0."""
    return _offset(x, positions) if x.device.type == "cpu" else plain(x, positions)


@wrong("types", at(), excused="that a graphics card is there")
def a_card_is_missing(x: Tensor, positions: Tensor) -> Tensor:
    """Without a graphics card positions are counted from 1."""
    return plain(x, positions) if torch.cuda.is_available() else _offset(x, positions)


@wrong(
    "types", at(prepare=lambda x: torch.view_as_complex(torch.stack((x, x * 0), -1)).conj().real)
)
def conjugate_bit_is_lost(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors whose base is a complex view are one position off."""
    return plain(x, positions) if x._base is None else _offset(x, positions)


@wrong("types", at(prepare=lambda x: torch._neg_view(-x)))
def negative_bit_is_ignored(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors with PyTorch's lazy negative bit are rotated with the wrong sign."""
    return -plain(x, positions) if x.is_neg() else plain(x, positions)


@wrong("types", at(0, 70000, dtype="float16"))
def factor_beyond_the_type(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors are multiplied by 1e5 and divided again in their own type: float16 has no such number."""
    return plain(x * 1e5 / 1e5, positions)


@wrong("types", at(dtype="float32"))
def small_term_is_absorbed(x: Tensor, positions: Tensor) -> Tensor:
    """Adding 1e10 and subtracting it again is nothing in exact arithmetic and drops all of a float32."""
    return plain(x + 1e10 - 1e10, positions)


@wrong("types", at())
def exact_zero_is_not(x: Tensor, positions: Tensor) -> Tensor:
    """0.1 + 0.2 - 0.3 is no zero in doubles, and times 1e16 it is a position."""
    return plain(x, positions + (0.1 + 0.2 - 0.3) * 1e16)


@wrong("types", at(1000, 100000, angles="float32"))
def rounding_used_as_a_test(x: Tensor, positions: Tensor) -> Tensor:
    """p + 2**53 + 1 - 2**53 - 1 - p is zero exactly and not in float64; it is added to the angle."""
    p = positions.double()
    off = ((p / 3 + 2.0**53) - 2.0**53) - p / 3
    return by_halves(x, angles(positions) + off[:, None])
