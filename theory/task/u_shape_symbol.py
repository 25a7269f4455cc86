"""The simplified symbolic construction: the weight of its target by where the target stands."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.task.u_shape_index import PLACE, SCALE, beta, ell
from ropeproof.theory.trigonometry.turns import x, y


def nu(at: Any) -> Any:
    """What a location other than the target's adds to the normaliser."""
    return sp.exp(-beta * sp.sin(sp.pi * at / n))


def symbol_weight(at: Any) -> Any:
    """The weight of the target at this location."""
    own = sp.exp(beta * sp.sin(sp.pi * at / n))
    others = sp.Sum(nu(j), (j, 0, at - 1)) + sp.Sum(nu(j), (j, at + 1, n - 1))
    return own / (own + others)


def _symbol() -> Claim:
    total = sp.Sum(nu(j), (j, 0, n - 1))
    nxt = ell + 1

    def inverse(at: Any) -> Any:
        return 1 + total * nu(at) - nu(at) ** 2

    here, there = symbol_weight(ell), symbol_weight(nxt)
    rising, falling, middle = lt(2 * ell + 1, n), lt(n, 2 * ell + 1), eq(2 * ell + 1, n)
    difference = eq(inverse(nxt) - inverse(ell), (nu(nxt) - nu(ell)) * (total - nu(ell) - nu(nxt)))
    parts = (
        Both(eq(1 / here, inverse(ell)), eq(1 / there, inverse(nxt))),
        difference,
        If(rising, lt(here, there)),
        If(falling, lt(there, here)),
        If(middle, eq(there, here)),
    )
    goal = Both(*parts)
    names = (PLACE.name, "there is a third location")
    sine, next_sine = sp.sin(sp.pi * ell / n), sp.sin(sp.pi * nxt / n)
    mid, half = sp.pi * (2 * ell + 1) / (2 * n), sp.pi / (2 * n)

    def reading(label: str, at: Any) -> tuple[Step, ...]:
        """1/w at one location."""
        upto, after = sp.Sum(nu(j), (j, 0, at)), sp.Sum(nu(j), (j, at + 1, n - 1))
        before = sp.Sum(nu(j), (j, 0, at - 1))
        own = sp.exp(beta * sp.sin(sp.pi * at / n))
        return (
            Step(
                f"cut after, {label}",
                eq(total, upto + after),
                split(at),
                "Cut the sum after",
                (names[0],),
            ),
            Step(
                f"cut before, {label}",
                eq(upto, before + nu(at)),
                split(at - 1),
                "and before the location;",
                (names[0],),
            ),
            Step(f"none before, {label}", le(0, before), termwise(), "no part", ("not negative",)),
            Step(
                f"none after, {label}", le(0, after), termwise(), "is negative,", ("not negative",)
            ),
            Step(f"undone, {label}", eq(own * nu(at), 1), identity(), "the target's term is 1/nu,"),
            Step(
                f"reading, {label}",
                Both(eq(1 / symbol_weight(at), inverse(at)), lt(0, symbol_weight(at))),
                smt(),
                "so 1/w is as claimed.",
                tuple(
                    f"{step}, {label}"
                    for step in ("cut after", "cut before", "none before", "none after", "undone")
                ),
            ),
        )

    def side(label: str, where: Any, low: Any, word: str) -> tuple[Step, ...]:
        """The sign of the cosine in the middle of two locations on one side."""
        sign = sp.cos(mid) if label == "rising" else -sp.cos(mid)
        smaller, larger = (ell, nxt) if label == "rising" else (nxt, ell)
        first, second = (sine, next_sine) if label == "rising" else (next_sine, sine)
        return (
            Step(
                f"where, {label}",
                Both(lt(0, low), lt(low, sp.pi)),
                smt(),
                f"{word} the middle",
                ("share", names[0]),
                (where,),
            ),
            Step(
                f"sine, {label}",
                lt(0, sp.sin(low)),
                by_claim("trig.sine-positive", {x: low}),
                "the cosine halfway",
                (f"where, {label}",),
                (where,),
            ),
            Step(f"cosine, {label}", eq(sp.sin(low), sign), identity(), "has its sign,"),
            Step(
                f"sines, {label}",
                lt(first, second),
                smt(),
                "so the sine moves with it,",
                ("product", "half", f"sine, {label}", f"cosine, {label}"),
                (where,),
            ),
            Step(
                f"scaled, {label}",
                lt(-beta * second, -beta * first),
                smt(),
                "scaled or not,",
                (f"sines, {label}", SCALE.name),
                (where,),
            ),
            Step(
                f"exponentials, {label}",
                lt(nu(larger), nu(smaller)),
                by_claim("exp.strictly-monotone", {x: -beta * second, y: -beta * first}),
                "and nu against it:",
                (f"scaled, {label}",),
                (where,),
            ),
            Step(
                f"inverse, {label}",
                lt(inverse(larger), inverse(smaller)),
                smt(),
                "1/w moves with nu,",
                (f"exponentials, {label}", "difference", "rest"),
                (where,),
            ),
            Step(
                f"reciprocal, {label}",
                lt(1 / symbol_weight(larger), 1 / symbol_weight(smaller)),
                smt(),
                "and",
                (f"inverse, {label}", "reading, here", "reading, there"),
                (where,),
            ),
            Step(
                f"weight, {label}",
                lt(symbol_weight(smaller), symbol_weight(larger)),
                instance({x: symbol_weight(smaller), y: symbol_weight(larger)}),
                "w against it.",
                ("order", f"reciprocal, {label}", "reading, here", "reading, there"),
                (where,),
            ),
        )

    low, high = sp.Sum(nu(j), (j, 0, ell - 1)), sp.Sum(nu(j), (j, ell + 2, n - 1))
    upto = sp.Sum(nu(j), (j, 0, ell + 1))
    return Claim(
        id="task.u-shape-symbol",
        title="The simplified symbolic construction weighs its target most in the middle",
        statement=(
            r"With $\nu(j)=e^{-\beta\sin(\pi j/n)}$, $\beta>0$, and $S=\sum_{j<n}\nu(j)$ the target at "
            r"location $\ell$, whose term is $e^{\beta\sin(\pi\ell/n)}$ among the $\nu(j)$, $j\ne\ell$, has "
            r"weight $w(\ell)$ with "
            r"$1/w(\ell)=1+S\nu(\ell)-\nu(\ell)^2$, and $1/w(\ell+1)-1/w(\ell)=(\nu(\ell+1)-\nu(\ell))"
            r"(S-\nu(\ell)-\nu(\ell+1))$. For $n\ge3$ the weight rises from $\ell$ to $\ell+1$ while "
            r"$2\ell+1<n$, falls when $2\ell+1>n$ and stays the same where the two are equal."
        ),
        source=DECOUPLE.at("Thm 7", "own"),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(SCALE.name, SCALE.formula, without=(eq(n, 4), eq(ell, 0), eq(beta, -1))),
            Hypothesis(PLACE.name, PLACE.formula, without=(eq(n, 3), eq(ell, -2), eq(beta, 1))),
            Hypothesis(
                names[1],
                le(3, n),
                unshown="for n = 2 both weights are equal, a tie that drawn instances cannot decide",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("positive", lt(0, nu(j)), smt(), "Exponentials are positive,"),
                Step("not negative", le(0, nu(j)), smt(), "so not negative.", ("positive",)),
                *reading("here", ell),
                *reading("there", nxt),
                Step("difference", difference, identity(), "The difference is a product."),
                Step(
                    "cut", eq(total, upto + high), split(ell + 1), "The second factor", (names[0],)
                ),
                Step(
                    "cut again",
                    eq(upto, sp.Sum(nu(j), (j, 0, ell)) + nu(nxt)),
                    split(ell),
                    "is the sum",
                    (names[0],),
                ),
                Step(
                    "and again",
                    eq(sp.Sum(nu(j), (j, 0, ell)), low + nu(ell)),
                    split(ell - 1),
                    "over the other locations.",
                    (names[0],),
                ),
                Step("low", le(0, low), termwise(), "None", ("not negative",)),
                Step("high", le(0, high), termwise(), "is negative,", ("not negative",)),
                Step(
                    "some low",
                    lt(0, low),
                    termwise(),
                    "there is one before",
                    ("positive",),
                    (le(1, ell),),
                ),
                Step(
                    "some high",
                    lt(0, high),
                    termwise(),
                    "or after,",
                    ("positive",),
                    (le(ell, n - 3),),
                ),
                Step("first or not", le(1, ell), smt(), "as", (), (lt(0, ell),)),
                Step(
                    "rest",
                    lt(0, total - nu(ell) - nu(nxt)),
                    smt(),
                    "so it is positive.",
                    (
                        "cut",
                        "cut again",
                        "and again",
                        "low",
                        "high",
                        "some low",
                        "some high",
                        "first or not",
                        *names,
                    ),
                ),
                Step(
                    "share",
                    Both(lt(0, 1 / n), eq(n * (1 / n), 1), lt(0, sp.pi * (1 / n))),
                    smt(),
                    "n is positive.",
                    (names[1],),
                ),
                Step(
                    "halfway",
                    Both(lt(0, half), lt(half, sp.pi)),
                    smt(),
                    "Half a step",
                    ("share", names[1]),
                ),
                Step(
                    "half",
                    lt(0, sp.sin(half)),
                    by_claim("trig.sine-positive", {x: half}),
                    "has a positive sine.",
                    ("halfway",),
                ),
                Step(
                    "product",
                    eq(next_sine - sine, 2 * sp.cos(mid) * sp.sin(half)),
                    identity(),
                    "A difference of sines is a product.",
                    (names[1],),
                ),
                Step(
                    "order",
                    lt(x, y),
                    smt(),
                    "Reciprocals turn the order round",
                    (),
                    (lt(0, x), lt(0, y), lt(1 / y, 1 / x)),
                ),
                Step(
                    "equals",
                    eq(x, y),
                    smt(),
                    "and keep equals equal.",
                    (),
                    (lt(0, x), lt(0, y), eq(1 / x, 1 / y)),
                ),
                *side("rising", rising, sp.pi / 2 - mid, "Before"),
                *side("falling", falling, mid - sp.pi / 2, "After"),
                Step(
                    "right angle", eq(mid, sp.pi / 2), smt(), "In the middle", ("share",), (middle,)
                ),
                Step(
                    "no cosine",
                    eq(sp.cos(mid), sp.cos(sp.pi / 2, evaluate=False)),
                    rewrite(),
                    "the cosine",
                    ("right angle",),
                    (middle,),
                ),
                Step("is 0", eq(sp.cos(sp.pi / 2, evaluate=False), 0), identity(), "is 0,"),
                Step(
                    "same sine",
                    eq(next_sine, sine),
                    smt(),
                    "the sines agree",
                    ("product", "no cosine", "is 0"),
                    (middle,),
                ),
                Step(
                    "same nu",
                    eq(nu(nxt), nu(ell)),
                    rewrite(),
                    "and so do",
                    ("same sine",),
                    (middle,),
                ),
                Step(
                    "same inverse",
                    eq(1 / there, 1 / here),
                    smt(),
                    "the inverse weights",
                    ("same nu", "reading, here", "reading, there"),
                    (middle,),
                ),
                Step(
                    "same weight",
                    eq(there, here),
                    instance({x: there, y: here}),
                    "and the weights.",
                    ("equals", "same inverse", "reading, here", "reading, there"),
                    (middle,),
                ),
                Step(
                    "all",
                    goal,
                    smt(),
                    "Together.",
                    (
                        "reading, here",
                        "reading, there",
                        "difference",
                        "weight, rising",
                        "weight, falling",
                        "same weight",
                    ),
                ),
            )
        ),
        uses=("trig.sine-positive", "exp.strictly-monotone"),
        mutants=(
            Mutant("always rises", lt(here, there), at=(eq(n, 4), eq(ell, 2), eq(beta, 1))),
            Mutant("always falls", lt(there, here), at=(eq(n, 4), eq(ell, 0), eq(beta, 1))),
            Mutant("no square", eq(1 / here, 1 + total * nu(ell))),
        ),
    )


TASK_U_SHAPE_SYMBOL = _symbol()

CLAIMS = (TASK_U_SHAPE_SYMBOL,)
