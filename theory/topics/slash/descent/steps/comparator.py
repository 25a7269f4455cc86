"""A multiple of the separating direction has loss 1/T."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_BELOW_IDENTITY, exponentials
from ropeproof.theory.library.order import ORDER_TIMES, t, x, y
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset, partition_of

MEANINGS = {
    **notation.MEANINGS,
    (best_x, best_y): shown_as(
        "k*", "k_{*}", "vector that separates the target from all other lags"
    ),
}

count = (length - 1) * steps
size = sp.log(count) / margin
COMPARATOR: Vector = (size * BEST[0], size * BEST[1])
"""u, the multiple of k*."""

ENOUGH = Hypothesis("there are two positions and a step", Both(le(2, length), le(1, steps)))


@theorem(
    "slash.gd.comparator",
    hypotheses=(PLACE, ENOUGH, SEPARATES, WINS),
    conclusion=le(loss(COMPARATOR), 1 / steps),
    attack=Attack(
        {"1/(2T)": le(loss(COMPARATOR), 1 / (2 * steps))},
        at={"1/(2T)": {**ONE_PLANE, steps: 2}},
        without={ENOUGH: {**ONE_PLANE, steps: 0}, SEPARATES: {**ONE_PLANE, steps: 2, margin: 0}},
    ),
)
def SLASH_GD_COMPARATOR(p: Proof) -> None:
    r"""A multiple of the separating direction has loss 1/T

    If $k_*$ separates the target by $\gamma>0$ then, for $N\ge2$ and $T\ge1$,
    $u=\frac{\ln((N-1)T)}\gamma k_*$ has $\mathcal L(u)\le\frac1T$.
    """
    score, log = scores(COMPARATOR), sp.log(count)
    here = sp.exp(score(offset))
    share, more = here / count, 1 + 1 / steps
    above = kept(sp.exp, score(offset) + sp.log(more))
    row = p.under(ROW)

    at_least_1 = p.show(
        le(1, count),
        "The numbers (N - 1) T and N - 1 are positive. So the product (N - 1) T is at least 1.",
        ENOUGH,
    )
    sign = at_least_1.image(sp.log, "So its logarithm is not negative.")
    longer = p.show(
        le(0, size),
        "So the size of u, this logarithm over gamma, is not negative.",
        (sign, SEPARATES),
    )
    any_off = p.under(lt(0, y)).show(
        eq(kept(sp.exp, x - kept(sp.log, y)), sp.exp(x) / y),
        "Subtracting the logarithm of y divides the exponential by y.",
    )
    off = p.under(lt(0, y), lt(0, t)).use(
        any_off,
        {y: y * t},
        why="The same holds for the logarithm of a product.",
        goal=eq(kept(sp.exp, x - kept(sp.log, y * t)), sp.exp(x) / (y * t)),
    )
    divided = p.use(
        off,
        {x: score(offset), y: length - 1, t: steps},
        ENOUGH,
        why="Take (N - 1) T for this product.",
        goal=eq(kept(sp.exp, score(offset) - log), share),
    )

    def others(low: Term, high: Term, word: str) -> Fact:
        """The exponentials of the lags from `low` to `high` add up to at most so many shares."""
        lag = row.under(within(j, low, high))
        below = lag.show(
            le(score(j), score(offset) - log),
            "Multiply by the size of u, which is not negative. So along u the lag is lower "
            "by the logarithm of (N - 1) T.",
            (
                lag.use(
                    WINS, None, PLACE, why=f"Along k* a lag {word} the target is lower by gamma."
                ),
                longer,
                SEPARATES,
            ),
        )
        power = exponentials(
            lag,
            score(j),
            score(offset) - log,
            "So its exponential is at most that of the lowered score.",
            below,
        )
        return lag.show(
            le(sp.exp(score(j)), share),
            "So it is at most the target's exponential over (N - 1) T.",
            (power, divided),
        ).summed(j, low, high, "Sum this bound over these lags.")

    before = others(sp.Integer(0), offset - 1, "before")
    after = others(offset + 1, i - 1, "after")
    parts = partition_of(row, score, PLACE)
    longest = row.lemma(
        ORDER_TIMES.at(x=i - 1, y=length - 1, t=share),
        ENOUGH,
        why="As a row is no longer than the prompt, this is at most N - 1 shares.",
    )
    logs = row.show(
        le(partition(COMPARATOR), above),
        "There are i - 1 other lags, so the two sums have i - 1 shares. So the sum is at "
        "most 1 + 1/T times the target's exponential.",
        (parts, before, after, PLACE, longest, ENOUGH),
    ).image(sp.log, "Take logarithms of both sides.", parts)
    tangent = p.lemma(
        EXP_LOG_BELOW_IDENTITY.at(x=more), ENOUGH, why="The logarithm of 1 + 1/T is at most 1/T."
    )
    rows = row.show(
        le(row_loss(COMPARATOR), 1 / steps), "So the loss of a row is at most 1/T.", logs, tangent
    ).summed(i, offset + 1, length, "Sum this bound over the rows.")
    p.qed("Divide by the number of rows, which is positive.", rows, PLACE)
