"""The logarithm of the competitors' sum is convex in the amplitudes, by Gibbs' inequality."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.game.soft import terms
from ropeproof.theory.topics.slash.game.soft.terms import *
from ropeproof.theory.topics.slash.lags import over_lags, side
from ropeproof.theory.topics.softmax import gibbs

share = real("lambda")
other = real_function("A_rival")
MEANINGS = {
    **terms.MEANINGS,
    share: "share of the other head",
    other: shown_as("A′", "A'", "amplitudes of another head"),
}


def _falls(size: Callable[..., Term]) -> Term:
    """The fall at the lag `j` of an aligned head with these amplitudes."""
    return over_planes(size(l) * (1 - sp.cos(theta(l) * j)))


def _competitors(fall: Term) -> Term:
    """ln of the sum of the exp(-E_t) over the lags of the window."""
    return sp.log(over_lags(sp.exp(-fall), 1, side))


mixed = _falls(lambda plane: (1 - share) * amplitude(plane) + share * other(plane))
one, two = _falls(amplitude), _falls(other)
average = (1 - share) * _competitors(one) + share * _competitors(two)

A_LAG = Hypothesis(
    "there is a lag", le(1, side), idle="without lags all three logarithms are 0 by convention"
)
SHARE = Hypothesis("the share lies between 0 and 1", within(share, 0, 1))
_HALF: Values = {m: 1, side: 2, theta(0): 1, share: sp.Rational(1, 2)}


@theorem(
    "slash.soft-convex",
    hypotheses=(A_LAG, SHARE),
    conclusion=le(_competitors(mixed), average),
    attack=Attack(
        {
            "strict": lt(_competitors(mixed), average),
            "concave": le(average, _competitors(mixed)),
            "of the sum itself, by its logarithm": le(_competitors(mixed), _competitors(one)),
        },
        at={
            "concave": {**_HALF, amplitude(0): 0, other(0): 4},
            "of the sum itself, by its logarithm": {**_HALF, amplitude(0): 4, other(0): 0},
        },
        without={SHARE: {**_HALF, share: 2, amplitude(0): 0, other(0): 4}},
    ),
)
def SLASH_SOFT_CONVEX(p: Proof) -> None:
    r"""The logarithm of the competitors' sum is convex in the amplitudes

    $\ln\sum_{t=1}^Me^{-E_t}$ at the amplitudes $(1-\lambda)A+\lambda A'$, $0\le\lambda\le1$, is
    at most $1-\lambda$ times its value at $A$ and $\lambda$ times that at $A'$. So the amplitudes
    with which an aligned head has at least a given weight on a symmetric window form a convex
    set, and the least amplitude is a convex programme.
    """
    whole, weight = (
        over_lags(sp.exp(-mixed), 1, side),
        sp.exp(-mixed) / over_lags(sp.exp(-mixed), 1, side),
    )
    positive = p.show(lt(0, sp.exp(-mixed)), "The exponential exp(-E_t) is positive.")
    sum_positive = positive.summed(
        j, 1, side, "So their sum over the lags is positive, as there is a lag.", A_LAG
    )
    sign = p.show(le(0, weight), "So the weight of a lag is not negative.", positive, sum_positive)
    mass = p.show(eq(over_lags(weight, 1, side), 1), "The weights add up to 1.", sum_positive)

    def side_of(fall: Term, of: str) -> Fact:
        at_lag = p.show(lt(0, sp.exp(-fall)), f"The exponential exp(-E_t) {of} is positive.")
        return p.lemma(
            gibbs.SOFTMAX_GIBBS.at(
                a=1, b=side, p=sp.Lambda(j, weight), z=sp.Lambda(j, sp.exp(-fall))
            ),
            (sign, mass, at_lag),
            why=f"By Gibbs' inequality these weights bound the logarithm {of} from below.",
        )

    first, second = side_of(one, "of the first head"), side_of(two, "of the second head")
    surprise = over_lags(-weight * sp.log(weight), 1, side)
    term = p.show(
        eq(
            -weight * sp.log(weight),
            weight * ((1 - share) * one + share * two) + weight * sp.log(whole),
        ),
        "The logarithm of a weight is a difference. The fall of the mixed head is the mean "
        "of the two falls. So the surprise of a lag is the mean of the two falls and ln of "
        "the mixed sum.",
        sum_positive,
    ).summed(j, 1, side, "Sum this equation over the lags.")
    collected = p.show(
        eq(
            term.formula.rhs,
            (1 - share) * over_lags(weight * one, 1, side)
            + share * over_lags(weight * two, 1, side)
            + sp.log(whole) * over_lags(weight, 1, side),
        ),
        "The sum has three parts.",
    )
    mean = p.show(
        eq(
            sp.log(whole),
            (1 - share) * (surprise + over_lags(-weight * one, 1, side))
            + share * (surprise + over_lags(-weight * two, 1, side)),
        ),
        "So ln of the mixed sum is the mean of the two bounds.",
        (term, collected, mass),
    )
    p.qed("Each bound is at most the logarithm of its own sum.", (mean, first, second, SHARE))
