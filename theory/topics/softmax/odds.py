"""Logits that move: what that does to the odds of a weight."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import SOFTMAX_PARTITION, TARGET, a, above, below, w

eta = real("eta")
moved = real_function("w_moved")
MEANINGS: Meanings = {
    **margin.MEANINGS,
    eta: "how far a logit may be moved",
    moved: shown_as("w′", "w'", "the logits after a move"),
}


def rest(logits: Function) -> Term:
    """The sum of the competitors' exponentials."""
    return below(logits) + above(logits)


def odds(logits: Function) -> Term:
    """The odds of the target, S_a / (1 - S_a)."""
    return sp.exp(logits(a)) / rest(logits)


CLOSE = Hypothesis(
    "no logit moves by more than eta", every(j, 0, n - 1, within(moved(j), w(j) - eta, w(j) + eta))
)
COMPETITOR = Hypothesis("there is a competitor", le(2, n))


def _ratio(scope: Scope, key: Term, who: str) -> tuple[Fact, Fact]:
    """The moved exponential of a key is at most exp(eta) times, at least exp(-eta) times the old."""
    near = scope.use(CLOSE, TARGET, why=f"{who} has a logit that moves by at most eta.")
    grown = "So its exponential grows by a factor of at most exp(eta)."
    most = exponentials(scope, moved(key), w(key) + eta, grown, near)
    least = exponentials(
        scope,
        w(key) - eta,
        moved(key),
        "The moved exponential is at least exp(-eta) times the old one.",
        near,
    )
    return most, least


def _some_competitor(p: Proof, logits: Function, parts: Fact) -> Fact:
    """The sum over the competitors is positive."""
    term = p.show(lt(0, sp.exp(logits(j))), "The exponential of each logit is positive.")
    before = p.under(le(1, a)).show(
        lt(0, below(logits)), "If the target is not the first key, there is a key before it.", term
    )
    after = p.under(le(a, 0)).show(
        lt(0, above(logits)),
        "If the target is the first key, there is a key after it.",
        (term, COMPETITOR),
    )
    return p.show(
        lt(0, rest(logits)),
        "So the sum of the competitors' exponentials is positive.",
        (before, after, parts),
    )


@theorem(
    "softmax.perturb",
    role="main result",
    needs="PTX",
    hypotheses=(TARGET, CLOSE, COMPETITOR),
    conclusion=within(odds(moved), sp.exp(-2 * eta) * odds(w), sp.exp(2 * eta) * odds(w)),
    attack=Attack(
        {
            "one factor": le(odds(moved), sp.exp(eta) * odds(w)),
            "reversed": le(sp.exp(2 * eta) * odds(w), odds(moved)),
        },
        without={TARGET: {n: 2, a: 5, eta: 0}},
        idle={
            COMPETITOR: "without one the odds are infinite; totalised division makes both sides 0"
        },
    ),
)
def SOFTMAX_PERTURB(p: Proof) -> None:
    r"""Logits that move by at most η move odds by a factor of at most exp(2η)

    If each logit moves by at most $\eta$, the odds $S_a/(1-S_a)$ of every weight move by a factor
    in $[e^{-2\eta},e^{2\eta}]$.
    """
    parts = p.apply(
        SOFTMAX_PARTITION,
        TARGET,
        why="The normaliser splits at the target, and no part of it is negative.",
    )
    moved_parts = p.lemma(
        SOFTMAX_PARTITION.at(w=moved),
        TARGET,
        why="The normaliser of the moved logits splits in the same way.",
    )
    sums = []
    for low, high, side in ((0, a - 1, "before"), (a + 1, n - 1, "after")):
        most, least = _ratio(p.under(within(j, low, high)), j, f"A key {side} the target")
        sums += [
            most.summed(
                j,
                low,
                high,
                "Summed over these keys, the exponentials grow by a factor of at most exp(eta).",
            ),
            least.summed(
                j,
                low,
                high,
                "Summed over these keys, the exponentials are at least exp(-eta) times the old.",
            ),
        ]
    competitors = p.show(
        Both(
            within(rest(moved), sp.exp(-eta) * rest(w), sp.exp(eta) * rest(w)),
            le(0, rest(w)),
            le(0, rest(moved)),
        ),
        "The competitors' sum moves by a factor of at most exp(eta).",
        (parts, moved_parts, sums),
    )
    target = _ratio(p, a, "The target")
    p.qed(
        "So the inverse of this sum moves by a factor of at most exp(eta), too. The odds are "
        "the target's exponential times this inverse: two factors of at most exp(eta).",
        (
            competitors,
            _some_competitor(p, w, parts),
            _some_competitor(p, moved, moved_parts),
            target,
        ),
    )
