"""Heads that attend a fixed number of tokens back on every prompt over their vocabulary.

Embeddings lie on a cone (`slash.cone`): a direction that all tokens share, and a part of their own.
Query and key weights act on the shared direction, so that all queries and all keys are almost the
same vector, and leak a stated amount of the token parts (`slash.emergence`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import ARITHMETICS, Certificate, Head
from ropeproof.constructions.heads.slash import certify
from ropeproof.constructions.heads.slash.rounding import factors, round_to, rounding_in, table_error
from ropeproof.constructions.rope import SHARED
from ropeproof.numerics.core.lag_scan import minimum_gap
from ropeproof.numerics.core.softmax import margin_needed
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "SlashHead",
    "best_profile",
    "certified_slash",
    "lag_profile",
    "mean_vectors",
    "slash_head",
    "spaced_profile",
    "uniform_profile",
]

Floats = NDArray[np.float64]
MOST_LAGS = 2**26
_COST = "every lag is scanned several times, which takes 7 s for a million lags"
_TOKENS = tuple(f"token{number}" for number in range(16))
_SHARE = 0.1
"""The part of the margin that the leak of the default takes on both sides of it."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SlashHead(Head):
    """A head with the vocabulary it is for and what it guarantees in each type.

    - `offset`: how many tokens back it attends; `length`: the longest prompt covered;
    - `embeddings`: `(tokens, width)`, one row per token of the vocabulary, read-only;
    - `certificate`: what the margin alone guarantees in float64, by `slash.emergence`;
    - `certificates`: what all lags together guarantee by `slash.sandwich`, which is never less, in
      `"float64"`, `"float32"` and `"bfloat16"`. A score of 0 is no guarantee.

    Raises `InvalidArgument` on embeddings of another width or that are not finite.
    """

    offset: int
    length: int
    embeddings: Floats
    certificates: Mapping[str, Certificate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        array = np.array(self.embeddings, dtype=np.float64)
        if array.ndim != 2 or array.shape[1] != self.width or not array.size:
            allowed = f"(tokens, {self.width})"
            raise InvalidArgument("embeddings", f"shape {array.shape}", allowed)
        if not np.isfinite(array).all():
            raise InvalidArgument("embeddings", "a value that is not finite", "finite numbers")
        array.flags.writeable = False
        object.__setattr__(self, "embeddings", array)
        object.__setattr__(self, "certificates", MappingProxyType(dict(self.certificates)))

    def vocabulary(self) -> tuple[tuple[str, ...], Floats]:
        """The tokens' names, none where directions are not one per token, and their embeddings."""
        names = () if self.directions is None else self.directions.names[1:]
        return names if len(names) == len(self.embeddings) else (), self.embeddings

    def _reweighted(self, w_q: Floats, w_k: Floats, w_v: Floats, w_o: Floats) -> SlashHead:
        return certified_slash(
            w_q,
            w_k,
            w_v,
            w_o,
            self.spec,
            self.directions,
            self.embeddings,
            self.offset,
            self.length,
        )

    def bound(self, arithmetic: object = "float64") -> certify.SlashBound:
        """The slash score that is guaranteed, with its reasons, after rounding to a type.

        Weights and embeddings are rounded. `arithmetic` is the type's name or a torch dtype. Cost: a
        certified scan of `length` lags. Raises `InvalidArgument`.
        """
        rounding = rounding_in(arithmetic)
        x = round_to(self.embeddings, arithmetic)
        return certify.slash_bound(
            certify.project(x, round_to(self.w_q, arithmetic), self.spec),
            certify.project(x, round_to(self.w_k, arithmetic), self.spec),
            self.spec,
            offset=self.offset,
            length=self.length,
            rounding=rounding,
            table=table_error(self.spec, self.length, rounding),
        )


def slash_head(
    spec: RopeSpec,
    offset: int,
    length: int,
    score: float,
    *,
    tokens: Sequence[str] = _TOKENS,
    token_size: float = 1.0,
    parts: ArrayLike | None = None,
    leak: float | None = None,
    profile: tuple[ArrayLike, ArrayLike] | None = None,
    seed: int = 0,
) -> SlashHead:
    """A head with slash score at least `score` at `offset` on every prompt, guaranteed in float64.

    Every row `i > offset` of every prompt of at most `length` of the tokens, run in float64, gives
    the position `i - offset` at least that weight, by claim `slash.emergence`. `certificates` says
    what running it in float32 and bfloat16 leaves, by `slash.sandwich`. The head copies the token
    parts: with offset 1 it is a previous-token head.

    - `token_size`: the length of a token part where the shared part has length 1, which is the
      tangent of the cone's half-angle;
    - `parts`: directions of the token parts, `(tokens, dimensions)`, by default one dimension per
      token; the rows are scaled to `token_size`;
    - `leak`: the norm of the query and key weights on token parts where it is 1 on the shared
      direction (`rho` of `slash.cone`), by default what costs a tenth of the margin; 0 makes
      queries and keys the same for all tokens. Its directions are drawn with `seed`;
    - `profile`: amplitude of each plane up to a factor, and phase in radians of its cosine at the
      offset, `(planes,)` each; by default those of the largest margin (`slash.game`).

    >>> head = slash_head(RopeSpec(8, 100), 1, 16, 0.9, profile=uniform_profile(RopeSpec(8, 100)))
    >>> head.certificate.claim, head.certificate.quantities["score"] >= 0.9
    ('slash.emergence', True)

    Cost: certified scans of `length` lags, and the game's. Raises `InvalidArgument`, naming the
    argument, also if the leak leaves no margin or the profile has none.
    """
    offset, length = _window(spec, offset, length)
    share = exact.read_rational("score", score)
    if not 0 < share < 1:
        raise InvalidArgument("score", score, "a number between 0 and 1")
    size = _non_negative("token_size", token_size)
    space, embeddings = _cone(tokens, size, parts)
    amplitudes, phases = lag_profile(spec, offset, length, profile)
    mean = minimum_gap(amplitudes, phases, spec, target=offset, lags=length).lower
    if not mean > 0:
        allowed = "amplitudes and phases whose largest logit is at the offset"
        raise InvalidArgument("profile", f"a margin of {mean}", allowed)
    if leak is None:
        # 2 (2 eps + eps^2) is this share of the margin.
        epsilon = math.sqrt(1 + _SHARE * mean / 2) - 1
        leak = epsilon / size if size else 0.0
    rho = _non_negative("leak", leak)
    sides = _weights(spec, amplitudes, phases, rho, len(space) - 1, seed)
    copy = np.eye(len(space))
    copy[0, 0] = 0.0

    def scaled(amplitude: float, make: Callable[..., SlashHead] = certified_slash) -> SlashHead:
        w_q, w_k = (math.sqrt(amplitude) * side for side in sides)
        return make(w_q, w_k, copy, np.eye(len(space)), spec, space, embeddings, offset, length)

    needed, bound = margin_needed(share, length).upper, scaled(1.0, _bare).bound()
    left = bound.margin - 2 * bound.deviation
    if not left > 0:
        allowed = f"a smaller one: tokens may move a logit by less than {bound.margin / 2:.3g}"
        raise InvalidArgument("leak", leak, f"{allowed} per unit amplitude")
    # All bounds are proportional to the amplitude, up to rounding.
    amplitude = max(needed / left, 2.0**-20) * (1 + 2.0**-40)
    for _ in range(60):
        head = scaled(amplitude)
        if head.certificate.quantities["score"] >= share:
            return head
        amplitude = (amplitude + 2.0**-20) * (1 + 2.0**-12)
    raise InvalidArgument("score", score, "a smaller number: float64 rounds this one away")


def certified_slash(
    w_q: Floats,
    w_k: Floats,
    w_v: Floats,
    w_o: Floats,
    spec: RopeSpec,
    directions: Directions | None,
    embeddings: Floats,
    offset: int,
    length: int,
) -> SlashHead:
    """A slash head of any weights and embeddings, with what it guarantees computed from them.

    Weights as in `Head`; `embeddings` is `(tokens, width)`. Claims `slash.emergence` and
    `slash.sandwich`. Raises `InvalidArgument`.
    """
    bare = _bare(w_q, w_k, w_v, w_o, spec, directions, embeddings, offset, length)
    bounds = {name: bare.bound(name) for name in ARITHMETICS}
    return replace(
        bare,
        certificate=bounds["float64"].certificate("slash.emergence", "float64"),
        certificates={n: bound.certificate("slash.sandwich", n) for n, bound in bounds.items()},
    )


def _bare(
    w_q: Floats,
    w_k: Floats,
    w_v: Floats,
    w_o: Floats,
    spec: RopeSpec,
    directions: Directions | None,
    embeddings: Floats,
    offset: int,
    length: int,
) -> SlashHead:
    """The slash head with a certificate that states no numbers yet."""
    return SlashHead(
        w_q,
        w_k,
        w_v,
        w_o,
        spec,
        Certificate("slash.emergence"),
        directions,
        offset=offset,
        length=length,
        embeddings=embeddings,
    )


def best_profile(spec: RopeSpec, offset: int, length: int) -> tuple[Floats, Floats]:
    """Amplitudes, of sum 1, and phases of the largest margin at the offset, `(planes,)` each.

    Claim `slash.game`. Raises `InvalidArgument`.
    """
    amplitudes, phases = _best_profile(spec, *_window(spec, offset, length))
    return amplitudes.copy(), phases.copy()


@lru_cache(maxsize=128)
def _best_profile(spec: RopeSpec, offset: int, length: int) -> tuple[Floats, Floats]:
    from ropeproof.numerics.bounds.slash.game import optimal_slash

    game = optimal_slash(spec, before=offset, after=length - 1 - offset)
    return np.asarray(game.amplitudes, np.float64), np.asarray(game.phases, np.float64)


def uniform_profile(spec: RopeSpec) -> tuple[Floats, Floats]:
    """Equal amplitudes on the rotated planes, phases aligned at the offset (`slash.uniform`)."""
    amplitudes = np.zeros(spec.planes)
    amplitudes[: spec.rotary_planes] = 1 / spec.rotary_planes
    return amplitudes, np.zeros(spec.planes)


def spaced_profile(spec: RopeSpec, length: int) -> tuple[Floats, Floats]:
    """Amplitudes 3, 1, ..., 1 on the fewest spaced planes, phases aligned at the offset.

    Claims `slash.spaced`, `slash.head` (b): the margin over `length` positions is at least
    `3 (1 - cos 1)` per unit. Raises as `ropeproof.numerics.bounds.slash.spaced.spaced_planes`.
    """
    from ropeproof.numerics.bounds.slash.spaced import spaced_amplitudes

    return spaced_amplitudes(spec, length), np.zeros(spec.planes)


def _window(spec: object, offset: object, length: object) -> tuple[int, int]:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    back = exact.read_integer("offset", offset, least=0, most=MOST_LAGS - 1, cost=_COST)
    least = max(2, back + 1)
    return back, exact.read_integer("length", length, least=least, most=MOST_LAGS, cost=_COST)


def _non_negative(name: str, value: object) -> float:
    number = float(exact.read_rational(name, value))
    if not number >= 0:
        raise InvalidArgument(name, value, "a number >= 0")
    return number


def _cone(tokens: Sequence[str], size: float, parts: ArrayLike | None) -> tuple[Directions, Floats]:
    """The residual stream's directions and the embeddings, `(tokens, width)`."""
    if parts is None:
        names = Directions(tokens).names
        rows = np.eye(len(names))
    else:
        rows, count = np.array(parts, dtype=np.float64), len(tokens)
        if isinstance(tokens, str) or not count or len(set(tokens)) < count:
            raise InvalidArgument("tokens", f"{count} tokens", "distinct names")
        if rows.ndim != 2 or rows.shape[0] != count or not rows.size:
            raise InvalidArgument("parts", f"shape {rows.shape}", f"({count}, dimensions)")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(rows).all() or not (lengths > 0).all():
            raise InvalidArgument("parts", "a zero row, or a value not finite", "directions")
        rows = rows / lengths
        names = tuple(f"part{number}" for number in range(rows.shape[1]))
    embeddings = np.concatenate((np.ones((len(rows), 1)), size * rows), axis=1)
    return Directions([SHARED, *names]), embeddings


def lag_profile(
    spec: RopeSpec, offset: int, length: int, profile: tuple[ArrayLike, ArrayLike] | None = None
) -> tuple[Floats, Floats]:
    """Amplitudes of sum 1 and phases of the cosines of the lag, `(planes,)` each.

    `profile` as in `slash_head`, by default `best_profile`. Raises `InvalidArgument`.
    """
    if profile is None:
        profile = best_profile(spec, offset, length)
    values = []
    for given in profile:
        array = np.asarray(given, dtype=np.float64)
        if array.shape != (spec.planes,) or not np.isfinite(array).all():
            allowed = f"two arrays of {spec.planes} finite numbers"
            raise InvalidArgument("profile", f"shape {array.shape}", allowed)
        values.append(array)
    amplitudes, phases = values
    if (amplitudes < 0).any() or not amplitudes.any():
        raise InvalidArgument("profile", amplitudes.tolist(), "amplitudes >= 0, not all 0")
    turned = np.remainder(phases - frequencies_float64(spec) * offset, 2 * math.pi)
    return amplitudes / amplitudes.sum(), turned


def mean_vectors(spec: RopeSpec, amplitudes: Floats, phases: Floats) -> tuple[Floats, Floats]:
    """A query and a key, `(head_dim,)` each, with these amplitudes and phases of the lag's cosines.

    Both have the same size in each plane, `sqrt(A_l/s)`, less the attention factor that rotation
    multiplies them by.
    """
    radii = np.sqrt(amplitudes * math.sqrt(spec.head_dim)) / factors(spec)
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    sides = []
    for turn in (np.zeros(spec.planes), -phases):
        bar = np.zeros(spec.head_dim)
        bar[real], bar[imaginary] = radii * np.cos(turn), radii * np.sin(turn)
        sides.append(bar)
    return sides[0], sides[1]


def _weights(
    spec: RopeSpec, amplitudes: Floats, phases: Floats, leak: float, dimensions: int, seed: int
) -> tuple[Floats, Floats]:
    """Query and key weights of amplitude 1, `(head_dim, 1 + dimensions)` each."""
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    # The leak is drawn as it is after rotation, so that its size is relative to the mean there.
    grown = np.ones(spec.head_dim)
    grown[real] = grown[imaginary] = factors(spec)
    generator = np.random.default_rng(exact.read_integer("seed", seed, least=0))
    sides = []
    for bar in mean_vectors(spec, amplitudes, phases):
        drawn = generator.standard_normal((spec.head_dim, dimensions))
        left, _, right = np.linalg.svd(drawn, full_matrices=False)
        rest = leak * float(np.linalg.norm(bar * grown)) * (left @ right) / grown[:, np.newaxis]
        sides.append(np.concatenate((bar[:, np.newaxis], rest), axis=1))
    return sides[0], sides[1]
