"""Behind a perceptron that tests the attention output a positional head retrieves from two keys."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.papers.citations import DECOUPLE

x, y = integer("x y")
first, second, asked = integer("sigma_1 sigma_2 sigma")
one, two = integer("i_1 i_2")
weights = real("lamda_1 lamda_2 lamda_3")
at_one, at_two, at_query = weights
MEANINGS: Meanings = {
    x: "a symbol",
    y: "an integer",
    first: "symbol of the first pair",
    second: "symbol of the second pair",
    asked: "the symbol asked for",
    one: "integer of the first pair",
    two: "integer of the second pair",
    at_one: "weight of the first pair",
    at_two: "weight of the second pair",
    at_query: "weight of the query",
}
of_query, amount = real("kappa alpha")


def shown(symbol: Term, number: Term) -> Term:
    """What attention puts on the pair: the weights of the positions that hold it."""
    of_first = at_one * indicator(symbol, first) * indicator(number, one)
    return of_first + at_two * indicator(symbol, second) * indicator(number, two)


def says(symbol: Term, number: Term) -> Formula:
    """The read-out is 1: AND(EQ(shown #, lambda_3), OR(EQ(shown, lambda_1), EQ(shown, lambda_2)))."""
    amount = shown(symbol, number)
    is_asked = eq(at_query * indicator(symbol, asked), at_query)
    return Both(is_asked, Either(eq(amount, at_one), eq(amount, at_two)))


total = sp.E + 1 / sp.E + 1
WEIGHTS = Hypothesis(
    "softmax of the logits cos(2 pi), cos(pi) and 0",
    Both(
        *(
            eq(w, part / total)
            for w, part in zip(weights, (sp.E, 1 / sp.E, sp.Integer(1)), strict=True)
        )
    ),
)
ONCE = Hypothesis(
    "the queried symbol occurs once",
    Either(Both(eq(first, asked), ne(second, asked)), Both(ne(first, asked), eq(second, asked))),
)
answer = Either(
    Both(eq(first, asked), eq(x, first), eq(y, one)),
    Both(eq(second, asked), eq(x, second), eq(y, two)),
)


at = {first: 0, second: 1, asked: 0, one: 5, two: 7}
printed = dict(zip(weights, (sp.E / total, 1 / sp.E / total, 1 / total), strict=True))


@theorem(
    "head.perceptron-retrieves",
    source=DECOUPLE.at("appendix B.6"),
    hypotheses=(WEIGHTS, ONCE),
    conclusion=iff(says(x, y), answer),
    example=where({first: 1, second: 2, asked: 1, one: 1, two: 2, x: 1, y: 1}),
    attack=Attack(
        {
            "the other pair": iff(
                says(x, y),
                Either(
                    Both(eq(first, asked), eq(x, second), eq(y, two)),
                    Both(eq(second, asked), eq(x, first), eq(y, one)),
                ),
            ),
            "without the query": iff(
                Either(eq(shown(x, y), at_one), eq(shown(x, y), at_two)), answer
            ),
        },
        at={
            "the other pair": at | printed | {x: 0, y: 5},
            "without the query": at | printed | {x: 1, y: 7},
        },
        without={
            WEIGHTS: at | dict.fromkeys(weights, 0) | {x: 0, y: 6},
            ONCE: at | printed | {second: 0, two: 5, x: 0, y: 5},
        },
    ),
)
def HEAD_PERCEPTRON_RETRIEVES(p: Proof) -> None:
    r"""Behind a perceptron a positional head retrieves from two keys

    Let $n=3$, the input $\sigma_1\#i_1,\ \sigma_2\#i_2,\ \sigma\#$, and let a head give its
    positions the weights $\lambda_1,\lambda_2,\lambda_3=\frac{(\mathrm e,\,\mathrm
    e^{-1},\,1)}{\mathrm e+\mathrm e^{-1}+1}$, whatever stands there (RoPE with $\theta=\pi$, one
    key for both pairs, key 0 for the query). Tokens are one-hot, values the identity. The
    read-out that is 1 on $x\#y$ where attention puts $\lambda_3$ on $x\#$ and $\lambda_1$ or
    $\lambda_2$ on $x\#y$, and else 0, is 1 on the answer alone.
    """
    signs = p.show(Both(*(lt(0, w) for w in weights)), "All three weights are positive.", WEIGHTS)

    def match(a: Term, b: Term) -> tuple[Fact, Fact]:
        same, other = p.under(eq(a, b)), p.under(ne(a, b))
        hit = same.show(eq(indicator(a, b), 1), "The indicator of two equal symbols is 1.")
        miss = other.show(eq(indicator(a, b), 0), "The indicator of two different symbols is 0.")
        return hit, miss

    is_asked, _ = says(x, y).args
    hit, miss = match(x, asked)
    query = p.show(
        iff(is_asked, eq(x, asked)),
        "At the queried symbol the amount is lambda_3. Elsewhere it is 0, less than that. "
        "The first test asks whether x is the queried symbol.",
        (hit, miss, signs),
    )

    def is_weight(amount: Term) -> Formula:
        return Either(eq(amount, at_one), eq(amount, at_two))

    def answers(symbol: Term, other: Term, number: Term, weight: Term) -> Fact:
        """If `symbol` is queried, the amount is the weight of its pair where y is its number."""
        here = p.under(eq(symbol, asked), ne(other, asked), eq(x, asked))
        either = p.under(eq(amount, weight * indicator(y, number))).show(
            iff(is_weight(amount), eq(y, number)),
            "Such an amount is a weight of a pair where y is the number, and else 0.",
            (signs, *match(y, number)),
        )
        return here.use(
            either.for_all(amount),
            {amount: shown(x, y)},
            (*match(x, symbol), *match(x, other)),
            why="The other pair holds another symbol, so attention shows this pair alone. So the "
            "second test asks whether y is the number of this pair.",
        )

    def queried(symbol: Term, other: Term, number: Term) -> Formula:
        """What `answers` says of a pair, for any amount."""
        case = Both(eq(symbol, asked), ne(other, asked), eq(x, asked))
        return If(case, iff(is_weight(amount), eq(y, number)))

    tests = iff(eq(of_query, at_query), eq(x, asked))
    pairs = (first, second, one), (second, first, two)
    found = Both(eq(of_query, at_query), is_weight(amount))
    reads = p.under(tests, *(queried(*pair) for pair in pairs))

    def by_case(symbol: Term, other: Term, number: Term) -> Fact:
        """The equivalence where this pair alone holds the queried symbol."""
        case = eq(symbol, asked), ne(other, asked)
        here, own = reads.under(*case), Both(eq(x, asked), eq(y, number))
        right = p.under(*case, own).show(answer, "Such x and y are the answer.", by=rules.smt())
        finds = here.under(answer).show(
            found, "The answer is this pair, too. So the tests find it."
        )
        says_so = here.under(found).use(
            right, {x: x}, why="What the tests find is this pair. So what they find is the answer."
        )
        return here.show(iff(found, answer), "They find the answer alone.", says_so, finds)

    alone = reads.show(
        iff(found, answer),
        "The queried symbol stands in one pair or the other, so they find the answer alone.",
        ONCE,
        *(by_case(*pair) for pair in pairs),
    )
    p.use(
        alone.for_all(of_query, amount),
        {of_query: at_query * indicator(x, asked), amount: shown(x, y)},
        query,
        *(answers(*pair, weight) for pair, weight in zip(pairs, weights, strict=False)),
        why="So the amounts of attention determine which pair is the answer.",
        goal=p.goal,
    )
