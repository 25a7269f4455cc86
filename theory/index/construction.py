"""The index construction: integer i turns its query back by i steps, letters hand themselves on."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m, n, over_planes, s, theta
from ropeproof.theory.papers import HEADS
from ropeproof.theory.slash.sandwich import bilinear
from ropeproof.theory.sums import f, here, indicator, plane

a, c = integer("a c")
v_x, v_y, p, w = (real_function(name) for name in ("v_x", "v_y", "p", "w"))
sigma, letter = integer_function("sigma"), integer_function("L")
PLACE = Both(le(0, j), le(j, n - 1))


def _logit() -> Claim:
    turn = i * theta(l)
    query = (
        v_x(l) * sp.cos(turn) + v_y(l) * sp.sin(turn),
        v_y(l) * sp.cos(turn) - v_x(l) * sp.sin(turn),
    )
    logit = bilinear(*query, v_x(l), v_y(l), n - j)
    size = v_x(l) ** 2 + v_y(l) ** 2

    def cosine(lag: Any) -> Any:
        return over_planes(s * size * sp.cos(theta(l) * lag))

    goal = eq(logit, cosine(n - j - i))
    return Claim(
        id="index.logit",
        title="The logit of the index construction",
        statement=(
            r"With key $v$ for every token and query $\rho(\theta)^{-i}v$ for the integer $i$ ($i=0$ "
            r"for a letter), the logit at position $j$ from position $n$ is "
            r"$s\sum_l|v_l|^2\cos((n-j-i)\theta_l)$; with one plane, $|v|=1$ and $s=1$ it is "
            r"$\cos((n-j-i)\theta)$."
        ),
        source=HEADS.at("section 3, index construction", "repaired"),
        needs=frozenset("PTW"),
        conclusion=goal,
        derivation=Derivation(
            (Step("turn", goal, identity(), "Turning back by i steps adds i to the key's place."),)
        ),
        mutants=(
            Mutant("turned forward", eq(logit, cosine(n - j + i))),
            Mutant("not turned", eq(logit, cosine(n - j))),
        ),
    )


def _feasible() -> Claim:
    others = Both(le(0, j), le(j, n - 1), ne(j, a))
    unique = Every((j,), If(others, lt(w(j), w(a))))
    hard = Every((j,), If(Both(le(0, j), le(j, n - 1), lt(w(j), w(a))), eq(p(j), 0)))
    names = ("the maximum is unique", "attention goes to the largest logits", "weights add up to 1")
    in_range = "the target is a position"

    def hot(token: Any, coordinate: Any) -> Any:
        return indicator(sigma(token), coordinate)

    def out(coordinate: Any) -> Any:
        value = p(j) * (2 * letter(coordinate) * hot(j, coordinate))
        return hot(n - 1, coordinate) + sp.Sum(value, (j, 0, n - 1))

    def short(coordinate: Any) -> Any:
        return hot(n - 1, coordinate) + 2 * letter(coordinate) * hot(a, coordinate)

    def wins(answer: Any) -> Any:
        return Every((c,), If(ne(c, answer), le(out(c) + 1, out(answer))))

    is_letter, is_integer = eq(letter(sigma(a)), 1), eq(letter(sigma(a)), 0)
    goal = Both(If(is_letter, wins(sigma(a))), If(is_integer, wins(sigma(n - 1))))
    value = 2 * letter(c) * hot(j, c)
    all_weight = sp.Sum(p(j), (j, 0, n - 1))
    at_j = (le(0, j), le(j, n - 1))
    small = (eq(n, 2), eq(a, 0), eq(sigma(0), 1), eq(sigma(1), 2), eq(letter(1), 1))
    more = (*small, eq(letter(2), 0), eq(w(0), 1), eq(p(0), 1), eq(p(1), 0))

    def at(coordinate: Any, label: str, *assuming: Any) -> Step:
        return Step(
            label,
            eq(out(coordinate), short(coordinate)),
            instance({c: coordinate}),
            "At the answer's coordinate, likewise.",
            ("output",),
            assuming,
        )

    return Claim(
        id="index.feasible",
        title="With average-hard attention the index construction computes Index",
        statement=(
            r"If the largest logit of the row is unique, average-hard attention with output $x+a$, "
            r"$E(\sigma)$ one-hot, $W_V$ twice the letter coordinates and arg max read-out computes "
            r"$\mathrm{Index}(\sigma)_n$ with decoding gap at least 1: the target's token if it is a "
            r"letter, else the token of the query itself. (Letters: $L=1$; integers: $L=0$.)"
        ),
        source=HEADS.at("Theorem 3.1", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                in_range,
                Both(le(0, a), le(a, n - 1)),
                idle="no position could have weight, and the weights could not add up to 1",
            ),
            Hypothesis(
                names[0],
                unique,
                without=(*small, eq(letter(2), 0), eq(w(0), 1), eq(w(1), 1), eq(p(0), 0)),
            ),
            Hypothesis(
                names[1], hard, without=(*small, eq(letter(2), 0), eq(w(0), 1), eq(p(0), 0))
            ),
            Hypothesis(
                names[2], eq(all_weight, 1), without=(*small, eq(letter(2), 0), eq(p(0), 0))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "lower",
                    lt(w(j), w(a)),
                    instance({j: j}),
                    "Any other logit is lower,",
                    (names[0],),
                    (*at_j, ne(j, a)),
                ),
                Step(
                    "no weight",
                    eq(p(j), 0),
                    instance({j: j}),
                    "so it gets no weight:",
                    (names[1], "lower"),
                    (*at_j, ne(j, a)),
                ),
                Step("is target", eq(j, a), smt(), "at the target", (), (eq(j, a),)),
                Step(
                    "same weight",
                    eq(p(j), p(a)),
                    rewrite(),
                    "it is the target's:",
                    ("is target",),
                    (eq(j, a),),
                ),
                Step(
                    "all of it",
                    eq(p(j), indicator(j, a) * p(a)),
                    smt(),
                    "the weights are those",
                    ("no weight", "same weight"),
                    at_j,
                ),
                Step("one", eq(indicator(a, a), 1), smt(), "of"),
                Step("zero", eq(indicator(l, a), 0), smt(), "one", (), (ne(l, a),)),
                Step(
                    "zeros",
                    every(l, 0, n - 1, If(ne(l, a), eq(indicator(l, a), 0))),
                    generalise(),
                    "position.",
                    ("zero",),
                ),
                Step(
                    "weights",
                    eq(all_weight, sp.Sum(indicator(j, a) * p(a), (j, 0, n - 1))),
                    termwise(),
                    "Add them up:",
                    ("all of it",),
                ),
                Step(
                    "picked weight",
                    eq(sp.Sum(indicator(l, a) * p(a), (l, 0, n - 1)), p(a)),
                    by_claim(
                        "sums.pick",
                        {
                            m: n,
                            plane: a,
                            here: sp.Lambda(l, indicator(l, a)),
                            f: sp.Lambda(l, p(a)),
                        },
                    ),
                    "only the target's is left,",
                    (in_range, "one", "zeros"),
                ),
                Step(
                    "rename",
                    eq(
                        sp.Sum(indicator(l, a) * p(a), (l, 0, n - 1)),
                        sp.Sum(indicator(j, a) * p(a), (j, 0, n - 1)),
                    ),
                    identity(),
                    "(under any name of the index)",
                ),
                Step(
                    "full weight",
                    eq(p(a), 1),
                    smt(),
                    "which is 1.",
                    ("weights", "picked weight", "rename", names[2]),
                ),
                Step(
                    "value",
                    eq(p(j) * value, indicator(j, a) * value),
                    smt(),
                    "So each value counts as the target's or not at all,",
                    ("all of it", "full weight"),
                    at_j,
                ),
                Step(
                    "values",
                    eq(
                        sp.Sum(p(j) * value, (j, 0, n - 1)),
                        sp.Sum(indicator(j, a) * value, (j, 0, n - 1)),
                    ),
                    termwise(),
                    "and the sum",
                    ("value",),
                ),
                Step(
                    "picked value",
                    eq(
                        sp.Sum(indicator(l, a) * value.xreplace({j: l}), (l, 0, n - 1)),
                        value.xreplace({j: a}),
                    ),
                    by_claim(
                        "sums.pick",
                        {
                            m: n,
                            plane: a,
                            here: sp.Lambda(l, indicator(l, a)),
                            f: sp.Lambda(l, value.xreplace({j: l})),
                        },
                    ),
                    "is the target's.",
                    (in_range, "one", "zeros"),
                ),
                Step(
                    "rename values",
                    eq(
                        sp.Sum(indicator(l, a) * value.xreplace({j: l}), (l, 0, n - 1)),
                        sp.Sum(indicator(j, a) * value, (j, 0, n - 1)),
                    ),
                    identity(),
                    "(again)",
                ),
                Step(
                    "output",
                    eq(out(c), short(c)),
                    smt(),
                    "The output is the query's token plus twice the target's if it is a letter.",
                    ("values", "picked value", "rename values"),
                ),
                at(sigma(a), "at the target's"),
                at(sigma(n - 1), "at the query's"),
                Step(
                    "letter wins",
                    le(out(c) + 1, out(sigma(a))),
                    smt(),
                    "If the target is a letter, its coordinate is at least 2, others at most 1.",
                    ("output", "at the target's"),
                    (is_letter, ne(c, sigma(a))),
                ),
                Step(
                    "letter",
                    wins(sigma(a)),
                    generalise(),
                    "So it wins.",
                    ("letter wins",),
                    (is_letter,),
                ),
                Step(
                    "is target's", eq(sigma(a), c), smt(), "If it is not,", (), (eq(sigma(a), c),)
                ),
                Step(
                    "same kind",
                    eq(letter(sigma(a)), letter(c)),
                    rewrite(),
                    "its coordinate",
                    ("is target's",),
                    (eq(sigma(a), c),),
                ),
                Step(
                    "nothing added",
                    eq(letter(c) * hot(a, c), 0),
                    smt(),
                    "gets nothing",
                    ("same kind",),
                    (is_integer,),
                ),
                Step(
                    "nothing at the query's",
                    eq(letter(sigma(n - 1)) * hot(a, sigma(n - 1)), 0),
                    instance({c: sigma(n - 1)}),
                    "nor does the query's,",
                    ("nothing added",),
                    (is_integer,),
                ),
                Step(
                    "token stays",
                    le(out(c) + 1, out(sigma(n - 1))),
                    smt(),
                    "and the query's own token wins",
                    ("output", "at the query's", "nothing added", "nothing at the query's"),
                    (is_integer, ne(c, sigma(n - 1))),
                ),
                Step(
                    "stays",
                    wins(sigma(n - 1)),
                    generalise(),
                    "by 1.",
                    ("token stays",),
                    (is_integer,),
                ),
                Step("computes", goal, smt(), "Both cases.", ("letter", "stays")),
            )
        ),
        uses=("sums.pick",),
        mutants=(
            Mutant(
                "gap 2",
                If(is_letter, Every((c,), If(ne(c, sigma(a)), le(out(c) + 2, out(sigma(a)))))),
                at=more,
            ),
            Mutant(
                "the query's token always",
                Every((c,), If(ne(c, sigma(n - 1)), le(out(c) + 1, out(sigma(n - 1))))),
                at=more,
            ),
        ),
    )


INDEX_LOGIT = _logit()
INDEX_FEASIBLE = _feasible()

CLAIMS = (INDEX_LOGIT, INDEX_FEASIBLE)
