"""The trained attention is the same on tokens never seen."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.descent.heads import rank_one_gradient
from ropeproof.theory.topics.slash.descent.heads.rank_one_gradient import (
    LAG,
    c,
    cone,
    dimension,
    over_inputs,
    over_lags,
    place,
)
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

sequence = real_function("X")
MEANINGS: Meanings = {
    **rank_one_gradient.MEANINGS,
    **NOTATION,
    i: "the row",
    j: "a lag",
    (key_x, key_y): "the key",
    n: "length of the sequence",
    sequence: vector_in(dimension, "tokens of the sequence, by position"),
}
ROW = Hypothesis("the row is in the sequence", within(i, 1, n))
COMPONENT = Hypothesis(
    "tokens have component 1 along u",
    every(place, 1, n, eq(over_inputs(sequence(place, c) * cone(c)), 1)),
)


def image(vector: Term, where: Term) -> Term:
    """A coordinate of v u^T x, for the token x at a position; `vector` is that of v."""
    return over_inputs(vector * cone(c) * sequence(where, c))


def own(lag: Term) -> Term:
    """The row's logit on the sequence."""
    query = image(query_x(l), i), image(query_y(l), i)
    return bilinear(*query, image(key_x(l), i - lag), image(key_y(l), i - lag), lag)


def share(logits: Callable[..., Any]) -> Term:
    """The weight of lag j."""
    return sp.exp(logits(j)) / over_lags(sp.exp(logits(j)))


def _image_of(component: Fact, vector: Term, where: Term, name: str) -> Fact:
    """The image of a token under v u^T is v."""
    factor = component.scope.proof.show(
        eq(image(vector, where), vector * component.formula.lhs),
        f"{name} is the mean one's times the token's component along u.",
    )
    return component.scope.show(
        eq(image(vector, where), vector),
        "As this component is 1, the part is that of the mean.",
        (factor, component),
    )


one_plane = {m: 1, s: 1, i: 2, n: 2, dimension: 1, cone(0): 1, sequence(2, 0): 1}

_LOGIT_1 = {theta(0): 0, query_x(0): 1, query_y(0): 0, key_x(0): 1, key_y(0): 0}


@theorem(
    "slash.gd.ood",
    role="main result",
    needs="PTW",
    hypotheses=(ROW, COMPONENT),
    conclusion=every(j, 0, i - 1, eq(share(own), share(logit))),
    attack=Attack(
        {"half the weight": every(j, 0, i - 1, eq(2 * share(own), share(logit)))},
        at={"half the weight": {**one_plane, sequence(1, 0): 1}},
        without={
            ROW: {**one_plane, **_LOGIT_1, n: 1, sequence(1, 0): 1, sequence(2, 0): 2},
            COMPONENT: {**one_plane, **_LOGIT_1, sequence(1, 0): 2},
        },
    ),
)
def SLASH_GD_OOD(p: Proof) -> None:
    r"""The trained attention is the same on tokens never seen

    With $W_Q=qu^\top$ and $W_K=ku^\top$ (`slash.gd.rank-one`), on any sequence of vectors
    $u+s$, $s\perp u$ (unseen tokens, repeats), the attention matrix equals the training one
    exactly.
    """
    lag = p.under(*LAG)
    of_query = p.use(COMPONENT, ROW, why="The query's token has component 1 along u.")
    of_key = lag.use(COMPONENT, {place: i - j}, ROW, why="The key's token has component 1 along u.")
    queries = [
        _image_of(of_query, part, i, f"The query's {name}")
        for part, name in ((query_x(l), "real part"), (query_y(l), "imaginary part"))
    ]
    keys = [
        _image_of(of_key, part, i - j, f"A key's {name}")
        for part, name in ((key_x(l), "real part"), (key_y(l), "imaginary part"))
    ]
    same = lag.rewrite(
        eq(own(j).function, logit(j).function),
        "So each plane contributes what it does in training.",
        (queries, keys),
    ).summed(l, 0, m - 1, "Summed over the planes, the logits are equal.")
    power = same.image(sp.exp, "So the exponentials of the logits are equal.")
    whole = power.summed(j, 0, i - 1, "Summed over the lags, the normalisers are equal.")
    weight = lag.rewrite(
        eq(share(own), share(logit)), "So the weights of the lag are equal.", power, whole
    )
    weight.for_all(j, why="This holds at every lag of the row.")
