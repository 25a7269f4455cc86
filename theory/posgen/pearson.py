"""What a small residual guarantees of the correlation with a fit."""

from ropeproof.theory.head.scores import ORDER_ROOT
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.sandwich.logit_size import SLASH_SIZE_ORDER
from ropeproof.theory.sums.cauchy_schwarz import SUMS_CAUCHY_SCHWARZ, f_x, f_y, h_x, h_y

j, n = integer("j n")
h, r = real_function("h"), real_function("r")
x, y, z, ratio, part, divisor = real("x y z ratio part divisor")


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
    none = sp.Lambda(l, 0)
    values = {m: n, f_x: h, f_y: none, h_x: r, h_y: none}
    product = p.lemma(SUMS_CAUCHY_SCHWARZ, values, why="By Cauchy and Schwarz")
    bounded = p.show(le(cross**2, fit * rest), "the covariance is bounded;", product)
    both = p.show(
        lt(0, fit + cross), "it is more than -|h|^2.", bounded, SMALLER, positive, squares
    )
    expanded = p.show(eq(whole, fit + 2 * cross + rest), "Expand the whole:")
    at_most = p.show(le((fit + cross) ** 2, whole * fit), "times the fit", bounded, expanded)
    not_0 = p.show(lt(0, whole), "it is at least a square, and not 0.", at_most, positive, both)
    share = p.show(
        Both(lt(0, 1 - rest / fit), eq((1 - rest / fit) * fit, fit - rest)),
        "The share of the fit that is left is positive;",
        (positive, SMALLER),
        by=rules.smt(),
    )
    product_of_norms = p.show(
        Both(lt(0, norms), eq(_square(norms), whole * fit)), "the norms' product", not_0, positive
    )
    times_root = p.show(
        Both(le(0, root * norms), eq(_square(root * norms), (fit - rest) * whole)),
        "times its root, squared,",
        (product_of_norms, share),
    )
    short = p.show(
        eq((fit + cross) ** 2 - (fit - rest) * (fit + 2 * cross + rest), (cross + rest) ** 2),
        "falls short of the covariance squared by a square.",
    )
    compared, values = (times_root, short, expanded), {y: fit + cross}
    size = p.lemma(
        SLASH_SIZE_ORDER, {z: root * norms, **values}, compared, both, why="So it is less:"
    )
    signs = (product_of_norms, positive, not_0)
    divided = {ratio: root, part: fit + cross, divisor: norms}
    below = p.under(lt(0, divisor), le(ratio * divisor, part))
    quotient = below.show(le(ratio, part / divisor), "A product's bound divides,")
    without_sign = p.show(le(root * norms, fit + cross), "as here.", size)
    bound = p.use(quotient, divided, without_sign, signs, why="So is the correlation bounded.")
    same = p.under(opposite).lemma(
        ORDER_ROOT,
        {x: root * norms, **values},
        (compared, both, positive, not_0, share),
        why="If the covariance is minus the residual's variance the two are equal.",
    )
    exactly = p.under(lt(0, divisor), eq(ratio * divisor, part))
    quotients = exactly.show(eq(ratio, part / divisor), "A product divides, too:", by=rules.smt())
    equal = p.under(opposite).use(quotients, divided, same, signs, why="they are equal.")
    p.qed("Both were asked for.", bound, equal)


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
