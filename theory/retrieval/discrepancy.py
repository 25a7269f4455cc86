"""The discrepancy of Index falls as the squared length, that of Retrieval at rest not at all."""

from ropeproof.theory.head.discrepancy import has_lead, is_largest, is_smallest, largest, smallest
from ropeproof.theory.index.inputs import INDEX_MARGIN, INDEX_MARGIN_ATTAINED, half, turn
from ropeproof.theory.index.margin import limit
from ropeproof.theory.index.window import angle, fall, gamma
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n
from ropeproof.theory.notation import t as factor
from ropeproof.theory.papers import HEADS
from ropeproof.theory.retrieval.construction import key, letters, query, step
from ropeproof.theory.retrieval.feasible import a, left
from ropeproof.theory.retrieval.margin import RETRIEVAL_MARGIN, THREE_PLACES, lag, rival, worst
from ropeproof.theory.slash.cone.inequalities import SLASH_CANCEL
from ropeproof.theory.slash.cone.inequalities import x as smaller
from ropeproof.theory.slash.cone.inequalities import y as larger
from ropeproof.theory.sums.indicators import indicator
from ropeproof.theory.sums.order import SUMS_LOWEST, f
from ropeproof.theory.sums.order import k as place
from ropeproof.theory.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.trigonometry.jordan import TRIG_COSINE_BELOW_PARABOLA
from ropeproof.theory.trigonometry.sine import x

k, z = integer("k z")
omega = 2 * sp.pi / letters

# -- the discrepancy of the two constructions ----------------------------------------------

A_QUERY = within(i, 0, n - 1)
ANOTHER = Both(le(0, j), le(j, n - 1), ne(j, i))
ASKED = Both(
    *(*within(a, 0, n - 1).args, *within(query, 0, letters - 1).args),
    every(k, 0, n - 1, within(left(k), 0, letters - 1)),
    *(eq(left(a), query), ne(left(n - 1), query)),
)
ANOTHER_LETTER = Both(le(0, j), le(j, n - 1), ne(left(j), query))


def of_index(of: Any) -> tuple[Any, ...]:
    """Inputs, leads and rivals of the index construction at an angle: all other positions."""
    return (i,), A_QUERY, fall(j - i, of), ANOTHER


def retrieval_gap(of: Any) -> Any:
    """How far the target a leads position j at an angle."""
    turned = (left(j) - query) * omega + (n - 1 - j) * of
    return sp.cos((n - 1 - a) * of) - sp.cos(turned)


def of_retrieval(of: Any) -> tuple[Any, ...]:
    """Inputs, leads and rivals of the retrieval construction: positions with another left letter."""
    return (a, query, left(z)), ASKED, retrieval_gap(of), ANOTHER_LETTER


least = worst().xreplace({step: omega})
ALPHABET, SLOW = le(3, letters), Both(le(0, angle), lt((2 * n - 3) * angle, omega))
index_smallest = Some(
    (smallest,), Both(is_smallest(smallest, *of_index(angle)), le(smallest, limit(n)))
)
index_largest = Some(
    (largest,),
    Both(is_largest(largest, *of_index(angle)), le(largest, 8 * sp.pi**2 / (n + 1) ** 2)),
)
order = Both(le(8 / n**2, limit(n)), le(limit(n), 2 * sp.pi**2 / n**2))
attained = is_smallest(limit(n), *of_index(turn))
at_rest = If(ALPHABET, is_smallest(1 - sp.cos(omega), *of_retrieval(sp.S.Zero)))
rotating = If(
    Both(ALPHABET, *SLOW.args), Both(lt(0, least), is_smallest(least, *of_retrieval(angle)))
)

DISCREPANCY = Claim(
    id="separation.discrepancy",
    title="Index loses its discrepancy as n⁻², Retrieval without rotation keeps it",
    statement=(
        r"For $n\ge3$, with one plane of any angle $\theta$: the smallest discrepancy "
        r"(`head.discrepancy`) of the index construction over its inputs of length $n$, the integer "
        r"queries $0\le i<n$, is at most $1-\cos\frac{2\pi}n$, which $\theta=\frac{2\pi}n$ attains and "
        r"which is of order $n^{-2}$: $\frac8{n^2}\le1-\cos\frac{2\pi}n\le\frac{2\pi^2}{n^2}$. The "
        r"largest, the paper's discrepancy, is at most $\frac{8\pi^2}{(n+1)^2}$. For $r\ge3$ letters "
        r"the smallest discrepancy of the retrieval construction, over all rows and queries $(x,y)$, "
        r"$y\ne x$, with a target of left letter $y$ and rivals of other left letters, is exactly "
        r"$1-\cos\omega$, $\omega=\frac{2\pi}r$, for every $n$ at $\theta=0$, and "
        r"$2\sin\frac{\omega-\theta}2\sin\frac{\omega-(2n-3)\theta}2>0$ for $0\le(2n-3)\theta<\omega$."
    ),
    source=HEADS.at("section 3.5, Theorem 3.2 and Remark 3.2", "repaired"),
    needs=frozenset("PCTX"),
    role="main result",
    hypotheses=(THREE_PLACES,),
    conclusion=Both(index_smallest, index_largest, order, attained, at_rest, rotating),
)


# -- Index -----------------------------------------------------------------------------------


def _lowest(p: Proof, count: Any, why: str) -> tuple[Fact, Scope, Fact]:
    """Among the first lags one has the least fall; the scope in which it is k + 1."""
    exists = p.lemma(SUMS_LOWEST, {n: count, f: lambda at: fall(at + 1)}, THREE_PLACES, why=why)
    found = exists.body()
    return exists, found, found.given(exists.formula.args[1].args[2], "At k + 1, say:")


def _leads(found: Scope, known: Fact, *premises: Premise) -> Fact:
    """The target of a query leads both sides by the least fall of its lags."""
    row = found.under(*ANOTHER.args)
    after = row.under(lt(i, j)).use(known, {j: j - i - 1}, premises, why="a position after it")
    before = row.under(lt(j, i)).use(known, {j: i - j - 1}, premises, why="or before it")
    leads = row.show(
        le(fall(place + 1), fall(j - i)), "is as far behind or farther:", before, after
    )
    return leads.for_all(j, why="all are.")


def _index_smallest(p: Proof) -> Fact:
    exists, found, known = _lowest(p, n - 1, "Of the lags up to n - 1 one has the least fall.")
    query_ = found.under(*A_QUERY.args)
    leads = _leads(query_, known).for_all(i, why="So it is a lead on every input,")
    value = fall(place + 1)
    at_most = found.lemma(
        INDEX_MARGIN, {gamma: value}, THREE_PLACES, why="and what every input has is bounded;"
    ).parts("(part by part)")[0]
    bound = found.show(le(value, limit(n)), "by that.", at_most, leads)
    there = found.witness(
        Some((i, j), Both(A_QUERY, ANOTHER, eq(fall(j - i), value))),
        {i: 0, j: place + 1},
        THREE_PLACES,
        why="The query 0 has it,",
    )
    least_one = found.witness(index_smallest, {smallest: value}, leads, there, bound, why="so")
    return p.choose(exists, least_one, "there is a smallest discrepancy.")


def _index_largest(p: Proof) -> Fact:
    sides = p.show(
        Both(le(half, n / 2), lt(n / 2, half + 1), le(1, half), le(half, n - 1)),
        "Half of n, rounded down.",
        THREE_PLACES,
    )
    exists = p.lemma(
        SUMS_LOWEST,
        {n: half, f: lambda at: fall(at + 1)},
        sides,
        why="Of the lags up to it one has the least fall.",
    )
    found = exists.body()
    known = found.given(exists.formula.args[1].args[2], "At k + 1, say:")
    value, middle = fall(place + 1), found.under(eq(i, half))
    leads = _leads(middle, known, sides)
    lead = leads.scope.show(
        Both(A_QUERY, leads.formula),
        "In the middle no position is farther than that.",
        leads,
        sides,
    )
    bounds = lead.scope.lemma(
        INDEX_MARGIN, {gamma: value}, THREE_PLACES, why="An input's lead is bounded,"
    ).parts("(part by part)")[2]
    of_it = lead.scope.use(bounds, {i: i}, lead, why="so that is, too;")
    here = of_it.formula
    parabola = p.lemma(TRIG_COSINE_ABOVE_PARABOLA, {x: 2 * sp.pi / (half + 1)}, why="a cosine")
    return p.qed("todo")
