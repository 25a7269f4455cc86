"""A softmax head retrieves on every input up to a length, if it is cold enough."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.topics.retrieval import construction, feasible
from ropeproof.theory.topics.retrieval.construction import (
    LETTERS,
    RETRIEVAL_GAP,
    angle,
    letters,
    query,
    step,
)
from ropeproof.theory.topics.retrieval.feasible import a, left
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.token import SOFTMAX_TOKEN, mass, sigma

c, z = integer("c z")
longest = integer("n_0")
beta, gap = real("beta Gamma")
MEANINGS: Meanings = {
    **feasible.MEANINGS,
    longest: "length of the longest input",
    beta: "inverse temperature",
    gap: "the margin, in logits",
}
span = longest * angle
lag = (n - 1 - j) * angle


def logits(at: Term) -> Term:
    """The scaled logit at a position."""
    return beta * construction.apart(left(at), query, (n - 1 - at) * angle)


def out(token: Term) -> Term:
    """The attention on a token."""
    return mass(token, logits) / margin.normaliser(logits)


in_alphabet = Both(
    *within(query, 0, letters - 1).args, every(j, 0, n - 1, within(left(j), 0, letters - 1))
)
place = Both(le(1, n), le(n, longest), le(0, a), le(a, n - 1), eq(left(a), query))
matches = every(j, 0, n - 1, If(eq(left(j), query), Either(eq(sigma(j), sigma(a)), eq(a, n - 1))))
INPUT = Both(*place.args, *in_alphabet.args, matches)
RETRIEVAL = Every((c,), If(ne(c, sigma(a)), lt(out(c), out(sigma(a)))))

TWO = Hypothesis("there are two letters", le(2, letters))
LONGEST = Hypothesis("the longest input has two tokens", le(2, longest))
PLACE = Hypothesis("the target is a position with the query's letter", place)
ALPHABET = Hypothesis("letters are in the alphabet", in_alphabet)
MATCHES = Hypothesis(
    "all positions with it show the target's token, or the target is last", matches
)
SLOW = Hypothesis(
    "the rotation over the longest input is less than half a step",
    Both(lt(0, angle), lt(2 * span, step)),
)
letter_gap, self_gap = sp.cos(span) - sp.cos(step - span), 1 - sp.cos(angle)
GAP = Hypothesis("the margin", Both(le(gap, letter_gap), le(gap, self_gap)))
COLD = Hypothesis("the head is cold enough", Both(le(0, beta), lt(longest, sp.exp(beta * gap))))


def _angles(p: Proof) -> Fact:
    """Angles are less than half a turn, and a step less than a turn."""
    return p.show(
        Both(
            *(lt(0, angle), le(angle, span), lt(span, sp.pi / 2)),
            *(le(span, step), lt(span, step - span), le(step, sp.pi)),
            lt(step - span, 2 * sp.pi - span),
        ),
        "With at least two letters a step is at most half a turn. All lags turn by less than "
        "half a step.",
        (LETTERS, TWO, SLOW, PLACE),
    )


def _lower(p: Proof) -> Fact:
    """A position with another token is lower by the margin."""
    row = p.under(within(j, 0, n - 1))
    angles = _angles(p)
    turned = row.show(
        within(lag, 0, span), "No lag turns by more than the longest input.", angles, PLACE
    )
    own = p.show(
        within((n - 1 - a) * angle, 0, span),
        "The target's lag turns by no more than the longest input.",
        (angles, PLACE),
    )
    near = p.apply(
        TRIG_COSINE_DECREASING,
        (own, angles),
        why="So the target's cosine is at least that of the longest input's angle.",
    )
    target = p.show(
        eq((left(a) - query) * step + (n - 1 - a) * angle, (n - 1 - a) * angle),
        "The target's letter is the query's, so its angle is that of its lag alone.",
        PLACE,
    ).image(sp.cos, "So the target's logit is the cosine of this angle.")
    letters_in = p.show(
        in_alphabet.args[-1], "All letters are in the alphabet, by hypothesis.", ALPHABET
    )
    letter = row.use(
        letters_in, why="In particular the letter at the position j is in the alphabet."
    )
    different = row.under(ne(left(j), query))
    far = different.apply(
        RETRIEVAL_GAP,
        (letter, turned, LETTERS, ALPHABET, angles),
        why="A position with another letter has at most this cosine, by the gap of the letters.",
    )
    other_letter = different.show(
        le(logits(j) + beta * gap, logits(a)),
        "So its logit is lower than the target's by at least the margin times beta.",
        (far, near, target, GAP, COLD),
    )
    earlier = row.under(eq(left(j), query), eq(a, n - 1), ne(j, a))
    a_step = earlier.show(
        Both(le(0, angle), le(angle, lag), le(lag, sp.pi)),
        "An earlier position is turned by at least one step of the angle.",
        (turned, angles, PLACE),
    )
    slower = earlier.apply(
        TRIG_COSINE_DECREASING, a_step, why="So its cosine is at most that of one step."
    )
    its_logit = earlier.show(
        eq((left(j) - query) * step + lag, lag),
        "With the query's letter its angle is that of its lag alone.",
        by=rules.smt(),
    ).image(sp.cos, "So its logit is the cosine of this angle.")
    at_home = earlier.show(
        eq((n - 1 - a) * angle, 0),
        "If the query is the target, its own angle is 0.",
        by=rules.smt(),
    ).image(sp.cos, "Then the target's cosine is 1.")
    own_letter = earlier.show(
        le(logits(j) + beta * gap, logits(a)),
        "So the earlier position with this letter has a logit lower by the margin.",
        (slower, its_logit, at_home, target, GAP, COLD),
    )
    match = row.use(
        MATCHES,
        why="A position with the query's letter has the target's token, or the query is the "
        "target.",
        goal=matches.args[1].args[1],
    )
    itself = image(
        row,
        sigma,
        j,
        a,
        "Consider the target's own position.",
        "The target's position has the target's token.",
    )
    return row.show(
        If(ne(sigma(j), sigma(a)), le(logits(j) + beta * gap, logits(a))),
        "So every position with another token has a logit lower by the margin.",
        (other_letter, own_letter, match, itself),
    )


def an_input(lefts: tuple[int, ...] = (0, 1), tokens: tuple[int, ...] = (1, 2)) -> dict[Any, Any]:
    """Letters and tokens by position; the query asks for the letter 0, the target is the first."""
    row: Values = {n: len(lefts), longest: len(lefts), letters: 2, step: sp.pi, query: 0, a: 0}
    cold: Values = {angle: sp.Rational(7, 10), gap: sp.Rational(1, 5), beta: 4}
    return row | cold | listed(left, *lefts) | listed(sigma, *tokens)


slower = {angle: sp.Rational(1, 2), gap: sp.Rational(1, 10), beta: 15}
three: Values = an_input((0, 1, 1), (1, 2, 2)) | slower


@theorem(
    "retrieval.softmax",
    needs="PTX",
    hypotheses=(LETTERS, TWO, PLACE, ALPHABET, MATCHES, SLOW, GAP, COLD),
    conclusion=RETRIEVAL,
    attack=Attack(
        {
            "by 1": Every((c,), If(ne(c, sigma(a)), lt(out(c) + 1, out(sigma(a))))),
            "the query's token": Every(
                (c,), If(ne(c, sigma(n - 1)), lt(out(c), out(sigma(n - 1))))
            ),
        },
        at={"by 1": an_input(), "the query's token": an_input()},
        without={
            LETTERS: an_input((0, 2)) | {letters: 3},
            PLACE: an_input((0, 0)) | {query: 1, a: 1},
            ALPHABET: an_input((0, 2)),
            MATCHES: an_input((0, 0)),
            SLOW: three | {angle: 2},
            GAP: three | {gap: 200, beta: sp.Rational(1, 100)},
            COLD: three | {beta: 0},
        },
        idle={TWO: "with one letter the span leaves no margin, and no head is cold enough"},
    ),
)
def RETRIEVAL_SOFTMAX(p: Proof) -> None:
    r"""With softmax the retrieval construction computes Retrieval up to a length

    Let $r\ge2$ letters stand evenly on the circle, $0<\theta<\omega/2n_0$, $\Gamma\le\cos
    n_0\theta-\cos(\omega-n_0\theta)$, $\Gamma\le1-\cos\theta$ and $e^{\beta\Gamma}>n_0$. On every
    input of $n\le n_0$ tokens the token at $a$, whose left letter is the query's, has the largest
    coordinate of the softmax head's output $a_n$, if all positions with that letter show this token
    (the parent of a letter pair, in a proper input), or if $a$ is the query itself (a letter and a
    digit), whatever the others show.
    """
    rivals = _lower(p)
    whole, most, others = p.apply(
        SOFTMAX_TOKEN,
        (PLACE, rivals.for_all(j), COLD),
        why="The input is no longer than n_0, which is less than this exponential. So the "
        "target's token has more attention than all other tokens together.",
    ).parts("This is one part of the previous statement.")
    little = p.under(ne(c, sigma(a))).use(
        others, why="Twice the attention on any other token is less than the normaliser."
    )
    wins = little.scope.show(
        lt(out(c), out(sigma(a))),
        "Divide by the normaliser: twice the target's token's share exceeds 1. Divide by the "
        "normaliser: twice the share of another token is less than 1. So the target's token "
        "has a larger share than the other token.",
        (little, whole, most),
    )
    wins.for_all(c, why="The other token was arbitrary, so the target's has the largest share.")
