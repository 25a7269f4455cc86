"""Tilted distributions: the total variation, and how large it can be."""

from ropeproof.theory.language import *
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.softmax.masses import SOFTMAX_SHARE_BOUND, SOFTMAX_TWO_MASSES, Z

epsilon = real("epsilon")
p, d, tilted = real_function("p"), real_function("d"), real_function("tau")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a key",
    epsilon: "bound of the tilts",
    p: "a distribution on the keys",
    d: "tilts of the keys",
    tilted: "1 on the keys that are tilted, else 0",
}
_mark = real_function("chi")
u = sp.exp(epsilon)
INSIDE = within(j, 0, n - 1)


def _over_keys(term: Term) -> Term:
    return sp.Sum(term, (j, 0, n - 1))


_grown = p(j) * sp.exp(d(j))
_z = _over_keys(_grown)
_change = _grown / _z - p(j)
_chi = (1 + sp.sign(_change)) / 2
_gain = _chi * _change
VARIATION = _over_keys(sp.Abs(_change)) / 2

PROBABILITIES = (
    Hypothesis("p is not negative", every(j, 0, n - 1, le(0, p(j)))),
    Hypothesis("p sums to 1", eq(_over_keys(p(j)), 1)),
)
P_LOW, P_SUM = PROBABILITIES
EPS_LOW = Hypothesis("eps is not negative", le(0, epsilon))

_limit, _marked = epsilon * tilted(j), Either(eq(tilted(j), 0), eq(tilted(j), 1))
ONLY_TILTED = every(j, 0, n - 1, Both(_marked, le(-_limit, d(j)), le(d(j), _limit)))
MASS_BOUND = le(VARIATION, _over_keys(p(j) * tilted(j)) * (u - 1))


def _sum_of_gains(proof: Proof, term: Fact) -> tuple[Fact, Fact, Fact]:
    """Z > 0, the changes add up to 0, the variation is the sum of the gains.

    `term` bounds the terms of Z from below by a multiple of p.
    """
    below = term.summed(j, 0, n - 1, "Sum this lower bound of the tilted masses over the keys.")
    positive = proof.show(lt(0, _z), "As p sums to 1, the normaliser Z is positive.", below, P_SUM)
    balance = proof.show(
        eq(_over_keys(_change), 0), "The changes add up to Z/Z - 1 = 0.", P_SUM, positive
    )
    summed = proof.show(
        eq(sp.Abs(_change), 2 * _gain - _change),
        "We have |x| = 2 chi x - x with chi = 1 for gains and 0 for losses.",
        by=smt(),
    ).summed(j, 0, n - 1, "Sum this identity over the keys.")
    gains = proof.show(
        eq(VARIATION, _over_keys(_gain)),
        "As the changes sum to 0, the variation is the sum of the gains.",
        (summed, balance),
    )
    return positive, balance, gains


# -- few keys are tilted -----------------------------------------------------------------

MARKED = Hypothesis("only marked keys are tilted", ONLY_TILTED)


@theorem(
    "softmax.tv-mass",
    hypotheses=(*PROBABILITIES, MARKED, EPS_LOW),
    conclusion=MASS_BOUND,
    attack=Attack(
        {
            "linear in eps": le(VARIATION, _over_keys(p(j) * tilted(j)) * epsilon / 2),
            "sign flipped": le(MASS_BOUND.rhs, VARIATION),
        },
        at={"linear in eps": (eq(n, 2), le(1, epsilon), every(j, 0, 0, eq(tilted(j), 1)))},
        without={P_LOW: {n: 2, p(0): 2, p(1): -1, tilted(0): 0, tilted(1): 1, epsilon: 1}},
        idle={EPS_LOW: "then no key of positive mass is marked, and nothing moves"},
    ),
)
def SOFTMAX_TV_MASS(proof: Proof) -> None:
    r"""Tilting keys of mass μ moves attention by at most μ (exp(ε) − 1)

    If only keys of mass $\mu=\sum_jp_j\tau_j$, $\tau_j\in\{0,1\}$, are tilted, by at most
    $\epsilon\ge0$ each, the total variation is at most $\mu(e^\epsilon-1)$.
    """
    key = proof.under(INSIDE)
    off, on = key.under(eq(tilted(j), 0)), key.under(eq(tilted(j), 1))
    cap, loss = p(j) * tilted(j) * (u - 1), (1 - _chi) * -_change

    large = exponentials(
        proof, 0, epsilon, "As eps is not negative, exp(eps) is at least 1.", EPS_LOW
    )
    tilt = key.use(MARKED, why="A key is marked or not, and tilted only if it is.")
    none = off.show(eq(d(j), 0), "An unmarked key has the tilt 0.", tilt, by=smt())
    one = none.image(sp.exp, "So its factor exp(d) is 1.")
    bounds = on.show(
        within(d(j), -epsilon, epsilon), "A marked key's tilt is at most eps in size.", tilt
    )
    most = exponentials(on, d(j), epsilon, "So its factor is at most exp(eps).", bounds)
    least = exponentials(
        on, -epsilon, d(j), "The factor of a marked key is at least exp(-eps).", bounds
    )
    factors = key.show(
        within(sp.exp(d(j)), 1 - tilted(j) * (u - 1), 1 + tilted(j) * (u - 1)),
        "In both cases the factor is within tau (exp(eps) - 1) of 1, since "
        "1 - exp(-eps) <= exp(eps) - 1.",
        (tilt, one, most, least, large),
    )
    mass = key.use(P_LOW, why="The probability p_j is not negative.")
    term = key.show(
        le(p(j) * sp.exp(-epsilon), _grown),
        "So the tilted mass is at least exp(-eps) times the mass.",
        (tilt, one, least, large, mass),
    )
    positive, balance, gains = _sum_of_gains(proof, term)
    moved = key.show(
        Both(le(_grown - p(j), cap), le(p(j) - _grown, cap), le(0, _grown), le(0, cap)),
        "Tilting alone moves a key's mass by at most p tau (exp(eps) - 1).",
        (factors, mass, tilt, large),
    )
    above, under = key.under(le(1, _z)), key.under(le(_z, 1))
    lowered = above.show(
        le(_grown / _z, _grown), "If Z >= 1, normalising lowers every tilted mass.", moved
    )
    gain = above.show(le(_gain, cap), "So a gain is at most p tau (exp(eps) - 1).", moved, lowered)
    raised = under.show(
        le(_grown, _grown / _z), "If Z <= 1, normalising raises every tilted mass.", moved, positive
    )
    lost = under.show(le(loss, cap), "So a loss is at most p tau (exp(eps) - 1).", moved, raised)
    proof.qed(
        "The sum of the gains equals the sum of the losses, too. Either way the variation is "
        "at most mu (exp(eps) - 1).",
        (
            gains,
            balance,
            gain.summed(j, 0, n - 1, "Sum the bound of the gains over the keys."),
            lost.summed(j, 0, n - 1, "Sum the bound of the losses over the keys."),
        ),
    )


# -- every key is tilted -----------------------------------------------------------------

first, second = 1 / (1 + u), u / (1 + u)
_z_two = first * u + second / u
ATTAINED = eq(
    (sp.Abs(first * u / _z_two - first) + sp.Abs(second / u / _z_two - second)) / 2,
    sp.tanh(epsilon / 2),
)
TILTS = Hypothesis("tilts are at most eps", every(j, 0, n - 1, within(d(j), -epsilon, epsilon)))


@theorem(
    "softmax.tv",
    role="main result",
    needs="PTX",
    hypotheses=(*PROBABILITIES, TILTS, EPS_LOW),
    conclusion=Both(le(VARIATION, sp.tanh(epsilon / 2)), ATTAINED, If(ONLY_TILTED, MASS_BOUND)),
    attack=Attack(
        {
            "half the bound": le(VARIATION, sp.tanh(epsilon / 4)),
            "never attained": lt(ATTAINED.lhs, ATTAINED.rhs),
            "tanh eps is attained": eq(ATTAINED.lhs, sp.tanh(epsilon)),
        },
        at={"tanh eps is attained": {epsilon: 1}},
        without={EPS_LOW: (eq(n, 0), lt(epsilon, 0))},
        idle={EPS_LOW: "tilts bounded by a negative number exist only where there is no key"},
    ),
)
def SOFTMAX_TV(proof: Proof) -> None:
    r"""Bounded tilts move attention by at most tanh(ε/2) in total variation

    Tilts in $[-\epsilon,\epsilon]$ of a distribution $p$, $p'_j\propto p_je^{d_j}$, change it by
    at most $\tanh(\epsilon/2)$ in total variation $\frac12\sum|p'_j-p_j|$. Two keys with
    $p_1=1/(1+e^\epsilon)$ tilted by $+\epsilon$ and $p_2=e^\epsilon/(1+e^\epsilon)$ tilted by
    $-\epsilon$ attain it. If only keys of mass $\mu=\sum_jp_j\tau_j$, $\tau_j\in\{0,1\}$, are
    tilted the change is at most $\mu(e^\epsilon-1)$.
    """
    key = proof.under(INSIDE)
    gaining, losing = _chi * p(j), (1 - _chi) * p(j)
    share = _over_keys(gaining)
    tilted_share, tilted_kept = (_over_keys(part * sp.exp(d(j))) for part in (gaining, losing))

    tilt = key.use(TILTS, why="Each tilt lies in [-eps, eps] by hypothesis.")
    most = exponentials(key, d(j), epsilon, "So its exponential is at most exp(eps).", tilt)
    least = exponentials(
        key, -epsilon, d(j), "The exponential of each tilt is at least exp(-eps).", tilt
    )
    mass = key.use(P_LOW, why="The probability p_j is not negative.")
    term = key.show(
        le(p(j) / u, _grown),
        "So the tilted mass is at least exp(-eps) times the mass.",
        (least, mass),
    )
    positive, _, gains = _sum_of_gains(proof, term)

    chi = proof.show(within(_chi, 0, 1), "The mark chi lies between 0 and 1.")
    grows = key.show(
        le(gaining * sp.exp(d(j)), u * gaining),
        "Tilting makes a gaining key's mass grow by a factor of at most exp(eps).",
        (chi, most, mass),
    ).summed(j, 0, n - 1, "Sum this bound over the gaining keys.")
    shrinks = key.show(
        le(losing / u, losing * sp.exp(d(j))),
        "Tilting leaves any other key at least exp(-eps) times its mass.",
        (chi, least, mass),
    ).summed(j, 0, n - 1, "Sum this bound over the keys that do not gain.")

    def not_negative(part: Term, why: str) -> Fact:
        return key.show(le(0, part), why, chi, mass).summed(
            j, 0, n - 1, "Sum these numbers, which are not negative, over the keys."
        )

    gained = not_negative(gaining, "The mass of a gaining key is not negative.")
    lost = not_negative(losing, "The mass of a key that does not gain is not negative.")
    grown = not_negative(
        gaining * sp.exp(d(j)), "The tilted mass of a gaining key is not negative."
    )
    with_mark, rest = _mark(j) * p(j), (1 - _mark(j)) * p(j)
    each = proof.show(
        Both(
            eq(_over_keys(with_mark) + _over_keys(rest), _over_keys(p(j))),
            eq(
                _over_keys(with_mark * sp.exp(d(j))) + _over_keys(rest * sp.exp(d(j))),
                _over_keys(_grown),
            ),
            eq(
                _over_keys(_mark(j) * (_grown / Z - p(j))),
                _over_keys(with_mark * sp.exp(d(j))) / Z - _over_keys(with_mark),
            ),
        ),
        "However keys are marked, each sum is the sum of its marked and unmarked parts.",
    )
    apart = proof.use(
        each,
        {_mark: sp.Lambda(j, _chi), Z: _z},
        why="Take the mark chi, which is 1 for gains, and the normaliser for Z.",
    )
    large = exponentials(
        proof, 0, epsilon, "As eps is not negative, exp(eps) is at least 1.", EPS_LOW
    )
    scaled = proof.show(
        Both(le(tilted_share, u * share), le(1 - share, u * tilted_kept), within(share, 0, 1)),
        "The masses sum to 1, and their tilted values to Z. With A the gaining mass, X <= A "
        "exp(eps) and Y >= (1 - A) exp(-eps).",
        (grows, shrinks, gained, lost, apart, P_SUM),
    )
    worst = proof.apply(
        SOFTMAX_TWO_MASSES,
        (scaled, large, grown),
        why="The gain X/(X+Y) - A is largest at A = 1/(1 + exp(eps)).",
    )
    bounded = proof.apply(
        SOFTMAX_SHARE_BOUND,
        (worst, apart, P_SUM, large, positive),
        why="So the gains are at most (exp(eps) - 1)/(exp(eps) + 1).",
    )
    tanh = proof.show(
        eq((u - 1) / (u + 1), sp.tanh(epsilon / 2)),
        "The fraction (exp(eps) - 1)/(exp(eps) + 1) is tanh(eps/2).",
        by=smt(),
    )
    few = proof.under(ONLY_TILTED).apply(
        SOFTMAX_TV_MASS,
        (*PROBABILITIES, EPS_LOW),
        why="If only marked keys are tilted, their mass bounds the change.",
    )
    proof.qed(
        "For the two keys of the example the normaliser is 1. The two masses change by "
        "tanh(eps/2) each, so the variation is tanh(eps/2). This proves the bound, its "
        "equality case and the bound by the tilted mass.",
        (gains, bounded, tanh, large, few),
    )
