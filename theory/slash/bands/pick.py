"""A sum against an indicator picks one term."""

from ropeproof.theory.derivation import Derivation, Step, instance, smt, split, termwise
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.bands.common import f, here, plane


def _pick() -> Claim:
    """A sum against the indicator of one index."""
    product = sp.Sum(here(l) * f(l), (l, 0, m - 1))
    upto = sp.Sum(here(l) * f(l), (l, 0, plane))
    before = sp.Sum(here(l) * f(l), (l, 0, plane - 1))
    after = sp.Sum(here(l) * f(l), (l, plane + 1, m - 1))
    is_indicator = every(l, 0, m - 1, If(ne(l, plane), eq(here(l), 0)))
    goal = eq(product, f(plane))

    def zero(label: str, *where: Any) -> tuple[Step, Step]:
        return (
            Step(
                f"indicator {label}",
                eq(here(l), 0),
                instance({l: l}),
                f"The indicator is 0 {label} the index,",
                ("it is 0 elsewhere", "the index is in the range"),
                where,
            ),
            Step(
                f"term {label}",
                eq(here(l) * f(l), 0),
                smt(),
                "as is its product.",
                (f"indicator {label}",),
                where,
            ),
        )

    return Claim(
        id="sums.pick",
        title="A sum against an indicator picks one term",
        statement=r"$\sum_l\mathbb 1[l=p]f_l=f_p$ for $0\le p<m$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "the index is in the range",
                Both(le(0, plane), le(plane, m - 1)),
                without=(eq(m, 1), eq(plane, 3), eq(f(3), 1), eq(here(0), 0), eq(here(3), 1)),
            ),
            Hypothesis("it is 1 at the index", eq(here(plane), 1)),
            Hypothesis(
                "it is 0 elsewhere",
                is_indicator,
                without=(eq(m, 2), eq(plane, 0), eq(here(0), 1), eq(here(1), 1), eq(f(1), 1)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *zero("before", le(0, l), le(l, plane - 1)),
                Step("sum before", eq(before, 0), termwise(), "Sum", ("term before",)),
                *zero("after", le(plane + 1, l), le(l, m - 1)),
                Step("sum after", eq(after, 0), termwise(), "either side.", ("term after",)),
                Step(
                    "cut after",
                    eq(product, upto + after),
                    split(plane),
                    "Split after the index",
                    ("the index is in the range",),
                ),
                Step(
                    "cut before",
                    eq(upto, before + here(plane) * f(plane)),
                    split(plane - 1),
                    "and before it.",
                    ("the index is in the range",),
                ),
                Step(
                    "picked",
                    goal,
                    smt(),
                    "Only its own term is left.",
                    ("cut after", "cut before", "sum before", "sum after", "it is 1 at the index"),
                ),
            )
        ),
        mutants=(
            Mutant("minus", eq(product, -f(plane)), at=(eq(f(plane), 1),)),
            Mutant("twice", eq(product, 2 * f(plane))),
        ),
    )


SUMS_PICK = _pick()

CLAIMS = (SUMS_PICK,)
