"""When a head is the best of its amplitude on a symmetric window."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.ceiling import aligned_head
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, energy, total
from ropeproof.theory.topics.slash.ceiling.symmetric import SLASH_CEILING
from ropeproof.theory.topics.slash.game.soft import terms
from ropeproof.theory.topics.slash.game.soft.ceiling import SLASH_SOFT_CEILING
from ropeproof.theory.topics.slash.game.soft.mean_fall import SLASH_MEAN_FALL, earned
from ropeproof.theory.topics.slash.game.soft.terms import *
from ropeproof.theory.topics.slash.lags import offset, over_lags, side

falls = over_lags(sp.exp(-energy(j)), 1, side)

A_LAG = Hypothesis("there is a lag", le(1, side))
SOFTMAX = Hypothesis(
    "the weights are those of the head", every(j, 1, side, eq(y(j), sp.exp(-energy(j)) / falls))
)
EQUAL = Hypothesis(
    "every plane with amplitude earns U",
    every(l, 0, m - 1, eq(amplitude(l) * gain(), amplitude(l) * upper)),
)


def _in_the_middle(term: Term) -> Any:
    """The term in the row of 2 M + 1 lags whose target is the one in the middle."""
    return substitute(term, {i: 2 * side + 1, offset: side})


best = _in_the_middle(lags.weight(aligned_head.aligned))

# another head, of at most the same amplitude, and a target in a row of its own
rival, rival_phase = real_function("A_rival"), real_function("psi_rival")
row, place = integer("r p")
MEANINGS = {
    **terms.MEANINGS,
    rival: shown_as("A′", "A'", "amplitudes of another head"),
    rival_phase: shown_as("ψ′", r"\psi'", "its phases"),
    row: "number of keys of another row",
    place: "lag of the target in that row",
}
rival_total = over_planes(rival(l))


def _rival_logit(lag: Term) -> Term:
    """The other head's logit at a lag."""
    return over_planes(rival(l) * sp.cos(theta(l) * lag + rival_phase(l)))


rival_weight = sp.exp(_rival_logit(place)) / sp.Sum(sp.exp(_rival_logit(j)), (j, 0, row - 1))
A_RIVAL = Both(
    every(l, 0, m - 1, le(0, rival(l))),
    le(rival_total, total()),
    le(side, place),
    le(side, row - 1 - place),
)


def _best(given: Formula) -> Formula:
    """Under these conditions no other head has more weight."""
    return If(given, le(rival_weight, best))


_STILL = {m: 1, side: 1, theta(0): 0, amplitude(0): 1, y(1): 1, upper: 0}  # a plane that stands
_RIVAL: Values = {**_STILL, rival(0): 1, rival_phase(0): 0, row: 3, place: 1}
_TURNS: Values = {m: 1, side: 1, theta(0): 1, amplitude(0): 1, y(1): 1, upper: 1 - sp.cos(1)}
_TWO: Values = {m: 2, theta(1): 2, amplitude(1): 0, rival(0): 0, rival(1): 1, rival_phase(1): -2}


@theorem(
    "slash.soft-optimal",
    needs="PCTXW",
    hypotheses=(A_LAG, NOT_NEGATIVE, SOFTMAX, BOUNDED, EQUAL),
    conclusion=Both(Both(eq(best, by_mean), eq(by_mean, by_planes)), _best(A_RIVAL)),
    conditions=(where(_RIVAL),),
    attack=Attack(
        {
            "half the entropy": eq(best, soft(entropy() / 2 - mean_fall())),
            "half of what planes earn": eq(by_mean, soft(entropy() - total() * upper / 2)),
            "with a lag less on each side": _best(
                Both(*A_RIVAL.args[:2], le(side - 1, place), le(side - 1, row - 1 - place))
            ),
            "of any amplitude": _best(Both(A_RIVAL.args[0], *A_RIVAL.args[2:])),
        },
        at={
            "with a lag less on each side": {
                **_TURNS,
                rival(0): 1,
                rival_phase(0): 0,
                row: 2,
                place: 0,
            },
            "of any amplitude": {**_TURNS, rival(0): 2, rival_phase(0): -1, row: 3, place: 1},
        },
        without={BOUNDED: {**_RIVAL, **_TWO}},
        idle={
            NOT_NEGATIVE: "the proof needs it of other heads alone; a head with a negative amplitude whose "
            "planes meet the other conditions is as good"
        },
    ),
)
def SLASH_SOFT_OPTIMAL(p: Proof) -> None:
    r"""When a head is the best of its amplitude on a symmetric window

    Let an aligned head of amplitudes $a_l\ge0$ of sum $A$ have, with $y_t=e^{-E_t}/\sum_se^{-E_s}$ on the
    lags $1..M$, $M\ge1$, $\sum_ty_t(1-\cos\theta_lt)\le U$ in every plane and equality in each plane with
    $a_l>0$. Then in the row of $2M+1$ lags its target in the middle has the weight
    $\big[1+2e^{H(y)-\sum_ty_tE_t}\big]^{-1}=\big[1+2e^{H(y)-AU}\big]^{-1}$, so both inequalities of
    `slash.soft-ceiling` are equalities; and no head of amplitude at most $A$, whatever its amplitudes,
    phases, row and target, has more weight on a target with at least $M$ lags on each side.
    """
    positive = p.show(lt(0, sp.exp(-energy(j))), "The exponential exp(-E_t) is positive.")
    whole = positive.summed(
        j, 1, side, "So their sum over the lags is positive, as there is a lag.", A_LAG
    )
    own = p.under(within(j, 1, side)).use(SOFTMAX, why="The weights are those of the head.")
    lag = own.scope
    mass = own.summed(j, 1, side, "Sum the weights over the lags.")
    one = p.show(eq(mass.formula.rhs, 1), "The sum of their quotients is 1.", whole)
    weights = lag.show(
        le(0, y(j)),
        "So the weight of a lag is positive. In particular it is not negative.",
        (own, positive, whole),
    ).for_all(j)
    sum_1 = p.show(MASS.formula, "So the weights add up to 1.", mass, one)

    entropy_is = _entropy(p, lag, own, whole, sum_1)
    same = p.show(
        eq(entropy() - mean_fall(), sp.log(falls)),
        "So the entropy less the mean fall is ln of the sum of the exp(-E_t).",
        entropy_is,
    ).image(lambda side: sp.exp(side, evaluate=False), "Take exponentials of both sides.")
    undone = exp_of_log(p, falls, "The exponential of this logarithm is the sum itself.", whole)
    attained = p.lemma(
        SLASH_CEILING.at(i=2 * side + 1, Delta=side),
        (A_LAG, NOT_NEGATIVE),
        why="In particular M is not negative. The aligned head's weight is known exactly.",
        goal=eq(best, 1 / (1 + falls + falls)),
    )
    first = p.show(
        eq(best, by_mean), "Both sides of the target have this sum.", attained, same, undone, whole
    )

    planes = p.apply(
        SLASH_MEAN_FALL,
        (NOT_NEGATIVE, BOUNDED),
        why="The mean fall is what the planes earn.",
        goal=eq(mean_fall(), earned),
    )
    equal = p.under(*INSIDE).use(EQUAL, why="Every plane with amplitude earns U per unit.")
    all_planes = equal.summed(l, 0, m - 1, "Sum this equation over the planes.")
    falls_by = p.show(
        eq(mean_fall(), total() * upper), "So the mean fall is U A.", planes, all_planes
    )
    second = p.rewrite(eq(by_mean, by_planes), "So the two exponents are equal.", falls_by)

    other = p.under(A_RIVAL)
    given = other.given(A_RIVAL, "Take another head, of at most this amplitude.")
    bound = other.lemma(
        SLASH_SOFT_CEILING.at(A=rival, varphi=rival_phase, i=row, Delta=place),
        (given, weights, sum_1, BOUNDED),
        why="The same weights on the lags bound its weight.",
    )
    less = _no_more(other, given, weights)
    exponents = exponentials(
        other,
        entropy() - total() * upper,
        entropy() - rival_total * upper,
        "So its exponent H - U B is at least that of this head.",
        less,
    )
    size = p.show(
        lt(0, sp.exp(entropy() - total() * upper)), "The exponential exp(H - U A) is positive."
    )
    most = other.show(
        le(soft(entropy() - rival_total * upper), by_planes),
        "A larger exponent leaves less weight.",
        exponents,
        size,
    )
    rest = other.show(
        le(rival_weight, best),
        "So it has no more weight than this head.",
        bound,
        most,
        first,
        second,
    )
    p.qed("This proves both equalities, and that no head is better.", first, second, rest)


def _entropy(p: Proof, lag: Scope, own: Fact, whole: Fact, mass: Fact) -> Fact:
    """H(y) is the mean fall plus ln of the sum of the exp(-E_t)."""
    log = own.image(sp.log, "Take logarithms of both sides.")
    apart = p.show(
        eq(log.formula.rhs, -energy(j) - sp.log(falls)),
        "The logarithm of the quotient is a difference.",
        whole,
    )
    term = lag.show(
        eq(-y(j) * sp.log(y(j)), y(j) * energy(j) + y(j) * sp.log(falls)),
        "So the surprise of a lag is its fall and ln of the sum.",
        log,
        apart,
    ).summed(j, 1, side, "Sum this equation over the lags.")
    return p.show(
        eq(entropy(), mean_fall() + sp.log(falls)),
        "The logarithm of the sum is a common factor. As the weights add up to 1, the "
        "entropy is the mean fall and ln of the sum.",
        (term, mass),
    )


def _no_more(other: Scope, given: Fact, weights: Fact) -> Fact:
    """U times the other head's amplitude is at most U A."""
    goal = le(rival_total * upper, total() * upper)
    some, none = other.under(le(1, m)), other.given(lt(m, 1), "Suppose that there is no plane.")
    distance = some.under(within(j, 1, side))
    sign = distance.use(weights, why="The weight of a lag is not negative.")
    term = distance.show(
        le(0, y(j) * (1 - sp.cos(theta(0) * j))),
        "So a lag adds nothing negative to what plane 0 earns.",
        sign,
    ).summed(j, 1, side, "So plane 0 earns nothing negative.")
    earns = some.use(BOUNDED, {l: 0}, why="Suppose that there is a plane. Plane 0 earns at most U.")
    with_planes = some.show(
        goal,
        "So U is not negative. So the product with the larger amplitude is larger.",
        (term, earns, given),
    )
    empty = none.scope.show(lt(m - 1, 0), "So the sums over the planes have no terms.", none)
    without = (
        none.scope.show(eq(rival_total, 0), "Then the other head has amplitude 0.", empty),
        none.scope.show(eq(total(), 0), "This head, too, has amplitude 0.", empty),
    )
    still = none.scope.show(goal, "So both sides are 0.", without)
    return other.show(goal, "This holds with and without planes.", with_planes, still)
