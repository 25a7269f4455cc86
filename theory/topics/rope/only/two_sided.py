"""Linear maps of queries and of keys whose logits see the lag only are powers of one matrix."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import SUMS_PICK

a, b, c, e, i, j, p, r, n, u, v = integer("a b c e i j p r n u v")
dimension = integer("d")
for_query, for_key = real_function("A"), real_function("B")
undo_query, undo_key = real_function("C"), real_function("D")
power = real_function("P")
MEANINGS: Meanings = {
    **dict.fromkeys((a, b, c, e, u, v), "a coordinate"),
    i: "position of the query",
    j: "position of the key",
    p: "a position",
    r: "a position, or a coordinate",
    dimension: "dimension of queries and keys",
    for_query: "entries of the queries' matrices, by position, row and column",
    for_key: "entries of the keys' matrices, by position, row and column",
    undo_query: "entries of the inverse of A_0",
    undo_key: "entries of the inverse of B_0",
    power: "entries of the powers of G(1), by exponent",
}
row, table, column = real_function("f"), real_function("y"), real_function("z")


def over(index: Term, term: Term) -> Term:
    """The sum of a term over a coordinate, index = 0..d-1."""
    return sp.Sum(term, (index, 0, dimension - 1))


def entries(*indices: Term) -> Formula:
    """The indices are coordinates."""
    return Both(*(part for index in indices for part in within(index, 0, dimension - 1).args))


@named("L_{},{}[{},{}]", r"L_{{},{}}[{},{}]", "entry of A_iᵀB_j", i, j, b, c)
def product(of_query: Term | int, of_key: Term, first: Term, second: Term) -> Term:
    """(A_i^T B_j)_{b,c}: the logit of the query e_b at i and the key e_c at j."""
    return over(v, for_query(of_query, v, first) * for_key(of_key, v, second))


@named("G_{}[{},{}]", r"G_{{}}[{},{}]", "entry of B_p B_0⁻¹", p, a, b)
def step(position: Term | int, first: Term, second: Term) -> Term:
    """(B_p D)_{a,b}, D the inverse of B_0."""
    return over(u, for_key(position, first, u) * undo_key(u, second))


def identity(entry: Term, first: Term, second: Term) -> Formula:
    """The entry of a matrix is that of the unit matrix."""
    return Both(If(eq(first, second), eq(entry, 1)), If(ne(first, second), eq(entry, 0)))


RELATIVE = Hypothesis(
    "the logits depend on the lag only",
    Every((i, j, b, c), If(entries(b, c), eq(product(i, j, b, c), product(0, j - i, b, c)))),
)
QUERY_INVERSE = Hypothesis(
    "C is the inverse of A_0",
    Every(
        (a, b), If(entries(a, b), identity(over(e, for_query(0, a, e) * undo_query(e, b)), a, b))
    ),
)
KEY_INVERSE = Hypothesis(
    "D is the inverse of B_0", Every((a, b), If(entries(a, b), identity(step(0, a, b), a, b)))
)

group = Every(
    (p, r, a, b), If(entries(a, b), eq(step(p + r, a, b), over(c, step(p, a, c) * step(r, c, b))))
)
defined = Both(
    Every((a, b), If(entries(a, b), identity(power(0, a, b), a, b))),
    Every(
        (p, a, b),
        If(entries(a, b), eq(power(p + 1, a, b), over(c, power(p, a, c) * step(1, c, b)))),
    ),
)
is_power = Every((p, a, b), If(entries(a, b), eq(step(p, a, b), power(p, a, b))))
keys = Every(
    (p, a, b), If(entries(a, b), eq(for_key(p, a, b), over(c, step(p, a, c) * for_key(0, c, b))))
)
queries = Every(
    (p, a, b),
    If(entries(a, b), eq(for_query(p, a, b), over(c, for_query(0, c, b) * step(-p, c, a)))),
)
logits = Every(
    (i, j, b, c),
    If(
        entries(b, c),
        eq(
            product(i, j, b, c),
            over(a, for_query(0, a, b) * over(r, step(j - i, a, r) * for_key(0, r, c))),
        ),
    ),
)


def associativity(p_: Proof) -> Fact:
    """f (Y z) = (f Y) z for a row, a table and a column."""
    outer = over(a, over(c, row(a) * table(a, c) * column(c)))
    left = p_.show(
        eq(over(a, row(a) * over(c, table(a, c) * column(c))), outer),
        "A row times a matrix times a column is a sum over both coordinates.",
    )
    swapped = p_.swap(outer, "Exchange the two sums.")
    right = p_.show(
        eq(swapped.formula.rhs, over(c, over(a, row(a) * table(a, c)) * column(c))),
        "So the row may be multiplied with the matrix first.",
    )
    return p_.chain(left, swapped, right, why="So the product of the three is associative.")


def unit_sum(
    scope: Scope, entry: Term, index: Term, at: Term, term: Term, known: Fact, why: str
) -> Fact:
    """The sum over `index` of a unit matrix's row or column and a term is the term at `at`.

    `known` says of the entry that it is 1 where `index` is `at`, and 0 elsewhere, for both coordinates.
    """
    inside = scope.under(within(index, 0, dimension - 1), ne(index, at))
    off = inside.show(
        eq(entry, 0), "Off the diagonal the entry of the unit matrix is 0.", known, by=rules.smt()
    )
    diagonal = entry.xreplace({index: at})
    on = scope.use(
        known,
        {index: at},
        why="On the diagonal the entry of the unit matrix is 1.",
        goal=eq(diagonal, 1),
    )
    return scope.lemma(
        SUMS_PICK.at(m=dimension, p=at, here=sp.Lambda(index, entry), f=sp.Lambda(index, term)),
        (on, off.for_all(index, why="So the entry is 0 at every other coordinate.")),
        why=why,
        goal=eq(over(index, entry * term), term.xreplace({index: at})),
    )


def _recovered(p_: Proof, associative: Fact) -> Fact:
    """C^T (A_0^T z) = z."""
    square = p_.under(entries(a, e))
    unit = square.use(
        QUERY_INVERSE, {a: a, b: e}, why="A_0 C is the unit matrix, and so is its transpose."
    )
    entry = over(b, undo_query(b, e) * for_query(0, a, b))
    first = p_.use(
        associative,
        {
            row: sp.Lambda(b, undo_query(b, e)),
            table: sp.Lambda((b, a), for_query(0, a, b)),
            column: sp.Lambda(a, column(a)),
        },
        why="Multiply C^T and A_0^T first.",
        goal=eq(
            over(b, undo_query(b, e) * over(a, for_query(0, a, b) * column(a))),
            over(a, entry * column(a)),
        ),
    )
    place = p_.under(entries(e))
    second = unit_sum(
        place,
        entry,
        a,
        e,
        column(a),
        unit,
        "So the product with the unit matrix leaves a column as it is.",
    )
    return place.chain(first, second, why="So C^T undoes A_0^T.")


def _queries(p_: Proof, associative: Fact) -> Fact:
    """A_i^T = A_0^T G(-i), its entry at (b, e)."""
    place = p_.under(entries(b, e))
    same = place.under(entries(c)).use(
        RELATIVE,
        {i: i, j: 0, b: b, c: c},
        why="The logits of position i and position 0 are those of 0 and -i.",
    )
    weighed = same.times(undo_key(c, e), "Multiply both sides with an entry of D.").summed(
        c, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    sides = [
        p_.use(
            associative,
            {
                row: sp.Lambda(a, for_query(at, a, b)),
                table: sp.Lambda((a, c), for_key(other, a, c)),
                column: sp.Lambda(c, undo_key(c, e)),
            },
            why="Multiply B and D first.",
            goal=eq(
                over(a, for_query(at, a, b) * over(c, for_key(other, a, c) * undo_key(c, e))),
                over(c, product(at, other, b, c) * undo_key(c, e)),
            ),
        )
        for at, other in ((i, sp.Integer(0)), (sp.Integer(0), -i))
    ]
    unit = p_.under(entries(a, e)).use(KEY_INVERSE, {a: a, b: e}, why="B_0 D is the unit matrix.")
    entry = step(0, a, e)
    picked_ = unit_sum(
        place,
        entry,
        a,
        e,
        for_query(i, a, b),
        unit,
        "As B_0 D is the unit matrix, only A_i^T is left.",
    )
    return place.show(
        eq(for_query(i, e, b), over(a, for_query(0, a, b) * step(-i, a, e))),
        "So A_i^T is A_0^T G(-i).",
        (weighed, sides, picked_),
    )


def _keys(p_: Proof, associative: Fact, recovered: Fact, queries_: Fact) -> Fact:
    """B_(p+r) = G(p) B_r, its entry at (e, c)."""
    place, inside = p_.under(entries(c, e)), p_.under(entries(b, c))
    relative = inside.use(
        RELATIVE, {i: -p, j: r, b: b, c: c}, why="The logits of -p and r are those of 0 and p + r."
    )
    turned = p_.under(entries(a, b)).use(
        queries_, {i: -p, e: a, b: b}, why="A_(-p)^T is A_0^T G(p)."
    )
    put = turned.times(for_key(r, a, c), "Multiply both sides with an entry of B_r.").summed(
        a, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    later = p_.use(
        associative,
        {
            row: sp.Lambda(e, for_query(0, e, b)),
            table: sp.Lambda((e, a), step(p, e, a)),
            column: sp.Lambda(a, for_key(r, a, c)),
        },
        why="Multiply G(p) and B_r first.",
        goal=eq(
            over(e, for_query(0, e, b) * over(a, step(p, e, a) * for_key(r, a, c))),
            over(a, over(e, for_query(0, e, b) * step(p, e, a)) * for_key(r, a, c)),
        ),
    )
    moved = over(a, step(p, e, a) * for_key(r, a, c))
    same = inside.show(
        eq(over(e, for_query(0, e, b) * for_key(p + r, e, c)), over(e, for_query(0, e, b) * moved)),
        "So A_0^T B_(p+r) is A_0^T G(p) B_r.",
        (relative, put, later),
    )
    weighed = same.times(undo_query(b, n), "Multiply both sides with an entry of C.").summed(
        b, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    left, right = (
        p_.under(entries(n)).use(recovered, {e: n, column: sp.Lambda(e, term)}, why=why)
        for term, why in (
            (for_key(p + r, e, c), "C^T undoes A_0^T on the left side."),
            (moved, "C^T undoes A_0^T on the right side."),
        )
    )
    there = p_.under(entries(c, n)).show(
        eq(for_key(p + r, n, c), moved.xreplace({e: n})),
        "So B_(p+r) is G(p) B_r.",
        (weighed, left, right),
    )
    return place.use(there, {n: e}, why="This holds in every row.")


def _group(p_: Proof, associative: Fact, keys_: Fact) -> Fact:
    """G(p+r) = G(p) G(r), its entry at (a, b)."""
    place = p_.under(entries(a, b))
    each = p_.under(entries(a, u)).use(keys_, {e: a, c: u}, why="B_(p+r) is G(p) B_r.")
    summed = each.times(undo_key(u, b), "Multiply both sides with an entry of D.").summed(
        u, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    first = p_.use(
        associative,
        {
            row: sp.Lambda(c, step(p, a, c)),
            table: sp.Lambda((c, u), for_key(r, c, u)),
            column: sp.Lambda(u, undo_key(u, b)),
        },
        why="Multiply B_r and D first.",
        goal=eq(
            over(c, step(p, a, c) * step(r, c, b)),
            over(u, over(c, step(p, a, c) * for_key(r, c, u)) * undo_key(u, b)),
        ),
    )
    return place.show(
        eq(step(p + r, a, b), over(c, step(p, a, c) * step(r, c, b))),
        "So G(p + r) is G(p) G(r).",
        (summed, first),
    )


def _powers(p_: Proof, associative: Fact, group_: Fact) -> Fact:
    """G(p) is the p-th power of G(1), for p >= 0 and for p <= 0."""
    scope, row_ = p_.under(defined), p_.under(defined, within(a, 0, dimension - 1))
    start, further = (
        scope.given(part, why)
        for part, why in zip(
            defined.args,
            (
                "Let P(0) be the unit matrix, the empty power of G(1).",
                "Let P(p + 1) be P(p) times one more factor G(1).",
            ),
            strict=True,
        )
    )

    def agrees(at: Term) -> Formula:
        return every(c, 0, dimension - 1, eq(step(at, a, c), power(at, a, c)))

    def one_more(at: Term, by: Term, before: Fact, assumed: Scope, why: str) -> Fact:
        """The sum of P(at) times G(by) is that of G(at) times G(by), so G(at + by)."""
        term = before.times(step(by, c, b), "Multiply with an entry of G.")
        total = term.summed(c, 0, dimension - 1, "Sum this equation over the coordinate.")
        both = assumed.under(entries(b)).use(
            group_, {p: at, r: by}, why="G of a sum of positions is a product."
        )
        return both.scope.chain(both, total, why=why)

    column_ = row_.under(entries(c))
    unit = column_.use(KEY_INVERSE, {a: a, b: c}, why="G(0) is the unit matrix.")
    none = column_.use(start, {a: a, b: c}, why="The matrix P(0) is the unit matrix.")
    base = column_.show(
        eq(step(0, a, c), power(0, a, c)), "So G and P agree at 0.", unit, none, by=rules.smt()
    ).for_all(c, why="G and P agree in every entry.")

    up = row_.under(le(0, n)).supposing(agrees(n))
    before = up.under(entries(c)).use(
        up.given(agrees(n), "Suppose that G and P agree at n."),
        why="So G and P agree in this entry.",
    )
    grown = one_more(n, sp.Integer(1), before, up, "So G(n + 1) is P(n) times G(1).")
    next_ = grown.scope.use(further, {p: n, a: a, b: b}, why="The product P(n) G(1) is P(n + 1).")
    rises = grown.scope.show(
        eq(step(n + 1, a, b), power(n + 1, a, b)), "So G and P agree at n + 1.", (grown, next_)
    )
    upward = row_.under(le(0, n)).induction(
        agrees(n),
        n,
        0,
        base,
        rises.for_all(b, why="G and P agree in every entry."),
        why="By induction G and P agree at every n >= 0.",
    )

    down = row_.under(le(0, n)).supposing(agrees(-n))
    before = down.under(entries(c)).use(
        down.given(agrees(-n), "Suppose that G and P agree at -n."),
        why="So G and P agree in this entry.",
    )
    shrunk = one_more(-n, sp.Integer(-1), before, down, "So G(-n - 1) is P(-n) times G(-1).")
    lower = power(-n - 1, a, c)
    earlier = row_.under(entries(e)).use(
        further, {p: -n - 1, a: a, b: e}, why="P(-n) is P(-n - 1) times G(1)."
    )
    spread = earlier.times(step(-1, e, b), "Multiply both sides with an entry of G(-1).").summed(
        e, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    first = p_.use(
        associative,
        {
            row: sp.Lambda(c, lower),
            table: sp.Lambda((c, e), step(1, c, e)),
            column: sp.Lambda(e, step(-1, e, b)),
        },
        why="Multiply G(1) and G(-1) first.",
        goal=eq(
            over(c, lower * over(e, step(1, c, e) * step(-1, e, b))),
            over(e, over(c, lower * step(1, c, e)) * step(-1, e, b)),
        ),
    )
    inverse = p_.under(entries(c, b)).use(
        group_,
        {p: 1, r: -1, a: c, b: b},
        why="G(1) times G(-1) is G(0).",
        goal=eq(step(0, c, b), over(e, step(1, c, e) * step(-1, e, b))),
    )
    cancelled = inverse.times(lower, "Multiply both sides with an entry of P(-n - 1).").summed(
        c, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    kept_ = p_.under(entries(c, b)).use(KEY_INVERSE, {a: c, b: b}, why="G(0) is the unit matrix.")
    left = unit_sum(
        row_.under(entries(b)),
        step(0, c, b),
        c,
        b,
        lower,
        kept_,
        "As the other factor is the unit matrix, only P(-n - 1) is left.",
    )
    falls = shrunk.scope.show(
        eq(step(-n - 1, a, b), power(-n - 1, a, b)),
        "So G and P agree at -n - 1.",
        (shrunk, spread, first, cancelled, left),
    )
    downward = row_.under(le(0, n)).induction(
        agrees(-n),
        n,
        0,
        base,
        falls.for_all(b, why="G and P agree in every entry."),
        why="By induction G and P agree at every -n <= 0.",
    )
    place = scope.under(entries(a, b))
    later = place.under(le(0, p)).use(
        upward, {n: p}, why="If p >= 0, then G and P agree at p.", goal=agrees(p)
    )
    sooner = place.under(le(p, 0)).use(
        downward, {n: -p}, why="If p <= 0, then G and P agree at p as well.", goal=agrees(p)
    )
    parts = [
        known.scope.use(known, {c: b}, why="In particular G and P agree in this entry.")
        for known in (later, sooner)
    ]
    return place.show(eq(step(p, a, b), power(p, a, b)), "So G and P agree at every p.", *parts)


def _logits(p_: Proof, keys_: Fact) -> Fact:
    """A_i^T B_j = A_0^T G(j-i) B_0, its entry at (b, c)."""
    place = p_.under(entries(b, c))
    relative = place.use(RELATIVE, why="The logits of i and j are those of 0 and j - i.")
    key = p_.under(entries(a, c)).use(
        keys_, {p: j - i, r: 0, e: a, c: c}, why="The key's map at j - i is G(j - i) B_0."
    )
    weighed = key.times(for_query(0, a, b), "Multiply both sides with an entry of A_0.").summed(
        a, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    return place.show(
        logits.args[1].args[1],
        "So the logits are the entries of A_0^T G(j - i) B_0.",
        (relative, weighed),
    )


def _diagonal(first: Term, second: Term) -> Term:
    return (1 - first) * (1 - second) + first * second


def _given(of: Function, value: Term | int) -> Formula:
    """The entries of a map, by position and coordinates."""
    return Every((p, a, b), eq(of(p, a, b), value))


_off = (1 - a) * b + a * (1 - b)
_shear = (
    eq(dimension, 2),
    _given(for_query, _diagonal(a, b) - p * a * (1 - b)),
    _given(for_key, p * (1 - a) * (1 - b) + _off),
    Every((a, b), eq(undo_query(a, b), _diagonal(a, b))),
    Every((a, b), eq(undo_key(a, b), _off)),
    _given(power, _diagonal(a, b) + p * (1 - a) * b),
)
_line = (eq(dimension, 1), Every((a, b), eq(undo_query(a, b), 1)))


@theorem(
    "rope.only-two-sided",
    role="main result",
    needs="PTX",
    hypotheses=(RELATIVE, QUERY_INVERSE, KEY_INVERSE),
    conclusion=Both(Both(group, If(defined, is_power)), Both(keys, queries), logits),
    example=_shear,
    attack=Attack(
        {
            "one step more": Every(
                (p, r, a, b),
                If(
                    entries(a, b), eq(step(p + r + 1, a, b), over(c, step(p, a, c) * step(r, c, b)))
                ),
            ),
            "the fixed map of keys comes last": Every(
                (p, a, b),
                If(entries(a, b), eq(for_key(p, a, b), over(c, for_key(0, a, c) * step(p, c, b)))),
            ),
            "queries turned the keys' way": Every(
                (p, a, b),
                If(
                    entries(a, b),
                    eq(for_query(p, a, b), over(c, for_query(0, c, b) * step(p, c, a))),
                ),
            ),
            "the lag reversed": Every(
                (i, j, b, c),
                If(
                    entries(b, c),
                    eq(
                        product(i, j, b, c),
                        over(a, for_query(0, a, b) * over(r, step(i - j, a, r) * for_key(0, r, c))),
                    ),
                ),
            ),
            "powers of the next matrix": If(
                Both(
                    defined.args[0],
                    Every(
                        (p, a, b),
                        If(
                            entries(a, b),
                            eq(power(p + 1, a, b), over(c, power(p, a, c) * step(2, c, b))),
                        ),
                    ),
                ),
                is_power,
            ),
        },
        at={
            "one step more": _shear,
            "the fixed map of keys comes last": _shear,
            "queries turned the keys' way": _shear,
            "the lag reversed": _shear,
            "powers of the next matrix": (
                *_shear[:-1],
                _given(power, _diagonal(a, b) + 2 * p * (1 - a) * b),
            ),
        },
        without={
            RELATIVE: (
                *_line,
                _given(for_query, 1),
                _given(for_key, 1 + p**2),
                Every((a, b), eq(undo_key(a, b), 1)),
            ),
            QUERY_INVERSE: (
                *_line,
                _given(for_query, 0),
                _given(for_key, 1 + p**2),
                Every((a, b), eq(undo_key(a, b), 1)),
            ),
            KEY_INVERSE: (
                *_line,
                _given(for_query, 1),
                _given(for_key, 0),
                Every((a, b), eq(undo_key(a, b), 1)),
            ),
        },
    ),
)
def ROPE_ONLY_TWO_SIDED(p_: Proof) -> None:
    r"""Linear maps of queries and keys whose logits see the lag only are powers of one matrix

    Real $d\times d$ matrices $A_i$ of queries and $B_j$ of keys, for every integer position, with
    $A_0,B_0$ invertible, such that $A_i^\top B_j=A_0^\top B_{j-i}$ for all $i,j$: the logit
    $\langle A_iq,B_jk\rangle$ of all $q,k$ depends on the lag only. Let $G(p)=B_pB_0^{-1}$. Then
    $G(p+r)=G(p)G(r)$ for all integers $p,r$; so $G(p)=G(1)^p$, the matrices $P(p)$ with $P(0)=I$
    and $P(p+1)=P(p)G(1)$. And $B_p=G(p)B_0$, $A_p^\top=A_0^\top G(-p)$, and $A_i^\top B_j=A_0^\top
    G(j-i)B_0$: a relative linear encoding of queries and keys is the powers of one invertible
    matrix, after one fixed map of queries and one of keys.
    """
    associative = associativity(p_)
    queries_ = _queries(p_, associative)
    keys_ = _keys(p_, associative, _recovered(p_, associative), queries_)
    group_ = _group(p_, associative, keys_)
    power_ = _powers(p_, associative, group_)
    key = p_.under(entries(a, b)).use(
        keys_, {r: 0, e: a, c: b}, why="In particular the key's map B_p is G(p) B_0."
    )
    query = p_.under(entries(a, b)).use(
        queries_, {i: p, e: a, b: b}, why="The query's map A_p^T is A_0^T G(-p)."
    )
    p_.qed(
        "These are the parts of the claim.",
        group_.for_all(p, r, a, b, why="G of a sum is a product for all positions and entries."),
        power_.for_all(p, a, b, why="G(p) is the power for all p and in every entry."),
        key.for_all(p, a, b, why="The keys' maps are of this form for all p and in every entry."),
        query.for_all(
            p, a, b, why="So the queries' maps are of this form for all p and in every entry."
        ),
        _logits(p_, keys_).for_all(
            i, j, b, c, why="So the logits are of this form at all positions."
        ),
    )
