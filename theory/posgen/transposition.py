"""Keys that move a little, or little attention that moves: what displaced positions change."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, n, over_planes, s, theta
from ropeproof.theory.posgen.additive.common import SPEED
from ropeproof.theory.posgen.plane import SCALE, a, c, part, phi, psi
from ropeproof.theory.posgen.plane import size as radius
from ropeproof.theory.softmax.variation import CLAIMS as VARIATIONS
from ropeproof.theory.softmax.variation import PROBABILITIES, VARIATION, d, epsilon, p, tilted

reach, x, y, factor = real("Delta x y t")
aligned, crossed, size = real_function("a"), real_function("c"), real_function("R")
lag, shift = real_function("t"), real_function("shift")
A, C, R = aligned(j, l), crossed(j, l), size(j, l)
KEYS, PLANES = (le(0, j), le(j, n - 1)), (le(0, l), le(l, m - 1))


def _transposition() -> Claim:
    here, there = theta(l) * lag(j), theta(l) * (lag(j) + shift(j))
    moved = part(there, A, C) - part(here, A, C)
    turn = sp.Min(2, theta(l) * reach)
    term = s * moved
    change = over_planes(term)
    sizes = Both(le(0, R), eq(R**2, A**2 + C**2))
    mark = Both(Either(eq(tilted(j), 0), eq(tilted(j), 1)), le(sp.Abs(shift(j)), reach * tilted(j)))
    names = (
        "R is the planes' size",
        "marked keys are displaced by at most Delta, others not",
        "d is the change of the logit",
        "eps bounds the change of every key",
    )
    total = over_planes(s * (R * turn))
    tilt = Both(le(-epsilon * tilted(j), d(j)), le(d(j), epsilon * tilted(j)))
    tanh = le(VARIATION, sp.tanh(epsilon / 2))
    mass = le(VARIATION, (sp.exp(epsilon) - 1) * sp.Sum(p(j) * tilted(j), (j, 0, n - 1)))
    goal = Both(tanh, mass)
    angle = sp.Abs(there - here)
    tilts = Both(
        Either(eq(tilted(j), 0), eq(tilted(j), 1)),
        le(-epsilon * tilted(j), d(j)),
        le(d(j), epsilon * tilted(j)),
    )
    whole = (PROBABILITIES[0].name, PROBABILITIES[1].name)
    two = (
        *(
            eq(n, 2),
            eq(m, 1),
            eq(s, 1),
            eq(theta(0), 1),
            eq(reach, 1),
            eq(lag(0), 0),
            eq(lag(1), 5),
        ),
        *(eq(aligned(0, 0), 1), eq(crossed(0, 0), 0), eq(size(0, 0), 1), eq(shift(0), 1)),
        *(eq(aligned(1, 0), 1), eq(crossed(1, 0), 0), eq(size(1, 0), 1), eq(shift(1), 0)),
        *(eq(tilted(0), 1), eq(tilted(1), 0), eq(epsilon, 1)),
        *(eq(p(0), sp.Rational(1, 2)), eq(p(1), sp.Rational(1, 2))),
    )
    return Claim(
        id="posgen.transposition",
        title="Displaced positions change attention little",
        statement=(
            r"If keys of attention mass $\mu$ are displaced by at most $\Delta$ positions each, the "
            r"attention changes by at most $\min\{\mu(e^\varepsilon-1),\tanh(\varepsilon/2)\}$ in total "
            r"variation, $\varepsilon=s\max_j\sum_l|q_l||k_{j,l}|\min\{2,\theta_l\Delta\}$. (Mark the "
            r"displaced keys by $\tau_j=1$; $a-\mathrm ic=q_l\overline{k_{j,l}}$ and $R$ its size.)"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            *PROBABILITIES_UNSHOWN,
            Hypothesis(
                SCALE.name, SCALE.formula, unshown="a negative scale turns the bound's sign"
            ),
            Hypothesis(
                SPEED.name,
                every(l, 0, m - 1, le(0, theta(l))),
                unshown="a negative frequency turns as its size does",
            ),
            Hypothesis(
                names[0],
                every(j, 0, n - 1, every(l, 0, m - 1, sizes)),
                unshown="a size too small bounds nothing",
            ),
            Hypothesis(
                names[1],
                every(j, 0, n - 1, mark),
                unshown="unmarked keys that move change the attention at no mass",
            ),
            Hypothesis(
                names[2],
                every(j, 0, n - 1, eq(d(j), change)),
                unshown="other changes are not bounded",
            ),
            Hypothesis(
                names[3],
                every(j, 0, n - 1, le(total, epsilon)),
                unshown="a smaller eps bounds less than what moves",
            ),
            Hypothesis(
                "eps is not negative",
                le(0, epsilon),
                without=(
                    *(eq(n, 1), eq(m, 1), eq(s, 1), eq(theta(0), 1), eq(reach, -1), eq(lag(0), 0)),
                    *(eq(aligned(0, 0), 1), eq(crossed(0, 0), 0), eq(size(0, 0), 1)),
                    *(eq(tilted(0), 0), eq(shift(0), 0), eq(p(0), 1), eq(epsilon, -1)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "speed",
                    le(0, theta(l)),
                    instance({l: l}),
                    "Frequencies are not negative.",
                    (SPEED.name,),
                    PLANES,
                ),
                Step(
                    "planes of j",
                    every(l, 0, m - 1, sizes),
                    instance({j: j}),
                    "A key's planes",
                    (names[0],),
                    KEYS,
                ),
                Step(
                    "sizes",
                    sizes,
                    instance({l: l}),
                    "have sizes,",
                    ("planes of j",),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "moves",
                    Both(
                        le(sp.Abs(part(there, A, C)), R),
                        le(sp.Abs(moved), 2 * R),
                        le(sp.Abs(moved), R * angle),
                    ),
                    by_claim("posgen.plane", {a: A, c: C, radius: R, phi: there, psi: here}),
                    "and move by no more than that times twice or the angle.",
                    ("sizes",),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "mark",
                    mark,
                    instance({j: j}),
                    "A key is marked or does not move,",
                    (names[1],),
                    KEYS,
                ),
                Step(
                    "angle",
                    eq(angle, theta(l) * sp.Abs(shift(j))),
                    smt(),
                    "so the angle",
                    ("speed",),
                    PLANES,
                ),
                Step(
                    "angle bound",
                    le(sp.Abs(shift(j)) * theta(l), reach * tilted(j) * theta(l)),
                    by_claim(
                        "order.times", {x: sp.Abs(shift(j)), y: reach * tilted(j), factor: theta(l)}
                    ),
                    "is at most theta_l Delta if it is marked,",
                    ("mark", "speed"),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "angle at most",
                    le(angle, theta(l) * reach * tilted(j)),
                    smt(),
                    "(else 0)",
                    ("angle", "angle bound"),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "by the angle",
                    le(angle * R, theta(l) * reach * tilted(j) * R),
                    by_claim("order.times", {x: angle, y: theta(l) * reach * tilted(j), factor: R}),
                    "times the size.",
                    ("angle at most", "sizes"),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "still",
                    le(sp.Abs(moved), R * turn * tilted(j)),
                    smt(),
                    "A plane of a key that stays does not move,",
                    ("moves", "by the angle"),
                    (*KEYS, *PLANES, eq(tilted(j), 0)),
                ),
                Step(
                    "displaced",
                    le(sp.Abs(moved), R * turn * tilted(j)),
                    smt(),
                    "one of a key that is displaced moves by no more than the smaller bound.",
                    ("moves", "by the angle"),
                    (*KEYS, *PLANES, eq(tilted(j), 1)),
                ),
                Step(
                    "plane",
                    le(sp.Abs(moved), R * turn * tilted(j)),
                    smt(),
                    "Either way.",
                    ("still", "displaced", "mark"),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "scaled",
                    le(sp.Abs(moved) * s, R * turn * tilted(j) * s),
                    by_claim("order.times", {x: sp.Abs(moved), y: R * turn * tilted(j), factor: s}),
                    "Scale,",
                    ("plane", SCALE.name),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "a term from above",
                    le(s * x, s * y),
                    smt(),
                    "(with either",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y * s),),
                ),
                Step(
                    "a term from below",
                    le(-(s * y), s * x),
                    smt(),
                    "sign)",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y * s),),
                ),
                Step(
                    "from above",
                    le(term, s * (R * turn * tilted(j))),
                    instance({x: moved, y: R * turn * tilted(j)}),
                    "from above",
                    ("a term from above", "scaled"),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "from below",
                    le(-(s * (R * turn * tilted(j))), term),
                    instance({x: moved, y: R * turn * tilted(j)}),
                    "and below,",
                    ("a term from below", "scaled"),
                    (*KEYS, *PLANES),
                ),
                Step(
                    "upper",
                    le(change, over_planes(s * (R * turn * tilted(j)))),
                    termwise(),
                    "add up",
                    ("from above",),
                    KEYS,
                ),
                Step(
                    "lower",
                    le(over_planes(-(s * (R * turn * tilted(j)))), change),
                    termwise(),
                    "over the planes,",
                    ("from below",),
                    KEYS,
                ),
                Step(
                    "factor",
                    Both(
                        eq(over_planes(s * (R * turn * tilted(j))), tilted(j) * total),
                        eq(over_planes(-(s * (R * turn * tilted(j)))), -(tilted(j) * total)),
                    ),
                    identity(),
                    "take out the mark,",
                ),
                Step(
                    "eps",
                    le(total, epsilon),
                    instance({j: j}),
                    "and bound by eps.",
                    (names[3],),
                    KEYS,
                ),
                Step(
                    "change",
                    eq(d(j), change),
                    instance({j: j}),
                    "That is the change",
                    (names[2],),
                    KEYS,
                ),
                Step(
                    "tilt",
                    tilt,
                    smt(),
                    "of the logit.",
                    ("upper", "lower", "factor", "eps", "change", "mark"),
                    KEYS,
                ),
                Step("marked tilt", tilts, smt(), "A marked key is tilted", ("tilt", "mark"), KEYS),
                Step(
                    "only marked",
                    every(j, 0, n - 1, tilts),
                    generalise(),
                    "and no other.",
                    ("marked tilt",),
                ),
                Step(
                    "small tilt",
                    Both(le(-epsilon, d(j)), le(d(j), epsilon)),
                    smt(),
                    "No tilt exceeds eps.",
                    ("tilt", "mark", "eps is not negative"),
                    KEYS,
                ),
                Step(
                    "small tilts",
                    every(j, 0, n - 1, Both(le(-epsilon, d(j)), le(d(j), epsilon))),
                    generalise(),
                    "(None.)",
                    ("small tilt",),
                ),
                Step(
                    "mass",
                    mass,
                    by_claim("softmax.tv-mass"),
                    "So little attention moves little,",
                    (*whole, "only marked", "eps is not negative"),
                ),
                Step(
                    "tanh",
                    TV,
                    by_claim("softmax.tv"),
                    "and small tilts move little.",
                    (*whole, "small tilts", "eps is not negative"),
                ),
                Step("both", goal, smt(), "Both.", ("mass", "tanh")),
            )
        ),
        uses=("posgen.plane", "order.times", "softmax.tv", "softmax.tv-mass"),
        mutants=(
            Mutant("half the mass", le(VARIATION, mass.rhs / 20), at=two),
            Mutant("nothing moves", le(VARIATION, 0), at=two),
        ),
    )


TV = next(claim.conclusion for claim in VARIATIONS if claim.id == "softmax.tv")
PROBABILITIES_UNSHOWN = tuple(
    Hypothesis(h.name, h.formula, unshown="shown at softmax.tv") for h in PROBABILITIES
)
POSGEN_TRANSPOSITION = _transposition()

CLAIMS = (POSGEN_TRANSPOSITION,)
