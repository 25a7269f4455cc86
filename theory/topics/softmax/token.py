"""A token that leads every position which shows another one has most of the attention."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import TARGET, a, gamma, normaliser, w

c = integer("c")
sigma = integer_function("sigma")
MEANINGS: Meanings = {**margin.MEANINGS, c: "a token", sigma: "tokens of the input, by position"}


def mass(token: Term, logits: Callable[..., Term] = w, tokens: Function = sigma) -> Term:
    """The exponentials of the positions that show a token."""
    return sp.Sum(sp.exp(logits(j)) * indicator(tokens(j), token), (j, 0, n - 1))


RIVALS = Hypothesis(
    "positions with another token are lower by gamma",
    every(j, 0, n - 1, If(ne(sigma(j), sigma(a)), le(w(j) + gamma, w(a)))),
)
ENOUGH = Hypothesis("gamma exceeds the logarithm of their number", lt(n, sp.exp(gamma)))


two = {n: 2, a: 0, gamma: 1, w(0): 1, w(1): 0} | listed(sigma, 1, 2)


@theorem(
    "softmax.token",
    needs="PTX",
    hypotheses=(TARGET, RIVALS, ENOUGH),
    conclusion=Both(
        lt(0, normaliser()),
        lt(normaliser(), 2 * mass(sigma(a))),
        Every((c,), If(ne(c, sigma(a)), lt(2 * mass(c), normaliser()))),
    ),
    attack=Attack(
        {
            "four fifths": lt(4 * normaliser(), 5 * mass(sigma(a))),
            "a quarter": Every((c,), If(ne(c, sigma(a)), lt(4 * mass(c), normaliser()))),
        },
        at={"four fifths": two, "a quarter": two},
        without={
            TARGET: two | {a: 5, w(5): 9, sigma(5): 7},
            RIVALS: two | {w(1): 1},
            ENOUGH: {n: 3, a: 0, gamma: 0, w(0): 0, w(1): 0, w(2): 0} | listed(sigma, 1, 2, 3),
        },
    ),
)
def SOFTMAX_TOKEN(p: Proof) -> None:
    r"""A token that leads all others has most of the attention

    If every position that shows another token than the target's has a logit of at least $\gamma$
    less than the target, and $n<e^\gamma$, then the positions with the target's token have more
    than half of the weight, and those with any other token less than half.
    """
    row = p.under(within(j, 0, n - 1))
    own, here = indicator(sigma(j), sigma(a)), sp.exp(w(j))
    top, small = sp.exp(w(a)), sp.exp(w(a) - gamma)

    lower = row.under(ne(sigma(j), sigma(a)))
    gap = lower.use(
        RIVALS, why="A position with another token than the target's is lower by gamma."
    )
    less = exponentials(
        lower, w(j), w(a) - gamma, "So its exponential is at most exp(w_a - gamma).", gap
    )
    rests = row.show(
        le(here * (1 - own), small),
        "The exponentials exp(w_j) and exp(w_a - gamma) are positive. So the part of "
        "exp(w_j) outside the target's token is at most exp(w_a - gamma).",
        less,
    ).summed(j, 0, n - 1, "Sum this bound over all positions.")
    many = p.show(
        eq(rests.formula.rhs, n * small), "The sum of n equal terms is n exp(w_a - gamma).", TARGET
    )
    split = p.show(
        eq(rests.formula.lhs, normaliser() - mass(sigma(a))),
        "The left side is the normaliser minus the mass of the target's token.",
    )
    factor = p.show(
        Both(eq(small * sp.exp(gamma), top), lt(0, small), lt(0, top)),
        "The target's exponential is exp(w_a - gamma) times exp(gamma), and both are positive.",
    )
    part = p.under(within(l, 0, n - 1)).show(
        le(0, sp.exp(w(l)) * indicator(sigma(l), sigma(a))),
        "No term of the token's mass is negative.",
    )
    member = p.apply(
        SUMS_MEMBER,
        (part.for_all(l, why="This holds for the term of every position."), TARGET),
        why="So the token's mass is at least the target's own exponential.",
    )
    other = row.under(ne(c, sigma(a)))
    shown = other.show(
        le(indicator(sigma(j), c) + own, 1),
        "No position shows both the token c and the target's token.",
    )
    both = other.show(
        le(here * indicator(sigma(j), c) + here * own, here),
        "So a position's exponential counts at most once in the two masses.",
        shown,
    ).summed(j, 0, n - 1, "Sum this bound over all positions.")
    another = p.under(ne(c, sigma(a))).show(
        lt(2 * mass(c), normaliser()),
        "As n < exp(gamma), n exp(w_a - gamma) is less than the target's exponential. So the "
        "target's token has more than half of the normaliser. The left side is the sum of "
        "the two tokens' masses. So any other token has less than half of the normaliser.",
        (both, rests, many, split, factor, ENOUGH, member),
    )
    own_part = row.show(
        le(here * own, here), "At each position the token's part is at most the whole exponential."
    ).summed(j, 0, n - 1, "Summed over the positions, the token's mass is at most the normaliser.")
    p.qed(
        "The normaliser is positive, as the target's exponential is. This proves all three "
        "statements: positive normaliser, more than half, less than half.",
        (own_part, member, factor, rests, many, split, ENOUGH, another.for_all(c)),
    )
