"""The slash game: the best margin per unit amplitude, and which planes earn it."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import amplitude, cosine_logit, j, l, m, over_planes, phase, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling.amplitudes import SLASH_AMPLITUDES, earned, most
from ropeproof.theory.slash.ceiling.common import aligned, energy, lag, total
from ropeproof.theory.slash.ceiling.pair_fall import SLASH_PAIR
from ropeproof.theory.slash.row import offset

reach = integer("N")
margin, upper, v = real("Gamma U v")
y, share, dual = real_function("y"), real_function("a"), real_function("z")
h = integer("h")
fall = 1 - sp.cos(theta(l) * j)


def over_window(term: Any) -> Any:
    """The sum of a term in `j` over the distances from 1 to `reach`."""
    return sp.Sum(term, (j, 1, reach))


def gain(dual_weights: Any) -> Any:
    """What one unit of amplitude in plane l gains under weights on the lags."""
    return over_window(dual_weights(j) * fall)


A_LAG = Hypothesis("there is a lag", le(1, reach))
PROBABILITIES = (
    Hypothesis(
        "weights are not negative",
        every(j, 1, reach, le(0, y(j))),
        without=where({m: 1, reach: 2, theta(0): 1, y(1): 4, y(2): -3}),
    ),
    Hypothesis(
        "weights add up to 1", eq(over_window(y(j)), 1), without=where({m: 1, reach: 1, y(1): 0})
    ),
)

# -- weights on the lags bound every margin ----------------------------------------------

BOUNDED = Hypothesis("every plane gains at most U", every(l, 0, m - 1, le(gain(y), upper)))
MARGIN = Hypothesis(
    "the margin",
    every(
        j,
        1,
        reach,
        Both(
            le(margin, cosine_logit(offset) - cosine_logit(offset + j)),
            le(margin, cosine_logit(offset) - cosine_logit(offset - j)),
        ),
    ),
)

_GAME_UPPER = Claim(
    id="slash.game-upper",
    title="Weights on the lags bound every head's margin",
    statement=(
        r"If a head of amplitude $A$, with any phases, keeps the margin $\Gamma$ over $\Delta\pm t$ "
        r"for $1\le t\le N$, then $\Gamma\le A\max_l\sum_ty_t(1-\cos\theta_lt)$ for any "
        r"probabilities $y_1,\dots,y_N$."
    ),
    needs=frozenset("PX"),
    hypotheses=(NOT_NEGATIVE, *PROBABILITIES, BOUNDED, MARGIN),
    conclusion=le(margin, upper * total()),
)


def _game_upper_proof(p: Proof) -> None:
    distance = p.under(within(j, 1, reach))
    margins = distance.use(MARGIN, why="At every distance")
    pair = p.lemma(
        SLASH_PAIR, {lag: j}, NOT_NEGATIVE, why="the pair lies at most E_t below on average,"
    )
    weight = distance.use(PROBABILITIES[0], why="and weights are not negative:")
    at_lag = distance.show(
        le(y(j) * margin, y(j) * energy(j)), "the margin is at most E_t.", margins, pair, weight
    )
    lags = at_lag.summed(j, 1, reach, "Average over the lags.")
    left = p.show(
        eq(over_window(y(j) * margin), margin * over_window(y(j))), "The left side is the margin,"
    )
    nested = over_window(over_planes(y(j) * amplitude(l) * fall))
    double = p.show(eq(over_window(y(j) * energy(j)), nested), "the right side a double sum;")
    swap = p.swap(nested, "exchange it.")
    by_plane = p.show(
        eq(swap.formula.rhs, over_planes(amplitude(l) * gain(y))), "It is a sum over the planes."
    )
    planes = p.lemma(
        SLASH_AMPLITUDES,
        {earned: sp.Lambda(l, gain(y)), most: upper},
        (NOT_NEGATIVE, BOUNDED),
        why="Each gains at most U per unit of amplitude, so all together at most U A.",
    )
    p.qed("Together.", lags, left, PROBABILITIES[1], double, swap, by_plane, planes)


SLASH_GAME_UPPER = prove(
    _GAME_UPPER,
    _game_upper_proof,
    Attack(
        {
            "0.9 of it": le(margin, sp.Rational(9, 10) * upper * total()),
            "strict": lt(margin, upper * total()),
        },
        at={
            "0.9 of it": {
                **{m: 1, reach: 1, y(1): 1, offset: 1},
                **{theta(0): 1, phase(0): -1, amplitude(0): 1},
                **{upper: sp.Rational(46, 100), margin: sp.Rational(45, 100)},
            }
        },
    ),
)

# -- the game has a value ----------------------------------------------------------------

rows, columns = integer("R C")
payoff = real_function("P")
OPTIMUM = Both(
    every(l, 0, m - 1, le(0, share(l))),
    every(j, 1, reach, le(0, dual(j))),
    eq(over_planes(share(l)), 1),
    eq(over_window(dual(j)), 1),
    every(j, 1, reach, le(v, over_planes(share(l) * fall))),
    every(l, 0, m - 1, le(gain(dual), v)),
)
VALUE = Some((v, share(h), dual(h)), OPTIMUM)
ABOVE = eq(aligned(offset) - aligned(offset + j), energy(j))
BELOW = eq(aligned(offset) - aligned(offset - j), energy(j))
A_PLANE = Hypothesis("there is a plane", le(1, m))

_GAME = Claim(
    id="slash.game",
    title="The best margin per unit amplitude is the value of a linear programme",
    statement=(
        r"An aligned head's logit falls by exactly $E_t$ at $\Delta\pm t$, so shares "
        r"$a_l\ge0$, $\sum a_l=1$ of the amplitude $A$ keep the margin "
        r"$A\min_{1\le t\le N}\sum_la_l(1-\cos\theta_lt)$; and there are shares $a$ and "
        r"probabilities $y$ on the lags with $\sum_la_l(1-\cos\theta_lt)\ge v$ for every "
        r"$t\le N$ and $\sum_ty_t(1-\cos\theta_lt)\le v$ for every $l$. With `slash.game-upper` "
        r"$v=\mu^*(N)=\max_a\min_t\sum_la_l(1-\cos\theta_lt)$ is the best margin per unit "
        r"amplitude of any head with any phases; any $a$ certifies a lower bound, any $y$ an "
        r"upper one."
    ),
    needs=frozenset("PCTW"),
    hypotheses=(A_PLANE, A_LAG),
    conclusion=Both(Both(ABOVE, BELOW), VALUE),
    uses=("slash.game-upper",),
)


def _game_proof(p: Proof) -> None:
    above = p.show(ABOVE, "The aligned logit falls by E_t on one side")
    below = p.show(BELOW, "and on the other.")
    value = p.axiom(
        "strong duality",
        {payoff: sp.Lambda((l, j), fall), rows: m, columns: reach},
        (A_PLANE, A_LAG),
        why="The matrix game with payoff 1 - cos(theta_l t) has a value.",
        goal=VALUE,
    )
    p.qed("Both.", above, below, value)


SLASH_GAME = prove(
    _GAME,
    _game_proof,
    Attack(
        {
            "the fall is half": eq(ABOVE.lhs, energy(j) / 2),
            "one side rises": eq(aligned(offset - j) - aligned(offset), energy(j)),
        },
        unshown={
            A_PLANE: "no shares of no planes add up to 1; drawing refutes no existence of functions",
            A_LAG: "no weights on no lags add up to 1; drawing refutes no existence of functions",
        },
    ),
)

CLAIMS = (SLASH_GAME_UPPER, SLASH_GAME)
