"""How large a logit can be, and when it is that large."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.terms import SUMS_ZERO_TERMS, c

r_q, r_k = real_function("r_q"), real_function("r_k")
MEANINGS: Meanings = {
    **NOTATION,
    r_q: "moduli of the query's planes",
    r_k: "moduli of the key's planes",
}
size, angle = s * r_q(l) * r_k(l), theta(l) * t + phase(l)
w, total = over_planes(size * sp.cos(angle)), over_planes(size)
squares_q, squares_k = over_planes(r_q(l) ** 2), over_planes(r_k(l) ** 2)
norms = sp.sqrt(squares_q) * sp.sqrt(squares_k)
one, other = real("one other")
product = s * norms
inside, also_inside = within(l, 0, m - 1), within(j, 0, m - 1)


def _gap(sign: int) -> Term:
    """A plane's distance from its largest or smallest value."""
    return size * (1 - sign * sp.cos(angle))


def _extreme(sign: int) -> Formula:
    return every(l, 0, m - 1, eq(_gap(sign), 0))


proportional = Every(
    (l, j), If(Both(*inside.args, *also_inside.args), eq(r_q(l) * r_k(j), r_q(j) * r_k(l)))
)
MODULI = Hypothesis(
    "moduli are not negative", every(l, 0, m - 1, Both(le(0, r_q(l)), le(0, r_k(l))))
)
SCALE = Hypothesis("the scale is positive", lt(0, s))


def _reached(p: Proof, amplitude: Fact, sign: int, word: str) -> Fact:
    """The logit is at its extreme value exactly if every plane is."""
    extreme, everywhere = eq(w, sign * total), _extreme(sign)
    plane = p.under(inside)
    gap = plane.show(
        le(0, _gap(sign)), f"A plane's distance from its {word} value is not negative.", amplitude
    )
    added = p.show(
        eq(over_planes(_gap(sign)), total - sign * w),
        f"These distances sum to the distance of the logit from its {word} value.",
    )
    forth = p.under(extreme).apply(
        SUMS_ZERO_TERMS,
        (gap.for_all(l, why="This holds for the distance of every plane."), added),
        why="So if the sum of the distances is 0, each of them is 0.",
        goal=everywhere,
    )
    given = p.given(everywhere, "Conversely, let each plane's distance be 0.")
    zero = given.scope.under(inside).use(given, why="Then the distance of one plane is 0.")
    back = zero.summed(l, 0, m - 1, "So the sum of the distances over the planes is 0.")
    return p.show(
        iff(extreme, everywhere),
        "So the logit has this value exactly if every plane has its own.",
        (forth, added, back),
    )


@theorem(
    "rope.bounded",
    needs="PTX",
    hypotheses=(MODULI, SCALE),
    conclusion=Both(
        Both(le(sp.Abs(w), total), le(total, product)),
        iff(eq(w, total), _extreme(1)),
        iff(eq(w, -total), _extreme(-1)),
        iff(eq(total, product), proportional),
    ),
    attack=Attack(
        {
            "0.99 of the amplitude": le(sp.Abs(w), sp.Rational(99, 100) * total),
            "second bound reversed": le(product, total),
            "never attained": lt(total, product),
        },
        at={"0.99 of the amplitude": (*where({m: 1, t: 0}), every(l, 0, 0, eq(phase(l), 0)))},
    ),
)
def ROPE_BOUNDED(p: Proof) -> None:
    r"""The amplitude bounds the logit

    $|w|\le\sum_lA_l\le s\|q\|\|k\|$ with $A_l=s|q_l||k_l|$. $w=\pm\sum A_l$ exactly if every plane
    with $A_l>0$ has $\cos(\theta_lt+\varphi_l)=\pm1$, one sign for all; the second bound is
    attained exactly if $(|q_l|)$ and $(|k_l|)$ are proportional.
    """
    plane = p.under(inside)
    moduli = plane.use(MODULI, why="The moduli |q_l| and |k_l| are not negative.")
    amplitude = plane.show(
        le(0, size), "So the amplitude A_l = s|q_l||k_l| is not negative.", moduli, SCALE
    )
    above = plane.show(
        le(size * sp.cos(angle), size),
        "A cosine is at most 1, so a plane's term is at most its amplitude.",
        amplitude,
    )
    below = plane.show(
        le(-size, size * sp.cos(angle)),
        "A cosine is at least -1, so a plane's term is at least minus its amplitude.",
        amplitude,
    )
    first_bound = (
        above.summed(l, 0, m - 1, "Summed over the planes, the logit is at most the amplitude."),
        below.summed(
            l, 0, m - 1, "Summed over the planes, the logit is at least minus the amplitude."
        ),
    )

    mixed = over_planes(r_q(l) * r_k(l))
    cross = (r_q(l) * r_k(j) - r_q(j) * r_k(l)) ** 2
    row = sp.Sum(cross, (j, 0, m - 1))
    square = p.show(le(0, cross), "The square of a difference of products is not negative.")
    no_row = square.summed(j, 0, m - 1, "So the sum of these squares over j is not negative.")
    rows = no_row.summed(
        l, 0, m - 1, "So the sum of these squares over both planes is not negative."
    )
    roots = (
        p.show(le(0, r_q(l) ** 2), "The square |q_l|^2 is not negative.").summed(
            l, 0, m - 1, "So the squared norm |q|^2 is not negative."
        ),
        p.show(le(0, r_k(l) ** 2), "The square |k_l|^2 is not negative.").summed(
            l, 0, m - 1, "So the squared norm |k|^2 is not negative."
        ),
        plane.show(
            le(0, r_q(l) * r_k(l)), "The product |q_l||k_l| of two moduli is not negative.", moduli
        ).summed(l, 0, m - 1, "So the sum of the products |q_l||k_l| is not negative."),
    )
    scaled = p.show(
        eq(total, s * mixed), "The amplitude is s times the sum of the products |q_l||k_l|."
    )
    cauchy = p.show(
        le(mixed, norms),
        "Lagrange's identity writes |q|^2 |k|^2 - (sum |q_l||k_l|)^2 as a sum of squares. So "
        "sum |q_l||k_l| <= |q||k|, which is Cauchy's inequality.",
        (rows, roots),
    )

    top = _reached(p, amplitude, 1, "largest")
    bottom = _reached(p, amplitude, -1, "smallest")

    attained = p.under(eq(total, product))
    rows_vanish = attained.lemma(
        SUMS_ZERO_TERMS.at(f=sp.Lambda(l, row)),
        (scaled, roots, SCALE, no_row.for_all(l, why="No row of squares has a negative sum.")),
        why="If the second bound is attained, Lagrange's sum of squares is 0. A sum of rows that "
        "are not negative is 0 only if each row is 0.",
    )
    row_vanishes = attained.under(inside).use(
        rows_vanish, why="So the row of the plane l has the sum 0."
    )
    squares_vanish = attained.under(inside).apply(
        SUMS_ZERO_TERMS,
        (row_vanishes, square),
        why="A sum of squares is 0 only if each square is 0.",
    )
    pair = attained.under(inside, also_inside)
    square_vanishes = pair.use(
        squares_vanish, {c: j}, why="So the square of each pair of planes is 0."
    )
    forth = pair.show(
        eq(r_q(l) * r_k(j), r_q(j) * r_k(l)),
        "So |q_l||k_j| = |q_j||k_l| for each pair of planes.",
        square_vanishes,
    ).for_all(l, j, why="That is, the moduli of query and key are proportional.")

    given = p.given(proportional, "Conversely, let the moduli be proportional.")
    products = given.scope.under(inside, also_inside).use(
        given, why="Then |q_l||k_j| = |q_j||k_l| for each pair of planes."
    )
    no_square = products.scope.show(eq(cross, 0), "So the square of each pair is 0.", products)
    no_rows = no_square.summed(j, 0, m - 1, "So the sum of each row of squares is 0.").summed(
        l, 0, m - 1, "So Lagrange's sum of all squares is 0."
    )
    equal = no_rows.scope
    alike = p.under(le(0, one), le(0, other), eq(one**2, other**2)).show(
        eq(one, other),
        "Two numbers that are not negative and have equal squares are equal.",
        by=rules.smt(),
    )
    norms_squared = p.show(
        Both(le(0, norms), eq(kept(sp.Pow, norms, 2), squares_q * squares_k)),
        "The product |q||k| is not negative and has the square |q|^2 |k|^2.",
        roots,
    )
    values = {one: mixed, other: norms}
    known = (no_rows, norms_squared, roots)
    same = equal.use(
        alike,
        values,
        known,
        why="So (sum |q_l||k_l|)^2 = |q|^2 |k|^2. So sum |q_l||k_l| = |q||k|, as both have the "
        "same square.",
    )
    back = equal.show(eq(total, product), "So the second bound is attained.", same, scaled)
    p.qed(
        "Multiply Cauchy's inequality by the scale s, which is positive. This proves both "
        "bounds and their equality cases.",
        (first_bound, scaled, cauchy, SCALE, top, bottom, forth, back),
    )
