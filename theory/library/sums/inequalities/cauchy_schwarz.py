"""The Cauchy-Schwarz inequality."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes

c = integer("c")
f_x, f_y, h_x, h_y = (real_function(name) for name in ("f_x", "f_y", "h_x", "h_y"))
MEANINGS: Meanings = {
    l: "an index",
    m: "number of terms",
    (f_x, f_y): "a vector, by plane",
    (h_x, h_y): "another vector, by plane",
    f_x: "first coordinate of the vector in a plane",
    f_y: "second coordinate of the vector in a plane",
    h_x: "first coordinate of the other vector in a plane",
    h_y: "second coordinate of the other vector in a plane",
}
square_f = over_planes(f_x(l) ** 2 + f_y(l) ** 2)
mixed = over_planes(f_x(l) * h_x(l) + f_y(l) * h_y(l))
square_h = over_planes(h_x(l) ** 2 + h_y(l) ** 2)


@theorem(
    "sums.cauchy-schwarz",
    conclusion=le(mixed**2, square_f * square_h),
    attack=Attack(
        {
            "half": le(2 * mixed**2, square_f * square_h),
            "equality": eq(mixed**2, square_f * square_h),
        }
    ),
)
def SUMS_CAUCHY_SCHWARZ(p: Proof) -> None:
    r"""The Cauchy-Schwarz inequality

    $\big(\sum_l\langle f_l,h_l\rangle\big)^2\le\sum_l|f_l|^2\sum_l|h_l|^2$ for vectors of the
    plane.
    """
    doubles = []
    for first, image in ((f_x, h_x), (f_y, h_y)):
        for second, other in ((f_x, h_x), (f_y, h_y)):
            area = (first(l) * other(c) - second(c) * image(l)) ** 2
            square = p.show(le(0, area), "The square of a difference of products is not negative.")
            row = square.summed(c, 0, m - 1, "Sum the square over the first index.")
            doubles.append(
                row.summed(l, 0, m - 1, "Sum over the second index, so that all pairs are counted.")
            )
    p.qed(
        "By Lagrange's identity these double sums are twice the difference of the two sides. "
        "All four double sums are not negative, so neither is the difference.",
        doubles,
    )
