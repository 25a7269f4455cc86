"""Exponential decay on both sides of a target, summed."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.topics.slash.row import offset

rate = real("lamda")
decay = sp.exp(-rate)

# -- one side ----------------------------------------------------------------------------

N_POSITIVE = Hypothesis("n is not negative", le(0, n))


def powers(count: Any) -> Any:
    """The sum of exp(-lambda j) for j = 1..count."""
    return sp.Sum(sp.exp(-rate * j), (j, 1, count))


def _closed(end: Any) -> Any:
    return eq((1 - decay) * powers(end), decay - sp.exp(-rate * (end + 1)))


_GEOMETRIC = Claim(
    id="sums.geometric",
    title="The geometric sum",
    statement=r"$(1-e^{-\lambda})\sum_{j=1}^ne^{-\lambda j}=e^{-\lambda}-e^{-\lambda(n+1)}$ "
    r"for $n\ge0$.",
    needs=frozenset("PX"),
    hypotheses=(N_POSITIVE,),
    conclusion=_closed(n),
)


def _geometric_proof(p: Proof) -> None:
    start = p.show(_closed(sp.Integer(0)), "The empty sum is 0, and so is the left side.")
    further = p.under(_closed(n), le(0, n))
    last = p.under(le(0, n)).last(
        powers(n + 1), "The sum to n + 1 has one term more than the sum to n."
    )
    power = p.show(
        eq(sp.exp(-rate * (n + 2)), decay * sp.exp(-rate * (n + 1), evaluate=False)),
        "The exponential at n + 2 is that at n + 1 times e^-lambda.",
    )
    following = further.show(
        _closed(n + 1), "So the closed form for n gives that for n + 1.", last, power
    )
    p.induction(
        p.goal,
        n,
        0,
        start,
        following,
        N_POSITIVE,
        why="The closed form follows by induction over n.",
    )


SUMS_GEOMETRIC = prove(
    _GEOMETRIC,
    _geometric_proof,
    Attack(
        {"one power less": eq((1 - decay) * powers(n), decay - sp.exp(-rate * n))},
        without={N_POSITIVE: {n: -2, rate: 2}},
    ),
)

# -- both sides --------------------------------------------------------------------------

distance = sp.Abs(j - offset)
term = sp.exp(-rate * distance)
row = sp.Sum(term, (j, 0, 2 * offset))
OFFSET_POSITIVE = Hypothesis("the offset is not negative", le(0, offset))

_TWO_SIDED = Claim(
    id="sums.two-sided-decay",
    title="Exponential decay on both sides of a target, summed",
    statement=(
        r"$(1-e^{-\lambda})\sum_{j=0}^{2\Delta}e^{-\lambda|j-\Delta|}"
        r"=1+e^{-\lambda}-2e^{-\lambda(\Delta+1)}$ for $\Delta\ge0$."
    ),
    needs=frozenset("PX"),
    hypotheses=(OFFSET_POSITIVE,),
    conclusion=eq((1 - decay) * row, 1 + decay - 2 * sp.exp(-rate * (offset + 1))),
)


def _side(p: Proof, low: Any, high: Any, far: Any, where: str) -> Fact:
    """The terms from `low` to `high` are exp(-lambda far), where `far` is the distance."""
    lag = p.under(within(j, low, high))
    away = lag.show(eq(distance, far), f"{where}.", by=rules.smt())
    power = lag.rewrite(
        eq(term, sp.exp(-rate * far)),
        "So its term is the exponential of minus lambda times this distance.",
        away,
    )
    return power.summed(j, low, high, "Sum this equation over the lags on this side.")


def _two_sided_proof(p: Proof) -> None:
    above_it = p.split(
        row, offset, "Split the sum over the lags after the target.", OFFSET_POSITIVE
    )
    upto = above_it.formula.rhs.args[0]
    here = sp.exp(-rate * sp.Abs(offset - offset, evaluate=False))
    short = sp.Sum(term, (j, 0, offset - 1))
    below_it = p.split(
        upto,
        offset - 1,
        "Split off the term of the target itself, at distance 0.",
        OFFSET_POSITIVE,
        goal=eq(upto, short + here),
    )
    below = _side(p, 0, offset - 1, offset - j, "A lag below the target is Delta - j away")
    turned = p.reindex(below.formula.rhs, "Sum from the target outwards instead of towards it.")
    above = _side(p, offset + 1, 2 * offset, j - offset, "A lag above the target is j - Delta away")
    geometric = p.lemma(
        SUMS_GEOMETRIC,
        {n: offset},
        OFFSET_POSITIVE,
        why="Each side is a geometric sum with a closed form.",
    )
    whole = p.show(
        eq(row, 1 + 2 * powers(offset)),
        "The sum consists of the target's 1 and two equal sides.",
        (above_it, below_it, below, turned, above),
    )
    p.qed("Insert the closed form of a side.", whole, geometric)


SUMS_TWO_SIDED_DECAY = prove(
    _TWO_SIDED,
    _two_sided_proof,
    Attack(
        {
            "one-sided": eq((1 - decay) * row, 1 - sp.exp(-rate * (offset + 1))),
            "one more": eq((1 - decay) * row, 1 + decay - 2 * sp.exp(-rate * offset)),
        },
        without={OFFSET_POSITIVE: {offset: -2}},
    ),
)

CLAIMS = (SUMS_GEOMETRIC, SUMS_TWO_SIDED_DECAY)
