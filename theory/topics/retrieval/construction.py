"""The retrieval construction: letters on a circle, keys by left and queries by right letters."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, n, over_planes, s, theta
from ropeproof.theory.library.trigonometry.turns import TRIG_COSINE_BAND
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.index import construction
from ropeproof.theory.topics.index.construction import turned, v_x, v_y
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

key, query, letters = integer("phi psi r")
angle, step, v, h, x, y = real("theta omega v h x y")
MEANINGS: Meanings = {
    **construction.MEANINGS,
    key: "place of the token's left letter in its alphabet",
    query: "place of the letter asked for",
    letters: "number of letters",
    step: "angle between neighbouring letters",
    v: "an angle of rotation",
    h: "the largest such angle",
}
LETTERS = Hypothesis("the letters are spaced evenly", eq(step, 2 * sp.pi / letters))
IN_RANGE = Hypothesis(
    "both letters are in the alphabet",
    Both(*within(key, 0, letters - 1).args, *within(query, 0, letters - 1).args),
)
OTHER = Hypothesis("they are different letters", ne(key, query))


def apart(first: Term | int, second: Term | int, rotation: Term) -> Term:
    """The logit of a key's letter for a query's, with the lag's rotation in radians."""
    return sp.cos((first - second) * step + rotation)


# -- the logit ---------------------------------------------------------------------------

logit = bilinear(*turned(query * step), *turned(key * step), n - j)


def _cosine(first: Term, second: Term) -> Term:
    size = v_x(l) ** 2 + v_y(l) ** 2
    return over_planes(s * size * sp.cos((first - second) * step + theta(l) * (n - j)))


@theorem(
    "retrieval.logit",
    source=HEADS.at("appendix F.2.2, retrieval construction", "repaired"),
    needs="PTW",
    conclusion=eq(logit, _cosine(key, query)),
    attack=Attack(
        {
            "letters exchanged": eq(logit, _cosine(query, key)),
            "without letters": eq(logit, _cosine(key, key)),
        }
    ),
)
def RETRIEVAL_LOGIT(p: Proof) -> None:
    r"""The logit of the retrieval construction

    With key $\rho(\omega)^{-\phi(\mathrm{left})}v$ and query
    $\rho(\omega)^{-\phi(\mathrm{right})}v$, the logit at position $j$ from position $n$ is
    $s\sum_l|v_l|^2\cos((\phi_j-\phi_{\rm query})\omega+(n-j)\theta_l)$.
    """
    p.qed("The difference of the letters adds to the lag's angle.")


# -- another letter is a step away -------------------------------------------------------

ROTATION = Hypothesis("the rotation is at most h", Both(le(0, v), le(v, h)))
SLOW = Hypothesis("h is at most a step", le(h, step))


at = {letters: 8, query: 2, v: 0, h: 0}


@theorem(
    "retrieval.gap",
    hypotheses=(LETTERS, IN_RANGE, OTHER, ROTATION, SLOW),
    conclusion=le(apart(key, query, v), sp.cos(step - h)),
    attack=Attack(
        {
            "a whole step": le(apart(key, query, v), sp.cos(step)),
            "two steps": le(apart(key, query, v), sp.cos(2 * step - h)),
        },
        at={
            "a whole step": {
                letters: 8,
                query: 2,
                key: 1,
                v: sp.Rational(1, 2),
                h: sp.Rational(1, 2),
            },
            "two steps": at | {key: 3},
        },
        without={
            LETTERS: at | {key: 3, step: 2 * sp.pi},
            IN_RANGE: at | {key: 10},
            OTHER: at | {key: 2},
            ROTATION: {letters: 8, query: 2, key: 1, v: sp.pi / 4, h: 0},
            SLOW: {letters: 8, query: 2, key: 1, v: sp.pi / 4, h: 3},
        },
    ),
)
def RETRIEVAL_GAP(p: Proof) -> None:
    r"""Another letter is at least a step less the rotation away

    For letters $\phi\ne\psi$ of $r$, $\omega=\frac{2\pi}r$ and a rotation $0\le v\le h\le\omega$:
    $\cos((\phi-\psi)\omega+v)\le\cos(\omega-h)$.
    """
    around = (key - query + letters) * step + v
    above, below = p.under(lt(query, key)), p.under(lt(key, query))

    turn = p.show(
        Both(le(0, step), eq(letters * step, 2 * sp.pi)),
        "As r letters go once around, r steps are a whole turn.",
        (LETTERS, IN_RANGE),
    )

    def far(scope: Scope, letter: Term, first: str, then: str) -> Fact:
        steps = scope.show(within(letter * step, step, 2 * sp.pi - step), first, turn, IN_RANGE)
        values = {"a": step - h, "x": letter * step + v}
        return scope.lemma(TRIG_COSINE_BAND.at(**values), steps, ROTATION, SLOW, why=then)

    further = far(
        above,
        key - query,
        "A letter further on in the alphabet is one to r - 1 steps away.",
        "So with the rotation its angle stays a step less h from every whole turn.",
    )
    before = far(
        below,
        key - query + letters,
        "A letter before it is one to r - 1 steps away once it is counted around.",
        "So with the rotation its angle stays a step less h from every whole turn too.",
    )
    same = p.show(
        eq(around, (key - query) * step + v + 2 * sp.pi),
        "Counting around adds a whole turn to the angle.",
        turn,
    ).image(sp.cos, "A whole turn does not change the cosine.")
    p.qed(
        "In both cases the cosine of another letter is at most this bound.",
        (further, before, same, OTHER),
    )
