"""A multiple of the separating direction has loss 1/T."""

from ropeproof.theory.exponential import EXP_LOG_BELOW_IDENTITY, exponentials, logarithms
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.order import ORDER_TIMES, t, times, x, y
from ropeproof.theory.slash.descent.notation import (
    PLACE,
    ROW,
    Vector,
    loss,
    partition,
    row_loss,
    scores,
)
from ropeproof.theory.slash.descent.training import BEST, ONE_PLANE, SEPARATES, WINS, margin, steps
from ropeproof.theory.slash.row import offset, partition_of
from ropeproof.theory.slash.score import length

count = (length - 1) * steps
size = sp.log(count) / margin
COMPARATOR: Vector = (size * BEST[0], size * BEST[1])
"""u, the multiple of k*."""

ENOUGH = Hypothesis("there are two positions and a step", Both(le(2, length), le(1, steps)))

_COMPARATOR = Claim(
    id="slash.gd.comparator",
    title="A multiple of the separating direction has loss 1/T",
    statement=(
        r"If the unit vector $k_*$ separates the target by $\gamma>0$ then "
        r"$u=\frac{\ln((N-1)T)}\gamma k_*$ has $\mathcal L(u)\le\frac1T$."
    ),
    needs=frozenset("PX"),
    hypotheses=(PLACE, ENOUGH, SEPARATES, WINS),
    conclusion=le(loss(COMPARATOR), 1 / steps),
)


def _proof(p: Proof) -> None:
    score, unit, log = scores(COMPARATOR), scores(BEST), sp.log(count)
    here = sp.exp(score(offset))
    share, more = here / count, 1 + 1 / steps
    row = p.under(ROW)

    positive = p.show(Both(lt(0, count), le(1, length - 1)), "(N - 1) T is positive,", ENOUGH)
    at_least_1 = p.show(le(1, count), "at least 1,", ENOUGH, positive)
    sign = logarithms(p, 1, count, "so its logarithm is not negative,", at_least_1)
    longer = p.show(le(0, size), "nor is the size of u, which is it over gamma.", sign, SEPARATES)
    linear = p.show(eq(score(j), size * unit(j)), "Scores scale with the size,")
    target = p.show(eq(score(offset), size * unit(offset)), "the target's too.")
    divided = p.show(
        eq(kept(sp.exp, score(offset) - log), share),
        "Taking the logarithm off divides by (N - 1) T.",
        positive,
    )

    def others(low: Any, high: Any, word: str) -> Fact:
        """The exponentials of the lags from `low` to `high` add up to at most so many shares."""
        lag = row.under(within(j, low, high))
        apart = lag.use(WINS, None, PLACE, why=f"A lag {word} the target is separated,")
        scaled = times(lag, apart, size, "and scaled by the size,", longer)
        below = lag.show(
            le(score(j), score(offset) - log),
            "it is lower by the logarithm,",
            (scaled, linear, target, SEPARATES),
        )
        power = exponentials(lag, score(j), score(offset) - log, "so its exponential", below)
        term = lag.show(
            le(sp.exp(score(j)), share), "is small, a share of the target's,", power, divided
        )
        return term.summed(j, low, high, "and so is their sum.")

    before = others(sp.Integer(0), offset - 1, "before")
    after = others(offset + 1, i - 1, "after")
    parts = partition_of(row, score, PLACE)
    number = row.show(
        eq(before.formula.rhs + after.formula.rhs, (i - 1) * share),
        "There are i - 1 others.",
        PLACE,
    )
    some = p.show(lt(0, here), "The target's exponential is positive,")
    some_share = p.show(lt(0, share), "so is its share,", some, positive)
    longest = row.lemma(
        ORDER_TIMES,
        {x: i - 1, y: length - 1, t: share},
        (some_share, positive),
        why="and a row is no longer than the prompt.",
    )
    inverse = p.show(lt(0, 1 / steps), "(1/T is positive.)", ENOUGH)
    product = p.show(
        eq(here * more, kept(sp.exp, score(offset) + sp.log(more))),
        "(1 + 1/T times the target's is an exponential.)",
        inverse,
    )
    whole = row.show(
        le(partition(COMPARATOR), product.formula.rhs),
        "All together the others have at most 1/T of the target's.",
        (parts, before, after, number, longest, product),
    )
    logs = logarithms(
        row, partition(COMPARATOR), product.formula.rhs, "Take logarithms:", whole, parts
    )
    undo = p.show(
        eq(logs.formula.rhs, score(offset) + sp.log(more)),
        "the upper one is the target's score and log(1 + 1/T),",
    )
    tangent = p.lemma(EXP_LOG_BELOW_IDENTITY, {x: more}, inverse, why="which is at most 1/T,")
    small = row.show(
        le(row_loss(COMPARATOR), 1 / steps), "so a row's loss is at most 1/T,", logs, undo, tangent
    )
    rows = small.summed(i, offset + 1, length, "also summed over the rows,")
    row_number = p.show(
        eq(rows.formula.rhs, (length - offset) / steps), "of which there are N - Delta,", PLACE
    )
    p.qed("and averaged.", rows, row_number, PLACE)


ATTACK = Attack(
    {"1/(2T)": le(loss(COMPARATOR), 1 / (2 * steps))},
    at={"1/(2T)": {**ONE_PLANE, steps: 2}},
    unshown={
        ENOUGH: "with one position the loss is 0; without steps 1/T is 0 by convention",
        SEPARATES: "without a margin no multiple of k* has a small loss",
    },
)

SLASH_GD_COMPARATOR = prove(_COMPARATOR, _proof, ATTACK)

CLAIMS = (SLASH_GD_COMPARATOR,)
