"""The discrepancy of Index falls as the squared length, that of Retrieval at rest not at all."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums import permutation
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.library.trigonometry.jordan import TRIG_COSINE_BELOW_PARABOLA
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.head import discrepancy
from ropeproof.theory.topics.index import inputs, window
from ropeproof.theory.topics.index.margin import limit
from ropeproof.theory.topics.index.window import angle
from ropeproof.theory.topics.retrieval import construction, feasible, margin
from ropeproof.theory.topics.retrieval.feasible import a, left
from ropeproof.theory.topics.retrieval.margin import THREE_PLACES
from ropeproof.theory.topics.slash.cone import inequalities

MEANINGS: Meanings = {
    **feasible.MEANINGS,
    discrepancy.largest: "largest discrepancy over the inputs",
    discrepancy.smallest: "smallest discrepancy over the inputs",
}

k, z = integer("k z")
omega = 2 * sp.pi / construction.letters

# -- the discrepancy of the two constructions ----------------------------------------------

A_QUERY = within(i, 0, n - 1)
ANOTHER = Both(le(0, j), le(j, n - 1), ne(j, i))
ASKED = Both(
    *(*within(a, 0, n - 1).args, *within(construction.query, 0, construction.letters - 1).args),
    every(k, 0, n - 1, within(left(k), 0, construction.letters - 1)),
    *(eq(left(a), construction.query), ne(left(n - 1), construction.query)),
)
ANOTHER_LETTER = Both(le(0, j), le(j, n - 1), ne(left(j), construction.query))


def of_index(of: Term) -> tuple[tuple[Term], Formula, Term, Formula]:
    """Inputs, leads and rivals of the index construction at an angle: all other positions."""
    return (i,), A_QUERY, window.fall(j - i, of), ANOTHER


def retrieval_gap(of: Term | int) -> Term:
    """How far the target a leads position j at an angle."""
    turned = (left(j) - construction.query) * omega + (n - 1 - j) * of
    return sp.cos((n - 1 - a) * of) - sp.cos(turned)


def of_retrieval(of: Term | int) -> tuple[tuple[Term, Term, Term], Formula, Term, Formula]:
    """Inputs, leads and rivals of the retrieval construction: positions with another left letter."""
    return (a, construction.query, left(z)), ASKED, retrieval_gap(of), ANOTHER_LETTER


least = margin.worst().xreplace({construction.step: omega})
ALPHABET, SLOW = le(3, construction.letters), Both(le(0, angle), lt((2 * n - 3) * angle, omega))
index_smallest = Some(
    (discrepancy.smallest,),
    Both(
        discrepancy.is_smallest(discrepancy.smallest, *of_index(angle)),
        le(discrepancy.smallest, limit(n)),
    ),
)
index_largest = Some(
    (discrepancy.largest,),
    Both(
        discrepancy.is_largest(discrepancy.largest, *of_index(angle)),
        le(discrepancy.largest, 8 * sp.pi**2 / (n + 1) ** 2),
    ),
)
order = Both(le(8 / n**2, limit(n)), le(limit(n), 2 * sp.pi**2 / n**2))
attained = discrepancy.is_smallest(limit(n), *of_index(inputs.turn))
at_rest = If(ALPHABET, discrepancy.is_smallest(1 - sp.cos(omega), *of_retrieval(sp.S.Zero)))
rotating = If(
    Both(ALPHABET, *SLOW.args),
    Both(lt(0, least), discrepancy.is_smallest(least, *of_retrieval(angle))),
)


# -- Index -----------------------------------------------------------------------------------


def _lowest(p: Proof, count: Term, why: str, *premises: Premise) -> tuple[Fact, Fact]:
    """Among the first lags one has the least fall: it exists; at k + 1, say."""
    exists = p.lemma(
        permutation.SUMS_LOWEST.at(n=count, f=lambda at: window.fall(at + 1)), premises, why=why
    )
    return exists, exists.body().given(exists.formula.args[1].args[2], "Let this lag be k + 1.")


def _leads(scope: Scope, known: Fact, at: Term, *premises: Premise) -> Fact:
    """The target leads the positions on both sides of it by the least fall of their lags."""
    row = scope.under(*ANOTHER.xreplace({i: at}).args)
    after = row.under(lt(at, j)).use(
        known, {j: j - at - 1}, premises, why="A position after the target falls at least as much."
    )
    before = row.under(lt(j, at)).use(
        known, {j: at - j - 1}, premises, why="A position before the target falls at least as much."
    )
    return row.show(
        le(window.fall(permutation.k + 1), window.fall(j - at)),
        "In both cases the position falls at least as much, as the cosine is even.",
        (after, before),
    ).for_all(j, why="The position was arbitrary, so all positions fall at least as much.")


def _index_smallest(p: Proof) -> Fact:
    exists, known = _lowest(
        p, n - 1, "Among the lags below n one has the least fall.", THREE_PLACES
    )
    found, value = known.scope, window.fall(permutation.k + 1)
    leads = _leads(found.under(A_QUERY), known, i).for_all(
        i, why="So the target leads by this fall on every input."
    )
    bounds = found.lemma(
        inputs.INDEX_MARGIN.at(Gamma=value),
        THREE_PLACES,
        why="A lead on every input is bounded by the margin of Index.",
    ).parts("This is one part of the previous statement.")
    bound = found.show(
        le(value, limit(n)),
        "So the least fall is at most that of one turn over the length.",
        (bounds[0], leads),
    )
    there = found.witness(
        Some((i, j), Both(A_QUERY, ANOTHER, eq(window.fall(j - i), value))),
        {i: 0, j: permutation.k + 1},
        THREE_PLACES,
        why="The query 0 and the position k + 1 have exactly this difference.",
    )
    smallest_one = found.witness(
        index_smallest,
        {discrepancy.smallest: value},
        (leads, there, bound),
        why="So the least fall is the smallest discrepancy.",
    )
    return p.choose(exists, smallest_one, "Such a lag exists, so there is a smallest discrepancy.")


def _index_largest(p: Proof) -> Fact:
    sides = p.show(
        Both(
            le(inputs.half, n / 2),
            lt(n / 2, inputs.half + 1),
            le(1, inputs.half),
            le(inputs.half, n - 1),
        ),
        "Half of n, rounded down, is at least 1 and at most n - 1.",
        THREE_PLACES,
    )
    exists, known = _lowest(
        p, inputs.half, "Among the lags up to half of n one has the least fall.", sides
    )
    found, value = known.scope, window.fall(permutation.k + 1)
    leads = _leads(found, known, inputs.half, sides)
    bounds = found.lemma(
        inputs.INDEX_MARGIN.at(Gamma=value),
        THREE_PLACES,
        why="A lead on one input is bounded by the margin of Index.",
    ).parts("This is one part of the previous statement.")
    bound = found.use(
        bounds[2],
        {i: inputs.half},
        (leads, sides),
        why="In particular the lead of the middle query is bounded.",
    )
    here = found.witness(
        Some((i,), Both(A_QUERY, discrepancy.has_lead(value, window.fall(j - i), ANOTHER))),
        {i: inputs.half},
        (leads, sides),
        why="So the least fall of these lags is a lead on one input.",
    )
    some_rival = Some((j,), Both(ANOTHER, le(window.fall(j - i), value)))
    a_query = found.under(A_QUERY)
    ahead = a_query.under(le(i + permutation.k + 1, n - 1)).witness(
        some_rival,
        {j: i + permutation.k + 1},
        why="If the position i + k + 1 is in the row, it falls by no more.",
    )
    far = a_query.under(lt(n - 1, i + permutation.k + 1))
    even = far.show(
        eq(window.fall(i - permutation.k - 1 - i), value),
        "The cosine is even, so both directions fall alike.",
    )
    behind = far.witness(
        some_rival,
        {j: i - permutation.k - 1},
        (even, sides),
        why="If the position i - k - 1 is in the row, it falls by no more.",
    )
    no_more = a_query.show(
        some_rival, "At least one of these two positions is in the row.", (ahead, behind)
    ).for_all(i, why="The query was arbitrary, so every query has such a position.")
    part, share = 1 / (inputs.half + 1), 1 / (n + 1)
    below = p.show(
        lt(n, 2 * inputs.half + 2), "Half of n is less than its integer part plus 1.", sides
    )
    whole = p.show(
        le(n + 1, 2 * inputs.half + 2),
        "Both sides are integers, so the lesser is less by 1.",
        below,
    )
    squares = p.show(
        le(part**2, 4 * share**2),
        "Half of n, rounded down, plus 1 is at least half of n + 1. Square this bound of the "
        "inverses.",
        (whole, sides),
    )
    parabola = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA.at(x=2 * sp.pi / (inputs.half + 1)),
        why="The fall of an angle is at most half of its square.",
    )
    less = p.show(
        le(limit(inputs.half + 1), 8 * sp.pi**2 / (n + 1) ** 2),
        "So the fall of this part of a turn is at most 8 pi^2 over (n + 1)^2.",
        (parabola, squares),
    )
    at_most = found.show(
        index_largest.args[1].args[1].xreplace({discrepancy.largest: value}),
        "So the lead is at most 8 pi^2 over (n + 1)^2.",
        (bound, less),
    )
    largest_one = found.witness(
        index_largest,
        {discrepancy.largest: value},
        (here, no_more, at_most),
        why="So the least fall of these lags is the largest discrepancy.",
    )
    return p.choose(exists, largest_one, "Such a lag exists, so there is a largest discrepancy.")


def _order(p: Proof) -> Fact:
    """The best worst case is of order n^-2."""
    above = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA.at(x=inputs.turn),
        why="The fall of an angle is at most half of its square.",
    )
    half_turn = p.show(
        within(inputs.turn, -sp.pi, sp.pi),
        "An n-th part of a turn is at most half a turn.",
        THREE_PLACES,
    )
    below = p.apply(
        TRIG_COSINE_BELOW_PARABOLA,
        half_turn,
        why="Within half a turn the fall is at least a parabola.",
    )
    positive = p.show(lt(0, sp.pi**2), "The square of pi is positive.")
    values = {"x": 8 / n**2, "y": limit(n), "t": sp.pi**2}
    at_least = p.lemma(
        inequalities.SLASH_CANCEL.at(**values),
        (below, positive, THREE_PLACES),
        why="Divide by pi^2, which is positive.",
    )
    return p.show(
        order,
        "So the fall of an n-th part of a turn is of the order n^-2.",
        (above, at_least, THREE_PLACES),
    )


def _attained(p: Proof) -> Fact:
    pair = p.under(*A_QUERY.args, *ANOTHER.args)
    leads = pair.lemma(
        inputs.INDEX_MARGIN_ATTAINED,
        why="With one turn over the length every target leads by at least this fall.",
    )
    everywhere = leads.for_all(
        j, why="The position was arbitrary, so the target leads every other position."
    ).for_all(i, why="The target was arbitrary, so this holds on every input.")
    there = p.witness(
        attained.args[1],
        {i: 0, j: 1},
        THREE_PLACES,
        why="The first query leads its neighbour by exactly this fall.",
    )
    return p.show(
        attained, "So this fall is the smallest discrepancy at this angle.", (everywhere, there)
    )


# -- Retrieval -------------------------------------------------------------------------------


def _retrieval(scope: Scope, of: Term | int, value: Term, *premises: Premise) -> tuple[Fact, Fact]:
    """The value is positive, and the smallest discrepancy at an angle."""

    row = scope.under(*ASKED.args, *ANOTHER_LETTER.args)
    letter_in = row.given(ASKED.args[4], "All letters are in the alphabet, by hypothesis.")
    letter = row.use(letter_in, {k: j}, why="In particular the rival's letter is in the alphabet.")
    same = permutation.image(
        row,
        left,
        j,
        a,
        "Consider the target's own position, j = a.",
        "Then its letter is the target's.",
    )
    apart = row.show(
        ne(j, a), "As the rival's letter is another one, it is not at the target's position.", same
    )
    values = {"phi": left(j), "omega": omega, "t": n - 1 - a, "u": n - 1 - j, "theta": of}
    known = row.lemma(
        margin.RETRIEVAL_MARGIN.at(**values),
        (letter, apart, THREE_PLACES, premises),
        why="So the rival falls by at least the margin of Retrieval.",
    ).parts("This is one part of the previous statement.")
    leads = row.show(
        le(value, retrieval_gap(of)), "So the rival falls by at least this difference.", known
    )
    everywhere = leads.for_all(
        j, why="The position was arbitrary, so every rival falls by at least as much."
    ).for_all(
        a, construction.query, left(z), why="The row was arbitrary, so this holds in every row."
    )
    values = {**{"phi": 0, "psi": 1, "omega": omega}, **{"t": n - 2, "u": n - 1, "theta": of}}
    best = scope.lemma(
        margin.RETRIEVAL_MARGIN.at(**values),
        (THREE_PLACES, premises),
        why="The letter before the target's attains the margin of Retrieval.",
    ).parts("This is one part of the previous statement.")
    goal = discrepancy.is_smallest(value, *of_retrieval(of))
    row_of_two = Both(
        *(eq(left(0), 0), eq(left(1), 1), ne(left(n - 1), 1)),
        every(k, 0, n - 1, within(left(k), 0, construction.letters - 1)),
    )
    alphabet = scope.under(within(k, 0, n - 1)).show(
        within(indicator(k, 1), 0, construction.letters - 1),
        "An indicator is 0 or 1, so it is a letter of the alphabet.",
        premises,
    )
    exists = scope.witness(
        Some((left(z),), row_of_two),
        {left: lambda at: indicator(at, 1)},
        (alphabet.for_all(k), THREE_PLACES),
        why="So there is a row of the letters 0 and 1 with 1 in second place alone.",
    )
    given = exists.body()
    two_letters = given.given(row_of_two, "Let phi be a row of this kind.")
    turned = (left(0) - 1) * omega + (n - 1) * of
    angles = given.show(
        eq(turned, (n - 1) * of - omega),
        "The first position of this row has the letter before the target's.",
        two_letters,
    )
    cosine = given.rewrite(
        eq(sp.cos(turned), kept(sp.cos, (n - 1) * of - omega)),
        "So its cosine is that of minus one step.",
        angles,
    )
    tie = given.show(
        eq(sp.cos((n - 2) * of) - sp.cos(turned), value),
        "So it falls by exactly the least difference.",
        (best, cosine),
    )
    there = given.witness(
        goal.args[1],
        {a: 1, construction.query: 1, left: left, j: 0},
        (tie, two_letters, THREE_PLACES, premises),
        why="So there are a row and a position that attain this difference.",
    )
    attains = scope.choose(
        exists, there, "Such a row exists, and the conclusion does not depend on it."
    )
    positive = scope.show(
        lt(0, value), "The difference is positive, as the margin of Retrieval is.", best
    )
    return positive, scope.show(
        goal,
        "It is a lower bound and attained, so it is the smallest discrepancy.",
        (everywhere, attains),
    )


_near = {construction.letters: 8, construction.query: 3, n: 5, a: 1, j: 0} | listed(
    left, 2, 3, 2, 2, 2
)


@theorem(
    "separation.discrepancy",
    source=HEADS.at("section 3.5, Theorem 3.2 and Remark 3.2", "repaired"),
    needs="PCTX",
    hypotheses=(THREE_PLACES,),
    conclusion=Both(index_smallest, index_largest, order, attained, at_rest, rotating),
    attack=Attack(
        {
            "the largest as the smallest, as printed": If(
                Both(A_QUERY, discrepancy.has_lead(window.gamma, window.fall(j - i), ANOTHER)),
                le(window.gamma, 2 * sp.pi**2 / n**2),
            ),
            "of order n^-3": le(limit(n), 20 / n**3),
            "one turn leads by more": If(
                Both(A_QUERY, ANOTHER), le(limit(n - 1), window.fall(j - i, inputs.turn))
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
            | {angle: sp.pi / 2 + sp.Rational(1, 100), window.gamma: sp.Rational(97, 100)},
            "of order n^-3": {n: 10},
            "one turn leads by more": {n: 5, i: 0, j: 1},
            "Retrieval by two letters": _near,
            "with rotation as at rest": _near | {angle: sp.Rational(1, 20)},
        },
        without={THREE_PLACES: {n: 1, construction.letters: 3, angle: 0}},
    ),
)
def SEPARATION_DISCREPANCY(p: Proof) -> None:
    r"""Index loses its discrepancy as n⁻², Retrieval without rotation keeps it

    For $n\ge3$, with one plane of any angle $\theta$: the smallest discrepancy (`head.discrepancy`)
    of the index construction over its inputs of length $n$, the integer queries $0\le i<n$, is at
    most $1-\cos\frac{2\pi}n$, which $\theta=\frac{2\pi}n$ attains and which is of order $n^{-2}$:
    $\frac8{n^2}\le1-\cos\frac{2\pi}n\le\frac{2\pi^2}{n^2}$. The largest, the paper's discrepancy,
    is at most $\frac{8\pi^2}{(n+1)^2}$. For $r\ge3$ letters the smallest discrepancy of the
    retrieval construction, over all rows and queries $(x,y)$, $y\ne x$, with a target of left
    letter $y$ and rivals of other left letters, is exactly $1-\cos\omega$, $\omega=\frac{2\pi}r$,
    for every $n$ at $\theta=0$, and $2\sin\frac{\omega-\theta}2\sin\frac{\omega-(2n-3)\theta}2>0$
    for $0\le(2n-3)\theta<\omega$.
    """
    index = _index_smallest(p), _index_largest(p), _order(p), _attained(p)
    still = p.under(ALPHABET)
    letters_ = still.given(ALPHABET, "Suppose that there are at least three letters.")
    _, rests = _retrieval(still, sp.S.Zero, 1 - sp.cos(omega), letters_)
    turning = p.under(ALPHABET, *SLOW.args)
    slow = turning.given(
        Both(ALPHABET, *SLOW.args), "Suppose that the rotation stays under a step of the letters."
    )
    positive, turns = _retrieval(turning, angle, least, slow)
    p.qed("All these statements together are the claim.", (index, rests, positive, turns))
