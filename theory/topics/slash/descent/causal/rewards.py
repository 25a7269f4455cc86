"""Which lag of each causal softmax row the loss of induction rewards most."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.slash.descent.offset import signs
from ropeproof.theory.topics.slash.descent.offset.signs import (
    POSITIVE,
    beta,
    floor,
    lag,
    length,
    occurs,
    r,
)

row, index = integer("i v")
weights, token, law = real_function("a"), real_function("e"), real_function("P")
MEANINGS: Meanings = {
    **signs.MEANINGS,
    row: "a row of layer 1",
    index: "a position",
    weights: "weight of a lag in a row of layer 1",
    token: "inner product of the last token and the one at a position, by place p",
    law: "probability of a place",
}


def logit(place: Term, position: Term, of: Callable[..., Term] = weights) -> Term:
    """beta <x_last, z_j>, z_j = sum_t a_(j,t) x_(j-t), for the token at a place."""
    return beta * sp.Sum(of(position, r) * token(place, position - r), (r, 0, position))


def share(place: Term, position: Term, of: Callable[..., Term] = weights) -> Term:
    """The weight S_(p,j) that layer 2 gives a position, for the token at a place."""
    whole = sp.Sum(sp.exp(logit(place, j, of)), (j, 0, length - 1))
    return sp.exp(logit(place, position, of)) / whole


def term(
    place: Term, position: Term, of_lag: Term | int, of: Callable[..., Term] = weights
) -> Term:
    """The derivative of ln Z - w_(p+1) in a_(j,t), for the token at a place."""
    target = indicator(place, position - 1)
    return beta * (share(place, position, of) - target) * token(place, position - of_lag)


def slope(position: Term, of_lag: Term | int, of: Callable[..., Term] = weights) -> Term:
    """The derivative of the mean loss in a_(j,t)."""
    return sp.Sum(law(occurs) * term(occurs, position, of_lag, of), (occurs, 0, length - 2))


places = within(occurs, 0, length - 2)
LAG_1 = Hypothesis("there is lag 1", le(2, length))
LAW = Hypothesis("no probability is negative", Every((occurs,), If(places, le(0, law(occurs)))))
TOKENS = Hypothesis(
    "the tokens are orthonormal, and the last one occurs at p as well",
    Every(
        (occurs, index),
        If(
            Both(*places.args, *within(index, 0, length - 1).args),
            Both(
                If(Either(eq(index, occurs), eq(index, length - 1)), eq(token(occurs, index), 1)),
                If(Both(ne(index, occurs), ne(index, length - 1)), eq(token(occurs, index), 0)),
            ),
        ),
    ),
)


def rows(body: Formula) -> Formula:
    """A statement for every row j and every lag t of it."""
    return Every(
        (row, lag), If(Both(*within(row, 0, length - 1).args, *within(lag, 0, row).args), body)
    )


WEIGHTS = Hypothesis("no weight is negative", rows(le(0, weights(row, lag))))
TOTAL = Hypothesis(
    "the weights of a row add up to 1",
    every(row, 0, length - 1, eq(sp.Sum(weights(row, r), (r, 0, row)), 1)),
)

ROW = within(row, 1, length - 1)
OTHER = Both(*within(lag, 0, row).args, ne(lag, 1))
NOT_BOTH = Either(le(row, length - 2), le(1, lag))
margin = floor * law(row - 1)
leads = Every(
    (row, lag),
    If(Both(*ROW.args, *OTHER.args, NOT_BOTH), le(slope(row, 1) + margin, slope(row, lag))),
)
last = le(slope(length - 1, 1), slope(length - 1, 0))


def _token(scope: Scope, place: Term, position: Term, goal: Formula, why: str) -> Fact:
    """What is said of the inner product with the token at a position."""
    known = scope.use(
        TOKENS, {occurs: place, index: position}, LAG_1, why="The position is one of the prompt's."
    )
    return scope.show(goal, why, known, LAG_1, by=rules.smt())


def _logits(p: Proof) -> tuple[Fact, Fact]:
    """0 <= w_(p,j), and w_(p,j) <= beta."""
    key = p.under(places, within(j, 0, length - 1))
    lags = key.under(within(r, 0, j))
    weight = lags.use(WEIGHTS, {row: j, lag: r}, why="The weight of a lag is not negative.")
    seen = _token(
        lags, occurs, j - r, Both(le(0, token(occurs, j - r)), le(token(occurs, j - r), 1)),
        "The inner product is 0 or 1.",
    )  # fmt: skip
    product = weights(j, r) * token(occurs, j - r)
    low = lags.show(le(0, product), "So their product is not negative.", weight, seen)
    high = lags.show(le(product, weights(j, r)), "And at most the weight.", weight, seen)
    above = low.summed(r, 0, j, "So the sum over the row's lags is not negative.")
    below = high.summed(r, 0, j, "And at most the sum of the weights.")
    one = key.use(TOTAL, {row: j}, why="The weights of the row add up to 1.")
    positive = key.show(le(0, logit(occurs, j)), "So no logit is negative.", above, POSITIVE)
    small = key.show(
        le(logit(occurs, j), beta), "So the logit is at most beta.", (below, one, POSITIVE)
    )
    return positive, small


def _shares(p: Proof) -> tuple[Fact, Fact]:
    """No share is negative; and what a position lacks is at least (N - 1)/(N - 1 + e^beta)."""
    low, high = _logits(p)
    key = p.under(places, within(j, 0, length - 1))
    p.under(places)
    exponential = p.show(lt(0, sp.exp(logit(occurs, j))), "Each exponential is positive.")
    whole = exponential.summed(
        j, 0, length - 1, "So the sum of the exponentials is positive, as there are keys.", LAG_1
    )
    part = p.show(le(0, share(occurs, j)), "So no share is negative.", whole, exponential)
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=logit(occurs, j)),
        why="An exponential is at least 1 more than its exponent.",
    )
    excess = key.show(
        le(0, sp.exp(logit(occurs, j)) - 1), "So each exponential is at least 1.", low, tangent
    )
    top = high.image(sp.exp, "And at most e^beta.")
    member = key.lemma(
        SUMS_MEMBER.at(m=length, k=j, f=sp.Lambda(j, sp.exp(logit(occurs, j)) - 1)),
        excess.for_all(j, why="This holds for all keys."),
        why="So the sum of the excesses is at least that of one position.",
    )
    z = whole.formula.rhs
    e, total, most, rest = real("E C B M")
    general = p.under(lt(0, e), le(e, most), lt(0, rest), le(e + rest, total)).show(
        le(rest / (rest + most), 1 - e / total),
        "A share of at most B among B and M leaves at least M.",
    )
    lacks = key.use(
        general,
        {e: sp.exp(logit(occurs, j)), total: z, most: sp.exp(beta), rest: length - 1},
        (exponential, top, member, LAG_1),
        why="The sum of the excesses is Z less the number of keys. So a position lacks at least "
        "this share.",
    )
    return part, lacks


def _three(*changes: tuple[Term, int]) -> Values:
    """Three tokens, the last one also at 0, and rows that attend to their first token."""
    at: Values = {length: 3, beta: 1, law(0): 1, law(1): 0}
    at |= {token(p, v): int(v in (p, 2)) for p in range(2) for v in range(3)}
    at |= {weights(j, t): int(t == j) for j in range(3) for t in range(j + 1)}
    return at | dict(changes)


_end = length - 1


@theorem(
    "slash.gd.offset-causal-rewards",
    needs="PX",
    hypotheses=(LAG_1, POSITIVE, LAW, TOKENS, WEIGHTS, TOTAL),
    conclusion=Both(leads, last),
    attack=Attack(
        {
            "twice the margin": Every(
                (row, lag),
                If(
                    Both(*ROW.args, *OTHER.args, NOT_BOTH),
                    le(slope(row, 1) + 2 * margin, slope(row, lag)),
                ),
            ),
            "lag 0 is rewarded more in the last row": le(slope(_end, 0), slope(_end, 1)),
            "lag 1 is punished": every(row, 1, length - 1, le(0, slope(row, 1))),
        },
        at={
            "twice the margin": _three(),
            "lag 0 is rewarded more in the last row": _three(),
            "lag 1 is punished": _three(),
        },
        without={
            POSITIVE: _three((beta, -1)),
            LAW: _three((law(0), -1), (law(1), 2)),
            TOKENS: _three((token(0, 0), 0)),
            WEIGHTS: _three((weights(1, 0), -5), (weights(1, 1), 6)),
            TOTAL: _three((weights(1, 1), 9)),
        },
        idle={LAG_1: "with fewer than two tokens there is no place, and both sides are 0"},
    ),
)
def SLASH_GD_OFFSET_CAUSAL_REWARDS(p: Proof) -> None:
    r"""In each causal row the loss of induction falls fastest with the weight of lag 1

    Two layers read tokens $x_0,\dots,x_{N-1}$, $N\ge2$, orthonormal but for the last one, which
    occurred once before, at a place $0\le p\le N-2$ of the law $P$: $e_{p,v}=\langle
    x_{N-1},x_v\rangle$ is 1 at $v=p$ and $v=N-1$, else 0. Row $j$ of layer 1 has weights
    $a_{j,t}\ge0$ of its lags $0\le t\le j$ alone, which add up to 1, and writes
    $\sum_{t\le j}a_{j,t}x_{j-t}$. Layer 2 has the logits $w_{p,j}=\beta\sum_{t\le
    j}a_{j,t}e_{p,j-t}$, $\beta>0$, the weights $S_{p,j}=e^{w_{p,j}}/\sum_ve^{w_{p,v}}$ and the mean
    loss $-\sum_pP_p\ln S_{p,p+1}$, whose derivative in $a_{j,t}$ is
    $D_{j,t}=\sum_pP_p\beta(S_{p,j}-\mathbb 1[p=j-1])e_{p,j-t}$. Then $D_{j,t}\ge
    D_{j,1}+\frac{\beta(N-1)}{N-1+e^\beta}P_{j-1}$ in each row $j\ge1$ for every lag $t\ne1$, but
    for $t=0$ in the last row, where $D_{N-1,0}\ge D_{N-1,1}$.
    """
    part, lacks = _shares(p)
    at = p.under(ROW, OTHER, places)
    general = at.under(NOT_BOTH)
    difference = law(occurs) * term(occurs, row, lag) - law(occurs) * term(occurs, row, 1)
    weigh = at.use(LAW, why="The probability of the place is not negative.")
    own = at.use(
        part.for_all(j, why="This holds at every position."), {j: row}, why="No share is negative."
    )

    # the place directly before the row's position
    hit = at.under(eq(occurs, row - 1))
    seen = _token(hit, occurs, row - 1, eq(token(occurs, row - 1), 1), "Lag 1 shows the token.")
    general_hit = general.under(eq(occurs, row - 1))
    missed = _token(
        general_hit, occurs, row - lag, eq(token(occurs, row - lag), 0),
        "The other lag does not show it.",
    )  # fmt: skip
    lacked = hit.use(
        lacks.for_all(j, why="This holds at every position."), {j: row}, LAG_1,
        why="The target lacks at least this share.",
    )  # fmt: skip
    s, q, d = real("S Q F")
    scaled = p.under(le(d, 1 - s), lt(0, beta), le(0, q)).show(
        le(beta * d * q, q * (beta * (1 - s))), "Multiply the bound of what S lacks by beta and Q."
    )
    product = hit.use(
        scaled, {s: share(occurs, row), q: law(occurs), d: lacked.formula.lhs}, lacked, POSITIVE, weigh,
        why="Multiply what the target lacks by beta and the probability of the place.",
    )  # fmt: skip
    exact = general_hit.show(
        eq(difference, law(occurs) * (beta * (1 - share(occurs, row)))),
        "The indicator is 1. So lag 1 gains what the target lacks, and the other lag nothing.",
        (seen, missed),
    )
    chosen = indicator(occurs, row - 1) * (floor * law(occurs))
    there = general_hit.show(
        le(chosen, difference), "So the difference is at least the margin's term.", (product, exact)
    )

    # every other place
    away = at.under(ne(occurs, row - 1))
    zero = away.show(eq(indicator(occurs, row - 1), 0), "The indicator is 0 at another place.")
    unseen = _token(
        away, occurs, row - 1, eq(token(occurs, row - 1), 0), "Lag 1 does not show the token."
    )
    either = _token(
        away, occurs, row - lag, le(0, token(occurs, row - lag)), "The inner product is 0 or 1."
    )
    flat = away.show(
        eq(difference, law(occurs) * (beta * share(occurs, row) * token(occurs, row - lag))),
        "So lag 1 gains nothing, and the other lag loses what it shows.",
        (zero, unseen),
    )
    shown_ = away.show(
        le(0, share(occurs, row) * token(occurs, row - lag)),
        "The product of share and token is not negative.",
        own,
        either,
    )
    weighed = away.show(
        le(0, law(occurs) * (share(occurs, row) * token(occurs, row - lag))),
        "Nor is it times the probability.",
        shown_,
        weigh,
    )
    positive = away.show(
        le(0, difference), "So the difference is not negative.", flat, weighed, POSITIVE
    )
    elsewhere = away.show(
        le(chosen, difference), "So it is at least the margin's term, which is 0.", positive, zero
    )

    each = general.show(le(chosen, difference), "So this holds at every place.", there, elsewhere)
    total = each.summed(occurs, 0, length - 2, "Sum this bound over the places.")
    plain = p.under(ROW, OTHER, NOT_BOTH)
    picked = plain.lemma(
        SUMS_INDICATOR.at(m=length - 1, p=row - 1, f=sp.Lambda(l, floor * law(l))),
        LAG_1,
        why="The indicator picks the place before the row's position.",
        goal=eq(total.formula.lhs, floor * law(row - 1)),
    )
    lead = plain.show(
        le(slope(row, 1) + margin, slope(row, lag)),
        "The sum of the differences is the difference of the two sums. So the loss falls "
        "faster with lag 1 by the margin.",
        (total, picked),
    ).for_all(row, lag, why="This holds for every such row and lag.")

    # lag 0 of the last row, which shows the last token itself
    end, place = length - 1, p.under(places)
    behind = law(occurs) * term(occurs, end, 0) - law(occurs) * term(occurs, end, 1)
    off = place.under(ne(occurs, end - 1)).use(
        positive.for_all(row, lag, why="This holds for every row and other lag."),
        {row: end, lag: 0},
        LAG_1,
        why="At other places than N - 2 the difference of lag 0 is not negative in the last row.",
        goal=le(0, behind),
    )
    on = place.under(eq(occurs, end - 1))
    both = [
        _token(on, occurs, end, eq(token(occurs, end), 1), "Lag 0 shows the last token itself."),
        _token(
            on, occurs, end - 1, eq(token(occurs, end - 1), 1), "Lag 1 shows the token at N - 2."
        ),
    ]
    equal = on.show(le(0, behind), "So at the place N - 2 the two lags gain alike.", both)
    ends = place.show(le(0, behind), "So no difference is negative.", off, equal).summed(
        occurs, 0, length - 2, "So their sum is not negative."
    )
    p.qed(
        "This sum is the difference of the two derivatives. So lag 0 is not rewarded more "
        "than lag 1 there. These are the two parts of the claim.",
        (lead, ends),
    )
