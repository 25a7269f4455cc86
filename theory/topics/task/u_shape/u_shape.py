"""Where the two constructions weigh their target most: at the ends, and in the middle."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.task.u_shape import u_shape_index
from ropeproof.theory.topics.task.u_shape.u_shape_index import (
    LESS,
    POSITIVE,
    SCALE,
    TASK_U_SHAPE_INDEX,
    beta,
    index_weight,
    mass,
    theta,
)
from ropeproof.theory.topics.task.u_shape.u_shape_symbol import TASK_U_SHAPE_SYMBOL, symbol_weight

h, k, middle = integer("h k m")
MEANINGS: Meanings = {**u_shape_index.MEANINGS, k: "location of the target", middle: "the middle"}
first, last = index_weight(sp.Integer(0)), index_weight(n - 1)
best = symbol_weight(middle)
ends = every(k, 1, n - 2, lt(index_weight(k), first))
centre = every(k, 0, n - 1, le(symbol_weight(k), best))

THREE = Hypothesis("at least three locations", le(3, n))
MIDDLE = Hypothesis("m is in the middle", Both(le(n - 1, 2 * middle), le(2 * middle, n + 1)))


def _ends(p: Proof) -> tuple[Fact, Fact]:
    """The index construction's weight is least between the ends, which agree."""

    def below(at: Term) -> Formula:
        return If(le(2 * at, n - 1), lt(index_weight(at), first))

    why = "Before the middle the weight of the index construction falls."
    falls, before = (
        lt(index_weight(h + 1), index_weight(h)),
        p.under(le(0, h), le(2 * h + 2, n - 1)),
    )
    fall = before.apply(TASK_U_SHAPE_INDEX, SCALE, POSITIVE, LESS, why=why, goal=falls)
    from_first = p.use(
        fall, {h: 0}, THREE, why="In particular it falls from the first location to the second."
    )
    start = p.show(
        below(sp.Integer(1)),
        "So the weight at the second location is less than at the first.",
        from_first,
    )
    further = p.under(le(1, h), below(h)).show(
        below(h + 1),
        "If the weight is less than at the first location, it is so one step further.",
        fall,
    )
    always = p.under(le(1, h)).induction(
        below(h),
        h,
        1,
        start,
        further,
        why="By induction it is less than at the first location up to the middle.",
    )
    turned = p.reindex(mass(n - 1 - k), "Sum over the positions from the other end.")
    mirrored = p.rewrite(
        eq(index_weight(n - 1 - k), index_weight(k)),
        "The cosine is even, so the normaliser is the same from both ends. So the weight at "
        "a location is the weight at its mirror image.",
        turned,
    )
    far = p.under(le(k, n - 2), lt(n - 1, 2 * k))
    near = p.under(le(1, k), le(2 * k, n - 1)).use(
        always, {h: k}, why="Up to the middle the weight is less than at the first location."
    )
    from_end = far.use(
        always,
        {h: n - 1 - k},
        why="At the mirror image, up to the middle, it is less than at the first location.",
    )
    beyond = far.show(
        lt(index_weight(k), first),
        "So beyond the middle the weight is less than at the first location.",
        (from_end, mirrored),
    )
    between = p.under(within(k, 1, n - 2)).show(
        lt(index_weight(k), first),
        "So between the ends the weight is less than at the first location.",
        (near, beyond),
    )
    all_between = between.for_all(
        k, why="The location was arbitrary, so this holds between the ends."
    )
    return all_between, p.use(mirrored, {k: 0}, why="The weights at the two ends are equal.")


def _not_above(
    p: Proof, place: Callable[..., Term], inside: Callable[..., Formula], step: Fact
) -> Fact:
    """Going from the middle in one direction, the symbolic construction's weight never grows."""

    def law(steps: Term) -> Formula:
        return If(inside(steps), le(symbol_weight(place(steps)), best))

    start = p.show(kept_at(law(h), h, 0), "The weight in the middle is at most itself.")
    following = p.under(le(0, h), law(h)).show(
        law(h + 1), "If it is at most the middle's, it is so one step further.", step
    )
    return p.under(le(0, h)).induction(
        law(h),
        h,
        0,
        start,
        following,
        why="By induction it is at most the middle's at any distance on this side.",
    )


def _centre(p: Proof) -> Fact:
    """The symbolic construction's weight is largest in the middle."""
    lower, upper = middle - h - 1, middle + h
    known = (SCALE, THREE, MIDDLE)
    why = "The weight of the symbolic construction rises up to the middle."
    rises = le(symbol_weight(lower), symbol_weight(lower + 1))
    before = p.under(le(0, h), le(h + 1, middle))
    rise = before.lemma(TASK_U_SHAPE_SYMBOL.at(ell=lower), known, why=why, goal=rises)
    drops = le(symbol_weight(upper + 1), symbol_weight(upper))
    after, why = (
        p.under(le(0, h), le(upper + 1, n - 1)),
        "The weight of the symbolic construction falls beyond the middle.",
    )
    drop = after.lemma(TASK_U_SHAPE_SYMBOL.at(ell=upper), known, why=why, goal=drops)
    left = _not_above(p, lambda steps: middle - steps, lambda steps: le(steps, middle), rise)
    right = _not_above(
        p, lambda steps: middle + steps, lambda steps: le(middle + steps, n - 1), drop
    )
    on_left = p.under(within(k, 0, middle)).use(
        left, {h: middle - k}, why="So no location on the left has more weight than the middle."
    )
    on_right = p.under(lt(middle, k), le(k, n - 1)).use(
        right, {h: k - middle}, why="So no location on the right has more weight than the middle."
    )
    nowhere = p.under(within(k, 0, n - 1)).show(
        le(symbol_weight(k), best),
        "So no location has more weight than the middle.",
        (on_left, on_right),
    )
    return nowhere.for_all(k, why="The location was arbitrary, so this holds at every location.")


@theorem(
    "task.u-shape",
    source=DECOUPLE.at("section 5, Theorem 7", "own"),
    needs="PTX",
    hypotheses=(SCALE, POSITIVE, LESS, THREE, MIDDLE),
    conclusion=Both(ends, eq(last, first), centre),
    attack=Attack(
        {
            "more in the middle": every(k, 1, n - 2, lt(first, index_weight(k))),
            "most at the second location": every(
                k, 0, n - 1, le(symbol_weight(k), symbol_weight(sp.Integer(1)))
            ),
            "least in the middle": every(k, 0, n - 1, le(best, symbol_weight(k))),
        },
        at={"most at the second location": {n: 5}},
        without={
            SCALE: {n: 4, theta: 1, beta: -1},
            POSITIVE: {n: 3, theta: -3, beta: 1},
            LESS: {n: 4, theta: sp.Rational(9, 5), beta: 1},
            MIDDLE: {n: 5, middle: 0, beta: 1},
        },
    ),
)
def TASK_U_SHAPE(p: Proof) -> None:
    r"""Lost in the middle, or found there

    For $n\ge3$ and a scale $\beta>0$ the index construction with $0<\theta<2\pi/n$ gives its target
    the same weight at both ends and less at every other location; the simplified symbolic
    construction gives it most in the middle, at $m$ with $|2m-n|\le1$.
    """
    p.qed("These statements together are the claim.", _ends(p), _centre(p))
