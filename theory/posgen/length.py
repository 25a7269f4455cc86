"""Longer input: the output of a head with additive logits settles, whatever the positions do."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, n
from ropeproof.theory.sums import f, here, indicator, plane

t, u, w, worlds = integer("t u omega Omega")
limit, variance, least, bound, x, y, factor, p, q = real("r V c B x y t p q")
share, chance = real_function("pi"), real_function("P")
tilt, value, logit = real_function("E"), real_function("v"), real_function("f")


def _keys(term: Any) -> Any:
    return sp.Sum(term, (t, 0, n - 1))


def _mean(term: Any) -> Any:
    return sp.Sum(chance(w) * term, (w, 1, worlds))


def _effective() -> Claim:
    total = _keys(sp.exp(logit(t)))
    weight = sp.exp(logit(t)) / total
    squares = _keys(weight**2)
    peak = sp.exp(2 * bound) / n
    inside = (le(0, t), le(t, n - 1))
    names = ("there is a key", "positional logits are bounded")
    goal = le(squares, peak)
    return Claim(
        id="posgen.effective-length",
        title="Bounded positional logits leave a share of the length",
        statement=(
            r"If $|f_t|\le B$ the weights $\pi_t=e^{f_t}/\sum_ue^{f_u}$ have "
            r"$\sum_t\pi_t^2\le\frac{e^{2B}}n$, that is $n_{\rm eff}\ge ne^{-2B}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(1, n)),
            Hypothesis(
                names[1],
                every(t, 0, n - 1, Both(le(-bound, logit(t)), le(logit(t), bound))),
                without=(eq(n, 2), eq(bound, 0), eq(logit(0), 5), eq(logit(1), 0)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "bounds",
                    Both(le(-bound, logit(t)), le(logit(t), bound)),
                    instance({t: t}),
                    "Every logit is bounded,",
                    (names[1],),
                    inside,
                ),
                Step(
                    "at most",
                    le(sp.exp(logit(t)), sp.exp(bound)),
                    monotone(logit(t), bound),
                    "so its exponential is at most e^B",
                    ("bounds",),
                    inside,
                ),
                Step(
                    "at least",
                    le(sp.exp(-bound), sp.exp(logit(t))),
                    monotone(-bound, logit(t)),
                    "and at least e^-B,",
                    ("bounds",),
                    inside,
                ),
                Step(
                    "total",
                    le(_keys(sp.exp(-bound)), total),
                    termwise(),
                    "and their sum",
                    ("at least",),
                ),
                Step(
                    "count",
                    eq(_keys(sp.exp(-bound)), n * sp.exp(-bound)),
                    identity(),
                    "at least n e^-B.",
                    (names[0],),
                ),
                Step(
                    "positive",
                    Both(
                        lt(0, sp.exp(-bound)),
                        lt(0, sp.exp(bound)),
                        eq(sp.exp(bound) * sp.exp(-bound), 1),
                    ),
                    smt(),
                    "(Exponentials are positive.)",
                ),
                Step(
                    "sum",
                    lt(0, total),
                    smt(),
                    "It is positive:",
                    ("total", "count", "positive", names[0]),
                ),
                Step(
                    "inverse",
                    Both(
                        lt(0, 1 / total),
                        eq(total * (1 / total), 1),
                        le(n * (1 / total), sp.exp(bound)),
                    ),
                    smt(),
                    "its inverse is at most e^B / n.",
                    ("sum", "total", "count", "positive", names[0]),
                ),
                Step("own", lt(0, sp.exp(logit(t))), smt(), "(positive)"),
                Step(
                    "not negative",
                    le(0, n * (1 / total)),
                    smt(),
                    "(not negative)",
                    ("inverse", names[0]),
                ),
                Step(
                    "product",
                    le(sp.exp(logit(t)) * (n * (1 / total)), sp.exp(bound) * sp.exp(bound)),
                    by_claim(
                        "order.products",
                        {
                            x: sp.exp(logit(t)),
                            p: sp.exp(bound),
                            y: n * (1 / total),
                            q: sp.exp(bound),
                        },
                    ),
                    "So n times a weight",
                    ("at most", "inverse", "own", "not negative"),
                    inside,
                ),
                Step(
                    "each",
                    le(n * weight, sp.exp(bound) * sp.exp(bound)),
                    smt(),
                    "is at most e^2B,",
                    ("product",),
                    inside,
                ),
                Step("weight", le(0, weight), smt(), "(which is not negative)", ("own", "inverse")),
                Step(
                    "square",
                    le(n * weight * weight, sp.exp(bound) * sp.exp(bound) * weight),
                    by_claim(
                        "order.times",
                        {x: n * weight, y: sp.exp(bound) * sp.exp(bound), factor: weight},
                    ),
                    "and n times its square that times the weight.",
                    ("each", "weight"),
                    inside,
                ),
                Step(
                    "summed",
                    le(_keys(n * weight * weight), _keys(sp.exp(bound) * sp.exp(bound) * weight)),
                    termwise(),
                    "Sum:",
                    ("square",),
                ),
                Step(
                    "left",
                    eq(_keys(n * weight * weight), n * squares),
                    identity(),
                    "n times the squares",
                ),
                Step(
                    "right",
                    eq(
                        _keys(sp.exp(bound) * sp.exp(bound) * weight),
                        sp.exp(bound) * sp.exp(bound) * (total * (1 / total)),
                    ),
                    identity(),
                    "are at most e^2B times all weights,",
                    ("sum",),
                ),
                Step(
                    "bounded",
                    le(squares * n, sp.exp(bound) * sp.exp(bound)),
                    smt(),
                    "which are 1.",
                    ("summed", "left", "right", "inverse"),
                ),
                Step(
                    "in one",
                    Both(
                        eq(sp.exp(2 * bound), sp.exp(bound) * sp.exp(bound)),
                        eq(peak * n, sp.exp(2 * bound)),
                    ),
                    identity(),
                    "(Exponents add up.)",
                    (names[0],),
                ),
                Step("compare", le(squares * n, peak * n), smt(), "So", ("bounded", "in one")),
                Step(
                    "divide",
                    goal,
                    by_claim("slash.cancel", {x: squares, y: peak, factor: n}),
                    "divide by n.",
                    ("compare", names[0]),
                ),
            )
        ),
        uses=("exp.monotone", "order.times", "order.products", "slash.cancel"),
        mutants=(
            Mutant(
                "e^B",
                le(squares, sp.exp(bound) / n),
                at=(eq(n, 55), eq(bound, 2), eq(logit(0), 2), every(t, 1, 54, eq(logit(t), -2))),
            ),
            Mutant(
                "1/n",
                le(squares, 1 / n),
                at=(eq(n, 2), eq(bound, 1), eq(logit(0), 1), eq(logit(1), -1)),
            ),
        ),
    )


def _length() -> Claim:
    def noise(key: Any) -> Any:
        return tilt(key, w) * (value(key, w) - limit)

    def product(first: Any, second: Any) -> Any:
        return share(first) * share(second) * (chance(w) * (noise(first) * noise(second)))

    weights, top = _keys(share(t) * tilt(t, w)), _keys(share(t) * tilt(t, w) * value(t, w))
    output = top / weights
    pulled = _keys(share(t) * noise(t))
    squares = _keys(share(t) ** 2)
    error = _mean((output - limit) ** 2)
    at_key, at_world = (le(0, t), le(t, n - 1)), (le(1, w), le(w, worlds))
    at_both = (*at_key, le(0, u), le(u, n - 1))
    names = (
        "chances are not negative",
        "positional weights are not negative",
        "positional weights add up to 1",
        "content weights are at least c",
        "c is positive",
        "contents are independent",
    )
    moment = sp.Sum(chance(w) * (noise(t) * noise(u)), (w, 1, worlds))
    independent = eq(moment, variance * indicator(u, t))
    goal = le(least**2 * error, variance * squares)
    whole = sp.Sum(sp.Sum(sp.Sum(product(t, u), (u, 0, n - 1)), (t, 0, n - 1)), (w, 1, worlds))
    first = sp.Sum(sp.Sum(sp.Sum(product(t, u), (u, 0, n - 1)), (w, 1, worlds)), (t, 0, n - 1))
    second = sp.Sum(sp.Sum(sp.Sum(product(t, u), (w, 1, worlds)), (u, 0, n - 1)), (t, 0, n - 1))
    inner_before = sp.Sum(sp.Sum(product(t, u), (u, 0, n - 1)), (w, 1, worlds))
    inner_after = sp.Sum(sp.Sum(product(t, u), (w, 1, worlds)), (u, 0, n - 1))
    picked = sp.Sum(indicator(l, t) * (variance * share(t) * share(l)), (l, 0, n - 1))
    one = (
        *(eq(n, 1), eq(worlds, 2), eq(share(0), 1), eq(limit, 0), eq(least, 1)),
        *(eq(chance(1), sp.Rational(1, 2)), eq(chance(2), sp.Rational(1, 2))),
        *(eq(tilt(0, 1), 1), eq(tilt(0, 2), 1), eq(value(0, 1), 1), eq(value(0, 2), -1)),
    )
    return Claim(
        id="posgen.length",
        title="On longer input the output settles at a value that no position enters",
        statement=(
            r"Let logits be $f_t+g(k_t)$ with independent contents $(k_t,v_t)$ of one distribution, "
            r"$E_t=e^{g(k_t)}\ge c>0$, $\pi_t=e^{f_t}/\sum_ue^{f_u}$ and $r=\mathbb E[E v]/\mathbb E[E]$. "
            r"The output $o=\sum\pi_tE_tv_t/\sum\pi_tE_t$ has $\mathbb E(o-r)^2\le\frac V{c^2}"
            r"\sum_t\pi_t^2=\frac V{c^2n_{\rm eff}}$, $V=\mathbb E[E^2(v-r)^2]$: it settles at $r$, in "
            r"which neither $f$ nor the length occurs (`posgen.effective-length`). Used of independence: "
            r"$\mathbb E[Y_tY_u]=V$ if $t=u$, else 0, for $Y_t=E_t(v_t-r)$."
        ),
        needs=frozenset("PT"),
        hypotheses=(
            Hypothesis(
                names[0],
                every(w, 1, worlds, le(0, chance(w))),
                unshown="negative chances may hide large errors",
            ),
            Hypothesis(
                names[1],
                every(t, 0, n - 1, le(0, share(t))),
                unshown="negative weights may cancel the normaliser",
            ),
            Hypothesis(
                names[2],
                eq(_keys(share(t)), 1),
                unshown="smaller weights in all leave a smaller normaliser",
            ),
            Hypothesis(
                names[3],
                every(t, 0, n - 1, every(w, 1, worlds, le(least, tilt(t, w)))),
                unshown="contents that nothing weighs say nothing",
            ),
            Hypothesis(names[4], lt(0, least), unshown="a negative bound counts by its square"),
            Hypothesis(
                names[5],
                Every((t, u), If(Both(*at_both), independent)),
                unshown="contents that move together do not average out",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "share",
                    le(0, share(t)),
                    instance({t: t}),
                    "A positional weight",
                    (names[1],),
                    at_key,
                ),
                Step(
                    "tilts of t",
                    every(w, 1, worlds, le(least, tilt(t, w))),
                    instance({t: t}),
                    "times a content weight",
                    (names[3],),
                    at_key,
                ),
                Step(
                    "tilt",
                    le(least, tilt(t, w)),
                    instance({w: w}),
                    "of at least c",
                    ("tilts of t",),
                    (*at_key, *at_world),
                ),
                Step(
                    "term",
                    le(least * share(t), tilt(t, w) * share(t)),
                    by_claim("order.times", {x: least, y: tilt(t, w), factor: share(t)}),
                    "is at least c times it,",
                    ("tilt", "share"),
                    (*at_key, *at_world),
                ),
                Step(
                    "normaliser terms",
                    le(_keys(least * share(t)), _keys(tilt(t, w) * share(t))),
                    termwise(),
                    "and all together",
                    ("term",),
                    at_world,
                ),
                Step(
                    "ordered",
                    Both(
                        eq(_keys(least * share(t)), least * _keys(share(t))),
                        eq(_keys(tilt(t, w) * share(t)), weights),
                    ),
                    identity(),
                    "(c times",
                ),
                Step(
                    "normaliser",
                    le(least, weights),
                    smt(),
                    "all weights) at least c.",
                    ("normaliser terms", "ordered", names[2]),
                    at_world,
                ),
                Step(
                    "pull",
                    eq(pulled, top - limit * weights),
                    identity(),
                    "The output's distance from r",
                ),
                Step(
                    "distance",
                    eq((output - limit) * weights, pulled),
                    smt(),
                    "times the normaliser is a weighted sum of noises.",
                    ("pull", "normaliser", names[4]),
                    at_world,
                ),
                Step(
                    "squares",
                    le(least**2, weights**2),
                    by_claim("order.square", {x: least, y: weights}),
                    "The normaliser's square is at least c^2,",
                    ("normaliser", names[4]),
                    at_world,
                ),
                Step("gap", le(0, (output - limit) ** 2), smt(), "and squares are not negative:"),
                Step(
                    "times the gap",
                    le(least**2 * (output - limit) ** 2, weights**2 * (output - limit) ** 2),
                    by_claim(
                        "order.times", {x: least**2, y: weights**2, factor: (output - limit) ** 2}
                    ),
                    "so c^2 times the squared distance",
                    ("squares", "gap"),
                    at_world,
                ),
                Step(
                    "squared",
                    eq(sp.Pow((output - limit) * weights, 2, evaluate=False), pulled**2),
                    rewrite(),
                    "is at most",
                    ("distance",),
                    at_world,
                ),
                Step(
                    "written",
                    eq(
                        sp.Pow((output - limit) * weights, 2, evaluate=False),
                        weights**2 * (output - limit) ** 2,
                    ),
                    identity(),
                    "that sum",
                ),
                Step(
                    "bounded",
                    le(least**2 * (output - limit) ** 2, pulled**2),
                    smt(),
                    "squared.",
                    ("times the gap", "squared", "written"),
                    at_world,
                ),
                Step(
                    "chance",
                    le(0, chance(w)),
                    instance({w: w}),
                    "Take chances",
                    (names[0],),
                    at_world,
                ),
                Step(
                    "in the mean",
                    le(least**2 * (output - limit) ** 2 * chance(w), pulled**2 * chance(w)),
                    by_claim(
                        "order.times",
                        {x: least**2 * (output - limit) ** 2, y: pulled**2, factor: chance(w)},
                    ),
                    "into account,",
                    ("bounded", "chance"),
                    at_world,
                ),
                Step(
                    "means",
                    le(
                        sp.Sum(least**2 * (output - limit) ** 2 * chance(w), (w, 1, worlds)),
                        sp.Sum(pulled**2 * chance(w), (w, 1, worlds)),
                    ),
                    termwise(),
                    "and add up.",
                    ("in the mean",),
                ),
                Step(
                    "left",
                    eq(
                        sp.Sum(least**2 * (output - limit) ** 2 * chance(w), (w, 1, worlds)),
                        least**2 * error,
                    ),
                    identity(),
                    "(c^2 is a factor.)",
                ),
                Step(
                    "double",
                    eq(
                        pulled**2 * chance(w),
                        sp.Sum(sp.Sum(product(t, u), (u, 0, n - 1)), (t, 0, n - 1)),
                    ),
                    identity(),
                    "A squared sum is a double sum,",
                ),
                Step(
                    "triple",
                    eq(sp.Sum(pulled**2 * chance(w), (w, 1, worlds)), whole),
                    termwise(),
                    "the mean of it a triple one;",
                    ("double",),
                ),
                Step("exchange", eq(whole, first), swap(), "exchange"),
                Step("inner", eq(inner_before, inner_after), swap(), "twice,"),
                Step(
                    "inner sums",
                    eq(first, second),
                    termwise(),
                    "so that the mean is taken first:",
                    ("inner",),
                ),
                Step(
                    "moment",
                    independent,
                    instance({t: t, u: u}),
                    "it is 0 for two different keys.",
                    (names[5],),
                    at_both,
                ),
                Step(
                    "factor",
                    eq(sp.Sum(product(t, u), (w, 1, worlds)), share(t) * share(u) * moment),
                    identity(),
                    "(weights are factors)",
                ),
                Step(
                    "pair",
                    eq(
                        sp.Sum(product(t, u), (w, 1, worlds)),
                        indicator(u, t) * (variance * share(t) * share(u)),
                    ),
                    smt(),
                    "So a pair counts",
                    ("moment", "factor"),
                    at_both,
                ),
                Step(
                    "row",
                    eq(
                        inner_after,
                        sp.Sum(indicator(u, t) * (variance * share(t) * share(u)), (u, 0, n - 1)),
                    ),
                    termwise(),
                    "if it is the same key,",
                    ("pair",),
                    at_key,
                ),
                Step("one", eq(indicator(t, t), 1), smt(), "once"),
                Step("none", eq(indicator(l, t), 0), smt(), "and no", (), (ne(l, t),)),
                Step(
                    "none elsewhere",
                    every(l, 0, n - 1, If(ne(l, t), eq(indicator(l, t), 0))),
                    generalise(),
                    "other,",
                    ("none",),
                ),
                Step(
                    "pick",
                    eq(picked, variance * share(t) * share(t)),
                    by_claim(
                        "sums.pick",
                        {
                            m: n,
                            plane: t,
                            here: sp.Lambda(l, indicator(l, t)),
                            f: sp.Lambda(l, variance * share(t) * share(l)),
                        },
                    ),
                    "with its squared weight.",
                    ("one", "none elsewhere"),
                    at_key,
                ),
                Step(
                    "rename",
                    eq(
                        sp.Sum(indicator(u, t) * (variance * share(t) * share(u)), (u, 0, n - 1)),
                        picked,
                    ),
                    identity(),
                    "(Under any name.)",
                ),
                Step(
                    "key",
                    eq(inner_after, variance * share(t) * share(t)),
                    chain(),
                    "So each key",
                    ("row", "rename", "pick"),
                    at_key,
                ),
                Step(
                    "keys",
                    eq(second, _keys(variance * share(t) * share(t))),
                    termwise(),
                    "adds V times its squared weight,",
                    ("key",),
                ),
                Step(
                    "all keys",
                    eq(_keys(variance * share(t) * share(t)), variance * squares),
                    identity(),
                    "all together V / n_eff.",
                ),
                Step(
                    "settles",
                    goal,
                    smt(),
                    "That is the bound.",
                    ("means", "left", "triple", "exchange", "inner sums", "keys", "all keys"),
                ),
            )
        ),
        uses=("order.times", "order.square", "sums.pick"),
        mutants=(
            Mutant(
                "half", le(2 * least**2 * error, variance * squares), at=(*one, eq(variance, 1))
            ),
            Mutant("no error", le(least**2 * error, 0), at=(*one, eq(variance, 1))),
        ),
    )


POSGEN_EFFECTIVE_LENGTH = _effective()
POSGEN_LENGTH = _length()

CLAIMS = (POSGEN_EFFECTIVE_LENGTH, POSGEN_LENGTH)
