"""From the margin of the mean logits to a slash on every prompt, and to what the head puts out.

`g` is the logit function of the mean query and key, `Gamma` its margin at the offset, in logits.
Claims `slash.sandwich`, `slash.emergence`, `slash.ood`, `slash.composition`.
"""

from __future__ import annotations

from typing import NamedTuple

from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, number
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "SandwichBounds",
    "copy_error",
    "emergence_margin",
    "emergence_score",
    "logit_deviation",
    "prompt_odds_factor",
    "sandwich_bounds",
]


class SandwichBounds(NamedTuple):
    """Enclosures of the two sides between which an attention weight lies."""

    lower: Enclosure
    upper: Enclosure


def logit_deviation(size: object, query_radius: object, key_radius: object) -> Enclosure:
    """`eta = s|q||k| (e_q + e_k + e_q e_k)` in logits: no logit is further from the mean's.

    `size` is `s|q||k|` of the mean query and key, in logits; the radii bound `|q_i - q|/|q|` and
    `|k_j - k|/|k|`.

    >>> logit_deviation(8, 0.25, 0.25)
    Enclosure(lower=4.5, upper=4.5)

    Claim `slash.sandwich`. Raises `InvalidArgument` unless all three are numbers >= 0.
    """
    scale = number("size", size, least=0)
    left = number("query_radius", query_radius, least=0)
    right = number("key_radius", key_radius, least=0)
    with precision(BITS):
        return enclosed(scale * (left + right + left * right))


def sandwich_bounds(competition: object, deviation: object) -> SandwichBounds:
    """`1/(1 + e^{2 eta} Z) <= S <= 1/(1 + e^{-2 eta} Z)`, both sides enclosed.

    `competition` is `Z = sum of e^{g(t) - g(offset)}` over the row's other lags.

    >>> sandwich_bounds(1, 0).lower, sandwich_bounds(1, 0).upper
    (Enclosure(lower=0.5, upper=0.5), Enclosure(lower=0.5, upper=0.5))

    Claim `slash.sandwich`. Raises `InvalidArgument` unless both are numbers >= 0.
    """
    rest = number("competition", competition, least=0)
    eta = number("deviation", deviation, least=0)
    with precision(BITS):
        lower = 1 / (1 + (2 * eta).exp() * rest)
        upper = 1 / (1 + (-2 * eta).exp() * rest)
        return SandwichBounds(enclosed(lower), enclosed(upper))


def emergence_margin(score: object, length: int, deviation: object = 0) -> Enclosure:
    """`2 eta + ln((N - 1) kappa/(1 - kappa))`: a margin that is enough for the score, in logits.

    With this margin of the mean logits over all lags below `length`, every row of every prompt of
    at most that length gives its target at least `score`.

    >>> f"{emergence_margin(0.9, 131072).lower:.3f}"
    '13.981'

    Claim `slash.emergence`. Raises `InvalidArgument` unless `0 < score < 1`, `length >= 2` and
    `deviation >= 0`.
    """
    kappa = number("score", score, above=0, below=1)
    others = read_integer("length", length, least=2) - 1
    eta = number("deviation", deviation, least=0)
    with precision(BITS):
        return enclosed(2 * eta + (others * kappa / (1 - kappa)).log())


def emergence_score(margin: object, length: int, deviation: object = 0) -> Enclosure:
    """`1/(1 + (N - 1) e^{2 eta - Gamma})`: the score that a margin guarantees; the inverse.

    Claim `slash.emergence`. Raises `InvalidArgument` unless `length >= 2` and `deviation >= 0`.
    """
    gap, eta = number("margin", margin), number("deviation", deviation, least=0)
    others = read_integer("length", length, least=2) - 1
    with precision(BITS):
        return enclosed(1 / (1 + others * (2 * eta - gap).exp()))


def prompt_odds_factor(deviation: object) -> Enclosure:
    """`e^{4 eta}`: another prompt moves the odds of a weight by no more, or by less than 1/this.

    >>> prompt_odds_factor(0)
    Enclosure(lower=1.0, upper=1.0)

    Claim `slash.ood`. Raises `InvalidArgument` unless `deviation >= 0`.
    """
    eta = number("deviation", deviation, least=0)
    with precision(BITS):
        return enclosed((4 * eta).exp())


def copy_error(miss: object, diameter: object, lipschitz: object = 1) -> Enclosure:
    """`Lambda epsilon diam`: how far the output can be from that of the copied value alone.

    `miss` is `epsilon`, at least 1 minus the target's weight; `diameter` the largest distance of
    two values; `lipschitz` the constant of what follows the head.

    >>> copy_error(0.25, 2)
    Enclosure(lower=0.5, upper=0.5)

    Claim `slash.composition`. Raises `InvalidArgument` unless all are numbers >= 0.
    """
    epsilon = number("miss", miss, least=0)
    size, slope = number("diameter", diameter, least=0), number("lipschitz", lipschitz, least=0)
    with precision(BITS):
        return enclosed(slope * epsilon * size)
