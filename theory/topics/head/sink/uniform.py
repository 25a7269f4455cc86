"""Equal weights on the lags: what one query can guarantee is at most a Dirichlet kernel."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.blocks import SUMS_TELESCOPE
from ropeproof.theory.topics.head.sink.bound import (
    COSINE,
    GUARANTEE,
    HEAD_SINK_EVEN_BOUND,
    SINE,
    centred,
    guarantee,
    middle,
    over_window,
    reach,
    seen,
    upper,
    y,
)
from ropeproof.theory.topics.head.sink.bound import MEANINGS as OF_BOUND
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total

MEANINGS: Meanings = OF_BOUND

f, h = real_function("f"), integer("h")
turn = theta(l)  # the angle of one plane
kernel = sp.sin(reach * turn / 2) / (reach * sp.sin(turn / 2))
cosines, sines = COSINE.xreplace({y(j): 1 / reach}), SINE.xreplace({y(j): 1 / reach})
A_LAG = Hypothesis("there is a lag", le(1, reach))
TURNS = Hypothesis("every plane turns", every(l, 0, m - 1, ne(sp.sin(theta(l) / 2), 0)))
AT_MOST = Hypothesis("no kernel exceeds U", every(l, 0, m - 1, le(sp.Abs(kernel), upper)))
MODULUS = every(l, 0, m - 1, eq(cosines**2 + sines**2, kernel**2))
BOUND = le(guarantee, upper * total())
_ONE: Values = {
    **{m: 1, reach: 2, theta(0): 1, amplitude(0): 1, phase(0): -sp.Rational(3, 2)},
    **{upper: sp.Rational(88, 100), guarantee: sp.Rational(87, 100)},
}


@theorem(
    "head.sink-uniform",
    hypotheses=(A_LAG, NOT_NEGATIVE, TURNS, AT_MOST, GUARANTEE),
    conclusion=Both(MODULUS, BOUND),
    attack=Attack(
        {
            "0.9 of it": le(guarantee, sp.Rational(9, 10) * upper * total()),
            "without the factor N": every(
                l, 0, m - 1, eq(cosines**2 + sines**2, (reach * kernel) ** 2)
            ),
            "half the modulus": every(l, 0, m - 1, eq(cosines**2 + sines**2, kernel**2 / 4)),
        },
        at={"0.9 of it": _ONE, "without the factor N": _ONE, "half the modulus": _ONE},
        without={
            A_LAG: {**_ONE, reach: 0, guarantee: 5},
            NOT_NEGATIVE: {**_ONE, amplitude(0): -1, phase(0): sp.Rational(164, 100)},
            TURNS: {**_ONE, theta(0): 0, phase(0): 0, upper: 0, guarantee: 1},
            AT_MOST: {**_ONE, upper: 0},
            GUARANTEE: {**_ONE, guarantee: 2},
        },
    ),
)
def HEAD_SINK_UNIFORM(p: Proof) -> None:
    r"""What a query can guarantee at N lags is at most a Dirichlet kernel

    With equal weights on the lags $1..N$, $|\frac1N\sum_te^{\mathrm i\theta_lt}|=
    \big|\frac{\sin(N\theta_l/2)}{N\sin(\theta_l/2)}\big|$ for $\theta_l\notin2\pi\mathbb Z$; so a
    head of amplitude $A$ whose planes all turn guarantees at most
    $A\max_l\big|\frac{\sin(N\theta_l/2)}{N\sin(\theta_l/2)}\big|$ to one token at these lags,
    whatever its phases.
    """
    plane = p.under(*INSIDE)
    turns = plane.use(TURNS, why="The plane turns by hypothesis.")
    half = sp.Rational(1, 2)
    ends = p.lemma(
        SUMS_TELESCOPE.at(h=reach, f=lambda place: -sp.sin(theta(l) * (place + half - middle))),
        A_LAG,
        why="The differences of neighbouring sines add up to that of the ends.",
    )
    term = p.show(
        eq(
            2 * sp.sin(theta(l) / 2) * centred(j),
            -sp.sin(theta(l) * (j - 1 + half - middle)) - -sp.sin(theta(l) * (j + half - middle)),
        ),
        "Times 2 sin(theta_l/2) a cosine is a difference of neighbouring sines.",
    ).summed(j, 1, reach, "Sum this equation over the lags.")
    factor = p.show(
        eq(2 * sp.sin(theta(l) / 2) * over_window(centred(j)), term.formula.lhs),
        "The factor 2 sin(theta_l/2) is common to all lags.",
    )
    added = p.chain(
        factor,
        term,
        ends,
        why="So times it the sum of the cosines about the middle is that of the ends.",
    )
    even = plane.show(
        eq(over_window(centred(j)) / reach, kernel),
        "So the mean cosine about the middle is the Dirichlet kernel.",
        (added, turns, A_LAG),
    )
    odd_sum = over_window(sp.sin(theta(l) * (j - middle)))
    turned = p.reindex(odd_sum, "Sum the sines about the middle from the last lag to the first.")
    odd = p.show(
        eq(odd_sum, 0),
        "Reflected about the middle every sine changes its sign. So the sines about the "
        "middle add up to 0.",
        turned,
    )
    at_cos, at_sin = sp.cos(theta(l) * middle), sp.sin(theta(l) * middle)
    first = p.show(
        eq(cosines, (over_window(centred(j)) * at_cos - odd_sum * at_sin) / reach),
        "The mean cosine is that about the middle, turned by the angle of the middle.",
    )
    second = p.show(
        eq(sines, (over_window(centred(j)) * at_sin + odd_sum * at_cos) / reach),
        "So is the mean sine.",
    )
    length = p.show(
        eq(cosines**2 + sines**2, (over_window(centred(j)) / reach) ** 2),
        "As the sines about the middle vanish, the modulus is that of the cosines.",
        (first, second, odd),
    )
    modulus = plane.show(
        eq(cosines**2 + sines**2, kernel**2), "So the modulus is the kernel's.", length, even
    ).for_all(l, why="This holds in every plane.")
    at_most = plane.use(AT_MOST, why="No kernel exceeds U in size.")
    near = plane.show(
        le(sp.Abs(seen(lambda lag: 1 / reach)), upper),
        "Equal weights see the mean cosine about the middle. So equal weights see no plane "
        "above U.",
        (even, at_most),
    ).for_all(l, why="This holds in every plane.")
    bound = p.lemma(
        HEAD_SINK_EVEN_BOUND.at(y=lambda lag: 1 / reach),
        (NOT_NEGATIVE, A_LAG, near, GUARANTEE),
        why="Equal weights are not negative. Equal weights add up to 1. So the guarantee is at "
        "most U A.",
    )
    p.qed("These are the modulus of the mean and the bound.", modulus, bound)
