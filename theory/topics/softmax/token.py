"""A token that leads every position which shows another one has most of the attention."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, n
from ropeproof.theory.library.exponential import exponentials
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER, f, k
from ropeproof.theory.topics.softmax.margin import TARGET, a, gamma, normaliser, w

c = integer("c")
sigma = integer_function("sigma")


def mass(token: Any, logits: Any = w, tokens: Any = sigma) -> Any:
    """The exponentials of the positions that show a token."""
    return sp.Sum(sp.exp(logits(j)) * indicator(tokens(j), token), (j, 0, n - 1))


RIVALS = Hypothesis(
    "positions with another token are lower by gamma",
    every(j, 0, n - 1, If(ne(sigma(j), sigma(a)), le(w(j) + gamma, w(a)))),
)
ENOUGH = Hypothesis("gamma exceeds the logarithm of their number", lt(n, sp.exp(gamma)))

_CLAIM = Claim(
    id="softmax.token",
    title="A token that leads all others has most of the attention",
    statement=(
        r"If every position that shows another token than the target's has a logit of at least "
        r"$\gamma$ less than the target, and $n<e^\gamma$, then the positions with the target's token "
        r"have more than half of the weight, and those with any other token less than half."
    ),
    needs=frozenset("PTX"),
    hypotheses=(TARGET, RIVALS, ENOUGH),
    conclusion=Both(
        lt(0, normaliser()),
        lt(normaliser(), 2 * mass(sigma(a))),
        Every((c,), If(ne(c, sigma(a)), lt(2 * mass(c), normaliser()))),
    ),
)


def _proof(p: Proof) -> None:
    row = p.under(within(j, 0, n - 1))
    own, here = indicator(sigma(j), sigma(a)), sp.exp(w(j))
    top, small = sp.exp(w(a)), sp.exp(w(a) - gamma)

    lower = row.under(ne(sigma(j), sigma(a)))
    gap = lower.use(RIVALS, why="A position with another token is lower,")
    less = exponentials(lower, w(j), w(a) - gamma, "by a factor,", gap)
    positive = p.show(Both(lt(0, sp.exp(w(j))), lt(0, small)), "(exponentials are positive)")
    rest = row.show(
        le(here * (1 - own), small), "and others do not count here:", less, positive, by=rules.smt()
    )
    rests = rest.summed(j, 0, n - 1, "in sum")
    many = p.show(
        eq(rests.formula.rhs, n * small), "that is at most their number times it,", TARGET
    )
    split = p.show(
        eq(rests.formula.lhs, normaliser() - mass(sigma(a))), "all but the token's mass."
    )
    factor = p.show(
        Both(eq(small * sp.exp(gamma), top), lt(0, small), lt(0, top)), "As gamma is large,"
    )
    fewer = p.show(lt(n * small, top), "it is less than the target's own:", factor, ENOUGH)
    part = p.under(within(l, 0, n - 1)).show(
        le(0, sp.exp(w(l)) * indicator(sigma(l), sigma(a))), "No part of the token's mass"
    )
    member = p.lemma(
        SUMS_MEMBER,
        {f: lambda at: sp.exp(w(at)) * indicator(sigma(at), sigma(a)), k: a, m: n},
        (part.for_all(l, why="is negative,"), TARGET),
        why="so it is that or more.",
    )
    most = p.show(
        lt(normaliser(), 2 * mass(sigma(a))),
        "So it is more than half.",
        (rests, many, split, fewer, member),
    )
    other = row.under(ne(c, sigma(a)))
    shown = other.show(
        le(indicator(sigma(j), c) + own, 1), "No position shows both tokens,", by=rules.smt()
    )
    both = other.show(
        le(here * indicator(sigma(j), c) + here * own, here), "or counts twice,", shown, positive
    ).summed(j, 0, n - 1, "and all together")
    parts = p.show(eq(both.formula.lhs, mass(c) + mass(sigma(a))), "what is left for another")
    another = p.under(ne(c, sigma(a))).show(
        lt(2 * mass(c), normaliser()), "is less than half.", both, parts, most
    )
    own_part = row.show(le(here * own, here), "and it has", positive).summed(j, 0, n - 1, "all.")
    some = p.show(
        lt(0, normaliser()), "It is positive, as the target is.)", own_part, member, factor
    )
    p.qed("All three.", some, most, another.for_all(c))


two = {n: 2, a: 0, gamma: 1, w(0): 1, w(1): 0} | listed(sigma, 1, 2)

SOFTMAX_TOKEN = prove(
    _CLAIM,
    _proof,
    Attack(
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

CLAIMS = (SOFTMAX_TOKEN,)
