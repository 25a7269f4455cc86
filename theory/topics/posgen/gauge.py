"""What three-axis fits on the causal triangle cannot tell apart."""

from ropeproof.theory.language import *

i, j, t, n = integer("i j t n")
a, b, c = real_function("a"), real_function("b"), real_function("c")
MEANINGS: Meanings = {
    **NOTATION,
    j: "an index of keys, cells or planes",
    t: "a lag",
    n: "number of positions",
    a: "the axis of the lag",
    b: "the axis of the query",
    c: "the axis of the key",
}

TWO = Hypothesis("there are two positions", le(2, n))
slope = c(2) - c(1)
cells = Both(le(1, j), le(j, i), le(i, n))
zero = Every((i, j), If(cells, eq(a(i - j) + b(i) + c(j), 0)))


def lag_law(index: Term) -> Formula:
    """The lags' trend."""
    return eq(a(index), slope * index - b(1) - c(1))


def query_law(index: Term) -> Formula:
    """The queries' trend."""
    return eq(b(index), b(1) - slope * (index - 1))


def key_law(index: Term) -> Formula:
    """The keys' trend."""
    return eq(c(index), c(1) + slope * (index - 1))


affine = Both(
    every(t, 0, n - 1, lag_law(t)), every(i, 1, n, query_law(i)), every(j, 1, n, key_law(j))
)


def _along(scope: Scope, index: Term, law: Callable[..., Formula], step: Fact, what: str) -> Fact:
    """A trend from its first value on, up to n, if each value follows from the one before."""

    def known(at: Term) -> Formula:
        return If(le(at, n), law(at))

    from_1 = scope.under(le(1, index))
    first = scope.proof.show(
        kept_at(known(index), index, 1), f"For the first {what} the affine form holds."
    )
    following = from_1.under(known(index)).show(
        known(index + 1), "If it holds for one of them, it holds for the next.", step
    )
    every_one = from_1.induction(
        known(index),
        index,
        1,
        first,
        following,
        why="By induction the affine form holds for all of them.",
    )
    return from_1.under(le(index, n)).show(
        law(index),
        "Within the range the condition of the induction is met.",
        every_one,
        by=rules.smt(),
    )


def _affine(p: Proof) -> Fact:
    """If all cells vanish the three axes have one trend."""
    all_ = p.under(zero)
    vanishes = all_.given(zero, "Suppose that the three functions sum to 0 in every cell.")

    def cell(scope: Scope, row: Term, column: Term) -> Fact:
        return scope.use(
            vanishes,
            {i: row, j: column},
            TWO,
            why=f"In particular the sum vanishes in the cell ({row}, {column}).",
        )

    inner, along = all_.under(within(j, 1, n - 1)), all_.under(within(i, 1, n - 1))
    around = [cell(inner, *at) for at in ((n - 1, j), (n, j + 1))]
    around += [cell(all_, *at) for at in ((n - 1, sp.Integer(1)), (n, sp.Integer(2)))]
    key_step = inner.show(
        eq(c(j + 1), c(j) + slope),
        "Compare the four cells: a step along the keys adds one and the same number.",
        around,
    )
    keys = _along(all_, j, key_law, key_step, "key").for_all(
        j, why="The key was arbitrary, so the keys' function is affine."
    )
    columns = cell(along, i, sp.Integer(1)), cell(along, i + 1, sp.Integer(2))
    query_step = along.show(
        eq(b(i + 1), b(i) - slope),
        "Along the first diagonals a step of the query subtracts this number.",
        columns,
    )
    query = _along(all_, i, query_law, query_step, "query")
    lag = all_.under(within(t, 0, n - 1))
    column = cell(lag, t + 1, sp.Integer(1))
    there = lag.use(query, {i: t + 1}, why="The function of the query t + 1 has this affine form.")
    lags = lag.show(
        lag_law(t),
        "So the first column gives the lags' function, which is affine too.",
        (column, there),
    ).for_all(t)
    queries = query.for_all(i, why="The query was arbitrary, so the queries' function is affine.")
    return all_.show(
        affine, "So if all cells vanish, the three functions are affine.", lags, queries, keys
    )


def _cancels(p: Proof) -> Fact:
    """If the three axes have one trend all cells vanish."""
    trends = p.under(affine)
    lags, queries, keys = trends.given(
        affine, "Suppose that the three functions have these affine forms."
    ).parts("This is one part of the previous statement.")
    cell = trends.under(cells)
    here = (
        cell.use(lags, {t: i - j}, why="Take the lags' function at the lag of the cell."),
        cell.use(queries, why="Take the queries' function at the query of the cell."),
        cell.use(keys, why="Take the keys' function at the key of the cell."),
    )
    return cell.show(
        eq(a(i - j) + b(i) + c(j), 0),
        "The three trends cancel: lambda (i - j) - lambda (i - 1) + lambda (j - 1) = 0.",
        here,
    ).for_all(i, j, why="The cell was arbitrary, so the sum vanishes in every cell.")


@theorem(
    "posgen.gauge",
    needs="PCT",
    hypotheses=(TWO,),
    conclusion=iff(zero, affine),
    attack=Attack(
        {"no trend": If(zero, eq(c(2), c(1))), "all zero": If(zero, eq(b(1), 0))},
        at={
            "no trend": {n: 2, a(0): 0, a(1): 1, b(1): 0, b(2): -1, c(1): 0, c(2): 1},
            "all zero": {n: 2, a(0): 0, a(1): 0, b(1): 1, b(2): 1, c(1): -1, c(2): -1},
        },
        idle={TWO: "with one position both say that a_0 = -b_1 - c_1"},
    ),
)
def POSGEN_GAUGE(p: Proof) -> None:
    r"""The three axes on the causal triangle leave three numbers free

    On the cells $1\le j\le i\le n$, $n\ge2$, $a_{i-j}+b_i+c_j=0$ everywhere if and only if
    $a_t=\lambda t-b_1-c_1$, $b_i=b_1-\lambda(i-1)$, $c_j=c_1+\lambda(j-1)$ with $\lambda=c_2-c_1$:
    three free numbers.
    """
    p.qed("The two implications together are the claim.", _affine(p), _cancels(p))
