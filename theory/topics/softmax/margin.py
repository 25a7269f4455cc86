"""What a margin guarantees: the normaliser split at its target, and bounds of the weight."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials

a = integer("a")
gamma = real("gamma")
w = real_function("w")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a key",
    a: "the target",
    gamma: "the margin, in logits",
    w: "logits of the keys",
}


def normaliser(logits: Callable[..., Term] = w) -> Term:
    """The sum of exp(w_j) over all n keys."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, n - 1))


def below(logits: Function = w) -> Term:
    """The part of the normaliser from keys before the target a."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, a - 1))


def above(logits: Function = w) -> Term:
    """The part of the normaliser from keys after the target a."""
    return sp.Sum(sp.exp(logits(j)), (j, a + 1, n - 1))


def weight(logits: Callable[..., Term] = w) -> Term:
    """The softmax weight of the target a."""
    return sp.exp(logits(a)) / normaliser(logits)


def partition(logits: Function = w) -> Formula:
    """Normaliser = keys before + target + keys after; every part is not negative."""
    total = below(logits) + sp.exp(logits(a)) + above(logits)
    return Both(
        eq(normaliser(logits), total),
        le(0, below(logits)),
        le(0, above(logits)),
        lt(0, normaliser(logits)),
    )


OTHER_KEY = Both(le(0, j), le(j, n - 1), ne(j, a))


def competitors(compare: Formula) -> Formula:
    """For every key j other than the target."""
    return Every((j,), If(OTHER_KEY, compare))


def bound(count: Term = n - 1, gap: Term = gamma) -> Term:
    """The weight of a target that exceeds so many competitors by the gap."""
    return 1 / (1 + count * sp.exp(-gap))


TARGET = Hypothesis(
    "the target is a key", Both(le(0, a), le(a, n - 1)), without=where({n: 2, a: 5})
)
AT_LEAST = competitors(le(w(j) + gamma, w(a)))
AT_MOST = competitors(le(w(a), w(j) + gamma))

# -- the normaliser ----------------------------------------------------------------------


@theorem(
    "softmax.partition",
    hypotheses=(TARGET,),
    conclusion=partition(),
    attack=Attack(
        {
            "target counted twice": eq(normaliser(), below() + 2 * sp.exp(w(a)) + above()),
            "target forgotten": eq(normaliser(), below() + above()),
        }
    ),
)
def SOFTMAX_PARTITION(p: Proof) -> None:
    r"""The normaliser splits at the target

    $\sum_{j<n}e^{w_j}=\sum_{j<a}e^{w_j}+e^{w_a}+\sum_{j>a}e^{w_j}$ for $0\le a<n$; no part is
    negative, and the whole is positive.
    """
    up_to_target = sp.Sum(sp.exp(w(j)), (j, 0, a))
    after = p.split(normaliser(), a, "Split the normaliser after the target.", TARGET)
    before = p.split(
        up_to_target, a - 1, "Split the target's term off the sum up to the target.", TARGET
    )
    term = p.show(le(0, sp.exp(w(j))), "The exponential of each logit is not negative.")
    low = term.summed(j, 0, a - 1, "So the sum over the keys before the target is not negative.")
    high = term.summed(
        j, a + 1, n - 1, "So the sum over the keys after the target is not negative."
    )
    p.qed(
        "The target's own term is positive, so the normaliser is positive too.",
        (after, before, low, high),
    )


# -- bounds of the weight ----------------------------------------------------------------


def _bounded_odds(lower: bool, attack: Attack) -> Claim:
    """The weight's bound from gaps that are all at least (at most) gamma."""
    result, sign = ("at least", r"\ge") if lower else ("at most", r"\le")
    gaps = Hypothesis(f"the gaps are {result} gamma", AT_LEAST if lower else AT_MOST)
    whole = 1 + (n - 1) * sp.exp(-gamma)

    def order(first: Term, second: Term) -> tuple[Term, Term]:
        return (first, second) if lower else (second, first)

    claim = Claim(
        id="softmax.margin-lower" if lower else "softmax.margin-upper",
        title=f"Gaps {result} γ: the weight is {result} 1/(1 + (n − 1) exp(−γ))",
        statement=(
            rf"If $w_a-w_j{sign}\gamma$ for every key $j\ne a$, then the softmax weight of $a$ is "
            rf"${sign}1/(1+(n-1)e^{{-\gamma}})$."
        ),
        needs=frozenset("PX"),
        hypotheses=(TARGET, gaps),
        conclusion=le(*order(bound(), weight())),
    )

    def proof(p: Proof) -> None:
        def competing(low: Term | int, high: Term, side: str) -> Fact:
            keys = p.under(within(j, low, high))
            gap = keys.use(
                gaps,
                TARGET,
                why=f"For a key {side} the hypothesis bounds the gap to the target's logit.",
            )
            ends = order(w(j), w(a) - gamma)
            term = exponentials(
                keys,
                *ends,
                "So the key's exponential compares in the same way with exp(w_a - gamma).",
                gap,
            )
            return term.summed(j, low, high, f"Sum this bound over the keys {side}.")

        parts = p.apply(SOFTMAX_PARTITION, TARGET, why="Split the normaliser at the target.")
        sums = competing(0, a - 1, "before the target"), competing(a + 1, n - 1, "after the target")
        total = p.show(
            le(*order(normaliser(), sp.exp(w(a)) * whole)),
            "The n - 1 competitors have equal bounds, so the sums are n - 1 times one. "
            f"So the normaliser is {'at most' if lower else 'at least'} the target's term "
            "times 1 + (n-1) exp(-gamma).",
            (parts, *sums, TARGET),
        )
        p.qed(
            "Both the normaliser and 1 + (n-1) exp(-gamma) are positive. Divide by these two "
            "positive numbers to bound the weight.",
            (total, parts, TARGET),
        )

    return prove(claim, proof, attack)


SOFTMAX_MARGIN_LOWER = _bounded_odds(
    True,
    Attack(
        {
            "n - 2 competitors": ge(weight(), bound(n - 2)),
            "twice the margin": ge(weight(), bound(gap=2 * gamma)),
        },
        at={"twice the margin": (le(1, gamma), le(gamma, 2), le(2, n))},
        without={TARGET: {n: 1, a: 3}},
    ),
)
SOFTMAX_MARGIN_UPPER = _bounded_odds(
    False,
    Attack(
        {"n competitors": le(weight(), bound(n)), "strict": lt(weight(), bound())},
        without={TARGET: {n: 2, a: 3}},
    ),
)

# -- both bounds at once -----------------------------------------------------------------

MARGIN_AT_LEAST = Hypothesis("the margin is at least gamma", AT_LEAST)
EQUAL_GAPS = competitors(eq(w(j) + gamma, w(a)))


@theorem(
    "softmax.margin",
    needs="PTX",
    hypotheses=(TARGET, MARGIN_AT_LEAST),
    conclusion=Both(ge(weight(), bound()), If(EQUAL_GAPS, eq(weight(), bound()))),
    attack=Attack(
        {
            "n - 2 competitors": ge(weight(), bound(n - 2)),
            "sign flipped": le(weight(), bound()),
            "never equal": lt(bound(), weight()),
        },
        without={TARGET: {n: 1, a: 3}},
    ),
)
def SOFTMAX_MARGIN(p: Proof) -> None:
    r"""A margin gives a weight

    If the target's logit exceeds each of $n-1$ competitors by at least $\gamma$, its softmax weight
    is at least $\frac1{1+(n-1)e^{-\gamma}}$, with equality if all gaps equal $\gamma$.
    """
    reached = p.apply(
        SOFTMAX_MARGIN_LOWER,
        (TARGET, MARGIN_AT_LEAST),
        why="As every competitor is lower by gamma, the weight is at least the bound.",
    )
    flat = p.under(EQUAL_GAPS)
    not_more = flat.apply(
        SOFTMAX_MARGIN_UPPER,
        TARGET,
        why="Let all gaps be equal to gamma. The gap of each competitor is then gamma. In "
        "particular the gap is at most gamma. So every competitor has a gap of at most "
        "gamma. Then the weight is at most 1/(1 + (n-1) exp(-gamma)).",
    )
    p.qed(
        "The weight is at least the bound, and equals it if all gaps are gamma.", reached, not_more
    )
