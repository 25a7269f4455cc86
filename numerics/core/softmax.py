r"""From logits to attention weights: values in float64, guarantees in ball arithmetic.

Functions of arrays work on the last axis, in float64, with a stated error; functions of scalars
that a guarantee rests on return an `Enclosure` of the exact real value, from ball arithmetic.
Scalars count as the exact values they denote (a float is its binary value). Claims `softmax.*`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import ball, read_integer, read_rational
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "WeightBounds",
    "distance_bound",
    "distance_bound_partial",
    "entropy",
    "entropy_bound",
    "inverse_temperature_needed",
    "log_odds",
    "margin",
    "margin_needed",
    "odds_factor",
    "top_weight_bounds",
    "total_variation",
    "weight_bound",
    "weights",
    "weights_enclosed",
]

Floats = NDArray[np.float64]
_BITS = 192
_MARGIN = Stated("softmax.margin", "1.below", {"margin": "gamma", "keys": "n"})
_NEEDED = Stated("softmax.margin-needed", "1.if.2.below", {"weight": "kappa", "keys": "n"})
_ODDS = Stated("softmax.perturb", "2.above.own", {"shift": "eta"})
_DISTANCE = Stated("softmax.tv", "1.above", {"tilt": "epsilon"})
_PARTIAL = Stated("softmax.tv", "3.then.above.own", {"tilt": "epsilon"})
_ENTROPY = Stated("softmax.entropy", "below", {"bound": "B", "keys": "n"})
_TOP = Stated(
    "softmax.hard-to-soft",
    "1.body.then.1.below",
    {"inverse_temperature": "beta", "margin": "lambda_", "keys": "n", "ties": "k"},
)
_MOST = Stated("softmax.hard-to-soft", "1.body.then.2.above", {"ties": "k"})
_RATE = Stated(
    "softmax.hard-to-soft",
    "below",
    {
        **{"margin": "lambda_", "keys": "n", "ties": "k", "gap": "delta"},
        **{"lipschitz": "Lambda", "diameter": "diam"},
    },
    hypothesis="beta reaches the rate",
)


class WeightBounds(NamedTuple):
    """Certified lower and upper bounds of attention weights, shape `(keys,)` each."""

    lower: Floats
    upper: Floats


def weights(logits: ArrayLike) -> Floats:
    """Attention weights `e^{w_j} / sum e^{w_j'}` along the last axis, same shape.

    Stable for all finite logits. A masked key has the logit `-inf` and weight 0; a row needs one
    finite logit. A weight is off by a relative error of at most `2^-52 (keys + D + 4)` with `D` the
    distance of its logit to the largest, until it underflows.

    >>> weights([0.0, 0.0]).tolist()
    [0.5, 0.5]

    Raises `InvalidArgument` on an empty row, NaN, `+inf`, or a row that is masked altogether.
    """
    array = _logits(logits)
    sizes = np.exp(array - array.max(-1, keepdims=True))
    result: Floats = sizes / sizes.sum(-1, keepdims=True)
    return result


def weights_enclosed(logits: ArrayLike) -> WeightBounds:
    """Certified attention weights of one row of finite logits, `(keys,)`; doubles count as exact.

    Cost: one ball-arithmetic exponential per key. Raises `InvalidArgument`.
    """
    array = _logits(logits)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InvalidArgument("logits", f"shape {array.shape}", "one row of finite logits")
    largest = float(array.max())
    with precision(_BITS):
        sizes = [(arb(w) - arb(largest)).exp() for w in array.tolist()]
        total = sum(sizes, arb(0))
        found = [Enclosure.of(x / total, x / total) for x in sizes]
    lower, upper = [e.lower for e in found], [e.upper for e in found]
    return WeightBounds(np.array(lower), np.array(upper))


def log_odds(logits: ArrayLike) -> Floats:
    """`ln(S_j / (1 - S_j))` of every weight `S_j`, same shape as `logits`; `inf` for a lone key.

    Computed from the other logits, so that a weight near 1 keeps its digits: off by about
    `2^-52 (keys + |w| + |result|)`. Claim `softmax.perturb` bounds its change.
    Raises `InvalidArgument` as `weights`.
    """
    array = _logits(logits)
    keys = array.shape[-1]
    result = np.full(array.shape, np.inf)
    if keys > 1:
        # One copy of the row per key, without that key.
        others = np.broadcast_to(array[..., np.newaxis, :], (*array.shape, keys))
        rest = np.where(np.eye(keys, dtype=bool), -np.inf, others)
        largest = rest.max(-1, keepdims=True)
        shift = np.where(np.isfinite(largest), largest, 0.0)
        with np.errstate(divide="ignore"):
            total = np.log(np.exp(rest - shift).sum(-1)) + shift[..., 0]
        result = np.where(np.isneginf(array), -np.inf, array - total)
    return result


def margin(logits: ArrayLike, target: int) -> Floats:
    """The target's logit minus the best other one along the last axis, `(...)`; exact to an ulp.

    Raises `InvalidArgument` unless there are two keys or more and `0 <= target < keys`.
    """
    array = _logits(logits)
    keys = array.shape[-1]
    if keys < 2:
        raise InvalidArgument("logits", f"{keys} keys", "at least 2 keys")
    target = read_integer("target", target, least=0)
    if target >= keys:
        raise InvalidArgument("target", target, f"an index below {keys}")
    others = np.delete(array, target, axis=-1)
    result: Floats = array[..., target] - others.max(-1)
    return result


def total_variation(p: ArrayLike, r: ArrayLike) -> Floats:
    """`1/2 sum_j |p_j - r_j|` along the last axis, for probability vectors of the same shape.

    Off by at most `2^-53 (keys + 2)`. Raises `InvalidArgument` if a vector has a negative entry
    or does not sum to 1 within `1e-9`, or the shapes differ.
    """
    left, right = _rows("p", p), _rows("r", r)
    if left.shape != right.shape:
        raise InvalidArgument("r", f"shape {right.shape}", f"shape {left.shape}, as p")
    result: Floats = np.abs(left - right).sum(-1) / 2
    return result


def entropy(logits: ArrayLike) -> Floats:
    """Entropy in nats of the attention rows, `(...)`: `ln sum e^{w_j} - sum S_j w_j`, stably.

    Off by about `2^-52 (keys + 4) (1 + D)` with `D` the spread of the logits. At most `ln keys`.
    Raises `InvalidArgument` as `weights`.
    """
    array = _logits(logits)
    shifted = array - array.max(-1, keepdims=True)
    sizes = np.exp(shifted)
    total = sizes.sum(-1)
    expected = np.where(sizes > 0, sizes * np.where(sizes > 0, shifted, 0.0), 0.0).sum(-1) / total
    result: Floats = np.log(total) - expected
    return result


def weight_bound(margin: object, keys: int) -> Enclosure:
    """`1/(1 + (n - 1) e^-gamma)`, the weight that a margin `gamma` over `n - 1` keys guarantees.

    The target's weight is at least this, and equals it if every gap is `gamma`. Claim
    `softmax.margin`.

    >>> bound = weight_bound(0, 4)
    >>> bound.lower, bound.upper
    (0.25, 0.25)

    Raises `InvalidArgument` unless `margin` is a finite number and `keys >= 1`.
    """
    gap, count = read_rational("margin", margin), read_integer("keys", keys, least=1)
    return _MARGIN.enclose(margin=gap, keys=count)


def margin_needed(weight: object, keys: int) -> Enclosure:
    """`ln((n - 1) kappa / (1 - kappa))`, the margin over `n - 1` keys that guarantees `kappa`.

    In logits. Enough for any competitors, and necessary if no gap exceeds it. Claim
    `softmax.margin-needed`. Raises `InvalidArgument` unless `0 < weight < 1` and `keys >= 2`.
    """
    kappa, count = _between("weight", weight, 0, 1), read_integer("keys", keys, least=2)
    return _NEEDED.enclose(weight=kappa, keys=count)


def odds_factor(shift: object) -> Enclosure:
    """`e^{2 eta}`, the largest factor on a weight's odds if logits move by at most `eta`.

    The odds change by no factor below its inverse either. Claim `softmax.perturb`. Raises `InvalidArgument`
    unless `shift >= 0`.
    """
    return _ODDS.enclose(shift=_at_least("shift", shift, 0))


def distance_bound(tilt: object) -> Enclosure:
    """`tanh(eps/2)`, the largest total variation that tilts in `[-eps, eps]` can cause.

    Claim `softmax.tv`. Raises `InvalidArgument` unless `tilt >= 0`.
    """
    return _DISTANCE.enclose(tilt=_at_least("tilt", tilt, 0))


def distance_bound_partial(mass: object, tilt: object) -> Enclosure:
    """`mu (e^eps - 1)`, the bound of `distance_bound` if keys of attention mass `mu` are tilted.

    Claim `softmax.tv`. Raises `InvalidArgument` unless `0 <= mass <= 1` and `tilt >= 0`.
    """
    share, epsilon = _between("mass", mass, 0, 1, open_ends=False), _at_least("tilt", tilt, 0)
    return sharp(lambda: _PARTIAL.ball(tilt=epsilon) * ball(share, bits=ctx.prec))


def entropy_bound(bound: object, keys: int) -> Enclosure:
    """`ln n - 2B` nats, a lower bound of the entropy of `n` logits in `[-B, B]`.

    Claim `softmax.entropy`. Raises `InvalidArgument` unless `bound >= 0` and `keys >= 1`.
    """
    size, count = _at_least("bound", bound, 0), read_integer("keys", keys, least=1)
    return _ENTROPY.enclose(bound=size, keys=count)


def top_weight_bounds(
    inverse_temperature: object, margin: object, keys: int, *, ties: int = 1
) -> tuple[Enclosure, Enclosure]:
    """The bounds `1/(k + (n - k) e^{-beta lambda})` and `1/k` of the weight of each top key.

    `k = ties` keys share the largest score, all others are at least `margin` (`lambda`) below, and
    the logits are `beta` times the scores. Claim `softmax.hard-to-soft`.
    Raises `InvalidArgument` unless `beta >= 0`, `margin >= 0` and `1 <= ties <= keys`.
    """
    beta, gap = _at_least("inverse_temperature", inverse_temperature, 0), _gap(margin)
    count, top = _keys_and_ties(keys, ties)
    lower = _TOP.enclose(inverse_temperature=beta, margin=gap, keys=count, ties=top)
    return lower, _MOST.enclose(ties=top)


def inverse_temperature_needed(
    margin: object,
    keys: int,
    *,
    ties: int = 1,
    gap: object,
    lipschitz: object = 1,
    diameter: object,
) -> Enclosure:
    r"""The inverse temperature from which on soft attention decodes whatever hard attention does.

    `max(0, 1/lambda ln(2 (n - k) Lambda diam(V) / (k delta)))`, with margin `lambda` below `k =
    ties` top keys, decoding gap `delta`, a decoder that is `Lambda`-Lipschitz in the attention
    output, and values of diameter `diam(V)`. Claim `softmax.hard-to-soft`.

    Raises `InvalidArgument` unless `margin`, `gap` and `lipschitz` are positive,
    `diameter >= 0` and `1 <= ties <= keys`.
    """
    below, delta = _positive("margin", margin), _positive("gap", gap)
    slope, width = _positive("lipschitz", lipschitz), _at_least("diameter", diameter, 0)
    count, top = _keys_and_ties(keys, ties)
    if top == count or width == 0:
        return Enclosure(lower=0.0, upper=0.0)
    numbers = {"margin": below, "keys": count, "ties": top, "gap": delta}
    return sharp(lambda: _RATE.ball(**numbers, lipschitz=slope, diameter=width).max(arb(0)))


def _logits(logits: ArrayLike) -> Floats:
    try:
        array = np.asarray(logits)
    except ValueError:
        raise InvalidArgument("logits", logits, "an array of real numbers") from None
    if array.dtype.kind not in "fiu" or array.ndim < 1 or array.size == 0:
        got = f"shape {array.shape}, dtype {array.dtype}"
        raise InvalidArgument("logits", got, "real numbers of shape (..., keys), keys >= 1")
    array = array.astype(np.float64)
    if np.isnan(array).any() or np.isposinf(array).any():
        raise InvalidArgument("logits", "NaN or +inf", "finite logits, or -inf for a masked key")
    if np.isneginf(array).all(-1).any():
        raise InvalidArgument("logits", "a row of -inf", "one finite logit in every row")
    return array


def _rows(name: str, values: ArrayLike) -> Floats:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidArgument(name, values, "an array of real numbers") from None
    allowed = "probability vectors along the last axis"
    if array.dtype.kind not in "fiu" or array.ndim < 1 or array.size == 0:
        raise InvalidArgument(name, f"shape {array.shape}, dtype {array.dtype}", allowed)
    array = array.astype(np.float64)
    if not (array >= 0).all() or not (abs(array.sum(-1) - 1) <= 1e-9).all():
        raise InvalidArgument(name, values, allowed)
    return array


def _at_least(name: str, value: object, least: int) -> Any:
    exact = read_rational(name, value)
    if exact < least:
        raise InvalidArgument(name, value, f"a number >= {least}")
    return exact


def _positive(name: str, value: object) -> Any:
    exact = read_rational(name, value)
    if exact <= 0:
        raise InvalidArgument(name, value, "a number > 0")
    return exact


def _between(name: str, value: object, low: int, high: int, *, open_ends: bool = True) -> Any:
    exact = read_rational(name, value)
    if not (low < exact < high or (not open_ends and exact in (low, high))):
        ends = f"{low} < number < {high}" if open_ends else f"{low} <= number <= {high}"
        raise InvalidArgument(name, value, ends)
    return exact


def _gap(value: object) -> Any:
    return _at_least("margin", value, 0)


def _keys_and_ties(keys: int, ties: int) -> tuple[int, int]:
    count, top = read_integer("keys", keys, least=1), read_integer("ties", ties, least=1)
    if top > count:
        raise InvalidArgument("ties", ties, f"an integer from 1 to keys, {count}")
    return count, top
