"""What a slash head hands on."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    axiom,
    identity,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.slash.distribution.common import p_, u_


def _composition() -> Claim:
    e, dimension = integer("e D")
    value, mass = real_function("v"), real_function("S")
    epsilon, diameter, constant, loss = real("epsilon diam Lambda loss")
    target = integer("a")

    def size(vector: Any) -> Any:
        return sp.sqrt(sp.Sum(vector**2, (e, 0, dimension - 1)))

    away = value(j, e) - value(target, e)
    output = sp.Sum(mass(j) * value(j, e), (j, 0, n - 1))
    moved_mean = sp.Sum(mass(j) * away, (j, 0, n - 1))
    one = sp.Sum(mass(j), (j, 0, n - 1))
    weighted = sp.Sum(mass(j) * size(away), (j, 0, n - 1))
    first = le(size(output - value(target, e)), epsilon * diameter)
    second = le(loss, constant * epsilon * diameter)
    goal = Both(first, second)
    upto, rest = (
        sp.Sum(mass(j) * size(away), (j, 0, target)),
        sp.Sum(mass(j) * size(away), (j, target + 1, n - 1)),
    )
    before_target = sp.Sum(mass(j) * size(away), (j, 0, target - 1))
    own_size = size(sp.Add(value(target, e), -value(target, e), evaluate=False))
    masses_before = sp.Sum(mass(j), (j, 0, target - 1))
    masses_after = sp.Sum(mass(j), (j, target + 1, n - 1))
    masses_upto = sp.Sum(mass(j), (j, 0, target))

    def side(label: str, low: Any, high: Any) -> tuple[Step, ...]:
        where = (le(low, j), le(j, high))
        return (
            Step(
                f"mass {label}",
                le(0, mass(j)),
                instance({j: j}),
                f"Keys {label} the target",
                ("weights are not negative", "the target is a key"),
                where,
            ),
            Step(
                f"near {label}",
                le(size(away), diameter),
                instance({j: j}),
                "lie within the diameter,",
                ("values lie within the diameter", "the target is a key"),
                where,
            ),
            Step(
                f"term {label}",
                le(mass(j) * size(away), mass(j) * diameter),
                smt(),
                "so their share",
                (f"mass {label}", f"near {label}"),
                where,
            ),
            Step(
                f"sum {label}",
                le(
                    sp.Sum(mass(j) * size(away), (j, low, high)),
                    sp.Sum(mass(j) * diameter, (j, low, high)),
                ),
                termwise(),
                "is at most their mass times the diameter.",
                (f"term {label}",),
            ),
            Step(
                f"factor {label}",
                eq(
                    sp.Sum(mass(j) * diameter, (j, low, high)),
                    diameter * sp.Sum(mass(j), (j, low, high)),
                ),
                identity(),
                "Take it out.",
            ),
        )

    return Claim(
        id="slash.composition",
        title="What a slash head hands on",
        statement=(
            r"If $S_{i,i-\Delta}\ge1-\epsilon$, the head's output is within $\epsilon\,\mathrm{diam}"
            r"\{W_Vx\}$ of the copied value; a $\Lambda$-Lipschitz rest of the network loses at most "
            r"$\Lambda\epsilon\,\mathrm{diam}$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                "the target is a key",
                Both(le(0, target), le(target, n - 1)),
                without=(
                    eq(n, 1),
                    eq(target, 3),
                    eq(dimension, 1),
                    eq(mass(0), 1),
                    eq(mass(3), 1),
                    eq(value(0, 0), 0),
                    eq(value(3, 0), 1),
                    eq(diameter, 1),
                    eq(epsilon, 0),
                ),
            ),
            Hypothesis(
                "weights are not negative",
                every(j, 0, n - 1, le(0, mass(j))),
                without=(
                    eq(n, 3),
                    eq(target, 0),
                    eq(dimension, 1),
                    eq(mass(0), 1),
                    eq(mass(1), 2),
                    eq(mass(2), -2),
                    eq(value(0, 0), 0),
                    eq(value(1, 0), 1),
                    eq(value(2, 0), -1),
                    eq(diameter, 1),
                    eq(epsilon, 0),
                ),
            ),
            Hypothesis(
                "weights add up to 1",
                eq(one, 1),
                without=(
                    eq(n, 2),
                    eq(target, 0),
                    eq(dimension, 1),
                    eq(mass(0), 1),
                    eq(mass(1), 1),
                    eq(value(0, 0), 0),
                    eq(value(1, 0), 1),
                    eq(diameter, 1),
                    eq(epsilon, 0),
                ),
            ),
            Hypothesis("the target's weight", le(1 - epsilon, mass(target))),
            Hypothesis(
                "values lie within the diameter", every(j, 0, n - 1, le(size(away), diameter))
            ),
            Hypothesis(
                "the Lipschitz constant is not negative",
                le(0, constant),
                without=(
                    eq(n, 1),
                    eq(target, 0),
                    eq(dimension, 1),
                    eq(constant, -1),
                    eq(epsilon, 1),
                    eq(diameter, 1),
                    eq(loss, 0),
                ),
            ),
            Hypothesis(
                "the rest is Lipschitz", le(loss, constant * size(output - value(target, e)))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "mean",
                    eq(moved_mean, output - value(target, e) * one),
                    identity(),
                    "The output's distance from the copied value",
                ),
                Step(
                    "mean term",
                    eq((output - value(target, e)) ** 2, moved_mean**2),
                    smt(),
                    "is the mean of the values' distances,",
                    ("mean", "weights add up to 1"),
                ),
                Step(
                    "square sum",
                    eq(
                        sp.Sum((output - value(target, e)) ** 2, (e, 0, dimension - 1)),
                        sp.Sum(moved_mean**2, (e, 0, dimension - 1)),
                    ),
                    termwise(),
                    "in every coordinate,",
                    ("mean term",),
                ),
                Step(
                    "norm",
                    eq(size(output - value(target, e)), size(moved_mean)),
                    rewrite(),
                    "and in norm,",
                    ("square sum",),
                ),
                Step(
                    "triangle",
                    le(size(moved_mean), weighted),
                    axiom(
                        "triangle inequality",
                        {
                            p_: sp.Lambda(j, mass(j)),
                            u_: sp.Lambda((j, e), away),
                            integer("D"): dimension,
                        },
                    ),
                    "which the triangle inequality bounds.",
                    ("weights are not negative",),
                ),
                *side("before", sp.Integer(0), target - 1),
                *side("after", target + 1, n - 1),
                Step(
                    "cut after",
                    eq(weighted, upto + rest),
                    split(target),
                    "Split at the target,",
                    ("the target is a key",),
                ),
                Step(
                    "cut before",
                    eq(upto, before_target + mass(target) * own_size),
                    split(target - 1),
                    "which is at distance",
                    ("the target is a key",),
                ),
                Step(
                    "own square",
                    eq(
                        sp.Sum(
                            (sp.Add(value(target, e), -value(target, e), evaluate=False)) ** 2,
                            (e, 0, dimension - 1),
                        ),
                        0,
                    ),
                    identity(),
                    "0",
                ),
                Step("own", eq(own_size, 0), smt(), "from itself.", ("own square",)),
                Step(
                    "mass cut after",
                    eq(one, masses_upto + masses_after),
                    split(target),
                    "Split the mass too:",
                    ("the target is a key",),
                ),
                Step(
                    "mass cut before",
                    eq(masses_upto, masses_before + mass(target)),
                    split(target - 1),
                    "what is not on the target",
                    ("the target is a key",),
                ),
                Step(
                    "little",
                    le(masses_before + masses_after, epsilon),
                    smt(),
                    "is at most epsilon.",
                    (
                        "mass cut after",
                        "mass cut before",
                        "weights add up to 1",
                        "the target's weight",
                    ),
                ),
                Step(
                    "target near",
                    le(own_size, diameter),
                    instance({j: target}),
                    "The diameter is not negative,",
                    ("values lie within the diameter", "the target is a key"),
                ),
                Step(
                    "bound",
                    first,
                    smt(),
                    "so the distance is at most epsilon times it.",
                    (
                        "norm",
                        "triangle",
                        "sum before",
                        "factor before",
                        "sum after",
                        "factor after",
                        "cut after",
                        "cut before",
                        "own",
                        "little",
                        "target near",
                    ),
                ),
                Step(
                    "loss",
                    second,
                    smt(),
                    "The rest of the network stretches that by Lambda at most.",
                    ("bound", "the rest is Lipschitz", "the Lipschitz constant is not negative"),
                ),
                Step("both", goal, smt(), "Both.", ("bound", "loss")),
            )
        ),
        mutants=(
            Mutant(
                "half of epsilon",
                le(2 * size(output - value(target, e)), epsilon * diameter),
                at=(
                    eq(n, 2),
                    eq(target, 0),
                    eq(dimension, 1),
                    eq(mass(0), sp.Rational(1, 2)),
                    eq(mass(1), sp.Rational(1, 2)),
                    eq(value(0, 0), 0),
                    eq(value(1, 0), 1),
                    eq(diameter, 1),
                    eq(epsilon, sp.Rational(1, 2)),
                ),
            ),
            Mutant("no loss", le(loss, 0)),
        ),
    )


SLASH_COMPOSITION = _composition()

CLAIMS = (SLASH_COMPOSITION,)
