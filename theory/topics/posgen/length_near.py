"""Heads whose logits are only nearly additive: how far the output is from the additive head's."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.library.sums.inequalities.norm import MEANINGS as OF_NORM
from ropeproof.theory.library.sums.inequalities.norm import dimension, e, norm
from ropeproof.theory.topics.softmax.moved_output import SOFTMAX_OUTPUT_MOVED
from ropeproof.theory.topics.softmax.variation import SOFTMAX_TV

epsilon, spread = real("epsilon diam")
place, content, rest = real_function("f"), real_function("g"), real_function("r")
V = real_function("V")
MEANINGS: Meanings = {
    **OF_NORM,
    **NOTATION,
    i: "a key",
    j: "a key",
    dimension: "dimension of the values",
    epsilon: "bound of what is left of a logit",
    spread: "the largest distance of two values",
    place: "positions' parts of the logits, by key",
    content: "contents' parts of the logits, by key",
    rest: "what is left of the logits, by key",
    V: "values, by key and coordinate",
}


def additive(key: Term) -> Term:
    """The part of a logit that is a sum of a position's and a content's part."""
    return place(key) + content(key)


def logit(key: Term) -> Term:
    """The head's logit at a key."""
    return additive(key) + rest(key)


def mass(logits: Callable[..., Term]) -> Term:
    """The sum of the exponentials of a row's logits."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, n - 1))


def output(logits: Callable[..., Term]) -> Term:
    """A coordinate of the row's output: the values' mean by the softmax of the logits."""
    return sp.Sum(sp.exp(logits(j)) * V(j, e), (j, 0, n - 1)) / mass(logits)


moved = norm(output(logit) - output(additive))
most = sp.tanh(epsilon / 2) * spread

KEYS = Hypothesis("there is a key", le(1, n))
SMALL = Hypothesis(
    "the rest is at most epsilon", every(j, 0, n - 1, within(rest(j), -epsilon, epsilon))
)
NEAR = Hypothesis(
    "diam bounds the distances of values",
    Every(
        (i, j),
        If(
            Both(le(0, i), le(i, n - 1), le(0, j), le(j, n - 1)),
            le(norm(V(j, e) - V(i, e)), spread),
        ),
    ),
)

_first, _second = 1 / (1 + sp.exp(epsilon)), 1 / (1 + sp.exp(-epsilon))
"""The weights of a key whose logit is below, or above, the other's by epsilon."""
ATTAINED = eq(_second - _first, sp.tanh(epsilon / 2))


def _row(*changes: tuple[Term, int]) -> Values:
    """Two keys of the values 1 and 0; the first one's logit is 1 below, and 1 above with the rest."""
    at: Values = {n: 2, dimension: 1, epsilon: 1, spread: 1}
    at |= {**listed(place, -1, 0), **listed(content, 0, 0), **listed(rest, 1, -1)}
    return at | {V(0, 0): 1, V(1, 0): 0} | dict(changes)


@theorem(
    "posgen.length-near",
    needs="PTX",
    hypotheses=(KEYS, SMALL, NEAR),
    conclusion=Both(le(moved, most), ATTAINED),
    attack=Attack(
        {
            "half": le(moved, most / 2),
            "half the tilt": le(moved, sp.tanh(epsilon / 4) * spread),
            "never attained": lt(ATTAINED.lhs, ATTAINED.rhs),
            "the whole tilt": eq(ATTAINED.lhs, sp.tanh(epsilon)),
        },
        at={"half": _row(), "half the tilt": _row(), "the whole tilt": {epsilon: 1}},
        without={SMALL: _row((epsilon, 0)), NEAR: _row((spread, 0))},
    ),
)
def POSGEN_LENGTH_NEAR(p: Proof) -> None:
    r"""A head that is additive up to ε gives nearly the output of the additive head

    In one row let the logits be $w_t=f_t+g_t+r_t$, $|r_t|\le\epsilon$, and let the values $V_t$,
    vectors of any length, be pairwise at most $\mathrm{diam}$ apart. The head's output is within
    $\tanh(\epsilon/2)\,\mathrm{diam}$ of that of the head with the logits $f_t+g_t$ on the same
    row. Two keys with $f_1+g_1=f_2+g_2-\epsilon$ and $r=(\epsilon,-\epsilon)$ attain it:
    the first one's weight rises from $1/(1+e^\epsilon)$ to $1/(1+e^{-\epsilon})$, by
    $\tanh(\epsilon/2)$.
    """
    term = p.show(lt(0, sp.exp(additive(j))), "The exponential of a logit is positive.")
    whole = term.summed(
        j, 0, n - 1, "So the sum of the additive head's exponentials is positive.", KEYS
    )
    tilted_term = p.show(lt(0, sp.exp(logit(j))), "So is that of the head's own logit.")
    tilted = tilted_term.summed(
        j, 0, n - 1, "So the sum of the head's own exponentials is positive.", KEYS
    )
    probability = sp.exp(additive(j)) / mass(additive)
    one = p.use(SMALL, {j: 0}, KEYS, why="In particular this holds for the first key.")
    bound = p.lemma(
        SOFTMAX_TV.at(p=sp.Lambda(j, probability), d=rest, epsilon=epsilon),
        (term, whole, SMALL, one),
        why="No weight of the additive head is negative. These weights add up to 1. So epsilon "
        "is not negative. This holds for every key. So the weights move by at most "
        "tanh(eps/2) in total variation.",
    )
    tv, _attained, _ = bound.formula.args
    delta = sp.exp(logit(j)) / mass(logit) - probability
    moves = p.show(tv, "This is the first part of that statement.", bound)
    together = p.show(
        eq(probability * sp.exp(rest(j)), sp.exp(logit(j)) / mass(additive)),
        "An additive weight times e^r is the head's own exponential over the additive sum.",
        whole,
    )
    sums = together.summed(j, 0, n - 1, "Sum this equation over the keys.")
    own = p.show(
        eq(probability * sp.exp(rest(j)) / sums.formula.lhs - probability, delta),
        "The additive sum is a common divisor. So the tilted weights are the head's own.",
        (together, sums, whole, tilted),
    )
    sizes = own.image(sp.Abs, "So the two changes have the same size.").summed(
        j, 0, n - 1, "Sum this equation over the keys."
    )
    shift = p.lemma(
        SOFTMAX_OUTPUT_MOVED.at(delta=sp.Lambda(j, delta), V=V, diam=spread),
        (whole, tilted, NEAR),
        why="The head's own weights add up to 1, too. So the changes add up to 0. So the output "
        "moves by at most the total variation times the diameter.",
    )
    outputs = p.show(
        eq(sp.Sum(delta * V(j, e), (j, 0, n - 1)), output(logit) - output(additive)),
        "The changes of weights move the output by its difference.",
    )
    one_pair = p.use(
        NEAR, {i: 0, j: 0}, KEYS, why="In particular the first value is diam from itself at most."
    )
    a, b, c = real("a b c")
    times = p.under(le(a, b), le(0, c)).show(le(a * c, b * c), "Multiply A <= B by C.")
    total_variation = shift.formula.rhs / spread
    product = p.use(
        times,
        {a: total_variation, b: sp.tanh(epsilon / 2), c: spread},
        (sizes, moves, one_pair),
        why="Its distance from itself is 0. So diam is not negative. The total variation is that "
        "of the tilts. So it is at most tanh(eps/2). Multiply this bound by the diameter.",
    )
    inside = p.show(
        le(moved, most),
        "Square both sides of this. Sum the squares over the coordinates. So the two vectors "
        "have the same norm. So the output is within tanh(eps/2) diam.",
        (outputs, shift, product),
    )
    grows = p.show(
        ATTAINED,
        "This is the second part of that statement. For the two keys the change of the first "
        "weight is tanh(eps/2).",
        bound,
    )
    p.qed("These are the two parts of the claim.", inside, grows)
