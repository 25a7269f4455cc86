"""Symbols and terms that the claims of this package share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.indicators import indicator

t, c, d, place, other, token_a, token_b, size = integer("t c d s_1 s_2 A B R")
own, own_value = real("o V_own")
sigma, first, second = (integer_function(name) for name in ("sigma", "sigma_1", "sigma_2"))
content, value, weight = real_function("s"), real_function("V"), real_function("w")
asked = real_function("y")
MEANINGS: Meanings = {
    t: "the place asked for, or a lag",
    c: "in how many permutations a content comes to a position, or a coordinate",
    d: "a token",
    place: "a place",
    other: "another place",
    token_a: "a token",
    token_b: "another token",
    size: "size of the vocabulary",
    own: "logit of the query's own token",
    sigma: "tokens of the input, by position",
    first: "the first input",
    second: "the second input",
    content: "logits, by token",
    value: "value of a token, by token and coordinate",
    weight: "weights of the positions",
    asked: "what the read-out adds, by token",
}


def hot_output(sequence: Function, coordinate: Term | int) -> Term:
    """The weight on a token: identity values and one-hot tokens."""
    return sp.Sum(weight(j) * indicator(sequence(j), coordinate), (j, 0, n - 1))
