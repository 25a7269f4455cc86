"""What a small residual guarantees of the correlation with a fit: of centred vectors, and of any."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.library.order import ORDER_ROOT
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import SUMS_CAUCHY_SCHWARZ
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER

j, n = integer("j n")
h, r = real_function("h"), real_function("r")
MEANINGS: Meanings = {
    j: "an index of keys, cells or planes",
    n: "dimension of the vectors",
    h: "a vector",
    r: "another vector",
}
x, y, ratio, part, divisor = real("x y ratio part divisor")


def _over(term: Term) -> Term:
    return sp.Sum(term, (j, 0, n - 1))


def _square(term: Term) -> Term:
    return kept(sp.Pow, term, 2)


fit, rest = _over(h(j) ** 2), _over(r(j) ** 2)
cross, whole = _over(h(j) * r(j)), _over((h(j) + r(j)) ** 2)
root = sp.sqrt(1 - rest / fit)
norms = sp.sqrt(whole) * sp.sqrt(fit)
correlation = (fit + cross) / norms
opposite = eq(cross, -rest)

SMALLER = Hypothesis("the residual is smaller than the fit", lt(rest, fit))


_flat = {n: 2, h(0): 1, h(1): 1}


@theorem(
    "posgen.cosine",
    hypotheses=(SMALLER,),
    conclusion=Both(le(root, correlation), If(opposite, eq(root, correlation))),
    attack=Attack(
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
def POSGEN_COSINE(p: Proof) -> None:
    r"""A small residual guarantees a large cosine

    Vectors $h$, $r$ with $\|r\|<\|h\|$: the cosine of $h+r$ with $h$ is at least
    $\sqrt{1-\|r\|^2/\|h\|^2}$, attained if $\langle h,r\rangle=-\|r\|^2$.
    """
    square = p.show(le(0, r(j) ** 2), "The square of a residual is not negative.")
    squares = square.summed(
        j, 0, n - 1, "So the sum of the squares of the residuals is not negative."
    )
    positive = p.show(
        lt(0, fit),
        "As it exceeds the residual's, the fit's sum of squares is positive.",
        (squares, SMALLER),
    )
    none = sp.Lambda(l, 0)
    product = p.lemma(
        SUMS_CAUCHY_SCHWARZ.at(m=n, f_x=h, f_y=none, h_x=r, h_y=none),
        why="Apply the inequality of Cauchy and Schwarz to fit and residual.",
    )
    bounded = p.show(
        le(cross**2, fit * rest), "Name the index of these sums j instead of l.", product
    )
    expanded = p.show(
        eq(whole, fit + 2 * cross + rest), "Expand the sum of squares of fit plus residual."
    )
    at_most = p.show(
        le((fit + cross) ** 2, whole * fit),
        "By the previous bound the square is at most this product.",
        (bounded, expanded),
    )
    not_0 = p.show(
        lt(0, whole),
        "So the covariance is more than minus the fit's sum of squares. As the left side is "
        "a positive square, the sum of squares is positive.",
        (at_most, positive, bounded, SMALLER, squares),
    )
    product_of_norms = p.show(
        Both(lt(0, norms), eq(_square(norms), whole * fit)),
        "The product of the two norms is positive, and its square is known.",
        (not_0, positive),
    )
    times_root = p.show(
        Both(le(0, root * norms), eq(_square(root * norms), (fit - rest) * whole)),
        "The share of the fit's squares that the residual leaves is positive. The root of "
        "the share times the two norms has this square.",
        (product_of_norms, positive, SMALLER),
    )
    short = p.show(
        eq((fit + cross) ** 2 - (fit - rest) * (fit + 2 * cross + rest), (cross + rest) ** 2),
        "The square of the product falls short of the covariance's square by a square.",
    )
    compared, values = (times_root, short, expanded), {"y": fit + cross}
    size = p.lemma(
        SLASH_SIZE_ORDER.at(z=root * norms, **values),
        (compared, bounded, SMALLER, positive, squares),
        why="So the root of the share times the norms is at most the covariance.",
    )
    signs = (product_of_norms, positive, not_0)
    divided = {ratio: root, part: fit + cross, divisor: norms}
    below = p.under(lt(0, divisor), le(ratio * divisor, part))
    quotient = below.show(
        le(ratio, part / divisor), "A bound of a product may be divided by a positive factor."
    )
    without_sign = p.show(
        le(root * norms, fit + cross),
        "Drop the absolute value, as the left side is not negative.",
        size,
    )
    bound = p.use(
        quotient,
        divided,
        (without_sign, signs),
        why="So the root of the share is at most the correlation.",
    )
    same = p.under(opposite).lemma(
        ORDER_ROOT.at(x=root * norms, **values),
        (compared, bounded, SMALLER, positive, squares, not_0),
        why="If the covariance is minus the residual's squares, the two are equal.",
    )
    exactly = p.under(lt(0, divisor), eq(ratio * divisor, part))
    quotients = exactly.show(
        eq(ratio, part / divisor),
        "An equation of a product may be divided by a positive factor.",
        by=rules.smt(),
    )
    equal = p.under(opposite).use(
        quotients,
        divided,
        (same, signs),
        why="So the root of the share equals the correlation in this case.",
    )
    p.qed("The bound and the case of equality are the claim.", bound, equal)


# -- correlation ---------------------------------------------------------------------------


def mean(term: Term) -> Term:
    """The mean over the entries."""
    return _over(term) / n


def covariance(one: Callable[..., Term], other: Callable[..., Term]) -> Term:
    """The mean of the product less the product of the means."""
    return mean(one(j) * other(j)) - mean(one(j)) * mean(other(j))


def _sum(place: Term) -> Term:
    return h(place) + r(place)


spread, noise, together = covariance(h, h), covariance(r, r), covariance(h, r)
least = sp.sqrt(1 - noise / spread)
pearson = covariance(_sum, h) / (sp.sqrt(covariance(_sum, _sum)) * sp.sqrt(spread))
scale = real("c")
AN_ENTRY = Hypothesis("there is an entry", le(1, n))
LESS_SPREAD = Hypothesis("the residual varies less than the fit", lt(noise, spread))
SMALL = le(10**6 * noise, 283**2 * spread)


LENGTHS = real("F_0 R_0 X_0 W_0")
MOMENTS = real("F_1 R_1 X_1 W_1 Y_1")


def _read_as_correlation(p: Proof) -> Fact:
    """Equal parts: what the cosine's bound says of lengths, it says of variances."""

    def sides(own: Term, other: Term, _: Term, whole: Term, above: Term) -> tuple[Term, Term]:
        return sp.sqrt(1 - other / own), above / (sp.sqrt(whole) * sp.sqrt(own))

    def bounds(*parts: Term) -> Formula:
        (left, right), (_, other, product, *_) = sides(*parts), parts
        return Both(le(left, right), If(eq(product, -other), eq(left, right)))

    lengths = (*LENGTHS, LENGTHS[0] + LENGTHS[2])
    same = [eq(x, y) for x, y in zip(LENGTHS, MOMENTS, strict=False)]
    same.append(eq(MOMENTS[4], MOMENTS[0] + MOMENTS[2]))
    scope = p.under(*same).supposing(bounds(*lengths))
    equal = [scope.given(f, "Suppose that these two quantities are equal.") for f in same]
    known = scope.given(bounds(*lengths), "Suppose that the bound holds for the first quantities.")
    roots, quotients = (
        scope.rewrite(eq(one, other), why, equal)
        for one, other, why in zip(
            sides(*lengths),
            sides(*MOMENTS),
            ("Roots of equal quantities are equal.", "Quotients of equal quantities are equal."),
            strict=True,
        )
    )
    goal = bounds(*MOMENTS)
    return scope.show(
        goal, "So the bound holds for the second quantities.", (known, roots, quotients, equal)
    )


@theorem(
    "posgen.pearson",
    meanings={h: "the fit", n: "number of keys, or of lags", r: "the residual"},
    needs="PTX",
    hypotheses=(AN_ENTRY, LESS_SPREAD),
    conclusion=Both(
        le(least, pearson),
        If(eq(together, -noise), eq(least, pearson)),
        If(SMALL, le(sp.Rational(959, 1000), pearson)),
    ),
    attack=Attack(
        {
            "the square": le(1 - noise / spread, pearson**2 / 2),
            "always equal": eq(least, pearson),
            "a third": If(le(9 * noise, spread), le(sp.Rational(959, 1000), pearson)),
        },
        at={
            "the square": {n: 2, h(0): 1, h(1): -1, r(0): 0, r(1): 0},
            "always equal": {n: 2, h(0): 1, h(1): -1, r(0): sp.Rational(1, 2), r(1): 0},
        },
        idle={AN_ENTRY: "without entries nothing varies less than anything else"},
    ),
)
def POSGEN_PEARSON(p: Proof) -> None:
    r"""A small residual guarantees a high correlation

    $w_j=h_j+r_j$, $0\le j<n$, with $\mathrm{Var}\,r=\varepsilon^2<\sigma^2=\mathrm{Var}\,h$: the
    correlation of $w$ with $h$ is at least $\sqrt{1-\varepsilon^2/\sigma^2}$, attained if their
    covariance is $-\varepsilon^2$; it is at least $0.959$ if $\varepsilon\le0.283\,\sigma$.
    """
    unit = eq(scale**2 * n, 1)
    scaled = p.under(unit)

    def centred(of: Function) -> Callable[..., Term]:
        """The values less their mean, times a number whose square is 1/n."""
        return lambda place: scale * (of(place) - mean(of(j)))

    def moment(one: Function, other: Function, why: str) -> Fact:
        """The product of two such vectors is their covariance."""
        product = _over(centred(one)(j) * centred(other)(j))
        return scaled.show(eq(product, covariance(one, other)), why, given, AN_ENTRY)

    given = scaled.given(unit, "Let c be a number with c^2 = 1/n.")
    of_fit = moment(h, h, "The centred fit times c has the fit's variance as its sum of squares.")
    of_rest = moment(
        r, r, "The centred residual times c has the residual's variance as its sum of squares."
    )
    of_both = moment(h, r, "The product of the two sums to the covariance of fit and residual.")
    of_sum = scaled.show(
        eq(_over((centred(h)(j) + centred(r)(j)) ** 2), covariance(_sum, _sum)),
        "The sum of the two has the variance of the sum as its sum of squares.",
        (given, AN_ENTRY),
    )
    with_fit = p.show(
        eq(covariance(_sum, h), spread + together),
        "The covariance of the sum with the fit is the fit's variance plus the covariance.",
    )
    cosine = scaled.lemma(
        POSGEN_COSINE.at(h=centred(h), r=centred(r)),
        (of_fit, of_rest, LESS_SPREAD),
        why="The residual's sum of squares is less than the fit's, by hypothesis. So the cosine "
        "of the sum with the fit has this bound.",
    )
    read = _read_as_correlation(p)
    moments = [f.formula.lhs for f in (of_fit, of_rest, of_both, of_sum)]
    values = [spread, noise, together, covariance(_sum, _sum), covariance(_sum, h)]
    known = scaled.use(
        read,
        dict(zip((*LENGTHS, *MOMENTS), (*moments, *values), strict=True)),
        (cosine, of_fit, of_rest, of_both, of_sum, with_fit),
        why="So the bound holds for the correlation, by these equations.",
    )
    squares = p.show(
        le(0, _square(centred(r)(j))), "The square of a centred residual is not negative."
    ).summed(j, 0, n - 1, "So the sum of these squares is not negative.")
    varies = scaled.show(
        le(0, noise), "So the variance of the residual is not negative.", squares, of_rest
    )
    there = p.witness(
        Some((scale,), unit),
        {scale: 1 / sp.sqrt(n)},
        AN_ENTRY,
        why="There is such a number, 1 over the root of n.",
    )
    bound = p.choose(there, known, "This number exists, and the bound does not depend on it.")
    not_negative = p.choose(
        there, varies, "This number exists, and the variance does not depend on it."
    )
    small = p.under(SMALL)
    root_large = small.show(
        le(sp.Rational(959, 1000), least),
        "As it exceeds the residual's, the variance of the fit is positive. At this size of "
        "the residual its share of the variance is at most 0.080089. So the root of the "
        "remaining share is at least 0.959.",
        (not_negative, LESS_SPREAD),
    )
    enough = small.show(
        le(sp.Rational(959, 1000), pearson),
        "So the correlation is at least 0.959.",
        (root_large, bound),
    )
    p.qed("The three statements together are the claim.", bound, enough)
