"""Printed statements about the retrieval construction that are false, each with its repair."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import HEADS
from ropeproof.theory.retrieval.construction import LETTERS, angle, apart, letters, query, step
from ropeproof.theory.retrieval.feasible import a, left
from ropeproof.theory.retrieval.margin import lag, rival

gamma = real("Gamma")
d, first, second = integer("d j_1 j_2")
token = integer_function("x")

# -- the bound of the discrepancy --------------------------------------------------------

bound = le(gamma, 1 - sp.cos(step - n * angle))
others = Both(*within(j, 0, n - 1).args, ne(left(j), query))
own = sp.cos((n - 1 - a) * angle)
one_input = Every((j,), If(others, le(gamma, own - apart(left(j), query, (n - 1 - j) * angle))))
pairs = Both(
    *(le(1, lag), le(lag, n - 1), le(0, rival), le(rival, n - 1), ne(lag, rival)),
    *(le(1, d), le(d, letters - 1)),
)
every_input = Every(
    (lag, rival, d), If(pairs, le(gamma, sp.cos(lag * angle) - sp.cos(d * step + rival * angle)))
)

A_MAXIMUM = Reading(
    "The discrepancy is a maximum over inputs. Take 8 letters, 3 positions, angle 1/1000 and "
    "an input whose other letters are opposite the query's: its margin is over 1.9, and "
    "1 - cos(omega - n theta) < 0.3.",
    (LETTERS.formula, Both(le(0, a), le(a, n - 1), eq(left(a), query)), one_input),
    bound,
    where(
        {n: 3, letters: 8, query: 0, angle: sp.Rational(1, 1000), a: 0}
        | {left(0): 0, left(1): 4, left(2): 4, gamma: sp.Rational(19, 10)}
    ),
)
THE_WORST = Reading(
    "The discrepancy is the margin of the worst input. Take 8 letters, 17 positions and "
    "angle 0.0027: over all letters and lags the margin is at least 0.262, and "
    "1 - cos(omega - n theta) < 0.2612: the largest lag is n - 1, not n, and the target "
    "is no nearer than lag 1.",
    (LETTERS.formula, every_input),
    bound,
    where({n: 17, letters: 8, angle: sp.Rational(27, 10000), gamma: sp.Rational(262, 1000)}),
)

RETRIEVAL_PRINTED_BOUND = Claim(
    id="retrieval.printed-bound",
    title="Printed: the discrepancy of the retrieval construction",
    statement=(
        r"$\Delta_\theta\le1-\cos(\omega-n\theta)$ for the retrieval construction at length $n$, "
        r"$\omega=2\pi/|\mathrm{ALPH}|$."
    ),
    source=HEADS.at("Theorem 3.2", "as printed"),
    kind="printed",
    needs=frozenset("X"),
    repaired_by="retrieval.margin",
    readings=(A_MAXIMUM, THE_WORST),
)

# -- proper inputs -----------------------------------------------------------------------


def _logit(place: Any) -> Any:
    return apart(left(place), query, (n - 1 - place) * angle)


matching = Both(
    *(le(0, first), le(first, n - 2), le(0, second), le(second, n - 2)),
    *(eq(left(first), query), eq(left(second), query)),
)
TWO_TOKENS = Reading(
    "Proper inputs may hold two different tokens with one left letter, such as (C, 2) and "
    "(C, 5). At theta = 0 both have the same, largest logit, so the attention returns "
    "their mean and not one of them.",
    (matching, eq(angle, 0), eq(_logit(first), _logit(second))),
    eq(token(first), token(second)),
    where(
        {n: 3, letters: 8, query: 2, first: 0, second: 1, left(0): 2, left(1): 2}
        | {token(0): 2, token(1): 5, step: 1, angle: 0}
    ),
)

RETRIEVAL_PRINTED_PROPER = Claim(
    id="retrieval.printed-proper",
    title="Printed: without rotation the construction retrieves on proper inputs",
    statement=(
        r"On proper inputs the retrieval construction with $0\le\theta<\omega/2n_0$ computes "
        r"Retrieval for lengths up to $n_0$."
    ),
    source=HEADS.at("Theorem 3.1 with Definition F.2", "as printed"),
    kind="printed",
    needs=frozenset("X"),
    true_when="inputs are functional: equal left letters, equal tokens (retrieval.feasible); or the "
    "angle is positive and the nearest of the tokens is meant",
    repaired_by="retrieval.feasible",
    readings=(TWO_TOKENS,),
)

CLAIMS = (RETRIEVAL_PRINTED_BOUND, RETRIEVAL_PRINTED_PROPER)
