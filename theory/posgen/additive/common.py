"""Symbols and terms that the claims of this package share."""

from ropeproof.theory.derivation import Step, by_claim, generalise, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import key_x, key_y, l, m, over_planes, query_x, query_y, s, t, theta
from ropeproof.theory.posgen.plane import part

__all__ = [
    "BASE",
    "DEV",
    "INSIDE",
    "KEY",
    "MARKS",
    "OFF",
    "ONE",
    "QUERY",
    "SCALE",
    "SIZES",
    "SPEED",
    "WINDOW",
    "A",
    "C",
    "R",
    "X",
    "aligned",
    "alpha",
    "beta",
    "close_step",
    "cross_part",
    "crossed",
    "dev_x",
    "dev_y",
    "dot_part",
    "factor",
    "full_sum",
    "length",
    "marked",
    "middle",
    "off_x",
    "off_y",
    "p_",
    "product_of",
    "q_",
    "size",
    "size_steps",
    "slow",
    "slow_sum",
    "x",
    "y_",
]

middle, x, y_, factor, p_, q_ = real("t_0 x y t p q")
aligned, crossed, size = (real_function(name) for name in ("a", "c", "R"))
marked = real_function("chi")
A, C, R, X = aligned(l), crossed(l), size(l), marked(l)
off_x, off_y = real_function("kappa_x"), real_function("kappa_y")
dev_x, dev_y = real_function("delta_x"), real_function("delta_y")
alpha, beta = real_function("alpha"), real_function("beta")
INSIDE = (le(0, l), le(l, m - 1))
QUERY, KEY = (query_x(l), query_y(l)), (key_x(l), key_y(l))
OFF, DEV = (off_x(l), off_y(l)), (dev_x(l), dev_y(l))


def length(vector: Any) -> Any:
    """|v_l|, the length of one plane's part."""
    return sp.sqrt(vector[0] ** 2 + vector[1] ** 2)


def slow() -> Any:
    """min(1, theta_l t_0): how far a plane turns within the window."""
    return sp.Min(1, theta(l) * middle)


def dot_part(first: Any, second: Any) -> Any:
    """The real part of a_l conj(b_l)."""
    return first[0] * second[0] + first[1] * second[1]


def cross_part(first: Any, second: Any) -> Any:
    """The imaginary part of a_l conj(b_l)."""
    return first[1] * second[0] - first[0] * second[1]


def slow_sum(first: Any, second: Any) -> Any:
    """s Re sum of a_l conj(b_l) exp(i theta_l t_0) over the slow planes, chi_l = 1."""
    turned = part(theta(l) * middle, dot_part(first, second), cross_part(first, second))
    return over_planes(s * (X * turned))


def full_sum(first: Any, second: Any) -> Any:
    """s Re sum of a_l conj(b_l) exp(i theta_l t) over all planes."""
    return over_planes(s * part(theta(l) * t, dot_part(first, second), cross_part(first, second)))


def product_of(first: Any, second: Any) -> Any:
    """|a_l| |b_l|."""
    return length(first) * length(second)


def size_steps(label: str, first: Any, second: Any) -> tuple[Step, ...]:
    """The product of two lengths is the size of the planes of their complex product."""
    sums = first[0] ** 2 + first[1] ** 2, second[0] ** 2 + second[1] ** 2
    whole = product_of(first, second)
    squares = dot_part(first, second) ** 2 + cross_part(first, second) ** 2
    return (
        Step(
            f"{label} squares",
            Both(le(0, sums[0]), le(0, sums[1])),
            smt(),
            "Squares are not negative,",
        ),
        Step(
            f"{label} roots",
            Both(
                le(0, length(first)),
                le(0, length(second)),
                eq(sp.Pow(length(first), 2, evaluate=False), sums[0]),
                eq(sp.Pow(length(second), 2, evaluate=False), sums[1]),
            ),
            smt(),
            "lengths are their roots,",
            (f"{label} squares",),
        ),
        Step(
            f"{label} sign",
            le(0, whole),
            by_claim("order.product-sign", {x: length(first), y_: length(second)}),
            "their product is not negative,",
            (f"{label} roots",),
        ),
        Step(
            f"{label} expanded",
            eq(sums[0] * sums[1], squares),
            identity(),
            "(|a|^2 |b|^2 = |a b|^2)",
        ),
        Step(
            f"{label} square",
            eq(sp.Pow(whole, 2, evaluate=False), squares),
            smt(),
            "and its square that of the complex product:",
            (f"{label} roots", f"{label} expanded"),
        ),
        Step(
            f"{label} plane",
            Both(le(0, whole), eq(whole**2, squares)),
            smt(),
            "so it is",
            (f"{label} sign", f"{label} square"),
        ),
        Step(
            f"{label} sizes",
            every(l, 0, m - 1, Both(le(0, whole), eq(whole**2, squares))),
            generalise(),
            "the size of every plane.",
            (f"{label} plane",),
        ),
    )


def close_step(label: str, first: Any, second: Any) -> Step:
    """The sum over all planes is close to that over the slow ones at the middle."""
    return Step(
        f"{label} close",
        le(
            sp.Abs(full_sum(first, second) - slow_sum(first, second)),
            over_planes(s * (product_of(first, second) * slow())),
        ),
        by_claim(
            "posgen.slow-part",
            {
                aligned: sp.Lambda(l, dot_part(first, second)),
                crossed: sp.Lambda(l, cross_part(first, second)),
                size: sp.Lambda(l, product_of(first, second)),
            },
        ),
        "So the slow planes at the middle of the window are enough, up to that.",
        (f"{label} sizes", *BASE),
    )


SCALE = Hypothesis("the scale is not negative", le(0, s))
SPEED = Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l))))
WINDOW = Hypothesis("t lies in the window", Both(le(0, t), le(t, 2 * middle)))
SIZES = Hypothesis(
    "R is the planes' size", every(l, 0, m - 1, Both(le(0, R), eq(R**2, A**2 + C**2)))
)
MARKS = Hypothesis(
    "chi marks the slow planes",
    every(
        l,
        0,
        m - 1,
        Both(If(le(theta(l) * middle, 1), eq(X, 1)), If(lt(1, theta(l) * middle), eq(X, 0))),
    ),
)
BASE = (SCALE.name, SPEED.name, WINDOW.name, MARKS.name)
ONE = (eq(m, 1), eq(s, 1), eq(query_x(0), 1), eq(query_y(0), 0), eq(off_x(0), 1), eq(off_y(0), 0))
