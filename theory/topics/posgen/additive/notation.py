"""Symbols, terms and hypotheses of the additive bounds."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.posgen.plane import part

middle = real("t_0")
aligned, crossed, size = (real_function(name) for name in ("a", "c", "R"))
marked = real_function("chi")
A, C, R, X = aligned(l), crossed(l), size(l), marked(l)
off_x, off_y = real_function("kappa_x"), real_function("kappa_y")
dev_x, dev_y = real_function("delta_x"), real_function("delta_y")
MEANINGS: Meanings = {
    **NOTATION,
    middle: "middle of the window",
    aligned: "real parts of the z",
    crossed: "imaginary parts of the z",
    size: "sizes of the z, by plane",
    marked: "1 on the slow planes, else 0",
    (off_x, off_y): "fluctuation of the key",
    off_x: "first coordinate of the key's fluctuation in a plane",
    off_y: "second coordinate of the key's fluctuation in a plane",
    dev_x: "first coordinate of the query's fluctuation in a plane",
    dev_y: "second coordinate of the query's fluctuation in a plane",
}
QUERY, KEY = (query_x(l), query_y(l)), (key_x(l), key_y(l))
OFF, DEV = (off_x(l), off_y(l)), (dev_x(l), dev_y(l))


def length(vector: tuple[Term, Term]) -> Term:
    """|v_l|, the length of one plane's part."""
    return sp.sqrt(vector[0] ** 2 + vector[1] ** 2)


def product_of(first: tuple[Term, Term], second: tuple[Term, Term]) -> Term:
    """|a_l| |b_l|."""
    return length(first) * length(second)


def dot_part(first: Sequence[Term], second: Sequence[Term]) -> Term:
    """The real part of a_l conj(b_l)."""
    return first[0] * second[0] + first[1] * second[1]


def cross_part(first: Sequence[Term], second: Sequence[Term]) -> Term:
    """The imaginary part of a_l conj(b_l)."""
    return first[1] * second[0] - first[0] * second[1]


def sum_of(first: Any, second: Any) -> Any:
    """The sum of two vectors' parts in one plane."""
    return first[0] + second[0], first[1] + second[1]


def turned_part(first: Sequence[Term], second: Sequence[Term], time: Term) -> Term:
    """Re a_l conj(b_l) exp(i theta_l time)."""
    return part(theta(l) * time, dot_part(first, second), cross_part(first, second))


def slow() -> Term:
    """min(1, theta_l t_0): how far a plane turns within the window."""
    return sp.Min(1, theta(l) * middle)


def slow_sum(first: Any, second: Any) -> Any:
    """s Re sum of a_l conj(b_l) exp(i theta_l t_0) over the slow planes, chi_l = 1."""
    return over_planes(s * (X * turned_part(first, second, middle)))


def full_sum(first: Any, second: Any) -> Any:
    """s Re sum of a_l conj(b_l) exp(i theta_l t) over all planes."""
    return over_planes(s * turned_part(first, second, t))


def slow_bound(first: tuple[Term, Term], second: tuple[Term, Term]) -> Term:
    """s sum of |a_l| |b_l| min(1, theta_l t_0)."""
    return over_planes(s * (product_of(first, second) * slow()))


SPEED = Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l))))
WINDOW = Hypothesis("t lies in the window", Both(le(0, t), le(t, 2 * middle)))
SIZES = Hypothesis(
    "R is the planes' size", every(l, 0, m - 1, Both(le(0, R), eq(R**2, A**2 + C**2)))
)
_turn = theta(l) * middle
MARKS = Hypothesis(
    "chi marks the slow planes",
    every(l, 0, m - 1, Both(If(le(_turn, 1), eq(X, 1)), If(lt(1, _turn), eq(X, 0)))),
)

# Instances for the attacks: a window of no width beside a fast plane, and one that t leaves.
FAST = {t: 0, middle: 1, theta(0): 3}
OUTSIDE: Values = {theta(0): sp.Rational(1, 2), t: 6, middle: sp.Rational(1, 2)}
