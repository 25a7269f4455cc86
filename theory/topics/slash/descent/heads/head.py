"""The headline of training: from W_K = 0 to a slash head, on every sequence of a hyperplane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.descent import features
from ropeproof.theory.topics.slash.descent.heads import ood
from ropeproof.theory.topics.slash.descent.heads.head_terms import *
from ropeproof.theory.topics.slash.descent.heads.rank_one import SLASH_GD_RANK_ONE, own_direction
from ropeproof.theory.topics.slash.descent.heads.rank_one_gradient import (
    c,
    cone,
    dimension,
    matrix,
    token,
)
from ropeproof.theory.topics.slash.descent.loss.score import SLASH_GD_SCORE
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.rates.rate import SLASH_GD_RATE
from ropeproof.theory.topics.slash.descent.rates.rate_sharp import SLASH_GD_RATE_SHARP
from ropeproof.theory.topics.slash.descent.steps.progress import RATE
from ropeproof.theory.topics.slash.lags import offset

MEANINGS = {
    **corpus.MEANINGS,
    i: "a row, which has i keys",
    j: "a lag",
    n: "number of further steps",
    c: "a coordinate of the input",
    dimension: "dimension of the input",
    matrix: vector_in(dimension, "key matrix, 2m × D, by step", "W", "W", matrix=True),
    beta: "inverse of the step; the loss's curvature is at most this",
    tau: "a step of the training",
    start: "the step from which the rate holds",
    margin: "margin by which k* separates the target",
    (best_x, best_y): shown_as(
        "k*", "k_{*}", "unit vector that separates the target from all other lags"
    ),
    best_x: shown_as("k*_x", "k_{*,x}", "first coordinate of k* in a plane"),
    best_y: shown_as("k*_y", "k_{*,y}", "second coordinate of k* in a plane"),
    sequence: vector_in(dimension, "tokens of any sequence, by position"),
    query: "the mean query, by coordinate: plane l has l and l + m",
    turned: shown_as("q⊥", r"q^{\perp}", "the mean query turned by a right angle"),
    cone: vector_in(dimension, "component that all tokens have in common"),
    token: vector_in(dimension, "tokens of the prompts, by prompt and position"),
    corpus.length: "length of the prompts",
    integer("p"): "a position",
}

# -- the proof ---------------------------------------------------------------------------


def _scores_by_planes(p: Proof) -> Fact:
    """The products of feature and key over the rows are those over the planes."""
    whole = sp.Sum(psi(j, l) * own_direction(tau, l), (l, 0, 2 * m - 1))
    cut = p.split(
        whole, m - 1, "Split the rows into first and second coordinates of the planes.", PLANES
    )
    return p.show(
        eq(whole, of_keys(scores(key_at(tau))(j))),
        "Count the second coordinates from 0. So a score over the rows is a score over the planes.",
        cut,
    )


def _keys_follow(p: Proof, recursion: Fact) -> tuple[Fact, Fact]:
    """k starts at 0 and makes the steps of gradient descent on the features."""
    zero, _, step = recursion.formula.args
    plane = p.under(PLANE)
    begins = p.show(zero, "At the start the learned direction is 0.", recursion)
    at_0 = [
        plane.use(begins, {l: at}, PLANES, why="In particular it is 0 in this row.")
        for at in (l, l + m)
    ]
    start_at_0 = plane.show(
        of_keys(START.formula).args[1].args[1],
        "So both coordinates of a plane are 0 at the start.",
        at_0,
    )

    score_of_rows = _scores_by_planes(p)
    rows, planes = score_of_rows.formula.args
    power = score_of_rows.image(sp.exp, "So the exponentials of the two scores are equal.")
    whole = power.summed(j, 0, i - 1, "Sum this equation over the lags of a row.")
    steps_on = p.show(
        step, "The direction makes steps on the features, by the recursion.", recursion
    )
    after_ = of_keys(ALGORITHM.formula).args[1].args[1]
    step_of_plane, made = plane.under(le(0, tau)), []
    for place, goal in zip((l, l + m), after_.args, strict=True):
        moved = step_of_plane.use(
            steps_on,
            {tau: tau, l: place},
            PLANES,
            why="In this row the step subtracts the mean over the rows of features.",
        )
        lag = sp.exp(rows) / sp.Sum(sp.exp(rows), (j, 0, i - 1)) * psi(j, place)
        own_lag = sp.exp(planes) / sp.Sum(sp.exp(planes), (j, 0, i - 1)) * psi(j, place)
        seen = p.rewrite(
            eq(lag, own_lag),
            "The weights of the lags are those by the scores over the planes.",
            (power, whole),
        ).summed(j, 0, i - 1, "Sum this equation over the lags of a row.")
        over = p.show(
            eq(seen.formula.lhs - psi(offset, place), seen.formula.rhs - psi(offset, place)),
            "Subtract the feature of the target from both sides.",
            seen,
        ).summed(i, offset + 1, corpus.length, "Sum this equation over the rows.")
        rate = 1 / (beta * (corpus.length - offset))
        mean = over.times(rate, "Divide by the number of rows, and by the smoothness.")
        made.append(
            step_of_plane.show(
                goal,
                "This is the gradient in the plane over the smoothness. So the change is a step "
                "of gradient descent. So this row takes a step of gradient descent on the "
                "features.",
                (moved, mean),
            )
        )
    following = step_of_plane.show(
        after_, "So the key k makes the steps of gradient descent on the features.", made
    )
    return start_at_0.for_all(l), following.for_all(tau, l)


def _features(p: Proof) -> tuple[Fact, Fact]:
    """The features are not long, and a key's score on one is its logit."""
    psi_of_lag = (psi(j, l), psi(j, l + m))
    vector = real_function("z_x")(l), real_function("z_y")(l)
    lag = p.under(*WINDOW)
    plane = lag.under(*INSIDE)
    half = plane.use(
        HALF, why="The two rows of a plane share its frequency and turn into each other."
    )
    angle = plane.show(eq(theta(l + m), theta(l)), "So both rows have one frequency.", half)
    waves = [
        plane.rewrite(
            eq(wave(j * theta(l + m)), wave(j * theta(l))),
            "So the wave of the second row is that of the first.",
            angle,
        )
        for wave in (sp.cos, sp.sin)
    ]
    here = plane.show(
        same(psi_of_lag, taken_pair(features.rope_feature(j), QUERY)),
        "So the feature of the two rows is RoPE's feature in this plane.",
        (half, waves),
    )
    of_rope = p.lemma(
        features.SLASH_GD_FEATURES.at(**by_name(QUERY), **by_name(taking(KEY, vector)), t=j),
        why="The norm and the scores of RoPE's features are known.",
    )
    squares, long = square(psi_of_lag), square(taken_pair(features.rope_feature(j), QUERY))
    squared = []
    for equation in here.formula.args:
        row = plane.show(equation, "In particular this coordinate is the same.", here)
        squared.append(
            plane.rewrite(
                eq(kept(sp.Pow, equation.lhs, 2), kept(sp.Pow, equation.rhs, 2)),
                "So the squares of this coordinate are equal.",
                row,
            )
        )
    same_norm = plane.show(
        eq(squares.function, long.function),
        "So the squared feature in a plane is that of RoPE's.",
        squared,
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    short = lag.show(
        le(squares, beta),
        "So the squared norm of the feature is at most beta.",
        (same_norm, of_rope, STEP),
    )
    products = inner(vector, psi_of_lag), inner(vector, taken_pair(features.rope_feature(j), QUERY))
    same_product = plane.show(
        eq(products[0].function, products[1].function),
        "In a plane the product with a vector is that of RoPE's feature.",
        here,
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    as_logit = lag.show(
        eq(taken(logit(j), {**QUERY, key_x: vector[0].func, key_y: vector[1].func}), products[0]),
        "So the score on a feature is the logit at its lag.",
        (same_product, of_rope),
    )
    return short.for_all(j, why="This holds at every lag of the prompt."), as_logit


def _rates(p: Proof, facts: tuple[Fact, ...]) -> Fact:
    """The loss of k after all steps is at most 1/(a n)."""
    begins, follows, short = facts
    positive = p.show(lt(0, beta), "The number beta is positive.", STEP)
    given = (PLACE, positive, short, begins, follows, SEPARATES, UNIT, WON)
    at_start = p.lemma(
        SLASH_GD_RATE.at(**by_name(TRAINING_OF_KEYS), T=start),
        (given, LONG, TIMES),
        why="So after tau_0 steps the loss is at most the bound of gradient descent.",
    )
    first = of_keys(loss(key_at(start)))
    few = p.show(
        le((corpus.length - offset) * first, 1),
        "So at tau_0 the rows' losses sum to at most 1.",
        (at_start, FEW, PLACE),
    )
    sharp = p.lemma(
        SLASH_GD_RATE_SHARP.at(**by_name(TRAINING_OF_KEYS)),
        (given, TIMES, SEPARATES, few),
        why="As the margin is positive, it is not negative. So from tau_0 on the loss falls like "
        "1/n.",
    )
    below = exponentials(
        p, sp.Integer(-1), sp.Integer(0), "The number e^-1 is less than 1.", strict=True
    )
    last = of_keys(loss(key_at(end)))
    x, y, z = real("x y z")
    inverse = p.under(lt(0, x), lt(0, z), le(x * y / (2 * z), 1)).show(
        le(y, 2 * z / x), "Multiply by 2 z, and divide by x, which are positive."
    )
    share = 2 * beta * RATE * n
    bound = p.use(
        inverse,
        {x: share, y: last, z: beta},
        p.show(lt(0, share), "So 2 beta a n is positive.", below, SEPARATES, TIMES),
        positive,
        p.show(sharp.formula.args[1], "In particular a n times the loss is at most 1.", sharp),
        why="So after n more steps the loss is at most 1/(a n).",
        goal=le(last, 1 / (RATE * n)),
    )
    powers = exponentials(
        p, -1 / (RATE * n), -last, "So exp of minus the loss is at least e^(-1/(a n)).", bound
    )
    score_of_keys = p.lemma(
        SLASH_GD_SCORE.at(**by_name(HALVES), **by_name(taking(KEY, learned(end)))),
        PLACE,
        why="The slash score is at least exp of minus the loss.",
    )
    return p.chain(
        powers, score_of_keys, why="So the trained head has a score of at least e^(-1/(a n))."
    )


def _same_attention(p: Proof, recursion: Fact, as_logit: Fact) -> Fact:
    """On the sequence the weights are those of k on the features."""
    row = p.under(ROW)
    keys: Substitution = {
        key_x: sp.Lambda(l, learned(end)[0]),
        key_y: sp.Lambda(l, learned(end)[1]),
    }
    entries = p.use(
        p.show(
            recursion.formula.args[1], "At every step W is its direction k times u^T.", recursion
        ),
        {tau: end},
        TIMES,
        why="In particular it is so at the end.",
    )
    same = []
    for here in (l, l + m):
        entry = p.under(PLANE, within(c, 0, dimension - 1)).use(
            entries, {l: here, c: c}, PLANES, why="This holds for this entry of W."
        )
        term = entry.scope.show(
            eq(entry.formula.lhs * sequence(i - j, c), entry.formula.rhs * sequence(i - j, c)),
            "Multiply this equation by the token's coordinate.",
            entry,
        )
        same.append(
            term.summed(
                c,
                0,
                dimension - 1,
                "Summed over the coordinates, the key is the image of its token under k u^T.",
            )
        )
    by_image = taken(ood.own(j), {**ON_IT, **keys})
    plane = p.under(PLANE).rewrite(
        eq(own(j).function, by_image.function),
        "So each plane contributes to the logit as under k u^T.",
        same,
    )
    logits = plane.summed(l, 0, m - 1, "Summed over the planes, the logits are equal.")
    power = logits.image(sp.exp, "So the exponentials of the logits are equal.")
    whole = power.summed(j, 0, i - 1, "Sum this equation over the lags of a row.")
    there = power.at({j: offset}, why="In particular the exponentials are equal at the target.")
    on_cone = row.lemma(
        ood.SLASH_GD_OOD.at(**by_name(ON_IT), **by_name(keys)),
        (PLACE, SEQUENCE),
        why="A row that reaches back to the target is in the sequence. So on the sequence the "
        "attention is that of training.",
    )
    target = row.use(on_cone, {j: offset}, PLACE, why="In particular it is so at the target.")
    vector: Substitution = taking((real_function("z_x")(l), real_function("z_y")(l)), learned(end))
    g = row.under(within(j, 0, i - 1)).use(
        as_logit, vector, why="The logit of training at a lag is the score on its feature."
    )
    score_power = g.image(sp.exp, "So the exponentials of logit and score are equal.")
    score_whole = score_power.summed(j, 0, i - 1, "Sum this equation over the lags of a row.")
    score_there = row.use(
        score_power, {j: offset}, PLACE, why="In particular they are equal at the target."
    )
    first = row.rewrite(
        eq(weight, target.formula.lhs),
        "So the weight on the sequence is that under k u^T.",
        (there, whole),
    )
    second = row.rewrite(
        eq(target.formula.rhs, taken(row_weight(learned(end)), HALVES)),
        "The weight of training is that of the scores on the features.",
        (score_there, score_whole),
    )
    return row.chain(
        first,
        target,
        second,
        why="So the weight on the sequence is that of the trained key on the features.",
    )


_nine, _HALF = sp.Rational(19, 10), sp.Rational(1, 2)
_RUN: Values = {
    **{m: 1, dimension: 1, corpus.length: 2, offset: 1, s: 1},
    **{theta(0): 3, corpus.prompts: 1, corpus.probability(0): 1},
    **{cone(0): 1, token(0, 1, 0): 1, token(0, 2, 0): 1, sequence(1, 0): 1, sequence(2, 0): 1},
    **{query(0): 1, query(1): 0, turned(0): 0, turned(1): 1, theta(1): 3},
    **{beta: 1, start: 1, n: 1, margin: _nine},
    **{best_x(0): -1, best_y(0): 0, matrix(0, 0, 0): 0, matrix(0, 1, 0): 0},
}
"""One plane of frequency 3, one token, two positions, three steps."""


@theorem(
    "slash.gd.head",
    needs="P",
    hypotheses=(
        TIMES, PLACE, LONG, PLANES, STEP, W_COMPONENT, W_MEAN, W_START, W_DESCENT, AXIS, HALF,
        SEPARATES, UNIT, WON, FEW, SEQUENCE,
    ),
    conclusion=le(sp.exp(-1 / (RATE * n)), score),
    attack=Attack(
        {"forty times as fast": le(sp.exp(-1 / (40 * RATE * n)), score), "all of it": le(1, score)},
        at=dict.fromkeys(("forty times as fast", "all of it"), _RUN),
        without={
            TIMES: {**_RUN, n: 0},
            PLACE: {**_RUN, offset: 2, best_x(0): 0, best_y(0): -1, margin: sp.Rational(1, 4)},
            LONG: {**_RUN, corpus.length: 1, offset: 0},
            PLANES: {term: value for term, value in _RUN.items() if term != m},
            STEP: {**_RUN, beta: -1},
            W_COMPONENT: {
                **{**_RUN, corpus.prompts: 2, corpus.probability(0): _HALF, corpus.probability(1): _HALF},
                **{token(0, 1, 0): 11, token(0, 2, 0): 11},
                **{token(1, 1, 0): -9, token(1, 2, 0): -9},
            },
            W_MEAN: {
                **{**_RUN, dimension: 2, cone(1): 0, matrix(0, 0, 1): 0, matrix(0, 1, 1): 0},
                **{token(0, 1, 1): 10, token(0, 2, 1): 0},
                **{sequence(1, 1): -100, sequence(2, 1): 0},
            },
            AXIS: {
                **{**_RUN, cone(0): 2, corpus.probability(0): 4, token(0, 1, 0): _HALF},
                **{token(0, 2, 0): _HALF, sequence(1, 0): _HALF, sequence(2, 0): _HALF},
            },
            HALF: {**_RUN, turned(0): 100, best_x(0): 1},
            W_START: {**_RUN, matrix(0, 0, 0): 50},
            W_DESCENT: {**_RUN, matrix(3, 0, 0): 50},
            SEPARATES: {**_RUN, margin: -1000},
            UNIT: {**_RUN, best_x(0): -10, margin: 10 * _nine},
            WON: {**_RUN, margin: 1000},
            SEQUENCE: {**_RUN, sequence(1, 0): -3},
        },
        idle={
            LONG: "in a prompt of one position the target has all the weight",
            PLANES: "without a plane every vector is 0, and no k* is a unit vector",
            AXIS: (
                "tokens have component 1 along u, so u is not 0, and the k of W = k u^T makes the same "
                "steps whatever the length of u"
            ),
        },
        unshown={
            FEW: (
                "an instance needs some thousand positions: the bound exp(-1/(an)) exceeds a score that "
                "has hardly risen only after n > 5 beta/gamma^2 steps"
            )
        },
    ),
)  # fmt: skip
def SLASH_GD_HEAD(p: Proof) -> None:
    r"""From W_K = 0 to a slash head, on every prompt in the hyperplane ⟨x, u⟩ = 1

    $W_Q=qu^\top$ held fixed, $\|u\|=1$; gradient descent with step $1/\beta$, $\beta=s^2\|q\|^2$,
    on all of $W_K$ from $W_K(0)=0$, by the population loss
    $-\frac1{N-\Delta}\sum_{i>\Delta}\mathbb E\log S_{i,i-\Delta}$ over any prompts whose tokens
    are $u+s$, $s\perp u$, of mean $u$ at every position. A unit vector separates RoPE's features
    $\psi(\Delta)$ and $\psi(t)$ by $\gamma>0$ for every other $t<N$. From the time $\tau_0$ on at
    which $\frac{N-\Delta}{\tau_0}\big[1+\frac{\beta\ln^2((N-1)\tau_0)}{2\gamma^2}\big]\le1$,
    after $n\ge1$ steps more: on every sequence of $N$ vectors of the hyperplane $\langle
    x,u\rangle=1$, that is $u+s$ with $s\perp u$ of any size (unseen tokens, repeats),
    $\mathrm{Slash}(\Delta)\ge e^{-1/(an)}$ with $a=\frac{(1-1/\mathrm e)^2\gamma^2}{2\beta}$.
    """
    rank_one = p.lemma(
        SLASH_GD_RANK_ONE.at(**by_name(ROWS), T=end),
        (TIMES, PLACE, W_COMPONENT, W_MEAN, W_START, W_DESCENT),
        why="The number of steps is not negative. The matrix W is of rank one, and its k makes "
        "steps of its own.",
    )
    recursion = p.show(
        rank_one.formula.args[1].args[1],
        "As u is a unit vector, k follows gradient descent on the features.",
        (rank_one, AXIS),
    )
    begins, follows = _keys_follow(p, recursion)
    short, as_logit = _features(p)
    rates = _rates(p, (begins, follows, short))
    weights = _same_attention(p, recursion, as_logit)
    rows = weights.summed(i, offset + 1, corpus.length, "Sum this equation over the rows.")
    p.qed("So the sequence has the score of training.", rates, rows)
