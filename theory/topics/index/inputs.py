"""The margin of one plane over all inputs: the worst, what attains it, and the best."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.library.trigonometry.turns import TRIG_ROOTS
from ropeproof.theory.topics.index import window
from ropeproof.theory.topics.index.margin import INDEX_MARGIN_UPPER, limit
from ropeproof.theory.topics.index.window import angle, fall, gamma, has_margin, longer

MEANINGS: Meanings = window.MEANINGS

x = real("x")
k = integer("k")
turn = 2 * sp.pi / n

# -- one turn over the length ------------------------------------------------------------

TARGET = Hypothesis("the target is a position", Both(le(0, i), le(i, n - 1)))
OTHER = Hypothesis("the other is a position", Both(le(0, j), le(j, n - 1)))
DIFFERENT = Hypothesis("they differ", ne(j, i))


@theorem(
    "index.margin-attained",
    hypotheses=(TARGET, OTHER, DIFFERENT),
    conclusion=le(limit(n), fall(j - i, turn)),
    attack=Attack(
        {
            "twice": le(2 * limit(n), fall(j - i, turn)),
            "of half the length": le(limit(n / 2), fall(j - i, turn)),
        },
        at={"twice": {n: 5, i: 1, j: 2}, "of half the length": {n: 5, i: 1, j: 2}},
        without={
            TARGET: {n: 3, i: 4, j: 1},
            OTHER: {n: 3, i: 1, j: 4},
            DIFFERENT: {n: 3, i: 1, j: 1},
        },
    ),
)
def INDEX_MARGIN_ATTAINED(p: Proof) -> None:
    r"""One turn over the length attains the best margin

    With $\theta=\frac{2\pi}n$ every target among $n$ positions leads every other by at least
    $1-\cos\frac{2\pi}n$.
    """

    def apart(scope: Scope, steps: Term, why: str) -> Fact:
        return scope.lemma(TRIG_ROOTS.at(r=steps, Q=n), TARGET, OTHER, why=why)

    forward = apart(
        p.under(lt(i, j)),
        j - i,
        "The angle between the two is some n-th parts of a turn, but not 0.",
    )
    backward = apart(
        p.under(lt(j, i)), i - j, "The same holds in the other direction, as the cosine is even."
    )
    p.qed(
        "So every other position has at least the fall of the first part of a turn.",
        (forward, backward, DIFFERENT),
    )


# -- the worst and the best input --------------------------------------------------------

query = Both(le(0, i), le(i, n - 1))
half = sp.floor(n / 2)
everywhere = Every((i,), If(query, has_margin(gamma)))
one_input = Both(*query.args, has_margin(gamma))
worst = If(everywhere, Both(le(gamma, limit(n)), le(gamma, 2 * sp.pi**2 / n**2)))
attained = If(eq(angle, turn), Every((i,), If(query, has_margin(limit(n)))))
best = Every((i,), If(one_input, le(gamma, limit(half + 1))))
TWO = Hypothesis("there are two positions", le(2, n))


def _worst(p: Proof) -> Fact:
    margins = p.given(everywhere, "Suppose that the margin Gamma holds on every input.")
    last = margins.scope.use(
        margins,
        {i: n - 1},
        TWO,
        why="In particular it holds on the input whose query names i = n - 1.",
    )
    bound = margins.scope.lemma(
        INDEX_MARGIN_UPPER.at(i=n - 1, M=n - 1),
        (last, TWO),
        why="There the window reaches n - 1 lags, so the margin is bounded.",
    )
    parabola = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA.at(x=turn),
        why="The fall of an angle is at most half of its square.",
    )
    return p.show(worst, "So the margin is at most both bounds.", bound, parabola)


def _is_attained(p: Proof) -> Fact:
    pair = p.under(query, within(j, 0, n - 1), ne(j, i))
    leads = pair.lemma(
        INDEX_MARGIN_ATTAINED,
        why="At one turn over the length every target leads by at least this fall.",
    )
    same = p.given(eq(angle, turn), "Let the angle be one turn over the length.")
    cosine = same.scope.rewrite(
        eq(sp.cos((j - i) * angle), sp.cos((j - i) * turn)),
        "Then the cosines at theta are those at one turn over the length.",
        same,
    )
    each = same.scope.under(*pair.assuming).show(
        le(limit(n), fall(j - i)),
        "So the target leads the position j by at least this fall.",
        (leads, cosine),
    )
    return each.for_all(j, why="So the target leads every other position of the input.").for_all(
        i, why="So this holds for every target i."
    )


def _best(p: Proof) -> Fact:
    before = p.show(
        Either(le(k, i), le(i + 1, k)), "Either k positions lie before the target or fewer do."
    )
    reached = p.under(le(2 * k, n)).show(
        le(k, longer), "If k is at most half of n, one side of the target has k positions.", before
    )
    side_of_it = p.use(
        reached,
        {k: half},
        TWO,
        why="Half of n, rounded down, is at least 1 as there are two positions. In particular "
        "one side has half of the positions, rounded down.",
    )
    bound = p.under(one_input).apply(
        INDEX_MARGIN_UPPER,
        (side_of_it, TWO),
        why="So the window reaches that far, which bounds the margin.",
    )
    return bound.for_all(i, why="So every margin on a single input is bounded in this way.")


@theorem(
    "index.margin",
    needs="PCTXW",
    hypotheses=(TWO,),
    conclusion=Both(worst, attained, best),
    attack=Attack(
        {
            "worst 19/n^2": If(everywhere, le(gamma, 19 / n**2)),
            "best as the worst": Every((i,), If(one_input, le(gamma, limit(n)))),
        },
        at={
            "worst 19/n^2": {n: 40, angle: sp.pi / 20, gamma: sp.Rational(123, 10000)},
            "best as the worst": {n: 5, angle: 2, gamma: sp.Rational(14, 10)},
        },
        without={TWO: {n: 1, angle: 1, gamma: 1}},
    ),
)
def INDEX_MARGIN(p: Proof) -> None:
    r"""What one plane can index, over all inputs

    For $n\ge2$ positions and one plane of any angle: a margin over **all** inputs is at most
    $1-\cos\frac{2\pi}n\le\frac{2\pi^2}{n^2}$, and $\theta=\frac{2\pi}n$ attains
    $1-\cos\frac{2\pi}n$; the margin of **any** one input is at most
    $1-\cos\frac{2\pi}{\lceil(n+1)/2\rceil}$ (written with $\lfloor n/2\rfloor+1$). On one input the
    margin is $\min_{1\le t\le M}(1-\cos t\theta)$, $M=\max(i,n-1-i)$ (`index.window`).
    """
    p.qed("The three statements together are the claim.", _worst(p), _is_attained(p), _best(p))
