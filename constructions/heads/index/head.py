r"""Index heads: `Index(sigma)_n = sigma_{n-i}` for the query integer `i`, in one plane or in many.

Every key is one vector; integer `i`'s query is turned back by `i` positions, so that the logit at
lag `t` is `sum_l A_l cos(theta_l (t - i))`, the same on every input: the head is positional
(`head.constant-key-positional`). Claims `index.feasible`, `index.margin`, `index.temperature`.

The paper's one plane of angle `2 pi/n` has the margin `1 - cos(2 pi/n)` per unit amplitude, so its
inverse temperature grows with the square of the length. With the optimal spectrum over all planes
of a spec (`slash.game`) the margin hardly falls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.index import decoding
from ropeproof.constructions.heads.index.planes import (
    angles_spec,
    exact_angle,
    plane_vectors,
    read_names,
    read_temperature,
)
from ropeproof.constructions.heads.index.table import LogitTable
from ropeproof.numerics.core.lag_scan import logit_enclosure, margin
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["CONSTANT", "IndexHead", "Planes", "absolute_index_head", "index_head"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Planes: TypeAlias = Literal["one", "optimal"] | Sequence[int] | ArrayLike
CONSTANT = "one"
"""The direction that every token has with coefficient 1."""
_SUM = 1 + 2.0**-36
"""Makes a float64 sum of at most 2^15 exponentials in float64 an upper bound."""
_ROWS = 256


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class IndexHead(decoding.DecodingHead):
    """A head that computes Index, and what it guarantees; see `DecodingHead`.

    - `letters`: the tokens that are copied; `lags`: how far back each other token points.

    `fixed` says that it is for inputs of exactly `length` tokens (absolute indices).
    """

    letters: tuple[str, ...]
    lags: Mapping[str, int] = field(default_factory=dict)
    fixed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "lags", MappingProxyType(dict(self.lags)))

    def claims(self) -> str:
        """The id of the claim: `index.temperature`, or for absolute indices `task.absolute-index`."""
        return "task.absolute-index" if self.fixed else "index.temperature"

    def bound(
        self, arithmetic: object = None, *, length: int | None = None
    ) -> decoding.DecodingBound:
        """What is guaranteed of every input of at most `length` tokens, as in `DecodingHead.bound`.

        A head for absolute indices has one length only, and raises `InvalidArgument` for any other.
        """
        if self.fixed and length not in (None, self.length):
            raise InvalidArgument("length", length, f"{self.length}, as absolute indices need")
        return super().bound(arithmetic, length=length)

    def _longest(self, arithmetic: object, most: int) -> decoding.DecodingBound | None:
        """As in `DecodingHead`; a head for absolute indices has a guarantee at its own length alone."""
        if not self.fixed:
            return super()._longest(arithmetic, most)
        found = self.bound(arithmetic) if most >= self.length else None
        return found if found is not None and found.decodes else None

    def malformed(self, prompts: Integers) -> tuple[NDArray[np.bool_], str]:
        """Mark inputs whose query points before the first token, and inputs of another form.

        Only a head for absolute indices asks for a form: exactly `length - 1` symbols and an index. Returns
        what `DecodingHead.malformed` returns.
        """
        lags, size = np.array([self.lags.get(token, 0) for token in self.tokens]), prompts.shape[1]
        back = lags[prompts]
        if not self.fixed:
            return back[:, -1] >= size, f"a letter or an integer up to {size - 1} at the end"
        wrong = (back[:, :-1] > 0).any(1) | (back[:, -1] == 0) | (size != self.length)
        return wrong, f"{self.length - 1} symbols and an index"

    def rivals(self, table: LogitTable) -> decoding.Rivals:
        """The competition when all other positions, the query's too, hold one other letter."""
        gap, ratios = self._gaps(table)
        # Row 0 is the letters': their answer is their own token.
        moved = float(ratios[1:].max(initial=0.0))
        kept = 0.0 if self.fixed else float(ratios[0])
        return decoding.Rivals(gap, moved, kept, max(moved, kept))

    def worst_input(self, length: int | None = None) -> tuple[tuple[str, ...], str]:
        """The input of `length` tokens on which the head is closest to an error, and its answer.

        The target holds one letter and every other position but the query's another. By
        `index.temperature` the head, run exactly, decodes all inputs of that length if and only
        if it decodes this one. Raises `InvalidArgument` with fewer than two letters.
        """
        if len(self.letters) < 2:
            raise InvalidArgument("letters", self.letters, "at least two letters")
        size = read_integer("length", self.length if length is None else length, least=2)
        if self.fixed and size != self.length:
            raise InvalidArgument("length", size, f"{self.length}, as absolute indices need")
        _, ratios = self._gaps(self.table(length=size))
        names = [name for name, lag in self.lags.items() if lag < size]
        # A letter query errs when the others have three times its weight.
        order = np.concatenate(([0.0 if self.fixed else ratios[0] / 3], ratios[1:]))
        first, other = self.letters[:2]
        worst = int(order.argmax())
        prompt = [other] * size
        if worst == 0:
            prompt[-1] = first
        else:
            prompt[-1] = names[worst - 1]
            prompt[size - 1 - self.lags[prompt[-1]]] = first
        return tuple(prompt), first

    def _gaps(self, table: LogitTable) -> tuple[float, Floats]:
        """The smallest gap, and a bound of each query's ratio of off-target to target weight."""
        if len(table.keys) > 1:
            raise InvalidArgument("w_k", f"{len(table.keys)} keys", "the same key for all tokens")
        names = [self.letters[0], *(n for n, lag in self.lags.items() if lag < table.lags)]
        targets = np.array([0, *(self.lags[name] for name in names[1:])])
        rows = table.query_of[[self.number(name) for name in names]]
        smallest, ratios = math.inf, []
        for start in range(0, len(rows), _ROWS):
            part = slice(start, start + _ROWS)
            scores = np.concatenate([table.scores(int(row)) for row in rows[part]])
            places = np.arange(len(scores)), targets[part]
            gaps = scores[places][:, np.newaxis] - scores
            gaps[places] = math.inf
            if start or not self.fixed:
                smallest = min(smallest, float(gaps.min()))
            else:
                smallest = min(smallest, float(gaps[1:].min(initial=math.inf)))
            ratios.append(np.exp(np.minimum(-gaps, 700.0)).sum(1) * _SUM)
        return smallest, np.concatenate(ratios)


def index_head(
    letters: int | Sequence[str],
    integers: int,
    length: int,
    *,
    spec: RopeSpec | None = None,
    planes: Planes = "one",
    angle: object = None,
    inverse_temperature: float | None = None,
) -> IndexHead:
    """A head that computes Index on all inputs of at most `length` tokens, in exact arithmetic.

    `letters` are names or their number, `integers` is the largest one, `1 <= integers < length`.
    The residual stream has a direction per token and one that is constant; values are 2 on
    letters, and the arg max over all tokens of embedding plus output is the answer: the letter
    `i` positions back for a query integer `i`, the query itself if it is a letter or if an integer
    stands there. The answer is read at any row, for integers that point into the sequence.

    - `spec`: by default one plane of angle `2 pi/length`, or of `angle` radians per position;
    - `planes` of a spec: `"one"`, the single plane of the largest margin; `"optimal"`, amplitudes
      of the slash game over all planes; a list of plane numbers, the game's on those; or an
      array of floats `(planes,)`, amplitudes up to a factor;
    - `inverse_temperature`: the sum of the amplitudes, in logits, by default twice the least with
      which it decodes exactly (`index.temperature`), which leaves room for narrow types, and at
      least 1.

    >>> head = index_head(["A", "B", "C"], 3, 8)
    >>> head.decode(["A", "B", "C", "2", "3"]), head.decode(["A", "B", "C", "2", "1"])
    ('B', '1')
    >>> f"{head.certificate.quantities['margin'] / head.inverse_temperature:.6f}"
    '0.292893'

    Cost: certified scans of `length` lags per integer. Raises `InvalidArgument`, also if no
    inverse temperature decodes, because another lag ties with a target.
    """
    names = read_names("letters", letters)
    size = read_integer("length", length, least=2)
    most = read_integer("integers", integers, least=1)
    if most >= size:
        raise InvalidArgument("integers", integers, f"an integer from 1 to {size - 1}")
    lags = {str(i): i for i in range(1, most + 1)}
    if spec is None:
        spec = _one_plane(size, planes, angle)
        shares = np.ones(1)
    else:
        if angle is not None:
            raise InvalidArgument("angle", angle, "None, as the spec has the angles")
        shares = _shares(spec, planes, size)
    return _build(names, lags, size, spec, shares, inverse_temperature, fixed=False)


def absolute_index_head(
    symbols: int | Sequence[str], length: int, *, inverse_temperature: float | None = None
) -> IndexHead:
    """A head that answers with the symbol at an absolute index, claim `task.absolute-index`.

    Inputs are exactly `length` symbols and an index token `"0"` to `"length - 1"`. One plane of
    angle `pi/length`: index `j` is `length - j` positions back, every lag is within half a turn of
    it, and the margin is `1 - cos(pi/length)` per unit amplitude.

    >>> absolute_index_head(["a", "b"], 4).decode(["a", "b", "b", "b", "0"])
    'a'

    Arguments and errors as in `index_head`; the inverse temperature is necessary when symbols
    repeat (`task.printed-scale`).
    """
    names = read_names("symbols", symbols)
    count = read_integer("length", length, least=1)
    lags = {str(j): count - j for j in range(count)}
    spec = angles_spec([math.pi / count])
    return _build(names, lags, count + 1, spec, np.ones(1), inverse_temperature, fixed=True)


def _build(
    names: tuple[str, ...],
    lags: Mapping[str, int],
    length: int,
    spec: RopeSpec,
    shares: Floats,
    inverse_temperature: float | None,
    *,
    fixed: bool,
) -> IndexHead:
    least = _least(spec, shares, length, sorted(lags.values()), fixed=fixed)
    beta = max(2 * least, 1.0)
    if inverse_temperature is not None:
        beta = read_temperature(inverse_temperature)
    tokens = read_names("letters", (*names, *lags))
    space, rows = Directions([CONSTANT, *tokens]), spec.head_dim
    amplitudes, angles = beta * shares, frequencies_float64(spec)
    turned = {n: plane_vectors(spec, amplitudes, -angles * lag) for n, lag in lags.items()}
    aligned = plane_vectors(spec, amplitudes, np.zeros(spec.planes))
    values = np.zeros((len(space), len(space)))
    for name in names:
        values[space.place(name), space.place(name)] = 2.0
    head = IndexHead(
        space.matrix(dict.fromkeys(names, aligned) | turned, rows),
        space.matrix({CONSTANT: aligned}, rows),
        values,
        np.eye(len(space)),
        spec,
        Certificate("index.feasible"),
        space,
        tokens=tokens,
        embeddings=np.stack([space.vector({CONSTANT: 1, token: 1}) for token in tokens]),
        answers=tokens,
        residual=True,
        length=length,
        inverse_temperature=beta,
        least_inverse_temperature=least,
        letters=names,
        lags=lags,
        fixed=fixed,
    )
    return head.certified()


def _one_plane(length: int, planes: object, angle: object) -> RopeSpec:
    if not isinstance(planes, str) or planes != "one":
        raise InvalidArgument("planes", planes, "'one', unless there is a spec")
    # The angle of the paper; two tokens have no lag but 1, which half a turn serves best.
    exact = exact_angle("angle", 2 * math.pi / max(length, 2) if angle is None else angle)
    if exact == 0:
        raise InvalidArgument("angle", angle, "a number > 0")
    return angles_spec([exact])


def _shares(spec: RopeSpec, planes: Planes, length: int) -> Floats:
    """Amplitudes of sum 1, `(planes,)`, that the argument `planes` asks for; phases are aligned."""
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec or None")
    from ropeproof.numerics.bounds.slash.game import optimal_slash

    allowed = "'one', 'optimal', plane numbers, or amplitudes >= 0 of all planes"
    reach = length - 1
    if isinstance(planes, str):
        if planes not in ("one", "optimal"):
            raise InvalidArgument("planes", planes, allowed)
        if planes == "optimal":
            return np.asarray(optimal_slash(spec, reach).amplitudes, np.float64)
        units = np.eye(spec.planes)[: spec.rotary_planes]
        margins = [margin(unit, spec, reach=reach).lower for unit in units]
        return np.asarray(units[int(np.argmax(margins))], np.float64)
    given = np.asarray(planes)
    if given.ndim == 1 and given.size and given.dtype.kind in "iu":
        game = optimal_slash(spec, reach, planes=given.tolist())
        return np.asarray(game.amplitudes, np.float64)
    sizes = given.astype(np.float64) if given.dtype.kind == "f" else np.zeros(0)
    if sizes.shape != (spec.planes,) or not np.isfinite(sizes).all() or (sizes < 0).any():
        raise InvalidArgument("planes", planes, allowed)
    if not sizes.any():
        raise InvalidArgument("planes", planes, allowed)
    return np.asarray(sizes / sizes.sum(), np.float64)


def _least(
    spec: RopeSpec, shares: Floats, length: int, lags: Sequence[int], *, fixed: bool
) -> float:
    """The least inverse temperature that decodes, rounded up.

    It is the least `beta` with `sum e^{-beta E_t} < 1`, and `< 3` for letters.
    """
    logits = logit_enclosure(shares, np.zeros_like(shares), spec, lags=length)
    # E_t from below, so that the sums are bounds from above.
    falls = float(shares.sum()) * (1 - 2.0**-50) - logits.mid[1:] - 2 * logits.radius
    if not falls.min() > 0:
        lag = int(falls.argmin()) + 1
        raise InvalidArgument("planes", f"a tie at lag {lag}", "planes that tell all lags apart")
    back = np.array(lags)

    def excess(beta: float) -> float:
        sums = np.concatenate(([0.0], np.cumsum(np.exp(-beta * falls)))) * _SUM
        moved = float((sums[back] + sums[length - 1 - back]).max())
        return moved if fixed else max(moved, float(sums[-1]) / 3)

    low, high = 0.0, 1.0
    while excess(high) >= 1:
        low, high = high, 2 * high
    # With one competitor any inverse temperature decodes, and the least is 0.
    while high - low > 2.0**-32 * high and high > 2.0**-32:
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) < 1 else (middle, high)
    return high
