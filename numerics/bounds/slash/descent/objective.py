r"""The loss of the copying task at offset `Delta`, in closed form, with its slope.

A positional head with plane products `w_l = q_l conj(k_l)` has logit
`g(t) = s Re sum_l w_l e^{i theta_l t}` at lag `t`, and on prompts of distinct tokens the population
cross-entropy of "output the token `Delta` back" is

    L = -(1/(N - Delta)) sum_{i > Delta} ln S_{i, i-Delta} = mean_i ln(1 + sum_t e^{x_t}),

`x_t = g(t) - g(Delta)`, `t < i`, `t != Delta` (theory, `slash.gd.*`). All rows together cost one
pass over the lags, by prefix sums. The logarithm of the loss is computed, so that a loss of `e^-500`
keeps its digits.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Evaluation", "SlashObjective", "planes_of", "vector_of"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_NEGLIGIBLE = -30.0
"""Below this logarithm, `ln(1 + C)` and `C` agree to float64."""
_LARGE = 600.0
"""Up to this logarithm, `C` and its sums over lags and rows are doubles."""


class Evaluation(NamedTuple):
    """The value of the objective at one point, with its slope.

    - `log_loss`: `ln L`, minus infinity if there is no competitor at all.
    - `score`: the slash score at the offset, `mean_i S_{i, i-Delta}`.
    - `slope`: `H_l / L`, `(planes,)` complex, with `dL = Re sum_l H_l dw_l`.
    """

    log_loss: float
    score: float
    slope: Complexes


class SlashObjective:
    """The loss of copying at an offset, as a function of the plane products `w`, `(planes,)`.

    `scale` is `s`, by default `1/sqrt(head_dim)`; rotated planes carry the square of the spec's
    attention factor besides. Float64; memory `(length, planes)`.
    Raises `InvalidArgument` unless `0 <= offset < length` and `length >= 2`.
    """

    def __init__(
        self, spec: RopeSpec, offset: int, length: int, *, scale: float | None = None
    ) -> None:
        if not isinstance(spec, RopeSpec):
            raise InvalidArgument("spec", spec, "a RopeSpec")
        self.spec = spec
        self.length = read_integer("length", length, least=2)
        self.offset = read_integer("offset", offset, least=0)
        if self.offset >= self.length:
            raise InvalidArgument("offset", offset, f"a lag below the length, {length}")
        factor = 1 / math.sqrt(spec.head_dim)
        if scale is not None:
            factor = float(read_rational("scale", scale))
            if not factor > 0:
                raise InvalidArgument("scale", scale, "a number > 0")
        self.units = np.full(spec.planes, factor)
        """Logits per unit of `|w_l|`, `(planes,)`."""
        self.units[: spec.rotary_planes] *= attention_factor_float64(spec) ** 2
        self.rows = self.length - self.offset
        """The number of rows that have a key at the offset, `N - Delta`."""
        lags = np.arange(self.length)[:, np.newaxis]
        halves = frequencies_float64(spec) / 2
        # e^{i theta t} - e^{i theta Delta} as a product, which keeps the digits of slow planes.
        turns = 2j * np.sin(halves * (lags - self.offset)) * np.exp(1j * halves * (lags + offset))
        self.differences: Complexes = turns * self.units
        """`s (e^{i theta_l t} - e^{i theta_l Delta})`, `(length, planes)`."""
        # As real numbers, so that a pass is a product of real matrices: Re(d w) = flat @ (Re w, Im w).
        self._flat: Floats = self.differences.conj().view(np.float64)
        # Rows are summed from the last one: where the sum of the rows that see a lag stands.
        first_row = np.maximum(np.arange(self.length) - self.offset, 0)
        self._seen_by = self.rows - 1 - first_row

    def gaps(self, products: Complexes) -> Floats:
        """The logits relative to the target's, `g(t) - g(Delta)`, `(length,)`; 0 at the offset."""
        result: Floats = self._flat @ np.ascontiguousarray(products, np.complex128).view(np.float64)
        return result

    def margin(self, products: Complexes) -> float:
        """The margin `g(Delta) - max_{t != Delta} g(t)` over the whole prompt, in logits."""
        return -float(np.delete(self.gaps(products), self.offset).max())

    def amplitude(self, products: Complexes) -> float:
        """The amplitude `sum_l A_l` in logits over the rotating planes; the rest move no margin."""
        return float((self.units * np.abs(products))[self.moving].sum())

    @property
    def moving(self) -> NDArray[np.bool_]:
        """The planes with a frequency that is not 0, `(planes,)`."""
        result: NDArray[np.bool_] = frequencies_float64(self.spec) != 0
        return result

    def evaluate(self, products: Complexes) -> Evaluation:
        """The loss, score and slope at `products`.

        Cost: two products with a `(length, 2 planes)` matrix.
        """
        log_loss, slope, own = self._passed(products)
        return Evaluation(log_loss=log_loss, score=float(own.sum()) / self.rows, slope=slope)

    def slope(self, products: Complexes) -> Complexes:
        """The slope of `evaluate` alone, `H_l / L`, `(planes,)`."""
        return self._passed(products)[1]

    def _passed(self, products: Complexes) -> tuple[float, Complexes, Floats]:
        """`ln L`, the slope `H / L`, and the target's attention in each row, `(rows,)`."""
        gaps = self.gaps(products)
        gaps[self.offset] = -np.inf
        top = float(gaps.max())
        if top > _LARGE:
            shift, scaled = 0.0, np.logaddexp(0.0, np.logaddexp.accumulate(gaps)[self.offset :])
            own = np.exp(-scaled)
            tails = np.logaddexp.accumulate(-scaled[::-1])
            weights = np.exp(gaps + tails[self._seen_by])
        else:
            sizes = np.exp(gaps - top)
            sums = sizes.cumsum()[self.offset :]
            # `parts` is e^top S_i, the part of row i in the slope, in the unit of `scaled`.
            if top <= _NEGLIGIBLE:
                # In units of e^top, which may be far below the smallest double.
                shift, scaled = top, sums
                own = parts = np.exp(-math.exp(top) * sums)
            else:
                grown = math.exp(top)
                odds = grown * sums
                shift, scaled = 0.0, np.log1p(odds)
                own = 1 / (1 + odds)
                parts = grown * own
            weights = sizes * parts[::-1].cumsum()[self._seen_by]
        total = float(scaled.sum())
        slope: Complexes = (weights / total @ self._flat).view(np.complex128).conj()
        return shift + math.log(total / self.rows), slope, own


def planes_of(name: str, vector: Any, spec: RopeSpec) -> Complexes:
    """A query or key, `(head_dim,)`, as one complex number per plane, `(planes,)`.

    Raises `InvalidArgument` about `name` unless it has that shape and is finite.
    """
    array = np.asarray(vector)
    if array.shape != (spec.head_dim,) or array.dtype.kind not in "fiu":
        raise InvalidArgument(name, f"shape {array.shape}", f"real numbers, ({spec.head_dim},)")
    if not np.isfinite(array).all():
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    result: Complexes = array[list(real)] + 1j * array[list(imaginary)]
    return result


def vector_of(planes: Complexes, spec: RopeSpec) -> Floats:
    """The queries or keys with these plane coordinates, `(..., head_dim)`; inverse of `planes_of`."""
    result = np.empty((*planes.shape[:-1], spec.head_dim))
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    result[..., list(real)], result[..., list(imaginary)] = planes.real, planes.imag
    return result
