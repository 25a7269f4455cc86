"""What the first layer of induction writes: at each position, the codes of the tokens, averaged."""

from collections.abc import Sequence

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, n
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.softmax import token
from ropeproof.theory.topics.softmax.token import sigma

epsilon = real("epsilon")
mass = real_function("S")
MEANINGS: Meanings = {
    **token.MEANINGS,
    i: "a position that the first layer looks at",
    j: "a position",
    n: "position of the last token",
    epsilon: "the weight that the first layer may miss at the position before",
    mass: "the first layer's attention, by row and position",
}


def copied(row: Term | int, weights: Callable[..., Term] = mass) -> Term:
    """How much of the code that a position holds is that of the last token, at position n."""
    return sp.Sum(weights(row, i) * indicator(sigma(i), sigma(n)), (i, 0, row))


def total(row: Term, weights: Function = mass) -> Term:
    """The sum of a row's weights."""
    return sp.Sum(weights(row, i), (i, 0, row))


A_TOKEN = Hypothesis("a token stands before the last", le(1, n))
POSITIVE = Hypothesis(
    "the first layer's weights are not negative", every(j, 0, n, every(i, 0, j, le(0, mass(j, i))))
)
ONE = Hypothesis("those of a row add up to 1", every(j, 0, n, eq(total(j), 1)))
SLASH = Hypothesis(
    "every row but the first looks at the position before it",
    every(j, 1, n, le(1 - epsilon, mass(j, j - 1))),
)
FIRST_LAYER = (POSITIVE, ONE, SLASH)

holds = le(1 - epsilon, copied(j))
lacks = le(copied(j), epsilon)


def rows(condition: Formula, then: Formula) -> Formula:
    """What every row but the first says under a condition."""
    return Every((j,), If(Both(*within(j, 1, n).args, condition), then))


CONTENT = (
    le(0, epsilon),
    every(j, 0, n, within(copied(j), 0, 1)),
    rows(eq(sigma(j - 1), sigma(n)), holds),
    rows(ne(sigma(j - 1), sigma(n)), lacks),
    If(ne(sigma(0), sigma(n)), le(copied(0), 0)),
)

looks_back = indicator(i, j - 1) + indicator(j, 0) * indicator(i, 0)
"""Weights of rows that look at the position before them alone, the first at itself."""


def layer(*rows: Sequence[Any]) -> dict[Any, Any]:
    """The rows of a first layer, as values of its weights."""
    return {mass(j, i): value for j, row in enumerate(rows) for i, value in enumerate(row)}


half = sp.Rational(1, 2)
_two = {n: 1, epsilon: half} | layer((1,), (half, half))
_match, _other = _two | listed(sigma, 1, 1), _two | listed(sigma, 1, 2)


@theorem(
    "task.induction-mean",
    needs="PTX",
    hypotheses=(A_TOKEN, *FIRST_LAYER),
    conclusion=Both(*CONTENT),
    example=(
        *where({n: 3, epsilon: sp.Rational(1, 4)}),
        Every((j, i), eq(mass(j, i), looks_back)),
        Every((i,), eq(sigma(i), 1 - indicator(i, 1))),
    ),
    attack=Attack(
        {
            "a match holds more": rows(eq(sigma(j - 1), sigma(n)), le(1 - epsilon / 2, copied(j))),
            "no other holds anything": rows(ne(sigma(j - 1), sigma(n)), le(copied(j), 0)),
            "the first row, whatever it shows": le(copied(0), 0),
        },
        at={
            # Row 2 looks at the token 1 before it, and as much at the token 2.
            "a match holds more": {
                n: 2,
                epsilon: half,
                **layer((1,), (1, 0), (half, half, 0)),
                **listed(sigma, 2, 1, 1),
            },
            "no other holds anything": _other,
            "the first row, whatever it shows": _match,
        },
        without={
            A_TOKEN: {n: 0, epsilon: -1, mass(0, 0): 1},
            POSITIVE: {n: 1, epsilon: 0, **layer((1,), (2, -1)), **listed(sigma, 1, 2)},
            ONE: {n: 1, epsilon: 0, **layer((1,), (1, 1)), **listed(sigma, 1, 2)},
            SLASH: {n: 1, epsilon: 0, **layer((1,), (half, half)), **listed(sigma, 1, 2)},
        },
    ),
)
def TASK_INDUCTION_MEAN(p: Proof) -> None:
    r"""A slash head at offset 1 writes the token before, up to its missing weight

    Let every row $1\le j\le n$ of a causal layer with weights $S_{ji}\ge0$, $\sum_iS_{ji}=1$, have
    $S_{j,j-1}\ge1-\epsilon$, and let it average codes that are 1 at a token $x$ and 0 at others:
    position $j$ then holds $P_j=\sum_{i\le j}S_{ji}[\sigma_i=x]$, here for the last token,
    $x=\sigma_n$. Then $\epsilon\ge0$, $0\le P_j\le1$, $P_j\ge1-\epsilon$ if $\sigma_{j-1}=x$, and
    $P_j\le\epsilon$ if not; $P_0\le0$ if $\sigma_0\ne x$.
    """
    row = p.under(within(j, 0, n))
    weights = row.use(POSITIVE, why="No weight of a row is negative, by hypothesis.")
    whole = row.use(ONE, why="The weights of a row sum to 1, by hypothesis.")
    key = row.under(within(i, 0, j))
    weight = key.use(weights, why="In particular the weight of the position i is not negative.")
    here = mass(j, i) * indicator(sigma(i), sigma(n))
    low, high = key.show(
        Both(le(0, here), le(here, mass(j, i))),
        "An indicator lies between 0 and 1. So the product of weight and indicator lies "
        "between 0 and the weight.",
        weight,
    ).parts("This is one part of the previous statement.")
    not_less = low.summed(i, 0, j, "Sum the lower bound over all positions of the row.")
    not_more = high.summed(i, 0, j, "Sum the upper bound over all positions of the row.")
    inside = row.show(
        within(copied(j), 0, 1),
        "As the weights sum to 1, the sum of the products lies between 0 and 1.",
        (not_less, not_more, whole),
    )

    later = p.under(within(j, 1, n))
    reached = later.use(
        SLASH,
        why="A row but the first has at least 1 - epsilon on the position before, by hypothesis.",
    )

    def member(term: Callable[..., Term], always: Fact, why: str) -> Fact:
        """The term of the position before is at most the sum."""
        terms = substituted(always)
        return later.lemma(SUMS_MEMBER.at(f=term, k=j - 1, m=j + 1), terms, why=why)

    def substituted(fact: Fact) -> Fact:
        inner = later.under(within(l, 0, j))
        instance = inner.use(fact, why="In particular this holds at the position l.")
        return instance.for_all(
            l, why="The position was arbitrary, so it holds at every position of the row."
        )

    each_low = low.for_all(i, why="The position was arbitrary, so no term of the sum is negative.")
    own = member(
        lambda at: mass(j, at) * indicator(sigma(at), sigma(n)),
        each_low,
        "So the sum is at least the term of the position before.",
    )
    rest = key.show(le(0, mass(j, i) - here), "The weight less its term is not negative.", high)
    left = member(
        lambda at: mass(j, at) - mass(j, at) * indicator(sigma(at), sigma(n)),
        rest.for_all(i, why="The position was arbitrary, so this holds at every position."),
        "So the sum of these differences is at least that of the position before.",
    )
    alone = member(
        lambda at: mass(j, at),
        key.show(
            le(0, mass(j, i)), "The weight of the position i is not negative.", weight
        ).for_all(i, why="The position was arbitrary, so no weight of the row is negative."),
        "So the weight of the position before is at most the sum of all.",
    )
    match = later.under(eq(sigma(j - 1), sigma(n)))
    full = match.show(
        holds,
        "Suppose that the position before has the last token. Then the sum is at least the "
        "weight of the position before.",
        (own, reached),
    )
    other = later.under(ne(sigma(j - 1), sigma(n)))
    empty = other.show(
        lacks,
        "The sum of the differences is the sum of the weights less that of the terms. "
        "Suppose that the position before has another token. Then its weight is missing from "
        "the sum, which is at most epsilon.",
        (left, reached, whole),
    )
    most = later.show(
        le(0, epsilon), "As no weight exceeds 1, epsilon is not negative.", alone, whole, reached
    )
    missing = p.use(
        most.for_all(j, why="This was shown in an arbitrary row but the first."),
        {j: n},
        A_TOKEN,
        why="There is such a row, so epsilon is not negative.",
    )
    first = p.under(ne(sigma(0), sigma(n))).show(
        le(copied(0), 0),
        "The sum of the first row has a single term. Suppose that the first token is not the "
        "last one. Then the sum of the first row is 0.",
    )
    p.qed(
        "The five statements together are the claim.",
        missing,
        inside.for_all(j, why="The row was arbitrary, so the bounds 0 and 1 hold in every row."),
        full.for_all(
            j, why="This holds in every row after an earlier occurrence of the last token."
        ),
        empty.for_all(j, why="This holds in every other row but the first."),
        first,
    )
