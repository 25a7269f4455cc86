"""The index construction: integer i turns its query back by i steps, letters hand themselves on."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, n, over_planes, s, theta
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

a, c = integer("a c")
angle = real("theta")
v_x, v_y, weight = (real_function(name) for name in ("v_x", "v_y", "p"))
sigma, letter = integer_function("sigma"), integer_function("L")
MEANINGS: Meanings = {
    **NOTATION,
    i: "the integer of the query: how far back it points",
    j: "a position",
    n: "length of the input",
    a: "the target",
    c: "a token, or a coordinate",
    angle: "the plane's angle per position, in radians",
    (v_x, v_y): "the key of every token",
    v_x: "first coordinate of the key in a plane",
    v_y: "second coordinate of the key in a plane",
    weight: "average-hard weights",
    sigma: "tokens of the input, by position",
    letter: "1 for letters, 0 for integers, by token",
}


def turned(angle: Term) -> tuple[Term, Term]:
    """Plane l of v turned back by an angle."""
    return (
        v_x(l) * sp.cos(angle) + v_y(l) * sp.sin(angle),
        v_y(l) * sp.cos(angle) - v_x(l) * sp.sin(angle),
    )


# -- the logit ---------------------------------------------------------------------------

logit = bilinear(*turned(i * theta(l)), v_x(l), v_y(l), n - j)


def _cosine(lag: Term) -> Term:
    return over_planes(s * (v_x(l) ** 2 + v_y(l) ** 2) * sp.cos(theta(l) * lag))


@theorem(
    "index.logit",
    source=HEADS.at("appendix F.2.1, index construction", "repaired"),
    needs="PTW",
    conclusion=eq(logit, _cosine(n - j - i)),
    attack=Attack(
        {"turned forward": eq(logit, _cosine(n - j + i)), "not turned": eq(logit, _cosine(n - j))}
    ),
)
def INDEX_LOGIT(p: Proof) -> None:
    r"""The logit of the index construction

    With key $v$ for every token and query $\rho(\theta)^{-i}v$ for the integer $i$ ($i=0$ for a
    letter), the logit at position $j$ from position $n$ is $s\sum_l|v_l|^2\cos((n-j-i)\theta_l)$.
    """
    p.qed("Turning the query back by i steps adds i to the key's place.")


# -- what it computes --------------------------------------------------------------------


def w(place: Term) -> Term:
    """The logit of one plane at a position, from the last one, for the integer i."""
    return sp.cos((n - 1 - place - i) * angle)


def hot(token: Term, coordinate: Term) -> Term | int:
    """One-hot tokens."""
    return indicator(sigma(token), coordinate)


def out(coordinate: Term) -> Term:
    """The query's token plus what attention brings: twice the letters."""
    value = weight(j) * (2 * letter(coordinate) * hot(j, coordinate))
    return hot(n - 1, coordinate) + sp.Sum(value, (j, 0, n - 1))


def wins(answer: Term) -> Formula:
    """The answer's coordinate leads by 1."""
    return Every((c,), If(ne(c, answer), le(out(c) + 1, out(answer))))


all_weight = sp.Sum(weight(j), (j, 0, n - 1))
is_letter, is_integer = eq(letter(sigma(a)), 1), eq(letter(sigma(a)), 0)
TARGET = Hypothesis(
    "the target stands i places back", Both(eq(a, n - 1 - i), le(0, a), le(a, n - 1))
)
UNIQUE = Hypothesis(
    "the maximum is unique", Every((j,), If(Both(le(0, j), le(j, n - 1), ne(j, a)), lt(w(j), w(a))))
)
HARD = Hypothesis(
    "attention goes to the largest logits",
    Every((j,), If(Both(le(0, j), le(j, n - 1), lt(w(j), w(a))), eq(weight(j), 0))),
)
ONE = Hypothesis("weights add up to 1", eq(all_weight, 1))


def _output(p: Proof) -> Fact:
    """What the head puts on a coordinate c."""

    def picked(term: Term, why: str) -> Fact:
        return p.lemma(
            SUMS_INDICATOR.at(m=n, p=a, f=lambda place: term.xreplace({j: place})),
            TARGET,
            why=why,
            goal=eq(sp.Sum(indicator(j, a) * term, (j, 0, n - 1)), term.xreplace({j: a})),
        )

    row, value = p.under(within(j, 0, n - 1)), 2 * letter(c) * hot(j, c)
    other = row.under(ne(j, a))
    lower = other.use(
        UNIQUE, why="Any other logit is lower than the target's, which is the maximum."
    )
    none = other.use(HARD, None, lower, why="So another position has no weight.")
    same = image(
        p,
        weight,
        j,
        a,
        "Consider the target's own position, j = a.",
        "There the weight is the target's weight.",
    )
    share, there = eq(weight(j), indicator(j, a) * weight(a)), row.under(eq(j, a))
    parts = (
        other.show(
            share,
            "Away from the target its indicator is 0. Away from the target both sides are 0.",
            none,
        ),
        there.show(
            share,
            "At the target its indicator is 1. At the target both sides are the target's weight.",
            same,
        ),
    )
    only = row.show(
        share, "So the weight is the target's weight times the indicator of the target.", *parts
    )
    total = only.summed(j, 0, n - 1, "Sum this equation over all positions.")
    first = picked(weight(a), "The sum against the target's indicator is the target's weight.")
    values = row.show(
        eq(weight(j) * value, indicator(j, a) * value),
        "As the weights sum to 1, the target's weight is 1. So only the target's value "
        "counts in the output.",
        (only, total, first, ONE),
    ).summed(j, 0, n - 1, "Sum this equation over all positions.")
    return p.show(
        eq(out(c), hot(n - 1, c) + 2 * letter(c) * hot(a, c)),
        "The output is the query's token plus twice the target's if it is a letter.",
        (values, picked(value, "The sum against the target's indicator is the target's term.")),
    )


small = {n: 2, a: 0, i: 1, sigma(0): 1, sigma(1): 2, letter(1): 1}
more = small | {letter(2): 0, angle: 1, weight(0): 1, weight(1): 0}


@theorem(
    "index.feasible",
    source=HEADS.at("section 3.4, Theorem 3.1", "repaired"),
    needs="PTXW",
    hypotheses=(TARGET, UNIQUE, HARD, ONE),
    conclusion=Both(If(is_letter, wins(sigma(a))), If(is_integer, wins(sigma(n - 1)))),
    attack=Attack(
        {
            "gap 2": If(is_letter, Every((c,), If(ne(c, sigma(a)), le(out(c) + 2, out(sigma(a)))))),
            "the query's token always": Every(
                (c,), If(ne(c, sigma(n - 1)), le(out(c) + 1, out(sigma(n - 1))))
            ),
        },
        at={"gap 2": more, "the query's token always": more},
        without={
            UNIQUE: small | {letter(2): 0, angle: 0, weight(0): 0, weight(1): 1},
            HARD: small | {letter(2): 0, angle: 1, weight(0): 0, weight(1): 1},
            ONE: small | {letter(2): 0, angle: 1, weight(0): 0, weight(1): 0},
        },
        idle={
            TARGET: "outside the row no position could have weight, and the weights could not add up to "
            "1; inside it the only largest logit is that i places back"
        },
    ),
)
def INDEX_FEASIBLE(p: Proof) -> None:
    r"""With average-hard attention the index construction computes Index

    One plane of any angle $\theta$, the query of the integer $i$ at the last of $n$ positions: the
    logit of position $j$ is $\cos((n-1-j-i)\theta)$ (`index.logit`), and the target is $a=n-1-i$.
    If no other position ties with it, average-hard attention with output $x+a$, $E(\sigma)$
    one-hot, $W_V$ twice the letter coordinates and arg max read-out computes
    $\mathrm{Index}(\sigma)_n$ with decoding gap at least 1: the target's token if it is a letter,
    else the token of the query itself. (Letters: $L=1$; integers: $L=0$.)
    """
    output = _output(p)
    target = output.at(
        {c: sigma(a)}, why="Take the output at the coordinate of the target's token."
    )
    query = output.at(
        {c: sigma(n - 1)}, why="Take the output at the coordinate of the query's token."
    )
    another = p.under(ne(c, sigma(a)))
    absent = another.show(
        eq(hot(a, c), 0), "At any coordinate but its own the target's token counts 0."
    )
    sizes = p.show(
        Both(le(hot(n - 1, c), 1), le(0, hot(n - 1, sigma(a)))),
        "An indicator lies between 0 and 1.",
    )
    letters = p.under(is_letter, ne(c, sigma(a))).show(
        le(out(c) + 1, out(sigma(a))),
        "If the target is a letter, its coordinate is at least 2 and any other at most 1.",
        (output, target, absent, sizes),
    )
    wins_letter = letters.for_all(c, why="So the target's coordinate exceeds every other one.")
    no_letter = p.under(is_integer)
    kind = image(
        p,
        letter,
        sigma(a),
        c,
        "Consider the coordinate c of the target's token.",
        "There the mark of a letter is that of the target's token.",
    )
    product, same = eq(letter(c) * hot(a, c), 0), no_letter.under(eq(sigma(a), c))
    none = no_letter.under(ne(c, sigma(a))).show(
        product, "At any other coordinate the product is 0, as the target's token counts 0.", absent
    )
    nothing = no_letter.show(
        product,
        "In both cases the head writes nothing at the coordinate c.",
        none,
        same.show(
            product, "At its own coordinate the product is 0, as the target is no letter.", kind
        ),
    )
    nor_here = no_letter.use(
        nothing, {c: sigma(n - 1)}, why="In particular it writes nothing at the query's coordinate."
    )
    elsewhere = no_letter.under(ne(c, sigma(n - 1)))
    own = elsewhere.show(
        eq(hot(n - 1, c), 0), "At any coordinate but its own the query's token counts 0."
    )
    stays = elsewhere.show(
        le(out(c) + 1, out(sigma(n - 1))),
        "So the query's own coordinate exceeds the other by 1.",
        (output, query, nothing, nor_here, own),
    )
    p.qed(
        "Both cases, a letter or none, together are the claim.",
        wins_letter,
        stays.for_all(c, why="So the query's coordinate exceeds every other one by 1."),
    )
