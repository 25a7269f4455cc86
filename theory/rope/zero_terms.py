"""A finite sum of non-negative terms that is 0 has only zero terms."""

from ropeproof.theory.derivation import Derivation, Step, generalise, instance, smt, split, termwise
from ropeproof.theory.language import *
from ropeproof.theory.notation import *

c = integer("c")

f = real_function("f")


def _zero_sum() -> Claim:
    total = over_planes(f(l))
    before, after = sp.Sum(f(l), (l, 0, c - 1)), sp.Sum(f(l), (l, c + 1, m - 1))
    upto = sp.Sum(f(l), (l, 0, c))
    goal = every(c, 0, m - 1, eq(f(c), 0))
    place = (le(0, c), le(c, m - 1))
    low, high = (le(0, l), le(l, c - 1)), (le(c + 1, l), le(l, m - 1))

    def not_negative(label: str, where: Any) -> Step:
        return Step(
            f"term {label}",
            le(0, f(l)),
            instance({l: l}),
            "No term is negative,",
            ("no term is negative",),
            (*place, *where),
        )

    return Claim(
        id="sums.zero-terms",
        title="Non-negative terms that add up to 0 are 0",
        statement=r"If $f_l\ge0$ for $0\le l<m$ and $\sum_lf_l=0$ then every $f_l=0$.",
        source=Source("textbook", "finite sums", "own"),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "no term is negative",
                every(l, 0, m - 1, le(0, f(l))),
                without=(eq(m, 2), eq(f(0), 1), eq(f(1), -1)),
            ),
            Hypothesis("the sum is 0", eq(total, 0), without=(le(1, m),)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                not_negative("before", low),
                not_negative("after", high),
                Step(
                    "sum before",
                    le(0, before),
                    termwise(),
                    "nor the sum of terms before c",
                    ("term before",),
                    place,
                ),
                Step("sum after", le(0, after), termwise(), "or after it.", ("term after",), place),
                Step("cut after", eq(total, upto + after), split(c), "Split the sum", (), place),
                Step(
                    "cut before", eq(upto, before + f(c)), split(c - 1), "at the term c.", (), place
                ),
                Step(
                    "at c",
                    le(0, f(c)),
                    instance({l: c}),
                    "The term itself is not negative either,",
                    ("no term is negative",),
                    place,
                ),
                Step(
                    "zero",
                    eq(f(c), 0),
                    smt(),
                    "so all three parts are 0.",
                    ("sum before", "sum after", "cut after", "cut before", "at c", "the sum is 0"),
                    place,
                ),
                Step("all", goal, generalise(), "For every term.", ("zero",)),
            )
        ),
        mutants=(
            Mutant("terms equal 1", every(c, 0, m - 1, eq(f(c), 1)), at=(eq(m, 1),)),
            Mutant("one term more", every(c, 0, m, eq(f(c), 0))),
        ),
    )


SUMS_ZERO_TERMS = _zero_sum()

CLAIMS = (SUMS_ZERO_TERMS,)
