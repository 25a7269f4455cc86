"""Additive biases of the lag: the logits that a two-axis fit leaves nothing of."""

from ropeproof.theory.language import *

t, r, lags, keys = integer("t r N n")
content, bias = real_function("c"), real_function("b")
logit = real_function("w")
lag_part, key_part = real_function("f"), real_function("g")
MEANINGS: Meanings = {
    **NOTATION,
    t: "a lag",
    r: "a key",
    lags: "number of lags",
    content: "the content's part of the logit, by key",
    bias: "the bias, by lag",
    logit: "logits, by lag and key",
    lag_part: "a function of the lag",
    key_part: "a function of the key",
}


def over_lags(term: Term) -> Term:
    """The mean of a term in `t` over the lags."""
    return sp.Sum(term, (t, 0, lags - 1)) / lags


def over_keys(term: Term) -> Term:
    """The mean of a term in `r` over the keys."""
    return sp.Sum(term, (r, 0, keys - 1)) / keys


def fitted(of: Callable[..., Term]) -> Term:
    """What the least-squares fit f(t) + g(r) gives: mean of the row, of the column, less of all."""
    return over_keys(of(t, r)) + over_lags(of(t, r)) - over_lags(over_keys(of(t, r)))


def biased(lag: Term, key: Term) -> Term:
    """The logit of a key at a lag: its content's plus a bias of the lag."""
    return content(key) + bias(lag)


def everywhere(formula: Formula) -> Formula:
    """At every lag and for every key."""
    cells = Both(within(t, 0, lags - 1), within(r, 0, keys - 1))
    return Every((t, r), If(cells, formula))


LAGS = Hypothesis("there are lags", le(1, lags))
KEYS = Hypothesis("there are keys", le(1, keys))

exactly = everywhere(eq(biased(t, r), fitted(biased)))
no_residual = everywhere(eq(logit(t, r), fitted(logit)))
additive = Some((lag_part(t), key_part(r)), everywhere(eq(logit(t, r), lag_part(t) + key_part(r))))


def _forward(p: Proof) -> Fact:
    """The fit of a content's logit plus a bias of the lag is exact."""
    row = p.under(within(t, 0, lags - 1))
    contents, biases = over_keys(content(r)), over_lags(bias(t))
    of_lag = p.show(
        eq(over_keys(biased(t, r)), contents + bias(t)),
        "The mean over the keys is the bias of the lag plus the mean content logit.",
        KEYS,
    )
    of_key = p.show(
        eq(over_lags(biased(t, r)), content(r) + biases),
        "The mean over the lags is the key's content logit plus the mean bias.",
        LAGS,
    )
    of_both = p.show(
        eq(over_lags(over_keys(biased(t, r))), contents + biases),
        "The mean over both is the sum of the two means.",
        (LAGS, KEYS),
    )
    cell = row.under(within(r, 0, keys - 1))
    return cell.show(
        eq(biased(t, r), fitted(biased)),
        "In the additive fit these means cancel, so it is exact.",
        (of_lag, of_key, of_both),
    ).for_all(t, r, why="This holds at every lag and for every key.")


def _converse(p: Proof) -> Fact:
    """Logits that the fit meets are additive."""
    inside = p.under(no_residual)
    given = inside.given(no_residual, "Suppose that the additive fit has no residual.")
    cell = inside.under(within(t, 0, lags - 1), within(r, 0, keys - 1))
    here = cell.use(given, why="In particular the residual at the lag t and the key r is 0.")
    parts = (over_keys(logit(t, r)), over_lags(logit(t, r)) - over_lags(over_keys(logit(t, r))))
    split = cell.show(
        eq(logit(t, r), parts[0] + parts[1]),
        "So the logit is a number of the lag plus a number of the key.",
        here,
    ).for_all(t, r, why="This holds at every lag and for every key.")
    return inside.witness(
        additive,
        {lag_part: sp.Lambda(t, parts[0]), key_part: sp.Lambda(r, parts[1])},
        split,
        why="So the logits are a sum of a function of the lag and one of the key.",
    )


_square = {lags: 2, keys: 2}


@theorem(
    "posgen.alibi",
    needs="PTX",
    hypotheses=(LAGS, KEYS),
    conclusion=Both(exactly, If(no_residual, additive)),
    conditions=((*where({lags: 2, keys: 2}), Every((t, r), eq(logit(t, r), t + 3 * r))),),
    attack=Attack(
        {
            "no mean to take off": everywhere(
                eq(biased(t, r), over_keys(biased(t, r)) + over_lags(biased(t, r)))
            ),
            "the fit meets all logits": no_residual,
        },
        at={
            "no mean to take off": {
                **_square,
                content(0): 1,
                content(1): 1,
                bias(0): 0,
                bias(1): 0,
            },
            "the fit meets all logits": {
                **_square,
                logit(0, 0): 1,
                logit(0, 1): 0,
                logit(1, 0): 0,
                logit(1, 1): 0,
            },
        },
        idle={
            LAGS: "without lags there is nothing to fit",
            KEYS: "without keys there is nothing to fit",
        },
    ),
)
def POSGEN_ALIBI(p: Proof) -> None:
    r"""A bias of the lag alone (ALiBi, T5) is fitted by two axes without residual, and nothing else is

    Logits of keys $r<n$ at lags $t<N$, and their least-squares fit by a function of the lag plus
    one of the key, $\hat
    w(t,r)=\frac1n\sum_{r'}w(t,r')+\frac1N\sum_{t'}w(t',r)-\frac1{Nn}\sum_{t'}\sum_{r'}w(t',r')$. If
    $w(t,r)=c(r)+b(t)$, a content's logit plus any bias of the lag, the fit is exact: $\hat w=w$
    everywhere. Conversely, logits that the fit meets everywhere are of this form.
    """
    p.qed("The two implications together are the claim.", _forward(p), _converse(p))
