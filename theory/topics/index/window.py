"""The margin of an index head on one input is a minimum over a window of lags around the target."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n

lag = integer("t")
gamma, angle = real("Gamma theta")
MEANINGS: Meanings = {
    i: "the integer of the query: how far back it points",
    j: "a position",
    n: "length of the input",
    lag: "a lag",
    gamma: "the margin, in logits",
    angle: "the plane's angle per position, in radians",
}
QUERY = Hypothesis("the query names a position", Both(le(0, i), le(i, n - 1)))


def fall(at: Term | int, of: Term = angle) -> Term:
    """How far the logit of one plane falls `at` steps from the target: 1 - cos(at theta)."""
    return 1 - sp.cos(at * of)


def has_margin(lead: Term, of: Term = angle, offset: Term = i) -> Formula:
    """On the input with query `offset`, the target leads every other position by `lead`."""
    others = Both(le(0, j), le(j, n - 1), ne(j, offset))
    return Every((j,), If(others, le(lead, fall(j - offset, of))))


longer = sp.Max(i, n - 1 - i)
"""The longer side of the target."""
AROUND = every(lag, 1, longer, le(gamma, fall(lag)))


@theorem(
    "index.window",
    hypotheses=(QUERY,),
    conclusion=iff(has_margin(gamma), AROUND),
    attack=Attack(
        {
            "the shorter side": If(
                Every(
                    (lag,),
                    If(Both(le(1, lag), le(lag, i), le(lag, n - 1 - i)), le(gamma, fall(lag))),
                ),
                has_margin(gamma),
            ),
            "one lag more": If(has_margin(gamma), every(lag, 1, longer + 1, le(gamma, fall(lag)))),
        },
        at={
            "the shorter side": {n: 2, i: 0, angle: 1, gamma: 1},
            "one lag more": {n: 2, i: 0, angle: 3, gamma: 1},
        },
        without={QUERY: {n: 1, i: 3, angle: 3, gamma: 2}},
    ),
)
def INDEX_WINDOW(p: Proof) -> None:
    r"""The margin on one input is a minimum over a window

    For the integer query $i$ at position $n$, $0\le i\le n-1$, the target leads every other
    position by $\Gamma$ if and only if $\Gamma\le1-\cos t\theta$ for every $1\le
    t\le\max(i,n-1-i)$.
    """
    leads = p.given(
        has_margin(gamma), "Suppose that the target leads every other position by Gamma."
    )
    ahead = leads.scope
    nearer = ahead.under(within(lag, 1, i)).use(
        leads, {j: i - lag}, QUERY, why="If the position i - t is in the row, the target leads it."
    )
    farther = ahead.under(within(lag, 1, n - 1 - i)).use(
        leads, {j: i + lag}, QUERY, why="If the position i + t is in the row, the target leads it."
    )
    at_lag = ahead.under(within(lag, 1, longer)).show(
        le(gamma, fall(lag)),
        "At least one of the two is in the row, and the cosine is even.",
        (nearer, farther),
    )
    forward = at_lag.for_all(lag, why="So the target leads at every lag of the window.")

    window = p.given(AROUND, "Suppose that the target leads by Gamma at every lag of the window.")
    row = window.scope.under(within(j, 0, n - 1))
    before = row.under(lt(j, i)).use(
        window, {lag: i - j}, why="So the target leads each position before it."
    )
    after = row.under(lt(i, j)).use(
        window, {lag: j - i}, why="So the target leads each position after it."
    )
    other = row.under(ne(j, i)).show(
        le(gamma, fall(j - i)), "So the target leads any other position j.", before, after
    )
    p.qed(
        "The two implications together are the claim.",
        forward,
        other.for_all(j, why="As j was arbitrary, the target leads every other position."),
    )
