"""A plane whose features hardly differ hardly grows."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    instance,
    smt,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m
from ropeproof.theory.slash.bands import f as picked
from ropeproof.theory.slash.bands import here as indicator
from ropeproof.theory.slash.bands import plane
from ropeproof.theory.slash.descent.low.common import _untrained, mass, place, z
from ropeproof.theory.slash.descent.model import (
    BETA,
    PLACE,
    Vector,
    inner,
    psi_x,
    psi_y,
    scores,
    square,
)
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    BEST,
    GRADIENTS,
    START,
    UNIT,
    WINS,
    gap_size,
    grown_x,
    grown_y,
    key_at,
    margin,
    steps,
    v_x,
    v_y,
    x,
)
from ropeproof.theory.slash.descent.shared import y as y_
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.sandwich import f_x, f_y, h_x, h_y
from ropeproof.theory.slash.score import length


def _suppressed() -> Claim:
    reach = real("B")
    key = key_at(steps)
    own = (grown_x(steps, plane), grown_y(steps, plane))
    own_square = own[0] ** 2 + own[1] ** 2
    apart = (psi_x(offset, plane) - psi_x(j, plane)) ** 2 + (
        psi_y(offset, plane) - psi_y(j, plane)
    ) ** 2
    root = sp.sqrt(own_square)
    inside = (le(0, j), le(j, length - 1), ne(j, offset))
    is_here = eq(indicator(plane), 1)
    elsewhere = every(l, 0, m - 1, If(ne(l, plane), eq(indicator(l), 0)))
    marks = (is_here, elsewhere)
    minus: Vector = (-indicator(l) * own[0], -indicator(l) * own[1])
    names = ("T is not negative", PLACE.name, BETA.name, START.name, ALGORITHM.name, GRADIENTS.name)
    projected = own[0] * (psi_x(offset, plane) - psi_x(j, plane)) + own[1] * (
        psi_y(offset, plane) - psi_y(j, plane)
    )
    goal = le(margin * root, reach * sp.sqrt(square(key)))
    place_name = "the plane is one of the planes"

    def score_of(lag: Any, label: str, why: str) -> tuple[Step, Step]:
        product = -own[0] * psi_x(lag, l) - own[1] * psi_y(lag, l)
        at_plane = -own[0] * psi_x(lag, plane) - own[1] * psi_y(lag, plane)
        summed = sp.Sum(indicator(l) * product, (l, 0, m - 1))
        return (
            Step(f"{label} form", eq(scores(minus)(lag), summed), identity(), why),
            Step(
                f"{label} picked",
                eq(summed, at_plane),
                by_claim("sums.pick", {picked: sp.Lambda(l, product)}),
                "is its score in the plane alone.",
                (place_name, "elsewhere"),
                marks,
            ),
        )

    mass_now = mass(steps)
    minus_product = sp.Sum(indicator(l) * (-own[0] * key[0] - own[1] * key[1]), (l, 0, m - 1))
    return Claim(
        id="slash.gd.plane-bound",
        title="A plane whose features hardly differ hardly grows",
        statement=(
            r"If $|\psi_p(\Delta)-\psi_p(t)|\le B$ for every $t<N$ then $\gamma\,\|k_p(T)\|\le B\,\|k(T)\|$ "
            r"at every step of gradient descent from 0."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                place_name, Both(le(0, plane), le(plane, m - 1)), unshown="there is no other plane"
            ),
            Hypothesis(
                "T is not negative", le(0, steps), unshown="there is no key before the start"
            ),
            Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row"),
            Hypothesis(BETA.name, BETA.formula, unshown="a step of the wrong sign climbs"),
            Hypothesis(START.name, START.formula, unshown="a start elsewhere keeps its component"),
            Hypothesis(
                ALGORITHM.name, ALGORITHM.formula, unshown="another sequence may go anywhere"
            ),
            Hypothesis(GRADIENTS.name, GRADIENTS.formula, unshown="so may other directions"),
            Hypothesis(
                "gamma is not negative", le(0, margin), idle="a negative gamma bounds nothing"
            ),
            Hypothesis(UNIT.name, UNIT.formula, unshown="a longer k* separates by more"),
            Hypothesis(WINS.name, WINS.formula, unshown="gamma is the separation"),
            Hypothesis("B is not negative", le(0, reach), unshown="its square forgets the sign"),
            Hypothesis(
                "features differ by at most B in the plane",
                every(j, 0, length - 1, le(apart, reach**2)),
                unshown="B is that bound",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "marks",
                    Some((indicator(place),), Both(*marks)),
                    witness({indicator: sp.Lambda(l, sp.Piecewise((1, eq(l, plane)), (0, True)))}),
                    "Mark the plane.",
                ),
                Step("elsewhere", elsewhere, smt(), "The mark is 0 elsewhere.", (), (elsewhere,)),
                *score_of(j, "lag", "Take minus the plane's key as direction: a lag's score"),
                *score_of(offset, "target", "The target's too"),
                Step(
                    "apart",
                    le(apart, reach**2),
                    instance({j: j}),
                    "Features differ by at most B,",
                    ("features differ by at most B in the plane",),
                    inside,
                ),
                Step(
                    "Lagrange",
                    eq(
                        own_square * apart - projected**2,
                        (
                            own[0] * (psi_y(offset, plane) - psi_y(j, plane))
                            - own[1] * (psi_x(offset, plane) - psi_x(j, plane))
                        )
                        ** 2,
                    ),
                    identity(),
                    "so by Lagrange's identity",
                ),
                Step(
                    "cross",
                    le(
                        0,
                        (
                            own[0] * (psi_y(offset, plane) - psi_y(j, plane))
                            - own[1] * (psi_x(offset, plane) - psi_x(j, plane))
                        )
                        ** 2,
                    ),
                    smt(),
                    "(a square)",
                ),
                Step("own sign", le(0, own_square), smt(), "the plane's key"),
                Step(
                    "scaled",
                    le(apart * own_square, reach**2 * own_square),
                    by_claim("order.times", {x: apart, y_: reach**2, real("t"): own_square}),
                    "sees a difference",
                    ("apart", "own sign"),
                    inside,
                ),
                Step(
                    "square",
                    le(projected**2, own_square * reach**2),
                    smt(),
                    "of at most",
                    ("Lagrange", "cross", "scaled"),
                    inside,
                ),
                Step("reach square", le(0, reach**2), smt(), "its norm"),
                Step(
                    "size",
                    le(sp.Abs(projected), root * sp.sqrt(reach**2)),
                    by_claim("slash.root-order", {z: projected, x: own_square, y_: reach**2}),
                    "times B,",
                    ("square", "own sign", "reach square"),
                    inside,
                ),
                Step(
                    "root of square",
                    eq(sp.sqrt(reach**2), reach),
                    smt(),
                    "B being not negative:",
                    ("B is not negative",),
                ),
                Step(
                    "lower",
                    le(scores(minus)(j), scores(minus)(offset) - (-(root * reach))),
                    smt(),
                    "along the direction no lag is higher by more.",
                    (
                        "size",
                        "root of square",
                        "lag form",
                        "lag picked",
                        "target form",
                        "target picked",
                    ),
                    (*inside, *marks),
                ),
                Step(
                    "all lower",
                    Every(
                        (j,),
                        If(
                            Both(le(0, j), le(j, length - 1), ne(j, offset)),
                            le(scores(minus)(j), scores(minus)(offset) - (-(root * reach))),
                        ),
                    ),
                    generalise(),
                    "At any lag.",
                    ("lower",),
                    marks,
                ),
                Step(
                    "along minus",
                    le(-(root * reach) * mass_now, inner(key, minus)),
                    by_claim(
                        "slash.gd.along",
                        {
                            v_x: sp.Lambda(l, minus[0]),
                            v_y: sp.Lambda(l, minus[1]),
                            gap_size: -(root * reach),
                        },
                    ),
                    "So the key has not grown by more along it,",
                    (*names, "all lower"),
                    marks,
                ),
                Step("minus form", eq(inner(key, minus), minus_product), identity(), "that is,"),
                Step(
                    "minus picked",
                    eq(minus_product, -own_square),
                    by_claim(
                        "sums.pick", {picked: sp.Lambda(l, -own[0] * key[0] - own[1] * key[1])}
                    ),
                    "in the plane:",
                    (place_name, "elsewhere"),
                    marks,
                ),
                Step(
                    "plane",
                    le(own_square, root * reach * mass_now),
                    smt(),
                    "its square is at most its norm times B times what was missing.",
                    ("along minus", "minus form", "minus picked"),
                    marks,
                ),
                Step(
                    "plane free",
                    le(own_square, root * reach * mass_now),
                    choose(),
                    "(The mark is gone.)",
                    ("marks", "plane"),
                ),
                Step(
                    "separated",
                    le(scores(BEST)(j) + margin, scores(BEST)(offset)),
                    instance({j: j}),
                    "Along k*",
                    (WINS.name,),
                    inside,
                ),
                Step(
                    "best lower",
                    le(scores(BEST)(j), scores(BEST)(offset) - margin),
                    smt(),
                    "every lag",
                    ("separated",),
                    inside,
                ),
                Step(
                    "best lowers",
                    Every(
                        (j,),
                        If(
                            Both(le(0, j), le(j, length - 1), ne(j, offset)),
                            le(scores(BEST)(j), scores(BEST)(offset) - margin),
                        ),
                    ),
                    generalise(),
                    "is lower by gamma,",
                    ("best lower",),
                ),
                Step(
                    "along best",
                    le(margin * mass_now, inner(key, BEST)),
                    by_claim(
                        "slash.gd.along",
                        {v_x: sp.Lambda(l, BEST[0]), v_y: sp.Lambda(l, BEST[1]), gap_size: margin},
                    ),
                    "so there the key has grown by gamma times what was missing.",
                    (*names, "best lowers"),
                ),
                Step(
                    "Cauchy",
                    le(inner(key, BEST) ** 2, square(key) * square(BEST)),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            f_x: sp.Lambda(l, key[0]),
                            f_y: sp.Lambda(l, key[1]),
                            h_x: sp.Lambda(l, BEST[0]),
                            h_y: sp.Lambda(l, BEST[1]),
                        },
                    ),
                    "That component",
                ),
                Step(
                    "component",
                    le(inner(key, BEST) ** 2, square(key) * 1),
                    smt(),
                    "is at most",
                    ("Cauchy", UNIT.name),
                ),
                Step("key term", le(0, key[0] ** 2 + key[1] ** 2), smt(), "the"),
                Step("key sign", le(0, square(key)), termwise(), "key's", ("key term",)),
                Step(
                    "component size",
                    le(
                        sp.Abs(inner(key, BEST)),
                        sp.sqrt(square(key)) * sp.sqrt(sp.Integer(1), evaluate=False),
                    ),
                    by_claim(
                        "slash.root-order", {z: inner(key, BEST), x: square(key), y_: sp.Integer(1)}
                    ),
                    "norm.",
                    ("component", "key sign"),
                ),
                Step(
                    "suppressed",
                    goal,
                    by_claim(
                        "slash.gd.plane-arithmetic",
                        {
                            x: own_square,
                            real("M"): mass_now,
                            reach: reach,
                            margin: margin,
                            real("P"): inner(key, BEST),
                            real("K"): sp.sqrt(square(key)),
                        },
                    ),
                    "Compare.",
                    (
                        "plane free",
                        "along best",
                        "component size",
                        "own sign",
                        "B is not negative",
                        "gamma is not negative",
                    ),
                ),
            )
        ),
        uses=(
            "sums.pick",
            "order.times",
            "slash.root-order",
            "slash.gd.along",
            "sums.cauchy-schwarz",
            "slash.gd.plane-arithmetic",
        ),
        mutants=(
            Mutant(
                "strictly",
                lt(margin * root, reach * sp.sqrt(square(key))),
                at=(*_untrained(), eq(reach, 2)),
            ),
        ),
    )


SLASH_GD_PLANE_BOUND = _suppressed()

CLAIMS = (SLASH_GD_PLANE_BOUND,)
