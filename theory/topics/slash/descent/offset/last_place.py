"""Training on induction where the token to be matched stands directly before the last one."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j
from ropeproof.theory.library.sums.indicators import SUMS_PICK
from ropeproof.theory.library.sums.terms import SUMS_MEMBER, SUMS_TWO_MEMBERS
from ropeproof.theory.topics.slash.descent.offset import signs as offset_signs
from ropeproof.theory.topics.slash.descent.offset.signs import (
    FIRST,
    alike,
    beta,
    lag,
    length,
    logit,
    occurs,
    partition,
    r,
    slope,
    weight,
)

MEANINGS: Meanings = offset_signs.MEANINGS

LAST_PLACE = Hypothesis("it occurs directly before the last position", eq(occurs, length - 2))
AT_MOST_1 = Hypothesis(
    "the weights of layer 1 add up to at most 1",
    le(sp.Sum(offset_signs.attention(r), (r, 0, length - 1)), 1),
)

last_floor = beta / (1 + (length - 1) * sp.exp(beta))
leads = Every((lag,), If(offset_signs.other_lag, le(slope(1) + last_floor, slope(lag))))


def _token(scope: Scope, position: Term, goal: Formula, why: str) -> Fact:
    """What is said of the inner product with the token at a position."""
    known = scope.use(
        offset_signs.TOKENS,
        {offset_signs.index: position},
        (FIRST, LAST_PLACE),
        why="The position is one of the prompt's, or before it.",
    )
    return scope.show(goal, why, known, FIRST, LAST_PLACE)


def _exponentials(p: Proof) -> tuple[Fact, Fact]:
    """1 <= e^{w_j}, and e^{w_j} <= e^beta, for a key j."""
    key = p.under(within(j, 0, length - 1))
    lags = key.under(within(r, 0, length - 1))
    share = lags.use(offset_signs.SIMPLEX, {lag: r}, why="The weight of a lag is not negative.")
    token = _token(
        lags, j - r, Both(le(0, alike(j - r)), le(alike(j - r), 1)), "The inner product is 0 or 1."
    )
    product = offset_signs.attention(r) * alike(j - r)
    low = lags.show(le(0, product), "So their product is not negative.", share, token)
    high = lags.show(
        le(product, offset_signs.attention(r)),
        "So this product is at most the weight of the lag.",
        (share, token),
    )
    above = low.summed(r, 0, length - 1, "So the sum over the lags is not negative.")
    below = high.summed(r, 0, length - 1, "The sum over the lags is at most that of the weights.")
    positive = key.show(le(0, logit(j)), "So no logit is negative.", above, offset_signs.POSITIVE)
    small = key.show(
        le(logit(j), beta),
        "So the logit is at most beta.",
        (below, AT_MOST_1, offset_signs.POSITIVE),
    )
    least = positive.image(sp.exp, "So its exponential is at least 1.")
    most = small.image(sp.exp, "So its exponential is at most that of beta.")
    return least, most


def _shares(p: Proof, least: Fact, most: Fact) -> tuple[Fact, Fact, Fact]:
    """The floor of S_p; that S_p + S_(p+1) <= 1; and that S_j is not negative."""
    key = p.under(within(j, 0, length - 1))
    room = key.show(
        le(0, sp.exp(beta) - sp.exp(logit(j))), "No exponential of a logit is above e^beta.", most
    )
    member = p.apply(
        SUMS_MEMBER,
        (room.for_all(j, why="This holds for all keys."), FIRST, LAST_PLACE),
        why="So the room of all keys is at least the token's.",
    )
    apart = p.show(
        eq(sp.Sum(sp.exp(beta) - sp.exp(logit(j)), (j, 0, length - 1)), length * sp.exp(beta) - partition()),
        "The room of all is N e^beta - Z.", FIRST, LAST_PLACE,
    )  # fmt: skip
    whole = key.show(lt(0, sp.exp(logit(j))), "Each exponential is positive.")
    positive = whole.summed(
        j,
        0,
        length - 1,
        "So the sum of the exponentials is positive, as there are keys.",
        FIRST,
        LAST_PLACE,
    )
    own = [
        p.use(
            fact.for_all(j, why="This holds for all keys."),
            {j: occurs},
            (FIRST, LAST_PLACE),
            why="In particular it holds at the token's place.",
        )
        for fact in (least, most)
    ]
    e, z, top, rows = real("F Z B M")
    general = p.under(le(1, e), lt(0, z), le(0, rows), lt(0, top), le(z, e + rows * top))
    quotient = general.show(
        le(1 / (1 + rows * top), e / z),
        "As F is at least 1, M B is at most F M B. So F (1 + M B) is at least Z. The product "
        "M B of numbers that are not negative is not negative. Divide by Z and by 1 + M B, "
        "which are positive.",
    )
    floor = p.use(
        quotient,
        {e: sp.exp(logit(occurs)), z: partition(), top: sp.exp(beta), rows: length - 1},
        (own, positive, member, apart, FIRST, LAST_PLACE),
        why="The exponential of beta is positive. So the token's own position has at least this "
        "weight.",
    )
    share = key.show(le(0, weight(j)), "A weight of layer 2 is not negative.", positive, whole)
    total = sp.Sum(weight(j), (j, 0, length - 1))
    two = p.lemma(
        SUMS_TWO_MEMBERS.at(m=length, k=occurs, c=occurs + 1, f=sp.Lambda(j, weight(j))),
        (share.for_all(j, why="This holds for the weights of all keys."), FIRST, LAST_PLACE),
        why="So any two add up to at most all.",
        goal=le(weight(occurs) + weight(occurs + 1), total),
    )
    pair = p.show(
        le(weight(occurs) + weight(occurs + 1), 1),
        "As the weights add up to 1, these two have at most 1.",
        (two, positive),
    )
    return floor, pair, share


def _picked(p: Proof) -> Fact:
    """D_1 = -beta (1 - S_(p+1))."""
    key = p.under(within(j, 0, length - 1))
    itself = _token(p, occurs, eq(alike(occurs), 1), "The token is at p.")
    away = key.under(ne(j, occurs + 1))
    off = _token(away, j - 1, eq(alike(j - 1), 0), "No other key is one position after the token.")
    elsewhere = key.show(
        If(ne(j, occurs + 1), eq(alike(j - 1), 0)),
        "So the inner product is 0 at any other index.",
        off,
    )
    picked = p.lemma(
        SUMS_PICK.at(
            m=length, p=occurs + 1, here=sp.Lambda(j, alike(j - 1)), f=sp.Lambda(j, weight(j))
        ),
        (itself, elsewhere.for_all(j, why="This holds for every other index."), FIRST, LAST_PLACE),
        why="So lag 1 brings the token to one key, which is the target.",
        goal=eq(sp.Sum(weight(j) * alike(j - 1), (j, 0, length - 1)), weight(occurs + 1)),
    )
    return p.show(
        eq(slope(1), -beta * (1 - weight(occurs + 1))),
        "So D_1 is minus beta times the weight that the target lacks.",
        (picked, itself),
    )


def _own_lag(p: Proof) -> Fact:
    """D_0 = beta (S_p + S_(p+1) - 1)."""
    itself = _token(p, occurs, eq(alike(occurs), 1), "The token stands at the place p.")
    again = _token(
        p,
        occurs + 1,
        eq(alike(occurs + 1), 1),
        "The token stands at p + 1, the last position, too.",
    )
    total = sp.Sum(weight(j) * alike(j), (j, 0, length - 1))
    cut = p.last(total, "Split the last key off the sum.", FIRST, LAST_PLACE)
    rest = cut.formula.rhs.args
    body = next(a for a in rest if isinstance(a, sp.Sum))
    off = _token(
        p.under(within(j, 0, length - 2)).under(ne(j, occurs)),
        j,
        eq(alike(j), 0),
        "No other key shows the token.",
    )
    elsewhere = p.under(within(j, 0, length - 2)).show(
        If(ne(j, occurs), eq(alike(j), 0)), "So the inner product is 0 at any other index.", off
    )
    picked = p.lemma(
        SUMS_PICK.at(
            m=length - 1, p=occurs, here=sp.Lambda(j, alike(j)), f=sp.Lambda(j, weight(j))
        ),
        (itself, elsewhere.for_all(j, why="This holds for every other index."), FIRST, LAST_PLACE),
        why="Among the other keys only p is the token.",
        goal=eq(body, weight(occurs)),
    )
    tail = p.rewrite(eq(weight(length - 1) * alike(length - 1), weight(occurs + 1) * alike(occurs + 1)),
                     "The last key's term is that of p + 1.", LAST_PLACE)  # fmt: skip
    return p.show(
        eq(slope(0), beta * (weight(occurs) + weight(occurs + 1) - 1)),
        "So D_0 is beta times (S_p + S_(p+1) - 1).",
        (cut, picked, tail, again),
    )


def _instance(tokens: int, at: int, *attentions: int, of: int = 1) -> Values:
    """So many tokens, the last one earlier at a position, and the weights of the lags."""
    inner = {alike(k): int(k in (at, tokens - 1)) for k in range(min(at, 0) - tokens, tokens)}
    return {
        length: tokens,
        occurs: at,
        beta: of,
        **inner,
        **listed(offset_signs.attention, *attentions),
    }


_small = _instance(2, 0, 0, 1)


@theorem(
    "slash.gd.offset-last-place",
    needs="PTX",
    hypotheses=(
        FIRST,
        LAST_PLACE,
        offset_signs.TOKENS,
        offset_signs.POSITIVE,
        offset_signs.SIMPLEX,
        AT_MOST_1,
    ),
    conclusion=Both(le(slope(0), 0), leads),
    attack=Attack(
        {
            "lag 0 is punished": lt(0, slope(0)),
            "eight times as far": Every(
                (lag,), If(offset_signs.other_lag, le(slope(1) + 8 * last_floor, slope(lag)))
            ),
            "lag 0 is rewarded more": lt(slope(0), slope(1)),
        },
        at={
            "lag 0 is punished": _instance(3, 1, 0, 1, 0),
            "eight times as far": _small,
            "lag 0 is rewarded more": _small,
        },
        without={
            LAST_PLACE: _instance(3, 0, 0, 1, 0),
            offset_signs.TOKENS: {**_small, alike(0): -1},
            offset_signs.POSITIVE: _instance(2, 0, 0, 1, of=-1),
            AT_MOST_1: _instance(2, 0, 0, 9),
        },
    ),
)
def SLASH_GD_OFFSET_LAST_PLACE(p: Proof) -> None:
    r"""The loss of induction falls fastest with lag 1 even for the token directly before the last

    In the setting of `slash.gd.offset-signs` let the last token have occurred before at $p=N-2$,
    and $a_t\ge0$, $\sum_ta_t\le1$. There $D_0$ is not positive, but $D_t\ge
    D_1+\frac{\beta}{1+(N-1)e^\beta}$ for every lag $t\ne1$.
    """
    least, most = _exponentials(p)
    floor, pair, share = _shares(p, least, most)
    first, own = _picked(p), _own_lag(p)
    other = p.under(offset_signs.other_lag)
    none = other.given(eq(lag, 0), "Suppose that the lag is 0.")
    same = none.scope.rewrite(eq(slope(lag), slope(0)), "Then its derivative is D_0.", none)
    goal = le(slope(1) + last_floor, slope(lag))
    zero = none.scope.show(
        goal,
        "Multiply the bound of S_p by beta, which is positive. So D_t exceeds D_1 by at "
        "least beta S_p.",
        (same, own, first, floor, offset_signs.POSITIVE),
    )
    far = other.under(ne(lag, 0))
    missed = _token(
        far,
        occurs + 1 - lag,
        eq(alike(occurs + 1 - lag), 0),
        "No larger lag brings the token to the target.",
    )
    key = far.under(within(j, 0, length - 1))
    there = _token(key, j - lag, le(0, alike(j - lag)), "The inner product is 0 or 1.")
    mean = key.show(
        le(0, weight(j) * alike(j - lag)), "So their product is not negative.", (share, there)
    ).summed(j, 0, length - 1, "So the mean inner product is not negative.")
    beyond = far.show(
        goal,
        "So D_t is not negative. The target lacks at least what p has. So D_t exceeds D_1 by "
        "as much.",
        (mean, missed, offset_signs.POSITIVE, pair, first, floor),
    )
    every_lag = other.show(goal, "So this holds for lag 0 and for larger lags.", zero, beyond)
    p.qed(
        "So D_0 is not positive. These are the two parts of the claim.",
        (
            own,
            pair,
            offset_signs.POSITIVE,
            every_lag.for_all(lag, why="This holds for every other lag."),
        ),
    )
