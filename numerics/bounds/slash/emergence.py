"""From the margin of the mean logits to attention on every prompt, and to the head's output.

`g` is the logit function of the mean query and key, `Gamma` its margin at the offset, in logits.
Claims `slash.sandwich`, `slash.emergence`, `slash.ood`, `slash.composition`, and
`slash.rank-condition-not-enough`, which says what a head may lack that is only nearly rank one.
"""

from __future__ import annotations

from typing import NamedTuple

from flint import ctx

from ropeproof.numerics.bounds.slash.balls import rational
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.exact import ball, read_integer

__all__ = [
    "RankConditionBounds",
    "SandwichBounds",
    "copy_error",
    "emergence_margin",
    "emergence_score",
    "logit_deviation",
    "prompt_odds_factor",
    "rank_condition_bounds",
    "sandwich_bounds",
]

_DEVIATION = Stated(
    "slash.logit-close", "above.own", {"query_radius": "varepsilon_q", "key_radius": "varepsilon_k"}
)
_LOWER = Stated("slash.row-sandwich", "1.below", {"deviation": "eta"}, {"competition": "rest"})
_UPPER = Stated("slash.row-sandwich", "2.above", {"deviation": "eta"}, {"competition": "rest"})
_MARGIN = Stated(
    "slash.emergence",
    "below",
    {"score": "kappa", "length": "N"},
    {"deviation": "spread"},
    hypothesis="the margin is large enough",
)
_ODDS = Stated("slash.ood", "3.above.own", terms={"deviation": "spread"})
_MEAN_HEAD = Stated("slash.rank-condition-not-enough", "7.body.then.below", {"amplitude": "A"})
_ONE_SIGN = Stated("slash.rank-condition-not-enough", "5.body.then.above", {"amplitude": "A"})
_COPY = Stated(
    "slash.composition", "2.above", {"miss": "epsilon", "diameter": "diam", "lipschitz": "Lambda"}
)


class SandwichBounds(NamedTuple):
    """The lower and upper bound of an attention weight, each enclosed."""

    lower: Enclosure
    upper: Enclosure


class RankConditionBounds(NamedTuple):
    """What the mean head guarantees a target, and the most that the head itself gives it."""

    mean_head: Enclosure
    one_sign: Enclosure


def rank_condition_bounds(amplitude: object) -> RankConditionBounds:
    """The two sides of a head that meets the rank condition and is no slash head, enclosed.

    The head of `slash.rank-condition-not-enough` has queries and keys with `r_1 = .95`. Its mean head of
    this `amplitude`, in logits, gives the target at least `1/(1 + 11 e^{-.1224 A})` in each row of at
    most 12 tokens; on a prompt of one sign the head gives it at most `1/(1 + e^{.104 A})`.

    >>> mean_head, one_sign = rank_condition_bounds(100)
    >>> f"{mean_head.lower:.5f} {one_sign.upper:.1e}"
    '0.99995 3.0e-05'

    Raises `InvalidArgument` unless `amplitude` is a number >= 0.
    """
    size = rational("amplitude", amplitude, least=0)
    return RankConditionBounds(*(side.enclose(amplitude=size) for side in (_MEAN_HEAD, _ONE_SIGN)))


def logit_deviation(size: object, query_radius: object, key_radius: object) -> Enclosure:
    """`eta = s|q||k| (e_q + e_k + e_q e_k)`, a bound of a logit's distance from the mean head's.

    In logits.

    `size` is `s|q||k|` of the mean query and key, in logits; the radii bound `|q_i - q|/|q|` and
    `|k_j - k|/|k|`.

    >>> logit_deviation(8, 0.25, 0.25)
    Enclosure(lower=4.5, upper=4.5)

    Claim `slash.sandwich`. Raises `InvalidArgument` unless all three are numbers >= 0.
    """
    scale = rational("size", size, least=0)
    left = rational("query_radius", query_radius, least=0)
    right = rational("key_radius", key_radius, least=0)
    return sharp(
        lambda: ball(scale, bits=ctx.prec) * _DEVIATION.ball(query_radius=left, key_radius=right)
    )


def sandwich_bounds(competition: object, deviation: object) -> SandwichBounds:
    """The bounds `1/(1 + e^{2 eta} Z) <= S <= 1/(1 + e^{-2 eta} Z)` of a weight, enclosed.

    `competition` is `Z = sum of e^{g(t) - g(offset)}` over the row's other lags.

    >>> sandwich_bounds(1, 0).lower, sandwich_bounds(1, 0).upper
    (Enclosure(lower=0.5, upper=0.5), Enclosure(lower=0.5, upper=0.5))

    Claim `slash.sandwich`. Raises `InvalidArgument` unless both are numbers >= 0.
    """
    rest = rational("competition", competition, least=0)
    eta = rational("deviation", deviation, least=0)
    sides = (side.enclose(deviation=eta, competition=rest) for side in (_LOWER, _UPPER))
    return SandwichBounds(*sides)


def emergence_margin(score: object, length: int, deviation: object = 0) -> Enclosure:
    """`2 eta + ln((N - 1) kappa/(1 - kappa))`, a margin in logits that guarantees a score `kappa`.

    With this margin of the mean logits over all lags below `length`, every row of every prompt of
    at most that length gives its target at least `score`.

    >>> f"{emergence_margin(0.9, 131072).lower:.3f}"
    '13.981'

    Claim `slash.emergence`. Raises `InvalidArgument` unless `0 < score < 1`, `length >= 2` and
    `deviation >= 0`.
    """
    kappa = rational("score", score, above=0, below=1)
    count = read_integer("length", length, least=2)
    eta = rational("deviation", deviation, least=0)
    return _MARGIN.enclose(score=kappa, length=count, deviation=eta)


def emergence_score(margin: object, length: int, deviation: object = 0) -> Enclosure:
    """`1/(1 + (N - 1) e^{2 eta - Gamma})`, the score that a margin `Gamma` guarantees, enclosed.

    The inverse of `emergence_margin`. Claim `slash.emergence`. Raises `InvalidArgument` unless `length >= 2`
    and `deviation >= 0`.
    """
    gap, eta = rational("margin", margin), rational("deviation", deviation, least=0)
    return softmax.weight_bound(gap - 2 * eta, read_integer("length", length, least=2))


def prompt_odds_factor(deviation: object) -> Enclosure:
    """`e^{4 eta}`, the largest factor between the odds of a weight on two prompts.

    The odds change by no factor below its inverse either.

    >>> prompt_odds_factor(0)
    Enclosure(lower=1.0, upper=1.0)

    Claim `slash.ood`. Raises `InvalidArgument` unless `deviation >= 0`.
    """
    return _ODDS.enclose(deviation=rational("deviation", deviation, least=0))


def copy_error(miss: object, diameter: object, lipschitz: object = 1) -> Enclosure:
    """`Lambda epsilon diam`, a bound of the output's distance to that of the copied value alone.

    `miss` is `epsilon`, at least 1 minus the target's weight; `diameter` the largest distance of
    two values; `lipschitz` the Lipschitz constant of the map after the head.

    >>> copy_error(0.25, 2)
    Enclosure(lower=0.5, upper=0.5)

    Claim `slash.composition`. Raises `InvalidArgument` unless all are numbers >= 0.
    """
    epsilon = rational("miss", miss, least=0)
    size, slope = rational("diameter", diameter, least=0), rational("lipschitz", lipschitz, least=0)
    return _COPY.enclose(miss=epsilon, diameter=size, lipschitz=slope)
