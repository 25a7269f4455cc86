"""The discrepancy of Index falls as the squared length, that of Retrieval at rest not at all."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.language.notation import t as factor
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.order import SUMS_LOWEST, f, image
from ropeproof.theory.library.sums.order import k as place
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.library.trigonometry.jordan import TRIG_COSINE_BELOW_PARABOLA
from ropeproof.theory.library.trigonometry.sine import x
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.head.discrepancy import (
    has_lead,
    is_largest,
    is_smallest,
    largest,
    smallest,
)
from ropeproof.theory.topics.index.inputs import INDEX_MARGIN, INDEX_MARGIN_ATTAINED, half, turn
from ropeproof.theory.topics.index.margin import limit
from ropeproof.theory.topics.index.window import angle, fall, gamma
from ropeproof.theory.topics.retrieval.construction import key, letters, query, step
from ropeproof.theory.topics.retrieval.feasible import a, left
from ropeproof.theory.topics.retrieval.margin import (
    RETRIEVAL_MARGIN,
    THREE_PLACES,
    lag,
    rival,
    worst,
)
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL
from ropeproof.theory.topics.slash.cone.inequalities import x as smaller
from ropeproof.theory.topics.slash.cone.inequalities import y as larger

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
    hypotheses=(THREE_PLACES,),
    conclusion=Both(index_smallest, index_largest, order, attained, at_rest, rotating),
)


# -- Index -----------------------------------------------------------------------------------


def _lowest(p: Proof, count: Any, why: str, *premises: Premise) -> tuple[Fact, Fact]:
    """Among the first lags one has the least fall: it exists; at k + 1, say."""
    exists = p.lemma(SUMS_LOWEST, {n: count, f: lambda at: fall(at + 1)}, premises, why=why)
    return exists, exists.body().given(exists.formula.args[1].args[2], "At k + 1, say:")


def _leads(scope: Scope, known: Fact, at: Any, *premises: Premise) -> Fact:
    """The target leads the positions on both sides of it by the least fall of their lags."""
    row = scope.under(*ANOTHER.xreplace({i: at}).args)
    after = row.under(lt(at, j)).use(known, {j: j - at - 1}, premises, why="a position after it")
    before = row.under(lt(j, at)).use(known, {j: at - j - 1}, premises, why="or before it")
    leads = row.show(
        le(fall(place + 1), fall(j - at)), "is as far behind or farther,", after, before
    )
    return leads.for_all(j, why="all are.")


def _index_smallest(p: Proof) -> Fact:
    exists, known = _lowest(p, n - 1, "Of the lags below n one has the least fall.", THREE_PLACES)
    found, value = known.scope, fall(place + 1)
    leads = _leads(found.under(A_QUERY), known, i).for_all(i, why="So it leads on every input,")
    bounds = found.lemma(
        INDEX_MARGIN, {gamma: value}, THREE_PLACES, why="and such a lead is bounded,"
    ).parts("(part by part)")
    bound = found.show(le(value, limit(n)), "by that.", bounds[0], leads, by=rules.smt())
    there = found.witness(
        Some((i, j), Both(A_QUERY, ANOTHER, eq(fall(j - i), value))),
        {i: 0, j: place + 1},
        THREE_PLACES,
        why="The query 0 has it,",
    )
    smallest_one = found.witness(
        index_smallest, {smallest: value}, (leads, there, bound), why="so it is the smallest:"
    )
    return p.choose(exists, smallest_one, "there is a smallest discrepancy.")


def _index_largest(p: Proof) -> Fact:
    sides = p.show(
        Both(le(half, n / 2), lt(n / 2, half + 1), le(1, half), le(half, n - 1)),
        "Half of n, rounded down.",
        THREE_PLACES,
    )
    exists, known = _lowest(p, half, "Of the lags up to it one has the least fall.", sides)
    found, value = known.scope, fall(place + 1)
    leads = _leads(found, known, half, sides)
    bounds = found.lemma(
        INDEX_MARGIN, {gamma: value}, THREE_PLACES, why="A lead on one input is bounded,"
    ).parts("(part by part)")
    bound = found.use(bounds[2], {i: half}, leads, sides, why="that of the middle query, too.")
    here = found.witness(
        Some((i,), Both(A_QUERY, has_lead(value, fall(j - i), ANOTHER))),
        {i: half},
        (leads, sides),
        why="So it is a lead on one input,",
    )
    some_rival = Some((j,), Both(ANOTHER, le(fall(j - i), value)))
    a_query = found.under(A_QUERY)
    ahead = a_query.under(le(i + place + 1, n - 1)).witness(
        some_rival, {j: i + place + 1}, why="and on every other input a rival is no farther behind,"
    )
    far = a_query.under(lt(n - 1, i + place + 1))
    even = far.show(eq(fall(i - place - 1 - i), value), "(the cosine is even)")
    behind = far.witness(
        some_rival, {j: i - place - 1}, (even, sides), why="on one side or the other,"
    )
    either = a_query.show(some_rival, "one at least,", ahead, behind, by=rules.smt())
    no_more = either.for_all(i, why="whichever the query.")
    part, share = 1 / (half + 1), 1 / (n + 1)
    shares = p.show(
        Both(le(0, part), le(part, 2 * share)), "Its length is over half of n + 1,", sides
    )
    squares = p.show(le(part**2, 4 * share**2), "(squared)", shares, by=rules.smt())
    parabola = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA, {x: 2 * sp.pi / (half + 1)}, why="and a cosine falls by less"
    )
    less = p.show(le(limit(half + 1), 8 * sp.pi**2 / (n + 1) ** 2), "than that.", parabola, squares)
    at_most = found.show(
        index_largest.args[1].args[1].xreplace({largest: value}), "So", bound, less
    )
    largest_one = found.witness(
        index_largest, {largest: value}, (here, no_more, at_most), why="it is the largest:"
    )
    return p.choose(exists, largest_one, "there is a largest discrepancy.")


def _order(p: Proof) -> Fact:
    """The best worst case is of order n^-2."""
    above = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA, {x: turn}, why="A cosine falls by a parabola at most,"
    )
    half_turn = p.show(within(turn, -sp.pi, sp.pi), "and within half a turn", THREE_PLACES)
    below = p.lemma(TRIG_COSINE_BELOW_PARABOLA, {x: turn}, half_turn, why="by another at least,")
    positive = p.show(lt(0, sp.pi**2), "(pi^2 is positive)")
    values = {smaller: 8 / n**2, larger: limit(n), factor: sp.pi**2}
    at_least = p.lemma(SLASH_CANCEL, values, (below, positive), THREE_PLACES, why="pi^2 cancels:")
    return p.show(order, "both of order n^-2.", above, at_least, THREE_PLACES)


def _attained(p: Proof) -> Fact:
    pair = p.under(*A_QUERY.args, *ANOTHER.args)
    leads = pair.lemma(INDEX_MARGIN_ATTAINED, why="With one turn over the length")
    everywhere = leads.for_all(j, why="every target leads").for_all(i, why="on every input,")
    there = p.witness(
        attained.args[1], {i: 0, j: 1}, THREE_PLACES, why="the first one by no more than that."
    )
    return p.show(attained, "So that is the smallest.", everywhere, there, by=rules.smt())


# -- Retrieval -------------------------------------------------------------------------------


def _retrieval(scope: Scope, of: Any, value: Any, *premises: Premise) -> tuple[Fact, Fact]:
    """The value is positive, and the smallest discrepancy at an angle."""

    def margins(at: Scope, letter: Any, asked: Any, lags: tuple[Any, Any], why: str) -> Fact:
        values = {key: letter, query: asked, step: omega, lag: lags[0], rival: lags[1]}
        return at.lemma(RETRIEVAL_MARGIN, values | {angle: of}, THREE_PLACES, premises, why=why)

    row = scope.under(*ASKED.args, *ANOTHER_LETTER.args)
    letter_in = row.given(ASKED.args[4], "Letters are in the alphabet,")
    letter = row.use(letter_in, {k: j}, why="a rival's, too.")
    same = image(row, left, j, a, "The target's own position", "is no rival.")
    apart = row.show(ne(j, a), "So its lag is another one,", same, by=rules.smt())
    values = {key: left(j), step: omega, lag: n - 1 - a, rival: n - 1 - j, angle: of}
    known = row.lemma(
        RETRIEVAL_MARGIN, values, (letter, apart, THREE_PLACES), premises, why="and it is behind,"
    ).parts("(part by part)")
    leads = row.show(le(value, retrieval_gap(of)), "by that at least,", known, by=rules.smt())
    everywhere = leads.for_all(j, why="every rival").for_all(a, query, left(z), why="of every row.")
    values = {key: 0, query: 1, step: omega, lag: n - 2, rival: n - 1, angle: of}
    best = scope.lemma(
        RETRIEVAL_MARGIN, values, THREE_PLACES, premises, why="The letter before the target's"
    ).parts("(part by part)")
    goal = is_smallest(value, *of_retrieval(of))
    row_of_two = Both(
        *(eq(left(0), 0), eq(left(1), 1), ne(left(n - 1), 1)),
        every(k, 0, n - 1, within(left(k), 0, letters - 1)),
    )
    alphabet = scope.under(within(k, 0, n - 1)).show(
        within(indicator(k, 1), 0, letters - 1), "in a row of two letters", premises, by=rules.smt()
    )
    exists = scope.witness(
        Some((left(z),), row_of_two),
        {left: lambda at: indicator(at, 1)},
        (alphabet.for_all(k), THREE_PLACES),
        why="with the target in second place:",
    )
    given = exists.body()
    two_letters = given.given(row_of_two, "in such a row")
    turned = (left(0) - 1) * omega + (n - 1) * of
    angles = given.show(
        eq(turned, (n - 1) * of - omega),
        "the first position is a letter before,",
        two_letters,
        by=rules.smt(),
    )
    cosine = given.rewrite(
        eq(sp.cos(turned), kept(sp.cos, (n - 1) * of - omega)), "(its cosine)", angles
    )
    tie = given.show(
        eq(sp.cos((n - 2) * of) - sp.cos(turned), value),
        "and so far behind.",
        best,
        cosine,
        by=rules.smt(),
    )
    there = given.witness(
        goal.args[1],
        {a: 1, query: 1, left: left, j: 0},
        (tie, two_letters, THREE_PLACES, premises),
        why="So it is attained there,",
    )
    attains = scope.choose(exists, there, "on some row.")
    positive = scope.show(lt(0, value), "It is positive,", best, by=rules.smt())
    return positive, scope.show(goal, "so it is the smallest.", everywhere, attains, by=rules.smt())


def _discrepancy(p: Proof) -> None:
    index = _index_smallest(p), _index_largest(p), _order(p), _attained(p)
    still = p.under(ALPHABET)
    letters_ = still.given(ALPHABET, "With three letters at least")
    _, rests = _retrieval(still, sp.S.Zero, 1 - sp.cos(omega), letters_)
    turning = p.under(ALPHABET, *SLOW.args)
    slow = turning.given(Both(ALPHABET, *SLOW.args), "With a rotation under a letter's step")
    positive, turns = _retrieval(turning, angle, least, slow)
    p.qed("Together.", index, rests, positive, turns, by=rules.smt())


_near = {letters: 8, query: 3, n: 5, a: 1, j: 0} | listed(left, 2, 3, 2, 2, 2)

SEPARATION_DISCREPANCY = prove(
    DISCREPANCY,
    _discrepancy,
    Attack(
        {
            "the largest as the smallest, as printed": If(
                Both(A_QUERY, has_lead(gamma, fall(j - i), ANOTHER)), le(gamma, 2 * sp.pi**2 / n**2)
            ),
            "of order n^-3": le(limit(n), 20 / n**3),
            "one turn leads by more": If(
                Both(A_QUERY, ANOTHER), le(limit(n - 1), fall(j - i, turn))
            ),
            "Retrieval by two letters": If(
                Both(ALPHABET, ASKED, ANOTHER_LETTER),
                le(1 - sp.cos(2 * omega), retrieval_gap(sp.S.Zero)),
            ),
            "with rotation as at rest": If(
                Both(ALPHABET, *SLOW.args, ASKED, ANOTHER_LETTER),
                le(1 - sp.cos(omega), retrieval_gap(angle)),
            ),
        },
        at={
            "the largest as the smallest, as printed": {n: 7, i: 3}
            | {angle: sp.pi / 2 + sp.Rational(1, 100), gamma: sp.Rational(97, 100)},
            "of order n^-3": {n: 10},
            "one turn leads by more": {n: 5, i: 0, j: 1},
            "Retrieval by two letters": _near,
            "with rotation as at rest": _near | {angle: sp.Rational(1, 20)},
        },
        without={THREE_PLACES: {n: 1, letters: 3, angle: 0}},
    ),
)

CLAIMS = (SEPARATION_DISCREPANCY,)
