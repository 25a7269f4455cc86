"""Bounded positional logits spread the weight over a share of the length."""

from ropeproof.theory.exponential import exponentials
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.order import times
from ropeproof.theory.posgen.plane import products
from ropeproof.theory.slash.cone.inequalities import SLASH_CANCEL

t = integer("t")
bound, x, y, factor = real("B x y t")
logit = real_function("f")


def over_keys(term: Any) -> Any:
    """The sum over the keys, t = 0..n-1."""
    return sp.Sum(term, (t, 0, n - 1))


A_KEY = Hypothesis("there is a key", le(1, n))
BOUNDED = Hypothesis(
    "positional logits are bounded", every(t, 0, n - 1, within(logit(t), -bound, bound))
)

total = over_keys(sp.exp(logit(t)))
weight = sp.exp(logit(t)) / total
squares, peak = over_keys(weight**2), sp.exp(2 * bound) / n

_EFFECTIVE_LENGTH = Claim(
    id="posgen.effective-length",
    title="Bounded positional logits leave a share of the length",
    statement=(
        r"If $|f_t|\le B$ the weights $\pi_t=e^{f_t}/\sum_ue^{f_u}$ have "
        r"$\sum_t\pi_t^2\le\frac{e^{2B}}n$, that is $n_{\rm eff}\ge ne^{-2B}$."
    ),
    needs=frozenset("PX"),
    hypotheses=(A_KEY, BOUNDED),
    conclusion=le(squares, peak),
)


def _effective_length(p: Proof) -> None:
    key, top, inverse = p.under(within(t, 0, n - 1)), sp.exp(bound), 1 / total
    bounds = key.use(BOUNDED, why="Every logit is bounded,")
    at_most = exponentials(key, logit(t), bound, "so its exponential is at most e^B", bounds)
    at_least = exponentials(key, -bound, logit(t), "and at least e^-B,", bounds)
    below = at_least.summed(t, 0, n - 1, "and their sum")
    count = p.show(eq(below.formula.lhs, n * sp.exp(-bound)), "at least n e^-B.", A_KEY)
    positive = p.show(
        Both(lt(0, sp.exp(-bound)), lt(0, top), eq(top * sp.exp(-bound), 1)),
        "(Exponentials are positive.)",
        by=rules.smt(),
    )
    not_0 = p.show(lt(0, total), "It is positive:", below, count, positive, A_KEY)
    reasons = (not_0, below, count, positive, A_KEY)
    unit = p.show(Both(lt(0, inverse), eq(total * inverse, 1)), "it has an inverse,", reasons)
    small = p.show(le(n * inverse, top), "which is at most e^B / n.", unit, reasons)
    signs = p.show(
        Both(lt(0, sp.exp(logit(t))), le(0, n * inverse)), "(Neither is negative.)", unit, A_KEY
    )
    product = products(key, at_most, small, signs, why="So n times a weight")
    each = key.show(le(n * weight, top * top), "is at most e^2B,", product)
    sign = p.show(le(0, weight), "(which is not negative)", signs, unit)
    square = times(key, each, weight, "and n times its square that times the weight.", sign)
    summed = square.summed(t, 0, n - 1, "Sum:")
    left = p.show(eq(summed.formula.lhs, n * squares), "n times the squares")
    right = p.show(
        eq(summed.formula.rhs, top * top * (total * inverse)),
        "are at most e^2B times all weights,",
        not_0,
    )
    bounded = p.show(
        le(squares * n, top * top), "which are 1.", summed, left, right, unit, positive
    )
    in_one = p.show(
        Both(eq(sp.exp(2 * bound), top * top), eq(peak * n, sp.exp(2 * bound))),
        "(Exponents add up.)",
        A_KEY,
    )
    compare = p.show(le(squares * n, peak * n), "That is n times the peak:", bounded, in_one)
    p.lemma(SLASH_CANCEL, {x: squares, y: peak, factor: n}, compare, A_KEY, why="divide by n.")


_others = every(t, 1, 54, eq(logit(t), -2))

POSGEN_EFFECTIVE_LENGTH = prove(
    _EFFECTIVE_LENGTH,
    _effective_length,
    Attack(
        {"e^B": le(squares, sp.exp(bound) / n), "1/n": le(squares, 1 / n)},
        at={
            "e^B": (*where({n: 55, bound: 2, logit(0): 2}), _others),
            "1/n": {n: 2, bound: 1, logit(0): 1, logit(1): -1},
        },
        without={BOUNDED: {n: 2, bound: 0, logit(0): 5, logit(1): 0}},
    ),
)

CLAIMS = (POSGEN_EFFECTIVE_LENGTH,)
