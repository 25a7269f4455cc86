"""The index construction: the weight of its target by where the target stands."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.trigonometry.turns import x, y

ell = integer("ell")
theta, beta = real("theta beta")
PLACE = Hypothesis("both locations are in the sequence", Both(le(0, ell), le(ell, n - 2)))


SCALE = Hypothesis(
    "the scale is positive", lt(0, beta), without=(eq(n, 4), eq(ell, 0), eq(beta, -1), eq(theta, 1))
)


def mass(at: Any) -> Any:
    """The exponentials of all positions if the target is at this location."""
    return sp.Sum(sp.exp(beta * sp.cos(theta * (j - at))), (j, 0, n - 1))


def index_weight(at: Any) -> Any:
    """The weight of the target at this location."""
    return sp.exp(beta) / mass(at)


def _index() -> Claim:
    before, after = theta * (ell + 1), theta * (n - 1 - ell)
    shared = sp.Sum(sp.exp(beta * sp.cos(theta * (j - ell))), (j, 0, n - 2))
    moved = sp.Sum(sp.exp(beta * sp.cos(theta * (j - ell))), (j, -1, n - 2))
    difference = eq(
        mass(ell + 1) - mass(ell), sp.exp(beta * sp.cos(before)) - sp.exp(beta * sp.cos(after))
    )
    gains, loses = lt(ell + 1, n - 1 - ell), lt(n - 1 - ell, ell + 1)
    middle = eq(ell + 1, n - 1 - ell)
    here, there = index_weight(ell), index_weight(ell + 1)
    parts = (
        difference,
        If(gains, lt(there, here)),
        If(loses, lt(here, there)),
        If(middle, eq(there, here)),
    )
    goal = Both(*parts)
    names = (PLACE.name, "theta is positive", "less than a turn over the sequence")

    def fall(label: str, low: Any, high: Any, where: tuple[Any, ...]) -> tuple[Step, ...]:
        """exp cos falls from the smaller to the larger angle."""
        return (
            Step(
                f"angles, {label}",
                Both(le(0, low), lt(low, high), lt(low + high, 2 * sp.pi)),
                smt(),
                "Of the two angles",
                names,
                where,
            ),
            Step(
                f"cosines, {label}",
                lt(sp.cos(high), sp.cos(low)),
                by_claim("trig.cosine-strictly-decreasing", {x: low, y: high}),
                "the smaller has the larger cosine",
                (f"angles, {label}",),
                where,
            ),
            Step(
                f"scaled, {label}",
                lt(beta * sp.cos(high), beta * sp.cos(low)),
                smt(),
                "and logit",
                (f"cosines, {label}", SCALE.name),
                where,
            ),
            Step(
                f"exponentials, {label}",
                lt(sp.exp(beta * sp.cos(high)), sp.exp(beta * sp.cos(low))),
                by_claim("exp.strictly-monotone", {x: beta * sp.cos(high), y: beta * sp.cos(low)}),
                "and exponential,",
                (f"scaled, {label}",),
                where,
            ),
        )

    return Claim(
        id="task.u-shape-index",
        title="The index construction weighs its target least in the middle",
        statement=(
            r"With $Z(\ell)=\sum_{j<n}e^{\beta\cos\theta(j-\ell)}$ the target's weight at location $\ell$ "
            r"is $e^\beta/Z(\ell)$, and "
            r"$Z(\ell+1)-Z(\ell)=e^{\beta\cos\theta(\ell+1)}-e^{\beta\cos\theta(n-1-\ell)}$. For $\beta>0$ "
            r"and $0<\theta<2\pi/n$ the weight falls from $\ell$ to $\ell+1$ while $\ell+1<n-1-\ell$, and "
            r"rises when $\ell+1>n-1-\ell$; it stays the same where the two are equal."
        ),
        source=DECOUPLE.at("Thm 7", "own"),
        needs=frozenset("PX"),
        hypotheses=(
            SCALE,
            Hypothesis(
                PLACE.name, PLACE.formula, without=(eq(n, 2), eq(ell, 2), eq(beta, 1), eq(theta, 3))
            ),
            Hypothesis(
                names[1], lt(0, theta), without=(eq(n, 4), eq(ell, 0), eq(beta, 1), eq(theta, 0))
            ),
            Hypothesis(
                names[2],
                lt(n * theta, 2 * sp.pi),
                without=(eq(n, 4), eq(ell, 0), eq(beta, 1), eq(theta, sp.Rational(9, 5))),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "moved",
                    eq(mass(ell + 1), moved),
                    identity(),
                    "Moving the target moves the window of distances by one:",
                ),
                Step(
                    "first",
                    eq(moved, sp.exp(beta * sp.cos(theta * (-1 - ell))) + shared),
                    split(-1),
                    "it gains a distance at one end",
                    (names[0],),
                ),
                Step(
                    "last",
                    eq(mass(ell), shared + sp.exp(beta * sp.cos(theta * (n - 1 - ell)))),
                    split(n - 2),
                    "and loses one at the other.",
                    (names[0],),
                ),
                Step(
                    "mirror",
                    eq(sp.exp(beta * sp.cos(theta * (-1 - ell))), sp.exp(beta * sp.cos(before))),
                    identity(),
                    "The cosine is even.",
                ),
                Step(
                    "difference",
                    difference,
                    smt(),
                    "So much for the difference.",
                    ("moved", "first", "last", "mirror"),
                ),
                Step(
                    "term", lt(0, sp.exp(beta * sp.cos(theta * (j - ell)))), smt(), "Exponentials"
                ),
                Step(
                    "positive here",
                    lt(0, mass(ell)),
                    termwise(),
                    "are positive,",
                    ("term", names[0]),
                ),
                Step(
                    "term there",
                    lt(0, sp.exp(beta * sp.cos(theta * (j - (ell + 1))))),
                    smt(),
                    "all of them,",
                ),
                Step(
                    "positive there",
                    lt(0, mass(ell + 1)),
                    termwise(),
                    "at either location.",
                    ("term there", names[0]),
                ),
                *fall("before", before, after, (gains,)),
                Step(
                    "falls",
                    parts[1],
                    smt(),
                    "so before the middle the mass grows and the weight falls.",
                    ("difference", "exponentials, before", "positive here", "positive there"),
                ),
                *fall("after", after, before, (loses,)),
                Step(
                    "rises",
                    parts[2],
                    smt(),
                    "so after the middle it is the other way round.",
                    ("difference", "exponentials, after", "positive here", "positive there"),
                ),
                Step("equal", eq(before, after), smt(), "In the middle", (), (middle,)),
                Step(
                    "same",
                    eq(sp.exp(beta * sp.cos(before)), sp.exp(beta * sp.cos(after))),
                    rewrite(),
                    "nothing changes.",
                    ("equal",),
                    (middle,),
                ),
                Step(
                    "same mass",
                    eq(mass(ell + 1), mass(ell)),
                    smt(),
                    "The mass stays",
                    ("difference", "same"),
                    (middle,),
                ),
                Step(
                    "stays",
                    eq(there, here),
                    rewrite(),
                    "and so does the weight.",
                    ("same mass",),
                    (middle,),
                ),
                Step("all", goal, smt(), "Together.", ("difference", "falls", "rises", "stays")),
            )
        ),
        uses=("trig.cosine-strictly-decreasing", "exp.strictly-monotone"),
        mutants=(
            Mutant(
                "always falls",
                lt(there, here),
                at=(eq(n, 4), eq(ell, 2), eq(beta, 1), eq(theta, 1)),
            ),
            Mutant(
                "falls one step longer",
                If(lt(ell, n - ell), lt(there, here)),
                at=(eq(n, 5), eq(ell, 2), eq(beta, 1), eq(theta, 1)),
            ),
            Mutant(
                "twice the difference",
                eq(
                    mass(ell + 1) - mass(ell),
                    2 * (sp.exp(beta * sp.cos(before)) - sp.exp(beta * sp.cos(after))),
                ),
                at=(eq(n, 4), eq(ell, 0), eq(beta, 1), eq(theta, 1)),
            ),
        ),
    )


TASK_U_SHAPE_INDEX = _index()

CLAIMS = (TASK_U_SHAPE_INDEX,)
