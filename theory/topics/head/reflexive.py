"""Handing the own token on: both kinds of head can do it."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT, exponentials
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_STRICTLY_DECREASING
from ropeproof.theory.library.trigonometry.sine import x, y
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.index.inputs import INDEX_MARGIN_ATTAINED
from ropeproof.theory.topics.softmax.token import MEANINGS as OF_TOKEN
from ropeproof.theory.topics.softmax.token import SOFTMAX_TOKEN, mass, sigma

c, z = integer("c z")
longest, size = integer("n_0 r")
beta = real("beta")
MEANINGS: Meanings = {
    **OF_TOKEN,
    j: "a position",
    n: "length of the input",
    longest: "length of the longest input",
    size: "number of tokens",
    beta: "inverse temperature",
}
own = sigma(n - 1)


def turn(parts: Term) -> Term:
    """An equal part of a turn."""
    return 2 * sp.pi / parts


def step(parts: Term) -> Term:
    """What a part of a turn takes from a cosine."""
    return 1 - sp.cos(turn(parts))


def by_place(at: Term) -> Term:
    """The logit of a positional head: constant keys, one turn over the longest input."""
    return beta * sp.cos((at - (n - 1)) * turn(longest))


def by_token(at: Term) -> Term:
    """The logit of a symbolic head: no rotation, tokens evenly on the circle."""
    return beta * sp.cos((sigma(at) - own) * turn(size))


def hands_on(logits: Callable[..., Term]) -> Formula:
    """The own token has the largest coordinate of the attention output."""
    return Every((c,), If(ne(c, own), lt(mass(c, logits), mass(own, logits))))


tokens = every(j, 0, n - 1, within(sigma(j), 0, size - 1))
INPUT = Both(le(1, n), le(n, longest), tokens)
answers = Both(hands_on(by_place), hands_on(by_token))
LONGEST = Hypothesis(
    "the longest input has two tokens", le(2, longest), idle="of one token every head returns it"
)
TOKENS = Hypothesis("there are two tokens", le(2, size), idle="of one token every head returns it")


def _cold(p: Proof, inputs: Scope, parts: Term) -> Fact:
    """The margin times beta exceeds the logarithm of the length."""
    grows = exponentials(
        inputs,
        longest,
        beta * step(parts),
        "So n0 is at most beta times the margin, also under the exponential.",
        inputs.given(large, "By the choice of beta, beta times each margin is at least n0."),
    )
    tangent = p.lemma(EXP_ABOVE_TANGENT.at(x=longest), why="The exponential of n0 exceeds n0.")
    return inputs.show(
        lt(n, sp.exp(beta * step(parts))),
        "So the exponential of beta times the margin exceeds the length n.",
        (grows, tangent),
    )


large = Both(lt(0, beta), le(longest, beta * step(longest)), le(longest, beta * step(size)))


def _wins(p: Proof, inputs: Scope, logits: Callable[..., Term], parts: Term, lower: Fact) -> Fact:
    """The own token wins where all positions with another one are lower."""
    same = image(
        inputs,
        sigma,
        j,
        n - 1,
        "Suppose that a position is the last one.",
        "Then it shows the own token.",
    )
    row = inputs.under(within(j, 0, n - 1))
    rivals = row.show(
        If(ne(sigma(j), own), le(logits(j) + beta * step(parts), logits(n - 1))),
        "So every position with another token is lower by beta times the margin.",
        (lower, same),
    )
    _, most, others = inputs.lemma(
        SOFTMAX_TOKEN.at(w=logits, a=n - 1, gamma=beta * step(parts)),
        (rivals.for_all(j), _cold(p, inputs, parts)),
        why="So the own token has more than half of the attention.",
    ).parts("This is one of the parts of the lemma.")
    other = inputs.under(ne(c, own))
    little = other.use(others, why="Any other token has less than half of the attention.")
    return other.show(
        lt(mass(c, logits), mass(own, logits)),
        "So the query's own token has more attention than this one.",
        (little, most),
    ).for_all(c, why="This holds for every other token.")


two = {n: 2, longest: 2, size: 3} | listed(sigma, 1, 2)


@theorem(
    "head.reflexive",
    source=HEADS.at("appendix F.1, Definition F.3; section 3.2 (by either mechanism)"),
    needs="PTX",
    hypotheses=(LONGEST, TOKENS),
    conclusion=Some((beta,), Both(lt(0, beta), Every((n, sigma(z)), If(INPUT, answers)))),
    attack=Attack(
        {
            "at any temperature": If(INPUT, answers),
            "the first token": If(
                INPUT,
                Every((c,), If(ne(c, sigma(0)), lt(mass(c, by_place), mass(sigma(0), by_place)))),
            ),
        },
        at={
            "at any temperature": {n: 3, longest: 3, size: 3, beta: 0} | listed(sigma, 1, 1, 2),
            "the first token": two | {beta: 1},
        },
    ),
)
def HEAD_REFLEXIVE(p: Proof) -> None:
    r"""A positional and a symbolic head can hand the own token on

    For $n_0>1$ and $r\ge2$ tokens there is a $\beta>0$ such that on every input of $n\le n_0$
    tokens $\mathrm{Reflexive}(\sigma)_n=\sigma_n$ is the largest coordinate of the softmax output
    $a_n$ (one-hot tokens, values the identity), both for the positional head with logits
    $\beta\cos\frac{2\pi(n-j)}{n_0}$ and for the symbolic one with logits
    $\beta\cos\frac{2\pi(\sigma_j-\sigma_n)}r$.
    """

    def falls(parts: Term, premise: Hypothesis) -> Fact:
        part = p.show(
            Both(lt(0, turn(parts)), le(turn(parts), sp.pi)),
            "An equal part of a turn is positive and at most half a turn.",
            premise,
        )
        less = p.apply(
            TRIG_COSINE_STRICTLY_DECREASING, part, why="So the cosine of this part is less than 1."
        )
        return p.show(lt(0, step(parts)), "So the margin 1 - cos is positive.", less)

    lengths = p.under(lt(0, x), lt(0, y), lt(0, z))
    both = z / x + z / y
    over = lengths.show(
        Both(lt(0, both), le(z, both * x), le(z, both * y)),
        "The quotients of a positive number by two others are positive. The mixed products "
        "of these numbers are not negative. So the sum of the two quotients times either "
        "divisor is at least the number.",
    )
    at_least = longest / step(longest) + longest / step(size)
    positive = (falls(longest, LONGEST), falls(size, TOKENS))
    enough = p.use(
        over,
        {x: step(longest), y: step(size), z: longest},
        (positive, LONGEST),
        why="So for beta take the sum of n0 over both margins.",
    )
    exists = p.witness(
        Some((beta,), large),
        {beta: at_least},
        enough,
        why="So there is a beta that is large enough.",
    )
    inputs = exists.body().under(INPUT)
    row = inputs.under(within(j, 0, n - 1))
    earlier = row.under(ne(j, n - 1))
    apart = earlier.lemma(
        INDEX_MARGIN_ATTAINED.at(n=longest, i=n - 1, j=j),
        why="The cosine of an earlier position is lower by at least the margin.",
    )
    by_places = earlier.show(
        le(by_place(j) + beta * step(longest), by_place(n - 1)),
        "Multiply by beta, which is positive.",
        apart,
    )
    token = row.use(inputs.given(tokens), why="The token of a position lies in the vocabulary.")
    last = inputs.use(inputs.given(tokens), {j: n - 1}, why="The own token lies in the vocabulary.")
    different = row.under(ne(sigma(j), own))
    parted = different.apply(
        INDEX_MARGIN_ATTAINED,
        (token, last),
        why="The cosine of another token is lower by at least the margin.",
    )
    by_tokens = different.show(
        le(by_token(j) + beta * step(size), by_token(n - 1)),
        "Multiply by beta, which is positive.",
        parted,
    )
    handed_on = inputs.show(
        answers,
        "So both heads hand the own token on.",
        _wins(p, inputs, by_place, longest, by_places),
        _wins(p, inputs, by_token, size, by_tokens),
    )
    every_input = handed_on.for_all(
        n, sigma(z), why="This holds on every input of at most n0 tokens."
    )
    found = every_input.scope.witness(
        p.goal, {beta: beta}, every_input, why="So this beta is as required."
    )
    p.choose(exists, found, "The claim holds, as such a beta exists.")
