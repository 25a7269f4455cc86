"""How large a logit can be, and when it is that large."""

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
from ropeproof.theory.notation import *

c = integer("c")

f = real_function("f")
_INSIDE = (le(0, l), le(l, m - 1))


def _bounded() -> Claim:
    r_q, r_k = real_function("r_q"), real_function("r_k")
    size = s * r_q(l) * r_k(l)
    angle = theta(l) * t + phase(l)
    w = over_planes(size * sp.cos(angle))
    total = over_planes(size)
    squares_q, squares_k = over_planes(r_q(l) ** 2), over_planes(r_k(l) ** 2)
    product = s * sp.sqrt(squares_q) * sp.sqrt(squares_k)
    mixed = over_planes(r_q(l) * r_k(l))
    cross = (r_q(l) * r_k(j) - r_q(j) * r_k(l)) ** 2
    inner = sp.Sum(cross, (j, 0, m - 1))
    double = over_planes(inner)
    at_top = every(l, 0, m - 1, eq(size * (1 - sp.cos(angle)), 0))
    at_bottom = every(l, 0, m - 1, eq(size * (1 + sp.cos(angle)), 0))
    proportional = Every(
        (l, j), If(Both(*_INSIDE, le(0, j), le(j, m - 1)), eq(r_q(l) * r_k(j), r_q(j) * r_k(l)))
    )
    bounds = Both(le(sp.Abs(w), total), le(total, product))
    goal = Both(
        bounds,
        iff(eq(w, total), at_top),
        iff(eq(w, -total), at_bottom),
        iff(eq(total, product), proportional),
    )
    moduli = every(l, 0, m - 1, Both(le(0, r_q(l)), le(0, r_k(l))))

    def extreme(label: str, sign: int, everywhere: Any, word: str) -> tuple[Step, ...]:
        gap = size * (1 - sign * sp.cos(angle))
        return (
            Step(
                f"{label} gap",
                le(0, gap),
                smt(),
                f"A plane's distance from its {word} value is not negative;",
                ("amplitude",),
                _INSIDE,
            ),
            Step(
                f"{label} gaps",
                every(l, 0, m - 1, le(0, gap)),
                generalise(),
                "so in each plane,",
                (f"{label} gap",),
            ),
            Step(
                f"{label} sum",
                eq(over_planes(gap), total - sign * w),
                identity(),
                f"and they add up to the distance of the logit from its {word} value.",
            ),
            Step(
                f"{label} reached",
                everywhere,
                by_claim("sums.zero-terms", {f: sp.Lambda(l, gap)}),
                "If that is 0, each of them is.",
                (f"{label} gaps", f"{label} sum"),
                (eq(w, sign * total),),
            ),
            Step(f"{label} everywhere", everywhere, smt(), "Conversely", (), (everywhere,)),
            Step(
                f"{label} plane",
                eq(gap, 0),
                instance({l: l}),
                "if each is 0,",
                (f"{label} everywhere",),
                (everywhere, *_INSIDE),
            ),
            Step(
                f"{label} planes",
                eq(over_planes(gap), 0),
                termwise(),
                "so is the sum.",
                (f"{label} plane",),
                (everywhere,),
            ),
            Step(
                f"{label} iff",
                iff(eq(w, sign * total), everywhere),
                smt(),
                "So equality holds exactly then.",
                (f"{label} reached", f"{label} sum", f"{label} planes"),
            ),
        )

    return Claim(
        id="rope.bounded",
        title="The amplitude bounds the logit",
        statement=(
            r"$|w|\le\sum_lA_l\le s\|q\|\|k\|$ with $A_l=s|q_l||k_l|$. $w=\pm\sum A_l$ exactly if every "
            r"plane with $A_l>0$ has $\cos(\theta_lt+\varphi_l)=\pm1$, one sign for all; the second "
            r"bound is attained exactly if $(|q_l|)$ and $(|k_l|)$ are proportional."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("moduli are not negative", moduli),
            Hypothesis("the scale is positive", lt(0, s)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "moduli",
                    Both(le(0, r_q(l)), le(0, r_k(l))),
                    instance({l: l}),
                    "Moduli are not negative,",
                    ("moduli are not negative",),
                    _INSIDE,
                ),
                Step(
                    "amplitude",
                    le(0, size),
                    smt(),
                    "nor is an amplitude.",
                    ("moduli", "the scale is positive"),
                    _INSIDE,
                ),
                Step(
                    "above",
                    le(size * sp.cos(angle), size),
                    smt(),
                    "A cosine is at most 1",
                    ("amplitude",),
                    _INSIDE,
                ),
                Step(
                    "below",
                    le(-size, size * sp.cos(angle)),
                    smt(),
                    "and at least -1.",
                    ("amplitude",),
                    _INSIDE,
                ),
                Step("sum above", le(w, total), termwise(), "Sum over the planes,", ("above",)),
                Step("sum below", le(over_planes(-size), w), termwise(), "both ways.", ("below",)),
                Step(
                    "first bound",
                    le(sp.Abs(w), total),
                    smt(),
                    "So the logit is at most the amplitude.",
                    ("sum above", "sum below"),
                ),
                Step(
                    "Lagrange",
                    eq(double, 2 * (squares_q * squares_k - mixed**2)),
                    identity(),
                    "Lagrange's identity.",
                ),
                Step("square", le(0, cross), smt(), "Squares are not negative,"),
                Step("row", le(0, inner), termwise(), "nor their sum over j", ("square",)),
                Step("rows", le(0, double), termwise(), "and over l.", ("row",)),
                Step("no minus q", le(0, r_q(l) ** 2), smt(), "Likewise"),
                Step("sum q", le(0, squares_q), termwise(), "for the norm of q", ("no minus q",)),
                Step("no minus k", le(0, r_k(l) ** 2), smt(), "and"),
                Step("sum k", le(0, squares_k), termwise(), "of k,", ("no minus k",)),
                Step(
                    "mixed term",
                    le(0, r_q(l) * r_k(l)),
                    smt(),
                    "and for the products",
                    ("moduli",),
                    _INSIDE,
                ),
                Step("mixed", le(0, mixed), termwise(), "of moduli.", ("mixed term",)),
                Step("scaled", eq(total, s * mixed), identity(), "The amplitude is s times these."),
                Step(
                    "Cauchy-Schwarz",
                    le(mixed, sp.sqrt(squares_q) * sp.sqrt(squares_k)),
                    smt(),
                    "So (sum |q_l||k_l|)^2 <= |q|^2 |k|^2.",
                    ("Lagrange", "rows", "sum q", "sum k", "mixed"),
                ),
                Step(
                    "second bound",
                    le(total, product),
                    smt(),
                    "Multiply by the scale.",
                    ("scaled", "Cauchy-Schwarz", "the scale is positive"),
                ),
                *extreme("top", 1, at_top, "largest"),
                *extreme("bottom", -1, at_bottom, "smallest"),
                Step(
                    "equal products",
                    eq(double, 0),
                    smt(),
                    "If the second bound is attained Lagrange's sum is 0,",
                    ("Lagrange", "scaled", "sum q", "sum k", "the scale is positive"),
                    (eq(total, product),),
                ),
                Step(
                    "every row",
                    every(l, 0, m - 1, le(0, inner)),
                    generalise(),
                    "and as no row",
                    ("row",),
                ),
                Step(
                    "rows vanish",
                    every(c, 0, m - 1, eq(inner.subs(l, c), 0)),
                    by_claim("sums.zero-terms", {f: sp.Lambda(l, inner)}),
                    "is negative every row is 0,",
                    ("equal products", "every row"),
                    (eq(total, product),),
                ),
                Step(
                    "row vanishes",
                    eq(inner, 0),
                    instance({c: l}),
                    "each of them,",
                    ("rows vanish",),
                    (eq(total, product), *_INSIDE),
                ),
                Step(
                    "every square",
                    every(j, 0, m - 1, le(0, cross)),
                    generalise(),
                    "and as no square",
                    ("square",),
                ),
                Step(
                    "squares vanish",
                    every(c, 0, m - 1, eq(cross.subs(j, c), 0)),
                    by_claim("sums.zero-terms", {f: sp.Lambda(c, cross.subs(j, c))}),
                    "is negative every square is 0.",
                    ("row vanishes", "every square"),
                    (eq(total, product), *_INSIDE),
                ),
                Step(
                    "square vanishes",
                    eq(cross, 0),
                    instance({c: j}),
                    "For each pair of planes,",
                    ("squares vanish",),
                    (eq(total, product), *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "pair",
                    eq(r_q(l) * r_k(j), r_q(j) * r_k(l)),
                    smt(),
                    "the products agree:",
                    ("square vanishes",),
                    (eq(total, product), *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "proportional",
                    proportional,
                    generalise(),
                    "the moduli are proportional.",
                    ("pair",),
                    (eq(total, product),),
                ),
                Step("given", proportional, smt(), "Conversely", (), (proportional,)),
                Step(
                    "given pair",
                    eq(r_q(l) * r_k(j), r_q(j) * r_k(l)),
                    instance({l: l, j: j}),
                    "for proportional moduli",
                    ("given",),
                    (proportional, *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "no square",
                    eq(cross, 0),
                    smt(),
                    "every square is 0,",
                    ("given pair",),
                    (proportional, *_INSIDE, le(0, j), le(j, m - 1)),
                ),
                Step(
                    "no row",
                    eq(inner, 0),
                    termwise(),
                    "every row",
                    ("no square",),
                    (proportional, *_INSIDE),
                ),
                Step(
                    "no rows",
                    eq(double, 0),
                    termwise(),
                    "and the sum,",
                    ("no row",),
                    (proportional,),
                ),
                Step(
                    "equal squares",
                    eq(mixed**2, squares_q * squares_k),
                    smt(),
                    "so the squares agree,",
                    ("no rows", "Lagrange"),
                    (proportional,),
                ),
                Step(
                    "equal roots",
                    eq(mixed, sp.sqrt(squares_q) * sp.sqrt(squares_k)),
                    smt(),
                    "their roots too,",
                    ("equal squares", "mixed", "sum q", "sum k"),
                    (proportional,),
                ),
                Step(
                    "attained",
                    eq(total, product),
                    smt(),
                    "and the second bound is attained.",
                    ("equal roots", "scaled"),
                    (proportional,),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "Bounds and equality cases.",
                    (
                        "first bound",
                        "second bound",
                        "top iff",
                        "bottom iff",
                        "proportional",
                        "attained",
                    ),
                ),
            )
        ),
        uses=("sums.zero-terms",),
        mutants=(
            Mutant(
                "0.99 of the amplitude",
                le(sp.Abs(w), sp.Rational(99, 100) * total),
                at=(eq(m, 1), eq(t, 0), every(l, 0, 0, eq(phase(l), 0))),
            ),
            Mutant("second bound reversed", le(product, total)),
            Mutant("never attained", lt(total, product)),
        ),
    )


ROPE_BOUNDED = _bounded()

CLAIMS = (ROPE_BOUNDED,)
