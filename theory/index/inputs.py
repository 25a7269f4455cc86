"""The margin of one plane over all inputs: the worst, what attains it, and the best."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
)
from ropeproof.theory.index.margin import limit, side
from ropeproof.theory.index.window import angle, fall, gamma, has_margin
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n
from ropeproof.theory.trigonometry.turns import r, size

x = real("x")
k = integer("k")


def _attained() -> Claim:
    turn = 2 * sp.pi / n
    goal = le(limit(n), fall(j - i, turn))
    at = ("the target is a position", "the other is a position", "they differ")
    above, below = (lt(i, j),), (lt(j, i),)
    return Claim(
        id="index.margin-attained",
        title="One turn over the length attains the best margin",
        statement=(
            r"With $\theta=\frac{2\pi}n$ every target among $n$ positions leads every other by at least "
            r"$1-\cos\frac{2\pi}n$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(at[0], Both(le(0, i), le(i, n - 1)), without=(eq(n, 3), eq(i, 4), eq(j, 1))),
            Hypothesis(at[1], Both(le(0, j), le(j, n - 1)), without=(eq(n, 3), eq(i, 1), eq(j, 4))),
            Hypothesis(at[2], ne(j, i), without=(eq(n, 3), eq(i, 1), eq(j, 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "forward",
                    le(sp.cos(2 * sp.pi * (j - i) / n), sp.cos(turn)),
                    by_claim("trig.roots", {r: j - i, size: n}),
                    "The angle between them is some n-th parts of a turn",
                    at[:2],
                    above,
                ),
                Step(
                    "backward",
                    le(sp.cos(2 * sp.pi * (i - j) / n), sp.cos(turn)),
                    by_claim("trig.roots", {r: i - j, size: n}),
                    "in either direction,",
                    at[:2],
                    below,
                ),
                Step(
                    "cosines",
                    Both(
                        eq(sp.cos((j - i) * turn), sp.cos(2 * sp.pi * (j - i) / n)),
                        eq(sp.cos((j - i) * turn), sp.cos(2 * sp.pi * (i - j) / n)),
                    ),
                    identity(),
                    "the cosine being even.",
                ),
                Step("either", goal, smt(), "So", ("forward", "backward", "cosines", at[2])),
            )
        ),
        uses=("trig.roots",),
        mutants=(
            Mutant("twice", le(2 * limit(n), fall(j - i, turn)), at=(eq(n, 5), eq(i, 1), eq(j, 2))),
            Mutant(
                "of half the length",
                le(limit(n / 2), fall(j - i, turn)),
                at=(eq(n, 5), eq(i, 1), eq(j, 2)),
            ),
        ),
    )


def _margin() -> Claim:
    turn = 2 * sp.pi / n
    query = Both(le(0, i), le(i, n - 1))
    everywhere = Every((i,), If(query, has_margin(gamma)))
    worst = If(everywhere, Both(le(gamma, limit(n)), le(gamma, 2 * sp.pi**2 / n**2)))
    attained = If(eq(angle, turn), Every((i,), If(query, has_margin(limit(n)))))
    half = sp.floor(n / 2)
    one_input = Both(le(0, i), le(i, n - 1), has_margin(gamma))
    best = Every((i,), If(one_input, le(gamma, limit(half + 1))))
    others = (le(0, j), le(j, n - 1), ne(j, i))
    is_turn = (eq(angle, turn),)
    goal = Both(worst, attained, best)
    two = "there are two positions"
    return Claim(
        id="index.margin",
        title="What one plane can index, over all inputs",
        statement=(
            r"For $n\ge2$ positions and one plane of any angle: a margin over **all** inputs is at most "
            r"$1-\cos\frac{2\pi}n\le\frac{2\pi^2}{n^2}$, and $\theta=\frac{2\pi}n$ attains "
            r"$1-\cos\frac{2\pi}n$; the margin of **any** one input is at most "
            r"$1-\cos\frac{2\pi}{\lceil(n+1)/2\rceil}$ (written with $\lfloor n/2\rfloor+1$). On one "
            r"input the margin is $\min_{1\le t\le M}(1-\cos t\theta)$, $M=\max(i,n-1-i)$ "
            r"(`index.window`)."
        ),
        needs=frozenset("PCTXW"),
        hypotheses=(Hypothesis(two, le(2, n), without=(eq(n, 1), eq(angle, 1), eq(gamma, 1))),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "all inputs",
                    everywhere,
                    smt(),
                    "If there is a margin on every input,",
                    (),
                    (everywhere,),
                ),
                Step(
                    "last input",
                    has_margin(gamma, offset=n - 1),
                    instance({i: n - 1}),
                    "there is one where the target is the first position,",
                    ("all inputs", two),
                    (everywhere,),
                ),
                Step(
                    "last bound",
                    le(gamma, limit(n - 1 + 1)),
                    by_claim("index.margin-upper", {i: n - 1, side: n - 1}),
                    "n - 1 steps away.",
                    ("last input", two),
                    (everywhere,),
                ),
                Step("same", eq(limit(n - 1 + 1), limit(n)), identity(), "That bounds it;"),
                Step(
                    "parabola",
                    le(limit(n), (2 * sp.pi / n) ** 2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: 2 * sp.pi / n}),
                    "and so does the parabola.",
                ),
                Step(
                    "square",
                    eq((2 * sp.pi / n) ** 2 / 2, 2 * sp.pi**2 / n**2),
                    identity(),
                    "(In the printed form.)",
                ),
                Step(
                    "worst",
                    worst,
                    smt(),
                    "The worst input.",
                    ("last bound", "same", "parabola", "square"),
                ),
                Step(
                    "part",
                    le(limit(n), fall(j - i, turn)),
                    by_claim("index.margin-attained"),
                    "One turn over the length leads by that much",
                    (),
                    (le(0, i), le(i, n - 1), *others),
                ),
                Step("the angle", eq(angle, turn), smt(), "at", (), is_turn),
                Step(
                    "same cosine",
                    eq(sp.cos((j - i) * angle), sp.cos((j - i) * turn)),
                    rewrite(),
                    "every",
                    ("the angle",),
                    is_turn,
                ),
                Step(
                    "each",
                    le(limit(n), fall(j - i)),
                    smt(),
                    "position",
                    ("part", "same cosine"),
                    (*is_turn, le(0, i), le(i, n - 1), *others),
                ),
                Step(
                    "one input",
                    has_margin(limit(n)),
                    generalise(),
                    "of every",
                    ("each",),
                    (*is_turn, le(0, i), le(i, n - 1)),
                ),
                Step(
                    "attained",
                    Every((i,), If(query, has_margin(limit(n)))),
                    generalise(),
                    "input.",
                    ("one input",),
                    is_turn,
                ),
                Step(
                    "half",
                    Both(le(half, n / 2), lt(n / 2, half + 1), le(1, half)),
                    smt(),
                    "On any input one side of the target",
                    (two,),
                ),
                Step("one side", Either(le(k, i), le(i + 1, k)), smt(), "(these are integers)"),
                Step(
                    "integers",
                    le(k, sp.Max(i, n - 1 - i)),
                    smt(),
                    "there are half as many or more",
                    ("one side",),
                    (le(2 * k, n),),
                ),
                Step("twice", le(2 * half, n), smt(), "so", ("half",)),
                Step(
                    "longer side",
                    le(half, sp.Max(i, n - 1 - i)),
                    instance({k: half}),
                    "has at least half of the other positions,",
                    ("integers", "twice"),
                ),
                Step(
                    "best bound",
                    le(gamma, limit(half + 1)),
                    by_claim("index.margin-upper", {side: half}),
                    "which bounds its margin.",
                    ("longer side", "half"),
                    (le(0, i), le(i, n - 1), has_margin(gamma)),
                ),
                Step("best", best, generalise(), "So for all.", ("best bound",)),
                Step("all three", goal, smt(), "Together.", ("worst", "attained", "best")),
            )
        ),
        uses=("index.margin-upper", "index.margin-attained", "trig.cosine-above-parabola"),
        mutants=(
            Mutant(
                "worst 19/n^2",
                If(everywhere, le(gamma, 19 / n**2)),
                at=(eq(n, 40), eq(angle, sp.pi / 20), eq(gamma, sp.Rational(123, 10000))),
            ),
            Mutant(
                "best as the worst",
                Every((i,), If(one_input, le(gamma, limit(n)))),
                at=(eq(n, 5), eq(angle, 2), eq(gamma, sp.Rational(14, 10))),
            ),
        ),
    )


INDEX_MARGIN_ATTAINED = _attained()
INDEX_MARGIN = _margin()

CLAIMS = (INDEX_MARGIN_ATTAINED, INDEX_MARGIN)
