"""Heads that each miss one condition of a slash head, and so are not slash heads.

Each says what fails and by which claim; all are explicit weights, to be run next to `slash_head`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.slash.head import SlashHead, mean_vectors, slash_head
from ropeproof.constructions.rope import SHARED
from ropeproof.numerics.core.spec import frequencies_float64, read_spec
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "aliasing_head",
    "aligned_head",
    "low_planes_head",
    "rank_condition_head",
    "rank_one_without_cone",
]

Floats = NDArray[np.float64]


def rank_one_without_cone(
    spec: RopeSpec,
    offset: int,
    length: int,
    score: float,
    *,
    profile: tuple[ArrayLike, ArrayLike] | None = None,
) -> SlashHead:
    """A head of rank one that is no slash head: its queries change sign with the token.

    The residual stream has the directions `query` and `key`; token 0 is `query + key` and token 1
    is `-query + key`. All queries are multiples of one vector (`r_1 = 1`), all keys are the same,
    amplitudes and phases are those of `slash_head`. At a row with token 1 every logit has the
    other sign, so the target is the worst key there instead of the best: its weight is at most
    1/length at the last row. Claim `slash.rank-not-enough`; the prompt of token 0 alone has the
    score. Arguments and errors as in `slash_head`.
    """
    head = slash_head(spec, offset, length, score, tokens=["token"], leak=0, profile=profile)
    space = Directions(["query", "key"])
    rows = spec.head_dim
    bar_q, bar_k = head.w_q[:, 0], head.w_k[:, 0]
    return SlashHead(
        space.matrix({"query": bar_q}, rows),
        space.matrix({"key": bar_k}, rows),
        np.eye(2),
        np.eye(2),
        spec,
        Certificate("slash.rank-not-enough"),
        space,
        offset=offset,
        length=length,
        embeddings=np.array([[1.0, 1.0], [-1.0, 1.0]]),
    )


def rank_condition_head(offset: int, amplitude: float, *, length: int = 12) -> SlashHead:
    """A head of one fast plane that meets the rank condition and is no slash head.

    The plane turns by 1/2 a token. The residual stream has the directions `mean` and `sign`; the
    vocabulary is token 0, `mean + sign`, and token 1, `mean - sign`. Queries are `q (1 + i a/sqrt(19))`
    and keys `k (1 - i a/sqrt(19))` for the sign `a` of the token, so 19/20 of all squares lie along
    the mean (`r_1 = .95`, hence `r_.95 = 1`). The mean head has the logit `A cos((t - offset)/2)` at
    the lag t, A being the `amplitude` in logits. A prompt of token 0 alone gives the target at most
    `1/(1 + e^{.104 A})` in every row, as the phases of query and key add up and turn the logits by
    about one lag. Claim `slash.rank-condition-not-enough`, for `length` up to 12.
    Raises `InvalidArgument` unless `1 <= offset < length <= 12` and `amplitude > 0`.
    """
    length = read_integer("length", length, least=2, most=12)
    offset = read_integer("offset", offset, least=1, most=length - 1)
    total = float(read_rational("amplitude", amplitude))
    if not total > 0:
        raise InvalidArgument("amplitude", amplitude, "a number > 0")
    spec = RopeSpec(2, 10000, scaling=Linear(2))
    bar_q, bar_k = mean_vectors(spec, np.array([total]), np.array([-offset / 2]))
    turn = np.array([[0.0, -1.0], [1.0, 0.0]]) / math.sqrt(19)
    space = Directions(["mean", "sign"])
    return SlashHead(
        space.matrix({"mean": bar_q, "sign": turn @ bar_q}, 2),
        space.matrix({"mean": bar_k, "sign": -turn @ bar_k}, 2),
        np.eye(2),
        np.eye(2),
        spec,
        Certificate("slash.rank-condition-not-enough"),
        space,
        offset=offset,
        length=length,
        embeddings=np.array([[1.0, 1.0], [1.0, -1.0]]),
    )


def low_planes_head(
    spec: RopeSpec, offset: int, length: int, amplitude: float, *, wavelength: float
) -> SlashHead:
    """A head aligned at the offset on slow planes only, which attends nearly as much beside it.

    It uses the planes of at least this wavelength.

    Equal amplitudes of this sum, in logits, on the rotated planes with `2 pi/theta >= wavelength`.
    With `omega = 2 pi/wavelength`, row `i` gives the target at most
    `1/(1 + 2 e^{-1/2} min(M, floor(1/(omega sqrt(A)))))`, `M = min(offset, i - 1 - offset)`,
    whatever the phases: the neighbours get nearly as much. Claim `slash.low-only`.
    Raises `InvalidArgument`, also if no plane is that slow.
    """
    limit = float(read_rational("wavelength", wavelength))
    if not limit > 0:
        raise InvalidArgument("wavelength", wavelength, "a number > 0")
    frequencies = frequencies_float64(read_spec(spec))[: spec.rotary_planes]
    chosen = np.flatnonzero(frequencies * limit <= 2 * math.pi)
    if not len(chosen):
        longest = 2 * math.pi / float(frequencies.min())
        raise InvalidArgument("wavelength", wavelength, f"at most {longest:.6g}, the longest here")
    return aligned_head(spec, offset, length, amplitude, chosen, claim="slash.low-only")


def aliasing_head(
    spec: RopeSpec, offset: int, length: int, amplitude: float, *, planes: int = 1
) -> SlashHead:
    """A head aligned at the offset on its few fastest planes: it repeats itself, a ghost slash.

    Equal amplitudes of this sum, in logits, on the `planes` largest frequencies. Some lag `t < Q^K`
    off the target is less than `A (1 - cos(2 pi/Q))` below it, for every `Q >= 2` and `K` planes:
    at the frequency 1 the lag 44 is `1.6e-4 A` below. Claim `slash.alias`.
    Raises `InvalidArgument`.
    """
    count = read_integer("planes", planes, least=1)
    if count > read_spec(spec).rotary_planes:
        raise InvalidArgument("planes", planes, f"at most {spec.rotary_planes}")
    fastest = np.argsort(-frequencies_float64(spec)[: spec.rotary_planes], kind="stable")
    return aligned_head(spec, offset, length, amplitude, fastest[:count], claim="slash.alias")


def aligned_head(
    spec: RopeSpec,
    offset: int,
    length: int,
    amplitude: float,
    planes: ArrayLike,
    *,
    claim: str = "slash.ceiling",
) -> SlashHead:
    """A head with one query and one key for two tokens, aligned at the offset on some planes.

    The planes have equal amplitudes.

    `planes` are plane numbers; `amplitude` is the sum, in logits. The certificate says no more
    than the amplitude: whether it is a slash head is another matter. Raises `InvalidArgument`.
    """
    offset = read_integer("offset", offset, least=0)
    length = read_integer("length", length, least=max(2, offset + 1))
    total = float(read_rational("amplitude", amplitude))
    if not total > 0:
        raise InvalidArgument("amplitude", amplitude, "a number > 0")
    chosen = np.unique(np.asarray(planes))
    if not chosen.size or chosen.dtype.kind not in "iu" or chosen.min() < 0:
        raise InvalidArgument("planes", planes, "plane numbers")
    if chosen.max() >= read_spec(spec).rotary_planes:
        raise InvalidArgument("planes", planes, f"rotated planes, below {spec.rotary_planes}")
    amplitudes = np.zeros(spec.planes)
    amplitudes[chosen] = total / len(chosen)
    phases = np.remainder(-frequencies_float64(spec) * offset, 2 * math.pi)
    bar_q, bar_k = mean_vectors(spec, amplitudes, phases)
    space, rows = Directions([SHARED, "a", "b"]), spec.head_dim
    copy = np.diag([0.0, 1.0, 1.0])
    # Rounding of a sum of planes: a relative error below planes + 8 units in the last place.
    bound = total * (1 + (spec.planes + 8) * 2.0**-52)
    return SlashHead(
        space.matrix({SHARED: bar_q}, rows),
        space.matrix({SHARED: bar_k}, rows),
        copy,
        np.eye(3),
        spec,
        Certificate(claim, {"amplitude": bound}, "float64"),
        space,
        offset=offset,
        length=length,
        embeddings=np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]),
    )
