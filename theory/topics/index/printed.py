"""Printed statements about the index construction that are false, each with its repair."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.papers.citations import DECOUPLE, HEADS
from ropeproof.theory.topics.index.window import angle, fall, gamma, has_margin

p, q = integer("p q")
MEANINGS: Meanings = {
    i: "the integer of the query: how far back it points",
    j: "a position",
    n: "length of the input",
    p: "an integer",
    q: "an integer",
}
pairs = Both(*within(i, 0, n - 1).args, *within(j, 0, n - 1).args, ne(i, j))

# -- the bound of the discrepancy --------------------------------------------------------

query = integer("i_0")
ANOTHER_INPUT = Reading(
    "The discrepancy is a maximum over inputs, as the paper defines it. Take 7 positions, "
    "INT = {1..6}, the angle pi/2 + 1/100 and the query 3: every input has a positive "
    "margin, and this one has margin at least 0.97, while 2 pi^2 / 49 < 0.403.",
    (
        Every((i, j), If(pairs, lt(0, fall(j - i)))),
        Both(le(0, query), le(query, n - 1)),
        has_margin(gamma, offset=query),
    ),
    Both(le(gamma, fall(1)), le(gamma, 2 * sp.pi**2 / n**2)),
    where({n: 7, query: 3, angle: sp.pi / 2 + sp.Rational(1, 100), gamma: sp.Rational(97, 100)}),
)

INDEX_PRINTED_BOUND = Claim(
    id="index.printed-bound",
    title="Printed: the discrepancy of the index construction is at most 2π²/n²",
    statement=(
        r"$\max_\sigma\Delta_\theta(\sigma)\le\min\{1-\cos\theta,2\pi^2/n^2\}$ for the index "
        r"construction with angle $\theta$ at length $n$."
    ),
    source=HEADS.at(
        "section 3.5, Theorem 3.2; the maximum over inputs in appendix F.2.1, discrepancy "
        "computation",
        "as printed",
    ),
    kind="printed",
    needs=frozenset("X"),
    true_when="read as the margin of the worst input, which 1 - cos(2 pi / n) bounds, below "
    "2 pi^2 / n^2 (index.margin); or of queries that are letters, whose target is the last position. The "
    "paper's conclusion stands: over all inputs the order n^-2 is right, with 8 pi^2 / (n + 1)^2 for "
    "2 pi^2 / n^2 (index.margin), and the bound 1 - cos(theta) holds for every input, as lag 1 is in every "
    "window (index.window)",
    repaired_by="index.margin",
    readings=(ANOTHER_INPUT,),
)

# -- an irrational angle -----------------------------------------------------------------

theta = real("vartheta")
MEANINGS = {**MEANINGS, theta: "an angle, in radians"}
third = 2 * sp.pi / 3


def irrational(number: Term) -> Formula:
    """No quotient of integers."""
    return Every((p, q), If(le(1, q), ne(q * number, p)))


def unique(number: Term, length: Term) -> Formula:
    """No two positions of a row tie."""
    others = pairs.xreplace({n: sp.sympify(length)})
    return Every((i, j), If(others, lt(sp.cos((j - i) * number), 1)))


printed = Every((theta, n), If(irrational(theta), unique(theta, n)))
A_THIRD = Reading(
    "Irrational means no quotient of integers: 2 pi / 3 is irrational (Lindemann) and ties "
    "from 4 positions on; the negation is proved, and the tie is this instance.",
    (pairs,),
    lt(sp.Rational(1, 10**9), fall(j - i)),
    where({n: 4, i: 0, j: 3, angle: third}),
)


@theorem(
    "index.printed-irrational",
    source=HEADS.at("appendix F.2.1, discrepancy computation", "as printed"),
    kind="printed",
    needs="X",
    true_when="angles are counted in turns: theta / (2 pi) is irrational. RoPE's own angles have that "
    "(rope.nonresonant), and so has every rational theta but 0, as pi is irrational: the first angle "
    "of RoPE, 1, too. So the condition as printed is neither sufficient nor necessary",
    repaired_by="rope.nonresonant",
    conclusion=printed,
    readings=(A_THIRD,),
)
def INDEX_PRINTED_IRRATIONAL(proof: Proof) -> None:
    r"""Printed: an irrational angle gives a unique maximum

    If $\theta\notin\mathbb Q$ then every row of the index construction has a unique maximum.
    """
    cosine = sp.cos(3 * third, evaluate=False)

    lindemann = proof.under(le(1, q)).axiom(
        axiom_named("Lindemann").at(p=3 * p, q=2 * q, m=1),
        why="By Lindemann's theorem pi is transcendental, so 3 p is not 2 pi q.",
        goal=ne(3 * p, 2 * q * sp.pi),
    )
    multiple = lindemann.scope.show(
        ne(q * third, p), "Divide by 3: a multiple of 2 pi / 3 is no integer.", lindemann
    )
    is_irrational = multiple.for_all(p, q, why="So 2 pi / 3 is irrational in the printed sense.")
    suppose = proof.given(printed, "Suppose that the printed statement holds.")
    no_ties = suppose.at(
        {theta: third, n: 4},
        is_irrational,
        why="At the angle 2 pi / 3 no two of four positions would then tie.",
    )
    no_tie = suppose.scope.use(
        no_ties,
        {i: 0, j: 3},
        why="In particular the first and the last position would not tie.",
        goal=lt(cosine, 1),
    )
    tie = proof.show(
        eq(cosine, 1), "The cosine of a whole turn is 1, so these two positions do tie."
    )
    contradiction = suppose.scope.show(
        lt(1, 0), "These two steps contradict each other.", no_tie, tie
    )
    proof.show(Negation(printed), "So the printed statement is false.", contradiction)


# -- an angle above a turn over the length ---------------------------------------------------

TIES = Some((i, j), Both(*pairs.args, le(1, sp.cos((j - i) * angle))))
ONE_RADIAN = Reading(
    "Attention weights of the head of Theorem 3 at length n are softmax of cos(theta (q - i)), i = 0, "
    "..., n - 1, and are to have their maximum twice, for some index q at least. Take n = 7 and the "
    "first angle of RoPE, 1, which is above 2 pi / 7 = .898: for every index the weight of the position "
    "asked for is the only largest one, as no other logit is above cos 6 = .9602, a gap of .0398.",
    (Both(le(2, n), lt(2 * sp.pi / n, angle)),),
    TIES,
    where({n: 7, angle: 1}),
)

INDEX_PRINTED_MAXIMA = Claim(
    id="index.printed-maxima",
    title="Printed: above 2π/n attention has its maximum in several positions",
    statement=(
        r"If the angle of the index head at length $n$ is greater than $2\pi/n$, attention weights are "
        r"not maximised in just one position of the input."
    ),
    source=DECOUPLE.at("section 4, after Theorem 3", "as printed"),
    kind="printed",
    needs=frozenset("X"),
    true_when="the angle is 2 pi / k for an integer k < n: positions k apart tie then for every index that "
    "has one; or read as a warning, that from 2 pi / n on the margin depends on how near multiples of "
    "the angle come to whole turns (index.staircase) and no longer on the angle alone",
    repaired_by="index.window",
    readings=(ONE_RADIAN,),
)
