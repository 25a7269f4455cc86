"""One rival is enough: the weight that a lag takes, and queries of rank one that change sign."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import (
    OFFSET,
    after,
    before,
    g,
    offset,
    over_lags,
    partition_of,
    weight,
)
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

rival, row = integer("r c")
sign = real_function("a_token")
gap, _less, _more = real("Gamma x y")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    (key_x, key_y): shown_as("k̄", r"\bar k", "the mean key"),
    key_x: shown_as("k̄_x", r"\bar k_x", "first coordinate of the mean key in a plane"),
    key_y: shown_as("k̄_y", r"\bar k_y", "second coordinate of the mean key in a plane"),
    n: "number of rows",
    (query_x, query_y): shown_as("q̄", r"\bar q", "the mean query"),
    query_x: shown_as("q̄_x", r"\bar q_x", "first coordinate of the mean query in a plane"),
    query_y: shown_as("q̄_y", r"\bar q_y", "second coordinate of the mean query in a plane"),
    rival: "the rival's lag",
    row: "a row",
    sign: shown_as("a", "a", "signed sizes of the queries, by row"),
    gap: "the margin, in logits",
}

IN_ROW = Hypothesis("the rival is in the row", within(rival, 0, i - 1))
ANOTHER = Hypothesis("it is not the target", ne(rival, offset))

# -- one rival ---------------------------------------------------------------------------

lead = g(rival) - g(offset)


@theorem(
    "slash.rival",
    hypotheses=(OFFSET, IN_ROW, ANOTHER),
    conclusion=le(weight(), 1 / (1 + sp.exp(lead))),
    attack=Attack(
        {
            "two rivals": le(weight(), 1 / (1 + 2 * sp.exp(lead))),
            "the square": le(weight(), 1 / (1 + sp.exp(2 * lead))),
        },
        without={IN_ROW: {i: 1, offset: 0, rival: 3}, ANOTHER: {i: 1, offset: 0}},
    ),
)
def SLASH_RIVAL(p: Proof) -> None:
    r"""One rival bounds the weight

    $S_{i,i-\Delta}\le\big[1+e^{g(r)-g(\Delta)}\big]^{-1}$ for any other lag $r$ of the row.
    """
    parts = partition_of(p, g, OFFSET)
    positive = p.show(le(0, sp.exp(g(j))), "The exponential of a logit is not negative.")
    target, competitor = sp.exp(g(offset)), sp.exp(g(rival))

    def holds_both(case: Scope, name: str, first: Term | int, last: Term) -> Fact:
        """The normaliser holds target and rival, the rival lying in this part of the row."""
        whole, upto, low = (over_lags(sp.exp(g(j)), first, end) for end in (last, rival, rival - 1))
        cut = case.split(
            whole,
            rival,
            f"If the rival lies {name} the target, split the sum there after the rival.",
            IN_ROW,
            OFFSET,
        )
        term = case.split(
            upto,
            rival - 1,
            "Split the rival's own term off the first part.",
            (IN_ROW, OFFSET),
            goal=eq(upto, low + competitor),
        )
        others = (
            positive.summed(
                j, first, rival - 1, "The other terms up to the rival are not negative in sum."
            ),
            positive.summed(
                j, rival + 1, last, "The other terms after the rival are not negative in sum."
            ),
        )
        return case.show(
            le(target + competitor, before() + target + after()),
            "So the normaliser is at least the target's term plus the rival's.",
            (cut, term, others, parts),
        )

    below = holds_both(p.under(lt(rival, offset)), "below", 0, offset - 1)
    above = holds_both(p.under(lt(offset, rival)), "above", offset + 1, i - 1)
    p.qed(
        "So on either side the normaliser holds both terms. Divide by the target's term, "
        "which is positive.",
        (below, above, ANOTHER, parts),
    )


# -- rank one ----------------------------------------------------------------------------


def _query(which: Term) -> tuple[Term, Term]:
    return sign(which) * query_x(l), sign(which) * query_y(l)


def own(lag: Term) -> Term:
    """The row's logit."""
    return bilinear(*_query(row), key_x(l), key_y(l), lag)


def flipped(lag: Term) -> Term:
    """The next row's logit."""
    return bilinear(*_query(row + 1), key_x(l), key_y(l), lag)


squares = over_planes(query_x(l) ** 2 + query_y(l) ** 2)
along = over_planes(_query(j)[0] * query_x(l) + _query(j)[1] * query_y(l))
own_square = over_planes(_query(j)[0] ** 2 + _query(j)[1] ** 2)
RANK_ONE = eq(sp.Sum(along**2, (j, 1, n)), squares * sp.Sum(own_square, (j, 1, n)))
FLIPS = eq(flipped(offset) - flipped(rival), -(own(offset) - own(rival)))
LOSES = le(weight(flipped), 1 / (1 + sp.exp(gap)))

ALTERNATE = Hypothesis("signs alternate", Every((j,), eq(sign(j + 1), -sign(j))))
PREFERS = Hypothesis("the row prefers the target", le(own(rival) + gap, own(offset)))


def _rows(keys: int, target: int, other: int, lead: int) -> tuple[Formula, ...]:
    """One plane at a nearly opposite angle per step, queries of size 2 that alternate."""
    return where(
        {
            **{m: 1, s: 1, n: 2, theta(0): 3, query_x(0): 2},
            **{query_y(0): 0, key_x(0): 1, key_y(0): 0},
            **{i: keys, offset: target, rival: other, gap: lead, row: 0},
            **{sign(place): (-1) ** place for place in range(4)},
        }
    )


@theorem(
    "slash.rank-not-enough",
    meanings={j: "a row, or a lag"},
    needs="PXW",
    hypotheses=(OFFSET, IN_ROW, ANOTHER, ALTERNATE, PREFERS),
    conclusion=Both(RANK_ONE, FLIPS, LOSES),
    attack=Attack(
        {
            "half of the squares": eq(2 * RANK_ONE.lhs, RANK_ONE.rhs),
            "the target keeps its lead": le(1 / (1 + sp.exp(-gap)), weight(flipped)),
        },
        at={
            "half of the squares": {n: 1, m: 1, query_x(0): 1, sign(1): 1},
            "the target keeps its lead": _rows(2, 0, 1, 1),
        },
        without={
            OFFSET: _rows(1, 2, 0, -1),
            IN_ROW: _rows(1, 0, 1, 1),
            ANOTHER: _rows(1, 0, 0, 0),
            PREFERS: _rows(2, 1, 0, 5),
        },
    ),
)
def SLASH_RANK_NOT_ENOUGH(p: Proof) -> None:
    r"""Rank one alone makes no slash

    $q_i=(-1)^i\bar q$ has $r_1=1$ (all of the squares lie along $\bar q$) and, with one key $\bar
    k$ at all positions, flips every logit's sign row by row: where row $c$ prefers $\Delta$ to a
    lag $r$ by $\Gamma$, row $c+1$ prefers $r$ by $\Gamma$, and $S\le(1+e^\Gamma)^{-1}$ there.
    """
    turned = p.use(ALTERNATE, {j: row}, why="The next row's query has the other sign.")

    logits = (
        p.show(
            eq(own(j), sign(row) * logit(j)),
            "A logit of the row is its sign times the mean head's.",
        ),
        p.show(
            eq(flipped(j), sign(row + 1) * logit(j)),
            "A logit of the next row is the next sign times the mean head's.",
        ),
    )
    places = [
        fact.at({j: lag}, why=f"This holds at the {name}.")
        for fact in logits
        for name, lag in (("target", offset), ("rival", rival))
    ]
    flips = p.show(FLIPS, "So the difference of the two logits changes its sign.", places, turned)
    ahead = flipped(rival) - flipped(offset)
    taken = p.lemma(
        SLASH_RIVAL.at(g=flipped),
        (OFFSET, IN_ROW, ANOTHER),
        why="By the bound of one rival the target's weight is at most 1/(1 + e^lead).",
    )
    odds = p.show(
        le(gap, ahead), "In the next row the rival leads by at least Gamma.", flips, PREFERS
    ).image(sp.exp, "So the rival's odds against the target are at least exp(Gamma).")
    order = p.under(lt(0, _less), le(_less, _more)).show(
        le(1 / (1 + _more), 1 / (1 + _less)),
        "If x <= y are positive, 1/(1 + y) is at most 1/(1 + x).",
    )
    most = {_less: sp.exp(gap), _more: kept(sp.exp, ahead)}
    below = p.use(
        order,
        most,
        odds,
        why="The number exp(Gamma) is positive. Take exp(Gamma) for x and the rival's odds for y.",
    )
    loses = p.show(
        LOSES, "So the target's weight in the next row is at most 1/(1 + exp(Gamma)).", taken, below
    )
    p.qed(
        "Sum this equation over the queries. The squared length of the direction is a common "
        "factor. So all of the squares lie along the mean direction. This proves rank one, "
        "the change of sign and the loss of weight.",
        (
            p.show(
                eq(along**2, squares * own_square),
                "The component of a query along the mean direction is its sign times the square. The "
                "squared length of a query is the squared sign times the square. So the squared "
                "component is the product of both squared lengths.",
            ),
            flips,
            loses,
        ),
    )
