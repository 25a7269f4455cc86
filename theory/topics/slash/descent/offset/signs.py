"""Training on induction: which lags of the first layer its loss rewards."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.library.sums.indicators import SUMS_PICK
from ropeproof.theory.library.sums.terms import SUMS_MEMBER

length, occurs, lag, r, index = integer("N p t r i")
beta = real("beta")
attention, alike = real_function("a"), real_function("e")
MEANINGS: Meanings = {
    j: "a position",
    length: "number of tokens",
    occurs: "where the last token occurred before",
    lag: "a lag",
    r: "a lag",
    index: "a position",
    beta: "scale of layer 2's logits",
    attention: "weight of a lag in layer 1",
    alike: "inner product of the last token and the one at a position",
}


@named("w_{}", "w_{}", "logit of the last token and what layer 1 wrote at a position", j)
def logit(position: Term) -> Term:
    """beta <x_last, z_j>, z_j = sum_t a_t x_(j-t)."""
    return beta * sp.Sum(attention(r) * alike(position - r), (r, 0, length - 1))


@named("Z", "Z", "sum of the exponentials of all logits", once=True)
def partition() -> Term:
    """The sum over all keys of e^{w_j}."""
    return sp.Sum(sp.exp(logit(j)), (j, 0, length - 1))


@named("S_{}", "S_{}", "weight of a position in layer 2", j)
def weight(position: Term) -> Term:
    """e^{w_j} / Z."""
    return sp.exp(logit(position)) / partition()


@named("D_{}", "D_{}", "derivative of the loss in the weight of a lag", lag)
def slope(of: Term | int) -> Term:
    """The derivative of ln Z - w_(p+1) in a_t."""
    mean = sp.Sum(weight(j) * alike(j - of), (j, 0, length - 1))
    return beta * (mean - alike(occurs + 1 - of))


FIRST = Hypothesis("the token occurs at a position", le(0, occurs))
BEFORE = Hypothesis("it occurs two positions before the last at latest", le(occurs, length - 3))
TOKENS = Hypothesis(
    "the tokens are orthonormal, and the last one occurs at p as well",
    every(
        index,
        1 - length,
        length - 1,
        Both(
            If(Either(eq(index, occurs), eq(index, length - 1)), eq(alike(index), 1)),
            If(Both(ne(index, occurs), ne(index, length - 1)), eq(alike(index), 0)),
        ),
    ),
)
POSITIVE = Hypothesis("beta is positive", lt(0, beta))
SIMPLEX = Hypothesis(
    "no weight of layer 1 is negative", every(lag, 0, length - 1, le(0, attention(lag)))
)
AT_MOST_1 = Hypothesis("the weight of lag 1 is at most 1", le(attention(1), 1))

floor = beta * (length - 1) / (length - 1 + sp.exp(beta))
rewarded = eq(slope(1), -beta * (1 - weight(occurs + 1)))
other_lag = Both(*within(lag, 0, length - 1).args, ne(lag, 1))
others = Every((lag,), If(other_lag, le(0, slope(lag))))


def _token(scope: Scope, position: Term, goal: Formula, why: str) -> Fact:
    """What is said of the inner product with the token at a position."""
    known = scope.use(
        TOKENS,
        {index: position},
        (FIRST, BEFORE),
        why="The position is one of the prompt's, or before it.",
    )
    return scope.show(goal, why, known, FIRST, BEFORE, by=rules.smt())


def _elsewhere(scope: Scope, zero: Fact, of: Term, at: Term) -> Fact:
    """That an inner product is 0 at all indices but one, as the sum against an indicator needs it."""
    return scope.show(
        If(ne(of, at), zero.formula), "So the inner product is 0 at any other index.", zero
    ).for_all(of, why="This holds for every other index.")


def _target(p: Proof) -> tuple[Fact, Fact]:
    """D_1 = -beta (1 - S_(p+1)), and that the token is itself."""
    key = p.under(within(j, 0, length - 1))
    itself = _token(p, occurs, eq(alike(occurs), 1), "The token is at p.")
    off = _token(
        key.under(ne(j, occurs + 1)),
        j - 1,
        eq(alike(j - 1), 0),
        "No other key is one position after the token.",
    )
    picked = p.lemma(
        SUMS_PICK.at(
            m=length, p=occurs + 1, here=sp.Lambda(j, alike(j - 1)), f=sp.Lambda(j, weight(j))
        ),
        (itself, _elsewhere(key, off, j, occurs + 1), FIRST, BEFORE),
        why="So lag 1 brings the token to one key, which is the target.",
        goal=eq(sp.Sum(weight(j) * alike(j - 1), (j, 0, length - 1)), weight(occurs + 1)),
    )
    first = p.show(
        rewarded, "So D_1 is minus beta times the weight that the target lacks.", (picked, itself)
    )
    return first, itself


def _others(p: Proof) -> Fact:
    """D_t >= 0 for any other lag."""
    key = p.under(within(j, 0, length - 1))
    other = p.under(other_lag)
    missed = _token(
        other,
        occurs + 1 - lag,
        eq(alike(occurs + 1 - lag), 0),
        "No other lag brings the token to the target.",
    )
    whole = p.show(lt(0, sp.exp(logit(j))), "Each exponential is positive.")
    positive = whole.summed(
        j,
        0,
        length - 1,
        "So the sum of the exponentials is positive, as there are keys.",
        FIRST,
        BEFORE,
    )
    there = _token(
        key.under(within(lag, 0, length - 1)),
        j - lag,
        le(0, alike(j - lag)),
        "The inner product is 0 or 1.",
    )
    product = there.scope.show(
        le(0, weight(j) * alike(j - lag)),
        "A weight of layer 2 is not negative. So their product is not negative.",
        (positive, whole, there),
    )
    mean = product.summed(j, 0, length - 1, "So the mean inner product is not negative.")
    return other.show(le(0, slope(lag)), "So D_t is not negative.", mean, missed, POSITIVE)


def _size(p: Proof, itself: Fact) -> Fact:
    """The target lacks a share of (N - 1)/(N - 1 + e^beta) at least."""
    key, lag_term = p.under(within(j, 0, length - 1)), p.under(within(r, 0, length - 1))
    inside = key.under(within(r, 0, length - 1))
    weights = lag_term.use(SIMPLEX, why="The weight of a lag is not negative.")
    one = _token(inside, j - r, le(0, alike(j - r)), "The inner product is 0 or 1.")
    total = inside.show(
        le(0, attention(r) * alike(j - r)), "So their product is not negative.", (weights, one)
    ).summed(r, 0, length - 1, "So the sum over the lags is not negative.")
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=logit(j)), why="An exponential is at least 1 more than its exponent."
    )
    excess = key.show(
        le(0, sp.exp(logit(j)) - 1),
        "So no logit is negative. So each exponential exceeds 1 by 0 or more.",
        (total, POSITIVE, tangent),
    )
    member = p.lemma(
        SUMS_MEMBER.at(m=length, k=occurs + 1, f=sp.Lambda(j, sp.exp(logit(j)) - 1)),
        (excess.for_all(j, why="This holds for all keys."), FIRST, BEFORE),
        why="So the sum of these is at least the target's.",
    )
    aimed = _token(
        lag_term.under(ne(r, 1)),
        occurs + 1 - r,
        eq(alike(occurs + 1 - r), 0),
        "Only lag 1 brings the token to the target.",
    )
    target = p.lemma(
        SUMS_PICK.at(
            m=length, p=1, here=sp.Lambda(r, alike(occurs + 1 - r)), f=sp.Lambda(r, attention(r))
        ),
        (itself, _elsewhere(lag_term, aimed, r, sp.Integer(1)), FIRST, BEFORE),
        why="So the target's logit has the weight of lag 1 alone.",
        goal=eq(sp.Sum(attention(r) * alike(occurs + 1 - r), (r, 0, length - 1)), attention(1)),
    )
    below = p.show(
        le(logit(occurs + 1), beta),
        "So the target's logit is at most beta.",
        (target, AT_MOST_1, POSITIVE),
    ).image(sp.exp, "So its exponential is at most that of beta.")
    e, z, top, rows = real("E C B M")
    general = p.under(lt(0, e), le(e, top), lt(0, rows), le(e + rows, z)).show(
        le(rows / (rows + top), 1 - e / z), "A share of at most B among B and M leaves at least M."
    )
    return p.use(
        general,
        {e: sp.exp(logit(occurs + 1)), z: partition(), top: sp.exp(beta), rows: length - 1},
        (below, member, FIRST, BEFORE),
        why="The sum of all these excesses is Z less the number of keys. So the target lacks at "
        "least this share.",
    )


def _instance(tokens: int, at: int, *attentions: int, of: int = 1) -> Values:
    """So many tokens, the last one earlier at a position, and the weights of the lags."""
    inner = {alike(k): int(k in (at, tokens - 1)) for k in range(min(at, 0) - tokens, tokens)}
    return {length: tokens, occurs: at, beta: of, **inner, **listed(attention, *attentions)}


_sharp = _instance(3, 0, 0, 1, 0)


@theorem(
    "slash.gd.offset-signs",
    role="main result",
    needs="PTX",
    hypotheses=(FIRST, BEFORE, TOKENS, POSITIVE, SIMPLEX, AT_MOST_1),
    conclusion=Both(rewarded, le(slope(1), -floor), others),
    attack=Attack(
        {
            "the other sign": eq(slope(1), beta * (1 - weight(occurs + 1))),
            "twice as steep": le(slope(1), -2 * floor),
            "every other lag is punished": Every((lag,), If(other_lag, lt(0, slope(lag)))),
            "no lag is rewarded": every(lag, 0, length - 1, le(0, slope(lag))),
            "lag 0 is rewarded": le(slope(0), 0),
        },
        at={
            "the other sign": _sharp,
            "twice as steep": _sharp,
            "every other lag is punished": _instance(4, 1, 0, 1, 0, 0),
            "no lag is rewarded": _sharp,
            "lag 0 is rewarded": _sharp,
        },
        without={
            FIRST: _instance(3, -2, 0, 1, 0),
            BEFORE: _instance(3, 1, 0, 1, 0),
            TOKENS: {**_instance(3, 0, 0, 1, 0), alike(0): -1},
            POSITIVE: _instance(3, 0, 0, 1, 0, of=-1),
            SIMPLEX: _instance(3, 0, -5, 1, -5),
            AT_MOST_1: _instance(3, 0, 0, 5, 0),
        },
    ),
)
def SLASH_GD_OFFSET_SIGNS(p: Proof) -> None:
    r"""The loss of induction falls with the weight of lag 1 and with no other

    Two layers read tokens $x_0,\dots,x_{N-1}$, orthonormal but for the last one, which occurred
    once before, at $0\le p\le N-3$: $e_i=\langle x_{N-1},x_i\rangle$ is 1 at $i=p$ and $i=N-1$,
    else 0, also where there is no token (so early rows lose mass). Layer 1 writes
    $z_j=\sum_ta_tx_{j-t}$ with weights $a_t\ge0$, $a_1\le1$, of the lags $0\le t<N$; layer 2 has
    the logits $w_j=\beta\sum_ta_te_{j-t}$ ($\beta>0$), the weights $S_j=e^{w_j}/Z$ and the loss
    $\ln Z-w_{p+1}$, since the token after $p$ is to be copied. Write
    $D_t=\beta\big(\sum_jS_je_{j-t}-e_{p+1-t}\big)$ for the derivative of the loss in $a_t$. Then
    $D_1=-\beta(1-S_{p+1})\le-\frac{\beta(N-1)}{N-1+e^\beta}$, and $D_t\ge0$ for every lag $t\ne1$.
    """
    first, itself = _target(p)
    p.qed(
        "So D_1 is at most minus beta times the share that the target lacks. These are the "
        "three parts of the claim.",
        (
            first,
            _size(p, itself),
            POSITIVE,
            _others(p).for_all(lag, why="This holds for every other lag."),
        ),
    )
