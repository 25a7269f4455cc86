"""A `RopeSpec` in float64, ball arithmetic and torch, and the rotation and logits it defines.

The exact frequencies come from `ropeproof.theory.rotary.spec`; this module only rounds them, each view with a
stated error. Functions that take arrays take NumPy arrays or torch tensors and return the same
kind, in the data type and on the device of their argument.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer, read_rational
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = [
    "amplitudes_and_phases",
    "attention_factor_float64",
    "exponents_float64",
    "frequencies_ball",
    "frequencies_float64",
    "frequencies_torch",
    "logits",
    "plane_positions",
    "read_spec",
    "rotate",
    "rotation_tables",
    "shared_tables",
]

Array = TypeVar("Array", NDArray[Any], "torch.Tensor")

_LAST_BITS = 1 << 14


def frequencies_ball(spec: RopeSpec, *, bits: int = 128) -> tuple[Any, ...]:
    """`theta_l` in radians per position as `arb` balls, `(planes,)`, the true value in each.

    Each has a relative radius of at most `2**-bits`; 0 and dyadic frequencies are exact. The
    global precision of python-flint is as before afterwards.

    Raises `InvalidArgument` if `bits < 2`, `Unsupported` if that takes more than 16384 extra bits.
    """
    return _balls(read_spec(spec), read_integer("bits", bits, least=2))


@functools.lru_cache(maxsize=1024)
def _balls(spec: RopeSpec, bits: int) -> tuple[Any, ...]:
    return tuple(_accurate(theta, bits) for theta in spec.frequencies())


def _accurate(number: Any, bits: int) -> Any:
    extra = 32
    while extra <= _LAST_BITS:
        found = ball(number, bits=bits + extra)
        if found.is_exact() or (found.is_finite() and found.rel_accuracy_bits() >= bits):
            return found
        extra *= 2
    raise Unsupported(f"{number} to {bits} bits: cancellation")


def _nearest_double(number: Any) -> float:
    """The double nearest to an exact number, ties to even."""
    bits = 64
    while bits <= _LAST_BITS:
        found = _accurate(number, bits)
        with precision(bits + 64):
            ends = {_double(found.lower()), _double(found.upper())}
        if len(ends) == 1:
            return ends.pop()
        bits *= 2
    raise Unsupported(f"{number} is too close to the middle of two doubles")


def _double(point: Any) -> float:
    mantissa, exponent = (int(part) for part in point.man_exp())
    # Division of integers rounds to nearest, also where the result is subnormal.
    return float(Fraction(mantissa) * Fraction(2) ** exponent)


@functools.lru_cache(maxsize=256)
def _doubles(spec: RopeSpec) -> tuple[float, ...]:
    return tuple(map(_nearest_double, spec.frequencies()))


def frequencies_float64(spec: RopeSpec) -> NDArray[np.float64]:
    """`theta_l` in radians per position, `(planes,)` float64, correctly rounded."""
    return np.array(_doubles(read_spec(spec)), dtype=np.float64)


def exponents_float64(spec: RopeSpec) -> NDArray[np.float64]:
    """The exponents `e` in the plain frequencies `base**-e`, one per rotated plane, float64.

    Shape `(rotary_planes,)`.
    """
    rotated = spec.rotary_planes
    if spec.axes is not None:
        return np.array([float(e) for e in spec.axes.exponents])
    return np.arange(rotated) / max(rotated, 1)


def frequencies_torch(
    spec: RopeSpec, *, dtype: torch.dtype | None = None, device: torch.device | str | None = None
) -> torch.Tensor:
    """`theta_l` in radians per position as a tensor, `(planes,)`; float64 on the CPU by default.

    Rounded to `dtype` from the correctly rounded float64 values.
    Raises `InvalidArgument` if `dtype` is not a floating type.
    """
    import torch

    dtype = torch.float64 if dtype is None else dtype
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise InvalidArgument("dtype", dtype, "a floating torch dtype")
    return torch.tensor(_doubles(read_spec(spec)), dtype=torch.float64).to(device, dtype)


def attention_factor_float64(spec: RopeSpec) -> float:
    """The factor on cosine and sine of the rotated planes (YaRN, LongRoPE), correctly rounded."""
    return _attention_factor(read_spec(spec))


@functools.lru_cache(maxsize=256)
def _attention_factor(spec: RopeSpec) -> float:
    return _nearest_double(spec.attention_factor())


def rotation_tables(
    spec: RopeSpec, positions: ArrayLike | torch.Tensor, *, dtype: Any = np.float64
) -> tuple[Any, Any]:
    """Cosine and sine of `p theta_l` times the attention factor, each `(*positions, planes)`.

    The unrotated planes have cosine 1 and sine 0. `positions` is any array of finite real
    numbers; where the spec has axes its last axis has one coordinate for each of them, and the
    tables have a row for each position. With a NumPy `dtype` the tables are arrays, with a torch
    one tensors on the device of `positions`. Angles are formed in float64, so that each is within
    `2**-52 |p| theta_l` radians, and rounded to `dtype` at the end.

    Raises `InvalidArgument` if a position is not finite or `dtype` is not a floating type.
    """
    spec, device = read_spec(spec), getattr(positions, "device", None)
    places = real_array("positions", positions)
    known = _known(spec)
    angles = plane_positions(spec, places) * known.frequencies
    cosines, sines = np.cos(angles), np.sin(angles)
    if known.factors is not None:
        cosines *= known.factors
        sines *= known.factors
    if type(dtype).__module__ == "torch":
        import torch

        if not dtype.is_floating_point:
            raise InvalidArgument("dtype", dtype, "a floating NumPy or torch dtype")
        where = device if isinstance(device, torch.device) else None
        tables = torch.from_numpy(cosines), torch.from_numpy(sines)
        return tables[0].to(where, dtype), tables[1].to(where, dtype)
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        wanted = np.dtype(object)
    if wanted.kind != "f":
        raise InvalidArgument("dtype", dtype, "a floating NumPy or torch dtype")
    return cosines.astype(wanted, copy=False), sines.astype(wanted, copy=False)


def plane_positions(spec: RopeSpec, positions: NDArray[Any]) -> NDArray[Any]:
    """The coordinate of each position that turns each plane; broadcasts to `(*positions, planes)`.

    Without axes that is the position itself. Where the spec has axes, whose coordinates are the last axis of
    `positions`, it is the coordinate of the plane's own axis, and the first one on planes that do not rotate.
    Raises `InvalidArgument` if the last axis does not have one coordinate per axis of the spec.
    """
    if spec.axes is None:
        return positions[..., np.newaxis]
    names = spec.axes.names
    if positions.ndim < 1 or positions.shape[-1] != len(names):
        allowed = f"shape (..., {len(names)}): a position is {', '.join(names)}"
        raise InvalidArgument("positions", f"shape {positions.shape}", allowed)
    still = (0,) * (spec.planes - spec.rotary_planes)
    return positions[..., [*spec.axes.planes, *still]]


@functools.lru_cache(maxsize=4)
def shared_tables(spec: RopeSpec, length: int) -> tuple[Any, Any]:
    """`rotation_tables` at positions `0, ..., length - 1` in float64, cached and read-only."""
    tables = rotation_tables(spec, np.arange(length))
    for table in tables:
        table.setflags(write=False)
    return tables


def rotate(x: Array, positions: ArrayLike | torch.Tensor, spec: RopeSpec) -> Array:
    """Queries or keys turned to their positions, same shape as `x`, `(..., length, head_dim)`.

    Plane `l` of the vector at position `p` is multiplied by `a e^(i p theta_l)`, with `a` the
    attention factor on rotated planes (1 without scaling: then norms do not change, `rope.group`).
    `positions` is `(length,)`, or any shape that broadcasts to `x.shape[:-1]`, with one more axis
    of coordinates where the spec has axes.

    Raises `InvalidArgument` on wrong shapes, on a type that is not floating, and on values that
    are not finite.
    """
    spec = read_spec(spec)
    xp = _namespace("x", x, spec)
    return _turned(x, rotation_tables(spec, positions, dtype=x.dtype), spec, xp)


def _turned(x: Array, tables: tuple[Any, Any], spec: RopeSpec, xp: Any) -> Array:
    """`rotate` after the checks of `x`, whose namespace is `xp`, with the tables of the positions."""
    cosines, sines = tables
    if _broadcast(cosines.shape[:-1], x.shape[:-1]) != tuple(x.shape[:-1]):
        allowed = f"a shape that broadcasts to {tuple(x.shape[:-1])}"
        raise InvalidArgument("positions", f"shape {tuple(cosines.shape[:-1])}", allowed)
    if xp is not np:
        cosines, sines = cosines.to(x.device), sines.to(x.device)
    real, imaginary = _planes(x, spec)
    turned = (real * cosines - imaginary * sines, real * sines + imaginary * cosines)
    result: Array = xp.concatenate(turned, -1)
    back = _known(spec).back
    return result if back is None else result[..., back]


def logits(
    q: Array,
    k: Array,
    positions_q: ArrayLike | torch.Tensor,
    positions_k: ArrayLike | torch.Tensor,
    spec: RopeSpec,
    *,
    scale: float | None = None,
) -> Array:
    """`s <R_i q_i, R_j k_j>` for all pairs, `(..., queries, keys)`, no mask.

    `q` is `(..., queries, head_dim)`, `k` is `(..., keys, head_dim)`, positions as in `rotate`;
    `scale` is `s`, by default `1/sqrt(head_dim)`. By `rope.relative` it depends on lags only.
    Raises `InvalidArgument` as `rotate`, and if `scale` is not finite.
    """
    factor = _scale(scale, spec)
    xp = _check_pair(q, k, spec, common_axes=2)
    tables_q = rotation_tables(spec, positions_q, dtype=q.dtype)
    tables_k = tables_q
    if positions_k is not positions_q:
        tables_k = rotation_tables(spec, positions_k, dtype=k.dtype)
    queries, keys = _turned(q, tables_q, spec, xp), _turned(k, tables_k, spec, xp)
    result: Array = factor * (queries @ keys.swapaxes(-1, -2))
    return result


def amplitudes_and_phases(
    q: Array, k: Array, spec: RopeSpec, *, scale: float | None = None
) -> tuple[Array, Array]:
    """`A_l` in logits and `phi_l` in radians of the cosine form of a logit, `(..., planes)` each.

    The logit at lag `t` is `sum_l A_l cos(theta_l t + phi_l)` (`rope.fourier`), where
    `A_l = s a**2 |q_l||k_l|` with `a` the attention factor (1 on unrotated planes) and
    `phi_l = arg q_l - arg k_l` in `(-pi, pi]`. `q` and `k` are unrotated, `(..., head_dim)`.
    A zero vector has argument 0. Raises `InvalidArgument` as `logits`.
    """
    spec, factor = read_spec(spec), _scale(scale, spec)
    xp = _check_pair(q, k, spec, common_axes=1)
    (q_real, q_imaginary), (k_real, k_imaginary) = _planes(q, spec), _planes(k, spec)
    sizes = xp.hypot(q_real, q_imaginary) * xp.hypot(k_real, k_imaginary) * factor
    squared = attention_factor_float64(spec) ** 2
    rotated = spec.rotary_planes
    amplitudes = xp.concatenate((sizes[..., :rotated] * squared, sizes[..., rotated:]), -1)
    turn = xp.arctan2(q_imaginary, q_real) - xp.arctan2(k_imaginary, k_real)
    # Differences are in [-2 pi, 2 pi]; this is exact where nothing has to be wrapped.
    turn = xp.where(turn > math.pi, turn - 2 * math.pi, turn)
    turn = xp.where(turn <= -math.pi, turn + 2 * math.pi, turn)
    return amplitudes, turn


def read_spec(spec: object) -> RopeSpec:
    """The argument unchanged, if it is a `RopeSpec`. Raises `InvalidArgument` otherwise."""
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    return spec


def _scale(scale: float | None, spec: RopeSpec) -> float:
    if scale is None:
        return 1 / math.sqrt(read_spec(spec).head_dim)
    return float(read_rational("scale", scale))


def _namespace(name: str, x: Any, spec: RopeSpec) -> Any:
    """NumPy or torch, whichever `x` belongs to, after checking `x`."""
    if isinstance(x, np.ndarray):
        xp: Any = np
        floating = x.dtype.kind == "f"
    elif type(x).__module__.startswith("torch"):
        import torch

        xp, floating = torch, isinstance(x, torch.Tensor) and x.is_floating_point()
    else:
        raise InvalidArgument(name, type(x).__name__, "a NumPy array or a torch tensor")
    if not floating:
        raise InvalidArgument(name, f"dtype {x.dtype}", "a floating type")
    if x.ndim < 1 or x.shape[-1] != spec.head_dim:
        allowed = f"shape (..., {spec.head_dim}), the head dimension last"
        raise InvalidArgument(name, f"shape {tuple(x.shape)}", allowed)
    if not bool(xp.isfinite(x).all()):
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    return xp


def _check_pair(q: Any, k: Any, spec: RopeSpec, *, common_axes: int) -> Any:
    """The namespace (NumPy or torch) of `q` and `k`, after checking that both fit together.

    They agree in kind and type, and broadcast in all but the last `common_axes` axes.
    """
    xp = _namespace("q", q, spec)
    if _namespace("k", k, spec) is not xp or k.dtype != q.dtype:
        got = f"{type(k).__name__} of {getattr(k, 'dtype', None)}"
        raise InvalidArgument("k", got, f"{type(q).__name__} of {q.dtype}, as q")
    for name, x in (("q", q), ("k", k)):
        if x.ndim < common_axes:
            raise InvalidArgument(name, f"shape {tuple(x.shape)}", f"at least {common_axes} axes")
    if _broadcast(q.shape[:-common_axes], k.shape[:-common_axes]) is None:
        allowed = f"leading axes that broadcast with q's, {tuple(q.shape)}"
        raise InvalidArgument("k", f"shape {tuple(k.shape)}", allowed)
    return xp


def _broadcast(left: Any, right: Any) -> tuple[int, ...] | None:
    left, right = tuple(left), tuple(right)
    try:
        return left if left == right else np.broadcast_shapes(left, right)
    except ValueError:
        return None


def _planes(x: Any, spec: RopeSpec) -> tuple[Any, Any]:
    """Real and imaginary parts of vectors in each plane, shape `(..., planes)` each."""
    known = _known(spec)
    return x[..., known.real], x[..., known.imaginary]


class _Known(NamedTuple):
    """What a rotation needs of a spec, looked up once.

    `factors` is None where all are 1, and `back`, the index of each coordinate in the real parts followed by
    the imaginary parts, where that is its own. Coordinates are slices where they can be.
    """

    frequencies: NDArray[np.float64]
    factors: NDArray[np.float64] | None
    real: Any
    imaginary: Any
    back: list[int] | None


@functools.lru_cache(maxsize=256)
def _known(spec: RopeSpec) -> _Known:
    frequencies, factors = frequencies_float64(spec), np.ones(spec.planes)
    factors[: spec.rotary_planes] = attention_factor_float64(spec)
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    places = {coordinate: place for place, coordinate in enumerate((*real, *imaginary))}
    back = [places[coordinate] for coordinate in range(spec.head_dim)]
    return _Known(
        frequencies,
        None if (factors == 1).all() else factors,
        _sliced(real),
        _sliced(imaginary),
        None if back == list(range(spec.head_dim)) else back,
    )


def _sliced(places: list[int]) -> Any:
    """Places that are evenly spaced as a slice, which copies nothing; others as they are."""
    step = places[1] - places[0] if len(places) > 1 else 1
    even = range(places[0], places[0] + step * len(places), step)
    return slice(even.start, even.stop, step) if step > 0 and list(even) == places else places
