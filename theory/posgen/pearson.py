"""What a small residual guarantees of the correlation with a fit."""

from ropeproof.theory.head.scores import ORDER_ROOT
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.sandwich.common import f_x, f_y, h_x, h_y
from ropeproof.theory.slash.sandwich.logit_size import SLASH_SIZE_ORDER, SUMS_CAUCHY_SCHWARZ

j, n = integer("j n")
h, r = real_function("h"), real_function("r")
x, y, z = real("x y z")


def _over(term: Any) -> Any:
    return sp.Sum(term, (j, 0, n - 1))


def _square(term: Any) -> Any:
    return kept(sp.Pow, term, 2)


fit, rest = _over(h(j) ** 2), _over(r(j) ** 2)
cross, whole = _over(h(j) * r(j)), _over((h(j) + r(j)) ** 2)
root = sp.sqrt(1 - rest / fit)
norms = sp.sqrt(whole) * sp.sqrt(fit)
correlation = (fit + cross) / norms
opposite = eq(cross, -rest)

SMALLER = Hypothesis("the residual is smaller than the fit", lt(rest, fit))

_PEARSON = Claim(
    id="posgen.pearson",
    title="A small residual guarantees a high correlation",
    statement=(
        r"$w=\hat w+r$ with $\mathrm{Var}\,r=\varepsilon^2<\sigma^2=\mathrm{Var}\,\hat w$: the "
        r"correlation of $w$ with $\hat w$ is at least $\sqrt{1-\varepsilon^2/\sigma^2}$, attained "
        r"if their covariance is $-\varepsilon^2$. (Stated for the centred vectors, whose cosine "
        r"the correlation is; so 0.959 is guaranteed by $\varepsilon/\sigma\le0.283$.)"
    ),
    needs=frozenset("PTX"),
    hypotheses=(SMALLER,),
    conclusion=Both(le(root, correlation), If(opposite, eq(root, correlation))),
)


def _pearson(p: Proof) -> None:
    square = p.show(le(0, r(j) ** 2), "Squares are not negative,")
    squares = square.summed(j, 0, n - 1, "nor is their sum,")
    positive = p.show(lt(0, fit), "and the fit's is positive.", squares, SMALLER)
    product = p.lemma(
        SUMS_CAUCHY_SCHWARZ,
        {m: n, f_x: h, f_y: lambda place: sp.Integer(0), h_x: r, h_y: lambda place: sp.Integer(0)},
        why="By Cauchy and Schwarz, for any name of the index,",
    )
    names = p.show(
        Both(*(eq(total, total.xreplace({j: l})) for total in (cross, fit, rest))),
        "(The index has any name.)",
    )
    bounded = p.show(le(cross**2, fit * rest), "the covariance is bounded.", product, names)
    expanded = p.show(eq(whole, fit + 2 * cross + rest), "Expand the whole.")
    above = p.show(
        lt(-fit, cross), "So the covariance with the fit", bounded, SMALLER, positive, squares
    )
    at_most = p.show(le((fit + cross) ** 2, whole * fit), "is positive,", bounded, expanded)
    both = p.show(lt(0, fit + cross), "as their sum is", above)
    its_square = p.show(lt(0, (fit + cross) ** 2), "and its square,", both)
    not_0 = p.show(lt(0, whole), "and the whole is not 0.", at_most, positive, its_square)
    ratio = p.show(
        Both(eq(rest / fit, rest * (1 / fit)), lt(0, 1 / fit)),
        "The share of the fit",
        positive,
        by=rules.smt(),
    )
    share = p.show(
        Both(lt(0, 1 - rest / fit), eq((1 - rest / fit) * fit, fit - rest)),
        "that is left is positive;",
        (ratio, positive, SMALLER),
        by=rules.smt(),
    )
    roots = p.show(
        Both(
            le(0, root),
            eq(_square(root), 1 - rest / fit),
            lt(0, sp.sqrt(whole)),
            eq(_square(sp.sqrt(whole)), whole),
            lt(0, sp.sqrt(fit)),
            eq(_square(sp.sqrt(fit)), fit),
        ),
        "it has a root, as the two norms have.",
        (share, not_0, positive),
    )
    product_of_norms = p.show(
        Both(lt(0, norms), eq(_square(norms), whole * fit)), "The norms' product", roots
    )
    times_root = p.show(
        eq(_square(root * norms), (fit - rest) * whole),
        "times the root, squared,",
        (roots, product_of_norms, share),
    )
    short = p.show(
        eq((fit + cross) ** 2 - (fit - rest) * (fit + 2 * cross + rest), (cross + rest) ** 2),
        "falls short of the covariance squared by a square:",
    )
    compare = p.show(
        le(_square(root * norms), (fit + cross) ** 2), "it is smaller,", times_root, short, expanded
    )
    size = p.lemma(
        SLASH_SIZE_ORDER,
        {z: root * norms, y: fit + cross},
        compare,
        both,
        why="and so is its root.",
    )
    bound = p.show(le(root, correlation), "Divide.", size, product_of_norms)
    equal = p.under(opposite)
    same_square = equal.show(
        eq(_square(root * norms), _square(fit + cross)),
        "If the covariance is minus the residual's variance the two are equal,",
        (times_root, short, expanded),
    )
    sign = p.show(le(0, root * norms), "(neither is negative)", roots, product_of_norms)
    same_root = equal.lemma(
        ORDER_ROOT,
        {x: root * norms, y: fit + cross},
        (same_square, both, sign),
        why="and so are their roots:",
    )
    same = equal.show(eq(root, correlation), "equality.", same_root, product_of_norms)
    p.qed("Both.", bound, same)


_flat = {n: 2, h(0): 1, h(1): 1}

POSGEN_PEARSON = prove(
    _PEARSON,
    _pearson,
    Attack(
        {
            "the square": le(1 - rest / fit, correlation**2 / 2),
            "always equal": eq(root, correlation),
        },
        at={
            "the square": {**_flat, r(0): 0, r(1): 0},
            "always equal": {**_flat, r(0): sp.Rational(1, 2), r(1): 0},
        },
        without={SMALLER: {**_flat, r(0): -3, r(1): -3}},
    ),
)

CLAIMS = (POSGEN_PEARSON,)
