"""Positional and symbolic over all permutations is so over all swaps; a perfect score says less."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.sums.exchange import SUMS_EXCHANGE
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.permutation import AGAIN, INTO, ONTO, THERE, back, forth
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.head import diagonal
from ropeproof.theory.topics.head.diagonal import lengths, u, v, x, y
from ropeproof.theory.topics.head.scores import cosine
from ropeproof.theory.topics.head.table import a

k, p_, z = integer("k p z")
MEANINGS: Meanings = {
    **diagonal.MEANINGS,
    **dict.fromkeys((i, j, p_), "a position"),
    n: "number of positions before the query",
    back: "the inverse permutation",
    forth: "permutation of the positions; of a list, by its number",
    a: "logit of a content (first index) placed at a position (second)",
    k: "a content",
}
part, whole = real("part whole")
PERMUTATION = Both(*(h.formula for h in (INTO, ONTO, THERE, AGAIN)))
pair = Both(*within(k, 0, n - 1).args, *within(p_, 0, n - 1).args)


def _by_content(content: Term, position: Term) -> Term:
    return a(content, position)


def _by_position(content: Term, position: Term) -> Term:
    return a(position, content)


def over_permutations(table: Callable[..., Term]) -> Formula:
    """No permutation changes the entry at a place."""
    unchanged = every(j, 0, n - 1, eq(table(forth(j), j), table(j, j)))
    return Every((forth(z), back(z)), If(PERMUTATION, unchanged))


def over_swaps(table: Callable[..., Term]) -> Formula:
    """No swap changes the entry at one of its places."""
    return Every((k, p_), If(pair, eq(table(k, p_), table(p_, p_))))


def _exchanged(at: Term) -> Term:
    """The place that the swap of k and p gives to a place."""
    return at + (p_ - at) * indicator(at, k) + (k - at) * indicator(at, p_)


by_place = {n: 2, a(0, 0): 0, a(1, 0): 0, a(0, 1): 1, a(1, 1): 1}
constant = every(j, 0, n - 1, eq(a(j, j), a(0, 0)))


@theorem(
    "head.swaps-for-permutations",
    conclusion=iff(over_permutations(_by_content), over_swaps(_by_content)),
    attack=Attack(
        {
            "the diagonal is constant": If(over_swaps(_by_content), constant),
            "rows, too": If(over_swaps(_by_content), over_swaps(_by_position)),
        },
        at={"the diagonal is constant": by_place, "rows, too": by_place},
    ),
)
def HEAD_SWAPS_FOR_PERMUTATIONS(p: Proof) -> None:
    r"""What no swap changes, no permutation changes

    $t_{\pi(j)j}=t_{jj}$ for all permutations $\pi$ of $0,\dots,n-1$ and all $j$, if and only if
    $t_{kp}=t_{pp}$ for all $k,p$.
    """
    places = p.under(pair)
    other = places.under(within(j, 0, n - 1), ne(j, k), ne(j, p_))
    neither = other.show(
        Both(eq(indicator(j, k), 0), eq(indicator(j, p_), 0)),
        "At a third place both indicators are 0.",
    )
    third = other.show(
        eq(_exchanged(j), j), "So the swap of k and p leaves a third place where it is.", neither
    )
    inside, again = places.apply(
        SUMS_EXCHANGE, third.for_all(j), why="So the swap is a permutation and undoes itself."
    ).parts("This is one of the two parts of the lemma.")

    given = p.given(
        over_permutations(_by_content), "Suppose that no permutation changes an entry at its place."
    )
    scope = given.scope.under(pair)
    fixed = scope.use(
        given,
        {forth: _exchanged, back: _exchanged},
        (inside, again),
        why="Then the swap of k and p does not change the entry of a place.",
    )
    at_p = scope.under(within(j, 0, n - 1), eq(j, p_))
    swapped = at_p.use(fixed, why="In particular it does not change the entry of the place p.")
    lands = at_p.show(eq(_exchanged(j), k), "The swap puts k at the place p.")
    entry = at_p.rewrite(
        eq(a(_exchanged(j), j), a(k, j)),
        "So the entry after the swap is the entry of k at p.",
        lands,
    )
    unchanged = at_p.show(
        eq(a(k, j), a(j, j)), "So the entry of k at p is the entry of p at p.", swapped, entry
    )
    there = scope.use(unchanged.for_all(j), {j: p_}, why="This holds at the place p itself.")
    all_swaps = there.for_all(k, p_, why="So no swap changes the entry of a place.")
    held = p.given(
        over_swaps(_by_content),
        "Conversely, suppose that no swap changes an entry at one of its places.",
    )
    row = held.scope.under(PERMUTATION, within(j, 0, n - 1))
    everywhere = row.use(
        held,
        {k: forth(j), p_: j},
        why="The permutation maps the places into the places. A permutation takes a place to a "
        "place. So the entry of the content that comes to j is the entry of j at j.",
    ).for_all(j, why="This holds at every place j.")
    all_permutations = everywhere.for_all(
        forth(z), back(z), why="This holds for every permutation."
    )
    p.qed(
        "So permutations change nothing if and only if swaps change nothing.",
        (all_swaps, all_permutations),
    )


@theorem(
    "head.swaps-suffice",
    source=HEADS.at("appendix D (restricting to swaps is no loss of generality)"),
    conclusion=Both(
        iff(over_permutations(_by_content), over_swaps(_by_content)),
        iff(over_permutations(_by_position), over_swaps(_by_position)),
    ),
    attack=Attack(
        {
            "positional is symbolic": If(over_swaps(_by_content), over_swaps(_by_position)),
            "positional is constant": If(over_swaps(_by_content), constant),
        },
        at={"positional is symbolic": by_place, "positional is constant": by_place},
    ),
)
def HEAD_SWAPS_SUFFICE(p: Proof) -> None:
    r"""A head that no swap shows to be other is positional, or symbolic

    A head acts positionally on an input, $a_{\pi(j)j}=a_{jj}$ for all permutations $\pi$ of the
    contents, if and only if it does for all swaps, that is if $a_{kp}=a_{pp}$ for all $k,p$; and
    symbolically, $a_{j\pi(j)}=a_{jj}$ for all $\pi$, if and only if $a_{pk}=a_{pp}$.
    """
    positional = p.lemma(
        HEAD_SWAPS_FOR_PERMUTATIONS, why="Swaps suffice for the contents at a position."
    )
    symbolic = p.lemma(
        HEAD_SWAPS_FOR_PERMUTATIONS.at(a=_by_position),
        why="Swaps suffice for the positions of a content, with the table transposed.",
    )
    p.qed("So swaps suffice for positional and for symbolic heads.", (positional, symbolic))


# -- a perfect score ------------------------------------------------------------------------

after = sp.exp(a(j, i)), sp.exp(a(i, j))
before = sp.exp(a(i, i)), sp.exp(a(j, j))
stays, moves_along = eq(cosine(*after, *before), 1), eq(cosine(*after, *before[::-1]), 1)


PLANE = (
    Hypothesis("the one vector is positive", Both(lt(0, u), lt(0, v))),
    Hypothesis("so is the other", Both(lt(0, x), lt(0, y))),
)


@theorem(
    "head.cosine-one",
    hypotheses=PLANE,
    conclusion=iff(eq(cosine(u, v, x, y), 1), eq(u * y, v * x)),
    example=where({u: 3, v: 4, x: 3, y: 4}),
    attack=Attack(
        {
            "equal lengths": iff(eq(cosine(u, v, x, y), 1), eq(u**2 + v**2, x**2 + y**2)),
            "perpendicular": iff(eq(cosine(u, v, x, y), 1), eq(u * x, -v * y)),
        },
        # Lengths that are fractions, so that a cosine of exactly 1 is seen to be 1.
        at={"equal lengths": {u: 3, v: 4, x: 6, y: 8}, "perpendicular": {u: 3, v: 4, x: 3, y: 4}},
        without={PLANE[0]: {u: -1, v: -1, x: 1, y: 1}, PLANE[1]: {u: 1, v: 1, x: -1, y: -1}},
    ),
)
def HEAD_COSINE_ONE(p: Proof) -> None:
    """The cosine of two positive vectors is 1 if and only if they are parallel

    For $u,v,x,y>0$ the cosine of $(u,v)$ and $(x,y)$ is 1 if and only if $uy=vx$.
    """
    first = lengths(
        p, u, v, "The length of (u, v) is positive, and its square is u^2 + v^2.", *PLANE
    )
    second = lengths(
        p, x, y, "The length of (x, y) is positive, and its square is x^2 + y^2.", *PLANE
    )
    product = sp.sqrt(u**2 + v**2) * sp.sqrt(x**2 + y**2)
    inner = u * x + v * y
    cross = p.show(
        eq(inner**2 + (u * y - v * x) ** 2, (u**2 + v**2) * (x**2 + y**2)),
        "By Lagrange's identity (ux + vy)^2 + (uy - vx)^2 is the product of the squared lengths.",
    )
    squares = p.show(
        Both(
            eq(kept(sp.Pow, product, 2), (u**2 + v**2) * (x**2 + y**2)),
            lt(0, product),
            lt(0, inner),
        ),
        "The product of the lengths and the inner product are positive.",
        (first, second, PLANE),
    )
    root = p.show(
        iff(eq(inner, product), eq(u * y, v * x)),
        "So the inner product is the product of lengths exactly if uy = vx.",
        (cross, squares),
    )
    share = p.under(lt(0, whole)).show(
        iff(eq(part / whole, 1), eq(part, whole)),
        "A quotient with positive denominator is 1 exactly if both numbers are equal.",
    )
    one = p.use(
        share,
        {part: inner, whole: product},
        squares,
        why="So the cosine is 1 exactly if the inner product is the product of lengths.",
    )
    p.qed("So the cosine is 1 exactly if uy = vx.", root, one)


low = {i: 0, j: 1, a(0, 0): 0, a(1, 1): 0, a(0, 1): 5, a(1, 0): 0}
high = {**low, a(0, 1): 0, a(1, 0): 5}


@theorem(
    "head.perfect-score",
    needs="PTX",
    example=(Every((x, y), eq(a(x, y), 0)),),
    conclusion=Both(
        iff(stays, eq(a(j, i) - a(i, j), a(i, i) - a(j, j))),
        iff(moves_along, eq(a(j, i) - a(i, j), a(j, j) - a(i, i))),
    ),
    attack=Attack(
        {
            "positional": iff(stays, eq(a(j, i), a(i, i))),
            "symbolic": iff(moves_along, eq(a(i, j), a(i, i))),
        },
        at={"positional": low, "symbolic": high},
    ),
)
def HEAD_PERFECT_SCORE(p: Proof) -> None:
    """What a perfect score of a swap says of the logits

    For the swap of $i,j$ the cosine of the positional score is 1 if and only if
    $a_{ji}-a_{ij}=a_{ii}-a_{jj}$, that of the symbolic score if and only if
    $a_{ji}-a_{ij}=a_{jj}-a_{ii}$: one equation, where a positional head has $a_{ji}=a_{ii}$ and
    $a_{ij}=a_{jj}$.
    """
    positive = [
        p.show(lt(0, term), "The exponential of a logit is positive.") for term in (*after, *before)
    ]

    def parallel(first: Term, second: Term, low: Term, high: Term) -> Fact:
        """The equation of products of exponentials is one of sums."""
        values = {
            "u": sp.exp(a(j, i)),
            "v": sp.exp(a(i, j)),
            "x": sp.exp(first),
            "y": sp.exp(second),
        }
        one = p.lemma(
            HEAD_COSINE_ONE.at(**values),
            positive,
            why="So the cosine is 1 exactly if the two vectors are parallel.",
        )
        up = exponentials(
            p.under(lt(low, high)),
            low,
            high,
            "If the one sum of logits is less, so is its exponential.",
            strict=True,
        )
        down = exponentials(
            p.under(lt(high, low)),
            high,
            low,
            "If the one sum of logits is larger, so is its exponential.",
            strict=True,
        )
        same = p.given(eq(low, high), "Suppose that the two sums of logits are equal.")
        equal = same.image(sp.exp, "Then their exponentials are equal.")
        goal = iff(
            eq(cosine(*after, sp.exp(first), sp.exp(second)), 1),
            eq(a(j, i) - a(i, j), first - second),
        )
        return p.show(
            goal,
            "The exponential of a sum is the product of the exponentials. So the vectors are "
            "parallel exactly if the two sums of logits are equal.",
            (one, up, down, equal),
        )

    first = parallel(a(i, i), a(j, j), a(j, i) + a(j, j), a(i, j) + a(i, i))
    second = parallel(a(j, j), a(i, i), a(j, i) + a(i, i), a(i, j) + a(j, j))
    p.qed("This holds for the positional score and for the symbolic score.", (first, second))
