"""One softmax head computes Index on every input of up to n0 tokens."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.library.sums.indicators import indicator, whether
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_STRICTLY_DECREASING
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.index import construction
from ropeproof.theory.topics.index.construction import letter
from ropeproof.theory.topics.index.inputs import INDEX_MARGIN_ATTAINED
from ropeproof.theory.topics.softmax.margin import normaliser
from ropeproof.theory.topics.softmax.token import SOFTMAX_TOKEN, mass, sigma

c, z = integer("c z")
longest = integer("n_0")
beta, angle = real("beta theta")
MEANINGS: Meanings = {
    **construction.MEANINGS,
    longest: "length of the longest input",
    beta: "inverse temperature",
}
target = n - 1 - i
turn = 2 * sp.pi / longest


def logits(at: Term) -> Term:
    """The scaled logit at a position: beta cos((n - 1 - j - i) theta)."""
    return beta * sp.cos((n - 1 - at - i) * angle)


def share(token: Term) -> Term:
    """The attention on a token."""
    return mass(token, logits) / normaliser(logits)


def is_letter(token: Term) -> Term | int:
    """1 for a letter, else 0."""
    return indicator(letter(token), 1)


def out(token: Term) -> Term:
    """The output: the query's own token, and twice the attention on letters."""
    return indicator(sigma(n - 1), token) + 2 * is_letter(token) * share(token)


def answers(token: Term) -> Formula:
    """The read-out names the token."""
    return Every((c,), If(ne(c, token), lt(out(c), out(token))))


is_integer = If(le(1, i), ne(letter(sigma(n - 1)), 1))
INPUT = Both(le(1, n), le(n, longest), le(0, i), le(i, n - 1), is_integer)
INDEX = Both(
    If(eq(letter(sigma(target)), 1), answers(sigma(target))),
    If(ne(letter(sigma(target)), 1), answers(sigma(n - 1))),
)
LONGEST = Hypothesis("the longest input has two tokens", le(2, longest))
LENGTH = Hypothesis("the input is no longer", Both(le(1, n), le(n, longest)))
QUERY = Hypothesis("the query names a position", Both(le(0, i), le(i, n - 1)))
INTEGER = Hypothesis("where it names an earlier one it is no letter", is_integer)
TURN = Hypothesis("one turn over the longest input", eq(angle, turn))
COLD = Hypothesis(
    "the head is cold enough", Both(le(0, beta), lt(longest, sp.exp(beta * (1 - sp.cos(turn)))))
)


cold: Values = {
    longest: 2,
    angle: sp.pi,
    beta: 1,
    n: 2,
    i: 1,
    **listed(sigma, 1, 2),
    **listed(letter, 0, 1, 0),
}


@theorem(
    "index.softmax",
    needs="PTX",
    hypotheses=(LENGTH, QUERY, INTEGER, TURN, COLD),
    conclusion=INDEX,
    attack=Attack(
        {
            "the query's token always": answers(sigma(n - 1)),
            "by 1": If(
                eq(letter(sigma(target)), 1),
                Every((c,), If(ne(c, sigma(target)), lt(out(c) + 1, out(sigma(target))))),
            ),
        },
        at={"the query's token always": cold, "by 1": cold},
        without={
            LENGTH: cold | {n: 3, i: 2} | listed(sigma, 1, 2, 3) | {letter(3): 0},
            QUERY: cold | {i: 2, sigma(-1): 1},
            INTEGER: cold | {letter(2): 1, beta: sp.Rational(2, 5)},
            TURN: cold | {longest: 3, n: 3, angle: 0, letter(4): 0} | listed(sigma, 4, 1, 2),
            COLD: cold | {beta: 0},
        },
    ),
)
def INDEX_SOFTMAX(p: Proof) -> None:
    r"""With softmax the index construction computes Index up to a length

    Let $\theta=\frac{2\pi}{n_0}$ and $e^{\beta(1-\cos\theta)}>n_0$. On every input of $n\le n_0$
    tokens the softmax head with logits $\beta\cos((n-j-i)\theta)$, output $x+a$, values twice the
    letters and arg max read-out computes $\mathrm{Index}(\sigma)_n$: the token $i$ back if it is a
    letter, else the query's own ($i=0$ for a letter).
    """
    row = p.under(within(j, 0, n - 1), ne(j, target))
    apart = row.lemma(
        INDEX_MARGIN_ATTAINED.at(n=longest, i=target, j=j),
        (LENGTH, QUERY),
        why="One turn over the longest input separates any two positions by this margin.",
    )
    cosine = row.rewrite(
        eq(sp.cos((n - 1 - j - i) * angle), sp.cos((n - 1 - j - i) * turn)),
        "Insert the angle theta, which is one turn over the longest length.",
        TURN,
    )
    lower = row.show(
        le(logits(j) + beta * (1 - sp.cos(turn)), logits(target)),
        "The cosine is even, so the sign of the lag does not matter. So every other logit is "
        "lower than the target's by the margin times beta.",
        (apart, cosine, COLD),
    )
    same = image(
        p,
        sigma,
        j,
        target,
        "Consider the target's own position.",
        "The target's position has the target's token.",
    )
    rivals = p.under(within(j, 0, n - 1)).show(
        If(ne(sigma(j), sigma(target)), lower.formula),
        "So every position with another token has a logit lower by this margin.",
        (lower, same),
    )
    whole, most, others = p.lemma(
        SOFTMAX_TOKEN.at(w=logits, a=target, gamma=beta * (1 - sp.cos(turn))),
        (QUERY, rivals.for_all(j), LENGTH, COLD),
        why="The input is no longer than n_0, which is less than this exponential. So the "
        "target's token has more attention than all other tokens together.",
    ).parts("This is one part of the previous statement.")
    other = p.under(ne(c, sigma(target)))
    little = other.use(
        others, why="Twice the attention on any other token is less than the normaliser."
    )
    parts = (
        p.under(within(j, 0, n - 1))
        .show(
            le(0, sp.exp(logits(j)) * indicator(sigma(j), c)),
            "The product of an exponential and an indicator is not negative.",
        )
        .summed(j, 0, n - 1, "Sum this inequality over all positions.")
    )
    gain = other.show(
        Both(le(0, is_letter(c) * share(c)), lt(2 * is_letter(c) * share(c), 1)),
        "Divide by the normaliser: twice the share of another token is less than 1. Divide "
        "by the normaliser: the share of a token is not negative. The mark of a letter lies "
        "between 0 and 1. So what attention adds at another token's coordinate lies between "
        "0 and 1.",
        (parts, whole, little),
    )
    added = p.show(
        le(0, is_letter(c) * share(c)),
        "The mark and the share are not negative, so neither is their product.",
        (parts, whole),
    )
    self_gain = p.use(
        added.for_all(c),
        {c: sigma(n - 1)},
        why="In particular attention adds nothing negative at the query's coordinate.",
    )
    at_home = image(
        p,
        sigma,
        n - 1,
        target,
        "Consider the case that the query names its own position.",
        "Then the query's token is the target's token.",
    )
    a_letter = p.under(eq(letter(sigma(target)), 1))
    kinds = image(
        p,
        letter,
        c,
        sigma(n - 1),
        "Consider the coordinate c of the query's token.",
        "Then the mark of c is that of the query's token.",
    )
    letters, targets, queries = (
        whether(p, pair) for pair in ((letter(c), 1), (letter(sigma(target)), 1), (sigma(n - 1), c))
    )
    earlier = p.under(eq(c, sigma(n - 1)), ne(c, sigma(target)))
    nothing = earlier.show(
        eq(2 * is_letter(c) * share(c), 0),
        "If the tokens differ, the query names an earlier position, so i is at least 1. Then "
        "the query's own token is no letter, by hypothesis. So its mark as a letter is 0. So "
        "attention adds 0 at the query's coordinate.",
        (at_home, QUERY, kinds, INTEGER, letters),
    )
    below = other.show(
        lt(out(c), 2 * share(sigma(target))),
        "Divide by the normaliser: twice the target's token's share exceeds 1. The target's "
        "coordinate gets more from attention than another coordinate has in all.",
        (whole, most, gain, nothing, queries),
    )
    wins = a_letter.under(ne(c, sigma(target))).show(
        lt(out(c), out(sigma(target))),
        "If the target's token is a letter, its mark is 1. So attention adds twice its full "
        "share at the target's coordinate. The residual stream adds nothing negative at the "
        "target's coordinate. So the coordinate of a letter that is the target exceeds every "
        "other.",
        (below, targets),
    )
    no_letter = p.under(ne(letter(sigma(target)), 1))
    silent = image(
        p,
        letter,
        c,
        sigma(target),
        "Consider the coordinate c of the target's token.",
        "Then the mark of c is that of the target's token.",
    )
    unmarked = no_letter.under(eq(c, sigma(target))).show(
        eq(is_letter(c), 0), "If the target's token is no letter, its mark is 0.", (silent, letters)
    )
    no_gain = unmarked.scope.show(
        eq(2 * is_letter(c) * share(c), 0),
        "So attention adds 0 at the target's coordinate.",
        unmarked,
    )
    stays = no_letter.under(ne(c, sigma(n - 1))).show(
        lt(out(c), out(sigma(n - 1))),
        "So attention adds less than 1 at every coordinate. The query's own token has 1 from "
        "the residual stream, so it exceeds the others.",
        (gain, no_gain, self_gain, queries),
    )
    p.qed(
        "Both cases, a letter or none, together are the claim.", wins.for_all(c), stays.for_all(c)
    )


# -- there is a head -----------------------------------------------------------------------


@theorem(
    "index.one-head",
    source=HEADS.at("section 3.4, Theorem 3.1, T_Index; appendix F.2.1"),
    needs="PTX",
    hypotheses=(LONGEST,),
    conclusion=Some(
        (angle, beta), Both(lt(0, beta), Every((n, i, sigma(z), letter(z)), If(INPUT, INDEX)))
    ),
    attack=Attack(
        {
            "any head": If(INPUT, INDEX),
            "the query's token always": If(INPUT, answers(sigma(n - 1))),
        },
        at={"any head": cold | {beta: 0}, "the query's token always": cold},
        idle={LONGEST: "of one token every head returns it"},
    ),
)
def INDEX_ONE_HEAD(p: Proof) -> None:
    r"""There is a softmax head that computes Index on every input up to a length

    For every $n_0>1$ there are an angle $\theta$ and an inverse temperature $\beta>0$ such that for
    all $n\le n_0$, all inputs $\sigma_1\dots\sigma_n$ and every query that names one of its
    positions, the softmax head of `index.softmax` returns $\mathrm{Index}(\sigma)_n$.
    """
    p.let("o(c)", out(c), "the head's output at the coordinate of the token c")
    p.let("o_1", out(sigma(target)), "its output at that of the token which the query names")
    p.let("o_2", out(sigma(n - 1)), "its output at that of the query's own token")
    step = 1 - sp.cos(turn)
    part = p.show(
        Both(lt(0, turn), le(turn, sp.pi)),
        "A part of a turn over n_0 lies strictly between 0 and half a turn.",
        LONGEST,
    )
    falls = p.apply(
        TRIG_COSINE_STRICTLY_DECREASING, part, why="So the cosine of this angle is less than 1."
    )
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=longest), why="The exponential of n_0 is greater than n_0."
    )
    values = {angle: turn, beta: longest / step}
    exist = p.witness(
        Some((angle, beta), Both(*(eq(symbol, value) for symbol, value in values.items()))),
        values,
        why="There are numbers theta and beta with these values.",
    )
    here = exist.body()
    called = here.given(exist.formula.args[1], "Let theta and beta be these numbers.")
    power = here.show(
        eq(beta * step, longest),
        "So the margin is positive, and so is n_0 over it. As beta is this quotient, beta "
        "times the margin is n_0.",
        (called, falls, LONGEST),
    ).image(sp.exp, "So the exponential of beta times the margin is that of n_0.")
    cold = here.show(
        Both(lt(0, beta), lt(longest, sp.exp(beta * step))),
        "So beta is positive and large enough for all inputs of length n_0.",
        (tangent, falls, LONGEST, power, called),
    )
    inputs = here.under(INPUT)
    every_input = inputs.lemma(
        INDEX_SOFTMAX, called, cold, why="So the head computes Index on this input."
    ).for_all(
        n,
        i,
        sigma(z),
        letter(z),
        why="The input was arbitrary, so the head computes Index on every input.",
    )
    found = here.witness(
        p.goal,
        {angle: angle, beta: beta},
        (every_input, cold),
        why="So there are an angle and an inverse temperature of this kind.",
    )
    p.choose(exist, found, "Such theta and beta exist, and the conclusion does not depend on them.")
