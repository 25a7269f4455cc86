"""What a small residual guarantees of the correlation with a fit: of centred vectors, and of any."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import (
    SUMS_CAUCHY_SCHWARZ,
    f_x,
    f_y,
    h_x,
    h_y,
)
from ropeproof.theory.topics.head.scores import ORDER_ROOT
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER

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

_COSINE = Claim(
    id="posgen.cosine",
    title="A small residual guarantees a large cosine",
    statement=(
        r"Vectors $h$, $r$ with $\|r\|<\|h\|$: the cosine of $h+r$ with $h$ is at least "
        r"$\sqrt{1-\|r\|^2/\|h\|^2}$, attained if $\langle h,r\rangle=-\|r\|^2$."
    ),
    needs=frozenset("PX"),
    hypotheses=(SMALLER,),
    conclusion=Both(le(root, correlation), If(opposite, eq(root, correlation))),
)


def _cosine(p: Proof) -> None:
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

POSGEN_COSINE = prove(
    _COSINE,
    _cosine,
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

# -- correlation ---------------------------------------------------------------------------


def mean(term: Any) -> Any:
    """The mean over the entries."""
    return _over(term) / n


def covariance(one: Any, other: Any) -> Any:
    """The mean of the product less the product of the means."""
    return mean(one(j) * other(j)) - mean(one(j)) * mean(other(j))


def _sum(place: Any) -> Any:
    return h(place) + r(place)


spread, noise, together = covariance(h, h), covariance(r, r), covariance(h, r)
least = sp.sqrt(1 - noise / spread)
pearson = covariance(_sum, h) / (sp.sqrt(covariance(_sum, _sum)) * sp.sqrt(spread))
scale = real("c")
AN_ENTRY = Hypothesis("there is an entry", le(1, n))
LESS_SPREAD = Hypothesis("the residual varies less than the fit", lt(noise, spread))
SMALL = le(10**6 * noise, 283**2 * spread)

_PEARSON = Claim(
    id="posgen.pearson",
    title="A small residual guarantees a high correlation",
    statement=(
        r"$w_j=\hat w_j+r_j$, $0\le j<n$, with $\mathrm{Var}\,r=\varepsilon^2<\sigma^2="
        r"\mathrm{Var}\,\hat w$: the correlation of $w$ with $\hat w$ is at least "
        r"$\sqrt{1-\varepsilon^2/\sigma^2}$, attained if their covariance is $-\varepsilon^2$; it is at "
        r"least $0.959$ if $\varepsilon\le0.283\,\sigma$."
    ),
    needs=frozenset("PTX"),
    hypotheses=(AN_ENTRY, LESS_SPREAD),
    conclusion=Both(
        le(least, pearson),
        If(eq(together, -noise), eq(least, pearson)),
        If(SMALL, le(sp.Rational(959, 1000), pearson)),
    ),
)


def _pearson(p: Proof) -> None:
    unit = eq(scale**2 * n, 1)
    scaled = p.under(unit)

    def centred(of: Any) -> Any:
        """The values less their mean, times a number whose square is 1/n."""
        return lambda place: scale * (of(place) - mean(of(j)))

    def moment(one: Any, other: Any, why: str) -> Fact:
        """The product of two such vectors is their covariance."""
        product = _over(centred(one)(j) * centred(other)(j))
        return scaled.show(eq(product, covariance(one, other)), why, given, AN_ENTRY)

    given = scaled.given(unit, "Take a number c with c^2 = 1/n.")
    of_fit = moment(h, h, "The fit less its mean, times c, has its variance as square,")
    of_rest = moment(r, r, "the residual its own,")
    of_both = moment(h, r, "and their product is the covariance.")
    of_sum = scaled.show(
        eq(_over((centred(h)(j) + centred(r)(j)) ** 2), covariance(_sum, _sum)),
        "The sum's square is the variance of the sum,",
        (given, AN_ENTRY),
    )
    with_fit = p.show(
        eq(covariance(_sum, h), spread + together), "whose covariance with the fit is of two parts."
    )
    smaller = scaled.show(
        lt(_over(centred(r)(j) ** 2), _over(centred(h)(j) ** 2)),
        "The residual is shorter than the fit,",
        (of_fit, of_rest, LESS_SPREAD),
    )
    cosine = scaled.lemma(
        POSGEN_COSINE,
        {h: centred(h), r: centred(r)},
        smaller,
        why="so the cosine of the sum with the fit is bounded:",
    )
    read = _read_as_correlation(p)
    moments = [f.formula.lhs for f in (of_fit, of_rest, of_both, of_sum)]
    values = [spread, noise, together, covariance(_sum, _sum), covariance(_sum, h)]
    known = scaled.use(
        read,
        dict(zip((*LENGTHS, *MOMENTS), (*moments, *values), strict=True)),
        (cosine, of_fit, of_rest, of_both, of_sum, with_fit),
        why="it is the correlation.",
        goal=Both(*p.goal.args[:2]),
    )
    square = p.show(le(0, _square(centred(r)(j))), "Squares are not negative,")
    squares = square.summed(j, 0, n - 1, "nor is their sum,")
    varies = scaled.show(le(0, noise), "nor a variance.", squares, of_rest)
    there = p.witness(
        Some((scale,), unit),
        {scale: 1 / sp.sqrt(n)},
        AN_ENTRY,
        why="There is such a number, 1/sqrt n,",
    )
    bound = p.choose(there, known, "so the bound holds,")
    not_negative = p.choose(there, varies, "and a variance is not negative.")
    positive = p.show(lt(0, spread), "So the fit's is positive.", not_negative, LESS_SPREAD)
    small = p.under(SMALL)
    ratio_small = small.show(
        le(noise / spread, sp.Rational(80089, 10**6)),
        "A small residual has a small share,",
        positive,
    )
    root_large = small.show(
        le(sp.Rational(959, 1000), least),
        "whose rest has a root of .959.",
        ratio_small,
        by=rules.smt(),
    )
    enough = small.show(
        le(sp.Rational(959, 1000), pearson), "So has the correlation.", root_large, bound
    )
    p.qed("All three.", bound, enough)


LENGTHS = real("F_0 R_0 X_0 W_0")
MOMENTS = real("F_1 R_1 X_1 W_1 Y_1")


def _read_as_correlation(p: Proof) -> Fact:
    """Equal parts: what the cosine's bound says of lengths, it says of variances."""

    def sides(own: Any, other: Any, _: Any, whole: Any, above: Any) -> tuple[Any, Any]:
        return sp.sqrt(1 - other / own), above / (sp.sqrt(whole) * sp.sqrt(own))

    def bounds(*parts: Any) -> Any:
        (left, right), (_, other, product, *_) = sides(*parts), parts
        return Both(le(left, right), If(eq(product, -other), eq(left, right)))

    lengths = (*LENGTHS, LENGTHS[0] + LENGTHS[2])
    same = [eq(x, y) for x, y in zip(LENGTHS, MOMENTS, strict=False)]
    same.append(eq(MOMENTS[4], MOMENTS[0] + MOMENTS[2]))
    scope = p.under(*same).supposing(bounds(*lengths))
    equal = [scope.given(f, "Let the parts be equal") for f in same]
    known = scope.given(bounds(*lengths), "and the bound be known of the first ones.")
    roots, quotients = (
        scope.rewrite(eq(one, other), why, equal)
        for one, other, why in zip(
            sides(*lengths),
            sides(*MOMENTS),
            ("Roots of equals", "and quotients are equal,"),
            strict=True,
        )
    )
    goal = bounds(*MOMENTS)
    return scope.show(
        goal, "so it is known of the others.", known, roots, quotients, equal, by=rules.smt()
    )


POSGEN_PEARSON = prove(
    _PEARSON,
    _pearson,
    Attack(
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

CLAIMS = (POSGEN_COSINE, POSGEN_PEARSON)
