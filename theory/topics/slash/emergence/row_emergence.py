"""A margin makes a row attend."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.corpus import kappa, length
from ropeproof.theory.topics.slash.emergence.contest import (
    COMPETITOR,
    SCORE_RANGE,
    large_enough,
    margin,
    odds,
    wins,
)
from ropeproof.theory.topics.slash.lags import OFFSET, g, offset
from ropeproof.theory.topics.slash.sandwich.cluster import actual, eta, near
from ropeproof.theory.topics.slash.sandwich.row_sandwich import SLASH_ROW_SANDWICH

MEANINGS: Meanings = {
    **lags.MEANINGS,
    kappa: "the level that a weight or score shall reach",
    length: "length of the prompts, or of the window on each side of the target",
    margin: "the margin, in logits",
    g: "logits of the mean head, by lag",
    actual: "logits of the keys",
    eta: "how far a logit may be moved",
}

POSITIVE, BELOW_1 = SCORE_RANGE
SHORT = Hypothesis("the row is not too long", le(i, length))
NEAR = Hypothesis("logits move by at most eta", every(j, 0, i - 1, near(actual, g, eta)))
MARGIN = Hypothesis("the margin", wins(g, i))
ENOUGH = Hypothesis("the margin is large enough", large_enough(eta))


flat = sp.exp(g(offset) - margin)  # what a competitor weighs at most
rest = (lags.before(g) + lags.after(g)) / sp.exp(g(offset))
shrunk, grown = sp.exp(-margin), sp.exp(2 * eta)


def _part(p: Proof, name: str, first: Term | int, last: Term) -> Fact:
    """A part of the row weighs at most `flat` for each of its lags."""
    lag = p.under(within(j, first, last))
    gap = lag.use(MARGIN, OFFSET, why=f"A lag {name} the target lies lower by the margin.")
    term = exponentials(
        lag,
        g(j),
        g(offset) - margin,
        "So its exponential is at most exp(-Gamma) times the target's.",
        gap,
    )
    return term.summed(j, first, last, "Sum this bound over these lags.")


def _rest_is_small(p: Proof, shrinks: Fact) -> Fact:
    """Z <= (N - 1) exp(-Gamma)."""
    parts = _part(p, "before", 0, offset - 1), _part(p, "after", offset + 1, i - 1)
    return p.show(
        le(rest, (length - 1) * shrunk),
        "The rest Z is at most (i - 1) exp(-Gamma), one for each competitor. As i is at most "
        "N, Z is at most (N - 1) exp(-Gamma).",
        (parts, OFFSET, shrinks, SHORT),
    )


def _odds_are_reached(p: Proof, shrinks: Fact) -> Fact:
    """exp(2 eta) odds exp(-Gamma) <= 1."""
    asked = 2 * eta + sp.log(odds)
    large = exponentials(p, asked, margin, "Take exponentials of the bound of the margin.", ENOUGH)
    return p.show(
        le(grown * odds * shrunk, 1),
        "The odds (N-1) kappa/(1-kappa) asked for are positive. So exp(2 eta) times the odds "
        "is at most exp(Gamma).",
        (large, POSITIVE, BELOW_1, COMPETITOR, shrinks),
    )


@theorem(
    "slash.row-emergence",
    hypotheses=(OFFSET, SHORT, COMPETITOR, *SCORE_RANGE, NEAR, MARGIN, ENOUGH),
    conclusion=le(kappa, lags.weight(actual)),
    attack=Attack(
        {
            "a tenth more": le(kappa + sp.Rational(1, 10), lags.weight(actual)),
            "the square root": le(sp.sqrt(kappa), lags.weight(actual)),
        },
        without={
            SHORT: {
                **{i: 3, offset: 0, length: 2, eta: 0, margin: 1, kappa: sp.Rational(7, 10)},
                **{g(0): 1, g(1): 0, g(2): 0, actual(0): 1, actual(1): 0, actual(2): 0},
            }
        },
    ),
)
def SLASH_ROW_EMERGENCE(p: Proof) -> None:
    r"""A margin makes a row attend

    If a row's logits lie within $\eta$ of $g$, $g(\Delta)\ge g(j)+\Gamma$ for every other lag of
    the row, $i\le N$ and $\Gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$, then
    $S_{i,i-\Delta}\ge\kappa$.
    """
    shrinks = p.show(lt(0, shrunk), "The factor exp(-Gamma) is positive.")
    small, reached = _rest_is_small(p, shrinks), _odds_are_reached(p, shrinks)
    moved = p.apply(
        SLASH_ROW_SANDWICH, OFFSET, NEAR, why="The sandwich bounds the weight from below."
    )
    up = p.show(lt(0, grown), "The factor exp(2 eta) is positive.")
    product = p.show(
        le(0, grown * rest),
        "The rest Z of the row, by the target's exponential, is not negative. So the product "
        "exp(2 eta) Z is not negative.",
        (lags.partition_of(p, g, OFFSET), up),
    )
    allowed = p.show(
        le(grown * ((length - 1) * shrunk) * kappa, 1 - kappa),
        "As the odds are reached, the right side times kappa is at most 1 - kappa.",
        (reached, BELOW_1),
    )
    enough = p.show(
        le(grown * rest * kappa, 1 - kappa),
        "So exp(2 eta) Z is at most exp(2 eta) (N - 1) exp(-Gamma). So exp(2 eta) Z kappa is "
        "at most 1 - kappa.",
        (small, up, allowed, POSITIVE),
    )
    least = p.show(
        le(kappa, 1 / (1 + grown * rest)),
        "So the lower bound 1/(1 + exp(2 eta) Z) is at least kappa.",
        (enough, product, BELOW_1, POSITIVE),
    )
    p.qed("So the weight is at least kappa.", least, moved)
