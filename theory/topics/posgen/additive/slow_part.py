"""A sum over planes is close to that over its slow planes at the middle of the window."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes, s, t, theta
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.posgen.additive.notation import *
from ropeproof.theory.topics.posgen.plane import SCALE, part, plane_moves, sum_size

at_t, at_middle = part(theta(l) * t, A, C), part(theta(l) * middle, A, C)
whole, kept_part = over_planes(s * at_t), over_planes(s * (X * at_middle))
bound = over_planes(s * (R * slow()))


_unit = {m: 1, s: 1, aligned(0): 1, crossed(0): 0, size(0): 1}


@theorem(
    "posgen.slow-part",
    hypotheses=(SCALE, SPEED, WINDOW, SIZES, MARKS),
    conclusion=le(sp.Abs(whole - kept_part), bound),
    attack=Attack(
        {
            "half": le(2 * sp.Abs(whole - kept_part), bound),
            "nothing kept": le(sp.Abs(whole), bound),
        },
        at={
            "half": {**_unit, **FAST},
            "nothing kept": {**_unit, theta(0): sp.Rational(1, 2), t: 1, middle: 1},
        },
        without={
            SCALE: {**_unit, **FAST, s: -1},
            SPEED: {**_unit, **FAST, theta(0): -1},
            WINDOW: {**_unit, **OUTSIDE},
            SIZES: {**_unit, **FAST, size(0): 0},
            MARKS: {**_unit, **FAST, marked(0): 9},
        },
    ),
)
def POSGEN_SLOW_PART(p: Proof) -> None:
    r"""A sum over planes, but for its slow planes at the middle of the window

    For $0\le t\le2t_0$ and $z_l=a_l+\mathrm ic_l$: $\big|s\,\mathrm{Re}\sum_lz_le^{\mathrm
    i\theta_lt}-s\,\mathrm{Re}\sum_{\theta_lt_0\le1}z_le^{\mathrm i\theta_lt_0}\big|\le
    s\sum_l|z_l|\min\{1,\theta_lt_0\}$.
    """
    off, angle = sp.Abs(at_t - X * at_middle), sp.Abs(theta(l) * t - theta(l) * middle)
    plane, angles = p.under(within(l, 0, m - 1)), (theta(l) * t, theta(l) * middle)
    speed = plane.use(SPEED, why="The frequency theta(l) is not negative, by hypothesis.")
    mark = plane.use(MARKS, why="The mark is 1 for slow planes and 0 for fast ones, by hypothesis.")
    why = "A plane changes by no more than its size times its angle."
    moves = plane_moves(plane, (A, C, R), angles, SIZES, why=why)
    distance = p.show(
        le(sp.Abs(t - middle), middle),
        "No lag of the window is farther than t_0 from its middle.",
        WINDOW,
    )
    turned = times(
        plane,
        distance,
        theta(l),
        "Multiply this bound by the frequency, which is not negative.",
        speed,
    )
    moved = plane.show(
        le(angle, theta(l) * middle),
        "So the plane turns by at most t_0 theta(l) from the middle.",
        (turned, speed),
    ).times(R, "Multiply this bound by the size of the plane.", SIZES)
    goal = le(off, R * slow())
    slow_ = plane.under(le(theta(l) * middle, 1)).show(
        goal, "A slow plane is kept, and changes by at most this share.", moves, moved, mark
    )
    fast = plane.under(lt(1, theta(l) * middle))
    left_out = fast.show(
        goal, "A fast plane is left out, and is no larger than its size.", moves, mark
    )
    either = plane.show(
        goal, "In both cases the plane is off by at most its share.", slow_, left_out
    )
    p.qed(
        "Write the difference as a difference of two sums.",
        sum_size(either, "So the sum is off by at most the sum of all shares."),
    )


# -- the size of a product ---------------------------------------------------------------

a_x, a_y, b_x, b_y = real("a_x a_y b_x b_y")
MEANINGS = {
    **MEANINGS,
    a_x: "real part of a",
    a_y: "imaginary part of a",
    b_x: "real part of b",
    b_y: "imaginary part of b",
}
first, second = (a_x, a_y), (b_x, b_y)
_product = product_of(first, second)
_squares = dot_part(first, second) ** 2 + cross_part(first, second) ** 2


@theorem(
    "posgen.product-length",
    conclusion=Both(le(0, _product), eq(_product**2, _squares)),
    attack=Attack(
        {
            "positive": lt(0, _product),
            "without the imaginary part": eq(_product**2, dot_part(first, second) ** 2),
        },
        at={
            "positive": {a_x: 0, a_y: 0},
            "without the imaginary part": {a_x: 1, a_y: 0, b_x: 0, b_y: 1},
        },
    ),
)
def POSGEN_PRODUCT_LENGTH(p: Proof) -> None:
    r"""The size of a product of planes is the product of their lengths

    $|a||b|\ge0$ and $(|a||b|)^2=|a\overline b|^2$ for complex numbers $a,b$.
    """
    roots = p.show(
        Both(le(0, length(first)), le(0, length(second))),
        "The lengths of the two vectors are not negative.",
    )
    sign = p.show(le(0, _product), "So the product of the two lengths is not negative.", roots)
    p.qed("The square of the product of the lengths is the sum of two squares.", sign)


# -- for the proofs of the other claims --------------------------------------------------


def size_of_planes(p: Proof, one_: tuple[Term, Term], other: tuple[Term, Term]) -> Fact:
    """In each plane the product of the two lengths is the size of the complex product."""
    values = {"a_x": one_[0], "a_y": one_[1], "b_x": other[0], "b_y": other[1]}
    return p.lemma(
        POSGEN_PRODUCT_LENGTH.at(**values),
        why="The product of the two lengths is the size of the product of the vectors.",
    )


def near_slow_part(p: Proof, one_: tuple[Term, Term], other: tuple[Term, Term]) -> Fact:
    """The sum over all planes is close to that over the slow ones at the middle of the window."""
    sizes = size_of_planes(p, one_, other).for_all(
        l, why="The plane was arbitrary, so this holds in every plane."
    )
    values = {
        "a": sp.Lambda(l, dot_part(one_, other)),
        "c": sp.Lambda(l, cross_part(one_, other)),
        "R": sp.Lambda(l, product_of(one_, other)),
    }
    premises = (sizes, SCALE, SPEED, WINDOW, MARKS)
    why = "So the slow planes at the middle of the window are enough, up to this error."
    return p.lemma(POSGEN_SLOW_PART.at(**values), *premises, why=why)
