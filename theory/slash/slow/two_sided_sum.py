"""Exponential decay on both sides of a target, summed."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    induction,
    reindex,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.slow.common import rate


def _geometric() -> Claim:
    powers = sp.Sum(sp.exp(-rate * j), (j, 1, n))

    def until(end: Any) -> Any:
        return eq(
            (1 - sp.exp(-rate)) * sp.Sum(sp.exp(-rate * j), (j, 1, end)),
            sp.exp(-rate) - sp.exp(-rate * (end + 1)),
        )

    goal = until(n)
    return Claim(
        id="sums.geometric",
        title="The geometric sum",
        statement=r"$(1-e^{-\lambda})\sum_{j=1}^ne^{-\lambda j}=e^{-\lambda}-e^{-\lambda(n+1)}$ "
        r"for $n\ge0$.",
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("n is not negative", le(0, n), without=(eq(n, -2), eq(rate, 2))),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("start", until(sp.Integer(0)), identity(), "Nothing to sum."),
                Step(
                    "last",
                    eq(sp.Sum(sp.exp(-rate * j), (j, 1, n + 1)), powers + sp.exp(-rate * (n + 1))),
                    split(n),
                    "One more term",
                    (),
                    (le(0, n),),
                ),
                Step(
                    "power",
                    eq(
                        sp.exp(-rate * (n + 2)),
                        sp.exp(-rate) * sp.exp(-rate * (n + 1), evaluate=False),
                    ),
                    identity(),
                    "is one more factor,",
                ),
                Step(
                    "next",
                    until(n + 1),
                    smt(),
                    "which moves the end by one.",
                    ("last", "power"),
                    (goal, le(0, n)),
                ),
                Step(
                    "all",
                    goal,
                    induction(n, 0),
                    "Induction over n.",
                    ("start", "next", "n is not negative"),
                ),
            )
        ),
        mutants=(
            Mutant(
                "one power less",
                eq((1 - sp.exp(-rate)) * powers, sp.exp(-rate) - sp.exp(-rate * n)),
            ),
        ),
    )


def _two_sided_sum() -> Claim:
    """The sum of exp(-lambda |j - Delta|) over a two-sided row, in closed form."""
    distance = sp.Abs(j - offset)
    term = sp.exp(-rate * distance)
    row = sp.Sum(term, (j, 0, 2 * offset))
    upto, below = sp.Sum(term, (j, 0, offset)), sp.Sum(term, (j, 0, offset - 1))
    above = sp.Sum(term, (j, offset + 1, 2 * offset))
    down, up = sp.exp(-rate * (offset - j)), sp.exp(-rate * (j - offset))
    powers = sp.Sum(sp.exp(-rate * j), (j, 1, offset))
    decay = sp.exp(-rate)
    goal = eq((1 - decay) * row, 1 + decay - 2 * sp.exp(-rate * (offset + 1)))
    inside_below = (le(0, j), le(j, offset - 1))
    inside_above = (le(offset + 1, j), le(j, 2 * offset))
    here = sp.exp(-rate * sp.Abs(offset - offset, evaluate=False))
    return Claim(
        id="sums.two-sided-decay",
        title="Exponential decay on both sides of a target, summed",
        statement=(
            r"$(1-e^{-\lambda})\sum_{j=0}^{2\Delta}e^{-\lambda|j-\Delta|}"
            r"=1+e^{-\lambda}-2e^{-\lambda(\Delta+1)}$ for $\Delta\ge0$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the offset is not negative", le(0, offset), without=(eq(offset, -2),)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "cut above",
                    eq(row, upto + above),
                    split(offset),
                    "Split the sum at the target,",
                    ("the offset is not negative",),
                ),
                Step(
                    "cut below",
                    eq(upto, below + here),
                    split(offset - 1),
                    "which itself gives 1.",
                    ("the offset is not negative",),
                ),
                Step(
                    "below distance",
                    eq(distance, offset - j),
                    smt(),
                    "Below the target the distance is Delta - j,",
                    (),
                    inside_below,
                ),
                Step(
                    "below term",
                    eq(term, down),
                    rewrite(),
                    "so the terms",
                    ("below distance",),
                    inside_below,
                ),
                Step(
                    "below sum",
                    eq(below, sp.Sum(down, (j, 0, offset - 1))),
                    termwise(),
                    "are powers of exp(-lambda)",
                    ("below term",),
                ),
                Step(
                    "below turned",
                    eq(
                        sp.Sum(down, (j, 0, offset - 1)),
                        sp.Sum(sp.exp(-rate * (j + 1)), (j, 0, offset - 1)),
                    ),
                    reindex(),
                    "from the target outwards,",
                ),
                Step(
                    "below powers",
                    eq(sp.Sum(sp.exp(-rate * (j + 1)), (j, 0, offset - 1)), powers),
                    identity(),
                    "the first Delta of them.",
                ),
                Step(
                    "above distance",
                    eq(distance, j - offset),
                    smt(),
                    "Above it the distance is j - Delta,",
                    (),
                    inside_above,
                ),
                Step(
                    "above term",
                    eq(term, up),
                    rewrite(),
                    "so the terms",
                    ("above distance",),
                    inside_above,
                ),
                Step(
                    "above sum",
                    eq(above, sp.Sum(up, (j, offset + 1, 2 * offset))),
                    termwise(),
                    "are",
                    ("above term",),
                ),
                Step(
                    "above powers",
                    eq(sp.Sum(up, (j, offset + 1, 2 * offset)), powers),
                    identity(),
                    "the same powers.",
                ),
                Step(
                    "geometric",
                    eq((1 - decay) * powers, decay - sp.exp(-rate * (offset + 1))),
                    by_claim("sums.geometric", {n: offset}),
                    "Each side is a geometric sum.",
                    ("the offset is not negative",),
                ),
                Step(
                    "row",
                    eq(row, 1 + 2 * powers),
                    smt(),
                    "The target and both sides",
                    (
                        "cut above",
                        "cut below",
                        "below sum",
                        "below turned",
                        "below powers",
                        "above sum",
                        "above powers",
                    ),
                ),
                Step("closed", goal, smt(), "give the closed form.", ("row", "geometric")),
            )
        ),
        uses=("sums.geometric",),
        mutants=(
            Mutant("one-sided", eq((1 - decay) * row, 1 - sp.exp(-rate * (offset + 1)))),
            Mutant("one more", eq((1 - decay) * row, 1 + decay - 2 * sp.exp(-rate * offset))),
        ),
    )


SUMS_GEOMETRIC = _geometric()
SUMS_TWO_SIDED_DECAY = _two_sided_sum()

CLAIMS = (SUMS_GEOMETRIC, SUMS_TWO_SIDED_DECAY)
