"""Keys stay rank one and blind to the token."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    choose,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    swap,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m
from ropeproof.theory.slash.descent.model import PLACE, beta
from ropeproof.theory.slash.descent.rank.common import (
    IN_PROMPT,
    IN_ROW,
    INPUT,
    LAG,
    OUTPUT,
    PLACES,
    c,
    cone,
    dimension,
    feature,
    h,
    key,
    matrix,
    over_input,
    p,
    token,
)
from ropeproof.theory.slash.descent.training import steps, tau
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length, probability, prompt, prompts


def own_key(time: Any, position: Any) -> Any:
    """Coordinate l of the key at a position of the prompt."""
    return over_input(matrix(time, l, c) * token(prompt, position, c))


def own_logit(time: Any, lag: Any) -> Any:
    """The logit of row i at a lag, on the prompt."""
    return sp.Sum(feature(lag, l) * own_key(time, i - lag), (l, 0, m - 1))


def own_weight(time: Any) -> Any:
    """S_{i,i-j} on the prompt."""
    return sp.exp(own_logit(time, j)) / sp.Sum(sp.exp(own_logit(time, j)), (j, 0, i - 1))


def gradient(time: Any) -> Any:
    """The population gradient in W(l, c)."""
    attended = sp.Sum(own_weight(time) * (feature(j, l) * token(prompt, i - j, c)), (j, 0, i - 1))
    target = feature(offset, l) * token(prompt, i - offset, c)
    mean = sp.Sum(probability(prompt) * (attended - target), (prompt, 0, prompts - 1))
    return sp.Sum(mean, (i, offset + 1, length)) / (length - offset)


def _rank_one() -> Claim:
    is_rank_one = Every((l, c), If(Both(*OUTPUT, *INPUT), eq(matrix(tau, l, c), key(l) * cone(c))))

    def until(time: Any) -> Any:
        return Some(
            (key(h),),
            Every((l, c), If(Both(*OUTPUT, *INPUT), eq(matrix(time, l, c), key(l) * cone(c)))),
        )

    blind = Every(
        (prompt, p, l),
        If(
            Both(*IN_PROMPT, *PLACES, *OUTPUT),
            eq(over_input(matrix(steps, l, c) * token(prompt, p, c)), key(l)),
        ),
    )
    final = Some(
        (key(h),),
        Both(
            Every((l, c), If(Both(*OUTPUT, *INPUT), eq(matrix(steps, l, c), key(l) * cone(c)))),
            blind,
        ),
    )
    score = sp.Sum(feature(j, l) * key(l), (l, 0, m - 1))
    normaliser = sp.Sum(sp.exp(score), (j, 0, i - 1))
    weight = sp.exp(score) / normaliser
    mean_feature = sp.Sum(weight * feature(j, l), (j, 0, i - 1)) - feature(offset, l)
    new_key = key(l) - sp.Sum(mean_feature, (i, offset + 1, length)) / (length - offset) / beta
    along = over_input(token(prompt, p, c) * cone(c))
    expected = sp.Sum(probability(prompt) * token(prompt, p, c), (prompt, 0, prompts - 1))
    shared = (is_rank_one, *IN_ROW)
    time = (le(0, tau),)
    attended = sp.Sum(weight * (feature(j, l) * token(prompt, i - j, c)), (j, 0, i - 1))
    own_attended = sp.Sum(
        own_weight(tau) * (feature(j, l) * token(prompt, i - j, c)), (j, 0, i - 1)
    )
    target = feature(offset, l) * token(prompt, i - offset, c)

    def over_prompts(term: Any) -> Any:
        return sp.Sum(term, (prompt, 0, prompts - 1))

    lag_term = weight * feature(j, l)
    nested = over_prompts(
        sp.Sum(probability(prompt) * lag_term * token(prompt, i - j, c), (j, 0, i - 1))
    )
    swapped = sp.Sum(
        over_prompts(probability(prompt) * lag_term * token(prompt, i - j, c)), (j, 0, i - 1)
    )
    names = {
        "along": "tokens have component 1 along u",
        "mean": "tokens have mean u at every position",
        "start": "training starts at 0",
        "algorithm": "gradient descent on W with step 1/beta",
    }
    return Claim(
        id="slash.gd.rank-one",
        title="Keys stay rank one and blind to the token",
        statement=(
            r"$W_K(\tau)=k(\tau)u^\top$ at every step of gradient descent from 0 on the population loss: "
            r"keys stay exactly rank one and independent of the token, $W_Kx_v=k(\tau)$."
        ),
        needs=frozenset("PT"),
        hypotheses=(
            Hypothesis(
                "T is not negative", le(0, steps), unshown="there is no key before the start"
            ),
            Hypothesis(
                PLACE.name,
                PLACE.formula,
                unshown="a negative offset reads tokens beyond the prompt, whose mean may be off u",
            ),
            Hypothesis(
                names["along"],
                Every((prompt, p), If(Both(*IN_PROMPT, *PLACES), eq(along, 1))),
                unshown="tokens with other components get other keys",
            ),
            Hypothesis(
                names["mean"],
                Every((p, c), If(Both(*PLACES, *INPUT), eq(expected, cone(c)))),
                unshown="a mean off u drives W off u",
            ),
            Hypothesis(
                names["start"],
                Every((l, c), If(Both(*OUTPUT, *INPUT), eq(matrix(0, l, c), 0))),
                unshown="what W starts with across u stays",
            ),
            Hypothesis(
                names["algorithm"],
                Every(
                    (tau, l, c),
                    If(
                        Both(le(0, tau), *OUTPUT, *INPUT),
                        eq(matrix(tau + 1, l, c), matrix(tau, l, c) - gradient(tau) / beta),
                    ),
                ),
                unshown="any other sequence may go anywhere",
            ),
        ),
        conclusion=final,
        derivation=Derivation(
            (
                Step(
                    "start entry",
                    eq(matrix(0, l, c), 0),
                    instance({l: l, c: c}),
                    "At the start W is 0,",
                    (names["start"],),
                    (*OUTPUT, *INPUT),
                ),
                Step(
                    "start entries",
                    Every((l, c), If(Both(*OUTPUT, *INPUT), eq(matrix(0, l, c), 0 * cone(c)))),
                    generalise(),
                    "which is",
                    ("start entry",),
                ),
                Step(
                    "start",
                    until(sp.Integer(0)),
                    witness({key: sp.Lambda(l, sp.Integer(0))}),
                    "rank one.",
                    ("start entries",),
                ),
                Step(
                    "rank one", is_rank_one, smt(), "Let W be k u^T at a step.", (), (is_rank_one,)
                ),
                Step(
                    "entry",
                    eq(matrix(tau, l, c), key(l) * cone(c)),
                    instance({l: l, c: c}),
                    "Entry by entry,",
                    ("rank one",),
                    (is_rank_one, *OUTPUT, *INPUT),
                ),
                Step(
                    "key term",
                    eq(
                        matrix(tau, l, c) * token(prompt, p, c),
                        key(l) * cone(c) * token(prompt, p, c),
                    ),
                    smt(),
                    "a token's key",
                    ("entry",),
                    (is_rank_one, *OUTPUT, *INPUT),
                ),
                Step(
                    "key sum",
                    eq(own_key(tau, p), over_input(key(l) * cone(c) * token(prompt, p, c))),
                    termwise(),
                    "is k times",
                    ("key term",),
                    (is_rank_one, *OUTPUT),
                ),
                Step(
                    "key factor",
                    eq(over_input(key(l) * cone(c) * token(prompt, p, c)), key(l) * along),
                    identity(),
                    "its component",
                ),
                Step(
                    "component",
                    eq(along, 1),
                    instance({prompt: prompt, p: p}),
                    "along u, which is 1:",
                    (names["along"],),
                    (*IN_PROMPT, *PLACES),
                ),
                Step(
                    "key",
                    eq(own_key(tau, p), key(l)),
                    smt(),
                    "every token has the key k.",
                    ("key sum", "key factor", "component"),
                    (is_rank_one, *OUTPUT, *IN_PROMPT, *PLACES),
                ),
                Step(
                    "key at lag",
                    eq(own_key(tau, i - j), key(l)),
                    instance({p: i - j}),
                    "So at every lag of a row",
                    ("key", PLACE.name),
                    (*shared, *OUTPUT, *IN_PROMPT, *LAG),
                ),
                Step(
                    "logit term",
                    eq(feature(j, l) * own_key(tau, i - j), feature(j, l) * key(l)),
                    smt(),
                    "the logit",
                    ("key at lag",),
                    (*shared, *OUTPUT, *IN_PROMPT, *LAG),
                ),
                Step(
                    "logit",
                    eq(own_logit(tau, j), score),
                    termwise(),
                    "is that of k,",
                    ("logit term",),
                    (*shared, *IN_PROMPT, *LAG),
                ),
                Step(
                    "exponential",
                    eq(sp.exp(own_logit(tau, j)), sp.exp(score)),
                    rewrite(),
                    "so is its exponential,",
                    ("logit",),
                    (*shared, *IN_PROMPT, *LAG),
                ),
                Step(
                    "normaliser",
                    eq(sp.Sum(sp.exp(own_logit(tau, j)), (j, 0, i - 1)), normaliser),
                    termwise(),
                    "the normaliser",
                    ("exponential",),
                    (*shared, *IN_PROMPT),
                ),
                Step(
                    "weight",
                    eq(own_weight(tau), weight),
                    rewrite(),
                    "and the weight, whatever the prompt.",
                    ("exponential", "normaliser"),
                    (*shared, *IN_PROMPT, *LAG),
                ),
                Step(
                    "attended term",
                    eq(
                        own_weight(tau) * (feature(j, l) * token(prompt, i - j, c)),
                        weight * (feature(j, l) * token(prompt, i - j, c)),
                    ),
                    rewrite(),
                    "What is attended to",
                    ("exponential", "normaliser"),
                    (*shared, *IN_PROMPT, *LAG),
                ),
                Step(
                    "attended",
                    eq(own_attended, attended),
                    termwise(),
                    "is averaged with these weights,",
                    ("attended term",),
                    (*shared, *IN_PROMPT),
                ),
                Step(
                    "prompt term",
                    eq(
                        probability(prompt) * (own_attended - target),
                        probability(prompt) * (attended - target),
                    ),
                    smt(),
                    "on every prompt",
                    ("attended",),
                    (*shared, *IN_PROMPT),
                ),
                Step(
                    "prompts",
                    eq(
                        over_prompts(probability(prompt) * (own_attended - target)),
                        over_prompts(probability(prompt) * (attended - target)),
                    ),
                    termwise(),
                    "and on average.",
                    ("prompt term",),
                    shared,
                ),
                Step(
                    "parts",
                    eq(
                        over_prompts(probability(prompt) * (attended - target)),
                        nested
                        - feature(offset, l)
                        * over_prompts(probability(prompt) * token(prompt, i - offset, c)),
                    ),
                    identity(),
                    "Split off the target,",
                ),
                Step("swap", eq(nested, swapped), swap(), "exchange the sums,"),
                Step(
                    "mean",
                    eq(expected, cone(c)),
                    instance({p: p, c: c}),
                    "and use that tokens have mean u",
                    (names["mean"],),
                    (*PLACES, *INPUT),
                ),
                Step(
                    "mean at lag",
                    eq(over_prompts(probability(prompt) * token(prompt, i - j, c)), cone(c)),
                    instance({p: i - j}),
                    "at every lag",
                    ("mean", PLACE.name),
                    (*IN_ROW, *LAG, *INPUT),
                ),
                Step(
                    "mean at target",
                    eq(over_prompts(probability(prompt) * token(prompt, i - offset, c)), cone(c)),
                    instance({p: i - offset}),
                    "and at the target:",
                    ("mean", PLACE.name),
                    (*IN_ROW, *INPUT),
                ),
                Step(
                    "lag factor",
                    eq(
                        over_prompts(probability(prompt) * lag_term * token(prompt, i - j, c)),
                        lag_term * over_prompts(probability(prompt) * token(prompt, i - j, c)),
                    ),
                    identity(),
                    "the lag's weight",
                ),
                Step(
                    "lag mean",
                    eq(
                        over_prompts(probability(prompt) * lag_term * token(prompt, i - j, c)),
                        lag_term * cone(c),
                    ),
                    smt(),
                    "times u,",
                    ("lag factor", "mean at lag"),
                    (*IN_ROW, *LAG, *INPUT),
                ),
                Step(
                    "lag means",
                    eq(swapped, sp.Sum(lag_term * cone(c), (j, 0, i - 1))),
                    termwise(),
                    "summed",
                    ("lag mean",),
                    (*IN_ROW, *INPUT),
                ),
                Step(
                    "collect",
                    eq(
                        sp.Sum(lag_term * cone(c), (j, 0, i - 1)) - feature(offset, l) * cone(c),
                        mean_feature * cone(c),
                    ),
                    identity(),
                    "and collected.",
                ),
                Step(
                    "row",
                    eq(
                        over_prompts(probability(prompt) * (own_attended - target)),
                        mean_feature * cone(c),
                    ),
                    smt(),
                    "So a row's gradient is a multiple of u,",
                    ("prompts", "parts", "swap", "mean at target", "lag means", "collect"),
                    (*shared, *INPUT),
                ),
                Step(
                    "rows",
                    eq(
                        sp.Sum(
                            over_prompts(probability(prompt) * (own_attended - target)),
                            (i, offset + 1, length),
                        ),
                        sp.Sum(mean_feature * cone(c), (i, offset + 1, length)),
                    ),
                    termwise(),
                    "and so is the sum.",
                    ("row",),
                    (is_rank_one, *INPUT),
                ),
                Step(
                    "rows factor",
                    eq(
                        sp.Sum(mean_feature * cone(c), (i, offset + 1, length)),
                        cone(c) * sp.Sum(mean_feature, (i, offset + 1, length)),
                    ),
                    identity(),
                    "Take u out.",
                ),
                Step(
                    "step",
                    eq(matrix(tau + 1, l, c), matrix(tau, l, c) - gradient(tau) / beta),
                    instance({tau: tau, l: l, c: c}),
                    "The step",
                    (names["algorithm"],),
                    (*time, *OUTPUT, *INPUT),
                ),
                Step(
                    "next entry",
                    eq(matrix(tau + 1, l, c), new_key * cone(c)),
                    smt(),
                    "then leads to a multiple of u again,",
                    ("step", "entry", "rows", "rows factor"),
                    (is_rank_one, *time, *OUTPUT, *INPUT),
                ),
                Step(
                    "next entries",
                    Every(
                        (l, c),
                        If(Both(*OUTPUT, *INPUT), eq(matrix(tau + 1, l, c), new_key * cone(c))),
                    ),
                    generalise(),
                    "entry by entry:",
                    ("next entry",),
                    (is_rank_one, *time),
                ),
                Step(
                    "next",
                    until(tau + 1),
                    witness({key: sp.Lambda(l, new_key)}),
                    "rank one.",
                    ("next entries",),
                    (is_rank_one, *time),
                ),
                Step("so far", until(tau), smt(), "If it was so", (), (until(tau),)),
                Step(
                    "again",
                    until(tau + 1),
                    choose(),
                    "it is so again.",
                    ("so far", "next"),
                    (until(tau), *time),
                ),
                Step(
                    "all",
                    until(tau),
                    induction(tau, 0),
                    "Induction over the steps.",
                    ("start", "again"),
                    time,
                ),
                Step(
                    "end",
                    until(steps),
                    instance({tau: steps}),
                    "At the end",
                    ("all", "T is not negative"),
                ),
                Step(
                    "key at the end",
                    eq(over_input(matrix(steps, l, c) * token(prompt, p, c)), key(l)),
                    instance({tau: steps}),
                    "keys are blind to the token",
                    ("key",),
                    (is_rank_one.xreplace({tau: steps}), *OUTPUT, *IN_PROMPT, *PLACES),
                ),
                Step(
                    "blind",
                    blind,
                    generalise(),
                    "on any prompt.",
                    ("key at the end",),
                    (is_rank_one.xreplace({tau: steps}),),
                ),
                Step(
                    "rank at the end",
                    is_rank_one.xreplace({tau: steps}),
                    smt(),
                    "And W is rank one,",
                    (),
                    (is_rank_one.xreplace({tau: steps}),),
                ),
                Step(
                    "found",
                    final,
                    witness({key: sp.Lambda(l, key(l))}),
                    "with this k,",
                    ("rank at the end", "blind"),
                    (is_rank_one.xreplace({tau: steps}),),
                ),
                Step("rank-one", final, choose(), "which exists.", ("end", "found")),
            )
        ),
        mutants=(
            Mutant(
                "one moves by 1",
                Every((l, c), If(Both(*OUTPUT, *INPUT), eq(matrix(steps, l, c), 1))),
                at=(
                    eq(steps, 0),
                    eq(m, 1),
                    eq(dimension, 1),
                    eq(length, 1),
                    eq(offset, 0),
                    eq(prompts, 1),
                    eq(probability(0), 1),
                    eq(cone(0), 1),
                    eq(token(0, 1, 0), 1),
                    eq(matrix(0, 0, 0), 0),
                    eq(beta, 1),
                ),
            ),
        ),
    )


SLASH_GD_RANK_ONE = _rank_one()

CLAIMS = (SLASH_GD_RANK_ONE,)
