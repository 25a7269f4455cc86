"""The retrieval construction: letters on a circle, keys by left and queries by right letters."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.index.construction import v_x, v_y
from ropeproof.theory.index.construction import weight as p
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, n, over_planes, s, theta
from ropeproof.theory.papers import HEADS
from ropeproof.theory.slash.sandwich import bilinear

key, query, letters, a, c, k = integer("phi psi r a c k")
angle, step, v, h, x, y = real("theta omega v h x y")
left = integer_function("phi")
token = real_function("x")
LETTERS = Hypothesis("the letters are spaced evenly", eq(step, 2 * sp.pi / letters))
IN_RANGE = Hypothesis(
    "both letters are in the alphabet",
    Both(le(0, key), le(key, letters - 1), le(0, query), le(query, letters - 1)),
)
OTHER = Hypothesis("they are different letters", ne(key, query))


def apart(first: Any, second: Any, rotation: Any) -> Any:
    """The logit of a key's letter for a query's, with the lag's rotation in radians."""
    return sp.cos((first - second) * step + rotation)


def _logit() -> Claim:
    def turned(number: Any) -> tuple[Any, Any]:
        turn = number * step
        return (
            v_x(l) * sp.cos(turn) + v_y(l) * sp.sin(turn),
            v_y(l) * sp.cos(turn) - v_x(l) * sp.sin(turn),
        )

    logit = bilinear(*turned(query), *turned(key), n - j)
    size = v_x(l) ** 2 + v_y(l) ** 2

    def cosine(first: Any, second: Any) -> Any:
        return over_planes(s * size * sp.cos((first - second) * step + theta(l) * (n - j)))

    goal = eq(logit, cosine(key, query))
    return Claim(
        id="retrieval.logit",
        title="The logit of the retrieval construction",
        statement=(
            r"With key $\rho(\omega)^{-\phi(\mathrm{left})}v$ and query "
            r"$\rho(\omega)^{-\phi(\mathrm{right})}v$, the logit at position $j$ from position $n$ is "
            r"$s\sum_l|v_l|^2\cos((\phi_j-\phi_{\rm query})\omega+(n-j)\theta_l)$."
        ),
        source=HEADS.at("section 3, retrieval construction", "repaired"),
        needs=frozenset("PTW"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "turn",
                    goal,
                    identity(),
                    "The difference of the letters adds to the lag's angle.",
                ),
            )
        ),
        mutants=(
            Mutant("letters exchanged", eq(logit, cosine(query, key))),
            Mutant("without letters", eq(logit, cosine(key, key))),
        ),
    )


def _gap() -> Claim:
    bound = sp.cos(step - h)
    goal = le(apart(key, query, v), bound)
    names = (
        LETTERS.name,
        IN_RANGE.name,
        OTHER.name,
        "the rotation is at most h",
        "h is at most a step",
    )
    above, below = (lt(query, key),), (lt(key, query),)
    wrapped = (key - query + letters) * step + v
    at = (eq(letters, 8), eq(query, 2), eq(v, 0), eq(h, 0))
    return Claim(
        id="retrieval.gap",
        title="Another letter is at least a step less the rotation away",
        statement=(
            r"For letters $\phi\ne\psi$ of $r$, $\omega=\frac{2\pi}r$ and a rotation $0\le v\le h\le\omega$: "
            r"$\cos((\phi-\psi)\omega+v)\le\cos(\omega-h)$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                LETTERS.name, LETTERS.formula, without=(*at, eq(key, 3), eq(step, 2 * sp.pi))
            ),
            Hypothesis(IN_RANGE.name, IN_RANGE.formula, without=(*at, eq(key, 10))),
            Hypothesis(OTHER.name, OTHER.formula, without=(*at, eq(key, 2))),
            Hypothesis(
                names[3],
                Both(le(0, v), le(v, h)),
                without=(eq(letters, 8), eq(query, 2), eq(key, 1), eq(v, sp.pi / 4), eq(h, 0)),
            ),
            Hypothesis(
                names[4],
                le(h, step),
                without=(eq(letters, 8), eq(query, 2), eq(key, 1), eq(v, sp.pi / 4), eq(h, 3)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("size", lt(0, 1 / letters), smt(), "There is a letter,", (names[1],)),
                Step(
                    "step",
                    Both(eq(step, 2 * sp.pi * (1 / letters)), eq(letters * step, 2 * sp.pi)),
                    smt(),
                    "and the letters go once around.",
                    ("size", names[0], names[1]),
                ),
                Step("positive", le(0, step), smt(), "A step is not negative.", ("step", "size")),
                Step(
                    "steps above",
                    Both(
                        le(step, (key - query) * step), le((key - query) * step, 2 * sp.pi - step)
                    ),
                    smt(),
                    "A letter further on is one to r - 1 steps away,",
                    ("positive", "step", names[1]),
                    above,
                ),
                Step(
                    "steps below",
                    Both(
                        le(step, (key - query + letters) * step),
                        le((key - query + letters) * step, 2 * sp.pi - step),
                    ),
                    smt(),
                    "as is one before, once around.",
                    ("positive", "step", names[1]),
                    below,
                ),
                Step(
                    "first",
                    goal,
                    by_claim(
                        "trig.cosine-band", {real("a"): step - h, x: (key - query) * step + v}
                    ),
                    "With the rotation it stays a step less h from every whole turn,",
                    ("steps above", names[3], names[4]),
                    above,
                ),
                Step(
                    "second",
                    le(sp.cos(wrapped), bound),
                    by_claim("trig.cosine-band", {real("a"): step - h, x: wrapped}),
                    "either way.",
                    ("steps below", names[3], names[4]),
                    below,
                ),
                Step(
                    "angle",
                    eq(wrapped, (key - query) * step + v + 2 * sp.pi),
                    smt(),
                    "Once around",
                    ("step",),
                ),
                Step(
                    "same",
                    eq(sp.cos(wrapped), sp.cos((key - query) * step + v + 2 * sp.pi)),
                    rewrite(),
                    "does not change",
                    ("angle",),
                ),
                Step(
                    "periodic",
                    eq(sp.cos((key - query) * step + v + 2 * sp.pi), apart(key, query, v)),
                    identity(),
                    "the cosine.",
                ),
                Step(
                    "either",
                    goal,
                    smt(),
                    "So it holds for every other letter.",
                    ("first", "second", "same", "periodic", names[2]),
                ),
            )
        ),
        uses=("trig.cosine-band",),
        mutants=(
            Mutant(
                "a whole step",
                le(apart(key, query, v), sp.cos(step)),
                at=(
                    eq(letters, 8),
                    eq(query, 2),
                    eq(key, 1),
                    eq(v, sp.Rational(1, 2)),
                    eq(h, sp.Rational(1, 2)),
                ),
            ),
            Mutant(
                "two steps", le(apart(key, query, v), sp.cos(2 * step - h)), at=(*at, eq(key, 3))
            ),
        ),
    )


def _feasible() -> Claim:
    def logit(place: Any) -> Any:
        return apart(left(place), query, (n - 1 - place) * angle)

    span = (n - 1) * angle
    output = sp.Sum(p(j) * token(j, c), (j, 0, n - 1))
    all_weight = sp.Sum(p(j), (j, 0, n - 1))
    at_j = (le(0, j), le(j, n - 1))
    alphabet = every(j, 0, n - 1, Both(le(0, left(j)), le(left(j), letters - 1)))
    pairs = Both(le(0, j), le(j, n - 1), le(0, k), le(k, n - 1), ne(p(j), 0))
    hard = Every((j, k), If(pairs, le(logit(k), logit(j))))
    same = Both(le(0, j), le(j, n - 1), eq(left(j), left(a)))
    functional = Every((j,), If(same, eq(token(j, c), token(a, c))))
    names = (
        LETTERS.name,
        "letters are in the alphabet",
        "the target is a position",
        "its left letter is the query's",
        "equal left letters, equal tokens",
        "attention goes to the largest logits",
        "weights add up to 1",
        "the rotation over the length stays under half a step",
    )
    goal = eq(output, token(a, c))
    different = (*at_j, ne(left(j), left(a)))
    equal = (*at_j, eq(left(j), left(a)))
    small = (
        *(eq(n, 2), eq(letters, 8), eq(query, 0), eq(a, 0), eq(left(0), 0), eq(left(1), 1)),
        *(eq(token(0, 0), 1), eq(token(1, 0), 2), eq(c, 0)),
    )
    slow = (eq(angle, sp.Rational(1, 10)),)
    to_first = (eq(p(0), 1), eq(p(1), 0))
    to_second = (eq(p(0), 0), eq(p(1), 1))
    return Claim(
        id="retrieval.feasible",
        title="With average-hard attention the retrieval construction computes Retrieval",
        statement=(
            r"On functional inputs (equal left letters, equal tokens) with $0\le2(n-1)\theta<\omega$ "
            r"average-hard attention with $W_V=I$ and output $a$ returns exactly the token whose left "
            r"letter is the query's: all largest logits lie on it. ($\theta<\omega/2n_0$ for all "
            r"lengths $n\le n_0$.)"
        ),
        source=HEADS.at("Theorem 3.1", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                names[0],
                LETTERS.formula,
                without=(*small, eq(step, 6), eq(angle, sp.Rational(3, 10)), *to_second),
            ),
            Hypothesis(
                names[1],
                Both(alphabet, le(0, query), le(query, letters - 1)),
                without=(
                    *(eq(n, 2), eq(letters, 8), eq(query, 0), eq(a, 0), eq(left(0), 0)),
                    *(eq(left(1), 8), eq(token(0, 0), 1), eq(token(1, 0), 2), eq(c, 0)),
                    *slow,
                    *to_second,
                ),
            ),
            Hypothesis(
                names[2],
                Both(le(0, a), le(a, n - 1)),
                without=(
                    *(eq(n, 1), eq(letters, 8), eq(query, 0), eq(a, 3), eq(left(0), 1)),
                    *(eq(left(3), 0), eq(token(0, 0), 2), eq(token(3, 0), 1), eq(c, 0)),
                    *(*slow, eq(p(0), 1)),
                ),
            ),
            Hypothesis(
                names[3],
                eq(left(a), query),
                without=(
                    *(eq(n, 2), eq(letters, 8), eq(query, 1), eq(a, 0), eq(left(0), 0)),
                    *(eq(left(1), 1), eq(token(0, 0), 1), eq(token(1, 0), 2), eq(c, 0)),
                    *slow,
                    *to_second,
                ),
            ),
            Hypothesis(
                names[4],
                functional,
                without=(
                    *(eq(n, 2), eq(letters, 8), eq(query, 0), eq(a, 0), eq(left(0), 0)),
                    *(eq(left(1), 0), eq(token(0, 0), 1), eq(token(1, 0), 2), eq(c, 0)),
                    *slow,
                    *to_second,
                ),
            ),
            Hypothesis(names[5], hard, without=(*small, *slow, *to_second)),
            Hypothesis(
                names[6], eq(all_weight, 1), without=(*small, *slow, eq(p(0), 0), eq(p(1), 0))
            ),
            Hypothesis(
                names[7],
                Both(le(0, angle), lt(2 * span, step)),
                without=(
                    *(eq(n, 2), eq(letters, 8), eq(query, 1), eq(a, 0), eq(left(0), 1)),
                    *(eq(left(1), 2), eq(token(0, 0), 1), eq(token(1, 0), 2), eq(c, 0)),
                    *(eq(angle, 2), *to_second),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("size", lt(0, 1 / letters), smt(), "There is a letter,", (names[1],)),
                Step(
                    "inverse",
                    Both(eq(step, 2 * sp.pi * (1 / letters)), le(1 / letters, 1)),
                    smt(),
                    "(an r-th part)",
                    (names[0], names[1]),
                ),
                Step(
                    "step",
                    Both(le(0, step), le(step, 2 * sp.pi)),
                    smt(),
                    "a step is at most a turn,",
                    ("size", names[0], "inverse"),
                ),
                Step(
                    "rotation",
                    Both(le(0, (n - 1 - j) * angle), le((n - 1 - j) * angle, span)),
                    smt(),
                    "no lag turns by more than the whole length,",
                    (names[7],),
                    at_j,
                ),
                Step(
                    "span",
                    Both(le(0, span), le(span, sp.pi)),
                    smt(),
                    "which is less than half a turn.",
                    (names[7], "step", names[2]),
                ),
                Step("alphabet", alphabet, smt(), "(All letters are in it.)", (names[1],)),
                Step(
                    "target letter",
                    Both(le(0, left(a)), le(left(a), letters - 1)),
                    instance({j: a}),
                    "(the target's too)",
                    ("alphabet", names[2]),
                ),
                Step(
                    "this letter",
                    Both(le(0, left(j)), le(left(j), letters - 1)),
                    instance({j: j}),
                    "(this one's too)",
                    ("alphabet",),
                    at_j,
                ),
                Step(
                    "two letters",
                    Both(le(2, letters), lt(1 / letters, 1)),
                    smt(),
                    "(different ones)",
                    ("target letter", "this letter", "inverse"),
                    different,
                ),
                Step(
                    "less than a turn",
                    lt(step, 2 * sp.pi),
                    smt(),
                    "(With two letters a step is less than a turn.)",
                    ("inverse", "two letters"),
                    different,
                ),
                Step(
                    "letter",
                    Both(le(0, left(j)), le(left(j), letters - 1)),
                    instance({j: j}),
                    "A position with",
                    ("alphabet",),
                    at_j,
                ),
                Step("other", ne(left(j), query), smt(), "another letter", (names[3],), different),
                Step(
                    "far",
                    le(logit(j), sp.cos(step - span)),
                    by_claim("retrieval.gap", {key: left(j), v: (n - 1 - j) * angle, h: span}),
                    "is a step less that away,",
                    ("letter", "other", "rotation", names[0], names[1], names[7], "step"),
                    different,
                ),
                Step(
                    "farther",
                    lt(sp.cos(step - span), sp.cos(span)),
                    by_claim("trig.cosine-strictly-decreasing", {x: span, y: step - span}),
                    "strictly farther",
                    (names[7], "span", "less than a turn"),
                    different,
                ),
                Step(
                    "target rotation",
                    Both(le(0, (n - 1 - a) * angle), le((n - 1 - a) * angle, span)),
                    instance({j: a}),
                    "than the target,",
                    ("rotation", names[2]),
                ),
                Step(
                    "near",
                    le(sp.cos(span), sp.cos((n - 1 - a) * angle)),
                    by_claim("trig.cosine-decreasing", {x: (n - 1 - a) * angle, y: span}),
                    "which is turned by its lag alone.",
                    ("target rotation", "span"),
                ),
                Step(
                    "no letter",
                    eq((left(a) - query) * step + (n - 1 - a) * angle, (n - 1 - a) * angle),
                    smt(),
                    "(Its letter is the query's.)",
                    (names[3],),
                ),
                Step(
                    "target",
                    eq(logit(a), sp.cos((n - 1 - a) * angle)),
                    rewrite(),
                    "So",
                    ("no letter",),
                ),
                Step(
                    "lower",
                    lt(logit(j), logit(a)),
                    smt(),
                    "its logit is lower",
                    ("far", "farther", "near", "target"),
                    different,
                ),
                Step(
                    "if weight",
                    le(logit(a), logit(j)),
                    instance({j: j, k: a}),
                    "and with any weight",
                    (names[5], names[2]),
                    (*at_j, ne(p(j), 0)),
                ),
                Step(
                    "no weight",
                    eq(p(j), 0),
                    smt(),
                    "it would not be.",
                    ("if weight", "lower"),
                    different,
                ),
                Step(
                    "same token",
                    eq(token(j, c), token(a, c)),
                    instance({j: j}),
                    "A position with the same letter has the same token.",
                    (names[4],),
                    equal,
                ),
                Step(
                    "term",
                    eq(p(j) * token(j, c), p(j) * token(a, c)),
                    smt(),
                    "Either way it counts as the target's token,",
                    ("no weight", "same token"),
                    at_j,
                ),
                Step(
                    "sum",
                    eq(output, sp.Sum(p(j) * token(a, c), (j, 0, n - 1))),
                    termwise(),
                    "with weights",
                    ("term",),
                ),
                Step(
                    "factor",
                    eq(sp.Sum(p(j) * token(a, c), (j, 0, n - 1)), token(a, c) * all_weight),
                    identity(),
                    "that add up",
                ),
                Step("output", goal, smt(), "to 1.", ("sum", "factor", names[6])),
            )
        ),
        uses=("retrieval.gap", "trig.cosine-strictly-decreasing", "trig.cosine-decreasing"),
        mutants=(
            Mutant("twice the token", eq(output, 2 * token(a, c)), at=(*small, *slow, *to_first)),
            Mutant("the query's token", eq(output, token(n - 1, c)), at=(*small, *slow, *to_first)),
        ),
    )


RETRIEVAL_LOGIT = _logit()
RETRIEVAL_GAP = _gap()
RETRIEVAL_FEASIBLE = _feasible()

CLAIMS = (RETRIEVAL_LOGIT, RETRIEVAL_GAP, RETRIEVAL_FEASIBLE)
