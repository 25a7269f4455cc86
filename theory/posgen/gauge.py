"""What three-axis fits cannot tell apart, and how well they fit noise."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    induction,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.sums import f, here, indicator, plane

i, j, t, n = integer("i j t n")
a, b, c = real_function("a"), real_function("b"), real_function("c")


def _gauge() -> Claim:
    slope = c(2) - c(1)
    cells = Both(le(1, j), le(j, i), le(i, n))
    zero = Every((i, j), If(cells, eq(a(i - j) + b(i) + c(j), 0)))
    lags = every(t, 0, n - 1, eq(a(t), slope * t - b(1) - c(1)))
    queries = every(i, 1, n, eq(b(i), b(1) - slope * (i - 1)))
    keys = every(j, 1, n, eq(c(j), c(1) + slope * (j - 1)))
    affine = Both(lags, queries, keys)
    goal = iff(zero, affine)
    two = "there are two positions"

    def cell(label: str, row: Any, column: Any, where: tuple[Any, ...]) -> Step:
        return Step(
            label,
            eq(a(row - column) + b(row) + c(column), 0),
            instance({i: row, j: column}),
            "At one cell",
            ("vanishes", two),
            (zero, *where),
        )

    inner = (le(1, j), le(j, n - 1))
    along = (le(1, i), le(i, n - 1))
    key_law = If(le(j, n), eq(c(j), c(1) + slope * (j - 1)))
    query_law = If(le(i, n), eq(b(i), b(1) - slope * (i - 1)))
    return Claim(
        id="posgen.gauge",
        title="The three-axis design on the causal triangle has rank 3n - 3",
        statement=(
            r"On the cells $1\le j\le i\le n$, $n\ge2$, $a_{i-j}+b_i+c_j=0$ everywhere if and only if "
            r"$a_t=\lambda t-b_1-c_1$, $b_i=b_1-\lambda(i-1)$, $c_j=c_1+\lambda(j-1)$ with "
            r"$\lambda=c_2-c_1$: three free numbers. So of the $3n$ parameters $3n-3$ are identifiable; "
            r"the linear trend of the distance axis is not."
        ),
        needs=frozenset("PCT"),
        hypotheses=(
            Hypothesis(two, le(2, n), idle="with one position both say that a_0 = -b_1 - c_1"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("vanishes", zero, smt(), "Let all cells vanish.", (), (zero,)),
                cell("last but one", n - 1, j, inner),
                cell("last", n, j + 1, inner),
                cell("first of the last but one", n - 1, sp.Integer(1), ()),
                cell("second of the last", n, sp.Integer(2), ()),
                Step(
                    "key step",
                    eq(c(j + 1), c(j) + slope),
                    smt(),
                    "One step along a diagonal: keys rise by one and the same number.",
                    (*("last but one", "last", "first of the last but one"), "second of the last"),
                    (zero, *inner),
                ),
                Step(
                    "first key",
                    If(le(1, n), eq(c(1), c(1) + slope * (1 - 1))),
                    smt(),
                    "From the first key on",
                ),
                Step(
                    "next key",
                    If(le(j + 1, n), eq(c(j + 1), c(1) + slope * (j + 1 - 1))),
                    smt(),
                    "each follows:",
                    ("key step",),
                    (zero, le(1, j), key_law),
                ),
                Step(
                    "key law",
                    key_law,
                    induction(j, 1),
                    "they are affine.",
                    ("first key", "next key"),
                    (zero, le(1, j)),
                ),
                Step(
                    "a key",
                    eq(c(j), c(1) + slope * (j - 1)),
                    smt(),
                    "(Each.)",
                    ("key law",),
                    (zero, le(1, j), le(j, n)),
                ),
                Step("keys", keys, generalise(), "All of them.", ("a key",), (zero,)),
                cell("first column", i, sp.Integer(1), along),
                cell("second column", i + 1, sp.Integer(2), along),
                Step(
                    "query step",
                    eq(b(i + 1), b(i) - slope),
                    smt(),
                    "Along the first diagonals: queries fall by it.",
                    ("first column", "second column"),
                    (zero, *along),
                ),
                Step(
                    "first query",
                    If(le(1, n), eq(b(1), b(1) - slope * (1 - 1))),
                    smt(),
                    "From the first query on",
                ),
                Step(
                    "next query",
                    If(le(i + 1, n), eq(b(i + 1), b(1) - slope * (i + 1 - 1))),
                    smt(),
                    "each follows:",
                    ("query step",),
                    (zero, le(1, i), query_law),
                ),
                Step(
                    "query law",
                    query_law,
                    induction(i, 1),
                    "they are affine.",
                    ("first query", "next query"),
                    (zero, le(1, i)),
                ),
                Step(
                    "a query",
                    eq(b(i), b(1) - slope * (i - 1)),
                    smt(),
                    "(Each.)",
                    ("query law",),
                    (zero, le(1, i), le(i, n)),
                ),
                Step("queries", queries, generalise(), "All of them.", ("a query",), (zero,)),
                Step(
                    "column",
                    eq(a(t + 1 - 1) + b(t + 1) + c(1), 0),
                    instance({i: t + 1, j: 1}),
                    "The first column",
                    ("vanishes",),
                    (zero, le(0, t), le(t, n - 1)),
                ),
                Step(
                    "query there",
                    eq(b(t + 1), b(1) - slope * (t + 1 - 1)),
                    instance({i: t + 1}),
                    "gives",
                    ("a query",),
                    (zero, le(0, t), le(t, n - 1)),
                ),
                Step(
                    "a lag",
                    eq(a(t), slope * t - b(1) - c(1)),
                    smt(),
                    "the lags,",
                    ("column", "query there"),
                    (zero, le(0, t), le(t, n - 1)),
                ),
                Step("lags", lags, generalise(), "affine too.", ("a lag",), (zero,)),
                Step(
                    "affine",
                    affine,
                    smt(),
                    "So much for one direction.",
                    ("lags", "queries", "keys"),
                    (zero,),
                ),
                Step("given lags", lags, smt(), "In the other", (), (affine,)),
                Step("given queries", queries, smt(), "all three", (), (affine,)),
                Step("given keys", keys, smt(), "are given:", (), (affine,)),
                Step(
                    "lag here",
                    eq(a(i - j), slope * (i - j) - b(1) - c(1)),
                    instance({t: i - j}),
                    "at a cell",
                    ("given lags",),
                    (affine, le(1, j), le(j, i), le(i, n)),
                ),
                Step(
                    "query here",
                    eq(b(i), b(1) - slope * (i - 1)),
                    instance({i: i}),
                    "the trends",
                    ("given queries",),
                    (affine, le(1, j), le(j, i), le(i, n)),
                ),
                Step(
                    "key here",
                    eq(c(j), c(1) + slope * (j - 1)),
                    instance({j: j}),
                    "cancel:",
                    ("given keys",),
                    (affine, le(1, j), le(j, i), le(i, n)),
                ),
                Step(
                    "cancel",
                    eq(a(i - j) + b(i) + c(j), 0),
                    smt(),
                    "lambda (i - j) - lambda (i - 1) + lambda (j - 1) = 0.",
                    ("lag here", "query here", "key here"),
                    (affine, le(1, j), le(j, i), le(i, n)),
                ),
                Step("all cells", zero, generalise(), "At every cell.", ("cancel",), (affine,)),
                Step("both", goal, smt(), "Both directions.", ("affine", "all cells")),
            )
        ),
        mutants=(
            Mutant(
                "no trend",
                If(zero, eq(c(2), c(1))),
                at=(
                    *(eq(n, 2), eq(a(0), 0), eq(a(1), 1), eq(b(1), 0), eq(b(2), -1)),
                    *(eq(c(1), 0), eq(c(2), 1)),
                ),
            ),
            Mutant(
                "all zero",
                If(zero, eq(b(1), 0)),
                at=(
                    *(eq(n, 2), eq(a(0), 0), eq(a(1), 0), eq(b(1), 1), eq(b(2), 1)),
                    *(eq(c(1), -1), eq(c(2), -1)),
                ),
            ),
        ),
    )


def _noise_floor() -> Claim:
    cells, rank = integer("M"), real("rho")
    own, other = real("E_own E_other")
    entry, row = real_function("P"), (j, 0, cells - 1)
    moment = other + (own - other) * indicator(j, i)
    whole = sp.Sum(sp.Sum(entry(i, j) * moment, row), (i, 0, cells - 1))
    rows = sp.Sum(entry(i, j), row)
    diagonal = sp.Sum(entry(i, i), (i, 0, cells - 1))
    at_i = (le(0, i), le(i, cells - 1))
    names = (
        "the fit is orthogonal to constants",
        "its rank beside the constant is rho",
        "the moments' shares add up to 1",
        "there are two cells",
    )
    goal = eq(whole, rank / (cells - 1))
    match = indicator(l, i)
    two = (eq(cells, 2), eq(entry(0, 0), sp.Rational(1, 2)), eq(entry(1, 1), sp.Rational(1, 2)))
    signs = (eq(entry(0, 1), sp.Rational(-1, 2)), eq(entry(1, 0), sp.Rational(-1, 2)))
    return Claim(
        id="posgen.noise-floor",
        title="Pure noise is fitted with the share rank/(cells - 1)",
        statement=(
            r"For exchangeable noise on $M$ cells a linear fit whose design has rank $\rho$ beside the "
            r"constant has expected $R^2=\frac\rho{M-1}$; the three-axis fit on the causal triangle has "
            r"$\rho=3n-4$ (`posgen.gauge`) and $M=\frac{n(n+1)}2$. Formally: $P$ is the projection "
            r"beside the constant (rows add up to 0, trace $\rho$), $E_{\rm own}$ and $E_{\rm other}$ "
            r"the expected $\epsilon_i^2$ and $\epsilon_i\epsilon_j$ over the total sum of squares, "
            r"for which $(M-1)(E_{\rm own}-E_{\rm other})=1$."
        ),
        needs=frozenset("PCT"),
        hypotheses=(
            Hypothesis(
                names[0],
                every(i, 0, cells - 1, eq(rows, 0)),
                without=(
                    *two,
                    eq(entry(0, 1), 0),
                    eq(entry(1, 0), 0),
                    eq(rank, 1),
                    eq(own, 2),
                    eq(other, 1),
                ),
            ),
            Hypothesis(
                names[1],
                eq(diagonal, rank),
                without=(*two, *signs, eq(rank, 5), eq(own, 1), eq(other, 0)),
            ),
            Hypothesis(
                names[2],
                eq((cells - 1) * (own - other), 1),
                without=(*two, *signs, eq(rank, 1), eq(own, 5), eq(other, 0)),
            ),
            Hypothesis(names[3], le(2, cells), unshown="one cell has no noise beside its mean"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("one", eq(indicator(i, i), 1), smt(), "The moments"),
                Step("none", eq(match, 0), smt(), "differ", (), (ne(l, i),)),
                Step(
                    "none elsewhere",
                    every(l, 0, cells - 1, If(ne(l, i), eq(match, 0))),
                    generalise(),
                    "on the diagonal only,",
                    ("none",),
                ),
                Step("range", Both(le(0, i), le(i, cells - 1)), smt(), "(a cell)", (), at_i),
                Step(
                    "pick",
                    eq(sp.Sum(match * entry(i, l), (l, 0, cells - 1)), entry(i, i)),
                    by_claim(
                        "sums.pick",
                        {
                            m: cells,
                            plane: i,
                            here: sp.Lambda(l, match),
                            f: sp.Lambda(l, entry(i, l)),
                        },
                    ),
                    "which a row",
                    ("range", "one", "none elsewhere"),
                    at_i,
                ),
                Step(
                    "row",
                    eq(
                        sp.Sum(entry(i, j) * moment, row),
                        other * rows
                        + (own - other) * sp.Sum(match * entry(i, l), (l, 0, cells - 1)),
                    ),
                    identity(),
                    "meets once;",
                ),
                Step(
                    "no constant",
                    eq(rows, 0),
                    instance({i: i}),
                    "the rest of the row",
                    (names[0],),
                    at_i,
                ),
                Step(
                    "of a row",
                    eq(sp.Sum(entry(i, j) * moment, row), (own - other) * entry(i, i)),
                    smt(),
                    "adds up to 0.",
                    ("pick", "row", "no constant"),
                    at_i,
                ),
                Step(
                    "sum",
                    eq(whole, sp.Sum((own - other) * entry(i, i), (i, 0, cells - 1))),
                    termwise(),
                    "So all rows together",
                    ("of a row",),
                ),
                Step(
                    "factor",
                    eq(
                        sp.Sum((own - other) * entry(i, i), (i, 0, cells - 1)),
                        (own - other) * diagonal,
                    ),
                    identity(),
                    "give the trace",
                ),
                Step(
                    "share",
                    goal,
                    smt(),
                    "times a share.",
                    ("sum", "factor", names[1], names[2], names[3]),
                ),
            )
        ),
        uses=("sums.pick",),
        mutants=(
            Mutant(
                "of all cells",
                eq(whole, rank / cells),
                at=(*two, *signs, eq(rank, 1), eq(own, 1), eq(other, 0)),
            ),
            Mutant(
                "rank 1 less",
                eq(whole, (rank - 1) / (cells - 1)),
                at=(*two, *signs, eq(rank, 1), eq(own, 1), eq(other, 0)),
            ),
        ),
    )


POSGEN_GAUGE = _gauge()
POSGEN_NOISE_FLOOR = _noise_floor()

CLAIMS = (POSGEN_GAUGE, POSGEN_NOISE_FLOOR)
