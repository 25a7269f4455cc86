"""How much inverse temperature the softmax index construction needs."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.order import ORDER_TIMES
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.topics.index import window
from ropeproof.theory.topics.index.margin import INDEX_RETURN, nu, tau
from ropeproof.theory.topics.index.window import angle, fall
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import SOFTMAX_PARTITION, TARGET, a, w

beta = real("beta")
lag = integer("t")
shown = real_function("x_letter")
MEANINGS: Meanings = {
    **margin.MEANINGS,
    **window.MEANINGS,
    beta: "inverse temperature",
    shown: shown_as("x", "x", "share of a key in another token"),
}

# -- the majority ------------------------------------------------------------------------

whole = sp.Sum(shown(j) * sp.exp(w(j)), (j, 0, n - 1))
decodes = lt(whole, sp.exp(w(a)))
half = lt(sp.Rational(1, 2), margin.weight())
small = lt(margin.below() + margin.above(), sp.exp(w(a)))
SHARES = Hypothesis(
    "shares lie between 0 and 1", every(j, 0, n - 1, Both(le(0, shown(j)), le(shown(j), 1)))
)
NOT_IT = Hypothesis("not the target", eq(shown(a), 0))


@theorem(
    "index.majority",
    hypotheses=(TARGET, SHARES, NOT_IT),
    conclusion=Both(iff(small, half), If(small, decodes)),
    attack=Attack(
        {"a third": iff(small, lt(sp.Rational(1, 3), margin.weight())), "always": decodes},
        at={
            "a third": (
                *where({n: 3, a: 0, w(0): 0}),
                every(j, 1, 2, eq(w(j), sp.Rational(-1, 4))),
            ),
            "always": {n: 2, a: 0, w(0): 0, w(1): 1, shown(1): 1},
        },
        without={
            TARGET: {n: 1, a: 3, w(0): 0, w(3): 9, shown(0): 1},
            SHARES: {n: 2, a: 0, w(0): 1, w(1): 0, shown(0): 0, shown(1): 9},
            NOT_IT: {n: 2, a: 0, w(0): 1, w(1): 0, shown(0): 1, shown(1): 1},
        },
    ),
)
def INDEX_MAJORITY(p: Proof) -> None:
    r"""A target has more than half of the weight if and only if it outweighs all others together

    The target has softmax weight over $\frac12$ if and only if the others' exponentials add up to
    less than its own; then any token that other keys show, and the target does not, gets less
    weight than the target.
    """

    def shows(low: Term | int, high: Term, where: str) -> Fact:
        key = p.under(within(j, low, high))
        share = key.use(
            SHARES, TARGET, why=f"The share of a key {where} the target lies between 0 and 1."
        )
        return key.show(
            le(shown(j) * sp.exp(w(j)), sp.exp(w(j))),
            "So the key's share times its weight is at most its weight.",
            share,
        ).summed(j, low, high, f"Sum this inequality over the keys {where} the target.")

    parts = p.apply(SOFTMAX_PARTITION, TARGET, why="Split the normaliser at the target.")
    before, after = shows(0, a - 1, "before"), shows(a + 1, n - 1, "after")
    cut = p.split(whole, a, "Split the sum over all keys after the target.", TARGET)
    cut_before = p.split(
        sp.Sum(shown(j) * sp.exp(w(j)), (j, 0, a)),
        a - 1,
        "Split the target's own term off the first part.",
        TARGET,
    )
    p.qed(
        "The target's weight is over a half exactly if the others weigh less than it. The "
        "target has share 0, so the sum is less than the target's exponential. Both "
        "statements together are the claim.",
        (parts, before, after, cut, cut_before, NOT_IT),
    )


# -- at any angle ------------------------------------------------------------------------


def term(at: Term, of: Term = angle) -> Term:
    """A competitor's exponential, t steps from the target: exp(-beta (1 - cos(t theta)))."""
    return sp.exp(-beta * fall(at, of))


def rivals(offset: Term, of: Term = angle) -> tuple[Term, Term]:
    """The competitors' exponentials over the target's, of those before it and of those after it."""
    before = sp.Sum(term(j - offset, of), (j, 0, offset - 1))
    return before, sp.Sum(term(j - offset, of), (j, offset + 1, n - 1))


def competition(offset: Term, of: Term = angle) -> Term:
    """The competitors' exponentials over the target's: the sum over all other lags of the row."""
    return sp.Add(*rivals(offset, of))


def cycle(of: Term) -> Term:
    """The same for a target at one end: the sum over 1 <= t < n."""
    return sp.Sum(term(lag, of), (lag, 1, n - 1))


rate = sp.Rational(4, 1000) * (n - 1) ** 2
parts = sp.floor((n - 1) / 2) + 1
inverse = 1 / parts
THREE = Hypothesis("three positions", le(3, n))
DECODES = Hypothesis("the target decodes", lt(cycle(angle), 1))


def _two_terms(p: Proof, found: Scope, above_half: Fact) -> Fact:
    """The terms at tau and 2 tau are less than 1 together."""
    row = found.show(
        Both(le(1, tau), le(2 * tau, n - 1)),
        "Twice this lag is still a lag of the row.",
        above_half,
    )
    first, rest, middle = (
        sp.Sum(term(lag), (lag, *ends)) for ends in ((1, tau), (tau + 1, n - 1), (tau + 1, 2 * tau))
    )
    cuts = [
        found.split(total, at, why, row)
        for total, at, why in (
            (cycle(angle), tau, "Split the sum over the competitors after the lag tau."),
            (first, tau - 1, "Split the term at tau off the first part."),
            (rest, 2 * tau, "Split the second part after the lag 2 tau."),
            (middle, 2 * tau - 1, "Split the term at 2 tau off its first part."),
        )
    ]
    positive = p.show(le(0, term(lag)), "Each term, an exponential, is positive.")
    others = [
        positive.summed(lag, low, high, why)
        for low, high, why in (
            (1, tau - 1, "The sum of the terms at lags below tau is not negative."),
            (tau + 1, 2 * tau - 1, "The sum of the terms between tau and 2 tau is not negative."),
            (2 * tau + 1, n - 1, "The sum of the terms at lags above 2 tau is not negative."),
        )
    ]
    both = lt(term(tau) + term(2 * tau), 1)
    return found.show(
        both, "All competitors sum to less than 1, so these two terms do.", cuts, others, DECODES
    )


@theorem(
    "index.temperature-any",
    hypotheses=(THREE, DECODES),
    conclusion=lt(rate, beta),
    attack=Attack(
        {"1/4": lt((n - 1) ** 2 / 4, beta), "n^3": lt(sp.Rational(4, 1000) * (n - 1) ** 3, beta)},
        at={"1/4": {n: 8, angle: sp.pi / 4, beta: 9}, "n^3": {n: 40, angle: sp.pi / 20, beta: 230}},
        without={THREE: {n: 2, angle: sp.pi, beta: sp.Rational(1, 1000)}, DECODES: {n: 3, beta: 0}},
    ),
)
def INDEX_TEMPERATURE_ANY(p: Proof) -> None:
    r"""Every angle needs an inverse temperature of order n²

    For $n\ge3$ and every angle: if the target at the end of the row decodes,
    $\sum_{t=1}^{n-1}e^{-\beta(1-\cos t\theta)}<1$, then $\beta>0.0040\,(n-1)^2$. (For $n=2$ it is
    false: $\theta=\pi$, $\beta=\frac1{1000}$.)
    """
    left = tau * angle - 2 * sp.pi * nu

    above_half = p.show(
        Both(le(parts - 1, (n - 1) / 2), lt((n - 1) / 2, parts), le(2, parts)),
        "Let Q be the number just above (n - 1)/2.",
        THREE,
    )
    exists = p.apply(
        INDEX_RETURN,
        above_half,
        why="By Dirichlet's theorem some lag below Q almost returns to a whole turn.",
    )
    found = exists.body()
    two_terms = _two_terms(p, found, above_half)

    of_square = p.show(
        le(((n - 1) * inverse) ** 2, 4),
        "As n - 1 is at most 2 Q, its square is at most 4 Q^2.",
        (above_half, THREE),
    )
    square = found.show(
        le(left**2, (2 * sp.pi * inverse) ** 2), "The remaining angle is at most 2 pi / Q in size."
    )

    def large_term(times: int, so: str) -> Fact:
        """The term at so many times the lag, if beta is small."""
        lag, many = times * tau, 2 * times**2
        constant = sp.Rational(4 * 4 * many, 1000) * sp.pi**2
        parabola = p.lemma(
            TRIG_COSINE_ABOVE_PARABOLA.at(x=times * left),
            why=f"The fall at the lag {so} is at most half of the squared remaining angle.",
        )
        scaled = found.lemma(
            ORDER_TIMES.at(x=fall(lag), y=many * sp.pi**2 * inverse**2, t=(n - 1) ** 2),
            (parabola, square),
            why="So this fall is at most a constant over Q^2. Multiply the bound of the fall by "
            "(n - 1)^2.",
        )
        cold = found.under(le(beta, rate))
        beta_times = cold.lemma(
            ORDER_TIMES.at(x=beta, y=rate, t=fall(lag)),
            (parabola, square),
            why="If beta is at most (n - 1)^2/250, beta times the fall is bounded as well.",
        )
        return cold.show(
            le(-constant, -beta * fall(lag)),
            "As n - 1 is at most 2 Q, the right side is at most a constant. So the exponent "
            "is at least a constant.",
            (beta_times, scaled, of_square),
        ).image(sp.exp, "So the exponential is at least the exponential of this constant.")

    once, twice = large_term(1, "itself"), large_term(2, "and at twice it")
    too_much = p.show(
        lt(1, once.formula.lhs + twice.formula.lhs),
        "The two constants sum to more than 1, in ball arithmetic.",
        by=rules.ball(),
    )
    not_small = found.show(
        p.goal,
        "So beta at most (n - 1)^2/250 contradicts that the two terms sum to less than 1.",
        (too_much, once, twice, two_terms),
    )
    p.choose(exists, not_small, "Such a lag exists, and the bound does not depend on it.")
